"""The commands that analyze an evaluation: `compare`, `segments`, `trace`, `worst` and `report`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from duckdb import DuckDBPyConnection

from rankmetrics.cli.console import (
    command,
    console,
    evaluated,
    own_connection,
    print_frame,
    print_notes,
    print_rows,
    with_progress,
    without_warnings,
)
from rankmetrics.cli.flags import (
    Metrics,
    Recs,
    Truth,
    as_flag,
    complete_metric,
    completing,
    define_all,
    flag_of,
    flags_of,
    is_open,
    is_read,
    meaning_of,
    result_of,
)
from rankmetrics.engines.base import no_table
from rankmetrics.errors import InputError, Option
from rankmetrics.segments.segmentation import NUMBERS, WORDS, buckets

if TYPE_CHECKING:
    from rankmetrics.comparisons.comparison import Comparison


SEGMENTS = (
    "Segments: activity, popularity or cold; a table and its column, as in gender=users.parquet:gender; or buckets of "
    "a number, as in age=buckets:users.parquet:age:4 or activity=buckets:n_history:5. Can be repeated."
)


complete_segments = completing(lambda: WORDS)
Segment = typer.Option("-s", "--segment", help=SEGMENTS, autocompletion=complete_segments, show_default=False)


@command(flags_of("evaluate", without=["dialect"]))
def segments(
    recs: Recs,
    truth: Truth,
    metrics: Metrics,
    arguments: dict[str, Any],
    segment: Annotated[list[str], Segment],
    reversals: Annotated[
        bool,
        typer.Option("--reversals", help="Print the pairs of systems whose order differs between segments instead."),
    ] = False,
) -> None:
    """Measure segments of users, queries or items: a leaderboard for each segment."""
    with evaluated(arguments) as (result, work):
        measured = result.segments(read_segments(segment, takes_tables=is_open(arguments)))
        if reversals:
            print_frame(work(measured.reversals), digits=4)
            return
        work(measured.notes)
        work(measured.compute)
        console().print(measured)


def read_segments(flags: Iterable[str], *, takes_tables: bool = False) -> dict[str, object]:
    """The segmentations of --segment, as `Result.segments` takes them.

    >>> read_segments(["cold", "activity=buckets:n_history:3"])
    {'cold': 'cold', 'activity': Buckets(of='n_history', column=None, n=3)}
    """
    segmentations: dict[str, object] = {}
    for flag in flags:
        name, equals, text = flag.partition("=")
        if not equals and flag not in WORDS:
            raise InputError(
                f"--segment {flag!r} cannot be read: write a word ({', '.join(WORDS)}), or a name and a table, as in "
                "gender=users.parquet:gender.",
                page="segments/",
            )
        if name in segmentations:
            raise InputError(
                f"--segment names {name!r} twice: give each segmentation a name of its own.", page="segments/"
            )
        segmentations[name] = _segmentation(text, takes_tables=takes_tables) if equals else flag
    return segmentations


def _segmentation(text: str, *, takes_tables: bool) -> object:
    """A segmentation after its name: a word, buckets, or a table with or without a column."""
    if text in WORDS:
        return text
    is_number = text.startswith("buckets:")
    text = text.removeprefix("buckets:")
    rest, _, last = text.rpartition(":")  # the number of buckets may come last
    n = {"n": int(last)} if is_number and rest and re.fullmatch(r"\d+", last) else {}
    source = rest if n else text
    if is_number and source in NUMBERS:
        return buckets(source, **n)
    table, colon, name = source.rpartition(":")
    column = name if colon and not {*name} & {"/", "\\"} else None  # a colon within an address precedes no column
    table = source if column is None else table
    if not takes_tables and not is_read(table):
        raise no_table(table)
    if is_number:
        return buckets(table, column, **n)
    return table if column is None else (table, column)


statistic = partial(flag_of, group="Statistics")

# Flags of `evaluate` that this command does not have: its --baseline is a system.
WITHOUT = ("dialect", "baseline", "baseline_lists")

# Options of a comparison whose flags have other names here.
FLAGS = {"tests": "test", "metrics": "metric"}


def as_flag_of_compare(option: Option) -> str:
    """An option as this command takes it.

    >>> as_flag_of_compare(Option("tests", "wilcoxon"))
    '--test wilcoxon'
    """
    return as_flag(Option(FLAGS.get(option.name, option.name), option.value, option.of))


@command(
    flags_of("evaluate", without=WITHOUT),
    as_flag_of_compare,
    statistics=[
        statistic("baseline", "The name of the system to compare all others with (default: compare all pairs)."),
        statistic(
            "test",
            "A test: t, wilcoxon, randomization, bootstrap or tukey (default: t). Can be repeated.",
            kind=list[str] | None,
            called="tests",
        ),
        statistic(
            "correction",
            "Correction for several tests: holm, bonferroni, benjamini_hochberg or none.",
            kind=str,
            default="holm",
        ),
        statistic("confidence", "Level of the confidence intervals.", kind=float, default=0.95),
        statistic("replicates", "Replicates of the tests randomization and bootstrap.", kind=int, default=1000),
        statistic("seed", "Seed of the random numbers.", kind=int, default=0),
        statistic(
            "cluster", "A list column that groups dependent lists, as in user. Can be repeated.", kind=list[str] | None
        ),
    ],
)
def compare(
    arguments: dict[str, Any],
    statistics: dict[str, Any],
    recs: Annotated[str | None, typer.Argument(help=meaning_of("recs"), show_default=False)] = None,
    truth: Annotated[str | None, typer.Argument(help=meaning_of("truth"), show_default=False)] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            "-m", "--metric", help="A metric, as in ndcg@10. Can be repeated.", autocompletion=complete_metric
        ),
    ] = None,
    per_list: Annotated[
        tuple[str, str] | None,
        typer.Option("--per-list", help="Compare two saved files with one row per list, instead of RECS and TRUTH."),
    ] = None,
    latex: Annotated[bool, typer.Option("--latex", help="Print a LaTeX table.")] = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write to this .parquet, .csv or .json file.")
    ] = None,
) -> None:
    """Compare systems by paired tests: each with a baseline, or all pairs.

    `rankmetrics compare RECS TRUTH -m ndcg@10 --baseline ItemKNN`, or, of saved values per list,
    `rankmetrics compare --per-list before.parquet after.parquet`.
    """
    arguments = {**arguments, "baseline": None, "baseline_lists": None}
    statistics["tests"] = statistics["tests"] or ("t",)
    with own_connection(arguments) as connection:
        with without_warnings():
            comparison = _comparison(arguments, connection, per_list, statistics)
            with_progress(connection, comparison.collect)
        if output is not None:
            comparison.write(output)
            print_notes(comparison.notes())
        elif latex:
            typer.echo(comparison.to_latex())
        else:
            console().print(comparison)


def _comparison(
    arguments: Mapping[str, Any],
    connection: DuckDBPyConnection,
    per_list: Sequence[str] | None,
    statistics: Mapping[str, Any],
) -> Comparison:
    """The comparison of an evaluation, or of two files."""
    import rankmetrics as rm

    if per_list is None:
        if arguments["recs"] is None or arguments["truth"] is None or not arguments["metrics"]:
            raise InputError(
                "Give recommendations, truth and a metric: rankmetrics compare RECS TRUTH -m ndcg@10; or two files of "
                "values per list: --per-list A B.",
                page="comparing/",
            )
        return result_of(arguments, connection).compare(**statistics)
    if arguments["recs"] is not None:
        raise InputError(
            "--per-list names two files in place of RECS and TRUTH: give the ones or the others.", page="comparing/"
        )
    define_all(arguments["define"])
    first, second = per_list
    own = arguments["connection"] or connection
    return rm.compare_files(
        first, second, arguments["metrics"], by=arguments["by"] or None, connection=own, **statistics
    )


@command(flags_of("evaluate", without=["dialect"]))
def trace(
    recs: Recs,
    truth: Truth,
    metrics: Metrics,
    arguments: dict[str, Any],
    lists: Annotated[
        list[str] | None,
        typer.Option(
            "--list",
            help="The list to show, as in user=17, once for each list column. Without =, a column that identifies a "
            "list.",
        ),
    ] = None,
) -> None:
    """Print one list, place by place, and each metric as a formula with the values of the list put in.

    The list is named by values of list columns: `rankmetrics trace RECS TRUTH -m ndcg@10 --list user=17`.
    """
    named = [flag.split("=", 1) for flag in lists or () if "=" in flag]
    values = dict(named)
    if len(values) < len(named):
        raise InputError("--list names a column twice: a trace is of one list.", page="explaining/")
    arguments["lists"] = [flag for flag in lists or () if "=" not in flag]
    with evaluated(arguments) as (result, work), without_warnings():
        traced = work(lambda: result.trace(values))
        work(traced.notes)
        console().print(traced)


@command(flags_of("evaluate", without=["dialect"]))
def worst(
    recs: Recs,
    truth: Truth,
    metrics: Metrics,
    arguments: dict[str, Any],
    against: Annotated[
        str | None,
        typer.Option(help="The name of a system to compare with: the lists that lose most against it come first."),
    ] = None,
    of: Annotated[str | None, typer.Option(help="Show only this system.")] = None,
    n: Annotated[int, typer.Option("-n", min=1, help="Number of lists of each system.")] = 20,
) -> None:
    """Print the lists of each system with the worst values of a metric, or that lose most against a baseline."""
    from rankmetrics.tables import shown_value

    with evaluated(arguments) as (result, work):
        if len(result.metrics) > 1:
            raise InputError(
                "The worst lists are those of one metric: give -m once, with one cutoff.", page="explaining/"
            )
        with without_warnings():
            rows = work(lambda: result.worst(result.metrics[0], against, n, system=of))
        print_rows(rows.columns, [tuple(map(shown_value, row)) for row in rows.iter_rows()])


@command(flags_of("evaluate", without=["dialect", "baseline"]))
def report(
    recs: Recs,
    truth: Truth,
    metrics: Metrics,
    arguments: dict[str, Any],
    output: Annotated[Path, typer.Option("-o", "--output", help="The .html file to write.")],
    baseline: Annotated[
        str | None, typer.Option(help="The name of the system to compare the others with (default: the best).")
    ] = None,
    baseline_recs: Annotated[
        str | None,
        typer.Option(
            help="Recommendations of a simple system, for metrics that compare with it (--baseline of evaluate)."
        ),
    ] = None,
    segment: Annotated[list[str] | None, Segment] = None,
    title: Annotated[str | None, typer.Option(help="The heading of the page.")] = None,
) -> None:
    """Write an evaluation as one HTML file: leaderboard, significance, charts, segments, definitions.

    The file needs no other file and no network.
    """
    from rankmetrics.reports.facts import TITLE, ReportOptions
    from rankmetrics.reports.report import write_report

    with evaluated({**arguments, "baseline": baseline_recs}) as (result, work):
        groups = read_segments(segment, takes_tables=is_open(arguments)) if segment else None
        options = ReportOptions(title or TITLE, baseline, groups, as_flag)
        with without_warnings():
            work(lambda: write_report(result, output, options))
        print_notes([f"wrote {output}"])
