"""The references to Python and to the command line have every public name and command."""

from __future__ import annotations

import typer

import rankmetrics as rm
from docs.tooling.reference import EXAMPLES, GROUPS
from rankmetrics.cli.commands import app


def test_every_public_name_is_on_one_page_of_the_reference() -> None:
    names = [name for group in GROUPS.values() for name in group.names if "." not in name]
    assert sorted(names) == sorted(rm.__all__)


def test_every_command_has_an_example() -> None:
    group = typer.main.get_command(app)
    commands = {
        f"{name} {below}".strip()
        for name, command in group.commands.items()  # type: ignore[attr-defined]
        for below in getattr(command, "commands", {"": None})
    }
    assert {*EXAMPLES} == commands
