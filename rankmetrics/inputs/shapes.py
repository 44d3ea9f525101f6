"""Shapes of inputs that hold several items in a row, and their columns once each item has a row."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count

from rankmetrics.errors import ColumnError, plain
from rankmetrics.inputs.columns import NO_ID, NUMBERS, Columns, ColumnType, Schema, naming
from rankmetrics.inputs.roles import ITEM, LISTED_ITEM, LISTS_OF, RATING, USUAL
from rankmetrics.inputs.sources import RANKED as RANKED_INPUTS
from rankmetrics.inputs.sources import called
from rankmetrics.messages import refused

# The inputs that may hold several items in a row. The lists among the items' properties are not lists of items.
SHAPED = ("recs", "truth", "history", "baseline", "catalog")

# The name of the column that is added for the rank of an item in its list.
RANK = "rank"

# The name of a column that holds one position of each list, as in `rec_3`: the name of the list, then the position.
NUMBERED = re.compile(r"(.*[^\d_ ])[_ ]?(\d+)")


@dataclass(frozen=True)
class Shape:
    """An input with several items in a row, and the columns that replace its own."""

    lists: tuple[str, ...] = ()  # the columns that are read side by side: the elements at a position are of one item
    fields: Mapping[str, str] = field(default_factory=dict)  # for a list of structs, the new column of each field
    # numbered columns in the order of their numbers, by the column that replaces them; the items come first
    wide: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rank: str | None = None  # the column that is added for the position of an item; None if positions are not ranks
    rank_from: int = 1  # the rank of the first position: 1, or 0
    roles: Mapping[str, str] = field(default_factory=dict)  # the column of each role, for columns without a usual name

    @property
    def replaced(self) -> tuple[str, ...]:
        """The columns of the input that the new columns replace."""
        return (*self.lists, *(column for columns in self.wide.values() for column in columns))

    def kept(self, columns: Iterable[str]) -> list[str]:
        """The columns that stay as they are: they have one value for all items of a row."""
        return [column for column in columns if column not in self.replaced]


def find_shape(
    name: str, schema: Schema, named: Columns, *, rank_from: int = 1, labels: Collection[str] = ()
) -> Shape | None:
    """The shape of an input that holds several items in a row; None if each item has a row of its own.

    Columns of `labels` that hold lists are read beside the items.
    """
    if _has_rows_of_items(name, schema, named):
        return None
    lists = {column: kind.element for column, kind in schema.items() if kind.element is not None}
    if lists:
        return _of_lists(name, schema, lists, named, rank_from, labels)
    return _of_wide(name, schema, named, rank_from)


def _usual(name: str) -> Mapping[str, frozenset[str]]:
    """The usual names of the columns of an input, by role."""
    return USUAL[called(name)]


def _has_rows_of_items(name: str, schema: Schema, named: Columns) -> bool:
    """True if a column of the input holds one item in each row."""
    if named.item in schema:
        return schema[str(named.item)].family != "nested"
    return any(plain(column) in _usual(name)["item"] and kind.family != "nested" for column, kind in schema.items())


# --- lists ------------------------------------------------------------------------------------------------------------


def _of_lists(
    name: str,
    schema: Schema,
    lists: Mapping[str, ColumnType],
    named: Columns,
    rank_from: int,
    labels: Collection[str],
) -> Shape | None:
    """The shape of an input with a list of items in a cell."""
    item = _list_of_items(name, lists, named)
    if lists[item].fields:
        return _of_structs(name, schema, item, named, rank_from)
    roles = {"item": item, **_beside(name, [column for column in lists if column != item], named)}
    columns = tuple(dict.fromkeys([*roles.values(), *(label for label in labels if label in lists)]))
    return _ranked(name, Shape(columns, rank_from=rank_from, roles=roles), schema, named)


def _list_of_items(name: str, lists: Mapping[str, ColumnType], columns: Columns) -> str:
    """The list column that holds the items: the named one, the only one, the only one of structs, or by its name.

    A table may hold the recommended items in one column, and the relevant items in another: it is given as both inputs.
    """
    if columns.item in lists:
        return str(columns.item)
    of_structs = [column for column, element in lists.items() if element.fields]
    named = [column for column in lists if _singular(column) in LISTED_ITEM]
    usual = LISTS_OF.get(name)
    by_input = [column for column in lists if usual and usual.search(plain(column))]
    for candidates in ([*lists], of_structs, named, by_input):
        if len(candidates) == 1:
            return candidates[0]
    raise _ambiguous(name, "list columns", named or [*lists])


def _beside(name: str, columns: Iterable[str], named_columns: Columns) -> dict[str, str]:
    """The column of each role but the item's, among columns that hold a value for each item of the list."""
    rest, roles = [*columns], {}
    for role, usual in _usual(name).items():
        named = getattr(named_columns, role)
        candidates = (
            [named] if named in rest else [column for column in rest if named is None and _singular(column) in usual]
        )
        if role != "item" and candidates:
            if len(candidates) > 1:
                by_name = naming(called(name), role, candidates[0])
                raise refused("which_beside", table=called(name), role=role, found=candidates, naming=by_name)
            roles[role] = candidates[0]
            rest.remove(candidates[0])
    return roles


def _of_structs(name: str, schema: Schema, column: str, named: Columns, rank_from: int) -> Shape:
    """The shape of an input with a list of structs in a cell: the fields become columns."""
    element = schema[column].element
    assert element is not None  # the caller chose a list
    rest = {other.lower() for other in schema if other != column}
    fields = {key: f"{column}_{key}" if key.lower() in rest else key for key, _ in element.fields}
    types = {fields[key]: kind for key, kind in element.fields}
    roles = {}
    ids = [key for key, kind in types.items() if kind.family not in NO_ID and plain(key) not in RATING]
    ids = [key for key in ids if not any(plain(key) in usual for usual in _usual(name).values())]
    if named.item not in types and not any(plain(key) in ITEM for key in types) and len(ids) == 1:
        roles["item"] = ids[0]
    scores = [key for key, kind in types.items() if plain(key) in RATING and kind.family in NUMBERS]
    is_scored = any(plain(key) in _usual(name).get(role, ()) for key in types for role in ("score", "distance"))
    if name in RANKED_INPUTS and not (is_scored or named.score or named.distance) and len(scores) == 1:
        roles["score"] = scores[0]  # Spark's ALS calls its scores `rating`
    ranks = [key for key in types if plain(key) in _usual(name).get("rank", ())]
    shape = Shape((column,), fields, rank_from=rank_from, roles={**roles, **({"rank": ranks[0]} if ranks else {})})
    return _ranked(name, shape, {**schema, **types}, named)


# --- numbered columns -------------------------------------------------------------------------------------------------


def _of_wide(name: str, schema: Schema, named: Columns, rank_from: int) -> Shape | None:
    """The shape of an input with a column for each position of a list, as `rec_1`, `rec_2`."""
    groups = _numbered(schema)
    items = [base for base in groups if base == named.item or _singular(base) in LISTED_ITEM]
    items = [named.item] if named.item in items else items
    if not items:
        return None
    if len(items) > 1:
        raise _ambiguous(name, "numbered columns", items)
    item = str(items[0])
    roles = {"item": item, **_beside(name, [base for base in groups if base != item], named)}
    wide = {base: groups[base] for base in dict.fromkeys(roles.values())}
    for base, columns in wide.items():
        if len(columns) != len(groups[item]):
            ends = {"first": groups[item][:1], "last": groups[item][-1:], "begin": columns[:1], "end": columns[-1:]}
            of_each = {"n": len(groups[item]), "m": len(columns), **{end: [*column] for end, column in ends.items()}}
            raise refused("uneven_columns", table=called(name), **of_each)
        if len({schema[column].family for column in columns}) > 1:
            kinds = ", ".join(f"{column!r} is {schema[column]}" for column in columns)
            raise refused("mixed_columns", base=base, kinds=kinds)
    return _ranked(name, Shape(wide=wide, rank_from=rank_from, roles=roles), schema, named)


def _numbered(schema: Schema) -> dict[str, tuple[str, ...]]:
    """Columns numbered from 1 or 0 without a gap, by the name that they share: (`rec_1`, `rec_2`) under `rec`."""
    groups: dict[str, dict[int, str]] = {}
    for column in schema:
        if match := NUMBERED.fullmatch(column):
            groups.setdefault(match[1], {})[int(match[2])] = column
    lower = {column.lower() for column in schema}
    return {
        base: tuple(columns[number] for number in sorted(columns))
        for base, columns in groups.items()
        if len(columns) > 1 and sorted(columns) in ([*range(1, len(columns) + 1)], [*range(len(columns))])
        if base.lower() not in lower
    }


# --- ranks and names --------------------------------------------------------------------------------------------------


def _ranked(name: str, shape: Shape, schema: Schema, named: Columns) -> Shape:
    """The shape with a column for the rank, unless there are ranks, or the user named a score to rank by."""
    new = {*shape.lists, *shape.fields.values(), *shape.wide}
    is_scored = bool({named.score, named.distance} & new)
    if name not in RANKED_INPUTS or "rank" in shape.roles or named.rank in new or (named.rank is None and is_scored):
        return shape
    used = {column.lower() for column in (*schema, *new)}
    rank = next(column for column in chain([RANK], (f"{RANK}_{n}" for n in count(2))) if column not in used)
    roles = {**shape.roles, "rank": rank}
    return Shape(shape.lists, shape.fields, shape.wide, rank, shape.rank_from, roles)


def _singular(name: str) -> str:
    """The plain name of one element of a list: `itemid` of `item_ids`."""
    return plain(name).removesuffix("s")


def _ambiguous(name: str, what: str, columns: Sequence[str]) -> ColumnError:
    by_name = naming(called(name), "item", columns[0])
    return refused("which_items", what=what, table=called(name), found=[*columns], naming=by_name)
