"""Within a limit of memory: lazy frames are streamed, and large scores are ranked on disk."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.engines.duckdb import opened_within
from rankmetrics.engines.out_of_core import Spilling
from tests.support.small_lists import RECS, SIX, TRUTH, asked


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """The two inputs as files."""
    RECS.write_parquet(tmp_path / "recs.parquet")
    TRUTH.write_parquet(tmp_path / "truth.parquet")
    return tmp_path / "recs.parquet", tmp_path / "truth.parquet"


def test_lazy_frames_are_streamed_into_duckdb_within_a_limit_of_memory(files: tuple[Path, Path]) -> None:
    recs, truth = map(pl.scan_parquet, files)
    expected = rm.evaluate(recs, truth, SIX).summary().collect()
    result = rm.evaluate(recs, truth, SIX, memory_limit="500MB")
    found = result.summary()
    assert isinstance(found, pl.LazyFrame)
    assert found.collect_schema() == expected.schema
    assert found.collect().row(0) == pytest.approx(expected.row(0), abs=1e-12)
    assert result.per_list().collect().height == 3
    assert "truth_lists" in result.account().collect()["account"].to_list()


def test_frames_come_in_batches_and_duckdb_keeps_to_the_limit(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    streamed: list[list[str]] = []
    batches = pl.LazyFrame.collect_batches

    def recorded(frame: pl.LazyFrame, **options: Any) -> Any:
        streamed.append(frame.collect_schema().names())
        return batches(frame, **options)

    monkeypatch.setattr(pl.LazyFrame, "collect_batches", recorded)
    recs, truth = map(pl.scan_parquet, files)
    result = rm.evaluate(recs, truth, SIX, memory_limit="500MB")
    assert streamed == []
    result.summary().collect()
    assert {*map(tuple, streamed)} == {("user", "item", "score"), ("user", "item")}
    assert isinstance(result._engine, Spilling)
    setting = result._engine._spill.sql("SELECT current_setting('memory_limit')")
    assert setting.fetchall() == [("452.9 MiB",)], "of 500 MB a twentieth is kept back"


def test_a_limit_that_is_no_number_of_bytes_stays_as_it_is() -> None:
    asked_for = "SELECT current_setting('memory_limit')"
    with duckdb.connect(config={"memory_limit": "50%"}) as given, opened_within("50%") as opened:
        assert opened.execute(asked_for).fetchall() == given.execute(asked_for).fetchall()


def test_nothing_is_read_before_it_is_asked_for_within_a_limit_of_memory(files: tuple[Path, Path]) -> None:
    recs, truth = map(pl.scan_parquet, files)
    summary = rm.evaluate(recs, truth, SIX, memory_limit="500MB").summary()
    files[0].unlink()
    with pytest.raises(Exception, match=r"recs\.parquet"):
        summary.collect()


def test_scores_larger_than_the_limit_are_ranked_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spill = tmp_path / "spill"
    spill.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(spill))
    rows = 2_000_000
    numbers = pl.LazyFrame({"n": pl.int_range(rows, eager=True)})
    shuffled = (pl.col("n") * 7919) % rows
    recs = numbers.select(user=shuffled // 100, item=shuffled % 100, score=(shuffled % 100) / 100)
    truth = numbers.filter(pl.col("n") < rows // 100).select(user="n", item=98)
    found = rm.evaluate(recs, truth, ["rr"], memory_limit="60MB").summary().collect()
    assert found.row(0) == (rows // 100, 0.5)
    del found
    gc.collect()
    assert list(spill.rglob("*")) == []


def test_files_are_computed_within_a_limit_of_memory(files: tuple[Path, Path]) -> None:
    relation = rm.evaluate(*files, SIX, memory_limit="500MB").summary()
    assert isinstance(relation, duckdb.DuckDBPyRelation)
    assert relation.fetchall() == [pytest.approx(asked(*files)[0], abs=1e-12)]


@pytest.mark.parametrize("limit", ["a lot", "", "2 parsecs"])
def test_a_limit_of_memory_that_is_none_is_refused(files: tuple[Path, Path], limit: str) -> None:
    with pytest.raises(rm.InputError, match="memory_limit="):
        rm.evaluate(*files, SIX, memory_limit=limit)


def test_whoever_brings_a_connection_sets_its_limit_there(files: tuple[Path, Path]) -> None:
    connection = duckdb.connect()
    with pytest.raises(rm.InputError, match="set the limit there"):
        rm.evaluate(*files, SIX, memory_limit="1GB", connection=connection)
    with pytest.raises(rm.InputError, match="set the limit there"):
        rm.evaluate(connection.read_parquet(str(files[0])), files[1], SIX, memory_limit="1GB")
