"""PostgreSQL."""

from __future__ import annotations

from functools import partial

from rankmetrics.dialects import guards
from rankmetrics.dialects.catalogs import TABLES, about
from rankmetrics.dialects.model import Address, Catalog, Ddl, Dialect, Driver, Names, Writes
from rankmetrics.dialects.rewrites import clauses, numbers

# The columns of what the search path finds: a table, a view, a materialized view, a foreign or temporary table.
COLUMNS = """
SELECT a.attname, CASE t.typtype WHEN 'e' THEN 'enum' WHEN 'd' THEN format_type(t.typbasetype, t.typtypmod)
ELSE format_type(a.atttypid, a.atttypmod) END
FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
WHERE a.attrelid = to_regclass(:name) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
"""

# Not of a table that others inherit from, whose rows they may repeat, nor what is not tested yet, or only at a COMMIT.
KEYS = """
SELECT CAST(i.indexrelid AS TEXT), a.attname
FROM pg_catalog.pg_index AS i
JOIN pg_catalog.pg_class AS c ON c.oid = i.indrelid
JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
WHERE i.indrelid = to_regclass(:name) AND i.indisunique AND i.indimmediate AND i.indisvalid
AND i.indpred IS NULL AND i.indexprs IS NULL AND (c.relkind = 'p' OR NOT c.relhassubclass)
UNION ALL
SELECT NULL, a.attname
FROM pg_catalog.pg_attribute AS a
JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
WHERE a.attrelid = to_regclass(:name) AND a.attnum > 0 AND a.attnotnull AND (c.relkind = 'p' OR NOT c.relhassubclass)
AND NOT EXISTS (
  SELECT 1 FROM pg_catalog.pg_constraint AS k
  WHERE k.conrelid = a.attrelid AND k.contype = 'n' AND NOT k.convalidated AND a.attnum = ANY(k.conkey)
)
"""


DIALECT = Dialect(
    called="PostgreSQL",
    documentation="https://www.postgresql.org/docs/current/sql.html",
    tried="run",
    tried_with="PostgreSQL 18",
    rewrites=(
        numbers.bound_powers,
        numbers.name_powers,
        clauses.drop_materialized,
        clauses.keep_joined_groups,
        partial(clauses.collate_text, collation="C"),
    ),
    names=Names(longest=63, in_bytes=True, folds_to="lower"),
    ddl=Ddl("statement"),
    writes=Writes(table="drop in transaction"),
    drivers=(
        Driver("adbc_driver_postgresql", "adbc-driver-postgresql"),
        Driver("pg8000", "pg8000"),
        Driver("psycopg", "rankmetrics[postgres]", execute={"prepare": False}),  # leaves nothing in the server
        Driver("psycopg2", "psycopg2"),
    ),
    vendors=("postgresql",),
    addresses=(
        Address("postgres", "psycopg", lambda psycopg, address: psycopg.connect(address), extra="postgres"),
        Address("postgresql", "psycopg", lambda psycopg, address: psycopg.connect(address), extra="postgres"),
    ),
    catalog=Catalog(
        partial(about, COLUMNS, dialect="postgres"), tables=TABLES, keys=partial(about, KEYS, dialect="postgres")
    ),
    error_ends_transaction=True,
    unnest=(
        "SELECT source.*, spread.place, spread.element FROM source "
        "LEFT JOIN LATERAL UNNEST(source.listed) WITH ORDINALITY AS spread(element, place) ON TRUE"
    ),
    raise_error=guards.cast_to_number,
    dbt_adapters=("postgres",),
    notes=(
        "Text is ordered by the database's language unless the types of the columns are known. A query runs inside a "
        "savepoint, so that an error does not end your transaction. Over ADBC outside autocommit, a query that fails "
        "still ends it, since that driver then refuses all but a rollback."
    ),
)
