"""The facts that a report states: means and their order, differences of systems; each computed at first use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, TypeAlias

from rankmetrics._rounding import ranked, same
from rankmetrics.comparisons.comparison import Comparison
from rankmetrics.comparisons.statistics import Pair, is_significant
from rankmetrics.errors import DataError, DialectError, Option
from rankmetrics.inputs.columns import name_of_system
from rankmetrics.metrics.catalog import N_LISTS
from rankmetrics.metrics.summaries import MEAN, Aggregate
from rankmetrics.results.result import Result
from rankmetrics.sqltree.names import free_heading
from rankmetrics.tables import shown_value

TITLE = "Evaluation report"

CONFIDENCE = 0.95
LOW, HIGH = Aggregate("ci_low", CONFIDENCE), Aggregate("ci_high", CONFIDENCE)

# The test and the correction that a report uses, and from which p-value on a difference is not significant.
TEST, CORRECTION, LEVEL = "t", "holm", 0.05
IN_WORDS = "paired t-test, p-values corrected by Holm's method"

# All pairs of more systems are not compared: the corrected p-values would hide every difference.
MOST_SYSTEMS = 20

# Nor are the systems of a leaderboard with more rows, such as a row for each user.
MOST_ROWS = 200

# A row of the summary, by its columns.
Row: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class ReportOptions:
    """The options of a report."""

    title: str = TITLE  # the heading of the page
    baseline: Any = None  # the system that the others are compared with; None for the best
    segments: object | None = None  # as `Result.segments` takes them; None for those by activity
    spell: Callable[[Option], str] = str  # writes the options that a sentence names


class ReportFacts:
    """The facts of an evaluation."""

    def __init__(self, result: Result, options: ReportOptions) -> None:
        self.result = result
        self.options = options
        self.layout = result.layout
        self.metrics = result.metrics
        self.engine = result._engine
        self.labels = [metric.label for metric in result.metrics]
        # The labels of the metrics with a value per list; the others are numbers of a system.
        self.of_lists = [metric.label for metric in result.metrics if not metric.is_run]
        # The columns of the summary that the truth has, too, and those that name systems.
        self.partitions = [name for name in self.layout.by if name in self.layout.truth_lists]
        self.systems = [name for name in self.layout.by if name not in self.layout.truth_lists]

    @cached_property
    def with_intervals(self) -> Result:
        """The evaluation with the mean, its confidence interval, and the other aggregates of the request.

        Without the interval where the database cannot compute it: SQLite has no standard deviation.
        """
        if self.layout.over is not None:
            return self.result
        result = self._aggregated(MEAN, LOW, HIGH)
        try:
            result.summary()
        except DialectError:
            return self._aggregated(MEAN)
        return result

    def _aggregated(self, *aggregates: Aggregate) -> Result:
        result, checked = self.result, self.result._checked
        aggregates = tuple(dict.fromkeys([*aggregates, *result.aggregates]))
        by_file = checked.inputs.by_file
        return Result(self.engine, result.metrics, result.layout, checked.duplicates, aggregates, by_file)

    # --- the leaderboard ----------------------------------------------------------------------------------------------

    @cached_property
    def rows(self) -> Sequence[Row]:
        """The means of all systems, computed and checked."""
        return self.with_intervals._leaderboard()

    @cached_property
    def best_of(self) -> Mapping[str, Callable[[Iterable[float]], float]]:
        """For each label that has a best value, `max` or `min`."""
        return self.with_intervals._queries.best_of

    @cached_property
    def others(self) -> list[str]:
        """The columns of the other aggregates of the request."""
        of_means = {aggregate.label(label) for label in self.of_lists for aggregate in (MEAN, LOW, HIGH)}
        return [column for column in self.with_intervals._summaries.columns if column not in {*of_means, *self.labels}]

    @cached_property
    def n_missing(self) -> str:
        """The column with the number of lists without recommendations."""
        return free_heading("n_missing", [*self.layout.by, N_LISTS, *self.with_intervals._summaries.columns])

    @cached_property
    def n_systems(self) -> int:
        """The number of systems: 1 if no column names a system."""
        return len({tuple(row[name] for name in self.systems) for row in self.rows})

    @property
    def compares(self) -> bool:
        """True if there are several systems to compare."""
        return self.n_systems > 1

    def name(self, row: Row) -> str:
        """The system of a row in words."""
        return name_of_system(row[name] for name in self.systems)

    def interval(self, row: Row, label: str) -> str:
        """The confidence interval of a mean, as in `0.2000 to 0.3000`; empty without an interval."""
        ends = [row.get(aggregate.label(label)) for aggregate in (LOW, HIGH)]
        return "" if None in ends else " to ".join(map(shown_value, ends))

    def named(self, label: str) -> str:
        """A number in words: the mean of a metric, or a number of a system."""
        return f"mean {label}" if label in self.of_lists else label

    def by_partition(self) -> Iterator[tuple[str, list[Row]]]:
        """Each partition in words, such as `day = 1`, and its rows; without partitions, all rows and no words."""

        def partition(row: Row) -> list[str]:
            return [f"{name} = {shown_value(row[name])}" for name in self.partitions]

        for values, rows in groupby(sorted(self.rows, key=partition), key=partition):
            yield ", ".join(values), [*rows]

    def ranked(self, label: str, rows: Sequence[Row]) -> list[Row]:
        """The rows with a value of a metric: the best first, or in their order if no value of it is the best."""
        defined, best = [row for row in rows if row[label] is not None], self.best_of.get(label)
        return ranked(defined, lambda row: row[label], descending=best is max) if best else defined

    def best(self, label: str, rows: Sequence[Row]) -> list[Row]:
        """The rows whose value of a metric is the best, up to rounding; none if no value of it is the best."""
        in_order = self.ranked(label, rows) if label in self.best_of else []
        return [row for row in in_order if same(row[label], in_order[0][label])]

    # --- differences --------------------------------------------------------------------------------------------------

    @cached_property
    def differences(self) -> Differences:
        """The differences of all pairs of systems, or of all systems from the baseline."""
        baseline, reason = self.options.baseline, ""
        if not self.compares:
            reason = "there is only one system."
        elif not self.of_lists:
            reason = "every metric is one number for each system, and a test needs a value for each list."
        elif baseline is None and self.n_systems > MOST_SYSTEMS:
            reason = f"there are {self.n_systems:,} systems, too many to compare all pairs. Name a baseline."
        elif len(self.rows) > MOST_ROWS:
            reason = f"the leaderboard has {len(self.rows):,} rows, too many to compare."
        if reason:
            return Differences(reason=reason)
        comparison = self.with_intervals.compare(baseline, tests=TEST, correction=CORRECTION)
        try:
            pairs = comparison.pairs
        except DataError as error:
            return Differences(reason=str(error))
        if comparison.plan.baseline is not None:
            return Differences(comparison, pairs, name_of_system(comparison.plan.baseline))
        pairs = [pair.turned() if comparison._is_better(pair) is False else pair for pair in pairs]
        return Differences(comparison, pairs)

    def find(self, label: str, row: Row, other: Row) -> Pair | None:
        """The difference between two systems in a partition by a metric; None if they were not compared."""
        by = tuple(row[name] for name in self.partitions)
        for pair in self.differences.pairs:
            if pair.metric == label and pair.by == by:
                names = name_of_system(pair.system), name_of_system(pair.baseline)
                if names == (self.name(row), self.name(other)):
                    return pair
                if names == (self.name(other), self.name(row)):
                    return pair.turned()
        return None

    def reference(self, rows: Sequence[Row]) -> Row | None:
        """The system that others in a partition are compared with: the baseline, or the best by the first metric."""
        if baseline := self.differences.baseline:
            return next((row for row in rows if self.name(row) == baseline), None)
        return next(iter(self.best(self.labels[0], rows)), None)


@dataclass(frozen=True)
class Differences:
    """The differences of pairs of systems."""

    comparison: Comparison | None = None  # None where nothing was compared
    pairs: Sequence[Pair] = ()  # of all pairs, each with the better system first
    baseline: str = ""  # the name of the system that all others are compared with; empty where all pairs are compared
    reason: str = ""  # why nothing was compared; empty where something was

    def p_value(self, pair: Pair) -> float | None:
        """The corrected p-value of a difference; None where it cannot be computed."""
        return self.comparison.adjusted[TEST][pair.key] if self.comparison else None

    def is_significant(self, pair: Pair) -> bool:
        """True if the corrected p-value is below the level."""
        return is_significant(self.p_value(pair), LEVEL)
