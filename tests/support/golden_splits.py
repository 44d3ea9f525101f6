"""The splits whose queries tests/golden/splits holds in every dialect."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl

import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS
from rankmetrics.errors import DialectError

# What each query is there to show, the method, and the parameters.
SPLITS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "users": (
        "Some items of some users, by seeded hashes, of interactions without repeats and without rare items.",
        "users",
        {"mode": "joined", "max_test_users": 1000, "seed": 7, "repeats": "last", "k_core": 5, "rounds": 1},
    ),
    "time_share": (
        "The latest tenth of the interactions, without the day before.",
        "time",
        {"test_fraction": 0.1, "gap": "1 day", "cold_users": "drop"},
    ),
    "sliding": (
        "Two windows of a week, each with all that came before.",
        "sliding",
        {"at": "2024-01-01", "width": "1 week", "windows": 2},
    ),
}

CLICKS = pl.LazyFrame(
    schema={"user_id": pl.String, "item_id": pl.Int64, "rating": pl.Float64, "timestamp": pl.Datetime("us")}
)


def files_of_splits(folder: Path) -> dict[Path, Callable[[], str]]:
    """The files of a folder, and the function that returns what each should hold."""
    return {
        folder / f"{name}.{dialect}.sql": partial(_text, name, dialect) for name, dialect in product(SPLITS, DIALECTS)
    }


def _text(name: str, dialect: str) -> str:
    purpose, method, parameters = SPLITS[name]
    try:
        text = rm.split(CLICKS, method, **parameters).to_sql(dialect, interactions="db.clicks")
    except DialectError as refused:
        text = f"-- refused: {refused}"
    return f"-- {purpose}\n{text}\n"
