"""The numbers of a chart, as small tables that the engine computes: means with intervals, and histograms of lists."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

import polars as pl
from sqlglot import exp

from rankmetrics._rounding import ranked
from rankmetrics.errors import DataError, DialectError, MetricError, names
from rankmetrics.inputs.columns import name_of_system
from rankmetrics.metrics.catalog import WEIGHTS, catalog
from rankmetrics.metrics.metric import Metric, read_metrics
from rankmetrics.metrics.summaries import MEAN, Aggregate, interval_of, read_aggregates
from rankmetrics.planner import Plan, Query
from rankmetrics.queries import Queries
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_heading, headed

# A chart of more systems could not be read.
MOST_SYSTEMS = 20

# Up to so many distinct values, each has a bar of its own.
MOST_BARS = 40

# The cutoffs of a curve, if the caller names none.
CUTOFFS = (1, 2, 3, 5, 10, 20, 50, 100)

# If the evaluation asked for a metric at so many cutoffs, these are the curve.
ENOUGH_CUTOFFS = 3


@dataclass(frozen=True)
class ShownSystems:
    """The systems of a chart."""

    shown: tuple[str, ...]  # the names of the systems that the chart shows, the best first
    numbers: tuple[int, ...]  # of each of them among all systems in alphabetical order: its colour follows from it
    n: int  # all systems
    heading: str  # of the systems: the columns of `by`
    ordered_by: str  # the label of the metric that decides which systems are the best

    @property
    def note(self) -> str:
        """A sentence about the systems that are left out; empty if there are none."""
        if len(self.shown) == self.n:
            return ""
        return f"The best {len(self.shown)} of {self.n:,} systems by {self.ordered_by}."


@dataclass(frozen=True)
class MeanScores:
    """The means of some metrics.

    The frame has a row per system and metric that is defined: system, metric (the label), k (NULL without a cutoff),
    value, low, high (the ends of the interval; NULL for a metric of a system, or of fewer than two lists), n_lists.
    """

    frame: pl.DataFrame
    metrics: tuple[Metric, ...]
    systems: ShownSystems
    confidence: float  # of the intervals
    has_intervals: bool = True  # False if the database cannot compute them; SQLite has no standard deviation


@dataclass(frozen=True)
class ValueHistogram:
    """The distribution of a metric's values over the lists of each system.

    The frame has a row per system and bin that has lists: system, start, end, n, share (of the lists of the system for
    which the metric is defined), mean (of the system).
    """

    frame: pl.DataFrame
    metric: Metric
    systems: ShownSystems
    n_undefined: int  # the lists, over the systems that are shown, for which the metric is undefined


def scores_of(queries: Queries, metrics: Sequence[Metric], confidence: float, ordered_by: Metric) -> MeanScores:
    """The means of metrics with their intervals, of the best systems by one of the metrics; refuses to draw nothing."""
    aggregates: tuple[Aggregate, ...] = (MEAN, *read_aggregates([f"ci_low({confidence})", f"ci_high({confidence})"]))
    try:
        lazy = queries.summary(metrics, aggregates)
    except DialectError:  # a database without a standard deviation, as SQLite
        aggregates, lazy = (MEAN,), queries.summary(metrics, [MEAN])
    summary = _named(queries.engine.collect(lazy), len(queries.layout.by))
    parts, place = [], 2  # after the system and n_lists
    for metric in metrics:
        width = 1 if metric.is_run else len(aggregates)
        values = {
            name: pl.nth(place + number).cast(pl.Float64) if number < width else pl.lit(None, pl.Float64)
            for number, name in enumerate(("value", "low", "high"))
        }
        labels = {"metric": pl.lit(metric.label), "k": pl.lit(metric.k, pl.Int64)}
        parts.append(summary.select("system", **labels, **values, n_lists=pl.nth(1).cast(pl.Int64)))
        place += width
    frame = pl.concat(parts).drop_nulls("value")
    if frame.is_empty():
        labels_in_words = names(metric.label for metric in metrics)
        raise DataError(f"There is nothing to draw: {labels_in_words} has no value for any system.")
    systems = _best_systems(frame, ordered_by, queries)
    rows = frame.filter(pl.col("system").is_in(systems.shown))
    return MeanScores(rows, tuple(metrics), systems, confidence, has_intervals=len(aggregates) > 1)


def histogram_of(queries: Queries, metric: Metric, bins: int) -> ValueHistogram:
    """The number of lists of each system by the value of a metric, counted by the engine in bins at equal distances.

    If the metric has few distinct values at even distances, such as precision@10, each value has a bin of its own.
    """
    if metric.is_run:
        raise MetricError(f"{metric.label} is a number of a system: it has no distribution over lists.")
    if not isinstance(bins, int) or not 2 <= bins <= 200:
        raise MetricError(f"bins is the number of bins, from 2 to 200: {bins!r} is not.")
    n_by = len(queries.layout.by)
    every = _named(queries.engine.collect(queries.assembled([metric], value_range)), n_by)
    every.columns = ["system", "n_lists", "mean", "low", "high", "n_values"]
    ranges = every.with_columns(pl.col("mean", "low", "high").cast(pl.Float64)).drop_nulls("mean")
    if ranges.is_empty():
        raise DataError(f"There is nothing to draw: {metric.label} has no value for any system.")
    named = ranges.select("system", value="mean", metric=pl.lit(metric.label))
    systems = _best_systems(named, metric, queries)
    edges = _edges(queries, metric, bins, ranges)
    counts = _named(queries.engine.collect(queries.assembled([metric], bin_counts, *map(repr, edges))), n_by)
    bins_frame = pl.DataFrame({"bin": range(len(edges) - 1), "start": edges[:-1], "end": edges[1:]})
    frame = (
        counts.select("system", bin=pl.nth(1).cast(pl.Int64), n=pl.nth(2).cast(pl.Int64))
        .filter(pl.col("system").is_in(systems.shown))
        .join(ranges.select("system", "mean"), on="system")
        .join(bins_frame, on="bin")
        .with_columns(share=pl.col("n") / pl.col("n").sum().over("system"))
        .sort("system", "bin")
    )
    n_lists = int(every.filter(pl.col("system").is_in(systems.shown))["n_lists"].sum())
    return ValueHistogram(frame.drop("bin"), metric, systems, n_lists - int(frame["n"].sum()))


def _edges(queries: Queries, metric: Metric, bins: int, ranges: pl.DataFrame) -> list[float]:
    low, high = min(ranges["low"]), max(ranges["high"])
    if max(ranges["n_values"]) <= MOST_BARS:
        counts = queries.engine.collect(queries.assembled([metric], bin_counts))
        values = sorted({round(float(value), 9) for value in counts[:, -2]})
        width = min((b - a for a, b in itertools.pairwise(values)), default=1.0)
        n_bars = round((values[-1] - values[0]) / width) + 1
        if n_bars <= MOST_BARS:
            return [values[0] + (edge - 0.5) * width for edge in range(n_bars + 1)]
    interval = interval_of(metric)
    if (interval.lower, interval.upper) == (0, 1) and low in interval and high in interval:
        low, high = 0.0, 1.0
    return [low + (high - low) * edge / bins for edge in range(bins + 1)]


def _named(frame: pl.DataFrame, n_by: int) -> pl.DataFrame:
    """A frame whose first columns are replaced with one, `system`: `als`, or `2024-01-31, als`."""
    systems = [name_of_system(row) for row in frame[:, :n_by].rows()] if n_by else ["all lists"] * frame.height
    others = {str(place): frame[:, place] for place in range(n_by, frame.width)}
    return pl.DataFrame({"system": pl.Series(systems, dtype=pl.String), **others})


def _best_systems(frame: pl.DataFrame, ordered_by: Metric, queries: Queries) -> ShownSystems:
    rows = frame.filter(pl.col("metric") == ordered_by.label).drop_nulls("value").sort("system")
    pairs = ranked(rows.select("value", "system").rows(), itemgetter(0), descending=not is_lower_better(ordered_by))
    best = pl.Series("system", [system for _, system in pairs], pl.String)
    return shown_systems(frame["system"], best, name_of_system(queries.layout.by), ordered_by.label)


def shown_systems(systems: pl.Series, best: pl.Series, heading: str, ordered_by: str) -> ShownSystems:
    """The first of the best systems, then of the others in alphabetical order."""
    every = systems.unique().sort()
    names = pl.concat([best, every.filter(~every.is_in(best.implode()))]).head(MOST_SYSTEMS).to_list()
    numbers = tuple(int(every.search_sorted(system)) for system in names)
    return ShownSystems(tuple(names), numbers, len(every), heading, ordered_by)


# --- queries of histograms --------------------------------------------------------------------------------------------


def value_range(plan: Plan) -> Query:
    """A row per system: the columns of `by`, the lists, the mean, the lowest and highest value, the distinct values."""
    value = _value(plan)
    columns = {
        "n_lists": exp.Count(this=exp.Star()),
        "mean": MEAN.of(value),
        "low": exp.Min(this=value.copy()),
        "high": exp.Max(this=value.copy()),
        "n_values": exp.Count(this=exp.Distinct(expressions=[value.copy()])),
    }
    by = [tree.column(name) for name in plan.question.inside("by_id")]
    ctes = plan.per_list_ctes()
    select = tree.grouped(columns, by, ctes[-1].name)
    return plan.assembled(ctes, headed(select, _headings(plan, columns)))


def bin_counts(plan: Plan, *edges: str) -> Query:
    """A row per system and bin that has lists: the columns of `by`, the number of the bin from 0, the number of lists.

    The edges are where the bins begin, and where the last ends. Without them, there is a row per system and value.
    """
    value, by = _value(plan), [tree.column(name) for name in plan.question.inside("by_id")]
    number: exp.Expr = value.copy()
    if edges:
        number = exp.Case(default=tree.literal(len(edges) - 2))
        for place, edge in enumerate(edges[1:-1] or edges[1:]):  # a CASE has a condition, also for one bin
            is_below = exp.LT(this=value.copy(), expression=tree.literal(float(edge)))
            number.when(is_below, tree.literal(place), copy=False)
    ctes, columns = plan.per_list_ctes(), {"bin": number, "n": exp.Count(this=exp.Star())}
    select = tree.returning(columns, by).from_(tree.table(ctes[-1].name), copy=False)
    select = select.where(exp.Not(this=exp.Is(this=value, expression=exp.Null())), copy=False)
    select = select.group_by(*(column.copy() for column in (*by, number)), copy=False)
    return plan.assembled(ctes, headed(select, _headings(plan, columns)))


def _headings(plan: Plan, names: Iterable[str]) -> list[str]:
    """The columns of `by`, then others, which are renamed where `by` has a column of their name."""
    by = plan.question.layout.by
    return [*by, *(free_heading(name, by) for name in names)]


def _value(plan: Plan) -> exp.Column:
    (metric,) = plan.question.metrics
    return tree.column(metric.label)


# --- the metrics of a chart -------------------------------------------------------------------------------------------


def find_metric(name: str | Metric, queries: Queries) -> Metric:
    """A metric of the evaluation by its label, or another metric under the same convention and policies."""
    for metric in queries.metrics:
        if str(name) == metric.label:
            return metric
    metric, *others = metrics = read_metrics(name, *_shared_settings(queries))
    if others:
        raise MetricError(f"{name!r} is {len(metrics)} metrics: name one, as in {metric.label!r}.")
    return next((measured for measured in queries.metrics if measured == metric), None) or _like_others(metric, queries)


def metrics_of_curve(requested: str | Metric | None, ks: Iterable[int] | None, queries: Queries) -> list[Metric]:
    """A metric at several cutoffs, in ascending order; by default the first metric of the evaluation with a cutoff.

    If the caller names no cutoffs: those of the evaluation, if it asked for three or more of the metric; otherwise
    1, 2, 3, 5, 10, 20, 50, 100 up to the longest list, and those of the evaluation. `ndcg@20` is a curve up to 20.
    """
    metric, last = _metric_and_last_cutoff(requested, queries)
    measured = {other.k: other for other in queries.metrics if other.k is not None and other @ 1 == metric}
    cutoffs: Any = measured if ks is None else ks
    if ks is None and (last is not None or len(measured) < ENOUGH_CUTOFFS):
        longest = last or _longest_list(queries)
        of_evaluation = {k for k in measured if not last or k <= last}
        cutoffs = {1, last or 1, *of_evaluation, *(k for k in CUTOFFS if k <= longest)}
    if not isinstance(cutoffs, Iterable) or isinstance(cutoffs, str) or not (cutoffs := [*cutoffs]):
        raise MetricError(f"ks is a list of cutoffs, such as [1, 5, 10]: {ks!r} is not.")
    at = {k: measured.get(k) or _like_others(metric @ k, queries) for k in cutoffs}
    return [at[k] for k in sorted(at)]


def is_lower_better(metric: Metric) -> bool:
    """True if a lower value of the metric is better, by its file."""
    return metric.definition.fields.get("better") == "lower"


def _shared_settings(queries: Queries) -> tuple[str | None, Mapping[str, Any]]:
    """The convention and the policies of the evaluation, by its first metric without a convention of its own."""
    for metric in queries.metrics:
        if "convention" not in metric.settings:
            names = ("missing", "ties", *catalog().with_inner((WEIGHTS,)))
            policies = {name: metric.decided[name] for name in names if name in metric.decided}
            return metric.convention or None, policies
    return None, {}


def _like_others(metric: Metric, queries: Queries) -> Metric:
    """A metric of the same candidates as the metrics of the evaluation."""
    if any(measured.estimates for measured in queries.metrics):
        raise MetricError(
            f"The evaluation estimates its metrics from a sample, and {metric.text} is not among them: ask "
            "evaluate for it."
        )
    return replace(metric, among=queries.metrics[0].among)


def _metric_and_last_cutoff(requested: str | Metric | None, queries: Queries) -> tuple[Metric, int | None]:
    """The metric at cutoff 1, and the cutoff at which the curve ends, if the caller wrote one."""
    if requested is None:
        with_cutoff = [metric for metric in queries.metrics if metric.k is not None]
        if not with_cutoff:
            raise MetricError('No metric of the evaluation has a cutoff: name one, as in curve("ndcg").')
        return with_cutoff[0] @ 1, None
    labels = [metric.label for metric in queries.metrics]
    if isinstance(requested, str) and "@" not in requested and requested not in labels:
        return find_metric(f"{requested}@1", queries) @ 1, None  # a convention may refuse the metric without a cutoff
    metric = find_metric(requested, queries)
    return metric @ 1, metric.k


def _longest_list(queries: Queries) -> int:
    """The length of the longest list, up to the last of the usual cutoffs."""
    last = CUTOFFS[-1]
    if queries.layout.recs.roles.get("pool"):
        return last  # rankings of all candidates, of which only some rows are there
    metric = Metric("n_recommended", k=last, among=queries.metrics[0].among)
    summary = queries.engine.collect(queries.summary([metric], [Aggregate("maximum")]))
    longest: Any = summary[:, -1].max()
    return int(longest or 1)
