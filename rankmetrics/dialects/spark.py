"""Apache Spark."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sqlglot import exp

from rankmetrics.dialects import model, rewrites
from rankmetrics.sqltree import tree


def write_percentile_disc(query: exp.Expr) -> None:
    """`QUANTILE_DISC(x, 0.5)` → `PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY x NULLS FIRST)`.

    sqlglot would write an approximate quantile for Spark and Databricks.
    """
    for node in tree.find(query, exp.PercentileDisc):
        order = exp.Order(expressions=[exp.Ordered(this=node.this.copy(), nulls_first=True)])
        quantile = exp.Anonymous(this="PERCENTILE_DISC", expressions=[node.expression.copy()])
        node.replace(exp.WithinGroup(this=quantile, expression=order))


def broadcast_cross_joins(query: exp.Expr) -> None:
    """`SELECT ... FROM lists CROSS JOIN cutoffs` → `SELECT /*+ BROADCAST(cutoffs) */ ...`.

    Spark and Databricks cannot know that the table crossed with every list has only a few rows.
    """
    for select in tree.find(query, exp.Select):
        crossed = [join.this for join in select.args.get("joins") or [] if join.kind == "CROSS"]
        tables = [exp.to_identifier(join.alias_or_name, quoted=True) for join in crossed if isinstance(join, exp.Table)]
        if tables:
            hint = exp.Anonymous(this="BROADCAST", expressions=tables)
            select.set("hint", exp.Hint(expressions=[hint]))


def _partition_parquet(partition: Sequence[str], keys: Sequence[str], day: str | None) -> list[exp.Expr]:
    """USING PARQUET PARTITIONED BY the columns of the partitions: INSERT OVERWRITE replaces such partitions."""
    columns = [exp.to_identifier(name, quoted=True) for name in partition]
    partitioned = [exp.PartitionedByProperty(this=exp.Schema(expressions=columns))] if columns else []
    return [exp.FileFormatProperty(this=exp.var("PARQUET")), *partitioned]


DIALECT = model.Dialect(
    called="Spark",
    rewrites=(write_percentile_disc, broadcast_cross_joins, rewrites.drop_materialized),
    ddl=model.Ddl("column", _partition_parquet),
    writes=model.Writes(
        "overwrite",
        table="drop",
        begin=("SET spark.sql.sources.partitionOverwriteMode = dynamic",),
        commit="",
        note="The table must be partitioned by these columns. Spark replaces those of its partitions that get rows. "
        + model.ONE_JOB,
        has_temporary_tables=False,
    ),
    drivers=(
        model.Driver(
            "pyspark",
            extra="spark",
            schemes=("sc",),
            open=lambda pyspark, address: pyspark.sql.SparkSession.builder.remote(address).getOrCreate(),
        ),
    ),
    catalog=model.CatalogQueries(),
    unnest=(
        "SELECT *, elements + 1 AS place FROM source LATERAL VIEW OUTER POSEXPLODE(listed) spread AS elements, element"
    ),
    ibis_backend="pyspark",
    raise_error=partial(model.call_to_raise, "raise_error"),
    dbt_adapters=("spark",),
)
