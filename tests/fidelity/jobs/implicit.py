"""implicit's evaluation functions over a model that recommends the lists of the problems.

All problems have a catalogue of as many items as `catalog` has; a problem's items are the first columns of the matrix.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from tests.fidelity import quirks
from tests.fidelity.tables import Row, by_problem, read, save

CUTOFFS = (1, 3, 5, 10)
FUNCTIONS = {
    "precision_at_k": "precision",
    "mean_average_precision_at_k": "map",
    "ndcg_at_k": "ndcg",
    "AUC_at_k": "auc",
}

QUIRKS = (
    "precision_at_k(recommends([[0, 1, 2], [3, 4, 5]]), *matrices([[0], [0, 1, 2]]), K=3)",
    "precision_at_k(recommends([[0, 1, 2]]), *matrices([[0]]), K=3)",
    "AUC_at_k(recommends([[1, 2]]), *matrices([[0]]), K=2)",
    "AUC_at_k(recommends([[0, 1]]), *matrices([[0, 2]]), K=2)",
    "ndcg_at_k(recommends([[1, 0]]), *matrices([[0]], values=[0.0]), K=2)",
)


class Recommends:
    """A model whose recommendations are given, as numbers of items; -1 where a list ends."""

    def __init__(self, lists: list[list[int]]) -> None:
        self.lists = lists

    def recommend(self, userid: Any, user_items: Any, N: int = 10) -> tuple[Any, Any]:  # noqa: N803 (implicit calls it by this name)
        import numpy as np

        ids = np.array([[*self.lists[user], *[-1] * N][:N] for user in np.asarray(userid)], dtype=np.int32)
        return ids, np.zeros(ids.shape, dtype=np.float32)


def matrices(rated: list[list[int]], values: list[float] | None = None, n_items: int = 6) -> tuple[Any, Any]:
    """A matrix of no training data, and a matrix of the items that each user has in the test data."""
    from scipy.sparse import csr_matrix

    rows = [user for user, items in enumerate(rated) for _ in items]
    columns = [item for items in rated for item in items]
    test = csr_matrix((values or [1.0] * len(rows), (rows, columns)), shape=(len(rated), n_items))
    return csr_matrix(test.shape), test


def measured(problem: str, recs: list[Row], truth: list[Row], n_items: int) -> Iterator[tuple[Any, ...]]:
    """What it returns for a problem."""
    from implicit import evaluation

    numbers = {item: n for n, item in enumerate(sorted({row["item"] for row in (*recs, *truth)} - {None}))}
    lists: dict[str, list[int]] = {row["user"]: [] for row in truth}
    rated: dict[str, list[int]] = {row["user"]: [] for row in truth}
    for row in sorted((row for row in recs if row["item"] is not None), key=lambda row: row["rank"]):
        lists.setdefault(row["user"], []).append(numbers[row["item"]])
    for row in truth:
        rated[row["user"]].append(numbers[row["item"]])
    users = [*rated]
    for k in CUTOFFS:
        of_users = {user: _measured(lists, rated, [user], k, n_items) for user in users}
        of_all = _measured(lists, rated, users, k, n_items)
        for name in ("map", "ndcg", "auc"):
            yield from ((problem, "", name, k, user, found[name]) for user, found in of_users.items())
        yield from ((problem, "", name, k, None, value) for name, value in of_all.items())
        for function, name in FUNCTIONS.items():
            model, (train, test) = (
                Recommends([lists[user] for user in users]),
                matrices([*rated.values()], None, n_items),
            )
            value = float(getattr(evaluation, function)(model, train, test, K=k, show_progress=False))
            yield problem, "", function, k, None, value
            if name != "precision":
                yield from ((problem, "", function, k, user, found[name]) for user, found in of_users.items())


def _measured(
    lists: dict[str, list[int]], rated: dict[str, list[int]], users: list[str], k: int, n_items: int
) -> dict[str, float]:
    from implicit.evaluation import ranking_metrics_at_k

    train, test = matrices([rated[user] for user in users], None, n_items)
    model = Recommends([lists[user] for user in users])
    found = ranking_metrics_at_k(model, train, test, K=k, show_progress=False)
    return {name: float(value) for name, value in found.items()}


def main() -> None:
    """Measure each problem."""
    from implicit import evaluation

    recs, truth, n_items = by_problem(read("recs")), by_problem(read("truth")), len(read("catalog"))
    values = [row for problem in recs for row in measured(problem, recs[problem], truth[problem], n_items)]
    save("implicit", ["implicit", "numpy", "scipy"], values, {})
    quiet = {name: partial(getattr(evaluation, name), show_progress=False) for name in FUNCTIONS}
    quirks.add("implicit", quirks.returned(QUIRKS, {**quiet, "recommends": Recommends, "matrices": matrices}))


if __name__ == "__main__":
    main()
