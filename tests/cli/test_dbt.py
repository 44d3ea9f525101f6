"""`rankmetrics dbt`: what it says that it wrote, and how it refuses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rankmetrics.cli.commands import app
from tests.support.dbt_packages import GOOD

pytestmark = pytest.mark.long


def run(*arguments: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["dbt", *map(str, arguments)], env={"NO_COLOR": "1", "COLUMNS": "200"})
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done.exit_code, done.stdout, done.stderr


def test_the_command_init_says_what_it_wrote_and_what_to_do_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dbt_project.yml").write_text("name: shop\n")
    code, out, err = run("init")
    assert (code, err) == (0, "")
    assert out.startswith("wrote rankmetrics/dbt_project.yml\nwrote rankmetrics/leaderboards.yml\n")
    assert out.endswith("\nName it in packages.yml, then run dbt deps:\n\npackages:\n  - local: rankmetrics\n")


def test_the_command_init_has_no_more_to_say_where_there_is_no_project(tmp_path: Path) -> None:
    _, out, _ = run("init", tmp_path / "boards")
    assert all(line.startswith("wrote ") for line in out.splitlines())


def test_the_command_write_says_what_it_wrote_and_removed(package: Path) -> None:
    text = (package / "leaderboards.yml").read_text()
    (package / "leaderboards.yml").write_text(text.replace("accuracy:", "quality:"))
    code, out, _ = run("write", package)
    assert code == 0
    assert f"wrote {package / 'models/quality.sql'}\n" in out
    assert f"removed {package / 'models/accuracy.sql'}\n" in out


def test_the_command_write_refuses_in_a_sentence(package: Path) -> None:
    (package / "leaderboards.yml").write_text(GOOD.replace("hit@10", "ndgc@10"))
    code, out, err = run("write", package)
    assert (code, out) == (2, "")
    assert re.match(r"Error: .*leaderboards.yml, leaderboard 'one': There is no metric 'ndgc'. Did you mean", err)
