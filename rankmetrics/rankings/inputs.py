"""Inputs of rankings: arrays of any library, ids, pairs of users and items, factors and biases."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from rankmetrics.engines.arrow import as_frame
from rankmetrics.engines.base import module_of, refuse_masked
from rankmetrics.engines.polars import Polars
from rankmetrics.errors import ColumnError, DataError, InputError, Option, choices_for, counted, names, plain
from rankmetrics.inputs.roles import ITEM, OWNERS
from rankmetrics.messages import refused, said

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]
    Positions = NDArray[np.int64]

# Libraries whose tables can be exported as arrays, too: they are read as tables, by the names of their columns.
OF_TABLES = ("pandas", "polars", "pyarrow", "duckdb", "dask", "modin", "cudf", "pyspark", "ibis", "narwhals")


def is_sparse(value: object) -> bool:
    """True for a sparse matrix of SciPy."""
    return module_of(value) == "scipy" and hasattr(value, "tocsr")


def is_array(value: object) -> bool:
    """True for an array or a tensor that is not a table."""
    has_numbers = hasattr(value, "__array__") or hasattr(value, "__dlpack__")
    return has_numbers and module_of(value) not in OF_TABLES


def as_array(what: str, value: Any, dimensions: int) -> Array:
    """An array, a tensor or nested lists as NumPy's array of 32-bit or 64-bit numbers."""
    refuse_masked(what, "no rank follows from them; to leave items out of the rankings, give them as history", value)
    if hasattr(value, "detach"):  # a tensor of PyTorch, which may have a gradient or be in the memory of a GPU
        value = value.detach().cpu()
    has_dlpack = hasattr(value, "__dlpack__") and not hasattr(value, "__array__")
    try:
        array = np.from_dlpack(value) if has_dlpack else np.asarray(value)
    except ValueError as error:
        raise InputError(f"The {what} are not an array: {error}") from error
    if array.ndim != dimensions:
        shape = "a row for each and a column per dimension" if dimensions == 2 else "a number for each"
        raise InputError(f"The {what} are an array of {array.ndim} dimensions, {array.shape}: give {shape}.")
    return _as_floats(what, array)


def _as_floats(what: str, array: Array) -> Array:
    if array.dtype.kind not in "fiub":
        raise InputError(f"The {what} are not real numbers: the array is of type {array.dtype}.")
    return array.astype(np.float32 if array.dtype.kind == "f" and array.dtype.itemsize <= 4 else np.float64, copy=False)


def table_of(what: str, value: Any, connection: object | None = None) -> pl.LazyFrame:
    """A table of any kind that `evaluate` takes, a path or a relation, as a lazy frame."""
    if value is None:
        raise InputError(f"The {what} are missing.")
    return Polars({what: value}, connection).frame(what)


@dataclass(frozen=True)
class Ids:
    """Ids in the order of the rows of some factors."""

    what: str  # the factors in messages, as in "user factors"
    column: str  # the name of the ids' column
    values: pl.Series
    are_rows: bool = False  # True for the row numbers 0, 1, 2 and so on

    def __len__(self) -> int:
        return len(self.values)

    @classmethod
    def of_rows(cls, what: str, column: str, n: int) -> Ids:
        """The row numbers of an array."""
        return cls(what, column, pl.int_range(n, dtype=pl.Int64, eager=True).alias(column), are_rows=True)

    @classmethod
    def of_values(cls, what: str, column: str, values: Any) -> Ids:
        """The ids in a list, an array or a Series."""
        refuse_masked(what, "give an id for each row", values)
        values = values.alias(column) if isinstance(values, pl.Series) else pl.Series(column, np.asarray(values))
        if n_null := values.null_count():
            rows = counted(n_null, f"row of the {what} has", f"rows of the {what} have")
            raise said(DataError, "null_ids", rows=rows, column=values.name)
        if n_repeated := len(values) - values.n_unique():
            some = values.filter(values.is_duplicated()).unique(maintain_order=True).head(3)
            rows = counted(n_repeated, f"row of the {what} repeats", f"rows of the {what} repeat")
            raise said(DataError, "repeated_ids", rows=rows, column=values.name, some=[*some])
        return cls(what, column, values)

    def positions(self, what: str, ids: pl.Series) -> Positions:
        """The position of each wanted id; -1 for an unknown id. `what` names their input in messages."""
        own, other = _comparable(self.values), _comparable(ids)
        if own.dtype != other.dtype:
            types = {"kind": ids.dtype, "other": self.what, "own": self.values.dtype}
            raise refused("no_equal_ids", column=ids.name, what=what, **types)
        if self.are_rows:
            rows = other.to_numpy()
            return np.where((rows >= 0) & (rows < len(self)), rows, -1)
        frame = pl.DataFrame({"id": other}).join(self._positions, on="id", how="left", maintain_order="left")
        return frame["at"].fill_null(-1).to_numpy()

    @cached_property
    def _positions(self) -> pl.DataFrame:
        return pl.DataFrame({"id": _comparable(self.values)}).with_row_index("at").cast({"at": pl.Int64})

    def order(self, *, descending: bool) -> Positions:
        """The positions of the ids from the lowest to the highest, or the other way round; text is compared as text."""
        return _comparable(self.values).arg_sort(descending=descending).cast(pl.Int64).to_numpy()

    def reordered(self, order: Positions) -> Ids:
        """The ids in another order."""
        are_rows = self.are_rows and np.array_equal(order, np.arange(len(self)))
        return replace(self, values=self.values.gather(order), are_rows=are_rows)

    def sample(self, positions: NDArray[Any]) -> str:
        """The ids at some positions, three at most, as a person lists them."""
        return names(self.values.gather(positions[:3]))

    def refuse_rows(self, what: str, is_wrong: Array, content: str, advice: str) -> None:
        """Refuse rows that hold what no rank follows from."""
        if is_wrong.any():
            rows = np.flatnonzero(is_wrong)
            n = counted(len(rows), f"row of the {what} holds", f"rows of the {what} hold")
            raise DataError(f"{n} {content}, such as {self.sample(rows)}: {advice}.")


def _comparable(ids: pl.Series) -> pl.Series:
    """Ids in a type in which equal ids are equal: whole numbers in 64 bits, text as text."""
    if ids.dtype.is_integer():
        return ids.cast(pl.Int64) if ids.dtype != pl.UInt64 or (ids.max() or 0) < 2**63 else ids  # type: ignore[operator]
    return ids.cast(pl.String) if ids.dtype in (pl.Categorical, pl.Enum) else ids


# Rows that are computed with at a time.
CHUNK = 65_536


# --- truth and history ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ItemsByUser:
    """Pairs of users and items, such as the truth or the history, as the items of each user."""

    starts: NDArray[np.int64]  # (users + 1): where the items of each user start in `items`; the last is their end
    items: NDArray[np.int32]  # of each user in ascending order, each once, by their positions
    n_null: int = 0  # rows that were left out because an id is NULL
    n_unknown_users: int = 0  # rows that were left out because their user has no factors
    n_unknown_items: int = 0  # rows of known users that were left out because their item has no factors

    def keys(self, users: NDArray[np.int64]) -> NDArray[np.int64]:
        """Each pair of some users as one number, ascending."""
        starts, items = self.of(users)
        return np.repeat(users << 32, np.diff(starts)) | items

    def counts(self, what: str) -> dict[str, int]:
        """The numbers of rows of the input that were left out, by reason."""
        return {
            f"{what}_rows_with_null_id": self.n_null,
            f"{what}_rows_of_unknown_users": self.n_unknown_users,
            f"{what}_rows_of_unknown_items": self.n_unknown_items,
        }

    def of(self, users: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """The pairs of some users: where the items of each start, and the items."""
        lengths = self.starts[users + 1] - self.starts[users]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        at = np.repeat(self.starts[users] - starts[:-1], lengths) + np.arange(starts[-1])
        return starts, self.items[at]


def read_pairs(what: str, table: pl.DataFrame, users: Ids, items: Ids) -> ItemsByUser:
    """Pairs of a table of two columns, users and items, each pair once."""
    known = table.drop_nulls()
    of_users, of_items = users.positions(what, known.to_series(0)), items.positions(what, known.to_series(1))
    no_user, no_item = of_users < 0, of_items < 0
    is_known = ~(no_user | no_item)
    return replace(
        pairs_of(of_users[is_known], of_items[is_known], len(users)),
        n_null=len(table) - len(known),
        n_unknown_users=int(no_user.sum()),
        n_unknown_items=int((no_item & ~no_user).sum()),
    )


def pairs_of(users: Positions, items: Positions, n_users: int) -> ItemsByUser:
    """Pairs of positions of users and items, each pair once."""
    keys = (users << 32) | items
    keys.sort()  # many times as fast as np.unique
    keys = keys[np.diff(keys, prepend=-1) > 0]
    starts = np.searchsorted(keys, np.arange(n_users + 1) << 32)
    return ItemsByUser(starts, keys.astype(np.uint32).view(np.int32))


def frame_of_matrix(what: str, matrix: Any, users: Ids, items: Ids) -> pl.DataFrame:
    """The entries of a sparse matrix as rows of user, item and rating; `items` are in the order of its columns."""
    if matrix.shape != (len(users), len(items)):
        raise said(
            DataError, "matrix_of_another_shape", what=what, shape=matrix.shape, users=len(users), items=len(items)
        )
    matrix = matrix.tocsr(copy=True)
    matrix.sum_duplicates()
    entries: pl.DataFrame = as_frame("truth", matrix)
    owners, found = (ids.values.gather(entries[kind]) for kind, ids in (("user", users), ("item", items)))
    return pl.DataFrame({"user": owners, "item": found, "rating": entries["rating"].cast(pl.Float64)})


def overlap(truth: ItemsByUser, history: ItemsByUser, users: Ids, items: Ids, *, refuses: bool) -> int:
    """The number of pairs in both; an item of the history is not a candidate, so such a pair is never ranked."""
    blocks = (np.arange(start, min(start + CHUNK, len(users))) for start in range(0, len(users), CHUNK))
    shared = (np.intersect1d(truth.keys(block), history.keys(block), assume_unique=True) for block in blocks)
    both = np.concatenate([*shared])
    if len(both) and refuses:
        user, item = users.values[int(both[0] >> 32)], items.values[int(both[0] & 0xFFFFFFFF)]
        pairs = counted(len(both), "pair of user and item is", "pairs of user and item are")
        raise said(DataError, "truth_in_history", pairs=pairs, user=user, item=item)
    return len(both)


# --- factors and biases -----------------------------------------------------------------------------------------------

# The usual names of the id columns.
USUAL_IDS = {"user": frozenset().union(*OWNERS.values()), "item": ITEM}


@dataclass(frozen=True)
class Factors:
    """The ids of users or items, and their numbers: (ids, dimensions), 32-bit or 64-bit, all finite."""

    ids: Ids
    values: Array


@dataclass(frozen=True)
class FactorReader:
    """Reads factors and biases of users or of items."""

    kind: str  # "user" or "item"
    id_column: str | None  # in tables; None if it has a usual name
    connection: object | None  # of DuckDB, where tables are named

    def factors(self, value: Any, what: str = "") -> Factors:
        """Factors of any kind: an array with row numbers as ids, a pair of ids and an array, or a table with an id."""
        what, column = what or f"{self.kind} factors", self.id_column or self.kind
        if is_array(value):
            values = as_array(what, value, 2)
            ids = Ids.of_rows(what, column, len(values))
        elif isinstance(value, tuple) and len(value) == 2 and is_array(value[1]):
            values = as_array(what, value[1], 2)
            ids = Ids.of_values(what, column, value[0])
            if len(ids) != len(values):
                raise said(DataError, "an_id_for_each_row", ids=len(ids), rows=len(values), what=what)
        else:
            frame = table_of(what, value, self.connection).collect()
            others = [name for name, kind in frame.schema.items() if not kind.is_nested()]
            is_only = self.id_column not in frame.columns and len(others) == 1 < frame.width  # next to embeddings
            column = others[0] if is_only else id_column_of(what, self.kind, frame.columns, self.id_column)
            ids = Ids.of_values(what, column, frame[column])
            values = _numbers(what, frame.drop(column), ids)
        if not values.shape[0] or not values.shape[1]:
            raise said(InputError, "empty_factors", what=what, rows=values.shape[0], dimensions=values.shape[1])
        _refuse_infinite(what, values, ids)
        return Factors(ids, values)

    def biases(self, value: Any, owners: Ids | None) -> Factors:
        """Biases as factors of one dimension, in the order of the owners' ids; None where there are no factors."""
        what = f"{self.kind} biases"
        if is_array(value):
            values = as_array(what, value, 1)
            if owners is not None and len(values) != len(owners):
                numbers = {"values": len(values), "rows": len(owners)}
                raise said(DataError, "one_bias_for_each_row", what=what, owners=owners.what, **numbers)
            ids = owners or Ids.of_rows(what, self.id_column or self.kind, len(values))
            _refuse_infinite(what, values, ids)
            return Factors(ids, values.reshape(-1, 1))
        biases = self.factors(value, what)
        if biases.values.shape[1] != 1:
            raise ColumnError(f"The {what} have {biases.values.shape[1]} columns of numbers: one was wanted.")
        if owners is None:
            return biases
        at = biases.ids.positions(owners.what, owners.values)
        if len(absent := np.flatnonzero(at < 0)):
            some = owners.sample(absent)
            raise said(DataError, "ids_without_a_bias", n=len(absent), owners=owners.what, what=what, some=some)
        return Factors(owners, biases.values[at])


def _refuse_infinite(what: str, values: Array, ids: Ids) -> None:
    with np.errstate(invalid="ignore", over="ignore"):
        sums = values if values.ndim == 1 else np.einsum("ij->i", np.abs(values))
    if not np.isfinite(sums).all():  # a sum may be infinite where no number is
        is_wrong = np.asarray(~np.isfinite(values.reshape(len(values), -1)).all(axis=1))
        advice = "no rank follows from them. Leave these out, or look for what went wrong in training"
        ids.refuse_rows(what, is_wrong, "NaN or an infinite number", advice)


def with_biases(users: Factors, items: Factors, biases: Factors | None) -> tuple[Factors, Factors]:
    """Both factors in one type of numbers; the biases of items are one more dimension, in which every user has 1."""
    if users.values.shape[1] != items.values.shape[1]:
        raise said(DataError, "unequal_dimensions", users=users.values.shape[1], items=items.values.shape[1])
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
        raise said(DataError, "too_large_products", kind=kind, highest=highest)
    return users, items


def _longest(values: Array) -> float:
    """The length of the longest row: no product with it is larger than the product of both lengths."""
    parts = (values[start : start + CHUNK] for start in range(0, len(values), CHUNK))
    longest = (np.einsum("ij,ij->i", part, part, dtype=np.float64).max() for part in parts)
    return float(np.sqrt(max(longest)))


def id_column_of(what: str, kind: str, columns: Collection[str], chosen: str | None) -> str:
    """The column of the ids of users or items."""
    if chosen is not None and chosen in columns:
        return chosen
    usual = [column for column in columns if plain(column) in USUAL_IDS[kind]]
    if len(usual) == 1:
        return usual[0]
    if chosen is not None:
        raise ColumnError(f"The {what} have no column {chosen!r}: there were {choices_for(chosen, columns)}")
    several = f"{names(usual)} may all be it" if usual else f"there were {names(columns)}"
    raise refused("which_id", what=what, kind=kind, several=several, naming=Option(kind, "..."))


def _numbers(what: str, frame: pl.DataFrame, ids: Ids) -> Array:
    nested = [name for name, kind in frame.schema.items() if kind.is_nested()]
    found = {"what": what, "columns": frame.columns, "id": ids.column}
    if nested and frame.width > 1:
        raise refused("lists_and_columns", **found)
    if not nested and not (frame.width and all(kind.is_numeric() for kind in frame.dtypes)):
        raise refused("no_dimensions", **found)
    column = frame[nested[0]] if nested else frame.select(pl.concat_list(pl.all())).to_series()
    listed = column.arr.to_list() if isinstance(column.dtype, pl.Array) else column
    if not isinstance(listed.dtype, pl.List) or not listed.dtype.inner.is_numeric():
        raise ColumnError(f"Column {column.name!r} of the {what} holds no lists of numbers: it is {column.dtype}.")
    has_null = listed.list.eval(pl.element().is_null().any()).list.first().fill_null(value=False)
    ids.refuse_rows(what, (listed.is_null() | has_null).to_numpy(), "NULL", "leave out NULL")
    lengths = listed.list.len()
    n = int(lengths[0]) if len(lengths) else 0
    if (other := lengths != n).any():
        rows = np.flatnonzero(other.to_numpy())
        others = {"n_others": len(rows), "some": ids.sample(rows), "length": lengths[int(rows[0])]}
        raise said(DataError, "differing_dimensions", what=what, n=n, **others)
    return _as_floats(what, listed.explode().to_numpy().reshape(-1, max(n, 1)) if n else np.empty((len(ids), 0)))
