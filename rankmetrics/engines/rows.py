"""SELECTs that make the rows of an input: those of several systems, or a row for each item of a list."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import sqlglot
from sqlglot import exp

from rankmetrics.dialects.base import grammar, known
from rankmetrics.inputs.columns import Schema
from rankmetrics.inputs.shapes import Shape
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name
from rankmetrics.sqltree.relations import after_from, call


def union_of_systems(tables: Mapping[str, exp.Expr], columns: Sequence[str], column: str) -> exp.Subquery:
    """The columns of each system's table, one table after the other, and a `column` of the system's name."""
    arms = []
    for system, table in tables.items():
        name = exp.cast(exp.Literal.string(system), exp.DType.VARCHAR)  # some databases give a bare text no type
        arms.append(exp.select(*map(tree.given, columns), tree.named(name, column)).from_(after_from(table, "rows")))
    return exp.Subquery(this=exp.union(*arms, distinct=False, copy=False) if len(arms) > 1 else arms[0])


def unnest(
    dialect: str, table: exp.Expr, shape: Shape, columns: Iterable[str], *, has_arrays: bool = False
) -> exp.Select | None:
    """A query with a row for each item; a row without items stays, with NULL as its item and rank.

    None where the dialect cannot unnest lists. With `has_arrays`, numbered columns become arrays, whose elements stay
    in order; otherwise a CASE picks each of them, which every database takes. `columns` are all those of the table.
    """
    if shape.wide and not has_arrays:
        return _pick_columns(table, shape, columns)
    other_columns = [tree.given(column) for column in shape.kept(columns)]
    if shape.wide:
        arrays = [tree.named(exp.Array(expressions=[*map(tree.given, of)]), name) for name, of in shape.wide.items()]
        table = exp.Subquery(this=exp.select(*other_columns, *arrays).from_(table.copy()))
    item, *others = shape.lists or shape.wide
    rows = _spread(dialect, table, item, [*columns, *shape.wide])
    if rows is None:
        return None
    select, element, place = rows
    items = [tree.named(element.copy(), item)]
    if shape.fields:
        fields = [exp.Dot(this=element.copy(), expression=exp.to_identifier(key, quoted=True)) for key in shape.fields]
        items = [tree.named(field, new) for field, new in zip(fields, shape.fields.values(), strict=True)]
    # an index of the database's own, and so without the offset between two databases; beyond the end is NULL (`safe`)
    for other in others:
        offset = grammar(dialect).INDEX_OFFSET
        at_place = exp.Bracket(this=tree.given(other), expressions=[place.copy()], offset=offset, safe=True)
        items.append(tree.named(at_place, other))
    select = exp.select(*other_columns, *items, *_rank(shape, place)).from_(call(exp.Subquery(this=select), "spread"))
    return select.where(_is_item(element, place)) if shape.wide else select


def _spread(
    dialect: str, source: exp.Expr, listed: str, columns: Collection[str]
) -> tuple[exp.Expr, exp.Column, exp.Column] | None:
    """A query with a row for each element of an array column, and its columns of the element and of its place."""
    if not (template := known(dialect).unnest):
        return None
    select = sqlglot.parse_one(template, read=grammar(dialect))
    new = {name: free_name(name, columns, "_") for name in ("element", "place", "elements")}
    for name in list(select.find_all(exp.Identifier)):
        name.set("this", new.get(name.name, name.name))
    for table in list(select.find_all(exp.Table)):
        if table.name == "source":
            inner = exp.select("*").from_(source.copy())
            table.replace(exp.Subquery(this=inner, alias=exp.TableAlias(this=exp.to_identifier("source"))))
    for column in list(select.find_all(exp.Column)):
        if column.name == "listed":
            column.replace(tree.column(listed, column.table or None))
    return select, exp.column(new["element"]), exp.column(new["place"])


def _pick_columns(table: exp.Expr, shape: Shape, columns: Iterable[str]) -> exp.Select:
    """A row for each numbered column, by a CASE over the numbers of the positions; it reads the table once."""
    n = len(next(iter(shape.wide.values())))
    number = free_name("position", [*columns, *shape.wide], "_")
    place = tree.column(number)
    numbers = exp.union(*(exp.select(tree.named(exp.Literal.number(i + 1), number)) for i in range(n)), distinct=False)
    picked = {}
    for name, of in shape.wide.items():
        case = exp.Case()
        for i, column in enumerate(of, start=1):
            case = case.when(exp.EQ(this=place.copy(), expression=exp.Literal.number(i)), tree.given(column))
        picked[name] = case
    cases = [tree.named(case, name) for name, case in picked.items()]
    rows = exp.select(*map(tree.given, shape.kept(columns)), *cases, *_rank(shape, place))
    source = exp.select("*").from_(after_from(table, "source"))
    rows = rows.from_(call(exp.Subquery(this=source), "rows"))
    rows = rows.join(call(exp.Subquery(this=numbers), "positions"), join_type="cross")
    return rows.where(_is_item(next(iter(picked.values())), place))


def _is_item(item: exp.Expr, place: exp.Expr) -> exp.Expr:
    """True for positions with an item, and for the first."""
    is_first = exp.EQ(this=place.copy(), expression=exp.Literal.number(1))
    return exp.or_(item.copy().is_(exp.Null()).not_(), is_first)


def _rank(shape: Shape, place: exp.Expr) -> list[exp.Expr]:
    if not shape.rank:
        return []
    rank = place.copy() if shape.rank_from == 1 else exp.Sub(this=place.copy(), expression=exp.Literal.number(1))
    return [tree.named(rank, shape.rank)]


def find_uneven(table: exp.Expr, shape: Shape, schema: Schema, limit: int) -> exp.Select:
    """A query for the first rows whose lists differ in length: the columns that stay, then the length of each list."""
    sizes = []
    for column in map(tree.given, shape.lists):
        size = exp.Coalesce(this=exp.ArraySize(this=column), expressions=[tree.literal(0)])  # NULL of an empty list
        sizes.append(exp.Case().when(column.is_(exp.Null()), tree.literal(0)).else_(size))  # -1 of NULL
    keys = [tree.given(column) for column in shape.kept(schema) if schema[column].family != "nested"]
    differs = [exp.NEQ(this=sizes[0].copy(), expression=other.copy()) for other in sizes[1:]]
    # some databases read a name in WHERE as that of an alias: no alias has the name of a column
    new = [free_name(f"n_{column}", schema, "_") for column in shape.lists]
    named = [tree.named(size, name) for name, size in zip(new, sizes, strict=True)]
    select = exp.select(*(key.copy() for key in keys), *named).from_(after_from(table, "rows")).where(exp.or_(*differs))
    return select.order_by(*keys).limit(limit)
