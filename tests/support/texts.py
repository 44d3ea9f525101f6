"""What tests look at in the texts of queries."""

from __future__ import annotations

from itertools import dropwhile


def without_header(text: str) -> str:
    """A text without the comment at its head."""
    lines = dropwhile(lambda line: line.startswith("--"), text.splitlines(keepends=True))
    return "".join(lines)
