"""`rm.report`: an evaluation as one HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rankmetrics._files import new_file
from rankmetrics.errors import InputError
from rankmetrics.reports.contents import SECTIONS, Writer
from rankmetrics.reports.facts import Facts, Wishes
from rankmetrics.reports.page import open_templates, page
from rankmetrics.results.result import Result

TITLE = "Evaluation report"
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
    return write_report(result, path, Wishes(title or TITLE, baseline, segments))


def write_report(result: Result, path: str | Path | None, wishes: Wishes, sections: Sequence[Writer] = SECTIONS) -> str:
    """The page for the wishes of a caller, written into a file where a path is given.

    Args:
        result: what `evaluate` returned.
        path: the .html file to write, or None.
        wishes: what the caller asks for beside the result.
        sections: what writes the sections, in their order.

    Raises:
        InputError, DataError: as `report` does.
    """
    if path is not None and Path(path).suffix.lower() not in ENDINGS:
        raise InputError(f"A report is a page of HTML: end its name in .html, unlike {str(path)!r}.")
    templates, facts = open_templates(), Facts(result, wishes)
    text = page(templates, wishes.title, _subtitle(facts), [write(facts) for write in sections])
    if path is not None:
        with new_file(path) as temporary:
            temporary.write_text(text, encoding="utf-8")
    return text


def _subtitle(facts: Facts) -> str:
    """How many systems were measured by how many metrics."""
    board = facts.leaderboard
    n_systems, n_metrics = len({row.system for row in board.standings}), len(board.metrics)
    systems = f"{n_systems:,} systems, " if board.compares else ""
    return f"{systems}{n_metrics:,} {'metric' if n_metrics == 1 else 'metrics'}: {', '.join(board.metrics)}"
