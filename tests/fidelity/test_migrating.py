"""The pages on migrating: their code runs, their tables are the conventions', their numbers are those returned."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rankmetrics as rm
from rankmetrics.errors import plain
from rankmetrics.metrics.conventions import CONVENTIONS, Convention, find
from tests.fidelity.library import data
from tests.fidelity.problems import EXAMPLE
from tests.support.shared import SHARED, needs_shared

FOLDER = Path(__file__).parents[2] / "docs" / "migrating"
INDEX = FOLDER / "README.md"
PAGES = sorted(set(FOLDER.glob("*.md")) - {INDEX})

# The code of a page that is ours, with the comments before it that name the examples it repeats: of the shared numbers,
# or of those that tests/fidelity keeps.
BLOCK = re.compile(
    r"((?:<!-- (?:case|golden): [^\n]+ -->\n)*)```python\n((?:(?!```).)*\brm\.(?:(?!```).)*)```", re.DOTALL
)
CASE = re.compile(r"<!-- case: (\S+)(?: \((.+)\))? -->")
KEPT = re.compile(r"<!-- golden: (\w+) \| (\S*) \| (\S+) \| ?(\d*) ?-->")
NUMBER = re.compile(r"^assert .* == ([\d.]+)$", re.MULTILINE)

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


def rows() -> Iterator[tuple[Convention, str, str]]:
    """The rows of the tables whose headers name conventions: convention, our call, the same in our own terms."""
    for page in PAGES:
        named: dict[int, Convention] = {}
        for line in page.read_text(encoding="utf-8").splitlines():
            cells = [cell.strip() for cell in line.split("|")[1:-1]]
            if len(cells) > 1 and cells[1] == "our call":
                named = {at: find(cell.split("`")[1]) for at, cell in enumerate(cells[2:], 2)}
            elif not cells:
                named = {}
            elif not cells[0].startswith("---"):
                yield from ((one, cells[1].strip("`"), cells[at].strip("`")) for at, one in named.items())


def cases() -> Iterator[Any]:
    """The numbers that pages assert, with the example that each repeats."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for block in BLOCK.finditer(text):
            named = CASE.findall(block[1])
            numbers = NUMBER.findall(block[2]) if named else []
            for (case, release), number in zip(named, numbers, strict=True):
                yield pytest.param(text[: block.start()], case, release, number, id=f"{page.stem}-{case}-{number}")


def kept() -> Iterator[Any]:
    """The numbers that pages assert, with the value of the example that each repeats."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for block in BLOCK.finditer(text):
            named = KEPT.findall(block[1])
            numbers = NUMBER.findall(block[2]) if named else []
            for key, number in zip(named, numbers, strict=True):
                yield pytest.param(text[: block.start()], key, number, id=f"{page.stem}-{key[2]}-{number}")


@pytest.mark.parametrize("page", [INDEX, *PAGES], ids=lambda page: page.stem)
def test_the_code_of_a_page_runs(page: Path) -> None:
    blocks = [block[2] for block in BLOCK.finditer(page.read_text(encoding="utf-8"))]
    namespace: dict[str, object] = {}
    for code in blocks:
        exec(compile(code, page.name, "exec"), namespace)
    assert blocks


def test_the_index_names_every_convention() -> None:
    text = INDEX.read_text(encoding="utf-8")
    assert [one.name for one in CONVENTIONS if f"| `{one.name}` |" not in text] == []
    assert [page.name for page in PAGES if f"]({page.name}" not in text] == []


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda one: one.name)
def test_every_spelling_of_a_convention_is_in_its_table(convention: Convention) -> None:
    there = {
        plain(rm.parse(call, convention.name).spelling)
        for one, call, _ in rows()
        if one.spellings == convention.spellings
    }
    assert there == {plain(spelling) for spelling in convention.spellings}


@pytest.mark.parametrize(("convention", "call", "own"), list(rows()), ids=lambda one: getattr(one, "name", one))
def test_a_row_of_a_table_says_the_same_twice(convention: Convention, call: str, own: str) -> None:
    assert rm.parse(call, convention.name) == rm.parse(own).under(decided=convention.policies)


@every_page
def test_a_page_says_what_its_conventions_decide_of_all_metrics(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for convention in {one.name: one for one in CONVENTIONS if f"`{one.name}`" in text}.values():
        for name, value in convention.policies.items():
            said = f'`{name}="{value}"`' if name in ("missing", "ties") else f"`{name}={value}`"
            assert said in text, (convention.name, said)


@every_page
def test_a_page_has_a_number_that_the_library_returned(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert CASE.search(text) or KEPT.search(text)


@pytest.mark.parametrize(("before", "key", "number"), list(kept()))
def test_a_number_of_a_page_is_what_the_library_returned_here(
    before: str, key: tuple[str, str, str, str], number: str
) -> None:
    library, setting, metric, k = key
    rows = data(library).filter(problem=EXAMPLE, setting=setting, metric=metric)
    (value,) = (
        row["value"]
        for row in rows.iter_rows(named=True)
        if row["user"] is None and (row["k"] or "") == (int(k) if k else "")
    )
    assert abs(value - float(number)) <= 0.51 * 10.0 ** -len(number.partition(".")[2])
    assert number in before  # what the page says that the library returns


@needs_shared
@pytest.mark.parametrize(("before", "case", "release", "number"), list(cases()))
def test_a_number_of_a_page_is_what_the_library_returned(before: str, case: str, release: str, number: str) -> None:
    every = json.loads((SHARED / "golden" / "cases.json").read_text(encoding="utf-8"))
    found = next(one for one in every if one["id"] == case)
    returned = found["observed"][release] if release else found.get("observed_value", found["expected"])
    values = returned if isinstance(returned, list) else [returned]
    near = 0.51 * 10.0 ** -len(number.partition(".")[2]) if len(number) > 5 else 1e-9
    assert any(abs(value - ast.literal_eval(number)) <= near for value in values), returned
    assert number in before  # what the page says that the library returns
