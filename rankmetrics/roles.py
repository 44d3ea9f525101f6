"""The columns of an input as expressions of the types that the query counts on."""

from __future__ import annotations

import re

from sqlglot import exp

from rankmetrics import tree
from rankmetrics.columns import Schema, Side
from rankmetrics.inputs import DIMENSION, INPUT_RANK, INPUT_ROW


def role_column(side: Side, column: exp.Column) -> exp.Expr:
    """A role column of an input, as a typed expression over the column that plays it; NULL where none does."""
    if column.name in (INPUT_ROW, INPUT_RANK, DIMENSION):
        return tree.column(column.name, column.table or None)
    played_by: str | None = getattr(side.roles, column.name, None)
    if played_by is None:
        return exp.Null()
    physical: exp.Expr = tree.given(played_by, column.table or None)
    return typed(column.name, physical, side.types, played_by)


def typed(role: str, physical: exp.Expr, types: Schema, name: str) -> exp.Expr:
    """A column in the type that the query counts on: ids without categories, ranks whole, the rest without NaN."""
    known = types.get(name)
    type_name = known.name.upper() if known else ""
    nan = exp.cast(exp.Literal.string("NaN"), exp.DType.DOUBLE)
    is_float = known is None or (known.family == "float" and not re.search("DECIMAL|NUMERIC|NUMBER", type_name))
    if role in ("id", "item", "other", "category"):
        # a category orders, and joins, by the number behind its name; databases order UUIDs differently
        told = exp.cast(physical, exp.DType.TEXT) if re.search("ENUM|UUID|UNIQUEIDENTIFIER", type_name) else physical
        told.meta[tree.IS_TEXT] = bool(type_name) and known is not None and known.family == "string"
        return told
    if role in ("rank", "pool"):
        return (
            physical if type_name in ("BIGINT", "INTEGER", "INT64", "INT32") else exp.cast(physical, exp.DType.BIGINT)
        )
    if role in ("rating", "popularity", "similarity", "embedding"):
        physical = physical if type_name in ("DOUBLE", "FLOAT64") else exp.cast(physical, exp.DType.DOUBLE)
        return exp.Nullif(this=physical, expression=nan) if is_float else physical
    physical.meta[tree.IS_SCORE] = is_float
    if role == "score" and is_float:
        return exp.Nullif(this=physical, expression=nan)
    return physical
