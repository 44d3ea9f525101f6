"""Apache Spark."""

from __future__ import annotations

from functools import partial

from rankmetrics.dialects import guards, table_storage
from rankmetrics.dialects.catalogs import describe_table
from rankmetrics.dialects.model import Address, Catalog, Ddl, Dialect, Driver, Writes
from rankmetrics.dialects.rewrites import aggregates, clauses

DIALECT = Dialect(
    called="Spark",
    documentation="https://spark.apache.org/docs/latest/sql-ref.html",
    tried="run",
    tried_with="Spark 4",
    rewrites=(
        aggregates.write_percentile_disc,
        clauses.broadcast_cross_joins,
        clauses.drop_materialized,
    ),
    ddl=Ddl("column", table_storage.parquet_partitioned),
    writes=Writes(
        "overwrite",
        table="drop",
        begin=("SET spark.sql.sources.partitionOverwriteMode = dynamic",),
        commit="",
        note="The table must be partitioned by these columns. Spark replaces those of its partitions that get rows.",
        has_temporary_tables=False,
    ),
    drivers=(Driver("pyspark", "rankmetrics[spark]"),),
    addresses=(
        Address(
            "sc",
            "pyspark.sql",
            lambda spark, address: spark.SparkSession.builder.remote(address).getOrCreate(),
            extra="spark",
        ),
    ),
    catalog=Catalog(describe_table),
    ibis_backend="pyspark",
    raise_error=partial(guards.call, "raise_error"),
    dbt_adapters=("spark",),
    notes="[spark.md](spark.md) says how rankmetrics runs over DataFrames and on a cluster.",
)
