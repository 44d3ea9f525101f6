"""Types of columns, in families that are the same on every engine, and the families that cannot identify an item."""

from __future__ import annotations

import re
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

# Families of types that cannot identify an item or a list, each with advice for the user.
NO_ID: Mapping[Family, str] = {
    "float": "cast it to integer or string (a pandas column of integers with gaps has become a column of floats: "
    "convert_dtypes() repairs it)",
    "nested": 'give one row per element: frame.explode("...") in Polars and pandas, UNNEST in SQL',
    "binary": "decode it to a string",
    "time": "cast it to a string",
    "duration": "cast it to a whole number or a string",
    "unknown": "leave it out, or cast it to the type that it should have",
}


# Names of types whose numbers may be no whole numbers of 64 bits, beside those of the family `float`.
WIDE = "128|256|huge|uint64|ubigint|unsigned|decimal|numeric|number"


@dataclass(frozen=True)
class ColumnType:
    """A column's type.

    Attributes:
        family: its family, which decides how the column may be used.
        name: the engine's own name of the type.
        element: the type of the elements, if the column holds lists or arrays.
        fields: the type of each field by its name, if the column holds structs.
    """

    family: Family
    name: str
    element: ColumnType | None = None
    fields: tuple[tuple[str, ColumnType], ...] = ()

    @property
    def is_wide(self) -> bool:
        """Whether a number of this type may be no whole number of 64 bits."""
        return self.family == "float" or bool(re.search(WIDE, self.name.lower()))

    def __str__(self) -> str:
        if self.family == "unknown":
            return "without a type, since every value is NULL"
        return self.family if self.name.lower() == self.family else f"{self.family} ({self.name})"


Schema = Mapping[str, ColumnType]


def lists_in_cells(schema: Schema) -> str:
    """A sentence that names the columns of lists and says how to unnest them; empty if there are none."""
    nested = [name for name, kind in schema.items() if kind.family == "nested"]
    if not nested:
        return ""
    return f" The cells of {names(nested)} are lists: {NO_ID['nested'].replace('...', nested[0])}."
