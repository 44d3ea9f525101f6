"""`rankmetrics gate` and `rankmetrics run`: exit codes, flags, suites, and the files that they write."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.errors import EngineError
from tests.reports.conftest import without_charts as without_charts
from tests.support.commands import printed, refused, run, table


@pytest.fixture
def inputs(folder: Path) -> list[Path]:
    """The recommendations and the truth: the reciprocal rank of a is 0.5 on average, that of b 0."""
    return [folder / "recs.csv", folder / "truth.csv"]


def test_a_gate_that_passes_ends_with_0_and_prints_its_checks(inputs: list[Path]) -> None:
    code, out, err = run(
        "gate", *inputs, "--min", "rr=0.25", "--max", "hit@1=90%", "--only", "a", "--max-missing", "50%"
    )
    assert (code, err) == (0, "")
    assert [(row["check"], row["metric"], row["passed"]) for row in table(out)] == [
        ("minimum", "rr", "yes"),
        ("maximum", "hit@1", "yes"),
        ("max_missing", "n_missing", "yes"),
    ]
    assert out.endswith("The gate passed: 3 checks.\n")


def test_an_engine_that_fails_ends_with_1(inputs: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise EngineError("DuckDB", "out of memory", "SELECT 1")

    for name in ("_collect", "_rows"):
        monkeypatch.setattr(f"rankmetrics.engines.duckdb.DuckDB.{name}", fail)
    code, out, err = run("gate", *inputs, "--min", "rr=0.25")
    assert (code, out, err.partition("\nMore: ")[0]) == (1, "", "Error: out of memory")


REFUSED: list[tuple[list[str], str]] = [
    ([], "A gate needs a limit: --min ndcg@10=0.25, --max, --max-drop or --max-missing."),
    (["--min", "rr"], "--min takes a metric and its limit, as in --min ndcg@10=0.25: 'rr' is not so."),
    (["--min", "ndcg(gain=linear)"], "'ndcg(gain=linear)' is not so"),
    (["--min", "rr=much"], "a number or a percentage, as in 0.25 or 1%: --min rr has 'much'."),
    (["--min", "rr=1", "--min", "rr=2"], "--min has two limits for 'rr': give one of them."),
    (["--min", "rrr=1"], "no metric 'rrr'"),
    (["--min", "rr=1", "--only", "c"], "--only names 'c': the systems are 'a' and 'b'"),
    (["--max-drop", "rr=1%"], "--max-drop compares with an earlier run: name its file, --against."),
    (["--max-drop", "rr=1%", "--against", "no.csv"], "There is no file 'no.csv'."),
    (["--max-drop", "rr=1", "--against", "no.csv"], "If a percentage was meant, write --max-drop rr=1%."),
    (["--min", "rr=-1"], "--min rr=-1 cannot fail: rr is never below 0"),
    (["--max-missing", "150%"], "--max-missing 150% cannot fail"),
    (["--max-missing", "0.01"], "--max-missing is a whole number of lists"),
    (["--min", "rr=1", "--annotations", "gitlab"], "--annotations is github or none: 'gitlab' is not."),
    (["--min", "rr=1", "--confidence", "95"], "--confidence must be between 0 and 1"),
]


def test_what_cannot_be_a_gate_ends_with_2(inputs: list[Path]) -> None:
    for flags, words in REFUSED:
        assert words in refused("gate", *inputs, *flags), flags
    assert run("gate", *inputs, "--minimum", "rr=1")[0] == 2


def test_a_metric_that_has_a_limit_is_measured_and_written(inputs: list[Path], tmp_path: Path) -> None:
    files = ["-o", tmp_path / "summary.csv", "--per-list-output", tmp_path / "lists.parquet"]
    assert run("gate", *inputs, "-m", "rr", "--max", "hit@1=90%", "--max", "MRR=90%", *files)[0] == 0
    assert pl.read_csv(tmp_path / "summary.csv").columns[-2:] == ["rr", "hit@1"]
    assert pl.read_parquet(tmp_path / "lists.parquet").columns == ["algorithm", "user", "rr", "hit@1"]


def test_the_earlier_file_is_replaced_only_if_the_gate_passed(inputs: list[Path], tmp_path: Path) -> None:
    last = tmp_path / "last.parquet"
    earlier = rm.evaluate(inputs[0], inputs[1], "rr").collect(per_list=True).with_columns(pl.col("rr") + 1)
    earlier.write_parquet(last)
    drop = ["gate", *inputs, "--against", last, "--per-list-output", last, "--max-drop"]
    code, out, err = run(*drop, "rr=1%")
    assert "3 lists cannot tell whether it is chance: 6 are needed." in out
    assert table(out)[0]["passed"] == "NO"
    assert (code, err) == (3, f"{last} is not replaced: the gate failed.\n")
    assert pl.read_parquet(last).equals(earlier)
    assert run(*drop, "rr=90%", "--only", "a")[0] == 0
    assert pl.read_parquet(last)["rr"].max() == 1


def test_annotations_are_printed_where_asked_for_and_in_github_actions(
    inputs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    fails = ["gate", *inputs, "--min", "rr=0.25", "--junit", tmp_path / "gate.xml"]
    line = "::error title=rankmetrics gate%3A minimum rr of b::It is below 0.25.\n"
    code, out, err = run(*fails)
    assert (code, err) == (3, "")
    assert out.endswith("The gate failed: 1 of 2 checks.\n")
    assert run(*fails, "--annotations", "github")[1].endswith(line)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert run(*fails)[1].endswith(line)
    assert line not in run(*fails, "--annotations", "none")[1]
    assert ET.parse(tmp_path / "gate.xml").getroot().get("failures") == "1"


def test_verbose_logs_to_stderr_what_is_read_and_twice_verbose_the_queries(inputs: list[Path]) -> None:
    code, _, err = run("evaluate", *inputs, "-m", "rr", "-v")
    lines = [line.rpartition(" in ")[0] for line in err.splitlines()]
    assert (code, lines) == (
        0,
        [
            f"INFO DuckDB looked at recs ({inputs[0]}), truth ({inputs[1]})",
            "INFO DuckDB measured and checked rr",
        ],
    )
    debug = run("evaluate", *inputs, "-m", "rr", "-vv")[2]
    assert "DEBUG query for DuckDB:\nWITH " in debug
    assert "DEBUG DuckDB computed a query in 0." in debug
    assert "DEBUG DuckDB's time, summed over its threads: " in debug


SUITES = """
[suites.nightly]
description = "a and b of the night"
recs = "recs.csv"
truth = "truth.csv"
metrics = ["rr"]
output = "summary.csv"
per_list_output = "last.parquet"
report = "report.html"
junit = "gate.xml"

[suites.nightly.gate]
minimum = {"hit@1" = 0.1}
max_drop = {rr = "1%"}
against = "last.parquet"
system = "a"

[suites.plain]
recs = "recs.csv"
truth = "truth.csv"
metrics = {accuracy = "hit@1"}
"""


@pytest.fixture
def suites(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file of suites, which is the working directory."""
    monkeypatch.chdir(folder)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    (folder / "rankmetrics.toml").write_text(SUITES)
    return folder


def test_without_a_name_the_suites_are_listed(suites: Path) -> None:
    assert table(printed("run")) == [
        {"suite": "nightly", "what it is": "a and b of the night"},
        {"suite": "plain", "what it is": ""},
    ]


@pytest.mark.usefixtures("without_charts")
def test_a_suite_is_measured_and_written_and_its_gate_checked(suites: Path) -> None:
    first = run("run", "nightly")
    assert first[0] == 2
    assert "For the first run, write it without the checks: rankmetrics run nightly --no-gate." in first[2]
    code, out, err = run("run", "nightly", "--no-gate")
    assert (code, err) == (0, "")
    assert "The gate" not in out
    assert pl.read_csv(suites / "summary.csv").columns[-2:] == ["rr", "hit@1"]
    assert "Evaluation report" in (suites / "report.html").read_text(encoding="utf-8")
    code, out, err = run("run", "nightly")
    assert (code, err) == (0, "")
    assert out.endswith("The gate passed: 2 checks.\n")
    assert ET.parse(suites / "gate.xml").getroot().get("tests") == "2"
    better = pl.read_parquet(suites / "last.parquet").with_columns(pl.col("rr") + 1)
    better.write_parquet(suites / "last.parquet")
    code, out, err = run("run", "nightly", "--annotations", "github")
    assert (code, err) == (3, f"{suites / 'last.parquet'} is not replaced: the gate failed.\n")
    assert "\n::error title=rankmetrics gate%3A max_drop rr of a::It fell from" in out
    assert pl.read_parquet(suites / "last.parquet").equals(better)


def test_messages_write_options_as_the_file_does(suites: Path) -> None:
    (suites / "rankmetrics.toml").write_text(SUITES.replace('metrics = ["rr"]', 'lists = ["user", "user"]'))
    assert refused("run", "nightly") == "lists names 'user' more than once."
    (suites / "rankmetrics.toml").write_text(SUITES.replace('{rr = "1%"}', '{rr = "much"}'))
    assert "gate: A limit is a number or a percentage, as in 0.25 or 1%: max_drop" in refused("run", "nightly")


def test_a_folder_without_suites_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert refused("run").startswith("There is no rankmetrics.toml, and no pyproject.toml with [tool.rankmetrics], in ")


def test_a_suite_without_a_gate_prints_the_leaderboard_and_logs_what_it_reads(suites: Path) -> None:
    code, out, err = run("run", "plain", "--config", suites / "rankmetrics.toml", "-v")
    assert [(row["algorithm"], row["accuracy"]) for row in table(out)] == [("a", "0.3333"), ("b", "0.0000")]
    assert (code, err.startswith("INFO DuckDB looked at recs (")) == (0, True)
