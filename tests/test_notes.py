"""The notes below a summary: the counts of all systems, in sentences."""

from __future__ import annotations

import re

import polars as pl

import rankmetrics as rm
from rankmetrics.metrics.catalog import catalog
from tests.support.two_systems import COUNTED_RECS, COUNTED_TRUTH, RECS


def noted(name: str, count: int) -> str:
    """A count of the account as a note says it."""
    said = next(one.summary for one in catalog().all("account") if one.name == name)
    return f"{count} {re.sub(r'^(lists|rows)', lambda plural: plural[0][:-1], said) if count == 1 else said}"


def test_the_notes_sum_the_account_over_all_systems() -> None:
    notes = rm.evaluate(COUNTED_RECS, COUNTED_TRUTH, "ndcg@2").notes()
    expected = {"lists_scored": 8, "lists_missing": 1, "lists_empty": 1, "lists_tied": 2, "truth_repeated": 1}
    assert notes[0] == noted("lists_scored", 8)
    assert {noted(name, n) for name, n in expected.items()} <= set(notes)
    assert notes[-1] == "2 lists for which ndcg@2 is undefined; not in its mean"
    assert not [one for one in notes if one.startswith("0 ")]


def test_the_notes_are_one_where_nothing_was_left_out() -> None:
    truth = pl.DataFrame({"user": [1, 1], "item": [8, 7]})
    assert rm.evaluate(RECS[:2], truth, "rr").notes() == [noted("lists_scored", 1)]
