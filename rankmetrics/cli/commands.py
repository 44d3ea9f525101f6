"""The command line: `rankmetrics evaluate`, and the other commands that `rankmetrics --help` lists."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from rankmetrics._files import data_folder, new_file
from rankmetrics.cli.analysis import compare, report, segments, trace, worst
from rankmetrics.cli.console import (
    Rendered,
    WithSystems,
    Work,
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
    are_tables,
    as_flag,
    complete_metric,
    define_all,
    flags_of,
    meaning_of,
    options_of,
    sql_of_files,
    sql_of_tables,
)
from rankmetrics.cli.gate import gate, run
from rankmetrics.cli.inputs import USERS, rank, split, with_rankings
from rankmetrics.errors import InputError, MetricError, Option, did_you_mean, names
from rankmetrics.inputs.sources import CALLED
from rankmetrics.options import INPUTS

if TYPE_CHECKING:
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


AS = "Print the summary as table, markdown, latex, csv, json (with account, versions, request) or jsonl."
OUTPUT = "Write to this .parquet, .csv, .json, .md or .tex file; - is standard output."
PLOT = (
    "Draw a chart (curve, leaderboard, tradeoff or distribution) into an .svg, .png, .html or .json file, as in "
    "curve.svg or curve=ndcg.svg. Can be repeated."
)

# Where no form is named: the form of text by the ending of a file, and that of standard output.
FORM_OF = {".md": "markdown", ".tex": "latex"}
STDOUT, FORM_OF_STDOUT = Path("-"), "csv"

# The charts that can be drawn, each from the first metrics that fit.
CHARTS = ("curve", "leaderboard", "tradeoff", "distribution", "compare")


def form_of(path: Path | None, form: str | None, arguments: Mapping[str, Any]) -> str | None:
    """The form of text to print or write; None to write a file as its name says, or to print as usual."""
    from rankmetrics.results.result import refuse_form

    for name in arguments["format"] or ():
        if name in ("markdown", "latex", "table"):
            raise InputError(f"--format names the format of input files. To print the result: --as {name}.")
    if form is None and path is not None:
        form = FORM_OF_STDOUT if path == STDOUT else FORM_OF.get(path.suffix.lower())
    if form not in (None, "table"):
        refuse_form(form, per_list=arguments["per_list"])
    return None if form == "table" and path is None else form


def show(result: Result, work: Work[Any], path: Path | None, form: str | None, *, per_list: bool) -> None:
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
            text = work(lambda: result.to_text(form, per_list=per_list))
            if path is None or path == STDOUT:
                typer.echo(text, nl=False)
            else:
                with new_file(path) as temporary:
                    temporary.write_text(text, encoding="utf-8")
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
    truth: Annotated[str | None, typer.Argument(help=meaning_of("truth"), show_default=False)] = None,
    users: Annotated[str | None, typer.Option(help=USERS, rich_help_panel=INPUTS)] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help=OUTPUT)] = None,
    shown_as: Annotated[str | None, typer.Option("--as", help=AS)] = None,
    plots: Annotated[list[str] | None, typer.Option("--plot", help=PLOT)] = None,
) -> None:
    """Measure recommendations against the truth; print a leaderboard, write a file, draw charts.

    To measure a model: `rankmetrics evaluate TRUTH --users A.parquet --items B.parquet -m ndcg@10`.
    """
    from rankmetrics.plots.files import write_chart

    form, charts = form_of(output, shown_as, arguments), [chart_of(text) for text in plots or ()]
    with evaluated(with_rankings(arguments)) as (result, work):
        show(result, work, output, form, per_list=arguments["per_list"])
        with without_warnings():
            for kind, path in charts:
                write_chart(work(getattr(result.plot, kind)), path)


@app.command(cls=WithSystems)
@command(flags_of("evaluate", without=["dialect"]))
def check(
    recs: Recs,
    truth: Truth,
    arguments: dict[str, Any],
    metrics: Metrics = ["hit"],  # noqa: B006  # Typer's way to say the default; it is copied
) -> None:
    """Check the inputs: print the role of each column and the counts of the data. It gives the errors of evaluate."""
    with evaluated(arguments) as (result, work):
        layout, screen = result.layout, console()
        with without_warnings():
            work(result.check)
        lines = [f"lists: {', '.join(layout.lists)}; the truth has {', '.join(layout.truth_lists)}"]
        for name in layout.names():
            roles = [f"{role} = {column}" for role, column in layout.side(name).roles.roles.items()]
            lines.append(f"{CALLED[name]}: {', '.join(roles)}")
        for line in [*lines, *result.notes(as_flag)]:
            screen.print(Text(line))


@app.command(cls=WithSystems)
@command(flags_of("to_sql", "files_as", "connection"))
def sql(
    recs: Recs,
    truth: Truth,
    metrics: Metrics,
    arguments: dict[str, Any],
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


@app.command()
@command(is_logged=False)
def metrics(
    name: Annotated[str | None, typer.Argument(help="A metric, as in ndcg@10.", autocompletion=complete_metric)] = None,
    account: Annotated[
        bool,
        typer.Option("--account", help="List the counts of the account (rows that were left out, and so on) instead."),
    ] = False,
    define: Annotated[list[Path] | None, typer.Option(help="A .sql file with a metric of your own.")] = None,
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
        rows = [
            (metric.name, ", ".join(catalog().own_parameters(metric.name)), metric.summary)
            for metric in catalog().metrics()
        ]
        print_rows(("metric", "parameters", "what it is"), rows)


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
    screen.print(Text(command, style="bold"))
    screen.print(rm.evaluate(folder / "recs.parquet", folder / "truth.parquet", metrics))


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

for other in (compare, report, segments, trace, worst, gate):
    app.command(cls=WithSystems)(other)
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
