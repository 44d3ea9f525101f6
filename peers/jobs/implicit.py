"""implicit's evaluation functions over a model that recommends the lists of the problems.

All problems have a catalogue of as many items as `catalog` has; a problem's items are the first columns of the matrix.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from implicit import evaluation
from scipy.sparse import csr_matrix

from peers.job import CUTOFFS, Problem, Values, matrix_of
from peers.tables import read

FUNCTIONS = {
    "precision_at_k": "precision",
    "mean_average_precision_at_k": "map",
    "ndcg_at_k": "ndcg",
    "AUC_at_k": "auc",
}
QUIET = {name: partial(getattr(evaluation, name), show_progress=False) for name in FUNCTIONS}


class Recommends:
    """A model whose recommendations are given, as numbers of items; -1 where a list ends."""

    def __init__(self, lists: list[list[int]]) -> None:
        self.lists = lists

    def recommend(self, userid: Any, user_items: Any, N: int = 10) -> tuple[Any, Any]:  # noqa: N803 (implicit calls it by this name)
        ids = np.array([[*self.lists[user], *[-1] * N][:N] for user in np.asarray(userid)], dtype=np.int32)
        return ids, np.zeros(ids.shape, dtype=np.float32)


def matrices(rated: list[list[int]], values: list[float] | None = None, n_items: int = 6) -> tuple[Any, Any]:
    """A matrix of no training data, and a matrix of the items that each user has in the test data."""
    test = matrix_of(rated, n_items, values)
    return csr_matrix(test.shape), test


def measured(problem: Problem) -> Iterator[Values]:
    numbers = {item: n for n, item in enumerate(problem.items)}
    lists = {user: [numbers[item] for item in items] for user, items in problem.lists.items()}
    rated: dict[str, list[int]] = {user: [] for user in lists}
    for row in problem.truth:
        rated[row["user"]].append(numbers[row["item"]])

    def call(function: Any, users: list[str], k: int) -> Any:
        train, test = matrices([rated[user] for user in users], None, len(read("catalog")))
        return function(Recommends([lists[user] for user in users]), train, test, K=k, show_progress=False)

    users = [*rated]
    for k in CUTOFFS:
        of_users = {user: call(evaluation.ranking_metrics_at_k, [user], k) for user in users}
        of_all = call(evaluation.ranking_metrics_at_k, users, k)
        for name in of_all:
            values = {user: found[name] for user, found in of_users.items()} if name != "precision" else {}
            yield "", name, k, {None: of_all[name], **values}
        for function, name in FUNCTIONS.items():
            values = {user: found[name] for user, found in of_users.items()} if name != "precision" else {}
            yield "", function, k, {None: call(getattr(evaluation, function), users, k), **values}


# What the calls of its page name.
NAMES = {**QUIET, "recommends": Recommends, "matrices": matrices}
