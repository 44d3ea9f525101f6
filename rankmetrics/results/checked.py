"""Computes the summary, and refuses data whose numbers would be meaningless by the counts of the account."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from rankmetrics._logger import timed
from rankmetrics.errors import DataError, EngineError, RankMetricsWarning, warn_once
from rankmetrics.faults.doubts import Counts, counts_of, doubts
from rankmetrics.faults.faults import required_of
from rankmetrics.inputs.columns import Layout
from rankmetrics.metrics.catalog import N_LISTS
from rankmetrics.planner import UNDEFINED
from rankmetrics.queries import Queries
from rankmetrics.sqltree.names import free_heading

if TYPE_CHECKING:
    import polars as pl
    from sqlglot import exp

    from rankmetrics.faults.columns import Inputs

Computed = TypeVar("Computed")

# The counts of a longer summary are summed over its rows: nobody looks at so many for a row that is doubtful.
MOST_ROWS = 1000

# Columns after `n_lists`: the greatest of the counts with this name, or whose names begin with it.
GREATEST = {"n_missing": "lists_missing", "n_undefined": UNDEFINED}


class Checked:
    """The summary of some queries, computed and checked.

    Args:
        queries: the queries over the inputs.
        layout: what the columns of the inputs are for.
        duplicates: "error" to refuse a repeated recommendation or row of the truth.
        by_file: the files of the recommendations, and the column that names the file, where each file is a system.
    """

    def __init__(self, queries: Queries, layout: Layout, duplicates: str, by_file: tuple[exp.Expr, str] | None) -> None:
        self._queries = queries
        self._engine = queries.engine
        self.layout = layout
        self.duplicates = duplicates
        self._by_file = by_file
        self._is_checked = False
        self._counts: Counts | None = None  # those of the last time that the summary was computed
        self._warned: set[str] = set()

    def check(self) -> None:
        """Refuse data whose numbers would be meaningless, and warn of doubts, by what the inputs alone tell."""
        if not self._is_checked:
            counts = counts_of(self._account)
            self._refuse(counts.totals)
            self._warn(counts)

    def frame(self) -> pl.DataFrame:
        """The summary as a Polars frame."""
        import polars as pl

        with self._timed():
            n_by = len(self.layout.by)
            if self._engine.at_once and not self._is_checked:
                frame = self._summary_with_account(self._engine.collect)
                *columns, name, n = frame.columns
                is_count = pl.col(name) != ""
                account = frame.filter(is_count).select(*columns[:n_by], name, n)
                frame = frame.filter(~is_count).select(columns)
                counts = counts_of([*self._columns.counts_of_frame(frame), *_count_rows(account, frame.height)])
                self._refuse(counts.totals)
            else:
                self.check()
                frame = self._engine.collect(self._queries.summary_with_counts())
                counts = counts_of([*self._columns.counts_of_frame(frame), *self._account])
            self._counts = counts
            self._warn(counts)
            return frame.select(
                pl.max_horizontal(*map(pl.nth, places)).alias(name)
                if len(places) > 1
                else pl.nth(places[0]).alias(name)
                for name, places in self._columns.shown(counts).items()
            )

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """The summary as it is printed, computed once; there is no need of Polars."""
        with self._timed():
            n_by = len(self.layout.by)
            if self._engine.at_once:
                rows = self._summary_with_account(self._engine.rows)
                account = [(*row[:n_by], *row[-2:]) for row in rows if row[-2]]
                rows = [row[:-2] for row in rows if not row[-2]]
            else:
                account = self._account
                rows = self._engine.rows(self._queries.summary_with_counts())
            counts = counts_of([*self._columns.counts_of_rows(rows), *account])
            self._refuse(counts.totals)
            self._counts = counts
            shown = self._columns.shown(counts)
            return [{name: max(row[place] for place in places) for name, places in shown.items()} for row in rows]

    def counts(self) -> Counts:
        """The counts of the last time that the summary was computed."""
        if self._counts is None:
            _ = self.rows
        assert self._counts is not None
        return self._counts

    @property
    def columns(self) -> list[str]:
        """The columns of the summary as it is printed."""
        return [*self._columns.shown(self.counts())]

    # --- queries ----------------------------------------------------------------------------------------------------

    def _timed(self) -> AbstractContextManager[None]:
        """Logs how long the summary takes."""
        measured = ", ".join(metric.label for metric in self._queries.metrics)
        return timed(logging.INFO, "%s measured and checked %s", self._engine.name, measured)

    @cached_property
    def _columns(self) -> SummaryColumns:
        return SummaryColumns(self.layout.by, [N_LISTS, *self._queries.columns], self._queries.count_names)

    def _summary_with_account(self, compute: Callable[[Any], Computed]) -> Computed:
        """The summary with the counts of metrics behind, and the account, computed as one query.

        If the engine fails and the account shows a fault of the data, the error names that fault.
        """
        _ = self._inputs
        refuses_repeats = bool(required_of(self._queries.metrics, self.duplicates)) or self._by_file is not None
        try:
            return compute(self._queries.summary_with_account(is_thorough=refuses_repeats))
        except EngineError as error:
            if not isinstance(error.__cause__, self._engine.stopped):
                with suppress(EngineError):
                    self._refuse(counts_of(self._account).totals)
            raise

    @cached_property
    def _account(self) -> list[tuple[Any, ...]]:
        """The rows of the account, but for those that are made of metrics."""
        from rankmetrics.faults.data import refuse_ranks

        try:
            _ = self._inputs
            return self._engine.rows(self._queries.account(of_metrics=False))
        except EngineError:
            with suppress(EngineError):
                refuse_ranks(self.layout, self._queries.tables, self._queries.rows)
            raise

    # --- warnings and refusals --------------------------------------------------------------------------------------

    def _warn(self, counts: Counts) -> None:
        """Warn of inputs that may be other than the caller meant, once each."""
        self._warn_once(doubts(counts, self.layout, self._queries.question.depth))

    def _warn_once(self, warnings: Iterable[RankMetricsWarning]) -> None:
        for warning in warnings:
            warn_once(warning, self._warned)

    def _refuse(self, counts: Mapping[str, int]) -> None:
        """Refuse data whose numbers would be meaningless, by the account."""
        from rankmetrics.faults.columns import refuse_misread_files
        from rankmetrics.faults.data import refuse

        refuse_misread_files(counts, self._inputs)
        queries = self._queries
        refuse(counts, self.layout, queries.tables, queries.rows, self.duplicates, queries.metrics)
        self._refuse_unequal()
        self._is_checked = True

    @cached_property
    def _inputs(self) -> Inputs:
        """The inputs, once their columns have been looked at."""
        from rankmetrics.faults.columns import Inputs, refuse_misread_columns
        from rankmetrics.faults.lists import doubt_order, refuse_uneven_lists

        refuse_uneven_lists(self._engine)
        inputs = Inputs(self.layout, self._queries.tables, self._by_file, self._queries.rows)
        refuse_misread_columns(inputs)
        self._warn_once(doubt_order(self._engine, inputs))
        return inputs

    def _refuse_unequal(self) -> None:
        """Refuse lists of unequal length where a metric compares only equal ones, as CAPRI's personalization does."""
        for metric in self._queries.question.of_systems:
            if metric.values.get("lengths") != "equal":
                continue
            rows = self._engine.rows(self._queries.summary([metric, metric(lengths="any")]))
            if any(strict is None and loose is not None for *_, strict, loose in rows):
                raise DataError(
                    f"{metric.label} compares lists of equal length, and these differ: set lengths=any to compare them "
                    "all the same, or leave out the shorter ones."
                )


@dataclass(frozen=True)
class SummaryColumns:
    """The columns of a summary as an engine returns it, with the counts of metrics behind.

    Attributes:
        by: the columns of `by`, which come first.
        measured: the columns that follow: `n_lists`, then the metrics.
        behind: the counts of metrics, which come last.
    """

    by: Sequence[str]
    measured: Sequence[str]
    behind: Sequence[str]

    def shown(self, counts: Counts) -> dict[str, list[int]]:
        """The columns that a user sees, each with the places of its value: the greatest of several.

        `n_missing` follows `n_lists`; so does `n_undefined` where the mean of any metric leaves out lists.
        """
        first = [*self.by, *self.measured]
        places = {name: [place] for place, name in enumerate(first)}
        shown = {name: places[name] for name in first[: len(self.by) + 1]}
        for heading, start in GREATEST.items():
            of_heading = [place for place, name in enumerate(self.behind) if name.startswith(start)]
            if heading == "n_missing" or any(counts.totals[self.behind[place]] for place in of_heading):
                shown[free_heading(heading, first)] = [len(first) + place for place in of_heading]
        return {**shown, **places}

    def counts_of_frame(self, summary: pl.DataFrame) -> list[tuple[Any, ...]]:
        """The counts of metrics in rows: the values of `by`, the name of a count, the count."""
        import polars as pl

        counts = summary.select(*summary.columns[: len(self.by)], *map(pl.nth, range(-len(self.behind), 0)))
        counts.columns = [*map(str, range(len(self.by))), *self.behind]
        index = counts.columns[: len(self.by)]
        rows = counts.unpivot(self.behind, index=index, variable_name="name", value_name="n")
        return _count_rows(rows, summary.height)

    def counts_of_rows(self, rows: Sequence[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
        """The same of a summary in rows."""
        for row in rows:
            for name, n in zip(self.behind, row[-len(self.behind) :], strict=True):
                yield (*row[: len(self.by)], name, n)


def _count_rows(counts: pl.DataFrame, n_rows: int) -> list[tuple[Any, ...]]:
    """Counts as rows: the values of `by`, the name of a count, the count; of a long summary, summed over its rows."""
    import polars as pl

    *by, name, n = counts.columns
    if n_rows <= MOST_ROWS:
        return counts.rows()
    return [(*[None] * len(by), *row) for row in counts.group_by(name).agg(pl.col(n).sum()).rows()]
