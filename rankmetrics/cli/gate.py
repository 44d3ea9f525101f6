"""The commands `rankmetrics gate` and `rankmetrics run`, which end with exit code 3 if a number is beyond its limit."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rankmetrics.cli.console import (
    As,
    Output,
    command,
    console,
    form_of,
    own_connection,
    print_rows,
    put_text,
    with_progress,
    without_warnings,
)
from rankmetrics.cli.flags import (
    LIMITS,
    OF_GATE,
    Metrics,
    Recs,
    Truth,
    as_flag,
    completing,
    define_all,
    flags_of,
    options_of,
    refuse_tables,
)
from rankmetrics.engines.systems import inputs_of
from rankmetrics.errors import InputError, Option, RankMetricsError
from rankmetrics.options import GATE
from rankmetrics.suites import as_key, find_config, read_suite, suites_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from rankmetrics.gates.report import GateReport
    from rankmetrics.results.result import Result


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


def as_flag_of_gate(option: Option) -> str:
    """An option as the command takes it: `--system` is a flag of evaluate, so that the gate's is `--only`."""
    return as_flag(replace(option, name="only") if option.name == "system" else option)


@command(flags_of("evaluate", without=["dialect"]), as_flag_of_gate, limits=OF_GATE)
def gate(
    recs: Recs,
    arguments: dict[str, Any],
    limits: dict[str, Any],
    truth: Truth = None,
    metrics: Metrics = [],  # noqa: B006  # Typer's way to say the default; it is copied
    junit: Junit = None,
    annotations: Annotations = None,
    output: Output = None,
    shown_as: As = None,
    per_list_output: Annotated[
        str | None, typer.Option(help="Write one row per list to this file, for --against of a later run.")
    ] = None,
) -> int:
    """Measure as evaluate does, and fail with exit code 3 if a number is beyond its limit.

    -o writes the summary, --as prints the checks in another form. A metric that has a limit needs no -m. Each system is
    checked. A drop beyond its limit fails if the confidence
    interval of the mean difference of the lists that both runs have does not contain 0.
    """
    import rankmetrics as rm

    form = form_of(None, shown_as, arguments)
    with own_connection(arguments) as connection:
        annotated = is_annotated(annotations)
        for name in LIMITS:
            limits[name] = _read_limits(as_flag(Option(name)), limits[name])
        options = _with_limited(options_of(arguments, connection), limits)
        result = rm.evaluate(**options)
        report = with_progress(connection, lambda: rm.gate(result, **limits))
        write_outputs(result, connection, (output, per_list_output), None if report.passed else limits["against"])
        return show_report(report, junit, form, is_annotated=annotated)


def _with_limited(options: Mapping[str, Any], gate: Mapping[str, Any]) -> dict[str, Any]:
    """The options of evaluate, with the metrics that have a limit."""
    from rankmetrics.gates.gate import with_limited
    from rankmetrics.gates.options import Gate
    from rankmetrics.metrics.summaries import read_aggregates

    limited = Gate(**gate).metrics if gate else ()
    metrics = options.get("metrics", [])
    metrics = [metrics] if isinstance(metrics, dict) else metrics
    aggregates = read_aggregates(options.get("aggregates", "mean"))
    return {**options, "metrics": with_limited(metrics, limited, aggregates, options.get("convention")) or ["hit"]}


def write_outputs(
    result: Result,
    connection: DuckDBPyConnection,
    paths: tuple[str | Path | None, str | Path | None],
    earlier: str | Path | None,
) -> None:
    """Write the summary and the table of lists into their files, and replace no file that is to be kept.

    The earlier file of a gate that failed is kept: a second run would pass otherwise.
    """
    with without_warnings():
        for path, per_list in zip(paths, (False, True), strict=True):
            if path is not None and earlier is not None and Path(path).resolve() == Path(earlier).resolve():
                typer.echo(f"{path} is not replaced: the gate failed.", err=True)
            elif path is not None and (form := form_of(str(path), None, {"format": ()}, per_list=per_list)):
                put_text(with_progress(connection, partial(result.to_text, form, per_list=per_list)), str(path))
            elif path is not None:
                with_progress(connection, partial(result.write, path, per_list=per_list))


def show_report(report: GateReport, junit: Path | None, form: str | None = None, *, is_annotated: bool) -> int:
    """Print the report of a gate, write its JUnit file, and return the exit code."""
    if junit is not None:
        report.to_junit(junit)
    if form is None:
        console().print(report)
    else:
        put_text(report.to_text(form), None)
    for line in report.annotations() if is_annotated else ():
        typer.echo(line)
    return 0 if report.passed else FAILED


def is_annotated(annotations: str | None) -> bool:
    """True if failed checks are printed as annotations of GitHub."""
    if annotations not in (None, "github", "none"):
        raise InputError(f"--annotations is github or none: {annotations!r} is not.")
    return os.environ.get("GITHUB_ACTIONS") == "true" if annotations is None else annotations == "github"


def _read_limits(flag: str, texts: Iterable[str] | None) -> dict[str, str] | None:
    """The limits of a flag: `precision(rel=4)@10=0.25` is a metric and its limit.

    >>> _read_limits("--min", ["precision(rel=4)@10=0.25"])
    {'precision(rel=4)@10': '0.25'}
    """
    limits: dict[str, str] = {}
    for text in texts or ():
        metric, _, limit = (part.strip() for part in text.rpartition("="))
        if not metric or not limit or ")" in limit:
            raise InputError(f"{flag} takes a metric and its limit, as in {flag} ndcg@10=0.25: {text!r} is not so.")
        if metric in limits:
            raise InputError(f"{flag} has two limits for {metric!r}: give one of them.")
        limits[metric] = limit
    return limits or None


@completing
def complete_suite() -> Iterable[str]:
    """Suites of the folder."""
    from rankmetrics.suites import find_config, suites_of

    with suppress(RankMetricsError):
        return suites_of(find_config(Path.cwd()))
    return ()


@command(spell=as_key)
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
) -> int:
    """Measure a suite of rankmetrics.toml, write its files, and check its gate: exit code 3 if it fails."""
    import rankmetrics as rm

    path = config or find_config(Path.cwd())
    if name is None:
        described = [(name, str(suite.get("description", ""))) for name, suite in suites_of(path).items()]
        print_rows(("suite", "what it is"), described)
        return 0
    annotated, suite = is_annotated(annotations), read_suite(path, name)
    settings = {"database": suite.database, "threads": suite.threads, **suite.options}
    define_all(suite.define)
    with own_connection(settings) as connection:
        options = {"connection": connection, **suite.options}
        options.pop("memory_limit", None)  # the connection was opened with it
        if suite.database is None and "connection" not in suite.options:
            refuse_tables(
                {}, (value for name in ("recs", "truth") if name in options for value in inputs_of(options[name]))
            )
        result = rm.evaluate(**_with_limited(options, suite.gate))
        if not no_gate:
            _refuse_first_run(name, suite.gate.get("against"))
        report = None if no_gate or not suite.gate else with_progress(connection, lambda: rm.gate(result, **suite.gate))
        earlier = suite.gate.get("against") if report is not None and not report.passed else None
        write_outputs(result, connection, (suite.output, suite.per_list_output), earlier)
        if suite.report is not None:
            with_progress(connection, lambda: rm.report(result, suite.report))
        with_progress(connection, result.notes)
        console().print(result)
    return show_report(report, junit or suite.junit, is_annotated=annotated) if report is not None else 0


def _refuse_first_run(name: str, against: object) -> None:
    """Refuse a gate without the file of the earlier run, which only a first run without the gate can write."""
    if isinstance(against, Path) and not against.exists():
        raise InputError(
            f"There is no file {str(against)!r} of an earlier run to compare with. For the first run, write it without "
            f"the checks: rankmetrics run {name} --no-gate.",
            page="gates/#suites",
        )
