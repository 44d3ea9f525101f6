"""`rankmetrics evaluate`: the forms of its answer, standard output, and charts."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from tests.support.commands import RECS, TRUTH, refused, run, table


def answer(*flags: object) -> tuple[str, str]:
    """What a command writes to standard output, and what to stderr."""
    code, out, err = run("evaluate", RECS, TRUTH, "-m", "hit@5", *flags)
    assert code == 0, err
    return out, err


def test_standard_output_holds_the_summary_and_stderr_the_account() -> None:
    out, err = answer("-o", "-")
    result = rm.evaluate(RECS, TRUTH, "hit@5")
    assert_frame_equal(pl.read_csv(StringIO(out)), result.collect())
    assert err.splitlines() == result.notes()


@pytest.mark.long
@pytest.mark.parametrize("form", ["markdown", "latex", "csv", "jsonl"])
def test_a_form_of_text_is_that_of_the_result(form: str) -> None:
    out, err = answer("--as", form)
    assert out == rm.evaluate(RECS, TRUTH, "hit@5").to_text(form)
    assert "lists in the means" in err


def test_the_form_table_is_what_is_printed_anyway() -> None:
    assert table(answer("--as", "table")[0]) == table(answer()[0])


def test_json_holds_the_summary_the_account_the_versions_and_the_request() -> None:
    found = json.loads(answer("--as", "json", "--missing", "skip")[0])
    result = rm.evaluate(RECS, TRUTH, "hit@5", missing="skip")
    assert found["summary"] == result.collect().to_dicts()
    assert {"algorithm": "popular", "account": "lists_scored", "n": 998} in found["account"]
    assert found["versions"]["polars"] == pl.__version__
    request = found["request"]
    assert (request["metrics"], request["by"], request["inputs"]["recs"]) == ({"hit@5": "hit@5"}, ["algorithm"], RECS)
    assert request["policies"]["hit@5"]["missing"] == "skip"


@pytest.mark.long
def test_rows_per_list_are_written_to_standard_output() -> None:
    out, _ = answer("--per-list", "--as", "jsonl", "-o", "-")
    assert len(out.splitlines()) == 2994
    assert {*json.loads(out.splitlines()[0])} == {"partition", "algorithm", "user", "hit@5"}


@pytest.mark.long
@pytest.mark.parametrize(("end", "form"), [("md", "markdown"), ("tex", "latex")])
def test_the_ending_of_a_file_says_its_form(end: str, form: str, tmp_path: Path) -> None:
    out, _ = answer("-o", tmp_path / f"board.{end}")
    assert out == ""
    assert (tmp_path / f"board.{end}").read_text(encoding="utf-8") == rm.evaluate(RECS, TRUTH, "hit@5").to_text(form)


@pytest.mark.long
def test_a_form_is_written_into_a_file_of_any_name(tmp_path: Path) -> None:
    answer("--as", "json", "-o", tmp_path / "out.json")
    assert {*json.loads((tmp_path / "out.json").read_text())} == {"summary", "account", "versions", "request"}


@pytest.mark.long
@pytest.mark.parametrize("form", ["table", "markdown", "latex"])
def test_a_form_for_readers_takes_no_rows_per_list(form: str) -> None:
    if form == "table":
        assert "hit@5" in answer("--per-list", "--as", form)[0]
    else:
        assert "written as csv, json or jsonl" in refused(
            "evaluate", RECS, TRUTH, "-m", "hit", "--per-list", "--as", form
        )


@pytest.mark.long
def test_charts_are_drawn_beside_the_printed_table(tmp_path: Path) -> None:
    charts = ["--plot", tmp_path / "leaderboard.svg", "--plot", f"curve={tmp_path / 'hits.svg'}"]
    charts += ["--plot", tmp_path / "compare.svg"]
    out, err = answer(*charts)
    assert (len(table(out)), err) == (3, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["compare.svg", "hits.svg", "leaderboard.svg"]
    assert all("item-knn" in path.read_text(encoding="utf-8") for path in tmp_path.iterdir())


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--as", "markdwon"], "Did you mean 'markdown'?"),
        (["--format", "latex"], "To print the result: --as latex"),
        (["--plot", "curv.svg"], "Did you mean 'curve'?"),
        (["--plot", "curve.pdf"], "a chart is a file that ends in one of"),
        (["--plot", "bars=curve.svg"], "There is no chart"),
        (["-o", "none/board.md"], "Cannot write"),
        (["--plot", "none/curve.svg", "-o", "-"], "Cannot write"),
        (["--plot", "tradeoff.svg", "-o", "-"], "The evaluation has 1 metric"),
    ],
)
def test_what_cannot_be_written_is_refused(flags: list[str], message: str) -> None:
    code, _, err = run("evaluate", RECS, TRUTH, "-m", "hit@5", *flags)
    assert code == 2
    assert message in err
