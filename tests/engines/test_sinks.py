"""Files that a result is written to: whole or not at all."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import psycopg
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics._files import whole_file
from tests.support.engines import Engine, postgres_server
from tests.support.refusals import refusal
from tests.support.two_systems import RECS, TRUTH

READERS: dict[str, Callable[[Path], pl.DataFrame]] = {
    "csv": pl.read_csv,
    "csv.gz": pl.read_csv,
    "json": pl.read_json,
    "jsonl": pl.read_ndjson,
    "ndjson": pl.read_ndjson,
    "parquet": pl.read_parquet,
    "pq": pl.read_parquet,
    "tsv": lambda path: pl.read_csv(path, separator="\t"),
}


def test_a_file_holds_what_collect_returns(engine: Engine, tmp_path: Path) -> None:
    result = rm.evaluate(engine.give(RECS), engine.give(TRUTH), ["rr", "hit@1"])
    for per_list in (False, True):
        expected = result.collect(per_list=per_list)
        for ending, read in READERS.items():
            path = tmp_path / f"it's out.{ending}"
            result.write(path, per_list=per_list)
            assert_frame_equal(read(path), expected, check_row_order=False)
            assert os.listdir(tmp_path) == [path.name], ending  # noqa: PTH208  # hidden files, too
            path.unlink()


def test_a_table_holds_what_collect_returns_and_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = rm.evaluate(RECS, TRUTH, ["rr", "hit@1"])
    monkeypatch.chdir(tmp_path)
    addresses: dict[str, Callable[[], Any]] = {
        "shop.duckdb::board": lambda: duckdb.connect("shop.duckdb").sql("SELECT * FROM board").pl(),
        "sqlite:///shop.db?table=board": lambda: pl.read_database(
            'SELECT * FROM board ORDER BY "algorithm"', sqlite3.connect("shop.db")
        ),
    }
    for per_list in (False, True):
        expected = result.collect(per_list=per_list)
        for address, read in addresses.items():
            result.write(address, per_list=per_list)
            assert_frame_equal(read(), expected, check_row_order=False)
    with refusal(rm.InputError, "names no table: write it as in sqlite:///shop.db?table=board"):
        result.write("sqlite:///shop.db")


def test_a_server_gets_a_table(postgres: Any) -> None:
    uri = str(postgres_server().get_uri())
    board = "rankmetrics_board"
    rm.evaluate(RECS, TRUTH, ["rr"]).write(f"{uri}{'&' if '?' in uri else '?'}table={board}", per_list=True)
    expected = rm.evaluate(RECS, TRUTH, ["rr"]).collect(per_list=True)
    with psycopg.connect(uri) as connection:
        read = connection.execute(f"SELECT * FROM {board}").fetchall()
        connection.execute(f"DROP TABLE {board}")
    assert sorted(map(str, read)) == sorted(map(str, expected.rows()))


def test_partitions_are_folders_and_a_second_write_replaces_its_own(tmp_path: Path) -> None:
    by: dict[str, Any] = {"per_list": True, "partition_by": "algorithm"}
    rm.evaluate(RECS, TRUTH, "rr").write(tmp_path / "out", **by)
    (tmp_path / "out" / "algorithm=b" / "old.parquet").write_bytes(b"")
    one = RECS.filter(algorithm="b")
    rm.evaluate(one, TRUTH, "rr", by="algorithm").write(tmp_path / "out", **by)
    rows = pl.read_parquet(tmp_path / "out" / "**" / "*.parquet", hive_partitioning=True)
    expected = rm.evaluate(RECS, TRUTH, "rr").collect(per_list=True)
    assert_frame_equal(rows.select(expected.columns), expected, check_row_order=False)
    with refusal(rm.ColumnError, "partition_by names 'algoritm'", "Did you mean 'algorithm'?"):
        rm.evaluate(RECS, TRUTH, "rr").write(tmp_path / "out", partition_by="algoritm")
    with refusal(rm.InputError, "out.parquet' is not one"):
        rm.evaluate(RECS, TRUTH, "rr").write(tmp_path / "out.parquet", **by)


def test_a_file_may_be_read_by_whoever_may_read_others(tmp_path: Path) -> None:
    (tmp_path / "other.csv").touch()
    rm.evaluate(RECS, TRUTH, "rr").write(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").stat().st_mode == (tmp_path / "other.csv").stat().st_mode


@pytest.mark.parametrize("old", [None, "old"])
def test_a_write_that_fails_midway_leaves_what_was_there(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str | None
) -> None:
    result = rm.evaluate(engine.give(RECS), engine.give(TRUTH), "rr")
    path = tmp_path / "out.csv"
    if old:
        path.write_text(old)

    def fail(_: object, temporary: Path, form: str) -> None:
        temporary.write_text(f"half of a {form}")
        raise rm.EngineError("the engine", "no space left on device", "SELECT 1")

    monkeypatch.setattr(result._engine, "write_frame", fail)
    with pytest.raises(rm.EngineError, match="no space left"):
        result.write(path)
    assert {one.name: one.read_text() for one in tmp_path.iterdir()} == ({"out.csv": old} if old else {})


def test_a_write_that_is_refused_leaves_no_file(tmp_path: Path) -> None:
    result = rm.evaluate(RECS, TRUTH.with_columns(pl.col("user") + 10), "rr")
    with pytest.raises(rm.DataError):
        result.write(tmp_path / "out.csv")
    with pytest.raises(rm.InputError, match=r"'out.xlsx': end it in one of .parquet"):
        result.write("out.xlsx")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["no/folder/out.csv", "folder.csv"])
def test_a_path_that_cannot_be_written_is_refused_as_an_input(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(rm.InputError, match=name):
        rm.evaluate(RECS, TRUTH, "rr").write(tmp_path / name)


# --- Files that are written whole or not at all -----------------------------------------------------------------------


def test_a_file_that_is_being_written_is_not_seen_before_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "out.tsv.gz"
    path.write_text("old", encoding="utf-8")
    with whole_file(path) as temporary:
        temporary.write_text("new", encoding="utf-8")
        assert path.read_text(encoding="utf-8") == "old"
        assert temporary.parent == tmp_path
        assert temporary.suffixes[-2:] == [".tsv", ".gz"]  # by which the format is chosen
    assert path.read_text(encoding="utf-8") == "new"
    assert [*tmp_path.iterdir()] == [path]
