"""`rm.report`: an evaluation as one HTML file, written by the templates of the package."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import rankmetrics as rm
from rankmetrics._files import new_file
from rankmetrics.errors import InputError, counted
from rankmetrics.reports.facts import TITLE, ReportFacts, ReportOptions
from rankmetrics.reports.sections import SECTIONS, LeftOut, Section, templates
from rankmetrics.results.result import Result

ENDINGS = (".html", ".htm")


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
    result: Result, path: str | Path | None, options: ReportOptions, sections: Sequence[Section] = SECTIONS
) -> str:
    """The page of a result with some sections, written into an .html file where a path is given; raises as `report`.

    The page needs no other file. It forbids scripts, and forbids itself to load anything.
    """
    if path is not None and Path(path).suffix.lower() not in ENDINGS:
        raise InputError(f"A report is a page of HTML: end its name in .html, unlike {str(path)!r}.")
    page, facts = templates().get_template("page.html"), ReportFacts(result, options)
    n_metrics = counted(len(facts.labels), "metric", "metrics")
    systems = f"{facts.n_systems:,} systems, " if facts.compares else ""
    shown, left_out = [], []
    for section in sections:
        try:
            shown.append((section, [*section.write(facts)]))
        except LeftOut as reason:
            left_out.append((section, reason))
    text = page.render(
        title=options.title,
        subtitle=f"{systems}{n_metrics}: {', '.join(facts.labels)}",
        sections=shown,
        left_out=left_out,
        version=rm.__version__,
    )
    if path is not None:
        with new_file(path) as temporary:
            temporary.write_text(text, encoding="utf-8")
    return text
