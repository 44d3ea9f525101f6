"""What is defined of lists that are missing, empty or without relevant items, and what is not."""

from __future__ import annotations

from statistics import mean
from typing import TYPE_CHECKING

import polars as pl

from tests.support.by_hand import RECS, TRUTH, assert_values, per_list, ranked, rated, summary

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.support.engines import Engine

    Values = Mapping[str, float | None]

ZERO_WHERE_NOTHING_IS_FOUND = ("hit", "recall", "rr", "ap", "ndcg", "r_precision", "rbp", "err", "dcg", "n_hits")
UNDEFINED_WHERE_NOTHING_IS_RECOMMENDED = ("precision", "precision(divisor=list)@5", "ap(divisor=list)", "f_beta", "auc")


def expected_of_nothing() -> Values:
    zero = [*ZERO_WHERE_NOTHING_IS_FOUND, "precision@5", "f_beta@5", "ap(divisor=k)@5", "n_recommended", "ndcg@5"]
    return dict.fromkeys(zero, 0) | dict.fromkeys(UNDEFINED_WHERE_NOTHING_IS_RECOMMENDED) | {"n_relevant": 3}


def test_a_missing_list_scores_0_where_a_metric_is_defined(engine: Engine) -> None:
    expected = expected_of_nothing()
    found = per_list(engine, ranked("bd", user=2), pl.concat([TRUTH, rated({"b": 1}, user=2)]), [*expected])
    assert found["user"].to_list() == [1, 2]
    assert found.select(*expected).to_dicts()[0] == expected


def test_an_empty_list_scores_as_a_missing_one_does(engine: Engine) -> None:
    assert_values(engine, expected_of_nothing(), recs=ranked([None]).cast({"item": pl.String}))


def test_a_list_with_nothing_relevant_has_a_precision_of_0_and_little_else(engine: Engine) -> None:
    undefined = ("hit", "recall", "rr", "ap", "ndcg", "r_precision", "rbp", "err", "err(stop=graded)", "f_beta", "auc")
    cut = [f"{one}@3" for one in undefined]
    zero = ("precision", "precision@3", "n_hits", "n_relevant", "dcg", "ideal_dcg", "ideal_dcg(ideal=all)@3")
    expected = dict.fromkeys([*undefined, *cut, "precision(divisor=relevant)"]) | dict.fromkeys(zero, 0)
    assert_values(engine, expected | {"n_recommended": 5}, truth=rated({"b": 0, "d": -1}))


def test_a_list_of_the_truth_without_any_rated_above_0_counts_as_a_list(engine: Engine) -> None:
    truth = pl.concat([TRUTH, rated({"b": 0}, user=2)])
    recs = pl.concat([RECS, ranked("ab", user=2)])
    assert summary(engine, recs, truth, ["recall", "precision"]) == [
        {"n_lists": 2, "recall": 2 / 3, "precision": mean([2 / 5, 0])}
    ]


def test_skip_leaves_a_missing_list_out_and_keeps_an_empty_one(engine: Engine) -> None:
    recs = pl.concat([RECS, ranked([None], user=2).cast({"item": pl.String})])
    truth = pl.concat([rated({"b": 1}, user=user) for user in (1, 2, 3)])
    kept = per_list(engine, recs, truth, ["rr"], missing="skip")
    assert kept.to_dict(as_series=False) == {"user": [1, 2], "rr": [1 / 2, 0]}
    counted = per_list(engine, recs, truth, ["rr"], missing="zero")
    assert counted.to_dict(as_series=False) == {"user": [1, 2, 3], "rr": [1 / 2, 0, 0]}


def test_a_list_without_a_truth_is_left_out(engine: Engine) -> None:
    recs = pl.concat([RECS, ranked("bd", user=2)])
    for missing in ("zero", "skip"):
        assert per_list(engine, recs, TRUTH, ["rr"], missing=missing).to_dicts() == [{"user": 1, "rr": 1 / 2}]
