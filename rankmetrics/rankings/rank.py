"""`rank_factors` and `rank_scores`: rankings from the factors of a model, or from the scores of any model."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from rankmetrics.errors import importing

if TYPE_CHECKING:
    from rankmetrics.rankings.rankings import RankingOptions, Rankings

RankingTies = Literal["item", "item_desc", "input", "expected"]


def rank_factors(
    user_factors: object | None,
    item_factors: object | None,
    truth: object,
    *,
    history: object | None = None,
    item_biases: object | None = None,
    user_biases: object | None = None,
    k: int | None = None,
    ties: RankingTies = "item",
    overlap: Literal["error", "ignore"] = "error",
    user: str | None = None,
    item: str | None = None,
    connection: object | None = None,
    block_rows: int | None = None,
    threads: int | None = None,
) -> Rankings:
    """Exact ranks of all items for each user, by the product of factors: recommendations for `evaluate`.

    The score of an item is the product of the user's and the item's factors, and the item's bias. The candidates of a
    user are all items but those of the user's history. The rank of each relevant item is counted among all candidates;
    nothing is sorted, and nothing is approximate. Nothing is computed before a result is asked for.

    Scores are computed in the type of the factors: 32-bit factors give 32-bit scores. They are the same to the last bit
    whatever `block_rows` and `threads` are: a score is always computed in a product of 64 users by all items, padded
    with zeros, in one thread; and an item is compared with scores of the same product as its own.

    Args:
        user_factors: (users, dimensions): an array, a tensor or anything with `__array__` or DLPack, whose ids are its
            row numbers; a pair of ids and an array; or a table with an id column and either a column of lists of
            numbers or a column for each dimension: a frame, a path, a DuckDB relation. None for a model without users,
            which `item_biases` alone rank; its users are those of the truth.
        item_factors: (items, dimensions), of the same kinds; None with `user_factors=None`.
        truth: the relevant items, one row each: a user and an item, in any table that `evaluate` takes; or a sparse
            matrix of SciPy, a row for each user and a column for each item. A row whose user or item has no factors is
            counted in `counts`; its item is a relevant item that no list holds.
        history: the items that each user knew before, of the same kinds: they are not candidates.
        item_biases: a number for each item that is added to its scores: an array in the order of the item factors, or
            a table of an id and a number.
        user_biases: the same for users. They change scores, and no rank.
        k: the length at which lists end, for metrics without a cutoff; by default, a list holds all candidates.
        ties: which of equal scores comes first: `item` (the lower id; text as text), `item_desc` (the higher id), or
            `input` (the order of the item factors). With `expected`, none: `evaluate` takes the exact mean over all
            their orders, as with its own `ties="expected"`; `rows()` and `top(k)` have the lower id first.
        overlap: `error` refuses pairs that are in both truth and history. With `ignore`, such an item counts as
            relevant and is never found.
        user: the name of the id column of users in tables, where it is not a usual one.
        item: the same for items.
        connection: a connection of DuckDB, where tables are named.
        block_rows: users whose rows are computed at a time, rounded up to a multiple of 64 (default: 8,192). A thread
            needs memory for the scores of 64 users as well.
        threads: threads to rank with (default: one for each core).

    Returns:
        Rankings: give them to `evaluate` instead of recommendations; `rows()` and `top(k)` are lazy frames.

    Raises:
        InputError: an input is of no known kind, is empty, or a module of the extra `factors` is missing; or lists are
            to end at `k` and have no order of equal scores.
        ColumnError: the id column is missing or ambiguous, or ids are of types that cannot be equal.
        DataError: the dimensions differ, a number is NaN or infinite, an id is NULL or stands twice, truth and history
            overlap, or no user or item of the truth has factors.

    Example:
        >>> import numpy as np, polars as pl, rankmetrics as rm
        >>> users, items = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[3.0, 1.0], [2.0, 2.0], [1.0, 3.0]])
        >>> truth = pl.DataFrame({"user": [0, 1], "item": [1, 2]})
        >>> rm.evaluate(rm.rank_factors(users, items, truth), truth, ["rr", "auc"]).summary().collect().rows()
        [(2, 0.75, 0.75)]
    """
    options = _options(truth, history, k, ties, overlap, user, item, connection, block_rows, threads)
    return options.rank_factors(user_factors, item_factors, item_biases, user_biases)


def rank_scores(
    scores: Callable[[Any], Any] | object,
    users: object,
    items: object,
    truth: object,
    *,
    history: object | None = None,
    k: int | None = None,
    ties: RankingTies = "item",
    overlap: Literal["error", "ignore"] = "error",
    user: str | None = None,
    item: str | None = None,
    connection: object | None = None,
    block_rows: int | None = None,
    threads: int | None = None,
) -> Rankings:
    """Ranks of all items for each user, by the scores of any model: recommendations for `evaluate`.

    Args:
        scores: a function from an array of user ids to their scores, (users, items), which is called for `block_rows`
            users at a time; or a matrix of all scores: an array, lists of numbers, or a sparse matrix of SciPy, whose
            entries that are not stored are 0. Scores as rows of user, item and score need no rankings: `evaluate` takes
            them.
        users: the ids of the users: an array, a list or a Series; in the order of the matrix' rows.
        items: the ids of the items, in the order of the columns of the scores.
        truth: as in `rank_factors`.
        history: as in `rank_factors`.
        k: as in `rank_factors`.
        ties: as in `rank_factors`.
        overlap: as in `rank_factors`.
        user: as in `rank_factors`.
        item: as in `rank_factors`.
        connection: as in `rank_factors`.
        block_rows: users for whom the function is called at a time, rounded up to a multiple of 64. By default, so many
            that the scores take about 256 MB.
        threads: as in `rank_factors`.

    Returns:
        Rankings, as `rank_factors` does.

    Raises:
        InputError, ColumnError, DataError: as `rank_factors` does; scores of another shape, when they are computed.

    Example:
        >>> import numpy as np, polars as pl, rankmetrics as rm
        >>> popularity = np.array([5.0, 9.0, 1.0])
        >>> truth = pl.DataFrame({"user": ["a", "b"], "item": [10, 30]})
        >>> ranked = rm.rank_scores(lambda ids: np.tile(popularity, (len(ids), 1)), ["a", "b"], [10, 20, 30], truth)
        >>> rm.evaluate(ranked, truth, "rr").per_list().collect().sort("user").rows()
        [('a', 0.5), ('b', 0.3333333333333333)]
    """
    options = _options(truth, history, k, ties, overlap, user, item, connection, block_rows, threads)
    return options.rank_scores(scores, users, items)


def _options(*values: Any) -> RankingOptions:
    """The options of rankings; refuses a Python without the modules of the extra `factors`."""
    for module in ("numpy", "numba", "threadpoolctl"):
        with importing(f"To rank by factors or scores needs {module}, which is not installed", "factors"):
            importlib.import_module(module)
    from rankmetrics.rankings.rankings import RankingOptions

    return RankingOptions(*values)
