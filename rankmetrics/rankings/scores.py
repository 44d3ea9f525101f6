"""Scores of users and items, and the ranks that follow from them, block by block: memory is that of one block."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import numpy as np
from threadpoolctl import ThreadpoolController

from rankmetrics.errors import DataError, RankMetricsWarning
from rankmetrics.messages import said
from rankmetrics.rankings.inputs import Ids, ItemsByUser, as_array, is_sparse, pairs_of
from rankmetrics.rankings.kernel import rank_tile, tied_tile, top_tile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]
    Positions = NDArray[np.int64]

# Users whose scores are computed and counted together. The scores of 64 users and 20,000 items are 5 MB in 32 bits, so
# they stay in the cache of a processor.
TILE = 64

# Returns the scores of the users from a start to a stop of a block; the scores may be in the buffer that it is given.
TileScores = Callable[[int, int, "Array"], "Array"]


@dataclass(frozen=True)
class ScoreSource:
    """The scores of users and items."""

    kind: np.dtype[Any]  # 32-bit or 64-bit numbers
    # The scores of a block of users, by tiles. It is called in the caller's thread, its result in any thread.
    block: Callable[[Positions], TileScores]


def product_of_factors(users: Array, items: Array) -> ScoreSource:
    """Products of factors, (users, dimensions) by (items, dimensions), with the items in the order that breaks ties.

    A tile is always a product of TILE users by all items, with zeros where there are fewer users, and one thread
    computes it. So the score of a user and an item is the same to the last bit, whatever the size of a block and the
    number of threads.
    """

    def block(positions: Positions) -> TileScores:
        padded = np.zeros((-(-len(positions) // TILE) * TILE, users.shape[1]), users.dtype)
        np.take(users, positions, axis=0, out=padded[: len(positions)])

        def tile(start: int, stop: int, buffer: Array) -> Array:
            np.dot(padded[start : start + TILE], items.T, out=buffer)
            return buffer[: stop - start]

        return tile

    return ScoreSource(users.dtype, block)


def computed_scores(scores: Any, users: Ids, order: Positions) -> ScoreSource:
    """The scores by a function of the ids of a block, or a matrix; `order` has the columns of items in order."""
    kind: np.dtype[Any] = np.dtype(np.float64)
    if not callable(scores):
        scores = scores.tocsr() if is_sparse(scores) else as_array("scores", scores, 2)
        kind = np.result_type(scores.dtype, np.float32)
        if scores.shape != (len(users), len(order)):
            numbers = {"users": len(users), "items": len(order)}
            raise said(DataError, "scores_of_another_shape", shape=scores.shape, **numbers)

    def block(positions: Positions) -> TileScores:
        rows = scores(users.values.gather(positions).to_numpy()) if callable(scores) else scores[positions]
        rows = rows.toarray() if is_sparse(rows) else rows
        values = as_array("scores", rows, 2).astype(kind, copy=False)
        if values.shape != (len(positions), len(order)):
            numbers = {"users": len(positions), "items": len(order)}
            raise said(DataError, "block_of_another_shape", shape=values.shape, **numbers)

        def tile(start: int, stop: int, buffer: Array) -> Array:
            ordered = np.take(values[start:stop], order, axis=1, out=buffer[: stop - start], mode="clip")
            if not np.isfinite(ordered).all():
                some = users.sample(positions[start:stop][~np.isfinite(ordered).all(axis=1)])
                raise said(DataError, "infinite_scores", users=some)
            return ordered

        return tile

    return ScoreSource(kind, block)


# Users of a block, unless the caller says otherwise.
BLOCK = 8192


@dataclass(frozen=True)
class Need:
    """The required rows in addition to the relevant items and the first and the last item of each list."""

    top: int = 0  # the number of first items of each list
    only_truth: bool = False  # True to leave out users without truth
    ties: bool = False  # True to have the items that share their score with a relevant item


@dataclass(frozen=True)
class Block:
    """The rows of the lists of a block of users, in the order of users and ranks; an entry of each array per row."""

    users: Positions
    items: Positions
    ranks: Positions  # from 1
    scores: Array
    pools: Positions  # the number of candidates of the list
    standing: Standing  # of the relevant items


@dataclass(frozen=True)
class Ranker:
    """Ranks all candidates of each user: every item but those of the history."""

    scores: ScoreSource
    n_items: int
    truth: ItemsByUser
    history: ItemsByUser
    cut: int | None  # the rank at which lists end; None for whole lists
    block_rows: int | None  # the number of users of a block; None for BLOCK
    threads: int | None  # None for one per core

    def blocks(self, need: Need) -> Iterator[Block]:
        """The rows of all lists, block by block."""
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        n_threads = self.threads or cores
        starts = self.truth.starts
        users = np.flatnonzero(np.diff(starts)) if need.only_truth else np.arange(len(starts) - 1)
        size = max(TILE, -(-(self.block_rows or BLOCK) // TILE) * TILE)
        buffers: SimpleQueue[Array] = SimpleQueue()
        for _ in range(n_threads):
            buffers.put(np.empty((TILE, self.n_items), self.scores.kind))
        with ThreadpoolController().limit(limits=1, user_api="blas"), ThreadPoolExecutor(n_threads) as pool:
            for start in range(0, len(users), size):
                work = _Work(self, users[start : start + size], need)
                try:
                    for _ in pool.map(lambda at, work=work: work.rank(at, buffers), range(0, len(work.users), TILE)):
                        pass
                except BaseException:
                    pool.shutdown(cancel_futures=True)  # Ctrl-C ends after the tiles that are under way
                    raise
                yield work.rows()


class _Work:
    """A block while its tiles are ranked."""

    def __init__(self, ranker: Ranker, users: Positions, need: Need) -> None:
        self.users, self._cut, kind = users, ranker.cut, ranker.scores.kind
        self._tile = ranker.scores.block(users)
        self._truth, self._history = ranker.truth.of(users), ranker.history.of(users)
        n_relevant, top = len(self._truth[1]), min(need.top, ranker.n_items)
        self._ranks, self._scores = np.empty(n_relevant, np.int64), np.empty(n_relevant, kind)
        self._ends, self._end_scores = np.empty((len(users), 3), np.int64), np.empty((len(users), 2), kind)
        self._tied: list[tuple[Array, ...]] | None = [] if need.ties else None
        self._top = np.empty((len(users), top), np.int32), np.empty((len(users), top), kind)

    def rank(self, start: int, buffers: SimpleQueue[Array]) -> None:
        """Rank the users of one tile."""
        stop = min(start + TILE, len(self.users))
        buffer = buffers.get()
        try:
            scores = self._tile(start, stop, buffer)
            filled = (self._ranks, self._scores, self._ends, self._end_scores)
            rank_tile(scores, start, *self._history, *self._truth, *filled)
            if self._tied is not None:
                users, items, ranks = tied_tile(scores, start, *self._truth, self._ranks, self._scores)
                self._tied.append((users, items, ranks, scores[users - start, items]))
            top_items, top_scores = self._top
            if top_items.shape[1]:
                top_tile(scores, start, *self._history, top_items[start:stop], top_scores[start:stop])
        finally:
            buffers.put(buffer)

    def rows(self) -> Block:
        """The rows of the block, each item of a list once."""
        pools, every = self._ends[:, 0], np.arange(len(self.users))
        parts: list[tuple[Array, ...]] = [
            (np.repeat(every, np.diff(self._truth[0])), self._truth[1], self._ranks, self._scores),
            *(self._tied or ()),
        ]
        top_items, top_scores = self._top
        if top := top_items.shape[1]:
            ranks = np.tile(np.arange(1, top + 1), len(every))
            parts.append((np.repeat(every, top), top_items.ravel(), ranks, top_scores.ravel()))
        for end, ranks in ((1, np.minimum(pools, 1)), (2, pools)):
            parts.append((every, self._ends[:, end], ranks, self._end_scores[:, end - 1]))
        users, items, ranks, scores = (np.concatenate(part) for part in zip(*parts, strict=True))
        is_there = (ranks > 0) & (items >= 0) & (ranks <= (self._cut or pools.max(initial=0)))
        at = np.flatnonzero(is_there)
        _, first = np.unique((users[at] << 32) | ranks[at], return_index=True)
        at = at[first]
        others = np.repeat(pools, np.diff(self._truth[0])) - 1
        ranked = np.flatnonzero((self._ranks > 0) & (others > 0))
        places = (self._ranks[ranked] - 1) / others[ranked]
        rows = self.users[users[at]], items[at].astype(np.int64), ranks[at], scores[at], pools[users[at]]
        return Block(*rows, Standing(self._truth[1][ranked].astype(np.int64), places))


# --- warnings on where the relevant items stand -----------------------------------------------------------------------


# Relevant items stand low (or high) if their mean place is so far from the middle, and by so many standard deviations.
# tests/rankings/test_doubts.py draws sound data of many kinds.
FROM_MIDDLE, DEVIATIONS = 0.05, 4

# Fewer relevant items than these give no warning.
FEW = 10


@dataclass(frozen=True)
class Standing:
    """The places of the relevant items in their lists."""

    items: NDArray[np.int64]  # the relevant items that are candidates, an entry for each pair of user and item
    places: NDArray[np.float64]  # the share of the user's other candidates above each: 0 is the first place, 1 the last

    @classmethod
    def of(cls, parts: Sequence[Standing]) -> Standing:
        """The places in several blocks."""
        return cls(np.concatenate([part.items for part in parts]), np.concatenate([part.places for part in parts]))

    @property
    def mean(self) -> float:
        """The mean place, from 0 to 1."""
        return float(self.places.mean()) if len(self.places) else 0.5

    def is_off(self, sign: int) -> bool:
        """True if the relevant items stand lower (sign 1) or higher (-1) than by chance: if their mean place is off.

        Users may all have the same ranking, and many of them the same relevant item: only items are independent of each
        other. The items count by their users, or alike.
        """
        if len(self.items) < FEW or sign * (self.mean - 0.5) < FROM_MIDDLE:
            return False
        sums, counts = np.bincount(self.items, self.places - 0.5), np.bincount(self.items)
        means = sums[counts > 0] / counts[counts > 0]
        return any(sign * parts.sum() > DEVIATIONS * np.sqrt((parts**2).sum()) for parts in (sums, means))


def exchanged(truth: ItemsByUser, order: NDArray[Any]) -> ItemsByUser:
    """The truth with users and items exchanged, where both are numbered alike; `order` is that of the items."""
    users = np.repeat(np.arange(len(order)), np.diff(truth.starts))
    positions = np.empty(len(order), np.int64)
    positions[order] = np.arange(len(order))
    return pairs_of(order[truth.items], positions[users], len(order))


def doubts(
    standing: Standing, system: str, stand_exchanged: Callable[[], Standing | None]
) -> Iterator[RankMetricsWarning]:
    """The warnings on the rankings of one `system`; `stand_exchanged` exchanges users and items of a square matrix."""
    if standing.is_off(1):
        yield said(RankMetricsWarning, "low_in_rankings", system=system, above=standing.mean)
    if not standing.is_off(-1) and (other := stand_exchanged()) is not None and other.is_off(-1):
        yield said(RankMetricsWarning, "transposed", system=system, above=standing.mean, transposed=other.mean)
