"""The command `rankmetrics segments`: the metrics in segments of lists or items."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any

import typer

from rankmetrics.cli.console import console, errors_as_sentences, print_frame, with_progress
from rankmetrics.cli.options import Metrics, Recs, Truth, taking
from rankmetrics.cli.request import connected, is_read, result_of
from rankmetrics.engines.kinds import no_table
from rankmetrics.errors import InputError
from rankmetrics.segments.given import NUMBERS, WORDS, Buckets, buckets

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
                "gender=users.parquet:gender."
            )
        if name in found:
            raise InputError(f"--segment names {name!r} twice: give each segmentation a name of its own.")
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
