"""Trino."""

from __future__ import annotations

from functools import partial

from rankmetrics.dialects import rewrites
from rankmetrics.dialects.model import (
    CatalogQueries,
    Ddl,
    Dialect,
    Driver,
    Names,
    Writes,
    call_to_raise,
    describe_table,
    median_lacks,
)

DIALECT = Dialect(
    called="Trino",
    rewrites=(rewrites.coalesce_extremes, rewrites.use_is_nan, rewrites.drop_materialized),
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
    catalog=CatalogQueries(describe_table),
    unnest=(
        "SELECT source.*, spread.place, spread.element FROM source "
        "LEFT JOIN UNNEST(source.listed) WITH ORDINALITY AS spread(element, place) ON TRUE"
    ),
    raise_error=partial(call_to_raise, "fail"),
    dbt_adapters=("trino",),
)
