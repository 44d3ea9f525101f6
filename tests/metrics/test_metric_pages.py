"""The pages of docs/metrics: a page for each metric of the catalogue, with the numbers that `evaluate` returns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import duckdb
import pytest

import rankmetrics as rm
from docs.tooling.metric_pages import linked, metric_pages, worked_lines
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.conventions import CONVENTIONS
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.metric import parse
from tests import ROOT
from tests.support.metric_examples import TRUTH, USER, Example, cell, examples, worked

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


@cache
def _values(needs: tuple[str, ...], pool: int | None) -> dict[str, float | None]:
    """The values of all examples with these inputs, as one evaluation returns them."""
    alike = [one for one in EXAMPLES if (one.needs, one.pool) == (needs, pool)]
    result = rm.evaluate(alike[0].recs, TRUTH, [one.metric for one in alike], **alike[0].inputs)
    of_system = result.collect().row(0, named=True)
    of_lists = [one for one in result.metrics if not one.is_run]
    of_list = result.per_list().collect().filter(user=USER).row(0, named=True) if of_lists else {}
    return {**of_system, **of_list}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.metric)
def test_an_example_ends_with_the_value_that_evaluate_returns(example: Example) -> None:
    steps, value = worked(example), _values(example.needs, example.pool)[example.metric]
    assert steps.formula.value == pytest.approx(value, abs=1e-12)
    text = _text(parse(example.metric).name)
    assert f"```text\n{worked_lines(steps)}\n```" in text
    assert worked_lines(steps).endswith(f"= {cell(value)}")
    assert f"```python\n{example.call()}\n```" in text


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.metric)
def test_the_values_in_the_formula_of_an_example_give_its_result(example: Example) -> None:
    _, *steps = re.split(r"\s+= ", worked_lines(worked(example)))
    computed = (
        duckdb.execute(f"SELECT CAST({steps[-2]} AS DOUBLE)").fetchall()[0][0] if len(steps) == 3 else float(steps[-1])
    )
    assert computed == pytest.approx(float(steps[-1]), abs=2e-4)  # the page rounds values to four places


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.metric)
def test_the_values_of_the_ranks_add_up_to_the_sum_below_them(example: Example) -> None:
    for columns, rows in worked(example).tables:
        sums = rows[-1] if rows[-1][0] == "**sum**" else [""] * len(columns)
        for at, total in enumerate(sums[1:], start=1):
            if total:
                assert sum(float(row[at] or 0) for row in rows[:-1]) == pytest.approx(
                    float(total.strip("*")), abs=1e-4 * len(rows)
                )


def _in_sections() -> Iterator[tuple[str, str]]:
    """The metrics of the first page, with the heading above each."""
    for section in _text("index").split("\n## ")[1:]:
        for name in re.findall(r"^\| \[`(\w+)`\]\(\1\.md\)", section, re.MULTILINE):
            yield name, section.partition("\n")[0]


def test_the_first_page_lists_each_metric_once() -> None:
    assert sorted(name for name, _ in _in_sections()) == [one.name for one in METRICS]


@pytest.mark.parametrize("definition", METRICS, ids=lambda one: one.name)
def test_a_page_has_the_formula_the_parameters_and_the_source_of_the_header(definition: Definition) -> None:
    text = _text(definition.name)
    assert f"$$\n{definition.fields['formula']}\n$$" in text
    for name, parameter in catalog().own_parameters(definition.name).items():
        assert f"| `{name}` |" in text
        assert all(f"`{choice}`" in text for choice in parameter.choices)
    assert linked(definition.fields.get("source", "")) in text


def test_every_name_of_a_convention_is_on_the_page_of_its_metric() -> None:
    for convention in CONVENTIONS:
        for theirs, ours in convention.spellings.items():
            row = rf"^\|.*`{re.escape(theirs)}` in [^;|]*\[{re.escape(convention.name)}\]\("
            assert re.search(row, _text(parse(ours).name), re.MULTILINE), (convention.name, theirs)


@pytest.mark.parametrize("name", sorted({*SHARED, *(one.name for one in METRICS)}))
def test_the_links_of_a_page_lead_to_files_that_exist(name: str) -> None:
    links = re.findall(r"\]\(([^)#:]+\.md)", _text(name))
    assert links
    assert [link for link in links if not (FOLDER / link).resolve().is_file()] == []
