"""Snowflake."""

from __future__ import annotations

from rankmetrics.dialects import guards, table_storage
from rankmetrics.dialects.catalogs import TABLES, describe_table
from rankmetrics.dialects.model import Catalog, Ddl, Dialect, Driver, Names, Writes
from rankmetrics.dialects.rewrites import aggregates, clauses, numbers

DIALECT = Dialect(
    called="Snowflake",
    documentation="https://docs.snowflake.com/en/sql-reference",
    tried="imitated",
    tried_with="fakesnow",
    rewrites=(
        aggregates.replace_filters,
        numbers.round_to_single,
        numbers.cast_divisions,
        clauses.drop_materialized,
    ),
    names=Names(longest=255, folds_to="upper"),
    ddl=Ddl("column", table_storage.clustered),
    writes=Writes(begin=("BEGIN TRANSACTION",)),
    drivers=(
        Driver("adbc_driver_snowflake", "adbc-driver-snowflake"),
        Driver("fakesnow", "fakesnow"),
        Driver("snowflake", "snowflake-connector-python"),
    ),
    vendors=("snowflake",),
    sqlalchemy={"snowflake": "snowflake-sqlalchemy"},
    catalog=Catalog(describe_table, tables=TABLES),
    raise_error=guards.cast_to_number,
    dbt_adapters=("snowflake",),
    facts={
        "WITH": "yes",
        "windows, ROWS": "yes",
        "NULLs in an order": "said",
        "a name that is column and alias": "[column](https://dwh.dev/blog/reusing-column-aliases)",
        "a name that is column and table": "column",
        "whole / whole": "[decimal](https://docs.snowflake.com/en/sql-reference/operators-arithmetic)",
        "POWER, LN, EXP": "double",
        "LEAST of a NULL": "[own function](https://docs.snowflake.com/en/sql-reference/functions/least_ignore_nulls)",
        "NaN = NaN": "[true](https://docs.snowflake.com/en/sql-reference/data-types-numeric)",
        "sample deviation": "[STDDEV_SAMP](https://docs.snowflake.com/en/sql-reference/functions-aggregation)",
        "median": "[MEDIAN](https://docs.snowflake.com/en/sql-reference/functions-aggregation)",
        "PERCENTILE_DISC": "[yes](https://docs.snowflake.com/en/sql-reference/functions/percentile_disc)",
        "rows of numbers": "VALUES",
        "double is": "[DOUBLE](https://docs.snowflake.com/en/sql-reference/data-types-numeric)",
        "names": "[255, case kept](https://docs.snowflake.com/en/sql-reference/identifiers-syntax)",
        "text compared": "bytes",
        "INSERT of a WITH": "yes",
        "limits": "[1 MB of text](https://docs.snowflake.com/en/user-guide/query-size-limits)",
    },
    notes=(
        "fakesnow reads Snowflake's SQL and lets DuckDB compute: it tries names and steps, but neither decimals nor "
        "the case of names. LEAST and GREATEST are LEAST_IGNORE_NULLS and GREATEST_IGNORE_NULLS."
    ),
)
