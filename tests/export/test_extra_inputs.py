"""The query for a warehouse reads the further inputs from the tables that were named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import duckdb
import pytest
import sqlglot
from polars.testing import assert_frame_equal

import rankmetrics as rm
from tests.support.commands import printed
from tests.support.engines import means
from tests.support.extra_inputs import ALL, OF_ALL, RECS, TRUTH
from tests.support.refusals import refusal

DIALECTS = ["duckdb", "postgres", "snowflake", "bigquery", "spark"]
WAREHOUSE: Mapping[str, tuple[list[str], dict[str, Any]]] = {
    "history": (["unseen@5", "surprisal@5", "popularity@5"], {"history": "db.history"}),
    "baseline": (["unexpectedness@5", "serendipity@5"], {"baseline": "db.baseline"}),
    "items": (["categorical_diversity@5", "category_entropy@5", "coverage@5"], {"items": "db.items"}),
    "similarity": (["list_diversity@5"], {"similarity": "db.similarity"}),
    "catalog": (["coverage@5", "gini@5", "hit@5"], {"catalog": "db.catalog"}),
    "items and history": (["miscalibration@5"], {"items": "db.items", "history": "db.history"}),
    "a convention": (["novelty@5"], {"history": "db.history", "convention": "capri", "ties": "item"}),
}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", WAREHOUSE)
def test_the_query_for_a_warehouse_reads_the_tables_that_were_named(name: str, dialect: str) -> None:
    metrics, given = WAREHOUSE[name]
    text = rm.to_sql(
        "db.recs", "db.truth", metrics, lists=["algorithm", "user"], truth_lists=["user"], dialect=dialect, **given
    )
    query = sqlglot.parse_one(text, dialect=dialect)
    tables = {f"{one.db}.{one.name}".lower() for one in query.find_all(sqlglot.exp.Table) if one.db}
    assert tables >= {one for one in given.values() if "." in one}
    assert tables <= {"db.recs", "db.truth", *given.values()}
    assert isinstance(query, sqlglot.exp.Query)
    labels = metrics if dialect == "duckdb" else [one.replace("@", "_at_") for one in metrics]
    assert [one.alias_or_name.lower() for one in query.selects] == ["algorithm", "n_lists", *labels]


def test_the_query_for_a_warehouse_names_its_columns() -> None:
    text = rm.to_sql(
        "recs",
        "truth",
        ["categorical_diversity@5", "unseen@5", "rbo@5"],
        lists=["user"],
        dialect="postgres",
        items="items",
        history="history",
        baseline="baseline",
        extra_columns={
            "items": rm.Columns(category="genre"),
            "history": rm.Columns(item="bought"),
            "baseline": rm.Columns(rank="spot"),
        },
    )
    assert '"genre" AS "category"' in text
    assert '"bought"' in text
    assert 'MIN(CAST("spot" AS BIGINT)) AS "rank"' in text


def test_a_baseline_of_a_warehouse_may_be_ranked_by_score() -> None:
    named = {"baseline": rm.Columns(score="p")}
    given: dict[str, Any] = {"lists": ["user"], "dialect": "duckdb", "baseline": "baseline", "extra_columns": named}
    assert 'NULLIF("baseline"."p", CAST(\'NaN\' AS DOUBLE)) DESC' in rm.to_sql("recs", "truth", "rbo@5", **given)


def test_the_query_for_a_warehouse_that_lacks_a_table_is_refused() -> None:
    with refusal(rm.InputError, "unseen@5 needs history=:"):
        rm.to_sql("recs", "truth", "unseen@5", lists=["user"], dialect="snowflake")


def test_the_query_for_a_warehouse_runs_where_there_are_such_tables() -> None:
    connection = duckdb.connect()
    for name, frame in {"recs": RECS, "truth": TRUTH, **ALL}.items():
        connection.from_arrow(frame.to_arrow()).create(name)
    tables: dict[str, Any] = {name: name for name in ALL}
    text = rm.to_sql("recs", "truth", OF_ALL[:5], lists=["user"], dialect="duckdb", **tables)
    assert_frame_equal(connection.sql(text).pl(), means(rm.evaluate(RECS, TRUTH, OF_ALL[:5], **ALL)))


def test_the_command_prints_the_query_for_a_warehouse() -> None:
    given = (
        "--list",
        "user",
        "--dialect",
        "snowflake",
        "--items",
        "db.items",
        "--extra-column",
        "items.category=genre",
    )
    text = printed("sql", "db.recs", "db.truth", "-m", "categorical_diversity@5", *given)
    assert isinstance(sqlglot.parse_one(text, dialect="snowflake"), sqlglot.exp.Query)
    assert 'FROM "DB"."ITEMS"' in text
    assert '"GENRE" AS "CATEGORY"' in text


def test_columns_of_a_table_that_there_is_not_are_refused() -> None:
    with refusal(rm.ColumnError, "'itms'"):
        rm.to_sql(
            "recs",
            "truth",
            "hit",
            lists=["user"],
            dialect="duckdb",
            extra_columns={"itms": rm.Columns(category="genre")},
        )


def test_embeddings_of_a_warehouse_are_refused_for_what_they_are() -> None:
    with refusal(rm.DialectError, "Embeddings", "warehouse"):
        rm.to_sql(
            "recs",
            "truth",
            "embedding_diversity@5",
            lists=["user"],
            dialect="duckdb",
            items="items",
            extra_columns={"items": rm.Columns(embedding="vec")},
        )


@pytest.mark.parametrize("dialect", ["duckdb", "snowflake"])
def test_embeddings_of_a_relation_are_refused_in_a_text_that_could_not_read_them(dialect: str) -> None:
    with duckdb.connect() as connection:
        items = connection.sql("SELECT 'a' AS item, [1.0, 0.5] AS embedding")
        result = rm.evaluate(RECS, TRUTH, "embedding_diversity@5", items=items)
        with refusal(rm.DialectError, "Embeddings", "A text for DuckDB has them if the items are read from a file"):
            result.to_sql(dialect)


def test_the_query_for_a_warehouse_reads_the_pool_column() -> None:
    columns = rm.Columns(pool="n_candidates")
    text = rm.to_sql("recs", "truth", "auc", lists=["user"], dialect="duckdb", columns=columns)
    assert '"n_candidates"' in text


@pytest.mark.parametrize("name", ["lists", "truth_lists"])
def test_one_list_column_of_a_warehouse_may_come_alone(name: str) -> None:
    asked: dict[str, Any] = {"lists": ["user"], name: "user"}
    try:
        text = rm.to_sql("recs", "truth", "hit", dialect="duckdb", **asked)
    except rm.ColumnError as error:
        text = str(error)
    assert text == rm.to_sql("recs", "truth", "hit", lists=["user"], dialect="duckdb")
