"""Snowflake."""

from __future__ import annotations

from rankmetrics.dialects import rewrites
from rankmetrics.dialects.model import (
    TABLES,
    CatalogQueries,
    Ddl,
    Dialect,
    Driver,
    Names,
    Writes,
    cast_to_raise,
    cluster_by,
    describe_table,
)

DIALECT = Dialect(
    called="Snowflake",
    rewrites=(
        rewrites.replace_filters,
        rewrites.round_to_single,
        rewrites.cast_divisions,
        rewrites.drop_materialized,
    ),
    names=Names(longest=255, folds_to="upper"),
    ddl=Ddl("column", cluster_by),
    writes=Writes(begin=("BEGIN TRANSACTION",)),
    drivers=(
        Driver("adbc_driver_snowflake", "adbc-driver-snowflake"),
        Driver("fakesnow", "fakesnow"),
        Driver("snowflake", "snowflake-connector-python"),
    ),
    vendors=("snowflake",),
    sqlalchemy={"snowflake": "snowflake-sqlalchemy"},
    catalog=CatalogQueries(describe_table, tables=TABLES),
    raise_error=cast_to_raise,
    dbt_adapters=("snowflake",),
)
