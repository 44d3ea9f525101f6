"""The pass that computes an input that is a SELECT with a join in a step of its own."""

from __future__ import annotations

import duckdb
import pandas as pd
import pytest

import rankmetrics as rm
from rankmetrics.planner import switched_off

RECS = '(VALUES (1, 7, 0.9), (1, 8, 0.5), (2, 7, 0.3)) AS r("user", item, score)'
JOINED = f"SELECT r.* FROM {RECS} JOIN (VALUES (7), (8)) AS marked_items(item) USING (item)"
TRUTH = 'SELECT 1 AS "user", 8 AS item UNION ALL SELECT 2, 7'


def account_text(recs: object, connection: object = None) -> str:
    result = rm.evaluate(recs, TRUTH, metrics=["ndcg@2", "recall@1"], connection=connection)
    return str(result.account().sql_query())


def test_select_with_join_is_written_once_and_materialized() -> None:
    text = account_text(JOINED)
    assert text.count("marked_items") == 1
    assert '"recs_rows" AS MATERIALIZED' in text


def test_view_with_join_is_read_once() -> None:
    connection = duckdb.connect()
    connection.sql(f"CREATE VIEW joined AS {JOINED}")
    assert account_text("joined", connection).count('"joined"') == 1
    assert account_text(connection.table("joined")).count('FROM "rankmetrics_recs"') == 1


def test_plain_select_has_no_step_of_its_own() -> None:
    assert "recs_rows" not in account_text(f"SELECT * FROM {RECS}")


@pytest.mark.parametrize("where", [None, "item = 8"])
def test_numbers_are_those_without_the_pass(where: str | None) -> None:
    def collected() -> list[tuple[object, ...]]:
        result = rm.evaluate(JOINED, TRUTH, metrics=["ndcg@2", "recall@1", "rr"], where=where)
        return result.collect().rows() + sorted(map(tuple, result.account().fetchall()))

    with switched_off("compute_once"):
        without = collected()
    assert collected() == without


def test_row_numbers_of_a_frame_stay() -> None:
    recs = pd.DataFrame({"user": [1, 1], "item": [8, 7], "score": [0.5, 0.5]})
    truth = pd.DataFrame({"user": [1], "item": [8]})
    assert rm.evaluate(recs, truth, metrics=["rr"], ties="input").collect()["rr"].to_list() == [1]
