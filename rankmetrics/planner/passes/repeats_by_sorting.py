"""Counts repeated items by one sort in the place of a set of items per list: for DuckDB.

`SELECT list, COUNT(item) - COUNT(DISTINCT item) AS n FROM recs GROUP BY list HAVING COUNT(item) > COUNT(DISTINCT item)`
becomes, where ids are numbers, `SELECT list, COUNT(*) AS n` over those rows of the sorted input that have the list and
the item of the row before. Texts take longer to sort than to count, their hashes do not: where ids are texts, the query
stays as it is, over the rows alone whose hash another row has too.
"""

from __future__ import annotations

from functools import partial

from sqlglot import exp

from rankmetrics.planner.model import Query
from rankmetrics.planner.passes.base import QueryPass
from rankmetrics.planner.passes.sorting import before, over_inputs, replace_by_parts, sorted_rows, with_row_before
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import NewNames

# What may repeat.
ITEM = "item_in_order"


def repeats_by_sorting(query: Query) -> None:
    """Count repeats by one sort, in place, wherever the repeats of an input are counted."""
    new = NewNames(query.select)
    for select, stage in over_inputs(query):
        last = select.expressions[-1].unalias()
        if select.args.get("having") and isinstance(last, exp.Sub) and _is_distinct(last.right):
            ids = [*(expression.unalias() for expression in select.expressions[:-1]), last.this.this]
            if any(column.is_type(exp.DType.TEXT) for column in ids):
                _keep_equal_hashes(new, select, ids)
            else:
                replace_by_parts(select, stage.n_parts, partial(_sort_by_item, new))


def _is_distinct(count: exp.Expr) -> bool:
    """Whether an aggregate counts different values."""
    return isinstance(count, exp.Count) and isinstance(count.this, exp.Distinct)


def _sort_by_item(new: NewNames, select: exp.Select, part: int, n_parts: int) -> None:
    """Count repeated items of a list, in place, by comparing each sorted row with the row before it."""
    *columns, counted = select.expressions
    counts_items, names = counted.unalias().this, [*(column.alias_or_name for column in columns), new(ITEM)]
    *lists, item = names
    select.where(exp.Not(this=exp.Is(this=counts_items.this.copy(), expression=exp.Null())), copy=False)
    kept = [*(column.copy() for column in columns), tree.named(counts_items.this.copy(), item)]
    within = exp.Ordered(this=counts_items.this.copy(), nulls_first=False)
    in_order = sorted_rows(select, [column.unalias() for column in columns], [within], kept, part, n_parts)
    in_order.comments = [" sorted: list after list, repeated items side by side"]
    rows = with_row_before(in_order, new)
    equal = [exp.EQ(this=tree.column(name), expression=tree.column(new(before(name, 1)))) for name in names]
    select.set("expressions", [*map(tree.column, lists), tree.named(exp.Count(this=exp.Star()), counted.alias)])
    select.set("from_", exp.From(this=rows))
    select.set("where", exp.Where(this=exp.and_(*equal)))
    select.set("group", exp.Group(expressions=[*map(tree.column, lists)]))
    select.set("having", None)
    tree.quote(select)


def _keep_equal_hashes(new: NewNames, select: exp.Select, ids: list[exp.Expr]) -> None:
    """Let a query go through those rows alone that have the hash of another row: no other row can be a repeat."""
    hashed = exp.Anonymous(this="HASH", expressions=[column.copy() for column in ids])
    called = new("hash_of_row")
    hashes = sorted_rows(select, [hashed], [], [tree.named(hashed.copy(), called)], 0, 1)
    equal = exp.EQ(this=tree.column(called), expression=tree.column(new(before(called, 1))))
    twice = exp.select(tree.column(called)).from_(with_row_before(hashes, new)).where(equal)
    select.where(exp.In(this=hashed.copy(), query=twice.subquery()), copy=False)
    tree.quote(select)


PASS = QueryPass(
    "repeats_by_sorting",
    gain="0.72 of the time: the account over 4 million rows with scores",
    dialects=frozenset({"duckdb"}),
    change=repeats_by_sorting,
)
