"""Totals: rows of the summary over the lists of several rows, next to the rows themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.support.commands import printed
from tests.support.engines import LOCAL, OTHERS, SPARK, Engine, need
from tests.support.refusals import refusal

# Arm b has no recommendations on day 3; user 2 of day 1 has none of arm b.
RECS = pl.DataFrame(
    {
        "day": [1, 1, 1, 2, 2, 3],
        "arm": ["a", "a", "b", "a", "b", "a"],
        "user": [1, 2, 1, 1, 1, 1],
        "item": [7, 8, 8, 7, 9, 5],
        "rank": [1] * 6,
    }
)
TRUTH = pl.DataFrame({"day": [1, 1, 2, 3], "user": [1, 2, 1, 1], "item": [7, 8, 9, 6]})
METRICS = ["hit@1", "rr", "recall@1,5"]


@pytest.fixture(
    params=[*LOCAL, *(pytest.param(other, marks=[pytest.mark.long] * (other is SPARK)) for other in OTHERS)], ids=repr
)
def engine(request: pytest.FixtureRequest) -> Engine:
    need(request.param)
    engine: Engine = request.param
    return engine


def evaluate(engine: Engine, **options: Any) -> rm.Result:
    return rm.evaluate(engine.give(RECS), engine.give(TRUTH), METRICS, **options, **engine.options)


def test_a_total_is_over_the_lists_of_its_rows(engine: Engine) -> None:
    result = evaluate(engine, by=[["day", "arm"], ["arm"], ["day"], []])
    lists = engine.read(evaluate(engine, by=["day", "arm"]).per_list())
    expected = []
    for columns in (["day", "arm"], ["arm"], ["day"], []):
        groups = lists.group_by(columns) if columns else lists.group_by(pl.lit(0).alias("all"))
        means = groups.agg(pl.len().alias("n_lists"), pl.col("hit@1", "rr", "recall@1", "recall@5").mean())
        rows = means.with_columns(pl.lit(None).alias(name) for name in ("day", "arm") if name not in columns)
        expected += rows.select("day", "arm", "n_lists", "hit@1", "rr", "recall@1", "recall@5").rows()
    for frame in (engine.read(result.summary()), result.collect().drop("n_missing")):
        assert sorted(frame.rows(), key=str) == sorted(expected, key=str)
    assert ("b", 3) in result.collect().filter(pl.col("day").is_null()).select("arm", "n_lists").rows()


def test_rollup_adds_a_total_for_each_shorter_list_of_columns() -> None:
    rows = rm.evaluate(RECS, TRUTH, METRICS, by=["day", "arm"], rollup=True).collect().select("day", "arm").rows()
    assert rows == [
        *((1, "a"), (1, "b"), (1, None), (2, "a"), (2, "b"), (2, None), (3, "a"), (3, None)),
        (None, None),
    ]


def test_totals_are_named_and_unmarked_and_counted_once() -> None:
    result = rm.evaluate(RECS, TRUTH, "hit@1", by=[["day", "arm"], []])
    plain = rm.evaluate(RECS, TRUTH, "hit@1", by=["day", "arm"])
    assert result.notes() == plain.notes()
    *_, last = [line for line in result.to_text("markdown").splitlines() if line]
    assert last == "| (all) | (all) | 7 | 1 | 0.4286 |"
    table = result._table()
    assert [bool(row[-1].mark) for row in table.rows] == [bool(row[-1].mark) for row in plain._table().rows] + [False]
    assert result.compare("a").collect().equals(plain.compare("a").collect())


def test_the_report_and_the_command_line_show_totals(tmp_path: Path) -> None:
    RECS.write_csv(tmp_path / "recs.csv")
    TRUTH.write_csv(tmp_path / "truth.csv")
    files = (tmp_path / "recs.csv", tmp_path / "truth.csv", "-m", "hit@1", "--by", "day", "--by", "arm", "--rollup")
    assert "(all)" in printed("evaluate", *files)
    rm.report(rm.evaluate(RECS, TRUTH, "hit@1", by=["day", "arm"], rollup=True), tmp_path / "report.html")
    assert "(all)" in (tmp_path / "report.html").read_text()


def test_what_has_no_totals_is_refused() -> None:
    with refusal(rm.MetricError, "coverage@1 measures a system as a whole and has no totals", 'by=["day", "arm"]'):
        rm.evaluate(RECS, TRUTH, "coverage@1", by=["day", "arm"], rollup=True, catalog=RECS.select("item")).summary()
    with refusal(rm.ColumnError, "by begins with 'arm', and a total keeps 'day'", 'by=[["arm", "day"], ...]'):
        rm.evaluate(RECS, TRUTH, "rr", by=[["arm"], ["day"]])
    with refusal(rm.ColumnError, "rollup=True adds totals to one list of columns"):
        rm.evaluate(RECS, TRUTH, "rr", by=[["day", "arm"], ["day"]], rollup=True)
    with refusal(rm.InputError, "A gate checks every row by itself, and no totals"):
        rm.gate(rm.evaluate(RECS, TRUTH, "rr", by=["day", "arm"], rollup=True), minimum={"rr": 0.1})
    tables: dict[str, Any] = {"recs": "recs", "truth": "truth", "lists": ["day", "arm", "user"], "by": ["day", "arm"]}
    with refusal(rm.InputError, "'ddl' writes rows of a partition, and totals are not"):
        rm.to_sql(
            **tables, truth_lists=["day", "user"], metrics="rr", dialect="duckdb", form="ddl", rollup=True, name="b"
        )
