"""The comment at the head of a text for another system: which release wrote it, over what, and what each metric is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import dropwhile

from sqlglot import exp

import rankmetrics
from rankmetrics.inputs.assumptions import ASSUMPTIONS
from rankmetrics.inputs.sources import CALLED
from rankmetrics.planner import Question
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.steps import without_semicolons

# What ends a line somewhere: a name may hold it, and what stands behind it would be no comment.
LINE_BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def header(question: Question) -> str:
    """The lines of the comment, each with `--` before it and a line break behind it, without semicolons."""
    return "".join(f"-- {without_semicolons(LINE_BREAKS.sub(' ', line))}\n" for line in _lines(question))


def without_header(text: str) -> str:
    r"""A text without the comment at its head.

    >>> without_header("-- a comment\nSELECT 1\n-- another")
    'SELECT 1\n-- another'
    """
    return "".join(dropwhile(lambda line: line.startswith("--"), text.splitlines(keepends=True)))


def _lines(question: Question) -> Iterator[str]:
    layout = question.layout
    tables = {name: table for name, table in question.tables.items() if name in CALLED}
    read = ", ".join(f"{CALLED[name]} {_called(table)}" for name, table in tables.items())
    yield f"Written by rankmetrics {rankmetrics.__version__} for {read}; a list for each {', '.join(layout.lists)}."
    if question.assumed:
        yield f"Right only where {', and '.join(ASSUMPTIONS[assumption] for assumption in sorted(question.assumed))}."
    labels: dict[str, list[str]] = {}
    for metric in question.metrics:
        labels.setdefault(metric.definition.summary, []).append(metric.label)
    for summary, of in labels.items():
        yield f"{', '.join(of)}: {summary}"


def _called(table: exp.Expr) -> str:
    """The names of the tables that are read."""
    tables = [part for part in tree.find(table, exp.Table) if isinstance(part.this, exp.Identifier)]
    return " and ".join(dict.fromkeys(".".join(part.name for part in table.parts) for table in tables)) or "given"
