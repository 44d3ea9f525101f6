"""The commands `rankmetrics gate` and `rankmetrics run`, which end with exit code 3 if a number is beyond its limit."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rankmetrics.cli.console import (
    console,
    errors_as_sentences,
    own_connection,
    print_rows,
    with_progress,
    without_warnings,
)
from rankmetrics.cli.flags import LIMITS, Metrics, Recs, Truth, Verbose, as_flag, logged, taking
from rankmetrics.cli.request import connected, define_all, is_read, options_of
from rankmetrics.engines.base import no_table
from rankmetrics.engines.systems import inputs_of
from rankmetrics.errors import InputError, Option
from rankmetrics.options import GATE

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from rankmetrics.gates.report import GateReport
    from rankmetrics.results.result import Result
    from rankmetrics.suites import Suite


# The exit code of a command whose gate failed: 1 is for engines, 2 for usage and input.
FAILED = 3

Annotations = Annotated[
    str | None,
    typer.Option(
        help="github or none: print failed checks as annotations of GitHub Actions (default: github, where "
        "GITHUB_ACTIONS is true).",
        rich_help_panel=GATE,
        show_default=False,
    ),
]
Junit = Annotated[Path | None, typer.Option(help="Write the checks to this JUnit file.", rich_help_panel=GATE)]


@taking("evaluate", without=["dialect"], has_gate=True)
def gate(
    recs: Recs,
    truth: Truth,
    given: dict[str, Any],
    limits: dict[str, Any],
    metrics: Metrics = [],  # noqa: B006  # Typer's way to say the default; it is copied
    junit: Junit = None,
    annotations: Annotations = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write the summary to this file.")] = None,
    per_list_output: Annotated[
        Path | None, typer.Option(help="Write one row per list to this file, for --against of a later run.")
    ] = None,
) -> None:
    """Measure as evaluate does, and fail with exit code 3 if a number is beyond its limit.

    A metric that has a limit needs no -m. Each system is checked. A drop beyond its limit fails if the confidence
    interval of the mean difference of the lists that both runs have does not contain 0.
    """
    import rankmetrics as rm
    from rankmetrics.gates.gate import with_limited
    from rankmetrics.gates.options import Gate
    from rankmetrics.metrics.summaries import read_aggregates

    with errors_as_sentences(_as_flag), connected(given) as connection:
        annotated = is_annotated(annotations)
        for name in LIMITS:
            limits[name] = _read_limits(as_flag(Option(name)), limits[name])
        limited, options = Gate(**limits).metrics, options_of(given, connection)
        aggregates = read_aggregates(options["aggregates"])
        options["metrics"] = with_limited(options["metrics"], limited, aggregates, options["convention"]) or ["hit"]
        result = rm.evaluate(**options)
        report = with_progress(connection, lambda: rm.gate(result, **limits))
        earlier = None if report.passed else limits["against"]
        write_outputs(result, connection, output, per_list_output, earlier)
        show_report(report, junit, is_annotated=annotated)
    if not report.passed:
        raise typer.Exit(FAILED)


def write_outputs(
    result: Result,
    connection: DuckDBPyConnection,
    output: Path | None,
    per_list_output: Path | None,
    earlier: Path | None,
) -> None:
    """Write the summary and the table of lists where they are asked for, and replace no file that is to be kept.

    The earlier file of a gate that failed is kept: a second run would pass otherwise.
    """
    with without_warnings():
        for path, per_list in ((output, False), (per_list_output, True)):
            if path is None:
                continue
            if earlier is not None and path.resolve() == earlier.resolve():
                typer.echo(f"{path} is not replaced: the gate failed.", err=True)
            else:
                with_progress(connection, lambda path=path, per_list=per_list: result.write(path, per_list=per_list))  # type: ignore[misc]  # runs at once


def show_report(report: GateReport, junit: Path | None, *, is_annotated: bool) -> None:
    """Print the report of a gate, and write its JUnit file."""
    if junit is not None:
        report.to_junit(junit)
    console().print(report)
    if is_annotated:
        for line in report.annotations():
            typer.echo(line)


def _as_flag(option: Option) -> str:
    """An option as the command takes it: `--system` is a flag of evaluate, so that the gate's is `--only`."""
    return as_flag(replace(option, name="only") if option.name == "system" else option)


def is_annotated(annotations: str | None) -> bool:
    """True if failed checks are printed as annotations of GitHub."""
    chosen: Mapping[str | None, bool] = {
        None: os.environ.get("GITHUB_ACTIONS") == "true",
        "github": True,
        "none": False,
    }
    if annotations not in chosen:
        raise InputError(f"--annotations is github or none: {annotations!r} is not.")
    return chosen[annotations]


def _read_limits(flag: str, texts: Iterable[str] | None) -> dict[str, str] | None:
    """The limits of a flag: `precision(rel=4)@10=0.25` is a metric and its limit.

    >>> _read_limits("--min", ["precision(rel=4)@10=0.25"])
    {'precision(rel=4)@10': '0.25'}
    """
    limits: dict[str, str] = {}
    for text in texts or ():
        metric, equals, limit = text.rpartition("=")
        if not equals or not metric.strip() or not limit.strip() or ")" in limit:
            raise InputError(f"{flag} takes a metric and its limit, as in {flag} ndcg@10=0.25: {text!r} is not so.")
        if metric.strip() in limits:
            raise InputError(f"{flag} has two limits for {metric.strip()!r}: give one of them.")
        limits[metric.strip()] = limit.strip()
    return limits or None


def complete_suite(incomplete: str) -> list[str]:
    """Suites that start so."""
    from rankmetrics.errors import RankMetricsError
    from rankmetrics.suites import find_config, suites_of

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
    from rankmetrics.suites import as_key, find_config, read_suite, suites_of

    report = None
    with logged(verbose), errors_as_sentences(as_key):
        path = config or find_config(Path.cwd())
        if name is None:
            described = [(name, str(suite.get("description", ""))) for name, suite in suites_of(path).items()]
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
    earlier = suite.gate.get("against") if report is not None and not report.passed else None
    write_outputs(result, connection, suite.output, suite.per_list_output, earlier)
    if suite.report is not None:
        with_progress(connection, lambda: rm.report(result, suite.report))
    with_progress(connection, result.notes)
    console().print(result)
    return report


def _options_of(suite: Suite, connection: DuckDBPyConnection) -> dict[str, Any]:
    """The options of evaluate, with the metrics that have a limit."""
    from rankmetrics.gates.gate import with_limited
    from rankmetrics.gates.options import Gate
    from rankmetrics.metrics.summaries import read_aggregates

    options = dict(suite.options)
    options.pop("memory_limit", None)  # the connection was opened with it
    if suite.database is None and "connection" not in options:
        inputs = [options["recs"], options["truth"]]
        for text in (path for value in inputs for path in inputs_of(value) if isinstance(path, str)):
            if not is_read(text):
                raise no_table(text)
    limited = Gate(**suite.gate).metrics if suite.gate else ()
    metrics = options.get("metrics", [])
    requested = [metrics] if isinstance(metrics, dict) else metrics
    aggregates = read_aggregates(options.get("aggregates", "mean"))
    options["metrics"] = with_limited(requested, limited, aggregates, options.get("convention")) or ["hit"]
    return {**options, "connection": options.get("connection", connection)}
