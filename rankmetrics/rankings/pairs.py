"""Pairs of users and items, such as the truth or the history, as the items of each user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from rankmetrics.errors import DataError, Option, counted
from rankmetrics.rankings.ids import Ids

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Users whose pairs are compared at a time.
CHUNK = 65_536


@dataclass(frozen=True)
class Pairs:
    """The items of each user.

    Attributes:
        starts: where the items of each user start in `items`, and at last where they end: (users + 1).
        items: the items of each user in ascending order, each once, by their positions.
        n_null: rows that were left out because an id is NULL.
        n_unknown_users: rows that were left out because no factors are of their user.
        n_unknown_items: rows of known users that were left out because no factors are of their item.
    """

    starts: NDArray[np.int64]
    items: NDArray[np.int32]
    n_null: int = 0
    n_unknown_users: int = 0
    n_unknown_items: int = 0

    def keys(self, users: NDArray[np.int64]) -> NDArray[np.int64]:
        """Each pair of some users as one number, ascending."""
        starts, items = self.of(users)
        return np.repeat(users << 32, np.diff(starts)) | items

    def counts(self, what: str) -> dict[str, int]:
        """How many rows of the input were left out, and why."""
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


def no_pairs(n_users: int) -> Pairs:
    """No items for any user."""
    return Pairs(np.zeros(n_users + 1, np.int64), np.empty(0, np.int32))


def read_pairs(what: str, table: pl.DataFrame, users: Ids, items: Ids) -> Pairs:
    """Pairs of a table of two columns, users and items, each pair once."""
    known = table.drop_nulls()
    of_users = users.positions(what, known.to_series(0))
    of_items = items.positions(what, known.to_series(1))
    no_user, no_item = of_users < 0, of_items < 0
    kept = ~(no_user | no_item)
    n_unknown = int(no_user.sum()), int((no_item & ~no_user).sum())
    keys = of_users[kept]
    keys <<= 32
    keys |= of_items[kept]
    del of_users, of_items, no_user, no_item, kept  # there may be as many as memory holds
    keys.sort()
    is_new = np.ones(len(keys), bool)
    is_new[1:] = keys[1:] != keys[:-1]
    keys = keys[is_new]
    starts = np.searchsorted(keys, np.arange(len(users) + 1) << 32)
    return Pairs(starts, keys.astype(np.uint32).view(np.int32), len(table) - len(known), *n_unknown)


def of_matrix(what: str, value: Any, users: Ids, items: Ids, order: NDArray[np.int64]) -> tuple[pl.LazyFrame, Pairs]:
    """The entries of a sparse matrix, whose rows are the users and whose columns are the items.

    Returns:
        The entries as a lazy frame with the columns user, item and rating; and the pairs.

    Args:
        what: the input in messages.
        value: the matrix.
        users: the users of its rows.
        items: the items in the order that breaks ties.
        order: the column of each of these items.

    Raises:
        DataError: the matrix has another shape.
    """
    if value.shape != (len(users), len(items)):
        raise DataError(
            f"The {what} is a matrix of shape {value.shape}, and there are {len(users):,} users and {len(items):,} "
            "items: give a row for each user and a column for each item, in the order of the factors."
        )
    ordered = value.tocsr()
    if not np.array_equal(order, np.arange(len(order))):
        ordered = ordered[:, order]
    if not ordered.has_canonical_format:
        ordered = ordered.copy()
        ordered.sum_duplicates()

    def rows() -> pl.DataFrame:
        entries = ordered.tocoo()
        ids = {"user": users.values.gather(entries.row), "item": items.values.gather(entries.col)}
        return pl.DataFrame({**ids, "rating": np.asarray(entries.data, np.float64)})

    schema = {"user": users.values.dtype, "item": items.values.dtype, "rating": pl.Float64()}
    pairs = Pairs(ordered.indptr.astype(np.int64), ordered.indices.astype(np.int32, copy=False))
    return pl.defer(rows, schema=pl.Schema(schema)), pairs


def overlap(truth: Pairs, history: Pairs, users: Ids, items: Ids, *, refuses: bool) -> int:
    """How many pairs are in both; an item of the history is no candidate, so such a pair is never ranked.

    Raises:
        DataError: there are such pairs, and they are refused.
    """
    found = [np.empty(0, np.int64)]
    for start in range(0, len(users), CHUNK):
        block = np.arange(start, min(start + CHUNK, len(users)))
        of_truth, of_history = truth.keys(block), history.keys(block)
        if len(of_history):
            at = np.minimum(np.searchsorted(of_history, of_truth), len(of_history) - 1)
            found.append(of_truth[of_history[at] == of_truth])
    both = np.concatenate(found)
    if len(both) and refuses:
        user, item = (ids.values[int(one)] for ids, one in ((users, both[0] >> 32), (items, both[0] & 0xFFFFFFFF)))
        raise DataError(
            f"{counted(len(both), 'pair of user and item is', 'pairs of user and item are')} in both the truth and "
            f"the history, such as user {user!r} and "
            f"item {item!r}. What a user knew before is no candidate, and cannot be found. Split the data anew, or let "
            "such items count as relevant and never found: ",
            Option("overlap", "ignore"),
            ".",
        )
    return len(both)
