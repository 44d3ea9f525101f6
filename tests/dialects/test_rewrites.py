"""Each rewrite, before and after, on the smallest query that needs it."""

from __future__ import annotations

from functools import partial

import pytest
import sqlglot
from sqlglot import exp

import rankmetrics as rm
from rankmetrics.dialects.model import Rewrite
from rankmetrics.dialects.rewrites import aggregates, clauses, names, numbers
from rankmetrics.sqltree import tree

CASES: list[tuple[Rewrite, str, str]] = [
    # numbers
    (numbers.cast_divisions, "SELECT a / b", "SELECT CAST(a AS DOUBLE) / b"),
    (numbers.cast_divisions, "SELECT LN(a) / b", "SELECT LN(a) / b"),
    (numbers.cast_powers, "SELECT POWER(2, x)", "SELECT POWER(CAST(2 AS DOUBLE), x)"),
    (numbers.bound_powers, "SELECT POWER(0.85, x)", "SELECT POWER(0.85, LEAST(x, 4356))"),
    (numbers.bound_powers, "SELECT POWER(2, x)", "SELECT POWER(2, x)"),
    (numbers.name_powers, "SELECT POW(2, POW(x, 3))", "SELECT POWER(2, POWER(x, 3))"),
    (
        numbers.round_to_single,
        "SELECT CAST(x AS REAL)",
        (
            "SELECT CASE WHEN ABS(CAST(x AS DOUBLE)) < CAST(1e+290 AS DOUBLE) THEN CAST(x AS DOUBLE) * 536870913 "
            "- (CAST(x AS DOUBLE) * 536870913 - CAST(x AS DOUBLE)) ELSE CAST(x AS DOUBLE) END"
        ),
    ),
    (numbers.coalesce_extremes, "SELECT LEAST(a, b)", "SELECT COALESCE(LEAST(a, b), a, b)"),
    (numbers.coalesce_extremes, "SELECT GREATEST(1, 2)", "SELECT GREATEST(1, 2)"),
    (
        numbers.use_is_nan,
        "SELECT NULLIF(x, CAST('NaN' AS DOUBLE))",
        "SELECT CASE WHEN IS_NAN(x) THEN NULL ELSE x END",
    ),
    (numbers.drop_nan_tests, "SELECT NULLIF(x, CAST('NaN' AS DOUBLE)), NULLIF(y, 0)", "SELECT x, NULLIF(y, 0)"),
    (
        numbers.compare_nan_both_ways,
        "SELECT NULLIF(x, CAST('NaN' AS DOUBLE))",
        "SELECT CASE WHEN x = x AND x <> CAST('NaN' AS DOUBLE) THEN x END",
    ),
    (numbers.write_infinity_as_number, "SELECT CAST('Infinity' AS DOUBLE)", "SELECT 9e999"),
    (numbers.replace_infinity, "SELECT CAST('Infinity' AS DOUBLE)", "SELECT NULL"),
    # aggregates
    (aggregates.replace_filters, "SELECT SUM(x) FILTER(WHERE c)", "SELECT SUM(CASE WHEN c THEN x END)"),
    (aggregates.replace_filters, "SELECT COUNT(*) FILTER(WHERE c)", "SELECT COUNT(CASE WHEN c THEN 1 END)"),
    (
        aggregates.replace_filters,
        "SELECT COUNT(DISTINCT x) FILTER(WHERE c)",
        "SELECT COUNT(DISTINCT CASE WHEN c THEN x END)",
    ),
    (
        aggregates.replace_plain_filters,
        "SELECT SUM(x) FILTER(WHERE c), COUNT(DISTINCT x) FILTER(WHERE c)",
        "SELECT SUM(CASE WHEN c THEN x END), COUNT(DISTINCT x) FILTER(WHERE c)",
    ),
    (
        aggregates.write_percentile_disc,
        "SELECT QUANTILE_DISC(x, 0.5)",
        "SELECT PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY x)",
    ),
    (
        aggregates.use_exact_quantiles,
        "SELECT MEDIAN(x), QUANTILE_DISC(x, 0.5)",
        "SELECT QUANTILEEXACTINCLUSIVE(0.5)(x), QUANTILEEXACTLOW(0.5)(x)",
    ),
    (partial(aggregates.rename_deviation, name="STDEV"), "SELECT STDDEV_SAMP(x)", "SELECT STDEV(x)"),
    (
        aggregates.cast_counts,
        "SELECT COUNT(*), ROW_NUMBER() OVER (ORDER BY x), SUM(CASE WHEN c THEN 1 END)",
        (
            "SELECT CAST(COUNT(*) AS BIGINT), CAST(ROW_NUMBER() OVER (ORDER BY x NULLS LAST) AS BIGINT), "
            "SUM(CASE WHEN c THEN CAST(1 AS BIGINT) END)"
        ),
    ),
    (
        partial(aggregates.partition_by_text, columns=("x",)),
        "SELECT SUM(y) OVER (PARTITION BY a, x)",
        "SELECT SUM(y) OVER (PARTITION BY a, CAST(x AS TEXT))",
    ),
    # names
    (names.make_names_plain, 'SELECT a AS "ndcg@10"', 'SELECT a AS "ndcg_at_10"'),
    (
        partial(names.fold_names, to="upper", kept=("user",)),
        'SELECT "user", AVG(x) AS ndcg_at_10',
        'SELECT "user", AVG(X) AS NDCG_AT_10',
    ),
    (
        partial(names.shorten_names, longest=20),
        'SELECT a AS "precision(divisor=list)@10"',
        'SELECT a AS "precision(d_4eb0854f"',
    ),
    (names.qualify_columns_named_as_tables, "SELECT hits, x FROM hits", 'SELECT "hits".hits, x FROM hits'),
    (
        names.qualify_window_columns,
        "SELECT SUM(y) OVER (ORDER BY rank) FROM recs",
        'SELECT SUM("recs".y) OVER (ORDER BY "recs".rank NULLS LAST) FROM recs',
    ),
    (names.name_qualified_columns, "SELECT lists.a, b FROM lists", 'SELECT lists.a AS "a", b FROM lists'),
    # clauses
    (
        clauses.replace_values,
        "SELECT * FROM (VALUES (1), (2)) AS cutoffs(k)",
        'SELECT * FROM (SELECT 1 AS "k" UNION ALL SELECT 2 AS "k") AS cutoffs',
    ),
    (
        clauses.drop_materialized,
        "WITH hits AS MATERIALIZED (SELECT 1) SELECT * FROM hits",
        "WITH hits AS (SELECT 1) SELECT * FROM hits",
    ),
    (
        partial(clauses.nest_steps, most=1),
        "WITH a AS (SELECT 1 AS x), b AS (SELECT x FROM a) SELECT x FROM b",
        "WITH b AS (WITH a AS (SELECT 1 AS x) SELECT x FROM a) SELECT x FROM b",
    ),
    (
        clauses.broadcast_cross_joins,
        "SELECT 1 FROM lists CROSS JOIN cutoffs",
        'SELECT /*+ BROADCAST("cutoffs") */ 1 FROM lists CROSS JOIN cutoffs',
    ),
    (partial(clauses.add_settings, join_use_nulls=1), "SELECT 1", "SELECT 1 SETTINGS join_use_nulls = 1"),
]


def _written(query: exp.Expr) -> str:
    """A query in sqlglot's own grammar, which has hints but no settings."""
    text = query.sql()
    if settings := query.args.get("settings"):
        text += f" SETTINGS {', '.join(one.sql() for one in settings)}"
    return text


@pytest.mark.parametrize(("rewrite", "before", "after"), CASES, ids=lambda one: one if isinstance(one, str) else "")
def test_a_rewrite_makes_of_a_query_what_its_databases_read(rewrite: Rewrite, before: str, after: str) -> None:
    query = sqlglot.parse_one(before, read="duckdb")
    for node in tree.find(query, exp.Least, exp.Greatest):
        node.set("ignore_nulls", None)  # DuckDB's ignore NULLs, which sqlglot's own grammar cannot write
    rewrite(query)
    assert _written(query) == after


def test_texts_are_collated_where_they_are_known_as_texts() -> None:
    query = sqlglot.parse_one("SELECT item, user FROM recs ORDER BY item", read="duckdb")
    for column in query.find_all(exp.Column):
        column.type = exp.DataType(this=exp.DType.TEXT) if column.name == "item" else None
    clauses.collate_text(query, collation="C")
    assert query.sql() == 'SELECT item COLLATE "C" AS "item", user FROM recs ORDER BY item COLLATE "C" NULLS LAST'


def test_zero_is_added_to_scores_alone() -> None:
    query = sqlglot.parse_one("SELECT 1 FROM recs ORDER BY score, item", read="duckdb")
    for column in query.find_all(exp.Column):
        column.type = exp.DataType(this=exp.DType.DOUBLE) if column.name == "score" else None
    numbers.add_zero_to_scores(query)
    assert "ORDER BY (score + CAST(0 AS DOUBLE))" in query.sql()


def test_a_division_of_doubles_gets_no_second_cast() -> None:
    query = sqlglot.parse_one("SELECT LN(a) / LN(b), c / d", read="duckdb")
    numbers.mark_double_divisions(query)
    assert query.sql("postgres") == "SELECT LN(a) / LN(b), CAST(c AS DOUBLE PRECISION) / d"


def test_bigquery_partitions_popularities_by_their_text() -> None:
    """The column is named in `bigquery.py`: where `sql/` calls it otherwise, BigQuery would refuse the query."""
    asked = {"history": "db.history", "lists": "user", "truth_columns": rm.Columns(item="item")}
    text = rm.to_sql("db.recs", "db.truth", "n_long_tail@10", dialect="bigquery", **asked)  # type: ignore[arg-type]
    assert "CAST(`n_users` AS STRING)" in text
