"""The code of docs/tutorials/model.md and docs/models.md, run; what does not run there is marked as text."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import pytest

from tests import ROOT

PAGES = [ROOT / "docs" / "tutorials" / "model.md", ROOT / "docs" / "models.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_code_of_a_page_runs_and_prints_what_the_page_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            exec(block, names)
    printed = capsys.readouterr().out
    shown = re.findall(r"```text\n(n_lists.*?)```", text, re.DOTALL)
    assert [one for one in shown if one.strip() not in printed] == []
    assert page.stem != "model" or len(shown) == 1


def test_the_first_example_of_the_tutorial_is_short() -> None:
    first = re.findall(r"```python\n(.*?)```", PAGES[0].read_text(encoding="utf-8"), re.DOTALL)[0]
    assert len([line for line in first.splitlines() if line and not line.startswith("#")]) <= 25
