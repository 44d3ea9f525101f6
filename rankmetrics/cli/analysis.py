"""The commands that analyze an evaluation: `compare`, `segments`, `trace`, `worst` and `report`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from duckdb import DuckDBPyConnection

from rankmetrics.cli.console import (
    console,
    errors_as_sentences,
    print_frame,
    print_notes,
    print_rows,
    with_progress,
    without_warnings,
)
from rankmetrics.cli.flags import Metrics, Recs, Truth, as_flag, complete_metric, meaning_of, taking
from rankmetrics.cli.request import connected, define_all, is_read, result_of
from rankmetrics.engines.base import no_table
from rankmetrics.errors import InputError, Option
from rankmetrics.segments.segmentation import NUMBERS, WORDS, Buckets, buckets

if TYPE_CHECKING:
    from rankmetrics.comparisons.comparison import Comparison


SEGMENTS = (
    "Segments: activity, popularity or cold; a table and its column, as in gender=users.parquet:gender; or buckets of "
    "a number, as in age=buckets:users.parquet:age:4 or activity=buckets:n_history:5. Can be repeated."
)


def complete_segments(incomplete: str) -> list[str]:
    """Words for segments that start so."""
    return sorted(word for word in WORDS if word.startswith(incomplete))


@taking("evaluate", without=["dialect"])
def segments(
    recs: Recs,
    truth: Truth,
    metrics: Metrics,
    given: dict[str, Any],
    segment: Annotated[
        list[str], typer.Option("-s", "--segment", help=SEGMENTS, autocompletion=complete_segments, show_default=False)
    ],
    reversals: Annotated[
        bool,
        typer.Option("--reversals", help="Print the pairs of systems whose order differs between segments instead."),
    ] = False,
) -> None:
    """Measure segments of users, queries or items: a leaderboard for each segment."""
    with errors_as_sentences(), connected(given) as connection:
        is_open = given["database"] is not None or given["connection"] is not None
        found = result_of(given, connection).segments(read_flags(segment, is_open=is_open))
        if reversals:
            print_frame(with_progress(connection, found.reversals), digits=4)
            return
        with_progress(connection, found.notes)
        with_progress(connection, found.compute)
        console().print(found)


def read_flags(flags: Iterable[str], *, is_open: bool = False) -> dict[str, object]:
    """The segmentations of the flags, as `Result.segments` takes them.

    Args:
        flags: the values of --segment.
        is_open: whether a database is open, so that a text may name a table.

    Raises:
        InputError: a flag cannot be read, or two flags have the same name.

    >>> read_flags(["cold", "activity=buckets:n_history:3"])
    {'cold': 'cold', 'activity': Buckets(of='n_history', column=None, n=3)}
    """
    found: dict[str, object] = {}
    for flag in flags:
        name, equals, text = flag.partition("=")
        if not equals and flag not in WORDS:
            raise InputError(
                f"--segment {flag!r} cannot be read: write a word ({', '.join(WORDS)}), or a name and a table, as in "
                "gender=users.parquet:gender.",
                page="segments/",
            )
        if name in found:
            raise InputError(
                f"--segment names {name!r} twice: give each segmentation a name of its own.", page="segments/"
            )
        found[name] = _read(text, is_open=is_open) if equals else flag
    return found


def _read(text: str, *, is_open: bool) -> object:
    """A segmentation after its name: a word, buckets, or a table with or without a column."""
    if text in WORDS:
        return text
    if text.startswith("buckets:"):
        return _buckets(text.removeprefix("buckets:"), is_open=is_open)
    table, column = _table_and_column(text, is_open=is_open)
    return table if column is None else (table, column)


def _buckets(text: str, *, is_open: bool) -> Buckets:
    """Buckets of a number of each list, or of a column of a table; the number of buckets may stand last."""
    rest, _, last = text.rpartition(":")
    n = {"n": int(last)} if re.fullmatch(r"\d+", last) and rest else {}
    of = rest if n else text
    if of in NUMBERS:
        return buckets(of, **n)
    table, column = _table_and_column(of, is_open=is_open)
    return buckets(table, column, **n)


def _table_and_column(text: str, *, is_open: bool) -> tuple[str, str | None]:
    """A table, and the column after its colon; a colon within an address is none."""
    table, colon, column = text.rpartition(":")
    has_column = bool(colon) and not {*column} & {"/", "\\"}
    table, found = (table, column) if has_column else (text, None)
    if not is_open and not is_read(table):
        raise no_table(table)
    return table, found


STATISTICS = "Statistics"

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


@taking("evaluate", without=WITHOUT)
def compare(
    given: dict[str, Any],
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
    baseline: Annotated[
        str | None,
        typer.Option(
            help="The name of the system to compare all others with (default: compare all pairs).",
            rich_help_panel=STATISTICS,
        ),
    ] = None,
    tests: Annotated[
        list[str] | None,
        typer.Option(
            "--test",
            help="A test: t, wilcoxon, randomization, bootstrap or tukey (default: t). Can be repeated.",
            rich_help_panel=STATISTICS,
        ),
    ] = None,
    correction: Annotated[
        str,
        typer.Option(
            help="Correction for several tests: holm, bonferroni, benjamini_hochberg or none.",
            rich_help_panel=STATISTICS,
        ),
    ] = "holm",
    confidence: Annotated[
        float, typer.Option(help="Level of the confidence intervals.", rich_help_panel=STATISTICS)
    ] = 0.95,
    replicates: Annotated[
        int, typer.Option(help="Replicates of the tests randomization and bootstrap.", rich_help_panel=STATISTICS)
    ] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of the random numbers.", rich_help_panel=STATISTICS)] = 0,
    cluster: Annotated[
        list[str] | None,
        typer.Option(
            help="A list column that groups dependent lists, as in user. Can be repeated.", rich_help_panel=STATISTICS
        ),
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
    given = {**given, "recs": recs, "truth": truth, "metrics": metrics, "baseline": None, "baseline_lists": None}
    chosen = {
        "baseline": baseline,
        "tests": tests or ("t",),
        "correction": correction,
        "confidence": confidence,
        "replicates": replicates,
        "seed": seed,
        "cluster": cluster,
    }
    with errors_as_sentences(as_flag_of_compare), connected(given) as connection:
        with without_warnings():
            found = _comparison(given, connection, per_list, chosen)
            with_progress(connection, found.collect)
        if output is not None:
            found.write(output)
            print_notes(found.notes())
        elif latex:
            typer.echo(found.to_latex())
        else:
            console().print(found)


def _comparison(
    given: Mapping[str, Any],
    connection: DuckDBPyConnection,
    per_list: Sequence[str] | None,
    chosen: Mapping[str, Any],
) -> Comparison:
    """The comparison of an evaluation, or of two files."""
    import rankmetrics as rm

    if per_list is None:
        if given["recs"] is None or given["truth"] is None or not given["metrics"]:
            raise InputError(
                "Give recommendations, truth and a metric: rankmetrics compare RECS TRUTH -m ndcg@10; or two files of "
                "values per list: --per-list A B.",
                page="comparing/",
            )
        return result_of(given, connection).compare(**chosen)
    if given["recs"] is not None:
        raise InputError(
            "--per-list names two files in place of RECS and TRUTH: give the ones or the others.", page="comparing/"
        )
    define_all(given["define"])
    first, second = per_list
    own = given["connection"] or connection
    return rm.compare_files(first, second, given["metrics"], by=given["by"] or None, connection=own, **chosen)


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
            raise InputError("--list names a column twice: a trace is of one list.", page="explaining/")
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
            raise InputError(
                "The worst lists are those of one metric: give -m once, with one cutoff.", page="explaining/"
            )
        with without_warnings():
            found = with_progress(connection, lambda: result.worst(result.metrics[0], against, n, system=of))
        from rankmetrics.tables import shown_value

        print_rows(found.columns, [tuple(map(shown_value, row)) for row in found.iter_rows()])


@taking("evaluate", without=["dialect", "baseline"])
def report(
    recs: Recs,
    truth: Truth,
    metrics: Metrics,
    given: dict[str, Any],
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
    segment: Annotated[
        list[str] | None,
        typer.Option("-s", "--segment", help=SEGMENTS, autocompletion=complete_segments, show_default=False),
    ] = None,
    title: Annotated[str | None, typer.Option(help="The heading of the page.")] = None,
) -> None:
    """Write an evaluation as one HTML file: leaderboard, significance, charts, segments, definitions.

    The file needs no other file and no network.
    """
    from rankmetrics.reports.facts import TITLE, ReportOptions
    from rankmetrics.reports.report import write_report

    with errors_as_sentences(), connected(given) as connection:
        result = result_of({**given, "baseline": baseline_recs}, connection)
        is_open = given["database"] is not None or given["connection"] is not None
        groups = read_flags(segment, is_open=is_open) if segment else None
        wishes = ReportOptions(title or TITLE, baseline, groups, as_flag)
        with without_warnings():
            with_progress(connection, lambda: write_report(result, output, wishes))
        print_notes([f"wrote {output}"])
