"""polars-ds over a frame of rows: of each query by `group_by`, and the mean over the queries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl
import polars_ds as pds

from peers.job import CUTOFFS, Problem, Values

METRICS = {name: getattr(pds, name) for name in ("query_dcg_score", "query_ndcg_score")}


class ComputeError(RuntimeError):
    """Polars' error of this name, which is no RuntimeError."""


def of(function: Any, y_true: list[float | None], y_score: list[float], **options: Any) -> float:
    """The score of a query.

    Raises:
        ComputeError: Polars cannot compute it.
    """
    try:
        return float(pl.DataFrame({"y": y_true, "s": y_score}).select(function("y", "s", **options)).item())
    except pl.exceptions.ComputeError as error:
        raise ComputeError(str(error)) from error


def measured(problem: Problem) -> Iterator[Values]:
    """What it returns for a problem; an item that the truth does not rate has the rating 0."""
    rows = [(row["user"], row["score"], row["rating"]) for row in problem.rated]
    frame = pl.DataFrame(rows, schema=["user", "score", "rating"], orient="row")
    for name, function in METRICS.items():
        for k in (None, *CUTOFFS):
            for ignores in (False, True):
                score = function("rating", "score", k=k, ignore_ties=ignores)
                values = frame.group_by("user", maintain_order=True).agg(value=score)
                by_user = {None: values["value"].mean(), **dict(values.iter_rows())}
                yield f"ignore_ties={ignores}", name, k, by_user


# What the calls of its page name.
NAMES = {"of": of, **METRICS}
