"""The command line: `rankmetrics evaluate`, and the other commands that `rankmetrics --help` lists."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

import rankmetrics as rm
from rankmetrics._files import data_folder, new_file
from rankmetrics.cli import flags
from rankmetrics.cli.console import (
    HELP,
    As,
    Commands,
    Output,
    Work,
    command,
    console,
    deliver,
    evaluated,
    form_of,
    own_connection,
    print_answer,
    print_notes,
    print_rows,
    with_progress,
    without_warnings,
    write_answer,
)
from rankmetrics.cli.console import app as app  # the command line, for those who run it
from rankmetrics.engines.files import inputs_of
from rankmetrics.errors import InputError, MetricError, Option, RankMetricsError, did_you_mean, plain
from rankmetrics.inputs.roles import USUAL
from rankmetrics.inputs.sources import CALLED
from rankmetrics.messages import said
from rankmetrics.options import COLUMNS, GATE, INPUTS, declared
from rankmetrics.request import ComparisonOptions
from rankmetrics.suites import Suite, as_key, find_config, read_suite, suites_of
from rankmetrics.tables import PrintedFrame, rich_text

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from rankmetrics.results.result import Result


# The exit code of a command whose gate or audit failed: 1 is for engines, 2 for usage and input.
FAILED = 3


def save_sample(folder: Path) -> list[Path]:
    """Write the Parquet files of the sample into a folder, and return them; no other file is replaced."""
    sources = sorted(data_folder().glob("*.parquet"))
    targets = [folder / source.name for source in sources]
    for source, target in zip(sources, targets, strict=True):
        if target.exists() and not (target.is_file() and target.read_bytes() == source.read_bytes()):
            raise InputError(f"There is another file {str(target)!r} already, which stays as it is: name a new folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"Cannot make the folder {str(folder)!r}: {error.strerror or error}.") from error
    for source, target in zip(sources, targets, strict=True):
        with new_file(target) as temporary:
            temporary.write_bytes(source.read_bytes())
    return targets


PLOT = (
    "Draw a chart (curve, leaderboard, tradeoff or distribution) into an .svg, .png, .html or .json file, as in "
    "curve.svg or curve=ndcg.svg. Can be repeated."
)

# The charts that can be drawn, each from the first metrics that fit.
CHARTS = ("curve", "leaderboard", "tradeoff", "distribution", "compare")


def chart_of(text: str) -> tuple[str, Path]:
    """The chart and its file, from `curve.svg` or `curve=ndcg.svg`."""
    from rankmetrics.plots.files import refuse_other_endings, require_plots

    named, equals, path = text.partition("=")
    kind, file = (named, Path(path)) if equals and named in CHARTS else (Path(text).stem, Path(text))
    if kind not in CHARTS:
        near = did_you_mean(kind, CHARTS)
        raise said(InputError, "no_chart_flag", kind=kind, charts=[*CHARTS], near=near)
    refuse_other_endings(file)
    require_plots()
    return kind, file


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(f"rankmetrics {rm.__version__}")
        raise typer.Exit


@app.callback(help=HELP)
def _main(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Read the options that come before a command."""


USERS = "Factors of the users: rank all items by them and by the factors in --items. TRUTH is then the only argument."


def with_rankings(arguments: dict[str, Any], users: str | None) -> dict[str, Any]:
    """The values of the flags of `evaluate`, with rankings in place of recommendations where factors are given."""
    if users is None:
        return arguments
    if arguments["items"] is None:
        raise InputError("--users needs the factors of the items, too: --items.", page="models/")
    if arguments["truth"] is not None:
        raise said(InputError, "users_and_recs", recs=arguments["recs"])
    ranked = rm.rank_factors(
        users, arguments["items"], arguments["recs"], history=arguments["history"], item=arguments["item"]
    )
    return {**arguments, "recs": ranked, "truth": arguments["recs"], "items": None}


@command(flags.flags_of("evaluate", "per_list", without=["dialect"]))
def evaluate(
    arguments: dict[str, Any],
    users: Annotated[str | None, typer.Option(help=USERS, rich_help_panel=INPUTS)] = None,
    output: Output = None,
    shown_as: As = None,
    plots: Annotated[list[str] | None, typer.Option("--plot", help=PLOT)] = None,
) -> None:
    """Measure recommendations against the truth; print a leaderboard, write a file, draw charts.

    rankmetrics evaluate recs.parquet truth.parquet -m ndcg@10 -m recall@5,10 -o board.csv

    To measure a model: `rankmetrics evaluate TRUTH --users A.parquet --items B.parquet -m ndcg@10`.
    """
    from rankmetrics.plots.files import write_chart

    form = form_of(output, shown_as, arguments["format"], per_list=arguments["per_list"])
    charts = [chart_of(text) for text in plots or ()]
    with evaluated(with_rankings(arguments, users)) as (result, work):
        if arguments["per_list"] and form is None and output is None:
            work(result.check)
            print_answer(PrintedFrame(work(lambda: result.collect(per_list=True))))
        else:
            deliver(result, output, form, work, per_list=arguments["per_list"])
        with without_warnings():
            for kind, path in charts:
                write_chart(work(getattr(result.plot, kind)), path)


@command(flags.flags_of("evaluate", without=["dialect"]))
def check(
    arguments: dict[str, Any],
    metrics: flags.Metrics = ["hit"],  # noqa: B006  # Typer's way to say the default; it is copied
) -> None:
    """Check the inputs: print the role of each column and the counts of the data. It gives the errors of evaluate.

    rankmetrics check recs.parquet truth.parquet

    `rankmetrics check FILE` prints how one file is read: its format, the types and roles of its columns, three rows.
    """
    is_file = arguments["truth"] is None and not (arguments["label"] or arguments["shown"])
    if is_file and metrics == ["hit"] and flags.is_read(arguments["recs"]):
        for line in _file_in_words(flags.inputs_of(arguments)["recs"]):
            console().print(rich_text(line))
        return
    with evaluated(arguments) as (result, work):
        layout, screen = result.layout, console()
        with without_warnings():
            work(result.check)
        lines = [f"lists: {', '.join(layout.lists)}"]
        if layout.has_truth:
            lines = [f"{lines[0]}; the truth has {', '.join(layout.truth_lists)}"]
        for name in layout.names():
            roles = [f"{role} = {column}" for role, column in layout.side(name).roles.roles.items()]
            lines.append(f"{CALLED[name]}: {', '.join(roles)}")
        for line in [*lines, *result.notes()]:
            screen.print(rich_text(line))


def _file_in_words(recs: object) -> Iterator[str]:
    """How a file is read: its format, its columns with their first values, and the flags that say so."""
    from sqlglot import exp

    from rankmetrics.engines.duckdb import DuckDB

    engine = DuckDB({"recs": recs}, None)
    files, read = engine.files.get("recs"), engine.inputs["recs"]
    select = exp.select("*").from_(read.table).limit(3).sql("duckdb", identify=True)
    rows = engine.rows(engine.run(select, [*read.schema]))
    said = {"format": files.form, **files.found} if files else {}
    yield ", ".join(f"{option} {value!r}" for option, value in said.items()) or "a SELECT"
    for (name, kind), *values in zip(read.schema.items(), *rows, strict=True):
        sides = [(side, USUAL[side].items()) for side in (CALLED["recs"], CALLED["truth"])]
        usual = [f"{role} of the {side}" for side, roles in sides for role, known in roles if plain(name) in known]
        yield f"{name}: {kind}, {' or '.join(usual) or 'a list column'}: {', '.join(map(str, values))}{kind.because}"
    texts = [f"recs: {text if key == 'format' else f'{key}={json.dumps(text)}'}" for key, text in said.items()]
    yield f"To say so: {Option('format', texts)}" if said else "DuckDB reads it."


@command(flags.flags_of("evaluate", without=["recs", "truth", "dialect", "history"]))
def audit(
    arguments: dict[str, Any],
    train: Annotated[str, typer.Argument(help="The train set: a file, a glob, a folder, a table, or a SELECT.")],
    test: Annotated[str, typer.Argument(help="The test set, which is the truth of evaluate.")],
    recs: Annotated[str, typer.Argument(help="Recommendations, as in evaluate.")],
    metrics: flags.Metrics = [],  # noqa: B006  # Typer's way to say the default; it is copied
    time: Annotated[str | None, typer.Option(help="The time column of train and test, if it is unusual.")] = None,
    output: Output = None,
    shown_as: As = None,
) -> int:
    """Look for what makes numbers misleading, and fail with exit code 3 if a finding is an error.

    rankmetrics audit history.parquet truth.parquet recs.parquet -m ndcg@10

    Findings are test rows that are in train or earlier than it, users and items of one side only, systems with other
    lists or far fewer, equal scores, the errors and warnings of evaluate, and, for the metrics of -m, conventions that
    order systems differently.
    """
    from rankmetrics.audits import audit_of

    form = form_of(output, shown_as, arguments["format"])
    with own_connection(arguments) as connection:
        options = flags.options_of({**arguments, "recs": recs, "truth": test, "history": train}, connection)
        audited = with_progress(connection, partial(audit_of, options, time))
        deliver(audited, output, form)
        return 0 if audited else FAILED


@command(
    [
        flags.flag_of("recs-table", "The name of the recommendations in the warehouse."),
        flags.flag_of("truth-table", "The name of the truth in the warehouse."),
        *flags.flags_of("to_sql", "files_as", "connection"),
    ]
)
def sql(arguments: dict[str, Any]) -> None:
    """Print the SQL, for DuckDB or for a warehouse: as a query, or as a statement for a job.

    rankmetrics sql db.recs db.truth -m ndcg@10 --list algorithm --list user --truth-list user --dialect snowflake

    The columns of files are found by reading them, and so are the columns of tables with --database or --connection.
    For tables of a warehouse, name the columns: --list (once for each column), --item, --rank or --score, --rating.

    A name without quotes gets the case that the database gives it, such as upper case in Snowflake. '"userId"' keeps
    its case; --quote-names keeps the case of all names.

    --as view and --as table create a view or a table. --as incremental writes the rows of a partition into a table,
    and can run again. --as cte ends in a CTE to select from. --as macro and --as function make a macro, a function.
    """
    if flags.are_tables(arguments):
        typer.echo(flags.sql_of_tables(arguments))
    else:
        with own_connection(arguments) as connection:
            typer.echo(flags.sql_of_files(arguments, connection))


@command(flags.flags_of("evaluate", without=["metrics", "aggregates", "dialect"]))
def conventions(
    arguments: dict[str, Any],
    subject: Annotated[
        str | None,
        typer.Argument(
            metavar="[METRIC|CONVENTION]", help="A metric to compare, as in ndcg@10, or a convention to explain."
        ),
    ] = None,
    recs: Annotated[str | None, typer.Argument(help="Recommendations, as in evaluate.")] = None,
    truth: Annotated[str | None, typer.Argument(help="The truth, as in evaluate.")] = None,
) -> None:
    """List the conventions of other libraries, explain one, or measure one metric under each.

    rankmetrics conventions ndcg@10
    """
    from rankmetrics.conventions import measure_conventions
    from rankmetrics.metrics.conventions import CONVENTIONS

    if subject is None:
        print_rows(("convention", "library"), [(convention.name, convention.what) for convention in CONVENTIONS])
    elif recs is None:
        _explain_convention(subject)
    elif truth is None and not (arguments["label"] or arguments["shown"]):
        raise InputError("Give the truth, too: rankmetrics conventions METRIC RECS TRUTH.")
    else:
        with own_connection(arguments) as connection:
            options = flags.options_of(arguments, connection)
            compared = measure_conventions(subject, options["convention"], options)
            with_progress(connection, compared.choices)  # here it warns: no note of the table says the same
            print_answer(compared)


def _explain_convention(subject: str) -> None:
    """Print a convention, or a metric as each convention defines it."""
    from rankmetrics.conventions import definitions, described
    from rankmetrics.metrics.conventions import find

    try:
        typer.echo(described(find(subject)))
    except MetricError as no_convention:
        try:
            rows = definitions(subject)
        except MetricError as no_metric:
            raise MetricError(f"{no_metric} Nor is it a convention: {no_convention}") from no_metric
        print_rows(("convention", "metric", "what differs from ours"), rows)


@command(is_logged=False)
def identify(
    function: Annotated[str, typer.Argument(help="The module and the function, as in mypackage.metrics:ndcg_at_k.")],
    metric: Annotated[
        str | None,
        typer.Option(
            "-m",
            "--metric",
            help="What it should be, as in ndcg@10 (default: guessed from its name).",
            autocompletion=flags.complete_metric,
        ),
    ] = None,
    expect: Annotated[
        str | None, typer.Option(help="Fail with exit code 3 unless this is its definition, as in ndcg@10.")
    ] = None,
    output: Output = None,
    shown_as: As = None,
) -> int:
    """Say which definition a Python function computes, by calling it on small problems.

    rankmetrics identify mypackage.metrics:ndcg_at_k

    The function is called as it is. It is imported from the working directory, too.
    """
    from rankmetrics.identification.calls import read_function

    form = form_of(output, shown_as)
    identified = rm.identify(read_function(function), metric or expect)
    deliver(identified, output, form)
    return 0 if expect is None or _is_expected(identified, expect) else FAILED


def _is_expected(identified: rm.Identified, expected: str) -> bool:
    """True if a function has an expected definition; otherwise says on which problem it departs."""
    departures = identified.departures(expected)
    for row in departures[:1]:
        values = f"it is {row['value']}, and {expected} is {row['by_definition']}"
        print_notes([f"{identified.function} is not {expected}: on {row['problem']}, {values}"])
    return not departures


@command(is_logged=False)
def conformance(
    metrics: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[METRIC]...", help="Metrics with one cutoff, as in ndcg@10 (default: usual ones at 3)."
        ),
    ] = None,
    write: Annotated[Path | None, typer.Option(help="Write the problems and their values into this JSON file.")] = None,
    check: Annotated[
        Path | None, typer.Option(help="A JSON file with an answer to each problem: say which definition they follow.")
    ] = None,
    output: Output = None,
    shown_as: As = None,
) -> None:
    """Write small problems with the values of each definition, for implementations in other languages; check answers.

    rankmetrics conformance ndcg@10 recall@10 --write problems.json
    """
    form = form_of(output, shown_as)
    if write is not None:
        text = json.dumps(rm.conformance(metrics) if metrics else rm.conformance(), indent=1, ensure_ascii=False)
        with new_file(write) as temporary:
            temporary.write_text(f"{text}\n", encoding="utf-8")
        print_notes([f"wrote {write}"])
    elif check is None or not metrics or len(metrics) > 1:
        raise said(InputError, "conformance_unread")
    else:
        deliver(rm.check_answers(check, metrics[0]), output, form)


@command(name="help", is_logged=False)
def print_help(
    topic: Annotated[
        list[str] | None, typer.Argument(help="A page, a section, a metric, a command, or words to look for.")
    ] = None,
) -> None:
    """Print a page of the documentation, or the section that an error names; it needs no network.

    rankmetrics help messages/ranks-missing

    Several words need no quotes.
    """
    rm.help(*topic or ())


@command(is_logged=False)
def metrics(
    name: Annotated[
        str | None, typer.Argument(help="A metric, as in ndcg@10.", autocompletion=flags.complete_metric)
    ] = None,
    account: Annotated[
        bool,
        typer.Option("--account", help="List the counts of the account (rows that were left out, and so on) instead."),
    ] = False,
    define: Annotated[
        list[Path] | None, typer.Option(help="A .sql file with a metric of your own, or a folder of them.")
    ] = None,
) -> None:
    """List the metrics, or explain one.

    rankmetrics metrics ndcg
    """
    from rankmetrics.explanations import explain
    from rankmetrics.metrics.catalog import catalog

    flags.define_all(define)
    if name is not None:
        typer.echo(explain(name))
    elif account:
        print_rows(("count", "what it is"), [(count.name, count.summary) for count in catalog().all("account")])
    else:
        print_rows(("metric", "what it is"), [(metric.name, metric.summary) for metric in catalog().metrics()])


@command(is_logged=False)
def demo(
    save: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write the files of the sample into this folder instead.")
    ] = None,
) -> None:
    """Measure the sample that ships: three recommenders, two partitions, 500 users.

    rankmetrics demo
    """
    if save is None:
        show_demo(console())
    else:
        for path in save_sample(save):
            typer.echo(path)


def show_demo(screen: Console) -> None:
    """Print the leaderboard of the sample, and the command that gives it."""
    folder = data_folder()
    metrics = ["ndcg@10", "recall@10", "precision@10", "ap@10", "rr"]
    named = " ".join(f"-m {metric}" for metric in metrics)
    shown = "data" if (folder / "make_sample.py").exists() else str(folder)
    command = f"$ rankmetrics evaluate {shown}/recs.parquet {shown}/truth.parquet \\\n    {named}\n"
    screen.print(rich_text(command, "bold"))
    screen.print(rm.evaluate(folder / "recs.parquet", folder / "truth.parquet", metrics))


# --- the analysis of an evaluation ------------------------------------------------------------------------------------


STATISTICS = [flags.derived(option) for option in declared(ComparisonOptions, "flag").values()]


@command(
    flags.flags_of("evaluate", without=["dialect", "baseline", "baseline_lists"]),  # here, --baseline is a system
    statistics=STATISTICS,
)
def compare(
    arguments: dict[str, Any],
    statistics: dict[str, Any],
    recs: Annotated[str | None, typer.Argument(help=flags.meaning_of("recs"))] = None,
    truth: flags.Truth = None,
    metrics: Annotated[list[str] | None, flags.metrics_flag("A metric, as in ndcg@10.")] = None,
    per_list: Annotated[
        tuple[str, str] | None,
        typer.Option("--per-list", help="Compare two saved files with one row per list, instead of RECS and TRUTH."),
    ] = None,
    output: Output = None,
    shown_as: As = None,
) -> None:
    """Compare systems by tests: each with a baseline, or all pairs.

    rankmetrics compare recs.parquet truth.parquet -m ndcg@10 --by algorithm --baseline popular

    Of saved values per list: `rankmetrics compare --per-list before.parquet after.parquet`.
    """
    from rankmetrics.comparisons.comparison import baseline_values, systems_of

    statistics, form = _statistics(statistics), form_of(output, shown_as, arguments["format"])
    if per_list is None and (recs is None or not metrics):
        raise said(InputError, "nothing_to_compare")
    if per_list is not None and recs is not None:
        raise said(InputError, "files_and_inputs")
    with own_connection(arguments) as connection:
        with without_warnings():
            if per_list is None:
                if statistics["baseline"] and flags.needs_baseline(arguments):
                    counted = {**arguments, "metrics": ["n_recommended"], "convention": None}
                    layout = flags.result_of(counted, connection).layout
                    systems = systems_of(layout)
                    values = baseline_values(statistics["baseline"], systems, layout.recs_types)
                    arguments["baseline"] = dict(zip(systems, values, strict=True))
                comparison = flags.result_of(arguments, connection).compare(**statistics)
            else:
                flags.define_all(arguments["define"])
                by, own = arguments["by"] or None, arguments["connection"] or connection
                statistics |= {"by": by, "cluster": arguments["cluster"], "connection": own}
                comparison = rm.compare_files(*per_list, metrics, **statistics)
        deliver(comparison, output, form, partial(with_progress, connection))


def _statistics(options: dict[str, Any]) -> dict[str, Any]:
    """The options of a comparison: the shares of arms as numbers, the default test."""
    shares = _read_limits("--share", options["shares"], "an arm and its share", "control=0.3")
    return {**options, "shares": shares, "tests": options["tests"] or ("t",)}


@command()
def power(
    pilot: Annotated[str, typer.Argument(help="A file of values per list, as evaluate --per-list -o wrote it.")],
    difference: Annotated[str, typer.Option(help="The difference to see: 1% of the mean, or 0.005.")],
    power: Annotated[float, typer.Option(help="The probability of seeing it.")] = 0.8,
    confidence: Annotated[float, typer.Option(help="1 less the level of the test.")] = 0.95,
    paired: Annotated[
        bool, typer.Option("--paired/--unpaired", help="Whether systems have the same lists, or are arms.")
    ] = True,
    system: Annotated[str | None, typer.Option(help="The column that names the systems (default: system).")] = None,
) -> None:
    """Say how many lists a comparison needs to see a difference, by the values per list of a pilot.

    rankmetrics power pilot.parquet --difference 1% --system algorithm
    """
    frame = rm.power(pilot, difference, power=power, confidence=confidence, paired=paired, system=system)
    print_answer(PrintedFrame(frame, digits=4))


@command(flags.flags_of("evaluate", without=["dialect"]))
def agreement(
    arguments: dict[str, Any],
    other: Annotated[
        str | None,
        typer.Option(
            help="The summary of another run, as evaluate -o wrote it: each metric is compared with itself there, "
            "instead of with the other metrics."
        ),
    ] = None,
) -> None:
    """Measure how alike two metrics, or two runs, order the systems: Kendall's tau and tau_AP.

    rankmetrics agreement recs.parquet truth.parquet -m ndcg@10 -m rr --by algorithm
    """
    with evaluated(arguments) as (result, work), without_warnings():
        print_answer(PrintedFrame(work(lambda: result.agreement(other)), digits=4))


Segment = typer.Option(
    "-s",
    "--segment",
    help="Segments: activity, popularity or cold; a table and its column, as in gender=users.parquet:gender; or "
    "buckets of a number, as in age=buckets:users.parquet:age:4 or activity=buckets:n_history:5. Can be repeated.",
    autocompletion=flags.complete_segments,
)


@command(
    flags.flags_of("evaluate", without=["dialect", "baseline"]),
    statistics=[flag for flag in STATISTICS if flag.name in ("tests", "margin", "paired", "shares")],
)
def report(
    arguments: dict[str, Any],
    statistics: dict[str, Any],
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

    rankmetrics report recs.parquet truth.parquet -m ndcg@10 -m recall@10 -o report.html

    The file needs no other file and no network.
    """
    statistics = _statistics(statistics)
    with evaluated({**arguments, "baseline": baseline_recs}) as (result, work):
        groups = read_segments(segment, arguments) if segment else None
        with without_warnings():
            work(lambda: rm.report(result, output, baseline=baseline, segments=groups, title=title, **statistics))
        print_notes([f"wrote {output}"])


@command(flags.flags_of("evaluate", without=["dialect"]))
def segments(
    arguments: dict[str, Any],
    segment: Annotated[list[str], Segment],
    reversals: Annotated[
        bool,
        typer.Option("--reversals", help="Print the pairs of systems whose order differs between segments instead."),
    ] = False,
    gaps: Annotated[
        bool,
        typer.Option("--gaps", help="Print the lowest and the highest segment and their difference and ratio instead."),
    ] = False,
    paired: Annotated[
        bool, typer.Option("--paired/--unpaired", help="Whether systems have the same lists, or are arms.")
    ] = True,
    output: Output = None,
    shown_as: As = None,
) -> None:
    """Measure segments of users, queries or items: a leaderboard for each segment.

    rankmetrics segments recs.parquet truth.parquet -m ndcg@10 --by algorithm --history
    history.parquet --segment activity
    """
    if reversals and gaps:
        raise InputError("--reversals and --gaps have one table each: give one of them.", page="segments/")
    form = form_of(output, shown_as, arguments["format"])
    with evaluated(arguments) as (result, work):
        measured = result.segments(read_segments(segment, arguments), paired=paired)
        if reversals or gaps:
            frame = work(measured.reversals if reversals else measured.gaps)
            deliver(PrintedFrame(frame, digits=4), output, form)
            return
        deliver(measured, output, form, work)


def read_segments(texts: Iterable[str], arguments: Mapping[str, Any]) -> dict[str, object]:
    """The segmentations of --segment, as `Result.segments` takes them.

    >>> read_segments(["cold", "activity=buckets:n_history:3"], {})
    {'cold': 'cold', 'activity': Buckets(of='n_history', column=None, n=3)}
    """
    from rankmetrics.segments.segmentation import WORDS

    segmentations: dict[str, object] = {}
    for flag in texts:
        name, equals, text = flag.partition("=")
        if not equals and flag not in WORDS:
            raise said(InputError, "segment_unread", flag=flag, words=", ".join(WORDS), by_it=Option("by", [flag]))
        if name in segmentations:
            raise said(InputError, "segment_named_twice", name=name)
        segmentations[name] = _segmentation(text, arguments) if equals else flag
    return segmentations


def _segmentation(text: str, arguments: Mapping[str, Any]) -> object:
    """A segmentation after its name: a word, buckets, or a table with or without a column."""
    from rankmetrics.segments.segmentation import NUMBERS, WORDS, buckets

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
    flags.refuse_tables(arguments, [table])
    if is_number:
        return buckets(table, column, **n)
    return table if column is None else (table, column)


@command(flags.flags_of("evaluate", without=["dialect", "baseline", "baseline_lists"]))
def correct(
    arguments: dict[str, Any],
    labels: Annotated[
        str, typer.Option(help="People's labels: a table like TRUTH, with some of its lists.", rich_help_panel=INPUTS)
    ],
    baseline: Annotated[
        str | None, typer.Option(help="The name of a system: estimate the differences of the others from it.")
    ] = None,
    confidence: Annotated[float, typer.Option(help="Level of the confidence intervals.")] = 0.95,
    output: Output = None,
    shown_as: As = None,
) -> None:
    """Correct means by the labels of a judge, such as a language model, by people's labels for some lists.

    rankmetrics correct recs.parquet truth.parquet -m ndcg@10 --by algorithm --labels
    "SELECT * FROM 'truth.parquet' WHERE truth.user % 10 = 3"

    TRUTH has the judge's labels of all lists. The lists that people labelled must be a random sample.
    """
    form = form_of(output, shown_as, arguments["format"])
    flags.refuse_tables(arguments, [labels])
    with evaluated(arguments) as (result, work):
        deliver(result.corrected(labels, baseline, confidence=confidence), output, form, work)


@command(flags.flags_of("evaluate", without=["dialect"]))
def trace(
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

    rankmetrics trace recs.parquet truth.parquet -m ndcg@5 --list user=1 --list partition=1 --list algorithm=item-knn

    The list is named by values of list columns.
    """
    named = [flag.split("=", 1) for flag in lists or () if "=" in flag]
    values = dict(named)
    if len(values) < len(named):
        raise InputError("--list names a column twice: a trace is of one list.", page="explaining/")
    arguments["lists"] = [flag for flag in lists or () if "=" not in flag]
    with evaluated(arguments) as (result, work), without_warnings():
        if not values:
            layout = result.layout
            raise said(InputError, "list_unnamed", columns=[*layout.lists], last=layout.truth_lists[-1])
        print_answer(work(lambda: result.trace(values)), work)


@command(flags.flags_of("evaluate", without=["dialect"]))
def worst(
    arguments: dict[str, Any],
    against: Annotated[
        str | None,
        typer.Option(help="The name of a system to compare with: the lists that lose most against it come first."),
    ] = None,
    of: Annotated[str | None, typer.Option(help="Show only this system.")] = None,
    n: Annotated[int, typer.Option("-n", help="Number of lists of each system.")] = 20,
    output: Output = None,
    shown_as: As = None,
) -> None:
    """Print the lists of each system with the worst values of a metric, or that lose most against a baseline.

    rankmetrics worst recs.parquet truth.parquet -m ndcg@5 --against popular -n 2
    """
    form = form_of(output, shown_as, arguments["format"])
    with evaluated(arguments) as (result, work):
        if len(result.metrics) > 1:
            raise said(InputError, "worst_of_one_metric")
        with without_warnings():
            lists = work(lambda: result.worst(result.metrics[0], against, n, system=of))
        deliver(lists, output, form)


# --- gates: exit code 3 if a number is beyond its limit ---------------------------------------------------------------

Annotations = Annotated[
    str | None,
    typer.Option(
        help="github or none: print failed checks as annotations of GitHub Actions (default: github, where "
        "GITHUB_ACTIONS is true).",
        rich_help_panel=GATE,
    ),
]
Junit = Annotated[Path | None, typer.Option(help="Write the checks to this JUnit file.", rich_help_panel=GATE)]


def as_flag_of_gate(option: Option) -> str:
    """An option as the command takes it: `--system` is a flag of evaluate, so that the gate's is `--only`."""
    return flags.as_flag(replace(option, name="only") if option.name == "system" else option)


@command(flags.flags_of("evaluate", without=["dialect"]), as_flag_of_gate, limits=flags.OF_GATE)
def gate(
    arguments: dict[str, Any],
    limits: dict[str, Any],
    metrics: flags.Metrics = [],  # noqa: B006  # Typer's way to say the default; it is copied
    junit: Junit = None,
    annotations: Annotations = None,
    output: Output = None,
    shown_as: As = None,
    per_list_output: Annotated[
        str | None, typer.Option(help="Write one row per list to this file, for --against of a later run.")
    ] = None,
) -> int:
    """Measure as evaluate does, and fail with exit code 3 if a number is beyond its limit.

    rankmetrics gate recs.parquet truth.parquet --min ndcg@10=0.1 --max-missing 1%

    -o writes the summary, --as prints the checks in another form. A metric that has a limit needs no -m. Each system is
    checked. A drop beyond its limit fails if the confidence interval of the mean difference of the lists that both runs
    have does not contain 0.
    """
    from rankmetrics.api import measure

    form, annotated = form_of(None, shown_as, arguments["format"]), is_annotated(annotations)
    for name in flags.LIMITS:
        limits[name] = _read_limits(str(Option(name)), limits[name])
    with own_connection(arguments) as connection:
        options = _with_limited(flags.options_of(arguments, connection), limits)
        suite = Suite(options, limits, output=output, per_list_output=per_list_output, junit=junit)
        return run_suite(suite, measure(options), connection, form, is_annotated=annotated)


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


def run_suite(
    suite: Suite,
    result: Result,
    connection: DuckDBPyConnection,
    form: str | None = None,
    *,
    is_annotated: bool,
    prints_result: bool = False,
) -> int:
    """Check the gate of a suite, write its files, and print the checks in a form; returns the exit code."""
    work: Work[Any] = partial(with_progress, connection)
    report = work(lambda: rm.gate(result, **suite.gate)) if suite.gate else None
    # the earlier run of a gate that failed is not replaced: a second run would pass
    earlier = suite.gate.get("against") if report is not None and not report.passed else None
    for path, per_list in ((suite.output, False), (suite.per_list_output, True)):
        if path is not None and earlier is not None and Path(path).resolve() == Path(earlier).resolve():
            typer.echo(f"{path} is not replaced: the gate failed.", err=True)
        elif path is not None:
            form_of_path = form_of(str(path), None, per_list=per_list)
            with without_warnings():
                work(partial(write_answer, result, str(path), form_of_path, per_list=per_list))
    if suite.report is not None:
        work(lambda: rm.report(result, suite.report))
    if prints_result:
        print_answer(result, work)
    if report is None:
        return 0
    if suite.junit is not None:
        report.to_junit(suite.junit)
    if form is None:
        print_answer(report)
    else:
        write_answer(report, None, form)
    for line in report.annotations() if is_annotated else ():
        typer.echo(line)
    return 0 if report.passed else FAILED


def is_annotated(annotations: str | None) -> bool:
    """True if failed checks are printed as annotations of GitHub."""
    if annotations not in (None, "github", "none"):
        raise InputError(f"--annotations is github or none: {annotations!r} is not.", page="gates/")
    return os.environ.get("GITHUB_ACTIONS") == "true" if annotations is None else annotations == "github"


def _read_limits(
    flag: str, texts: Iterable[str] | None, what: str = "a metric and its limit", example: str = "ndcg@10=0.25"
) -> dict[str, str] | None:
    """The limits of a flag: `precision(rel=4)@10=0.25` is a metric and its limit.

    >>> _read_limits("--min", ["precision(rel=4)@10=0.25"])
    {'precision(rel=4)@10': '0.25'}
    """
    limits: dict[str, str] = {}
    for text in texts or ():
        metric, _, limit = (part.strip() for part in text.rpartition("="))
        if not metric or not limit or ")" in limit:
            raise InputError(f"{flag} takes {what}, as in {flag} {example}: {text!r} is not so.", page="gates/")
        if metric in limits:
            raise InputError(f"{flag} has two limits for {metric!r}: give one of them.", page="gates/")
        limits[metric] = limit
    return limits or None


@flags.completing
def complete_suite() -> Iterable[str]:
    """Suites of the folder."""
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
            "a folder above)."
        ),
    ] = None,
    no_gate: Annotated[
        bool, typer.Option("--no-gate", help="Measure and write, without the checks: for the first run.")
    ] = False,
    junit: Junit = None,
    annotations: Annotations = None,
) -> int:
    """Measure a suite of rankmetrics.toml, write its files, and check its gate: exit code 3 if it fails.

    rankmetrics run nightly
    """
    from rankmetrics.api import measure

    path = config or find_config(Path.cwd())
    if name is None:
        described = [(name, str(suite.get("description", ""))) for name, suite in suites_of(path).items()]
        print_rows(("suite", "what it is"), described)
        return 0
    annotated, suite = is_annotated(annotations), read_suite(path, name)
    settings = {"database": suite.database, "threads": suite.threads, **suite.options}
    flags.define_all(suite.define)
    with own_connection(settings) as connection:
        options = {"connection": connection, **suite.options}
        options.pop("memory_limit", None)  # the connection was opened with it
        if suite.database is None and "connection" not in suite.options:
            flags.refuse_tables(
                {}, (value for name in ("recs", "truth") if name in options for value in inputs_of(options[name]))
            )
        result = measure(_with_limited(options, suite.gate))
        earlier = suite.gate.get("against")
        if not no_gate and isinstance(earlier, Path) and not earlier.exists():  # only a run without the gate writes it
            raise said(InputError, "no_file_of_earlier_run", path=str(earlier), suite=name)
        suite = replace(suite, gate={} if no_gate else suite.gate, junit=junit or suite.junit)
        return run_suite(suite, result, connection, is_annotated=annotated, prints_result=True)


# --- the inputs of an evaluation --------------------------------------------------------------------------------------

# The parameters of the methods and of the filters: group of the help page, then for each its type and its help.
METHODS, FILTERS = "Methods", "Filters"
PARAMETERS: Mapping[str, Mapping[str, tuple[type, str]]] = {
    METHODS: {
        "seed": (int, "Seed of the random choices (default: 0)."),
        "stable": (str, "Whether rows keep their hashes when other rows are added: yes, no (no)."),
        "test_fraction": (float, "random, per_user_fraction, time: the share of the rows that is held out (0.2)."),
        "at": (str, "time, sliding: the first time of the test, such as 2024-01-31, or a number."),
        "gap": (str, "time, sliding: the time before the test that is not in train, such as '7 days', or a number."),
        "width": (str, "sliding: the length of a test window, such as '7 days', or a number."),
        "step": (str, "sliding: the time from the start of a window to that of the next (its width)."),
        "train_width": (str, "sliding: the length of the time before a window that is in train (all of it)."),
        "windows": (int, "sliding: the number of test windows (3)."),
        "folds": (int, "kfold: the number of folds (5)."),
        "of": (str, "kfold: what is put into folds: users, rows (users)."),
        "mode": (str, "users: separated, joined or all (separated)."),
        "users_test_fraction": (float, "users: the share of the users that is tested (0.1)."),
        "max_test_users": (int, "users: the largest number of test users."),
        "items_test_fraction": (float, "users (0.3), kfold: the share of a test user's items that is held out."),
        "min_items_pool": (int, "users: the smallest number of items outside the history of a test user (2)."),
        "min_pos_test": (int, "users: the smallest number of held-out items of a test user (1)."),
        "consider_cold_start": (str, "users: whether all items of a user may be held out: yes, no (no)."),
        "n": (int, "last_n: the number of rows of each user that are held out (1)."),
        "pick": (str, "leave_one_out, per_user_fraction: which rows are held out: last, random (last)."),
        "min_history": (int, "last_n, leave_one_out, per_user_fraction: the rows that a tested user keeps (1)."),
    },
    FILTERS: {
        "repeats": (str, "Which rows of a user with the same item are kept: all, first, last (all)."),
        "k_core": (int, "The smallest number of rows of each user and of each item."),
        "rounds": (int, "The largest number of rounds in which --k-core counts the remaining rows again (10)."),
        "cold_users": (str, "Test rows of users who have no other rows: keep, drop (keep)."),
        "cold_items": (str, "Test rows of items that have no other rows: keep, drop (keep)."),
    },
}


@command(
    is_logged=False,
    columns=[
        flags.flag_of("user", "The user column.", COLUMNS),
        flags.flag_of("item", "The item column.", COLUMNS),
        flags.flag_of("time", "The time column.", COLUMNS),
        flags.flag_of("rating", "The rating column, for --repeats.", COLUMNS),
    ],
    database=[
        flag
        for flag in flags.flags_of("evaluate")
        if flag.name in ("connection", "database", "memory_limit", "threads")
    ],
    parameters=[
        flags.flag_of(name.replace("_", "-"), meaning, group, kind | None)
        for group, parameters in PARAMETERS.items()
        for name, (kind, meaning) in parameters.items()
    ],
)
def split(
    interactions: Annotated[str, typer.Argument(help="Interactions: a file, a glob, a SELECT, or a table.")],
    columns: dict[str, Any],
    database: dict[str, Any],
    parameters: dict[str, Any],
    method: Annotated[
        str,
        typer.Option(
            help="The method: random, users, last_n, leave_one_out, per_user_fraction, time, sliding or kfold.",
            autocompletion=flags.complete_method,
        ),
    ] = "random",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="The folder for train.parquet and test.parquet.")
    ] = None,
    history: Annotated[
        bool, typer.Option("--history", help="Also write history.parquet: the known items of the test users.")
    ] = False,
    dialect: Annotated[
        str | None,
        typer.Option(
            help="Print the query that returns each row with its subset, in this dialect, instead of splitting.",
            autocompletion=flags.complete_dialect,
        ),
    ] = None,
    table: Annotated[str | None, typer.Option(help="The name of the table in the warehouse, as in db.clicks.")] = None,
) -> None:
    """Split interactions into train and test, print the counts, and write Parquet files.

    rankmetrics split history.parquet --method users --users-test-fraction 0.2 --seed 7 -o out

    The same method, parameters and seed give the same rows on every engine.
    """
    with own_connection(database) as own:
        flags.refuse_tables(database, [interactions], page="splits/")
        settings = {name: value for name, value in parameters.items() if value is not None}
        connection = database["connection"] or own
        subsets = rm.split(interactions, method, connection=connection, **columns, **settings)
        if dialect is not None:
            typer.echo(subsets.to_sql(dialect, interactions=table))
            return
        paths: list[Path] = []
        if output is None:
            with_progress(own, subsets.check)
        else:
            paths = with_progress(
                own, lambda: subsets.write(output, ["train", "test", "history"] if history else ["train", "test"])
            )
        account = with_progress(own, lambda: subsets._engine.collect(subsets.account()))
        print_answer(PrintedFrame(account.sort([name for name in account.columns if not name.startswith("n_")])))
        for path in paths:
            console().print(f"wrote {path}")


TABLE = "a file with an id column, and a column of lists of numbers or a column for each dimension."


@command(
    ranking=[
        flags.flag_of("k", "The length of the lists (default: all items).", kind=int | None, min=1),
        flags.flag_of(
            "ties",
            "Order of equal scores: item, item_desc or input; or expected, the mean over all orders.",
            kind=str,
            default="item",
        ),
        flags.flag_of(
            "overlap", "Items of a user in both truth and history: error or ignore.", kind=str, default="error"
        ),
        flags.flag_of("history", "The items that each user knew before; they are not ranked."),
        flags.flag_of("item-biases", "A file with a number for each item id; it is added to the scores."),
        flags.flag_of("user", "The id column of users, if it has an unusual name."),
        flags.flag_of("item", "The id column of items, if it has an unusual name."),
        flags.flag_of("block-rows", "Number of users to rank at a time.", kind=int | None, min=1),
        flags.flag_of("threads", "Threads (default: one per core).", kind=int | None, min=1),
    ]
)
def rank(
    ranking: dict[str, Any],
    users: Annotated[str, typer.Option(help=f"Factors of the users: {TABLE}")],
    items: Annotated[str, typer.Option(help=f"Factors of the items: {TABLE}")],
    truth: Annotated[str, typer.Option(help="The truth: a file with the relevant items of each user.")],
    metrics: Annotated[list[str] | None, flags.metrics_flag("A metric to measure, as in ndcg@10.")] = None,
    convention: Annotated[str | None, typer.Option(help="Follow the definitions of this library.")] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write the ranks to this .parquet file.")
    ] = None,
    top: Annotated[int | None, typer.Option(min=1, help="Write the first N items of each list instead.")] = None,
) -> None:
    """Rank all items for each user by factors, exactly: write the ranks, or measure them.

    rankmetrics rank --users users.parquet --items items.parquet --truth clicks.parquet -o ranked.parquet

    The file holds the rank of each relevant item, the first and the last item of each user, and the number of
    candidates in a column `pool`. `rankmetrics evaluate` measures metrics of hits on it, and refuses those that read
    other rows, such as coverage: they need the first items, --top.
    """
    if output is None and not metrics:
        raise InputError("Nothing to do: name a file to write with -o, or a metric to measure with -m.", page="models/")
    if output is not None and output.suffix != ".parquet":
        raise InputError(f"Cannot write {str(output)!r}: end its name in .parquet.", page="models/")
    ranked = rm.rank_factors(users, items, truth, **ranking)
    if output is not None:
        ranked.write(output, top=top)
    if metrics:
        print_answer(rm.evaluate(ranked, truth, metrics, history=ranking["history"], convention=convention))


# --- dbt --------------------------------------------------------------------------------------------------------------

dbt_app = typer.Typer(cls=Commands, help="Leaderboards as dbt models.", no_args_is_help=True)

Folder = Annotated[Path, typer.Argument(help="The folder of the package, inside a dbt project.")]


@command(of=dbt_app, is_logged=False)
def init(
    folder: Folder = Path("rankmetrics"),
    adapter: Annotated[
        str | None,
        typer.Option(help="The adapter to write SQL for (default: that of the project's profile, else duckdb)."),
    ] = None,
) -> None:
    """Create a dbt package: leaderboards.yml to fill in, with a model and a macro for each leaderboard.

    rankmetrics dbt init
    """
    from rankmetrics.export.dbt import package as dbt
    from rankmetrics.export.dbt.package import enclosing

    for path in dbt.init(folder, adapter).files:
        typer.echo(f"wrote {path}")
    if around := enclosing(folder):
        local = Path(os.path.relpath(folder.absolute(), around)).as_posix()
        typer.echo(f"\nName it in {os.path.relpath(around / 'packages.yml')}, then run dbt deps:\n")
        typer.echo(f"packages:\n  - local: {local}")


@command(of=dbt_app, name="write", is_logged=False)
def write_dbt(folder: Folder = Path("rankmetrics")) -> None:
    """Write the models and macros again, from leaderboards.yml.

    rankmetrics dbt write
    """
    from rankmetrics.export.dbt import package as dbt

    written = dbt.write(folder)
    for path in written.files:
        typer.echo(f"wrote {path}")
    for path in written.removed:
        typer.echo(f"removed {path}")


app.add_typer(dbt_app, name="dbt")


if __name__ == "__main__":
    app()
