"""Files that a result is written to: whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from tests.support.engines import Engine
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


def test_a_file_takes_the_place_of_an_old_one(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_text("old")
    rm.evaluate(engine.give(RECS), engine.give(TRUTH), "rr").write(str(path))
    assert path.read_text().startswith("algorithm,n_lists,n_missing,rr\n")


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
