"""What the user may say of the inputs beforehand, and what that does to a text."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest

import rankmetrics as rm
from rankmetrics.inputs.assumptions import ASSUMPTIONS, read_assumptions
from tests.support.commands import printed
from tests.support.refusals import refusal

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
        rm.to_sql("recs", "truth", assume="uniqe", **ASKED)


@pytest.mark.parametrize("assume", [*ASSUMPTIONS, "unique", "keys"])
def test_the_numbers_are_the_same_where_it_holds(assume: str) -> None:
    expected = SOUND.execute(rm.to_sql("recs", "truth", **ASKED)).fetchall()
    assert SOUND.execute(rm.to_sql("recs", "truth", assume=assume, **ASKED)).fetchall() == expected


def test_the_query_does_not_look_for_repeats() -> None:
    text = rm.to_sql("recs", "truth", assume="keys", **ASKED)
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
    found = connection.execute(rm.to_sql("recs", "truth", assume="keys", form="check", **ASKED)).fetchall()
    assert [row[0] for row in found] == faults
    assert connection.execute(rm.to_sql("recs", "truth", form="check", **ASKED)).fetchall() == []


def test_a_guarded_statement_assumes_nothing() -> None:
    with refusal(rm.InputError, "guarded=True tests the rows", "give one of them"):
        rm.to_sql("recs", "truth", assume="unique", guarded=True, **ASKED)


def test_the_command_line_takes_assumptions() -> None:
    flags = ("sql", "recs", "truth", "-m", "ndcg@3", "--list", "user", "--truth-item", "item", "--dialect", "postgres")
    assert "IS NOT NULL" in printed(*flags, "--overall")
    assert "IS NOT NULL" not in printed(*flags, "--overall", "--assume", "unique,not-null")
