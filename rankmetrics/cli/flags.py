"""The flags and arguments of the commands: those of the declared options, and those that are spelled out here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import Field, fields
from inspect import Parameter
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer

from rankmetrics.errors import Option
from rankmetrics.gates.options import Gate
from rankmetrics.options import COLUMNS, DUCKDB, INPUTS, Face, declaration_of, declared
from rankmetrics.request import Request


def completing(known: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """The completion of a flag: the known names that start so, in any case."""

    def complete(incomplete: str) -> list[str]:
        return sorted(name for name in known() if name.lower().startswith(incomplete.lower()))

    return complete


@completing
def complete_metric() -> list[str]:
    """Spellings of metrics."""
    from rankmetrics.metrics.catalog import catalog

    return [name for metric in catalog().metrics() for name in (metric.name, *metric.aliases)]


@completing
def complete_dialect() -> Iterable[str]:
    """Dialects."""
    from rankmetrics.dialects.base import DIALECTS

    return DIALECTS


@completing
def complete_form() -> Iterable[str]:
    """Forms of a query."""
    from rankmetrics.export.statements import FORMS

    return FORMS


@completing
def complete_convention() -> list[str]:
    """Conventions."""
    from rankmetrics.metrics.conventions import CONVENTIONS

    return [convention.name for convention in CONVENTIONS]


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
    name: str, meaning: str, group: str = "", kind: Any = str | None, default: Any = None, called: str = "", **more: Any
) -> Parameter:
    """A flag as a parameter of a command, `called` so in Python: Typer takes it like this."""
    option = typer.Option(f"--{name}", help=meaning, rich_help_panel=group or None, **more)
    called = called or name.replace("-", "_")
    return Parameter(called, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option])


# Options that are several flags.
SEVERAL: Mapping[str, Sequence[Parameter]] = {
    "columns": [
        flag_of("item", "The item column.", COLUMNS),
        flag_of("rank", "The rank column of the recommendations.", COLUMNS),
        flag_of("score", "The score column of the recommendations.", COLUMNS),
        flag_of("distance", "The distance column of the recommendations: like a score, but lower is better.", COLUMNS),
        flag_of("pool", "The column with the number of candidates that each list was ranked from.", COLUMNS),
        flag_of("rating", "The rating column of the truth.", COLUMNS),
    ],
    "truth_columns": [
        flag_of("truth-item", "The item column of the truth, if it has another name there.", COLUMNS),
    ],
    "systems": [
        flag_of(
            "system",
            "A system to score in every partition, even without recommendations there. Can be repeated.",
            kind=list[str] | None,
        ),
        flag_of("systems", "A file or table of the systems to score in every partition.", INPUTS),
    ],
    "files_as": [
        flag_of(
            "system-from-file",
            "Each file of RECS is a system: the name of the file goes into the list column NAME (default: system).",
            COLUMNS,
            metavar="[NAME]",
        ),
        flag_of("files-are-parts", "The files of RECS are parts of one table.", COLUMNS, bool, default=False),
    ],
}

# Flags that only the command line has, each after the option that it belongs to.
FURTHER: Mapping[str, Sequence[Parameter]] = {
    "by": [flag_of("overall", "Write one row over all lists, instead of groups.", kind=bool, default=False)],
    "convention": [flag_of("define", "A .sql file that defines a metric. Can be repeated.", kind=list[Path] | None)],
    "connection": [
        flag_of("database", "A DuckDB database file that has the tables; opened read-only.", DUCKDB, Path | None)
    ],
    "memory_limit": [flag_of("threads", "Threads of DuckDB (default: one per core).", DUCKDB, int | None, min=1)],
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


def flags_of(face: Face, *more: str, without: Sequence[str] = ()) -> list[Parameter]:
    """The flags of a command that takes the options of a function, with further options and without some."""
    options = {**declared(Request, face, "flag"), **{name: Request.__dataclass_fields__[name] for name in more}}
    chosen = {name: option for name, option in options.items() if name not in without}
    return [
        flag
        for name, option in chosen.items()
        for flag in (*SEVERAL.get(name, [derived(option)]), *FURTHER.get(name, ()))
    ]


def derived(option: Field[Any]) -> Parameter:
    """The flag of an option, as its declaration has it."""
    declaration, name = declaration_of(option), option.name
    kind = TYPES.get(declaration.kind, str)
    is_repeated = kind == list[str] | None
    more: dict[str, Any] = {"autocompletion": COMPLETIONS[name]} if name in COMPLETIONS else {}
    if name in LIMITS:
        more["metavar"] = "METRIC=LIMIT"
    return flag_of(
        declaration.flag or name.replace("_", "-"),
        f"{declaration.meaning.removesuffix('.')}. Can be repeated." if is_repeated else declaration.meaning,
        declaration.group,
        kind,
        default=None if is_repeated else option.default,
        called=name,
        **more,
    )


# The flags of a gate.
OF_GATE = [derived(option) for option in fields(Gate)]


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
