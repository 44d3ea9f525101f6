"""RecBole's collector and metrics over scores that fall with the rank."""

from __future__ import annotations

import polars as pl

from tests.fidelity.library import Library, without_settings


def _with_padding(inputs: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Problems whose catalogue has the padding item, which RecBole counts among the items."""
    padding = pl.DataFrame({"item": ["[PAD]"]})
    return {**inputs, "catalog": pl.concat([inputs["catalog"], padding])}


LIBRARY = Library(
    "recbole",
    "RecBole",
    "recbole",
    without_settings,
    ranked=True,
    extras=("history", "catalog"),
    prepare=_with_padding,
    tolerance=1e-6,  # GAUC is computed in 32 bits
)
