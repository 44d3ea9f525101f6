"""Calls of libraries whose results surprise: a job runs those that a page shows, and keeps the results."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tests.fidelity.tables import GOLDEN


def save_quirks(library: str, calls: Sequence[str], names: Mapping[str, Any]) -> None:
    """Run each call and write what it returned, rounded to 6 decimals.

    Args:
        library: the name of the library's files here.
        calls: Python expressions, as the page on the library shows them.
        names: the names that the expressions use.
    """
    returned = {call: round(float(eval(call, dict(names))), 6) for call in calls}
    path = GOLDEN / f"{library}_quirks.json"
    path.write_text(json.dumps(returned, indent=1) + "\n", encoding="utf-8")
