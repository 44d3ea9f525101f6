"""MySQL, and MariaDB, which reads the same text."""

from __future__ import annotations

from functools import partial

from sqlglot import exp

from rankmetrics.dialects import model, rewrites
from rankmetrics.sqltree import tree

# The longest time that a job waits for another, in seconds.
SECONDS_OF_YEAR = 365 * 24 * 60 * 60

DEFINITION = """
SELECT index_name, column_name, NULL FROM information_schema.statistics
WHERE non_unique = 0 AND table_name = :table AND table_schema = COALESCE(:schema, DATABASE())
UNION ALL
SELECT NULL, column_name, NULL FROM information_schema.columns
WHERE is_nullable = 'NO' AND table_name = :table AND table_schema = COALESCE(:schema, DATABASE())
UNION ALL
SELECT NULL, column_name, column_type FROM information_schema.columns
WHERE table_name = :table AND table_schema = COALESCE(:schema, DATABASE())
"""


def qualify_window_columns(query: exp.Expr) -> None:
    """`SELECT x AS rank, SUM(y) OVER (ORDER BY rank) FROM recs` → `... OVER (ORDER BY recs.rank) ...`.

    MySQL reads a bare name in a window as the new column of the same SELECT.
    """
    for select in tree.find(query, exp.Select):
        source = select.args.get("from_")
        if source is None or select.args.get("joins"):
            continue
        for window in [window for expression in select.expressions for window in tree.find(expression, exp.Window)]:
            for column in tree.find(window, exp.Column):
                if not column.table:
                    column.set("table", exp.to_identifier(source.this.alias_or_name, quoted=True))


def _lock(table: exp.Table) -> tuple[model.Statements, model.Statements]:
    """A lock by the table's name, from before the transaction until after it: other jobs wait, for up to a year.

    Rows that are not there yet cannot be locked, or both jobs lock the gap, and one of them ends in a deadlock.
    """
    database = tree.fill("COALESCE(:name, '')", name=exp.Anonymous(this="DATABASE"))
    schema = exp.Literal.string(table.db) if table.db else database
    name = tree.fill("MD5(CONCAT(:schema, :table))", "mysql", schema=schema, table=exp.Literal.string(f".{table.name}"))
    lock = tree.fill("SELECT GET_LOCK(:name, :seconds)", name=name, seconds=tree.literal(SECONDS_OF_YEAR))
    return [lock, "START TRANSACTION"], ["COMMIT", tree.fill("SELECT RELEASE_LOCK(:name)", name=name)]


DIALECT = model.Dialect(
    called="MySQL",
    rewrites=(
        rewrites.union_grouping_sets,
        rewrites.replace_filters,
        rewrites.cast_divisions,
        rewrites.coalesce_extremes,
        rewrites.drop_nan_tests,
        rewrites.replace_infinity,
        rewrites.replace_values,
        rewrites.drop_materialized,
        qualify_window_columns,
        rewrites.round_to_single,
        rewrites.cast_counts,
        partial(rewrites.collate_text, collation="utf8mb4_bin", charset="utf8mb4"),
    ),
    lacks=model.median_lacks("it has no such aggregate"),
    names=model.Names(longest=64),
    max_steps=64,
    writes=model.Writes(table="drop", begin=("START TRANSACTION",), lock=_lock, has_temporary_tables=False),
    ddl=model.Ddl("column"),
    drivers=(
        model.Driver("MySQLdb", "mysqlclient"),
        model.Driver("mariadb", "mariadb"),
        model.Driver("mysql", "mysql-connector-python"),
        model.Driver("pymysql", extra="mysql"),
    ),
    vendors=("mariadb", "mysql"),
    sqlalchemy={"mariadb": "pymysql", "mysql": "pymysql"},
    catalog=model.CatalogQueries(tables=f"{model.TABLES} WHERE table_schema = DATABASE()", definition=DEFINITION),
)
