"""SQLite."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlglot import exp

from rankmetrics.dialects.model import Address, Catalog, Dialect, Driver, Lack, Names, Writes, median_lacks
from rankmetrics.dialects.rewrites import clauses, numbers


def _open_to_read(sqlite3: Any, path: str) -> Any:
    """A file, opened to be read: sqlite3 would make an empty database of a name that is mistyped."""
    if path != ":memory:":
        path = f"{Path(path).resolve().as_uri()}?mode=ro"
    return sqlite3.connect(path, uri=True, check_same_thread=False)  # the command line computes in a thread of its own


def _select_columns(table: exp.Table) -> exp.Expr:
    of = [exp.Literal.string(one) for one in (table.name, table.db) if one]
    return exp.select("name", "type").from_(exp.Anonymous(this="pragma_table_info", expressions=of))


DIALECT = Dialect(
    called="SQLite",
    documentation="https://www.sqlite.org/lang.html",
    tried="run",
    tried_with="the SQLite of Python",
    rewrites=(
        numbers.coalesce_extremes,
        numbers.drop_nan_tests,
        numbers.round_to_single,
        numbers.write_infinity_as_number,
        clauses.replace_values,
    ),
    lacks=(
        *median_lacks("it has no such function"),
        Lack(exp.StddevSamp, "the aggregates std and ci", "it has no standard deviation"),
        Lack(exp.MD5, "the option sample", "it has no MD5"),
    ),
    names=Names(keep_labels=True),
    max_joined_tables=64,
    replaces_views=False,
    writes=Writes(table="drop in transaction"),
    drivers=(Driver("adbc_driver_sqlite", "adbc-driver-sqlite"), Driver("sqlite3")),
    vendors=("sqlite",),
    addresses=(Address("sqlite", "sqlite3", _open_to_read, is_path=True),),
    catalog=Catalog(_select_columns, tables="SELECT name FROM pragma_table_list"),
    dbt_adapters=("sqlite",),
    notes="SQLite is told which CTEs to keep.",
)
