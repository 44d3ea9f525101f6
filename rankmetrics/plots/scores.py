"""The numbers of a chart, as small tables that the engine computes: means with intervals, and histograms of lists."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rankmetrics.errors import DataError, DialectError, MetricError, names
from rankmetrics.inputs.columns import SEPARATOR, name_of_system
from rankmetrics.metrics.metric import Metric
from rankmetrics.metrics.summaries import MEAN, Aggregate, read_aggregates
from rankmetrics.plots.histograms import bin_counts, value_counts, value_range
from rankmetrics.plots.metrics import is_lower_better
from rankmetrics.queries import Queries

if TYPE_CHECKING:
    import polars as pl

# A chart of more systems could not be read.
MOST_SYSTEMS = 20

# The columns of `value_range` behind those of `by`.
OF_SYSTEM = ("n_lists", "mean", "low", "high", "n_values")

# Up to so many distinct values, each has a bar of its own.
MOST_BARS = 40


@dataclass(frozen=True)
class Systems:
    """The systems of a chart.

    Attributes:
        shown: the names of the systems that the chart shows, the best first.
        numbers: for each of them, its place among all systems in alphabetical order, from which its colour follows.
        n: how many systems there are.
        heading: what the systems are called: the columns of `by`.
        ordered_by: the label of the metric that decides which systems are the best.
    """

    shown: tuple[str, ...]
    numbers: tuple[int, ...]
    n: int
    heading: str
    ordered_by: str

    @property
    def note(self) -> str:
        """A sentence about the systems that are left out; empty if there are none."""
        if len(self.shown) == self.n:
            return ""
        return f"The best {len(self.shown)} of {self.n:,} systems by {self.ordered_by}."


@dataclass(frozen=True)
class Scores:
    """The means of some metrics.

    Attributes:
        frame: a row per system and metric: system, metric (the label), k (NULL without a cutoff), value, low, high (the
            ends of the interval; NULL for a metric of a system, or of fewer than two lists), n_lists. Undefined means
            are left out.
        metrics: the metrics.
        systems: the systems that are shown.
        confidence: the confidence of the intervals.
        has_intervals: whether the database can compute intervals; SQLite has no standard deviation.
    """

    frame: pl.DataFrame
    metrics: tuple[Metric, ...]
    systems: Systems
    confidence: float
    has_intervals: bool = True


@dataclass(frozen=True)
class Histogram:
    """How the values of a metric are distributed over the lists of each system.

    Attributes:
        frame: a row per system and bin that has lists: system, start, end, n, share (of the lists of the system for
            which the metric is defined), mean (of the system).
        metric: the metric.
        systems: the systems that are shown.
        n_undefined: the lists, over the systems that are shown, for which the metric is undefined.
    """

    frame: pl.DataFrame
    metric: Metric
    systems: Systems
    n_undefined: int


def scores_of(queries: Queries, metrics: Sequence[Metric], confidence: float, ordered_by: Metric) -> Scores:
    """The means of metrics with their intervals, of the best systems by one of the metrics.

    Raises:
        MetricError: the confidence is not between 0 and 1.
        DataError: there is no row, or every mean is undefined.
    """
    import polars as pl

    aggregates: tuple[Aggregate, ...] = (MEAN, *read_aggregates([f"ci_low({confidence})", f"ci_high({confidence})"]))
    try:
        lazy = queries.summary(metrics, aggregates)
    except DialectError:  # a database without a standard deviation, as SQLite
        aggregates, lazy = (MEAN,), queries.summary(metrics, [MEAN])
    found = queries.engine.collect(lazy)
    n_by = len(queries.layout.by)
    parts, place = [], n_by + 1
    for metric in metrics:
        width = 1 if metric.is_run else len(aggregates)
        values = [pl.nth(place + one).cast(pl.Float64) if one < width else pl.lit(None, pl.Float64) for one in range(3)]
        columns = dict(zip(("value", "low", "high"), values, strict=True))
        labels = {"metric": pl.lit(metric.label), "k": pl.lit(metric.k, pl.Int64)}
        n_lists = pl.nth(n_by).cast(pl.Int64)
        parts.append(found.select(system=_system_names(n_by), **labels, **columns, n_lists=n_lists))
        place += width
    frame = pl.concat(parts).drop_nulls("value")
    if frame.is_empty():
        labels_in_words = names(metric.label for metric in metrics)
        raise DataError(f"There is nothing to draw: {labels_in_words} has no value for any system.")
    systems = _best_systems(frame, ordered_by, queries)
    shown = frame.filter(pl.col("system").is_in(systems.shown))
    return Scores(shown, tuple(metrics), systems, confidence, has_intervals=len(aggregates) > 1)


def histogram_of(queries: Queries, metric: Metric, bins: int) -> Histogram:
    """How many lists of each system have which value of a metric, counted by the engine.

    If the metric has few distinct values at even distances, such as precision@10, each value has a bin of its own.

    Args:
        queries: the queries of the evaluation.
        metric: a metric of lists.
        bins: the number of bins, at equal distances.

    Raises:
        MetricError: the metric is a number of a system, or the number of bins is not from 2 to 200.
        DataError: the metric is undefined for every list.
    """
    import polars as pl

    if metric.is_run:
        raise MetricError(f"{metric.label} is a number of a system: it has no distribution over lists.")
    if not isinstance(bins, int) or not 2 <= bins <= 200:
        raise MetricError(f"bins is the number of bins, from 2 to 200: {bins!r} is not.")
    n_by = len(queries.layout.by)
    found = queries.engine.collect(queries.assembled([metric], value_range)).select(
        system=_system_names(n_by), **{name: pl.nth(n_by + place) for place, name in enumerate(OF_SYSTEM)}
    )
    ranges = found.with_columns(pl.col("mean", "low", "high").cast(pl.Float64)).drop_nulls("mean")
    if ranges.is_empty():
        raise DataError(f"There is nothing to draw: {metric.label} has no value for any system.")
    named = ranges.select("system", value="mean", metric=pl.lit(metric.label))
    systems = _best_systems(named, metric, queries)
    edges = _edges(queries, metric, bins, ranges)
    counted = queries.engine.collect(queries.assembled([metric], bin_counts, *map(repr, edges)))
    of_bins = pl.DataFrame(
        {"bin": range(len(edges) - 1), "start": edges[:-1], "end": edges[1:]}, schema_overrides={"bin": pl.Int64}
    )
    frame = (
        counted.select(system=_system_names(n_by), bin=pl.nth(n_by).cast(pl.Int64), n=pl.nth(n_by + 1).cast(pl.Int64))
        .filter(pl.col("system").is_in(systems.shown))
        .join(ranges.select("system", "mean"), on="system")
        .join(of_bins, on="bin")
        .with_columns(share=pl.col("n") / pl.col("n").sum().over("system"))
        .sort("system", "bin")
    )
    n_lists = int(found.filter(pl.col("system").is_in(systems.shown))["n_lists"].sum())
    return Histogram(frame.drop("bin"), metric, systems, n_lists - int(frame["n"].sum()))


def _edges(queries: Queries, metric: Metric, bins: int, ranges: pl.DataFrame) -> list[float]:
    """Where the bins begin, and where the last ends."""
    low, high = min(ranges["low"]), max(ranges["high"])
    if max(ranges["n_values"]) <= MOST_BARS:
        counted = queries.engine.collect(queries.assembled([metric], value_counts))
        values = sorted({round(float(one), 9) for one in counted[:, 0]})
        width = min((b - a for a, b in itertools.pairwise(values)), default=1.0)
        n_bars = round((values[-1] - values[0]) / width) + 1
        if n_bars <= MOST_BARS:
            return [values[0] + (one - 0.5) * width for one in range(n_bars + 1)]
    if metric.definition.fields.get("range", "").startswith("[0, 1]") and low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    return [low + (high - low) * one / bins for one in range(bins + 1)]


def _system_names(n_by: int) -> pl.Expr:
    """The values of the first columns as one text: `als`, or `2024-01-31, als`."""
    import polars as pl

    if n_by == 0:
        return pl.lit("all lists")
    return pl.concat_str([pl.nth(one).cast(pl.String).fill_null("–") for one in range(n_by)], separator=SEPARATOR)


def _best_systems(frame: pl.DataFrame, ordered_by: Metric, queries: Queries) -> Systems:
    import polars as pl

    every = frame["system"].unique().sort()
    last = frame.filter(pl.col("metric") == ordered_by.label)
    best = last.sort("value", "system", descending=[not is_lower_better(ordered_by), False])["system"]
    unordered = every.filter(~every.is_in(best.implode()))
    shown = pl.concat([best, unordered]).head(MOST_SYSTEMS).to_list()
    numbers = [int(every.search_sorted(one)) for one in shown]
    by = name_of_system(queries.layout.by)
    return Systems(tuple(shown), tuple(numbers), len(every), by, ordered_by.label)
