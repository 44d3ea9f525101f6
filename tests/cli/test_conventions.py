"""The command line lists, explains and compares conventions; it takes aggregates."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rankmetrics.metrics.conventions import CONVENTIONS, Convention
from tests.support.commands import printed, refused, table
from tests.support.conventions import PRECISION, RECS, TRUTH

# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    RECS.write_csv(tmp_path / "recs.csv")
    TRUTH.write_csv(tmp_path / "truth.csv")
    return tmp_path / "recs.csv", tmp_path / "truth.csv"


def test_the_command_lists_the_conventions() -> None:
    rows = table(printed("conventions"))
    assert [row["convention"] for row in rows] == [one.name for one in CONVENTIONS]
    assert [row["library"] for row in rows] == [one.what for one in CONVENTIONS]


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda one: one.name)
def test_the_command_explains_a_convention(convention: Convention) -> None:
    lines = printed("conventions", convention.name).splitlines()
    assert lines[0] == f"{convention.name}: {convention.what}"
    assert [line for line in lines if line.startswith("- ")] == [f"- {one}" for one in convention.notes]
    for theirs, ours in convention.spellings.items():
        assert [theirs, ours] in [line.split(maxsplit=1) for line in lines]
    for name, value in convention.policies.items():
        assert [line for line in lines if line.startswith(f"{name} = {value}: ")]


def test_the_command_says_what_is_not_measured() -> None:
    assert "\nnot measured: label_ranking_average_precision_score, " in printed("conventions", "sklearn")
    assert printed("conventions", "rankmetrics").strip() == "rankmetrics: rankmetrics itself"
    assert "rbp(convention=rankmetrics)" in refused("conventions", "rbp(convention=capri)")


def test_the_command_explains_a_convention_under_an_alias() -> None:
    assert printed("conventions", "trec") == printed("conventions", "trec_eval")
    assert "also called: 'trec' and 'pytrec_eval'" in printed("conventions", "trec")


def test_the_command_compares_a_metric(files: tuple[Path, Path]) -> None:
    text = printed("conventions", "precision@4", *files)
    lines = text.splitlines()
    named = re.findall(r"[\w.-]+", " ".join(line.split("│")[0] for line in lines[2 : lines.index("")]))
    assert {*named} == {"rankmetrics", *PRECISION}
    values = [line.split("│")[2].strip() for line in lines[2 : lines.index("")]]
    assert {*filter(None, values)} == {f"{one:.4f}" for one in (1 / 6, *(one for _, one in PRECISION.values()))}
    assert lines[-1] == "implicit, polars_ds, sklearn: has no precision"


def test_the_command_needs_the_truth_to_compare(files: tuple[Path, Path]) -> None:
    said = refused("conventions", "precision@4", files[0])
    assert said == "Give the truth, too: rankmetrics conventions METRIC RECS TRUTH."


def test_the_command_refuses_what_is_no_convention() -> None:
    assert "Did you mean 'elliot'" in refused("conventions", "eliot")


# --- aggregates -------------------------------------------------------------------------------------------------------


def test_the_command_line_takes_aggregates(files: tuple[Path, Path]) -> None:
    command = ("evaluate", *files, "-m", "precision@4", "-m", "rr")
    (row,) = table(printed(*command, "--aggregate", "median", "--aggregate", "n"))
    assert row == {
        "n_lists": "3",
        "n_missing": "1",
        "precision@4 median": "0.2500",
        "precision@4 n": "3",
        "rr median": "0.5000",
        "rr n": "3",
    }
    assert "Did you mean 'median'" in refused(*command, "--aggregate", "medain")
