"""Charts as files and as text: SVG, PNG, HTML that needs no network, and Vega-Lite JSON."""

from __future__ import annotations

from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankmetrics._files import new_file
from rankmetrics.errors import InputError, importing
from rankmetrics.messages import said

if TYPE_CHECKING:
    from altair.typing import ChartType

# Text, axes and rules: as far from white as from black. `to_svg` writes another colour instead.
INK = "#767676"

# How Altair saves a chart, by the ending of the file; a PNG is for screens of high resolution.
SAVE_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    ".svg": {},
    ".png": {"scale_factor": 2.0},
    ".html": {"inline": True},
    ".json": {},
}


def write_chart(chart: ChartType, path: str | Path) -> None:
    """Write a chart into a file, whole or not at all; its ending says what it holds: .svg, .png, .html or .json.

    Raises:
        InputError: the name has another ending, nothing can be written there, or vl-convert is not installed.
    """
    refuse_other_endings(path)
    require_plots()
    ending = Path(path).suffix.lower()
    options: dict[str, Any] = {"format": ending[1:], **SAVE_OPTIONS[ending]}
    if ending == ".png":  # on a transparent ground, vl-convert draws bands in grey
        chart = chart.copy(deep=True)
        chart.config.background = "white"
    with new_file(path) as temporary:
        chart.save(str(temporary), **options)


def to_svg(chart: ChartType, *, text_color: str = "currentColor") -> str:
    """A chart as an SVG element to put into a page.

    Args:
        chart: a chart of `result.plot`.
        text_color: the colour of text, axes and rules; by default, that of the text around the chart.

    Raises:
        InputError: vl-convert is not installed.
    """
    require_plots()
    text = StringIO()
    chart.save(text, format="svg")
    return text.getvalue().replace(INK, text_color)


def refuse_other_endings(path: str | Path) -> None:
    """Refuse a name whose ending says no format of a chart."""
    if Path(path).suffix.lower() not in SAVE_OPTIONS:
        raise said(InputError, "no_chart_file", path=str(path), endings=[*SAVE_OPTIONS])


def require_plots() -> None:
    """Refuse to draw without the packages that draw."""
    with importing("Charts are drawn with Altair and vl-convert", "plots"):
        import altair as alt  # noqa: F401
        import vl_convert  # noqa: F401
