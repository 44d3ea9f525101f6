"""Counts how often the text of a request reads each input, where the engine keeps no step."""

from __future__ import annotations

from collections import Counter

import sqlglot
from sqlglot import exp

import rankmetrics as rm
from rankmetrics.dialects.base import grammar

# Requests whose texts are measured.
SIX_AT_THREE = [f"{name}@{k}" for name in ("ndcg", "recall", "precision", "ap", "rr", "hit") for k in (5, 10, 20)]
OVER = {"lists": ["algorithm", "user"], "truth_lists": ["user"], "truth_columns": rm.Columns(item="item")}


def scans(text: str, dialect: str) -> Counter[str]:
    """How often each table is read if every step is computed again for each of its readers."""
    query = sqlglot.parse_one(text, read=grammar(dialect))
    steps = {step.alias: step.this for step in query.find_all(exp.CTE)}
    query.set("with_", None)
    return _scans(query, steps)


def _scans(query: exp.Expr, steps: dict[str, exp.Expr]) -> Counter[str]:
    found: Counter[str] = Counter()
    read = [table for table in query.find_all(exp.Table) if isinstance(table.parent, (exp.From, exp.Join))]
    for table in read:  # others are named in hints
        is_step = table.name in steps and not table.db
        found += _scans(steps[table.name], steps) if is_step else Counter([table.name])
    return found


def n_steps(text: str, dialect: str) -> int:
    return 1 + len(list(sqlglot.parse_one(text, read=grammar(dialect)).find_all(exp.CTE)))
