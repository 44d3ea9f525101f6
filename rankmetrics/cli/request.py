"""What a command of the command line was given, as evaluate and to_sql take it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankmetrics.cli.console import own_connection
from rankmetrics.engines.base import no_table
from rankmetrics.engines.paths import files, is_query
from rankmetrics.engines.systems import PARTS
from rankmetrics.errors import InputError
from rankmetrics.inputs.sources import EXTRAS

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from rankmetrics.inputs.columns import Columns
    from rankmetrics.result import Result


@contextmanager
def connected(given: Mapping[str, Any]) -> Iterator[DuckDBPyConnection]:
    """A connection of our own for as long as a command runs."""
    with own_connection(given["database"], given.get("memory_limit"), given.get("threads")) as connection:
        yield connection


def result_of(given: Mapping[str, Any], connection: DuckDBPyConnection) -> Result:
    """The Result for what a command was given."""
    import rankmetrics as rm

    options = options_of(given, connection)
    aggregates = given.get("aggregate") or "mean"
    return rm.evaluate(
        options.pop("recs"), options.pop("truth"), metrics_of(given["metric"]), aggregates=aggregates, **options
    )


def metrics_of(given: Sequence[str]) -> list[str | dict[str, str]]:
    """Metrics as they were asked for: `accuracy=ndcg@10` names the column."""
    named = [re.fullmatch(r"\s*(\w+)\s*=(.+)", one) for one in given]
    return [{found[1]: found[2]} if found else one for one, found in zip(given, named, strict=True)]


def options_of(given: Mapping[str, Any], connection: DuckDBPyConnection) -> dict[str, Any]:
    """What evaluate is given, as a command was given it."""
    if given["database"] and given["connection"]:
        raise InputError("--database names a file of DuckDB, and --connection another database: give one of them.")
    define_all(given.get("define"))
    inputs = inputs_of(given)
    for value in inputs.values():
        if given["database"] is None and given["connection"] is None and not is_read(value):
            raise no_table(value)
    return {
        **inputs,
        "by": _by(given),
        "lists": given["lists"] or None,
        "truth_lists": _truth_lists(given),
        "columns": _columns(given),
        "truth_columns": _truth_columns(given),
        "extra_columns": _extra_columns(given["extra_column"] or ()),
        "convention": given["convention"],
        "missing": given["missing"],
        "ties": given["ties"],
        "files_as": _files_as(given),
        "lower_is_better": given["lower_is_better"],
        "rank_from": given["rank_from"],
        "duplicates": given.get("duplicates", "count"),
        "connection": given["connection"] or connection,
        "where": given["where"] or None,
    }


def inputs_of(given: Mapping[str, Any]) -> dict[str, str]:
    """The inputs that were given, by name."""
    return {name: given[name] for name in ("recs", "truth", *EXTRAS) if given[name] is not None}


def is_read(value: str) -> bool:
    """Whether an input is read by DuckDB on its own, without a database: a file or a SELECT."""
    return is_query(value) or files(value) is not None


def _by(given: Mapping[str, Any]) -> list[str] | None:
    if not given.get("overall"):
        return given.get("by") or None
    if given["by"]:
        raise InputError("--overall is one row over everything, and --by one for each of something: give one of them.")
    return []


def _truth_lists(given: Mapping[str, Any]) -> list[str] | None:
    """The list columns that the truth was said to share: those named bare, and with them those that were mapped."""
    named = given["truth_lists"] or []
    if all("=" in one for one in named):
        return None
    return [one.partition("=")[0] for one in named]


def _files_as(given: Mapping[str, Any]) -> str | None:
    """What was said of recommendations in several files."""
    if given["files_are_parts"] and given["system_from_file"]:
        raise InputError("--system-from-file and --files-are-parts contradict each other: give one of them.")
    return PARTS if given["files_are_parts"] else given["system_from_file"]


def _columns(given: Mapping[str, Any]) -> Columns:
    from rankmetrics.inputs.columns import Columns

    roles = ("item", "rank", "score", "distance", "rating", "pool")
    called = (one.partition("=") for one in given["truth_lists"] or () if "=" in one)
    return Columns(**{role: given[role] for role in roles}, lists={name: own for name, _, own in called})


def _truth_columns(given: Mapping[str, Any]) -> Columns | None:
    from rankmetrics.inputs.columns import Columns

    return Columns(item=given["truth_item"], rating=given["rating"]) if given["truth_item"] else None


def _extra_columns(given: Sequence[str]) -> dict[str, Columns]:
    """The columns that were named of the further inputs: `items.category=genre`, `history.lists.user=user_id`."""
    from rankmetrics.inputs.columns import ROLES, Columns

    named: dict[str, tuple[dict[str, str], dict[str, str]]] = {}
    for one in given:
        where, equals, column = one.partition("=")
        name, dot, role = where.partition(".")
        called, _, list_column = role.partition(".")
        if not (equals and dot) or (role not in ROLES and not (called == "lists" and list_column)):
            raise InputError(f"{one!r} names no column of an input: write it as in items.category=genre.")
        roles, lists = named.setdefault(name, ({}, {}))
        if list_column:
            lists[list_column] = column
        else:
            roles[role] = column
    return {name: Columns(**roles, lists=lists) for name, (roles, lists) in named.items()}


def define_all(paths: Sequence[Path] | None) -> None:
    """Define the metrics of these files."""
    import rankmetrics as rm

    for path in paths or ():
        rm.define(path)


def partition(given: Sequence[str]) -> dict[str, str | int]:
    """The partition that was named: `day = 2024-01-01`; a whole number is one unless it stands in quotes."""
    found: dict[str, str | int] = {}
    for one in given:
        parts = re.fullmatch(r"\s*([^=]+?)\s*=\s*(?:'(.*)'|([^=\s'][^=]*?))\s*", one)
        if parts is None or parts[1] in found:
            said = "names a column twice" if parts else "names no partition"
            raise InputError(f"--where {one!r} {said}: write it as in --where 'day = 2024-01-01'.")
        column, text, bare = parts.groups()
        whole = bare is not None and re.fullmatch("0|-?[1-9][0-9]*", bare)  # 007 is no number
        found[column] = int(bare) if whole else bare if bare is not None else text.replace("''", "'")
    return found


def sql_of_tables(given: Mapping[str, Any], made: Mapping[str, Any]) -> str:
    """The query for tables that nobody looks at, as text."""
    import rankmetrics as rm

    define_all(given["define"])
    if read := [one for one in inputs_of(given).values() if is_read(one)]:
        raise InputError(
            f"{given['recs']!r} is a table of a warehouse, which cannot be looked at from here, and {read[0]!r} is a "
            "file or a SELECT: give all inputs as tables, or all as files."
        )
    if not given["lists"]:
        raise InputError(
            f"{given['recs']!r} is no file, and a table of a warehouse cannot be looked at from here: name the columns "
            "that identify a list with --list, and --item, --rank or --score, --rating where they are not item, rank."
        )
    return rm.to_sql(
        given["recs_table"] or given["recs"],
        given["truth_table"] or given["truth"],
        metrics_of(given["metric"]),
        lists=given["lists"],
        truth_lists=_truth_lists(given),
        by=_by(given),
        columns=_columns(given),
        rank_from=given["rank_from"],
        lower_is_better=given["lower_is_better"],
        truth_columns=_truth_columns(given),
        convention=given["convention"],
        aggregates=given["aggregate"] or "mean",
        missing=given["missing"],
        ties=given["ties"],
        dialect=given["dialect"] or "duckdb",
        per_list=given["per_list"],
        extra_columns=_extra_columns(given["extra_column"] or ()),
        **{name: given[name] for name in EXTRAS},
        **made,
    )
