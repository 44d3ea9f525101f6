"""Markdown that several generated pages write."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; `|` in a cell is escaped."""
    return "\n".join([_row(headings), f"|{'---|' * len(headings)}", *map(_row, rows)])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def convention_anchor(convention: str) -> str:
    """The anchor of a convention in docs/conventions.md."""
    return f"#{convention.replace('.', '')}"
