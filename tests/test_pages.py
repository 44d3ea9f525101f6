"""The pages of errors and warnings: each is a page and a heading of docs/, and can be printed."""

from __future__ import annotations

import importlib.util
import re
import tomllib
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

import rankmetrics as rm
from docs.tooling.markdown import site_anchors
from rankmetrics import _pages, errors
from rankmetrics._pages import PAGES
from rankmetrics.faults.data import MESSAGES, page_of_fault
from rankmetrics.manual import manual
from tests import ROOT

FAMILIES: list[type[errors.Message]] = [
    rm.RankMetricsWarning,
    errors.RankMetricsError,
    *errors.RankMetricsError.__subclasses__(),
]


def file_of(page: str) -> Path:
    """The Markdown file of a page: docs/NAME.md or docs/NAME/index.md."""
    name = page.partition("#")[0].strip("/")
    files = [ROOT / "docs" / f"{name}.md", ROOT / "docs" / name / "index.md"]
    return next((file for file in files if file.exists()), files[0])


EVERY_PAGE = {
    *PAGES.values(),
    *(family.PAGE for family in FAMILIES),
    *(page_of_fault(name) for name in MESSAGES),
    *(
        page
        for path in (ROOT / "rankmetrics").rglob("*.py")
        for page in re.findall(r'\bpage="([^"]+)"', path.read_text(encoding="utf-8"))
    ),
}


def test_links_lead_to_pages_and_headings_and_modules_with_pages_exist() -> None:
    assert {"warnings/#missing-lists", "segments/#systems-that-change-their-order"} <= EVERY_PAGE
    for page in EVERY_PAGE:
        path, anchor = file_of(page), page.partition("#")[2]
        assert path.exists(), page
        assert re.fullmatch(r"[a-z-]+/(#[a-z0-9-]+)?", page)
        assert not anchor or anchor in site_anchors(path.read_text(encoding="utf-8")), page
    assert [module for module in PAGES if importlib.util.find_spec(module) is None] == []
    assert [family for family in FAMILIES if "PAGE" not in vars(family)] == []


def test_every_heading_of_the_warnings_is_the_page_of_a_warning() -> None:
    headings = re.findall(r"^### (.+)$", (ROOT / "docs" / "warnings.md").read_text(encoding="utf-8"), re.MULTILINE)
    linked = {page.partition("#")[2] for page in EVERY_PAGE if page.startswith("warnings/#")}
    assert {heading.lower().replace(" ", "-") for heading in headings} == linked


CALLS: list[tuple[str, Callable[[], object]]] = [
    ("metrics/", lambda: rm.evaluate({1: ["a"]}, {1: ["a"]}, "ndgc@10")),
    ("messages/#no-list-in-common", lambda: rm.evaluate({1: ["a"]}, {2: ["a"]}, "ndcg@10").collect()),
    ("messages/#types-that-do-not-fit", lambda: rm.evaluate({1: ["a"]}, {1: [7]}, "ndcg@10").collect()),
    ("dialects/", lambda: rm.to_sql("recs", "truth", "hit", lists="user", dialect="oracle7")),
    ("inputs/", lambda: rm.evaluate("absent.parquet", "absent.parquet", "ndcg@10")),
    ("comparing/", lambda: rm.evaluate({1: ["a"]}, {1: ["a"]}, "ndcg@10").compare(baseline="x")),
]


def test_the_last_line_of_a_traceback_is_a_command_that_prints_the_page() -> None:
    for page, call in CALLS:
        with pytest.raises(rm.RankMetricsError) as caught:
            call()
        assert caught.value.page == page
        assert "".join(traceback.format_exception(caught.value)).endswith(f"\n{caught.value.more}\n")
        assert "rankmetrics help" not in str(caught.value)
        topic = caught.value.more.removeprefix("More: rankmetrics help ")
        assert manual(topic).startswith("#"), topic


def test_every_page_of_a_message_can_be_printed() -> None:
    for page in EVERY_PAGE:
        assert manual(page).startswith("#"), page


def test_a_warning_ends_with_the_command_for_its_page() -> None:
    recs = {user: ["a"] for user in range(100)}
    result = rm.evaluate(recs, {user: ["a"] for user in range(120)}, "hit@1")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result.collect()
    more = "More: rankmetrics help warnings/missing-lists"
    assert [str(warning.message).splitlines()[-1] for warning in caught if "no recommend" in str(warning.message)] == [
        more
    ]
    assert [note for note in result.notes() if note.startswith("Warning: 20 of 120") and note.endswith(f" {more}")]


def test_once_the_site_is_published_a_message_has_its_address_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_pages, "SITE", "https://docs.example")
    error = rm.InputError("There is no such file.", page="inputs/#columns")
    assert error.more == "More: rankmetrics help inputs/columns (https://docs.example/inputs/#columns)"
    assert error.__notes__ == [error.more]


def test_the_project_names_the_address_of_its_documentation() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["urls"]["Documentation"].startswith("https://")
