"""A report in a browser: drawn, without a message of the console."""

from __future__ import annotations

from pathlib import Path

import pytest

import rankmetrics as rm
from tests.support.browser import open_page
from tests.support.html_pages import Page
from tests.support.two_systems import RECS_PATH, TRUTH_PATH


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    rm.report(rm.evaluate(RECS_PATH, TRUTH_PATH, ["ndcg@10", "recall@5,10"]), path)
    return path


def test_a_browser_opens_the_page_without_a_message(report: Path) -> None:
    dom, messages = open_page(report, "--dump-dom")
    assert messages == []
    written, shown = Page(report.read_text(encoding="utf-8")), Page(dom)
    assert shown.words == written.words
    assert len(shown.of("svg")) == len(written.of("svg"))


@pytest.mark.long
def test_a_browser_prints_the_page_with_its_details_open(report: Path, tmp_path: Path) -> None:
    folded, whole = tmp_path / "folded.pdf", tmp_path / "whole.pdf"
    open_page(report, f"--print-to-pdf={whole}")
    text = report.read_text(encoding="utf-8")
    shut = report.with_name("shut.html")
    shut.write_text(text.replace("details::details-content", "details::no-such-part"), encoding="utf-8")
    open_page(shut, f"--print-to-pdf={folded}")
    assert whole.stat().st_size > 1.2 * folded.stat().st_size
