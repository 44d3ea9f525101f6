"""polars-ds over a frame of rows: of each query by `group_by`, and the mean over the queries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.fidelity import quirks
from tests.fidelity.tables import Row, gathered, jobs, save

CUTOFFS = (None, 1, 3, 5, 10)
METRICS = ("query_dcg_score", "query_ndcg_score")

QUIRKS = (
    "of(query_ndcg_score, [0, 3], [5.0, 5.0])",
    "of(query_ndcg_score, [0, 3], [5.0, 5.0], ignore_ties=True)",
    "of(query_dcg_score, [1, 2, 3], [1.0, 1.0, 1.0], k=1, ignore_ties=True)",
    "of(query_ndcg_score, [0, 0], [2.0, 1.0])",
    "of(query_ndcg_score, [-1, -1], [2.0, 1.0])",
    "of(query_ndcg_score, [0, -1], [1.0, 2.0], k=1)",
    "of(query_ndcg_score, [1, None], [2.0, 1.0])",
    "of(query_dcg_score, [1, 2, 3], [3.0, 2.0, 1.0], log_base=10)",
)


class ComputeError(RuntimeError):
    """Polars' error of this name, which is no RuntimeError."""


def of(function: Any, y_true: list[float | None], y_score: list[float], **options: Any) -> float:
    """The score of a query.

    Raises:
        ComputeError: Polars cannot compute it.
    """
    import polars as pl

    try:
        return float(pl.DataFrame({"y": y_true, "s": y_score}).select(function("y", "s", **options)).item())
    except pl.exceptions.ComputeError as error:
        raise ComputeError(str(error)) from error


def measured(problem: str, recs: list[Row], truth: list[Row]) -> Iterator[tuple[Any, ...]]:
    """What it returns for a problem; an item that the truth does not rate has the rating 0."""
    import polars as pl
    import polars_ds as pds

    rated = {(row["user"], row["item"]): row["rating"] for row in truth}
    rows = [(row["user"], row["score"], rated.get((row["user"], row["item"]), 0.0)) for row in recs if row["item"]]
    frame = pl.DataFrame(rows, schema=["user", "score", "rating"], orient="row")
    for name in METRICS:
        for k in CUTOFFS:
            for ignores in (False, True):
                score = getattr(pds, name)("rating", "score", k=k, ignore_ties=ignores)
                values = frame.group_by("user", maintain_order=True).agg(value=score)
                setting = f"ignore_ties={ignores}"
                yield problem, setting, name, k, None, values["value"].mean()
                yield from ((problem, setting, name, k, user, float(value)) for user, value in values.iter_rows())


def main() -> None:
    """Measure each problem."""
    import polars_ds as pds

    values, refused = gathered(jobs(measured))
    save("polars_ds", ["polars_ds", "polars"], values, refused)
    names = {name: getattr(pds, name) for name in METRICS}
    quirks.add("polars_ds", quirks.returned(QUIRKS, {"of": of, **names}))


if __name__ == "__main__":
    main()
