"""docs/gates.md: its Python, its suite and its commands run from top to bottom."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from rankmetrics._files import data_folder
from rankmetrics._logger import LOGGER
from tests import ROOT
from tests.support.commands import run

PAGE = (ROOT / "docs" / "gates.md").read_text("utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory of the page, with the sample in data/."""
    (tmp_path / "data").symlink_to(data_folder())
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    return tmp_path


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::rankmetrics.RankMetricsWarning")
def test_the_python_of_the_page_runs_as_it_stands(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    assert len(blocks("python")) == 3
    for block in blocks("python"):
        exec(block, names)
    assert LOGGER.level > 0
    LOGGER.setLevel(0)
    assert "item-knn/ndcg_at_10 0.26" in capsys.readouterr().out
    assert (place / "gate.xml").exists()


@pytest.mark.long
def test_the_commands_of_the_page_pass_and_print_what_stands_there(place: Path) -> None:
    (place / "rankmetrics.toml").write_text(blocks("toml")[0])
    commands = [line for block in blocks("console") for line in block.split("$ ")[1:]]
    assert len(commands) == 6
    for command in commands:
        line, *printed = command.strip().splitlines()
        code, out, err = run(*shlex.split(line)[1:])
        assert code == 0, (line, err)
        if printed:
            assert [one.rstrip() for one in out.splitlines()] == printed
