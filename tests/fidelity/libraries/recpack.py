"""RecPack's metrics over sparse matrices of scores and of relevant items."""

from __future__ import annotations

import polars as pl

from tests.fidelity.library import Library, without_settings


def _stored(inputs: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Problems whose truth has the relevant items only, as a sparse matrix stores them."""
    return {**inputs, "truth": inputs["truth"].filter(pl.col("rating") > 0)}


LIBRARY = Library(
    "recpack",
    "RecPack",
    "recpack",
    without_settings,
    ranked=True,
    extras=("history", "catalog"),
    prepare=_stored,
)
