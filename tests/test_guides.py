"""README.md and the guides that it leads to: their code and their commands run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from docs.tooling.page_code import blocks, sample_folder
from tests import ROOT
from tests.support.commands import run

README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDES = ["README.md", "docs/larger-than-memory.md", "docs/own-metrics.md", "docs/warehouse-sql.md"]
# Commands that read files or tables that are not in a checkout.
ELSEWHERE = ("RECS", "db.", "shop.", "runs/", "last_hit.sql")


@pytest.fixture(autouse=True)
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Follow a page in a folder that has the sample."""
    monkeypatch.chdir(sample_folder(tmp_path))


def _commands(page: str) -> list[str]:
    """The commands of rankmetrics in the console blocks of a page, without comments and pipes."""
    lines = "".join(blocks(page, "console")).replace("\\\n", "").splitlines()
    return [re.split(r" \||  +#", line)[0].removeprefix("$ rankmetrics ") for line in lines if "$ rankmetrics " in line]


@pytest.mark.parametrize("page", GUIDES)
def test_the_code_of_a_page_runs(page: str) -> None:
    code = blocks(page, "python")
    assert code
    names: dict[str, object] = {}
    for block in code:
        exec(block, names)


@pytest.mark.long
def test_the_commands_of_the_readme_run() -> None:
    commands = [one for one in _commands("README.md") if not any(word in one for word in ELSEWHERE)]
    assert len(commands) == 4
    assert {command: run(*shlex.split(command))[0] for command in commands} == dict.fromkeys(commands, 0)
    assert {path.name for path in Path().iterdir()} == {"data", "lists.parquet", "report.html"}


def test_the_commands_that_write_sql_write_it() -> None:
    commands = [one for page in GUIDES for one in _commands(page) if one.startswith("sql ")]
    assert len(commands) == 4
    for command in commands:
        code, out, _ = run(*shlex.split(command))
        assert (code, "ndcg_at_10" in out.lower() or "ndcg@10" in out) == (0, True)


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 150


def test_the_readmes_commands_of_make_are_those_of_ci() -> None:
    wanted = re.findall(r"^\$ (make \w+)", README, re.MULTILINE)
    ran = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert wanted == ["make demo", "make test"]
    assert set(wanted) <= set(ran)


def test_the_pictures_of_the_readme_are_there_and_described() -> None:
    pictures = re.findall(r"!\[([^\]]*)\]\(([^)]*)\)", README)
    assert [path for _, path in pictures] == ["docs/demo.svg", "docs/report.png", "docs/pictures/speed.svg"]
    assert all(described and (ROOT / path).is_file() for described, path in pictures)
