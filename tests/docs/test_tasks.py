"""The tasks of docs/tasks.toml: each runs in one step on the sample, and shows what its page says."""

from __future__ import annotations

import contextlib
import io
import pathlib
import shlex
import tomllib
import warnings

import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.cli.commands import save_sample
from rankmetrics.manual import manual
from tests import ROOT
from tests.support.commands import run

GROUPS = tomllib.loads((ROOT / "docs" / "tasks.toml").read_text(encoding="utf-8"))["group"]


def shown(lines: str) -> str:
    """What a command or some lines of Python print."""
    if lines.startswith("rankmetrics "):
        code, out, err = run(*shlex.split(lines)[1:])
        assert code == 0, (lines, out, err)
        return out + err
    text = io.StringIO()
    with contextlib.redirect_stdout(text), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(lines, {"rm": rm, "pl": pl, "pathlib": pathlib})
    return text.getvalue()


def test_sixty_tasks_are_one_step_each(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save_sample(tmp_path / "data")
    tasks = [task for group in GROUPS for task in group["tasks"]]
    assert len(tasks) >= 60
    for task in tasks:
        assert task["shows"] in shown(task["run"]), task
        assert manual(task["page"]).startswith("#"), task
