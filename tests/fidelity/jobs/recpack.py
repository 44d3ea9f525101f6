"""RecPack's metrics over sparse matrices of scores and of relevant items: of each user, and of all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tests.fidelity import quirks
from tests.fidelity.tables import Row, gathered, jobs, nested, read, save

CUTOFFS = (1, 3, 5, 10)
LISTWISE = ("PrecisionK", "RecallK", "CalibratedRecallK", "DCGK", "NDCGK", "ReciprocalRankK")
ELEMENTWISE = ("HitK", "DiscountedGainK", "IPSHitRateK")

QUIRKS = (
    "recpack(HitK(2), [3.0, 2.0, 1.0], [1, 1, 0])",
    "recpack(RecallK(2), [3.0, 2.0, 1.0], [2, 0, 0])",
    "recpack(ReciprocalRankK(2), [3.0, 2.0, 1.0], [2, 0, 0])",
    "recpack(NDCGK(2), [3.0, 2.0, 1.0], [2, 0, 0])",
    "recpack(PrecisionK(2), [0.0, -1.0, -2.0], [1, 0, 0])",
    "recpack(PercentileRanking(), [3.0, 2.0, 0.0], [0, 0, 1])",
)


def of_scores(metric: Any, scores: Sequence[float], relevant: Sequence[float]) -> float:
    """A metric of one user, of a few items with scores and values."""
    from scipy.sparse import csr_matrix

    metric.calculate(csr_matrix([relevant]), csr_matrix([scores]))
    return float(metric.value)


def measured(
    problem: str, recs: list[Row], truth: list[Row], history: list[Row], n_items: int
) -> Iterator[tuple[Any, ...]]:
    """What it returns for a problem."""
    import numpy as np
    from recpack import metrics
    from scipy.sparse import csr_matrix

    ranks, rated = nested(recs, "rank"), nested(truth, "rating")
    numbers = {item: n for n, item in enumerate(sorted({row["item"] for row in (*recs, *truth)} - {None}))}
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
    known = [(row["user"], numbers[row["item"]]) for row in history if row["item"] in numbers]
    others = [("", len(numbers))] * (
        len(history) - len(known)
    )  # interactions with items that the problem does not have
    trained = csr_matrix(
        (np.ones(len(history)), ([0] * len(history), [item for _, item in (*known, *others)])), (1, n_items + 1)
    )
    for k in CUTOFFS:
        for name in (*LISTWISE, *ELEMENTWISE, "CoverageK"):
            metric = getattr(metrics, name)(k)
            if name == "IPSHitRateK":
                metric.fit(trained)
                metric.inverse_propensities = metric.inverse_propensities[:, :n_items]
            metric.calculate(y_true, y_pred)
            yield problem, "", name, k, None, float(metric.value)
            if name != "CoverageK":
                for row, value in zip(metric.user_id_map_, metric.scores_.sum(axis=1), strict=True):
                    yield problem, "", name, k, users[row], float(value)
    metric = metrics.PercentileRanking()
    metric.calculate(y_true, y_pred)
    yield problem, "", "PercentileRanking", None, None, float(metric.value)


def main() -> None:
    """Measure each problem."""
    from recpack import metrics

    values, refused = gathered(jobs(measured, read("history"), len(read("catalog"))))
    save("recpack", ["recpack", "numpy", "scipy"], values, refused)
    quirks.add("recpack", quirks.returned(QUIRKS, {**vars(metrics), "recpack": of_scores}))


if __name__ == "__main__":
    main()
