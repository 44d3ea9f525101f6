"""LightGBM's ranking metrics over labels and scores: of each group alone, and of all."""

from __future__ import annotations

from collections.abc import Iterator

import lightgbm
import numpy as np

from peers.job import CUTOFFS, Problem, Values


class LightGBMError(ValueError):
    """LightGBM's error of this name, which is no ValueError."""


TOPS = (*CUTOFFS, 1000)  # no group is longer
SETTINGS = {"": {}, "label_gain=0,1,2,3,4": {"label_gain": [0, 1, 2, 3, 4]}}


def measured(problem: Problem) -> Iterator[Values]:
    groups: dict[str, list[tuple[float, float]]] = {}
    for row in problem.rated:
        groups.setdefault(row["user"], []).append((row["rating"], row["score"]))
    for setting, options in SETTINGS.items():
        names = ("ndcg", "map") if not setting else ("ndcg",)
        for name in names:
            try:
                of_groups = {user: _values(name, options, {user: rows}) for user, rows in groups.items()}
                of_all = _values(name, options, groups)
            except lightgbm.basic.LightGBMError:
                continue  # ndcg refuses labels below 0 and fractions
            for k in TOPS:
                of_users = {user: values[k] for user, values in of_groups.items()}
                yield setting, name, None if k == 1000 else k, {None: of_all[k], **of_users}


def _values(
    name: str,
    options: dict[str, list[int]],
    groups: dict[str, list[tuple[float, float]]],
    tops: tuple[int, ...] = TOPS,
) -> dict[int, float]:
    """The values of a metric at each cutoff: the scores are those that the model begins with, and no tree is grown."""
    rows = [row for of_group in groups.values() for row in of_group]
    labels, scores = ([row[at] for row in rows] for at in (0, 1))
    # two groups to train with, as a label that is constant grows no tree
    train = lightgbm.Dataset(np.zeros((4, 1)), label=[0, 1, 0, 1], group=[2, 2], params={"verbose": -1})
    data = lightgbm.Dataset(
        np.zeros((len(rows), 1)), label=labels, group=[*map(len, groups.values())], init_score=scores, reference=train
    )
    found: dict[str, dict[str, list[float]]] = {}
    lightgbm.train(
        {"objective": "lambdarank", "metric": name, "eval_at": [*tops], "verbose": -1, **options},
        train,
        num_boost_round=1,
        valid_sets=[data],
        callbacks=[lightgbm.record_evaluation(found)],
    )
    return {k: float(found["valid_0"][f"{name}@{k}"][0]) for k in tops}


def of(metric: str, k: int, labels: list[float], scores: list[float], **options: list[int]) -> float:
    """The value of a metric over one group.

    Raises:
        LightGBMError: it refuses the labels.
    """
    try:
        return _values(metric, options, {"": list(zip(labels, scores, strict=True))}, (k,))[k]
    except lightgbm.basic.LightGBMError as error:
        raise LightGBMError(str(error)) from error


# What the calls of its page name.
NAMES = {"of": of}
