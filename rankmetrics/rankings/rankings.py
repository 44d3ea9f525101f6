"""Rankings of all candidates: what `rank_factors` and `rank_scores` return, and `evaluate` takes as recommendations."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from rankmetrics._files import new_file
from rankmetrics.engines.arrow import Batches
from rankmetrics.errors import InputError, Option
from rankmetrics.inputs.columns import Columns
from rankmetrics.rankings.blocks import Block, Need, ranked_blocks
from rankmetrics.rankings.ids import Ids
from rankmetrics.rankings.pairs import Pairs
from rankmetrics.rankings.scores import Scores
from rankmetrics.sqltree.names import free_name

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

# A bar for shorter work would only flicker.
BAR_AFTER_SECONDS = 1.0

# The columns of rankings beside those of user and item.
RANK, SCORE, POOL = "rank", "score", "pool"


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
    _scores: Scores
    _relevant: Pairs
    _known: Pairs
    _user_biases: NDArray[Any] | None
    _block_rows: int | None
    _threads: int | None
    _computed: dict[Need, pl.DataFrame] = field(default_factory=dict)
    _lock: Any = field(default_factory=RLock)

    @property
    def ties_of_metrics(self) -> str | None:
        """The policy `ties` of metrics for which the caller chooses none; None where the ranks stand."""
        return self.ties if self.ties == "expected" else None

    @property
    def columns(self) -> Columns:
        """The columns of the rows: user and item under the truth's names, then rank, score and pool."""
        taken = (self.users.column, self.items.column)
        rank, score, pool = (free_name(name, taken) for name in (RANK, SCORE, POOL))
        return Columns(item=self.items.column, rank=rank, score=score, pool=pool)

    @property
    def schema(self) -> pl.Schema:
        """The columns of the rows with their types."""
        roles = self.columns.roles
        kind = pl.Float32() if self._scores.kind.itemsize == 4 else pl.Float64()
        ids = [(one.column, one.values.dtype) for one in (self.users, self.items)]
        return pl.Schema([*ids, (roles["rank"], pl.Int64()), (roles["score"], kind), (roles["pool"], pl.Int64())])

    def rows(self) -> pl.LazyFrame:
        """The rows that metrics of hits need, lazily: user, item, rank, score, pool.

        Returns:
            A row for each relevant item, and for the first and the last item of each list; `pool` is the number of
            candidates of the list.

        Example:
            >>> import numpy as np, polars as pl, rankmetrics as rm
            >>> truth = pl.DataFrame({"user": [0], "item": [2]})
            >>> ranked = rm.rank_factors(np.array([[1.0]]), np.array([[4.0], [3.0], [2.0], [1.0]]), truth)
            >>> ranked.rows().collect().rows()
            [(0, 0, 1, 4.0, 4), (0, 2, 3, 2.0, 4), (0, 3, 4, 1.0, 4)]
        """
        return self._lazy(Need())

    def top(self, k: int) -> pl.LazyFrame:
        """The first k items of each user, lazily: user, item, rank, score, pool.

        Raises:
            InputError: k is no whole number from 1, or is beyond the length at which the lists end.

        Example:
            >>> import numpy as np, polars as pl, rankmetrics as rm
            >>> truth = pl.DataFrame({"user": [0], "item": [2]})
            >>> ranked = rm.rank_factors(np.array([[1.0]]), np.array([[4.0], [3.0], [2.0], [1.0]]), truth)
            >>> ranked.top(2).collect()["item"].to_list()
            [0, 1]
        """
        if not isinstance(k, int) or isinstance(k, bool) or k < 1:
            raise InputError(f"The first k items of each list need a whole number from 1: {k!r} is none.")
        if self.k is not None and k > self.k:
            raise InputError(f"The lists end after {self.k} items: ", Option("k", self.k), f". There is no top {k}.")
        return self._lazy(Need(top=k)).filter(pl.col(str(self.columns.rank)) <= k)

    def write(self, path: str | Path, *, top: int | None = None) -> None:
        """Compute the rows, or the first items of each list, into a Parquet file: whole or not at all.

        Args:
            path: the file to write.
            top: how many items of each list to write; by default, the rows of `rows()`.

        Raises:
            InputError: nothing can be written there; or equal scores have no order, and so no ranks to write.
        """
        if self.ties_of_metrics:
            raise InputError(
                Option("ties", self.ties),
                ": equal scores have no order, and so no ranks to write. Rank with an order, such as ",
                Option("ties", "item"),
                ".",
            )
        frame = self.rows() if top is None else self.top(top)
        with new_file(path) as temporary:
            frame.collect().write_parquet(temporary)

    def frame(self, need: Need) -> pl.DataFrame:
        """The rows that are needed, computed once."""
        whole = replace(need, only_truth=False)
        with self._lock:
            if whole in self._computed or (np.diff(self._relevant.starts) > 0).all():
                need = whole  # it has all rows that are needed, or every user has truth
            if need not in self._computed:
                blocks = ranked_blocks(
                    self._scores,
                    len(self.items),
                    self._relevant,
                    self._known,
                    need=need,
                    cut=self.k,
                    block_rows=self._block_rows,
                    threads=self._threads,
                )
                parts = [self._rows_of(block) for block in with_bar(blocks, len(self.users))]
                self._computed[need] = pl.concat([pl.DataFrame(schema=self.schema), *parts])
            return self._computed[need]

    def _lazy(self, need: Need) -> pl.LazyFrame:
        return pl.defer(lambda: self.frame(need), schema=self.schema)

    def _rows_of(self, block: Block) -> pl.DataFrame:
        """The rows of a block under their names."""
        scores = block.scores
        if self._user_biases is not None:
            scores = scores + self._user_biases[block.users].astype(scores.dtype)
        columns = [
            self.users.values.gather(block.users),
            self.items.values.gather(block.items),
            block.ranks,
            scores,
            block.pools,
        ]
        return pl.DataFrame(dict(zip(self.schema, columns, strict=True)), schema=self.schema)

    def __repr__(self) -> str:
        counted = ", ".join(
            f"{name.replace('_', ' ')}: {n:,}" for name, n in self.counts.items() if n or name == "users"
        )
        return f"Rankings({counted}{f', lists end after: {self.k}' if self.k else ''})"


class RankedRows(Batches):
    """The rows of rankings as an Arrow stream, for an engine.

    Attributes:
        rankings: the rankings.
        need: the rows that the metrics read; set before the first read.
    """

    def __init__(self, rankings: Rankings) -> None:
        self.rankings = rankings
        self.need = Need()
        self.schema = pl.DataFrame(schema=rankings.schema).to_arrow().schema

    def compute(self) -> None:
        """Compute the rows that are needed, in the thread of the caller."""
        self.rankings.frame(self.need)

    def _batches(self) -> Iterator[pa.RecordBatch]:
        yield from self.rankings.frame(self.need).to_arrow().cast(self.schema).to_batches(max_chunksize=1 << 20)


def with_bar(blocks: Iterator[Block], n_users: int) -> Iterator[Block]:
    """The blocks; on a terminal, with a bar once the work takes long."""
    began = time.monotonic()
    with ExitStack() as shown:
        advance: Callable[[int], None] | None = None
        for block in blocks:
            if advance is None and sys.stderr.isatty() and time.monotonic() - began > BAR_AFTER_SECONDS:
                advance = _bar(shown, n_users)
            if advance is not None and len(block.users):
                advance(int(block.users[-1]) + 1)
            yield block


def _bar(shown: ExitStack, n_users: int) -> Callable[[int], None]:
    """Show a bar until the end; returns what moves it to a number of users."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("ranking"), BarColumn(), TextColumn("{task.percentage:>3.0f}%"), TimeRemainingColumn())
    progress = shown.enter_context(Progress(*columns, console=Console(stderr=True), transient=True))
    task = progress.add_task("ranking", total=n_users)
    return lambda done: progress.update(task, completed=done)
