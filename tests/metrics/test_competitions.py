"""The conventions of competitions, against the formulas of their scripts, recomputed in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log2
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

# As the scripts of benchmarks have them: of rankings without repeats, over the questions that were ranked.
RETRIEVED: Lists = {1: ["b", "c", "x"], 2: ["y", "a"], 3: ["z"]}
ANSWERS: Lists = {1: ["c", "b"], 2: ["a", "e"]}
GAINS = {"b": 1.0, "c": 3.0, "x": 0.0, "y": 0.0, "a": 2.0, "z": 0.0}


def memory_ndcg(relevances: Sequence[int]) -> float:
    """The first relevance, and then each by the logarithm of its rank."""
    return sum(value / (log2(rank) if rank > 1 else 1) for rank, value in enumerate(relevances, 1))


def of_memory(k: int) -> dict[str, float]:
    """LongMemEval: without answers, any and nDCG are 0, and all is 1."""
    found = {question: {*items[:k]} & {*ANSWERS.get(question, ())} for question, items in RETRIEVED.items()}
    ideal = {1: memory_ndcg([1, 1][:k]), 2: memory_ndcg([1, 1][:k])}
    dcg = {at: memory_ndcg([item in ANSWERS[at] for item in RETRIEVED[at][:k]]) for at in ANSWERS}
    return {
        f"recall_any@{k}": fmean(bool(items) for items in found.values()),
        f"recall_all@{k}": fmean(found[question] == {*ANSWERS.get(question, ())} for question in RETRIEVED),
        f"ndcg_any@{k}": fmean([*(dcg[question] / ideal[question] for question in ANSWERS), 0.0]),
    }


def of_gains(k: int) -> float:
    """TFMA: the sum of gain / log2(rank + 1), by that of the gains in falling order; without the query of gain 0."""
    gains = [[GAINS[item] for item in RETRIEVED[query]] for query in (1, 2)]
    dcg, ideal = (
        [sum(gain / log2(rank + 1) for rank, gain in enumerate(ranked[:k], 1)) for ranked in lists]
        for lists in (gains, [sorted(of_query, reverse=True) for of_query in gains])
    )
    return fmean(value / best for value, best in zip(dcg, ideal, strict=True))


@pytest.mark.parametrize("k", [1, 2, 3])
def test_benchmarks_give_the_numbers_of_their_scripts(k: int) -> None:
    rows = [(query, item, -at) for query, items in RETRIEVED.items() for at, item in enumerate(items)]
    recs = pl.DataFrame(rows, schema=["query", "item", "score"], orient="row")
    truth = pl.DataFrame(
        [(at, item) for at, items in ANSWERS.items() for item in items], ["query", "item"], orient="row"
    )
    memory = of_memory(k)
    row = rm.evaluate(recs, truth, [*memory], convention="longmemeval").collect().row(0, named=True)
    assert {name: row[name] for name in memory} == pytest.approx(memory, abs=1e-12)
    rated = recs.drop("score").with_columns(gain=pl.col("item").replace_strict(GAINS))
    found = rm.evaluate(recs, rm.Input(rated, columns={"rating": "gain"}), f"ndcg@{k}", convention="tfma").collect()
    assert found[f"ndcg@{k}"].item() == pytest.approx(of_gains(k), abs=1e-12)


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
