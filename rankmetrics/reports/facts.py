"""The facts that the sections of a report state: each computed once, when the first section asks for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rankmetrics.comparisons.refusals import system_name
from rankmetrics.errors import DialectError, Option
from rankmetrics.faults.doubts import Counts, counts_of
from rankmetrics.metrics.catalog import N_LISTS
from rankmetrics.metrics.summaries import MEAN, Aggregate
from rankmetrics.reports.leaderboard import Leaderboard, Mean, Standing
from rankmetrics.reports.pairs import Pairs, compared
from rankmetrics.results.result import Result
from rankmetrics.sqltree.names import free_heading

CONFIDENCE = 0.95
LOW, HIGH = Aggregate("ci_low", CONFIDENCE), Aggregate("ci_high", CONFIDENCE)


@dataclass(frozen=True)
class Wishes:
    """What the caller of a report asks for beside the result.

    Attributes:
        title: the heading of the page.
        baseline: the system that the others are compared with; None for the best.
        segments: the segmentations, as `Result.segments` takes them; None for those by activity.
        spell: writes the options that a sentence names.
    """

    title: str
    baseline: object = None
    segments: object | None = None
    spell: Callable[[Option], str] = str


class Facts:
    """The facts of an evaluation.

    Args:
        result: the evaluation.
        wishes: what the caller asks for beside it.
    """

    def __init__(self, result: Result, wishes: Wishes) -> None:
        self.result = result
        self.wishes = wishes
        self.layout = result.layout
        self.metrics = result.metrics
        self.engine = result._engine

    @cached_property
    def with_intervals(self) -> Result:
        """The evaluation with the mean, its confidence interval, and the other aggregates of the request.

        Without the interval where the database cannot compute it: SQLite has no standard deviation.
        """
        shown = self._aggregated(MEAN, LOW, HIGH)
        try:
            shown.summary()
        except DialectError:
            return self._aggregated(MEAN)
        return shown

    def _aggregated(self, *aggregates: Aggregate) -> Result:
        """The evaluation with some aggregates, then those of the request."""
        of = self.result
        wanted = tuple(dict.fromkeys([*aggregates, *of.aggregates]))
        return Result(self.engine, of.metrics, of.layout, of._checked.duplicates, wanted, of._checked._by_file)

    @cached_property
    def leaderboard(self) -> Leaderboard:
        """The means of all systems, computed and checked."""
        shown = self.with_intervals
        labels = {
            aggregate.label(metric.label)
            for metric in self.metrics
            for aggregate in (MEAN, LOW, HIGH)
            if not metric.is_run or aggregate == MEAN
        }
        others = [column for column in shown._queries.columns if column not in labels]
        shared = set(self.layout.truth_lists)
        partitions = [name for name in self.layout.by if name in shared]
        systems = [name for name in self.layout.by if name not in shared]
        n_missing = free_heading("n_missing", [*self.layout.by, N_LISTS, *shown._queries.columns])
        standings = [
            Standing(
                partition=tuple(row[name] for name in partitions),
                system=tuple(row[name] for name in systems),
                n_lists=row[N_LISTS],
                n_missing=row[n_missing],
                means={metric.label: _mean(row, metric.label) for metric in self.metrics},
                others={name: row[name] for name in others},
            )
            for row in shown._leaderboard()
        ]
        of_metrics = [metric.label for metric in self.metrics]
        of_systems = frozenset(metric.label for metric in self.metrics if metric.is_run)
        return Leaderboard(partitions, systems, of_metrics, of_systems, others, shown._best_of, standings)

    def name_of(self, row: Mapping[str, Any]) -> str:
        """The system of a row with the columns of `by`, in words."""
        return str(system_name([row[name] for name in self.leaderboard.systems]))

    @cached_property
    def pairs(self) -> Pairs:
        """The systems in pairs, with the significance of their differences."""
        return compared(self.with_intervals, self.leaderboard, self.wishes.baseline)

    @cached_property
    def notes(self) -> list[str]:
        """The account in sentences."""
        return self.with_intervals.notes(self.wishes.spell)

    @cached_property
    def account(self) -> Counts:
        """The counts of the account, summed up."""
        return counts_of(self._account_rows)

    @cached_property
    def counted(self) -> frozenset[str]:
        """The names of the counts that these inputs have: without a history, there are none of the history."""
        return frozenset(str(name) for *_, name, _ in self._account_rows)

    @cached_property
    def _account_rows(self) -> list[tuple[Any, ...]]:
        return self.engine.rows(self.result.account())


def _mean(row: Mapping[str, Any], label: str) -> Mean:
    """The mean of a metric in a row of the summary."""
    return Mean(row[label], *(row.get(aggregate.label(label)) for aggregate in (LOW, HIGH)))
