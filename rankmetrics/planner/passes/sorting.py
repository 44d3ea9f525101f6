"""Sorts the rows of an input, and gives each row the columns of the rows before it.

What passes that sort have in common. DuckDB sorts all rows once at half the work of a window, and goes through sorted
rows one by one: neither OVER () nor OVER (ROWS UNBOUNDED PRECEDING) sorts again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sqlglot import exp

from rankmetrics.planner.model import Cte, Query
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import NewNames

# Takes a SELECT over an input, the number of a part and how many parts there are; changes the SELECT in place.
Change = Callable[[exp.Select, int, int], None]


def over_inputs(query: Query) -> Iterator[tuple[exp.Select, Cte]]:
    """The SELECTs of a query that read an input, and not a step; each with the stage that it is, or an empty one."""
    skeleton = tree.skeleton(query.select)
    steps = {node.alias for node in skeleton if isinstance(node, exp.CTE)}
    for select in [node for node in skeleton if isinstance(node, exp.Select) and node.args.get("from_")]:
        if tree.source(select).name not in steps:
            name = select.parent.alias if isinstance(select.parent, exp.CTE) else ""
            yield select, query.stages.get(name) or Cte(name, select)


def replace_by_parts(select: exp.Select, n_parts: int, change: Change) -> None:
    """Replace a SELECT over an input by one SELECT for each part of the lists, joined by UNION ALL."""
    parts = [select.copy() for _ in range(n_parts)]
    for number, part in enumerate(parts):
        change(part, number, n_parts)
    select.replace(exp.union(*parts, distinct=False, copy=False) if n_parts > 1 else parts[0])


def sorted_rows(
    select: exp.Select, lists: list[exp.Expr], within: list[exp.Expr], kept: list[exp.Expr], part: int, n_parts: int
) -> exp.Select:
    """The rows of the input that are of this part, sorted: list after list, each in its own order."""
    order: list[exp.Expr] = [exp.Ordered(this=one.copy(), nulls_first=False) for one in lists]
    order += [one.copy() for one in within]
    source = tree.source(select).copy()
    for column in [one for ordered in order for one in tree.find(ordered, exp.Column)]:
        column.set("table", exp.to_identifier(source.alias_or_name))  # and not what is returned under that name
    rows = exp.select(*kept).from_(source).order_by(*order)
    rows.set("where", select.args.get("where"))
    if n_parts > 1:
        hashed = exp.Anonymous(this="HASH", expressions=[one.copy() for one in lists])
        of_lists = exp.Mod(this=hashed, expression=tree.literal(n_parts))
        rows.where(exp.EQ(this=of_lists, expression=tree.literal(part)), copy=False)
    return rows


def with_row_before(rows: exp.Select, new: NewNames) -> exp.Subquery:
    """Sorted rows, each with the columns of the row before."""
    told = rows_before(new, tree.outputs(rows), 1)
    return exp.select(exp.Star(), *told).from_(rows.subquery("sorted")).subquery("beside")


def rows_before(new: NewNames, columns: list[str], rows: int) -> list[exp.Expr]:
    """The columns of the row that stands so many rows before."""
    offset = {"offset": exp.Literal.number(rows)} if rows > 1 else {}
    values = [exp.Window(this=exp.Lag(this=tree.column(column), **offset)) for column in columns]
    return [tree.named(one, new(before(name, rows))) for one, name in zip(values, columns, strict=True)]


def begins(new: NewNames, lists: list[str], rows: int) -> exp.Expr:
    """Whether a row belongs to another list than the row so many rows before."""
    others = [tree.column(new(before(column, rows))) for column in lists]
    return exp.or_(
        *(exp.NullSafeNEQ(this=tree.column(one), expression=other) for one, other in zip(lists, others, strict=True))
    )


def before(column: str, rows: int) -> str:
    """The name of a column of so many rows before."""
    return f"{column}_{rows}_before"
