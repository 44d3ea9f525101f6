"""Commands of the command line, run in this process, and how what they print is read."""

from __future__ import annotations

from functools import cache

import duckdb
import polars as pl
import pytest
import typer
from typer.testing import CliRunner

from rankmetrics._files import data_folder
from rankmetrics.cli.commands import app

RECS, TRUTH = str(data_folder() / "recs.parquet"), str(data_folder() / "truth.parquet")


@cache
def app_command() -> typer.core.TyperGroup:
    """The command line, built once: that takes as long as a command that is refused."""
    group = typer.main.get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    return group


def run(*arguments: object) -> tuple[int, str, str]:
    """A command in this process: exit code, stdout, stderr."""
    with CliRunner().isolation(env={"NO_COLOR": "1", "COLUMNS": "200"}) as (stdout, stderr, _):
        with pytest.raises(SystemExit) as ended:
            app_command().main([str(argument) for argument in arguments])
        return int(ended.value.code or 0), stdout.getvalue().decode(), stderr.getvalue().decode()


def printed(*arguments: object) -> str:
    """What a command prints that succeeds and has nothing to complain of."""
    code, out, err = run(*arguments)
    assert (code, err) == (0, ""), err
    return out


def written(*arguments: object) -> str:
    """What a command says beside the file that it writes."""
    code, out, err = run(*arguments)
    assert (code, out) == (0, ""), err + out
    return err


def refused(*arguments: object) -> str:
    """The one clear sentence of a command that the caller can mend, without the link below it."""
    code, out, err = run(*arguments)
    assert (code, out) == (2, ""), err + out
    assert err.startswith("Error: ")
    assert "Traceback" not in err
    return err.removeprefix("Error: ").partition("\nMore: ")[0].strip()


def said(*arguments: object) -> str:
    """What a command that fails says, on as many lines as it takes."""
    code, _, err = run(*arguments)
    assert code in (1, 2), err
    return err


def table(text: str) -> list[dict[str, str]]:
    """A printed table as rows of text."""
    lines = text.splitlines()
    at = next(number for number, line in enumerate(lines) if line and set(line) <= set("━╇"))
    headings = [one.strip() for one in lines[at - 1].split("┃")]
    rows = lines[at + 1 : lines.index("", at) if "" in lines[at:] else len(lines)]
    return [dict(zip(headings, (one.strip() for one in row.split("│")), strict=True)) for row in rows]


def by_hand(query: str) -> pl.DataFrame:
    """What DuckDB answers somebody who runs a query by hand."""
    relation = duckdb.sql(query)
    assert relation is not None
    frame: pl.DataFrame = relation.pl()
    return frame


def column(text: str, name: str) -> dict[str, str]:
    """One column of a printed table, by the first column."""
    return {next(iter(row.values())): row[name] for row in table(text)}
