"""The Python blocks of docs/comparing.md run, and its tables name all columns and tests."""

from __future__ import annotations

import re
import warnings
from typing import Any

import pytest

import rankmetrics as rm
from rankmetrics.comparisons.statistics import TESTS
from tests import ROOT

PAGE = (ROOT / "docs" / "comparing.md").read_text(encoding="utf-8")


def test_the_blocks_run_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rm.RankMetricsWarning)
            exec(block, names)
    assert names["found"]["wins"].to_list() == [3]
    assert 'FROM "DB"."PER_LIST"' in names["sums"]
    assert "CREATE" in names["values"]
    shown = re.search(r"```\n(  ┃ system.*?)```", PAGE, re.DOTALL)
    assert shown is not None
    text = repr(names["result"].compare(metrics="ndcg@10"))
    assert [line.strip() for line in text.splitlines()[:5]] == [line.strip() for line in shown[1].splitlines()]
    columns = names["result"].compare(tests=[*TESTS]).collect().columns
    listed = re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
    documented = {name for one in listed for name in re.findall(r"`(\w+)`", one)}
    assert {name for name in columns if not name.startswith("p_")} <= documented


def test_the_table_has_every_test() -> None:
    assert {*TESTS} <= {*re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)}
