"""The Python blocks of docs/segments.md run, and its table has every number and every word."""

from __future__ import annotations

import re
from typing import Any

import pytest

from rankmetrics.segments.segmentation import NUMBERS, WORDS
from tests import ROOT

PAGE = (ROOT / "docs" / "segments.md").read_text(encoding="utf-8")


@pytest.mark.filterwarnings("ignore::rankmetrics.errors.RankMetricsWarning")
def test_the_blocks_run_in_their_order() -> None:
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(block, names)
    assert names["segments"].collect().filter(segmentation="activity")["segment"].unique(
        maintain_order=True
    ).to_list() == [
        "0",
        "2",
        "3",
    ]


def test_the_table_has_every_number_and_every_word() -> None:
    given = re.findall(r"^\| (`.+?`) \|", PAGE, re.MULTILINE)
    assert {f'`rm.buckets("{one}", n)`' for one in NUMBERS} | {f'`"{one}"`' for one in WORDS} <= {*given}
