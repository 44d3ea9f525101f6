"""XGBoost's ranking metrics over labels and scores: of each group alone, and of all."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import xgboost

from peers.job import CUTOFFS, Problem, Values

METRICS = ("ndcg", "map", "pre")
SETTINGS = ("", "ndcg_exp_gain=False", "-")


def measured(problem: Problem) -> Iterator[Values]:
    groups: dict[str, list[tuple[float, float]]] = {}
    for row in problem.rated:
        groups.setdefault(row["user"], []).append((row["rating"], row["score"]))
    # map and pre take labels of 0 and 1 only
    binary = {user: [(float(label > 0), score) for label, score in rows] for user, rows in groups.items()}
    for setting in SETTINGS:
        for metric in METRICS:
            if (metric == "pre" and setting) or (metric == "map" and "gain" in setting):
                continue
            for k in (None, *CUTOFFS):
                called = f"{metric}@{k}" if k else metric
                called += "-" if setting == "-" else ""
                measured = groups if metric == "ndcg" else binary
                try:
                    values = {user: _value(called, setting, {user: rows}) for user, rows in measured.items()}
                    yield setting, metric, k, {None: _value(called, setting, measured), **values}
                except xgboost.core.XGBoostError:
                    continue  # it refuses labels below 0, and fractions where the gain is a power of 2


def _value(metric: str, setting: str, groups: dict[str, list[tuple[float, float]]]) -> float:
    """The value of a metric over groups, whose scores are the margins of a model without trees."""
    rows = [row for of_group in groups.values() for row in of_group]
    data = xgboost.DMatrix(np.zeros((len(rows), 1)), label=[label for label, _ in rows])
    data.set_group([len(of_group) for of_group in groups.values()])
    data.set_base_margin([score for _, score in rows])
    options = {"objective": "rank:ndcg", "eval_metric": metric, "ndcg_exp_gain": setting != "ndcg_exp_gain=False"}
    model = xgboost.train(options, data, num_boost_round=0)
    return float(model.eval(data).rpartition(":")[2])


def of(metric: str, labels: list[float], scores: list[float], setting: str = "") -> float:
    """The value of a metric over one group."""
    return _value(metric, setting, {"": list(zip(labels, scores, strict=True))})


# What the calls of its page name.
NAMES = {"of": of}
