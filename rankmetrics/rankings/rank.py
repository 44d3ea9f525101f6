"""`rank_factors` and `rank_scores`: rankings from the factors of a model, or from the scores of any model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from rankmetrics.errors import DataError, InputError, Option, did_you_mean, names
from rankmetrics.rankings.arrays import require_modules

if TYPE_CHECKING:
    from rankmetrics.rankings.factors import Factors
    from rankmetrics.rankings.ids import Ids
    from rankmetrics.rankings.pairs import Pairs
    from rankmetrics.rankings.rankings import Rankings
    from rankmetrics.rankings.scores import Scores

Ties = Literal["item", "item_desc", "input", "expected"]
TIES = ("item", "item_desc", "input", "expected")
OVERLAPS = ("error", "ignore")


def rank_factors(
    user_factors: object | None,
    item_factors: object | None,
    truth: object,
    *,
    history: object | None = None,
    item_biases: object | None = None,
    user_biases: object | None = None,
    k: int | None = None,
    ties: Ties = "item",
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
        item_factors: (items, dimensions), of the same kinds; None beside `user_factors=None`.
        truth: the relevant items, one row each: a user and an item, in any table that `evaluate` takes; or a sparse
            matrix of SciPy, a row for each user and a column for each item. A row whose user or item has no factors is
            counted in `counts`; its item is a relevant item that no list holds.
        history: the items that each user knew before, of the same kinds: they are no candidates.
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
            needs memory for the scores of 64 users beside it.
        threads: threads to rank with (default: one for each core).

    Returns:
        Rankings: give them to `evaluate` in place of recommendations; `rows()` and `top(k)` are lazy frames.

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
    require_modules()
    from rankmetrics.rankings import factors as reading
    from rankmetrics.rankings.scores import SameScores, ScoresOfFactors

    _check(k, ties, overlap, block_rows, threads)
    if (user_factors is None) != (item_factors is None) or (item_factors is None and item_biases is None):
        raise InputError(
            "Give user factors and item factors, or neither of them and ",
            Option("item_biases"),
            ", to rank by biases alone.",
        )
    of_biases: Factors | None = None
    if item_factors is None:
        of_items = reading.read_biases("item biases", "item", item_biases, None, item, connection)
        users = _users_of(truth, of_items.ids, user, connection)
        order = _order(of_items.ids, ties)
        of_items = of_items.in_order(order)
        scores: Scores = SameScores(of_items.values[:, 0].copy())
    else:
        of_items = reading.read_factors(reading.ITEMS, "item", item_factors, item, connection)
        of_users = reading.read_factors(reading.USERS, "user", user_factors, user, connection)
        if item_biases is not None:
            of_biases = reading.read_biases("item biases", "item", item_biases, of_items.ids, item, connection)
        of_users, of_items = reading.joined(of_users, of_items, of_biases)
        order = _order(of_items.ids, ties)
        of_items = of_items.in_order(order)
        users, scores = of_users.ids, ScoresOfFactors(of_users.values, of_items.values)
    by_user = None
    if user_biases is not None:
        by_user = reading.read_biases("user biases", "user", user_biases, users, user, connection).values[:, 0]
    found = _Given(truth, history, users, of_items.ids, order, ties, user, item, connection, overlap == "ignore")
    return found.rankings(scores, k, block_rows, threads, by_user)


def rank_scores(
    scores: Callable[[Any], Any] | object,
    users: object,
    items: object,
    truth: object,
    *,
    history: object | None = None,
    k: int | None = None,
    ties: Ties = "item",
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
            users at a time; or a matrix of all scores, dense or a sparse matrix of SciPy, whose entries that are not
            stored are 0. Scores as rows of user, item and score need no rankings: `evaluate` takes them.
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
    require_modules()
    import numpy as np

    from rankmetrics.rankings.arrays import is_array, is_sparse
    from rankmetrics.rankings.ids import ids_of
    from rankmetrics.rankings.scores import ScoresOfFunction, function_of

    _check(k, ties, overlap, block_rows, threads)
    if not callable(scores) and not is_array(scores) and not is_sparse(scores):
        raise InputError(
            "The scores are neither a function nor a matrix. Scores as rows of user, item and score are "
            "recommendations already: give them to evaluate."
        )
    of_users, of_items = ids_of("users", user or "user", users), ids_of("items", item or "item", items)
    function, kind = function_of(scores, of_users, len(of_items))
    order = _order(of_items, ties)
    rows = block_rows or max(64, 256_000_000 // (8 * max(len(of_items), 1)))
    ids = of_items.taken(order)
    found = _Given(truth, history, of_users, ids, order, ties, user, item, connection, overlap == "ignore")
    return found.rankings(ScoresOfFunction(function, of_users, order, np.dtype(kind)), k, rows, threads, None)


def _check(k: int | None, ties: str, overlap: str, block_rows: int | None, threads: int | None) -> None:
    """Refuse options whose values are none of theirs."""
    for name, value, known in (("ties", ties, TIES), ("overlap", overlap, OVERLAPS)):
        if value not in known:
            raise InputError(
                Option(name, is_noun=True),
                f" must be one of {names(known)}: {value!r} is not.{did_you_mean(str(value), known)}",
            )
    if ties == "expected" and k is not None:
        raise InputError(
            Option("ties", "expected"),
            ": lists that end at k need an order of equal scores. Leave out ",
            Option("k", is_noun=True),
            ", and give the metrics a cutoff, such as ndcg@10.",
        )
    for name, number in (("k", k), ("block_rows", block_rows), ("threads", threads)):
        if number is not None and (not isinstance(number, int) or isinstance(number, bool) or number < 1):
            raise InputError(Option(name, is_noun=True), f" must be a whole number from 1: {number!r} is not.")


def _order(ids: Ids, ties: str) -> Any:
    """The positions of the items in the order that breaks ties."""
    import numpy as np

    return np.arange(len(ids)) if ties == "input" else ids.order(descending=ties == "item_desc")


def _users_of(truth: Any, items: Ids, user: str | None, connection: object | None) -> Ids:
    """The users of the truth, for a model without users."""
    from rankmetrics.rankings.arrays import is_sparse
    from rankmetrics.rankings.factors import id_column_of
    from rankmetrics.rankings.ids import Ids
    from rankmetrics.rankings.tables import frame_of

    if is_sparse(truth):
        return Ids.of_rows("users of the truth", user or "user", truth.shape[0])
    frame = frame_of("truth", truth, connection)
    column = id_column_of("truth", "user", frame.collect_schema().names(), user)
    values = frame.select(column).drop_nulls().unique().sort(column).collect().to_series()
    return Ids.of_column("users of the truth", values)


class _Given:
    """What rankings are of, beside the scores."""

    def __init__(
        self,
        truth: object,
        history: object | None,
        users: Ids,
        items: Ids,
        order: Any,
        ties: Ties,
        user: str | None,
        item: str | None,
        connection: object | None,
        ignores_overlap: bool,
    ) -> None:
        self.truth, self.history = truth, history
        self.users, self.items, self.order, self.ties = users, items, order, ties
        self.columns, self.connection = (user, item), connection
        self.ignores_overlap = ignores_overlap

    def rankings(
        self, scores: Scores, k: int | None, block_rows: int | None, threads: int | None, user_biases: Any
    ) -> Rankings:
        """The rankings, with the ids named as in the truth."""
        from rankmetrics.rankings.pairs import no_pairs, overlap
        from rankmetrics.rankings.rankings import Rankings

        truth, columns, relevant = self._pairs("truth", self.truth)
        if not len(relevant.items):
            raise DataError(
                "No row of the truth has a user and an item with factors. The users have the ids "
                f"{names(self.users.values.head(3))}, the items {names(self.items.values.head(3))}; the truth has "
                f"{names(truth.select(columns).head(3).collect().rows())}."
            )
        known, history = no_pairs(len(self.users)), None
        if self.history is not None:
            history, _, known = self._pairs("history", self.history)
        n_both = overlap(relevant, known, self.users, self.items, refuses=not self.ignores_overlap)
        counts = {
            "users": len(self.users),
            "items": len(self.items),
            "relevant_pairs": len(relevant.items),
            "history_pairs": len(known.items),
            "relevant_pairs_in_history": n_both,
            **relevant.counts("truth"),
            **known.counts("history"),
        }
        users, items = (replace(ids, column=name) for ids, name in zip((self.users, self.items), columns, strict=True))
        return Rankings(
            users,
            items,
            truth,
            history,
            counts,
            k,
            self.ties,
            scores,
            relevant,
            known,
            user_biases,
            block_rows,
            threads,
        )

    def _pairs(self, what: str, value: Any) -> tuple[Any, list[str], Pairs]:
        """Pairs of any kind: as a lazy frame, the columns of users and items in it, and the pairs."""
        from rankmetrics.rankings.arrays import is_sparse
        from rankmetrics.rankings.factors import id_column_of
        from rankmetrics.rankings.pairs import of_matrix, read_pairs
        from rankmetrics.rankings.tables import frame_of

        if is_sparse(value):
            frame, pairs = of_matrix(what, value, self.users, self.items, self.order)
            return frame, ["user", "item"], pairs
        frame = frame_of(what, value, self.connection)
        names_of_frame = frame.collect_schema().names()
        kinds = zip(("user", "item"), self.columns, strict=True)
        columns = [id_column_of(what, kind, names_of_frame, one) for kind, one in kinds]
        return frame, columns, read_pairs(what, frame.select(columns).collect(), self.users, self.items)
