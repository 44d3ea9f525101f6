"""The commands `rankmetrics trace` (one list from near) and `rankmetrics worst` (where a system does worst)."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from rankmetrics.cli.console import console, errors_as_sentences, print_rows, with_progress, without_warnings
from rankmetrics.cli.options import Metrics, Recs, Truth, WithSystems, taking
from rankmetrics.cli.request import connected, result_of
from rankmetrics.errors import InputError

Lists = Annotated[
    list[str] | None,
    typer.Option(
        "--list",
        help="The list to show, as in user=17, once for each list column. Without =, a column that identifies a list.",
    ),
]


@taking("evaluate", without=["dialect"])
def trace(recs: Recs, truth: Truth, metrics: Metrics, given: dict[str, Any], lists: Lists = None) -> None:
    """Print one list, place by place, and each metric as a formula with the values of the list put in.

    The list is named by values of list columns: `rankmetrics trace RECS TRUTH -m ndcg@10 --list user=17`.
    """
    with errors_as_sentences():
        named = [one.partition("=") for one in lists or () if "=" in one]
        asked = {column: value for column, _, value in named}
        if len(asked) < len(named):
            raise InputError("--list names a column twice: a trace is of one list.")
        given = {**given, "lists": [one for one in lists or () if "=" not in one] or None}
        with connected(given) as connection, without_warnings():
            result = result_of(given, connection)
            found = with_progress(connection, lambda: result.trace(asked))
            with_progress(connection, found.notes)
            console().print(found)


@taking("evaluate", without=["dialect"])
def worst(
    recs: Recs,
    truth: Truth,
    metrics: Metrics,
    given: dict[str, Any],
    against: Annotated[
        str | None,
        typer.Option(help="The name of a system to compare with: the lists that lose most against it come first."),
    ] = None,
    of: Annotated[str | None, typer.Option(help="Show only this system.")] = None,
    n: Annotated[int, typer.Option("-n", min=1, help="Number of lists of each system.")] = 20,
) -> None:
    """Print the lists of each system with the worst values of a metric, or that lose most against a baseline."""
    with errors_as_sentences(), connected(given) as connection:
        result = result_of(given, connection)
        if len(result.metrics) > 1:
            raise InputError("The worst lists are those of one metric: give -m once, with one cutoff.")
        with without_warnings():
            found = with_progress(connection, lambda: result.worst(result.metrics[0], against, n, system=of))
        from rankmetrics.tables.display import shown_value

        print_rows(found.columns, [tuple(map(shown_value, row)) for row in found.iter_rows()])


COMMANDS = {"trace": trace, "worst": worst}


def add_to(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    for name, command in COMMANDS.items():
        app.command(name=name, cls=WithSystems)(command)
