"""Repeated items, NULL ids, and ratings that are missing, zero or below a threshold."""

from __future__ import annotations

from math import log2, nan
from typing import TYPE_CHECKING

import polars as pl

from tests.support.by_hand import RECS, TRUTH, assert_values, ranked, rated, summary

if TYPE_CHECKING:
    from tests.support.engines import Engine


def test_an_item_recommended_again_is_credited_once_at_its_best_rank(engine: Engine) -> None:
    expected = {"n_hits": 1, "n_recommended": 3, "precision@3": 1 / 3, "recall": 1, "rr": 1 / 2, "ap": 1 / 2}
    expected |= {"ndcg": 1 / log2(3), "rbp(p=0.5)": 0.5 * 0.5, "err": 0.5 / 2, "n_hits@1": 0, "auc": 1 / 2}
    assert_values(engine, expected, recs=ranked("abb"), truth=rated({"b": 3}))
    assert_values(engine, {"rr": 1, "n_hits": 1, "precision": 1 / 3}, recs=ranked("bab"), truth=rated({"b": 3}))


def test_an_item_scored_twice_takes_two_places(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1] * 4, "item": ["b", "a", "b", "c"], "score": [0.1, 0.5, 0.9, 0.2]})  # b, a, c, b
    expected = {"rr": 1, "n_hits": 2, "n_recommended": 4, "ap": (1 / 1 + 2 / 3) / 2, "precision": 2 / 4}
    assert_values(engine, expected, recs=recs, truth=rated({"b": 1, "c": 1}))


def test_of_repeats_in_the_truth_the_highest_rating_stands(engine: Engine) -> None:
    truth = pl.concat([rated({"b": 1, "d": 2}), rated({"b": 3, "d": 0}), rated({"b": 2})])
    expected = {"n_relevant": 2, "recall": 1, "dcg(gain=linear)": 3 / log2(3) + 2 / log2(5), "n_relevant(rel=3)": 1}
    assert_values(engine, expected, truth=truth)


def test_rows_with_a_null_id_are_left_out(engine: Engine) -> None:
    nobody = pl.Series([None], dtype=pl.Int64)
    nothing = pl.Series([None], dtype=pl.String)
    recs = pl.concat([RECS, ranked("b").with_columns(user=nobody), ranked("b").with_columns(item=nothing)])
    truth = pl.concat([TRUTH, rated({"z": 1}).with_columns(user=nobody), rated({"z": 1}).with_columns(item=nothing)])
    assert_values(engine, {"n_recommended": 5, "n_relevant": 3, "recall": 2 / 3, "rr": 1 / 2}, recs, truth)
    assert summary(engine, recs, truth, ["recall"]) == [{"n_lists": 1, "recall": 2 / 3}]


def test_null_does_not_match_null(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1, 1], "item": [None, "b"], "rank": [1, 2]})
    truth = pl.DataFrame({"user": [1, 1], "item": [None, "c"]})
    assert_values(engine, {"n_hits": 0, "n_recommended": 1, "n_relevant": 1}, recs=recs, truth=truth)


def test_a_system_whose_every_row_has_a_null_id_was_not_measured(engine: Engine) -> None:
    recs = pl.DataFrame({"algorithm": ["A", "B"], "user": [1, None], "item": [7, 7], "rank": [1, 1]})
    truth = pl.DataFrame({"user": [1], "item": [7]})
    assert summary(engine, recs, truth, ["hit"]) == [{"algorithm": "A", "n_lists": 1, "hit": 1}]


def test_a_missing_rating_counts_as_1(engine: Engine) -> None:
    truth = rated({"b": None, "d": nan, "x": 3})
    expected = {"n_relevant": 3, "dcg(gain=linear)": 1 / log2(3) + 1 / log2(5), "n_relevant(rel=1)": 3}
    assert_values(engine, expected | {"n_relevant(rel=2)": 1, "ideal_dcg(gain=linear)@1": 3}, truth=truth)
    twice = pl.concat([rated({"b": None, "d": nan}), rated({"b": 0, "d": 0.5})])
    assert_values(engine, {"dcg(gain=linear)": 1 / log2(3) + 1 / log2(5)}, truth=twice)


def test_without_a_rating_column_every_row_of_the_truth_is_relevant(engine: Engine) -> None:
    assert_values(engine, {"n_relevant": 3, "recall": 2 / 3, "ndcg@1": 0}, truth=TRUTH.drop("rating"))


def test_relevant_is_what_is_rated_above_0(engine: Engine) -> None:
    truth = rated({"a": 0, "b": 0.25, "c": -2, "d": 5})
    assert_values(engine, {"n_relevant": 2, "rr": 1 / 2, "recall@2": 1 / 2}, truth=truth)


def test_rel_is_the_lowest_rating_that_counts_as_relevant(engine: Engine) -> None:
    truth = rated({"a": 0, "b": 1.5, "c": -2, "d": 5})
    expected = {"n_relevant(rel=1.5)": 2, "n_relevant(rel=2)": 1, "n_relevant(rel=0)": 3, "n_relevant(rel=-3)": 4}
    assert_values(engine, expected | {"rr(rel=0)": 1, "rr(rel=1.5)": 1 / 2, "rr(rel=2)": 1 / 4}, truth=truth)


def test_thresholds_that_differ_only_in_their_sign_do_not_meet(engine: Engine) -> None:
    truth = rated({"a": -1, "b": 1, "c": -2, "d": 2})
    expected = {"rr(rel=1)": 1 / 2, "rr(rel=-1)": 1, "recall(rel=1)@2": 1 / 2, "recall(rel=-1)@2": 2 / 3, "rr": 1 / 2}
    assert_values(engine, expected | {"dcg(gain=linear, rel=-1)@2": -1 + 1 / log2(3), "ap(rel=1)@1": 0}, truth=truth)
