"""Amazon Athena: Trino's SQL, with plainer names."""

from __future__ import annotations

from dataclasses import replace

from rankmetrics.dialects import model, trino

DIALECT = replace(
    trino.DIALECT,
    called="Athena",
    names=model.Names(are_plain=True, folds_to="lower"),
    forms=trino.DIALECT.forms - {"ddl"},  # a table needs a place in S3
    ddl=model.Ddl(),
    writes=replace(
        trino.DIALECT.writes,
        note="Athena runs each statement by itself: if one fails, run all again. DELETE needs an Iceberg table. "
        + model.ONE_JOB,
    ),
    drivers=(model.Driver("pyathena", "pyathena"),),
    sqlalchemy={"athena": "PyAthena[SQLAlchemy]", "awsathena": "PyAthena[SQLAlchemy]"},
    catalog=model.CatalogQueries(model.select_columns),
    unnest="",
    dbt_adapters=("athena",),
)
