"""Which column of the interactions is the user, the item, the time and the rating."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

from rankmetrics.errors import ColumnError, Option, names, plain, similar
from rankmetrics.inputs.columns import NO_ID, Family, Schema, lists_in_cells
from rankmetrics.inputs.sources import ITEM, OWNERS, RATING, TIME

USUAL: Mapping[str, frozenset[str]] = {"user": OWNERS["user"], "item": ITEM, "time": TIME, "rating": RATING}

# The families of types that identify a user or an item: their text is the same on every engine, and so is its hash.
IDS: frozenset[Family] = frozenset({"integer", "string"})

# The families of types that are a time.
TIMES: frozenset[Family] = frozenset({"integer", "float", "date", "datetime", "zoned datetime"})

# The name of the column of folds and windows in a result.
PARTITION = "partition"


@dataclass(frozen=True)
class Roles:
    """The columns of the interactions.

    Attributes:
        user, item: the columns that identify a user and an item.
        time: the column of the time of an interaction; None where nothing needs it.
        rating: the column of the rating; None where nothing needs it, or there is none.
        schema: the types of all columns, in the order of the columns.
    """

    user: str
    item: str
    time: str | None
    rating: str | None
    schema: Schema

    @property
    def columns(self) -> Mapping[str, str | None]:
        """The column of each role, by its name in sql/splits."""
        return {"user_id": self.user, "item_id": self.item, "time": self.time, "rating": self.rating}

    def renamed(self, rename: Callable[[str], str]) -> Roles:
        """The roles of a table whose columns have other names."""
        schema = {rename(name): kind for name, kind in self.schema.items()}
        return replace(
            self,
            user=rename(self.user),
            item=rename(self.item),
            time=self.time and rename(self.time),
            rating=self.rating and rename(self.rating),
            schema=schema,
        )


def find_roles(schema: Schema, given: Mapping[str, str | None], needed: Collection[str], method: str) -> Roles:
    """The column of each role: the one that the caller named, else the one with a usual name.

    Args:
        schema: the columns of the interactions.
        given: the columns that the caller named, by role.
        needed: the roles that the split reads: `time`, `rating`.
        method: the method, for messages.

    Raises:
        ColumnError: a column is missing, ambiguous, or of a type that does not fit its role.
    """
    found = {role: _column(role, schema, given) for role in ("user", "item", *sorted(needed))}
    for role in ("user", "item"):
        _refuse_missing(role, found[role], schema, f"No {role} column was found in the interactions")
    if "time" in needed:
        _refuse_missing("time", found["time"], schema, f"{method} needs the time of each interaction")
    user, item, time = found["user"], found["item"], found.get("time")
    assert user is not None
    assert item is not None
    for role, column in (("user", user), ("item", item)):
        kind = schema[column]
        if kind.family not in IDS:
            cure = NO_ID.get(kind.family, "cast it to a string or a whole number")
            raise ColumnError(
                f"The {role} column {column!r} of the interactions is {kind}, and its hash would differ between "
                f"engines: {cure}."
            )
    if time is not None and schema[time].family not in TIMES:
        raise ColumnError(
            f"The time column {time!r} of the interactions is {schema[time]}: cast it to a date, a datetime or a "
            "number."
        )
    used = [column for column in found.values() if column]
    if len({*used}) < len(used):
        raise ColumnError(f"A column of the interactions has two roles: {names(used)}. Name another for one of them.")
    return Roles(user, item, time, found.get("rating"), schema)


def refuse_partition(schema: Schema) -> None:
    """Refuse interactions that have a column `partition`, which the result of folds and windows adds.

    Raises:
        ColumnError: there is such a column.
    """
    if taken := [name for name in schema if name.lower() == PARTITION]:
        raise ColumnError(
            f"The interactions have a column {taken[0]!r}, and the split adds a column {PARTITION!r}, the number of "
            "the fold or window: rename or drop yours."
        )


def _column(role: str, schema: Schema, given: Mapping[str, str | None]) -> str | None:
    named = given.get(role)
    if named is not None:
        if named not in schema:
            raise ColumnError(
                f"The interactions have no column {named!r}, named as the {role}: there are {names(schema)}."
            )
        return named
    taken = {one for one in given.values() if one}
    found = [name for name in schema if plain(name) in USUAL[role] and name not in taken]
    if len(found) > 1:
        raise ColumnError(
            f"Which column of the interactions is the {role}: {names(found)}? Say so: ", Option(role, found[0]), "."
        )
    return found[0] if found else None


def _refuse_missing(role: str, column: str | None, schema: Schema, problem: str) -> None:
    if column is None:
        near = [name for usual in (role, f"{role}_id") for name in similar(usual, schema)]
        looks = f" {near[0]!r} looks like one." if near else ""
        raise ColumnError(
            f"{problem}: there are {names(schema)}.{looks} Name the {role} column: ",
            Option(role, "..."),
            f".{lists_in_cells(schema)}",
        )
