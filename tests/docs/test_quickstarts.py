"""The pages of docs/quickstart, followed from top to bottom in an empty folder: a reader sees what they show."""

from __future__ import annotations

import shlex
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlglot

from docs.tooling.page_code import blocks_with_outputs, shell_commands
from tests.support.commands import run

# Commands that set up an environment, and commands on files that the reader has.
NOT_RUN = (
    "python3 -m venv",
    "pip install",
    "rankmetrics evaluate 'runs/*.parquet'",
    "rankmetrics segments recs.parquet",
)


def shown(command: str) -> str:
    """What a command prints in this folder; its standard output may go into a file."""
    words = shlex.split(command)
    target = Path(words[words.index(">") + 1]) if ">" in words else None
    words = words[: words.index(">")] if target else words
    if words[0] == "python":
        done = subprocess.run([sys.executable, *words[1:]], capture_output=True, text=True, check=True)
        return _trimmed(done.stdout)
    assert words[0] == "rankmetrics", command
    code, out, err = run(*words[1:])
    assert code == 0, (command, err)
    if target:
        target.write_text(out, encoding="utf-8")
        return _trimmed(err)
    return _trimmed(out + err)


def printed_by(code: str, names: dict[str, Any]) -> str:
    with redirect_stdout(StringIO()) as text:
        exec(code, names)
    return _trimmed(text.getvalue())


def _trimmed(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.rstrip().splitlines())


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def follow(page: str) -> None:
    """Run every command and every block of Python, and compare what each shows with the page."""
    names: dict[str, Any] = {}
    for kind, code, output in blocks_with_outputs(f"docs/quickstart/{page}.md"):
        if kind == "python":
            printed = printed_by(code, names)
            assert output in ("", printed), code
        else:
            run_here = [command for command in shell_commands(code) if not command.startswith(NOT_RUN)]
            assert "".join(map(shown, run_here)) == output, code


@pytest.mark.long
def test_the_page_of_parquet_files_shows_what_its_commands_print(empty_folder: Path) -> None:
    follow("parquet")
    assert {path.name for path in empty_folder.iterdir()} == {
        "data",
        "leaderboard.csv",
        "leaderboard.md",
        "leaderboard.svg",
        "report.html",
    }


@pytest.mark.long
def test_the_page_of_python_shows_what_its_code_prints() -> None:
    follow("python")


@pytest.mark.long
def test_the_page_of_sql_shows_what_its_commands_print_and_its_jobs_are_snowflakes(empty_folder: Path) -> None:
    follow("sql")
    jobs = {"leaderboard_view.sql", "leaderboard_table.sql", "leaderboard_day.sql"}
    assert {path.name for path in empty_folder.iterdir()} == {"data", "shop.duckdb", "leaderboard.sql", *jobs}
    for name in jobs:
        statements = sqlglot.parse((empty_folder / name).read_text(encoding="utf-8"), read="snowflake")
        assert statements
        assert not any(isinstance(statement, sqlglot.exp.Command) for statement in statements)
    with duckdb.connect(str(empty_folder / "shop.duckdb")) as shop:
        assert shop.sql("SELECT count(*) FROM leaderboard").fetchall() == [(3,)]
