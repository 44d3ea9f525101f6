"""Rankings of all candidates: what `rank_factors` and `rank_scores` return, and `evaluate` takes as recommendations."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import polars as pl

from rankmetrics._files import new_file
from rankmetrics.engines.arrow import Batches
from rankmetrics.engines.base import Engine
from rankmetrics.engines.duckdb import DuckDB
from rankmetrics.engines.files import Systems
from rankmetrics.engines.polars import Polars
from rankmetrics.errors import DataError, InputError, MetricError, Option, RankMetricsWarning
from rankmetrics.faults.inputs import TIED_RANKS, reads_every_row
from rankmetrics.inputs.columns import Columns
from rankmetrics.messages import said
from rankmetrics.metrics.metric import Metric
from rankmetrics.options import one_of, whole_number
from rankmetrics.planner import Plan
from rankmetrics.queries import Queries
from rankmetrics.rankings.inputs import (
    FactorReader,
    Factors,
    Ids,
    ItemsByUser,
    frame_of_matrix,
    id_column_of,
    is_array,
    is_sparse,
    overlap,
    read_pairs,
    table_of,
    with_biases,
)
from rankmetrics.rankings.scores import (
    Block,
    Need,
    Ranker,
    ScoreSource,
    Standing,
    computed_scores,
    doubts,
    exchanged,
    product_of_factors,
)
from rankmetrics.sqltree.names import free_name

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

# A bar for shorter work would only flicker.
BAR_AFTER_SECONDS = 1.0

# The users whose relevant items are ranked again with users and items exchanged.
EXCHANGED = 1024


@dataclass(frozen=True, eq=False)
class Rankings:
    """The ranks of items among all candidates of each user: every item but those of the user's history.

    `rm.evaluate` takes rankings wherever recommendations go. They are computed when a result needs them, once, block
    by block: the rank of each relevant item, the first and the last item of each list, and the number of candidates.
    The other rows are computed only for metrics that read them, down to the largest cutoff.

    Attributes:
        users: the ids of the users.
        items: the ids of the items.
        truth: the truth as a lazy frame, as `evaluate` takes it.
        history: the history as a lazy frame; None without one.
        counts: how many users, items, relevant pairs and pairs of the history there are, and how many rows of truth and
            history were left out because an id has no factors or is NULL.
        k: the length at which lists end; None for whole lists.
        ties: which of equal scores comes first; with `expected`, metrics are the mean over all their orders.
    """

    users: Ids
    items: Ids
    truth: pl.LazyFrame
    history: pl.LazyFrame | None
    counts: Mapping[str, int]
    k: int | None
    ties: str
    _ranker: Ranker
    _user_biases: NDArray[Any] | None
    # The order of the items that breaks ties, where a matrix might be transposed: it has as many rows as columns.
    _square: NDArray[np.int64] | None = None
    _computed: dict[Need, tuple[pl.DataFrame, Standing]] = field(default_factory=dict)
    _lock: Any = field(default_factory=RLock)

    @property
    def ties_of_metrics(self) -> str | None:
        """The policy `ties` of metrics for which the caller chooses none; None where the ranks are final."""
        return self.ties if self.ties == "expected" else None

    @property
    def columns(self) -> Columns:
        """The columns of the rows: user and item under the truth's names, then rank, score and pool."""
        ids = (self.users.column, self.items.column)
        rank, score, pool = (free_name(name, ids) for name in ("rank", "score", "pool"))
        return Columns(item=self.items.column, rank=rank, score=score, pool=pool)

    @property
    def schema(self) -> pl.Schema:
        """The columns of the rows with their types."""
        roles = self.columns.roles
        kind = pl.Float32() if self._ranker.scores.kind.itemsize == 4 else pl.Float64()
        columns = [(ids.column, ids.values.dtype) for ids in (self.users, self.items)]
        return pl.Schema([*columns, (roles["rank"], pl.Int64()), (roles["score"], kind), (roles["pool"], pl.Int64())])

    def rows(self) -> pl.LazyFrame:
        """The rows that metrics of hits need, lazily: user, item, rank, score, pool.

        Returns:
            A row for each relevant item, and for the first and the last item of each list; `pool` is the number of
            candidates of the list. `evaluate` measures the rows as a table; it refuses metrics that read other rows.

        Raises:
            InputError: equal scores have no order, and so no ranks.

        Example:
            >>> import numpy as np, polars as pl, rankmetrics as rm
            >>> truth = pl.DataFrame({"user": [0], "item": [2]})
            >>> ranked = rm.rank_factors(np.array([[1.0]]), np.array([[4.0], [3.0], [2.0], [1.0]]), truth)
            >>> ranked.rows().collect().rows()
            [(0, 0, 1, 4.0, 4), (0, 2, 3, 2.0, 4), (0, 3, 4, 1.0, 4)]
        """
        self._refuse_no_order()
        return pl.defer(lambda: self.computed(Need())[0], schema=self.schema)

    def top(self, k: int) -> pl.LazyFrame:
        """The first k items of each user, lazily: user, item, rank, score, pool.

        Raises:
            InputError: k is not a whole number from 1, or is beyond the length at which the lists end; or equal scores
                have no order.

        Example:
            >>> import numpy as np, polars as pl, rankmetrics as rm
            >>> truth = pl.DataFrame({"user": [0], "item": [2]})
            >>> ranked = rm.rank_factors(np.array([[1.0]]), np.array([[4.0], [3.0], [2.0], [1.0]]), truth)
            >>> ranked.top(2).collect()["item"].to_list()
            [0, 1]
        """
        whole_number("k", k)
        if self.k is not None and k > self.k:
            raise InputError(f"The lists end after {self.k} items: {Option('k', self.k)}. There is no top {k}.")
        self._refuse_no_order()
        rows = pl.defer(lambda: self.computed(Need(top=k))[0], schema=self.schema)
        return rows.filter(pl.col(str(self.columns.rank)) <= k)

    def write(self, path: str | Path, *, top: int | None = None) -> None:
        """Compute the rows, or the first items of each list, into a Parquet file: whole or not at all.

        Args:
            path: the file to write.
            top: how many items of each list to write; by default, the rows of `rows()`.

        Raises:
            InputError: nothing can be written there; or as `rows` and `top` do.
        """
        frame = self.rows() if top is None else self.top(top)
        with new_file(path) as temporary:
            frame.collect().write_parquet(temporary)

    def _refuse_no_order(self) -> None:
        if self.ties_of_metrics:
            raise said(InputError, "ranks_without_an_order")

    def computed(self, need: Need) -> tuple[pl.DataFrame, Standing]:
        """The rows that are needed, computed once, and where the relevant items stand."""
        whole = replace(need, only_truth=False)
        with self._lock:
            if whole in self._computed or (np.diff(self._ranker.truth.starts) > 0).all():
                need = whole  # it has all rows that are needed, or every user has truth
            if need not in self._computed:
                rows, standings = [], []
                for block in with_bar(self._ranker.blocks(need), len(self.users)):
                    scores = block.scores
                    if self._user_biases is not None:
                        scores = scores + self._user_biases[block.users].astype(scores.dtype)
                    ids = self.users.values.gather(block.users), self.items.values.gather(block.items)
                    columns = zip(self.schema, (*ids, block.ranks, scores, block.pools), strict=True)
                    rows.append(pl.DataFrame(dict(columns), schema=self.schema))
                    standings.append(block.standing)
                self._computed[need] = pl.concat(rows), Standing.of(standings)
            return self._computed[need]

    def doubts(self, need: Need, system: str) -> Iterator[RankMetricsWarning]:
        """The warnings on the rankings, whose rows are computed first; `system` names theirs, as ` of 'als'`."""
        yield from doubts(self.computed(need)[1], system, self._stand_exchanged)

    def _stand_exchanged(self) -> Standing | None:
        """The standing of some relevant items if a matrix were transposed; None if no matrix is square."""
        if self._square is None:
            return None
        nothing = ItemsByUser(np.zeros(len(self._square) + 1, np.int64), np.empty(0, np.int32))
        truth = exchanged(self._ranker.truth, self._square)
        ranker = replace(self._ranker, truth=truth, history=nothing, block_rows=EXCHANGED)
        return next(ranker.blocks(Need(only_truth=True))).standing

    def __repr__(self) -> str:
        counted = ", ".join(
            f"{name.replace('_', ' ')}: {n:,}" for name, n in self.counts.items() if n or name == "users"
        )
        return f"Rankings({counted}{f', lists end after: {self.k}' if self.k else ''})"


TIES, OVERLAPS = ("item", "item_desc", "input", "expected"), ("error", "ignore")


@dataclass(frozen=True)
class RankingOptions:
    """The options of rankings in addition to factors or scores, as in `rank_factors`."""

    truth: object
    history: object | None
    k: int | None
    ties: str
    overlap: str
    user: str | None
    item: str | None
    connection: object | None
    block_rows: int | None
    threads: int | None

    def __post_init__(self) -> None:
        one_of(TIES, "ties", self.ties, InputError)
        one_of(OVERLAPS, "overlap", self.overlap, InputError)
        if self.ties == "expected" and self.k is not None:
            raise said(InputError, "lists_cut_without_an_order")
        for name in ("k", "block_rows", "threads"):
            if (number := getattr(self, name)) is not None:
                whole_number(name, number)

    def rank_factors(
        self, user_factors: Any, item_factors: Any, item_biases: object | None, user_biases: object | None
    ) -> Rankings:
        """Rankings by the product of factors, or by biases alone."""
        of_users, of_items = (
            FactorReader(kind, column, self.connection) for kind, column in (("user", self.user), ("item", self.item))
        )
        if (user_factors is None) != (item_factors is None) or (item_factors is None and item_biases is None):
            raise said(InputError, "factors_or_biases")
        biases = None
        if item_factors is None:  # the biases are factors of one dimension, in which every user has 1
            items, users = of_items.biases(item_biases, None), self._users_of_truth()
            factors = Factors(users, np.ones((len(users), 1), items.values.dtype))
        else:
            items, factors = of_items.factors(item_factors), of_users.factors(user_factors)
            biases = None if item_biases is None else of_items.biases(item_biases, items.ids)
        factors, items = with_biases(factors, items, biases)
        order = self._order(items.ids)
        scores = product_of_factors(factors.values, items.values[order])
        by_user = None if user_biases is None else of_users.biases(user_biases, factors.ids).values[:, 0]
        return self._rankings(factors.ids, items.ids, order, scores, self.block_rows, by_user)

    def rank_scores(self, scores: Any, users: object, items: object) -> Rankings:
        """Rankings by a function or a matrix of scores."""
        if not callable(scores) and not isinstance(scores, list) and not is_array(scores) and not is_sparse(scores):
            raise said(InputError, "no_scores")
        of_users = Ids.of_values("users", self.user or "user", users)
        of_items = Ids.of_values("items", self.item or "item", items)
        order = self._order(of_items)
        rows = self.block_rows or max(64, 256_000_000 // (8 * max(len(of_items), 1)))
        computed, is_matrix = computed_scores(scores, of_users, order), not callable(scores)
        return self._rankings(of_users, of_items, order, computed, rows, None, is_matrix=is_matrix)

    def _order(self, ids: Ids) -> NDArray[np.int64]:
        """The positions of the items in the order that breaks ties."""
        return np.arange(len(ids)) if self.ties == "input" else ids.order(descending=self.ties == "item_desc")

    def _users_of_truth(self) -> Ids:
        what, truth = "users of the truth", cast("Any", self.truth)
        if is_sparse(truth):
            return Ids.of_rows(what, self.user or "user", truth.shape[0])
        frame = table_of("truth", truth, self.connection)
        column = id_column_of("truth", "user", frame.collect_schema().names(), self.user)
        values = frame.select(column).drop_nulls().unique().sort(column).collect().to_series()
        return Ids.of_values(what, column, values)

    def _rankings(
        self,
        users: Ids,
        unordered: Ids,
        order: NDArray[np.int64],
        scores: ScoreSource,
        block_rows: int | None,
        user_biases: NDArray[Any] | None,
        *,
        is_matrix: bool = False,
    ) -> Rankings:
        """The rankings, with the ids named as in the truth; `is_matrix` if the caller gave a matrix of scores."""
        items = unordered.reordered(order)
        truth, columns, relevant = self._pairs("truth", self.truth, users, unordered, items)
        if not len(relevant.items):
            some = {"users": [*users.values.head(3)], "items": [*items.values.head(3)]}
            rows = truth.select(columns).head(3).collect().rows()
            raise said(DataError, "truth_without_factors", truth=rows, **some)
        known, history = ItemsByUser(np.zeros(len(users) + 1, np.int64), np.empty(0, np.int32)), None
        if self.history is not None:
            history, _, known = self._pairs("history", self.history, users, unordered, items)
        counts = {
            "users": len(users),
            "items": len(items),
            "relevant_pairs": len(relevant.items),
            "history_pairs": len(known.items),
            "relevant_pairs_in_history": overlap(relevant, known, users, items, refuses=self.overlap == "error"),
            **relevant.counts("truth"),
            **known.counts("history"),
        }
        users, items = (replace(ids, column=name) for ids, name in zip((users, items), columns, strict=True))
        ranker = Ranker(scores, len(items), relevant, known, self.k, block_rows, self.threads)
        has_matrix = is_matrix or is_sparse(self.truth)
        square = order if has_matrix and len(users) == len(items) else None
        return Rankings(users, items, truth, history, counts, self.k, self.ties, ranker, user_biases, square)

    def _pairs(
        self, what: str, value: Any, users: Ids, unordered: Ids, items: Ids
    ) -> tuple[pl.LazyFrame, list[str], ItemsByUser]:
        """Pairs of any kind: as a lazy frame, the columns of users and items in it, and as items by user."""
        table = frame_of_matrix(what, value, users, unordered) if is_sparse(value) else value
        frame = table_of(what, table, self.connection)
        there = frame.collect_schema().names()
        columns = [id_column_of(what, kind, there, name) for kind, name in (("user", self.user), ("item", self.item))]
        return frame, columns, read_pairs(what, frame.select(columns).collect(), users, items)


# --- rankings in an evaluation ----------------------------------------------------------------------------------------

# The choices of `missing` under which no list without truth is measured.
OF_TRUTH = frozenset({"zero", "skip"})


def need_of(metrics: Sequence[Metric], plans: Sequence[Plan], ends_at: int | None) -> Need:
    """The rows that some metrics read, by the plan of each metric alone, of lists that may end at some length."""
    labels = zip((metric.label for metric in metrics), plans, strict=True)
    tied = [label for label, plan in labels if any(key.file == TIED_RANKS for key in plan.stages.by_key)]
    if tied and ends_at is not None:
        raise said(MetricError, "all_orders_of_cut_lists", metrics=", ".join(tied), n=ends_at)
    deep = [metric for metric, plan in zip(metrics, plans, strict=True) if reads_every_row(plan)]
    cutoffs = {metric.label: metric.values.get("k") or ends_at for metric in deep}
    if whole := [label for label, k in cutoffs.items() if k is None]:
        raise said(MetricError, "every_candidate", metrics=whole, naming=Option("k", 10))
    missing = {choice for plan in plans for choice in plan.question.missing}
    top = max((int(k) for k in cutoffs.values() if isinstance(k, int)), default=0)
    return Need(top=min(top, ends_at or top), only_truth=missing <= OF_TRUTH, ties=bool(tied))


class RankedRows(Batches):
    """The rows of rankings as an Arrow stream, for an engine."""

    def __init__(self, rankings: Rankings) -> None:
        self.rankings = rankings
        self.need = Need()  # the rows that the metrics read; set before the first read
        self.schema = pl.DataFrame(schema=rankings.schema).to_arrow().schema

    def _batches(self) -> Iterator[pa.RecordBatch]:
        frame, _ = self.rankings.computed(self.need)
        yield from frame.to_arrow().cast(self.schema).to_batches(max_chunksize=1 << 20)


def with_bar(blocks: Iterator[Block], n_users: int) -> Iterator[Block]:
    """The blocks; on a terminal, with a bar once the work takes long."""
    if not sys.stderr.isatty():
        yield from blocks
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("ranking"), BarColumn(), TextColumn("{task.percentage:>3.0f}%"), TimeRemainingColumn())
    progress = Progress(*columns, console=Console(stderr=True), transient=True)
    task, began = progress.add_task("ranking", total=n_users), time.monotonic()
    with ExitStack() as stack:
        for block in blocks:
            if time.monotonic() - began > BAR_AFTER_SECONDS and not progress.live.is_started:
                stack.enter_context(progress)
            if len(block.users):
                progress.update(task, completed=int(block.users[-1]) + 1)
            yield block


@dataclass(frozen=True)
class RankedInputs:
    """The rankings among the inputs of an evaluation."""

    rows: Mapping[str, RankedRows]  # of each system by its name, which is empty for one without a name

    @classmethod
    def replacing(cls, inputs: dict[str, Any]) -> RankedInputs:
        """Replace rankings among the inputs by their rows, and sparse matrices by tables."""
        recs = inputs["recs"]
        systems: Mapping[str, Any] = recs.inputs if isinstance(recs, Systems) else {"": recs}
        rows = {name: RankedRows(table) if isinstance(table, Rankings) else table for name, table in systems.items()}
        inputs["recs"] = replace(recs, inputs=rows) if isinstance(recs, Systems) else rows[""]
        ranked = {name: row for name, row in rows.items() if isinstance(row, RankedRows)}
        first = next(iter(ranked.values())).rankings
        tables = {"truth": first.truth, "history": first.history}
        inputs.update({name: table for name, table in tables.items() if is_sparse(inputs.get(name))})
        return cls(ranked)

    def columns(self, others: Columns | None) -> Columns:
        """The columns of the rows, and those that the caller names for the other inputs."""
        own = next(iter(self.rows.values())).rankings.columns
        return replace(others or Columns(), item=own.item, rank=own.rank, score=own.score, pool=own.pool)

    def refuse_unless_read_by(self, engine: type[Engine]) -> None:
        """Refuse an engine that reads no rows which Python computes."""
        if not issubclass(engine, (DuckDB, Polars)):
            raise said(InputError, "rankings_of_another_engine")

    def prepare(self, engine: Engine, queries: Queries) -> None:
        """Let the engine compute the rows that the metrics read, before it runs a query."""
        plans = [queries.plan([metric]) for metric in queries.metrics]
        for row in self.rows.values():
            row.need = need_of(queries.metrics, plans, row.rankings.k)
        engine.before = [partial(row.rankings.computed, row.need) for row in self.rows.values()]
        engine.doubts = self._doubts

    def _doubts(self) -> Iterator[RankMetricsWarning]:
        for name, row in self.rows.items():
            yield from row.rankings.doubts(row.need, f" of {name!r}" if name else "")
