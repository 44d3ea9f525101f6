"""Amazon Athena: Trino's SQL, with plainer names."""

from __future__ import annotations

from functools import partial

from rankmetrics.dialects import guards
from rankmetrics.dialects.catalogs import select_columns
from rankmetrics.dialects.model import Catalog, Dialect, Driver, Names, Writes, median_lacks
from rankmetrics.dialects.rewrites import clauses, numbers

DIALECT = Dialect(
    called="Athena",
    documentation="https://docs.aws.amazon.com/athena/latest/ug/ddl-sql-reference.html",
    rewrites=(numbers.coalesce_extremes, numbers.use_is_nan, clauses.drop_materialized),
    lacks=median_lacks("its percentiles are estimates"),
    names=Names(are_plain=True, folds_to="lower"),
    forms=frozenset({"query", "cte", "view", "table", "incremental", "check", "script"}),  # a table needs a place in S3
    writes=Writes(
        table="drop",
        begin=(),
        commit="",
        note="Athena runs each statement by itself: if one fails, run all again. DELETE needs an Iceberg table.",
        has_temporary_tables=False,
    ),
    drivers=(Driver("pyathena", "pyathena"),),
    sqlalchemy={"athena": "PyAthena[SQLAlchemy]", "awsathena": "PyAthena[SQLAlchemy]"},
    catalog=Catalog(select_columns),
    raise_error=partial(guards.call, "fail"),
    dbt_adapters=("athena",),
    facts={
        "WITH": "[yes](https://docs.aws.amazon.com/athena/latest/ug/select.html)",
        "windows, ROWS": "[as Trino](https://docs.aws.amazon.com/athena/latest/ug/presto-functions.html)",
        "NULLs in an order": "last, said",
        "a name that is column and alias": "column",
        "a name that is column and table": "column",
        "whole / whole": "whole",
        "POWER, LN, EXP": "[double](https://docs.aws.amazon.com/athena/latest/ug/presto-functions.html)",
        "LEAST of a NULL": "NULL",
        "NaN = NaN": "is_nan",
        "sample deviation": "[stddev_samp](https://docs.aws.amazon.com/athena/latest/ug/presto-functions.html)",
        "median": "estimate only",
        "PERCENTILE_DISC": "none",
        "rows of numbers": "VALUES",
        "double is": "DOUBLE",
        "aggregate FILTER": "[yes](https://docs.aws.amazon.com/athena/latest/ug/presto-functions.html)",
        "names": (
            "[letters, digits, _](https://docs.aws.amazon.com/athena/latest/ug/tables-databases-columns-names.html)"
        ),
        "text compared": "bytes",
        "INSERT of a WITH": "[SELECT is documented](https://docs.aws.amazon.com/athena/latest/ug/insert-into.html)",
        "limits": "[262,144 bytes](https://docs.aws.amazon.com/athena/latest/ug/service-limits.html)",
    },
    notes=(
        "Athena turns all names into lower case. A query has at most 262,144 bytes. All metrics at three cutoffs fit, "
        "and so do the six usual ones at fifty; all metrics at twenty cutoffs do not: split them over several queries."
    ),
)
