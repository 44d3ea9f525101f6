"""What the commands of the command line share: errors as sentences, a connection, a progress bar, tables."""

from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

import typer
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from rankmetrics.display import UNBOUNDED, note_text, plain_table
from rankmetrics.errors import WARNING, EngineError, InputError, Option, RankMetricsError, RankMetricsWarning

if TYPE_CHECKING:
    import duckdb

    from rankmetrics.result import Result

Found = TypeVar("Found")

# A bar for what takes less than this would only flicker.
BAR_AFTER_SECONDS = 0.5


# Options whose flag is not their name with dashes.
FLAGS = {
    "form": "as",
    "lists": "list",
    "truth_lists": "truth-list",
    "metrics": "metric",
    "aggregates": "aggregate",
    "conventions": "convention",
    "recs": "recs-table",
    "truth": "truth-table",
}


def as_flag(option: Option) -> str:
    """An option as the command line takes it.

    >>> print(as_flag(Option("columns", {"item": "my sku"})), as_flag(Option("lists", ["day", "user"])))
    --item 'my sku' --list day --list user
    >>> print(as_flag(Option("columns", {"lists": {"user": "user_id"}})), as_flag(Option("files_as", "model")))
    --truth-list user=user_id --system-from-file model
    """
    name, value = f"--{FLAGS.get(option.name, option.name.replace('_', '-'))}", option.value
    if value is None or value is True or value is ...:
        return "--connection or --database" if option.name == "connection" else name
    if isinstance(value, Mapping):
        if option.name == "where":
            return " ".join(f"{name} {_quoted(f'{column} = {one}')}" for column, one in value.items())
        return " ".join(_column_flag(option, role, column) for role, column in value.items())
    if option.name == "files_as":
        named = "" if value == "system" else f" {_quoted(value)}"
        return "--files-are-parts" if value == "parts" else f"--system-from-file{named}"
    values = value if isinstance(value, (list, tuple)) else [value]
    return " ".join(name if one is ... else f"{name} {_quoted(one)}" for one in values)


def _column_flag(option: Option, role: str, column: object) -> str:
    """The flag that names the column of a role, or what an input calls a list column."""
    prefix = f"--extra-column {option.of}." if option.of else ""
    if isinstance(column, Mapping):
        flag = f"{prefix}lists." if prefix else "--truth-list "
        return " ".join(f"{flag}{name}={own}" for name, own in column.items())
    if prefix:
        return f"{prefix}{role}={column}"
    flag = "--truth-item" if (option.name, role) == ("truth_columns", "item") else f"--{role}"
    return f'{flag} "..."' if column == "..." else f"{flag} {_quoted(column)}"


def _quoted(value: object) -> str:
    """A value as a shell takes it, in double quotes where it holds single ones.

    >>> print(_quoted("user"), _quoted("my sku"), _quoted("day = '2024-01-01'"))
    user 'my sku' "day = '2024-01-01'"
    """
    text = str(value)
    return f'"{text}"' if "'" in text and not {*text} & {*'"$`\\!'} else quote(text)


@contextmanager
def told(spell: Callable[[Option], str] = as_flag) -> Iterator[None]:
    """An error of ours as one clear sentence: exit code 2 for what the caller can mend, 1 where an engine failed.

    A warning of ours is a sentence beside the answer. `spell` writes the options that a message names.
    """
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", RankMetricsWarning)
            yield
        notes = [one.message.written(spell) for one in caught if isinstance(one.message, RankMetricsWarning)]
        print_notes(f"{WARNING}{note}" for note in dict.fromkeys(notes))
        for one in caught:
            if not isinstance(one.message, RankMetricsWarning):
                warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
    except EngineError as error:
        _tell(error.reason)
        raise typer.Exit(1) from None
    except RankMetricsError as error:
        _tell(error.written(spell))
        raise typer.Exit(2) from None


@contextmanager
def said_once() -> Iterator[None]:
    """No warning of ours, where the notes of the result say it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RankMetricsWarning)
        yield


@dataclass(frozen=True)
class Rendered:
    """A result as it is printed on a terminal, its notes with the options of the command line."""

    result: Result

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.result.rendered(console, options, as_flag)


def _tell(sentence: str) -> None:
    said = Text.assemble(("Error: ", "bold red"), sentence)
    Console(stderr=True, soft_wrap=True, highlight=False, emoji=False).print(said)


def console() -> Console:
    """A console as wide as the terminal; in a pipe, as wide as what is printed."""
    return Console(width=None if sys.stdout.isatty() else UNBOUNDED, highlight=False, emoji=False)


@contextmanager
def own_connection(
    database: Path | None, memory_limit: str | None, threads: int | None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection of our own, with a folder for what does not fit into memory that goes with it."""
    import duckdb

    from rankmetrics.engines.duckdb_connection import opened_within

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
        connection.execute("SET enable_progress_bar = false")  # DuckDB's own, which may land in a pipe
        try:
            yield connection
        finally:
            connection.close()


def with_progress(connection: duckdb.DuckDBPyConnection, work: Callable[[], Found]) -> Found:
    """Do the work in a thread of its own, so that Ctrl-C ends it; on a terminal, with a bar once it takes long."""
    found: list[Found] = []
    failed: list[BaseException] = []
    finished = threading.Event()

    def run() -> None:
        try:
            found.append(work())
        except BaseException as error:  # noqa: BLE001  # whatever it is, it is raised again below
            failed.append(error)
        finally:
            finished.set()

    connection.execute("SET enable_progress_bar = true")  # DuckDB tells how far it is only if it may show it
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
            connection.interrupt()  # again, since one that comes between two queries stops none
        raise
    if failed:
        raise failed[0]
    return found[0]


def _show_bar(connection: duckdb.DuckDBPyConnection, finished: threading.Event) -> None:
    """A bar that moves as DuckDB says it does."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("measuring"), BarColumn(), TextColumn("{task.percentage:>3.0f}%"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("measuring", total=100)
        while not finished.wait(0.05):
            progress.update(bar, completed=max(0.0, connection.query_progress()))


def print_frame(frame: Any) -> None:
    """Print a Polars frame as a table."""
    print_rows(
        tuple(frame.columns), [tuple("–" if one is None else str(one) for one in row) for row in frame.iter_rows()]
    )


def print_notes(notes: Iterable[str]) -> None:
    """Print sentences to stderr, beside an answer that goes into a file."""
    screen = Console(stderr=True, soft_wrap=True, highlight=False, emoji=False)
    for note in notes:
        screen.print(note_text(note))


def print_rows(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows of text as a table."""
    console().print(plain_table(headings, rows))
