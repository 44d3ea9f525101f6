"""Polars and DuckDB in this process: within a limit of memory, how scores are ranked, in processes that were forked."""

from __future__ import annotations

import gc
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankmetrics as rm
from rankmetrics.engines.duckdb import opened_within
from rankmetrics.engines.out_of_core import Spilling
from rankmetrics.engines.polars import build_number_key, build_struct_key
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
    summary = result.summary()
    assert streamed == []
    summary.collect()
    assert {*map(tuple, streamed)} == {("user", "item", "score"), ("user", "item")}
    assert isinstance(result._engine, Spilling)
    setting = result._engine._spill.sql("SELECT current_setting('memory_limit')")
    assert setting.fetchall() == [("452.9 MiB",)], "of 500 MB a twentieth is kept back"


def test_a_limit_that_is_no_number_of_bytes_stays_as_it_is() -> None:
    asked_for = "SELECT current_setting('memory_limit')"
    with duckdb.connect(config={"memory_limit": "50%"}) as given, opened_within("50%") as opened:
        assert opened.execute(asked_for).fetchall() == given.execute(asked_for).fetchall()


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


# --- Polars ranks by a key of its own, and gives what its SQL gives ---------------------------------------------------


# Scores of the items 10, 20, 30 and NULL, and the ranks of the first three.
SCORES = {
    "nan and null": (pl.Series([0.5, None, float("nan"), 0.25]), [1, 2, 3]),
    "minus infinity": (pl.Series([None, -(10**300), float("-inf"), None], dtype=pl.Float64), [3, 1, 2]),
    "two zeros": (pl.Series([-0.0, 0.0, -1.0, -2.0]), [1, 2, 3]),
    "unsigned": (pl.Series([0, 2**64 - 1, 2**63, 1], dtype=pl.UInt64), [3, 1, 2]),
    "signed": (pl.Series([-(2**63), 5, 2**63 - 1, 0], dtype=pl.Int64), [3, 2, 1]),
    "decimal": (pl.Series([Decimal("1.10"), Decimal("1.09"), Decimal("1.11"), None]), [2, 3, 1]),
}


@pytest.mark.parametrize("ids", [pl.Int64, pl.UInt64, pl.Int128, pl.String], ids=str)
def test_polars_ranks_scores_and_ids_of_any_type(ids: Any) -> None:
    for name, (scores, ranks) in SCORES.items():
        of_one = pl.DataFrame({"item": [10, 20, 30, None], "score": scores}).cast({"item": ids})
        recs = pl.concat(of_one.with_columns(user=pl.lit(user)) for user in range(3))
        truth = pl.DataFrame({"user": range(3), "item": [10, 20, 30]}).cast({"item": ids, "user": pl.Int32})
        found = rm.evaluate(recs, truth, ["rr", "hit@2"], by="user").summary().collect()
        assert found["rr"].to_list() == [1 / rank for rank in ranks], name
        assert found["hit@2"].to_list() == [rank <= 2 for rank in ranks], name


@given(
    st.lists(
        st.tuples(
            st.integers(0, 2),
            st.none() | st.integers(-(2**63), 2**63 - 1) | st.integers(0, 3),
            st.none() | st.floats(width=32) | st.sampled_from([0.0, -0.0, 1e-40]),
        ),
        max_size=20,
    ),
    st.sampled_from([pl.Float32, pl.Float64]),
)
def test_one_number_ranks_as_its_parts_do(rows: list[tuple[int, int | None, float | None]], kind: pl.DataType) -> None:
    recs = pl.DataFrame(rows, schema={"user": pl.Int64, "item": pl.Int64, "score": kind}, orient="row")
    down, item = 0.0 - pl.col("score").fill_nan(None).cast(pl.Float64), pl.col("item")
    one, parts = build_number_key(down, item, is_float=True), build_struct_key(down, item)
    ranks = recs.select(item, one=one.rank("ordinal").over("user"), parts=parts.rank("ordinal").over("user"))
    found = ranks.filter(item.is_not_null())
    assert found["one"].to_list() == found["parts"].to_list()


# --- Evaluations in processes that were forked: an error where Polars would wait for ever -----------------------------


SCRIPT = """
import multiprocessing
import duckdb
import polars as pl
import rankmetrics as rm

RECS = {"user": [1, 2], "item": [7, 8], "rank": [1, 1]}
ENGINES = ("polars", "duckdb")

def value(engine):
    recs, truth = (pl.DataFrame(columns) for columns in (RECS, {"user": [1, 2], "item": [7, 9]}))
    if engine == "duckdb":
        connection = duckdb.connect()
        recs, truth = (connection.from_arrow(frame.to_arrow()) for frame in (recs, truth))
    return rm.evaluate(recs, truth, "rr").collect()["rr"].item()

def told(engine):
    try:
        return value(engine)
    except rm.EngineError as error:
        return str(error)

def in_process(method, engine):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.apply(told, (engine,)))

if __name__ == "__main__":
    rm.evaluate  # nothing was computed yet
    for engine in ENGINES:
        in_process("fork", engine)
    value("polars")
    for engine in ENGINES:
        in_process("fork", engine)
        in_process("spawn", engine)
"""


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the names of threads are known on Linux only")
def test_a_process_that_was_forked_after_an_evaluation_raises_instead_of_waiting(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=90, check=True)
    forked = [
        f"{engine} refused the query: this process was forked from one in which" for engine in ("Polars", "DuckDB")
    ]
    lines = [line.partition(" Polars had started")[0] for line in done.stdout.splitlines()]
    assert lines == ["0.5", "0.5", forked[0], "0.5", forked[1], "0.5"]
    assert done.stdout.count('multiprocessing.get_context("spawn")') == 2
