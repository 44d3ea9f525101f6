"""Amazon Redshift."""

from __future__ import annotations

from rankmetrics.dialects import guards, table_storage
from rankmetrics.dialects.catalogs import TABLES, select_columns
from rankmetrics.dialects.model import Catalog, Ddl, Dialect, Driver, Names, Writes, median_lacks
from rankmetrics.dialects.rewrites import aggregates, clauses, numbers

DIALECT = Dialect(
    called="Redshift",
    documentation="https://docs.aws.amazon.com/redshift/latest/dg/cm_chap_SQLCommandRef.html",
    rewrites=(
        aggregates.replace_filters,
        numbers.bound_powers,
        numbers.name_powers,
        numbers.compare_nan_both_ways,
        clauses.replace_values,
        clauses.drop_materialized,
    ),
    lacks=median_lacks("all medians of a query would have to be of one value"),
    names=Names(longest=127, in_bytes=True, folds_to="lower"),
    ddl=Ddl("statement", table_storage.sorted_by_key),
    writes=Writes(table="drop in transaction"),
    drivers=(Driver("redshift_connector", "redshift_connector"),),
    vendors=("redshift",),
    sqlalchemy={"redshift": "sqlalchemy-redshift redshift_connector"},
    catalog=Catalog(select_columns, tables=TABLES),
    error_ends_transaction=True,
    raise_error=guards.cast_to_number,
    dbt_adapters=("redshift",),
    facts={
        "WITH": "[yes](https://docs.aws.amazon.com/redshift/latest/dg/r_WITH_clause.html)",
        "windows, ROWS": "[yes](https://docs.aws.amazon.com/redshift/latest/dg/r_Window_function_synopsis.html)",
        "NULLs in an order": (
            "[last, said](https://docs.aws.amazon.com/redshift/latest/dg/r_Window_function_synopsis.html)"
        ),
        "a name that is column and alias": (
            "[column](https://docs.aws.amazon.com/redshift/latest/dg/r_SELECT_list.html)"
        ),
        "a name that is column and table": "column",
        "whole / whole": "[whole](https://docs.aws.amazon.com/redshift/latest/dg/r_numeric_computations201.html)",
        "POWER, LN, EXP": "[LN not of a decimal](https://docs.aws.amazon.com/redshift/latest/dg/r_LN.html)",
        "LEAST of a NULL": "[passed over](https://docs.aws.amazon.com/redshift/latest/dg/r_GREATEST_LEAST.html)",
        "NaN = NaN": "not found",
        "sample deviation": "[STDDEV_SAMP](https://docs.aws.amazon.com/redshift/latest/dg/r_STDDEV_functions.html)",
        "median": "[one value a query](https://docs.aws.amazon.com/redshift/latest/dg/r_MEDIAN.html)",
        "PERCENTILE_DISC": "[window only](https://docs.aws.amazon.com/redshift/latest/dg/r_WF_PERCENTILE_DISC.html)",
        "rows of numbers": "UNION ALL",
        "double is": "[DOUBLE PRECISION](https://docs.aws.amazon.com/redshift/latest/dg/r_Numeric_types201.html)",
        "names": "[127, lower case](https://docs.aws.amazon.com/redshift/latest/dg/r_names.html)",
        "text compared": (
            "[blanks at the end do not count](https://docs.aws.amazon.com/redshift/latest/dg/r_Character_types.html)"
        ),
        "INSERT of a WITH": "[yes](https://docs.aws.amazon.com/redshift/latest/dg/r_WITH_clause.html)",
    },
    notes="Names lose their capitals, quotes or not. Blanks at the end of text do not count when it is compared.",
)
