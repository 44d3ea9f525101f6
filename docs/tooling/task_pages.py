"""docs/tasks.md and docs/agents.md: what users have and want, from docs/tasks.toml, and one file for coding agents."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any

import typer

from docs.tooling import DOCS
from docs.tooling.markdown import headings, table
from rankmetrics.cli.commands import app
from rankmetrics.errors import DISTRIBUTION, Option
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.conventions import CONVENTIONS
from rankmetrics.options import declared
from rankmetrics.request import Request

TASKS = """# Recipes

I have …, and want …: find your case here. Each entry is one step, a command or a few lines of Python, and the page
that says more. All of them run as they are in a folder with the sample (`rankmetrics demo --save data`), and a test
runs them. Python begins with `import polars as pl` and `import rankmetrics as rm`."""

AGENTS = f"""# For coding agents

One file with what an assistant needs to write code with rankmetrics. It is generated from the package, so every
name in it exists.

## Rules

- Install: `pip install {DISTRIBUTION}`; the import and the command are `rankmetrics`, by convention `import
  rankmetrics as rm`. The project `rankmetrics` on PyPI is another one. Until there is a release, install from a
  checkout: `pip install .`.
- `rm.evaluate(recs, truth, metrics)` takes recommendations first. Recommendations have list columns (user, and
  system or fold), an item, and a rank from 1 or a score. The truth has some of these list columns, an item and
  perhaps a rating; no score and no rank.
- A metric is a text: a name, parameters in brackets, cutoffs after an @, as in `ndcg(gain=exponential)@5,10`.
- `summary()`, `per_list()` and `account()` are lazy and check nothing. `collect()`, `write()`, printing and the
  command check the data.
- Name each column that is not found by its usual name: `rm.Input(recs, columns={{"item": "sku"}})` in place of the
  table. What is about one table (its list columns, its format) is an option of `rm.Input`, too.
- A mean is over all lists of the truth; a list without recommendations scores 0 (`missing="skip"` leaves it out).
  Undefined is NULL.
- Every error names a section: `rankmetrics help messages/ranks-missing`. Every message says what to do; do that
  before anything else.
- Exit codes of commands: 0 done, 1 an engine failed, 2 you can correct it, 3 a gate or an audit failed."""


@cache
def groups() -> list[dict[str, Any]]:
    """The groups of tasks."""
    found: list[dict[str, Any]] = tomllib.loads((DOCS / "tasks.toml").read_text(encoding="utf-8"))["group"]
    return found


def tasks_page() -> str:
    """The page of tasks: a heading for each, with its code and a link."""
    return "\n\n".join([TASKS, *_tasks()]) + "\n"


def _tasks() -> Iterator[str]:
    for group in groups():
        yield f"## {group['name']}"
        for task in group["tasks"]:
            path, title = _page(task["page"])
            yield f"### I have {task['have']}, and want {task['want']}"
            yield _code(task["run"])
            yield f"More: [{title}]({path})"


def _code(lines: str) -> str:
    is_command = lines.startswith("rankmetrics ")
    return f"```sh\n{lines}\n```" if is_command else f"```py\n{lines}\n```"


def _page(name: str) -> tuple[str, str]:
    """The path of a page below docs/, and its title."""
    path = next(path for end in (".md", "/index.md", "/README.md") if (path := DOCS / f"{name}{end}").exists())
    return path.relative_to(DOCS).as_posix(), headings(path.read_text(encoding="utf-8"))[0]


def agents_page() -> str:
    """One file for coding agents: rules, options, metrics, conventions, commands, and the tasks as code."""
    options = [[f"`{name}`", option.meaning] for name, option in _options()]
    metrics = [[f"`{metric.name}`", ", ".join(metric.aliases), metric.summary] for metric in catalog().metrics()]
    conventions = [[f"`{convention.name}`", convention.what] for convention in CONVENTIONS]
    commands = [[f"`{name}`", command.help.strip().partition("\n\n")[0]] for name, command in _commands()]
    tasks = [
        f"- {task['have']}, want {task['want']}:\n\n{_indented(_code(task['run']))}"
        for group in groups()
        for task in group["tasks"]
    ]
    parts = [
        AGENTS,
        "## Options of rm.evaluate",
        table(["option", "what it is"], options),
        "## Metrics",
        table(["name", "also", "what it is"], metrics),
        "## Conventions",
        table(["convention", "library"], conventions),
        "## Commands",
        table(["command", "what it does"], commands),
        "## Tasks",
        *tasks,
    ]
    return "\n\n".join(parts) + "\n"


def _options() -> Iterator[tuple[str, Any]]:
    from rankmetrics.options import declaration_of

    for name, field in declared(Request, "evaluate").items():
        spelled = name if name in ("extra_columns", "format") else str(Option(name, is_noun=True))
        if spelled != "extra_columns":
            yield 'rm.Input(..., format="...")' if name == "format" else spelled, declaration_of(field)


def _commands() -> Iterator[tuple[str, Any]]:
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        if not hasattr(command, "commands"):
            yield name, command


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
