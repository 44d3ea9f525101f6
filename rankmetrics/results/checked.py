"""Computes the summary, and refuses data whose numbers would be meaningless by the counts of the account."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING, Any, TypeVar

from rankmetrics._logger import timed
from rankmetrics.dialects import base as dialects
from rankmetrics.errors import DataError, EngineError, RankMetricsWarning, warn_once
from rankmetrics.estimates import doubt_estimates
from rankmetrics.faults.checks import checks_of, refuse, refuse_ranks, refuses_repeats, required_of
from rankmetrics.faults.doubts import Counts, are_settled, combinations, counts_of, doubts, needs_all_lists
from rankmetrics.faults.inputs import (
    Inputs,
    alike_ids,
    doubt_order,
    doubt_policies,
    doubt_relevance,
    doubt_small_ids,
    doubt_unjudged,
    doubt_unread_labels,
    may_be_misread_files,
    reads_every_row,
    refuse_descriptions,
    refuse_gaps,
    refuse_misread_columns,
    refuse_misread_files,
    refuse_uneven_lists,
    refuse_unranked_pool,
)
from rankmetrics.inputs.columns import Layout
from rankmetrics.messages import said
from rankmetrics.metrics.catalog import N_LISTS, UNDEFINED
from rankmetrics.metrics.summaries import read_aggregates
from rankmetrics.queries import Queries
from rankmetrics.results.notes import notes_of
from rankmetrics.sqltree.names import free_heading

if TYPE_CHECKING:
    import polars as pl
    from sqlglot import exp

Table = TypeVar("Table")

# A row of counts: the values of `by`, the name of a count, the count.
CountRow = tuple[Any, ...]

# The counts of a longer summary are combined over its rows: nobody looks at so many for a row that is doubtful.
MOST_ROWS = 1000

# Counts of the inputs but the recommendations, of a first look: they recognise the same data in a training loop.
OF_TRUTH = (
    "truth_lists sampled_relevant sampled_relevant_pairs sampled_items_judged sampled_known truth_unrated "
    "history_lists catalog_items log_lists"
).split()

# Columns after `n_lists`: the greatest of the counts with this name, or whose names begin with it.
GREATEST = {"n_missing": "lists_missing", "n_undefined": UNDEFINED}


class Checked:
    """The summary of some queries, computed and checked; `duplicates="error"` refuses repeated items."""

    def __init__(self, queries: Queries, layout: Layout, duplicates: str, by_file: tuple[exp.Expr, str] | None) -> None:
        self._queries = queries
        self._engine = queries.engine
        self._at_once = dialects.known(queries.engine.dialect).at_once
        self.inputs = Inputs(layout, queries.question.tables, queries.rows, by_file)
        self.duplicates = duplicates
        self._look: Sequence[CountRow] | None = None  # the counts of the data, once it was looked at
        self._counts: Counts | None = None  # with those of the metrics, the last time that the summary was computed
        self._alike: tuple[RankMetricsWarning, ...] = ()
        self._truth: tuple[int, ...] = ()  # counts by which another evaluation recognises the same truth

    def check(self) -> None:
        """Refuse data whose numbers would be meaningless, and warn of doubts, by what the inputs alone tell."""
        if self._look is None:
            self._warn(self.counts_of_inputs())

    def counts_of_inputs(self) -> Counts:
        """The counts of the inputs alone; refuses data whose numbers would be meaningless."""
        look = self._look
        if look is None:
            look = self._computed(self._engine.rows, self._queries.first_look(self._with_repeats, of_metrics=False))
        return self._look_again([], look)

    def frame(self) -> pl.DataFrame:
        """The summary as a Polars frame."""
        import polars as pl

        def split(whole: pl.DataFrame) -> tuple[pl.DataFrame, Sequence[CountRow]]:
            *columns, name, n = whole.columns
            is_count = pl.col(name) != ""
            frame = whole.filter(~is_count).select(columns)
            return frame, _count_rows(whole.filter(is_count).select(*columns[: len(self._by)], name, n), frame.height)

        with self._timed():
            frame, look = self._measured(self._engine.collect, split)
            self._counts = counts = self._look_again([*self._counts_of_frame(frame)], look)
            self._warn(counts)
            shown = frame.select(
                pl.max_horizontal(pl.nth(places)).alias(name) if len(places) > 1 else pl.nth(places[0]).alias(name)
                for name, places in self._places(counts).items()
            )
            self.__dict__["rows"] = shown.to_dicts()  # to print it, nothing is computed again
            return shown

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """The summary as it is printed, computed once, without Polars."""

        def split(whole: list[CountRow]) -> tuple[list[CountRow], Sequence[CountRow]]:
            counts = [(*row[: len(self._by)], *row[-2:]) for row in whole if row[-2]]
            return [row[:-2] for row in whole if not row[-2]], counts

        with self._timed():
            rows, look = self._measured(self._engine.rows, split)
            self._counts = self._look_again([*self._counts_of_rows(rows)], look)
            shown = self._places(self._counts)
            return [{name: max(row[place] for place in places) for name, places in shown.items()} for row in rows]

    def _measured(
        self, compute: Callable[[Any], Table], split: Callable[[Table], tuple[Table, Sequence[CountRow]]]
    ) -> tuple[Table, Sequence[CountRow]]:
        """The summary and the counts of the data; `split` takes them apart where one query returns both."""
        if self._at_once and self._look is None:
            return split(self._computed(compute, self._queries.first_look(self._with_repeats)))
        self.check()
        return compute(self._queries.summary_with_counts()), self._look or ()

    def counts(self) -> Counts:
        """The counts of the last time that the summary was computed."""
        if self._counts is None:
            _ = self.rows
        assert self._counts is not None
        return self._counts

    @property
    def columns(self) -> list[str]:
        """The columns of the summary as it is printed."""
        return [*self._places(self.counts())]

    # --- the columns of a summary, which end with the counts of metrics ---------------------------------------------

    @property
    def _by(self) -> tuple[str, ...]:
        return self.inputs.layout.by

    def _places(self, counts: Counts) -> dict[str, list[int]]:
        """The columns that a user sees, each with the places of its value: the greatest of several.

        `n_missing` follows `n_lists`; so does `n_undefined` where the mean of any metric leaves out lists.
        """
        first, names = [*self._by, N_LISTS, *self._queries.columns], self._queries.question.count_names
        places = {name: [place] for place, name in enumerate(first)}
        over = self.inputs.layout.over
        shown = {name: places[name] for name in first[: len(self._by) + 1] if name != over}
        for heading, start in GREATEST.items():
            of_heading = {len(first) + n: name for n, name in enumerate(names) if name.startswith(start)}
            if heading == "n_missing" or any(counts.totals[name] for name in of_heading.values()):
                shown[free_heading(heading, first)] = [*of_heading]
        return {**shown, **{name: place for name, place in places.items() if name != over}}

    def _counts_of_rows(self, rows: Iterable[tuple[Any, ...]]) -> Iterator[CountRow]:
        """The counts of metrics in the rows of a summary."""
        names = self._queries.question.count_names
        for row in (row for row in rows if not self.inputs.layout.is_total(row[: len(self._by)])):
            yield from ((*row[: len(self._by)], name, n) for name, n in zip(names, row[-len(names) :], strict=True))

    def _counts_of_frame(self, summary: pl.DataFrame) -> list[CountRow]:
        """The same of a summary as a frame."""
        names, n_by = self._queries.question.count_names, len(self._by)
        if self.inputs.layout.totals:
            summary = summary.drop_nulls([*self._by])
        counts = summary[:, [*range(n_by), *range(-len(names), 0)]]
        counts.columns = [*map(str, range(n_by)), *names]
        rows = counts.unpivot(names, index=counts.columns[:n_by], variable_name="name", value_name="n")
        return _count_rows(rows, summary.height)

    # --- queries ----------------------------------------------------------------------------------------------------

    def _timed(self) -> AbstractContextManager[None]:
        """Logs how long the summary takes."""
        measured = ", ".join(metric.label for metric in self._queries.metrics)
        return timed(logging.INFO, "%s measured and checked %s", self._engine.name, measured)

    @cached_property
    def _with_repeats(self) -> bool:
        """True if all repeated recommendations are counted: they are refused, or may be of files that were mixed up."""
        is_refused = refuses_repeats(self._queries.metrics, self.duplicates)
        # without a truth, there is no sample of its lists to find them in
        return is_refused or not self.inputs.layout.has_truth or may_be_misread_files(self.inputs)

    def _computed(self, compute: Callable[[Any], Table], query: Any) -> Table:
        """The answer to a query with counts. If the engine fails, and the data has a fault, the error names it."""
        _ = self._doubts_of_columns
        try:
            return compute(query)
        except EngineError as error:
            if not isinstance(error.__cause__, self._engine.stopped):
                with suppress(EngineError):
                    self._refuse(counts_of(self._account))
                with suppress(EngineError):
                    refuse_ranks(self.inputs.layout, self._queries.rows_at_fault)
            raise

    @cached_property
    def _account(self) -> list[CountRow]:
        """The rows of the account, without the counts of metrics."""
        return self._engine.rows(self._queries.account(of_metrics=False))

    @cached_property
    def _account_of_all_lists(self) -> list[CountRow]:
        return self._engine.rows(self._queries.account_of_all_lists())

    # --- warnings and refusals --------------------------------------------------------------------------------------

    def _look_again(self, of_metrics: list[CountRow], look: Sequence[CountRow]) -> Counts:
        """The counts of a first look at the data, or, where they leave a doubt, of further looks; refuses faults."""
        counts, metrics, layout = counts_of([*of_metrics, *look]), self._queries.metrics, self.inputs.layout
        faults = checks_of(layout, required_of(metrics, self.duplicates, layout))
        if any(fault.is_in(counts.at_least) for fault in faults) or not are_settled(counts, layout, metrics):
            refuse_descriptions(self.inputs)
            look = self._account
            counts = counts_of([*of_metrics, *look])
        self._refuse(counts)
        if needs_all_lists(counts, layout):
            counts = counts.with_sampled(self._account_of_all_lists)
        if self._look is None:
            words = alike_ids(self.inputs, lists_too=bool(counts.totals["lists_without_truth"]))
            self._alike = tuple(said(RankMetricsWarning, "alike_ids", words=sentence) for sentence in words)
            self._truth = tuple(counts.totals[name] for name in OF_TRUTH)
        self._look = look
        return counts

    def _warn(self, counts: Counts) -> None:
        """Warn of inputs that may be other than the caller meant: of the same data once per process."""
        warn_once(self.doubts(counts), self.inputs.layout, [*counts.rows], self._truth)

    def doubts(self, counts: Counts) -> list[RankMetricsWarning]:
        """All doubts about the inputs."""
        of_counts = doubts(counts, self.inputs.layout, self._queries.question.depth, self._queries.metrics)
        return [*self._further_doubts, *self._alike, *of_counts]

    def notes(self, counts: Counts) -> Iterator[str]:
        """The account and the doubts in sentences."""
        yield from notes_of(counts, self._queries.metrics, self.inputs.layout, self._queries.question.depth)
        yield from (doubt.note for doubt in self.doubts(counts))

    @cached_property
    def _further_doubts(self) -> list[RankMetricsWarning]:
        """The warnings that do not follow from counts: of columns, and of estimates from a sample."""
        deviations = {label: deviation for label, (deviation, _) in self.deviations.items()}
        of_estimates = doubt_estimates(self._queries.metrics, self.inputs.layout.negatives, deviations)
        of_unjudged = doubt_unjudged(self._queries.metrics, self.inputs.layout)
        of_relevance = doubt_relevance(self._queries.metrics, self.inputs.layout)
        of_labels = doubt_unread_labels(self.inputs, self._queries.metrics)
        return [*self._doubts_of_columns, *of_estimates, *of_unjudged, *of_relevance, *of_labels]

    @cached_property
    def deviations(self) -> dict[str, tuple[float, float]]:
        """For each estimate from a sample, the greatest standard deviation between lists and error of a mean."""
        estimates = [metric for metric in self._queries.metrics if metric.estimates]
        if not estimates:
            return {}
        rows = self._engine.rows(self._queries.summary(estimates, read_aggregates(["std", "n"])))
        greatest = dict[str, tuple[float, float]]()
        for start, metric in enumerate(estimates):
            deviations = [row[len(self._by) + 1 + 2 * start :][:2] for row in rows]
            if known := [(float(std), float(std) / sqrt(n)) for std, n in deviations if std is not None]:
                greatest[metric.label] = max(known)[0], max(error for _, error in known)
        return greatest

    def _refuse(self, counts: Counts) -> None:
        """Refuse data whose numbers would be meaningless, by the account."""
        _ = self._doubts_of_columns
        refuse_misread_files(counts.totals, self.inputs)
        metrics, rows_at_fault = self._queries.metrics, self._queries.rows_at_fault
        refuse(counts.totals, self.inputs, metrics, self.duplicates, rows_at_fault)
        self._refuse_unequal()
        self._refuse_incomplete()

    @cached_property
    def _doubts_of_columns(self) -> list[RankMetricsWarning]:
        """The doubts about the values of columns; refuses columns whose guessed role the data contradicts."""
        refuse_uneven_lists(self._engine)
        refuse_misread_columns(self.inputs)
        order, small_ids = doubt_order(self._engine, self.inputs), doubt_small_ids(self.inputs)
        return [*order, *small_ids, *doubt_policies(self.inputs, self._queries.metrics), *self._engine.doubts()]

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

    def _refuse_incomplete(self) -> None:
        """Refuse lists that hold some of their candidates: without ranks, or where a metric reads every rank."""
        layout, queries = self.inputs.layout, self._queries
        if layout.recs.pool is None:
            return
        if layout.recs.rank is None:
            if not layout.has_candidates:
                refuse_unranked_pool(self.inputs)
        elif reads_every_row(queries.plan()):
            deep = (metric for metric in queries.metrics if reads_every_row(queries.plan([metric])))
            refuse_gaps(self.inputs, ((metric.label, None if metric.is_uncut else metric.k) for metric in deep))


def _count_rows(counts: pl.DataFrame, n_rows: int) -> list[tuple[Any, ...]]:
    """Counts as rows: the values of `by`, the name of a count, the count; of a long summary, combined over its rows."""
    import polars as pl

    *by, name, n = counts.columns
    if n_rows <= MOST_ROWS:
        return counts.rows()
    numbers = {"sum": pl.col(n).sum(), "maximum": pl.col(n).max(), "minimum": pl.col(n).min()}
    nulls, combined = [None] * len(by), combinations()
    of_counts = counts.group_by(name).agg(**numbers).rows(named=True)
    return [(*nulls, of[name], of[combined.get(of[name], "sum")]) for of in of_counts]
