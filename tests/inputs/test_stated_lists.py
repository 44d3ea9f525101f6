"""What the user states: list columns of a further input, the history until a day, and assumptions about the rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.inputs.assumptions import ASSUMPTIONS, read_assumptions
from tests.support import days, flat
from tests.support.commands import printed, written
from tests.support.engines import OTHERS, Engine, each_engine, need
from tests.support.refusals import refusal

RECS = pl.DataFrame({"day": [1, 2, 2], "user": [1, 1, 2], "item": [7, 7, 8], "rank": [1, 1, 1]})
TRUTH = RECS.drop("rank")
LOOKING_BACK = ["popularity@3", "unseen@3", "gini@3", "serendipity@3", "long_tail@3", "category_entropy@3"]
HISTORY = pl.DataFrame({"day": [1, 1, 2], "user": [1, 2, 2], "item": [7, 8, 7]})


def measured(engine: Engine, metric: str, **options: Any) -> list[Any]:
    given = {name: engine.give(one) if isinstance(one, pl.DataFrame) else one for name, one in options.items()}
    result = flat.evaluate(engine.give(RECS), engine.give(TRUTH), metric, by=["day"], **given, **engine.options)
    found = engine.read(result.summary()).sort("day")
    return found[found.columns[-1]].to_list()


def test_a_history_of_users_is_one_history_for_all_days(engine: Engine) -> None:
    assert measured(engine, "popularity@1", history=HISTORY) == [1, 0.5]
    assert measured(engine, "popularity@1", history=HISTORY, history_lists=["user"]) == [2, 1.5]
    assert measured(engine, "popularity@1", history=HISTORY.drop("day")) == [2, 1.5]


@each_engine
def test_a_history_until_a_day_holds_the_days_before_it(engine: Engine) -> None:
    # day 1: nothing was known. Day 2: user 1 knows 7 and user 2 knows 8, since day 1.
    assert measured(engine, "unseen@1", history=HISTORY, history_until="day") == [1, 0]
    assert measured(engine, "popularity@1", history=HISTORY, history_until="day") == [0, 1]
    assert measured(engine, "unseen@1", history=HISTORY, history_until="day", history_lists="user") == [1, 0]


@pytest.mark.parametrize("other", [pytest.param(one, marks=pytest.mark.long) for one in OTHERS], ids=repr)
def test_every_database_cuts_a_history(other: Engine) -> None:
    need(other)
    assert measured(other, "popularity@1", history=HISTORY, history_until="day") == [0, 1]


def test_a_history_may_call_the_day_otherwise(engine: Engine) -> None:
    named = {"history": rm.Columns(lists={"day": "date", "user": "who"})}
    history = HISTORY.rename({"day": "date", "user": "who"})
    assert measured(engine, "unseen@1", history=history, history_until="day", extra_columns=named) == [1, 0]


def test_a_catalogue_and_items_may_be_one_for_all_days(engine: Engine) -> None:
    catalog = pl.DataFrame({"day": [1, 2], "item": [7, 8]})
    assert measured(engine, "coverage@1", catalog=catalog) == [1, 1]
    assert measured(engine, "coverage@1", catalog=catalog, catalog_lists=[]) == [0.5, 1]
    items = catalog.with_columns(popularity=pl.Series([3.0, 5.0]))
    assert measured(engine, "popularity@1", items=items) == [3, 2.5]
    assert measured(engine, "popularity@1", items=items, items_lists=[]) == [3, 4]


def test_the_days_together_are_the_full_build_with_a_history_until_a_day(tmp_path: Path) -> None:
    frames, metrics = days.problem(5, days.MAY_HAVE_A_DAY), [rm.parse(one) for one in LOOKING_BACK]
    stated: dict[str, Any] = {"history_lists": "user", "baseline_lists": "user", "items_lists": [], "catalog_lists": []}
    days.assert_increments_make_the_full_build(tmp_path, frames, metrics, **stated)
    days.assert_increments_make_the_full_build(
        tmp_path, frames, metrics, wheres=["day <= 2", "day = 3"], history_until="day"
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"history_lists": ["usr"]}, "'usr' is named in rm.Input(history, lists=...) and does not identify a list"),
        ({"history_lists": []}, "rm.Input(history, lists=...) is empty: the history must share"),
        ({"history_until": "week"}, "rm.Input(history, until=...) names 'week', which is not"),
        ({"items_lists": ["user"], "items": HISTORY}, "rm.Input(items, lists=...) names 'user': the items"),
        ({"catalog_lists": ["day"]}, "rm.Input(catalog, lists=...) is given, and no catalog= was given"),
        ({"history": None, "history_until": "day"}, "rm.Input(history, until=...) is given, and no history= was given"),
        ({"history": HISTORY.drop("day"), "history_until": "day", "history_lists": "user"}, "No column 'day' in the"),
        (
            {"history": HISTORY.drop("day"), "history_until": "day"},
            "No column 'day' in the history (named in rm.Input(history",
        ),
    ],
    ids=str,
)
def test_list_columns_that_do_not_fit_are_refused(options: dict[str, Any], words: str) -> None:
    with refusal(rm.ColumnError, words):
        flat.evaluate(RECS, TRUTH, "unseen@1", **{"history": HISTORY, **options})


def test_the_command_line_states_them_too(tmp_path: Path) -> None:
    for name, frame in {"recs": RECS, "truth": TRUTH, "history": HISTORY}.items():
        frame.write_parquet(tmp_path / f"{name}.parquet")
    files = (tmp_path / "recs.parquet", tmp_path / "truth.parquet", "--history", tmp_path / "history.parquet")
    out = ("--by", "day", "-m", "unseen@1", "--history-until", "day", "--history-list", "user")
    written("evaluate", *files, *out, "-o", tmp_path / "out.csv")
    assert pl.read_csv(tmp_path / "out.csv")["unseen@1"].to_list() == [1, 0]
    lists = ("--list=day", "--list=user", "--truth-item=item")
    text = printed("sql", "recs", "truth", "--history", "h", *lists, *out)
    assert '"past"."day" < "days"."day"' in text


def test_a_macro_cuts_the_history_of_the_tables_that_it_is_called_with() -> None:
    result = rm.evaluate(RECS, TRUTH, "unseen@1", by=["day"], history=rm.Input(HISTORY, until="day"))
    with duckdb.connect() as connection:
        for name, frame in {"r": RECS, "t": TRUTH, "h": HISTORY}.items():
            connection.from_arrow(frame.to_arrow()).create(name)
        connection.execute(result.to_sql("duckdb", form="macro"))
        found = connection.execute("SELECT \"unseen@1\" FROM rank_metrics('r', 't', 'h') ORDER BY day").fetchall()
    assert found == [(1,), (0,)]


# --- What the user may say of the inputs beforehand, and what that does to a text -------------------------------------


ASKED: dict[str, Any] = {
    "metrics": ["ndcg@3", "recall@3", "ap@3"],
    "lists": ["algorithm", "user"],
    "truth_lists": ["user"],
    "truth_columns": rm.Columns(item="item"),
    "dialect": "duckdb",
}


def tables(recs: str, truth: str) -> duckdb.DuckDBPyConnection:
    """A database with rows of these values."""
    connection = duckdb.connect()
    connection.execute(f'CREATE TABLE recs AS FROM (VALUES {recs}) AS t(algorithm, "user", item, rank)')
    connection.execute(f'CREATE TABLE truth AS FROM (VALUES {truth}) AS t("user", item)')
    return connection


SOUND = tables("('a', 1, 5, 1), ('a', 1, 6, 2), ('a', 2, 7, 1), ('b', 1, 6, 1)", "(1, 6), (1, 7), (2, 7), (3, 5)")


def test_a_word_may_stand_for_several_assumptions() -> None:
    assert read_assumptions("assume", "keys") == {*ASSUMPTIONS}
    assert read_assumptions("assume", ["unique", "not-null"]) == {*ASSUMPTIONS}
    assert read_assumptions("assume", ()) == frozenset()


def test_what_is_no_assumption_is_refused() -> None:
    with refusal(rm.MetricError, "assume must be of", "'uniqe' is not", "Did you mean 'unique' or 'unique-recs'?"):
        flat.to_sql("recs", "truth", assume="uniqe", **ASKED)


@pytest.mark.parametrize("assume", [*ASSUMPTIONS, "unique", "keys"])
def test_the_numbers_are_the_same_where_it_holds(assume: str) -> None:
    expected = SOUND.execute(flat.to_sql("recs", "truth", **ASKED)).fetchall()
    assert SOUND.execute(flat.to_sql("recs", "truth", assume=assume, **ASKED)).fetchall() == expected


def test_the_query_does_not_look_for_repeats() -> None:
    text = flat.to_sql("recs", "truth", assume="keys", **ASKED)
    assert "DISTINCT" not in text.replace("SELECT DISTINCT", "")
    assert "IS NOT NULL" not in text


@pytest.mark.parametrize(
    ("recs", "truth", "faults"),
    [
        ("('a', 1, 5, 1), ('a', 1, 5, 2)", "(1, 5)", ["recommendations_repeated"]),
        ("('a', 1, 5, 1)", "(1, 5), (1, 5)", ["truth_repeated"]),
        ("('a', 1, 5, 1), ('a', 1, NULL, 2)", "(1, 5)", ["recommendations_with_null_id"]),
        ("('a', 1, 5, 1)", "(1, 5), (NULL, 5)", ["truth_with_null_id"]),
    ],
)
def test_the_check_tests_what_is_assumed(recs: str, truth: str, faults: list[str]) -> None:
    connection = tables(recs, truth)
    found = connection.execute(flat.to_sql("recs", "truth", assume="keys", form="check", **ASKED)).fetchall()
    assert [row[0] for row in found] == faults
    assert connection.execute(flat.to_sql("recs", "truth", form="check", **ASKED)).fetchall() == []


def test_a_guarded_statement_assumes_nothing() -> None:
    with refusal(rm.InputError, "guarded=True tests the rows", "give one of them"):
        flat.to_sql("recs", "truth", assume="unique", guarded=True, **ASKED)


def test_the_command_line_takes_assumptions() -> None:
    flags = ("sql", "recs", "truth", "-m", "ndcg@3", "--list", "user", "--truth-item", "item", "--dialect", "postgres")
    assert "IS NOT NULL" in printed(*flags, "--overall")
    assert "IS NOT NULL" not in printed(*flags, "--overall", "--assume", "unique,not-null")
