"""The links of errors and warnings: each leads to a page and a heading of docs/."""

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
from tests import ROOT

ADDRESS = "https://docs.example/rankmetrics"
FAMILIES: list[type[errors.Message]] = [
    rm.RankMetricsWarning,
    errors.RankMetricsError,
    *errors.RankMetricsError.__subclasses__(),
]


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> str:
    """An address of the documentation, in place of the address in the installed package."""
    monkeypatch.setattr(_pages, "address", lambda: ADDRESS)
    return ADDRESS


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


def test_the_last_line_of_a_traceback_is_the_link(site: str) -> None:
    for page, call in CALLS:
        with pytest.raises(rm.RankMetricsError) as caught:
            call()
        assert (caught.value.page, caught.value.url) == (page, f"{site}/{page}")
        assert "".join(traceback.format_exception(caught.value)).endswith(f"\nMore: {site}/{page}\n")
        assert site not in str(caught.value)


def test_a_warning_ends_with_its_link(site: str) -> None:
    recs = {user: ["a"] for user in range(100)}
    result = rm.evaluate(recs, {user: ["a"] for user in range(120)}, "hit@1")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result.collect()
    link = f"More: {site}/warnings/#missing-lists"
    assert [str(warning.message).splitlines()[-1] for warning in caught if "no recommend" in str(warning.message)] == [
        link
    ]
    assert [note for note in result.notes() if note.startswith("Warning: 20 of 120") and note.endswith(f" {link}")]


def test_without_an_address_a_message_has_no_link(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_pages, "address", lambda: "")
    error = rm.InputError("There is no such file.")
    assert (error.link, error.url, error.page) == ("", "", "inputs/")
    assert not hasattr(error, "__notes__")
    assert str(rm.RankMetricsWarning("Lists differ.")) == "Lists differ."


def test_the_address_is_read_from_the_metadata_of_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.metadata
    from email.message import Message

    metadata = Message()
    metadata["Project-URL"] = "Source, https://code.example"
    metadata["Project-URL"] = f"Documentation, {ADDRESS}/"
    monkeypatch.setattr(importlib.metadata, "metadata", lambda name: metadata)
    assert _pages.address.__wrapped__() == ADDRESS


def test_the_project_names_the_address_of_its_documentation() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["urls"]["Documentation"].startswith("https://")
