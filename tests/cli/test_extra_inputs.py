"""The command line takes the further inputs, candidates and samples, and refuses them by the names of its flags."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tests.support.commands import printed, refused, table
from tests.support.extra_inputs import ALL, ITEMS, RECS, TRUTH


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, frame in {"recs": RECS, "truth": TRUTH, **ALL}.items():
        frame.write_csv(tmp_path / f"{name}.csv")
    ITEMS.rename({"category": "kind"}).write_csv(tmp_path / "kinds.csv")
    return tmp_path


def command(folder: Path, metric: str, *options: str, of: str = "evaluate") -> list[str]:
    """A command over the files of a folder; options that are names of files are their paths."""
    paths = [str(folder / one) if one.endswith(".csv") else one for one in options]
    return [of, str(folder / "recs.csv"), str(folder / "truth.csv"), "-m", metric, *paths]


def test_the_command_line_takes_the_inputs(folder: Path) -> None:
    for metric, options, value in (
        ("unseen@2", ("--history", "history.csv"), (1 / 2 + 1 / 2) / 2),
        ("unexpectedness@2", ("--baseline", "baseline.csv"), (1 + 1 / 2) / 2),
        ("categorical_diversity@2", ("--items", "items.csv"), (1 / 2 + 1) / 2),
        ("categorical_diversity@2", ("--items", "kinds.csv", "--extra-column", "items.category=kind"), (1 / 2 + 1) / 2),
        ("list_diversity@2", ("--similarity", "similarity.csv"), (1 / 2 + 1) / 2),
        ("coverage@2", ("--catalog", "catalog.csv"), 3 / 6),
    ):
        (row,) = table(printed(*command(folder, metric, *options)))
        assert row[metric] == f"{value:.4f}", metric


def test_check_says_what_the_columns_of_the_inputs_are_taken_for(folder: Path) -> None:
    options = ("--items", "kinds.csv", "--extra-column", "items.category=kind", "--history", "history.csv")
    lines = printed(*command(folder, "hit", *options, of="check")).splitlines()
    assert "items: item = item, category = kind" in lines
    assert "history: item = item" in lines


REFUSED: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = [
    ("unseen@2", (), ("unseen@2 needs --history: the items that each list's user knew before",)),
    ("rbo@2", (), ("rbo@2 needs --baseline: the recommendations to compare with",)),
    ("list_diversity@2", (), ("needs --similarity: how alike two items are", "item, other, similarity")),
    ("coverage@2", (), ("needs --catalog: the items that could be recommended",)),
    (
        "categorical_diversity@2",
        ("--items", "kinds.csv"),
        (
            "needs a column of the role 'category'",
            "'item' and 'kind'",
            "Name it: --extra-column items.category=...",
        ),
    ),
    (
        "hit",
        ("--similarity", "kinds.csv"),
        ("No other column was found in the similarity", "Name it: --extra-column similarity.other=..."),
    ),
    ("hit", ("--items", "kinds.csv", "--extra-column", "items.category=knd"), ("'knd'", "Did you mean 'kind'?")),
    (
        "hit",
        ("--extra-column", "items.colour=kind"),
        ("'items.colour=kind' names no column", "items.category=genre"),
    ),
    ("hit", ("--extra-column", "items"), ("'items' names no column", "items.category=genre")),
    ("hit", ("--extra-column", "category=kind"), ("'category=kind' names no column", "items.category=genre")),
    ("hit", ("--extra-column", "itms.category=kind"), ("'itms'", "no input", "'items'")),
    ("hit", ("--history", "nowhere.csv"), ("There is no file", "nowhere.csv")),
    ("hit", ("--history", "nowhere"), ("'nowhere' is neither a file that exists", "or --database was given")),
    ("hit", ("--missing", "history"), ("--missing history takes the lists of the history", "--history")),
    ("hit", ("--missing", "baseline"), ("--baseline",)),
]


def test_the_command_line_refuses_in_its_own_words(folder: Path) -> None:
    for metric, options, parts in REFUSED:
        said = refused(*command(folder, metric, *options))
        assert not [part for part in parts if part not in said], said
        assert not [word for word in ("rm.", "history=.", "baseline=.", "extra_columns") if word in said], said


RANKED = pl.DataFrame({"user": [1] * 5 + [2] * 5, "item": [*"abcde", *"edcba"], "rank": [1, 2, 3, 4, 5] * 2})
SAMPLED = {
    "recs": RANKED,
    "truth": pl.DataFrame({"user": [1, 2], "item": ["d", "a"]}),
    "candidates": pl.DataFrame({"user": [1, 1, 2], "item": ["c", "e", "c"]}),
    "catalog": pl.DataFrame({"item": [*"abcde"]}),
    "top": RANKED.filter(pl.col("rank") <= 2),
}


@pytest.fixture
def sampled(tmp_path: Path) -> Path:
    for name, frame in SAMPLED.items():
        frame.write_parquet(tmp_path / f"{name}.parquet")
    return tmp_path


def sampling(sampled: Path, *options: str, recs: str = "recs", of: str = "evaluate") -> list[str]:
    paths = [str(sampled / one) if one.endswith(".parquet") else one for one in options]
    return [of, str(sampled / f"{recs}.parquet"), str(sampled / "truth.parquet"), "-m", "rr", *paths]


def test_the_command_line_takes_candidates(sampled: Path) -> None:
    (row,) = table(printed(*sampling(sampled, "--candidates", "candidates.parquet")))
    assert row["rr [candidates]"] == "0.5000"


def test_the_command_line_takes_a_sample(sampled: Path) -> None:
    for sample, column in (("4", "rr [4 sampled]"), ("uniform(n=9, seed=3)", "rr [9 sampled]")):
        (row,) = table(printed(*sampling(sampled, "--catalog", "catalog.parquet", "--sample", sample)))
        assert row[column] == f"{(1 / 4 + 1 / 5) / 2:.4f}"  # all other items are drawn


def test_the_text_of_a_sample_has_plain_names(sampled: Path) -> None:
    options = ("--catalog", "catalog.parquet", "--sample", "4", "--dialect", "postgres")
    text = printed(*sampling(sampled, *options, of="sql"))
    assert '"rr_4_sampled"' in text
    assert "MD5(" in text


def test_a_sample_that_cannot_be_is_refused_by_its_flag(sampled: Path) -> None:
    message = refused(*sampling(sampled, "--catalog", "catalog.parquet", "--sample", "4", recs="top"))
    assert "2 lists do not rank all of their negatives" in message
    assert "--sample must be a number of items" in refused(*sampling(sampled, "--sample", "uniform(m=4)"))
