"""Counts how often a query reads each input, and how often it sorts one, where the engine keeps no step."""

from __future__ import annotations

from collections import Counter

import sqlglot
from sqlglot import exp


def scans(text: str, dialect: str) -> Counter[str]:
    """How often each table is read if every step is computed anew for each of its readers."""
    query = sqlglot.parse_one(text, read=dialect)
    steps = {step.alias: step.this for step in query.find_all(exp.CTE)}
    query.set("with_", None)
    return _scans(query, steps)


def _scans(query: exp.Expr, steps: dict[str, exp.Expr]) -> Counter[str]:
    found: Counter[str] = Counter()
    for table in query.find_all(exp.Table):
        is_step = table.name in steps and not table.db
        found += _scans(steps[table.name], steps) if is_step else Counter([table.name])
    return found


def n_steps(text: str, dialect: str) -> int:
    """The number of steps of a query, the last SELECT among them."""
    return 1 + len(list(sqlglot.parse_one(text, read=dialect).find_all(exp.CTE)))
