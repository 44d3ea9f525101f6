"""The query for a warehouse reads the further inputs from the tables that were named."""

from __future__ import annotations

from typing import Any

import duckdb
from polars.testing import assert_frame_equal

import rankmetrics as rm
from tests.support.commands import printed
from tests.support.engines import means
from tests.support.extra_inputs import ALL, OF_ALL, RECS, TRUTH
from tests.support.refusals import refusal

LISTS: dict[str, Any] = {"lists": ["user"], "dialect": "duckdb"}


def test_the_query_for_a_warehouse_names_its_columns() -> None:
    columns = {"items": rm.Columns(category="genre"), "history": rm.Columns(item="bought")}
    inputs: dict[str, Any] = {name: name for name in ("items", "history", "baseline")}
    for baseline, text in (
        (rm.Columns(rank="spot"), 'MIN(CAST("spot" AS BIGINT)) AS "rank"'),
        (rm.Columns(score="p"), 'NULLIF("baseline"."p", CAST(\'NaN\' AS DOUBLE)) DESC'),
    ):
        inputs["extra_columns"] = {**columns, "baseline": baseline}
        query = rm.to_sql("recs", "truth", ["categorical_diversity@5", "unseen@5", "rbo@5"], **LISTS, **inputs)
        for part in ('"genre" AS "category"', '"bought"', text):
            assert part in query
    query = rm.to_sql("recs", "truth", "auc", **LISTS, columns=rm.Columns(pool="n_candidates"))
    assert '"n_candidates"' in query


def test_the_query_for_a_warehouse_runs_where_there_are_such_tables() -> None:
    connection = duckdb.connect()
    for name, frame in {"recs": RECS, "truth": TRUTH, **ALL}.items():
        connection.from_arrow(frame.to_arrow()).create(name)
    tables: dict[str, Any] = {name: name for name in ALL}
    text = rm.to_sql("recs", "truth", OF_ALL[:5], **LISTS, **tables)
    assert_frame_equal(connection.sql(text).pl(), means(rm.evaluate(RECS, TRUTH, OF_ALL[:5], **ALL)))


def test_the_command_prints_the_query_for_a_warehouse() -> None:
    options = ("--list", "user", "--dialect", "snowflake", "--items", "db.items")
    columns = ("--extra-column", "items.category=genre")
    text = printed("sql", "db.recs", "db.truth", "-m", "categorical_diversity@5", *options, *columns)
    assert 'FROM "DB"."ITEMS"' in text
    assert '"GENRE" AS "CATEGORY"' in text


def test_inputs_and_columns_that_a_query_cannot_have_are_refused() -> None:
    with refusal(rm.InputError, "unseen@5 needs history=:"):
        rm.to_sql("recs", "truth", "unseen@5", **LISTS)
    with refusal(rm.ColumnError, "'itms'"):
        rm.to_sql("recs", "truth", "hit", **LISTS, extra_columns={"itms": rm.Columns(category="genre")})
    embedding = {"items": rm.Columns(embedding="vec")}
    with refusal(rm.DialectError, "Embeddings", "warehouse"):
        rm.to_sql("recs", "truth", "embedding_diversity@5", **LISTS, items="items", extra_columns=embedding)
    with duckdb.connect() as connection:
        items = connection.sql("SELECT 'a' AS item, [1.0, 0.5] AS embedding")
        result = rm.evaluate(RECS, TRUTH, "embedding_diversity@5", items=items)
        for dialect in ("duckdb", "snowflake"):
            with refusal(rm.DialectError, "Embeddings", "A text for DuckDB has them if the items are read from a file"):
                result.to_sql(dialect)


def test_one_list_column_of_a_warehouse_may_come_alone() -> None:
    options: dict[str, Any] = {"truth_columns": rm.Columns(item="item"), "dialect": "duckdb"}
    text = rm.to_sql("recs", "truth", "hit", lists=["user"], truth_lists=["user"], **options)
    assert rm.to_sql("recs", "truth", "hit", lists="user", truth_lists="user", **options) == text
