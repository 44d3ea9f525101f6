"""Segmentations: a table, buckets of a number, or a word such as `activity`; and the columns that they read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from rankmetrics.engines.base import Engine, Input
from rankmetrics.errors import ColumnError, InputError, Option, choices_for, names, plain
from rankmetrics.inputs.columns import NUMBERS as NUMERIC
from rankmetrics.inputs.columns import Columns, Layout, Schema, Side, check_same
from rankmetrics.inputs.layout import match
from rankmetrics.inputs.roles import ITEM
from rankmetrics.messages import said
from rankmetrics.options import whole_number
from rankmetrics.sqltree.names import free_name

# The numbers of a list that rankmetrics computes itself, each with the part of sql/parts that holds it.
NUMBERS: Mapping[str, str] = {"n_history": "n_history", "n_relevant": "n_relevant", "popularity": "relevant_popularity"}

N_BUCKETS = 5

# Types whose values cannot be written as the name of a segment.
NO_SEGMENT = ("nested", "binary", "mixed", "unknown", "other")


# --- as the caller gives them -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Buckets:
    """Quantile buckets of a number, as `rm.buckets` returns them."""

    of: object  # the name of a number of each list, or a table that has the number
    column: str | None = None  # of the table; None for the only column that is not a list column
    n: int = N_BUCKETS


@dataclass(frozen=True)
class Cold:
    """Lists whose owner has no history, and all others."""


# The segmentations that a word names.
WORDS: Mapping[str, Buckets | Cold] = MappingProxyType(
    {"activity": Buckets("n_history"), "popularity": Buckets("popularity"), "cold": Cold()}
)


def buckets(of: object, column: str | int | None = None, n: int = N_BUCKETS) -> Buckets:
    """Quantile buckets of a number, for `Result.segments`: about as many lists in each.

    Equal numbers are never in two buckets, so there are fewer buckets where numbers repeat. A bucket is called after
    its lowest and its highest number, as in `3 to 7`. Where a table has the number, its rows are counted instead of
    lists: a bucket of users has as many users as any other.

    Args:
        of: `"n_history"` (the number of items in the history of the list), `"n_relevant"` (the number of relevant
            items), `"popularity"` (the mean number of users who have a relevant item in their history), or a table of
            any kind that evaluate takes.
        column: of a table, the column that holds the number; not needed if it is the only column besides list columns.
        n: how many buckets, from 2 to 1000.

    Raises:
        InputError: there is no such number, or `n` is not a whole number from 2 to 1000.

    Example:
        >>> buckets("n_history", 5)
        Buckets(of='n_history', column=None, n=5)
        >>> buckets("users.parquet", "age", 4)
        Buckets(of='users.parquet', column='age', n=4)
    """
    name, n = (None, column) if isinstance(column, (int, float)) else (column, n)
    whole_number("n", n, 2, 1000)
    if isinstance(of, str) and name is None and of not in NUMBERS:
        raise said(InputError, "unknown_number", number=of, choices=choices_for(of, NUMBERS), n=n)
    return Buckets(of, name, n)


def read_segments(option: object) -> dict[str, object]:
    """The segmentations by their names; words need no mapping."""
    if isinstance(option, str):
        option = [option]
    if isinstance(option, Iterable) and not isinstance(option, Mapping) and not hasattr(option, "columns"):
        option = {word: word for word in option}
        for word in option:
            if isinstance(word, str) and word not in WORDS and word not in NUMBERS:
                choices, naming = choices_for(word, WORDS), Option("by", [word])
                raise said(InputError, "unknown_word", word=word, choices=choices, naming=naming)
    if not isinstance(option, Mapping) or not option or not all(isinstance(name, str) and name for name in option):
        shown = repr(option) if len(repr(option)) <= 80 else f"a {type(option).__name__}"
        raise said(InputError, "unnamed_segments", words=[*WORDS], found=shown)
    for segments in option.values():
        if isinstance(segments, str) and segments in {*NUMBERS} - {*WORDS}:
            raise said(InputError, "number_without_buckets", number=segments)
    return {
        name: WORDS[segments] if isinstance(segments, str) and segments in WORDS else segments
        for name, segments in option.items()
    }


# --- with their columns -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SegmentTable:
    """A table of segments, as its engine sees it."""

    input: Input
    side: Side  # its list columns, or its item column
    value: str  # the column that holds the segment, or the number that is put into buckets

    def renamed(self, rename: Callable[[str], str]) -> SegmentTable:
        """The same table with other names of columns."""
        schema = {rename(name): kind for name, kind in self.input.schema.items()}
        return SegmentTable(replace(self.input, schema=schema), self.side.renamed(rename), rename(self.value))


@dataclass(frozen=True)
class Segmentation:
    """Lists, or relevant items, in segments."""

    name: str
    file: str  # the file of sql/segments that makes segments of values
    n_buckets: int | None = None
    part: str | None = None  # the part of sql/parts that holds the number of each list; None where a table has values
    table: SegmentTable | None = None

    @property
    def is_of_items(self) -> bool:
        """True if the relevant items are in segments, and not the lists."""
        return self.table is not None and not self.table.side.lists


def find_segmentation(name: str, segments: object, engine: Engine, layout: Layout) -> Segmentation:
    """A segmentation as `read_segments` returns it, with its table opened by the engine and its columns found."""
    if isinstance(segments, Cold):
        return Segmentation(name, "cold", part=_part(name, "n_history", layout))
    value, column = (segments.of, segments.column) if isinstance(segments, Buckets) else (segments, None)
    if isinstance(segments, Buckets) and isinstance(value, str) and column is None:
        return Segmentation(name, "buckets", segments.n, _part(name, value, layout))
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], str):
        value, column = value
    step = free_name(f"segments_{re.sub(r'[^A-Za-z0-9]+', '_', name).strip('_').lower()}", engine.beside, "_")
    opened = engine.open_beside(step, value)
    if column is not None and column not in opened.schema:
        choices = choices_for(column, opened.schema)
        raise said(ColumnError, "no_segment_column", name=name, column=column, choices=choices)
    keys = {key: kind for key, kind in opened.schema.items() if key != column}
    side = _side(f"table of the segments {name!r}", keys, layout)
    table = SegmentTable(opened, side, _segment_column(name, column, opened.schema, side))
    if not isinstance(segments, Buckets):
        return Segmentation(name, "categories", table=table)
    kind = table.input.schema[table.value]
    if kind.family not in NUMERIC:
        raise ColumnError(f"Buckets of {name!r} need a column of numbers, and {table.value!r} is {kind}.")
    if not table.side.lists:
        raise said(ColumnError, "buckets_of_items", name=name, column=table.value)
    return Segmentation(name, "buckets", segments.n, table=table)


def _part(name: str, number: str, layout: Layout) -> str:
    """The part that holds a number of each list; refuses a number whose input was not given."""
    has_items = "items" in layout.extras and layout.extras["items"].roles.popularity is not None
    is_there = number == "n_relevant" or "history" in layout.extras or (number == "popularity" and has_items)
    if not is_there:
        raise said(InputError, "segments_without_history", name=name)
    return NUMBERS[number]


def _side(what: str, keys: Schema, layout: Layout) -> Side:
    """The list columns of a table, or its item column where it shares no list column by name."""
    same_names = [column for column in (layout.recs.item, layout.truth.item) if column in keys]
    item = next(iter([*same_names, *(column for column in keys if plain(column) in ITEM)]), None)
    shared = [column for column in layout.lists if column in keys]
    if item is not None and not shared:
        if layout.has_candidates:
            raise said(InputError, "segments_of_candidates", table=what)
        check_same(what, layout.recs_types, keys, [("item", layout.recs.item, item)])
        return Side(Columns(item=item), (), keys)
    lists, own = match(what, keys, Columns(), layout.lists, None, () if shared else layout.truth_lists)
    side = Side(Columns(lists=own), lists, keys)
    check_same(
        what, layout.recs_types, keys, [(f"list column {column!r}", column, side.own(column)) for column in lists]
    )
    return side


def _segment_column(name: str, column: str | None, schema: Schema, side: Side) -> str:
    """The column that holds the segment: the named one, or the one called as the segmentation, or the only one left."""
    used = {*side.list_columns, side.roles.item}
    left: Sequence[str] = [name for name in schema if name not in used] if column is None else [column]
    if name in left:
        left = [name]
    if len(left) != 1:
        found = f"{names(left)} beside {names(sorted(filter(None, used)))}" if left else [*schema]
        raise said(ColumnError, "which_segment", name=name, found=found)
    kind = schema[left[0]]
    if kind.family in NO_SEGMENT:
        raise ColumnError(f"The segments {name!r} cannot be of the column {left[0]!r}, which is {kind}.")
    return left[0]
