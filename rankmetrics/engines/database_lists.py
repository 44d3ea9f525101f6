"""Lists in cells, and numbered columns, as subqueries of a database with a row for each item."""

from __future__ import annotations

from sqlglot import exp

from rankmetrics.dialects.base import grammar
from rankmetrics.engines.catalog_queries import spread
from rankmetrics.inputs.columns import ColumnType, Schema
from rankmetrics.inputs.shapes import Shape
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name
from rankmetrics.sqltree.relations import after_from


def unnest(dialect: str, table: exp.Expr, shape: Shape, schema: Schema) -> tuple[exp.Expr, Schema] | None:
    """A query with a row for each item, and its columns; None where the dialect cannot unnest lists."""
    types = {column: schema[column] for column in shape.kept(schema)}
    if shape.wide:
        types |= {one: schema[columns[0]] for one, columns in shape.wide.items()}
    types |= {column: schema[column].element or schema[column] for column in shape.lists}
    found = _of_wide(table, shape, schema) if shape.wide else _of_lists(dialect, table, shape, schema)
    ranks = {shape.rank: ColumnType("integer", "whole")} if shape.rank else {}
    return None if found is None else (exp.Subquery(this=found), {**types, **ranks})


def _of_lists(dialect: str, table: exp.Expr, shape: Shape, schema: Schema) -> exp.Select | None:
    """A row for each position of lists that are read side by side."""
    item, *others = shape.lists
    rows = spread(dialect, table, item, schema)
    if rows is None:
        return None
    select, element, place = rows
    columns: list[exp.Expr] = [*map(tree.given, shape.kept(schema)), tree.named(element, item)]
    for other in others:  # an index of the database's own, and so without the offset between two databases
        at_place = exp.Bracket(this=tree.given(other), expressions=[place.copy()], offset=grammar(dialect).INDEX_OFFSET)
        columns.append(tree.named(at_place, other))
    columns += _rank(shape, place)
    return exp.select(*columns).from_(_called(select, "spread"))


def _of_wide(table: exp.Expr, shape: Shape, schema: Schema) -> exp.Select:
    """A row for each numbered column: the rows beside the numbers of the positions, and a CASE that picks the column.

    This needs no arrays, so that every database takes it, and it reads the table once.
    """
    n = len(next(iter(shape.wide.values())))
    place = free_name("position", [*schema, *shape.wide], "_")
    numbers = exp.union(*(exp.select(tree.named(exp.Literal.number(i + 1), place)) for i in range(n)), distinct=False)
    picked = {name: _pick(place, columns) for name, columns in shape.wide.items()}
    columns = [*map(tree.given, shape.kept(schema)), *(tree.named(one, name) for name, one in picked.items())]
    rows = exp.select(*columns, *_rank(shape, tree.column(place)))
    rows = rows.from_(_called(exp.select("*").from_(after_from(table, "source")), "rows"))
    rows = rows.join(_called(numbers, "positions"), join_type="cross")
    item = next(iter(picked.values())).copy()
    is_first = exp.EQ(this=tree.column(place), expression=exp.Literal.number(1))
    return rows.where(exp.or_(item.is_(exp.Null()).not_(), is_first))


def _pick(place: str, columns: tuple[str, ...]) -> exp.Expr:
    case = exp.Case()
    for number, column in enumerate(columns, start=1):
        is_here = exp.EQ(this=tree.column(place), expression=exp.Literal.number(number))
        case = case.when(is_here, tree.given(column))
    return case


def _rank(shape: Shape, place: exp.Expr) -> list[exp.Expr]:
    if not shape.rank:
        return []
    rank = place.copy() if shape.rank_from == 1 else exp.Sub(this=place.copy(), expression=exp.Literal.number(1))
    return [tree.named(rank, shape.rank)]


def find_uneven(source: exp.Expr, shape: Shape, schema: Schema, limit: int) -> exp.Select:
    """A query for the first rows whose lists differ in length: the columns that stay, then the length of each list."""
    zero = exp.Literal.number(0)
    sizes = [
        exp.Coalesce(this=exp.ArraySize(this=tree.given(column)), expressions=[zero.copy()]) for column in shape.lists
    ]
    keys = [tree.given(column) for column in shape.kept(schema) if schema[column].family != "nested"]
    differs = [exp.NEQ(this=sizes[0].copy(), expression=other.copy()) for other in sizes[1:]]
    # some databases read a name in WHERE as that of an alias: no alias has the name of a column
    called = [free_name(f"n_{column}", schema, "_") for column in shape.lists]
    named = [tree.named(size, one) for one, size in zip(called, sizes, strict=True)]
    select = exp.select(*(key.copy() for key in keys), *named).from_(source).where(exp.or_(*differs))
    return select.order_by(*keys).limit(limit)


def _called(select: exp.Expr, name: str) -> exp.Subquery:
    return exp.Subquery(this=select, alias=exp.TableAlias(this=exp.to_identifier(name, quoted=True)))
