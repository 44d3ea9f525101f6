"""Policies, worked out by hand: undefined values, lists that count, repeated items, relevance."""

from __future__ import annotations

from math import log2

import polars as pl

import rankmetrics as rm
from tests.support.conventions import RECS, about, counted, lists, means, result
from tests.support.engines import Engine
from tests.support.refusals import Asking, refusal


def test_undefined_may_score_0(engine: Engine) -> None:
    asked = ["precision(divisor=list)@4", "precision(divisor=list, undefined=zero)@4", "precision(undefined=null)@4"]
    assert lists(engine, asked) == [(1, 1 / 4, 1 / 4, 1 / 4), (2, 1 / 2, 1 / 2, 1 / 4), (3, None, 0.0, 0.0)]
    account = counted(engine, result(engine, asked))
    assert [account[f"undefined {one}"] for one in asked] == [1, 0, 0]


def test_undefined_scores_0_only_for_the_lists_that_are_taken(engine: Engine) -> None:
    asked = ["rr(missing=listed, undefined=zero)", "rr(undefined=zero)"]
    assert lists(engine, asked) == [(1, 1 / 2, 1 / 2), (2, 1.0, 1.0), (3, None, 0.0), (4, 0.0, None)]


def test_a_list_may_need_a_relevant_item_to_be_measured(engine: Engine) -> None:
    asked = ["precision@4", "precision(enough=relevant)@4", "precision(enough=relevant, rel=3)@4"]
    assert lists(engine, asked, missing="listed") == [
        (1, 1 / 4, 1 / 4, 1 / 4),
        (2, 1 / 4, 1 / 4, 1 / 4),
        (4, 0.0, None, None),
    ]


def test_a_list_may_need_enough_candidates_to_be_measured(engine: Engine) -> None:
    asked = [
        "hit(enough=reaches)@9",
        "hit(enough=reaches)@10",
        "hit(enough=exceeds)@8",
        "hit(enough=exceeds)@9",
        "hit(enough=reaches, min_pool=10)@1",
        "hit(enough=reaches, min_relevant=2)@9",
    ]
    assert lists(engine, asked, missing="skip") == [
        (1, 1.0, None, 1.0, None, None, 1.0),
        (2, 1.0, None, 1.0, None, None, None),
    ]


def test_a_list_may_need_an_irrelevant_candidate_and_scores_that_differ(engine: Engine) -> None:
    recs = pl.DataFrame(
        {
            "user": [1, 1, 2, 2, 3, 3, 4],
            "item": ["a", "b"] * 3 + ["a"],
            "score": [0.9, 0.5, 0.9, 0.5, 0.5, 0.5, 0.5],
        }
    )
    truth = pl.DataFrame({"user": [1, 2, 2, 3, 4], "item": ["a", "a", "b", "a", "a"]})
    asked = ["hit(enough=reaches)@2", "hit(enough=discerns)@2", "hit(enough=exceeds)@1", "hit(enough=exceeds)@2"]
    assert lists(engine, asked, recs, truth) == [
        (1, 1.0, 1.0, 1.0, None),
        (2, 1.0, None, None, None),
        (3, None, None, None, None),
        (4, None, None, None, None),
    ]


REPEATED = pl.DataFrame({"user": [1] * 5, "item": ["a", "b", "b", "c", "d"], "rank": [1, 2, 3, 4, 5]})


def test_a_repeated_item_may_be_credited_at_each_place_or_left_out(engine: Engine) -> None:
    truth = pl.DataFrame({"user": [1, 1], "item": ["b", "d"]})
    expected = {
        "n_hits": 2,
        "n_hits(duplicates=once)": 2,
        "n_hits(duplicates=each)": 3,
        "n_hits(duplicates=first)": 2,
        "n_hits(duplicates=each)@3": 2,
        "n_hits(duplicates=first)@4": 2,
        "n_hits@4": 1,
        "n_recommended(duplicates=first)": 4,
        "n_recommended(duplicates=each)": 5,
        "recall(duplicates=each)": 3 / 2,
        "ap(duplicates=each)": (1 / 2 + 2 / 3 + 3 / 5) / 2,
        "ap(duplicates=first)": (1 / 2 + 2 / 4) / 2,
        "ap": (1 / 2 + 2 / 5) / 2,
        "dcg(duplicates=each)@3": 1 / log2(3) + 1 / log2(4),
        "rr(duplicates=first)": 1 / 2,
    }
    assert means(engine, [*expected], REPEATED, truth) == about(expected)


def test_a_repeated_item_is_left_out_by_score_too(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1] * 4, "item": ["a", "a", "b", "a"], "score": [0.9, 0.8, 0.7, 0.1]})
    truth = pl.DataFrame({"user": [1], "item": ["b"]})
    assert means(engine, ["rr", "rr(duplicates=first)"], recs, truth) == about(
        {"rr": 1 / 3, "rr(duplicates=first)": 0.5}
    )


def test_any_row_of_the_truth_may_count_whatever_its_rating(engine: Engine) -> None:
    truth = pl.DataFrame({"user": [1, 1, 1, 1], "item": ["a", "b", "c", "x"], "rating": [-1.0, 0.0, None, 2.0]})
    expected = {
        "n_relevant": 2,
        "n_relevant(relevance=any)": 4,
        "n_relevant(relevance=rated)": 2,
        "n_hits@2": 0,
        "n_hits(relevance=any)@2": 2,
        "dcg(relevance=any, gain=linear)@3": -1 + 0 + 1 / 2,
    }
    assert means(engine, [*expected], RECS, truth) == about(expected)


def test_a_policy_is_a_choice_that_has_an_effect(ask: Asking) -> None:
    for metric, parts in {
        "hit(duplicates=twice)": ("duplicates of hit is one of 'once', 'each', 'first' and 'refused'", "'twice'"),
        "hit(undefined=zeros)": ("undefined of hit is one of 'null', 'zero' and 'one'", "Did you mean 'zero'"),
        "precision(relevance=any, rel=4)@5": ("rel=4 has no effect on", "belongs to", "'relevance=rated'"),
        "ndcg(rel=4, relevance=any)@5": ("rel=4 has no effect on", "belongs to", "'relevance=rated'"),
        "hit(min_relevant=5)": ("min_relevant=5 has no effect on hit", "'enough=reaches'"),
        "coverage(enough=relevant)": ("coverage has no parameter 'enough'",),
    }.items():
        with refusal(rm.MetricError, *parts):
            ask(metrics=metric)
