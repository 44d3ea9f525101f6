"""The charts, drawn with Altair from small frames: a curve over cutoffs, a leaderboard, a trade-off, a distribution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import altair as alt
import polars as pl

from rankmetrics.errors import counted
from rankmetrics.metrics.metric import Metric
from rankmetrics.plots.labels import place_labels
from rankmetrics.plots.metrics import is_lower_better
from rankmetrics.plots.scores import Histogram, Scores
from rankmetrics.plots.theme import (
    INK,
    SHORT_NAME,
    WIDTH,
    color_of,
    columns_of,
    dash_of,
    data_of,
    shape_of,
    shortened,
    themed,
    tooltip_of,
)

if TYPE_CHECKING:
    from altair.typing import ChartType

# More bands of intervals would cover each other.
MOST_BANDS = 6

# From this ratio of the last cutoff to the first, the axis of cutoffs is logarithmic.
WIDE = 15

# More names beside the points of a trade-off would cover each other: beyond, there is a legend.
MOST_NAMES = 12

# Where a name stands on each side of its point.
OFFSETS: Mapping[str, dict[str, Any]] = {
    "right": {"align": "left", "dx": 9, "dy": -8},
    "left": {"align": "right", "dx": -9, "dy": -8},
    "above": {"align": "center", "dy": -14},
    "below": {"align": "center", "dy": 16},
}


def curve(scores: Scores) -> ChartType:
    """A line per system: the mean of one metric over its cutoffs, within its interval."""
    systems, ks = scores.systems, sorted({metric.k for metric in scores.metrics if metric.k is not None})
    name = _without_cutoff(scores.metrics[0])
    is_wide = len(ks) > 1 and ks[-1] / ks[0] >= WIDE
    axis = alt.Axis(values=ks, format="d", grid=False, labelOverlap="greedy")
    x = alt.X("k:Q", title="cutoff k", axis=axis, scale=alt.Scale(type="log" if is_wide else "linear", nice=False))
    y = alt.Y("value:Q", title=_mean_title(name, scores.metrics[0]), scale=alt.Scale(zero=False))
    frame = scores.frame.drop_nulls("k")
    base = alt.Chart(data_of(frame)).encode(x=x, color=color_of(systems))
    tooltip = tooltip_of(
        ("system:N", systems.heading or "lists", ""),
        ("k:Q", "cutoff k", "d"),
        ("value:Q", f"mean {name}", ".4f"),
        *_interval_tooltip(scores),
        ("n_lists:Q", "lists", ",d"),
    )
    layers = [
        base.mark_line(strokeWidth=2).encode(y=y, strokeDash=dash_of(systems)),
        base.mark_point(filled=True, size=45, opacity=1).encode(y=y, shape=shape_of(systems), tooltip=tooltip),
    ]
    has_bands = len(systems.shown) <= MOST_BANDS and frame["low"].count() > 0
    if has_bands:
        layers.insert(0, _band(frame, x, y, color_of(systems)))
    said = [_interval_sentence(scores, "Bands") if has_bands or not scores.has_intervals else "", systems.note]
    return themed(alt.layer(*layers).properties(width=WIDTH, height=280), f"{name} by cutoff", said)


def _band(frame: pl.DataFrame, x: Any, y: Any, color: Any) -> ChartType:
    """The intervals of a curve as areas."""
    area = alt.Chart(data_of(frame.drop_nulls("low"))).mark_area(opacity=0.16)
    low = alt.Y("low:Q", title=y["title"], scale=y["scale"])
    found: ChartType = area.encode(x=x, y=low, y2="high:Q", color=color)
    return found


def leaderboard(scores: Scores) -> ChartType:
    """A dot per system with its interval, the best on top; a panel per metric."""
    n_columns = columns_of(len(scores.metrics))
    width = (WIDTH - 20 * (n_columns - 1)) // n_columns
    panels = [
        _leaderboard_panel(scores, metric, width, has_names=place % n_columns == 0)
        for place, metric in enumerate(scores.metrics)
    ]
    whole = panels[0] if len(panels) == 1 else alt.concat(*panels, columns=n_columns, spacing=20)
    said = [_interval_sentence(scores, "Lines"), scores.systems.note]
    labels = ", ".join(metric.label for metric in scores.metrics) if len(panels) <= 3 else f"{len(panels)} metrics"
    return themed(whole, f"Leaderboard by {labels}", said)


def _leaderboard_panel(scores: Scores, metric: Metric, width: int, *, has_names: bool) -> ChartType:
    systems = scores.systems
    axis = alt.Axis(grid=True, ticks=False, domain=False, labels=has_names, labelExpr=SHORT_NAME)
    y = alt.Y("system:N", sort=[*systems.shown], axis=axis, title=None, scale=alt.Scale(domain=[*systems.shown]))
    frame = scores.frame.filter(pl.col("metric") == metric.label).drop("k")
    base = alt.Chart(data_of(frame)).encode(y=y, color=color_of(systems, legend=None))
    x = alt.X(
        "value:Q",
        title=_mean_title(metric.label, metric),
        scale=alt.Scale(zero=False, nice=True, padding=10),
        axis=alt.Axis(tickCount=4 if width < WIDTH else 6, grid=False),
    )
    tooltip = tooltip_of(
        ("system:N", systems.heading or "lists", ""),
        ("value:Q", metric.label if metric.is_run else f"mean {metric.label}", ".4f"),
        *(() if metric.is_run else _interval_tooltip(scores)),
        ("n_lists:Q", "lists", ",d"),
    )
    layers = [
        base.mark_point(filled=True, size=75, opacity=1).encode(
            x=x, shape=shape_of(systems, legend=None), tooltip=tooltip
        )
    ]
    if frame["low"].count():
        layers.insert(0, base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title=x["title"]), x2="high:Q"))
    if width == WIDTH:  # room for the values, beside the panel
        values = base.mark_text(align="left", color=INK).encode(
            x=alt.value(WIDTH + 8), text=alt.Text("value:Q", format=".4f")
        )
        layers.append(values.encode(color=alt.value(INK)))
    return alt.layer(*layers).properties(width=width, height=alt.Step(22))


def tradeoff(scores: Scores) -> ChartType:
    """A point per system: one metric against another, with the intervals of both.

    A line joins the systems that no other system beats in both metrics.
    """
    systems, (first, second) = scores.systems, scores.metrics
    of = [
        scores.frame.filter(pl.col("metric") == metric.label).select(
            "system", "n_lists", *(pl.col(one).alias(f"{axis}_{one}") for one in ("value", "low", "high"))
        )
        for axis, metric in zip("xy", (first, second), strict=True)
    ]
    frame = of[0].join(of[1].drop("n_lists"), on="system")
    scale = alt.Scale(zero=False, nice=True, padding=24)
    x = alt.X("x_value:Q", title=_mean_title(first.label, first), scale=scale, axis=alt.Axis(tickCount=6))
    y = alt.Y("y_value:Q", title=_mean_title(second.label, second), scale=scale, axis=alt.Axis(tickCount=6))
    is_named = len(systems.shown) <= MOST_NAMES
    legend: dict[str, Any] = {"legend": None} if is_named else {}
    base = alt.Chart(data_of(frame)).encode(color=color_of(systems, **legend))
    tooltip = tooltip_of(
        ("system:N", systems.heading or "lists", ""),
        ("x_value:Q", first.label, ".4f"),
        ("y_value:Q", second.label, ".4f"),
        ("n_lists:Q", "lists", ",d"),
    )
    unbeaten = _unbeaten(frame, is_lower_better(first), is_lower_better(second))
    layers: list[Any] = []
    if len(unbeaten) > 1:
        front = alt.Chart(data_of(unbeaten)).mark_line(color=INK, strokeDash=[3, 3], strokeWidth=1)
        layers.append(front.encode(x=x, y=y, order="x_value:Q"))
    if frame["x_low"].count():
        layers.append(base.mark_rule().encode(x=alt.X("x_low:Q", title=x["title"]), x2="x_high:Q", y=y))
    if frame["y_low"].count():
        layers.append(base.mark_rule().encode(y=alt.Y("y_low:Q", title=y["title"]), y2="y_high:Q", x=x))
    points = base.mark_point(filled=True, size=85, opacity=1)
    layers.append(points.encode(x=x, y=y, shape=shape_of(systems, **legend), tooltip=tooltip))
    if is_named:
        layers += _names(frame, x, y)
    said = [
        _interval_sentence(scores, "Lines"),
        "The dashed line joins the systems that no other beats in both." if len(unbeaten) > 1 else "",
        systems.note,
    ]
    whole = alt.layer(*layers).properties(width=WIDTH, height=320)
    return themed(whole, f"{second.label} against {first.label}", said)


def _names(frame: pl.DataFrame, x: Any, y: Any) -> list[Any]:
    """The name of each system beside its point, where it covers no other point and no other name."""
    names = [shortened(name) for name in frame["system"]]
    places = place_labels(names, frame["x_value"].to_list(), frame["y_value"].to_list())
    placed = frame.with_columns(name=pl.Series(names), place=pl.Series(places))
    return [
        alt.Chart(data_of(of_place)).mark_text(color=INK, **offset).encode(x=x, y=y, text="name:N")
        for place, offset in OFFSETS.items()
        if len(of_place := placed.filter(pl.col("place") == place))
    ]


def _unbeaten(frame: pl.DataFrame, is_lower_x: bool, is_lower_y: bool) -> pl.DataFrame:
    """The systems that no other beats in both metrics, from the best in the first metric to the best in the second."""
    in_order = frame.sort("x_value", "y_value", descending=[not is_lower_x, not is_lower_y])
    y = pl.col("y_value") * (-1 if is_lower_y else 1)
    return in_order.filter((y > y.cum_max().shift(1)) | (pl.int_range(pl.len()) == 0))


def distribution(histogram: Histogram) -> ChartType:
    """A histogram per system, one below the other: the share of its lists by value, and a rule at the mean."""
    systems, label = histogram.systems, histogram.metric.label
    base = alt.Chart(data_of(histogram.frame))
    x = alt.X("start:Q", bin="binned", title=f"{label} of a list", axis=alt.Axis(tickCount=8, grid=False))
    bars = base.mark_bar(binSpacing=1).encode(
        x=x,
        x2="end:Q",
        y=alt.Y("share:Q", title=None, axis=alt.Axis(format=".0%", tickCount=3)),
        color=color_of(systems, legend=None),
        tooltip=tooltip_of(
            ("system:N", systems.heading or "lists", ""),
            ("start:Q", "from", ".4~f"),
            ("end:Q", "to", ".4~f"),
            ("n:Q", "lists", ",d"),
            ("share:Q", "share of lists", ".1%"),
        ),
    )
    mean = base.mark_rule(color=INK, strokeWidth=1.5, strokeDash=[4, 3]).encode(x="mean(mean):Q")
    height = 90 if len(systems.shown) <= 4 else 54 if len(systems.shown) <= 10 else 34
    panel = alt.layer(bars, mean).properties(width=WIDTH + 60, height=height)
    header = alt.Header(title=None, labelExpr=SHORT_NAME, labelOrient="top", labelAnchor="start", labelPadding=2)
    whole = panel.facet(row=alt.Row("system:N", sort=[*systems.shown], header=header), spacing=8)
    n = histogram.n_undefined
    undefined = (
        f"{counted(n, 'list for which it is undefined is', 'lists for which it is undefined are')} left out."
        if n
        else ""
    )
    said = ["Share of the lists by value; the dashed line is the mean.", undefined, systems.note]
    return themed(whole, f"{label} of the lists", said)


# --- words ------------------------------------------------------------------------------------------------------------


def _without_cutoff(metric: Metric) -> str:
    text = metric.text.rpartition("@")[0] or metric.text
    return f"{text} [{metric.among}]" if metric.among else text


def _mean_title(name: str, metric: Metric) -> str:
    """The title of an axis: the mean over lists, or the number of a system; and whether lower values are better."""
    shown = name if metric.is_run else f"mean {name}"
    return f"{shown} (lower is better)" if is_lower_better(metric) else shown


def _interval_sentence(scores: Scores, what: str) -> str:
    if not scores.has_intervals:
        return "Without intervals: the database has no standard deviation."
    if not scores.frame["low"].count():
        return ""
    return f"{what} are {100 * scores.confidence:g}% confidence intervals of the mean."


def _interval_tooltip(scores: Scores) -> Sequence[tuple[str, str, str]]:
    return (("low:Q", "interval from", ".4f"), ("high:Q", "interval to", ".4f"))
