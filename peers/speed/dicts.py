"""The two files as the dicts of dicts that libraries of information retrieval take, ids as strings."""

from pathlib import Path
from typing import Any

import polars as pl


def run_of(folder: Path) -> dict[str, dict[str, float]]:
    """The scores of the recommendations, by list and item."""
    return nested(folder / "recs.parquet", pl.col("score"))


def qrels_of(folder: Path) -> dict[str, dict[str, int]]:
    """The ratings of the truth, by list and item: whole numbers, there."""
    return nested(folder / "truth.parquet", pl.col("rating").cast(pl.Int64))


def nested(path: Path, value: pl.Expr) -> dict[str, dict[str, Any]]:
    """A column of a file, by list and item."""
    found: dict[str, dict[str, Any]] = {}
    rows = pl.scan_parquet(path).select(pl.col("user", "item").cast(pl.String), value).collect()
    for user, item, one in rows.iter_rows():
        found.setdefault(user, {})[item] = one
    return found
