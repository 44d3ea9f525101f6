"""Shared by the commands: errors as sentences, a connection, a progress bar, tables."""

from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

import typer
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from rankmetrics.cli.flags import as_flag
from rankmetrics.errors import EngineError, InputError, Option, RankMetricsError, RankMetricsWarning
from rankmetrics.tables import UNBOUNDED, TextTable, note_text

if TYPE_CHECKING:
    import duckdb

    from rankmetrics.results.result import Result


Found = TypeVar("Found")

# A bar for shorter work would only flicker.
BAR_AFTER_SECONDS = 0.5


@contextmanager
def errors_as_sentences(spell: Callable[[Option], str] = as_flag) -> Iterator[None]:
    """Print errors and warnings of rankmetrics as sentences, without a traceback, and end the process after an error.

    The exit code is 2 where the caller can correct the error, 1 where an engine failed.

    Args:
        spell: writes the options that a message names.
    """
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", RankMetricsWarning)
            yield
        notes = [warning.message.note(spell) for warning in caught if isinstance(warning.message, RankMetricsWarning)]
        print_notes(dict.fromkeys(notes))
        for warning in caught:
            if not isinstance(warning.message, RankMetricsWarning):
                warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
    except EngineError as error:
        _print_error(error.reason, error.link)
        raise typer.Exit(1) from None
    except RankMetricsError as error:
        _print_error(error.written(spell), error.link)
        raise typer.Exit(2) from None


@contextmanager
def without_warnings() -> Iterator[None]:
    """Print no warnings of rankmetrics: the notes of the result say the same."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RankMetricsWarning)
        yield


@dataclass(frozen=True)
class Rendered:
    """A result as it is printed on a terminal: its notes name the flags of the command line."""

    result: Result

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.result.rendered(console, options, as_flag)


def _print_error(sentence: str, link: str) -> None:
    message = Text.assemble(("Error: ", "bold red"), sentence)
    screen = Console(stderr=True, soft_wrap=True, highlight=False, emoji=False)
    screen.print(message)
    if link:
        screen.print(Text(link, style="dim"))


def console() -> Console:
    """A console as wide as the terminal; in a pipe, as wide as the table."""
    return Console(width=None if sys.stdout.isatty() else UNBOUNDED, highlight=False, emoji=False)


@contextmanager
def own_connection(
    database: Path | None, memory_limit: str | None, threads: int | None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A new connection, with a temporary folder for rows that do not fit into memory; both end with the block."""
    import duckdb

    from rankmetrics.engines.duckdb import opened_within, start_profiling

    if database is not None and not database.exists():
        raise InputError(f"There is no database {str(database)!r}.")
    with TemporaryDirectory(prefix="rankmetrics-") as spill:
        config: dict[str, Any] = {"temp_directory": spill, **({"threads": threads} if threads else {})}
        try:
            connection = opened_within(memory_limit or None, str(database or ":memory:"), **config)
        except duckdb.Error as error:
            given = [f"--memory-limit {memory_limit}"] if memory_limit else []
            given += [f"--database {database}"] if database else []
            raise InputError(f"DuckDB cannot be opened with {' '.join(given) or 'these settings'}: {error}") from error
        start_profiling(connection)
        connection.execute("SET enable_progress_bar = false")  # DuckDB's own, which may land in a pipe
        try:
            yield connection
        finally:
            connection.close()


def with_progress(connection: duckdb.DuckDBPyConnection, work: Callable[[], Found]) -> Found:
    """The result of some work, done in a thread of its own so that Ctrl-C ends it.

    On a terminal, a bar appears once the work takes long.
    """
    results: list[Found] = []
    failures: list[BaseException] = []
    finished = threading.Event()

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001  # any error is raised again below
            failures.append(error)
        finally:
            finished.set()

    connection.execute("SET enable_progress_bar = true")  # DuckDB knows its progress only if it may show a bar
    connection.execute("SET enable_progress_bar_print = false")
    threading.Thread(target=run, daemon=True).start()
    try:
        if not finished.wait(BAR_AFTER_SECONDS) and sys.stderr.isatty():
            _show_bar(connection, finished)
        while not finished.wait(0.1):
            pass  # in short waits: a signal is seen between them
    except KeyboardInterrupt:
        connection.interrupt()
        while not finished.wait(0.1):
            connection.interrupt()  # again: an interrupt between two queries stops neither
        raise
    if failures:
        raise failures[0]
    return results[0]


def _show_bar(connection: duckdb.DuckDBPyConnection, finished: threading.Event) -> None:
    """Show a bar with the progress that DuckDB reports."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("measuring"), BarColumn(), TextColumn("{task.percentage:>3.0f}%"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("measuring", total=100)
        while not finished.wait(0.05):
            progress.update(bar, completed=max(0.0, connection.query_progress()))


def print_frame(frame: Any, digits: int | None = None) -> None:
    """Print a Polars frame as a table, with all digits of a number or as many as are given."""

    def shown(value: object) -> str:
        if value is None:
            return "–"
        return f"{value:.{digits}g}" if digits and isinstance(value, float) else str(value)

    print_rows(tuple(frame.columns), [tuple(map(shown, row)) for row in frame.iter_rows()])


def print_notes(notes: Iterable[str]) -> None:
    """Print sentences to stderr, beside an answer that goes into a file."""
    screen = Console(stderr=True, soft_wrap=True, highlight=False, emoji=False)
    for note in notes:
        screen.print(note_text(note))


def print_rows(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows of text as a table."""
    console().print(TextTable.of_texts(headings, rows).as_rich())
