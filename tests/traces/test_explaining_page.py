"""docs/explaining.md: its Python runs from top to bottom."""

from __future__ import annotations

import re

import pytest

from tests import ROOT

PAGE = (ROOT / "docs" / "explaining.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.filterwarnings("ignore::rankmetrics.RankMetricsWarning")
def test_the_examples_of_the_page_run_as_they_stand(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    assert len(BLOCKS) == 3
    for block in BLOCKS:
        exec(block, names)
    assert capsys.readouterr().out.strip() in PAGE
