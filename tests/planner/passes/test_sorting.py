"""DuckDB ranks by one sort, and gives what the windows give."""

from __future__ import annotations

from pathlib import Path

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from tests.support.engines import means
from tests.support.small_lists import RECS, SIX, TRUTH, asked, many, ranked


@pytest.mark.parametrize(("cutoff", "ordered"), [(1, "true"), (20, "false"), (1200, "false")])
def test_duckdb_ranks_by_one_sort_as_the_long_way_does(cutoff: int, ordered: str, tmp_path: Path) -> None:
    recs, truth = many(3, 1500)
    recs.write_parquet(tmp_path / "recs.parquet", row_group_size=500)
    connection = duckdb.connect()
    connection.execute(f"SET preserve_insertion_order = {ordered}")
    metrics = [f"{name.split('@')[0]}@{cutoff}" for name in SIX]
    result = rm.evaluate(tmp_path / "recs.parquet", truth, metrics, connection=connection)
    assert "PARTITION BY" not in result.to_sql().split('"matches" AS')[0]
    expected = means(rm.evaluate(ranked(recs), truth, metrics)).rows()
    assert means(result).rows() == [pytest.approx(row, abs=1e-12) for row in expected]


def test_duckdb_sorts_what_does_not_fit_into_memory_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recs, truth = many(20, 150)
    recs.write_parquet(tmp_path / "recs.parquet")
    connection = duckdb.connect(config={"memory_limit": "100MB"})
    connection.execute(f"CREATE TABLE stored AS FROM '{tmp_path}/recs.parquet'")
    expected = rm.evaluate(recs, truth, SIX).per_list().collect().sort("user", "day")
    whole = means(rm.evaluate(recs.to_arrow(), truth, SIX))
    monkeypatch.setattr("rankmetrics.engines.duckdb.MEMORIES_A_PART", recs.height * 58 / 100e6 / 4.5)
    for recs_given in (tmp_path / "recs.parquet", "stored", connection.table("stored")):
        result = rm.evaluate(recs_given, truth, SIX, connection=connection)
        text = result.per_list().sql_query()
        assert text.upper().count("HASH(") == 5, "four and a half memories are five parts"
        assert "HASH(" not in result.to_sql(), "text is for anywhere"
        assert_frame_equal(result.per_list().pl().sort("user", "day"), expected, abs_tol=1e-12)
        assert_frame_equal(means(result), whole, abs_tol=1e-12)


def test_what_would_be_computed_anew_is_sorted_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rankmetrics.engines.duckdb.MEMORIES_A_PART", 1e-9)
    RECS.write_csv(tmp_path / "recs.csv")
    connection = duckdb.connect()
    joined = connection.sql(
        f"FROM '{tmp_path}/recs.csv' JOIN (SELECT DISTINCT item FROM '{tmp_path}/recs.csv') USING (item)"
    )
    ranks = RECS.with_columns(rank=pl.int_range(1, pl.len() + 1).over("user"))
    ranks.write_parquet(tmp_path / "ranks.parquet")
    for recs_given in (tmp_path / "recs.csv", joined, tmp_path / "ranks.parquet", RECS.to_arrow()):
        assert "HASH(" not in rm.evaluate(recs_given, TRUTH, SIX).summary().sql_query()


def test_what_is_read_beyond_the_cutoff_is_not_dropped() -> None:
    recs = pl.DataFrame({"user": [1, 1], "item": [40, 10], "score": [0.9, 0.8]})
    baseline = pl.DataFrame({"user": [1] * 4, "item": [10, 20, 30, 40], "score": [0.9, 0.8, 0.7, 0.6]})
    truth = pl.DataFrame({"user": [1], "item": [40]})
    for frames in ((recs, truth, baseline), (recs.to_arrow(), truth.to_arrow(), baseline.to_arrow())):
        result = rm.evaluate(frames[0], frames[1], ["least_item_promoted@1"], baseline=frames[2])
        assert means(result).rows() == [(1, 2.0)], "40 comes from place 4 of the baseline: 2 lay between"


def test_a_list_column_may_be_called_as_a_column_that_the_sort_reads() -> None:
    recs = pl.DataFrame({"item": ["a", "a", "b"], "sku": [3, 1, 2], "user": [0.1, 0.9, 0.5]})
    truth = pl.DataFrame({"item": ["a", "b"], "sku": [1, 2]})
    columns = rm.Columns(item="sku", score="user")
    for recs_given in (recs, recs.to_arrow()):
        assert asked(
            recs_given, truth, ["rr"], lists="item", columns=columns, truth_columns=rm.Columns(item="sku")
        ) == [(2, 1.0)]
