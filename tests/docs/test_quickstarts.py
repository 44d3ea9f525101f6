"""The pages of docs/quickstart, followed from top to bottom in an empty folder: a reader sees what they show."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlglot

from tests import ROOT
from tests.support.walks import blocks, commands, printed_by, shown

PAGES = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "quickstart").glob("*.md")}
# Commands that set up an environment, and commands on files that the reader has.
NOT_RUN = (
    "python3 -m venv",
    "pip install",
    "rankmetrics evaluate 'runs/*.parquet'",
    "rankmetrics segments recs.parquet",
)


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def follow(page: str) -> None:
    """Run every command and every block of Python, and compare what each shows with the page."""
    names: dict[str, Any] = {}
    printed = ""
    for kind, text in blocks(page):
        if kind == "python":
            printed = printed_by(text, names)
        elif kind == "text":
            assert text == printed
        else:
            for command, below in commands(text):
                if not command.startswith(NOT_RUN):
                    assert shown(command) == below, command


def test_the_page_of_parquet_files_shows_what_its_commands_print(empty_folder: Path) -> None:
    follow(PAGES["parquet"])
    assert {path.name for path in empty_folder.iterdir()} == {
        "data",
        "leaderboard.csv",
        "leaderboard.md",
        "leaderboard.svg",
        "report.html",
    }


def test_the_page_of_python_shows_what_its_code_prints() -> None:
    follow(PAGES["python"])


def test_the_page_of_sql_shows_what_its_commands_print_and_its_jobs_are_snowflakes(empty_folder: Path) -> None:
    follow(PAGES["sql"])
    jobs = {"leaderboard_view.sql", "leaderboard_table.sql", "leaderboard_day.sql"}
    assert {path.name for path in empty_folder.iterdir()} == {"data", "shop.duckdb", "leaderboard.sql", *jobs}
    for name in jobs:
        statements = sqlglot.parse((empty_folder / name).read_text(encoding="utf-8"), read="snowflake")
        assert statements
        assert not any(isinstance(one, sqlglot.exp.Command) for one in statements)
    with duckdb.connect(str(empty_folder / "shop.duckdb")) as shop:
        assert shop.sql("SELECT count(*) FROM leaderboard").fetchall() == [(3,)]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_short_and_leads_on(name: str) -> None:
    page = PAGES[name]
    headings = re.findall(r"^## (.*)$", page, re.MULTILINE)
    assert headings[:2] == ["1. Install", "2. The first number"]
    assert headings[-2].endswith(". What to check before you trust a number")
    assert headings[-1] == "Where next"
    assert [int(heading.split(".")[0]) for heading in headings[:-1]] == [*range(1, len(headings))]
    assert len(page.splitlines()) < 190


def test_there_is_a_page_for_each_of_three_readers() -> None:
    assert sorted(PAGES) == ["parquet", "python", "sql"]
