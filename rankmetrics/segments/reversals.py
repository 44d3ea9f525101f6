"""Reversals, where two systems rank differently in the segments: reversed orders, and a test of interaction.

Welch's test of equal means: B. L. Welch (1951), On the comparison of several mean values: an alternative approach.
doi:10.1093/biomet/38.3-4.330
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import sqrt
from typing import TYPE_CHECKING, Any

from rankmetrics._rounding import same
from rankmetrics.comparisons.plan import ComparisonPlan
from rankmetrics.errors import InputError, pip_install
from rankmetrics.inputs.columns import name_of_system
from rankmetrics.metrics.metric import Metric
from rankmetrics.segments.query import ALL

if TYPE_CHECKING:
    import polars as pl

# The sum of squares that rounding leaves of equal numbers, as a share of the squares that it is computed from.
LEAST_SQUARES = 1e-12


@dataclass(frozen=True)
class SegmentDifferences:
    """The differences between two systems over the lists of a segment."""

    n: int  # how many lists have a difference
    mean: float
    sum_of_squares: float = 0.0  # of the differences from their mean; 0 where only the mean is known

    @property
    def variance(self) -> float:
        """The variance of the differences, with n - 1; 0 where they are all equal."""
        rounding = LEAST_SQUARES * (self.sum_of_squares + self.n * self.mean**2)
        return self.sum_of_squares / (self.n - 1) if self.sum_of_squares > rounding else 0.0

    @property
    def sign(self) -> int:
        """1 where the mean is positive, -1 where it is negative, 0 where it is 0 but for rounding."""
        if same(self.mean, 0, scale=sqrt(self.mean**2 + self.sum_of_squares / self.n)):
            return 0
        return 1 if self.mean > 0 else -1


@dataclass(frozen=True)
class SystemPair:
    """Two systems under a metric, over all lists and in the segments of a segmentation."""

    segmentation: str
    metric: Metric = field(repr=False)
    system_a: str
    system_b: str
    whole: SegmentDifferences  # the differences over all lists, of the first system from the second
    segments: tuple[SegmentDifferences, ...]  # those in each segment, in the order of the segments

    @property
    def reversed(self) -> list[SegmentDifferences]:
        """The segments in which the order of the systems is the reverse of that over all lists."""
        return [segment for segment in self.segments if segment.sign * self.whole.sign < 0]

    @property
    def is_simpson(self) -> bool:
        """True if the order is reversed in most segments (Simpson's paradox)."""
        return len(self.segments) > 1 and 2 * len(self.reversed) > len(self.segments)

    def sentence(self) -> str:
        """The reversal in words."""
        first, second = (self.system_a, self.system_b) if self.whole.mean > 0 else (self.system_b, self.system_a)
        better = self.metric.definition.fields.get("better", "higher")
        if better == "lower":
            first, second = second, first
        words = ("is better than", "but worse") if better != "neither" else ("is higher than", "but lower")
        return (
            f"{first} {words[0]} {second} in {self.metric.label} over all lists, {words[1]} in {len(self.reversed)} of "
            f"{len(self.segments)} segments of {self.segmentation}."
        )


def pairs_of_means(plan: ComparisonPlan, metrics: Sequence[Metric]) -> list[SystemPair]:
    """The pairs of systems by the mean of each system in each segment, without the variance of their differences."""
    means: dict[tuple[str, str, str], list[tuple[Any, ...]]] = {}
    columns = ["n_lists", "mean_value", *plan.ids["system_id"]]
    for segmentation, segment, metric, n, mean, *system in _rows(plan, "system_means", columns):
        if n:
            means.setdefault((segmentation, segment, metric), []).append((tuple(system), n, mean))
    differences = {}
    for key, systems in means.items():
        for (first, n, mean), (second, other_n, other_mean) in combinations(sorted(systems), 2):
            difference = 0.0 if same(mean, other_mean) else mean - other_mean
            differences[(*key, first, second)] = SegmentDifferences(min(n, other_n), difference)
    return _pairs(differences, metrics)


def pairs_of_lists(plan: ComparisonPlan, metrics: Sequence[Metric]) -> list[SystemPair]:
    """The pairs of systems by the differences of their lists."""
    columns = ["n_lists", "difference", "sum_of_squares", *plan.ids["baseline_id"], *plan.ids["system_id"]]
    differences = {}
    for segmentation, segment, metric, n, difference, squares, *both in _rows(plan, "moments", columns):
        if n:  # the differences are those of the second system from the first
            key = segmentation, segment, metric, tuple(both[: len(both) // 2]), tuple(both[len(both) // 2 :])
            differences[key] = SegmentDifferences(n, -difference, squares)
    return _pairs(differences, metrics)


def _rows(plan: ComparisonPlan, step: str, columns: Sequence[str]) -> list[tuple[Any, ...]]:
    """The segmentation, segment, metric and columns of a step in the order of segments, without lists in no segment."""
    segmentation, segment, position = plan.ids["by_id"]
    frame = plan.collect(step).drop_nulls(segment).sort(position)
    return frame.select(segmentation, segment, "metric", *columns).rows()


def _pairs(differences: Mapping[tuple[Any, ...], SegmentDifferences], metrics: Sequence[Metric]) -> list[SystemPair]:
    """The pairs of systems by segmentation, segment, label of the metric, first and second system."""
    segments: dict[tuple[Any, ...], list[SegmentDifferences]] = {}
    for (segmentation, _, *key), difference in differences.items():
        segments.setdefault((segmentation, *key), []).append(difference)
    labels = [metric.label for metric in metrics]
    pairs = [
        SystemPair(
            segmentation,
            metrics[labels.index(label)],
            name_of_system(first),
            name_of_system(second),
            segments[ALL, label, first, second][0],
            tuple(parts),
        )
        for (segmentation, label, first, second), parts in segments.items()
        if segmentation != ALL
    ]
    return sorted(pairs, key=lambda item: (item.segmentation, metrics.index(item.metric), item.system_a, item.system_b))


def reversals_frame(pairs: Sequence[SystemPair]) -> pl.DataFrame:
    """One row per segmentation, metric and pair of systems, as `Segments.reversals` says."""
    import polars as pl

    schema: dict[str, type[pl.DataType]] = {
        **dict.fromkeys(("segmentation", "metric", "system_a", "system_b"), pl.String),
        "difference": pl.Float64,
        **dict.fromkeys(("n_segments", "n_reversed", "n_lists", "n_lists_reversed"), pl.Int64),
        "is_simpson": pl.Boolean,
        **dict.fromkeys(("f", "p_interaction"), pl.Float64),
    }
    rows = []
    for pair in pairs:
        n_lists, n_reversed = (sum(segment.n for segment in some) for some in (pair.segments, pair.reversed))
        systems = pair.segmentation, pair.metric.label, pair.system_a, pair.system_b
        counts = len(pair.segments), len(pair.reversed), n_lists, n_reversed
        rows.append((*systems, pair.whole.mean, *counts, pair.is_simpson, *welch(pair.segments)))
    return pl.DataFrame(rows, schema=schema, orient="row")


def welch(groups: Sequence[SegmentDifferences]) -> tuple[float | None, float | None]:
    """Welch's F for equal means of groups, and its p-value, as `scipy.stats.f_oneway(..., equal_var=False)`.

    Both are None where there are fewer than two groups, or a group has fewer than two values, or values all equal.
    """
    if len(groups) < 2 or any(group.n < 2 or group.variance <= 0 for group in groups):
        return None, None
    try:
        from scipy.stats import f as distribution
    except ImportError as error:
        raise InputError(
            f"The test of reversals needs SciPy, which is not installed: {pip_install('statistics')}."
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
