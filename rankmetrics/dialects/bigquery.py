"""Google BigQuery."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sqlglot import exp

from rankmetrics.dialects import model, rewrites
from rankmetrics.sqltree import tree


def _select_columns(table: exp.Table) -> exp.Expr:
    """The columns by the catalogue of the table's dataset."""
    catalogue = exp.Table(
        this=exp.Dot(this=exp.to_identifier("INFORMATION_SCHEMA"), expression=exp.to_identifier("COLUMNS")),
        db=exp.to_identifier(table.db),
        catalog=exp.to_identifier(table.catalog) if table.catalog else None,
    )
    where = exp.EQ(this=exp.column("table_name"), expression=exp.Literal.string(table.name))
    return exp.select("column_name", "data_type").from_(catalogue).where(where).order_by("ordinal_position")


def partition_by_text(query: exp.Expr, *, columns: tuple[str, ...]) -> None:
    """`PARTITION BY x` → `PARTITION BY CAST(x AS TEXT)`, for columns that hold floating-point numbers.

    BigQuery refuses to partition a window by a floating-point number.
    """
    for window in tree.find(query, exp.Window):
        keys = window.args.get("partition_by") or []
        window.set("partition_by", [exp.cast(key, exp.DType.TEXT) if key.name in columns else key for key in keys])


def qualify_columns_named_as_tables(query: exp.Expr) -> None:
    """`SELECT hits FROM hits` → `SELECT hits.hits FROM hits`.

    BigQuery reads a bare name that is also the table's name as the whole row.
    """
    for select in tree.find(query, exp.Select):
        source = select.args.get("from_")
        if source is not None and not select.args.get("joins"):
            for column in tree.find(select, exp.Column):
                if column.name == source.this.alias_or_name and not column.table and column.parent_select is select:
                    column.set("table", exp.to_identifier(column.name, quoted=True))


def join_texts_of_array(query: exp.Expr) -> None:
    """`CONCAT_WS(':', a, b)` → `ARRAY_TO_STRING([a, b], ':')`.

    BigQuery has no CONCAT_WS.
    """
    for node in tree.find(query, exp.ConcatWs):
        separator, *texts = node.expressions
        node.replace(exp.ArrayToString(this=exp.Array(expressions=texts), expression=separator))


def _partition_by_date(partition: Sequence[str], keys: Sequence[str], day: str | None) -> list[exp.Expr]:
    """PARTITION BY the column of dates, and CLUSTER BY the first four other keys."""
    dated = [] if day is None else [exp.PartitionedByProperty(this=exp.to_identifier(day, quoted=True))]
    return [*dated, *model.cluster_by(partition, [key for key in keys if key != day][:4], day)]


DIALECT = model.Dialect(
    called="BigQuery",
    rewrites=(
        rewrites.replace_filters,
        rewrites.coalesce_extremes,
        rewrites.use_is_nan,
        qualify_columns_named_as_tables,
        rewrites.round_to_single,
        partial(partition_by_text, columns=("n_users", "score")),
        rewrites.drop_materialized,
        join_texts_of_array,
    ),
    lacks=model.median_lacks("its percentiles are window functions"),
    names=model.Names(longest=300, are_plain=True),
    ddl=model.Ddl("options", _partition_by_date),
    writes=model.Writes(begin=("BEGIN TRANSACTION",), commit="COMMIT TRANSACTION"),
    drivers=(model.Driver("google", "google-cloud-bigquery"),),
    sqlalchemy={"bigquery": "sqlalchemy-bigquery"},
    catalog=model.CatalogQueries(_select_columns),
    raise_error=partial(model.call_to_raise, "ERROR"),
    dbt_adapters=("bigquery",),
)
