"""Reversals, where two systems rank differently in the segments: reversed orders, and a test of interaction.

Welch's test of equal means: B. L. Welch (1951), On the comparison of several mean values: an alternative approach.
doi:10.1093/biomet/38.3-4.330
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import sqrt
from typing import TYPE_CHECKING, Any

from rankmetrics.errors import InputError
from rankmetrics.inputs.columns import name_of_system
from rankmetrics.metrics.metric import Metric

if TYPE_CHECKING:
    import polars as pl

# What rounding leaves of a number that is 0, as a share of the numbers that it is computed from.
ROUNDING = 1e-12


@dataclass(frozen=True)
class SegmentDifferences:
    """The differences between two systems over some lists, as sums.

    Attributes:
        segment: the segment of the lists; None for lists in no segment.
        n: how many lists have a difference.
        total: the sum of the differences.
        squares: the sum of their squares.
    """

    segment: str | None
    n: int
    total: float
    squares: float

    @property
    def mean(self) -> float:
        """The mean difference."""
        return self.total / self.n

    @property
    def variance(self) -> float:
        """The variance of the differences, with n - 1; 0 where they are all equal."""
        left = self.squares - self.total**2 / self.n
        return left / (self.n - 1) if left > ROUNDING * self.squares else 0.0

    @property
    def sign(self) -> int:
        """1 where the mean is positive, -1 where it is negative, 0 where it is 0 but for rounding."""
        if abs(self.total) <= ROUNDING * sqrt(self.n * self.squares):
            return 0
        return 1 if self.total > 0 else -1


@dataclass(frozen=True)
class SystemPair:
    """Two systems under a metric, over all lists and in the segments of a segmentation.

    Attributes:
        segmentation: its name.
        metric: the metric.
        system_a, system_b: the systems.
        whole: the differences over all lists, of the first system from the second.
        segments: the differences in each segment, in the order of the segments.
    """

    segmentation: str
    metric: Metric = field(repr=False)
    system_a: str
    system_b: str
    whole: SegmentDifferences
    segments: tuple[SegmentDifferences, ...]

    @property
    def compared(self) -> list[SegmentDifferences]:
        """The segments without the lists that are in none."""
        return [segment for segment in self.segments if segment.segment is not None]

    @property
    def reversed(self) -> list[SegmentDifferences]:
        """The segments in which the order of the systems is the reverse of that over all lists."""
        return [segment for segment in self.compared if segment.sign * self.whole.sign < 0]

    @property
    def is_simpson(self) -> bool:
        """True if the order is reversed in most segments (Simpson's paradox)."""
        return len(self.compared) > 1 and 2 * len(self.reversed) > len(self.compared)

    def sentence(self) -> str:
        """The reversal in words."""
        first, second = (self.system_a, self.system_b) if self.whole.mean > 0 else (self.system_b, self.system_a)
        better = self.metric.definition.fields.get("better", "higher")
        if better == "lower":
            first, second = second, first
        words = ("is better than", "but worse") if better != "neither" else ("is higher than", "but lower")
        return (
            f"{first} {words[0]} {second} in {self.metric.label} over all lists, {words[1]} in {len(self.reversed)} of "
            f"{len(self.compared)} segments of {self.segmentation}."
        )


def pairs_of_means(rows: Iterable[Sequence[Any]], metrics: Sequence[Metric], n_columns: int) -> list[SystemPair]:
    """The pairs of systems, from the means of each system, as the query of means returns them.

    Args:
        rows: the rows: segmentation (empty for all lists), segment, its position, the columns of the system, then for
            each metric how many lists have a value, and their mean.
        metrics: the metrics.
        n_columns: how many columns identify a system.
    """
    by_segment: dict[tuple[Any, ...], list[Sequence[Any]]] = {}
    for segmentation, segment, position, *rest in rows:
        by_segment.setdefault((segmentation, segment, position), []).append(rest)
    differences = []
    for key, of_systems in by_segment.items():
        for system, other in combinations(sorted(of_systems, key=lambda row: tuple(row[:n_columns])), 2):
            systems = [name for pair in zip(system[:n_columns], other[:n_columns], strict=True) for name in pair]
            sums: list[Any] = []
            for at in range(n_columns, len(system), 2):
                n, first, second = min(system[at], other[at]), system[at + 1], other[at + 1]
                sums += [n, n * (first - second), n * (first**2 + second**2)] if n else [0, None, None]
            differences.append((*key, *systems, *sums))
    return pairs_of(differences, metrics, n_columns)


def pairs_of(rows: Iterable[Sequence[Any]], metrics: Sequence[Metric], n_systems: int) -> list[SystemPair]:
    """The pairs of systems, from the rows that the query of pairs returns.

    Args:
        rows: the rows: segmentation (empty for all lists), segment, its position, the columns of both systems, then
            three sums for each metric.
        metrics: the metrics.
        n_systems: how many columns identify a system.
    """
    differences: dict[tuple[str, int, str, str], list[tuple[Any, SegmentDifferences]]] = {}
    for segmentation, segment, position, *rest in rows:
        names, sums = rest[: 2 * n_systems], rest[2 * n_systems :]
        first, second = (name_of_system(names[start::2]) for start in (0, 1))
        for place in range(len(metrics)):
            n, total, squares = sums[3 * place : 3 * place + 3]
            if n:
                difference = SegmentDifferences(segment, int(n), float(total), float(squares))
                differences.setdefault((segmentation, place, first, second), []).append((position, difference))
    pairs = []
    for (segmentation, place, first, second), parts in differences.items():
        whole = differences[("", place, first, second)][0][1] if ("", place, first, second) in differences else None
        if segmentation and whole is not None:
            in_order = sorted(parts, key=lambda part: (part[0] is None, part[0]))
            pairs.append(
                SystemPair(segmentation, metrics[place], first, second, whole, tuple(part for _, part in in_order))
            )
    return sorted(pairs, key=lambda item: (item.segmentation, metrics.index(item.metric), item.system_a, item.system_b))


def reversals_frame(pairs: Sequence[SystemPair]) -> pl.DataFrame:
    """One row per segmentation, metric and pair of systems, as `Segments.reversals` says.

    Raises:
        InputError: SciPy is not installed.
    """
    import polars as pl

    tests = [welch(pair.compared) for pair in pairs]
    columns: dict[str, tuple[type[pl.DataType], list[Any]]] = {
        "segmentation": (pl.String, [pair.segmentation for pair in pairs]),
        "metric": (pl.String, [pair.metric.label for pair in pairs]),
        "system_a": (pl.String, [pair.system_a for pair in pairs]),
        "system_b": (pl.String, [pair.system_b for pair in pairs]),
        "difference": (pl.Float64, [pair.whole.mean for pair in pairs]),
        "n_segments": (pl.Int64, [len(pair.compared) for pair in pairs]),
        "n_reversed": (pl.Int64, [len(pair.reversed) for pair in pairs]),
        "n_lists": (pl.Int64, [sum(segment.n for segment in pair.compared) for pair in pairs]),
        "n_lists_reversed": (pl.Int64, [sum(segment.n for segment in pair.reversed) for pair in pairs]),
        "is_simpson": (pl.Boolean, [pair.is_simpson for pair in pairs]),
        "f": (pl.Float64, [f for f, _ in tests]),
        "p_interaction": (pl.Float64, [p for _, p in tests]),
    }
    return pl.DataFrame([pl.Series(name, values, dtype) for name, (dtype, values) in columns.items()])


def welch(groups: Sequence[SegmentDifferences]) -> tuple[float | None, float | None]:
    """Welch's F for equal means of groups whose variances may differ, and its p-value.

    Both are None where a group has fewer than two values or values that are all equal, or where there are fewer than
    two groups. It is what `scipy.stats.f_oneway(..., equal_var=False)` computes from the values themselves.

    Raises:
        InputError: SciPy is not installed.
    """
    if len(groups) < 2 or any(group.n < 2 or group.variance <= 0 for group in groups):
        return None, None
    try:
        from scipy.stats import f as distribution
    except ImportError as error:
        raise InputError(
            "The test of reversals needs SciPy, which is not installed: pip install 'rankmetrics[statistics]'."
        ) from error
    n_groups = len(groups)
    weights = [group.n / group.variance for group in groups]
    total = sum(weights)
    mean = sum(weight * group.mean for weight, group in zip(weights, groups, strict=True)) / total
    between = sum(weight * (group.mean - mean) ** 2 for weight, group in zip(weights, groups, strict=True))
    spread = sum((1 - weight / total) ** 2 / (group.n - 1) for weight, group in zip(weights, groups, strict=True))
    spread /= n_groups**2 - 1
    statistic = between / (n_groups - 1) / (1 + 2 * (n_groups - 2) * spread)
    return statistic, float(distribution.sf(statistic, n_groups - 1, 1 / (3 * spread)))
