"""The facts that a report states: means and their order, differences of systems, counts; each computed at first use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from math import isclose
from typing import TYPE_CHECKING, Any

from rankmetrics.comparisons.comparison import Comparison
from rankmetrics.errors import DataError, DialectError, Option
from rankmetrics.faults.doubts import Counts, counts_of
from rankmetrics.inputs.columns import name_of_system
from rankmetrics.metrics.catalog import N_LISTS
from rankmetrics.metrics.summaries import MEAN, Aggregate
from rankmetrics.results.result import Result
from rankmetrics.sqltree.names import free_heading
from rankmetrics.tables import shown_value

if TYPE_CHECKING:
    import polars as pl

TITLE = "Evaluation report"

CONFIDENCE = 0.95
LOW, HIGH = Aggregate("ci_low", CONFIDENCE), Aggregate("ci_high", CONFIDENCE)

# Values that differ by a smaller share are equal: sums of the same numbers in another order differ so.
EQUAL = 1e-12

# The test and the correction that a report uses, and from which p-value on a difference is not significant.
TEST, CORRECTION, LEVEL = "t", "holm", 0.05
IN_WORDS = "paired t-test, p-values corrected by Holm's method"

# All pairs of more systems are not compared: the corrected p-values would hide every difference.
MOST_SYSTEMS = 20

# Nor are the systems of a leaderboard with more rows, such as a row for each user.
MOST_STANDINGS = 200

# The columns of a row of a comparison whose sign turns with the pair, and those that change places.
SIGNED = ("difference", "effect_size")
SWAPPED = (("baseline", "system"), ("baseline_mean", "system_mean"), ("wins", "losses"))


@dataclass(frozen=True)
class ReportOptions:
    """The options of a report.

    Attributes:
        title: the heading of the page.
        baseline: the system that the others are compared with; None for the best.
        segments: the segmentations, as `Result.segments` takes them; None for those by activity.
        spell: writes the options that a sentence names.
    """

    title: str = TITLE
    baseline: Any = None
    segments: object | None = None
    spell: Callable[[Option], str] = str


class ReportFacts:
    """The facts of an evaluation."""

    def __init__(self, result: Result, options: ReportOptions) -> None:
        self.result = result
        self.options = options
        self.layout = result.layout
        self.metrics = result.metrics
        self.engine = result._engine

    @cached_property
    def with_intervals(self) -> Result:
        """The evaluation with the mean, its confidence interval, and the other aggregates of the request.

        Without the interval where the database cannot compute it: SQLite has no standard deviation.
        """
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

    @cached_property
    def standings(self) -> Standings:
        """The means of all systems, computed and checked."""
        result, by = self.with_intervals, self.layout.by
        of_lists = [metric.label for metric in self.metrics if not metric.is_run]
        of_systems = frozenset(metric.label for metric in self.metrics if metric.is_run)
        labels = {aggregate.label(label) for label in of_lists for aggregate in (MEAN, LOW, HIGH)} | of_systems
        others = [column for column in result._queries.columns if column not in labels]
        partitions = [name for name in by if name in self.layout.truth_lists]
        systems = [name for name in by if name not in partitions]
        n_missing = free_heading("n_missing", [*by, N_LISTS, *result._queries.columns])
        rows = [
            Standing(
                partition=tuple(row[name] for name in partitions),
                system=tuple(row[name] for name in systems),
                n_lists=row[N_LISTS],
                n_missing=row[n_missing],
                means={metric.label: _mean(row, metric.label) for metric in self.metrics},
                others={name: row[name] for name in others},
            )
            for row in result._leaderboard()
        ]
        metrics = [metric.label for metric in self.metrics]
        return Standings(partitions, systems, metrics, of_systems, others, result._best_of, rows)

    @cached_property
    def differences(self) -> Differences:
        """The differences of all pairs of systems, or of all systems from the baseline, with their significance.

        Raises:
            InputError: there is no system with the name of the baseline.
        """
        standings, baseline = self.standings, self.options.baseline
        n_systems = len({row.system for row in standings.rows})
        if not standings.systems or not standings.compares:
            return Differences(reason="there is only one system.")
        if all(metric.is_run for metric in self.metrics):
            return Differences(
                reason="every metric is one number for each system, and a test needs a value for each list."
            )
        if baseline is None and n_systems > MOST_SYSTEMS:
            return Differences(
                reason=f"there are {n_systems:,} systems, too many to compare all pairs. Name a baseline."
            )
        if len(standings.rows) > MOST_STANDINGS:
            return Differences(reason=f"the leaderboard has {len(standings.rows):,} rows, too many to compare.")
        comparison = self.with_intervals.compare(baseline, tests=TEST, correction=CORRECTION)
        try:
            rows = comparison.collect().to_dicts()
        except DataError as error:
            return Differences(reason=str(error))
        differences = [Difference(row, row["metric"] in comparison.lower_is_better) for row in rows]
        if baseline is None:  # the better system first
            differences = [pair.turned() if pair.is_better is False else pair for pair in differences]
        plan = comparison.plan
        name = "" if plan.baseline is None else name_of_system(plan.baseline)
        return Differences(comparison, differences, name, by=plan.by)

    @cached_property
    def notes(self) -> list[str]:
        """The account in sentences."""
        return self.with_intervals.notes(self.options.spell)

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


# --- the leaderboard --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mean:
    """The mean of a metric with the ends of its confidence interval; None where they are undefined."""

    value: float | None
    low: float | None = None
    high: float | None = None

    @property
    def interval(self) -> str:
        """The interval as it is printed; empty without an interval.

        >>> Mean(0.25, 0.2, 0.3).interval
        '0.2000 to 0.3000'
        """
        return "" if self.low is None or self.high is None else f"{shown_value(self.low)} to {shown_value(self.high)}"


def _mean(row: Mapping[str, Any], label: str) -> Mean:
    return Mean(row[label], *(row.get(aggregate.label(label)) for aggregate in (LOW, HIGH)))


@dataclass(frozen=True)
class Standing:
    """One row of the leaderboard.

    Attributes:
        partition: the values of the columns of `by` that the truth has, too.
        system: the values of the other columns of `by`.
        n_lists: how many lists were scored.
        n_missing: how many of them have no recommendations.
        means: the mean of each metric, by its label.
        others: the other aggregates that were requested, by their columns.
    """

    partition: tuple[Any, ...]
    system: tuple[Any, ...]
    n_lists: int
    n_missing: int
    means: Mapping[str, Mean]
    others: Mapping[str, float | None] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The system in words."""
        return name_of_system(self.system)


@dataclass(frozen=True)
class Standings:
    """The means of all systems.

    Attributes:
        partitions: the columns of `by` that the truth has, too.
        systems: the other columns of `by`.
        metrics: the labels of the metrics, in the order of the request.
        of_systems: those of them that are a number of a system, and no mean over lists.
        others: the columns of the other aggregates.
        best_of: for each label that has a best value, `max` or `min`.
        rows: the rows.
    """

    partitions: Sequence[str]
    systems: Sequence[str]
    metrics: Sequence[str]
    of_systems: frozenset[str]
    others: Sequence[str]
    best_of: Mapping[str, Callable[[Iterable[float]], float]]
    rows: Sequence[Standing]

    @property
    def compares(self) -> bool:
        """True if there are several systems to compare."""
        return len({row.system for row in self.rows}) > 1

    def name_of(self, row: Mapping[str, Any]) -> str:
        """The system of a row with the columns of `by`, in words."""
        return name_of_system(row[name] for name in self.systems)

    def by_partition(self) -> Iterator[tuple[str, list[Standing]]]:
        """The partitions in words, such as `day = 1`, each with its rows; one without words if there are none."""

        def partition(row: Standing) -> tuple[str, ...]:
            return tuple(map(shown_value, row.partition))

        for values, rows in groupby(sorted(self.rows, key=partition), key=partition):
            yield ", ".join(f"{name} = {value}" for name, value in zip(self.partitions, values, strict=True)), [*rows]

    def ranked(self, label: str, rows: Sequence[Standing]) -> list[Standing]:
        """Rows for which a metric is defined, the best first; in their order if the metric has no best value."""
        defined = [row for row in rows if row.means[label].value is not None]
        if label not in self.best_of:
            return defined
        return sorted(defined, key=lambda row: row.means[label].value or 0, reverse=self.best_of[label] is max)

    def best(self, label: str, rows: Sequence[Standing]) -> list[Standing]:
        """The rows with the best value of a metric; several if they are equal, none if the metric has no best value."""
        ranked = self.ranked(label, rows) if label in self.best_of else []
        values = [row.means[label].value or 0.0 for row in ranked]
        return [row for row, value in zip(ranked, values, strict=True) if isclose(value, values[0], rel_tol=EQUAL)]

    def named(self, label: str) -> str:
        """A number in words: the mean of a metric, or a number of a system."""
        return label if label in self.of_systems else f"mean {label}"


# --- differences ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Difference:
    """A row of `rm.Comparison`, a system minus another by one metric, of which lower values may be better."""

    row: Mapping[str, Any]
    is_lower_better: bool

    @property
    def is_better(self) -> bool | None:
        """True if the system is better than the other; None where they are equal."""
        difference = self.row["difference"]
        return None if not difference else (difference < 0) == self.is_lower_better

    @property
    def p(self) -> float | None:
        """The corrected p-value; None where it cannot be computed."""
        value: float | None = self.row[f"p_{TEST}_adjusted"]
        return value

    @property
    def is_significant(self) -> bool:
        """True if the corrected p-value is below the level."""
        return self.p is not None and self.p < LEVEL

    @property
    def p_in_words(self) -> str:
        """The corrected p-value, as in `p = 0.0123` and `p < 0.0001`."""
        if self.p is None:
            return "no p-value"
        return "p < 0.0001" if self.p < 0.0001 else f"p = {shown_value(self.p)}"

    def turned(self) -> Difference:
        """The difference of the same pair the other way round."""
        row = dict(self.row)
        for name in SIGNED:
            row[name] = None if row[name] is None else -row[name]
        for first, second in SWAPPED:
            row[first], row[second] = row[second], row[first]
        row["ci_low"], row["ci_high"] = (None if row[end] is None else -row[end] for end in ("ci_high", "ci_low"))
        mean = row["baseline_mean"]
        row["relative_difference"] = row["difference"] / abs(mean) if mean else None
        return Difference(row, self.is_lower_better)


@dataclass(frozen=True)
class Differences:
    """The differences of pairs of systems.

    Attributes:
        comparison: the comparison that they are from; None where nothing was compared.
        pairs: the rows of the comparison.
        baseline: the system that all others are compared with, in words; empty where all pairs are compared.
        reason: why nothing was compared; empty where something was.
        by: the columns that stay apart.
    """

    comparison: Comparison | None = None
    pairs: Sequence[Difference] = ()
    baseline: str = ""
    reason: str = ""
    by: Sequence[str] = ()

    def frame(self) -> pl.DataFrame:
        """The differences as `rm.Comparison` returns them."""
        import polars as pl

        schema = self.comparison.collect().schema if self.comparison else None
        return pl.DataFrame([dict(pair.row) for pair in self.pairs], schema=schema)

    def find(self, label: str, system: Standing, other: Standing) -> Difference | None:
        """The difference between two systems in a partition by a metric; None if they were not compared."""
        for pair in self.pairs:
            row = pair.row
            if row["metric"] == label and tuple(row[name] for name in self.by) == system.partition:
                names = str(row["system"]), str(row["baseline"])
                if names == (system.name, other.name):
                    return pair
                if names == (other.name, system.name):
                    return pair.turned()
        return None

    def reference(self, standings: Standings, rows: Sequence[Standing]) -> Standing | None:
        """The system that others in a partition are compared with: the baseline, or the best by the first metric."""
        if self.baseline:
            return next((row for row in rows if row.name == self.baseline), None)
        return next(iter(standings.best(standings.metrics[0], rows)), None)
