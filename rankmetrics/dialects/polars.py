"""Polars' SQL, which is close to DuckDB's."""

from __future__ import annotations

from sqlglot import exp

from rankmetrics.dialects.grammars import ExplicitDuckDB
from rankmetrics.dialects.model import Dialect, Lack, Names, Writes
from rankmetrics.dialects.rewrites import aggregates, clauses

DIALECT = Dialect(
    called="Polars",
    documentation="https://docs.pola.rs/api/python/stable/reference/sql",
    grammar=ExplicitDuckDB,
    tried="run",
    tried_with="Polars 2.1",
    rewrites=(aggregates.replace_filters, clauses.drop_materialized),
    lacks=(
        Lack(
            exp.MD5,
            "the seeded hash of a split or a sample",
            "its SQL has no MD5",
            "Give the frames themselves, which DuckDB then reads, or take the text for duckdb.",
        ),
    ),
    names=Names(keep_labels=True),
    forms=frozenset({"query", "cte", "table", "check"}),
    writes=Writes(table="create"),
    notes="Polars computes over frames and files; there is nothing to connect to.",
)
