"""Polars' SQL, which is close to DuckDB's."""

from __future__ import annotations

from sqlglot import exp

from rankmetrics.dialects import model, rewrites
from rankmetrics.dialects.duckdb import ExplicitDuckDB

DIALECT = model.Dialect(
    called="Polars",
    grammar=ExplicitDuckDB,
    rewrites=(rewrites.replace_filters, rewrites.drop_materialized),
    digits=(rewrites.divide_by_columns, rewrites.sum_in_any_order),
    lacks=(
        model.Lack(
            exp.MD5,
            "the seeded hash of a split or a sample",
            "its SQL has no MD5",
            "Give the frames themselves, which DuckDB then reads, or take the text for duckdb.",
        ),
    ),
    names=model.Names(keep_labels=True),
    forms=frozenset({"query", "cte", "table", "check"}),
    writes=model.Writes(table="create"),
)
