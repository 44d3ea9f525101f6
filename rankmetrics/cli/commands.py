"""The command line: `rankmetrics evaluate`, and the other commands that `rankmetrics --help` lists."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from rankmetrics._files import data_folder, new_file
from rankmetrics.cli.console import (
    As,
    Output,
    Rendered,
    WithSystems,
    Work,
    command,
    console,
    deliver,
    evaluated,
    form_of,
    own_connection,
    print_frame,
    print_notes,
    print_rows,
    put_text,
    with_progress,
    without_warnings,
)
from rankmetrics.cli.flags import (
    Metrics,
    Recs,
    Truth,
    are_tables,
    as_flag,
    complete_metric,
    completing,
    define_all,
    flag_of,
    flags_of,
    is_open,
    is_read,
    meaning_of,
    options_of,
    result_of,
    sql_of_files,
    sql_of_tables,
)
from rankmetrics.cli.gate import gate, run
from rankmetrics.cli.inputs import USERS, rank, split, with_rankings
from rankmetrics.engines.base import no_table
from rankmetrics.errors import InputError, MetricError, Option, did_you_mean, names
from rankmetrics.inputs.sources import CALLED
from rankmetrics.options import INPUTS
from rankmetrics.tables import rich_text

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from rankmetrics.comparisons.comparison import Comparison
    from rankmetrics.results.result import Result


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


def show(result: Result, work: Work[Any], path: str | None, form: str | None, *, per_list: bool) -> None:
    """Print or write a result. Next to a text or a file, the account goes to stderr."""
    if form is None and path is None:
        if per_list:
            work(result.check)
            print_frame(work(lambda: result.collect(per_list=True)))
        else:
            work(result.notes)
            console().print(Rendered(result))
        return
    with without_warnings():
        if form is None and path is not None:
            work(partial(result.write, path, per_list=per_list))
        elif form is not None:
            put_text(work(lambda: result.to_text(form, per_list=per_list)), path)
    print_notes(work(lambda: result.notes(as_flag)))


def chart_of(text: str) -> tuple[str, Path]:
    """The chart and its file, from `curve.svg` or `curve=ndcg.svg`."""
    from rankmetrics.plots.files import refuse_other_endings, require_plots

    named, equals, path = text.partition("=")
    kind, file = (named, Path(path)) if equals and named in CHARTS else (Path(text).stem, Path(text))
    if kind not in CHARTS:
        raise InputError(
            f"There is no chart {kind!r}: --plot takes {names(CHARTS)}, as in curve.svg or curve=ndcg.svg."
            f"{did_you_mean(kind, CHARTS)}"
        )
    refuse_other_endings(file)
    require_plots()
    return kind, file


app = typer.Typer(
    help="Offline ranking metrics written as SQL.", no_args_is_help=True, add_completion=True, rich_markup_mode="rich"
)


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        import rankmetrics as rm

        typer.echo(f"rankmetrics {rm.__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Offline ranking metrics written as SQL."""


@app.command(cls=WithSystems)
@command(flags_of("evaluate", "per_list", without=["dialect"]))
def evaluate(
    recs: Recs,
    metrics: Metrics,
    arguments: dict[str, Any],
    truth: Truth = None,
    users: Annotated[str | None, typer.Option(help=USERS, rich_help_panel=INPUTS)] = None,
    output: Output = None,
    shown_as: As = None,
    plots: Annotated[list[str] | None, typer.Option("--plot", help=PLOT)] = None,
) -> None:
    """Measure recommendations against the truth; print a leaderboard, write a file, draw charts.

    To measure a model: `rankmetrics evaluate TRUTH --users A.parquet --items B.parquet -m ndcg@10`.
    """
    from rankmetrics.plots.files import write_chart

    form = form_of(output, shown_as, arguments, per_list=arguments["per_list"])
    charts = [chart_of(text) for text in plots or ()]
    with evaluated(with_rankings(arguments)) as (result, work):
        show(result, work, output, form, per_list=arguments["per_list"])
        with without_warnings():
            for kind, path in charts:
                write_chart(work(getattr(result.plot, kind)), path)


@app.command(cls=WithSystems)
@command(flags_of("evaluate", without=["dialect"]))
def check(
    recs: Recs,
    arguments: dict[str, Any],
    truth: Truth = None,
    metrics: Metrics = ["hit"],  # noqa: B006  # Typer's way to say the default; it is copied
) -> None:
    """Check the inputs: print the role of each column and the counts of the data. It gives the errors of evaluate."""
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
        for line in [*lines, *result.notes(as_flag)]:
            screen.print(rich_text(line))


@app.command(cls=WithSystems)
@command(flags_of("to_sql", "files_as", "connection"))
def sql(
    recs: Recs,
    metrics: Metrics,
    arguments: dict[str, Any],
    truth: Truth = None,
    recs_table: Annotated[str | None, typer.Option(help="The name of the recommendations in the warehouse.")] = None,
    truth_table: Annotated[str | None, typer.Option(help="The name of the truth in the warehouse.")] = None,
) -> None:
    """Print the SQL, for DuckDB or for a warehouse: as a query, or as a statement for a job.

    The columns of files are found by reading them, and so are the columns of tables with --database or --connection.
    For tables of a warehouse, name the columns: --list (once for each column), --item, --rank or --score, --rating.

    A name without quotes gets the case that the database gives it, such as upper case in Snowflake. '"userId"' keeps
    its case; --quote-names keeps the case of all names.

    --as view and --as table create a view or a table. --as incremental writes the rows of a partition into a table,
    and can run again. --as cte ends in a CTE to select from. --as macro creates a table macro.
    """
    if are_tables(arguments):
        typer.echo(sql_of_tables(arguments))
    else:
        with own_connection(arguments) as connection:
            typer.echo(sql_of_files(arguments, connection))


@app.command(cls=WithSystems)
@command(flags_of("evaluate", without=["metrics", "aggregates", "dialect"]))
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
    """List the conventions of other libraries, explain one, or measure one metric under each."""
    import rankmetrics as rm
    from rankmetrics.metrics.conventions import CONVENTIONS

    if subject is None:
        print_rows(("convention", "library"), [(convention.name, convention.what) for convention in CONVENTIONS])
    elif recs is None:
        _explain_convention(subject)
    elif truth is None:
        raise InputError("Give the truth, too: rankmetrics conventions METRIC RECS TRUTH.")
    else:
        with own_connection(arguments) as connection:
            options = options_of(arguments, connection)
            options["conventions"] = options.pop("convention")
            del options["metrics"]  # the subject is the metric
            compared = rm.compare_conventions(subject, options.pop("recs"), options.pop("truth"), **options)
            with_progress(connection, compared.choices)
            console().print(compared)


@app.command("help")
@command(is_logged=False)
def print_help(
    topic: Annotated[
        list[str] | None, typer.Argument(help="A page, a section, a metric, a command, or words to look for.")
    ] = None,
) -> None:
    """Print a page of the documentation, or the section that an error names; it needs no network.

    `rankmetrics help messages/ranks-missing`, `rankmetrics help ndcg@10`. Several words need no quotes.
    """
    import rankmetrics as rm

    rm.help(*topic or ())


@app.command()
@command(is_logged=False)
def metrics(
    name: Annotated[str | None, typer.Argument(help="A metric, as in ndcg@10.", autocompletion=complete_metric)] = None,
    account: Annotated[
        bool,
        typer.Option("--account", help="List the counts of the account (rows that were left out, and so on) instead."),
    ] = False,
    define: Annotated[
        list[Path] | None, typer.Option(help="A .sql file with a metric of your own, or a folder of them.")
    ] = None,
) -> None:
    """List the metrics, or explain one."""
    from rankmetrics.explanations.metric import explain
    from rankmetrics.metrics.catalog import catalog

    define_all(define)
    if name is not None:
        typer.echo(explain(name))
    elif account:
        print_rows(("count", "what it is"), [(count.name, count.summary) for count in catalog().all("account")])
    else:
        print_rows(("metric", "what it is"), [(metric.name, metric.summary) for metric in catalog().metrics()])


@app.command()
@command(is_logged=False)
def demo(
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Write the files of the sample into this folder instead.", show_default=False
        ),
    ] = None,
) -> None:
    """Measure the sample that ships: three recommenders, two partitions, 500 users."""
    if save is None:
        show_demo(console())
    else:
        for path in save_sample(save):
            typer.echo(path)


def show_demo(screen: Console) -> None:
    """Print the leaderboard of the sample, and the command that gives it."""
    import rankmetrics as rm

    folder = data_folder()
    metrics = ["ndcg@10", "recall@10", "precision@10", "ap@10", "rr", "hit@10"]
    flags = " ".join(f"-m {metric}" for metric in metrics)
    shown = "data" if (folder / "make_sample.py").exists() else str(folder)
    command = f"$ rankmetrics evaluate {shown}/recs.parquet {shown}/truth.parquet \\\n    {flags}\n"
    screen.print(rich_text(command, "bold"))
    screen.print(rm.evaluate(folder / "recs.parquet", folder / "truth.parquet", metrics))


# --- the analysis of an evaluation ------------------------------------------------------------------------------------


statistic = partial(flag_of, group="Statistics")


@app.command(cls=WithSystems)
@command(
    flags_of("evaluate", without=["dialect", "baseline", "baseline_lists"]),  # here, --baseline is a system
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
            "margin",
            "The difference that does not matter, as in 1% of the baseline's mean, or 0.005: tests of equivalence.",
        ),
        statistic(
            "cluster", "A list column that groups dependent lists, as in user. Can be repeated.", kind=list[str] | None
        ),
    ],
)
def compare(
    arguments: dict[str, Any],
    statistics: dict[str, Any],
    recs: Annotated[str | None, typer.Argument(help=meaning_of("recs"), show_default=False)] = None,
    truth: Truth = None,
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
    output: Output = None,
    shown_as: As = None,
) -> None:
    """Compare systems by paired tests: each with a baseline, or all pairs.

    `rankmetrics compare RECS TRUTH -m ndcg@10 --baseline ItemKNN`, or, of saved values per list,
    `rankmetrics compare --per-list before.parquet after.parquet`.
    """
    arguments = {**arguments, "baseline": None, "baseline_lists": None}
    statistics["tests"], form = statistics["tests"] or ("t",), form_of(output, shown_as, arguments)
    with own_connection(arguments) as connection:
        with without_warnings():
            comparison = _comparison(arguments, connection, per_list, statistics)
            with_progress(connection, comparison.collect)
        deliver(comparison, output, form)


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


@completing
def complete_segments() -> Iterable[str]:
    """Segmentations that a word names."""
    from rankmetrics.segments.segmentation import WORDS  # reads SQL trees, which a mistyped command need not wait for

    return WORDS


Segment = typer.Option(
    "-s",
    "--segment",
    help="Segments: activity, popularity or cold; a table and its column, as in gender=users.parquet:gender; or "
    "buckets of a number, as in age=buckets:users.parquet:age:4 or activity=buckets:n_history:5. Can be repeated.",
    autocompletion=complete_segments,
    show_default=False,
)


@app.command(cls=WithSystems)
@command(flags_of("evaluate", without=["dialect", "baseline"]))
def report(
    recs: Recs,
    metrics: Metrics,
    arguments: dict[str, Any],
    output: Annotated[Path, typer.Option("-o", "--output", help="The .html file to write.")],
    truth: Truth = None,
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


@app.command(cls=WithSystems)
@command(flags_of("evaluate", without=["dialect"]))
def segments(
    recs: Recs,
    metrics: Metrics,
    arguments: dict[str, Any],
    segment: Annotated[list[str], Segment],
    truth: Truth = None,
    reversals: Annotated[
        bool,
        typer.Option("--reversals", help="Print the pairs of systems whose order differs between segments instead."),
    ] = False,
    output: Output = None,
    shown_as: As = None,
) -> None:
    """Measure segments of users, queries or items: a leaderboard for each segment."""
    form = form_of(output, shown_as, arguments)
    with evaluated(arguments) as (result, work):
        measured = result.segments(read_segments(segment, takes_tables=is_open(arguments)))
        if reversals:
            print_frame(work(measured.reversals), digits=4)
            return
        with without_warnings():
            work(measured.notes)
            work(measured.compute)
        deliver(measured, output, form)


def read_segments(flags: Iterable[str], *, takes_tables: bool = False) -> dict[str, object]:
    """The segmentations of --segment, as `Result.segments` takes them.

    >>> read_segments(["cold", "activity=buckets:n_history:3"])
    {'cold': 'cold', 'activity': Buckets(of='n_history', column=None, n=3)}
    """
    from rankmetrics.segments.segmentation import WORDS

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
    if not takes_tables and not is_read(table):
        raise no_table(table)
    if is_number:
        return buckets(table, column, **n)
    return table if column is None else (table, column)


@app.command(cls=WithSystems)
@command(flags_of("evaluate", without=["dialect"]))
def trace(
    recs: Recs,
    metrics: Metrics,
    arguments: dict[str, Any],
    truth: Truth = None,
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


@app.command(cls=WithSystems)
@command(flags_of("evaluate", without=["dialect"]))
def worst(
    recs: Recs,
    metrics: Metrics,
    arguments: dict[str, Any],
    truth: Truth = None,
    against: Annotated[
        str | None,
        typer.Option(help="The name of a system to compare with: the lists that lose most against it come first."),
    ] = None,
    of: Annotated[str | None, typer.Option(help="Show only this system.")] = None,
    n: Annotated[int, typer.Option("-n", min=1, help="Number of lists of each system.")] = 20,
    output: Output = None,
    shown_as: As = None,
) -> None:
    """Print the lists of each system with the worst values of a metric, or that lose most against a baseline."""
    form = form_of(output, shown_as, arguments)
    with evaluated(arguments) as (result, work):
        if len(result.metrics) > 1:
            raise InputError(
                "The worst lists are those of one metric: give -m once, with one cutoff.", page="explaining/"
            )
        with without_warnings():
            lists = work(lambda: result.worst(result.metrics[0], against, n, system=of))
        deliver(lists, output, form)


# --- dbt --------------------------------------------------------------------------------------------------------------

dbt_app = typer.Typer(help="Leaderboards as dbt models.", no_args_is_help=True)

Folder = Annotated[Path, typer.Argument(help="The folder of the package, inside a dbt project.")]


def _as_key(option: Option) -> str:
    from rankmetrics.export.dbt.package import as_key

    return as_key(option)


@dbt_app.command()
@command(spell=_as_key, is_logged=False)
def init(
    folder: Folder = Path("rankmetrics"),
    adapter: Annotated[
        str | None,
        typer.Option(help="The adapter to write SQL for (default: that of the project's profile, else duckdb)."),
    ] = None,
) -> None:
    """Create a dbt package: leaderboards.yml to fill in, with a model and a macro for each leaderboard."""
    from rankmetrics.export.dbt import package as dbt
    from rankmetrics.export.dbt.leaderboards import enclosing

    for path in dbt.init(folder, adapter).files:
        typer.echo(f"wrote {path}")
    if around := enclosing(folder):
        local = Path(os.path.relpath(folder.absolute(), around)).as_posix()
        typer.echo(f"\nName it in {os.path.relpath(around / 'packages.yml')}, then run dbt deps:\n")
        typer.echo(f"packages:\n  - local: {local}")


@dbt_app.command(name="write")
@command(spell=_as_key, is_logged=False)
def write_dbt(folder: Folder = Path("rankmetrics")) -> None:
    """Write the models and macros again, from leaderboards.yml."""
    from rankmetrics.export.dbt import package as dbt

    written = dbt.write(folder)
    for path in written.files:
        typer.echo(f"wrote {path}")
    for path in written.removed:
        typer.echo(f"removed {path}")


# --- the commands of other modules, in the order of the help ---

app.command(cls=WithSystems)(gate)
for other in (run, split, rank):
    app.command()(other)
app.add_typer(dbt_app, name="dbt")


# --- what the commands share ------------------------------------------------------------------------------------------


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


if __name__ == "__main__":
    app()
