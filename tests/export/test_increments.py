"""What a daily job adds, day by day, is what the full build makes: row for row, for every metric."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rankmetrics as rm
from tests.support import days
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


@pytest.mark.parametrize("group", range(len(days.every_metric(once=True))))
def test_the_days_together_are_the_full_build(tmp_path: Path, group: int) -> None:
    frames = days.problem(len(days.MAY_HAVE_A_DAY) + group, days.MAY_HAVE_A_DAY)
    days.assert_increments_make_the_full_build(tmp_path, frames, days.every_metric(once=True)[group])


@pytest.mark.parametrize("name", OF_INPUTS)
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
