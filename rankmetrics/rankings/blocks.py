"""Ranks the relevant items of all users, block by block: memory is that of a block, whatever the number of users."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import numpy as np
from threadpoolctl import ThreadpoolController

from rankmetrics.rankings.kernel import count_tied, find_tied, rank_tile, top_tile
from rankmetrics.rankings.pairs import Pairs
from rankmetrics.rankings.scores import TILE, Scores

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]
    Positions = NDArray[np.int64]

# Users of a block, unless the caller says otherwise.
BLOCK = 8192


@dataclass(frozen=True)
class Need:
    """Which rows of the rankings are wanted beside the relevant items, and the first and the last item of each list.

    Attributes:
        top: the first so many items of each list; 0 for none.
        only_truth: whether users without truth are left out.
        ties: whether the items that share their score with a relevant item are wanted.
    """

    top: int = 0
    only_truth: bool = False
    ties: bool = False


@dataclass(frozen=True)
class Block:
    """The rows of the lists of a block of users: a row for each array's entry, in the order of users and ranks.

    Attributes:
        users: the position of each row's user.
        items: the position of its item.
        ranks: its rank, from 1.
        scores: its score.
        pools: the number of candidates of its list.
    """

    users: Positions
    items: Positions
    ranks: Positions
    scores: Array
    pools: Positions


def ranked_blocks(
    scores: Scores,
    n_items: int,
    truth: Pairs,
    history: Pairs,
    *,
    need: Need,
    cut: int | None,
    block_rows: int | None,
    threads: int | None,
) -> Iterator[Block]:
    """The rows of all lists, block by block.

    Args:
        scores: the scores of all users and items.
        n_items: the number of items.
        truth: the relevant items.
        history: the items that are no candidates.
        need: which rows are wanted.
        cut: the length at which lists end; None for whole lists.
        block_rows: users of a block.
        threads: threads that rank tiles; by default, one for each core.
    """
    n_threads = threads or _n_cores()
    users = np.flatnonzero(np.diff(truth.starts)) if need.only_truth else np.arange(len(truth.starts) - 1)
    size = max(TILE, -(-(block_rows or BLOCK) // TILE) * TILE)
    buffers: SimpleQueue[Array] = SimpleQueue()
    for _ in range(n_threads):
        buffers.put(np.empty((TILE, n_items), scores.kind))
    with ThreadpoolController().limit(limits=1, user_api="blas"), ThreadPoolExecutor(n_threads) as pool:
        for start in range(0, len(users), size):
            work = _Work(scores, users[start : start + size], n_items, truth, history, need, cut)
            try:
                for _ in pool.map(lambda at, work=work: work.rank(at, buffers), range(0, len(work.users), TILE)):
                    pass
            except BaseException:
                pool.shutdown(cancel_futures=True)  # Ctrl-C ends after the tiles that are under way
                raise
            yield work.rows()


def _n_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Work:
    """A block while its tiles are ranked."""

    def __init__(
        self,
        scores: Scores,
        users: Positions,
        n_items: int,
        truth: Pairs,
        history: Pairs,
        need: Need,
        cut: int | None,
    ) -> None:
        self.users, self._cut = users, cut
        self._tile = scores.block(users)
        self._truth, self._history = truth.of(users), history.of(users)
        n_relevant, top = len(self._truth[1]), min(need.top, n_items)
        self._ranks = np.empty(n_relevant, np.int64)
        self._scores = np.empty(n_relevant, scores.kind)
        self._ends = np.empty((len(users), 3), np.int64)
        self._end_scores = np.empty((len(users), 2), scores.kind)
        self._tied: list[tuple[Array, ...]] | None = [] if need.ties else None
        self._top = np.empty((len(users), top), np.int32), np.empty((len(users), top), scores.kind)

    def rank(self, start: int, buffers: SimpleQueue[Array]) -> None:
        """Rank the users of one tile."""
        stop = min(start + TILE, len(self.users))
        buffer = buffers.get()
        try:
            scores = self._tile(start, stop, buffer)
            found = (*self._truth, self._ranks, self._scores, self._ends, self._end_scores)
            rank_tile(scores, start, *self._history, *found)
            if self._tied is not None:
                self._tied.append(self._find_tied(scores, start))
            items, of_items = self._top
            if items.shape[1]:
                top_tile(scores, start, *self._history, items[start:stop], of_items[start:stop])
        finally:
            buffers.put(buffer)

    def _find_tied(self, scores: Array, start: int) -> tuple[Array, ...]:
        """The rows of the items that share their score with a relevant item, for the users of one tile."""
        starts, relevant = self._truth
        counts = np.empty(len(scores), np.int64)
        count_tied(scores, start, starts, self._ranks, self._scores, counts)
        ends = np.concatenate([[0], np.cumsum(counts)])
        items, ranks = np.empty(ends[-1], np.int64), np.empty(ends[-1], np.int64)
        find_tied(scores, start, starts, relevant, self._ranks, self._scores, ends, items, ranks)
        users = np.repeat(np.arange(len(scores)), counts)
        return users + start, items, ranks, scores[users, items]

    def rows(self) -> Block:
        """The rows of the block, each item of a list once."""
        pools, every = self._ends[:, 0], np.arange(len(self.users))
        parts: list[tuple[Array, ...]] = [
            (np.repeat(every, np.diff(self._truth[0])), self._truth[1], self._ranks, self._scores),
            *(self._tied or ()),
        ]
        top_items, top_scores = self._top
        if top := top_items.shape[1]:
            parts.append(
                (
                    np.repeat(every, top),
                    top_items.ravel(),
                    np.tile(np.arange(1, top + 1), len(every)),
                    top_scores.ravel(),
                )
            )
        for end, ranks in ((1, np.minimum(pools, 1)), (2, pools)):
            parts.append((every, self._ends[:, end], ranks, self._end_scores[:, end - 1]))
        users, items, ranks, scores = (np.concatenate(part) for part in zip(*parts, strict=True))
        is_there = (ranks > 0) & (items >= 0) & (ranks <= (self._cut or pools.max(initial=0)))
        at = np.flatnonzero(is_there)
        _, first = np.unique((users[at] << 32) | ranks[at], return_index=True)
        at = at[first]
        return Block(self.users[users[at]], items[at].astype(np.int64), ranks[at], scores[at], pools[users[at]])
