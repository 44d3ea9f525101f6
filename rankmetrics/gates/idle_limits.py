"""Limits that cannot fail, since every value of the metric keeps them: they are refused, since others were meant."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from math import inf

from rankmetrics.errors import InputError, Option, counted
from rankmetrics.gates.options import Gate
from rankmetrics.metrics.metric import Metric
from rankmetrics.metrics.summaries import MEAN, Aggregate, Interval, interval_of
from rankmetrics.options import Limit


def intervals_by_column(metrics: Sequence[Metric], aggregates: Sequence[Aggregate]) -> dict[str, Interval]:
    """The interval of each column of a summary that holds a metric."""
    return {
        MEAN.label(metric.label) if metric.is_run else aggregate.label(metric.label): interval_of(metric, aggregate)
        for metric in metrics
        for aggregate in ([MEAN] if metric.is_run else aggregates)
    }


def holding(intervals: Mapping[str, Interval], values: Mapping[str, Sequence[float]]) -> dict[str, Interval]:
    """The intervals that these values of their columns do not contradict: not every condition of an interval holds."""
    return {
        column: interval
        for column, interval in intervals.items()
        if interval.is_certain or all(value in interval for value in values.get(column, ()))
    }


def refuse_idle_limits(
    gate: Gate, columns: Mapping[str, str], intervals: Mapping[str, Interval], lower_is_better: Container[str]
) -> None:
    """Refuse a limit that all values of a metric keep.

    Args:
        gate: the options with the limits.
        columns: the column of each metric that has a limit.
        intervals: the intervals of columns, where they are known.
        lower_is_better: the columns whose rise is a drop.

    Raises:
        InputError: a limit cannot fail.
    """
    for option in ("minimum", "maximum", "max_drop"):
        for metric, limit in getattr(gate, option).items():
            interval, falls = intervals.get(columns[metric], Interval()), columns[metric] not in lower_is_better
            if (reason := _reason(option, limit, interval, falls=falls)) is None:
                continue
            parts: list[str | Option] = [Option(option, {metric: limit.written})]
            parts.append(f" cannot fail: {columns[metric]} {reason} (its range: {interval.text}). ")
            if not limit.is_percentage and limit.value > 0 and limit.value / 100 < interval.upper:
                percentage = f"{limit.value:.12g}%"
                parts += ["If a percentage was meant, write ", Option(option, {metric: percentage}), "."]
            else:
                parts.append("Write a limit within the range, or leave it out.")
            raise InputError(*parts)


def _reason(option: str, limit: Limit, interval: Interval, *, falls: bool) -> str | None:
    """Why all values of an interval keep a limit; None if some do not."""
    if option == "minimum" and -inf < interval.lower >= limit.value:
        return f"is never below {interval.lower:g}"
    if option == "maximum" and limit.value >= interval.upper < inf:
        return f"is never above {interval.upper:g}"
    width = interval.upper - interval.lower
    if option == "max_drop" and not limit.is_percentage and limit.value >= width < inf:
        return f"never changes by more than {width:g}"
    if option == "max_drop" and limit.is_percentage and limit.value >= 1 and falls and interval.lower >= 0:
        return "never drops by more than 100%"
    return None


def refuse_idle_number(limit: Limit, most: int) -> None:
    """Refuse a number of lists that may be missing if no system has more lists, of which `most` is the greatest number.

    Raises:
        InputError: the limit cannot fail.
    """
    if not limit.is_percentage and 0 < most <= limit.value:
        number = Option("max_missing", limit.written)
        why = f" cannot fail: no system has more than {counted(most, 'list', 'lists')}. Write a lower number, or a "
        raise InputError(number, why, "percentage, as in ", Option("max_missing", "1%"), ".")
