"""The blocks of a report, as HTML: each is a macro of templates/blocks.html.

The macros escape every text, so that no name or value from the data can become HTML.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from rankmetrics._files import packaged
from rankmetrics.errors import InputError, pip_install, visible
from rankmetrics.tables import Cell, TextTable, shown_value

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

TEMPLATES = "reports/templates"
DOI = re.compile(r"(?<=doi:)(10\.\d{4,}/\S*[^\s.,;)])")


@cache
def templates() -> Environment:
    """The templates of the package, which may be in an archive; refuses a Python without Jinja."""
    try:
        from jinja2 import Environment, FunctionLoader, StrictUndefined
    except ImportError as error:
        raise InputError(f"A report is written with Jinja: {pip_install('report')}.") from error
    return Environment(
        loader=FunctionLoader(lambda name: packaged(TEMPLATES).joinpath(name).read_text(encoding="utf-8")),
        autoescape=True,
        finalize=lambda value: visible(value) if type(value) is str else value,  # markup holds such texts already
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _block(macro: str, *values: Any) -> Markup:
    """The HTML that a macro writes; it escapes all values but other blocks."""
    block: Markup = getattr(templates().get_template("blocks.html").module, macro)(*values)
    return block


paragraph = partial(
    _block, "paragraph"
)  # of the tone "lead" (the answer at the top), "note" (small print) or "warning"
bullets = partial(_block, "bullets")
heading = partial(_block, "heading")
chart = partial(_block, "chart")  # its SVG is written as it is: it must be what a writer of charts returned
gallery = partial(_block, "gallery")  # charts next to each other where the page is wide
terms = partial(_block, "terms")
folded = partial(_block, "folded")  # behind a title, which opens it; on paper, it is open
strong = partial(_block, "strong")


def note(text: str) -> Markup:
    """A paragraph in small print."""
    return paragraph(text, "note")


def code(text: str) -> Markup:
    """Lines of SQL; comments and statements are distinguished."""
    return _block("code", [(line, line.lstrip().startswith("--")) for line in text.splitlines()])


def table(caption: str, headings: Sequence[str], rows: Sequence[Sequence[object]]) -> Markup:
    """A table of cells, and of values that are shown as texts."""
    cells = [[cell if isinstance(cell, Cell) else Cell(shown_value(cell)) for cell in row] for row in rows]
    return _block("table", caption, TextTable(headings, cells))


def number(value: float | str | None, mark: str = "", note: str = "", *, form: str = "") -> Cell:
    """A cell with a number, which may be a text already, or is written in a format."""
    text = f"{value:{form}}" if form and value is not None else shown_value(value)
    return Cell(text, is_number=True, mark=mark, note=note)


def with_links(text: str) -> Markup:
    """A text whose DOIs are links.

    >>> print(with_links("Zobel & al. doi:10.1145/290941.291014"))
    Zobel &amp; al. doi:<a href="https://doi.org/10.1145/290941.291014" rel="noreferrer">10.1145/290941.291014</a>
    """
    from markupsafe import Markup

    parts = DOI.split(text)
    return Markup("").join(_block("doi", part) if place % 2 else part for place, part in enumerate(parts))


def with_quotes(text: str) -> str:
    """A text of a header of sql/ with quotes in place of its backticks.

    >>> with_quotes("the policy `ties` orders equal scores")
    'the policy "ties" orders equal scores'
    """
    return re.sub(r"`([^`]*)`", r'"\1"', text)
