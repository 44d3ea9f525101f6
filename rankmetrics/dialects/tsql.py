"""Microsoft SQL Server, Azure SQL and Fabric."""

from __future__ import annotations

from functools import partial

from rankmetrics.dialects import guards
from rankmetrics.dialects.catalogs import TABLES, select_columns
from rankmetrics.dialects.model import Catalog, Ddl, Dialect, Driver, Names, Writes, median_lacks
from rankmetrics.dialects.rewrites import aggregates, clauses, numbers, texts

DIALECT = Dialect(
    called="SQL Server",
    documentation="https://learn.microsoft.com/en-us/sql/t-sql/language-reference",
    rewrites=(
        aggregates.replace_filters,
        numbers.cast_powers,
        numbers.drop_nan_tests,
        numbers.replace_infinity,
        partial(aggregates.rename_deviation, name="STDEV"),
        clauses.drop_materialized,
        numbers.round_to_single,
        texts.write_md5_as_text,
        partial(clauses.collate_text, collation="Latin1_General_100_BIN2_UTF8"),
    ),
    lacks=median_lacks("its percentiles are window functions"),
    names=Names(longest=128),
    ddl=Ddl(if_not_exists=False),
    writes=Writes(
        table="drop in transaction",
        begin=("SET XACT_ABORT ON", "BEGIN TRANSACTION"),
        commit="COMMIT TRANSACTION",
    ),
    drivers=(Driver("mssql_python", "mssql-python"), Driver("pymssql", "pymssql")),
    vendors=("microsoft sql server",),
    sqlalchemy={"mssql": "pyodbc"},
    catalog=Catalog(select_columns, tables=TABLES),
    ibis_backend="mssql",
    raise_error=guards.cast_to_number,
    dbt_adapters=("fabric", "sqlserver"),
    facts={
        "WITH": "[yes](https://learn.microsoft.com/en-us/sql/t-sql/queries/with-common-table-expression-transact-sql)",
        "windows, ROWS": "[yes](https://learn.microsoft.com/en-us/sql/t-sql/queries/select-over-clause-transact-sql)",
        "NULLs in an order": "by CASE",
        "a name that is column and alias": "column",
        "a name that is column and table": "column",
        "whole / whole": "[whole](https://learn.microsoft.com/en-us/sql/t-sql/language-elements/divide-transact-sql)",
        "POWER, LN, EXP": (
            "[of the base's type](https://learn.microsoft.com/en-us/sql/t-sql/functions/power-transact-sql), "
            "[LOG](https://learn.microsoft.com/en-us/sql/t-sql/functions/log-transact-sql)"
        ),
        "LEAST of a NULL": (
            "[passed over](https://learn.microsoft.com/en-us/sql/t-sql/functions/logical-functions-least-transact-sql)"
        ),
        "NaN = NaN": "no NaN",
        "sample deviation": "[STDEV](https://learn.microsoft.com/en-us/sql/t-sql/functions/stdev-transact-sql)",
        "median": "[window only](https://learn.microsoft.com/en-us/sql/t-sql/functions/percentile-disc-transact-sql)",
        "PERCENTILE_DISC": (
            "[window only](https://learn.microsoft.com/en-us/sql/t-sql/functions/percentile-disc-transact-sql)"
        ),
        "rows of numbers": (
            "[VALUES](https://learn.microsoft.com/en-us/sql/t-sql/queries/table-value-constructor-transact-sql)"
        ),
        "double is": "[FLOAT](https://learn.microsoft.com/en-us/sql/t-sql/data-types/float-and-real-transact-sql)",
        "names": "[128](https://learn.microsoft.com/en-us/sql/relational-databases/databases/database-identifiers)",
        "text compared": (
            "[blanks at the end do not count]"
            "(https://learn.microsoft.com/en-us/sql/t-sql/language-elements/string-comparison-assignment)"
        ),
        "INSERT of a WITH": (
            "[WITH first]"
            "(https://learn.microsoft.com/en-us/sql/t-sql/queries/with-common-table-expression-transact-sql)"
        ),
    },
    notes=(
        "LEAST and GREATEST are there from SQL Server 2022 and in Azure. By default, `A` equals `a`; blanks at the end "
        "of text never count. A statement before the WITH must end in a semicolon, and a view is made by a batch of "
        "its own. SQL Server computes a CTE anew for each reader."
    ),
)
