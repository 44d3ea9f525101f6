"""The charts of a report: drawn by `result.plot`, as SVG in the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rankmetrics.errors import DataError
from rankmetrics.plots.files import to_svg
from rankmetrics.reports.blocks import Figure, Paragraph, sentence

if TYPE_CHECKING:
    from altair.typing import ChartType


def figure(draw: Callable[[], ChartType], caption: str) -> Figure | Paragraph:
    """A chart with its caption; a sentence where there is nothing to draw, because a metric is undefined."""
    try:
        return Figure(to_svg(draw()), caption)
    except DataError as error:
        return Paragraph(sentence(f"There is no chart here. {error}"), "note")
