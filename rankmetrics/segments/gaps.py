"""The gap between the segments with the lowest and the highest mean, with intervals that hold for any two segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, sqrt

import polars as pl

from rankmetrics.errors import importing

Ends = tuple[float | None, float | None]
UNKNOWN: Ends = (None, None)

# The columns of a gap.
SCHEMA: dict[str, type[pl.DataType]] = {
    "n_segments": pl.Int64,
    "lowest": pl.String,
    "lowest_mean": pl.Float64,
    "highest": pl.String,
    "highest_mean": pl.Float64,
    **dict.fromkeys(("difference", "difference_low", "difference_high"), pl.Float64),
    **dict.fromkeys(("ratio", "ratio_low", "ratio_high"), pl.Float64),
}


@dataclass(frozen=True)
class SegmentMean:
    """The mean of a metric over the lists of a segment."""

    segment: str
    mean: float
    error: float | None  # standard error of the mean; None for a single list, and where lists are in several segments
    n: int  # how many lists have a value


def gap(segments: Sequence[SegmentMean], confidence: float) -> tuple[object, ...]:
    """The gap between segments, of which there are two or more, by the columns of SCHEMA."""
    low, *_, high = sorted(segments, key=lambda segment: segment.mean)
    difference, differences, ratio, ratios = high.mean - low.mean, UNKNOWN, None, UNKNOWN
    if low.mean >= 0 and high.mean > 0:
        ratio = low.mean / high.mean
    if low.error is not None and high.error is not None:
        widths = low.error, high.error
        differences = _around(difference, widths, (low.n, high.n), len(segments), confidence)
        if ratio:  # by the delta method, for its logarithm
            relative = low.error / low.mean, high.error / high.mean
            logs = _around(log(ratio), relative, (low.n, high.n), len(segments), confidence)
            ratios = (None if logs[0] is None else exp(logs[0]), None if logs[1] is None else exp(logs[1]))
    ends = (low.segment, low.mean, high.segment, high.mean)
    return (len(segments), *ends, difference, *differences, ratio, *ratios)


def _around(
    value: float, errors: tuple[float, float], sizes: tuple[int, int], n_segments: int, confidence: float
) -> Ends:
    """The interval around the difference of two means with these standard errors, by Games and Howell.

    It holds for all pairs of the segments at once, so it holds for the two that were chosen because they are far apart.
    Of two segments, it is Welch's interval.

    Source: Games, Howell (1976), Pairwise Multiple Comparison Procedures with Unequal N's and/or Variances.
    doi:10.3102/10769986001002113
    """
    first, last = (error**2 for error in errors)
    if first + last <= 0:
        return UNKNOWN
    with importing("The intervals of gaps need SciPy, which is not installed", "statistics"):
        from scipy import stats
    freedom = (first + last) ** 2 / (first**2 / (sizes[0] - 1) + last**2 / (sizes[1] - 1))
    width = float(stats.studentized_range.isf(1 - confidence, n_segments, freedom)) * sqrt((first + last) / 2)
    return value - width, value + width
