"""Databricks: Spark's SQL, with plainer names."""

from __future__ import annotations

from functools import partial

from rankmetrics.dialects import guards, table_storage
from rankmetrics.dialects.catalogs import describe_table
from rankmetrics.dialects.model import Catalog, Ddl, Dialect, Driver, Names, Writes
from rankmetrics.dialects.rewrites import aggregates, clauses

DIALECT = Dialect(
    called="Databricks",
    documentation="https://docs.databricks.com/aws/en/sql/language-manual",
    rewrites=(
        aggregates.write_percentile_disc,
        clauses.broadcast_cross_joins,
        clauses.drop_materialized,
    ),
    names=Names(longest=255, are_plain=True),
    writes=Writes("replace where", begin=(), commit="", has_temporary_tables=False),
    ddl=Ddl("column", table_storage.clustered),
    drivers=(Driver("databricks", "databricks-sql-connector"), Driver("pyspark", "rankmetrics[spark]")),
    vendors=("databricks",),
    sqlalchemy={"databricks": "databricks-sqlalchemy"},
    catalog=Catalog(describe_table),
    raise_error=partial(guards.call, "raise_error"),
    dbt_adapters=("databricks",),
    facts={
        "WITH": "yes",
        "windows, ROWS": "yes",
        "NULLs in an order": "said",
        "a name that is column and alias": (
            "[column](https://docs.databricks.com/sql/language-manual/sql-ref-name-resolution.html)"
        ),
        "a name that is column and table": (
            "[column](https://docs.databricks.com/sql/language-manual/sql-ref-name-resolution.html)"
        ),
        "whole / whole": "float",
        "POWER, LN, EXP": "double",
        "LEAST of a NULL": "[passed over](https://docs.databricks.com/sql/language-manual/functions/greatest.html)",
        "NaN = NaN": (
            "[true](https://docs.databricks.com/sql/language-manual/data-types/special-floating-point-values.html)"
        ),
        "sample deviation": "STDDEV_SAMP",
        "median": "MEDIAN",
        "PERCENTILE_DISC": "yes",
        "rows of numbers": "VALUES",
        "double is": "[DOUBLE](https://docs.databricks.com/sql/language-manual/functions/double.html)",
        "aggregate FILTER": "yes",
        "names": "[no case](https://docs.databricks.com/sql/language-manual/sql-ref-identifiers.html)",
        "text compared": "bytes",
        "INSERT of a WITH": "yes",
    },
    notes=(
        "Texts are as Spark's, which the tests run, apart from the names of columns: without column mapping, a table's "
        "columns cannot hold blanks, commas or brackets."
    ),
)
