"""Trino."""

from __future__ import annotations

from functools import partial

from rankmetrics.dialects import model, rewrites

DIALECT = model.Dialect(
    called="Trino",
    rewrites=(rewrites.coalesce_extremes, rewrites.use_is_nan, rewrites.drop_materialized),
    lacks=model.median_lacks("its percentiles are estimates"),
    names=model.Names(folds_to="lower"),
    ddl=model.Ddl("column"),
    writes=model.Writes(
        table="drop",
        begin=(),
        commit="",
        note=f"Trino runs each statement by itself: if one fails, run all of them again. {model.ONE_JOB}",
        has_temporary_tables=False,
    ),
    drivers=(model.Driver("trino", "trino"),),
    sqlalchemy={"trino": "trino[sqlalchemy]"},
    catalog=model.CatalogQueries(),
    unnest=(
        "SELECT source.*, spread.place, spread.element FROM source "
        "LEFT JOIN UNNEST(source.listed) WITH ORDINALITY AS spread(element, place) ON TRUE"
    ),
    raise_error=partial(model.call_to_raise, "fail"),
    dbt_adapters=("trino",),
)
