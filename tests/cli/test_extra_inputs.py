"""The command line takes the further inputs, and names its own options where it refuses them."""

from __future__ import annotations

from pathlib import Path

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


@pytest.mark.parametrize(
    ("metric", "options", "value"),
    [
        ("unseen@2", ("--history", "history.csv"), (1 / 2 + 1 / 2) / 2),
        ("unexpectedness@2", ("--baseline", "baseline.csv"), (1 + 1 / 2) / 2),
        ("categorical_diversity@2", ("--items", "items.csv"), (1 / 2 + 1) / 2),
        ("categorical_diversity@2", ("--items", "kinds.csv", "--extra-column", "items.category=kind"), (1 / 2 + 1) / 2),
        ("list_diversity@2", ("--similarity", "similarity.csv"), (1 / 2 + 1) / 2),
        ("coverage@2", ("--catalog", "catalog.csv"), 3 / 6),
    ],
)
def test_the_command_line_takes_the_inputs(folder: Path, metric: str, options: tuple[str, ...], value: float) -> None:
    (row,) = table(printed(*command(folder, metric, *options)))
    assert row[metric] == f"{value:.4f}"


def test_check_says_what_the_columns_of_the_inputs_are_taken_for(folder: Path) -> None:
    options = ("--items", "kinds.csv", "--extra-column", "items.category=kind", "--history", "history.csv")
    lines = printed(*command(folder, "hit", *options, of="check")).splitlines()
    assert "items: item = item, category = kind" in lines
    assert "history: item = item" in lines


@pytest.mark.parametrize(
    ("metric", "options", "parts"),
    [
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
        ("hit", ("--missing", "history"), ("--missing history takes the lists of the history",)),
    ],
)
def test_the_command_line_refuses_in_its_own_words(
    folder: Path, metric: str, options: tuple[str, ...], parts: tuple[str, ...]
) -> None:
    said = refused(*command(folder, metric, *options))
    assert not [part for part in parts if part not in said], said
    assert "rm." not in said


@pytest.mark.parametrize(
    ("options", "python", "option"),
    [
        (("--missing", "history"), "history=.", "--history"),
        (("--missing", "baseline"), "baseline=.", "--baseline"),
        (("--extra-column", "itms.category=kind"), "extra_columns", "--extra-column"),
    ],
)
def test_the_command_line_names_its_own_options(
    folder: Path, options: tuple[str, ...], python: str, option: str
) -> None:
    said = refused(*command(folder, "hit", *options))
    assert python not in said
    assert option in said
