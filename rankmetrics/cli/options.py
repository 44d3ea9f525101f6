"""The options that the commands of the command line share: each declared once."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from inspect import Signature, signature
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from rankmetrics.engines.systems import SYSTEM


def complete_metric(incomplete: str) -> list[str]:
    """Spellings of metrics that start so."""
    from rankmetrics.metrics.catalog import catalog

    spellings = [name for one in catalog().metrics() for name in (one.name, *one.aliases)]
    return sorted(one for one in spellings if one.lower().startswith(incomplete.lower()))


def complete_dialect(incomplete: str) -> list[str]:
    """Dialects that start so."""
    from rankmetrics.dialects.base import DIALECTS

    return sorted(one for one in DIALECTS if one.startswith(incomplete))


def complete_form(incomplete: str) -> list[str]:
    """Forms of a query that start so."""
    from rankmetrics.planner.statements import FORMS

    return sorted(one for one in FORMS if one.startswith(incomplete))


def complete_convention(incomplete: str) -> list[str]:
    """Conventions that start so."""
    from rankmetrics.metrics.conventions import CONVENTIONS

    return sorted(one.name for one in CONVENTIONS if one.name.startswith(incomplete))


Recs = Annotated[
    str,
    typer.Argument(help="Recommendations: a Parquet, CSV, JSON or Arrow file, a glob, a folder, a table, or a SELECT."),
]
Truth = Annotated[str, typer.Argument(help="What was relevant: a file, a glob, a folder, a table, or a SELECT.")]
Metrics = Annotated[
    list[str],
    typer.Option(
        "-m",
        "--metric",
        help="A metric, as in recall@5,10,20, or accuracy=ndcg@10 to name its column; as often as needed.",
        autocompletion=complete_metric,
    ),
]
Defines = Annotated[list[Path] | None, typer.Option("--define", help="A .sql file with a metric of your own.")]
PerList = Annotated[bool, typer.Option("--per-list", help="One row per list instead of the summary.")]

OF_COLUMNS, OF_INPUTS, OF_DATABASES, OF_DUCKDB = "Columns", "More inputs", "Other databases", "DuckDB"


def data(
    by: Annotated[
        list[str] | None, typer.Option(help="A list column that the summary keeps (default: those the truth has not).")
    ] = None,
    overall: Annotated[bool, typer.Option("--overall", help="One row over everything, in place of --by.")] = False,
    convention: Annotated[
        str | None,
        typer.Option(
            help="Whose spellings and definitions hold, as in lenskit-0.14.", autocompletion=complete_convention
        ),
    ] = None,
    missing: Annotated[
        str | None, typer.Option(help="Lists without recommendations: zero or skip; or take listed, history, baseline.")
    ] = None,
    ties: Annotated[
        str | None,
        typer.Option(help="First among equal scores: item, item_desc, text_desc or input (the order of the rows)."),
    ] = None,
    lists: Annotated[
        list[str] | None,
        typer.Option(
            "--list",
            help="A column that identifies a list (default: all that play no role).",
            rich_help_panel=OF_COLUMNS,
        ),
    ] = None,
    truth_lists: Annotated[
        list[str] | None,
        typer.Option(
            "--truth-list",
            help="A list column that the truth shares, by its name or as user=user_id (default: those it has).",
            rich_help_panel=OF_COLUMNS,
        ),
    ] = None,
    item: Annotated[str | None, typer.Option(help="The item column.", rich_help_panel=OF_COLUMNS)] = None,
    rank: Annotated[
        str | None, typer.Option(help="The rank column of the recommendations.", rich_help_panel=OF_COLUMNS)
    ] = None,
    score: Annotated[
        str | None, typer.Option(help="The score column of the recommendations.", rich_help_panel=OF_COLUMNS)
    ] = None,
    distance: Annotated[
        str | None,
        typer.Option(
            help="The column of the recommendations that ranks them, the lower the better.", rich_help_panel=OF_COLUMNS
        ),
    ] = None,
    lower_is_better: Annotated[
        bool, typer.Option("--lower-is-better", help="The score is a distance.", rich_help_panel=OF_COLUMNS)
    ] = False,
    rank_from: Annotated[
        int, typer.Option(min=0, max=1, help="The rank of a list's first item: 1 or 0.", rich_help_panel=OF_COLUMNS)
    ] = 1,
    system_from_file: Annotated[
        str | None,
        typer.Option(
            metavar="[NAME]",
            help="Each file of RECS is a system: its name becomes the list column NAME, or system.",
            rich_help_panel=OF_COLUMNS,
        ),
    ] = None,
    files_are_parts: Annotated[
        bool,
        typer.Option("--files-are-parts", help="The files of RECS are parts of one table.", rich_help_panel=OF_COLUMNS),
    ] = False,
    pool: Annotated[
        str | None,
        typer.Option(help="The column with how many candidates a list was ranked from.", rich_help_panel=OF_COLUMNS),
    ] = None,
    rating: Annotated[
        str | None, typer.Option(help="The rating column of the truth.", rich_help_panel=OF_COLUMNS)
    ] = None,
    truth_item: Annotated[
        str | None,
        typer.Option(help="The item column of the truth, where it has another name.", rich_help_panel=OF_COLUMNS),
    ] = None,
    history: Annotated[
        str | None, typer.Option(help="What each list's owner knew before.", rich_help_panel=OF_INPUTS)
    ] = None,
    baseline: Annotated[
        str | None, typer.Option(help="Recommendations to compare with.", rich_help_panel=OF_INPUTS)
    ] = None,
    items: Annotated[
        str | None,
        typer.Option(help="Categories, embeddings or popularity of the items.", rich_help_panel=OF_INPUTS),
    ] = None,
    similarity: Annotated[
        str | None, typer.Option(help="How alike two items are, per pair.", rich_help_panel=OF_INPUTS)
    ] = None,
    catalog: Annotated[
        str | None, typer.Option(help="The items that could be recommended.", rich_help_panel=OF_INPUTS)
    ] = None,
    extra_column: Annotated[
        list[str] | None,
        typer.Option(help="A column of one of these, as in items.category=genre.", rich_help_panel=OF_INPUTS),
    ] = None,
    define: Defines = None,
    connection: Annotated[
        str | None,
        typer.Option(
            help="The address of a database whose tables are named, as in postgresql://user@host/name.",
            rich_help_panel=OF_DATABASES,
        ),
    ] = None,
    database: Annotated[
        Path | None,
        typer.Option(
            help="A DuckDB database file whose tables may be named; opened read-only.", rich_help_panel=OF_DUCKDB
        ),
    ] = None,
) -> None:
    """What every command takes that looks at data."""


def filtering(
    where: Annotated[
        list[str] | None,
        typer.Option(
            help="Take only the rows for which this holds, as in \"day = '2024-01-01'\": of every input that has the "
            "columns, or of one, as in \"recs: model = 'als'\"; as often as needed.",
            rich_help_panel=OF_INPUTS,
        ),
    ] = None,
) -> None:
    """What every command takes that looks at some rows only."""


def computing(
    duplicates: Annotated[str, typer.Option(help="Repeated items: count or error.")] = "count",
    memory_limit: Annotated[
        str | None,
        typer.Option(help="Memory for DuckDB, as in 2GB; beyond it, work goes to disk.", rich_help_panel=OF_DUCKDB),
    ] = None,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Threads for DuckDB (default: every core).", rich_help_panel=OF_DUCKDB)
    ] = None,
) -> None:
    """What every command takes that computes."""


def aggregating(
    aggregate: Annotated[
        list[str] | None,
        typer.Option(help="What to make of the lists' values: mean, median, std, ci(0.95), ...; as often as needed."),
    ] = None,
) -> None:
    """What every command takes that summarizes."""


class WithSystems(TyperCommand):
    """A command whose --system-from-file may go without a name: Typer has no such options."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments, with the usual name where none is given."""
        flag = "--system-from-file"
        if flag in args:
            place = args.index(flag) + 1
            if place == len(args) or not re.fullmatch(r"\w+", args[place]):
                args = [*args[:place], SYSTEM, *args[place:]]
        return super().parse_args(ctx, args)


def taking(*shared: Callable[..., None]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A command with the options of others beside its own: they come to it as one mapping, `given`."""

    def with_options(command: Callable[..., None]) -> Callable[..., None]:
        own = [one for one in signature(command, eval_str=True).parameters.values() if one.name != "given"]
        more = [one for function in shared for one in signature(function, eval_str=True).parameters.values()]

        @wraps(command)
        def run(**values: Any) -> None:
            command(**{one.name: values[one.name] for one in own}, given=values)

        parameters = [one.replace(kind=one.KEYWORD_ONLY) for one in [*own, *more]]
        run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # it is what Typer reads
        run.__annotations__ = {one.name: one.annotation for one in parameters}
        return run

    return with_options
