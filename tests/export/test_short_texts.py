"""How long a text for a warehouse is, and how often it reads the inputs where an engine computes each step anew."""

from __future__ import annotations

from typing import Any

import pytest

import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS
from rankmetrics.export.statements import without_header
from tests.support.scans import OVER, SIX_AT_THREE, n_steps, scans

SCORES: dict[str, Any] = {"columns": rm.Columns(score="score")}
LIST = "a list for each algorithm, user"


def written(metrics: list[str], dialect: str = "trino", **more: Any) -> str:
    return without_header(rm.to_sql("db.recs", "db.truth", metrics, dialect=dialect, **{**OVER, **more}))


def test_ndcg_has_at_most_nine_steps_and_seventy_lines() -> None:
    for dialect in DIALECTS:
        text = written(["ndcg@10"], dialect)
        assert n_steps(text, dialect) <= 9, dialect
        n_lines = 75 if dialect == "clickhouse" else 70  # it has to name each qualified column
        assert len(text.splitlines()) <= n_lines, dialect


@pytest.mark.parametrize("options", [{}, SCORES], ids=["ranks", "scores"])
def test_six_metrics_at_three_cutoffs_have_at_most_twelve_steps_and_read_the_inputs_twice(options: Any) -> None:
    """The recommendations for the hits and for the systems, the truth for the hits and for its lists."""
    assert n_steps(written(SIX_AT_THREE, **options), "trino") <= 12
    for metrics in (["ndcg@10"], SIX_AT_THREE):
        reads = scans(written(metrics, **options), "trino")
        assert (reads["recs"], reads["truth"]) == (2, 2), metrics
    assert written(["ndcg@10"], **options).count("OVER (") == (1 if options else 0)  # scores are sorted once


def test_a_text_says_at_its_head_what_it_is() -> None:
    text = rm.to_sql("db.recs", "db.truth", ["ndcg@5,10", "hit@5"], dialect="trino", **OVER)  # type: ignore[arg-type]
    assert text.splitlines()[:3] == [
        f"-- Written by rankmetrics {rm.__version__} for recommendations db.recs, truth db.truth, {LIST}.",
        "-- ndcg@5, ndcg@10: normalized discounted cumulative gain: dcg divided by the dcg of the ideal list.",
        f"-- hit@5: {rm.parse('hit@5').definition.summary}",
    ]


def test_no_name_ends_the_comment_at_the_head() -> None:
    options: dict[str, Any] = {"lists": ["user"], "by": [], "truth_columns": rm.Columns(item="item")}
    text = rm.to_sql('"recs\nDROP TABLE x; --"', "truth", "hit@5", dialect="postgres", **options)
    assert without_header(text).startswith("WITH ")
    assert ";" not in text[: text.index("WITH ")]
