"""DuckDB, in whose SQL every query is planned."""

from __future__ import annotations

from functools import partial

from rankmetrics.dialects import guards
from rankmetrics.dialects.catalogs import describe_table
from rankmetrics.dialects.grammars import ExplicitDuckDB
from rankmetrics.dialects.model import Address, Catalog, Ddl, Dialect, Driver, Names, Writes
from rankmetrics.dialects.rewrites import aggregates

DIALECT = Dialect(
    called="DuckDB",
    documentation="https://duckdb.org/docs/stable/sql/introduction",
    grammar=ExplicitDuckDB,
    tried="run",
    tried_with="DuckDB 2.0",
    rewrites=(aggregates.replace_plain_filters,),
    names=Names(keep_labels=True),
    forms=frozenset({"query", "cte", "view", "table", "incremental", "ddl", "macro", "check", "script"}),
    ddl=Ddl("statement"),
    writes=Writes(begin=("BEGIN TRANSACTION",)),
    drivers=(Driver("duckdb"),),
    addresses=(Address("duckdb", "duckdb", lambda duckdb, path: duckdb.connect(path, read_only=True), is_path=True),),
    catalog=Catalog(describe_table),
    raise_error=partial(guards.call, "error"),
    dbt_adapters=("duckdb",),
    notes=(
        "Texts are as planned, apart from a descending order, which says where NULLs go, since Polars reads the same "
        "text. DuckDB is told which CTEs to keep, and is the only dialect with a table macro."
    ),
)
