"""The command line: rankmetrics evaluate | sql | check | metrics | demo."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from rankmetrics._files import data_folder
from rankmetrics.console import console, own_connection, print_frame, print_rows, told, with_progress
from rankmetrics.engines.base import files, no_table
from rankmetrics.errors import InputError

if TYPE_CHECKING:
    from rankmetrics.columns import Columns
    from rankmetrics.result import Result

app = typer.Typer(
    help="Offline ranking metrics written as SQL.", no_args_is_help=True, add_completion=True, rich_markup_mode="rich"
)


def _complete_metric(incomplete: str) -> list[str]:
    from rankmetrics.catalog import catalog

    spellings = [name for one in catalog().metrics() for name in (one.name, *one.aliases)]
    return sorted(one for one in spellings if one.lower().startswith(incomplete.lower()))


def _complete_dialect(incomplete: str) -> list[str]:
    from rankmetrics.dialect import DIALECTS

    return sorted(one for one in DIALECTS if one.startswith(incomplete))


Recs = Annotated[
    str, typer.Argument(help="Recommendations: a Parquet, CSV or JSON file, a glob, a folder, or a table.")
]
Truth = Annotated[str, typer.Argument(help="What was relevant: a file, a glob, a folder, or a table.")]
Metrics = Annotated[
    list[str],
    typer.Option(
        "-m", "--metric", help="A metric, as in recall@5,10,20; as often as needed.", autocompletion=_complete_metric
    ),
]
By = Annotated[
    list[str] | None, typer.Option(help="A list column that the summary keeps (default: those the truth has not).")
]
Whole = Annotated[bool, typer.Option("--overall", help="One row over everything, in place of --by.")]
Lists = Annotated[
    list[str] | None, typer.Option("--list", help="A column that identifies a list (default: all that play no role).")
]
TruthLists = Annotated[
    list[str] | None, typer.Option("--truth-list", help="A list column that the truth shares (default: those it has).")
]
Item = Annotated[str | None, typer.Option(help="The item column.")]
Rank = Annotated[str | None, typer.Option(help="The rank column of the recommendations.")]
Score = Annotated[str | None, typer.Option(help="The score column of the recommendations.")]
Rating = Annotated[str | None, typer.Option(help="The rating column of the truth.")]
TruthItem = Annotated[str | None, typer.Option(help="The item column of the truth, where it has another name.")]
Missing = Annotated[str, typer.Option(help="Lists without recommendations: zero or skip.")]
Ties = Annotated[
    str | None, typer.Option(help="First among equal scores: item, item_desc or input (the order of the rows).")
]
Duplicates = Annotated[str, typer.Option(help="Repeated items: count or error.")]
Defines = Annotated[list[Path] | None, typer.Option("--define", help="A .sql file with a metric of your own.")]
Database = Annotated[
    Path | None, typer.Option(help="A DuckDB database file whose tables may be named; opened read-only.")
]
MemoryLimit = Annotated[str | None, typer.Option(help="Memory for DuckDB, as in 2GB; beyond it, work goes to disk.")]
Threads = Annotated[int | None, typer.Option(min=1, help="Threads for DuckDB (default: every core).")]
PerList = Annotated[bool, typer.Option("--per-list", help="One row per list instead of the summary.")]


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


@app.command()
def evaluate(
    recs: Recs,
    truth: Truth,
    metric: Metrics,
    by: By = None,
    overall: Whole = False,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write a .parquet, .csv or .json file.")] = None,
    per_list: PerList = False,
    lists: Lists = None,
    truth_lists: TruthLists = None,
    item: Item = None,
    rank: Rank = None,
    score: Score = None,
    rating: Rating = None,
    truth_item: TruthItem = None,
    missing: Missing = "zero",
    ties: Ties = None,
    duplicates: Duplicates = "count",
    define: Defines = None,
    database: Database = None,
    memory_limit: MemoryLimit = None,
    threads: Threads = None,
) -> None:
    """Measure recommendations against the truth: a leaderboard, or a file."""
    with told(), own_connection(database, memory_limit, threads) as connection:
        result = _result(locals())
        if output is not None:
            with_progress(connection, lambda: result.write(output, per_list=per_list))
        elif per_list:
            with_progress(connection, result.check)
            print_frame(with_progress(connection, lambda: result.collect(per_list=True)))
        else:
            with_progress(connection, result.notes)
            console().print(result)


@app.command()
def check(
    recs: Recs,
    truth: Truth,
    metric: Metrics = ["hit"],  # noqa: B006  # Typer's way to say the default; it is copied
    lists: Lists = None,
    truth_lists: TruthLists = None,
    item: Item = None,
    rank: Rank = None,
    score: Score = None,
    rating: Rating = None,
    truth_item: TruthItem = None,
    missing: Missing = "zero",
    ties: Ties = None,
    duplicates: Duplicates = "count",
    define: Defines = None,
    database: Database = None,
    memory_limit: MemoryLimit = None,
    threads: Threads = None,
) -> None:
    """Say what every column is taken for and what the data holds; refuse what evaluate would refuse."""
    with told(), own_connection(database, memory_limit, threads) as connection:
        result = _result(locals())
        layout, screen = result.layout, console()
        with_progress(connection, result.check)
        lines = [f"lists: {', '.join(layout.lists)}; the truth has {', '.join(layout.truth_lists)}"]
        for table, roles in (("recommendations", layout.recs), ("truth", layout.truth)):
            played = ", ".join(f"{role} = {name}" for role, name in vars(roles).items() if name)
            lines.append(f"{table}: {played}")
        for line in [*lines, *result.notes()]:
            screen.print(Text(line))


@app.command()
def sql(
    recs: Recs,
    truth: Truth,
    metric: Metrics,
    dialect: Annotated[str, typer.Option(help="The dialect to write.", autocompletion=_complete_dialect)] = "duckdb",
    by: By = None,
    overall: Whole = False,
    per_list: PerList = False,
    lists: Lists = None,
    truth_lists: TruthLists = None,
    item: Item = None,
    rank: Rank = None,
    score: Score = None,
    rating: Rating = None,
    truth_item: TruthItem = None,
    missing: Missing = "zero",
    ties: Ties = None,
    define: Defines = None,
    database: Database = None,
    recs_table: Annotated[
        str | None, typer.Option(help="What the recommendations are called in the warehouse.")
    ] = None,
    truth_table: Annotated[str | None, typer.Option(help="What the truth is called in the warehouse.")] = None,
) -> None:
    """Print the one query, for DuckDB or for a warehouse.

    Files (or tables with --database) are looked at for their columns. Where RECS and TRUTH are tables of a warehouse,
    name the columns: --list for each that identifies a list, --item, --rank or --score, --rating. Names are quoted as
    they are written: in Snowflake, write those made without quotes in upper case.
    """
    with told():
        if database is None and files(recs) is None:
            text = _sql_of_tables(locals())
        else:
            with own_connection(database, None, None) as connection:
                result = _result({**locals(), "connection": connection, "duplicates": "count"})
                text = result.to_sql(dialect, per_list=per_list, recs=recs_table, truth=truth_table)
        typer.echo(text)


@app.command()
def metrics(
    name: Annotated[
        str | None, typer.Argument(help="A metric, as in ndcg@10.", autocompletion=_complete_metric)
    ] = None,
    account: Annotated[bool, typer.Option("--account", help="List the counts of the account instead.")] = False,
    define: Defines = None,
) -> None:
    """List the metrics, or explain one."""
    from rankmetrics.catalog import catalog
    from rankmetrics.explanation import explain

    with told():
        _define(define)
        if name is not None:
            typer.echo(explain(name))
            return
        if account:
            print_rows(("count", "what it is"), [(one.name, one.summary) for one in catalog().all("account")])
            return
        rows = [(one.name, ", ".join(catalog().parameters(one.name)), one.summary) for one in catalog().metrics()]
        print_rows(("metric", "parameters", "what it is"), rows)


@app.command()
def demo() -> None:
    """Measure the sample that ships: three recommenders, two partitions, 500 users."""
    with told():
        show_demo(console())


def show_demo(screen: Console) -> None:
    """Print the leaderboard of the sample, and the command that gives it."""
    import rankmetrics as rm

    folder = data_folder()
    asked = ["ndcg@10", "recall@10", "precision@10", "ap@10", "rr", "hit@10"]
    flags = " ".join(f"-m {one}" for one in asked)
    shown = "data" if (folder / "make_sample.py").exists() else str(folder)
    command = f"$ rankmetrics evaluate {shown}/recs.parquet {shown}/truth.parquet \\\n    {flags}\n"
    screen.print(Text(command, style="bold"))
    screen.print(rm.evaluate(folder / "recs.parquet", folder / "truth.parquet", asked))


# --- what the commands share ------------------------------------------------------------------------------------------


def _result(given: dict[str, Any]) -> Result:
    """The Result for what a command was given."""
    import rankmetrics as rm

    _define(given.get("define"))
    for value in (given["recs"], given["truth"]):
        if given["database"] is None and files(value) is None:
            raise no_table(value)
    return rm.evaluate(
        given["recs"],
        given["truth"],
        given["metric"],
        by=_by(given),
        lists=given["lists"] or None,
        truth_lists=given["truth_lists"] or None,
        columns=_columns(given),
        truth_columns=_truth_columns(given),
        missing=given["missing"],
        ties=given["ties"],
        duplicates=given["duplicates"],
        connection=given["connection"],
    )


def _by(given: dict[str, Any]) -> list[str] | None:
    if not given.get("overall"):
        return given.get("by") or None
    if given["by"]:
        raise InputError("--overall is one row over everything, and --by one for each of something: give one of them.")
    return []


def _columns(given: dict[str, Any]) -> Columns:
    from rankmetrics.columns import Columns

    return Columns(item=given["item"], rank=given["rank"], score=given["score"], rating=given["rating"])


def _truth_columns(given: dict[str, Any]) -> Columns | None:
    from rankmetrics.columns import Columns

    return Columns(item=given["truth_item"], rating=given["rating"]) if given["truth_item"] else None


def _define(paths: Sequence[Path] | None) -> None:
    import rankmetrics as rm

    for path in paths or ():
        rm.define(path)


def _sql_of_tables(given: dict[str, Any]) -> str:
    import rankmetrics as rm

    _define(given["define"])
    if not given["lists"]:
        raise InputError(
            f"{given['recs']!r} is no file, and a table of a warehouse cannot be looked at from here: name the columns "
            "that identify a list with --list, and --item, --rank or --score, --rating where they are not item, rank."
        )
    return rm.to_sql(
        given["recs_table"] or given["recs"],
        given["truth_table"] or given["truth"],
        given["metric"],
        lists=given["lists"],
        truth_lists=given["truth_lists"] or None,
        by=_by(given),
        columns=_columns(given),
        truth_columns=_truth_columns(given),
        missing=given["missing"],
        ties=given["ties"],
        dialect=given["dialect"],
        per_list=given["per_list"],
    )


if __name__ == "__main__":
    app()
