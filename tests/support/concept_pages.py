"""The examples of the pages of docs/concepts: their code runs, and its names serve the tests and the pictures."""

from __future__ import annotations

import contextlib
import io
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "docs" / "concepts"
PAGES = sorted(path.stem for path in FOLDER.glob("*.md"))
BLOCK = re.compile(r"```python\n(?P<code>.*?)```(?:\n\n```text\n(?P<shown>.*?)```)?", re.DOTALL)


@dataclass(frozen=True)
class Example:
    """The Python blocks of a page after they ran in their order.

    `printed` and `shown` hold, for each block, what it printed and what the page shows below it.
    """

    names: dict[str, Any]
    printed: list[str]
    shown: list[str]


@cache
def example(page: str) -> Example:
    """Run the Python blocks of a page of docs/concepts."""
    found = Example({}, [], [])
    for block in BLOCK.finditer((FOLDER / f"{page}.md").read_text(encoding="utf-8")):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(block["code"], found.names)
        found.printed.append(out.getvalue())
        found.shown.append(block["shown"] or "")
    return found
