"""MLflow's metrics for retrievers over Series of lists: of each query, and over all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
from mlflow import metrics

from peers.job import CUTOFFS, Problem, Values

METRICS = ("precision_at_k", "recall_at_k", "ndcg_at_k")


def _measure(metric: Any, retrieved: list[list[str]], relevant: list[list[str]]) -> Any:
    return metric.eval_fn(pd.Series(retrieved), pd.Series(relevant))


def of(metric: Any, retrieved: list[str], relevant: list[str]) -> float:
    """The score of a query."""
    return float(_measure(metric, [retrieved], [relevant]).scores[0])


def measured(problem: Problem) -> Iterator[Values]:
    lists = problem.lists
    relevant: dict[str, list[str]] = {user: [] for user in lists}
    for row in problem.truth:
        if row["rating"] > 0:
            relevant[row["user"]].append(row["item"])
    for name in METRICS:
        for k in CUTOFFS:
            found = _measure(getattr(metrics, name)(k), [*lists.values()], [*relevant.values()])
            yield "", name, k, {None: found.aggregate_results["mean"], **dict(zip(lists, found.scores, strict=True))}


# What the calls of its page name.
functions = {name: getattr(metrics, name) for name in METRICS}
NAMES = {"of": of, **functions}
