"""The flags and arguments of the commands: those of the declared options, and those that are spelled out here."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import Field, fields
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from rankmetrics._logger import LOGGER
from rankmetrics.engines.systems import SYSTEM
from rankmetrics.errors import Option
from rankmetrics.gates.options import Gate
from rankmetrics.options import COLUMNS, DUCKDB, INPUTS, Face, declaration_of, declared
from rankmetrics.request import Request


def complete_metric(incomplete: str) -> list[str]:
    """Spellings of metrics that start so."""
    from rankmetrics.metrics.catalog import catalog

    spellings = [name for metric in catalog().metrics() for name in (metric.name, *metric.aliases)]
    return sorted(name for name in spellings if name.lower().startswith(incomplete.lower()))


def complete_dialect(incomplete: str) -> list[str]:
    """Dialects that start so."""
    from rankmetrics.dialects.base import DIALECTS

    return sorted(name for name in DIALECTS if name.startswith(incomplete))


def complete_form(incomplete: str) -> list[str]:
    """Forms of a query that start so."""
    from rankmetrics.export.statements import FORMS

    return sorted(name for name in FORMS if name.startswith(incomplete))


def complete_convention(incomplete: str) -> list[str]:
    """Conventions that start so."""
    from rankmetrics.metrics.conventions import CONVENTIONS

    return sorted(convention.name for convention in CONVENTIONS if convention.name.startswith(incomplete))


# --- what cannot be derived -------------------------------------------------------------------------------------------

# Options of a gate whose value goes from metrics to limits.
LIMITS = {each.name: each for each in fields(Gate) if declaration_of(each).kind == "limits"}

# The flags of options in messages, where they are not the name. The flag of an input names its table in a warehouse.
NAMES = {
    "conventions": "convention",
    **{each.name: flag for each in (*fields(Request), *LIMITS.values()) if (flag := declaration_of(each).flag)},
}

COMPLETIONS: Mapping[str, Callable[[str], list[str]]] = {
    "metrics": complete_metric,
    "convention": complete_convention,
    "dialect": complete_dialect,
    "form": complete_form,
}


def flag_of(
    name: str, kind: Any, meaning: str, group: str = "", default: Any = None, called: str = "", **more: Any
) -> Parameter:
    """A flag as a parameter of a command, `called` so in Python: Typer takes it like this."""
    option = typer.Option(f"--{name}", help=meaning, rich_help_panel=group or None, **more)
    called = called or name.replace("-", "_")
    return Parameter(called, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option])


# Options that are several flags.
SEVERAL: Mapping[str, Sequence[Parameter]] = {
    "columns": [
        flag_of("item", str | None, "The item column.", COLUMNS),
        flag_of("rank", str | None, "The rank column of the recommendations.", COLUMNS),
        flag_of("score", str | None, "The score column of the recommendations.", COLUMNS),
        flag_of(
            "distance",
            str | None,
            "The distance column of the recommendations: like a score, but lower is better.",
            COLUMNS,
        ),
        flag_of(
            "pool", str | None, "The column with the number of candidates that each list was ranked from.", COLUMNS
        ),
        flag_of("rating", str | None, "The rating column of the truth.", COLUMNS),
    ],
    "truth_columns": [
        flag_of("truth-item", str | None, "The item column of the truth, if it has another name there.", COLUMNS)
    ],
    "systems": [
        flag_of(
            "system",
            list[str] | None,
            "A system to score in every partition, even without recommendations there. Can be repeated.",
            called="system",
        ),
        flag_of("systems", str | None, "A file or table of the systems to score in every partition.", INPUTS),
    ],
    "files_as": [
        flag_of(
            "system-from-file",
            str | None,
            "Each file of RECS is a system: the name of the file goes into the list column NAME (default: system).",
            COLUMNS,
            metavar="[NAME]",
        ),
        flag_of("files-are-parts", bool, "The files of RECS are parts of one table.", COLUMNS, default=False),
    ],
}

# Flags that only the command line has, besides the options that they belong to.
BESIDE: Mapping[str, Sequence[Parameter]] = {
    "by": [flag_of("overall", bool, "Write one row over all lists, instead of groups.", default=False)],
    "convention": [flag_of("define", list[Path] | None, "A .sql file that defines a metric. Can be repeated.")],
    "connection": [
        flag_of("database", Path | None, "A DuckDB database file that has the tables; opened read-only.", DUCKDB)
    ],
    "memory_limit": [flag_of("threads", int | None, "Threads of DuckDB (default: one per core).", DUCKDB, min=1)],
}

TYPES: Mapping[str, Any] = {
    "text": str | None,
    "input": str | None,
    "other": str | None,
    "texts": list[str] | None,
    "names": list[str] | None,
    "partition": list[str] | None,
    "columns of inputs": list[str] | None,
    "limits": list[str] | None,
    "limit": str | None,
    "share": float,
    "file": Path | None,
    "number": int,
    "yes or no": bool,
}


# --- flags of a command -----------------------------------------------------------------------------------------------


def flags_of(face: Face, *more: str, without: Sequence[str] = ()) -> Iterator[Parameter]:
    """The flags of a command.

    Args:
        face: the function whose options the command takes.
        more: names of further options.
        without: names of options that the command does not take.
    """
    options = {**declared(Request, face, "flag"), **{name: Request.__dataclass_fields__[name] for name in more}}
    for name, option in options.items():
        if name not in without:
            yield from SEVERAL[name] if name in SEVERAL else [_derived(option)]
            yield from BESIDE.get(name, ())


def _derived(option: Field[Any], prefix: str = "") -> Parameter:
    """The flag of an option, as its declaration has it."""
    declaration, name = declaration_of(option), option.name
    is_repeated = TYPES.get(declaration.kind) == list[str] | None
    more: dict[str, Any] = {"autocompletion": COMPLETIONS[name]} if name in COMPLETIONS else {}
    if name in LIMITS:
        more["metavar"] = "METRIC=LIMIT"
    return flag_of(
        declaration.flag or name.replace("_", "-"),
        TYPES.get(declaration.kind, str),
        f"{declaration.meaning.removesuffix('.')}. Can be repeated." if is_repeated else declaration.meaning,
        declaration.group,
        default=None if is_repeated else option.default,
        called=f"{prefix}{name}",
        **more,
    )


# --- options in messages ----------------------------------------------------------------------------------------------


def as_flag(option: Option) -> str:
    """An option as the command line takes it.

    >>> print(as_flag(Option("columns", {"item": "my sku"})), as_flag(Option("lists", ["day", "user"])))
    --item 'my sku' --list day --list user
    >>> print(as_flag(Option("columns", {"lists": {"user": "user_id"}})), as_flag(Option("files_as", "model")))
    --truth-list user=user_id --system-from-file model
    """
    name, value = f"--{NAMES.get(option.name, option.name.replace('_', '-'))}", option.value
    if value is None or value is True or value is ...:
        return "--connection or --database" if option.name == "connection" else name
    if isinstance(value, Mapping):
        if option.name in LIMITS:
            return " ".join(
                f"{name} {_quoted(metric if limit is ... else f'{metric}={limit}')}" for metric, limit in value.items()
            )
        if option.name == "where":
            return " ".join(f"{name} {_quoted(f'{column} = {part}')}" for column, part in value.items())
        return " ".join(_column_flag(option, role, column) for role, column in value.items())
    if option.name == "files_as":
        named = "" if value == "system" else f" {_quoted(value)}"
        return "--files-are-parts" if value == "parts" else f"--system-from-file{named}"
    values = value if isinstance(value, (list, tuple)) else [value]
    return " ".join(name if item is ... else f"{name} {_quoted(item)}" for item in values)


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


def meaning_of(option: str) -> str:
    """The meaning of an option of a Request."""
    return declaration_of(Request.__dataclass_fields__[option]).meaning


Recs = Annotated[str, typer.Argument(help=meaning_of("recs"))]
Truth = Annotated[str, typer.Argument(help=meaning_of("truth"))]
Metrics = Annotated[
    list[str],
    typer.Option(
        "-m",
        "--metric",
        help=f"{meaning_of('metrics').removesuffix('.')}. Can be repeated.",
        autocompletion=complete_metric,
    ),
]


# --- the flag -v ------------------------------------------------------------------------------------------------------

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

# The level of the logger, by the number of `-v`.
LEVELS = (logging.WARNING, logging.INFO, logging.DEBUG)


@contextmanager
def logged(verbose: int) -> Iterator[None]:
    """Log to stderr while a command runs; nothing without `-v`."""
    if not verbose:
        yield
        return
    handler = _handler()
    level = LOGGER.level
    LOGGER.addHandler(handler)
    LOGGER.setLevel(LEVELS[min(verbose, len(LEVELS) - 1)])
    try:
        yield
    finally:
        LOGGER.removeHandler(handler)
        LOGGER.setLevel(level)


def _handler() -> logging.Handler:
    """Writes to stderr: with colours on a terminal; plain lines elsewhere, since Rich fills lines with blanks."""
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.logging import RichHandler

        screen = Console(stderr=True, highlight=False, emoji=False)
        return RichHandler(console=screen, show_path=False, show_time=False)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    return handler


# --- commands ---------------------------------------------------------------------------------------------------------


class WithSystems(TyperCommand):
    """A command whose --system-from-file may go without a name: Typer has no such options."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments, with the usual name where none is given."""
        flag = "--system-from-file"
        if flag in args:
            place = args.index(flag) + 1
            if place == len(args) or not re.fullmatch(r"\w+", args[place]):
                args = [*args[:place], SYSTEM, *args[place:]]
        return super().parse_args(ctx, args)


def taking(
    face: Face, *more: str, without: Sequence[str] = (), has_gate: bool = False
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A command that takes the options of a function, as `given`, in addition to its own.

    Args:
        face: the function whose options the command takes.
        more: names of further options.
        without: names of options that the command does not take.
        has_gate: True if the command takes the options of a gate, too, as `limits`.
    """

    def with_flags(command: Callable[..., None]) -> Callable[..., None]:
        parameters = signature(command, eval_str=True).parameters.items()
        own = {name: parameter for name, parameter in parameters if name not in ("given", "limits")}
        flags = [_derived(each, "gate_") for each in fields(Gate)] if has_gate else []
        flags += [each for each in flags_of(face, *more, without=without) if each.name not in own]
        flags.append(Parameter("verbose", Parameter.KEYWORD_ONLY, default=0, annotation=Verbose))

        @wraps(command)
        def run(**values: Any) -> None:
            with logged(values.pop("verbose")):
                limits = {each.name: values.pop(f"gate_{each.name}") for each in fields(Gate)} if has_gate else {}
                further = {"limits": limits} if has_gate else {}
                command(**{name: values[name] for name in own}, given=values, **further)

        return as_command(run, [*own.values(), *flags])

    return with_flags


def as_command(run: Callable[..., None], parameters: Iterable[Parameter]) -> Callable[..., None]:
    """A function with the parameters that Typer is to read."""
    keywords = [parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in parameters]
    run.__signature__ = Signature(keywords)  # type: ignore[attr-defined]  # it is what Typer reads
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in keywords}
    return run
