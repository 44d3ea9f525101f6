"""LightFM's evaluation of a model that has the scores of the problems."""

from __future__ import annotations

import polars as pl

from tests.fidelity.library import LeftOut, Library, Row, data, without_settings


def _users_with_ties() -> set[tuple[str, str]]:
    """Lists with a score that a relevant item shares with another relevant item, in 32 bits."""
    scores = data("recs").with_columns(pl.col("score").cast(pl.Float32))
    relevant = scores.join(data("truth"), on=["problem", "user", "item"], how="semi")
    tied = relevant.filter(pl.len().over("problem", "user", "score") > 1)
    return {*tied.select("problem", "user").iter_rows()}


TIED = _users_with_ties()
PROBLEMS = {problem for problem, _ in TIED}


def _is_tied(row: Row) -> bool:
    return row["problem"] in PROBLEMS if row["user"] is None else (row["problem"], row["user"]) in TIED


LIBRARY = Library(
    "lightfm",
    "LightFM",
    "lightfm",
    without_settings,
    of_rows=True,
    left_out=(
        LeftOut(
            "It ranks relevant items with equal scores all at the last of their positions; no order does.",
            lists="lists with relevant items of equal scores, and the means over them",
            where=_is_tied,
        ),
    ),
    tolerance=1e-6,
)
