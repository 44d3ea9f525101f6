"""Types of columns, alike on every engine: what each may be used for, and how to mend those that identify nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from rankmetrics.errors import names

Family = Literal[
    "integer",
    "float",
    "string",
    "date",
    "datetime",
    "zoned datetime",
    "time",
    "duration",
    "boolean",
    "binary",
    "nested",
    "unknown",
    "other",
]
NUMBERS: frozenset[Family] = frozenset({"integer", "float"})

# Types that cannot identify an item or a list, and what to do about each.
NO_ID: Mapping[Family, str] = {
    "float": "cast it to integer or string (a pandas column of integers with gaps has become a column of floats: "
    "convert_dtypes() mends it)",
    "nested": 'give one row per element: frame.explode("...") in Polars and pandas, UNNEST in SQL',
    "binary": "decode it to a string",
    "time": "cast it to a string",
    "duration": "cast it to a whole number or a string",
    "unknown": "leave it out, or cast it to the type that it should have",
}


@dataclass(frozen=True)
class ColumnType:
    """A column's type: the family that decides what may be done with it, and the engine's own name for it."""

    family: Family
    name: str

    def __str__(self) -> str:
        if self.family == "unknown":
            return "without a type, since every value is NULL"
        return self.family if self.name.lower() == self.family else f"{self.family} ({self.name})"


Schema = Mapping[str, ColumnType]


def lists_in_cells(schema: Schema) -> str:
    """A sentence on columns whose cells are lists, and how to make rows of them; nothing, where there is none."""
    nested = [name for name, kind in schema.items() if kind.family == "nested"]
    if not nested:
        return ""
    return f" The cells of {names(nested)} are lists: {NO_ID['nested'].replace('...', nested[0])}."
