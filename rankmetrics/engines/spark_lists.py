"""Lists in cells, and numbered columns, as DataFrames of Spark with a row for each item."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyspark.sql import functions

from rankmetrics.inputs.shapes import Shape


def unnest(frame: Any, shape: Shape, place: str) -> Any:
    """A DataFrame with a row for each item; a row without items stays, with NULL as its item and rank.

    `place` is the name of a column that the DataFrame does not have.
    """
    kept = [_column(one) for one in shape.kept(frame.columns)]
    arrays: Mapping[str, Any] = {one: _column(one) for one in shape.lists}
    if shape.wide:
        arrays = {name: functions.array(*map(_column, columns)) for name, columns in shape.wide.items()}
    item, *others = arrays
    beside = {one: f"{place}_{number}" for number, one in enumerate(others)}
    listed = [arrays[other].alias(beside[other]) for other in others]
    rows = frame.select(*kept, *listed, functions.posexplode_outer(arrays[item]).alias(place, item))
    if shape.wide:
        rows = rows.filter(_column(item).isNotNull() | (_column(place) == 0))
    at_place = [functions.try_element_at(_column(beside[other]), _column(place) + 1).alias(other) for other in others]
    found = [_column(item), *at_place]
    if shape.fields:
        found = [_column(item).getField(field).alias(column) for field, column in shape.fields.items()]
    rank = [(_column(place) + shape.rank_from).alias(shape.rank)] if shape.rank else []
    return rows.select(*kept, *found, *rank)


def find_uneven(frame: Any, shape: Shape, limit: int) -> Any:
    """The first rows whose lists differ in length: the columns that stay, then the length of each list."""
    nested = {field.name for field in frame.schema.fields if field.dataType.typeName() in ("array", "map", "struct")}
    keys = [_column(column) for column in shape.kept(frame.columns) if column not in nested]
    lengths = [functions.coalesce(functions.array_size(_column(column)), functions.lit(0)) for column in shape.lists]
    differs = functions.lit(False)  # a literal of SQL
    for other in lengths[1:]:
        differs = differs | (lengths[0] != other)
    named = [length.alias(one) for one, length in zip(shape.lists, lengths, strict=True)]
    return frame.filter(differs).select(*keys, *named).sort(*keys).limit(limit)


def _column(name: str) -> Any:
    """A column by its name, in the quotes that Spark's functions expect."""
    return functions.col(f"`{name.replace('`', '``')}`")
