"""The comparisons whose queries tests/golden/comparisons holds in every dialect."""

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

# What each query is there to show, the step, and the options.
COMPARISONS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "moments": (
        "The sums of a paired t-test of all systems against a baseline, each day apart.",
        "moments",
        {"baseline": "ItemKNN", "by": "day"},
    ),
    "signed_ranks": ("The sums of the signed-rank test of all pairs of systems.", "signed_rank_sums", {}),
    "randomization": (
        "The replicates of the randomization test, whose signs are drawn for each user.",
        "randomized_sums",
        {"cluster": "user", "replicates": 240, "seed": 7},
    ),
}

VALUES = pl.LazyFrame(
    schema={
        "day": pl.Date,
        "algorithm": pl.String,
        "user": pl.Int64,
        "ndcg@10": pl.Float64,
        "precision(rel=4)@10": pl.Float64,
    }
)


def files_of_comparisons(folder: Path) -> dict[Path, Callable[[], str]]:
    """The files of a folder, and the function that returns what each should hold."""
    return {
        folder / f"{name}.{dialect}.sql": partial(_text, name, dialect)
        for name, dialect in product(COMPARISONS, DIALECTS)
    }


def _text(name: str, dialect: str) -> str:
    purpose, step, options = COMPARISONS[name]
    try:
        found = rm.compare_files(VALUES, VALUES, system="algorithm", **options)
        text = found.to_sql(dialect, step=step, per_list="db.per_list")
    except DialectError as refused:
        text = f"-- refused: {refused}"
    return f"-- {purpose}\n{text}\n"
