"""RecPack's metrics over sparse matrices of scores and of relevant items."""

from __future__ import annotations

import polars as pl

from tests.fidelity.library import Library


def _recpack(metric: str, setting: str, k: int | None) -> str:  # it has no settings
    """A metric of RecPack."""
    return f"{metric}@{k}" if k else metric


def _stored(inputs: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Problems whose truth has the relevant items only, as a sparse matrix stores them."""
    return {**inputs, "truth": inputs["truth"].filter(pl.col("rating") > 0)}


LIBRARY = Library(
    "recpack",
    "RecPack",
    "recpack",
    _recpack,
    ranked=True,
    extras=("history", "catalog"),
    prepare=_stored,
)
