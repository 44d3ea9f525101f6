"""The data test that a package has for each leaderboard: it returns the faults of the tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
import sqlglot
from sqlglot import exp

from rankmetrics.dialects.base import grammar
from rankmetrics.export.dbt.leaderboards import ADAPTERS
from tests.support.dbt_packages import RECS, TRUTH, board, contents

FILES = {"macros/_check_one.sql", "tests/one_has_sound_data.sql"}


def _check(package: Path, adapter: str, **relations: str) -> str:
    """The query of the check for an adapter, as Jinja renders it."""
    text = (package / "macros/_check_one.sql").read_text()
    start = text.index(f"{{% macro {adapter}__check_one(")
    inside = text[text.index("-%}", start) + 3 : text.index("{%- endmacro %}", start)].strip()
    for name, relation in relations.items():
        inside = inside.replace(f"{{{{ {name} }}}}", relation)
    return inside.replace("{{ '{' }}", "{")


def _rows(query: str) -> list[tuple[Any, ...]]:
    """What DuckDB returns for a query."""
    with duckdb.connect() as connection:
        return connection.execute(query).fetchall()


def test_a_leaderboard_has_a_data_test_that_calls_the_check(package: Path) -> None:
    board(package)
    text = (package / "tests/one_has_sound_data.sql").read_text()
    assert text.endswith("{{ rankmetrics.check_one(recs=ref('recs'), truth=ref('truth')) }}\n")


def test_the_data_test_is_left_out_where_that_is_asked_for(package: Path) -> None:
    board(package)
    assert {*contents(package)} >= FILES
    board(package, check=False)
    assert not {*contents(package)} & FILES


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_every_adapter_has_a_check_without_an_order(package: Path, adapter: str) -> None:
    board(package, adapters=[adapter])
    text = _check(package, adapter, recs="r", truth="t")
    (tree,) = sqlglot.parse(text, read=grammar(ADAPTERS[adapter]))
    assert tree is not None
    assert tree.args.get("order") is None
    assert "{{" not in text
    assert {one.name.lower() for one in tree.find_all(exp.Table)} >= {"r", "t"}


def test_the_check_returns_the_faults_of_the_tables_that_it_is_called_with(package: Path, tmp_path: Path) -> None:
    board(package, lists=["partition", "algorithm", "user"], truth_lists=["partition", "user"])
    recs = pl.read_parquet(RECS)
    recs.with_columns(user=pl.col("user") + 10_000_000).write_parquet(tmp_path / "recs.parquet")
    sound = _check(package, "duckdb", recs=f"'{RECS}'", truth=f"'{TRUTH}'")
    assert _rows(sound) == []
    bad = _check(package, "duckdb", recs=f"'{tmp_path / 'recs.parquet'}'", truth=f"'{TRUTH}'")
    (row,) = _rows(bad)
    assert row[0] == "no_list_in_common"


def test_repeats_are_faults_where_a_leaderboard_refuses_them(package: Path, tmp_path: Path) -> None:
    board(package, lists=["partition", "algorithm", "user"], truth_lists=["partition", "user"], duplicates="error")
    truth = pl.read_parquet(TRUTH)
    pl.concat([truth, truth.head(2)]).write_parquet(tmp_path / "truth.parquet")
    text = _check(package, "duckdb", recs=f"'{RECS}'", truth=f"'{tmp_path / 'truth.parquet'}'")
    assert [row[:2] for row in _rows(text)] == [("truth_repeated", 2)]


def test_columns_of_counts_stand_behind_those_of_metrics(package: Path) -> None:
    board(package, counts=["missing", "tied", "undefined"])
    text = (package / "models/schema.yml").read_text()
    names = [line.split(": ")[1] for line in text.splitlines() if line.strip().startswith("- name: ")]
    assert names[1:] == ["algorithm", "n_lists", "hit_at_10", "n_missing", "n_tied", "n_undefined_hit_at_10"]
