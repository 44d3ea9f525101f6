"""The truth is grouped and joined once where several metrics read it."""

from __future__ import annotations

import re

import rankmetrics as rm
from tests.support.small_lists import RECS, SIX, TRUTH


def test_the_truth_is_grouped_once_for_its_lists_and_their_sizes() -> None:
    sql = rm.evaluate(RECS, TRUTH, SIX).to_sql("duckdb")
    assert sql.count('"truth"\n') + sql.count('JOIN "truth"') == 2, "once to be joined, once to be grouped"
    assert "truth_lists" not in sql


def test_no_truth_is_grouped_of_lists_that_the_mean_leaves_out() -> None:
    result = rm.evaluate(RECS, TRUTH, SIX, missing="listed")
    assert 'JOIN "recommended_truth_lists"' in result.to_sql("duckdb")
    assert 'JOIN "recommended_truth_lists"' not in rm.evaluate(RECS, TRUTH, SIX).to_sql("duckdb")
    counts = dict(result.account().select("account", "n").collect().rows())
    assert (counts["truth_lists"], counts["truth_repeated"]) == (3, 1), "the account is of all of the truth"


def test_the_truth_is_joined_once_where_a_metric_asks_for_all_that_it_mentions() -> None:
    for metrics in (["recall@2", "bpref@2"], ["unjudged@2", "ap@2"]):
        sql = rm.evaluate(RECS, TRUTH, metrics).to_sql("duckdb")
        assert len(re.findall(r'FROM "(ranked|recommended)"\n  JOIN ', sql)) == 1, metrics
