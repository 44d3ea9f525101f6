"""Formats SQL on few lines: a clause stands on one line where it fits.

sqlglot gives each column of a SELECT, each row of VALUES and each condition a line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import takewhile

# The longest line that a clause is put on.
WIDTH = 120

# A line that only begins a clause.
HEAD = re.compile(
    r"(^\s*(SELECT( DISTINCT| TOP \d+)?( /\*\+.*\*/)?|WHERE|GROUP BY|ORDER BY|HAVING)|JOIN .*|VALUES|UNNEST\(\["
    r"|FILTER\(WHERE)$"
)


def on_few_lines(text: str) -> str:
    r"""A text of SQL with each clause on one line where it fits; rows of VALUES share lines.

    No literal and no name in it may hold a line break.

    >>> print(on_few_lines('SELECT\n  a,\n  SUM(b) AS b\nFROM t\nWHERE\n  a > 0\nGROUP BY\n  a'))
    SELECT a, SUM(b) AS b
    FROM t
    WHERE a > 0
    GROUP BY a
    >>> print(on_few_lines('FROM (\n  SELECT\n    1 AS k\n  UNION ALL\n  SELECT\n    2 AS k\n)'))
    FROM (
      SELECT 1 AS k UNION ALL SELECT 2 AS k
    )
    """
    lines, before = text.split("\n"), 0
    while len(lines) != before:  # a FILTER within a SELECT is put on one line first, and then the SELECT
        before, lines = len(lines), list(_joined(lines))
    return "\n".join(_unions(lines))


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
            yield from _packed(of_clause) if head.endswith(("VALUES", "[")) else of_clause


def _packed(rows: list[str]) -> Iterator[str]:
    """Rows of numbers, as many in a line as fit; no row is broken, since a text in it may hold spaces."""
    line = rows[0]
    for row in map(str.strip, rows[1:]):
        if len(line) + 1 + len(row) > WIDTH:
            yield line
            line = " " * _depth(rows[0]) + row
        else:
            line = f"{line} {row}"
    yield line


def _unions(lines: list[str]) -> Iterator[str]:
    """Lines, with SELECTs of numbers alone that are joined by UNION ALL side by side, as many as fit."""
    waiting: list[str] = []
    for place, line in enumerate(lines):
        depth, following = _depth(line), lines[place + 1] if place + 1 < len(lines) else ""
        is_number = NUMBERS.search(line) and (_depth(following) < depth or following.strip() == "UNION ALL")
        is_between = line.strip() == "UNION ALL" and waiting and NUMBERS.search(following)
        if (is_number or is_between) and (not waiting or _depth(waiting[0]) == depth):
            waiting.append(line)
        else:
            yield from _packed(waiting) if waiting else ()
            waiting = [line] if is_number else []
            if not is_number:
                yield line
    yield from _packed(waiting) if waiting else ()


# A SELECT of a number under a name, without any table.
NUMBERS = re.compile(r"^\s*SELECT \d+ AS \S+$")


def _is_deeper(depth: int, line: str) -> bool:
    return _depth(line) > depth


def _depth(line: str) -> int:
    """How far a line is indented."""
    return len(line) - len(line.lstrip())
