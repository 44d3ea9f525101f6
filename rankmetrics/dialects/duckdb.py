"""DuckDB, in whose SQL every query is planned."""

from __future__ import annotations

from functools import partial

from sqlglot.dialects.duckdb import DuckDB

from rankmetrics.dialects import rewrites
from rankmetrics.dialects.model import (
    Address,
    CatalogQueries,
    Ddl,
    Dialect,
    Driver,
    Names,
    Writes,
    about,
    call_to_raise,
    describe_table,
)


class ExplicitDuckDB(DuckDB):
    """DuckDB's SQL that says where NULLs go in a descending order: Polars, which reads it too, has another default."""

    NULL_ORDERING = "nulls_are_large"


# None if several tables or views have this name: which of them is read depends on the search path.
KEYS = """
SELECT constraint_index, column_name
FROM (
  SELECT
    schema_name, UNNEST(constraint_column_names) AS column_name,
    CASE WHEN constraint_type <> 'NOT NULL' THEN constraint_index END AS constraint_index
  FROM duckdb_constraints()
  WHERE LOWER(table_name) = LOWER(:table) AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'NOT NULL')
)
WHERE LOWER(schema_name) = LOWER(COALESCE(:schema, schema_name)) AND 1 = (
  SELECT COUNT(*) FROM information_schema.tables
  WHERE LOWER(table_name) = LOWER(:table) AND LOWER(table_schema) = LOWER(COALESCE(:schema, table_schema))
)
"""

DIALECT = Dialect(
    called="DuckDB",
    grammar=ExplicitDuckDB,
    rewrites=(rewrites.replace_plain_filters,),
    names=Names(keep_labels=True),
    forms=frozenset({"query", "cte", "view", "table", "incremental", "ddl", "macro", "check", "script"}),
    ddl=Ddl("statement"),
    writes=Writes(begin=("BEGIN TRANSACTION",)),
    drivers=(Driver("duckdb"),),
    addresses=(Address("duckdb", "duckdb", lambda duckdb, path: duckdb.connect(path, read_only=True), is_path=True),),
    catalog=CatalogQueries(describe_table, keys=partial(about, KEYS, dialect="duckdb")),
    raise_error=partial(call_to_raise, "error"),
    dbt_adapters=("duckdb",),
)
