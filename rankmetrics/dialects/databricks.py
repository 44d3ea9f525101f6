"""Databricks: Spark's SQL, with plainer names."""

from __future__ import annotations

from dataclasses import replace

from rankmetrics.dialects import model, spark

DIALECT = replace(
    spark.DIALECT,
    called="Databricks",
    names=model.Names(longest=255, are_plain=True),
    ddl=model.Ddl("column", model.cluster_by),
    writes=model.Writes("replace where", begin=(), commit="", has_temporary_tables=False),
    drivers=(model.Driver("databricks", "databricks-sql-connector"), model.Driver("pyspark", extra="spark")),
    vendors=("databricks",),
    sqlalchemy={"databricks": "databricks-sqlalchemy"},
    ibis_backend="",
    dbt_adapters=("databricks",),
)
