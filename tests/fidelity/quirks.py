"""Calls that show what the users of a library do not know, and the numbers that the library returned for them.

A job names the calls as texts, in the language of the library. `returned` runs them where the library is installed, and
`add` writes the numbers beside the versions of the library, from where the tables of docs/migrating are checked.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

from tests.fidelity.tables import GOLDEN

# What libraries raise where they take no such input.
ERRORS = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)


def returned(calls: Iterable[str], namespace: Mapping[str, Any]) -> dict[str, str]:
    """What each call returns, as pages print it: a number with up to six decimals, "NaN", or the name of an error."""
    return {call: _returned(call, dict(namespace)) for call in calls}


def _returned(call: str, namespace: dict[str, Any]) -> str:
    try:
        value = float(eval(call, namespace))
    except ERRORS as error:
        return type(error).__name__
    return "NaN" if math.isnan(value) else f"{round(value, 6):g}"


def add(library: str, quirks: Mapping[str, str]) -> None:
    """Add what the calls returned to the document of a library."""
    path = GOLDEN / f"{library}.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**document, "quirks": dict(quirks)}, indent=1) + "\n", encoding="utf-8")
