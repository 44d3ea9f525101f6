"""The code of docs/orchestration.md, run: what its commands write, twice, on PostgreSQL."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import polars as pl
import pytest

import rankmetrics as rm
from tests.support.commands import printed
from tests.support.engines import means, postgres

PAGE = (Path(__file__).parents[2] / "docs" / "orchestration.md").read_text(encoding="utf-8")
DAYS = (date(2024, 1, 1), date(2024, 1, 2))
RECS = pl.DataFrame(
    [
        (day, system, user, item, 1 + item % 2)
        for day in DAYS
        for system in "ab"
        for user in (1, 2)
        for item in (10, 11)
    ],
    schema=["day", "algorithm", "user", "item", "rank"],
    orient="row",
).filter((pl.col("day") == DAYS[0]) | (pl.col("algorithm") == "a"))
TRUTH = pl.DataFrame({"day": [DAYS[0], DAYS[0], DAYS[1]], "user": [1, 2, 1], "item": [10, 11, 11]})


def files() -> dict[str, str]:
    """The texts that the commands of the page write, by the name of the file, for PostgreSQL."""
    texts = {}
    for command in re.findall(r"^\$ rankmetrics (sql (?:.*\\\n)*.*)$", PAGE, re.MULTILINE):
        words = shlex.split(command.replace("\\\n", " ").replace("snowflake", "postgres"))
        arrow = words.index(">")
        texts[Path(words[arrow + 1]).name] = printed(*words[:arrow])
    return texts


@pytest.fixture
def connection() -> Iterator[Any]:
    """A PostgreSQL with the tables that the page reads."""
    run = postgres().execute
    run("CREATE SCHEMA db")
    run('CREATE TABLE db.recs (day DATE, algorithm TEXT, "user" BIGINT, item BIGINT, rank BIGINT)')
    run('CREATE TABLE db.truth (day DATE, "user" BIGINT, item BIGINT)')
    for name, frame in {"recs": RECS, "truth": TRUTH}.items():
        marks = ", ".join(["%s"] * frame.width)
        postgres().cursor().executemany(f"INSERT INTO db.{name} VALUES ({marks})", frame.rows())
    yield postgres()
    run("DROP SCHEMA db CASCADE")


def rows(connection: Any) -> list[tuple[Any, ...]]:
    table: list[tuple[Any, ...]] = connection.execute("SELECT * FROM db.leaderboard ORDER BY 1, 2").fetchall()
    return table


def test_the_task_of_the_page_runs_twice_and_leaves_each_row_once_as_do_several_days(
    monkeypatch: pytest.MonkeyPatch, connection: Any
) -> None:
    operators = "airflow.providers.common.sql.operators.sql"
    modules = ["airflow.sdk", *(operators.rsplit(".", n)[0] for n in range(operators.count(".") + 1))]
    for name in modules:  # Airflow need not be installed
        monkeypatch.setitem(sys.modules, name, MagicMock())
    texts = files()
    (code,) = (code for code in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if "airflow" in code)
    exec(compile(code, "orchestration.md", "exec"), {})
    (task,) = sys.modules[operators].SQLExecuteQueryOperator.call_args_list
    connection.execute(texts["leaderboard_table.sql"])
    result = rm.evaluate(RECS, TRUTH, ["ndcg@10", "recall@10"], by=["day", "algorithm"])
    expected = [(*row[:3], *map(pytest.approx, row[3:])) for row in means(result).sort("day", "algorithm").rows()]
    assert len(expected) == 3
    assert rows(connection) == expected
    connection.execute("UPDATE db.leaderboard SET n_lists = 0")
    for day in (*DAYS, *DAYS):
        connection.execute(texts[task.kwargs["sql"]].replace("{{ ds }}", day.isoformat()))
    assert rows(connection) == expected
    (where,) = re.findall(r'--where "(day BETWEEN .*?)"`', PAGE)
    lists: dict[str, Any] = {"lists": ["day", "algorithm", "user"], "truth_lists": ["day", "user"]}
    lists |= {"truth_columns": rm.Columns(item="item"), "by": ["day", "algorithm"]}
    job: dict[str, Any] = {"form": "incremental", "name": "db.leaderboard", "where": where}
    text = rm.to_sql("db.recs", "db.truth", ["ndcg@10", "recall@10"], dialect="postgres", **lists, **job)
    connection.execute("UPDATE db.leaderboard SET n_lists = 0")
    first, last = map(str, DAYS)
    connection.execute(text.replace("{{ macros.ds_add(ds, -3) }}", first).replace("{{ ds }}", last))
    assert rows(connection) == expected
