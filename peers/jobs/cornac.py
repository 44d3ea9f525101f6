"""Cornac's evaluation of rankings with a model that has the scores of the problems: of each user alone, and of all.

A model of Cornac scores every item, so that a problem is measured at the cutoffs that its shortest list reaches, and
without a cutoff only where every list has every item.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from cornac import metrics
from cornac.data import Dataset
from cornac.eval_methods.base_method import ranking_eval

from peers.job import CUTOFFS, Problem, Values

CUT = ("Precision", "Recall", "FMeasure", "HitRatio", "NDCG", "NCRR")
WHOLE = ("AUC", "MAP", "MRR")


def evaluated(metrics: Sequence[Any], scores: Any, ratings: Any) -> tuple[list[float], list[dict[int, float]]]:
    """What Cornac returns for a matrix of scores and a matrix of ratings (0: none): of all users, and of each."""
    n_users, n_items = scores.shape
    users, items = {user: user for user in range(n_users)}, {item: item for item in range(n_items)}

    def dataset(triples: list[tuple[int, int, float]]) -> Any:
        rows, columns, values = (np.array(column) for column in zip(*triples, strict=True))
        return Dataset(n_users, n_items, users, items, (rows.astype(int), columns.astype(int), values))

    class Scores:
        """A model with given scores, which ranks as Cornac's models do."""

        def rank(self, user_idx: int, item_indices: Any, k: int) -> tuple[Any, Any]:
            of_items = scores[user_idx][item_indices]
            order = np.argsort(-of_items, kind="stable")
            return item_indices[order][~np.isneginf(of_items[order])], of_items

    test = dataset([(user, item, ratings[user, item]) for user, item in zip(*np.nonzero(ratings), strict=True)])
    train = dataset([(user, item, 0.0) for user in range(n_users) for item in range(n_items)])
    of_all, of_users = ranking_eval(Scores(), metrics, train, test)
    return of_all, of_users


def of_scores(metric: Any, scores: Sequence[float], ratings: Sequence[float]) -> float:
    """A metric of one user, of a few items with scores and ratings."""
    return evaluated([metric], np.array([scores]), np.array([ratings]))[0][0]


def measured(problem: Problem) -> Iterator[Values]:
    listed, rated, items = {user: of for user, of in problem.scores.items() if of}, problem.ratings, problem.items
    users = [user for user in listed if user in rated]
    lowest = min(score for of in listed.values() for score in of.values())
    scores = np.array([[listed[user].get(item, -np.inf) - lowest for item in items] for user in users])
    ratings = np.array([[rated[user].get(item, 0.0) for item in items] for user in users])
    if not (ratings >= 1).any():
        raise ValueError("division by zero: no user has an item that is rated 1 or more")
    lengths = [len(listed[user]) for user in users]
    cut = [(name, k, getattr(metrics, name)(k=k)) for name in CUT for k in CUTOFFS if k <= min(lengths)]
    whole = [(name, None, getattr(metrics, name)(k=-1)) for name in CUT]
    whole += [(name, None, getattr(metrics, name)()) for name in WHOLE]
    requested = [*cut, *(whole if min(lengths) == len(items) else ())]
    of_all, of_users = evaluated([metric for *_, metric in requested], scores, ratings)
    for (name, k, _), value, by_row in zip(requested, of_all, of_users, strict=True):
        yield "", name, k, {None: value, **{users[row]: of_user for row, of_user in by_row.items()}}


# What the calls of its page name.
NAMES = {**vars(metrics), "cornac": of_scores}
