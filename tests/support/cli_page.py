"""docs/cli.md: every command with its arguments and flags, read from the Typer app, and an example of each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import typer

from rankmetrics.cli.commands import app
from tests.support.markdown import table

# An example of each command; those of the sample run in the checkout, in this order.
EXAMPLES = {
    "demo": "rankmetrics demo",
    "evaluate": "rankmetrics evaluate data/recs.parquet data/truth.parquet -m ndcg@10 -m recall@5,10,20 --by algorithm",
    "check": "rankmetrics check data/recs.parquet data/truth.parquet",
    "compare": "rankmetrics compare data/recs.parquet data/truth.parquet -m ndcg@10 --by algorithm --baseline popular",
    "segments": "rankmetrics segments data/recs.parquet data/truth.parquet -m ndcg@10 --by algorithm "
    "--history data/history.parquet --segment activity",
    "worst": "rankmetrics worst data/recs.parquet data/truth.parquet -m ndcg@5 --against popular -n 2",
    "trace": "rankmetrics trace data/recs.parquet data/truth.parquet -m ndcg@5 --list user=1 --list partition=1 "
    "--list algorithm=item-knn",
    "report": "rankmetrics report data/recs.parquet data/truth.parquet -m ndcg@10 -m recall@10 -o report.html",
    "gate": "rankmetrics gate data/recs.parquet data/truth.parquet --min ndcg@10=0.1 --max-missing 1%",
    "run": "rankmetrics run nightly",
    "split": "rankmetrics split data/history.parquet --method users --users-test-fraction 0.2 --seed 7 -o out",
    "rank": "rankmetrics rank --users users.parquet --items items.parquet --truth truth.parquet -o ranked.parquet",
    "sql": "rankmetrics sql db.recs db.truth -m ndcg@10 --list algorithm --list user --truth-list user "
    "--dialect snowflake",
    "metrics": "rankmetrics metrics ndcg",
    "conventions": "rankmetrics conventions ndcg@10",
    "dbt init": "rankmetrics dbt init",
    "dbt write": "rankmetrics dbt write",
}

INTRODUCTION = """\
# Command line

This page lists the commands with all their flags. `rankmetrics COMMAND --help` prints the same on a terminal,
and `rankmetrics --install-completion` completes commands, flags and names of metrics in your shell.

The examples read the sample, which is in `data/` of a checkout. A command ends with exit code 0 after success, with 1
if an engine or a database failed, with 2 if you can correct what was wrong, and with 3 if a gate failed."""


def cli_page() -> str:
    """The page about the command line."""
    commands = list(_commands(typer.main.get_command(app), ""))
    order = list(EXAMPLES)
    commands.sort(key=lambda one: order.index(one[0]))
    rows = [[f"[`{name}`](#{_anchor(name)})", _short(command)] for name, command in commands]
    parts = [INTRODUCTION, table(["command", "what it does"], rows)]
    for name, command in commands:
        parts += _command(name, command)
    return "\n\n".join(parts) + "\n"


def _commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    """The commands of a group and of the groups in it, with the words that call them."""
    for word, below in command.commands.items():
        called = f"{name} {word}".strip()
        yield from _commands(below, called) if hasattr(below, "commands") else [(called, below)]


def _command(name: str, command: Any) -> Iterator[str]:
    context = typer.Context(command, info_name=f"rankmetrics {name}")
    yield f"## rankmetrics {name}"
    yield re.sub(r"\s*\n\s*\n\s*", "\n\n", command.help.strip())
    yield f"```console\n$ {_wrapped(EXAMPLES[name])}\n```"
    yield f"Usage: `rankmetrics {' '.join([name, *command.collect_usage_pieces(context)])}`"
    panels: dict[str, list[tuple[str, str]]] = {}
    for parameter in command.params:
        is_argument = parameter.param_type_name == "argument"
        panel = parameter.rich_help_panel or ("Arguments" if is_argument else "Options")
        if (record := parameter.get_help_record(context)) is not None:
            panels.setdefault(panel, []).append(record)
    for panel, records in panels.items():
        rows = [[_in_line(f"`{flags}`"), _in_line(meaning)] for flags, meaning in records]
        heading = "argument" if panel == "Arguments" else "flag"
        title = [] if panel in ("Arguments", "Options") else [f"**{panel}**", ""]
        yield "\n".join([*title, table([heading, "what it is"], rows)])


def _short(command: Any) -> str:
    return _in_line(command.help.strip().partition("\n\n")[0])


def _wrapped(example: str) -> str:
    """An example as a page shows it: at most 100 characters in a line."""
    lines = [""]
    for word in example.split(" "):
        if len(lines[-1]) + len(word) > 100:
            lines.append("   ")
        lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    return " \\\n".join(lines)


def _in_line(text: str) -> str:
    return " ".join(text.split())


def _anchor(name: str) -> str:
    return f"rankmetrics-{name.replace(' ', '-')}"
