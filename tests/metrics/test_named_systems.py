"""Systems are scored in the partitions in which they have recommendations; named systems are scored in all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from tests.support import days, flat
from tests.support.commands import printed, refused, written
from tests.support.engines import OTHERS, Engine, each_engine, need
from tests.support.refusals import refusal

RECS = pl.DataFrame(
    {"day": [1, 1, 2], "algorithm": ["a", "b", "a"], "user": [1, 1, 1], "item": [7, 8, 7], "rank": [1, 1, 1]}
)
TRUTH = pl.DataFrame({"day": [1, 2, 2], "user": [1, 1, 2], "item": [7, 7, 8]})
ALL = [(1, "a", 1, 1), (1, "b", 1, 0), (2, "a", 2, 0.5)]


def rows(engine: Engine, recs: pl.DataFrame = RECS, **options: Any) -> list[Any]:
    given = {"by": ["day", "algorithm"], **options, **engine.options}
    result = flat.evaluate(engine.give(recs), engine.give(TRUTH), "hit@1", **given)
    return sorted(engine.read(result.summary()).rows())


@each_engine
def test_a_system_is_scored_on_the_days_on_which_it_has_recommendations(engine: Engine) -> None:
    assert rows(engine) == ALL
    assert rows(engine, by=["algorithm"]) == [("a", 3, pytest.approx(2 / 3)), ("b", 3, 0)]


def test_a_list_of_an_owner_that_is_missing_scores_0(engine: Engine) -> None:
    assert rows(engine, by=["user", "algorithm"])[2:] == [(2, "a", 1, 0), (2, "b", 1, 0)]


@each_engine
def test_a_named_system_is_scored_on_every_day(engine: Engine) -> None:
    assert rows(engine, systems=["b"]) == [*ALL, (2, "b", 2, 0)]
    assert rows(engine, systems=["b", "new"]) == sorted([*ALL, (2, "b", 2, 0), (1, "new", 1, 0), (2, "new", 2, 0)])
    assert rows(engine, systems=["new"], by=["algorithm"])[2] == ("new", 3, 0)


SYSTEMS = pl.DataFrame({"since": [2019, 2020, 2021, 2022], "algorithm": ["b", "new", "new", None]})
NAMED = sorted([*ALL, (2, "b", 2, 0), (1, "new", 1, 0), (2, "new", 2, 0)])


@each_engine
def test_the_systems_may_stand_in_a_table(engine: Engine) -> None:
    assert rows(engine, systems=engine.give(SYSTEMS)) == NAMED
    assert rows(engine, systems=engine.give(SYSTEMS), by=["algorithm"])[2] == ("new", 3, 0)


def test_a_table_of_systems_may_have_several_columns(engine: Engine) -> None:
    recs = RECS.with_columns(size=pl.lit(64, pl.Int64))
    systems = engine.give(pl.DataFrame({"size": [128, None], "algorithm": ["a", "b"]}))
    named = rows(engine, recs, by=["algorithm", "size"], systems=systems)
    assert named == [("a", 64, 3, pytest.approx(2 / 3)), ("a", 128, 3, 0), ("b", 64, 3, 0)]


def test_a_table_of_systems_needs_the_columns_that_identify_a_system() -> None:
    with refusal(rm.ColumnError, "systems is a table of 'algoritm'", "needs a column 'algorithm'", "Did you mean"):
        rm.evaluate(RECS, TRUTH, "hit@1", systems=SYSTEMS.select(algoritm="algorithm"))
    with refusal(rm.ColumnError, "algorithm", "systems"):
        rm.evaluate(RECS, TRUTH, "hit@1", systems=SYSTEMS.select(algorithm="since"))


def test_a_text_reads_the_table_of_systems_in_every_run(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"metrics": "hit@1", "lists": ["day", "algorithm", "user"], "truth_lists": ["day", "user"]}
    asked |= {"by": ["day", "algorithm"], "truth_columns": rm.Columns(item="item")}
    text = flat.to_sql("recs", "truth", systems="db.systems", dialect="snowflake", **asked)
    assert 'FROM "DB"."SYSTEMS"' in text.replace("JOIN", "FROM")
    for name, frame in (("recs", RECS), ("truth", TRUTH), ("systems", SYSTEMS)):
        frame.write_parquet(tmp_path / f"{name}.parquet")
    with duckdb.connect() as connection:
        for name in ("recs", "truth", "systems"):
            connection.execute(f"CREATE VIEW {name} AS FROM '{tmp_path / name}.parquet'")
        named = connection.sql(flat.to_sql("recs", "truth", systems="systems", dialect="duckdb", **asked)).fetchall()
    assert named == NAMED


@pytest.mark.parametrize("other", [pytest.param(one, marks=pytest.mark.long) for one in OTHERS], ids=repr)
def test_every_database_scores_named_systems_and_reads_a_table_of_them(other: Engine) -> None:
    need(other)
    assert rows(other, systems=other.give(SYSTEMS)) == NAMED
    assert rows(other, systems=["b"]) == [*ALL, (2, "b", 2, 0)]


def test_the_account_counts_the_missing_lists_of_a_named_system() -> None:
    found = rm.evaluate(RECS, TRUTH, "hit@1", by=["day", "algorithm"], systems=["new"]).collect()
    assert found.filter(algorithm="new")["n_missing"].to_list() == [1, 2]


@pytest.mark.parametrize(
    ("wheres", "options"),
    [
        (days.EACH_DAY, {"missing": "history"}),
        ([{"algorithm": one} for one in (*days.ALGORITHMS, "new")], {}),
        pytest.param(days.EACH_DAY, {"per_list": True}, marks=pytest.mark.long),
    ],
)
def test_the_days_together_are_the_full_build_with_named_systems(
    tmp_path: Path, wheres: Any, options: dict[str, Any]
) -> None:
    frames = days.problem(2, days.MAY_HAVE_A_DAY)
    metrics = ["ndcg@3", "unseen@3", "popularity@3", "hit@3"]
    metrics += [] if options.get("per_list") else ["coverage@3", "gini@3"]
    days.assert_increments_make_the_full_build(
        tmp_path, frames, metrics, wheres=wheres, systems=["new", "als"], **options
    )


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"systems": [0.5]}, rm.ColumnError, "0.5 is not a value for the list column 'algorithm', which is string"),
        ({"systems": [{"algo": "a"}]}, rm.ColumnError, "a system is identified by 'algorithm'"),
        ({"systems": ["a"], "missing": "skip"}, rm.InputError, 'and missing="skip" leaves such lists out'),
        (
            {"systems": ["a"], "truth": TRUTH.join(RECS.select("algorithm").unique(), how="cross")},
            rm.ColumnError,
            "is one",
        ),
    ],
    ids=["a number", "another column", "lists that are skipped", "no system tells lists apart"],
)
def test_systems_that_do_not_fit_are_refused(options: dict[str, Any], error: Any, words: str) -> None:
    with refusal(error, words):
        flat.evaluate(RECS, **{"truth": TRUTH, "metrics": "hit@1", **options})


def test_the_command_line_names_systems_too(tmp_path: Path) -> None:
    RECS.write_parquet(tmp_path / "recs.parquet")
    TRUTH.write_parquet(tmp_path / "truth.parquet")
    files = (tmp_path / "recs.parquet", tmp_path / "truth.parquet", "-m", "hit@1", "--by", "day", "--by", "algorithm")
    written("evaluate", *files, "--system", "b", "--system", "new", "-o", tmp_path / "out.csv")
    assert pl.read_csv(tmp_path / "out.csv").height == 6
    SYSTEMS.write_parquet(tmp_path / "systems.parquet")
    written("evaluate", *files, "--systems", tmp_path / "systems.parquet", "-o", tmp_path / "table.csv")
    assert (tmp_path / "table.csv").read_text() == (tmp_path / "out.csv").read_text()
    both = ("--systems", tmp_path / "systems.parquet", "--system", "b")
    assert "--systems a table" in refused("evaluate", *files, *both)
    assert "'new' AS \"algorithm\"" in printed("sql", *files, "--system", "new")
