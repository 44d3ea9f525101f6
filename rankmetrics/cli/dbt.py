"""The command line of what is written for dbt: rankmetrics dbt init | write."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from rankmetrics.cli.console import errors_as_sentences

app = typer.Typer(help="Leaderboards as dbt models.", no_args_is_help=True)

Folder = Annotated[Path, typer.Argument(help="The folder of the package, inside a dbt project.")]


@app.command()
def init(
    folder: Folder = Path("rankmetrics"),
    adapter: Annotated[
        str | None,
        typer.Option(help="The adapter to write SQL for (default: that of the project's profile, else duckdb)."),
    ] = None,
) -> None:
    """Create a dbt package: leaderboards.yml to fill in, with a model and a macro for each leaderboard."""
    from rankmetrics.export.dbt import package as dbt
    from rankmetrics.export.dbt.project import enclosing

    with errors_as_sentences(dbt.as_key):
        made = dbt.init(folder, adapter)
        around = enclosing(folder)
        _print_paths("wrote", made.files)
        if around:
            local = Path(os.path.relpath(folder.absolute(), around)).as_posix()
            typer.echo(f"\nName it in {os.path.relpath(around / 'packages.yml')}, then run dbt deps:\n")
            typer.echo(f"packages:\n  - local: {local}")


@app.command()
def write(folder: Folder = Path("rankmetrics")) -> None:
    """Write the models and macros again, from leaderboards.yml."""
    from rankmetrics.export.dbt import package as dbt

    with errors_as_sentences(dbt.as_key):
        done = dbt.write(folder)
        _print_paths("wrote", done.files)
        _print_paths("removed", done.removed)


def _print_paths(verb: str, paths: Iterable[Path]) -> None:
    for path in paths:
        typer.echo(f"{verb} {path}")
