"""PyTerrier's Experiment over data frames."""

from __future__ import annotations

from functools import cache

import polars as pl

from tests.fidelity.libraries.ir_measures import LIBRARY as IR_MEASURES
from tests.fidelity.library import LeftOut, Library, Row, data


@cache
def _with_items(problem: str) -> frozenset[str]:
    """The users of a problem whose list has items: a frame of results has no row for an empty list."""
    return frozenset(data("recs").filter(pl.col("problem") == problem, pl.col("item").is_not_null())["user"])


def _has_no_items(row: Row) -> bool:
    return row["user"] is not None and row["user"] not in _with_items(row["problem"])


def _pyterrier(metric: str, setting: str, k: int | None) -> str:
    """A measure as ir_measures writes it, or by trec_eval's name."""
    metric = metric.replace("num_rel_ret", "NumRelRet")  # the same name but for its underscores
    return IR_MEASURES.call(metric, setting if setting.startswith("level") else "", k)


LIBRARY = Library(
    "pyterrier",
    "PyTerrier",
    "pyterrier",
    _pyterrier,
    aggregates={"NumRet": "total", "NumRel": "total", "num_rel_ret": "total"},
    decimals=IR_MEASURES.decimals,
    left_out=(
        LeftOut(
            "It is 0 for a query without results, whatever the qrels have for it; here such a query is left out.",
            metrics=["NumRel"],
            lists="queries without results",
            where=_has_no_items,
        ),
        LeftOut(
            "A frame of results has no row for an empty list, so that its sum lacks what the qrels have for it.",
            problems=["missing users"],
            metrics=["NumRel"],
            lists="the sum",
            where=lambda row: row["user"] is None,
        ),
        LeftOut(
            "NumRet is a sum and NumRet(rel=1), which is NumRelRet, a mean; NumRelRet is compared in its place.",
            metrics=["NumRet"],
            lists="means at a relevance level",
            where=lambda row: row["user"] is None and row["setting"] != "",
        ),
    ),
)
