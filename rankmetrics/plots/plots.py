"""`result.plot`: the charts of a result, as methods."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from io import StringIO
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias

import polars as pl
from sqlglot import exp

from rankmetrics._rounding import ranked
from rankmetrics.comparisons.comparison import Baseline, Choices, Comparison, Ranks, compare_systems
from rankmetrics.comparisons.statistics import Pair
from rankmetrics.errors import DataError, DialectError, InputError, MetricError, counted, names
from rankmetrics.inputs.columns import name_of_system
from rankmetrics.messages import said
from rankmetrics.metrics.catalog import WEIGHTS, catalog
from rankmetrics.metrics.metric import Metric, read_metrics
from rankmetrics.metrics.summaries import ALPHA, MEAN, Aggregate, aggregates_of, interval_of, read_aggregates
from rankmetrics.options import whole_number
from rankmetrics.planner import Plan, Query
from rankmetrics.plots.files import INK, require_plots
from rankmetrics.queries import Queries
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_heading, headed

with suppress(ImportError):  # `require_plots` says how to install it
    import altair as alt

if TYPE_CHECKING:
    from altair.typing import ChartType


class Plots:
    """The charts of a result, as Altair charts. The engine computes a small table first, and no list comes to Python.

    A metric is a label of the result (`"ndcg@10"`), or any other metric, which is then measured under the convention
    and the policies of the evaluation. `rankmetrics.plots.files.write_chart(chart, "curve.svg")` writes a file that is
    whole or not there; `chart.save` is Altair's own. A chart shows at most 20 systems, the best, and says so.

    Every method computes and checks as `collect` does, and raises InputError if Altair or vl-convert is not installed.
    """

    def __init__(self, queries: Queries, check: Callable[[], None], over: str | None = None) -> None:
        self._queries = queries
        self._check = check
        self._over = over

    def curve(
        self, metric: str | Metric | None = None, ks: Iterable[int] | None = None, *, confidence: float = ALPHA
    ) -> ChartType:
        """A line per system: the mean of a metric over its cutoffs, with the confidence interval as a band.

        Args:
            metric: the metric, as in "ndcg" or, up to cutoff 20, "ndcg@20"; by default, the first with a cutoff.
            ks: the cutoffs. By default those of the evaluation, if it asked for three or more of the metric; otherwise
                1, 2, 3, 5, 10, 20, 50, 100 up to the longest list.
            confidence: of the intervals, between 0 and 1.

        Raises:
            MetricError: the metric is unknown or takes no cutoff, or a cutoff is not a whole number from 1.
            DataError: the metric is undefined for every list; or as collect does.

        Example:
            >>> import polars as pl
            >>> import rankmetrics as rm
            >>> recs = pl.LazyFrame({"user": [1, 1], "item": ["a", "b"], "rank": [1, 2]})
            >>> truth = pl.LazyFrame({"user": [1], "item": ["b"]})
            >>> chart = rm.evaluate(recs, truth, ["recall@2"]).plot.curve("recall")
            >>> [(row["k"], row["value"]) for row in chart.data.values]
            [(1, 0.0), (2, 1.0)]
        """
        self._prepare()
        metrics = metrics_of_curve(metric, ks, self._queries)
        scores = scores_of(self._queries, metrics, confidence, metrics[-1])
        systems, ks = scores.systems, sorted({metric.k for metric in scores.metrics if metric.k is not None})
        metric = scores.metrics[0]
        name = metric.text.rpartition("@")[0] or metric.text
        name = f"{name} [{metric.among}]" if metric.among else name
        is_wide = len(ks) > 1 and ks[-1] / ks[0] >= WIDE
        axis = alt.Axis(values=tick_values(ks, is_wide=is_wide), format="d", grid=False, labelOverlap="greedy")
        scale = alt.Scale(type="log" if is_wide else "linear", nice=False)
        x = alt.X("k:Q", title="cutoff k (logarithmic)" if is_wide else "cutoff k", axis=axis, scale=scale)
        title = _mean_title(name, metric)
        y, low = (alt.Y(end, title=title, scale=alt.Scale(zero=False)) for end in ("value:Q", "low:Q"))
        frame = scores.frame.drop_nulls("k")
        base = chart_of(frame).encode(x=x, y=y, color=color_of(systems))
        tooltip = tooltip_of(systems, ("k:Q", "cutoff k", "d"), ("value:Q", f"mean {name}", ".4f"), *INTERVAL)
        # Many points would merge into a thick line: they are there for their tooltips only.
        points = base.mark_point(filled=True, size=45, opacity=1 if len(ks) <= MOST_POINTS else 0)
        layers = [
            base.mark_line(strokeWidth=2).encode(strokeDash=dash_of(systems)),
            points.encode(shape=shape_of(systems), tooltip=tooltip),
        ]
        has_bands = len(systems.shown) <= MOST_BANDS and frame["low"].count() > 0
        if has_bands:
            band = chart_of(frame.drop_nulls("low")).mark_area(opacity=0.16)
            layers.insert(0, band.encode(x=x, y=low, y2="high:Q", color=color_of(systems)))
        has_room = len(systems.shown) <= MOST_BANDS or not frame["low"].count()
        intervals = _interval_sentence(scores, "Bands") if has_room else "Without intervals, which would overlap."
        whole = alt.layer(*layers).properties(width=WIDTH, height=280)
        return themed(whole, f"{name} by cutoff", [intervals, systems.note])

    def leaderboard(
        self, metrics: Sequence[str | Metric] | str | Metric | None = None, *, confidence: float = ALPHA
    ) -> ChartType:
        """A dot per system with its confidence interval, the best by the first metric on top; a panel per metric.

        Args:
            metrics: the metrics; by default, all of the result. Of the metrics of a system, those with a standard
                error have an interval.
            confidence: of the intervals, between 0 and 1.

        Raises:
            MetricError: a metric is unknown.
            DataError: every metric is undefined for every list; or as collect does.
        """
        self._prepare()
        requested = [metrics] if isinstance(metrics, (str, Metric)) else metrics or self._queries.metrics
        by_label = {metric.label: metric for metric in (find_metric(name, self._queries) for name in requested)}
        measured = list(by_label.values())
        scores = scores_of(self._queries, measured, confidence, measured[0])
        labels = [metric.label for metric in scores.metrics]
        whole = _panels(scores.metrics, partial(_leaderboard_panel, scores))
        title = f"Leaderboard by {', '.join(labels) if len(labels) <= 3 else f'{len(labels)} metrics'}"
        return themed(whole, title, [_interval_sentence(scores, "Lines"), scores.systems.note])

    def tradeoff(
        self, x: str | Metric | None = None, y: str | Metric | None = None, *, confidence: float = ALPHA
    ) -> ChartType:
        """A point per system: one metric against another, with the confidence intervals of both.

        A dashed line joins the systems that no other system beats in both metrics.

        Args:
            x: the metric of the horizontal axis; by default, the first of the result.
            y: the metric of the vertical axis; by default, the second of the result.
            confidence: of the intervals, between 0 and 1.

        Raises:
            MetricError: a metric is unknown, both are the same, or the result has no second.
            DataError: a metric is undefined for every list; or as collect does.
        """
        self._prepare()
        metrics = self._queries.metrics
        if not y and len(metrics) < 2:
            raise MetricError(f"The evaluation has {len(metrics)} metric, and the chart shows 2: name y.")
        first, second = (find_metric(name or metrics[n], self._queries) for n, name in enumerate((x, y)))
        if first.label == second.label:
            raise MetricError(f"A trade-off is between two metrics, and both are {first.label}: name another.")
        scores = scores_of(self._queries, [first, second], confidence, first)
        systems = scores.systems
        of_x, of_y = (
            scores.frame.filter(pl.col("metric") == metric.label).select(
                "system", "n_lists", *(pl.col(end).alias(f"{axis}_{end}") for end in ("value", "low", "high"))
            )
            for axis, metric in zip("xy", (first, second), strict=True)
        )
        frame = of_x.join(of_y.drop("n_lists"), on="system")
        scale, axis = alt.Scale(zero=False, nice=True, padding=24), alt.Axis(tickCount=6)
        horizontal = alt.X("x_value:Q", title=_mean_title(first.label, first), scale=scale, axis=axis)
        vertical = alt.Y("y_value:Q", title=_mean_title(second.label, second), scale=scale, axis=axis)
        is_named = len(systems.shown) <= MOST_NAMES
        base = chart_of(frame).encode(x=horizontal, y=vertical, color=color_of(systems, has_legend=not is_named))
        tooltip = tooltip_of(systems, ("x_value:Q", first.label, ".4f"), ("y_value:Q", second.label, ".4f"))
        # the systems that no other beats in both metrics, from the best in the first metric to the best in the second
        in_order = frame.sort("x_value", "y_value", descending=[first.better != "lower", second.better != "lower"])
        height = pl.col("y_value") * (-1 if second.better == "lower" else 1)
        unbeaten = in_order.filter((height > height.cum_max().shift(1)) | (pl.int_range(pl.len()) == 0))
        layers: list[Any] = []
        if len(unbeaten) > 1:
            front = chart_of(unbeaten).mark_line(color=INK, strokeDash=[3, 3], strokeWidth=1)
            layers.append(front.encode(x=horizontal, y=vertical, order="x_value:Q"))
        if frame["x_low"].count():
            layers.append(base.mark_rule().encode(x=alt.X("x_low:Q", title=horizontal["title"]), x2="x_high:Q"))
        if frame["y_low"].count():
            layers.append(base.mark_rule().encode(y=alt.Y("y_low:Q", title=vertical["title"]), y2="y_high:Q"))
        points = base.mark_point(filled=True, size=85, opacity=1)
        layers.append(points.encode(shape=shape_of(systems, has_legend=not is_named), tooltip=tooltip))
        if is_named:  # the name of each system next to its point, where it covers no other point and no other name
            names = [shortened(name) for name in frame["system"]]
            places = place_labels(names, frame["x_value"].to_list(), frame["y_value"].to_list())
            placed = frame.with_columns(name=pl.Series(names), place=pl.Series(places))
            layers += [
                chart_of(at_place).mark_text(color=INK, **offset).encode(x=horizontal, y=vertical, text="name:N")
                for place, offset in OFFSETS.items()
                if len(at_place := placed.filter(pl.col("place") == place))
            ]
        sentences = [
            _interval_sentence(scores, "Lines"),
            "The dashed line joins the systems that no other beats in both." if len(unbeaten) > 1 else "",
            systems.note,
        ]
        whole = alt.layer(*layers).properties(width=WIDTH, height=320)
        return themed(whole, f"{second.label} against {first.label}", sentences)

    def distribution(self, metric: str | Metric | None = None, *, bins: int = 20) -> ChartType:
        """A histogram per system: the share of its lists by the value of a metric, with a rule at the mean.

        The engine counts. If the metric has few distinct values at even distances, as precision@10 has, each has a bar.

        Args:
            metric: a metric of lists; by default, the first of the result.
            bins: the number of bins, from 2 to 200.

        Raises:
            MetricError: the metric is unknown, or is a number of a system.
            InputError: `bins` is out of its range.
            DataError: the metric is undefined for every list; or as collect does.
        """
        self._prepare()
        queries, metrics = self._queries, self._queries.metrics
        first_of_lists = next((measured for measured in metrics if not measured.is_run), metrics[0])
        metric = find_metric(metric or first_of_lists, queries)
        if metric.is_run:
            raise MetricError(f"{metric.label} is a number of a system: it has no distribution over lists.")
        whole_number("bins", bins, 2, 200)
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
        n = int(every.filter(pl.col("system").is_in(systems.shown))["n_lists"].sum()) - int(frame["n"].sum())
        label, base = metric.label, chart_of(frame.drop("bin"))
        bars = base.mark_bar(binSpacing=1).encode(
            x=alt.X("start:Q", bin="binned", title=f"{label} of a list", axis=alt.Axis(tickCount=8, grid=False)),
            x2="end:Q",
            y=alt.Y("share:Q", title=None, axis=alt.Axis(format=".0%", tickCount=3)),
            color=color_of(systems, has_legend=False),
            tooltip=tooltip_of(
                systems,
                ("start:Q", "from", ".4~f"),
                ("end:Q", "to", ".4~f"),
                ("n:Q", "lists", ",d"),
                ("share:Q", "share of lists", ".1%"),
                has_lists=False,
            ),
        )
        mean = base.mark_rule(**DASHED, strokeWidth=1.5).encode(x="mean(mean):Q")
        height = 90 if len(systems.shown) <= 4 else 54 if len(systems.shown) <= 10 else 34
        panel = alt.layer(bars, mean).properties(width=WIDTH + 60, height=height)
        header = alt.Header(title=None, labelExpr=SHORT_NAME, labelOrient="top", labelAnchor="start", labelPadding=2)
        whole = panel.facet(row=alt.Row("system:N", sort=[*systems.shown], header=header), spacing=8)
        lists = counted(n, "list for which it is undefined is", "lists for which it is undefined are")
        sentences = [
            "Share of the lists by value; the dashed line is the mean.",
            f"{lists} left out." if n else "",
        ]
        return themed(whole, f"{label} of the lists", [*sentences, systems.note])

    def compare(
        self, comparison: Any = None, *, baseline: Baseline | None = None, confidence: float = ALPHA
    ) -> ChartType:
        """A forest plot: for each system, the difference to the baseline with its confidence interval.

        Args:
            comparison: a Comparison, or the frame that its `collect` returns. By default, the systems of the result
                are compared.
            baseline: the system that the others are compared with; by default, every pair of systems is compared.
            confidence: of the intervals, between 0 and 1; a comparison that is given has its own.

        Raises:
            InputError: the frame lacks columns of a Comparison, or has no rows; no column names a system; or SciPy is
                not installed.
        """
        require_plots()
        if comparison is None:
            choices = Choices(baseline=baseline, confidence=confidence)
            comparison = compare_systems(self._queries, self._check, choices, self._over)
        if isinstance(comparison, Comparison):
            return forest(with_verdicts(comparison.collect(), comparison, comparison.pairs))
        return forest(comparison.collect() if hasattr(comparison, "collect") else comparison)

    def ranks(self, ranks: Ranks | None = None, *, by: str | Sequence[str] | None = None) -> ChartType:
        """A critical-difference chart: the average rank of each system, and bars over systems that do not differ.

        Args:
            ranks: what `Comparison.ranks` returns. By default, the systems are ranked by the first metric.
            by: the columns of the data sets, as in `compare`.

        Raises:
            InputError: as `Comparison.ranks`; or SciPy is not installed.
        """
        require_plots()
        if ranks is None:
            ranks = compare_systems(self._queries, self._check, Choices(by=by), self._over).ranks()
        order = pl.Series("system", [*ranks.average_ranks], pl.String)
        systems = shown_systems(order, order, "", ranks.metric)
        rows = pl.DataFrame({"system": order, "rank": [*ranks.average_ranks.values()]})
        rows = rows.filter(pl.col("system").is_in(systems.shown))
        scale = alt.Scale(domain=[1, len(ranks.means)], padding=10)
        x, y = _panel_axes(systems, "rank:Q", "average rank (1 is the best)", WIDTH, scale, has_names=True)
        tooltip = tooltip_of(None, ("system:N", "system", ""), ("rank:Q", "average rank", ".2f"))
        base = chart_of(rows).encode(y=y, x=x)
        points = base.mark_point(filled=True, size=75, opacity=1)
        values = base.mark_text(align="left", dx=8, color=INK).encode(text=alt.Text("rank:Q", format=".2f"))
        layers = [points.encode(color=color_of(systems, has_legend=False), tooltip=tooltip), values]
        groups = [group for group in ranks.groups if group[0] in systems.shown]
        bars = [
            {"system": group[0], "rank": ranks.average_ranks[group[0]], "last": ranks.average_ranks[group[-1]]}
            for group in groups
        ]
        if bars:
            bar = chart_of(pl.DataFrame(bars)).mark_rule(strokeWidth=4, color=INK, yOffset=-9)
            layers.append(bar.encode(x=x, x2="last:Q", y=y))
        sentences = [
            f"A bar joins systems whose average ranks differ by less than {ranks.critical_difference:.2f} (Nemenyi).",
            systems.note,
        ]
        title = f"Average ranks by {ranks.metric} over {counted(ranks.n_sets, 'data set', 'data sets')}"
        return themed(alt.layer(*layers).properties(width=WIDTH, height=alt.Step(30)), title, sentences)

    def _prepare(self) -> None:
        """Refuse what `collect` refuses, and a Python without Altair."""
        require_plots()
        self._check()


# --- the systems and numbers of a chart -------------------------------------------------------------------------------


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
    counted: str = "systems"  # what `n` counts

    @property
    def note(self) -> str:
        """A sentence about the systems that are left out; empty if there are none."""
        if len(self.shown) == self.n:
            return ""
        return f"The best {len(self.shown)} of {self.n:,} {self.counted} by {self.ordered_by}."


@dataclass(frozen=True)
class MeanScores:
    """The means of some metrics.

    The frame has a row per system and metric that is defined: system, metric (the label), k (NULL without a cutoff),
    value, low, high (the ends of the interval; NULL where there are fewer than two lists, or for a metric of a
    system without a standard error), n_lists.
    """

    frame: pl.DataFrame
    metrics: tuple[Metric, ...]
    systems: ShownSystems
    confidence: float  # of the intervals
    has_intervals: bool = True  # False if the database cannot compute them; SQLite has no standard deviation


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
        width = len(aggregates_of(metric, aggregates))
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
    pairs = ranked(rows.select("value", "system").rows(), itemgetter(0), descending=ordered_by.better != "lower")
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
    """A row per system and bin that has lists, by the edges of the bins; without edges, per system and value."""
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
    """A metric at several cutoffs, ascending; `ndcg@20` is a curve up to 20. By default the first with a cutoff.

    Without `ks`: the cutoffs of the evaluation, if it has three or more; otherwise CUTOFFS up to the longest list.
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
        raise said(MetricError, "not_estimated", metric=metric.text)
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


# --- the charts -------------------------------------------------------------------------------------------------------


# The colours of Okabe and Ito, which colour-blind readers tell apart, without black, and yellow as the last.
COLORS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442")

# Once every colour is used, lines are dashed and points have another shape.
DASHES = ([1, 0], [6, 3], [2, 2])
SHAPES = ("circle", "square", "triangle-up")

# The width of the part of a chart that holds the data, so that the whole is some 600 pixels wide.
WIDTH = 400
LONGEST_NAME = 180

# A longer name is shown as its first and its last letters.
MOST_LETTERS, KEPT = 26, 12
SHORT_NAME = (
    f"length(datum.label) > {MOST_LETTERS} ? slice(datum.label, 0, {KEPT}) + '…' + slice(datum.label, -{KEPT}) : "
    "datum.label"
)

# More bands of intervals would cover each other.
MOST_BANDS = 6

# An axis names at most so many cutoffs, and a curve shows at most so many points.
MOST_TICKS, MOST_POINTS = 10, 20

# From this ratio of the last cutoff to the first, the axis of cutoffs is logarithmic.
WIDE = 15

# More names next to the points of a trade-off would cover each other: beyond, there is a legend.
MOST_NAMES = 12

# The lines of a tooltip with the ends of an interval.
INTERVAL = (("low:Q", "interval from", ".4f"), ("high:Q", "interval to", ".4f"))

# Where a name is on each side of its point.
OFFSETS: Mapping[str, dict[str, Any]] = {
    "right": {"align": "left", "dx": 9, "dy": -8},
    "left": {"align": "right", "dx": -9, "dy": -8},
    "above": {"align": "center", "dy": -14},
    "below": {"align": "center", "dy": 16},
}

# The columns of a comparison that the plot reads.
READ = ("metric", "baseline", "system", "difference", "ci_low", "ci_high")

# The column that tells filled points from hollow ones.
SIGNIFICANT = "is_significant"

# In shares of the plot: the width of a letter, the height of a line, and the distance of a name from its point.
LETTER, LINE, GAP = 0.0145, 0.04, 0.025

DASHED = {"color": INK, "strokeDash": [4, 3]}


def tick_values(ks: Sequence[int], *, is_wide: bool) -> list[int]:
    """The cutoffs that the axis names: all of a few, else some of them, round numbers on a logarithmic axis."""
    if len(ks) <= MOST_TICKS:
        return [*ks]
    if not is_wide:
        step = -(-len(ks) // MOST_TICKS) or 1
        return [*dict.fromkeys([*ks[::step], ks[-1]])]
    round_numbers = [digit * 10**power for power in range(len(str(ks[-1]))) for digit in (1, 2, 5)]
    return [*dict.fromkeys([ks[0], *(k for k in round_numbers if ks[0] < k < ks[-1]), ks[-1]])]


def _panels(subjects: Sequence[Any], panel: Callable[..., Any]) -> Any:
    """A panel for each subject, side by side; only the first of a row has the names of the systems."""
    n_columns = 2 if len(subjects) == 4 else min(len(subjects), 3)
    width = (WIDTH - 20 * (n_columns - 1)) // n_columns
    panels = [panel(subject, width, has_names=place % n_columns == 0) for place, subject in enumerate(subjects)]
    return panels[0] if len(panels) == 1 else alt.concat(*panels, columns=n_columns, spacing=20)


def _panel_axes(
    systems: ShownSystems, field: str, title: str, width: int, scale: Any, *, has_names: bool
) -> tuple[Any, Any]:
    """The axes of a panel: its numbers, and a line per system."""
    axis = alt.Axis(grid=True, ticks=False, domain=False, labels=has_names, labelExpr=SHORT_NAME)
    y = alt.Y("system:N", sort=[*systems.shown], axis=axis, title=None, scale=alt.Scale(domain=[*systems.shown]))
    return alt.X(field, title=title, scale=scale, axis=alt.Axis(tickCount=4 if width < WIDTH else 6, grid=False)), y


def _leaderboard_panel(scores: MeanScores, metric: Metric, width: int, *, has_names: bool) -> ChartType:
    systems, title = scores.systems, _mean_title(metric.label, metric)
    scale = alt.Scale(zero=False, nice=True, padding=10)
    x, y = _panel_axes(systems, "value:Q", title, width, scale, has_names=has_names)
    frame = scores.frame.filter(pl.col("metric") == metric.label).drop("k")
    base = chart_of(frame).encode(y=y, color=color_of(systems, has_legend=False))
    name = metric.label if metric.is_run else f"mean {metric.label}"
    tooltip = tooltip_of(systems, ("value:Q", name, ".4f"), *(() if metric.is_run else INTERVAL))
    points = base.mark_point(filled=True, size=75, opacity=1)
    layers = [points.encode(x=x, shape=shape_of(systems, has_legend=False), tooltip=tooltip)]
    if frame["low"].count():
        layers.insert(0, base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title=title), x2="high:Q"))
    if width == WIDTH:  # room for the values, next to the panel
        text = alt.Text("value:Q", format=".4f")
        values = base.mark_text(align="left", color=INK)
        layers.append(values.encode(x=alt.value(WIDTH + 8), text=text, color=alt.value(INK)))
    return alt.layer(*layers).properties(width=width, height=alt.Step(22))


# --- the forest plot of a comparison ----------------------------------------------------------------------------------


def with_verdicts(frame: pl.DataFrame, comparison: Comparison, pairs: Sequence[Pair]) -> pl.DataFrame:
    """The rows of some pairs of a comparison, and whether each difference is significant."""
    verdicts = [comparison.is_significant(pair) for pair in pairs]
    return frame.with_columns(pl.Series(SIGNIFICANT, verdicts, pl.Boolean))


def forest(frame: pl.DataFrame) -> ChartType:
    """A point per pair of systems: the difference of their means with its interval; a panel per metric.

    The frame is as `Comparison.collect` returns it; refuses one that lacks columns, or has no difference. If it is
    `with_verdicts`, the points of differences that are not significant are hollow.
    """
    if lacking := [column for column in READ if column not in frame.columns]:
        raise said(InputError, "no_comparison", columns=[*READ], lacking=lacking)
    rows = _rows(frame)
    if rows.is_empty():
        raise InputError("There is nothing to draw: no pair of systems has a difference.")
    label = str(rows["metric"][0])
    best = rows.filter(pl.col("metric") == label).sort("difference", descending=True)["system"]
    systems = shown_systems(rows["system"], best.unique(maintain_order=True), "", label)
    rows = rows.filter(pl.col("system").is_in(systems.shown))
    metrics = rows["metric"].unique(maintain_order=True).to_list()
    p_values = [column for column in frame.columns if column.startswith("p_")]
    whole = _panels(metrics, partial(_forest_panel, rows, systems, p_values))
    baselines = rows["baseline"].unique()
    counted = "systems other than the baseline" if len(baselines) == 1 else "pairs of systems"
    systems = replace(systems, counted=counted)
    title = f"Difference to {baselines[0]}" if len(baselines) == 1 else "Differences between systems"
    sentences = [
        "Lines are confidence intervals." if rows["ci_low"].count() else "The lists are too few for intervals."
    ]
    if SIGNIFICANT in frame.columns:
        sentences.append("Filled points are significant differences, hollow points are not.")
    sentences.append(systems.note)
    return themed(whole, title, sentences)


def _rows(frame: pl.DataFrame) -> pl.DataFrame:
    """The pairs that have a difference, with names as text: `als`, or `als minus pop` where baselines differ."""
    keys = frame.columns[: frame.columns.index("metric")]
    systems = [name_of_system(row) for row in frame.select(*keys, "system").rows()]
    baselines = [name_of_system([baseline]) for baseline in frame["baseline"]]
    if len({*baselines}) > 1:
        systems = [f"{system} − {baseline}" for system, baseline in zip(systems, baselines, strict=True)]
    if SIGNIFICANT not in frame.columns:
        frame = frame.with_columns(pl.lit(True).alias(SIGNIFICANT))
    texts = pl.Series("system", systems, pl.String), pl.Series("baseline", baselines, pl.String)
    return frame.with_columns(*texts).drop_nulls("difference")


def _forest_panel(
    pairs: pl.DataFrame, systems: ShownSystems, p_values: Sequence[str], metric: str, width: int, *, has_names: bool
) -> ChartType:
    title, scale = f"difference in {metric}", alt.Scale(zero=True, padding=10)
    x, y = _panel_axes(systems, "difference:Q", title, width, scale, has_names=has_names)
    rows = pairs.filter(pl.col("metric") == metric).select(*READ, SIGNIFICANT, *p_values)
    base = chart_of(rows).encode(y=y, color=color_of(systems, has_legend=False))
    tooltip = tooltip_of(
        None,
        ("system:N", "system", ""),
        ("baseline:N", "baseline", ""),
        ("difference:Q", title, "+.4f"),
        ("ci_low:Q", "interval from", "+.4f"),
        ("ci_high:Q", "interval to", "+.4f"),
        *((f"{p_value}:Q", p_value.replace("_", " "), ".3~g") for p_value in p_values),
    )
    zero = chart_of(pl.DataFrame({"zero": [0]})).mark_rule(**DASHED).encode(x="zero:Q")
    interval = base.mark_rule(strokeWidth=2).encode(x=alt.X("ci_low:Q", title=title), x2="ci_high:Q")
    points = base.encode(x=x, tooltip=tooltip)
    filled = points.transform_filter(f"datum.{SIGNIFICANT}").mark_point(filled=True, size=75, opacity=1)
    hollow = points.transform_filter(f"!datum.{SIGNIFICANT}").mark_point(size=65, opacity=1, strokeWidth=2)
    return alt.layer(zero, interval, filled, hollow).properties(width=width, height=alt.Step(22))


def _mean_title(name: str, metric: Metric) -> str:
    """The title of an axis: the mean over lists, or the number of a system; and whether lower values are better."""
    label = name if metric.is_run else f"mean {name}"
    return f"{label} (lower is better)" if metric.better == "lower" else label


def _interval_sentence(scores: MeanScores, what: str) -> str:
    if not scores.has_intervals:
        return "Without intervals: the database has no standard deviation."
    if not scores.frame["low"].count():
        are_of_systems = all(metric.is_run for metric in scores.metrics)
        return "" if are_of_systems else "Without intervals: the lists are too few."
    return f"{what} are {100 * scores.confidence:g}% confidence intervals of the mean."


# --- places of names --------------------------------------------------------------------------------------------------

# The left, right, lower and upper end of a rectangle of the plot, in shares of its width and height.
Box: TypeAlias = tuple[float, float, float, float]


def place_labels(names: Sequence[str], xs: Sequence[float], ys: Sequence[float]) -> list[str]:
    """For each point: right, left, above or below, the first of them where its name covers nothing.

    >>> place_labels(["als-64", "als-128", "knn"], [0.1, 0.15, 0.9], [0.5, 0.5, 0.9])
    ['left', 'right', 'right']
    """
    centers = [*zip(_scaled(xs), _scaled(ys), strict=True)]
    points = [_box(x, y, 0.024, 0.03) for x, y in centers]
    placed: list[Box] = []
    places = []
    for n, (name, (x, y)) in enumerate(zip(names, centers, strict=True)):
        others, width = [*placed, *points[:n], *points[n + 1 :]], LETTER * len(name)
        boxes = {
            "right": _box(x + GAP + width / 2, y + LINE / 2, width, LINE),
            "left": _box(x - GAP - width / 2, y + LINE / 2, width, LINE),
            "above": _box(x, y + GAP + LINE / 2, width, LINE),
            "below": _box(x, y - GAP - LINE / 2, width, LINE),
        }
        free = (  # within the plot, and without touching another box
            place
            for place, (left, right, low, high) in boxes.items()
            if left >= -0.08
            and right <= 1.12
            and all(right < box[0] or box[1] < left or high < box[2] or box[3] < low for box in others)
        )
        places.append(next(free, "right"))
        placed.append(boxes[places[-1]])
    return places


def _box(x: float, y: float, width: float, height: float) -> Box:
    return x - width / 2, x + width / 2, y - height / 2, y + height / 2


def _scaled(values: Sequence[float]) -> list[float]:
    """The values as shares of the plot, in which they leave a margin."""
    low, high = min(values), max(values)
    return [0.08 + 0.84 * (value - low) / (high - low) if high > low else 0.5 for value in values]


# --- looks ------------------------------------------------------------------------------------------------------------


def _channel(
    channel: str, values: Sequence[Any], n_before: int, systems: ShownSystems, *, has_legend: bool = True
) -> Any:
    """A channel that tells systems apart: a value follows from the place among all systems in alphabetical order."""
    chosen = [values[number // n_before % len(values)] for number in systems.numbers]
    return getattr(alt, channel)(
        "system:N",
        scale=alt.Scale(domain=[*systems.shown], range=chosen),
        title=systems.heading or None,
        sort=[*systems.shown],
        legend=alt.Legend(labelExpr=SHORT_NAME, symbolOpacity=1) if has_legend else None,
    )


# The dashes of a line and the shape of a point tell systems of the same colour apart.
color_of = partial(_channel, "Color", COLORS, 1)
dash_of = partial(_channel, "StrokeDash", DASHES, len(COLORS))
shape_of = partial(_channel, "Shape", SHAPES, len(COLORS))


def shortened(name: str) -> str:
    """A name as `SHORT_NAME` shows it on an axis."""
    return f"{name[:KEPT]}…{name[-KEPT:]}" if len(name) > MOST_LETTERS else name


def chart_of(frame: pl.DataFrame) -> Any:
    """A chart of a small frame, whose rows are written into the chart."""
    return alt.Chart(alt.InlineData(values=frame.to_dicts()))


def tooltip_of(systems: ShownSystems | None, *fields: tuple[str, str, str], has_lists: bool = True) -> list[Any]:
    """The lines of a tooltip: fields with their types, titles and formats; the names of systems are the first."""
    if systems is not None:
        last = [("n_lists:Q", "lists", ",d")] if has_lists else []
        fields = (("system:N", systems.heading or "lists", ""), *fields, *last)
    return [alt.Tooltip(field, title=title, format=form or alt.Undefined) for field, title, form in fields]


def themed(chart: Any, title: str, sentences: Iterable[str] = ()) -> ChartType:
    """A chart with its title and its colours; the sentences that are not empty are below the title."""
    subtitle = [sentence for sentence in sentences if sentence]
    text = {"labelColor": INK, "titleColor": INK, "labelLimit": LONGEST_NAME}
    lines = {"gridColor": INK, "gridOpacity": 0.2, "domainColor": INK, "tickColor": INK}
    looks: ChartType = chart.properties(
        title=alt.Title(title, subtitle=subtitle, anchor="start", fontSize=13, subtitleFontSize=11, offset=10),
        description=" ".join([f"{title}.", *subtitle]),
    ).configure(
        background="transparent",
        font="sans-serif",
        padding=8,
        view={"stroke": None},
        axis={**text, **lines, "titleFontWeight": "normal"},
        legend={**text, "titleFontWeight": "normal"},
        header={**text, "labelLimit": WIDTH},
        title={"color": INK, "subtitleColor": INK},
    )
    # Altair's own bundle has a page that loads scripts from the network. Notebooks draw the specification themselves,
    # and a page that is exported from one shows the image.
    object.__setattr__(looks, "_repr_mimebundle_", partial(_mimebundle, looks))
    return looks


def _mimebundle(chart: ChartType, *_: Any, **__: Any) -> dict[str, Any]:
    """A chart for a notebook: its specification, and an image."""
    version = alt.SCHEMA_VERSION.removeprefix("v").partition(".")[0]
    text = StringIO()
    chart.save(text, format="svg")
    return {f"application/vnd.vegalite.v{version}+json": chart.to_dict(), "image/svg+xml": text.getvalue()}
