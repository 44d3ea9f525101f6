"""Google BigQuery."""

from __future__ import annotations

from functools import partial

from sqlglot import exp

from rankmetrics.dialects import guards, table_storage
from rankmetrics.dialects.model import Catalog, Ddl, Dialect, Driver, Names, Writes, median_lacks
from rankmetrics.dialects.rewrites import aggregates, clauses, names, numbers, texts


def _select_columns(table: exp.Table) -> exp.Expr:
    """The columns by the catalogue of the table's dataset: BigQuery has one in each dataset."""
    catalogue = exp.Table(
        this=exp.Dot(this=exp.to_identifier("INFORMATION_SCHEMA"), expression=exp.to_identifier("COLUMNS")),
        db=exp.to_identifier(table.db),
        catalog=exp.to_identifier(table.catalog) if table.catalog else None,
    )
    where = exp.EQ(this=exp.column("table_name"), expression=exp.Literal.string(table.name))
    return exp.select("column_name", "data_type").from_(catalogue).where(where).order_by("ordinal_position")


DIALECT = Dialect(
    called="BigQuery",
    documentation="https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax",
    rewrites=(
        aggregates.replace_filters,
        numbers.coalesce_extremes,
        numbers.use_is_nan,
        names.qualify_columns_named_as_tables,
        numbers.round_to_single,
        partial(aggregates.partition_by_text, columns=("n_users", "score")),
        clauses.drop_materialized,
        texts.join_texts_of_array,
    ),
    lacks=median_lacks("its percentiles are window functions"),
    names=Names(longest=300, are_plain=True),
    ddl=Ddl("options", table_storage.partitioned_by_date),
    writes=Writes(begin=("BEGIN TRANSACTION",), commit="COMMIT TRANSACTION"),
    drivers=(Driver("google", "google-cloud-bigquery"),),
    sqlalchemy={"bigquery": "sqlalchemy-bigquery"},
    catalog=Catalog(_select_columns),
    raise_error=partial(guards.call, "ERROR"),
    dbt_adapters=("bigquery",),
    facts={
        "WITH": "[yes](https://github.com/google/zetasql/blob/master/docs/query-syntax.md)",
        "windows, ROWS": (
            "[not by a float](https://github.com/google/zetasql/blob/master/docs/window-function-calls.md)"
        ),
        "NULLs in an order": "[first](https://github.com/google/zetasql/blob/master/docs/data-types.md)",
        "a name that is column and alias": (
            "[error, if they differ](https://github.com/google/zetasql/blob/master/docs/query-syntax.md)"
        ),
        "a name that is column and table": (
            "[table](https://github.com/google/zetasql/blob/master/zetasql/analyzer/name_scope.h)"
        ),
        "whole / whole": "float",
        "POWER, LN, EXP": (
            "[double, 0 for the tiny](https://github.com/google/zetasql/blob/master/docs/mathematical_functions.md)"
        ),
        "LEAST of a NULL": "[NULL](https://github.com/google/zetasql/blob/master/docs/mathematical_functions.md)",
        "NaN = NaN": "[IS_NAN](https://github.com/google/zetasql/blob/master/docs/mathematical_functions.md)",
        "sample deviation": "STDDEV_SAMP",
        "median": "[window only](https://cloud.google.com/bigquery/docs/reference/standard-sql/window-functions)",
        "PERCENTILE_DISC": (
            "[window only](https://cloud.google.com/bigquery/docs/reference/standard-sql/window-functions)"
        ),
        "rows of numbers": "[UNNEST](https://github.com/google/zetasql/blob/master/docs/query-syntax.md)",
        "double is": "[FLOAT64](https://github.com/google/zetasql/blob/master/docs/data-types.md)",
        "names": "[letters, digits, _; 300](https://cloud.google.com/bigquery/docs/schemas)",
        "text compared": "[bytes, unless collated](https://github.com/google/zetasql/blob/master/docs/data-types.md)",
        "INSERT of a WITH": "yes",
        "limits": "[1 MB of text](https://cloud.google.com/bigquery/quotas)",
    },
    notes=(
        "List columns must be whole numbers, text or dates, because BigQuery cannot partition a window by a "
        "floating-point number."
    ),
)
