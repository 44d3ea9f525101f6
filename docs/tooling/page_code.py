"""The code of the pages: blocks of Python, and commands of rankmetrics."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import typer

import rankmetrics as rm
from docs.tooling import DOCS, ROOT
from rankmetrics.cli.commands import app

# A block of code, and the block of text directly below it, which shows what the code prints.
BLOCK = re.compile(
    r"^( *)```(python|pycon|py|sh)\b[^\n]*\n(.*?)^\1```(?:\n\n\1```text\n(.*?)^\1```)?", re.DOTALL | re.MULTILINE
)


class LinesInOrder(doctest.OutputChecker):
    """Compares a session with what a page shows of it: its lines in order; a page may leave some out with `...`."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        """Whether a page shows what was printed: all of it, or lines of it if a line is `...`."""
        shown, printed = ([line.rstrip() for line in text.splitlines()] for text in (want, got))
        if "..." not in shown:
            return shown == printed
        left = iter(printed)
        return all(line in left for line in shown if line != "...")


def pages() -> list[str]:
    """The pages of Markdown, as paths from the top of the checkout."""
    found = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
    return [path.relative_to(ROOT).as_posix() for path in found]


def blocks(page: str, *kinds: str) -> list[str]:
    """The blocks of a page in some languages, without the indent that they have in lists and tabs."""
    return [code for kind, code, _ in blocks_with_outputs(page) if kind in kinds]


def blocks_with_outputs(page: str) -> Iterator[tuple[str, str, str]]:
    """The language and the code of each block of a page, and the output that the page shows directly below it."""
    for indent, kind, *texts in BLOCK.findall((ROOT / page).read_text(encoding="utf-8")):
        code, output = (re.sub(rf"^{indent}", "", text, flags=re.MULTILINE) for text in texts)
        yield kind, code, output


def shell_commands(block: str) -> list[str]:
    """The commands of a block for the shell, each on one line unless a text in quotes has several."""
    found: list[str] = []
    is_open = False
    for line in block.replace("\\\n", " ").splitlines():
        found[-1:] = [f"{found[-1]}\n{line}"] if is_open else [*found[-1:], line]
        is_open = _is_open(found[-1])
    return [command for command in found if command.strip()]


def _is_open(command: str) -> bool:
    """True if a quote of a command is not closed."""
    try:
        shlex.split(command, comments=True)
    except ValueError:
        return True
    return False


def run_code(code: str, page: str, found: dict[str, Any]) -> None:
    """Run a block of Python; of a session with `>>>`, compare what it prints, too."""
    if not code.startswith(">>>"):
        exec(compile(code, page, "exec"), found)
        return
    runner = doctest.DocTestRunner(LinesInOrder())
    told: list[str] = []
    runner.run(doctest.DocTestParser().get_doctest(code, found, page, page, 0), out=told.append, clear_globs=False)
    assert not runner.failures, "".join(told)


def commands(page: str) -> list[list[str]]:
    """The commands of rankmetrics in the shell blocks of a page, as words, without pipes and redirections."""
    lines = [shlex.split(line, comments=True) for block in blocks(page, "sh") for line in shell_commands(block)]
    return [list(_until_operator(words)) for first, *words in lines if first == "rankmetrics"]


def pipes(page: str) -> bool:
    """Whether a command of a page reads or writes by way of the shell."""
    return any(re.search(r"\s(\||<)\s", block) for block in blocks(page, "sh"))


def parse(words: list[str]) -> None:
    """Parse a command as the command line does, and run nothing.

    Raises:
        Exception: the command, a flag or a value does not exist; the message says which.
    """
    command, name = _command(), "rankmetrics"
    while words and words[0] in getattr(command, "commands", {}):
        name, *words = words
        command = command.commands[name]
    assert not hasattr(command, "commands") or words in (["--help"], ["--version"]), f"there is no command {words}"
    command.make_context(name, [*words], resilient_parsing={"--help", "--version"} & {*words} != set())


@cache
def _command() -> Any:
    return typer.main.get_command(app)


def wrong_calls(code: str) -> Iterator[str]:
    """The calls of `rm.name(...)` in a block with a name or a keyword that the package does not have."""
    for node in ast.walk(ast.parse(re.sub(r"^%.*$", "", code, flags=re.MULTILINE))):  # without magics of notebooks
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if not isinstance(node.func.value, ast.Name) or node.func.value.id != "rm":
            continue
        if not hasattr(rm, node.func.attr):
            yield f"rm.{node.func.attr} does not exist"
            continue
        parameters = inspect.signature(getattr(rm, node.func.attr)).parameters
        if any(one.kind is one.VAR_KEYWORD for one in parameters.values()):
            continue
        given = {keyword.arg for keyword in node.keywords if keyword.arg}
        yield from (f"rm.{node.func.attr} has no parameter {name}" for name in sorted(given - parameters.keys()))


def _until_operator(words: list[str]) -> Iterator[str]:
    for word in words:
        if re.fullmatch(r"\||>|>>|<|2>&1|&&|;", word):
            return
        yield word


def sample_folder(folder: Path) -> Path:
    """Make the sample readable as data/ in a folder, as in a checkout."""
    (folder / "data").symlink_to(ROOT / "data")
    return folder
