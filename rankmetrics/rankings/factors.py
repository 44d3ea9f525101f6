"""Reads factors and biases of every kind: a row of numbers for each user or item, and the ids of the rows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from rankmetrics.errors import ColumnError, DataError, InputError, Option, counted, did_you_mean, names, plain
from rankmetrics.inputs.usual_names import ITEM, OWNERS, USUAL
from rankmetrics.rankings.arrays import as_array, as_floats, is_array, refuse_infinite
from rankmetrics.rankings.ids import Ids, ids_of
from rankmetrics.rankings.tables import frame_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

USERS, ITEMS = "user factors", "item factors"

# The usual names of the id columns, and of columns of embeddings.
USUAL_IDS = {"user": frozenset().union(*OWNERS.values()), "item": ITEM}
EMBEDDINGS = USUAL["items"]["embedding"]


@dataclass(frozen=True)
class Factors:
    """Numbers of users or items.

    Attributes:
        ids: whose the rows are.
        values: (ids, dimensions) 32-bit or 64-bit numbers, all finite.
    """

    ids: Ids
    values: Array

    def in_order(self, order: NDArray[np.int64]) -> Factors:
        """The rows in another order."""
        if np.array_equal(order, np.arange(len(self.ids))):
            return self
        return Factors(self.ids.taken(order), self.values[order])


def read_factors(what: str, kind: str, value: Any, id_column: str | None, connection: object | None) -> Factors:
    """Factors of any kind.

    Args:
        what: the factors in messages.
        kind: whose they are: "user" or "item".
        value: an array or tensor, whose ids are its row numbers; a pair of ids and an array; or a table with an id
            column and either a column of lists of numbers or a column for each dimension.
        id_column: the name of the id column; by default it has a usual name.
        connection: where tables are named.

    Raises:
        InputError: the value is of no known kind, or is empty.
        ColumnError: no column, or several, may hold the ids.
        DataError: an id is NULL or stands twice, lists differ in length, or numbers are NULL, NaN or infinite.
    """
    column = id_column or kind
    if is_array(value):
        values = as_array(what, value, 2)
        ids = Ids.of_rows(what, column, len(values))
    elif isinstance(value, tuple) and len(value) == 2 and is_array(value[1]):
        values = as_array(what, value[1], 2)
        ids = ids_of(what, column, value[0])
        if len(ids) != len(values):
            raise DataError(
                f"There are {len(ids):,} ids and {len(values):,} rows of the {what}: give an id for each row."
            )
    else:
        frame = frame_of(what, value, connection).collect()
        name = _id_column(what, kind, frame, id_column)
        ids = Ids.of_column(what, frame[name])
        values = _numbers(what, frame.drop(name), ids)
    if not values.shape[0] or not values.shape[1]:
        raise InputError(f"The {what} are empty: they have {values.shape[0]} rows and {values.shape[1]} dimensions.")
    refuse_infinite(what, values, ids.sample)
    return Factors(ids, values)


def read_biases(
    what: str, kind: str, value: Any, of: Ids | None, id_column: str | None, connection: object | None
) -> Factors:
    """Biases as factors of one dimension, in the order of some ids.

    Args:
        what: the biases in messages.
        kind: whose they are: "user" or "item".
        value: an array of a bias for each row of the factors, or a table of an id and a bias.
        of: the ids of the factors; None where there are no factors.
        id_column: as in `read_factors`.
        connection: as in `read_factors`.

    Raises:
        DataError: there is not one bias for each id.
        InputError, ColumnError: as `read_factors` does.
    """
    if not is_array(value):
        found = read_factors(what, kind, value, id_column, connection)
        if found.values.shape[1] != 1:
            raise ColumnError(f"The {what} have {found.values.shape[1]} columns of numbers: one was wanted.")
        if of is None:
            return found
        at = found.ids.positions(of.what, of.values)
        if (at < 0).any():
            missing = np.flatnonzero(at < 0)
            raise DataError(f"{len(missing):,} ids of the {of.what} have no row in the {what}: {of.sample(missing)}.")
        return Factors(of, found.values[at])
    values = as_array(what, value, 1)
    if of is not None and len(values) != len(of):
        raise DataError(f"There are {len(values):,} {what} and {len(of):,} rows of {of.what}: give one for each.")
    ids = of or Ids.of_rows(what, id_column or kind, len(values))
    refuse_infinite(what, values, ids.sample)
    return Factors(ids, values.reshape(-1, 1))


def joined(users: Factors, items: Factors, biases: Factors | None) -> tuple[Factors, Factors]:
    """Both factors in one type of numbers; the items' biases as a dimension more, in which every user has 1.

    Raises:
        DataError: users and items have another number of dimensions, or their products are beyond the type.
    """
    if users.values.shape[1] != items.values.shape[1]:
        raise DataError(
            f"The user factors have {users.values.shape[1]:,} dimensions and the item factors "
            f"{items.values.shape[1]:,}: their product needs equal numbers."
        )
    arrays = [users.values, items.values, *([biases.values] if biases else [])]
    kind = np.result_type(*arrays)
    if biases:
        ones = np.ones((len(users.ids), 1), kind)
        users = replace(users, values=np.hstack([users.values, ones], dtype=kind))
        items = replace(items, values=np.hstack([items.values, biases.values], dtype=kind))
    users = replace(users, values=np.ascontiguousarray(users.values, kind))
    items = replace(items, values=np.ascontiguousarray(items.values, kind))
    highest = _longest(users.values) * _longest(items.values)
    if not highest < float(np.finfo(kind).max) / 4:
        raise DataError(
            f"The products of user factors and item factors may be beyond what {kind} holds: the largest may be "
            f"{highest:.3g}. Scale the factors down, or give them as float64."
        )
    return users, items


def _longest(values: Array) -> float:
    """The length of the longest row: no product with it is larger than the product of both lengths."""
    steps = range(0, len(values), 65536)
    longest = (
        np.einsum("ij,ij->i", part, part, dtype=np.float64).max() for part in (values[at : at + 65536] for at in steps)
    )
    return float(np.sqrt(max(longest)))


def id_column_of(what: str, kind: str, columns: Collection[str], given: str | None) -> str:
    """The column of the ids of users or items.

    Raises:
        ColumnError: the given column is missing, or not exactly one column has a usual name.
    """
    if given is not None and given in columns:
        return given
    usual = [column for column in columns if plain(column) in USUAL_IDS[kind]]
    if len(usual) == 1:
        return usual[0]
    if given is not None:
        raise ColumnError(
            f"The {what} have no column {given!r}: there were {names(columns)}.{did_you_mean(given, columns)}"
        )
    several = f"{names(usual)} may all be it" if usual else f"there were {names(columns)}"
    raise ColumnError(
        f"Which column of the {what} holds the id of the {kind}: {several}. Name it: ", Option(kind, "..."), "."
    )


def _id_column(what: str, kind: str, frame: pl.DataFrame, given: str | None) -> str:
    """The id column of a table of factors: the only one that is no embedding, or one with a usual name."""
    nested = [name for name, type_ in frame.schema.items() if type_.is_nested()]
    others = [name for name in frame.columns if name not in nested]
    if given not in frame.columns and nested and len(others) == 1:
        return others[0]
    return id_column_of(what, kind, frame.columns, given)


def _numbers(what: str, frame: pl.DataFrame, ids: Ids) -> Array:
    """The numbers of a table without its id column."""
    nested = [name for name, kind in frame.schema.items() if kind.is_nested()]
    if len(nested) > 1:
        nested = [name for name in nested if plain(name) in EMBEDDINGS] if frame.width > 1 else nested
    if nested:
        if len(nested) > 1 or frame.width > 1:
            raise ColumnError(
                f"The {what} have the columns {names(frame.columns)} beside the id {ids.column!r}: keep either one "
                "column of lists of numbers, or a column of numbers for each dimension."
            )
        return _of_lists(what, frame[nested[0]], ids)
    strange = [name for name, kind in frame.schema.items() if not kind.is_numeric()]
    if strange or not frame.width:
        raise ColumnError(
            f"The {what} have the columns {names(frame.columns)} beside the id {ids.column!r}: a column of numbers for "
            "each dimension was wanted, or one column of lists of numbers."
        )
    _refuse_null(what, frame.select(pl.any_horizontal(pl.all().is_null())).to_series(), ids)
    return as_floats(what, np.ascontiguousarray(frame.to_numpy()))


def _of_lists(what: str, column: pl.Series, ids: Ids) -> Array:
    """The numbers of a column of lists or arrays."""
    listed = column.arr.to_list() if isinstance(column.dtype, pl.Array) else column
    if not isinstance(listed.dtype, pl.List) or not listed.dtype.inner.is_numeric():
        raise ColumnError(f"Column {column.name!r} of the {what} holds no lists of numbers: it is {column.dtype}.")
    _refuse_null(
        what, listed.is_null() | listed.list.eval(pl.element().is_null().any()).list.first().fill_null(value=False), ids
    )
    lengths = listed.list.len()
    n = int(lengths[0]) if len(lengths) else 0
    if (other := lengths != n).any():
        rows = np.flatnonzero(other.to_numpy())
        raise DataError(
            f"The {what} differ in their number of dimensions: the first row has {n:,}, and {len(rows):,} others "
            f"have another number, such as {ids.sample(rows)} with {lengths[int(rows[0])]:,}."
        )
    return as_floats(what, listed.explode().to_numpy().reshape(-1, max(n, 1)) if n else np.empty((len(ids), 0)))


def _refuse_null(what: str, is_null: pl.Series, ids: Ids) -> None:
    if is_null.any():
        rows = np.flatnonzero(is_null.to_numpy())
        raise DataError(
            f"{counted(len(rows), f'row of the {what} holds', f'rows of the {what} hold')} NULL, such as "
            f"{ids.sample(rows)}: leave out NULL."
        )
