"""The leaderboard of a report as values: systems, their means with intervals, and their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isclose
from typing import Any

from rankmetrics.comparisons.refusals import system_name
from rankmetrics.tables import shown_value

# Values that differ by a smaller share are equal: sums of the same numbers in another order differ so.
EQUAL = 1e-12


@dataclass(frozen=True)
class Mean:
    """The mean of a metric with its confidence interval.

    Attributes:
        value: the mean; None where the metric is undefined.
        low, high: the ends of the interval; None for a metric of a system, and for fewer than two lists.
    """

    value: float | None
    low: float | None = None
    high: float | None = None

    @property
    def interval(self) -> str:
        """The interval as it is printed; empty without an interval.

        >>> Mean(0.25, 0.2, 0.3).interval
        '0.2000 to 0.3000'
        """
        if self.low is None or self.high is None:
            return ""
        return f"{shown_value(self.low)} to {shown_value(self.high)}"


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
    others: Mapping[str, float | None]

    @property
    def name(self) -> str:
        """The system in words."""
        return str(system_name(self.system))


@dataclass(frozen=True)
class Leaderboard:
    """The means of all systems.

    Attributes:
        partitions: the columns of `by` that the truth has, too.
        systems: the other columns of `by`.
        metrics: the labels of the metrics, in the order of the request.
        of_systems: those of them that are a number of a system, and no mean over lists.
        others: the columns of the other aggregates.
        best_of: for each label that has a best value, `max` or `min`.
        standings: the rows.
    """

    partitions: Sequence[str]
    systems: Sequence[str]
    metrics: Sequence[str]
    of_systems: frozenset[str]
    others: Sequence[str]
    best_of: Mapping[str, Callable[[Iterable[float]], float]]
    standings: Sequence[Standing]

    @property
    def compares(self) -> bool:
        """Whether there are several systems to compare."""
        return len({standing.system for standing in self.standings}) > 1

    def by_partition(self) -> Iterator[tuple[str, list[Standing]]]:
        """The partitions in words, such as `day = 1`, each with its rows; one without words if there are none."""

        def partition(standing: Standing) -> tuple[str, ...]:
            return tuple(map(shown_value, standing.partition))

        for values, rows in groupby(sorted(self.standings, key=partition), key=partition):
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
        """What a number is: the mean of a metric, or a number of a system."""
        return label if label in self.of_systems else f"mean {label}"
