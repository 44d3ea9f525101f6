"""Several counts of different items by one grouping more, for an engine that would group for each of them: DuckDB."""

from __future__ import annotations

from sqlglot import exp

from rankmetrics import tree

ITEM, ROWS, MEETS = "rankmetrics_item", "rankmetrics_rows", "rankmetrics_meets"


def counts_by_item(query: exp.Expr) -> None:
    """`COUNT(DISTINCT item)` and `COUNT(DISTINCT item) FILTER (WHERE c)` of each list as counts over a row per item.

    DuckDB keeps all rows, groups them anew for each of these counts and joins what it counted. One grouping by list
    and item, which notes whether any row of an item meets the condition, is all that they need; a single count of
    different items is no sooner for it.
    """
    for select in tree.find(query, exp.Select):
        group, different = tree.groups(select), tree.find(select, exp.Distinct)
        if group and len(different) > 1 and len({*different}) == 1 and all(map(_is_count, _values(select, group))):
            _count_by_item(select, group, different[0].expressions[0])


def _values(select: exp.Select, group: exp.Group) -> list[exp.Expr]:
    """What is returned of a group beside what it is grouped by."""
    return [one.unalias() for one in select.expressions if one.unalias() not in group.expressions]


def _is_count(value: exp.Expr) -> bool:
    """Whether a value counts rows, or different items."""
    counted = value.this if isinstance(value, exp.Filter) else value
    is_rows = isinstance(counted.this, exp.Star) and counted is value
    return isinstance(counted, exp.Count) and (is_rows or isinstance(counted.this, exp.Distinct))


def _count_by_item(select: exp.Select, group: exp.Group, item: exp.Expr) -> None:
    """Put a query with a row per item in the place of the rows that are counted."""
    of_item = [*(one.copy() for one in group.expressions), tree.named(item.copy(), ITEM)]
    of_item.append(tree.named(exp.Count(this=exp.Star(), big_int=True), ROWS))
    by = [one.copy() for one in (*group.expressions, item)]
    for number, value in enumerate(_values(select, group)):
        counted: exp.Expr = tree.column(ITEM)
        if isinstance(value, exp.Filter):
            meets = exp.Case().when(value.expression.this.copy(), tree.literal(1)).else_(tree.literal(0))
            of_item.append(tree.named(exp.Max(this=meets), f"{MEETS}_{number}"))
            counted = exp.Case().when(
                exp.EQ(this=tree.column(f"{MEETS}_{number}"), expression=tree.literal(1)), counted
            )
        is_rows = isinstance(value.this, exp.Star)
        rows = exp.cast(exp.Sum(this=tree.column(ROWS)), exp.DType.BIGINT)
        value.replace(rows if is_rows else exp.Count(this=counted, big_int=True))
    source = tree.source(select)
    items = exp.select(*of_item).from_(source.copy()).group_by(*by, copy=False)
    items.set("where", select.args.get("where"))
    items.set("joins", select.args.get("joins"))
    select.set("where", None)
    select.set("joins", None)
    select.set("from_", exp.From(this=items.subquery(source.alias_or_name)))
    tree.quote(select)
