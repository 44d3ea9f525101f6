"""A segmentation whose columns are known: which table or number it reads, and how values become segments."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rankmetrics.engines.base import Engine, Input
from rankmetrics.errors import ColumnError, InputError, Option, did_you_mean, names, plain
from rankmetrics.inputs.columns import NUMBERS as NUMERIC
from rankmetrics.inputs.columns import Columns, Layout, Schema, Side, check_same
from rankmetrics.inputs.list_columns import match
from rankmetrics.inputs.sources import ITEM
from rankmetrics.segments.given import NUMBERS, Buckets, Cold
from rankmetrics.sqltree.names import free_name

# Types whose values cannot be written as the name of a segment.
NO_SEGMENT = ("nested", "binary", "unknown", "other")


@dataclass(frozen=True)
class Table:
    """A table of segments.

    Attributes:
        input: the table as its engine sees it.
        side: its list columns, or its item column.
        value: the column that holds the segment, or the number that is put into buckets.
    """

    input: Input
    side: Side
    value: str

    @property
    def is_of_items(self) -> bool:
        """Whether it has segments of items, and not of lists."""
        return not self.side.lists


@dataclass(frozen=True)
class Segmentation:
    """A segmentation: lists, or relevant items, in segments.

    Attributes:
        name: its name.
        file: the file of sql/segments that makes segments of values.
        n_buckets: how many buckets were asked for; None where there are no buckets.
        part: the part of sql/parts that holds the number of each list; None where a table has the values.
        table: the table that has the values; None for a number of each list.
    """

    name: str
    file: str
    n_buckets: int | None = None
    part: str | None = None
    table: Table | None = None

    @property
    def is_of_items(self) -> bool:
        """Whether the relevant items are in segments, and not the lists."""
        return self.table is not None and self.table.is_of_items


def find_segmentations(given: Mapping[str, object], engine: Engine, layout: Layout) -> tuple[Segmentation, ...]:
    """The segmentations, with their tables opened by the engine and their columns found.

    Args:
        given: the segmentations by name, as `read_segments` returns them.
        engine: the engine of the evaluation.
        layout: the columns of the evaluation.

    Raises:
        InputError: a table cannot be read, or a number needs a history and there is none.
        ColumnError: a table has no list column and no item, or it is not clear which column holds the segment.
    """
    return tuple(_found(name, one, engine, layout) for name, one in given.items())


def _found(name: str, one: object, engine: Engine, layout: Layout) -> Segmentation:
    if isinstance(one, Cold):
        return Segmentation(name, "cold", part=_part(name, "n_history", layout))
    if isinstance(one, Buckets) and one.number is not None:
        return Segmentation(name, "buckets", one.n, _part(name, one.number, layout))
    value, column = (one.of, one.column) if isinstance(one, Buckets) else (one, None)
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], str):
        value, column = value
    table = _table(name, value, column, engine, layout)
    if not isinstance(one, Buckets):
        return Segmentation(name, "categories", table=table)
    kind = table.input.schema[table.value]
    if kind.family not in NUMERIC:
        raise ColumnError(f"Buckets of {name!r} need a column of numbers, and {table.value!r} is {kind}.")
    if table.is_of_items:
        raise ColumnError(
            f"The segments {name!r} put items into buckets: buckets are for lists. Put the items into segments "
            f"yourself, with a column of texts in place of {table.value!r}."
        )
    return Segmentation(name, "buckets", one.n, table=table)


def _part(name: str, number: str, layout: Layout) -> str:
    """The part that holds a number of each list; refuses a number whose input was not given."""
    has_items = "items" in layout.extras and layout.extras["items"].roles.popularity is not None
    is_there = number == "n_relevant" or "history" in layout.extras or (number == "popularity" and has_items)
    if not is_there:
        raise InputError(
            f"The segments {name!r} are computed from the history, and none was given: evaluate with ",
            Option("history"),
            ".",
        )
    return NUMBERS[number]


def _table(name: str, value: object, column: str | None, engine: Engine, layout: Layout) -> Table:
    called = free_name(f"segments_{re.sub(r'[^A-Za-z0-9]+', '_', name).strip('_').lower()}", engine.beside, "_")
    found = engine.open_beside(called, value)
    schema = found.schema
    if column is not None and column not in schema:
        raise ColumnError(
            f"The table of the segments {name!r} has no column {column!r}: there were {names(schema)}."
            f"{did_you_mean(column, schema)}"
        )
    keys = {one: kind for one, kind in schema.items() if one != column}
    side = _side(f"table of the segments {name!r}", keys, layout)
    return Table(found, side, _segment_column(name, column, schema, side))


def _side(what: str, keys: Schema, layout: Layout) -> Side:
    """The list columns of a table, or its item column where it shares no list column by name."""
    item = _item_column(keys, layout)
    shared = [column for column in layout.lists if column in keys]
    if item is not None and not shared:
        if layout.has_candidates:
            raise InputError(
                f"The {what} has items, and each list is ranked among candidates: its relevant items of other segments "
                "would be no candidates any more. Segments of items are for a ranking of all items."
            )
        check_same(what, layout.recs_types, keys, [("item", layout.recs.item, item)])
        return Side(Columns(item=item), (), keys)
    lists, own = match(what, keys, Columns(), layout.lists, None, () if shared else layout.truth_lists)
    side = Side(Columns(lists=own), lists, keys)
    check_same(
        what, layout.recs_types, keys, [(f"list column {column!r}", column, side.own(column)) for column in lists]
    )
    return side


def _item_column(schema: Schema, layout: Layout) -> str | None:
    """The item column of a table: called as in the evaluation, else by a usual name."""
    called = [one for one in (layout.recs.item, layout.truth.item) if one in schema]
    usual = [column for column in schema if plain(column) in ITEM]
    return next(iter([*called, *usual]), None)


def _segment_column(name: str, column: str | None, schema: Schema, side: Side) -> str:
    """The column that holds the segment.

    It is the named column. If none is named, it is the column called as the segmentation, or else the only column left.
    """
    used = {*side.list_columns, side.roles.item}
    left: Sequence[str] = [one for one in schema if one not in used] if column is None else [column]
    if name in left:
        left = [name]
    if len(left) != 1:
        has = f"it has {names(left)} beside {names(sorted(filter(None, used)))}" if left else f"it has {names(schema)}"
        raise ColumnError(
            f"Which column of the table holds the segments {name!r}? {has[0].upper()}{has[1:]}. Name it: "
            f'{{{name!r}: (table, "column")}}, on the command line --segment {name}=TABLE:COLUMN.'
        )
    kind = schema[left[0]]
    if kind.family in NO_SEGMENT:
        raise ColumnError(f"The segments {name!r} cannot be of the column {left[0]!r}, which is {kind}.")
    return left[0]
