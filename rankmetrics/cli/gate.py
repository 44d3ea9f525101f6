"""The command `rankmetrics gate`: ends with exit code 3 if a number is beyond its limit."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rankmetrics.cli.console import console, errors_as_sentences, with_progress, without_warnings
from rankmetrics.cli.flags import as_flag
from rankmetrics.cli.options import Metrics, Recs, Truth, taking
from rankmetrics.cli.request import connected, options_of
from rankmetrics.errors import InputError, Option

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from rankmetrics.gates.report import GateReport
    from rankmetrics.results.result import Result

# The exit code of a command whose gate failed: 1 is for engines, 2 for usage and input.
FAILED = 3

# The group of the flags on the help page.
GATE = "Gate"

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


def _limits(flag: str, meaning: str) -> Any:
    help_text = f"{meaning}. Can be repeated."
    return typer.Option(f"--{flag}", help=help_text, rich_help_panel=GATE, metavar="METRIC=LIMIT")


@taking("evaluate", without=["dialect"])
def gate(
    recs: Recs,
    truth: Truth,
    given: dict[str, Any],
    metrics: Metrics = [],  # noqa: B006  # Typer's way to say the default; it is copied
    minimum: Annotated[list[str] | None, _limits("min", "The lowest value, as in ndcg@10=0.25")] = None,
    maximum: Annotated[list[str] | None, _limits("max", "The highest value")] = None,
    max_drop: Annotated[
        list[str] | None,
        _limits("max-drop", "The largest drop since --against: a share, as in ndcg@10=1%, or a difference"),
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(
            help="An earlier run to compare with: a file that `evaluate --per-list -o` wrote.", rich_help_panel=GATE
        ),
    ] = None,
    max_missing: Annotated[
        str | None,
        typer.Option(
            help="The largest number of lists without recommendations, as in 10, or their share, as in 1%.",
            rich_help_panel=GATE,
        ),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Fail for every drop beyond its limit, even if chance could explain it.",
            rich_help_panel=GATE,
        ),
    ] = False,
    confidence: Annotated[
        float, typer.Option(help="Level of the confidence interval of a drop.", rich_help_panel=GATE)
    ] = 0.95,
    only: Annotated[
        list[str] | None,
        typer.Option(help="A system to check (default: all). Can be repeated.", rich_help_panel=GATE),
    ] = None,
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
    from rankmetrics.gates.columns import with_limited
    from rankmetrics.gates.options import read_gate
    from rankmetrics.metrics.summaries import read_aggregates

    with errors_as_sentences(_as_flag), connected(given) as connection:
        annotated = is_annotated(annotations)
        limits: dict[str, Any] = {
            "minimum": _read_limits("--min", minimum),
            "maximum": _read_limits("--max", maximum),
            "max_drop": _read_limits("--max-drop", max_drop),
            "against": against,
            "max_missing": max_missing,
            "strict": strict,
            "confidence": confidence,
            "system": only,
        }
        limited, options = read_gate(**limits).metrics, options_of(given, connection)
        aggregates = read_aggregates(options["aggregates"])
        options["metrics"] = with_limited(options["metrics"], limited, aggregates, options["convention"]) or ["hit"]
        result = rm.evaluate(**options)
        report = with_progress(connection, lambda: rm.gate(result, **limits))
        kept = None if report.passed else against
        write_outputs(result, connection, output, per_list_output, kept)
        show_report(report, junit, is_annotated=annotated)
    if not report.passed:
        raise typer.Exit(FAILED)


def write_outputs(
    result: Result,
    connection: DuckDBPyConnection,
    output: Path | None,
    per_list_output: Path | None,
    kept: Path | None,
) -> None:
    """Write the summary and the table of lists where they are asked for, and replace no file that is to be kept.

    The earlier file of a gate that failed is kept: a second run would pass otherwise.
    """
    with without_warnings():
        for path, per_list in ((output, False), (per_list_output, True)):
            if path is None:
                continue
            if kept is not None and path.resolve() == kept.resolve():
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
    """Whether failed checks are printed as annotations of GitHub."""
    chosen: Mapping[str | None, bool] = {
        None: os.environ.get("GITHUB_ACTIONS") == "true",
        "github": True,
        "none": False,
    }
    if annotations not in chosen:
        raise InputError(f"--annotations is github or none: {annotations!r} is not.")
    return chosen[annotations]


def _read_limits(flag: str, given: Iterable[str] | None) -> dict[str, str] | None:
    """The limits of a flag: `precision(rel=4)@10=0.25` is a metric and its limit.

    >>> _read_limits("--min", ["precision(rel=4)@10=0.25"])
    {'precision(rel=4)@10': '0.25'}
    """
    found: dict[str, str] = {}
    for text in given or ():
        metric, equals, limit = text.rpartition("=")
        if not equals or not metric.strip() or not limit.strip() or ")" in limit:
            raise InputError(f"{flag} takes a metric and its limit, as in {flag} ndcg@10=0.25: {text!r} is not so.")
        if metric.strip() in found:
            raise InputError(f"{flag} has two limits for {metric.strip()!r}: give one of them.")
        found[metric.strip()] = limit.strip()
    return found or None
