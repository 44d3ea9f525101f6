"""LightFM's evaluation of a model that has the scores of the problems.

It raises an error if there is a single user, so each problem has another user, without items in the test set. It ranks
every item, so a problem is measured at the cutoffs that its shortest list reaches, and without a cutoff only if every
list has every item.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from lightfm import LightFM, evaluation

from peers.job import CUTOFFS, Problem, Values, matrix_of

CUT = ("precision_at_k", "recall_at_k")
WHOLE = ("auc_score", "reciprocal_rank")
UNLISTED = -1e9  # the score of an item that a list does not have


def model(scores: Sequence[Sequence[float]]) -> Any:
    """A LightFM model with a score of each item for each user."""
    found, matrix = LightFM(no_components=len(scores)), np.array(scores, dtype=np.float32)
    found.user_embeddings = np.eye(len(scores), dtype=np.float32)
    found.item_embeddings = np.ascontiguousarray(matrix.T)
    found.user_biases = np.zeros(len(scores), dtype=np.float32)
    found.item_biases = np.zeros(matrix.shape[1], dtype=np.float32)
    for name in ("item_embedding", "item_bias", "user_embedding", "user_bias"):
        weights = getattr(found, name.replace("bias", "biases").replace("embedding", "embeddings"))
        for kind in ("gradients", "momentum"):
            setattr(found, f"{name}_{kind}", np.zeros_like(weights))
    return found


def of_user(
    function: Any,
    scores: list[float],
    items: list[int],
    *,
    values: list[float] | None = None,
    train: Sequence[int] = (),
    n_users: int = 2,
    **options: Any,
) -> float:
    """A metric of the first user, by the scores of all items, the items of the test set and those of the training set.

    Other users have no items.
    """
    others: list[list[int]] = [[]] * (n_users - 1)
    test = matrix_of([items, *others], len(scores), values).astype(np.float32)
    known = matrix_of([[*train], *others], len(scores)).astype(np.float32)
    return float(function(model([scores] * n_users), test, train_interactions=known, **options)[0])


def measured(problem: Problem) -> Iterator[Values]:
    listed, rated, items = problem.scores, problem.ratings, problem.items
    users = [user for user in listed if listed[user] and user in rated]
    shortest = min(len(listed[user]) for user in users)
    scores = [[listed.get(user, {}).get(item, UNLISTED) for item in items] for user in (*users, "")]
    test = matrix_of([*([items.index(item) for item in rated[user]] for user in users), []], len(items))
    test = test.astype(np.float32)
    requested: list[tuple[str, int | None]] = [(name, k) for name in CUT for k in CUTOFFS if k <= shortest]
    if shortest == len(items):
        requested += [(name, None) for name in WHOLE]
    for name, k in requested:
        found = getattr(evaluation, name)(model(scores), test, **({"k": k} if k else {}))
        yield "", name, k, {None: found.astype("float64").mean(), **dict(zip(users, found, strict=True))}


# What the calls of its page name.
functions = {name: getattr(evaluation, name) for name in (*CUT, *WHOLE)}
NAMES = {**functions, "of": of_user}
