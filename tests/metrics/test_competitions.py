"""The conventions of competitions, against the formulas of their scripts, recomputed in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean

import polars as pl
import pytest

import rankmetrics as rm
from peers.problems import Lists, apk, clicks, ndcg, of_impression, pooled_recall, r_precision, reciprocal_rank
from tests.support.engines import Engine, each_engine, summarized

# The first list repeats an item, the second has no hit, the third has no recommendations, the last has two pages.
PREDICTED: Lists = {1: ["b", "x", "b", "c"], 2: ["y", "z"], 4: [*"klmnopqrstuvwc"]}
ACTUAL: Lists = {1: ["b", "c", "d"], 2: ["a"], 3: ["a"], 4: ["c", "e"]}


def mean(of: Callable[[Sequence[str], Sequence[str], int], float], k: int, *users: int) -> float:
    return fmean(of(ACTUAL[user], PREDICTED.get(user, ()), k) for user in users or ACTUAL)


CASES = {
    "kaggle-map": {"mapk@3": mean(apk, 3), "MAP@12": mean(apk, 12)},
    "hm": {"MAP@12": mean(apk, 12)},
    "otto": {"Recall@2": pooled_recall(ACTUAL, PREDICTED, 2), "Recall@20": pooled_recall(ACTUAL, PREDICTED, 20)},
    "spotify-mpd": {
        "r_precision@500": mean(r_precision, 500),
        "ndcg@500": mean(ndcg, 500),
        "clicks@500": mean(clicks, 500),
    },
    "recsys-challenge-2019": {"MRR": mean(reciprocal_rank, 99, 1, 2, 4)},
    "recsys-challenge-2022": {"MRR@100": mean(reciprocal_rank, 100)},
}


@each_engine
def test_a_convention_gives_the_numbers_of_the_script(engine: Engine) -> None:
    rows = [(user, item, rank) for user, items in PREDICTED.items() for rank, item in enumerate(items, 1)]
    recs = engine.give(pl.DataFrame(rows, schema=["user", "item", "rank"], orient="row"))
    relevant = [(user, item) for user, items in ACTUAL.items() for item in items]
    truth = engine.give(pl.DataFrame(relevant, schema=["user", "item"], orient="row"))
    for convention, numbers in CASES.items():
        result = rm.evaluate(recs, truth, [*numbers], convention=convention, **engine.options)
        assert summarized(result).row(0)[1:] == pytest.approx((*numbers.values(),), abs=1e-12), convention


def test_a_user_without_relevant_items_counts_in_kaggle_map_and_not_in_hm() -> None:
    truth = pl.DataFrame({"user": [1, 2], "item": ["b", "a"], "rating": [1, 0]})
    recs = {1: ["a", "b"], 2: ["a"]}
    both = {
        name: rm.evaluate(recs, truth, "MAP@7", convention=name).collect()["MAP@7"].item()
        for name in ("kaggle-map", "hm")
    }
    assert both == {"kaggle-map": 0.25, "hm": 0.5}


# --- impressions ------------------------------------------------------------------------------------------------------

# The labels of each impression, in the order of their scores.
IMPRESSIONS = {1: [1, 0, 1, 0], 2: [0, 1], 3: [1, 5, 0]}


@pytest.mark.parametrize("convention", ["mind", "recsys-challenge-2024", "expedia"])
def test_impressions_give_the_numbers_of_the_script(convention: str) -> None:
    rows = [(key, f"{key}-{at}", -at, label) for key, labels in IMPRESSIONS.items() for at, label in enumerate(labels)]
    table = pl.DataFrame(rows, schema=["impression", "item", "score", "label"], orient="row")
    values = [of_impression(labels) for labels in IMPRESSIONS.values()]
    of_all = {name: fmean(each[name] for each in values) for name in values[0]}
    numbers = {"NDCG@38": of_all["nDCG@5"]} if convention == "expedia" else of_all
    recs, truth = table.drop("label"), table.drop("score")
    row = rm.evaluate(recs, truth, [*numbers], convention=convention).collect().row(0, named=True)
    assert {name: row[name] for name in numbers} == pytest.approx(numbers, abs=1e-12)
