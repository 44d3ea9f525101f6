"""A result over tables of a database: what the database is asked, when, and what comes back."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.engines import connections, database
from rankmetrics.engines.files import FORMATS, READ_ONLY
from tests.support.engines import means
from tests.support.faults import ASKING, FAULTY
from tests.support.kinds import EXPECTED, HOLED_RECS, HOLED_TRUTH, METRICS, RECS, SUMMARY, TRUTH
from tests.support.schemas import Room, assert_as_polars, by_polars, fill

# --- what is asked of a database, and when ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """What was asked of a database through a connection, and what it answered."""

    questions: list[str]
    answers: list[pl.DataFrame]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    found = Asked([], [])

    def ask(connection: Any, sql: str, dialect: str) -> pl.DataFrame:
        found.questions.append(sql)
        found.answers.append(connections.ask(connection, sql, dialect))
        return found.answers[-1]

    monkeypatch.setattr(database, "ask", ask)
    return found


def test_a_database_is_asked_for_columns_only_before_a_result_is_collected(room: Room, asked: Asked) -> None:
    result = room.of(RECS, TRUTH)
    assert sum(answer.height for answer in asked.answers) <= len(RECS.columns) + len(TRUTH.columns)
    of_schemas = len(asked.questions)
    for lazy in (result.summary(), result.per_list(), result.account()):
        assert isinstance(lazy, pl.LazyFrame)
    assert "ndcg" in result.to_sql()
    assert result.metrics
    assert len(asked.questions) == of_schemas


def test_a_database_is_asked_once_and_sends_the_answer_only(room: Room, asked: Asked) -> None:
    result = room.of(RECS, TRUTH)
    for lazy, expected in ((result.summary(), SUMMARY), (result.per_list(), EXPECTED.per_list().collect())):
        before = len(asked.questions)
        schema = lazy.collect_schema()
        assert schema.names() == expected.columns
        assert lazy.filter(pl.col("algorithm") == "als").select("rr").collect().height < expected.height
        assert lazy.collect().height == expected.height
        assert lazy.collect().schema == schema
        assert len(asked.questions) == before + 1
        assert asked.answers[-1].shape == expected.shape


def test_two_results_of_one_query_are_asked_for_one_after_the_other(room: Room) -> None:
    result = room.of(RECS, TRUTH)
    lazy = result.per_list().join(result.summary(), on="algorithm", how="left", suffix=" mean")
    found = pl.concat([lazy, lazy.filter(pl.col("user") < 3), result.per_list()], how="diagonal").collect()
    assert found.height == 8 + 4 + 8
    theirs = result.per_list().collect().sort("algorithm", "user")
    assert_frame_equal(found.tail(8).select(theirs.columns).sort("algorithm", "user"), theirs)


def test_sqlite_itself_sees_no_statement_before_a_result_is_collected_and_one_then(tmp_path: Path) -> None:
    seen: list[str] = []
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
        fill(connection)
        connection.set_trace_callback(seen.append)
        result = rm.evaluate("recs", "truth", METRICS, connection=connection)
        assert [one for one in seen if "pragma" not in one.lower()] == []  # columns and keys
        seen.clear()
        lazy = result.summary()
        assert seen == []
        lazy.collect_schema()
        assert_frame_equal(lazy.collect(), SUMMARY, check_dtypes=False)
        assert len(seen) == 1
        assert seen[0].startswith("WITH ")


# --- results ----------------------------------------------------------------------------------------------------------


def rows_of(path: Path) -> pl.DataFrame:
    """What was written into a file."""
    if FORMATS.get(path.suffix) == "arrow":
        return pl.read_ipc(path)
    source = f"read_parquet('{path}')" if path.suffix == ".pq" else f"'{path}'"
    found: pl.DataFrame = duckdb.connect().sql(f"FROM {source}").pl()
    return found


def test_a_result_is_counted_collected_printed_and_written(room: Room, tmp_path: Path) -> None:
    result = room.of(HOLED_RECS, HOLED_TRUTH)
    expected = by_polars(HOLED_RECS, HOLED_TRUTH, METRICS)
    assert_as_polars(result, expected)
    assert_frame_equal(means(result), SUMMARY, check_dtypes=False)
    assert result.collect(per_list=True).height == 8
    assert result.notes() == expected.notes()
    assert repr(result) == repr(expected)
    assert result._repr_html_() == expected._repr_html_()
    for ending in (one for one, form in FORMATS.items() if form not in READ_ONLY):
        result.write(tmp_path / f"ours{ending}")
        expected.write(tmp_path / f"theirs{ending}")
        ours, theirs = (rows_of(tmp_path / f"{name}{ending}") for name in ("ours", "theirs"))
        assert_frame_equal(ours, theirs, rel_tol=1e-12, check_dtypes=False)
    result.write(tmp_path / "lists.parquet", per_list=True)
    assert_as_polars(result, expected)
    assert pl.read_parquet(tmp_path / "lists.parquet").schema == result.per_list().collect_schema()


def test_the_text_of_a_result_runs_where_the_tables_are_as_it_is(room: Room) -> None:
    result = room.of(RECS, TRUTH, ["hit@2", "rr"])
    lists = connections.ask(room.engine.options["connection"], result.to_sql(per_list=True), result._engine.dialect)
    assert lists.height == 8
    found = connections.ask(room.engine.options["connection"], result.to_sql(), result._engine.dialect)
    assert found.rows() == [pytest.approx(row) for row in means(result).rows()]


@pytest.mark.parametrize("name", ["an infinite rating", "a NULL rank", "no recommendations", "no truth"])
def test_data_whose_numbers_would_mislead_is_refused(room: Room, name: str, tmp_path: Path) -> None:
    if room.engine.name == "mariadb" and "infinite" in name:
        pytest.skip("MariaDB holds no infinity")
    faulty = FAULTY[name]
    result = room.of(faulty.recs, faulty.truth, "recall@2", **faulty.options)
    for ask in ASKING.values():
        with pytest.raises(rm.DataError) as refused:
            ask(result, tmp_path / "summary.csv")
        assert not [part for part in faulty.says if not re.search(part, str(refused.value))], str(refused.value)
    assert isinstance(result.summary().collect(), pl.DataFrame)


def test_repeats_are_refused_with_samples(room: Room) -> None:
    faulty = FAULTY["truth repeated"]
    with pytest.raises(rm.DataError, match="such as") as refused:
        room.of(faulty.recs, faulty.truth, "recall@2", **faulty.options).check()
    assert not [part for part in faulty.says if not re.search(part, str(refused.value))], str(refused.value)


def test_an_answer_without_a_row_has_its_columns(room: Room) -> None:
    result = room.of(RECS.clear(), TRUTH.clear())
    for lazy, expected in ((result.summary(), SUMMARY), (result.per_list(), EXPECTED.per_list().collect())):
        found = lazy.collect()
        assert found.height == 0
        assert found.columns == expected.columns


# Labels of more than 63 bytes, where PostgreSQL ends a name, that are told apart by what comes then.
LONG = [
    f"ndcg(discount=geometric, gain=exponential, ideal=all, negatives=left_out, p=0.9, rel=2)@{k}" for k in (1, 2, 3)
]


def test_long_labels_come_back_whole_and_apart(room: Room) -> None:
    expected = by_polars(RECS, TRUTH, LONG)
    result = room.of(RECS, TRUTH, LONG)
    labels = means(result).columns[2:]
    assert len(set(labels)) == len({label[:63] for label in labels}) + 2 == 3
    assert_frame_equal(means(result), means(expected), check_dtypes=False, rel_tol=1e-12)
    assert_as_polars(result, expected)
    assert repr(result) == repr(expected)


@pytest.mark.parametrize("letter", ["n", "ä"])
def test_columns_as_long_as_a_database_takes_them_are_found(room: Room, letter: str) -> None:
    most = 61 if room.engine.name == "mariadb" else 61 // len(letter.encode())
    names = [f"{letter * most}_1", f"{letter * most}_2"]
    recs, truth = RECS.rename({"algorithm": names[0], "user": names[1]}), TRUTH.rename({"user": names[1]})
    result = room.of(recs, truth, ["rr"])
    assert result.collect(per_list=True).columns == [*names, "rr"]
    assert_frame_equal(means(result), means(by_polars(recs, truth, ["rr"])), check_dtypes=False)
