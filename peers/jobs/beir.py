"""BEIR's EvaluateRetrieval over runs and qrels: its four metrics of pytrec_eval, and three of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from beir.retrieval.evaluation import EvaluateRetrieval

from peers.job import CUTOFFS, Problem, Values

OWN = ("mrr", "recall_cap", "accuracy")

Nested = Mapping[str, Mapping[str, Any]]


def evaluate(qrels: Nested, results: Nested) -> dict[str, float]:
    """NDCG, MAP, Recall and P at each cutoff."""
    scores: tuple[dict[str, float], ...] = EvaluateRetrieval.evaluate(qrels, results, [*CUTOFFS])
    return {name: value for metric in scores for name, value in metric.items()}


def custom(qrels: Nested, results: Nested, metric: str) -> dict[str, float]:
    """One of its own metrics at each cutoff."""
    found: dict[str, float] = EvaluateRetrieval.evaluate_custom(qrels, results, [*CUTOFFS], metric)
    return found


def left(results: Nested) -> int:
    """The number of documents that `evaluate` leaves in the results of a caller."""
    EvaluateRetrieval.evaluate({"q": {"a": 1}}, results, [1])
    return sum(map(len, results.values()))


def all_values(qrels: Nested, results: Nested) -> dict[str, float]:
    """Every metric; none that divides by 0."""
    found = evaluate(qrels, results) if qrels.keys() & results.keys() else {}
    for metric in OWN:
        with suppress(ZeroDivisionError):
            found |= custom(qrels, results, metric)
    return found


def measured(problem: Problem) -> Iterator[Values]:
    qrels = problem.whole_ratings
    results = {query: documents for query, documents in problem.scores.items() if query in qrels}
    of_all = all_values(qrels, results)
    by_query = {
        query: all_values({query: qrels[query]}, {query: results[query]} if query in results else {}) for query in qrels
    }
    for name, mean in of_all.items():
        metric, _, k = name.partition("@")
        yield "", metric, int(k), {None: mean, **{query: of[name] for query, of in by_query.items() if name in of}}


# What the calls of its page name.
NAMES = {"evaluate": evaluate, "custom": custom, "left": left}
