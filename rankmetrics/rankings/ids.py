"""Ids of users and items: their positions in the factors, and back."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from rankmetrics.errors import ColumnError, DataError, counted, names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Positions = NDArray[np.int64]


@dataclass(frozen=True)
class Ids:
    """Ids in the order of the rows of some factors.

    Attributes:
        what: the factors in messages, as in "user factors".
        column: the name of the ids' column.
        values: the ids.
        are_rows: whether the ids are the row numbers 0, 1, 2 and so on.
    """

    what: str
    column: str
    values: pl.Series
    are_rows: bool = False

    def __len__(self) -> int:
        return len(self.values)

    @classmethod
    def of_rows(cls, what: str, column: str, n: int) -> Ids:
        """The row numbers of an array."""
        return cls(what, column, pl.int_range(n, dtype=pl.Int64, eager=True).alias(column), are_rows=True)

    @classmethod
    def of_column(cls, what: str, values: pl.Series) -> Ids:
        """The ids of a column.

        Raises:
            DataError: an id is NULL, or stands twice.
        """
        if n_null := values.null_count():
            raise DataError(
                f"{counted(n_null, f'row of the {what} has', f'rows of the {what} have')} a NULL id in column "
                f"{values.name!r}: leave out NULL ids."
            )
        if n_repeated := len(values) - values.n_unique():
            some = values.filter(values.is_duplicated()).unique(maintain_order=True).head(3)
            raise DataError(
                f"{counted(n_repeated, f'row of the {what} repeats', f'rows of the {what} repeat')} an id of column "
                f"{values.name!r}, such as {names(some)}: "
                "keep one row for each."
            )
        return cls(what, values.name, values)

    def positions(self, what: str, wanted: pl.Series) -> Positions:
        """The position of each wanted id; -1 for an id that is not among these.

        Args:
            what: the input of the wanted ids, in messages.
            wanted: ids without NULL.

        Raises:
            ColumnError: the ids are of a type that these cannot equal.
        """
        own, other = _plain(self.values), _plain(wanted)
        if own.dtype != other.dtype:
            raise ColumnError(
                f"Column {wanted.name!r} of the {what} is {wanted.dtype}, and the ids of the {self.what} are "
                f"{self.values.dtype}: no id equals another. Cast one of them."
            )
        if self.are_rows:
            found = other.to_numpy()
            return np.where((found >= 0) & (found < len(self)), found, -1)
        frame = pl.DataFrame({"id": other}).join(self._positions, on="id", how="left", maintain_order="left")
        found_at: Positions = frame["at"].fill_null(-1).to_numpy()
        return found_at

    @cached_property
    def _positions(self) -> pl.DataFrame:
        return pl.DataFrame({"id": _plain(self.values)}).with_columns(at=pl.int_range(pl.len(), dtype=pl.Int64))

    def order(self, *, descending: bool) -> Positions:
        """The positions of the ids from the lowest to the highest, or the other way round; text is compared as text."""
        if self.are_rows:
            found = np.arange(len(self))
            return found[::-1] if descending else found
        at: Positions = _plain(self.values).arg_sort(descending=descending).cast(pl.Int64).to_numpy()
        return at

    def taken(self, order: Positions) -> Ids:
        """The ids in another order."""
        if self.are_rows and np.array_equal(order, np.arange(len(self))):
            return self
        return Ids(self.what, self.column, self.values.gather(order))

    def sample(self, found: NDArray[Any]) -> str:
        """The ids at some positions, three at most, as a person lists them."""
        return names(self.values.gather(found[:3]))


def ids_of(what: str, column: str, values: Any) -> Ids:
    """The ids in a list, an array or a Series.

    Raises:
        DataError: an id is NULL, or stands twice.
    """
    found = values.alias(column) if isinstance(values, pl.Series) else pl.Series(column, np.asarray(values))
    return Ids.of_column(what, found)


def _plain(ids: pl.Series) -> pl.Series:
    """Ids in a type in which equal ids are equal: whole numbers in 64 bits, text as text."""
    if ids.dtype.is_integer():
        return ids.cast(pl.Int64) if ids.dtype != pl.UInt64 or (ids.max() or 0) < 2**63 else ids  # type: ignore[operator]
    return ids.cast(pl.String) if ids.dtype in (pl.Categorical, pl.Enum) else ids
