"""The command `rankmetrics compare`: paired statistics of systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from duckdb import DuckDBPyConnection

from rankmetrics.cli.console import console, errors_as_sentences, print_notes, with_progress, without_warnings
from rankmetrics.cli.flags import as_flag, complete_metric
from rankmetrics.cli.options import meaning_of, taking
from rankmetrics.cli.request import connected, define_all, result_of
from rankmetrics.errors import InputError, Option

if TYPE_CHECKING:
    from rankmetrics.comparisons.comparison import Comparison

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
                "values per list: --per-list A B."
            )
        return result_of(given, connection).compare(**chosen)
    if given["recs"] is not None:
        raise InputError("--per-list names two files in place of RECS and TRUTH: give the ones or the others.")
    define_all(given["define"])
    first, second = per_list
    own = given["connection"] or connection
    return rm.compare_files(first, second, given["metrics"], by=given["by"] or None, connection=own, **chosen)
