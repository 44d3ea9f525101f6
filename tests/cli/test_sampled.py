"""The command line ranks lists among candidates, given as a file or sampled."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tests.support.commands import printed, refused, table

RECS = pl.DataFrame({"user": [1] * 5 + [2] * 5, "item": [*"abcde", *"edcba"], "rank": [1, 2, 3, 4, 5] * 2})
FILES = {
    "recs": RECS,
    "truth": pl.DataFrame({"user": [1, 2], "item": ["d", "a"]}),
    "candidates": pl.DataFrame({"user": [1, 1, 2], "item": ["c", "e", "c"]}),
    "catalog": pl.DataFrame({"item": [*"abcde"]}),
    "top": RECS.filter(pl.col("rank") <= 2),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, frame in FILES.items():
        frame.write_parquet(tmp_path / f"{name}.parquet")
    return tmp_path


def command(folder: Path, *options: str, recs: str = "recs", of: str = "evaluate") -> list[str]:
    paths = [str(folder / one) if one.endswith(".parquet") else one for one in options]
    return [of, str(folder / f"{recs}.parquet"), str(folder / "truth.parquet"), "-m", "rr", *paths]


def test_the_command_line_takes_candidates(folder: Path) -> None:
    (row,) = table(printed(*command(folder, "--candidates", "candidates.parquet")))
    assert row["rr [candidates]"] == "0.5000"


@pytest.mark.parametrize(("sample", "column"), [("4", "rr [4 sampled]"), ("uniform(n=9, seed=3)", "rr [9 sampled]")])
def test_the_command_line_takes_a_sample(folder: Path, sample: str, column: str) -> None:
    (row,) = table(printed(*command(folder, "--catalog", "catalog.parquet", "--sample", sample)))
    assert row[column] == f"{(1 / 4 + 1 / 5) / 2:.4f}"  # all other items are drawn


def test_the_text_of_a_sample_has_plain_names(folder: Path) -> None:
    options = ("--catalog", "catalog.parquet", "--sample", "4", "--dialect", "postgres")
    text = printed(*command(folder, *options, of="sql"))
    assert '"rr_4_sampled"' in text
    assert "MD5(" in text


def test_a_list_of_the_first_items_alone_is_refused(folder: Path) -> None:
    message = refused(*command(folder, "--catalog", "catalog.parquet", "--sample", "4", recs="top"))
    assert "2 lists do not rank all of their negatives" in message


def test_what_is_no_sample_is_refused_by_its_flag(folder: Path) -> None:
    assert "--sample must be a number of items" in refused(*command(folder, "--sample", "uniform(m=4)"))
