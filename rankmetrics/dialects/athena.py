"""Amazon Athena: Trino's SQL, with plainer names."""

from __future__ import annotations

from dataclasses import replace

from rankmetrics.dialects import trino
from rankmetrics.dialects.model import CatalogQueries, Ddl, Driver, Names, select_columns

DIALECT = replace(
    trino.DIALECT,
    called="Athena",
    names=Names(are_plain=True, folds_to="lower"),
    forms=trino.DIALECT.forms - {"ddl"},  # a table needs a place in S3
    ddl=Ddl(),
    writes=replace(
        trino.DIALECT.writes,
        note="Athena runs each statement by itself: if one fails, run all again. DELETE needs an Iceberg table.",
    ),
    drivers=(Driver("pyathena", "pyathena"),),
    sqlalchemy={"athena": "PyAthena[SQLAlchemy]", "awsathena": "PyAthena[SQLAlchemy]"},
    catalog=CatalogQueries(select_columns),
    unnest="",
    dbt_adapters=("athena",),
)
