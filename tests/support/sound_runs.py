"""Generated evaluations of sound data, with systems from weak to strong, and of untrained systems.

Tests count the statistical warnings, all of which are false alarms on sound data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

import rankmetrics as rm
from tests.support import flat

# A weak system has this many times the hits of chance, in expectation.
WEAK = 1.5

# How scores are written; those of `bunched` lie near the highest of their list. With `rank`, there are ranks alone.
SHAPES: Mapping[str, Any] = {
    "raw": lambda scores: scores,
    "exponential": lambda scores: np.exp(np.minimum(scores, 300)),
    "bunched": lambda scores: -np.log1p(np.exp(-scores)),
    "rank": None,
}


@dataclass(frozen=True)
class Run:
    """The inputs of an evaluation: the truth and the history have the users, and perhaps the groups, of the lists."""

    recs: pl.DataFrame
    truth: pl.DataFrame
    by: list[str]
    options: Mapping[str, Any]

    def evaluate(self) -> rm.Result:
        return flat.evaluate(self.recs, self.truth, ["ndcg@5", "recall@5"], by=self.by, **self.options)


def sound_run(seed: int, *, is_trained: bool = True) -> Run:
    """A run of 5 to 2,000 lists of 5 to 100 items, by 1 to 8 systems, in 1 to 100 groups of users.

    Users like items by popularity, which has changed since the history, and by taste. A system knows what they like,
    but for some noise, or recommends what was popular; a few systems order each list at random. If `is_trained` is
    false, every system recommends random items.
    """
    random = np.random.default_rng(seed)
    n_users, k = _between(random, 5, 2000), _between(random, 5, 100)
    n_items = max(2 * k, _between(random, 50, max(2_000_000 // n_users, 60)))
    tail, taste, change = random.uniform(0, 1.6), random.uniform(1, 3), random.uniform(0, 1)
    users, items = random.normal(size=(n_users, 8)), random.normal(size=(n_items, 8)) / 8**0.5
    likes_before = taste * users @ items.T - tail * np.log(np.arange(1, n_items + 1))
    likes = likes_before + change * min(1, tail) * random.normal(size=n_items)
    history = _chosen(random, likes_before, np.full((n_users, n_items), fill_value=False), 10)
    truth = _chosen(random, likes, history, _between(random, 1, 20))
    systems = []
    for system in range(random.integers(1, 9)):
        scores = _scores(random, likes, history) if is_trained else random.normal(size=likes.shape)
        scores = np.where(history, -np.inf, scores)
        listed = np.argsort(-scores, axis=1)[:, :k]
        best = np.take_along_axis(scores, listed, axis=1)
        if random.random() < 0.1:
            best = -np.sort(random.normal(size=best.shape))
            listed = random.permuted(listed, axis=1)
        owners = np.repeat(np.arange(n_users), k)
        columns = {"user": owners, "item": listed.ravel(), "score": best.ravel()}
        systems.append(pl.DataFrame(columns).with_columns(system=pl.lit(f"system {system}")))
    recs, shape = pl.concat(systems), SHAPES[str(random.choice([*SHAPES]))]
    if shape is None:
        recs = recs.with_columns(rank=pl.int_range(1, pl.len() + 1).over("system", "user")).drop("score")
    else:
        recs = recs.with_columns(score=pl.Series(shape(recs["score"].to_numpy())))
    frames = {"recs": recs, "truth": _pairs(truth), "history": _pairs(history)}
    by, n_groups = ["system"], _between(random, 1, 100)
    if n_groups > 1 and random.random() < 0.7:
        order = truth.sum(axis=1) if random.random() < 0.3 else random.random(n_users)  # of active users, or of any
        group_ids = np.argsort(np.argsort(order)) * n_groups // n_users
        groups = pl.DataFrame({"user": np.arange(n_users), "group": group_ids})
        frames = {name: frame.join(groups, on="user") for name, frame in frames.items()}
        by.append("group")
    if random.random() < 0.5:  # ids with gaps, in an order that means nothing
        ids = pl.Series(random.permutation(n_items) * 7 + 13)
        frames = {name: frame.with_columns(item=ids.gather(frame["item"])) for name, frame in frames.items()}
    options = {"history": frames["history"]} if random.random() < 0.3 else {}
    return Run(frames["recs"], frames["truth"], by, options)


def _between(random: np.random.Generator, low: int, high: int) -> int:
    """A whole number whose logarithm is uniform."""
    return int(np.exp(random.uniform(np.log(low), np.log(high + 1))))


def _chosen(random: np.random.Generator, likes: Any, excluded: Any, n: int) -> Any:
    """For each user, 1 to 2 n - 1 items that the user likes and that are not excluded: a matrix of True and False."""
    order = np.argsort(np.argsort(np.where(excluded, np.inf, -likes - random.gumbel(size=likes.shape))))
    return (order < random.integers(1, 2 * n, size=(len(likes), 1))) & ~excluded


def _scores(random: np.random.Generator, likes: Any, history: Any) -> Any:
    """What was popular; or what users like, with noise that leaves WEAK times the hits of chance, or less noise."""
    if random.random() < 0.2:
        return np.tile(history.sum(axis=0) + random.random(likes.shape[1]) / 2, (len(likes), 1))
    noise, chances = random.uniform(0, 8), np.exp(likes)
    chances /= chances.sum(axis=1, keepdims=True)
    while True:
        scores = likes + noise * random.normal(size=likes.shape)
        listed = np.argsort(-np.where(history, -np.inf, scores), axis=1)[:, :10]
        hits = np.take_along_axis(chances, listed, axis=1).sum()
        if hits >= WEAK * chances.mean(axis=0)[listed].sum() or noise < 0.01:
            return scores
        noise /= 2


def _pairs(is_chosen: Any) -> pl.DataFrame:
    users, items = np.nonzero(is_chosen)
    return pl.DataFrame({"user": users, "item": items})
