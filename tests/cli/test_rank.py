"""`rankmetrics rank`: factors in files, ranks in a file, and the metrics of both."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import rankmetrics as rm
from rankmetrics.cli.commands import app
from tests.support.commands import printed, refused

TRUTH = pl.DataFrame({"user": [0, 1, 2], "item": [1, 2, 0]})


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    frames = {
        "users": pl.DataFrame({"user": [0, 1, 2], "factors": [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]}),
        "items": pl.DataFrame({"item": [0, 1, 2], "a": [3.0, 2.0, 1.0], "b": [1.0, 2.0, 3.0]}),
        "truth": TRUTH,
        "history": pl.DataFrame({"user": [0], "item": [0]}),
    }
    for name, frame in frames.items():
        frame.write_parquet(tmp_path / f"{name}.parquet")
    return {name: str(tmp_path / f"{name}.parquet") for name in frames}


def flags(files: dict[str, str], *more: str) -> list[str]:
    return ["rank", *(part for name, path in files.items() for part in (f"--{name}", path)), *more]


def test_the_ranks_in_a_file_have_the_metrics_of_the_rankings(files: dict[str, str], tmp_path: Path) -> None:
    output = tmp_path / "ranked.parquet"
    done = CliRunner().invoke(app, flags(files, "-o", str(output)))
    assert done.exit_code == 0, done.output
    of_file = rm.evaluate(output, files["truth"], ["rr", "auc", "ndcg"]).summary().fetchall()
    ranked = rm.rank_factors(files["users"], files["items"], TRUTH, history=files["history"])
    of_rankings = rm.evaluate(ranked, TRUTH, ["rr", "auc", "ndcg"]).summary().collect().rows()
    assert of_file == of_rankings


def test_the_first_items_can_be_written(files: dict[str, str], tmp_path: Path) -> None:
    output = tmp_path / "top.parquet"
    done = CliRunner().invoke(app, flags(files, "-o", str(output), "--top", "1"))
    assert done.exit_code == 0, done.output
    assert pl.read_parquet(output).select("user", "item").rows() == [(0, 1), (1, 2), (2, 0)]


def test_metrics_are_printed(files: dict[str, str]) -> None:
    done = CliRunner().invoke(app, flags(files, "-m", "rr", "-m", "coverage@1", "--k", "2"))
    assert done.exit_code == 0, done.output
    assert "rr" in done.output
    assert "coverage@1" in done.output


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ((), "name a file to write with -o, or a metric to measure with -m"),
        (("-o", "ranked.csv"), "end its name in .parquet"),
        (("-m", "coverage"), "let the lists end when you rank them: --k 10"),
        (("-m", "rr", "--ties", "expected", "--k", "3"), "lists that end at k need an order of equal scores"),
    ],
)
def test_a_mistake_is_a_sentence(files: dict[str, str], more: tuple[str, ...], message: str) -> None:
    done = CliRunner().invoke(app, flags(files, *more))
    assert done.exit_code == 2
    assert message in " ".join(done.output.split())
    assert "Traceback" not in done.output


def test_an_overlap_names_the_flag(files: dict[str, str]) -> None:
    TRUTH.write_parquet(files["history"])
    done = CliRunner().invoke(app, flags(files, "-m", "rr"))
    assert done.exit_code == 2
    assert "--overlap ignore" in done.output


def test_evaluate_ranks_by_factors_in_place_of_recommendations(files: dict[str, str]) -> None:
    options = ("--users", files["users"], "--items", files["items"], "--history", files["history"], "-m", "ndcg@2")
    assert printed("evaluate", files["truth"], *options) == printed("rank", "--truth", files["truth"], *options)


def test_evaluate_refuses_factors_that_are_not_alone_or_not_complete(files: dict[str, str]) -> None:
    told = refused("evaluate", files["truth"], "--users", files["users"], "-m", "hit@1")
    assert told == "--users needs the factors of the items, too: --items."
    both = ("--users", files["users"], "--items", files["items"], "-m", "hit@1")
    assert "can be no recommendations" in refused("evaluate", files["truth"], files["truth"], *both)
    assert "rankmetrics evaluate t.parquet TRUTH" in refused("evaluate", "t.parquet", "-m", "hit@1")
