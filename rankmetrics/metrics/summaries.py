"""Aggregates of per-list values: mean, median, ci and the other files of sql/aggregates; the interval of the values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from types import MappingProxyType

from sqlglot import exp

from rankmetrics.errors import MetricError, choices_for, names
from rankmetrics.metrics.catalog import WEIGHTS, catalog
from rankmetrics.metrics.definition import RANGE, Definition
from rankmetrics.metrics.metric import Metric, are_weighted
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.parameters import bind

# The table of a file that is an expression over other aggregates, and the two that suffice for a number of a system.
AGGREGATES, WITH_ERROR = "aggregates", ("mean", "standard_error")

# The confidence of an interval, and the numbers that other aggregates take, each with its default.
ALPHA, NUMBERS = 0.95, MappingProxyType({"share": 0.1, "aversion": 0.5})


@dataclass(frozen=True)
class Aggregate:
    """An aggregate of per-list values, such as `ci(0.9)`: a file of sql/aggregates.

    The interval of another aggregate, as `worst(0.1) ci(0.9)`, is a file of both names, or that of the mean's interval.
    """

    name: str  # the file's name
    alpha: float | None = None  # the number that it takes; None for the default
    of_aggregate: Aggregate | None = None  # the aggregate whose interval or standard error it is; None for the mean

    @property
    def definition(self) -> Definition:
        """The file of the aggregate."""
        own = f"{self.of_aggregate.name}.{self.name}" if self.of_aggregate else self.name
        return next(file for name in (own, self.name) for file in catalog().all("aggregate") if file.name == name)

    @property
    def takes(self) -> str:
        """The name of its number, such as `confidence` or `share`; empty if it takes none."""
        read = tree.placeholders(Aggregate(self.name).definition.select)
        return next((name for name in NUMBERS if name in read), "confidence" if read else "")

    def label(self, metric: str) -> str:
        """The column of a metric's aggregate: `ndcg@10 median`; the mean's column is the metric's own label."""
        return metric if self == MEAN else f"{metric} {self}"

    def of_system(self, numbers: Mapping[str, exp.Expr]) -> exp.Expr:
        """The aggregate of a number of a system, by that number as `mean` and by its `standard_error`."""
        if self.name in numbers:
            return numbers[self.name].copy()
        return tree.replace_columns(self._with_number.copy(), lambda column: numbers[column.name].copy())

    def of(self, column: exp.Column, metric: Metric | None = None) -> exp.Expr:
        """The aggregate of a metric's column: the expression of the file, with the column in place of `value`."""
        bound = self._bound
        if tree.placeholders(bound):  # the worst values are the highest where lower is better
            is_reversed = metric is not None and metric.better == "lower"
            bound = bind(bound, {"sign": -1 if is_reversed else 1})
        return tree.replace_columns(bound.copy(), lambda _: column.copy())

    @cached_property
    def _bound(self) -> exp.Expr:
        """The expression of the file, with its number; other aggregates are written out."""
        if self.definition.reads == AGGREGATES:
            return tree.replace_columns(self._with_number.copy(), lambda column: self._read(column.name)._bound)
        return self._with_number

    def _read(self, name: str) -> Aggregate:
        """The aggregate that a column of the file means: `mean` is the one whose interval this is."""
        if self.of_aggregate is None:
            return Aggregate(name)
        return self.of_aggregate if name == MEAN.name else replace(self, name=name)

    @cached_property
    def _with_number(self) -> exp.Expr:
        """The expression of the file, with the confidence or the share."""
        known: dict[str, float | exp.Expr] = {"sign": exp.Placeholder(this="sign")}
        known |= {name: (self.of_aggregate or self).alpha or default for name, default in NUMBERS.items()}
        if "deviations" in tree.placeholders(self.definition.select):
            from statistics import NormalDist  # slow to import, and most evaluations only need means

            # half the width, in standard deviations, of the interval that holds this share of a normal distribution
            known["deviations"] = NormalDist().inv_cdf((1 + (self.alpha or ALPHA)) / 2)
        return bind(self.definition.expression, known)

    def __str__(self) -> str:
        text = self.name if self.alpha is None else f"{self.name}({self.alpha!r})"
        return f"{self.of_aggregate} {text}" if self.of_aggregate else text


MEAN = Aggregate("mean")


def aggregates_of(metric: Metric, aggregates: Sequence[Aggregate]) -> list[Aggregate]:
    """The aggregates that a metric has: all of them if it has a value per list.

    A metric of a system is one number, as a mean is. If it has a standard error, it has an interval, too.
    """
    if not metric.is_run:
        return [*aggregates]
    has_error = "error" in metric.definition.fields
    of_mean = (each for each in aggregates if each.of_aggregate is None)
    of_error = (each for each in of_mean if each.name in WITH_ERROR or each.definition.reads == AGGREGATES)
    return [MEAN, *(each for each in of_error if has_error and each != MEAN)]


# Aggregates that lie between the lowest and the highest of the values.
WITHIN = frozenset({"mean", "median", "median_low", "minimum", "maximum"})


def read_aggregates(aggregates: str | Iterable[str]) -> tuple[Aggregate, ...]:
    """Aggregates from a text or several, such as `["mean", "median", "ci(0.9)"]`."""
    texts = [aggregates] if isinstance(aggregates, str) or not isinstance(aggregates, Iterable) else list(aggregates)
    if not texts:
        raise MetricError('No aggregate was asked for. Ask for some, as in ["mean", "median", "ci(0.95)"].')
    return tuple(dict.fromkeys(map(_read_aggregate, texts)))


def error_of(aggregate: Aggregate) -> Aggregate:
    """The standard error of an aggregate."""
    return Aggregate("standard_error", None, None if aggregate == MEAN else aggregate)


def has_interval(aggregate: Aggregate) -> bool:
    """True for the mean, and for an aggregate that has a file of its standard error."""
    return aggregate == MEAN or "." in error_of(aggregate).definition.name


# An aggregate as text, with its number in parentheses.
ONE = r"\w+\s*(?:\([^()]*\))?"


def _read_aggregate(text: str) -> Aggregate:
    """An aggregate from its text, which may be two of them: `worst(0.1) ci(0.9)`, the interval of the first."""
    match = re.fullmatch(rf"\s*({ONE})\s+({ONE})\s*", str(text))
    if match is None:
        return _read_single(text)
    first, last = map(_read_single, match.groups())
    if last.name != "standard_error" and last.definition.reads != AGGREGATES:
        raise MetricError(
            f"The aggregate {text!r} cannot be: {last} is not an interval, as ci, ci_low and ci_high are."
        )
    if not has_interval(first):
        having = sorted(name for name in _known() if has_interval(Aggregate(name)))
        raise MetricError(f"The aggregate {text!r} cannot be: {first} has no interval. {names(having)} have one.")
    return last if first == MEAN else replace(last, of_aggregate=first)


def _known() -> list[str]:
    """The names of aggregates; a file with a point in its name is the interval of one of them."""
    return [file.name for file in catalog().all("aggregate") if "." not in file.name]


def _read_single(text: str) -> Aggregate:
    known = _known()
    match = re.fullmatch(r"\s*(\w+)\s*(?:\(\s*([0-9.eE+-]+)\s*\))?\s*", str(text))
    name, alpha = match.groups() if match else (str(text), None)
    if name not in known:
        raise MetricError(f"There is no aggregate {text!r}: there are {choices_for(name, known)}")
    takes = Aggregate(name).takes
    if alpha is None:
        return Aggregate(name)
    try:
        sure = float(alpha)
    except ValueError:
        sure = 0.0
    if not takes or not 0 < sure < 1 or (1 + sure) / 2 == 1:
        why = f"the {takes} must lie between 0 and 1" if takes else f"{name} takes no number"
        raise MetricError(f"The aggregate {text!r} cannot be: {why}.")
    return Aggregate(name, sure)


# --- the interval of the values ---------------------------------------------------------------------------------------

# A setting that an interval belongs to, as in `[0, inf) with unit=count`.
SETTING = re.compile(r" with (\w+)=(\w+)")


@dataclass(frozen=True)
class Interval:
    """The ends of an interval; -inf and inf where it has none."""

    lower: float = -inf
    upper: float = inf
    text: str = ""  # the interval as the file has it, with its condition
    is_certain: bool = True  # False if it holds under a condition, such as `if no gain is negative`

    def __contains__(self, value: float) -> bool:
        return self.lower <= value <= self.upper


def interval_of(metric: Metric, aggregate: Aggregate | None = None) -> Interval:
    """The interval of a metric's values, or of an aggregate of them; unlimited if nothing is known.

    A `range:` begins with an interval. Others may follow it, each with the setting that it belongs to.

    >>> from rankmetrics.metrics.metric import parse
    >>> for text in ("hit@10", "user_coverage(unit=count)", "ndcg"):
    ...     print(interval_of(parse(text)))
    Interval(lower=0.0, upper=1.0, text='[0, 1]', is_certain=True)
    Interval(lower=0.0, upper=inf, text='[0, inf) with unit=count', is_certain=True)
    Interval(lower=0.0, upper=1.0, text='[0, 1] if no gain is negative', is_certain=False)
    """
    interval = Interval()
    if metric.estimates or (aggregate is not None and aggregate.name not in WITHIN):
        return interval
    for place, clause in enumerate(metric.definition.fields.get("range", "").split("; ")):
        ends = RANGE.match(clause)
        setting = SETTING.match(clause, ends.end()) if ends else None
        if ends and (str(metric.values.get(setting[1])) == setting[2] if setting else place == 0):
            is_certain = (setting or ends).end() == len(clause)
            interval = Interval(float(ends["lower"]), float(ends["upper"]), clause, is_certain)
    if are_weighted(metric.values):
        return Interval(interval.lower, text=f"[{interval.lower:g}, inf) with {WEIGHTS}={metric.values[WEIGHTS]}")
    return interval
