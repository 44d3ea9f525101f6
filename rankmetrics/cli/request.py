"""From the flags of a command to the options of evaluate and to_sql."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankmetrics.cli.console import own_connection
from rankmetrics.engines.base import no_table
from rankmetrics.engines.files import files, is_query, with_formats
from rankmetrics.engines.systems import PARTS
from rankmetrics.errors import InputError
from rankmetrics.inputs.sources import EXTRAS, SYSTEMS
from rankmetrics.options import Face, declared
from rankmetrics.request import Request

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from rankmetrics.inputs.columns import Columns
    from rankmetrics.results.result import Result


@contextmanager
def connected(given: Mapping[str, Any]) -> Iterator[DuckDBPyConnection]:
    """A new DuckDB connection for as long as a command runs."""
    with own_connection(given["database"], given.get("memory_limit"), given.get("threads")) as connection:
        yield connection


def result_of(given: Mapping[str, Any], connection: DuckDBPyConnection) -> Result:
    """The Result for the flags of a command."""
    import rankmetrics as rm

    return rm.evaluate(**options_of(given, connection))


def options_of(given: Mapping[str, Any], connection: DuckDBPyConnection) -> dict[str, Any]:
    """The options of evaluate that a command was given."""
    if given["database"] and given["connection"]:
        raise InputError("--database names a file of DuckDB, and --connection another database: give one of them.")
    define_all(given.get("define"))
    for value in inputs_of(given).values():
        is_named = isinstance(value, str) and given["database"] is None and given["connection"] is None
        if is_named and not is_read(value):
            raise no_table(value)
    options = _read("evaluate", given)
    options.pop("dialect", None)  # `sql --dialect` is the dialect to write
    options.pop("memory_limit", None)  # the connection was opened with it
    return {**options, "connection": given["connection"] or connection}


def sql_of_files(given: Mapping[str, Any], connection: DuckDBPyConnection) -> str:
    """The query over inputs that can be looked at, as text."""
    options = _read("to_sql", given)
    return result_of(given, connection).to_sql(
        options["dialect"],
        per_list=options["per_list"],
        recs=given["recs_table"],
        truth=given["truth_table"],
        form=options["form"],
        name=options["name"],
        where=options["partition"],
        assume=options["assume"],
        lookback=options["lookback"],
        guarded=options["guarded"],
        counts=options["counts"],
        quote_names=options["quote_names"],
    )


def sql_of_tables(given: Mapping[str, Any]) -> str:
    """The query over tables of a warehouse that cannot be looked at from here, as text."""
    import rankmetrics as rm

    define_all(given["define"])
    inputs = inputs_of(given).values()
    if read := [value for value in inputs if is_read(value)]:
        table = next(value for value in inputs if not is_read(value))
        raise InputError(
            f"{table!r} is no file, so it is a table of a warehouse, which cannot be looked at from here, and "
            f"{read[0]!r} is a file or a SELECT. Give all inputs as tables (make a view of a SELECT), or all as files."
        )
    if not given["lists"]:
        raise InputError(
            f"{given['recs']!r} is no file, and a table of a warehouse cannot be looked at from here, so name its "
            "columns: each column that identifies a list with --list, and with --truth-list if the truth has it, too; "
            "the others with --item, --rank or --score, --truth-item and --rating. Without these, the columns are item "
            "in both tables, and rank."
        )
    options = _read("to_sql", given)
    options["where"] = options.pop("partition")
    options["dialect"] = options["dialect"] or "duckdb"
    named = {name: given[f"{name}_table"] or given[name] for name in ("recs", "truth")}
    return rm.to_sql(**{**options, **named})


def _read(face: Face, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a function that a command has flags for, as the function takes them."""
    options = declared(Request, face, "flag")
    read = {name: READERS[name](given) for name in options if name in READERS}
    as_given = {name: given[name] for name in options if name in given and name not in READERS}
    return {
        name: options[name].default if value in (None, []) and options[name].default is not MISSING else value
        for name, value in {**as_given, **read}.items()
    }


def inputs_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """The given inputs, by name, with the formats of their files where --format names them."""
    inputs = {name: given[name] for name in ("recs", "truth", *EXTRAS, SYSTEMS) if given[name] is not None}
    return {name: with_formats(name, value, given.get("format") or ()) for name, value in inputs.items()}


def are_tables(given: Mapping[str, Any]) -> bool:
    """True if the inputs are tables that cannot be looked at: no database is open, and DuckDB cannot read them.

    A SELECT of recommendations with a truth that DuckDB cannot read is a SELECT over such tables.
    """
    if given["database"] is not None or given["connection"] is not None:
        return False
    recs, truth = given["recs"], given["truth"]
    return not is_read(inputs_of(given)["recs"]) or (is_query(recs) and not is_read(truth))


def is_read(value: Any) -> bool:
    """True if DuckDB can read an input without a database: a file or a SELECT."""
    return (isinstance(value, str) and is_query(value)) or files(value) is not None


def _metrics(given: Mapping[str, Any]) -> list[str | dict[str, str]]:
    """The metrics; `accuracy=ndcg@10` names the column."""
    texts = given.get("metrics") or ()
    named = [re.fullmatch(r"\s*(\w+)\s*=(.+)", text) for text in texts]
    return [{match[1]: match[2]} if match else text for text, match in zip(texts, named, strict=True)]


def _by(given: Mapping[str, Any]) -> Sequence[str] | None:
    """The columns of --by; none of them, `()`, under --overall."""
    if not given["overall"]:
        return given["by"] or None
    if given["by"]:
        raise InputError(
            "--overall gives one row over everything, and --by a row for each value of a column: give one of them."
        )
    return ()


def _truth_lists(given: Mapping[str, Any]) -> list[str] | None:
    """The list columns that the truth shares; None where --truth-list only says what the truth calls them."""
    named = given["truth_lists"] or []
    if all("=" in flag for flag in named):
        return None
    return [flag.partition("=")[0] for flag in named]


def _files_as(given: Mapping[str, Any]) -> str | None:
    """The relation between several files of recommendations."""
    if given["files_are_parts"] and given["system_from_file"]:
        raise InputError("--system-from-file and --files-are-parts contradict each other: give one of them.")
    return PARTS if given["files_are_parts"] else given["system_from_file"]


def _systems(given: Mapping[str, Any]) -> Any:
    """The systems to score in every partition: names, or a table."""
    if given["system"] and given["systems"]:
        raise InputError("--system names systems, and --systems a table of them: give one of them.")
    return given["system"] or given["systems"]


def _columns(given: Mapping[str, Any]) -> Columns:
    from rankmetrics.inputs.columns import Columns

    roles = ("item", "rank", "score", "distance", "rating", "pool")
    pairs = (flag.partition("=") for flag in given["truth_lists"] or () if "=" in flag)
    return Columns(**{role: given[role] for role in roles}, lists={name: own for name, _, own in pairs})


def _truth_columns(given: Mapping[str, Any]) -> Columns | None:
    from rankmetrics.inputs.columns import Columns

    return Columns(item=given["truth_item"], rating=given["rating"]) if given["truth_item"] else None


def _extra_columns(given: Mapping[str, Any]) -> dict[str, Columns]:
    """The columns of further inputs, as in `items.category=genre` or `history.lists.user=user_id`."""
    from rankmetrics.inputs.columns import ROLES, Columns

    named: dict[str, tuple[dict[str, str], dict[str, str]]] = {}
    for flag in given["extra_columns"] or ():
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
    "by": _by,
    "truth_lists": _truth_lists,
    "columns": _columns,
    "truth_columns": _truth_columns,
    "extra_columns": _extra_columns,
    "files_as": _files_as,
    "systems": _systems,
}


def define_all(paths: Sequence[Path] | None) -> None:
    """Define the metrics of these files."""
    import rankmetrics as rm

    for path in paths or ():
        rm.define(path)
