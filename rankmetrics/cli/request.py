"""From the flags of a command to the options of evaluate and to_sql."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankmetrics.cli.flags import SEVERAL
from rankmetrics.engines.base import no_table
from rankmetrics.engines.files import files, is_query, with_formats
from rankmetrics.engines.systems import PARTS
from rankmetrics.errors import InputError
from rankmetrics.inputs.columns import ROLES, Columns
from rankmetrics.inputs.sources import EXTRAS, SYSTEMS
from rankmetrics.options import Face, declared
from rankmetrics.request import Request

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from rankmetrics.results.result import Result


def result_of(arguments: Mapping[str, Any], connection: DuckDBPyConnection) -> Result:
    """The Result for the flags of a command."""
    import rankmetrics as rm

    return rm.evaluate(**options_of(arguments, connection))


def options_of(arguments: Mapping[str, Any], connection: DuckDBPyConnection) -> dict[str, Any]:
    """The options of evaluate that a command was given."""
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
    options = _read("to_sql", arguments)
    of_text = ("dialect", "per_list", "form", "name", "assume", "lookback", "guarded", "counts", "quote_names")
    return result_of(arguments, connection).to_sql(
        recs=arguments["recs_table"],
        truth=arguments["truth_table"],
        where=options["partition"],
        **{name: options[name] for name in of_text},
    )


def sql_of_tables(arguments: Mapping[str, Any]) -> str:
    """The query over tables of a warehouse that cannot be looked at from here, as text."""
    import rankmetrics as rm

    inputs = inputs_of(arguments).values()
    if read := [value for value in inputs if is_read(value)]:
        table = next(value for value in inputs if not is_read(value))
        raise InputError(
            f"{table!r} is no file, so it is a table of a warehouse, which cannot be looked at from here, and "
            f"{read[0]!r} is a file or a SELECT. Give all inputs as tables (make a view of a SELECT), or all as files."
        )
    if not arguments["lists"]:
        raise InputError(
            f"{arguments['recs']!r} is no file, and a table of a warehouse cannot be looked at from here, so name its "
            "columns: each column that identifies a list with --list, and with --truth-list if the truth has it, too; "
            "the others with --item, --rank or --score, --truth-item and --rating. Without these, the columns are item "
            "in both tables, and rank."
        )
    options = _read("to_sql", arguments)
    options["where"] = options.pop("partition")
    options["dialect"] = options["dialect"] or "duckdb"
    named = {name: arguments[f"{name}_table"] or arguments[name] for name in ("recs", "truth")}
    return rm.to_sql(**{**options, **named})


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
        name: options[name].default if value in (None, []) and options[name].default is not MISSING else value
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
    inputs = {name: arguments[name] for name in ("recs", "truth", *EXTRAS, SYSTEMS) if arguments[name] is not None}
    return {name: with_formats(name, value, arguments.get("format") or ()) for name, value in inputs.items()}


def are_tables(arguments: Mapping[str, Any]) -> bool:
    """True if the inputs are tables that cannot be looked at: no database is open, and DuckDB cannot read them.

    A SELECT of recommendations with a truth that DuckDB cannot read is a SELECT over such tables.
    """
    is_unread = not is_read(inputs_of(arguments)["recs"]) or (
        is_query(arguments["recs"]) and not is_read(arguments["truth"])
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


def _truth_lists(arguments: Mapping[str, Any]) -> list[str] | None:
    """The list columns that the truth shares; None where --truth-list only says what the truth calls them."""
    flags = arguments["truth_lists"] or []
    return None if all("=" in flag for flag in flags) else [flag.partition("=")[0] for flag in flags]


def _columns(arguments: Mapping[str, Any]) -> Columns:
    renamed = (flag.split("=", 1) for flag in arguments["truth_lists"] or () if "=" in flag)
    return Columns(**{flag.name: arguments[flag.name] for flag in SEVERAL["columns"]}, lists=dict(renamed))


def _truth_columns(arguments: Mapping[str, Any]) -> Columns | None:
    return Columns(item=arguments["truth_item"], rating=arguments["rating"]) if arguments["truth_item"] else None


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
    "by": lambda arguments: () if arguments["overall"] else arguments["by"],
    "truth_lists": _truth_lists,
    "columns": _columns,
    "truth_columns": _truth_columns,
    "extra_columns": _extra_columns,
    "files_as": lambda arguments: PARTS if arguments["files_are_parts"] else arguments["system_from_file"],
    "systems": lambda arguments: arguments["system"] or arguments["systems"],
}


def define_all(paths: Sequence[Path] | None) -> None:
    """Define the metrics of these files."""
    import rankmetrics as rm

    for path in paths or ():
        rm.define(path)
