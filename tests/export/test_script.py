"""A script computes each step that several steps read once, and makes the table that the one query makes."""

from __future__ import annotations

import sqlite3
from typing import Any

import duckdb
import polars as pl

import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS
from tests.support.refusals import refusal
from tests.support.scans import scans

ASKED = {
    "metrics": ["surprisal@3", "epc@3", "popularity@3", "unseen@3", "coverage@3", "ndcg@3"],
    "lists": ["algorithm", "user"],
    "truth_lists": ["user"],
    "history": "history",
    "truth_columns": rm.Columns(item="item"),
}


def written(dialect: str, form: str = "script", name: str | None = "lb") -> str:
    return rm.to_sql("recs", "truth", dialect=dialect, form=form, name=name, **ASKED)  # type: ignore[arg-type]


def inputs() -> dict[str, pl.DataFrame]:
    """Two systems, three users, one without recommendations."""
    ranked = [("a", 1, [1, 2, 3]), ("a", 2, [3, 4, 1]), ("b", 1, [5, 1, 2]), ("b", 2, [2, 6, 4])]
    recs = [(system, user, item, rank) for system, user, of in ranked for rank, item in enumerate(of, 1)]
    return {
        "recs": pl.DataFrame(recs, schema=["algorithm", "user", "item", "rank"], orient="row"),
        "truth": pl.DataFrame([(1, 2), (1, 5), (2, 4), (3, 1)], schema=["user", "item"], orient="row"),
        "history": pl.DataFrame([(1, 1), (1, 3), (2, 3), (2, 6), (3, 6)], schema=["user", "item"], orient="row"),
    }


def test_duckdb_makes_the_table_of_the_one_query_again_and_again() -> None:
    with duckdb.connect() as connection:
        for name, frame in inputs().items():
            connection.from_arrow(frame.to_arrow()).create(name)
        expected = connection.execute(written("duckdb", "query", None)).fetchall()
        for _ in range(2):
            connection.execute(written("duckdb"))
            assert sorted(connection.execute("FROM lb").fetchall()) == expected
        tables = {row[0] for row in connection.execute("SHOW TABLES").fetchall()}
        assert tables == {"recs", "truth", "history", "lb"}


def test_sqlite_makes_the_table_of_the_one_query() -> None:
    with sqlite3.connect(":memory:") as connection:
        for name, frame in inputs().items():
            marks = ", ".join("?" * frame.width)
            connection.execute(f"CREATE TABLE {name} ({', '.join(frame.columns)})")
            connection.executemany(f"INSERT INTO {name} VALUES ({marks})", frame.rows())
        expected = connection.execute(written("sqlite", "query", None)).fetchall()
        connection.executescript(written("sqlite"))
        assert sorted(connection.execute("SELECT * FROM lb").fetchall()) == expected


def test_each_step_that_several_steps_read_is_made_once_and_dropped_in_the_end() -> None:
    for dialect in [name for name, dialect in DIALECTS.items() if "script" in dialect.forms]:
        text = written(dialect)
        lines = text.splitlines()
        assert sum("CREATE" in line for line in lines) > 4 or dialect == "tsql", dialect
        assert len({line for line in lines if line.startswith("DROP TABLE IF EXISTS")}) >= 4, dialect
        assert text.rstrip().endswith(";"), dialect
    assert "CREATE TABLE `lb_history_items`" in written("mysql")  # which opens a temporary table once in a query
    assert "TEMPORARY" not in written("mysql")


def test_a_script_reads_each_input_less_often_than_the_query_with_its_steps_written_out() -> None:
    query, script = scans(written("trino", "query", None), "trino"), written("trino")
    assert query["history"] > script.count('"history"\n') > 0
    assert query["recs"] > script.count('FROM "recs"')


def test_a_query_that_reads_each_step_once_is_one_statement() -> None:
    options: dict[str, Any] = {"lists": ["user"], "by": [], "truth_columns": rm.Columns(item="item")}
    text = rm.to_sql("recs", "truth", "ndcg@10", dialect="bigquery", form="script", name="lb", **options)
    assert text.count(";") == 0
    assert "CREATE OR REPLACE TABLE `lb`" in text


def test_polars_has_no_scripts_and_a_script_needs_a_name() -> None:
    with refusal(rm.DialectError, 'form="script" makes', "polars has none"):
        written("polars")
    with refusal(rm.InputError, "needs a name"):
        written("duckdb", name=None)
