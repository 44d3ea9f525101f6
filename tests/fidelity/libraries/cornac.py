"""Cornac's evaluation of rankings with a model that has the scores of the problems."""

from __future__ import annotations

import polars as pl

from tests.fidelity.library import LeftOut, Library, without_settings


def _with_items(inputs: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Problems without empty lists, which no model of Cornac returns."""
    return {**inputs, "recs": inputs["recs"].filter(pl.col("item").is_not_null())}


LIBRARY = Library(
    "cornac",
    "Cornac",
    "cornac",
    without_settings,
    left_out=(
        LeftOut(
            "It ranks relevant items with equal scores all at the last of their positions; no order does.",
            metrics=["MAP"],
            problems=["dense ties", "dense negative ratings", "dense halves"],
        ),
    ),
    prepare=_with_items,
)
