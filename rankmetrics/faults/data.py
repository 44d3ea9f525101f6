"""Refuses data that would make every number meaningless, with rows that show what is wrong.

Rankings of all candidates hold the rows of relevant items, and the first and the last row of each list. They are
refused where a query reads other rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress

from sqlglot import exp

from rankmetrics.errors import DataError, EngineError, Option
from rankmetrics.faults.checks import Check, checks_of, required_of
from rankmetrics.faults.columns import Inputs, alike_ids, not_null, quoted
from rankmetrics.faults.messages import Message, RowsAtFault, in_words
from rankmetrics.inputs.columns import Layout
from rankmetrics.metrics.metric import Metric
from rankmetrics.planner import Plan

# The fault of ranks over which an engine may fail before it has counted them.
RANKS_NOT_WHOLE = "ranks_not_whole"

# Faults with a cause that only the rows tell: tied ranks, and ids that are alike.
RANKS_REPEATED = "ranks_repeated"
NOTHING_IN_COMMON = frozenset({"no_item_in_common", "no_list_in_common"})


def refuse(
    counts: Mapping[str, int],
    inputs: Inputs,
    metrics: Sequence[Metric],
    duplicates: str,
    rows_at_fault: Callable[[Check], RowsAtFault],
) -> None:
    """Refuse data whose numbers would look right and be wrong, by the counts of the account over all systems."""
    layout = inputs.layout
    for fault in checks_of(layout, required_of(metrics, duplicates, layout)):
        if fault.say and fault.is_in(counts):
            more = {"cause": _cause_of_repeats(inputs)} if fault.name == RANKS_REPEATED else {}
            rows = rows_at_fault(fault)
            message = Message(fault, layout, counts, rows=rows, metrics=metrics, duplicates=duplicates, more=more)
            alike = alike_ids(inputs) if fault.name in NOTHING_IN_COMMON else ()
            raise DataError(" ".join([message.text(), *alike]), page=fault.page)


def _cause_of_repeats(inputs: Inputs) -> str:
    """Begins the question for a missing column; before it, the function of SQL that gives equal scores equal ranks."""
    layout = inputs.layout
    lists, rank, item = quoted(*layout.lists), quoted(str(layout.recs.rank)), quoted(str(layout.recs.item))
    begin = layout.rank_from - 1
    n_lists, n_tied, n_dense = 0, 0, 0
    with suppress(EngineError):  # an old database may lack a function: the ranks are refused all the same
        [(n_lists, n_tied, n_dense)] = inputs.rows(f"""
            SELECT COUNT(*) AS n_lists, COUNT(CASE WHEN last - {begin} = n - n_last + 1 THEN 1 END) AS n_tied,
                COUNT(CASE WHEN last - {begin} = n_ranks AND most > fewest THEN 1 END) AS n_dense
            FROM (
                SELECT SUM(n) AS n, MAX(place) AS last, MIN(n_last) AS n_last, COUNT(*) AS n_ranks,
                    MAX(n) AS most, MIN(n) AS fewest
                FROM (
                    SELECT {lists}, {rank} AS place, COUNT(*) AS n, COUNT(DISTINCT {item}) AS n_items,
                        FIRST_VALUE(COUNT(*)) OVER (PARTITION BY {lists} ORDER BY {rank} DESC NULLS LAST) AS n_last
                    FROM recs WHERE {not_null(*layout.lists, str(layout.recs.rank))} GROUP BY {lists}, {rank}
                ) AS by_rank
                GROUP BY {lists} HAVING MAX(n) > 1 AND SUM(n) = SUM(n_items)
            ) AS by_list""")
    for function, n in (("RANK", n_tied), ("DENSE_RANK", n_dense)):
        if n == n_lists > 0:
            return (
                f"Equal scores may have equal ranks, as {function}() gives them: number the rows by ROW_NUMBER(), give "
                f"the score in place of the rank, or rank tied items by their ids: {Option('ranks', 'again')}. Or is"
            )
    return "Is"


def refuse_ranks(layout: Layout, rows_at_fault: Callable[[Check], RowsAtFault]) -> None:
    """Refuse ranks that are not whole numbers from 1, by a query of their own: the engine failed to count them."""
    for fault in checks_of(layout):
        if fault.name == RANKS_NOT_WHOLE and (rows := rows_at_fault(fault))["recs"]:
            raise DataError(Message(fault, layout, {}, rows=rows).text(), page=fault.page)


def refuse_gaps(inputs: Inputs, depths: Iterable[tuple[str, int | None]]) -> None:
    """Refuse lists that lack ranks which a metric reads, as the rows of relevant items among all candidates do.

    `depths` are the metrics that read every rank, each with its cutoff (None: whole lists); they are looked at only if
    a list lacks a rank above its last.
    """
    if not _lists_with_gaps(inputs, None):
        return
    for label, k in depths:
        if lists := _lists_with_gaps(inputs, k):
            down = "" if k is None else f" down to {k}"
            raise DataError(
                f"{label} reads every rank{down}, and the lists of column {str(inputs.layout.recs.pool)!r} hold only "
                f"some of their candidates: ranks are missing, such as in {lists}. The rows of rm.rank_factors and "
                "rm.rank_scores hold relevant items, and the first and last of each list. Evaluate the rankings "
                f"themselves, or their first items, as ranked.top({k or 10}) returns and "
                f"ranked.write(path, top={k or 10}) writes them.",
                page="messages/#only-some-candidates",
            )


def refuse_unranked_pool(inputs: Inputs) -> None:
    """Refuse lists without ranks that hold only some of their candidates: any number of others may be above a row."""
    pool = str(inputs.layout.recs.pool)
    if lists := _first_lists(inputs, f"COUNT(*) < MAX({quoted(pool)})"):
        raise DataError(
            f"The lists have fewer rows than candidates by their column {pool!r}, such as {lists}, and no ranks, so "
            "other candidates may be above a row. The rows of rm.rank_factors and rm.rank_scores have a column 'rank': "
            "keep it. If these rows are the first items of each list, number them from 1 in a column 'rank'.",
            page="messages/#only-some-candidates",
        )


def _lists_with_gaps(inputs: Inputs, k: int | None) -> str:
    """The first lists that lack a rank above their last, down to a rank."""
    rank = f"({quoted(str(inputs.layout.recs.rank))} + {1 - inputs.layout.rank_from})"
    if k is None:
        return _first_lists(inputs, f"COUNT({rank}) < MAX({rank})")
    down_to_k = f"COUNT(CASE WHEN {rank} <= {k} THEN 1 END)"
    return _first_lists(inputs, f"{down_to_k} < MAX(CASE WHEN {rank} < {k} THEN {rank} ELSE {k} END)")


def _first_lists(inputs: Inputs, having: str) -> str:
    """The first lists of the recommendations that meet a condition, in words; empty if there are none."""
    lists = inputs.layout.lists
    keys = quoted(*lists)
    rows = inputs.rows(
        f"SELECT {keys} FROM recs WHERE {not_null(*lists)} GROUP BY {keys} HAVING {having} ORDER BY {keys} LIMIT 3"
    )
    return in_words([dict(zip(lists, row, strict=True)) for row in rows]) if rows else ""


# --- the rows of a list that a query reads ----------------------------------------------------------------------------

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
