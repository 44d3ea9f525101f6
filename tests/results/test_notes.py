"""The notes below a summary: the counts of all systems, in sentences."""

from __future__ import annotations

import polars as pl

import rankmetrics as rm
from tests.support.two_systems import COUNTED_RECS, COUNTED_TRUTH, RECS


def test_the_notes_sum_the_account_over_all_systems() -> None:
    notes = rm.evaluate(COUNTED_RECS, COUNTED_TRUTH, "ndcg@2").notes()
    assert notes[0] == "8 lists in the means"
    assert {
        "1 list has truth but no recommendations; it scores 0 if the metric is defined",
        "1 list has only rows without an item; it scores 0 if the metric is defined",
        "2 lists have equal scores, down to one rank past the largest cutoff; the policy `ties` orders them",
        "1 row of the truth with an item that their list has already; the highest rating counts",
    } <= {*notes}
    assert notes[-1] == "2 lists for which ndcg@2 is undefined; not in its mean"
    assert not [note for note in notes if note.startswith("0 ")]


def test_the_notes_are_one_where_nothing_was_left_out() -> None:
    truth = pl.DataFrame({"user": [1, 1], "item": [8, 7]})
    assert rm.evaluate(RECS[:2], truth, "rr").notes() == ["1 list in the means"]
