"""Names of tables in databases: found as they are written, in schemas, in quotes, in any case."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from tests.support.kinds import ACCOUNT, CALLED, EXPECTED, HOLED_RECS, HOLED_TRUTH, RECS, SUMMARY, TRUTH
from tests.support.refusals import refusal
from tests.support.schemas import NAMED, Room, assert_same, room_of


def test_tables_are_found_by_name(room: Room) -> None:
    result = room.of(RECS, TRUTH)
    assert_same(result)
    assert_frame_equal(result.account().collect(), EXPECTED.account().collect(), check_dtypes=False)


def test_the_answer_has_the_types_that_polars_gives(room: Room) -> None:
    result = room.of(RECS, TRUTH)
    assert result.summary().collect_schema() == {**SUMMARY.schema, "n_lists": pl.Int64}
    assert result.per_list().collect_schema() == EXPECTED.per_list().collect_schema()


def test_tables_of_a_schema_are_found_by_name(room: Room) -> None:
    room.of(RECS, TRUTH)
    room.leave()
    assert_same(room.evaluate(f"{room.name}.recs", f"{room.name}.truth"))


ODD = ["my recs", "Recs", "RECS", "recs-2026", "select", "réc", "it's"]


@pytest.mark.parametrize("name", ODD)
def test_a_quoted_name_is_taken_as_it_is(room: Room, name: str) -> None:
    room.make("truth", TRUTH)
    room.make(f'"{name}"', RECS)
    assert_same(room.evaluate(room.quoted(name), "truth"))
    assert_same(room.evaluate(f"{room.name}.{room.quoted(name)}", "truth"))


def test_a_quoted_name_in_a_schema_of_a_quoted_name_is_found(postgres: Room) -> None:
    postgres.run('CREATE SCHEMA "my schema"')
    try:
        postgres.make('"my schema"."Recs"', RECS)
        postgres.make('"my schema".truth', TRUTH)
        assert_same(postgres.evaluate('"my schema"."Recs"', '"my schema".TRUTH'))
        assert_same(postgres.evaluate('postgres."my schema"."Recs"', 'postgres."my schema".truth'))
    finally:
        postgres.run('DROP SCHEMA "my schema" CASCADE')


# Databases in which a name without quotes is that in small letters, or of any letters.
FOLDING = {"postgres", "datafusion", "sqlite"}


def test_a_name_without_quotes_is_in_the_case_that_the_database_keeps_it_in(room: Room) -> None:
    room.of(RECS, TRUTH)
    if room.engine.name in FOLDING:
        assert_same(room.evaluate("Recs", "TRUTH"))
    else:
        with refusal(rm.InputError, "no table 'Recs'", "Did you mean 'recs'?"):
            room.evaluate("Recs", "TRUTH")


@pytest.mark.parametrize(("recs", "truth"), CALLED)
def test_tables_may_be_called_as_parts_of_the_query_are(room: Room, recs: str, truth: str) -> None:
    given = room.make(recs, HOLED_RECS), room.make(truth, HOLED_TRUTH)
    result = room.evaluate(*given)
    assert_same(result)
    assert_frame_equal(result.account().collect(), ACCOUNT, check_dtypes=False)


@pytest.mark.parametrize("name", ["hits", "lists", "ranked", "per_list", "recs", "truth"])
def test_other_tables_of_the_database_are_not_taken_for_parts_of_the_query(room: Room, name: str) -> None:
    room.make(name, pl.DataFrame({"user": [1], "item": [1], "rank": [1], "score": [0.5]}))
    assert_same(room.evaluate(room.make("my_recs", RECS), room.make("my_truth", TRUTH)))


@pytest.mark.parametrize("names", [("rank", "order"), ("user", "hits"), ("lists", "select"), ("item_1", "k")])
def test_list_columns_may_be_called_as_words_of_sql_are(room: Room, names: tuple[str, str]) -> None:
    called = dict(zip(("algorithm", "user"), names, strict=True))
    asked: dict[str, Any] = {
        "lists": names,
        "truth_lists": [names[1]],
        "columns": rm.Columns(item="item", score="score"),
    }
    result = room.of(RECS.rename(called), TRUTH.rename({"user": names[1]}), **asked)
    assert_same(result, SUMMARY.rename({"algorithm": names[0]}))
    assert result.collect(per_list=True).columns[:2] == list(names)


# What is like a table, in databases that have it.
KINDS = {
    "view": ("VIEW", ["sqlite", "postgres", "clickhouse", "datafusion", "mariadb"]),
    "materialized view": ("MATERIALIZED VIEW", ["postgres"]),
    "temporary table": ("TEMPORARY TABLE", ["sqlite", "postgres", "mariadb"]),
    "temporary view": ("TEMPORARY VIEW", ["sqlite", "postgres"]),
}


@pytest.mark.parametrize(
    ("database", "kind"), [(name, kind) for kind, (_, has) in KINDS.items() for name in has], ids=str
)
def test_views_and_temporary_tables_are_found_by_name(database: str, kind: str) -> None:
    statement, _ = KINDS[kind]
    with room_of(NAMED[database]) as room:
        shown = []
        for name, frame in (("recs", RECS), ("truth", TRUTH)):
            room.select(f"shown_{name}", f"SELECT * FROM {room.make(name, frame)}", statement)
            shown.append(f"shown_{name}")
        try:
            assert_same(room.evaluate(*shown))
        finally:
            for name in shown if "TEMPORARY" in statement else []:
                room.run(f"DROP {statement.removeprefix('TEMPORARY ')} {name}")


def test_a_table_that_there_is_not_is_refused_with_the_near_names(room: Room) -> None:
    room.of(RECS, TRUTH)
    with refusal(rm.InputError, "no table 'recz'", "Did you mean 'recs'?"):
        room.evaluate("recz", "truth")
    with refusal(rm.InputError, f"no table '{room.name}.trut'"):
        room.evaluate("recs", f"{room.name}.trut")
    assert_same(room.evaluate("recs", "truth"))  # the connection is as usable as before


@pytest.mark.parametrize("name", ["", "DELETE FROM recs", "recs truth", "recs('x')", "a.b.c.d"])
def test_what_is_no_name_of_a_table_is_refused(room: Room, name: str) -> None:
    room.of(RECS, TRUTH)
    with pytest.raises(rm.RankMetricsError) as refused:
        room.evaluate(name, "truth")
    assert type(refused.value) in (rm.InputError, rm.DialectError)
    assert repr(name) in str(refused.value)


@pytest.mark.parametrize(
    "given", [TRUTH, TRUTH.lazy(), TRUTH.to_arrow(), Path("truth.parquet"), ["truth"], None, 7], ids=type
)
def test_what_lies_outside_of_the_database_is_refused(room: Room, given: Any) -> None:
    room.make("recs", RECS)
    with refusal(rm.InputError, "truth must be the name of a table", "connection=", "Nothing is written"):
        room.evaluate("recs", given)
