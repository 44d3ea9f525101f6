"""The options of histories, systems and dates in leaderboards.yml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.support import days
from tests.support.dbt_packages import board, by_hand, same, sql

pytestmark = pytest.mark.long


@pytest.mark.parametrize("are_in_a_table", [False, True])
def test_a_leaderboard_has_a_history_until_a_day_and_named_systems(
    package: Path, tmp_path: Path, are_in_a_table: bool
) -> None:
    frames = days.problem(4, ("history",))
    files = {name: tmp_path / f"{name}.parquet" for name in ("recs", "truth", "history")}
    for name, path in files.items():
        frames[name].write_parquet(path)
    lists: dict[str, Any] = {
        "lists": ["day", "algorithm", "user"],
        "truth_lists": ["day", "user"],
        "by": ["day", "algorithm"],
    }
    options: dict[str, Any] = {"history_until": "day", "history_lists": ["user"]}
    systems: Any = ["als", "new"]
    if are_in_a_table:
        pl.DataFrame({"algorithm": systems}).write_parquet(files.setdefault("systems", tmp_path / "systems.parquet"))
    metrics = ["unseen@3", "popularity@3", "hit@3"]
    columns = {"rank": "rank", "rating": "rating"}
    options["systems"] = "ref('systems')" if are_in_a_table else systems
    board(package, **lists, **options, metrics=metrics, columns=columns, history="ref('h')", text=["algorithm"])
    text = sql(package, "duckdb", **{name: f"'{path}'" for name, path in files.items()})
    given: dict[str, Any] = {**options, "systems": systems, "by": lists["by"], "history": files["history"]}
    result = rm.evaluate(files["recs"], files["truth"], metrics, **given)
    assert "new" in by_hand(text)["algorithm"]
    same(by_hand(text), result, ["day", "algorithm"])
