"""docs/plots.md: its Python and its commands run, and its picture shows the numbers of the sample."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests import ROOT
from tests.support.commands import run

PAGE = (ROOT / "docs" / "plots.md").read_text(encoding="utf-8")
PICTURE = (ROOT / "docs" / "leaderboard.svg").read_text(encoding="utf-8")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the sample, in which the page is followed."""
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.long
def test_the_blocks_run_in_their_order(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(block, names)
    assert "| matrix-factorisation | 998 | 0 | **0.3027** |" in capsys.readouterr().out
    assert "<svg" in names["page"]
    texts = [set(re.findall(r">([^<>]+)</text>", svg)) for svg in (PICTURE, (checkout / "leaderboard.svg").read_text())]
    assert texts[0] == texts[1]


@pytest.mark.long
def test_the_commands_run(checkout: Path) -> None:
    commands = re.findall(r"^\$ rankmetrics ([^|\n]+)", PAGE, re.MULTILINE)
    assert [run(*shlex.split(command))[0] for command in commands] == [0] * 5
    written = {path.name for path in checkout.iterdir()} - {"data"}
    assert written == {"curve.svg", "tradeoff.png", "monday.html", "leaderboard.tex"}


def test_the_picture_is_small() -> None:
    assert len(PICTURE) < 40_000
