"""docs/ties.md: its Python runs from top to bottom, and prints what the page shows."""

from __future__ import annotations

import re

import pytest

from tests import ROOT

TEXT = (ROOT / "docs" / "ties.md").read_text("utf-8")


def test_the_examples_of_the_page_run_and_print_what_it_shows(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL):
        exec(block, names)
    (shown,) = re.findall(r"```text\n(.*?)```", TEXT, re.DOTALL)
    assert capsys.readouterr().out == shown
