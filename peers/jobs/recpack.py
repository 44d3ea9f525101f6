"""RecPack's metrics over sparse matrices of scores and of relevant items: of each user, and of all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from recpack import metrics
from scipy.sparse import csr_matrix

from peers.job import CUTOFFS, Problem, Values
from peers.tables import read

LISTWISE = ("PrecisionK", "RecallK", "CalibratedRecallK", "DCGK", "NDCGK", "ReciprocalRankK")
ELEMENTWISE = ("HitK", "DiscountedGainK", "IPSHitRateK")


def of_scores(metric: Any, scores: Sequence[float], relevant: Sequence[float]) -> float:
    """A metric of one user, of a few items with scores and values."""
    metric.calculate(csr_matrix([relevant]), csr_matrix([scores]))
    return float(metric.value)


def measured(problem: Problem) -> Iterator[Values]:
    ranks, rated, history, n_items = problem.ranks, problem.ratings, read("history"), len(read("catalog"))
    numbers = {item: n for n, item in enumerate(problem.items)}
    users = [*rated]
    scores, relevant = np.zeros((len(users), n_items)), np.zeros((len(users), n_items), dtype=int)
    for row, user in enumerate(users):
        for item, rank in ranks.get(user, {}).items():
            scores[row, numbers[item]] = 100 - rank
        for item, rating in rated[user].items():
            relevant[row, numbers[item]] = rating > 0
    y_true, y_pred = csr_matrix(relevant), csr_matrix(scores)
    if not y_true.nnz:
        raise ValueError("no user has a relevant item")
    # Interactions with items that the problem does not have are with one more item.
    trained_items = [numbers.get(row["item"], n_items) for row in history]
    trained = csr_matrix((np.ones(len(history)), ([0] * len(history), trained_items)), (1, n_items + 1))
    for k in CUTOFFS:
        for name in (*LISTWISE, *ELEMENTWISE, "CoverageK"):
            metric = getattr(metrics, name)(k)
            if name == "IPSHitRateK":
                metric.fit(trained)
                metric.inverse_propensities = metric.inverse_propensities[:, :n_items]
            metric.calculate(y_true, y_pred)
            by_user = {}
            if name != "CoverageK":
                by_row = zip(metric.user_id_map_, metric.scores_.sum(axis=1), strict=True)
                by_user = {users[row]: float(value) for row, value in by_row}
            yield "", name, k, {None: metric.value, **by_user}
    metric = metrics.PercentileRanking()
    metric.calculate(y_true, y_pred)
    yield "", "PercentileRanking", None, {None: metric.value}


# What the calls of its page name.
NAMES = {**vars(metrics), "recpack": of_scores}
