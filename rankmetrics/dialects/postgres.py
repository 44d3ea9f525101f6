"""PostgreSQL."""

from __future__ import annotations

from functools import partial

from sqlglot import exp

from rankmetrics.dialects import model, rewrites
from rankmetrics.sqltree import tree

# The columns of what the search path finds: a table, a view, a materialized view, a foreign or temporary table.
COLUMNS = """
SELECT a.attname, CASE t.typtype WHEN 'e' THEN 'enum' WHEN 'd' THEN format_type(t.typbasetype, t.typtypmod)
ELSE format_type(a.atttypid, a.atttypmod) END
FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
WHERE a.attrelid = to_regclass(:name) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
"""

# No keys of a table that others inherit from, whose rows they may repeat, nor those that are not tested yet, or only at
# a COMMIT.
DEFINITION = """
SELECT CAST(CAST(i.indexrelid AS REGCLASS) AS TEXT), a.attname, NULL
FROM pg_catalog.pg_index AS i
JOIN pg_catalog.pg_class AS c ON c.oid = i.indrelid
JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
WHERE i.indrelid = to_regclass(:name) AND i.indisunique AND i.indimmediate AND i.indisvalid
AND i.indpred IS NULL AND i.indexprs IS NULL AND (c.relkind = 'p' OR NOT c.relhassubclass)
UNION ALL
SELECT NULL, a.attname, NULL
FROM pg_catalog.pg_attribute AS a
JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
WHERE a.attrelid = to_regclass(:name) AND a.attnum > 0 AND a.attnotnull AND (c.relkind = 'p' OR NOT c.relhassubclass)
AND NOT EXISTS (
  SELECT 1 FROM pg_catalog.pg_constraint AS k
  WHERE k.conrelid = a.attrelid AND k.contype = 'n' AND NOT k.convalidated AND a.attnum = ANY(k.conkey)
)
UNION ALL
SELECT NULL, a.attname, format_type(a.atttypid, a.atttypmod)
FROM pg_catalog.pg_attribute AS a
WHERE a.attrelid = to_regclass(:name) AND a.attnum > 0 AND NOT a.attisdropped
"""


def keep_joined_groups(query: exp.Expr) -> None:
    """`WITH hits_per_list AS (... GROUP BY user)` → `... AS MATERIALIZED (...)`, for groups that are joined.

    PostgreSQL expects far fewer groups than there are, and then compares every list of a system with every other. Of a
    step that it keeps, it knows the number of rows.
    """
    joined = {join.this.name for join in tree.find(query, exp.Join) if isinstance(join.this, exp.Table)}
    for cte in tree.find(query, exp.CTE):
        if cte.alias in joined and tree.groups(cte.this):
            cte.set("materialized", True)


def _lock(table: exp.Table) -> tuple[model.Statements, model.Statements]:
    """LOCK TABLE within the transaction, before its first snapshot: other jobs wait, readers do not."""
    return ["BEGIN", f"LOCK TABLE {table.sql('postgres')} IN SHARE ROW EXCLUSIVE MODE"], ["COMMIT"]


DIALECT = model.Dialect(
    called="PostgreSQL",
    rewrites=(
        rewrites.bound_powers,
        rewrites.name_powers,
        rewrites.round_to_single,
        rewrites.drop_materialized,
        keep_joined_groups,
        partial(rewrites.collate_text, collation="C"),
    ),
    names=model.Names(longest=63, in_bytes=True, folds_to="lower"),
    ddl=model.Ddl("statement"),
    writes=model.Writes(table="drop in transaction", lock=_lock),
    drivers=(
        model.Driver("adbc_driver_postgresql", "adbc-driver-postgresql"),
        model.Driver("pg8000", "pg8000"),
        model.Driver(  # `prepare` leaves nothing in the server
            "psycopg", extra="postgres", execute={"prepare": False}, schemes=("postgres", "postgresql")
        ),
        model.Driver("psycopg2", "psycopg2"),
    ),
    vendors=("postgresql",),
    catalog=model.CatalogQueries(partial(model.about, COLUMNS, "postgres"), tables=model.TABLES, definition=DEFINITION),
    error_ends_transaction=True,
    unnest=(
        "SELECT source.*, spread.place, spread.element FROM source "
        "LEFT JOIN LATERAL UNNEST(source.listed) WITH ORDINALITY AS spread(element, place) ON TRUE"
    ),
    raise_error=model.cast_to_raise,
    dbt_adapters=("postgres",),
)
