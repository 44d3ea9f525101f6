"""The commands that make inputs of an evaluation: `split` and `rank`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from rankmetrics.cli.console import Rendered, command, console, own_connection, print_frame, with_progress
from rankmetrics.cli.flags import complete_dialect, complete_metric, completing, flag_of, refuse_tables
from rankmetrics.errors import InputError
from rankmetrics.options import COLUMNS, DUCKDB

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


@completing
def complete_method() -> Iterable[str]:
    """Methods of splitting."""
    from rankmetrics.splits.methods import methods

    return methods()


@command(
    is_logged=False,
    columns=[
        flag_of("user", "The user column.", COLUMNS),
        flag_of("item", "The item column.", COLUMNS),
        flag_of("time", "The time column.", COLUMNS),
        flag_of("rating", "The rating column, for --repeats.", COLUMNS),
    ],
    database=[
        flag_of("connection", "The address of a database that has the table, as in postgresql://me@host/shop."),
        flag_of("database", "A DuckDB database file that has the table; opened read-only.", DUCKDB, Path | None),
        flag_of("memory-limit", "Memory limit of DuckDB, as in 2GB.", DUCKDB),
        flag_of("threads", "Threads of DuckDB (default: one per core).", DUCKDB, int | None, min=1),
    ],
    parameters=[
        flag_of(name.replace("_", "-"), meaning, group, kind | None, show_default=False)
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
            autocompletion=complete_method,
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
            autocompletion=complete_dialect,
        ),
    ] = None,
    table: Annotated[str | None, typer.Option(help="The name of the table in the warehouse, as in db.clicks.")] = None,
) -> None:
    """Split interactions into train and test, print the counts, and write Parquet files.

    The same method, parameters and seed give the same rows on every engine.
    """
    import rankmetrics as rm

    with own_connection(database) as own:
        refuse_tables(database, [interactions], page="splits/")
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
        print_frame(account.sort([name for name in account.columns if not name.startswith("n_")]))
        for path in paths:
            console().print(f"wrote {path}")


TABLE = "a file with an id column, and a column of lists of numbers or a column for each dimension."


USERS = "Factors of the users: rank all items by them and by the factors in --items. TRUTH is then the only argument."


def with_rankings(arguments: dict[str, Any]) -> dict[str, Any]:
    """The values of the flags of `evaluate`, with rankings in place of recommendations where factors are given."""
    if arguments["users"] is None:
        return arguments
    if arguments["items"] is None:
        raise InputError("--users needs the factors of the items, too: --items.", page="models/")
    if arguments["truth"] is not None:
        raise InputError(
            f"--users ranks all items by factors, so {arguments['recs']!r} can be no recommendations: give the truth "
            "alone.",
            page="models/",
        )
    import rankmetrics as rm

    ranked = rm.rank_factors(
        arguments["users"], arguments["items"], arguments["recs"], history=arguments["history"], item=arguments["item"]
    )
    return {**arguments, "recs": ranked, "truth": arguments["recs"], "items": None}


@command(
    ranking=[
        flag_of("k", "The length of the lists (default: all items).", kind=int | None, min=1),
        flag_of(
            "ties",
            "Order of equal scores: item, item_desc or input; or expected, the mean over all orders.",
            kind=str,
            default="item",
        ),
        flag_of("overlap", "Items of a user in both truth and history: error or ignore.", kind=str, default="error"),
        flag_of("user", "The id column of users, if it has an unusual name."),
        flag_of("item", "The id column of items, if it has an unusual name."),
        flag_of("block-rows", "Number of users to rank at a time.", kind=int | None, min=1),
        flag_of("threads", "Threads (default: one per core).", kind=int | None, min=1),
    ]
)
def rank(
    ranking: dict[str, Any],
    users: Annotated[str, typer.Option(help=f"Factors of the users: {TABLE}")],
    items: Annotated[str, typer.Option(help=f"Factors of the items: {TABLE}")],
    truth: Annotated[str, typer.Option(help="The truth: a file with the relevant items of each user.")],
    history: Annotated[
        str | None, typer.Option(help="The items that each user knew before; they are not ranked.")
    ] = None,
    item_biases: Annotated[
        str | None, typer.Option(help="A file with a number for each item id; it is added to the scores.")
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option("-m", "--metric", help="A metric to measure, as in ndcg@10.", autocompletion=complete_metric),
    ] = None,
    convention: Annotated[str | None, typer.Option(help="Follow the definitions of this library.")] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write the ranks to this .parquet file.")
    ] = None,
    top: Annotated[int | None, typer.Option(min=1, help="Write the first N items of each list instead.")] = None,
) -> None:
    """Rank all items for each user by factors, exactly: write the ranks, or measure them.

    The file holds the rank of each relevant item, the first and the last item of each user, and the number of
    candidates in a column `pool`. `rankmetrics evaluate` measures metrics of hits on it, and refuses those that read
    other rows, such as coverage: they need the first items, --top.
    """
    import rankmetrics as rm

    if output is None and not metrics:
        raise InputError("Nothing to do: name a file to write with -o, or a metric to measure with -m.", page="models/")
    if output is not None and output.suffix != ".parquet":
        raise InputError(f"Cannot write {str(output)!r}: end its name in .parquet.", page="models/")
    ranked = rm.rank_factors(users, items, truth, history=history, item_biases=item_biases, **ranking)
    if output is not None:
        ranked.write(output, top=top)
    if metrics:
        console().print(Rendered(rm.evaluate(ranked, truth, metrics, history=history, convention=convention)))
