"""The scores of MTEB's retrieval tasks, from runs and qrels, without a model."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from peers.job import CUTOFFS, Problem, Values, empty_packages

empty_packages("mteb", "types", "_evaluators")
result = import_module("mteb.types._result").RetrievalEvaluationResult
sys.modules["mteb.types"].RetrievalEvaluationResult = result  # type: ignore[attr-defined]

from mteb._evaluators import retrieval_metrics as metrics  # noqa: E402  # after the packages above

# Our name of each measure of trec_eval that it reads.
MEASURES = {"ndcg": "ndcg_cut", "map": "map_cut", "recall": "recall", "precision": "P", "hit_rate": "success"}

Nested = Mapping[str, Mapping[str, Any]]


def scores(qrels: Nested, results: Nested) -> dict[str, Any]:
    """The scores of a task, under the names that a leaderboard reads."""
    of_task = metrics.calculate_retrieval_scores(results, qrels, [*CUTOFFS])._asdict()
    del of_task["all_scores"]
    found: dict[str, Any] = metrics.make_score_dict(_map=of_task.pop("map"), task_scores={}, **of_task)
    return found


def capped(qrels: Nested, results: Nested) -> dict[str, list[float | None]]:
    """The capped recall of each query, as the tasks of LMEB average it."""
    found: dict[str, list[float | None]] = metrics.recall_cap(qrels, results, [*CUTOFFS])
    return found


def accuracy(qrels: Nested, results: Nested) -> float:
    """The mean of `top_k_accuracy` at cutoff 1 over what it returns."""
    values = metrics.top_k_accuracy(qrels, results, [*CUTOFFS])["Accuracy@1"]
    return float(sum(values) / len(values))


def measured(problem: Problem) -> Iterator[Values]:
    qrels = problem.whole_ratings
    # A task searches for its own queries only.
    results = {query: found for query, found in problem.scores.items() if query in qrels}
    by_query = metrics.calculate_retrieval_scores(results, qrels, [*CUTOFFS]).all_scores
    means, reciprocal_ranks = scores(qrels, results), metrics.mrr(qrels, results, [*CUTOFFS])
    for k in CUTOFFS:
        for name, measure in MEASURES.items():
            by_user = {query: values[f"{measure}_{k}"] for query, values in by_query.items()}
            yield "", name, k, {None: means[f"{name}_at_{k}"], **by_user}
        by_user = dict(zip(results, reciprocal_ranks[f"MRR@{k}"], strict=True))
        yield "", "mrr", k, {None: means[f"mrr_at_{k}"], **by_user}
        recalls = capped(qrels, results)[f"R_cap_at_{k}"]
        defined = [value for value in recalls if value is not None]
        mean = sum(defined) / len(defined) if defined else None
        yield "", "R_cap", k, {None: mean, **dict(zip(results, recalls, strict=True))}


# What the calls of its page name.
NAMES = {"scores": scores, "capped": capped, "accuracy": accuracy, "metrics": metrics}
