"""Guides of docs/ that are written by hand, except for the parts between marks."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from functools import partial
from pathlib import Path

from rankmetrics.dialects.base import DIALECTS
from tests.support.marks import between
from tests.support.speed_tables import large_table, peers_table, speed_sentences, speed_table


def files_of_guides(docs: Path) -> dict[Path, Callable[[], str]]:
    """Each of these guides, and the function that returns its text with these parts written anew."""
    tables = {
        docs.parent / "README.md": {"speed": speed_sentences},
        docs / "performance.md": {"peers": peers_table, "speed": speed_table},
        docs / "larger-than-memory.md": {"large": large_table},
        docs / "warehouse-sql.md": {"dialects": _dialects},
    }
    return {path: partial(_page, path, marks) for path, marks in tables.items()}


def _page(path: Path, marks: dict[str, Callable[[], str]]) -> str:
    text = path.read_text(encoding="utf-8")
    for mark, write in marks.items():
        text = between(text, mark, write())
    return text


def _dialects() -> str:
    """The names of the dialects, as `--dialect` takes them."""
    return textwrap.fill(f"{len(DIALECTS)} dialects: {', '.join(sorted(DIALECTS))}.", 125)
