"""The package writes the SQL of the adapter of the project's profile, and a data test for each leaderboard."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import sqlglot
from sqlglot import exp

import rankmetrics as rm
from rankmetrics.dialects.base import grammar
from rankmetrics.export.dbt import package as dbt
from rankmetrics.export.dbt.package import ADAPTERS, adapter_of
from tests.support.commands import printed
from tests.support.dbt_packages import GOOD, RECS, TRUTH, board, by_hand, contents, described, sql

PROFILE = "shop: {target: dev, outputs: {dev: {type: snowflake}, old: {type: redshift}}}\n"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of dbt with the profile `shop`, of which there is no profiles.yml yet."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("DBT_PROFILES_DIR", raising=False)
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop/dbt_project.yml").write_text("name: shop\nprofile: shop\n")
    return tmp_path / "shop"


def adapters_of(package: Path) -> list[str]:
    """The adapters that the macros of a package have SQL for."""
    return sorted({*re.findall(r"(\w+)__", "".join(contents(package).values()))} - {"default"})


@pytest.mark.parametrize("place", ["beside the project", "at home", "where dbt is told"])
def test_the_adapter_is_that_of_the_profile(shop: Path, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = {"beside the project": shop, "at home": shop.parent / "home/.dbt"}.get(place, shop.parent / "told")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "profiles.yml").write_text(PROFILE)
    if place == "where dbt is told":
        monkeypatch.setenv("DBT_PROFILES_DIR", str(folder))
    dbt.init(shop / "rankmetrics")
    assert adapters_of(shop / "rankmetrics") == ["snowflake"]
    assert "\nadapters: [snowflake]" in (shop / "rankmetrics/leaderboards.yml").read_text()


def test_a_profile_is_read_as_far_as_it_tells_the_adapter(shop: Path) -> None:
    unknown = "{target: \"{{ env_var('T') }}\", outputs: {a: {type: trino}, b: {type: "
    for profile, adapter in {
        "shop: {outputs: {default: {type: postgres}, other: {type: duckdb}}}": "postgres",
        f"shop: {unknown}trino}}}}}}": "trino",
        f"shop: {unknown}duckdb}}}}}}": None,
        "other: {target: a, outputs: {a: {type: trino}}}": None,
        "shop: [": None,
    }.items():
        (shop / "profiles.yml").write_text(profile)
        assert adapter_of(shop / "rankmetrics") == adapter, profile


def test_the_adapter_is_duckdb_where_nothing_tells_it_and_any_that_is_named(shop: Path) -> None:
    dbt.init(shop / "rankmetrics")
    assert adapters_of(shop / "rankmetrics") == ["duckdb"]
    printed("dbt", "init", shop / "named", "--adapter", "bigquery")
    assert adapters_of(shop / "named") == ["bigquery"]
    (shop / "profiles.yml").write_text(PROFILE)
    (shop / "rankmetrics/leaderboards.yml").write_text(GOOD)  # a file that lists no adapters
    dbt.write(shop / "rankmetrics")
    assert adapters_of(shop / "rankmetrics") == ["snowflake"]


def test_an_adapter_without_sql_is_refused_before_anything_is_written(shop: Path) -> None:
    (shop / "profiles.yml").write_text(PROFILE.replace("snowflake", "db2"))
    with pytest.raises(rm.InputError, match="has the adapter 'db2', for which there is no SQL"):
        dbt.init(shop / "rankmetrics")
    with pytest.raises(rm.InputError, match=r"You named the adapter 'snowflak'.*Did you mean 'snowflake'"):
        dbt.init(shop / "rankmetrics", "snowflak")
    assert not (shop / "rankmetrics").exists()


# --- The data test that a package has for each leaderboard: it returns the faults of the tables -----------------------


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
