"""Several counts of different items by one grouping more, for an engine that would group for each of them: DuckDB."""

from __future__ import annotations

from sqlglot import exp

from rankmetrics.planner.model import Query
from rankmetrics.planner.passes.base import QueryPass
from rankmetrics.sqltree import aggregation, tree
from rankmetrics.sqltree.names import NewNames


def count_by_item(query: Query) -> None:
    """`COUNT(DISTINCT item)` and `COUNT(DISTINCT item) FILTER (WHERE c)` of each list as counts over a row per item.

    DuckDB keeps all rows, groups them anew for each of these counts and joins what it counted. One grouping by list
    and item, which notes whether any row of an item meets the condition, is all that they need; a single count of
    different items is no sooner for it.
    """
    new = NewNames(query.select)
    for select in [node for node in tree.skeleton(query.select) if isinstance(node, exp.Select)]:
        group = tree.groups(select)
        if (
            group
            and not select.args.get("joins")
            and all(isinstance(expression, exp.Column) for expression in group.expressions)
        ):
            counts = [
                expression.unalias()
                for expression in select.expressions
                if expression.unalias() not in group.expressions
            ]
            different = [item for count in counts for item in tree.find(count, exp.Distinct)]
            if len(different) > 1 and len({*different}) == 1 and all(map(_is_count, counts)):
                _count_by_item(select, new, group.expressions, counts, different[0].expressions[0])


def _is_count(value: exp.Expr) -> bool:
    """Whether a value counts rows, or different items."""
    counted = aggregation.unfiltered(value)
    is_rows = isinstance(counted.this, exp.Star) and counted is value
    return isinstance(counted, exp.Count) and (is_rows or isinstance(counted.this, exp.Distinct))


def _count_by_item(
    select: exp.Select, new: NewNames, groups: list[exp.Expr], counts: list[exp.Expr], item: exp.Expr
) -> None:
    """Put a query with a row per item in the place of the rows that are counted."""
    an_item, rows = new("an_item"), new("n_rows_of_item")
    of_item = [tree.named(item.copy(), an_item), tree.named(exp.Count(this=exp.Star(), big_int=True), rows)]
    for number, count in enumerate(counts):
        counted: exp.Expr = tree.column(an_item)
        if condition := aggregation.filter_of(count):
            meets = tree.column(new(f"meets_condition_{number}"))
            flag = exp.Case().when(condition.copy(), tree.literal(1)).else_(tree.literal(0))
            of_item.append(tree.named(exp.Max(this=flag), meets.name))
            counted = exp.Case().when(exp.EQ(this=meets, expression=tree.literal(1)), counted)
        if isinstance(count.this, exp.Star):
            count.replace(exp.cast(exp.Sum(this=tree.column(rows)), exp.DType.BIGINT))
        else:
            count.replace(exp.Count(this=counted, big_int=True))
    source = tree.source(select)
    by = [column.copy() for column in groups]
    items = exp.select(*by, *of_item).from_(source.copy()).group_by(*by, item.copy())
    items.set("where", select.args.get("where"))
    select.set("where", None)
    select.set("from_", exp.From(this=items.subquery(source.alias_or_name)))
    tree.quote(select)


PASS = QueryPass(
    "count_by_item",
    gain="0.86 of the time with scores, 0.92 with ranks: the account over 10 million rows",
    dialects=frozenset({"duckdb"}),
    change=count_by_item,
)
