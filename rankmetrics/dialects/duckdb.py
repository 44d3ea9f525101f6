"""DuckDB, in whose SQL every query is planned."""

from __future__ import annotations

from functools import partial

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB

from rankmetrics.dialects import model, rewrites
from rankmetrics.sqltree import tree


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


def _lock(table: exp.Table) -> tuple[model.Statements, model.Statements]:
    """CREATE and DROP of a table within the transaction: of two jobs at once, the second fails at the CREATE."""
    own = table.copy()
    own.this.set("this", f"{table.name}_lock")
    create = exp.Create(this=own, kind="TABLE", expression=exp.select(tree.named(exp.true(), "locked")))
    return ["BEGIN TRANSACTION", create], [exp.Drop(tables=[own.copy()], kind="TABLE"), "COMMIT"]


DIALECT = model.Dialect(
    called="DuckDB",
    grammar=ExplicitDuckDB,
    rewrites=(rewrites.replace_plain_filters, rewrites.round_to_single),
    digits=(partial(rewrites.sum_in_any_order, add="FSUM"),),
    names=model.Names(keep_labels=True),
    forms=frozenset({"query", "cte", "view", "table", "incremental", "ddl", "macro", "check", "script"}),
    ddl=model.Ddl("statement"),
    writes=model.Writes(begin=("BEGIN TRANSACTION",), lock=_lock),
    drivers=(
        model.Driver(
            "duckdb", schemes=("duckdb",), open=lambda duckdb, path: duckdb.connect(path, read_only=True), is_path=True
        ),
    ),
    catalog=model.CatalogQueries(),
    unnest=(
        "SELECT *, GENERATE_SUBSCRIPTS(listed, 1) AS place, "
        "UNNEST(CASE WHEN LEN(listed) > 0 THEN listed ELSE [NULL] END) AS element FROM source"
    ),
    raise_error=partial(model.call_to_raise, "error"),
    dbt_adapters=("duckdb",),
)
