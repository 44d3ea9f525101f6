"""The confidence interval of a mean over lists: the files of sql/intervals, each a column of a step of the query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil, isfinite, log, log2
from statistics import NormalDist

from sqlglot import exp

from rankmetrics.errors import InputError, MetricError, Option, importing
from rankmetrics.messages import said
from rankmetrics.metrics.definition import Definition, definitions_in
from rankmetrics.metrics.metric import Metric
from rankmetrics.metrics.summaries import ALPHA, Aggregate, Interval, interval_of
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import UNNAMED
from rankmetrics.sqltree.parameters import bind

# The aggregates of the interval of a mean, the bounds by a theorem, and the table whose columns files read.
ENDS, BOUNDS, INTERVALS = ("ci", "ci_low", "ci_high"), ("hoeffding", "bernstein"), "intervals"

# The lower bound for values from 0 to 1; the upper bound is 1 minus that of 1 minus the values: hits are misses.
LOWER_BOUND, UPPER_BOUND = "ci_low.bounded", "ci_high.bounded"

# Fewer lists (or clusters) have no interval if the values have no declared range.
LEAST_WITHOUT_RANGE = 100


def least_lists(confidence: float) -> int:
    """The fewest lists (or clusters) that a two-sided sign test needs to reject at 1 - confidence.

    >>> least_lists(0.95), least_lists(0.99)
    (6, 8)
    """
    return max(2, ceil(log2(2 / (1 - confidence)) - 1e-9))


def constants(confidence: float) -> dict[str, float]:
    """The numbers of a confidence that the files read: normal quantiles, and the terms of Student's expansion.

    Source: Abramowitz, Stegun (1964), Handbook of Mathematical Functions, 26.7.5
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    return {
        "least": least_lists(confidence),
        "least_without_range": LEAST_WITHOUT_RANGE,
        "share_of_quantile": 0.75 + 0.25 * NormalDist().inv_cdf(confidence) / z,
        "tail_of_2": log(2 / (1 - confidence)),
        "tail_of_3": log(3 / (1 - confidence)),
        "normal": z,
        "t1": (z**3 + z) / 4,
        "t2": (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        "t3": (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        "t4": (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    }


def is_end(aggregate: Aggregate) -> bool:
    """True for the interval of the mean: its ends, or half of its width."""
    return aggregate.name in (*ENDS, *BOUNDS) and aggregate.of_aggregate is None


@dataclass
class MeanIntervals:
    """The steps from which the intervals of means are computed, filled metric by metric.

    The first step aggregates lists; each further step computes columns from those of the step before.
    """

    cluster: Sequence[exp.Column]  # the columns whose lists are not independent; none if lists are
    steps: list[dict[str, exp.Expr]] = field(default_factory=lambda: [{}])

    def end(self, metric: Metric, aggregate: Aggregate) -> exp.Expr:
        """The interval of a metric's mean over the columns of the last step, whose columns are added."""
        return _MetricInterval(metric, aggregate.alpha or ALPHA, self).end(aggregate.name)

    def error(self, metric: Metric) -> exp.Expr:
        """The standard error of a metric's mean, as an aggregate over lists."""
        return _MetricInterval(metric, ALPHA, self).over_lists("error", tree.column(metric.label))


@dataclass(frozen=True)
class _MetricInterval:
    """The interval of one metric, for one confidence."""

    metric: Metric
    confidence: float
    intervals: MeanIntervals

    @cached_property
    def range(self) -> Interval:
        """The declared range; the values are scaled to 0 to 1 if it has two ends."""
        return interval_of(self.metric)

    @cached_property
    def is_bounded(self) -> bool:
        return isfinite(self.range.lower) and isfinite(self.range.upper)

    @property
    def is_scaled(self) -> bool:
        return self.is_bounded and (self.range.lower, self.range.upper) != (0, 1)

    @cached_property
    def value(self) -> exp.Expr:
        """The value of a list, from 0 to 1 if the range has two ends."""
        column = tree.column(self.metric.label)
        return self._in_range("(:value - :low) / :width", column) if self.is_scaled else column

    def _in_range(self, text: str, value: exp.Expr) -> exp.Expr:
        """An expression of a `value`, and of the lower end (`low`) and the `width` of the range."""
        low, width = self.range.lower, self.range.upper - self.range.lower
        return tree.fill(text, value=value, low=tree.literal(low), width=tree.literal(width))

    def end(self, name: str) -> exp.Expr:
        """An end of the interval (or half its width), in the unit of the metric."""
        if name == "ci":
            low, high = self.end("ci_low"), self.end("ci_high")
            return tree.fill("(:high - :low) / 2", high=high, low=low)
        is_bound = name in BOUNDS
        if is_bound:
            self._refuse_bound(name)
        elif not self.is_bounded:
            return self._clamped(self.column(name), is_low=name == "ci_low")
        end: exp.Expr = self.column(name if is_bound else f"{name}.bounded")
        if not self.range.is_certain:  # such as `[0, 1] if no gain is negative`: the values tell
            otherwise: exp.Expr = exp.Null() if is_bound else self.column(name)
            lowest, highest = map(self.column, ("lowest", "highest"))
            text = "CASE WHEN :lowest >= 0 AND :highest <= 1 THEN :end ELSE :otherwise END"
            end = tree.fill(text, lowest=lowest, highest=highest, end=end, otherwise=otherwise)
        if not self.is_scaled:
            return end
        return self._in_range(":width * :value" if is_bound else ":low + :width * :value", end)

    def _refuse_bound(self, name: str) -> None:
        if not self.is_bounded:
            raise said(MetricError, "bound_without_range", name=name, metric=self.metric.label)
        if name == "bernstein" and self.intervals.cluster:
            columns = [column.name.removeprefix(UNNAMED) for column in self.intervals.cluster]
            raise said(MetricError, "bound_of_clusters", columns=columns, naming=Option("cluster", []))

    def _clamped(self, end: exp.Expr, *, is_low: bool) -> exp.Expr:
        """An end of the interval within a range that has one end; under a condition, if the values are within it."""
        bound = self.range.lower if is_low else self.range.upper
        if not isfinite(bound):
            return end
        test = f":end {'<' if is_low else '>'} :bound"
        known: exp.Expr = exp.Null()
        if not self.range.is_certain:
            known = self.column("lowest" if is_low else "highest")
            test = f":known {'>=' if is_low else '<='} :bound AND {test}"
        return tree.fill(f"CASE WHEN {test} THEN :bound ELSE :end END", end=end, bound=tree.literal(bound), known=known)

    def column(self, name: str) -> exp.Column:
        """A column of sql/intervals, added to the steps with all columns that it reads."""
        is_mirrored = name == UPPER_BOUND
        definition, steps = self._definition(LOWER_BOUND if is_mirrored else name), self.intervals.steps
        heading, depth = self._heading(name), 0
        if definition.reads == INTERVALS:
            read = dict.fromkeys(column.name for column in tree.find(definition.select, exp.Column))
            columns = {name: self.column(name) for name in read}
            depth = 1 + max(place for place, step in enumerate(steps) if {*step} & {c.name for c in columns.values()})
            expression = bind(definition.expression, constants(self.confidence))
            if is_mirrored:
                columns["hits"], columns["misses"] = columns["misses"], columns["hits"]
                expression = tree.fill("1 - :bound", bound=exp.Paren(this=expression))
            expression = tree.replace_columns(expression, lambda column: columns[column.name].copy())
        else:
            expression = self.over_lists(name, self.value)
        if depth == len(steps):
            steps.append({})
        steps[depth][heading] = expression
        return tree.column(heading)

    def over_lists(self, name: str, value: exp.Expr) -> exp.Expr:
        """A file as an aggregate over lists, with an expression for `value`."""
        expression = self._definition(name).expression.copy()
        for window in tree.find(expression, exp.Window):
            if window.args.get("partition_by"):
                window.set("partition_by", [column.copy() for column in self.intervals.cluster])
        mine = {*self.intervals.cluster}
        return tree.replace_columns(expression, lambda column: column.copy() if column in mine else value.copy())

    def _definition(self, name: str) -> Definition:
        files = definitions_in(INTERVALS, "interval")
        clustered = files.get(f"{name}.clustered") if self.intervals.cluster else None
        return clustered or files.get(name) or Aggregate(name).definition

    def _heading(self, name: str) -> str:
        """The name of a column in the query; that of the mean is the metric's label."""
        if name == "mean" and not self.is_scaled:
            return self.metric.label
        of_confidence = self.confidence != ALPHA and name.partition(".")[0] in ("student", "quantile", *ENDS, *BOUNDS)
        return f"{self.metric.label}: {name.replace('.', ' ')}{f'({self.confidence!r})' if of_confidence else ''}"


def exact_interval(n_hits: int, n_lists: int, confidence: float = 0.95) -> tuple[float, float]:
    """The interval of Clopper and Pearson for a share of independent lists, such as a hit rate.

    It contains the true share with at least this probability, whatever that is, and is wider than `ci_low` and
    `ci_high`.

    Args:
        n_hits: the number of lists with the value 1.
        n_lists: the number of lists, at least 1.
        confidence: the probability, between 0 and 1.

    Returns:
        The lower and the upper bound, from 0 to 1.

    Raises:
        InputError: the numbers are not counts of lists, the confidence is out of range, or SciPy is missing.

    Source:
        C. J. Clopper, E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the
        binomial" (1934), doi:10.1093/biomet/26.4.404

    Example:
        >>> low, high = exact_interval(9, 10)
        >>> round(low, 4), round(high, 4)
        (0.555, 0.9975)
    """
    if not (isinstance(n_hits, int) and isinstance(n_lists, int) and 0 <= n_hits <= n_lists and n_lists > 0):
        raise said(InputError, "no_share", hits=n_hits, lists=n_lists)
    if not 0 < confidence < 1:
        raise InputError(f"{Option('confidence', is_noun=True)} must be between 0 and 1, and is {confidence!r}.")
    with importing("An exact interval is computed with SciPy", "statistics"):
        from scipy import special
    tail = (1 - confidence) / 2
    low = special.betaincinv(n_hits, n_lists - n_hits + 1, tail) if n_hits else 0.0
    high = special.betaincinv(n_hits + 1, n_lists - n_hits, 1 - tail) if n_hits < n_lists else 1.0
    return float(low), float(high)
