"""Errors for columns whose types do not fit their roles, or do not match the recommendations."""

from __future__ import annotations

from collections.abc import Iterable

from rankmetrics.errors import ColumnError, Option, did_you_mean, names
from rankmetrics.inputs.columns import Columns
from rankmetrics.inputs.list_columns import system_columns
from rankmetrics.inputs.types import NO_ID, NUMBERS, ColumnType, Schema, lists_in_cells


def check_types(
    recs: Schema,
    truth: Schema,
    recs_roles: Columns,
    truth_roles: Columns,
    lists: tuple[str, ...],
    matched: tuple[str, ...],
    *,
    inferred: bool,
) -> None:
    """Refuse types that would give meaningless numbers."""
    check_numbers("recommendations", recs, recs_roles)
    check_numbers("truth", truth, truth_roles)
    called = truth_roles.lists
    pairs = [
        ("item", recs_roles.item, truth_roles.item),
        *((f"list column {name!r}", name, called.get(name, name)) for name in matched),
    ]
    check_same("truth", recs, truth, pairs)
    for name in lists:
        if recs[name].family in NO_ID and (inferred or recs[name].family != "float"):
            raise ColumnError(
                f"Column {name!r} of the recommendations is {recs[name]} and would identify a list, as every column "
                "but item, rank, score and rating does. Say which columns do: ",
                Option("lists", [...]),
                ".",
            )


def check_systems(systems: Schema, recs: Schema, lists: tuple[str, ...], truth_lists: tuple[str, ...]) -> None:
    """Refuse a table of systems without the columns that identify a system."""
    columns = system_columns(lists, truth_lists)
    missing = [column for column in columns if column not in systems]
    if missing:
        raise ColumnError(
            Option("systems", is_noun=True),
            f" is a table of {names(systems)}, and a system is identified by {names(columns)}: it needs a column "
            f"{missing[0]!r}.{did_you_mean(missing[0], systems)}",
        )
    check_same("systems", recs, systems, [(f"list column {column!r}", column, column) for column in columns])


def check_numbers(table: str, schema: Schema, roles: Columns) -> None:
    """Refuse a column that is no number where its role needs a number."""
    for role in ("rank", "score", "rating", "pool", "popularity", "similarity"):
        name: str | None = getattr(roles, role)
        if name and not _is_number(role, schema[name]):
            raise ColumnError(
                f"The {role} column {name!r} of the {table} is not a number: it is {schema[name]}."
                f"{lists_in_cells(schema)}"
            )
    if roles.embedding and schema[roles.embedding].family != "nested":
        found = schema[roles.embedding]
        raise ColumnError(
            f"The embedding column {roles.embedding!r} of the {table} is no list of numbers: it is {found}."
        )


def _is_number(role: str, found: ColumnType) -> bool:
    """Whether a type fits a role that needs a number; a rating may also be a boolean."""
    return found.family in NUMBERS or (role == "rating" and found.family == "boolean")


def check_same(table: str, recs: Schema, schema: Schema, pairs: Iterable[tuple[str, str | None, str | None]]) -> None:
    """Refuse ids whose type differs between two inputs, and types that cannot identify anything."""
    for what, in_recs, in_table in pairs:
        assert in_recs is not None, what  # both columns were found above
        assert in_table is not None, what
        left, right = recs[in_recs], schema[in_table]
        untyped = next((one for one in ((left, "recommendations"), (right, table)) if one[0].family == "unknown"), None)
        if untyped:
            raise ColumnError(f"The {what} of the {untyped[1]} is {untyped[0]}: {NO_ID['unknown']}.")
        if left.family != right.family or (left.family == "other" and left.name != right.name):
            raise ColumnError(
                f"The {what} is {left} in the recommendations and {right} in the {table}: nothing would match. "
                "Cast one of them to the type of the other."
            )
        if left.family in NO_ID:
            raise ColumnError(f"The {what} is {left}, which cannot identify anything: {NO_ID[left.family]}.")
