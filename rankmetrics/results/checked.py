"""Computes the summary, and refuses data whose numbers would be meaningless by the diagnostics beside it."""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from rankmetrics._logger import timed
from rankmetrics.errors import DataError, EngineError, RankMetricsWarning
from rankmetrics.faults.doubts import Counts, counts_of, doubts
from rankmetrics.faults.faults import required_of
from rankmetrics.inputs.columns import Layout
from rankmetrics.metrics.catalog import N_LISTS
from rankmetrics.queries import Queries
from rankmetrics.results.summary_table import Computed, Places, rows_of

if TYPE_CHECKING:
    import polars as pl
    from sqlglot import exp

    from rankmetrics.faults.columns import Inputs

Found = TypeVar("Found")


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
            counts = counts_of(self._accounted)
            self._refuse(counts.totals)
            self._warn(counts)

    def frame(self) -> pl.DataFrame:
        """The summary as a Polars frame."""
        with self._timed():
            return self._frame()

    def _timed(self) -> AbstractContextManager[None]:
        """Logs how long the summary takes."""
        measured = ", ".join(metric.label for metric in self._queries.metrics)
        return timed(logging.INFO, "%s measured and checked %s", self._engine.name, measured)

    def _frame(self) -> pl.DataFrame:
        import polars as pl

        places, n_by = self._places, len(self.layout.by)
        if self._engine.at_once and not self._is_checked:
            frame = self._summary_with_diagnostics(self._engine.collect)
            *columns, name, n = frame.columns
            is_count = pl.col(name) != ""
            account = frame.filter(is_count).select(*columns[:n_by], name, n)
            frame = frame.filter(~is_count).select(columns)
            counts = counts_of([*places.counts(frame), *rows_of(account, frame.height)])
            self._refuse(counts.totals)
        else:
            self.check()
            frame = self._engine.collect(self._queries.summary_with_counts())
            counts = counts_of([*places.counts(frame), *self._accounted])
        self._counts = counts
        self._warn(counts)
        return places.of_frame(frame, counts)

    def counts(self) -> Counts:
        """The diagnostics of the last time that the summary was computed."""
        if self._counts is None:
            _ = self.computed
        assert self._counts is not None
        return self._counts

    def _summary_with_diagnostics(self, compute: Callable[[Any], Found]) -> Found:
        """The summary with the counts of metrics behind, and the account, computed as one query.

        If the engine fails and the account shows a fault of the data, the error names that fault.
        """
        _ = self._looked_at
        refused = bool(required_of(self._queries.metrics, self.duplicates))
        decides = refused or self._by_file is not None  # whether any repeat is refused
        try:
            return compute(self._queries.summary_with_account(is_thorough=decides))
        except EngineError as error:
            if not isinstance(error.__cause__, self._engine.stopped):
                with suppress(EngineError):
                    self._refuse(counts_of(self._accounted).totals)
            raise

    @cached_property
    def computed(self) -> Computed:
        """The summary with the counts that stand beside its means."""
        with self._timed():
            return self._compute()

    def _compute(self) -> Computed:
        n_by = len(self.layout.by)
        if self._engine.at_once:
            found = self._summary_with_diagnostics(self._engine.rows)
            rows = [row[:-2] for row in found if not row[-2]]
            account = [(*row[:n_by], *row[-2:]) for row in found if row[-2]]
        else:
            account = self._accounted
            rows = self._engine.rows(self._queries.summary_with_counts())
        counts = counts_of([*self._places.counts_of_rows(rows), *account])
        self._refuse(counts.totals)
        self._counts = counts
        return self._places.of_rows(rows, counts)

    @cached_property
    def _places(self) -> Places:
        """Where the columns stand in the summary with the counts of metrics behind."""
        return Places(self.layout.by, [N_LISTS, *self._queries.columns], self._queries.count_names)

    @cached_property
    def _accounted(self) -> list[tuple[Any, ...]]:
        """The rows of the account, but for those that are made of metrics."""
        from rankmetrics.faults.data import refuse_ranks

        try:
            _ = self._looked_at
            rows = self._engine.rows(self._queries.account(of_metrics=False))
        except EngineError:
            with suppress(EngineError):
                refuse_ranks(self.layout, self._queries.tables, self._queries.rows)
            raise
        return rows

    def _warn(self, counts: Counts) -> None:
        """Warn of what may have been meant otherwise, each time that something new is found."""
        self._warn_of(doubts(counts, self.layout, self._queries.question.depth))

    def _warn_of(self, found: Iterable[RankMetricsWarning]) -> None:
        for doubt in found:
            if str(doubt) not in self._warned:
                warnings.warn(doubt, stacklevel=_caller_above())
                self._warned.add(str(doubt))  # after: where warnings are errors, each call raises it

    def _refuse(self, counts: Mapping[str, int]) -> None:
        """Refuse data whose numbers would be meaningless, by the account."""
        from rankmetrics.faults.columns import refuse_misread_files
        from rankmetrics.faults.data import refuse

        refuse_misread_files(counts, self._looked_at)
        queries = self._queries
        refuse(counts, self.layout, queries.tables, queries.rows, self.duplicates, queries.metrics)
        self._refuse_unequal()
        self._is_checked = True

    @cached_property
    def _looked_at(self) -> Inputs:
        """The inputs, once their columns have been looked at."""
        from rankmetrics.faults.columns import Inputs, refuse_misread_columns
        from rankmetrics.faults.lists import doubt_order, refuse_uneven_lists

        refuse_uneven_lists(self._engine)
        inputs = Inputs(self.layout, self._queries.tables, self._by_file, self._queries.rows)
        refuse_misread_columns(inputs)
        self._warn_of(doubt_order(self._engine, inputs))
        return inputs

    def _refuse_unequal(self) -> None:
        """Refuse lists of unequal length where a metric compares only equal ones, as CAPRI's personalization does."""
        equal = [one for one in self._queries.question.of_systems if one.values.get("lengths") == "equal"]
        for metric in equal:
            rows = self._engine.rows(self._queries.summary([metric, metric(lengths="any")]))
            if any(strict is None and loose is not None for *_, strict, loose in rows):
                raise DataError(
                    f"{metric.label} compares lists of equal length, and these differ: set lengths=any to compare them "
                    "all the same, or leave out the shorter ones."
                )


def _caller_above() -> int:
    """How many calls above the function that asks the first code outside this package stands."""
    frame, above = sys._getframe(1), 1
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith(__package__):
        frame, above = frame.f_back, above + 1
    return above
