"""trec_eval by pytrec_eval-terrier."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

import polars as pl

from tests.fidelity.library import LeftOut, Library, Row, data

# These look at every rating above 0, whatever the relevance level.
WITHOUT_LEVEL = ("ndcg", "ndcg_cut", "num_ret", "G", "ndcg_rel", "Rndcg")


def _trec_eval(metric: str, setting: str, k: int | None) -> str:
    """A measure of trec_eval at a relevance level, which is rel, where it looks at that."""
    level, _, squared = re.fullmatch(r"level=(\d+)(, x=(\d))?", setting).groups()  # type: ignore[union-attr]
    if shared := re.fullmatch(r"(iprec_at_recall|Rprec_mult)_(\d\.\d\d)", metric):
        parameter = {"iprec_at_recall": "at_recall", "Rprec_mult": "multiple"}[shared[1]]
        return f"{shared[1]}({parameter}={shared[2]}, rel={level})"
    name = metric.removeprefix("gm_")
    rel = "" if name in WITHOUT_LEVEL else f"rel={level}"
    set_at = ", ".join(one for one in (rel, "beta=2" if name == "set_F" and squared == "4" else "") if one)
    return f"{name}{f'({set_at})' if set_at else ''}{f'@{k}' if k else ''}"


@cache
def _highest(problem: str) -> Mapping[str, float]:
    """The highest rating of each query of a problem."""
    rows = data("truth").filter(problem=problem).group_by("user").agg(pl.col("rating").max()).rows()
    return dict(rows)


def _has_no_rating_from_the_level(row: Row) -> bool:
    """Whether it is the value of such a query, or the mean of a problem that has one."""
    level = int(row["setting"].partition("level=")[2][0])
    highest = _highest(row["problem"])
    return any(0 < highest[user] < level for user in ([row["user"]] if row["user"] else highest))


RNDCG = LeftOut(
    "It is 0 for a query without a rating from the relevance level on. For other queries, the level changes nothing.",
    metrics=["Rndcg"],
    lists="queries with no rating from the relevance level on, but with a rating above 0",
    where=_has_no_rating_from_the_level,
)

LIBRARY = Library(
    "pytrec_eval",
    "pytrec_eval-terrier",
    "trec_eval",
    _trec_eval,
    aggregates={
        **dict.fromkeys(("num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret"), "total"),
        **dict.fromkeys(("gm_map", "gm_bpref"), "geometric_mean"),
    },
    left_out=(RNDCG,),
)
