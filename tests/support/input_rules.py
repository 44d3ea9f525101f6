"""Inputs that break a rule of docs/inputs.md, and what the command line says of them."""

from __future__ import annotations

from pathlib import Path

import polars as pl
from typer.testing import CliRunner

import rankmetrics as rm
from rankmetrics.cli.commands import app

RECS = pl.DataFrame({"day": [1, 1, 2, 2], "user": [1, 1, 1, 2], "item": [1, 2, 2, 3], "score": [0.9, 0.5, 0.8, 0.1]})
TRUTH = pl.DataFrame({"day": [1, 2, 2], "user": [1, 1, 2], "item": [2, 2, 4]})
FIRST_DAY = rm.evaluate(RECS.filter(day=1), TRUTH.filter(day=1), "rr").summary().collect().rows()


def said(*arguments: object) -> str:
    """What the command line says of what it refuses."""
    found = CliRunner().invoke(app, [*map(str, arguments)])
    assert found.exit_code in (1, 2), found.output
    assert not found.exception or isinstance(found.exception, SystemExit), found.exception
    return found.stderr


def printed(*arguments: object) -> str:
    found = CliRunner().invoke(app, [*map(str, arguments)])
    assert found.exit_code == 0, found.output
    return found.stdout


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path
