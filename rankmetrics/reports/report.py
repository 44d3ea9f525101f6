"""`rm.report`: an evaluation as one HTML file, written by the templates of the package."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import rankmetrics as rm
from rankmetrics._files import new_file, packaged
from rankmetrics.errors import InputError
from rankmetrics.reports.blocks import LeftOut, Section
from rankmetrics.reports.facts import TITLE, ReportFacts, ReportOptions
from rankmetrics.reports.sections import SECTIONS, Writer
from rankmetrics.results.result import Result
from rankmetrics.tables import TextTable

if TYPE_CHECKING:
    from jinja2 import Environment

ENDINGS = (".html", ".htm")
TEMPLATES = "reports/templates"


def report(
    result: Result,
    path: str | Path | None = None,
    *,
    baseline: object = None,
    segments: object | None = None,
    title: str | None = None,
) -> str:
    """An evaluation as one HTML page that needs no other file and no network.

    The page has a summary in words, the leaderboard with confidence intervals and significance, curves, distributions,
    segments, the account of what was left out, the definitions of the metrics, the SQL, the options and the releases.
    It is readable on a phone and on paper, and light or dark as the reader's system is. Everything is computed when
    this is called.

    Args:
        result: what `evaluate` returned.
        path: the .html file to write; without a path, nothing is written. The file is there whole or not at all.
        baseline: the system that the others are compared with; by default the best by the first metric.
        segments: groups of lists to report on their own, as `Result.segments` takes them; by default by the activity
            of the users, if there is a history.
        title: the heading of the page.

    Returns:
        The page as text.

    Raises:
        InputError: the extra `report` is not installed, the path does not end in .html, or the file cannot be written.
            There is no system with the name of the baseline.
        DataError: as `Result.collect` does.

    Example:
        >>> import polars as pl
        >>> import rankmetrics as rm
        >>> recs = pl.LazyFrame({"user": [1, 1, 2, 2], "item": [7, 8, 7, 9], "score": [0.9, 0.5, 0.8, 0.1]})
        >>> truth = pl.LazyFrame({"user": [1, 2], "item": [8, 7]})
        >>> page = rm.report(rm.evaluate(recs, truth, ["rr"]), title="Two users")
        >>> page.splitlines()[0], "<h1>Two users</h1>" in page
        ('<!DOCTYPE html>', True)
    """
    return write_report(result, path, ReportOptions(title or TITLE, baseline, segments))


def write_report(
    result: Result, path: str | Path | None, options: ReportOptions, sections: Sequence[Writer] = SECTIONS
) -> str:
    """The page of a result with some sections, written into an .html file where a path is given.

    Raises:
        InputError, DataError: as `report` does.
    """
    if path is not None and Path(path).suffix.lower() not in ENDINGS:
        raise InputError(f"A report is a page of HTML: end its name in .html, unlike {str(path)!r}.")
    templates, facts = open_templates(), ReportFacts(result, options)
    text = page(templates, options.title, _subtitle(facts), [write(facts) for write in sections])
    if path is not None:
        with new_file(path) as temporary:
            temporary.write_text(text, encoding="utf-8")
    return text


def _subtitle(facts: ReportFacts) -> str:
    """How many systems were measured by how many metrics."""
    standings = facts.standings
    n_systems, n_metrics = len({row.system for row in standings.rows}), len(standings.metrics)
    systems = f"{n_systems:,} systems, " if standings.compares else ""
    return f"{systems}{n_metrics:,} {'metric' if n_metrics == 1 else 'metrics'}: {', '.join(standings.metrics)}"


def page(templates: Environment, title: str, subtitle: str, contents: Sequence[Section | LeftOut]) -> str:
    """A whole HTML page, which needs no other file.

    The templates escape every text; only the SVG of a chart is written as it is. The page forbids scripts, and forbids
    itself to load anything.
    """
    return templates.get_template("page.html").render(
        title=title,
        subtitle=subtitle,
        sections=[entry for entry in contents if isinstance(entry, Section)],
        left_out=[entry for entry in contents if isinstance(entry, LeftOut)],
        version=rm.__version__,
    )


def open_templates() -> Environment:
    """The templates of the package, which may be in an archive.

    Raises:
        InputError: Jinja is not installed.
    """
    try:
        from jinja2 import Environment, FunctionLoader, StrictUndefined
    except ImportError as error:
        raise InputError("A report is written with Jinja: pip install 'rankmetrics[report]'.") from error
    templates = Environment(
        loader=FunctionLoader(lambda name: packaged(TEMPLATES).joinpath(name).read_text(encoding="utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["template"] = template_of
    return templates


def template_of(block: object) -> str:
    """The name of the template of a block: that of its class."""
    return "table.html" if isinstance(block, TextTable) else f"{type(block).__name__.lower()}.html"
