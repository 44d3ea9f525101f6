"""The data test that a package has for each leaderboard: it returns the faults of the tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import sqlglot
from sqlglot import exp

from rankmetrics.dialects.base import grammar
from rankmetrics.export.dbt.leaderboards import ADAPTERS
from tests.support.dbt_packages import RECS, TRUTH, board, by_hand, contents, described, sql

FILES = {"macros/_check_one.sql", "tests/one_has_sound_data.sql"}


def test_a_leaderboard_has_a_data_test_that_calls_the_check_unless_it_is_left_out(package: Path) -> None:
    board(package)
    assert {*contents(package)} >= FILES
    text = (package / "tests/one_has_sound_data.sql").read_text()
    assert text.endswith("{{ rankmetrics.check_one(recs=ref('recs'), truth=ref('truth')) }}\n")
    board(package, check=False)
    assert not {*contents(package)} & FILES


def test_every_adapter_has_a_check_without_an_order(package: Path) -> None:
    board(package, adapters=[*ADAPTERS])
    for adapter, dialect in ADAPTERS.items():
        text = sql(package, adapter, is_check=True, recs="r", truth="t")
        (tree,) = sqlglot.parse(text, read=grammar(dialect))
        assert tree is not None
        assert tree.args.get("order") is None, adapter
        assert "{{" not in text, adapter
        assert {table.name.lower() for table in tree.find_all(exp.Table)} >= {"r", "t"}, adapter


def test_the_check_returns_the_faults_of_the_tables_that_it_is_called_with(package: Path, tmp_path: Path) -> None:
    lists = {"lists": ["partition", "algorithm", "user"], "truth_lists": ["partition", "user"]}
    recs, truth = pl.read_parquet(RECS), pl.read_parquet(TRUTH)
    recs.with_columns(user=pl.col("user") + 10_000_000).write_parquet(tmp_path / "recs.parquet")
    pl.concat([truth, truth.head(2)]).write_parquet(tmp_path / "truth.parquet")

    def faults(recs: Path, truth: Path) -> list[tuple[Any, ...]]:
        query = sql(package, "duckdb", is_check=True, recs=f"'{recs}'", truth=f"'{truth}'")
        return by_hand(query).select("fault", "n").rows()

    board(package, **lists)
    assert faults(RECS, TRUTH) == []
    assert [fault for fault, _ in faults(tmp_path / "recs.parquet", TRUTH)] == ["no_list_in_common"]
    board(package, **lists, duplicates="error")  # repeats are faults where a leaderboard refuses them
    assert faults(RECS, tmp_path / "truth.parquet") == [("truth_repeated", 2)]


def test_columns_of_counts_stand_behind_those_of_metrics(package: Path) -> None:
    board(package, counts=["missing", "tied", "undefined"])
    names = [column["name"] for column in described(package)["columns"]]
    assert names == ["algorithm", "n_lists", "hit_at_10", "n_missing", "n_tied", "n_undefined_hit_at_10"]
