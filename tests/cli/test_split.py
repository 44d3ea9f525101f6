"""`rankmetrics split`."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.cli.inputs import PARAMETERS, complete_method
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


def test_split_writes_the_history_too_where_it_is_asked_for(clicks: Path, tmp_path: Path) -> None:
    printed("split", clicks, "--method", "last_n", "-o", tmp_path / "out", "--history")
    assert pl.read_parquet(tmp_path / "out" / "history.parquet").sort("user")["item"].to_list() == [7, 7]


def test_split_prints_the_query_in_a_dialect(clicks: Path) -> None:
    text = printed("split", clicks, "--method", "last_n", "--n", "2", "--dialect", "snowflake", "--table", "db.clicks")
    wanted = rm.split(clicks, "last_n", n=2).to_sql("snowflake", interactions="db.clicks")
    assert text.strip() == wanted.strip()


def test_every_parameter_has_a_flag() -> None:
    known = {name for method in methods.methods() for name in methods.parameters(method)}
    assert {*PARAMETERS["Methods"]} == known
    assert {*PARAMETERS["Filters"]} == {*methods.filter_parameters()}
    assert complete_method("l") == ["last_n", "leave_one_out"]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--method", "time", "--at", "2025-01-01"], "go from 2023-11-01 to 2024-02-01. Change --at 2025-01-01"),
        (["--method", "time", "--at", "noon"], "--at noon of time must be such as 2024-01-31"),
        (["--method", "sliding", "--at", "2024-01-01"], "sliding needs --width '7 days'"),
        (["--folds", "3"], "random has no parameter 'folds'"),
        (["--user", "owner"], "have no column 'owner'"),
    ],
)
def test_split_refuses_in_the_words_of_the_command_line(clicks: Path, flags: list[str], message: str) -> None:
    assert message in refused("split", clicks, *flags)


def test_split_refuses_a_file_that_is_not_there_and_writes_nothing(tmp_path: Path) -> None:
    assert "neither a file that exists" in refused("split", "nothing", "-o", tmp_path / "out")
    assert not (tmp_path / "out").exists()
