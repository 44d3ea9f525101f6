"""Grammars that sqlglot does not have."""

from __future__ import annotations

from sqlglot.dialects.duckdb import DuckDB


class ExplicitDuckDB(DuckDB):
    """DuckDB's SQL that says where NULLs go in a descending order: Polars, which reads it too, has another default."""

    NULL_ORDERING = "nulls_are_large"
