"""MLflow's metrics for retrievers over Series of lists: of each query, and over all."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pandas as pd
from mlflow import metrics

from tests.fidelity.job import CUTOFFS, Problem, Values, run

NAMES = ("precision_at_k", "recall_at_k", "ndcg_at_k")


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
    for name in NAMES:
        for k in CUTOFFS:
            found = _measure(getattr(metrics, name)(k), [*lists.values()], [*relevant.values()])
            yield "", name, k, {None: found.aggregate_results["mean"], **dict(zip(lists, found.scores, strict=True))}


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # of metrics that are to be left out of later releases
    functions = {name: getattr(metrics, name) for name in NAMES}
    run("mlflow", ["mlflow-skinny", "scikit-learn", "numpy"], measured, {"of": of, **functions})
