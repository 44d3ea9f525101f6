"""The code of docs/orchestration.md, run: what its commands write, twice, on PostgreSQL."""

from __future__ import annotations

import re
import shlex
import sys
import types
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.support.commands import printed
from tests.support.engines import means, postgres

PAGE = (Path(__file__).parents[2] / "docs" / "orchestration.md").read_text(encoding="utf-8")
DAYS = (date(2024, 1, 1), date(2024, 1, 2))
RECS = pl.DataFrame(
    [(day, one, user, item, 1 + item % 2) for day in DAYS for one in "ab" for user in (1, 2) for item in (10, 11)],
    schema=["day", "algorithm", "user", "item", "rank"],
    orient="row",
).filter((pl.col("day") == DAYS[0]) | (pl.col("algorithm") == "a"))
TRUTH = pl.DataFrame({"day": [DAYS[0], DAYS[0], DAYS[1]], "user": [1, 2, 1], "item": [10, 11, 11]})


def files() -> dict[str, str]:
    """What the commands of the page write, by the name of the file, for PostgreSQL."""
    found = {}
    for command in re.findall(r"^\$ rankmetrics (sql (?:.*\\\n)*.*)$", PAGE, re.MULTILINE):
        words = shlex.split(command.replace("\\\n", " ").replace("snowflake", "postgres"))
        arrow = words.index(">")
        found[Path(words[arrow + 1]).name] = printed(*words[:arrow])
    return found


class Operator:
    """Airflow's operator, as far as the page uses it."""

    made: list[dict[str, Any]] = []  # noqa: RUF012  # one list for the page

    def __init__(self, **options: Any) -> None:
        self.made.append(options)


class Dag:
    """Airflow's DAG, as far as the page uses it."""

    def __init__(self, *_: Any, **__: Any) -> None: ...

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


@pytest.fixture
def airflow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules in the place of Airflow's, which need not be installed."""
    operators = "airflow.providers.common.sql.operators.sql"
    for name in ["airflow", *(operators.rsplit(".", left)[0] for left in range(4, -1, -1)), "airflow.sdk"]:
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    vars(sys.modules[operators])["SQLExecuteQueryOperator"] = Operator
    vars(sys.modules["airflow.sdk"])["DAG"] = Dag


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
    found: list[tuple[Any, ...]] = connection.execute("SELECT * FROM db.leaderboard ORDER BY 1, 2").fetchall()
    return found


def test_the_task_of_the_page_runs_twice_and_leaves_each_row_once(airflow: None, connection: Any) -> None:
    texts = files()
    (code,) = (one for one in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if "airflow" in one)
    Operator.made.clear()
    exec(compile(code, "orchestration.md", "exec"), {})
    (task,) = Operator.made
    connection.execute(texts["leaderboard_table.sql"])
    result = rm.evaluate(RECS, TRUTH, ["ndcg@10", "recall@10"], by=["day", "algorithm"])
    expected = [(*row[:3], *map(pytest.approx, row[3:])) for row in means(result).sort("day", "algorithm").rows()]
    assert len(expected) == 3
    assert rows(connection) == expected
    connection.execute("UPDATE db.leaderboard SET n_lists = 0")
    for day in (*DAYS, *DAYS):
        connection.execute(texts[task["sql"]].replace("{{ ds }}", day.isoformat()))
    assert rows(connection) == expected


def test_several_days_of_the_page_are_one_partition(connection: Any) -> None:
    texts = files()
    connection.execute(texts["leaderboard_table.sql"])
    before = rows(connection)
    (where,) = re.findall(r'--where "(day BETWEEN .*?)"`', PAGE)
    text = rm.to_sql(
        "db.recs",
        "db.truth",
        ["ndcg@10", "recall@10"],
        lists=["day", "algorithm", "user"],
        truth_lists=["day", "user"],
        truth_columns=rm.Columns(item="item"),
        by=["day", "algorithm"],
        dialect="postgres",
        form="incremental",
        name="db.leaderboard",
        where=where,
    )
    first, last = (one.isoformat() for one in DAYS)
    connection.execute(text.replace("{{ macros.ds_add(ds, -3) }}", first).replace("{{ ds }}", last))
    assert rows(connection) == before
