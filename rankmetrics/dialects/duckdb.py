"""DuckDB, in whose SQL every query is planned."""

from __future__ import annotations

from functools import partial

from rankmetrics.dialects import guards
from rankmetrics.dialects.catalogs import about, describe_table
from rankmetrics.dialects.grammars import ExplicitDuckDB
from rankmetrics.dialects.model import Address, Catalog, Ddl, Dialect, Driver, Names, Writes
from rankmetrics.dialects.rewrites import aggregates

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
    catalog=Catalog(describe_table, keys=partial(about, KEYS, dialect="duckdb")),
    raise_error=partial(guards.call, "error"),
    dbt_adapters=("duckdb",),
    notes=(
        "Texts are as planned, apart from a descending order, which says where NULLs go, since Polars reads the same "
        "text. The text says which CTEs DuckDB materializes. Only DuckDB has a table macro."
    ),
)
