"""Further inputs of the command line: what `check` says of them, and refusals in the names of the flags."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import printed, refused
from tests.support.extra_inputs import ALL, ITEMS, RECS, TRUTH


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, frame in {"recs": RECS, "truth": TRUTH, **ALL}.items():
        frame.write_csv(tmp_path / f"{name}.csv")
    ITEMS.rename({"category": "kind"}).write_csv(tmp_path / "kinds.csv")
    return tmp_path


def command(folder: Path, metric: str, *options: str, of: str = "evaluate") -> list[str]:
    """A command over the files of a folder; options that are names of files are their paths."""
    paths = [str(folder / text) if text.endswith(".csv") else text for text in options]
    return [of, str(folder / "recs.csv"), str(folder / "truth.csv"), "-m", metric, *paths]


def test_check_says_what_the_columns_of_the_inputs_are_taken_for(folder: Path) -> None:
    options = ("--items", "kinds.csv", "--extra-column", "items.category=kind", "--history", "history.csv")
    lines = printed(*command(folder, "hit", *options, of="check")).splitlines()
    assert "items: item = item, category = kind" in lines
    assert "history: item = item" in lines


REFUSED: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = [
    ("unseen@2", (), ("unseen@2 needs --history: the items that each list's user knew before",)),
    (
        "categorical_diversity@2",
        ("--items", "kinds.csv"),
        (
            "needs a column of the role 'category'",
            "'item' and 'kind'",
            "Name it: --extra-column items.category=...",
        ),
    ),
    ("hit", ("--items", "kinds.csv", "--extra-column", "items.category=knd"), ("'knd'", "Did you mean 'kind'?")),
    (
        "hit",
        ("--extra-column", "items.colour=kind"),
        ("'items.colour=kind' names no column", "items.category=genre"),
    ),
    ("hit", ("--extra-column", "items"), ("'items' names no column", "items.category=genre")),
    ("hit", ("--extra-column", "category=kind"), ("'category=kind' names no column", "items.category=genre")),
    ("hit", ("--extra-column", "itms.category=kind"), ("'itms'", "not an input", "'items'")),
    ("hit", ("--history", "nowhere"), ("'nowhere' is neither a file that exists", "or --database was given")),
    ("hit", ("--missing", "history"), ("--missing history takes the lists of the history", "--history")),
]


def test_the_command_line_refuses_in_its_own_words(folder: Path) -> None:
    for metric, options, parts in REFUSED:
        said = refused(*command(folder, metric, *options))
        assert not [part for part in parts if part not in said], said
        assert not [word for word in ("rm.", "history=.", "baseline=.", "extra_columns") if word in said], said


def test_a_sample_that_cannot_be_drawn_is_refused_by_its_flag(folder: Path) -> None:
    message = refused(*command(folder, "rr", "--catalog", "catalog.csv", "--sample", "4"))
    assert "do not rank all of their negatives" in message
    assert "--sample must be a number of items" in refused(*command(folder, "rr", "--sample", "uniform(m=4)"))
