"""Kinds of inputs and connections: the engine of each, and the errors for kinds that no engine reads."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping

from rankmetrics.engines.base import Engine
from rankmetrics.errors import ColumnError, InputError, Option

# The engine for recommendations of each library; DuckDB takes all others.
ENGINES = {
    "ibis": "rankmetrics.engines.ibis",
    "polars": "rankmetrics.engines.polars",
    "pyspark": "rankmetrics.engines.spark",
}
DEFAULT = "rankmetrics.engines.duckdb"

# The engine for connections of each library. Over a connection of DuckDB, the recommendations decide; any other
# connection leads to a database.
CONNECTED = {library: ENGINES[library] for library in ("ibis", "pyspark")}
DATABASE = "rankmetrics.engines.database"


def engine_for(recs: object, connection: object | None = None) -> type[Engine]:
    """The engine of a connection; without a connection, or over DuckDB's, the engine of the recommendations."""
    connected = module_of(connection) if connection is not None else "duckdb"
    of_recs = ENGINES.get(module_of(recs), DEFAULT)
    module = importlib.import_module(of_recs if connected == "duckdb" else CONNECTED.get(connected, DATABASE))
    found: type[Engine] = module.ENGINE
    return found


def module_of(value: object) -> str:
    """The library that defines the type of a value, as in `polars`."""
    return type(value).__module__.partition(".")[0].removeprefix("_")


def unknown(what: str, value: object) -> InputError:
    """The error for an input of a kind that no engine reads."""
    is_rows = isinstance(value, Iterable) and not hasattr(value, "to_frame")
    cure = (
        " Make a frame of the columns: pl.DataFrame(columns)."
        if isinstance(value, Mapping)
        else ' Make a frame of the array: pl.DataFrame(array, schema=["user", "item", "score"]).'
        if module_of(value) == "numpy"
        else " Make a frame of the rows: pl.DataFrame(rows)."
        if is_rows
        else ""
    )
    return InputError(
        f"No engine reads the kind of the {what}: {type(value).__module__}.{type(value).__qualname__}.{cure} "
        "An input is a Polars frame, a DuckDB relation, a path, a list of paths or a glob, the name of a table or a "
        "SELECT with ",
        Option("connection"),
        ", a pandas or Arrow table, or anything that exports an Arrow stream.",
    )


def no_table(value: str) -> InputError:
    """The error for a string that names no file, and no table because there is no connection."""
    return InputError(
        f"{value!r} is neither a file that exists nor, since no ", Option("connection"), " was given, a table."
    )


def no_order(what: str) -> ColumnError:
    """The error for ties="input" over rows without an order."""
    return ColumnError(
        Option("ties", "input"),
        f" needs rows that have an order, and those of {what} have none. Give a file or a frame, rank the rows "
        "yourself into a rank column, or break ties by item: ",
        Option("ties", "item"),
        ".",
    )
