"""Trino."""

from __future__ import annotations

from functools import partial

from rankmetrics.dialects import guards
from rankmetrics.dialects.catalogs import describe_table
from rankmetrics.dialects.model import Catalog, Ddl, Dialect, Driver, Names, Writes, median_lacks
from rankmetrics.dialects.rewrites import clauses, numbers

DIALECT = Dialect(
    called="Trino",
    documentation="https://trino.io/docs/current/sql.html",
    rewrites=(numbers.coalesce_extremes, numbers.use_is_nan, clauses.drop_materialized),
    lacks=median_lacks("its percentiles are estimates"),
    names=Names(folds_to="lower"),
    ddl=Ddl("column"),
    writes=Writes(
        table="drop",
        begin=(),
        commit="",
        note="Trino runs each statement by itself: if one fails, run all of them again.",
        has_temporary_tables=False,
    ),
    drivers=(Driver("trino", "trino"),),
    sqlalchemy={"trino": "trino[sqlalchemy]"},
    catalog=Catalog(describe_table),
    unnest=(
        "SELECT source.*, spread.place, spread.element FROM source "
        "LEFT JOIN UNNEST(source.listed) WITH ORDINALITY AS spread(element, place) ON TRUE"
    ),
    raise_error=partial(guards.call, "fail"),
    dbt_adapters=("trino",),
    facts={
        "WITH": "[written out](https://trino.io/docs/current/sql/select.html)",
        "windows, ROWS": "[yes](https://trino.io/docs/current/functions/window.html)",
        "NULLs in an order": "last, said",
        "a name that is column and alias": "[column](https://trino.io/docs/current/sql/select.html)",
        "a name that is column and table": "column",
        "whole / whole": "[whole](https://trino.io/docs/current/functions/math.html)",
        "POWER, LN, EXP": "[double](https://trino.io/docs/current/functions/math.html)",
        "LEAST of a NULL": "[NULL](https://trino.io/docs/current/functions/comparison.html)",
        "NaN = NaN": "[is_nan](https://trino.io/docs/current/functions/math.html)",
        "sample deviation": "[stddev_samp](https://trino.io/docs/current/functions/aggregate.html)",
        "median": "[estimate only](https://trino.io/docs/current/functions/aggregate.html)",
        "PERCENTILE_DISC": "none",
        "rows of numbers": "[VALUES](https://trino.io/docs/current/sql/values.html)",
        "double is": "[DOUBLE](https://trino.io/docs/current/language/types.html)",
        "aggregate FILTER": "[yes](https://trino.io/docs/current/functions/aggregate.html)",
        "names": "[no case](https://trino.io/docs/current/language/reserved.html)",
        "text compared": "[bytes](https://trino.io/docs/current/language/types.html)",
        "INSERT of a WITH": "yes",
        "limits": "[150 stages](https://trino.io/docs/current/admin/properties-query-management.html)",
    },
    notes=(
        "Names have no case, quotes or not. The columns of the result have the plain names that the Hive connector "
        "takes. Trino computes a CTE anew for each reader, and a query may have 150 stages unless "
        "`query.max-stage-count` says otherwise. With every CTE written out, the six usual metrics come to fewer than "
        "20 joins, groups and windows, and all metrics at three cutoffs to more than 150."
    ),
)
