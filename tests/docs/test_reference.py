"""The references to Python and to the command line have every public name, command and flag."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer

import rankmetrics as rm
from docs.tooling.reference import EXAMPLES, GROUPS, path_of
from rankmetrics.cli.commands import app
from tests import ROOT
from tests.support.commands import run

CLI_PAGE = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")

# Examples that need files which the sample does not have, or a project of dbt: other tests run such commands.
NEEDS_MORE = {"run", "rank", "dbt init", "dbt write"}


def test_every_public_name_is_on_one_page_of_the_reference() -> None:
    names = [name for group in GROUPS.values() for name in group.names if "." not in name]
    assert sorted(names) == sorted(rm.__all__)


def test_every_page_has_a_directive_for_each_of_its_names() -> None:
    for page, group in GROUPS.items():
        text = (ROOT / "docs" / "api" / f"{page}.md").read_text(encoding="utf-8")
        assert re.findall(r"^::: (\S+)", text, re.MULTILINE) == [path_of(name) for name in group.names]


def test_every_command_has_a_section_and_an_example() -> None:
    group = typer.main.get_command(app)
    commands = {
        f"{name} {below}".strip()
        for name, command in group.commands.items()  # type: ignore[attr-defined]
        for below in getattr(command, "commands", {"": None})
    }
    assert {*EXAMPLES} == commands
    assert {*re.findall(r"^## rankmetrics (.+)$", CLI_PAGE, re.MULTILINE)} == commands


def test_every_flag_of_evaluate_is_on_the_page() -> None:
    command = typer.main.get_command(app).commands["evaluate"]  # type: ignore[attr-defined]
    flags = {flag for one in command.params if one.param_type_name == "option" for flag in one.opts}
    section = CLI_PAGE.partition("## rankmetrics evaluate\n")[2].partition("\n## ")[0]
    assert len(flags) > 40
    assert {flag for flag in flags if not re.search(rf"`[^`]*{flag}\b", section)} == set()


@pytest.mark.parametrize("command", sorted({*EXAMPLES} - NEEDS_MORE))
def test_the_example_of_a_command_runs(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*shlex.split(EXAMPLES[command])[1:])
    assert code == 0, err
    assert out or [*tmp_path.glob("*.*")]
