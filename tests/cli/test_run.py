"""`rankmetrics run`: the suites of a file, their outputs and exit codes."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import polars as pl
import pytest

from tests.support.commands import printed, refused, run, table

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


def test_a_suite_is_measured_and_written_and_its_gate_checked(suites: Path) -> None:
    first = run("run", "nightly")
    assert first[0] == 2
    assert "There is no file" in first[2]
    code, out, err = run("run", "nightly", "--no-gate")
    assert (code, err) == (0, "")
    assert "The gate" not in out
    assert pl.read_csv(suites / "summary.csv").columns[-2:] == ["rr", "hit@1"]
    assert "Evaluation report" in (suites / "report.html").read_text(encoding="utf-8")
    code, out, err = run("run", "nightly")
    assert (code, err) == (0, "")
    assert out.endswith("The gate passed: 2 checks.\n")
    assert ET.parse(suites / "gate.xml").getroot().get("tests") == "2"


@pytest.mark.long
def test_a_gate_that_fails_ends_with_3_and_keeps_the_earlier_file(suites: Path) -> None:
    assert run("run", "nightly", "--no-gate")[0] == 0
    better = pl.read_parquet(suites / "last.parquet").with_columns(pl.col("rr") + 1)
    better.write_parquet(suites / "last.parquet")
    code, out, err = run("run", "nightly", "--annotations", "github")
    assert (code, err) == (3, f"{suites / 'last.parquet'} is not replaced: the gate failed.\n")
    assert "\n::error title=rankmetrics gate%3A max_drop rr of a::It fell from" in out
    assert pl.read_parquet(suites / "last.parquet").equals(better)


def test_a_suite_without_a_gate_prints_the_leaderboard(suites: Path) -> None:
    rows = table(printed("run", "plain", "--config", suites / "rankmetrics.toml"))
    assert [(row["algorithm"], row["accuracy"]) for row in rows] == [("a", "0.3333"), ("b", "0.0000")]


def test_messages_write_options_as_the_file_does(suites: Path) -> None:
    (suites / "rankmetrics.toml").write_text(SUITES.replace('metrics = ["rr"]', 'lists = ["user", "user"]'))
    assert refused("run", "nightly") == "lists names 'user' more than once."
    (suites / "rankmetrics.toml").write_text(SUITES.replace('{rr = "1%"}', '{rr = "much"}'))
    assert "gate: A limit is a number or a percentage, as in 0.25 or 1%: max_drop" in refused("run", "nightly")


def test_a_folder_without_suites_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert refused("run").startswith("There is no rankmetrics.toml, and no pyproject.toml with [tool.rankmetrics], in ")


def test_a_text_that_is_no_file_is_refused(suites: Path) -> None:
    (suites / "rankmetrics.toml").write_text(SUITES.replace('"recs.csv"', '"recs"'))
    assert "recs" in refused("run", "plain")


def test_verbose_logs_what_a_suite_reads(suites: Path) -> None:
    assert run("run", "plain", "-v")[2].startswith("INFO DuckDB looked at recs (")
