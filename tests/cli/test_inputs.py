"""`rankmetrics split` and `rankmetrics rank`."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.cli.commands import PARAMETERS
from rankmetrics.cli.flags import complete_method
from rankmetrics.splits import methods
from tests.support.commands import printed, refused, table


@pytest.fixture
def clicks(tmp_path: Path) -> Path:
    days = [dt.date(2023, 12, 1), dt.date(2024, 1, 5), dt.date(2023, 12, 5), dt.date(2024, 2, 1), dt.date(2023, 11, 1)]
    path = tmp_path / "clicks.parquet"
    pl.DataFrame({"user": [1, 1, 2, 2, 3], "item": [7, 8, 7, 9, 8], "day": days}).write_parquet(path)
    return path


def test_split_writes_train_and_test_and_prints_the_counts(clicks: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    text = printed("split", clicks, "--method", "time", "--at", "2024-01-01", "-o", out)
    assert [(row["subset"], row["n_rows"]) for row in table(text.partition("wrote")[0])] == [
        ("test", "2"),
        ("train", "3"),
    ]
    assert sorted(path.name for path in out.iterdir()) == ["test.parquet", "train.parquet"]
    assert pl.read_parquet(out / "test.parquet").sort("user")["item"].to_list() == [8, 9]
    printed("split", clicks, "--method", "last_n", "-o", out, "--history")
    assert pl.read_parquet(out / "history.parquet").sort("user")["item"].to_list() == [7, 7]


def test_split_prints_the_query_in_a_dialect(clicks: Path) -> None:
    text = printed("split", clicks, "--method", "last_n", "--n", "2", "--dialect", "snowflake", "--table", "db.clicks")
    wanted = rm.split(clicks, "last_n", n=2).to_sql("snowflake", interactions="db.clicks")
    assert text.strip() == wanted.strip()


def test_every_parameter_has_a_flag() -> None:
    known = {name for method in methods.methods() for name in methods.parameters(method)}
    assert {*PARAMETERS["Methods"]} == known
    assert {*PARAMETERS["Filters"]} == {*methods.filter_parameters()}
    assert complete_method("l") == ["last_n", "leave_one_out"]


def test_split_refuses_in_the_words_of_the_command_line(clicks: Path, tmp_path: Path) -> None:
    for flags, message in (
        (["--method", "time", "--at", "2025-01-01"], "go from 2023-11-01 to 2024-02-01. Change --at 2025-01-01"),
        (["--method", "time", "--at", "noon"], "--at noon of time must be such as 2024-01-31"),
        (["--method", "sliding", "--at", "2024-01-01"], "sliding needs --width '7 days'"),
        (["--folds", "3"], "random has no parameter 'folds'"),
        (["--user", "owner"], "have no column 'owner'"),
    ):
        assert message in refused("split", clicks, *flags), flags
    assert "neither a file that exists" in refused("split", "nothing", "-o", tmp_path / "out")
    assert not (tmp_path / "out").exists()


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
    printed(*flags(files, "-o", str(output)))
    of_file = rm.evaluate(output, files["truth"], ["rr", "auc", "ndcg"]).summary().fetchall()
    ranked = rm.rank_factors(files["users"], files["items"], TRUTH, history=files["history"])
    of_rankings = rm.evaluate(ranked, TRUTH, ["rr", "auc", "ndcg"]).summary().collect().rows()
    assert of_file == of_rankings


def test_the_first_items_can_be_written_and_metrics_are_printed(files: dict[str, str], tmp_path: Path) -> None:
    output = tmp_path / "top.parquet"
    printed(*flags(files, "-o", str(output), "--top", "1"))
    assert pl.read_parquet(output).select("user", "item").rows() == [(0, 1), (1, 2), (2, 0)]
    (row,) = table(printed(*flags(files, "-m", "rr", "-m", "coverage@1", "--k", "2")))
    assert {"rr", "coverage@1"} <= {*row}


def test_a_mistake_is_a_sentence(files: dict[str, str]) -> None:
    mistakes: list[tuple[tuple[str, ...], str]] = [
        ((), "name a file to write with -o, or a metric to measure with -m"),
        (("-o", "ranked.csv"), "end its name in .parquet"),
        (("-m", "coverage"), "let the lists end when you rank them: --k 10"),
        (("-m", "rr", "--ties", "expected", "--k", "3"), "lists that end at k need an order of equal scores"),
        (("-m", "rr"), "--overlap ignore"),
    ]
    for more, message in mistakes:
        if message.startswith("--overlap"):
            TRUTH.write_parquet(files["history"])
        assert message in " ".join(refused(*flags(files, *more)).split())


def test_evaluate_ranks_by_factors_in_place_of_recommendations(files: dict[str, str]) -> None:
    options = ("--users", files["users"], "--items", files["items"], "--history", files["history"], "-m", "ndcg@2")
    assert printed("evaluate", files["truth"], *options) == printed("rank", "--truth", files["truth"], *options)


def test_evaluate_refuses_factors_that_are_not_alone_or_not_complete(files: dict[str, str]) -> None:
    told = refused("evaluate", files["truth"], "--users", files["users"], "-m", "hit@1")
    assert told == "--users needs the factors of the items, too: --items."
    both = ("--users", files["users"], "--items", files["items"], "-m", "hit@1")
    assert "can be no recommendations" in refused("evaluate", files["truth"], files["truth"], *both)
