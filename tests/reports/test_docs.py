"""The Python blocks of docs/reports.md run, and its picture is small."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rankmetrics.reports.sections import SECTIONS
from tests import ROOT

PAGE = (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")


@pytest.mark.long
@pytest.mark.usefixtures("without_charts")
def test_the_examples_of_the_page_run_as_they_stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").symlink_to(ROOT / "data", target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) == 1
    exec(blocks[0], {})
    assert (tmp_path / "report.html").exists()


def test_the_page_describes_every_section() -> None:
    table = PAGE.partition("|---|---|---|\n")[2].partition("\n\n")[0]
    assert len(table.splitlines()) == len(SECTIONS)


def test_the_picture_is_small() -> None:
    assert (ROOT / "docs" / "report.png").stat().st_size < 150_000
