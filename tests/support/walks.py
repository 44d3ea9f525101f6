"""Pages that a reader follows from top to bottom: their commands and their Python, with what each shows."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from tests.support.commands import run

BLOCK = re.compile(r"```(console|python|text)\n(.*?)```", re.DOTALL)


def blocks(page: str) -> list[tuple[str, str]]:
    """The kind and the text of each block of code."""
    return [(match[1], match[2]) for match in BLOCK.finditer(page)]


def commands(block: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with what the page shows below it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        lines = part.splitlines(keepends=True)
        taken = 1
        while not _is_whole("".join(lines[:taken])):
            taken += 1
        yield "".join(lines[:taken]).rstrip("\n"), "".join(lines[taken:])


def _is_whole(command: str) -> bool:
    try:
        shlex.split(command)
    except ValueError:  # within quotes
        return False
    return not command.rstrip("\n").endswith("\\")


def shown(command: str) -> str:
    """What a command prints in this folder; its standard output may go into a file."""
    words = shlex.split(command.replace("\\\n", " "))
    target = Path(words[words.index(">") + 1]) if ">" in words else None
    words = words[: words.index(">")] if target else words
    if words[0] == "python":
        done = subprocess.run([sys.executable, *words[1:]], capture_output=True, text=True, check=True)
        return _trimmed(done.stdout)
    assert words[0] == "rankmetrics", command
    code, out, err = run(*words[1:])
    assert code == 0, (command, err)
    if target:
        target.write_text(out, encoding="utf-8")
        return _trimmed(err)
    return _trimmed(out + err)


def printed_by(code: str, names: dict[str, Any]) -> str:
    """What a block of Python prints."""
    with redirect_stdout(StringIO()) as text:
        exec(code, names)
    return _trimmed(text.getvalue())


def _trimmed(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.rstrip().splitlines())
