"""ranx over a Qrels and a Run made of dicts."""

from __future__ import annotations

from functools import cache

import polars as pl

from tests.fidelity.library import LeftOut, Library, data


def _ranx(metric: str, setting: str, k: int | None) -> str:
    """A metric of ranx as ranx writes it."""
    return f"{metric}{f'@{k}' if k else ''}-l{setting.removeprefix('level=')}"


@cache
def _without_relevant(problem: str, level: int) -> bool:
    """Whether a user of a problem has no item that is rated so high."""
    truth = data("truth").filter(problem=problem).group_by("user").agg(pl.col("rating").max())
    return bool((truth["rating"] < level).any())


@cache
def _has_nan(problem: str, setting: str, metric: str) -> bool:
    """Whether a metric is NaN for a user of a problem."""
    rows = data("ranx").filter(problem=problem, setting=setting, metric=metric)
    return bool(rows.filter(pl.col("user").is_not_null())["value"].is_null().any())


LIBRARY = Library(
    "ranx",
    "ranx",
    "ranx",
    _ranx,
    left_out=(
        LeftOut(
            "Beyond 15 documents, which of equal scores comes first is left to a sort that keeps no order.",
            problems=["long ties"],
        ),
        LeftOut(
            "Its Qrels cuts ratings to whole numbers, in silence.",
            problems=["half ratings", "dense halves"],
        ),
        LeftOut(
            "It stops in silence at the first query without a relevant item, and leaves 0 for the queries behind it.",
            metrics=["bpref"],
            lists="problems and levels with such a query",
            where=lambda row: _without_relevant(row["problem"], int(row["setting"].removeprefix("level="))),
        ),
        LeftOut(
            "Its mean is NaN where a query's value is; ours leaves that query out.",
            metrics=["bpref"],
            lists="means over such queries",
            where=lambda row: row["user"] is None and _has_nan(row["problem"], row["setting"], "bpref"),
        ),
    ),
)
