"""`rankmetrics report`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reports.conftest import without_charts as without_charts
from tests.support.commands import RECS, TRUTH, refused, written
from tests.support.html_pages import Page

pytestmark = pytest.mark.usefixtures("without_charts")


def test_report_writes_a_page_and_names_it(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    said = written("report", RECS, TRUTH, "-m", "ndcg@10", "-m", "rr", "--title", "Monday", "-o", path)
    assert said.strip() == f"wrote {path}"
    page = Page(path.read_text(encoding="utf-8"))
    assert "Monday" in page.words
    assert "matrix-factorisation has the highest mean ndcg@10: 0.3027" in page.words


def test_report_takes_the_flags_of_evaluate(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    flags = ["--by", "partition", "--by", "algorithm", "--missing", "skip", "--where", "user < 100"]
    written("report", RECS, TRUTH, "-m", "ndcg@10", *flags, "-o", path)
    page = Page(path.read_text(encoding="utf-8"))
    assert "For partition = 2: matrix-factorisation has the highest mean ndcg@10" in page.words
    assert "where user < 100" in page.words


def test_notes_of_the_page_name_flags(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    written("report", RECS, TRUTH, "-m", "coverage@10", "--history", RECS.replace("recs", "history"), "-o", path)
    assert "coverage@10 is over all values of partition, which --by does not name" in path.read_text(encoding="utf-8")


def test_report_refuses_another_ending(tmp_path: Path) -> None:
    assert "end its name in .html" in refused("report", RECS, TRUTH, "-m", "rr", "-o", tmp_path / "report.pdf")
