"""scikit-learn's ranking metrics over rows of scores: of each sample alone, and of all."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.metrics import dcg_score, ndcg_score, top_k_accuracy_score

from peers.job import Problem, Values

CUTOFFS = (None, 1, 3, 5, 10, 20)


def measured(problem: Problem) -> Iterator[Values]:
    scores, rated = problem.scores, problem.ratings
    items = sorted({item for of_user in scores.values() for item in of_user})
    if any(of_user.keys() != set(items) for of_user in scores.values()):
        raise ValueError("y_score is a score of every label for every sample, and these lists hold some items only")
    if any(of_user.keys() - set(items) for of_user in rated.values()):
        raise ValueError("y_true is of the labels that y_score has, and this truth rates others")
    y_score = np.array([[of_user[item] for item in items] for of_user in scores.values()])
    y_true = np.array([[rated.get(user, {}).get(item, 0.0) for item in items] for user in scores])
    samples: dict[str | None, slice] = {None: slice(None), **{user: slice(n, n + 1) for n, user in enumerate(scores)}}
    for metric, measure in (("dcg_score", dcg_score), ("ndcg_score", ndcg_score)):
        if metric == "ndcg_score" and y_true.min() < 0:
            continue  # it refuses negative ratings
        for k in CUTOFFS:
            for ignores in (False, True):
                values = {
                    user: measure(y_true[rows], y_score[rows], k=k, ignore_ties=ignores)
                    for user, rows in samples.items()
                }
                yield f"ignore_ties={ignores}", metric, k, values
    if all((row > 0).sum() == 1 for row in y_true):
        labels = np.arange(len(items))
        for k in CUTOFFS[1:]:
            values = {
                user: top_k_accuracy_score(y_true[rows].argmax(axis=1), y_score[rows], k=k, labels=labels)
                for user, rows in samples.items()
            }
            yield "", "top_k_accuracy_score", k, values
