"""MySQL, and MariaDB, which reads the same text."""

from __future__ import annotations

from functools import partial

from rankmetrics.dialects.catalogs import about, describe_table
from rankmetrics.dialects.model import Catalog, Ddl, Dialect, Driver, Names, Writes, median_lacks
from rankmetrics.dialects.rewrites import aggregates, clauses, names, numbers

KEYS = """
SELECT index_name, column_name FROM information_schema.statistics
WHERE non_unique = 0 AND table_name = :table AND table_schema = COALESCE(:schema, DATABASE())
UNION ALL
SELECT NULL, column_name FROM information_schema.columns
WHERE is_nullable = 'NO' AND table_name = :table AND table_schema = COALESCE(:schema, DATABASE())
"""

DIALECT = Dialect(
    called="MySQL",
    documentation="https://dev.mysql.com/doc/refman/8.0/en/sql-statements.html",
    tried="run",
    tried_with="MariaDB 10.11, in the place of MySQL 8, whose texts were only read",
    rewrites=(
        aggregates.replace_filters,
        numbers.cast_divisions,
        numbers.coalesce_extremes,
        numbers.drop_nan_tests,
        numbers.replace_infinity,
        clauses.replace_values,
        clauses.drop_materialized,
        names.qualify_window_columns,
        numbers.round_to_single,
        aggregates.cast_counts,
        partial(clauses.collate_text, collation="utf8mb4_bin", charset="utf8mb4"),
    ),
    lacks=median_lacks("it has no such aggregate"),
    names=Names(longest=64),
    max_steps=64,
    max_joined_tables=61,
    writes=Writes(table="drop", begin=("START TRANSACTION",), has_temporary_tables=False),
    ddl=Ddl("column"),
    drivers=(
        Driver("MySQLdb", "mysqlclient"),
        Driver("mariadb", "mariadb"),
        Driver("mysql", "mysql-connector-python"),
        Driver("pymysql", "rankmetrics[mysql]"),
    ),
    vendors=("mariadb", "mysql"),
    sqlalchemy={"mariadb": "pymysql", "mysql": "pymysql"},
    catalog=Catalog(
        describe_table,
        tables="SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()",
        keys=partial(about, KEYS, dialect="mysql"),
    ),
    facts={
        "WITH": "yes",
        "windows, ROWS": "yes",
        "NULLs in an order": "by CASE",
        "a name that is column and alias": "[column](https://dev.mysql.com/doc/refman/8.0/en/problems-with-alias.html)",
        "a name that is column and table": "column",
        "whole / whole": "decimal",
        "POWER, LN, EXP": "double",
        "LEAST of a NULL": "[NULL](https://dev.mysql.com/doc/refman/8.0/en/comparison-operators.html)",
        "NaN = NaN": "no NaN",
        "sample deviation": "STDDEV_SAMP",
        "median": "none",
        "PERCENTILE_DISC": "none",
        "rows of numbers": "UNION ALL",
        "double is": "[DOUBLE, 8.0.17](https://dev.mysql.com/doc/refman/8.0/en/cast-functions.html)",
        "names": "[64](https://dev.mysql.com/doc/refman/8.0/en/identifier-length.html)",
        "text compared": "[by collation](https://dev.mysql.com/doc/refman/8.0/en/charset-binary-collations.html)",
        "INSERT of a WITH": "yes",
        "limits": "61 tables a join",
    },
    notes=(
        "A cast to DOUBLE takes MySQL 8.0.17. MySQL numbers rows with "
        "[unsigned numbers](https://github.com/mysql/mysql-server/blob/8.0/sql/item_sum.h), and a difference of two "
        "that is below 0 is an [error](https://dev.mysql.com/doc/refman/8.0/en/out-of-range-and-overflow.html). By "
        "default, `A` equals `a`; blanks at the end of text never count."
    ),
)
