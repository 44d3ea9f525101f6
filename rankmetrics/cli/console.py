"""Runs the commands: their flags, errors as sentences, the log, a connection, progress, tables."""

from __future__ import annotations

import logging
import re
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from contextvars import copy_context
from copy import copy
from functools import partial, wraps
from inspect import Parameter, Signature, signature
from itertools import chain
from operator import call
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from rich.console import Console
from rich.panel import Panel
from rich.text import Text
from typer.core import TyperCommand, TyperGroup

from rankmetrics._files import new_file
from rankmetrics._logger import LOGGER
from rankmetrics.cli.flags import as_flag, result_of
from rankmetrics.engines.files import SYSTEM, format_of
from rankmetrics.errors import (
    EngineError,
    InputError,
    Option,
    RankMetricsError,
    RankMetricsWarning,
    help_on,
    names,
    spelling,
)
from rankmetrics.options import COLUMNS, DATABASES, DUCKDB, INPUTS
from rankmetrics.tables import UNBOUNDED, Answer, TextTable, note_text, refuse_form, rich_text

if TYPE_CHECKING:
    import duckdb

    from rankmetrics.results.result import Result


Returned = TypeVar("Returned")

# The error of a command line that cannot be read: Typer has it from Click, or from its own copy of Click.
USAGE_ERROR: type[Exception] = typer.BadParameter.__bases__[0]

# The options that come before those of a command.
FIRST = ("recs", "truth", "metrics")

# The groups of options that all evaluations have.
COMMON = (INPUTS, COLUMNS, DATABASES, DUCKDB)

# A line on shorter work would only flicker.
BAR_AFTER_SECONDS = 0.5

Verbose = Annotated[
    int,
    typer.Option(
        "-v",
        "--verbose",
        count=True,
        show_default=False,
        help="Log what is read and how long it takes; -vv also logs each query with its time.",
    ),
]


# --- commands ---------------------------------------------------------------------------------------------------------


class WithoutTypes:
    """A command or a group whose help shows no type for flags that take no value."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters; Typer shows the text of `metavar` as the type."""
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for parameter in parameters:
            if getattr(parameter, "is_flag", False) or getattr(parameter, "count", False):
                parameter.metavar = ""
        return parameters


class Commands(WithoutTypes, TyperGroup):
    """A group of commands."""


class Command(WithoutTypes, TyperCommand):
    """A command."""


class Evaluation(Command):
    """A command whose --system-from-file may go without a name; it explains the files of a glob without quotes."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Explain the options of this command, and only name those that all evaluations have."""
        groups: dict[str, list[Any]] = {}
        for option in self.params:
            groups.setdefault(getattr(option, "rich_help_panel", None) or "", []).append(option)
        common = {group: groups.pop(group) for group in COMMON if group in groups}
        first = copy(self)
        first.params = [*chain(*groups.values())]
        super(Evaluation, first).format_help(ctx, formatter)
        screen = Console(highlight=False)
        for group, options in common.items():
            flags = Text(" ".join(option.opts[0] for option in options))
            screen.print(Panel(flags, title=group, title_align="left", border_style="dim"))
        screen.print(f" rankmetrics help cli/{ctx.info_name} explains these options, too.\n")

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments, with the usual name where none is given."""
        flag = "--system-from-file"
        if flag in args:
            place = args.index(flag) + 1
            if place == len(args) or not re.fullmatch(r"\w+", args[place]):
                args = [*args[:place], SYSTEM, *args[place:]]
        try:
            return super().parse_args(ctx, [*args])
        except USAGE_ERROR as error:
            files = [arg for arg in args if format_of(arg) is not None]
            if "unexpected extra argument" not in str(error) or len(files) < 3:
                raise
            _print_error(
                f"There are {len(files)} files, such as {names(files[:3])}. If these are the files of a glob, put it "
                "in quotes, so that it is one argument: 'runs/*.parquet'.",
                f"More: {help_on('inputs/#kinds')}",
            )
            raise typer.Exit(2) from None


HELP = """Offline ranking metrics written as SQL.

rankmetrics evaluate recs.parquet truth.parquet -m ndcg@10 -m recall@5,10

rankmetrics demo shows the sample, and rankmetrics help which metric a table of metrics by task."""
app = typer.Typer(cls=Commands, no_args_is_help=True, add_completion=True, rich_markup_mode="rich")


def command(
    flags: Sequence[Parameter] = (),
    spell: Callable[[Option], str] = as_flag,
    *,
    of: typer.Typer = app,
    name: str | None = None,
    is_logged: bool = True,
    **groups: Sequence[Parameter],
) -> Callable[[Callable[..., int | None]], Callable[..., None]]:
    """Makes a command of a function: it has more flags, its errors are sentences, the function returns the exit code.

    The function gets the values of `flags`, options of a Request, as `arguments`, and those of each of the `groups` of
    further flags as a mapping. `spell` writes the options that a message names.
    """

    def as_command(function: Callable[..., int | None]) -> Callable[..., None]:
        parameters = signature(function, eval_str=True).parameters.items()
        own = {name: parameter for name, parameter in parameters if name not in ("arguments", *groups)}
        of_groups = [flag.replace(name=f"{group}_{flag.name}") for group, each in groups.items() for flag in each]
        verbose = [Parameter("verbose", Parameter.KEYWORD_ONLY, default=0, annotation=Verbose)] if is_logged else []
        of_options = [flag for flag in flags if flag.name not in own]

        @wraps(function)
        def run(**values: Any) -> None:
            with _logged(values.pop("verbose", 0)), spelling(spell), _errors_as_sentences():
                more: dict[str, Any] = {
                    group: {flag.name: values.pop(f"{group}_{flag.name}") for flag in each}
                    for group, each in groups.items()
                }
                if flags:
                    more["arguments"] = {flag.name: values[flag.name] for flag in flags}
                code = function(**{name: values[name] for name in own}, **more)
            if code:
                raise typer.Exit(code)

        inputs = [flag for flag in of_options if flag.name in FIRST]
        others = [flag for flag in of_options if flag.name not in FIRST]
        all_flags = [*inputs, *own.values(), *of_groups, *others, *verbose]
        keywords = [flag.replace(kind=Parameter.KEYWORD_ONLY) for flag in all_flags]
        run.__signature__ = Signature(keywords)  # type: ignore[attr-defined]  # it is what Typer reads
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in keywords}
        of.command(name, cls=Evaluation if flags else Command)(run)
        return run

    return as_command


@contextmanager
def _logged(verbose: int) -> Iterator[None]:
    """Log to stderr while a command runs; nothing without `-v`."""
    if not verbose:
        yield
        return
    handler, level = _handler(), LOGGER.level
    LOGGER.addHandler(handler)
    LOGGER.setLevel(logging.INFO if verbose == 1 else logging.DEBUG)
    try:
        yield
    finally:
        LOGGER.removeHandler(handler)
        LOGGER.setLevel(level)


def _handler() -> logging.Handler:
    """Writes to stderr: with colours on a terminal; plain lines elsewhere, since Rich fills lines with blanks."""
    if sys.stderr.isatty():
        from rich.logging import RichHandler

        screen = Console(stderr=True, highlight=False, emoji=False)
        return RichHandler(console=screen, show_path=False, show_time=False)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    return handler


@contextmanager
def _errors_as_sentences() -> Iterator[None]:
    """Print errors and warnings of rankmetrics as sentences, without a traceback, and end the process after an error.

    The exit code is 2 where the caller can correct the error, 1 where an engine failed.
    """
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", RankMetricsWarning)
            yield
        notes = [warning.message.note for warning in caught if isinstance(warning.message, RankMetricsWarning)]
        print_notes(dict.fromkeys(notes))
        for warning in caught:
            if not isinstance(warning.message, RankMetricsWarning):
                warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
    except EngineError as error:
        _print_error(error.reason, error.more)
        raise typer.Exit(1) from None
    except RankMetricsError as error:
        _print_error(error.text, error.more)
        raise typer.Exit(2) from None


@contextmanager
def without_warnings() -> Iterator[None]:
    """Print no warnings of rankmetrics: the notes of the result say the same."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RankMetricsWarning)
        yield


def _print_error(sentence: str, more: str) -> None:
    screen = _stderr()
    screen.print(Text.assemble(("Error: ", "bold red"), rich_text(sentence)))
    screen.print(rich_text(more, "dim"))


def _stderr() -> Console:
    return Console(stderr=True, soft_wrap=True, highlight=False, emoji=False)


def console() -> Console:
    """A console as wide as the terminal; in a pipe, as wide as the table."""
    return Console(width=None if sys.stdout.isatty() else UNBOUNDED, highlight=False, emoji=False)


@contextmanager
def own_connection(arguments: Mapping[str, Any]) -> Iterator[duckdb.DuckDBPyConnection]:
    """A new connection with a temporary folder to spill rows to; both end with the block."""
    import duckdb

    from rankmetrics.engines.duckdb import opened_within, start_profiling

    database, memory_limit, threads = (arguments.get(name) for name in ("database", "memory_limit", "threads"))
    if database is not None and not database.exists():
        raise InputError(f"There is no database {str(database)!r}.")
    with TemporaryDirectory(prefix="rankmetrics-") as spill:
        config: dict[str, Any] = {"temp_directory": spill, **({"threads": threads} if threads else {})}
        try:
            connection = opened_within(memory_limit or None, str(database or ":memory:"), **config)
        except duckdb.Error as error:
            settings = [f"--memory-limit {memory_limit}"] if memory_limit else []
            settings += [f"--database {database}"] if database else []
            flags = " ".join(settings) or "these settings"
            raise InputError(f"DuckDB cannot be opened with {flags}: {error}") from error
        start_profiling(connection)
        connection.execute("SET enable_progress_bar = false")  # DuckDB's own, which may land in a pipe
        try:
            yield connection
        finally:
            connection.close()


def with_progress(connection: duckdb.DuckDBPyConnection, work: Callable[[], Returned]) -> Returned:
    """The result of some work, in a thread of its own so that Ctrl-C ends it; a terminal shows the time if long."""
    result: Future[Returned] = Future()

    def run() -> None:
        try:
            result.set_result(work())
        except BaseException as error:  # noqa: BLE001  # any error is raised again below
            result.set_exception(error)

    connection.execute("SET enable_progress_bar = true")  # DuckDB knows its progress only if it may show a bar
    connection.execute("SET enable_progress_bar_print = false")
    try:
        threading.Thread(target=copy_context().run, args=[run], daemon=True).start()
        wait([result], BAR_AFTER_SECONDS)
        if not result.done() and sys.stderr.isatty():
            _show_bar(connection, result)
        while not result.done():
            wait([result], 0.1)  # a short time: a signal is seen between two waits
    except KeyboardInterrupt:
        while not result.done():
            connection.interrupt()  # again: an interrupt between two queries stops neither
            wait([result], 0.1)
        raise
    return result.result()


Work = Callable[[Callable[[], Returned]], Returned]


@contextmanager
def evaluated(arguments: Mapping[str, Any]) -> Iterator[tuple[Result, Work[Any]]]:
    """The Result for the flags of a command, and a function that does work on it as `with_progress` does."""
    with own_connection(arguments) as connection:
        yield result_of(arguments, connection), partial(with_progress, connection)


def _show_bar(connection: duckdb.DuckDBPyConnection, result: Future[Any]) -> None:
    """Show that the work goes on, and for how long; a share only while DuckDB reports one, for the query that runs."""
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        line = progress.add_task("measuring")
        while not result.done():
            share = connection.query_progress()
            shown = f" ({share:.0f}% of a query)" if 0 < share < 100 else ""
            progress.update(line, description=f"measuring{shown}")
            wait([result], 0.05)


# --- where an answer goes ---------------------------------------------------------------------------------------------

Output = Annotated[
    str | None,
    typer.Option(
        "-o",
        "--output",
        help="Write to this .parquet, .csv, .json, .md or .tex file; to a table, as in ml.duckdb::board or "
        "postgresql://me@host/shop?table=board; - is standard output.",
    ),
]
As = Annotated[
    str | None,
    typer.Option(
        "--as",
        help="Print as table, markdown, latex, csv, json or jsonl. The json of evaluate also has account, versions and "
        "request.",
    ),
]

# Where no form is named: the form of text by the ending of a file, and that of standard output.
FORMS_OF_ENDINGS = {".md": "markdown", ".tex": "latex"}
STDOUT, FORM_OF_STDOUT = "-", "csv"


def form_of(
    path: str | None, form: str | None, formats: Iterable[str] | None = (), *, per_list: bool = False
) -> str | None:
    """The form of text to print or write; None to write a file or table as its name says, or to print as usual."""
    for name in formats or ():
        if name in ("markdown", "latex", "table"):
            raise InputError(f"--format names the format of input files. To print the result: --as {name}.")
    if form is None and path is not None:
        form = FORM_OF_STDOUT if path == STDOUT else FORMS_OF_ENDINGS.get(Path(path).suffix.lower())
    if form not in (None, "table"):
        refuse_form(form, per_list=per_list)
    return None if form == "table" and path is None else form


def write_answer(answer: Any, path: str | None, form: str | None, **rows: bool) -> None:
    """Write an answer into a file or a table, or print it as text; `rows` says which of its rows."""
    if form is None:
        answer.write(path, **rows)
    elif path is None or path == STDOUT:
        typer.echo(answer.to_text(form, **rows), nl=False)
    else:
        text = answer.to_text(form, **rows)
        with new_file(path) as temporary:
            temporary.write_text(text, encoding="utf-8")


def deliver(answer: Answer, path: str | None, form: str | None, work: Work[Any] = call, **rows: bool) -> None:
    """Print an answer, or write it and print its notes to stderr; `work` computes, `rows` says which of its rows."""
    if form is None and path is None:
        print_answer(answer, work)
        return
    with without_warnings():
        work(partial(write_answer, answer, path, form, **rows))
        notes = work(partial(answer.notes_beside, **rows))
    print_notes(notes)


def print_answer(answer: Answer, work: Work[Any] = call) -> None:
    """Print an answer with its notes."""
    with without_warnings():
        parts, screen = work(lambda: [*answer.rendered()]), console()
    for part in parts:
        screen.print(part)


def print_notes(notes: Iterable[str]) -> None:
    """Print sentences to stderr, apart from an answer that goes into a file."""
    for note in notes:
        _stderr().print(note_text(note))


def print_rows(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows of text as a table."""
    console().print(TextTable.of_texts(headings, rows))
