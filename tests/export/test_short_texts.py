"""How long a text for a warehouse is, and how often it reads the inputs where an engine computes each step anew."""

from __future__ import annotations

from typing import Any

import pytest

import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS
from rankmetrics.export.header import without_header
from tests.support.scans import OVER, SIX_AT_THREE, n_steps, scans

SCORES: dict[str, Any] = {"columns": rm.Columns(score="score")}
LIST = "a list for each algorithm, user"
WAREHOUSES = [name for name in DIALECTS if name != "polars"]


def written(metrics: list[str], dialect: str = "trino", **more: Any) -> str:
    return without_header(rm.to_sql("db.recs", "db.truth", metrics, dialect=dialect, **{**OVER, **more}))


@pytest.mark.parametrize("dialect", WAREHOUSES)
def test_ndcg_has_at_most_nine_steps_and_seventy_lines(dialect: str) -> None:
    text = written(["ndcg@10"], dialect)
    assert n_steps(text, "duckdb" if dialect == "datafusion" else dialect) <= 9
    assert len(text.splitlines()) <= (75 if dialect == "clickhouse" else 70)  # it has to name each qualified column


@pytest.mark.parametrize("given", [{}, SCORES], ids=["ranks", "scores"])
def test_six_metrics_at_three_cutoffs_have_at_most_twelve_steps(given: dict[str, Any]) -> None:
    assert n_steps(written(SIX_AT_THREE, **given), "trino") <= 12


@pytest.mark.parametrize("given", [{}, SCORES], ids=["ranks", "scores"])
@pytest.mark.parametrize("metrics", [["ndcg@10"], SIX_AT_THREE], ids=["ndcg", "six"])
def test_recommendations_and_truth_are_read_twice(metrics: list[str], given: dict[str, Any]) -> None:
    """The recommendations for the hits and for the systems, the truth for the hits and for its lists."""
    reads = scans(written(metrics, **given), "trino")
    assert (reads["recs"], reads["truth"]) == (2, 2)


def test_scores_are_sorted_once() -> None:
    assert written(["ndcg@10"], **SCORES).count("OVER (") == 1


def test_a_text_says_at_its_head_what_it_is() -> None:
    text = rm.to_sql("db.recs", "db.truth", ["ndcg@5,10", "hit@5"], dialect="trino", **OVER)  # type: ignore[arg-type]
    assert text.splitlines()[:3] == [
        f"-- Written by rankmetrics {rm.__version__} for recommendations db.recs, truth db.truth, {LIST}.",
        "-- ndcg@5, ndcg@10: normalized discounted cumulative gain: dcg divided by the dcg of the ideal list.",
        f"-- hit@5: {rm.parse('hit@5').definition.summary}",
    ]


def test_no_name_ends_the_comment_at_the_head() -> None:
    text = rm.to_sql(
        '"recs\nDROP TABLE x; --"',
        "truth",
        "hit@5",
        lists=["user"],
        by=[],
        dialect="postgres",
        truth_columns=rm.Columns(item="item"),
    )
    assert without_header(text).startswith("WITH ")
    assert ";" not in text[: text.index("WITH ")]
