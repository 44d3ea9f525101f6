"""The command `rankmetrics report`: an evaluation as one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from rankmetrics.cli.console import errors_as_sentences, print_notes, with_progress, without_warnings
from rankmetrics.cli.flags import as_flag
from rankmetrics.cli.options import Metrics, Recs, Truth, taking
from rankmetrics.cli.request import connected, result_of
from rankmetrics.cli.segments import SEGMENTS, complete_segments, read_flags


@taking("evaluate", without=["dialect", "baseline"])
def report(
    recs: Recs,
    truth: Truth,
    metrics: Metrics,
    given: dict[str, Any],
    output: Annotated[Path, typer.Option("-o", "--output", help="The .html file to write.")],
    baseline: Annotated[
        str | None, typer.Option(help="The name of the system to compare the others with (default: the best).")
    ] = None,
    baseline_recs: Annotated[
        str | None,
        typer.Option(
            help="Recommendations of a simple system, for metrics that compare with it (--baseline of evaluate)."
        ),
    ] = None,
    segment: Annotated[
        list[str] | None,
        typer.Option("-s", "--segment", help=SEGMENTS, autocompletion=complete_segments, show_default=False),
    ] = None,
    title: Annotated[str | None, typer.Option(help="The heading of the page.")] = None,
) -> None:
    """Write an evaluation as one HTML file: leaderboard, significance, charts, segments, definitions.

    The file needs no other file and no network.
    """
    from rankmetrics.reports.facts import Wishes
    from rankmetrics.reports.report import TITLE, write_report

    with errors_as_sentences(), connected(given) as connection:
        result = result_of({**given, "baseline": baseline_recs}, connection)
        is_open = given["database"] is not None or given["connection"] is not None
        groups = read_flags(segment, is_open=is_open) if segment else None
        wishes = Wishes(title or TITLE, baseline, groups, as_flag)
        with without_warnings():
            with_progress(connection, lambda: write_report(result, output, wishes))
        print_notes([f"wrote {output}"])
