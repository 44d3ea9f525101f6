"""Lists in cells, and numbered columns, as subqueries of DuckDB with a row for each item."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sqlglot import exp

from rankmetrics.inputs.columns import ColumnType, Schema
from rankmetrics.inputs.shapes import Shape
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name


def unnest(table: exp.Expr, shape: Shape, schema: Schema) -> exp.Subquery:
    """A query with a row for each item; a row without items stays, with NULL as its item and rank."""
    kept = shape.kept(schema)
    place = shape.rank or free_name("position", [*schema, *shape.fields.values(), *shape.wide])
    if shape.wide:
        lists: Mapping[str, exp.Expr] = {
            name: exp.Array(expressions=[*map(tree.column, columns)]) for name, columns in shape.wide.items()
        }
        rows = _explode(table, kept, lists, place, shape.rank_from)
        item = tree.column(next(iter(shape.wide)))
        is_first = exp.EQ(this=tree.column(place), expression=exp.Literal.number(shape.rank_from))
        return _select(rows, [*kept, *shape.wide, *_place(shape)], exp.or_(item.is_(exp.Null()).not_(), is_first))
    lists = {name: _as_list(name, schema[name]) for name in shape.lists}
    rows = _explode(table, kept, lists, place, shape.rank_from)
    if not shape.fields:
        return _select(rows, [*kept, *shape.lists, *_place(shape)])
    fields = [
        tree.named(exp.func("STRUCT_EXTRACT", tree.column(shape.lists[0]), exp.Literal.string(field)), column)
        for field, column in shape.fields.items()
    ]
    return _select(rows, [*kept, *fields, *_place(shape)])


def _place(shape: Shape) -> list[str]:
    return [shape.rank] if shape.rank else []


def _select(rows: exp.Expr, columns: Sequence[str | exp.Expr], condition: exp.Expr | None = None) -> exp.Subquery:
    select = exp.select(*(tree.column(column) if isinstance(column, str) else column for column in columns)).from_(rows)
    return exp.Subquery(this=select.where(condition) if condition else select)


def _explode(
    table: exp.Expr, kept: Sequence[str], lists: Mapping[str, exp.Expr], place: str, first: int
) -> exp.Subquery:
    """A row for each position of lists that are read side by side, with its number."""
    spread = [tree.named(exp.Explode(this=_never_empty(listed)), name) for name, listed in lists.items()]
    places: exp.Expr = exp.func("GENERATE_SUBSCRIPTS", next(iter(lists.values())).copy(), exp.Literal.number(1))
    if first != 1:
        places = exp.Sub(this=places, expression=exp.Literal.number(1 - first))
    return _select(table.copy(), [*kept, *spread, tree.named(places, place)])


def _never_empty(listed: exp.Expr) -> exp.Expr:
    """A list, or a list of one NULL in the place of an empty list: UNNEST would drop the row."""
    empty = exp.LTE(this=exp.func("LEN", listed.copy()), expression=exp.Literal.number(0))
    full = exp.Case().when(empty, exp.Null()).else_(listed.copy())
    return exp.Coalesce(this=full, expressions=[exp.Array(expressions=[exp.Null()])])


def _as_list(name: str, kind: ColumnType) -> exp.Expr:
    """A list column; a column of arrays is cast, since CASE takes lists only."""
    if fixed := re.fullmatch(r"(.*)\[\d+\]", kind.name):
        return exp.cast(tree.column(name), exp.DataType.build(f"{fixed[1]}[]", dialect="duckdb"))
    return tree.column(name)


def find_uneven(table: exp.Expr, shape: Shape, schema: Schema, limit: int) -> exp.Select:
    """A query for the first rows whose lists differ in length: the columns that stay, then the length of each list."""
    zero = exp.Literal.number(0)
    lengths = [
        exp.Coalesce(this=exp.func("LEN", tree.column(column)), expressions=[zero.copy()]) for column in shape.lists
    ]
    keys = [tree.column(column) for column in shape.kept(schema) if schema[column].family != "nested"]
    differs = [exp.NEQ(this=lengths[0].copy(), expression=other.copy()) for other in lengths[1:]]
    named = [tree.named(length, one) for one, length in zip(shape.lists, lengths, strict=True)]
    select = exp.select(*(key.copy() for key in keys), *named).from_(table.copy()).where(exp.or_(*differs))
    return select.order_by(*keys).limit(limit)
