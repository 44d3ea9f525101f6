"""The command line: `rankmetrics evaluate`, and the other commands that `rankmetrics --help` lists."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from rankmetrics._files import data_folder
from rankmetrics.cli import lists
from rankmetrics.cli.compare import compare
from rankmetrics.cli.console import (
    console,
    errors_as_sentences,
    print_rows,
    with_progress,
    without_warnings,
)
from rankmetrics.cli.dbt import app as dbt_app
from rankmetrics.cli.flags import as_flag, complete_metric
from rankmetrics.cli.gate import gate
from rankmetrics.cli.options import Metrics, Recs, Truth, WithSystems, meaning_of, taking
from rankmetrics.cli.output import AS, OUTPUT, PLOT, Output
from rankmetrics.cli.rank import USERS, rank, with_rankings
from rankmetrics.cli.report import report
from rankmetrics.cli.request import (
    are_tables,
    connected,
    define_all,
    options_of,
    result_of,
    sql_of_files,
    sql_of_tables,
)
from rankmetrics.cli.run import run
from rankmetrics.cli.sample import save_sample
from rankmetrics.cli.segments import segments
from rankmetrics.cli.split import split
from rankmetrics.declaration import INPUTS
from rankmetrics.errors import InputError, MetricError
from rankmetrics.inputs.sources import CALLED

app = typer.Typer(
    help="Offline ranking metrics written as SQL.", no_args_is_help=True, add_completion=True, rich_markup_mode="rich"
)


def _print_version(wanted: bool) -> None:
    if wanted:
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
@taking("evaluate", "per_list", without=["dialect"])
def evaluate(
    recs: Recs,
    metrics: Metrics,
    given: dict[str, Any],
    truth: Annotated[str | None, typer.Argument(help=meaning_of("truth"), show_default=False)] = None,
    users: Annotated[str | None, typer.Option(help=USERS, rich_help_panel=INPUTS)] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help=OUTPUT)] = None,
    shown_as: Annotated[str | None, typer.Option("--as", help=AS)] = None,
    plots: Annotated[list[str] | None, typer.Option("--plot", help=PLOT)] = None,
) -> None:
    """Measure recommendations against the truth; print a leaderboard, write a file, draw charts.

    To measure a model: `rankmetrics evaluate TRUTH --users A.parquet --items B.parquet -m ndcg@10`.
    """
    with errors_as_sentences(), connected(given) as connection:
        wanted = Output.of_flags(output, shown_as, plots, given)
        wanted.give(result_of(with_rankings(given), connection), connection)


@app.command(cls=WithSystems)
@taking("evaluate", without=["dialect"])
def check(
    recs: Recs,
    truth: Truth,
    given: dict[str, Any],
    metrics: Metrics = ["hit"],  # noqa: B006  # Typer's way to say the default; it is copied
) -> None:
    """Check the inputs: print the role of each column and the counts of the data. It gives the errors of evaluate."""
    with errors_as_sentences(), connected(given) as connection:
        result = result_of(given, connection)
        layout, screen = result.layout, console()
        with without_warnings():
            with_progress(connection, result.check)
        lines = [f"lists: {', '.join(layout.lists)}; the truth has {', '.join(layout.truth_lists)}"]
        for name in layout.names():
            roles = [f"{role} = {column}" for role, column in layout.side(name).roles.roles.items()]
            lines.append(f"{CALLED[name]}: {', '.join(roles)}")
        for line in [*lines, *result.notes(as_flag)]:
            screen.print(Text(line))


@app.command(cls=WithSystems)
@taking("to_sql", "files_as", "connection")
def sql(
    recs: Recs,
    truth: Truth,
    metrics: Metrics,
    given: dict[str, Any],
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
    with errors_as_sentences():
        if are_tables(given):
            written = sql_of_tables(given)
        else:
            with connected(given) as connection:
                written = sql_of_files(given, connection)
        typer.echo(written)


@app.command(cls=WithSystems)
@taking("evaluate", without=["metrics", "aggregates", "dialect"])
def conventions(
    given: dict[str, Any],
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

    with errors_as_sentences():
        if subject is None:
            print_rows(("convention", "library"), [(convention.name, convention.what) for convention in CONVENTIONS])
        elif recs is None:
            _explain_convention(subject)
        elif truth is None:
            raise InputError("Give the truth, too: rankmetrics conventions METRIC RECS TRUTH.")
        else:
            with connected(given) as connection:
                options = options_of(given, connection)
                options["conventions"] = options.pop("convention")
                del options["metrics"]  # the subject is the metric
                compared = rm.compare_conventions(subject, options.pop("recs"), options.pop("truth"), **options)
                with_progress(connection, compared.choices)
                console().print(compared)


@app.command()
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

    with errors_as_sentences():
        define_all(define)
        if name is not None:
            typer.echo(explain(name))
            return
        if account:
            print_rows(("count", "what it is"), [(count.name, count.summary) for count in catalog().all("account")])
            return
        rows = [
            (metric.name, ", ".join(catalog().own_parameters(metric.name)), metric.summary)
            for metric in catalog().metrics()
        ]
        print_rows(("metric", "parameters", "what it is"), rows)


@app.command()
def demo(
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Write the files of the sample into this folder instead.", show_default=False
        ),
    ] = None,
) -> None:
    """Measure the sample that ships: three recommenders, two partitions, 500 users."""
    with errors_as_sentences():
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


# --- the commands of other modules, in the order of the help ---

app.command(cls=WithSystems)(compare)
app.command(name="report", cls=WithSystems)(report)
app.command(cls=WithSystems)(segments)
lists.add_to(app)
app.command(cls=WithSystems)(gate)
app.command()(run)
app.command(name="split")(split)
app.command()(rank)
app.add_typer(dbt_app, name="dbt")


# --- what the commands share ------------------------------------------------------------------------------------------


def _explain_convention(subject: str) -> None:
    """Print a convention, or a metric as each convention defines it."""
    from rankmetrics.conventions.tables import definitions, described
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
