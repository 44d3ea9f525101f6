"""The forest plot of a comparison: differences to a baseline with their confidence intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt
import polars as pl

from rankmetrics.errors import InputError, names
from rankmetrics.inputs.columns import SEPARATOR
from rankmetrics.plots.scores import MOST_SYSTEMS, Systems
from rankmetrics.plots.theme import INK, SHORT_NAME, WIDTH, color_of, columns_of, data_of, themed, tooltip_of

if TYPE_CHECKING:
    from altair.typing import ChartType

# The columns of a comparison that the plot reads.
READ = ("metric", "baseline", "system", "difference", "ci_low", "ci_high")

# How the names of the columns of p-values begin.
P_VALUE = "p_"


def forest(frame: pl.DataFrame) -> ChartType:
    """A point per pair of systems: the difference of their means with its interval; a panel per metric.

    A filled point has an interval without 0, a hollow point one with 0.

    Args:
        frame: what `Comparison.collect` returns: columns of `by`, metric, baseline, system, difference, ci_low,
            ci_high, and the columns of p-values, `p_t` and `p_t_adjusted`.

    Raises:
        InputError: the frame lacks a column, or has no row with a difference.

    Example:
        >>> pair = {"metric": "ndcg@10", "baseline": "pop", "system": "als"}
        >>> frame = pl.DataFrame([{**pair, "difference": 0.1, "ci_low": 0.05, "ci_high": 0.15}])
        >>> forest(frame).layer[1].data.values[0]["system"]
        'als'
    """
    if lacking := [one for one in READ if one not in frame.columns]:
        raise InputError(
            f"A forest plot shows a comparison, which has columns {names(READ)}: {names(lacking)} are missing."
        )
    rows = _rows(frame)
    if rows.is_empty():
        raise InputError("There is nothing to draw: no pair of systems has a difference.")
    systems = _systems_of(rows)
    rows = rows.filter(pl.col("system").is_in(systems.shown))
    metrics = rows["metric"].unique(maintain_order=True).to_list()
    p_values = [column for column in frame.columns if column.startswith(P_VALUE)]
    n_columns = columns_of(len(metrics))
    width = (WIDTH - 20 * (n_columns - 1)) // n_columns
    panels = [
        _panel(
            rows.filter(pl.col("metric") == metric), metric, systems, p_values, width, has_names=place % n_columns == 0
        )
        for place, metric in enumerate(metrics)
    ]
    whole = panels[0] if len(panels) == 1 else alt.concat(*panels, columns=n_columns, spacing=20)
    baselines = rows["baseline"].unique()
    title = f"Difference to {baselines[0]}" if len(baselines) == 1 else "Differences between systems"
    said = ["Lines are confidence intervals; where the point is hollow, the interval holds 0.", systems.note]
    return themed(whole, title, said)


def _rows(frame: pl.DataFrame) -> pl.DataFrame:
    """The pairs that have a difference, with names as text: `als`, or `als - pop` where baselines differ."""
    by = frame.columns[: frame.columns.index("metric")]
    has_one_baseline = frame["baseline"].n_unique() == 1
    called = pl.concat_str([pl.col(one).cast(pl.String) for one in (*by, "system")], separator=SEPARATOR)
    if not has_one_baseline:
        called = pl.concat_str([called, pl.col("baseline").cast(pl.String)], separator=" − ")
    holds_zero = (pl.col("ci_low") <= 0) & (pl.col("ci_high") >= 0)
    return frame.drop_nulls("difference").with_columns(
        called.alias("system"),
        pl.col("baseline").cast(pl.String),
        holds_zero.fill_null(value=True).alias("holds_zero"),
    )


def _systems_of(rows: pl.DataFrame) -> Systems:
    """The pairs, those with the greatest difference in the first metric first."""
    label = str(rows["metric"][0])
    every = rows["system"].unique().sort()
    best = (
        rows.filter(pl.col("metric") == label).sort("difference", descending=True)["system"].unique(maintain_order=True)
    )
    shown = pl.concat([best, every.filter(~every.is_in(best.implode()))]).head(MOST_SYSTEMS).to_list()
    return Systems(tuple(shown), tuple(int(every.search_sorted(one)) for one in shown), len(every), "", label)


def _panel(
    rows: pl.DataFrame, metric: str, systems: Systems, p_values: list[str], width: int, *, has_names: bool
) -> ChartType:
    axis = alt.Axis(ticks=False, domain=False, grid=True, labels=has_names, labelExpr=SHORT_NAME)
    y = alt.Y("system:N", sort=[*systems.shown], axis=axis, title=None, scale=alt.Scale(domain=[*systems.shown]))
    x = alt.X(
        "difference:Q",
        title=f"difference in {metric}",
        scale=alt.Scale(zero=True, padding=10),
        axis=alt.Axis(tickCount=4 if width < WIDTH else 6, grid=False),
    )
    base = alt.Chart(data_of(rows.select(*READ, "holds_zero", *p_values)))
    color = color_of(systems, legend=None)
    tooltip = tooltip_of(
        ("system:N", "system", ""),
        ("baseline:N", "baseline", ""),
        ("difference:Q", f"difference in {metric}", "+.4f"),
        ("ci_low:Q", "interval from", "+.4f"),
        ("ci_high:Q", "interval to", "+.4f"),
        *((f"{p_value}:Q", p_value.replace("_", " "), ".3~g") for p_value in p_values),
    )
    zero = alt.Chart(data_of(pl.DataFrame({"zero": [0]}))).mark_rule(color=INK, strokeDash=[4, 3]).encode(x="zero:Q")
    interval = base.mark_rule(strokeWidth=2).encode(
        x=alt.X("ci_low:Q", title=x["title"]), x2="ci_high:Q", y=y, color=color
    )
    drawn = base.encode(x=x, y=y, color=color, tooltip=tooltip)
    filled = drawn.transform_filter("!datum.holds_zero").mark_point(filled=True, size=75, opacity=1)
    hollow = drawn.transform_filter("datum.holds_zero").mark_point(size=65, opacity=1, strokeWidth=2)
    return alt.layer(zero, interval, filled, hollow).properties(width=width, height=alt.Step(22))
