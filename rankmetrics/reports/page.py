"""The page of a report: sections as HTML, by the templates of the package."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import rankmetrics as rm
from rankmetrics._files import packaged
from rankmetrics.errors import InputError
from rankmetrics.reports.blocks import LeftOut, Section

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = "reports/templates"


def page(templates: Environment, title: str, subtitle: str, contents: Sequence[Section | LeftOut]) -> str:
    """A whole HTML page, which needs no other file.

    The templates escape every text; only the SVG of a chart is written as it is. The page forbids scripts, and forbids
    itself to load anything.

    Args:
        templates: what `open_templates` returned.
        title: the heading of the page.
        subtitle: the line below it.
        contents: the sections in their order, and those that are left out.
    """
    return templates.get_template("page.html").render(
        title=title,
        subtitle=subtitle,
        sections=[entry for entry in contents if isinstance(entry, Section)],
        left_out=[entry for entry in contents if isinstance(entry, LeftOut)],
        version=rm.__version__,
    )


def open_templates() -> Environment:
    """The templates of the package.

    Raises:
        InputError: Jinja is not installed.
    """
    try:
        from jinja2 import Environment, FunctionLoader, StrictUndefined
    except ImportError as error:
        raise InputError("A report is written with Jinja: pip install 'rankmetrics[report]'.") from error
    return Environment(
        loader=FunctionLoader(_template),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _template(name: str) -> str:
    """The text of a template; the package may be in an archive."""
    return packaged(TEMPLATES).joinpath(name).read_text(encoding="utf-8")
