"""The command `rankmetrics rank`: ranks by factors, into a file or measured at once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from rankmetrics.cli.console import Rendered, console, errors_as_sentences
from rankmetrics.cli.flags import complete_metric
from rankmetrics.cli.logs import Verbose, logged
from rankmetrics.errors import InputError

TABLE = "a file with an id column, and a column of lists of numbers or a column for each dimension."


USERS = "Factors of the users: rank all items by them and by the factors in --items. TRUTH is then the only argument."


def with_rankings(given: dict[str, Any]) -> dict[str, Any]:
    """The values of the flags of `evaluate`, with rankings in place of recommendations where factors are given."""
    if given["users"] is None:
        if given["truth"] is None:
            raise InputError(f"What was relevant is missing: rankmetrics evaluate {given['recs']} TRUTH.")
        return given
    if given["items"] is None:
        raise InputError("--users needs the factors of the items, too: --items.")
    if given["truth"] is not None:
        raise InputError(
            f"--users ranks all items by factors, so {given['recs']!r} can be no recommendations: give the truth alone."
        )
    import rankmetrics as rm

    ranked = rm.rank_factors(
        given["users"], given["items"], given["recs"], history=given["history"], item=given["item"]
    )
    return {**given, "recs": ranked, "truth": given["recs"], "items": None}


def rank(
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
    k: Annotated[int | None, typer.Option(min=1, help="The length of the lists (default: all items).")] = None,
    ties: Annotated[
        str,
        typer.Option(help="Order of equal scores: item, item_desc or input; or expected, the mean over all orders."),
    ] = "item",
    overlap: Annotated[str, typer.Option(help="Items of a user in both truth and history: error or ignore.")] = "error",
    user: Annotated[str | None, typer.Option(help="The id column of users, if it has an unusual name.")] = None,
    item: Annotated[str | None, typer.Option(help="The id column of items, if it has an unusual name.")] = None,
    block_rows: Annotated[int | None, typer.Option(min=1, help="Number of users to rank at a time.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Threads (default: one per core).")] = None,
    verbose: Verbose = 0,
) -> None:
    """Rank all items for each user by factors, exactly: write the ranks, or measure them.

    The file holds the rank of each relevant item, the first and the last item of each user, and the number of
    candidates in a column `pool`. `rankmetrics evaluate` measures it as it is.
    """
    import rankmetrics as rm

    with logged(verbose), errors_as_sentences():
        if output is None and not metrics:
            raise InputError("Nothing to do: name a file to write with -o, or a metric to measure with -m.")
        if output is not None and output.suffix != ".parquet":
            raise InputError(f"Cannot write {str(output)!r}: end its name in .parquet.")
        options: dict[str, Any] = {"ties": ties, "overlap": overlap}
        ranked = rm.rank_factors(
            users,
            items,
            truth,
            history=history,
            item_biases=item_biases,
            k=k,
            user=user,
            item=item,
            block_rows=block_rows,
            threads=threads,
            **options,
        )
        if output is not None:
            ranked.write(output, top=top)
        if metrics:
            console().print(Rendered(rm.evaluate(ranked, truth, metrics, history=history, convention=convention)))
