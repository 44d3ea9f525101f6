"""What `explain` says of a metric and of a result."""

from __future__ import annotations

import pytest

import rankmetrics as rm
from rankmetrics.metrics.catalog import catalog
from tests.support import matrix


def test_explain_says_what_a_metric_is_what_decides_and_what_it_is_made_of() -> None:
    text = str(rm.explain("ndcg(gain=exponential)@10"))
    summary = catalog().metric("ndcg").summary
    assert text.startswith(f"ndcg(gain=exponential)@10: {summary}\n\n")
    assert "* exponential: 2^rating - 1" in text
    assert "  binary: 1, whatever the rating" in text
    assert "k = 10: " in text
    assert "rel = not given: " in text
    assert "undefined: the list has no relevant items." in text
    assert "SELECT dcg / NULLIF($share, 0) AS ndcg" in text
    parts = [line.split(":")[0] for line in text.splitlines() if line.startswith("-- ")]
    assert parts[0] == "-- ndcg"
    assert {"-- dcg", "-- ideal_dcg", "-- hits", "-- ideal", "-- distinct_judgments"} <= set(parts)
    assert len(parts) == len(set(parts))


def test_explain_shows_itself_in_a_session() -> None:
    assert repr(rm.explain("rr")) == str(rm.explain("rr"))
    assert "also called: MRR" in rm.explain("rr")
    assert rm.explain(rm.parse("P@5")) == rm.explain("P@5")


def test_every_metric_is_explained_under_another_choice_than_the_defaults() -> None:
    """The pages of the metrics have them under the defaults."""
    for metrics in matrix.variants().values():
        if len(metrics) > 1:
            assert f"-- {metrics[0].name}: " in rm.explain(metrics[-1]), metrics[-1]


def test_only_definitions_that_run_are_shown() -> None:
    as_shares, as_rows = rm.explain("precision@10"), rm.explain("precision(divisor=list)@10")
    assert "-- n_recommended: " not in as_shares
    assert "-- n_recommended: " in as_rows
    first, each = rm.explain("hit(duplicates=first)@5"), rm.explain("hit(duplicates=each)@5")
    assert ("-- unnumbered_hits: " in first, "-- unnumbered_hits.each: " in first) == (True, False)
    assert ("-- unnumbered_hits: " in each, "-- unnumbered_hits.each: " in each) == (False, True)


def test_explain_refuses_what_is_no_metric() -> None:
    with pytest.raises(rm.MetricError, match="Did you mean 'recall'"):
        rm.explain("recal@5")
