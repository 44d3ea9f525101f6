"""Types of Polars columns: the family of each, and casts to types that Polars can join."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from rankmetrics.engines.input import schema_of
from rankmetrics.inputs.columns import ColumnType, Family, Schema


def type_columns(what: str, schema: pl.Schema) -> Schema:
    """The columns of a frame, each with the family of its type.

    Raises:
        InputError: there is no column.
        ColumnError: two columns have names that differ in case only.
    """
    return schema_of(what, [(name, type_of(dtype)) for name, dtype in schema.items()])


def type_of(dtype: Any) -> ColumnType:
    """The type of a column, with the types of elements and fields."""
    element = type_of(dtype.inner) if isinstance(dtype, (pl.List, pl.Array)) else None
    fields = dtype.fields if isinstance(dtype, pl.Struct) else ()
    return ColumnType(
        family_of(dtype), str(dtype), element, tuple((field.name, type_of(field.dtype)) for field in fields)
    )


def family_of(dtype: pl.DataType) -> Family:
    """The family of a type, which decides what its columns may be used for."""
    if dtype.is_integer() or _is_whole(dtype):
        return "integer"
    if dtype.is_numeric():
        return "float"
    if isinstance(dtype, pl.Datetime) and dtype.time_zone:
        return "zoned datetime"
    if dtype.is_nested():
        return "nested"
    named: dict[Any, Family] = {
        pl.String: "string",
        pl.Categorical: "string",
        pl.Enum: "string",
        pl.Date: "date",
        pl.Datetime: "datetime",
        pl.Time: "time",
        pl.Duration: "duration",
        pl.Boolean: "boolean",
        pl.Binary: "binary",
        pl.Null: "unknown",
        pl.Unknown: "unknown",
    }
    return named.get(dtype.base_type(), "other")


def _is_whole(dtype: pl.DataType) -> bool:
    """Whether a type is a decimal without a fraction."""
    return isinstance(dtype, pl.Decimal) and dtype.scale == 0


def cast_to_common_types(
    frames: Mapping[str, pl.LazyFrame], schemas: Mapping[str, pl.Schema]
) -> dict[str, pl.LazyFrame]:
    """The frames with casts to types that Polars can join.

    Categories become strings, datetimes get one unit and zone, decimals without a fraction become whole numbers.
    """
    times = {dtype for schema in schemas.values() for dtype in schema.values() if isinstance(dtype, pl.Datetime)}
    return {name: frame.with_columns(_casts(schemas[name], times)) for name, frame in frames.items()}


def _casts(schema: pl.Schema, times: set[pl.Datetime]) -> Iterator[pl.Expr]:
    """The casts of the columns of one frame; `times` are the datetime types of all frames."""
    for name, dtype in schema.items():
        if isinstance(dtype, (pl.Categorical, pl.Enum)):
            yield pl.col(name).cast(pl.String)
        elif isinstance(dtype, pl.Datetime) and len(times) > 1:
            in_one_unit = pl.col(name).dt.cast_time_unit("us")
            yield in_one_unit.dt.convert_time_zone("UTC") if dtype.time_zone else in_one_unit
        elif _is_whole(dtype) or dtype == pl.UInt128:
            yield pl.col(name).cast(pl.Int128)
