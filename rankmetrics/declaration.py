# option returns a field of a dataclass
"""How an option is declared: its meaning, the kind of its values, its check, and the faces that do not have it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field
from typing import Any, Literal

# The faces of an evaluation: two functions, the flags of the command line, the keys of leaderboards.yml.
Face = Literal["evaluate", "to_sql", "flag", "key"]

# What a value of an option is. Each face has one way to read each kind.
Kind = Literal[
    "input",
    "metrics",
    "text",
    "texts",
    "number",
    "yes or no",
    "columns",
    "columns of inputs",
    "names or a table",
    "other",
]

# Groups of options, as `--help` shows them.
COLUMNS, INPUTS, DATABASES, DUCKDB = "Columns", "More inputs", "Other databases", "DuckDB"


@dataclass(frozen=True)
class Declaration:
    """What is declared of an option beside its name, type and default.

    Attributes:
        meaning: one sentence, which `--help` prints.
        kind: what a value is.
        group: the group of options in which `--help` shows it; empty for the first group.
        check: returns a value as the Request holds it, or raises an error that names the option.
        absent: the faces that do not have the option, each with the reason.
    """

    meaning: str
    kind: Kind
    group: str
    check: Callable[[str, Any], Any] | None
    absent: Mapping[Face, str]


def option(
    meaning: str,
    kind: Kind,
    default: Any = MISSING,
    *,
    group: str = "",
    check: Callable[[str, Any], Any] | None = None,
    absent: Mapping[Face, str] | None = None,
) -> Any:
    """A field of a Request, with what is declared of the option."""
    declaration = Declaration(meaning, kind, group, check, absent or {})
    shown = kind not in ("input", "names or a table", "other")  # to print some inputs is to compute them
    return field(default=default, metadata={"declaration": declaration}, repr=shown)


def declaration_of(option: Field[Any]) -> Declaration:
    """What is declared of an option beside its name, type and default."""
    found: Declaration = option.metadata["declaration"]
    return found
