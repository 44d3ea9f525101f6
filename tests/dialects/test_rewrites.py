"""Rewrites that no small query of `tests/golden/rewrites` shows."""

from __future__ import annotations

import sqlglot

import rankmetrics as rm
from rankmetrics.dialects import rewrites


def test_steps_are_nested_where_a_with_takes_fewer() -> None:
    query = sqlglot.parse_one("WITH a AS (SELECT 1 AS x), b AS (SELECT x FROM a) SELECT x FROM b", read="duckdb")
    rewrites.nest_steps(query, most=1)
    assert query.sql() == "WITH b AS (WITH a AS (SELECT 1 AS x) SELECT x FROM a) SELECT x FROM b"


def test_bigquery_partitions_popularities_by_their_text() -> None:
    """The column is named in `bigquery.py`: where `sql/` calls it otherwise, BigQuery would refuse the query."""
    asked = {"history": "db.history", "lists": "user", "truth_columns": rm.Columns(item="item")}
    text = rm.to_sql("db.recs", "db.truth", "n_long_tail@10", dialect="bigquery", **asked)  # type: ignore[arg-type]
    assert "CAST(`n_users` AS STRING)" in text
