"""Connections of DuckDB: opening within a memory limit, queries over Python objects, names of tables, messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, cast

import duckdb

from rankmetrics.errors import InputError

# The share of the memory limit that DuckDB does not get: it uses more memory than it counts, and the more the more it
# spills to disk.
KEPT_BACK = 0.05

# Runs a query in a namespace of the objects that it reads: DuckDB looks up a name that is no table among the variables
# of its caller.
CALL = compile("sql(text)", __name__, "eval")


def relation_over(sql: Callable[[str], object], text: str, objects: Mapping[str, object]) -> duckdb.DuckDBPyRelation:
    """The relation of a query that reads objects by their names, not computed yet."""
    found: duckdb.DuckDBPyRelation = eval(CALL, {"sql": sql, "text": text, **objects})  # noqa: S307
    return found


def opened_within(memory_limit: str | None, database: str = ":memory:", **config: Any) -> duckdb.DuckDBPyConnection:
    """A new connection within a memory limit; a limit in bytes (not `50%`) is lowered by the share KEPT_BACK.

    Raises:
        duckdb.Error: the database cannot be opened, or the limit or another setting is invalid.
    """
    config |= {"memory_limit": memory_limit} if memory_limit is not None else {}
    connection = duckdb.connect(database, read_only=database != ":memory:", config=config)
    if memory_limit is None:
        return connection
    with suppress(duckdb.Error):
        ((limit,),) = connection.execute("SELECT parse_formatted_bytes($1)", [memory_limit]).fetchall()
        connection.execute("SET memory_limit = $1", [f"{int(limit * (1 - KEPT_BACK))}B"])
    return connection


def tables_of(sql: Callable[[str], object]) -> frozenset[str]:
    """The names of all tables and views of the database, in lower case."""
    try:
        tables = cast("duckdb.DuckDBPyRelation", sql("SELECT table_name FROM information_schema.tables"))
        return frozenset(str(row[0]).lower() for row in tables.fetchall())
    except duckdb.Error as error:
        raise InputError(f"The DuckDB connection cannot be used: {reason(error)}") from error


def reason(error: duckdb.Error) -> str:
    """DuckDB's message without the lines that quote the query."""
    return str(error).split("\n\nLINE ")[0].strip()
