"""Ranks by one sort of all rows in the place of a window: for DuckDB, which sorts at half the work of its window.

`ROW_NUMBER() OVER (PARTITION BY list ORDER BY score)` over an input becomes a number down the whole input, sorted;
`rank` is the number of a row less that of the first row of its list. Where no reader goes beyond rank n, a row is
dropped if the nth row before it is of the same list. The score above a row is that of the row before it.

What does not fit into memory is sorted in parts, each of some lists: DuckDB goes through the arms of a UNION ALL one
after the other, and has hardly more than one part on disk at a time.
"""

from __future__ import annotations

from functools import partial

from sqlglot import exp

from rankmetrics.planner.model import Query
from rankmetrics.planner.passes.base import QueryPass
from rankmetrics.planner.passes.sorting import before, begins, over_inputs, replace_by_parts, rows_before, sorted_rows
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import NewNames

# DuckDB looks so many rows back without holding on to all.
NEAR = 1000

# What sorted rows are ranked by, and their number in the order that they are sorted in.
SCORE, NUMBER = "score_to_rank", "row_number"


def rank_by_sorting(query: Query) -> None:
    """Rank by one sort, in place, wherever an input is ranked by a window."""
    new = NewNames(query.select)
    for select, stage in over_inputs(query):
        ranks = [expression for expression in select.expressions if isinstance(expression.unalias(), exp.Window)]
        if len(ranks) == 1 and ranks[0].this.args.get("partition_by"):
            replace_by_parts(select, stage.n_parts, partial(_sort, new, stage.within))


def _sort(new: NewNames, depth: int | None, select: exp.Select, part: int, n_parts: int) -> None:
    """Turn a SELECT that ranks into one that sorts, for one of the parts of the lists."""
    rank = next(expression for expression in select.expressions if isinstance(expression.unalias(), exp.Window))
    window = rank.unalias()
    names = {expression.unalias(): expression.alias_or_name for expression in select.expressions}
    lists = [names[column] for column in window.args["partition_by"]]
    above = [one for one in tree.find(select, exp.Window) if isinstance(one.this, exp.Lag)]
    beside = [
        expression for expression in select.expressions if expression is not rank and tree.find(expression, exp.Window)
    ]
    kept = [
        expression.copy() for expression in select.expressions if expression is not rank and expression not in beside
    ]
    scores: list[exp.Expr] = [above[0].this.this.copy()] if above else []
    kept += [tree.named(score.copy(), new(SCORE)) for score in scores]
    near = depth if depth is not None and depth <= NEAR else None
    by, order = window.args["partition_by"], window.args["order"].expressions
    in_order = sorted_rows(select, by, order, kept, part, n_parts)
    in_order.comments = [" sorted: list after list, each from its first rank down"]
    rows = _numbered(in_order, new, lists, near)
    for one in above:
        one.replace(exp.Case().when(exp.not_(begins(new, lists, 1)), tree.column(new(before(new(SCORE), 1)))))
    for expression in select.expressions:
        if expression is rank:
            expression.replace(tree.named(_place(new, lists), rank.alias))
        elif expression in beside:
            for read in [node for node in tree.find(expression, exp.Expr) if node in scores]:
                read.replace(tree.column(new(SCORE)))
        else:
            expression.replace(tree.column(expression.alias_or_name))
    select.set("where", None)
    select.set("from_", exp.From(this=rows))
    tree.quote(select)


def _numbered(rows: exp.Select, new: NewNames, lists: list[str], near: int | None) -> exp.Subquery:
    """Sorted rows with their number and the columns of the row above; of each list the first `near` rows, if given."""
    columns = [tree.column(expression.alias_or_name) for expression in rows.expressions]
    told = [condition for back in dict.fromkeys((1, near or 1)) for condition in rows_before(new, lists, back)]
    told += rows_before(new, [new(SCORE)], 1) if new(SCORE) in tree.outputs(rows) else []
    number = tree.named(exp.Window(this=exp.RowNumber()), new(NUMBER))
    numbered = exp.select(*columns, number, *told).from_(rows.subquery("sorted")).subquery("numbered")
    return exp.select(exp.Star()).from_(numbered).where(begins(new, lists, near)).subquery("near") if near else numbered


def _place(new: NewNames, lists: list[str]) -> exp.Expr:
    """The rank of a row: its number minus the number of the first row of its list, plus 1."""
    number = tree.column(new(NUMBER))
    so_far = exp.WindowSpec(kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end="CURRENT ROW")
    first = exp.Window(this=exp.Max(this=exp.Case().when(begins(new, lists, 1), number.copy())), spec=so_far)
    return exp.Add(this=exp.Sub(this=number, expression=first), expression=exp.Literal.number(1))


PASS = QueryPass(
    "rank_by_sorting",
    gain="0.62 of the time: nDCG over 4 million rows with scores",
    dialects=frozenset({"duckdb"}),
    change=rank_by_sorting,
)
