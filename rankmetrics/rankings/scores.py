"""Where the scores of a block of users come from: a product of factors, a function, or a matrix of all scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import polars as pl

from rankmetrics.errors import DataError
from rankmetrics.rankings.arrays import as_array, is_sparse
from rankmetrics.rankings.ids import Ids

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]
    Positions = NDArray[np.int64]

# Users whose scores are computed and counted together. The scores of 64 users and 20,000 items are 5 MB in 32 bits, so
# they stay in the cache of a processor.
TILE = 64

# Returns the scores of the users from a start to a stop of a block; the scores may be in the buffer that it is given.
TileScores = Callable[[int, int, "Array"], "Array"]


class Scores(Protocol):
    """The scores of users and items.

    Attributes:
        kind: the type of the scores: 32-bit or 64-bit numbers.
    """

    @property
    def kind(self) -> np.dtype[Any]:
        """The type of the scores."""

    def block(self, users: Positions) -> TileScores:
        """The scores of a block of users, by tiles. It is called in the caller's thread, its result in any thread."""


@dataclass(frozen=True)
class ScoresOfFactors:
    """Products of factors.

    A tile is always a product of TILE users by all items, with zeros in place of users where there are fewer, and one
    thread computes it. So the score of a user and an item is the same to the last bit, whatever the size of a block and
    the number of threads.

    Attributes:
        users: (users, dimensions).
        items: (items, dimensions), in the order that breaks ties.
    """

    users: Array
    items: Array

    @property
    def kind(self) -> np.dtype[Any]:
        """The type of the factors."""
        return self.users.dtype

    def block(self, users: Positions) -> TileScores:
        """The scores of a block of users, by tiles."""
        of_users = np.zeros((-(-len(users) // TILE) * TILE, self.users.shape[1]), self.kind)
        np.take(self.users, users, axis=0, out=of_users[: len(users)])

        def tile(start: int, stop: int, buffer: Array) -> Array:
            np.dot(of_users[start : start + TILE], self.items.T, out=buffer)
            return buffer[: stop - start]

        return tile


@dataclass(frozen=True)
class SameScores:
    """The scores of a model that is the same for all users, such as popularity.

    Attributes:
        of_items: a score for each item, in the order that breaks ties.
    """

    of_items: Array

    @property
    def kind(self) -> np.dtype[Any]:
        """The type of the scores."""
        return self.of_items.dtype

    def block(self, users: Positions) -> TileScores:
        """The scores of a block of users, by tiles."""

        def tile(start: int, stop: int, buffer: Array) -> Array:
            buffer[: stop - start] = self.of_items
            return buffer[: stop - start]

        return tile


@dataclass(frozen=True)
class ScoresOfFunction:
    """What a function returns for the ids of a block of users.

    Attributes:
        function: from the ids of some users to their scores: (users, items).
        users: the ids of all users.
        order: the items in the order that breaks ties, by their columns in the function's result.
        kind: the type of the scores.
    """

    function: Callable[[Any], Any]
    users: Ids
    order: Positions
    kind: np.dtype[Any]

    def block(self, users: Positions) -> TileScores:
        """The scores of a block of users, by tiles."""
        found = as_array("scores", self.function(self.users.values.gather(users).to_numpy()), 2)
        found = found.astype(self.kind, copy=False)
        if found.shape != (len(users), len(self.order)):
            raise DataError(
                f"The scores of a block of {len(users):,} users are an array of shape {found.shape}: the function is "
                f"to return a row for each user and a column for each of the {len(self.order):,} items."
            )

        def tile(start: int, stop: int, buffer: Array) -> Array:
            scores = np.take(found[start:stop], self.order, axis=1, out=buffer[: stop - start], mode="clip")
            if not np.isfinite(scores).all():
                user = self.users.sample(users[start:stop][~np.isfinite(scores).all(axis=1)])
                raise DataError(
                    f"Some scores are NaN or infinite, such as those of the users {user}: no rank follows from them. "
                    "To leave items out, give them as history."
                )
            return scores

        return tile


def function_of(scores: Any, users: Ids, n_items: int) -> tuple[Callable[[Any], Any], Any]:
    """A function, or a matrix of all scores, as a function of user ids; and the type of its scores.

    Raises:
        DataError: a matrix has another shape.
    """
    if callable(scores):
        return scores, np.float64
    if scores.shape != (len(users), n_items):
        raise DataError(
            f"The scores are a matrix of shape {tuple(scores.shape)}, and there are {len(users):,} users and "
            f"{n_items:,} items: give a row for each user and a column for each item."
        )
    rows: Any = scores.tocsr() if is_sparse(scores) else as_array("scores", scores, 2)

    def of_users(ids: Any) -> Any:
        found = rows[users.positions("users", pl.Series(ids))]
        return found.toarray() if is_sparse(found) else found

    return of_users, np.result_type(rows.dtype, np.float32)
