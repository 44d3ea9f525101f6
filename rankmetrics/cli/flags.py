"""The flags and arguments of the commands: from declared options to flags, and from flags back to options."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from importlib import import_module
from inspect import Parameter, signature
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rankmetrics.engines.base import no_table
from rankmetrics.engines.files import PARTS, files, is_query, with_formats
from rankmetrics.errors import InputError, Option
from rankmetrics.gates.options import Gate
from rankmetrics.inputs.columns import ROLES, Columns
from rankmetrics.inputs.sources import EXTRAS, SYSTEMS
from rankmetrics.messages import said
from rankmetrics.options import COLUMNS, DUCKDB, INPUTS, KINDS, TEXTS, Face, declaration_of, declared
from rankmetrics.request import ComparisonOptions, Request

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from rankmetrics.results.result import Result


def completing(known: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """The completion of a flag: the known names that start so, in any case."""

    def complete(incomplete: str) -> list[str]:
        return sorted(name for name in known() if name.lower().startswith(incomplete.lower()))

    return complete


def from_module(module: str, name: str) -> Any:
    """A value of a module of the package, which is imported only now: a mistyped command need not wait for it."""
    return getattr(import_module(f"rankmetrics.{module}"), name)


@completing
def complete_metric() -> list[str]:
    """Spellings of metrics."""
    metrics = from_module("metrics.catalog", "catalog")().metrics()
    return [name for metric in metrics for name in (metric.name, *metric.aliases)]


complete_dialect = completing(lambda: from_module("dialects.base", "DIALECTS"))
complete_form = completing(lambda: from_module("export.statements", "FORMS"))
complete_convention = completing(lambda: [each.name for each in from_module("metrics.conventions", "CONVENTIONS")])
complete_segments = completing(lambda: from_module("segments.segmentation", "WORDS"))
complete_method = completing(lambda: from_module("splits.methods", "methods")())


# --- what cannot be derived -------------------------------------------------------------------------------------------

# Options of a gate whose value goes from metrics to limits.
LIMITS = {each.name: each for each in fields(Gate) if declaration_of(each).kind == "limits"}

# The declared options that have flags.
WITH_FLAGS = (*fields(Request), *LIMITS.values(), *fields(ComparisonOptions))


def name_of(option: Field[Any]) -> str:
    """The name of an option's flag: by default that of the option with dashes, in the singular if it can be repeated.

    >>> name_of(Request.__dataclass_fields__["truth_lists"])
    'truth-list'
    """
    declaration = declaration_of(option)
    name = option.name.removesuffix("s") if KINDS[declaration.kind].is_repeated else option.name
    return declaration.flag or name.replace("_", "-")


# The flags of options in messages. The flag of an input names its table in a warehouse.
NAMES = {"conventions": "convention", **{each.name: name_of(each) for each in WITH_FLAGS}}

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
    meaning = f"{meaning} Can be repeated." if kind in (list[str] | None, list[Path] | None) else meaning
    option = typer.Option(f"--{name}", help=meaning, rich_help_panel=group or None, **more)
    called = called or name.replace("-", "_")
    return Parameter(called, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option])


def meaning_of(option: str) -> str:
    """The meaning of an option of an evaluation."""
    return declaration_of(Request.__dataclass_fields__[option]).meaning


def metrics_flag(meaning: str) -> Any:
    """The flag -m, which can be repeated."""
    return typer.Option("-m", "--metric", help=f"{meaning} Can be repeated.", autocompletion=complete_metric)


Recs = Annotated[str, typer.Argument(help=meaning_of("recs"))]
Truth = Annotated[str | None, typer.Argument(help=meaning_of("truth"))]
Metrics = Annotated[list[str], metrics_flag(meaning_of("metrics"))]


# Options that a command takes as arguments, or as several flags.
SEVERAL: Mapping[str, Sequence[Parameter]] = {
    "recs": [Parameter("recs", Parameter.KEYWORD_ONLY, annotation=Recs)],
    "truth": [Parameter("truth", Parameter.KEYWORD_ONLY, default=None, annotation=Truth)],
    "metrics": [Parameter("metrics", Parameter.KEYWORD_ONLY, annotation=Metrics)],
    "columns": [
        flag_of("item", "The item column.", COLUMNS),
        flag_of("rank", "The rank column of the recommendations.", COLUMNS),
        flag_of("score", "The score column of the recommendations.", COLUMNS),
        flag_of("distance", "The distance column of the recommendations: like a score, but lower is better.", COLUMNS),
        flag_of("pool", "The column with the number of candidates that each list was ranked from.", COLUMNS),
        flag_of("chunk", "The column of a document's part, where the item is the document and counts once.", COLUMNS),
        flag_of("probability", "The column with the probability that a policy takes an action, beside a log.", COLUMNS),
        flag_of("position", "The position of the action, where the recommendations have probabilities.", COLUMNS),
        flag_of("expected-reward", "The reward that a model expects of the action, beside a log.", COLUMNS),
        flag_of("rating", "The rating column of the truth.", COLUMNS),
        flag_of("propensity", "The propensity column of the truth, for --weights.", COLUMNS),
        flag_of("subtopic", "The subtopic column of the truth.", COLUMNS),
    ],
    "truth_columns": [flag_of("truth-item", "The item column of the truth, if it has another name there.", COLUMNS)],
    "systems": [
        flag_of("system", "A system to score in every partition, even without recommendations there.", kind=TEXTS),
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
    "label": [flag_of("shown", "The same, with a label that has a usual name.", COLUMNS, bool, default=False)],
    "by": [flag_of("overall", "Write one row over all lists, instead of groups.", kind=bool, default=False)],
    "convention": [
        flag_of("define", "A .sql file with a metric of your own, or a folder of them.", kind=list[Path] | None)
    ],
    "connection": [
        flag_of("database", "A DuckDB database file that has the tables; opened read-only.", DUCKDB, Path | None)
    ],
    "memory_limit": [flag_of("threads", "Threads of DuckDB (default: one per core).", DUCKDB, int | None, min=1)],
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
    kind = KINDS[declaration.kind]
    more: dict[str, Any] = {"autocompletion": COMPLETIONS[name]} if name in COMPLETIONS else {}
    if name in LIMITS:
        more["metavar"] = "METRIC=LIMIT"
    return flag_of(
        name_of(option),
        declaration.meaning,
        declaration.group,
        kind.flag,
        default=None if kind.is_repeated else option.default,
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
    >>> print(as_flag(Option("cluster", [])))
    --cluster ''
    """
    name, value = f"--{NAMES.get(option.name, option.name.replace('_', '-'))}", option.value
    if option.name == "paired":
        return "--unpaired"
    if value is None or value is True or value is ...:
        return {"connection": "--connection or --database", "truth": "TRUTH"}.get(option.name, name)
    if isinstance(value, Mapping):
        if option.name in LIMITS or option.name == "shares":
            return " ".join(
                f"{name} {_quoted(metric if limit is ... else f'{metric}={limit}')}" for metric, limit in value.items()
            )
        if option.name == "where":
            return " ".join(f"{name} {_quoted(f'{column} = {part}')}" for column, part in value.items())
        return " ".join(_column_flag(option, role, column) for role, column in value.items())
    if option.name == "files_as":
        named = "" if value == "system" else f" {_quoted(value)}"
        return "--files-are-parts" if value == "parts" else f"--system-from-file{named}"
    values = (value or [""]) if isinstance(value, (list, tuple)) else [value]
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


# --- from flags back to options ---------------------------------------------------------------------------------------


def result_of(arguments: Mapping[str, Any], connection: DuckDBPyConnection) -> Result:
    """The Result for the flags of a command."""
    from rankmetrics.api import measure  # it imports SQLGlot

    return measure(options_of(arguments, connection))


def options_of(arguments: Mapping[str, Any], connection: DuckDBPyConnection) -> dict[str, Any]:
    """The options of a Request that a command was given."""
    refuse_tables(arguments, inputs_of(arguments).values())
    options = _read("evaluate", arguments)
    options.pop("dialect", None)  # `sql --dialect` is the dialect to write
    options.pop("memory_limit", None)  # the connection was opened with it
    return {**options, "connection": arguments["connection"] or connection}


def refuse_tables(arguments: Mapping[str, Any], inputs: Iterable[object], *, page: str = "") -> None:
    """Refuse names of tables where no database is open that could have them."""
    if arguments.get("database") is not None and arguments.get("connection") is not None:
        message = "--database names a file of DuckDB, and --connection another database: give one of them."
        raise InputError(message, page=page)
    if not is_open(arguments):
        for value in inputs:
            if isinstance(value, str) and not is_read(value):
                raise no_table(value)


def is_open(arguments: Mapping[str, Any]) -> bool:
    """True if a database is open, so that a text may name a table."""
    return arguments.get("database") is not None or arguments.get("connection") is not None


def sql_of_files(arguments: Mapping[str, Any], connection: DuckDBPyConnection) -> str:
    """The query over inputs that can be looked at, as text."""
    result, options = result_of(arguments, connection), _read("to_sql", arguments)
    options |= {"recs": arguments["recs_table"], "truth": arguments["truth_table"], "where": options["partition"]}
    return result.to_sql(**{name: options[name] for name in signature(result.to_sql).parameters.keys() & options})


def sql_of_tables(arguments: Mapping[str, Any]) -> str:
    """The query over tables of a warehouse that cannot be looked at from here, as text."""
    from rankmetrics.export.query_text import sql_of  # it imports SQLGlot

    inputs = inputs_of(arguments).values()
    if read := [value for value in inputs if is_read(value)]:
        table = next(value for value in inputs if not is_read(value))
        raise said(InputError, "files_and_tables", table=table, file=read[0])
    if not arguments["lists"]:
        raise said(InputError, "columns_of_tables", recs=arguments["recs"])
    options = _read("to_sql", arguments)
    options["dialect"] = options["dialect"] or "duckdb"
    named = {name: arguments[f"{name}_table"] or arguments[name] for name in ("recs", "truth")}
    return sql_of(Request(**{**options, **named}))


def _read(face: Face, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a function that a command has flags for, as the function takes them."""
    define_all(arguments["define"])
    for (flag, other), sentence in CONTRADICTIONS.items():
        if arguments.get(flag) and arguments.get(other):
            raise InputError(sentence)
    options = declared(Request, face, "flag")
    values = {
        name: READERS[name](arguments) if name in READERS else arguments[name]
        for name in options
        if name in READERS or name in arguments
    }
    return {
        name: options[name].default if value in (None, [], {}) and options[name].default is not MISSING else value
        for name, value in values.items()
    }


# Flags of which a command takes one.
CONTRADICTIONS = {
    ("overall", "by"): "--overall gives one row over everything, and --by a row for each value of a column: give one "
    "of them.",
    ("files_are_parts", "system_from_file"): "--system-from-file and --files-are-parts contradict each other: give one "
    "of them.",
    ("system", "systems"): "--system names systems, and --systems a table of them: give one of them.",
}


def inputs_of(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The given inputs, by name, with the formats of their files where --format names them."""
    inputs = {name: arguments[name] for name in ("recs", "truth", *EXTRAS, SYSTEMS) if arguments.get(name) is not None}
    return {name: with_formats(name, value, arguments.get("format") or ()) for name, value in inputs.items()}


def are_tables(arguments: Mapping[str, Any]) -> bool:
    """True if the inputs are tables that cannot be looked at: no database is open, and DuckDB cannot read them.

    A SELECT of recommendations with a truth that DuckDB cannot read is a SELECT over such tables.
    """
    is_unread = not is_read(inputs_of(arguments)["recs"]) or (
        is_query(arguments["recs"]) and arguments["truth"] is not None and not is_read(arguments["truth"])
    )
    return is_unread and not is_open(arguments)


def is_read(value: Any) -> bool:
    """True if DuckDB can read an input without a database: a file or a SELECT."""
    return (isinstance(value, str) and is_query(value)) or files(value) is not None


def _metrics(arguments: Mapping[str, Any]) -> list[str | dict[str, str]]:
    """The metrics; `accuracy=ndcg@10` names the column."""
    texts = arguments.get("metrics") or ()
    named = [re.fullmatch(r"\s*(\w+)\s*=(.+)", text) for text in texts]
    return [{match[1]: match[2]} if match else text for text, match in zip(texts, named, strict=True)]


def needs_baseline(arguments: Mapping[str, Any]) -> bool:
    """True if a metric compares with a baseline, as `rpp` does."""
    from rankmetrics.metrics.catalog import catalog  # it imports SQLGlot
    from rankmetrics.metrics.metric import read_metrics

    define_all(arguments["define"])
    metrics = read_metrics(_metrics(arguments), arguments["convention"])
    return any("baseline" in catalog().needs(metric.name) for metric in metrics)


def _truth_lists(arguments: Mapping[str, Any]) -> list[str] | None:
    """The list columns that the truth shares; None where --truth-list only says what the truth calls them."""
    flags = arguments["truth_lists"] or []
    return None if all("=" in flag for flag in flags) else [flag.partition("=")[0] for flag in flags]


def _columns_of(flags: Sequence[str] | None) -> list[str]:
    """The columns that a flag names, once or several times, with commas between them."""
    return [column.strip() for flag in flags or () for column in flag.split(",")]


def _columns(arguments: Mapping[str, Any]) -> Columns | None:
    renamed = (flag.split("=", 1) for flag in arguments["truth_lists"] or () if "=" in flag)
    columns = Columns(**{flag.name: arguments[flag.name] for flag in SEVERAL["columns"]}, lists=dict(renamed))
    return None if columns == Columns() else columns


def _extra_columns(arguments: Mapping[str, Any]) -> dict[str, Columns]:
    """The columns of further inputs, as in `items.category=genre` or `history.lists.user=user_id`."""
    named: dict[str, tuple[dict[str, str], dict[str, str]]] = {}
    for flag in arguments["extra_columns"] or ():
        where, equals, column = flag.partition("=")
        name, dot, role = where.partition(".")
        role_name, _, list_column = role.partition(".")
        if not (equals and dot) or (role not in ROLES and not (role_name == "lists" and list_column)):
            raise InputError(f"{flag!r} names no column of an input: write it as in items.category=genre.")
        roles, lists = named.setdefault(name, ({}, {}))
        if list_column:
            lists[list_column] = column
        else:
            roles[role] = column
    return {name: Columns(**roles, lists=lists) for name, (roles, lists) in named.items()}


# Options whose flags are not their values.
READERS: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
    "metrics": _metrics,
    "by": lambda arguments: () if arguments["overall"] else _columns_of(arguments["by"]),
    "label": lambda arguments: arguments["label"] or arguments["shown"] or None,
    "truth_lists": _truth_lists,
    "columns": _columns,
    "truth_columns": lambda arguments: (
        Columns(item=arguments["truth_item"], **{role: arguments[role] for role in ("rating", "propensity")})
        if arguments["truth_item"]
        else None
    ),
    "extra_columns": _extra_columns,
    "files_as": lambda arguments: PARTS if arguments["files_are_parts"] else arguments["system_from_file"],
    "systems": lambda arguments: arguments["system"] or arguments["systems"],
}


def define_all(paths: Sequence[Path] | None) -> None:
    """Define the metrics of these files and folders."""
    if paths:
        from rankmetrics.metrics import metric  # it imports SQLGlot

        metric.define_all(paths)
