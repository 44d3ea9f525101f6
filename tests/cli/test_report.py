"""`rankmetrics report`."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.tooling.html_pages import Page
from tests.reports.conftest import without_charts as without_charts
from tests.support import two_systems as small
from tests.support.commands import RECS, TRUTH, refused, written

pytestmark = pytest.mark.usefixtures("without_charts")

HISTORY = RECS.replace("recs", "history")


def test_report_writes_a_page_with_the_flags_of_evaluate_and_its_own(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    of_evaluate = ["-m", "ndcg@10", "-m", "coverage@10", "--history", HISTORY, "--where", "user < 100"]
    own = ["--title", "Monday", "--baseline", "popular", "--segment", "activity=buckets:n_history:2"]
    assert written("report", RECS, TRUTH, *of_evaluate, *own, "-o", path).strip() == f"wrote {path}"
    words = Page(path.read_text(encoding="utf-8")).words
    assert words.startswith("Monday 3 systems, 2 metrics")
    assert "matrix-factorisation has the highest mean ndcg@10" in words
    assert "more than popular, the baseline" in words
    assert "activity matrix-factorisation item-knn popular n_lists" in words
    assert "where user < 100" in words
    assert "coverage@10 is over all values of partition, which --by does not name" in words


def test_a_baseline_is_a_system_and_recommendations_to_compare_with_have_a_flag_of_their_own(tmp_path: Path) -> None:
    path, recs, truth, others = (tmp_path / name for name in ("report.html", "recs.csv", "truth.csv", "others.csv"))
    small.RECS.write_csv(recs)
    small.TRUTH.write_csv(truth)
    small.RECS.filter(algorithm="b").drop("algorithm").write_csv(others)
    assert "'knn', and the systems are 'a' and 'b'" in refused(
        "report", recs, truth, "-m", "rr", "--baseline", "knn", "-o", path
    )
    assert not path.exists()
    written("report", recs, truth, "-m", "least_item_promoted@1", "--baseline-recs", others, "-o", path)
    assert f"baseline {others} lists by user" in Page(path.read_text(encoding="utf-8")).words


def test_report_refuses_another_ending(tmp_path: Path) -> None:
    assert "end its name in .html" in refused("report", RECS, TRUTH, "-m", "rr", "-o", tmp_path / "report.pdf")
