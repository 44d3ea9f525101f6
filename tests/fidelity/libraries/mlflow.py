"""MLflow's metrics for retrievers over Series of lists."""

from __future__ import annotations

from collections import Counter
from functools import cache

import polars as pl

from tests.fidelity.library import LeftOut, Library, data, without_settings


@cache
def _counts(problem: str) -> dict[str | None, tuple[int, int]]:
    """The recommendations of each user of the truth, and the relevant items; of all, (0, 0)."""
    truth, recs = data("truth").filter(problem=problem), data("recs").filter(pl.col("item").is_not_null())
    listed = Counter(recs.filter(problem=problem)["user"])
    relevant = dict(truth.filter(pl.col("rating") > 0).group_by("user").agg(pl.col("item").n_unique()).rows())
    return {user: (listed[user], relevant.get(user, 0)) for user in truth["user"].unique()}


def _is_short(problem: str, user: str | None, k: int) -> bool:
    """Whether a list, or one of all the lists, holds some items, but neither k nor as many as are relevant."""
    counts = _counts(problem)
    some = counts.values() if user is None else [counts[user]]
    return any(0 < listed < min(k, relevant) for listed, relevant in some)


LIBRARY = Library(
    "mlflow",
    "MLflow",
    "mlflow",
    without_settings,
    ranked=True,
    left_out=(
        LeftOut(
            "Its ideal list is only as long as the list of the query.",
            metrics=["ndcg_at_k"],
            lists="lists that hold neither k items nor as many as are relevant, and means over such lists",
            where=lambda row: _is_short(row["problem"], row["user"], row["k"]),
        ),
        LeftOut(
            "A repeat of a document counts as one more relevant document.",
            problems=["repeated items"],
            metrics=["ndcg_at_k"],
        ),
    ),
)
