"""Lists in cells, and numbered columns, as lazy frames of Polars with a row for each item."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from rankmetrics.inputs.shapes import Shape
from rankmetrics.sqltree.names import free_name


def unnest(frame: pl.LazyFrame, shape: Shape) -> pl.LazyFrame:
    """A frame with a row for each item; a row without items stays, with NULL as its item and rank."""
    schema = frame.collect_schema()
    place = shape.rank or free_name("position", [*schema, *shape.fields.values(), *shape.wide])
    if shape.wide:
        gathered = [pl.concat_list(columns).alias(name) for name, columns in shape.wide.items()]
        rows = _explode(frame.select(*shape.kept(schema), *gathered), [*shape.wide], place, shape.rank_from)
        rows = rows.filter(pl.col(next(iter(shape.wide))).is_not_null() | (pl.col(place) == shape.rank_from))
    else:
        arrays = [pl.col(one).arr.to_list() for one in shape.lists if isinstance(schema[one], pl.Array)]
        rows = _explode(frame.with_columns(arrays), shape.lists, place, shape.rank_from)
    rows = rows if shape.rank else rows.drop(place)
    if not shape.fields:
        return rows
    listed = shape.lists[0]
    fields = [pl.col(listed).struct.field(field).alias(column) for field, column in shape.fields.items()]
    return rows.select(pl.exclude(listed), *fields)


def _explode(frame: pl.LazyFrame, columns: Sequence[str], place: str, first: int) -> pl.LazyFrame:
    """A row for each position of lists that are read side by side, with its number."""
    places = pl.int_ranges(first, pl.col(columns[0]).list.len().cast(pl.Int64) + first)
    return frame.with_columns(places.alias(place)).explode(*columns, place, empty_as_null=True)


def find_uneven(frame: pl.LazyFrame, shape: Shape, limit: int) -> pl.LazyFrame:
    """The first rows whose lists differ in length: the columns that stay, then the length of each list."""
    schema = frame.collect_schema()
    lengths = [_length(column, schema[column]) for column in shape.lists]
    keys = [column for column in shape.kept(schema) if not schema[column].is_nested()]
    differs = pl.any_horizontal(lengths[0] != other for other in lengths[1:])
    return frame.filter(differs).select(*keys, *lengths).sort(keys).head(limit)


def _length(name: str, kind: pl.DataType) -> pl.Expr:
    column = pl.col(name).arr.to_list() if isinstance(kind, pl.Array) else pl.col(name)
    return column.list.len().fill_null(0).alias(name)
