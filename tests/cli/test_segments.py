"""`rankmetrics segments`."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from rankmetrics._files import data_folder
from rankmetrics.cli.analysis import complete_segments
from tests.support.commands import RECS, TRUTH, printed, refused, table

HISTORY = str(data_folder() / "history.parquet")


@pytest.fixture
def users(tmp_path: Path) -> str:
    """The users of the sample, half of them of each group, with a number."""
    path = tmp_path / "users.parquet"
    frame = pl.read_parquet(TRUTH).select("user").unique()
    frame.with_columns(group=(pl.col("user") % 2).cast(pl.String), age=pl.col("user")).write_parquet(path)
    return str(path)


def test_a_leaderboard_for_each_segment(users: str) -> None:
    text = printed(
        "segments", RECS, TRUTH, "-m", "hit@10", "--history", HISTORY, "--by", "algorithm",
        "--segment", "cold", "-s", f"group={users}:group", "-s", f"age=buckets:{users}:age:2",
        "-s", "n=buckets:n_relevant:2",
    )  # fmt: skip
    rows = table(text)
    assert [(row["segmentation"], row["segment"], row["n_lists"]) for row in rows] == [("cold", "warm", "998")] * 3
    assert text.count("segmentation ┃") == 4
    assert "\ngroup        │ 0 " in text
    assert "\nage          │ 1 to " in text


def test_the_reversals(users: str) -> None:
    rows = table(printed("segments", RECS, TRUTH, "-m", "hit@10", "-s", f"group={users}:group", "--reversals"))
    assert [row["n_segments"] for row in rows] == ["2"] * 3


@pytest.mark.parametrize(
    ("segment", "said"),
    [
        ("colt", "--segment 'colt' cannot be read: write a word (activity, popularity, cold)"),
        ("a=nothere.parquet:x", "There is no file 'nothere.parquet'."),
        ("a=buckets:n_history:1", "from 2 to 1000"),
        ("cold", "evaluate with --history."),
    ],
)
def test_flags_that_cannot_be_read(segment: str, said: str) -> None:
    assert said in refused("segments", RECS, TRUTH, "-m", "hit@10", "--segment", segment)


def test_a_name_that_is_given_twice(users: str) -> None:
    flags = ["--segment", f"a={users}:group", "--segment", f"a={users}:age"]
    assert "names 'a' twice" in refused("segments", RECS, TRUTH, "-m", "hit@10", *flags)


def test_words_are_completed() -> None:
    assert complete_segments("c") == ["cold"]
