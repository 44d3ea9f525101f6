"""What the pages on migrating say that users of a library do not know, compared with what the library returned."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.fidelity.tables import GOLDEN

SUFFIX = "_quirks.json"
KEPT = sorted(path.name.removesuffix(SUFFIX) for path in GOLDEN.glob(f"*{SUFFIX}"))
PAGES = Path(__file__).parents[2] / "docs" / "migrating"
SECTION = re.compile(r"^## What its users do not know\n(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
ROW = re.compile(r"^\| .+ \| `([^`]+)` \| ([-\d.]+|nan) \|$", re.MULTILINE)


@pytest.mark.parametrize("library", KEPT)
def test_a_page_shows_each_surprising_call_with_the_number_that_it_returned(library: str) -> None:
    (section,) = SECTION.findall((PAGES / f"{library}.md").read_text(encoding="utf-8"))
    shown = {call: float(number) for call, number in ROW.findall(section)}
    returned = json.loads((GOLDEN / f"{library}{SUFFIX}").read_text(encoding="utf-8"))
    assert returned
    assert shown == pytest.approx(returned, abs=0, nan_ok=True)
