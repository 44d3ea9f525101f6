"""Cornac's evaluation of rankings with a model that has the scores of the problems: of each user alone, and of all.

A model of Cornac scores every item, so that a problem is measured at the cutoffs that its shortest list reaches, and
without a cutoff only where every list has every item.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tests.fidelity import quirks
from tests.fidelity.tables import Row, gathered, jobs, nested, save

CUTOFFS = (1, 3, 5, 10)
CUT = ("Precision", "Recall", "FMeasure", "HitRatio", "NDCG", "NCRR")
WHOLE = ("AUC", "MAP", "MRR")

QUIRKS = (
    "cornac(AUC(), [2.0, 2.0, 1.0], [1.0, 0.0, 0.0])",
    "cornac(MAP(), [2.0, 2.0, 2.0], [1.0, 1.0, 0.0])",
    "cornac(Precision(k=3), [3.0, 2.0, 1.0], [0.5, 1.0, 0.0])",
    "cornac(NDCG(k=3), [3.0, 2.0, 1.0], [1.0, 5.0, 0.0])",
    "cornac(NCRR(k=2), [3.0, 2.0, 1.0], [0.0, 1.0, 1.0])",
)


def evaluated(metrics: Sequence[Any], scores: Any, ratings: Any) -> tuple[list[float], list[dict[int, float]]]:
    """What Cornac returns for a matrix of scores and a matrix of ratings (0: none): of all users, and of each."""
    import numpy as np
    from cornac.data import Dataset
    from cornac.eval_methods.base_method import ranking_eval

    n_users, n_items = scores.shape
    users, items = {user: user for user in range(n_users)}, {item: item for item in range(n_items)}

    def dataset(triples: list[tuple[int, int, float]]) -> Any:
        rows, columns, values = (np.array(one) for one in zip(*triples, strict=True))
        return Dataset(n_users, n_items, users, items, (rows.astype(int), columns.astype(int), values))

    class Scores:
        """A model with given scores, which ranks as Cornac's models do."""

        def rank(self, user_idx: int, item_indices: Any, k: int) -> tuple[Any, Any]:
            there = scores[user_idx][item_indices]
            order = np.argsort(-there, kind="stable")
            ranked = item_indices[order]
            return ranked[~np.isneginf(there[order])], there

    test = dataset([(user, item, ratings[user, item]) for user, item in zip(*np.nonzero(ratings), strict=True)])
    train = dataset([(user, item, 0.0) for user in range(n_users) for item in range(n_items)])
    of_all, of_users = ranking_eval(Scores(), metrics, train, test)
    return of_all, of_users


def of_scores(metric: Any, scores: Sequence[float], ratings: Sequence[float]) -> float:
    """A metric of one user, of a few items with scores and ratings."""
    import numpy as np

    return evaluated([metric], np.array([scores]), np.array([ratings]))[0][0]


def measured(problem: str, recs: list[Row], truth: list[Row]) -> Iterator[tuple[Any, ...]]:
    """What it returns for a problem."""
    import numpy as np
    from cornac import metrics

    listed, rated = {user: of for user, of in nested(recs, "score").items() if of}, nested(truth, "rating")
    items = sorted({row["item"] for row in (*recs, *truth)} - {None})
    users = [user for user in listed if user in rated]
    is_dense = all(len(listed[user]) == len(items) for user in users)
    lowest = min(score for of in listed.values() for score in of.values())
    scores = np.array([[listed[user].get(item, -np.inf) - lowest for item in items] for user in users])
    ratings = np.array([[rated[user].get(item, 0.0) for item in items] for user in users])
    if not (ratings >= 1).any():
        raise ValueError("division by zero: no user has an item that is rated 1 or more")
    cutoffs = [k for k in CUTOFFS if k <= min(len(listed[user]) for user in users)]
    asked: list[tuple[str, int | None, Any]] = [(name, k, getattr(metrics, name)(k=k)) for name in CUT for k in cutoffs]
    if is_dense:
        asked += [(name, None, getattr(metrics, name)(k=-1)) for name in CUT]
        asked += [(name, None, getattr(metrics, name)()) for name in WHOLE]
    of_all, of_users = evaluated([metric for _, _, metric in asked], scores, ratings)
    for (name, k, _), value, of_user in zip(asked, of_all, of_users, strict=True):
        yield problem, "", name, k, None, float(value)
        yield from ((problem, "", name, k, users[row], float(one)) for row, one in of_user.items())


def main() -> None:
    """Measure each problem."""
    from cornac import metrics

    values, refused = gathered(jobs(measured))
    save("cornac", ["cornac", "numpy", "scipy"], values, refused)
    quirks.add("cornac", quirks.returned(QUIRKS, {**vars(metrics), "cornac": of_scores}))


if __name__ == "__main__":
    main()
