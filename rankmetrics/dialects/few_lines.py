"""Formats SQL on few lines: a clause stands on one line where it fits.

sqlglot gives each column of a SELECT, each row of VALUES and each condition a line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial
from itertools import takewhile

from sqlglot import Dialect, Generator, exp

# The longest line that a clause is put on.
WIDTH = 110

# A line that only begins a clause.
HEAD = re.compile(
    r"(^\s*(SELECT( DISTINCT| TOP \d+)?( /\*\+.*\*/)?|WHERE|GROUP BY|ORDER BY|HAVING)|JOIN .*|VALUES|FILTER\(WHERE)$"
)


@cache
def generator_of(grammar: type[Dialect]) -> type[Generator]:
    """The generator of a grammar, with the clauses of each SELECT on few lines."""
    base = grammar.generator_class

    def select_sql(self: Generator, expression: exp.Select) -> str:
        text: str = base.select_sql(self, expression)
        return on_few_lines(text) if self.pretty else text

    return type(f"{base.__name__}OnFewLines", (base,), {"select_sql": select_sql})


def on_few_lines(text: str) -> str:
    r"""The text of a SELECT with each clause on one line where it fits; rows of VALUES share lines.

    Line breaks within literals are not seen here: sqlglot puts them in when the whole query is written.

    >>> print(on_few_lines('SELECT\n  a,\n  SUM(b) AS b\nFROM t\nWHERE\n  a > 0\nGROUP BY\n  a'))
    SELECT a, SUM(b) AS b
    FROM t
    WHERE a > 0
    GROUP BY a
    """
    lines, before = text.split("\n"), 0
    while len(lines) != before:  # a FILTER within a SELECT is put on one line first, and then the SELECT
        before, lines = len(lines), list(_joined(lines))
    return "\n".join(lines)


def _joined(lines: list[str]) -> Iterator[str]:
    """Lines, with each head of a clause before the lines that belong to it, on one line where they fit."""
    place = 0
    while place < len(lines):
        head = lines[place]
        of_clause = [*takewhile(partial(_is_deeper, _depth(head)), lines[place + 1 :])]
        place += 1
        is_flat = len({*map(_depth, of_clause)}) == 1 and not any("/*" in line for line in of_clause)
        if not HEAD.search(head) or not is_flat:
            yield head
            continue
        place += len(of_clause)
        together = " ".join([head, *(line.strip() for line in of_clause)])
        if len(together) <= WIDTH:
            yield together
        else:
            yield head
            yield from _packed(of_clause) if head.endswith("VALUES") else of_clause


def _packed(rows: list[str]) -> Iterator[str]:
    """Rows of VALUES, as many in a line as fit; no row is broken, since a text in it may hold spaces."""
    line = rows[0]
    for row in map(str.strip, rows[1:]):
        if len(line) + 1 + len(row) > WIDTH:
            yield line
            line = " " * _depth(rows[0]) + row
        else:
            line = f"{line} {row}"
    yield line


def _is_deeper(depth: int, line: str) -> bool:
    return _depth(line) > depth


def _depth(line: str) -> int:
    """How far a line is indented."""
    return len(line) - len(line.lstrip())
