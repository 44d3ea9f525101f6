"""ir_measures by its default pipeline of providers."""

from __future__ import annotations

from functools import cache

from tests.fidelity.library import LeftOut, Library, Row, data


def _ir_measures(metric: str, setting: str, k: int | None) -> str:
    """A measure as ir_measures writes it; a setting is a relevance level."""
    head, _, at = metric.partition("@")
    name, _, inside = head.removesuffix(")").partition("(")
    settings = ", ".join(one for one in (setting.replace("level", "rel"), inside) if one)
    at = str(k) if k else at
    return f"{name}{f'({settings})' if settings else ''}{f'@{at}' if at else ''}"


@cache
def _with_list(problem: str) -> frozenset[str]:
    """The users of a problem that have a list."""
    return frozenset(data("recs").filter(problem=problem)["user"])


def _has_no_list(row: Row) -> bool:
    return row["user"] is not None and row["user"] not in _with_list(row["problem"])


NUMREL = LeftOut(
    "It is 0 for a query without a list, whatever the qrels have for it; here such a query is left out.",
    metrics=["NumRel"],
    lists="queries without a list",
    where=_has_no_list,
)

TOTALS = dict.fromkeys(("NumRet", "NumRel", "NumRelRet"), "total")

LIBRARY = Library(
    "ir_measures",
    "ir_measures",
    "ir_measures",
    _ir_measures,
    aggregates=TOTALS,
    decimals={"ERR": 5, "nDCG(dcg='exp-log2')": 5},
    left_out=(NUMREL,),
)
