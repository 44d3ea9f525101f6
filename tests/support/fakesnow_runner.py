"""Snowflake's SQL, run in fakesnow for the tests of dialects: a statement a line comes in, an answer a line goes out.

A statement is a text as JSON. Its answer is {"rows": [...]}, each row an object whose floats have all their digits, or
{"refused": "..."}. The python that runs it has fakesnow, and nothing of ours.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any


def main() -> None:
    """Answer until nobody asks any more."""
    fakesnow = importlib.import_module("fakesnow")  # by name: it is not installed where this file is checked
    connector = importlib.import_module("snowflake.connector")
    answers, sys.stdout = sys.stdout, sys.stderr  # whatever else is printed is not an answer
    with fakesnow.patch():
        cursor = connector.connect(database="SHOP", schema="PUBLIC").cursor(connector.DictCursor)
        for line in sys.stdin:
            print(json.dumps(answer(cursor, json.loads(line)), default=plain), file=answers, flush=True)


def answer(cursor: Any, statement: str) -> Mapping[str, object]:
    """What fakesnow says to a statement."""
    try:
        return {"rows": cursor.execute(statement).fetchall()}
    except Exception as error:  # noqa: BLE001  # of fakesnow, sqlglot or DuckDB: whatever it is, it is the answer
        return {"refused": f"{type(error).__name__}: {error}"}


def plain(value: object) -> object:
    """A value that JSON has no word for: a day, or a sum of whole numbers, which is a decimal."""
    if isinstance(value, Decimal):
        return int(value) if value == int(value) else float(value)
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{value!r} is nothing that rankmetrics returns")


if __name__ == "__main__":
    main()
