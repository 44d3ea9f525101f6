"""A result as frames, as one column, and as text."""

from __future__ import annotations

import json
import sys
from io import StringIO

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.tables import TextTable
from tests.support.engines import Engine
from tests.support.two_systems import RECS, TRUTH


def test_frames_of_polars_and_pandas_hold_what_collect_returns(engine: Engine) -> None:
    result = rm.evaluate(engine.give(RECS), engine.give(TRUTH), ["rr", "hit@1"])
    assert_frame_equal(result.to_polars(), result.collect())
    assert_frame_equal(pl.from_pandas(result.to_pandas()), result.collect())
    of_lists = pl.from_pandas(result.to_pandas(per_list=True))
    assert_frame_equal(of_lists, result.to_polars(per_list=True), check_row_order=False)


def test_without_pandas_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(rm.InputError, match=r"pip install 'rankmetrics\[pandas\]'"):
        rm.evaluate(RECS, TRUTH, "rr").to_pandas()


def test_a_column_comes_with_its_systems() -> None:
    result = rm.evaluate(RECS, TRUTH, ["rr", "hit@1"], aggregates=["mean", "median"])
    assert result["hit@1"].columns == ["algorithm", "hit@1"]
    assert result["rr median"].rows() == [("a", 0.5), ("b", 0.0)]


def test_an_unknown_column_is_refused_with_the_nearest() -> None:
    with pytest.raises(rm.MetricError, match="Did you mean 'hit@1'"):
        rm.evaluate(RECS, TRUTH, ["rr", "hit@1"])["hit@10"]


@pytest.mark.long
@pytest.mark.parametrize(
    "form", [*("table", "markdown", "latex", "csv", "json", "jsonl"), lambda r: r["rr"], rm.Result.to_pandas]
)
def test_every_form_is_checked_as_collect_is(form: object) -> None:
    result = rm.evaluate(RECS, TRUTH.with_columns(pl.col("user") + 10), "rr")
    with pytest.raises(rm.DataError, match="No list is in both"):
        form(result) if callable(form) else result.to_text(str(form))


def test_csv_and_json_lines_keep_every_digit() -> None:
    result = rm.evaluate(RECS, TRUTH, "rr")
    assert_frame_equal(pl.read_csv(StringIO(result.to_text("csv"))), result.collect())
    assert [json.loads(line) for line in result.to_text("jsonl").splitlines()] == result.collect().to_dicts()


def test_an_undefined_value_is_null_in_json() -> None:
    undefined = rm.evaluate(RECS, TRUTH.with_columns(rating=0.0), "rr")
    assert [row["rr"] for row in json.loads(undefined.to_text("json"))["summary"]] == [None, None]


def test_json_says_what_was_requested() -> None:
    result = rm.evaluate(RECS, TRUTH, {"first": "rr@5"}, aggregates=["mean", "ci(0.9)"])
    request = json.loads(result.to_text("json"))["request"]
    assert request["metrics"] == {"first": "rr@5"}
    assert request["aggregates"] == ["mean", "ci(0.9)"]
    assert (request["lists"], request["truth_lists"]) == (["algorithm", "user"], ["user"])
    assert request["columns"]["truth"] == {"item": "item", "rating": "rating"}


NAMES = TextTable.of_rows(
    ["a|b_c", "v"], [{"a|b_c": "50% & <x>\\ #1", "v": 0.5}, {"a|b_c": "y", "v": None}], best_of={"v": max}
)


def test_latex_escapes_names_and_marks_the_best() -> None:
    lines = NAMES.as_latex().splitlines()
    assert lines[2] == r"a|b\_c & v \\"
    assert lines[4:6] == [r"50\% \& $<$x>\textbackslash{} \#1 & \textbf{0.5000} \\", r"y & -- \\"]


def test_markdown_escapes_names_and_marks_the_best() -> None:
    lines = NAMES.as_markdown().splitlines()
    assert lines[0] == r"| a\|b\_c | v |"
    assert lines[2:] == [r"| 50% & \<x\>\\ #1 | **0.5000** |", "| y | – |"]


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(rm.InputError, match="There is no form 'html'"):
        rm.evaluate(RECS, TRUTH, "rr").to_text("html")
