"""docs/sampled.md: its Python runs from top to bottom."""

from __future__ import annotations

import re

import pytest

from tests import ROOT

BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "sampled.md").read_text("utf-8"), re.DOTALL)


@pytest.mark.filterwarnings("ignore::rankmetrics.RankMetricsWarning")
def test_the_examples_of_the_page_run_as_they_stand() -> None:
    names: dict[str, object] = {}
    assert len(BLOCKS) == 3
    for block in BLOCKS:
        exec(block, names)
