"""The pages of docs/metrics: a page for each metric of the catalogue, with the numbers that `evaluate` returns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import duckdb
import pytest

from docs.tooling.metric_examples import USER, Example, cell, examples
from docs.tooling.metric_pages import linked, metric_pages
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.conventions import CONVENTIONS
from rankmetrics.metrics.metric import parse
from tests import ROOT
from tests.support import flat

FOLDER = ROOT / "docs" / "metrics"
METRICS = catalog().metrics()
EXAMPLES = [one for definition in METRICS for one in examples(definition)]
SHARED = {"index", "policies", "aggregates", "account"}


def _text(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def test_each_metric_has_a_page_and_no_page_is_left_of_a_metric_that_is_gone() -> None:
    pages = {path.stem for path in FOLDER.iterdir()}
    assert pages == {one.name for one in METRICS} | SHARED, "run `make golden`"
    assert {path.stem for path in metric_pages(FOLDER)} == pages


def _values(example: Example) -> dict[str, float | None]:
    """The values of all examples with the inputs of one, as one evaluation returns them."""
    return _values_of(example.needs, example.pool, example.is_modelled, example.is_scored, example.has_subtopics)


@cache
def _values_of(needs: tuple[str, ...], pool: int | None, *has: bool) -> dict[str, float | None]:
    wanted = (needs, pool, *has)
    alike = [
        one for one in EXAMPLES if (one.needs, one.pool, one.is_modelled, one.is_scored, one.has_subtopics) == wanted
    ]
    result = flat.evaluate(alike[0].recs, alike[0].truth, [one.metric for one in alike], **alike[0].inputs)
    of_system = result.summary().collect().row(0, named=True)
    of_lists = [one for one in result.metrics if not one.is_run]
    of_list = result.per_list().collect().filter(user=USER).row(0, named=True) if of_lists else {}
    return {**of_system, **of_list}


def _wrong(example: Example) -> Iterator[str]:
    """What is wrong with an example on its page, which `make golden` writes from a trace of the list."""
    value, text = _values(example)[example.metric], _text(parse(example.metric).name)
    _, _, below = text.partition(f"```python\n{example.call()}\n```")
    steps = re.search(r"```text\n(.*?)\n```", below, re.DOTALL)
    if steps is None:
        yield "the page lacks its call or its steps"
        return
    _, *sides = re.split(r"\s+= ", steps[1])
    if sides[-1] != cell(value):
        yield f"it ends with {sides[-1]}, evaluate with {cell(value)}"
    if len(sides) == 3:  # names, then values, then the result: the page rounds values to four places
        (computed,) = duckdb.execute(f"SELECT CAST({sides[-2]} AS DOUBLE)").fetchall()[0]
        if computed != pytest.approx(float(sides[-1]), abs=2e-4):
            yield f"the values in its formula give {computed}, not {sides[-1]}"


@pytest.mark.long
def test_an_example_ends_with_the_value_that_evaluate_returns() -> None:
    assert {one.metric: found for one in EXAMPLES if (found := [*_wrong(one)])} == {}


def test_the_values_of_the_ranks_add_up_to_the_sum_below_them() -> None:
    for name in (one.name for one in METRICS):
        for table in re.findall(r"(?:^\|.*\|\n)+", _text(name), re.MULTILINE):
            rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()][2:]
            if rows and rows[-1][0] == "**sum**":
                for at, total in enumerate(rows[-1][1:], start=1):
                    added = sum(float(row[at] or 0) for row in rows[:-1]) if total else 0
                    assert added == pytest.approx(float(total.strip("*") or 0), abs=1e-4 * len(rows)), (name, at)


def _in_sections() -> Iterator[tuple[str, str]]:
    """The metrics of the first page, with the heading above each."""
    for section in _text("index").split("\n## ")[1:]:
        for name in re.findall(r"^\| \[`(\w+)`\]\(\1\.md\)", section, re.MULTILINE):
            yield name, section.partition("\n")[0]


def test_the_first_page_lists_each_metric_once() -> None:
    assert sorted(name for name, _ in _in_sections()) == [one.name for one in METRICS]


def test_a_page_has_the_formula_the_parameters_and_the_source_of_the_header() -> None:
    for definition in METRICS:
        text = _text(definition.name)
        assert f"$$\n{definition.fields['formula']}\n$$" in text, definition.name
        for name, parameter in catalog().own_parameters(definition.name).items():
            assert f"| `{name}` |" in text, definition.name
            assert all(f"`{choice}`" in text for choice in parameter.choices), definition.name
        assert linked(definition.fields.get("source", "")) in text, definition.name


def test_every_name_of_a_convention_is_on_the_page_of_its_metric() -> None:
    for convention in CONVENTIONS:
        for theirs, ours in convention.spellings.items():
            row = rf"^\|.*`{re.escape(theirs)}` in [^;|]*\[{re.escape(convention.name)}\]\("
            assert re.search(row, _text(parse(ours).name), re.MULTILINE), (convention.name, theirs)
