"""What a daily job adds, day by day, is what the full build makes; and the job of docs/orchestration.md."""

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
from docs.tooling.page_code import blocks
from tests.support import days, flat
from tests.support.commands import printed
from tests.support.engines import means, postgres
from tests.support.refusals import refusal

# The inputs that may have the column of the day, with metrics that read them, alone and together with others.
OF_INPUTS = {
    "history": ["unseen@3", "popularity@3", "surprisal@3", "long_tail@3", "miscalibration@3"],
    "baseline": ["serendipity@3", "unexpectedness@3", "rbo@3"],
    "items": ["categorical_diversity@3", "embedding_diversity@3", "miscalibration@3", "coverage@3"],
    "catalog": ["coverage@3", "gini@3", "hit@3"],
    "none": ["unseen@3", "popularity@3", "serendipity@3", "miscalibration@3", "coverage@3", "list_diversity@3"],
}


@pytest.mark.long
@pytest.mark.parametrize("group", range(len(days.every_metric())))
def test_the_days_together_are_the_full_build_under_every_choice(tmp_path: Path, group: int) -> None:
    frames = days.problem(len(days.MAY_HAVE_A_DAY) + group, days.MAY_HAVE_A_DAY)
    days.assert_increments_make_the_full_build(tmp_path, frames, days.every_metric()[group])


@pytest.mark.long
@pytest.mark.parametrize("group", range(len(days.every_metric(once=True))))
def test_the_days_together_are_the_full_build(tmp_path: Path, group: int) -> None:
    frames = days.problem(len(days.MAY_HAVE_A_DAY) + group, days.MAY_HAVE_A_DAY)
    days.assert_increments_make_the_full_build(tmp_path, frames, days.every_metric(once=True)[group])


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name != "none")) for name in OF_INPUTS]
)
def test_the_days_together_are_the_full_build_where_one_input_or_none_has_the_day(tmp_path: Path, name: str) -> None:
    frames = days.problem(1, [name] if name in days.MAY_HAVE_A_DAY else [])
    days.assert_increments_make_the_full_build(tmp_path, frames, OF_INPUTS[name])


@pytest.mark.long
@pytest.mark.parametrize(
    ("options", "wheres"),
    [
        ({"by": ["day"]}, days.EACH_DAY),
        ({"by": ["day", "algorithm"], "per_list": True}, days.EACH_DAY),
        ({"by": ["day", "algorithm"]}, [{"algorithm": name} for name in days.ALGORITHMS]),
        ({"by": ["algorithm"], "per_list": True}, [{"algorithm": name} for name in days.ALGORITHMS]),
        ({"by": ["day", "algorithm"]}, ["day < 2", "day >= 2"]),
        ({"by": ["day", "algorithm"]}, [{"day": [1, 3]}, "day = 2"]),
        ({"by": ["day", "algorithm"], "missing": "history"}, days.EACH_DAY),
        ({"by": ["day", "algorithm"], "missing": "baseline"}, days.EACH_DAY),
    ],
    ids=str,
)
def test_other_cuts_together_are_the_full_build(tmp_path: Path, options: dict[str, Any], wheres: list[Any]) -> None:
    metrics = ["ndcg@3", "unseen@3", "popularity@3", "serendipity@3"]
    metrics += [] if options.get("per_list") else ["coverage@3"]
    frames = days.problem(7, days.MAY_HAVE_A_DAY)
    days.assert_increments_make_the_full_build(tmp_path, frames, metrics, wheres=wheres, **options)


def test_a_history_is_not_cut_by_a_column_that_is_no_fold(tmp_path: Path) -> None:
    # `reader` is not a usual name: `country` may then be the owner of the lists, and popularity counts all countries
    frames = days.problem(3, ("history",))
    called = {"day": "country", "user": "reader"}
    named = {name: frames[name].rename(called) for name in ("recs", "truth", "history")}
    days.assert_increments_make_the_full_build(
        tmp_path,
        named,
        ["hit@3", "unseen@3", "popularity@3"],
        by=["country", "algorithm"],
        wheres=[{"country": day} for day in days.DAYS],
    )


def test_a_cut_whose_rows_would_be_others_is_refused() -> None:
    frames = days.problem(1, ())
    options: dict[str, Any] = {"form": "incremental", "name": "board"}
    result = rm.evaluate(frames["recs"], frames["truth"], "hit@3", by=["user", "algorithm"])
    with refusal(rm.ColumnError, "'user', the owner of lists", "do not name every system"):
        result.to_sql("duckdb", where={"user": 1}, **options)
    result = rm.evaluate(frames["recs"], frames["truth"], "hit@3", by=["algorithm"])
    with refusal(rm.ColumnError, "Without 'day' in by, each system is scored for the lists of every 'day'"):
        result.to_sql("duckdb", where={"day": 1}, per_list=True, **options)


# --- The code of docs/orchestration.md, run: what its commands write, twice, on PostgreSQL ----------------------------


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
    for block in blocks("docs/orchestration.md", "sh"):
        _, *words = shlex.split(block.replace("\\\n", " ").replace("snowflake", "postgres"))
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


def test_the_task_of_the_page_runs_twice_and_over_days_and_keeps_each_row_once(
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
    text = flat.to_sql("db.recs", "db.truth", ["ndcg@10", "recall@10"], dialect="postgres", **lists, **job)
    connection.execute("UPDATE db.leaderboard SET n_lists = 0")
    first, last = map(str, DAYS)
    connection.execute(text.replace("{{ macros.ds_add(ds, -3) }}", first).replace("{{ ds }}", last))
    assert rows(connection) == expected
