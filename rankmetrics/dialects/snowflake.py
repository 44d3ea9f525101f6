"""Snowflake."""

from __future__ import annotations

from rankmetrics.dialects import model, rewrites

DIALECT = model.Dialect(
    called="Snowflake",
    rewrites=(rewrites.replace_filters, rewrites.round_to_single, rewrites.cast_divisions, rewrites.drop_materialized),
    names=model.Names(longest=255, folds_to="upper"),
    ddl=model.Ddl("column", model.cluster_by),
    writes=model.Writes(
        begin=("BEGIN TRANSACTION",), note=f"Snowflake locks no rows that are not there yet. {model.ONE_JOB}"
    ),
    drivers=(
        model.Driver("adbc_driver_snowflake", "adbc-driver-snowflake"),
        model.Driver("fakesnow", "fakesnow"),
        model.Driver("snowflake", "snowflake-connector-python"),
    ),
    vendors=("snowflake",),
    sqlalchemy={"snowflake": "snowflake-sqlalchemy"},
    catalog=model.CatalogQueries(tables=model.TABLES),
    raise_error=model.cast_to_raise,
    dbt_adapters=("snowflake",),
)
