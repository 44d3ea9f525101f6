"""The package writes the SQL of the adapter that the project's profile names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rankmetrics as rm
from rankmetrics.export.dbt import package as dbt
from rankmetrics.export.dbt.leaderboards import adapter_of
from tests.support.commands import printed
from tests.support.dbt_packages import GOOD, contents

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
