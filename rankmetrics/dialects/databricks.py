"""Databricks: Spark's SQL, with plainer names."""

from __future__ import annotations

from dataclasses import replace

from rankmetrics.dialects import spark
from rankmetrics.dialects.model import Ddl, Driver, Names, Writes, cluster_by

DIALECT = replace(
    spark.DIALECT,
    called="Databricks",
    names=Names(longest=255, are_plain=True),
    ddl=Ddl("column", cluster_by),
    writes=Writes("replace where", begin=(), commit="", has_temporary_tables=False),
    drivers=(Driver("databricks", "databricks-sql-connector"), *spark.DIALECT.drivers),
    vendors=("databricks",),
    addresses=(),
    sqlalchemy={"databricks": "databricks-sqlalchemy"},
    ibis_backend="",
    dbt_adapters=("databricks",),
)
