"""A SELECT as an input, and conditions that cut every input."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from tests.support import flat
from tests.support.commands import printed, said
from tests.support.engines import DATABASES, Engine, every_database, need, summarized
from tests.support.input_rules import FIRST_DAY, RECS, TRUTH
from tests.support.refusals import refusal

# --- SELECT as an input -----------------------------------------------------------------------------------------------


def test_a_select_is_an_input(folder: Path) -> None:
    first = "SELECT * FROM '{}.parquet' WHERE day = 1"
    recs, truth = first.format("recs"), f"WITH t AS ({first.format('truth')}) SELECT * FROM t;"
    for given in (recs, RECS.filter(day=1).lazy()):
        assert summarized(rm.evaluate(given, truth, "rr")).rows() == FIRST_DAY
    assert summarized(rm.evaluate("recs.parquet", "truth.parquet", "unseen@1", history=recs)).height == 1
    shown = printed("evaluate", recs, truth, "-m", "rr")
    assert shown == printed("evaluate", "recs.parquet", "truth.parquet", "-m", "rr", "--where", "day = 1")


def test_a_select_runs_where_the_tables_are(folder: Path) -> None:
    with duckdb.connect(folder / "warehouse.duckdb", read_only=True) as connection:
        selects = [f"SELECT * FROM shop.{name} WHERE day = 1" for name in ("recs", "truth")]
        assert summarized(rm.evaluate(selects[0], selects[1], "rr", connection=connection)).rows() == FIRST_DAY
        assert summarized(rm.evaluate(RECS.filter(day=1).lazy(), selects[1], "rr", connection=connection)).rows() == (
            FIRST_DAY
        )
    selects = [f"SELECT * FROM {name} WHERE day = 1" for name in ("recs", "truth")]
    shown = printed("evaluate", *selects, "-m", "rr", "--connection", "sqlite:///shop.sqlite")
    assert shown == printed("evaluate", "recs.parquet", "truth.parquet", "-m", "rr", "--where", "day = 1")


@every_database
def test_a_select_and_a_condition_run_in_every_database(database: Engine) -> None:
    need(database)
    recs, truth = database.give(RECS), database.give(TRUTH)
    selects = f"SELECT * FROM {recs} WHERE day = 1", f"SELECT * FROM {truth} WHERE day = 1"
    assert summarized(flat.evaluate(selects[0], selects[1], "rr", **database.options)).rows() == FIRST_DAY
    result = flat.evaluate(recs, truth, "rr", where="day = 1", **database.options)
    assert summarized(result).rows() == FIRST_DAY
    assert result.account().collect().height > 5


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("DELETE FROM recs", "DELETE"),
        ("SELECT 1; SELECT 2", "2 statements"),
        ("SELECT * FROM recs; DROP TABLE recs", "2 statements"),
        ("WITH gone AS (DELETE FROM recs RETURNING *) SELECT * FROM gone", "DELETE"),
        ("SELECT * INTO other FROM recs", "INTO"),
        ("DROP TABLE recs", "DROP"),
        ("SELECT FROM WHERE", "SELECT"),
        ("COPY recs TO 'x.csv'", "COPY"),
        ("SELECT * FROM nosuch", "nosuch"),
    ],
)
def test_whatever_is_no_select_is_refused(text: str, words: str, folder: Path) -> None:
    for given in ((text, TRUTH), (RECS.lazy(), text)):
        with refusal(rm.InputError, words):
            rm.evaluate(given[0], given[1], "rr")
    assert words in said("evaluate", text, "truth.parquet", "-m", "rr")


def test_names_in_a_select_are_those_of_the_database() -> None:
    postgres = next(one for one in DATABASES if one.name == "postgres")
    need(postgres)
    recs, truth = postgres.give(RECS), postgres.give(TRUTH)
    selects = f"SELECT Day, ITEM, Score FROM {recs.upper()}", f"SELECT DAY, item AS Item FROM {truth}"
    assert flat.evaluate(selects[0], selects[1], "rr", **postgres.options).layout.lists == ("day",)


# --- conditions -------------------------------------------------------------------------------------------------------


def test_a_condition_cuts_every_input_that_has_its_columns(folder: Path) -> None:
    for recs, truth in (("recs.parquet", "truth.parquet"), (RECS.lazy(), TRUTH), (RECS.to_arrow(), "truth.parquet")):
        assert summarized(rm.evaluate(recs, truth, "rr", where="day = 1")).rows() == FIRST_DAY
        assert summarized(rm.evaluate(recs, truth, "rr", where=["DAY < 2", "recs: score > 0"])).rows() == FIRST_DAY
    cut = summarized(rm.evaluate(RECS, TRUTH, "rr", where="recs: day = 1")).rows()
    assert cut == summarized(rm.evaluate(RECS.filter(day=1), TRUTH, "rr")).rows() != FIRST_DAY


def test_a_day_needs_no_quotes(engine: Engine) -> None:
    days = pl.col("day").replace_strict({1: "2024-01-31", 2: "2024-02-01"})
    for made in (days, days.str.to_date()):
        recs, truth = engine.give(RECS.with_columns(made)), engine.give(TRUTH.with_columns(made))
        for condition in ("day = 2024-01-31", "day = '2024-01-31'"):
            assert summarized(rm.evaluate(recs, truth, "rr", where=condition)).rows() == FIRST_DAY


@pytest.mark.parametrize(
    ("condition", "kind", "words"),
    [
        ("dya = 1", rm.ColumnError, ("'dya'", "no input has", "Did you mean 'day'?")),
        ("recs: day = als", rm.ColumnError, ("'als'", "single quotes")),
        ("day IN (SELECT 1)", rm.InputError, ("not a condition",)),
        ("day = 1; DROP TABLE x", rm.InputError, ("not a condition",)),
        ("SUM(day) = 1", rm.InputError, ("not a condition",)),
        ("day =", rm.InputError, ("not a condition",)),
        ("1 = 1", rm.InputError, ("not a condition",)),
        ("recs.day = 1", rm.InputError, ("'day' alone",)),
        ("history: day = 1", rm.InputError, ("history", "not given")),
    ],
)
def test_whatever_is_no_condition_is_refused(
    condition: str, kind: type[rm.RankMetricsError], words: tuple[str, ...], folder: Path
) -> None:
    with refusal(kind, *words):
        rm.evaluate("recs.parquet", "truth.parquet", "rr", where=condition)
    answer = said("evaluate", "recs.parquet", "truth.parquet", "-m", "rr", "--where", condition)
    assert re.search(r"--where ['\"]", answer)


# --- as text ----------------------------------------------------------------------------------------------------------


def test_the_text_for_another_database_keeps_conditions_and_schemas(folder: Path) -> None:
    with duckdb.connect(folder / "warehouse.duckdb", read_only=True) as connection:
        result = rm.evaluate("shop.recs", "shop.truth", "rr", where="day = 1", connection=connection)
        text = result.to_sql("snowflake")
        assert '"SHOP"."RECS"' in text
        assert text.count('"DAY" = 1') == text.count('"SHOP"."') > 1
        named = result.to_sql("snowflake", recs="db.recs", truth="db.truth")
        assert named.count('"DAY" = 1') == named.count('"DB"."') > 1
        twice = rm.evaluate("shop.recs", "shop.truth", "rr", where=["day = 1", "day < 3"], connection=connection)
        assert '"DAY" = 1 AND "DAY" < 3' in twice.to_sql("snowflake", recs="db.recs", truth="db.truth")
        select = rm.evaluate("SELECT * FROM shop.recs", "shop.truth", "rr", connection=connection)
        with refusal(rm.DialectError, "SELECT", 'recs="db.recs"'):
            select.to_sql("snowflake")
        assert '"DB"."RECS"' in select.to_sql("snowflake", recs="db.recs")
        assert connection.sql(select.to_sql()).fetchall() == select.summary().fetchall()


def test_the_command_line_writes_the_dialect_of_the_connection(folder: Path) -> None:
    address = "duckdb:///warehouse.duckdb"
    text = printed(
        "sql", "shop.recs", "shop.truth", "-m", "rr", "--connection", address, "--as", "table", "--name", "x"
    )
    assert '"shop"."recs"' in text
    text = printed("sql", "recs", "truth", "-m", "rr", "--connection", "sqlite:///shop.sqlite")
    assert sqlite3.connect(folder / "shop.sqlite").execute(text).fetchall()
    tables = ["shop.recs", "shop.truth", "-m", "rr", "--database", "warehouse.duckdb"]
    assert '"SHOP"."RECS"' in printed("sql", *tables, "--dialect", "snowflake")


def test_a_file_beside_a_table_of_another_database_is_refused(folder: Path) -> None:
    for inputs in (("recs.parquet", "truth"), ("recs", "truth.parquet")):
        answer = said("evaluate", *inputs, "-m", "rr", "--connection", "sqlite:///shop.sqlite")
        assert "is the file" in answer
        assert "SQLite" in answer
    assert "is a table of a warehouse" in said("sql", "db.recs", "truth.parquet", "-m", "rr", "--list", "user")
    shown = printed("evaluate", "recs.parquet", "shop.truth", "-m", "rr", "--database", "warehouse.duckdb")
    assert shown == printed("evaluate", "recs.parquet", "truth.parquet", "-m", "rr")
