"""The columns of an input, cast to the types that the query expects."""

from __future__ import annotations

import re

from sqlglot import exp

from rankmetrics.inputs.columns import ColumnType, Schema, Side
from rankmetrics.inputs.sources import RANK_AS_FLOAT
from rankmetrics.sqltree import tree


def role_column(side: Side, column: exp.Column) -> exp.Expr:
    """A role column of an input, as a typed expression over the column that plays it; NULL where none does."""
    if column.name == RANK_AS_FLOAT or (column.name == "rank" and RANK_AS_FLOAT in side.added):
        found: exp.Expr = exp.cast(tree.given(str(side.roles.rank), column.table or None), exp.DType.DOUBLE)
        return _from_1(found, side) if column.name == "rank" else found
    if column.name in side.added:
        return tree.given(side.added[column.name], column.table or None)
    played_by: str | None = getattr(side.roles, column.name, None)
    if played_by is None:
        return exp.Null()
    physical: exp.Expr = tree.given(played_by, column.table or None)
    found = typed(column.name, physical, side.types, played_by)
    if column.name == "score" and side.roles.distance:
        return exp.Neg(this=_signed(found, side.types[played_by]))
    return _from_1(found, side) if column.name == "rank" else found


def _from_1(rank: exp.Expr, side: Side) -> exp.Expr:
    """A rank counted from 1."""
    if side.rank_from == 1:
        return rank
    return exp.Paren(this=exp.Add(this=rank, expression=tree.literal(1 - side.rank_from)))


def _signed(distance: exp.Expr, kind: ColumnType) -> exp.Expr:
    """A distance in a type that has negative numbers."""
    return exp.cast(distance, exp.DType.BIGINT if kind.family == "integer" else exp.DType.DOUBLE)


def typed(role: str, physical: exp.Expr, types: Schema, name: str) -> exp.Expr:
    """A column in the type of its role: ids as plain values, ranks as whole numbers, other numbers without NaN."""
    known = types.get(name)
    type_name = known.name.upper() if known else ""
    nan = exp.cast(exp.Literal.string("NaN"), exp.DType.DOUBLE)
    is_float = known is None or (known.family == "float" and not re.search("DECIMAL|NUMERIC|NUMBER", type_name))
    if role in ("id", "item", "other", "category"):
        # a category orders, and joins, by the number behind its name; databases order UUIDs differently
        told = exp.cast(physical, exp.DType.TEXT) if re.search("ENUM|UUID|UNIQUEIDENTIFIER", type_name) else physical
        if known is not None and type_name and known.family == "string":
            told.type = exp.DataType(this=exp.DType.TEXT)
        return told
    if role in ("rank", "pool"):
        return (
            physical if type_name in ("BIGINT", "INTEGER", "INT64", "INT32") else exp.cast(physical, exp.DType.BIGINT)
        )
    if known is not None and known.family == "boolean" and role == "rating":
        return _as_number(physical)
    if role in ("rating", "popularity", "similarity", "embedding"):
        physical = physical if type_name in ("DOUBLE", "FLOAT64") else exp.cast(physical, exp.DType.DOUBLE)
        return exp.Nullif(this=physical, expression=nan) if is_float else physical
    if is_float:
        physical.type = exp.DataType(this=exp.DType.DOUBLE)
    if role == "score" and is_float:
        return exp.Nullif(this=physical, expression=nan)
    return physical


def _as_number(boolean: exp.Expr) -> exp.Expr:
    """A boolean as a number: 1 for true, 0 for false, NULL for NULL."""
    no, yes = (exp.cast(tree.literal(number), exp.DType.DOUBLE) for number in (0, 1))
    return exp.Case().when(boolean, yes).when(exp.Not(this=boolean.copy()), no)
