"""How all charts look: one colour per system in every chart, greys that are read on light and on dark pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import altair as alt

from rankmetrics.plots.scores import Systems

if TYPE_CHECKING:
    import polars as pl
    from altair.typing import ChartType

# Text, axes and rules: as far from white as from black. `to_svg` writes another colour in its place.
INK = "#767676"

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


def color_of(systems: Systems, **more: Any) -> Any:
    """The colour channel: a system's colour follows from its place among all systems in alphabetical order."""
    colors = [COLORS[number % len(COLORS)] for number in systems.numbers]
    return alt.Color("system:N", scale=alt.Scale(domain=[*systems.shown], range=colors), **_legend(systems, more))


def dash_of(systems: Systems) -> Any:
    """The channel of a line's dashes, which tell systems of the same colour apart."""
    dashes = [DASHES[number // len(COLORS) % len(DASHES)] for number in systems.numbers]
    scale = alt.Scale(domain=[*systems.shown], range=dashes)
    return alt.StrokeDash("system:N", scale=scale, **_legend(systems, {}))


def shape_of(systems: Systems, **more: Any) -> Any:
    """The channel of a point's shape, which tells systems of the same colour apart."""
    shapes = [SHAPES[number // len(COLORS) % len(SHAPES)] for number in systems.numbers]
    scale = alt.Scale(domain=[*systems.shown], range=shapes)
    return alt.Shape("system:N", scale=scale, **_legend(systems, more))


def _legend(systems: Systems, more: dict[str, Any]) -> dict[str, Any]:
    legend = {"legend": alt.Legend(labelExpr=SHORT_NAME, symbolOpacity=1)}
    return {"title": systems.heading or None, "sort": [*systems.shown], **legend, **more}


def shortened(name: str) -> str:
    """A name as `SHORT_NAME` shows it on an axis.

    >>> shortened("two-tower-with-256-dimensions")
    'two-tower-wi…6-dimensions'
    """
    return f"{name[:KEPT]}…{name[-KEPT:]}" if len(name) > MOST_LETTERS else name


def columns_of(n_panels: int) -> int:
    """How many panels stand side by side.

    >>> [columns_of(n) for n in (1, 2, 3, 4, 5)]
    [1, 2, 3, 2, 3]
    """
    return 2 if n_panels == 4 else min(n_panels, 3)


def data_of(frame: pl.DataFrame) -> Any:
    """A small frame as the data of a chart, its rows written into the chart."""
    return alt.InlineData(values=frame.to_dicts())


def tooltip_of(*fields: tuple[str, str, str]) -> list[Any]:
    """The lines of a tooltip: the field with its type, its title, its format."""
    return [
        alt.Tooltip(field, title=title, format=form) if form else alt.Tooltip(field, title=title)
        for field, title, form in fields
    ]


def themed(chart: Any, title: str, sentences: Iterable[str] = ()) -> ChartType:
    """A chart with its title and its colours; the sentences that are not empty stand below the title."""
    subtitle: Sequence[str] = [sentence for sentence in sentences if sentence]
    found: ChartType = (
        chart.properties(
            title=alt.Title(title, subtitle=[*subtitle], anchor="start", fontSize=13, subtitleFontSize=11, offset=10),
            description=" ".join([f"{title}.", *subtitle]),
        )
        .configure(background="transparent", font="sans-serif", padding=8)
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=INK,
            titleColor=INK,
            titleFontWeight="normal",
            gridColor=INK,
            gridOpacity=0.2,
            domainColor=INK,
            tickColor=INK,
            labelLimit=LONGEST_NAME,
        )
        .configure_legend(labelColor=INK, titleColor=INK, titleFontWeight="normal", labelLimit=LONGEST_NAME)
        .configure_header(labelColor=INK, titleColor=INK, labelLimit=WIDTH)
        .configure_title(color=INK, subtitleColor=INK)
    )
    return found
