"""The command `rankmetrics run`: measures a suite of rankmetrics.toml, and checks its gate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rankmetrics.cli.console import console, errors_as_sentences, own_connection, print_rows, with_progress
from rankmetrics.cli.gate import FAILED, Annotations, Junit, is_annotated, show_report, write_outputs
from rankmetrics.cli.logs import Verbose, logged
from rankmetrics.cli.request import define_all, is_read
from rankmetrics.engines.kinds import no_table
from rankmetrics.engines.systems import inputs_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from rankmetrics.gates.report import GateReport
    from rankmetrics.suites.suite import Suite


def complete_suite(incomplete: str) -> list[str]:
    """Suites that start so."""
    from rankmetrics.errors import RankMetricsError
    from rankmetrics.suites.config import find_config, suites_of

    try:
        return sorted(name for name in suites_of(find_config(Path.cwd())) if name.startswith(incomplete))
    except RankMetricsError:
        return []


def run(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[SUITE]", help="The suite (default: list the suites).", autocompletion=complete_suite),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            help="The file of suites (default: rankmetrics.toml, or pyproject.toml with [tool.rankmetrics], here or in "
            "a folder above).",
            show_default=False,
        ),
    ] = None,
    no_gate: Annotated[
        bool, typer.Option("--no-gate", help="Measure and write, without the checks: for the first run.")
    ] = False,
    junit: Junit = None,
    annotations: Annotations = None,
    verbose: Verbose = 0,
) -> None:
    """Measure a suite of rankmetrics.toml, write its files, and check its gate: exit code 3 if it fails."""
    from rankmetrics.suites.config import find_config, suites_of
    from rankmetrics.suites.keys import as_key
    from rankmetrics.suites.suite import read_suite

    report = None
    with logged(verbose), errors_as_sentences(as_key):
        path = config or find_config(Path.cwd())
        if name is None:
            described = [(one, str(suite.get("description", ""))) for one, suite in suites_of(path).items()]
            print_rows(("suite", "what it is"), described)
            return
        annotated, suite = is_annotated(annotations), read_suite(path, name)
        with own_connection(suite.database, suite.options.get("memory_limit"), suite.threads) as connection:
            report = _measured(suite, connection, is_checked=not no_gate)
        if report is not None:
            show_report(report, junit or suite.junit, is_annotated=annotated)
    if report is not None and not report.passed:
        raise typer.Exit(FAILED)


def _measured(suite: Suite, connection: DuckDBPyConnection, *, is_checked: bool) -> GateReport | None:
    """Measure a suite, write its files and print its leaderboard; the report of its gate, if it has one."""
    import rankmetrics as rm

    define_all(suite.define)
    result = rm.evaluate(**_options_of(suite, connection))
    report = None
    if suite.gate and is_checked:
        report = with_progress(connection, lambda: rm.gate(result, **suite.gate))
    kept = suite.gate.get("against") if report is not None and not report.passed else None
    write_outputs(result, connection, suite.output, suite.per_list_output, kept)
    if suite.report is not None:
        with_progress(connection, lambda: rm.report(result, suite.report))
    with_progress(connection, result.notes)
    console().print(result)
    return report


def _options_of(suite: Suite, connection: DuckDBPyConnection) -> dict[str, Any]:
    """The options of evaluate, with the metrics that have a limit."""
    from rankmetrics.gates.columns import with_limited
    from rankmetrics.gates.options import read_gate
    from rankmetrics.metrics.summaries import read_aggregates

    options = dict(suite.options)
    options.pop("memory_limit", None)  # the connection was opened with it
    if suite.database is None and "connection" not in options:
        given = [options["recs"], options["truth"]]
        for text in (one for value in given for one in inputs_of(value) if isinstance(one, str)):
            if not is_read(text):
                raise no_table(text)
    limited = read_gate(**suite.gate).metrics if suite.gate else ()
    metrics = options.get("metrics", [])
    asked = [metrics] if isinstance(metrics, dict) else metrics
    aggregates = read_aggregates(options.get("aggregates", "mean"))
    options["metrics"] = with_limited(asked, limited, aggregates, options.get("convention")) or ["hit"]
    return {**options, "connection": options.get("connection", connection)}
