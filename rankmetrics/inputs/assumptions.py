"""Assumptions about the inputs: no row repeats an item of its list, no id is NULL.

The user says it (`assume="keys"`), or the database does, by the keys that it enforces.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rankmetrics.errors import MetricError, did_you_mean, names
from rankmetrics.inputs.columns import Layout

# What may be assumed, each with what it says.
ASSUMPTIONS: Mapping[str, str] = {
    "unique-recs": "no list of recommendations has an item twice",
    "unique-truth": "no list of the truth has an item twice",
    "not-null": "no list column and no item is NULL, in the recommendations and in the truth",
}

# The inputs that they are about.
REQUIRED = ("recs", "truth")

# A word for several assumptions.
SEVERAL: Mapping[str, tuple[str, ...]] = {"unique": ("unique-recs", "unique-truth"), "keys": tuple(ASSUMPTIONS)}


@dataclass(frozen=True)
class DeclaredKeys:
    """The keys of a table that its database enforces."""

    keys: tuple[frozenset[str], ...] = ()  # for each key, the columns of which no two rows have the same values
    not_null: frozenset[str] = frozenset()  # the columns that are never NULL

    @classmethod
    def of_rows(cls, rows: Iterable[tuple[str | None, str | None]]) -> DeclaredKeys:
        """The keys from a row per column: the name of the key (NULL for a column that is never NULL), and the column.

        A key that has an expression, whose column is NULL, is left out, and so is one whose columns may be NULL: two
        rows may have NULL in the same column.

        >>> DeclaredKeys.of_rows([("ids", "item"), ("other", "sku"), (None, "item")])
        DeclaredKeys(keys=(frozenset({'item'}),), not_null=frozenset({'item'}))
        """
        columns: dict[str | None, set[str | None]] = {}
        for key, column in rows:
            columns.setdefault(key, set()).add(column)
        not_null = frozenset(column for column in columns.pop(None, ()) if column is not None)
        return cls(tuple(not_null & key for key in columns.values() if not_null >= key), not_null)


NO_KEYS = DeclaredKeys()


def declared_assumptions(declared: Mapping[str, DeclaredKeys], layout: Layout) -> frozenset[str]:
    """The assumptions that hold because of the keys of the inputs."""
    unique = {
        f"unique-{input_name}"
        for input_name in _required(layout)
        if any(key <= _ids(layout, input_name) for key in declared[input_name].keys)
    }
    are_not_null = all(_ids(layout, input_name) <= declared[input_name].not_null for input_name in _required(layout))
    return frozenset(unique | ({"not-null"} if are_not_null else set()))


def read_assumptions(option: str, value: object) -> frozenset[str]:
    """Assumptions, of one text or several; commas may stand between them."""
    texts = [value] if isinstance(value, str) else [*value] if isinstance(value, (list, tuple, set, frozenset)) else []
    words = [word.strip() for text in texts for word in str(text).split(",")]
    for word in words:
        if word not in ASSUMPTIONS and word not in SEVERAL:
            known = [*SEVERAL, *ASSUMPTIONS]
            raise MetricError(f"{option} must be of {names(known)}: {word!r} is not.{did_you_mean(word, known)}")
    return frozenset(assumption for word in words for assumption in SEVERAL.get(word, (word,)))


def not_null_columns(assumed: frozenset[str], layout: Layout) -> dict[str, frozenset[str]]:
    """The columns of an input that are never NULL, for each input that has such columns."""
    return {name: _ids(layout, name) for name in _required(layout)} if "not-null" in assumed else {}


def _required(layout: Layout) -> list[str]:
    return [name for name in REQUIRED if name in layout.names()]


def _ids(layout: Layout, name: str) -> frozenset[str]:
    side = layout.side(name)
    return frozenset([*side.list_columns, str(side.roles.item)])
