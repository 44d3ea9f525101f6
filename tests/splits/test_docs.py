"""The Python blocks of docs/splits.md run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from rankmetrics.splits.methods import methods, parameters
from tests import ROOT

PAGE = (ROOT / "docs" / "splits.md").read_text(encoding="utf-8")


def test_the_blocks_run_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(block, names)
    assert sorted(names["test"].collect()["item_id"]) == [3, 3, 4]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["test.parquet", "train.parquet"]
    wanted = re.search(r"rows\(\)  # (\[.*\]) in some order", PAGE)
    assert wanted is not None
    assert sorted(names["folds"].test.collect().rows()) == eval(wanted[1])


def test_the_table_has_every_method_with_its_parameters() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \|", PAGE, re.MULTILINE))
    assert {*rows} == {*methods()}
    for method, listed in rows.items():
        assert {*re.findall(r"`(\w+)`", listed)} == {*parameters(method)}, method
