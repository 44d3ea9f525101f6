"""The rows of a list that a query reads: every row down to its depth, or only hits and the ends of the list.

Rankings of all candidates hold the rows of relevant items, and the first and the last row of each list.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from rankmetrics.planner import Plan

# The stage of the items whose score another item of the list has, too. Rankings of all candidates hold such an item
# only if a relevant item has this score.
TIED_RANKS = "tied_ranks"

# For a stage or input: the stages that read it and need only the rows of relevant items and the first and the last row
# of each list. Every other stage that reads it needs all of its rows.
EXACT: Mapping[str, frozenset[str]] = {
    "recs": frozenset({"ranked", "recommendations_with_pool", "recommended_lists", "systems"}),
    "ranked": frozenset({"recommended", TIED_RANKS}),
    TIED_RANKS: frozenset({"first_row_chances", "hits_in_ties", "hit_chances", "tied_hits"}),
    "recommended": frozenset({"matches", "judged_recommendations"}),
}

# The columns whose highest and lowest value are exact over these rows.
EXACT_ENDS = frozenset({"rank", "score", "pool"})

# How the names begin of further aggregates that are exact: whether the lowest score is below the highest, and the last
# rank.
EXACT_NAMES = ("scores_differ", "last_rank")


def reads_every_row(plan: Plan) -> bool:
    """True if a query reads rows of the recommendations other than hits, and the first and last of each list."""
    for key, stage in plan.stages.by_key.items():
        read = {name.partition(".")[0] for name in (*stage.reads, *(t.name for t in stage.select.find_all(exp.Table)))}
        if any(key.file not in EXACT[name] for name in read & EXACT.keys()):
            return True
    sums = {**plan.formulas.lists.sums, **plan.formulas.systems.sums}
    return any(not _is_exact(key.file, name, column) for key, of in sums.items() for name, column in of.items())


def _is_exact(stage: str, name: str, column: exp.Expr) -> bool:
    """True if an aggregate over a stage is exact over these rows, as MAX(rank) of a whole list is."""
    read = {part.name for part in column.find_all(exp.Column)}
    is_end = isinstance(column, (exp.Max, exp.Min)) and read <= EXACT_ENDS
    return stage not in (*EXACT, "recommendations_with_pool") or is_end or name.startswith(EXACT_NAMES)
