"""What `rankmetrics evaluate` does with its result: prints it, writes it in some form, draws charts of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from rankmetrics._files import new_file
from rankmetrics.cli.console import Rendered, console, print_frame, print_notes, with_progress, without_warnings
from rankmetrics.cli.flags import as_flag
from rankmetrics.errors import InputError, did_you_mean, names

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from rankmetrics.results.result import Result

AS = "Print the summary as table, markdown, latex, csv, json (with account, versions, request) or jsonl."
OUTPUT = "Write to this .parquet, .csv, .json, .md or .tex file; - is standard output."
PLOT = (
    "Draw a chart (curve, leaderboard, tradeoff or distribution) into an .svg, .png, .html or .json file, as in "
    "curve.svg or curve=ndcg.svg. Can be repeated."
)

# Where no form is named: the form of text by the ending of a file, and that of standard output.
FORM_OF = {".md": "markdown", ".tex": "latex"}
STDOUT, FORM_OF_STDOUT = Path("-"), "csv"

# The charts that can be drawn, each from the first metrics that fit.
CHARTS: Mapping[str, Callable[[Result], Any]] = {
    "curve": lambda result: result.plot.curve(),
    "leaderboard": lambda result: result.plot.leaderboard(),
    "tradeoff": lambda result: result.plot.tradeoff(),
    "distribution": lambda result: result.plot.distribution(),
    "compare": lambda result: result.plot.compare(),
}


@dataclass(frozen=True)
class Output:
    """What to do with a result.

    Attributes:
        path: the file to write; `-` is standard output; None to print.
        form: the form of text; None for what the name of the file says, or a table.
        charts: the charts to draw, each with its file.
        per_list: one row per list instead of the summary.

    Raises:
        InputError: the form does not fit the table, there is no such chart, or no chart has files with this ending.
    """

    path: Path | None
    form: str | None
    charts: Sequence[tuple[str, Path]]
    per_list: bool

    @classmethod
    def of_flags(
        cls, path: Path | None, form: str | None, plots: Sequence[str] | None, given: Mapping[str, Any]
    ) -> Output:
        """What the flags of a command ask for, checked before anything is computed."""
        from rankmetrics.results.tables import refuse_form

        for named in given["format"] or ():
            if named in ("markdown", "latex", "table"):
                raise InputError(f"--format names the format of input files. To print the result: --as {named}.")
        if form is None and path is not None:
            form = FORM_OF_STDOUT if path == STDOUT else FORM_OF.get(path.suffix.lower())
        if form not in (None, "table"):
            refuse_form(form, per_list=given["per_list"])
        return cls(path, form, [_chart_of(text) for text in plots or ()], given["per_list"])

    def give(self, result: Result, connection: DuckDBPyConnection) -> None:
        """Print or write the result, and draw its charts."""
        if self.form not in (None, "table") or (self.form and self.path):
            self._write_text(result, connection)
        elif self.path is not None:
            path = self.path
            with without_warnings():
                with_progress(connection, lambda: result.write(path, per_list=self.per_list))
            print_notes(with_progress(connection, lambda: result.notes(as_flag)))
        elif self.per_list:
            with_progress(connection, result.check)
            print_frame(with_progress(connection, lambda: result.collect(per_list=True)))
        else:
            with_progress(connection, result.notes)
            console().print(Rendered(result))
        self._draw(result, connection)

    def _write_text(self, result: Result, connection: DuckDBPyConnection) -> None:
        """Write the result as text; the account goes to stderr."""
        form = self.form or "table"
        with without_warnings():
            text = with_progress(connection, lambda: result.to_text(form, per_list=self.per_list))
        if self.path is None or self.path == STDOUT:
            typer.echo(text, nl=False)
        else:
            _write(text, self.path)
        print_notes(with_progress(connection, lambda: result.notes(as_flag)))

    def _draw(self, result: Result, connection: DuckDBPyConnection) -> None:
        if not self.charts:
            return
        from rankmetrics.plots.files import write_chart

        with without_warnings():
            for kind, path in self.charts:
                write_chart(with_progress(connection, partial(CHARTS[kind], result)), path)


def _chart_of(text: str) -> tuple[str, Path]:
    """The chart and its file, from `curve.svg` or `curve=ndcg.svg`."""
    from rankmetrics.plots.files import refuse_other_endings, require_plots

    named, equals, path = text.partition("=")
    kind, file = (named, Path(path)) if equals and named in CHARTS else (Path(text).stem, Path(text))
    if kind not in CHARTS:
        raise InputError(
            f"There is no chart {kind!r}: --plot takes {names(CHARTS)}, as in curve.svg or curve=ndcg.svg."
            f"{did_you_mean(kind, CHARTS)}"
        )
    refuse_other_endings(file)
    require_plots()
    return kind, file


def _write(text: str, path: Path) -> None:
    """Write a text into a file that is there whole or not at all."""
    with new_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
