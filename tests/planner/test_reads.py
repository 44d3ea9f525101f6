"""How often a text reads each table, where a database computes a step anew for each of its readers."""

from __future__ import annotations

import pytest

import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS
from tests.support.scans import scans

SIX = ["recall@5,10,20", "ndcg@10", "ap@10", "rr", "precision@10", "hit@10"]


@pytest.mark.parametrize("column", ["rank", "score"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_table_is_read_twice_with_every_step_inlined(dialect: str, column: str) -> None:
    recs = rm.Input("recs", columns={"item": "item", column: column})
    truth = rm.Input("truth", lists=["user"], columns={"item": "item", "rating": "rating"})
    for metrics in (["ndcg@10"], SIX):
        read = scans(rm.to_sql(recs, truth, metrics, lists=["algorithm", "user"], dialect=dialect), dialect)
        assert (read["recs"] + read["RECS"], read["truth"] + read["TRUTH"]) == (2, 2), metrics
