"""Compiled loops over the scores of a tile of users: the rank of each relevant item, and the first k items.

An item's rank is 1 + the number of candidates above it: those with a higher score, and those with the same score that
come before it. Numba compiles the loops; each runs without Python's lock, so that threads rank several tiles at once.
The scores of a user are counted in chunks that stay in the fastest cache of a core while all relevant items of the
user are compared with them.
"""

from __future__ import annotations

import numba
import numpy as np

# Scores of a chunk: 16 kB of 32-bit numbers.
CHUNK = 4096

# Scores that are looked through together for the highest and the lowest.
STEP = 256


@numba.njit(nogil=True, cache=True)
def _count_higher(scores, limit):
    n = np.int32(0)
    for at in range(scores.shape[0]):
        n = np.int32(n + np.int32(scores[at] > limit))
    return np.int64(n)


@numba.njit(nogil=True, cache=True)
def _count_as_high(scores, limit):
    n = np.int32(0)
    for at in range(scores.shape[0]):
        n = np.int32(n + np.int32(scores[at] >= limit))
    return np.int64(n)


@numba.njit(nogil=True, cache=True)
def _first_of_highest(scores):
    """The first item with the highest score; -1 if every score is -inf.

    Counting is many times as fast as comparing one by one: only a step that holds a higher score is looked through.
    """
    highest, first = -scores.dtype.type(np.inf), -1
    for begin in range(0, scores.shape[0], STEP):
        end = min(begin + STEP, scores.shape[0])
        if _count_higher(scores[begin:end], highest) > 0:
            for at in range(begin, end):
                if scores[at] > highest:
                    highest, first = scores[at], at
    return first


@numba.njit(nogil=True, cache=True)
def _last_of_lowest(scores):
    """The last item with the lowest score; -1 if every score is inf."""
    lowest, last = np.finfo(scores.dtype).max, -1
    for begin in range(0, scores.shape[0], STEP):
        end = min(begin + STEP, scores.shape[0])
        if _count_higher(scores[begin:end], lowest) < end - begin:
            for at in range(begin, end):
                if scores[at] <= lowest:
                    lowest, last = scores[at], at
    return last


@numba.njit(nogil=True, cache=True)
def _score_known(scores, known, score):
    for at in range(known.shape[0]):
        scores[known[at]] = score


@numba.njit(nogil=True, cache=True)
def rank_tile(scores, first_user, history, known, truth, relevant, ranks, relevant_scores, ends, end_scores):
    """Rank the relevant items of each user of a tile.

    Items are numbered in the order that breaks ties.

    Args:
        scores: (users of the tile, items); those of items in the history are overwritten by -inf.
        first_user: the number of the tile's first user.
        history: where the items of each user start in `known`, and where the last user's end.
        known: the items that are not candidates, user by user.
        truth: where the items of each user start in `relevant`, and where the last user's end.
        relevant: the relevant items, user by user.
        ranks: filled for each relevant item; 0 where it is not a candidate.
        relevant_scores: filled with the score of each relevant item.
        ends: (all users, 3), filled with the number of candidates, the first and the last item; without
            candidates, these are -1.
        end_scores: (all users, 2), filled with the scores of the first and the last item.
    """
    n_items = scores.shape[1]
    infinity = scores.dtype.type(np.inf)
    for row in range(scores.shape[0]):
        user = first_user + row
        of_user, known_of_user = scores[row], known[history[user] : history[user + 1]]
        _score_known(of_user, known_of_user, infinity)
        ends[user, 2] = _last_of_lowest(of_user)
        end_scores[user, 1] = of_user[ends[user, 2]]
        _score_known(of_user, known_of_user, -infinity)
        ends[user, 1] = _first_of_highest(of_user)
        end_scores[user, 0] = of_user[ends[user, 1]]
        ends[user, 0] = n_items - known_of_user.shape[0]
        start, stop = truth[user], truth[user + 1]
        for at in range(start, stop):
            ranks[at] = 1
            relevant_scores[at] = of_user[relevant[at]]
        for begin in range(0, n_items, CHUNK):
            end = min(begin + CHUNK, n_items)
            chunk = of_user[begin:end]
            for at in range(start, stop):
                limit, item = relevant_scores[at], relevant[at]
                if item >= end:
                    ranks[at] += _count_as_high(chunk, limit)
                elif item < begin:
                    ranks[at] += _count_higher(chunk, limit)
                else:
                    ranks[at] += _count_as_high(of_user[begin:item], limit)
                    ranks[at] += _count_higher(of_user[item + 1 : end], limit)
        for at in range(start, stop):
            if relevant_scores[at] == -infinity:
                ranks[at] = 0


@numba.njit(nogil=True, cache=True)
def _count_tied(scores, ranks, relevant_scores, start, at):
    """Count the items with the score of a relevant item: 0 if no other has it, or an earlier relevant item has it."""
    if ranks[at] == 0:
        return 0
    for before in range(start, at):
        if relevant_scores[before] == relevant_scores[at]:
            return 0
    n = _count_as_high(scores, relevant_scores[at]) - _count_higher(scores, relevant_scores[at])
    return n if n > 1 else 0


@numba.njit(nogil=True, cache=True)
def tied_tile(scores, first_user, truth, relevant, ranks, relevant_scores):
    """Find the items of each user of a tile that share their score with a relevant item and another item.

    Takes scores, ranks and relevant scores as `rank_tile` leaves them; returns users, items and ranks.
    """
    counts = np.zeros(scores.shape[0], np.int64)
    for row in range(scores.shape[0]):
        start, stop = truth[first_user + row], truth[first_user + row + 1]
        for at in range(start, stop):
            counts[row] += _count_tied(scores[row], ranks, relevant_scores, start, at)
    filled, ends, n = 0, np.cumsum(counts), counts.sum()
    users, items, tied_ranks = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    for row in range(scores.shape[0]):
        of_user = scores[row]
        start, stop = truth[first_user + row], truth[first_user + row + 1]
        for at in range(start, stop):
            if filled == ends[row]:
                break
            if _count_tied(of_user, ranks, relevant_scores, start, at) == 0:
                continue
            limit, before = relevant_scores[at], of_user[: relevant[at]]
            rank = ranks[at] - (_count_as_high(before, limit) - _count_higher(before, limit))
            for item in range(of_user.shape[0]):
                if of_user[item] == limit:
                    users[filled], items[filled], tied_ranks[filled] = first_user + row, item, rank
                    filled, rank = filled + 1, rank + 1
    return users, items, tied_ranks


@numba.njit(nogil=True, cache=True)
def _is_below(score, item, other_score, other_item):
    return score < other_score or (score == other_score and item > other_item)


@numba.njit(nogil=True, cache=True)
def _sink(heap_scores, heap_items, size):
    """Move the root of a heap down to its place; the lowest item is at the root."""
    score, item, at = heap_scores[0], heap_items[0], 0
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and _is_below(
            heap_scores[child + 1], heap_items[child + 1], heap_scores[child], heap_items[child]
        ):
            child += 1
        if not _is_below(heap_scores[child], heap_items[child], score, item):
            break
        heap_scores[at], heap_items[at] = heap_scores[child], heap_items[child]
        at = child
    heap_scores[at], heap_items[at] = score, item


@numba.njit(nogil=True, cache=True)
def top_tile(scores, first_user, history, known, top_items, top_scores):
    """Find the first k items of each user of a tile, best first; -1 where there are fewer candidates.

    `top_items` and `top_scores`, (users of the tile, k), are filled; the other arguments are those of `rank_tile`.
    """
    nothing = -scores.dtype.type(np.inf)
    k = top_items.shape[1]
    for row in range(scores.shape[0]):
        user = first_user + row
        of_user, heap_scores, heap_items = scores[row], top_scores[row], top_items[row]
        _score_known(of_user, known[history[user] : history[user + 1]], nothing)
        heap_scores[:] = nothing
        heap_items[:] = -1
        lowest = nothing
        for item in range(of_user.shape[0]):
            if of_user[item] > lowest:
                heap_scores[0], heap_items[0] = of_user[item], item
                _sink(heap_scores, heap_items, k)
                lowest = heap_scores[0]
        for size in range(k - 1, 0, -1):
            heap_scores[0], heap_scores[size] = heap_scores[size], heap_scores[0]
            heap_items[0], heap_items[size] = heap_items[size], heap_items[0]
            _sink(heap_scores, heap_items, size)
