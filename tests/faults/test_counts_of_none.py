"""A system without rows of a kind is counted as 0 and not left out of the account."""

from __future__ import annotations

import polars as pl

import rankmetrics as rm

RECS = pl.DataFrame({"system": ["a", "a", "b"], "user": [1, 2, 1], "item": [7, 7, 7], "rank": [1, 1, 1]})


def test_a_system_without_lists_beyond_the_truth_counts_none() -> None:
    truth = pl.DataFrame({"user": [1], "item": [7]})
    account = rm.evaluate(RECS, truth, "hit@1", lists=["system", "user"]).account().collect()
    counts = account.filter(pl.col("account") == "lists_without_truth").sort("system")
    assert counts["system"].to_list() == ["a", "b"]
    assert counts["n"].to_list() == [1, 0]
