"""Names of the systems of a summary, and the rows that a gate checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rankmetrics.errors import InputError, Option, did_you_mean, names
from rankmetrics.inputs.columns import Layout


def system_name(values: Sequence[object], by: Sequence[str]) -> str | None:
    """The name of a row of a summary: its value, or where `by` has several columns, each with its value.

    >>> system_name(["als"], ["algorithm"]), system_name(["als", 1], ["algorithm", "day"]), system_name([], [])
    ('als', 'algorithm=als, day=1', None)
    """
    if not by:
        return None
    if len(by) == 1:
        return str(values[0])
    return ", ".join(f"{name}={value}" for name, value in zip(by, values, strict=True))


def checked_rows(rows: Sequence[Mapping[str, Any]], layout: Layout, systems: Sequence[str]) -> list[Mapping[str, Any]]:
    """The rows of the named systems; of all systems, if none is named.

    A row is of a system if one of the columns that name systems has this value.

    Raises:
        InputError: no row is of a system that was named.
    """
    if not systems:
        return list(rows)
    naming = [name for name in layout.by if name in layout.systems] or list(layout.by)
    there = {str(row[name]) for row in rows for name in naming}
    for name in systems:
        if name not in there:
            near = did_you_mean(name, there)
            raise InputError(Option("system"), f" names {name!r}: the systems are {names(sorted(there))}.{near}")
    return [row for row in rows if {str(row[name]) for name in naming} & {*systems}]
