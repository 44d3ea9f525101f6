"""What the user says of the inputs beforehand: that no row repeats an item of its list, that no id is NULL."""

from __future__ import annotations

from collections.abc import Mapping

from rankmetrics.errors import MetricError, did_you_mean, names
from rankmetrics.inputs.columns import Layout

# What may be assumed, each with what it says.
ASSUMPTIONS: Mapping[str, str] = {
    "unique-recs": "no list of recommendations has an item twice",
    "unique-truth": "no list of the truth has an item twice",
    "not-null": "no list column and no item is NULL, in the recommendations and in the truth",
}

# A word for several assumptions.
SEVERAL: Mapping[str, tuple[str, ...]] = {"unique": ("unique-recs", "unique-truth"), "keys": tuple(ASSUMPTIONS)}


def read_assumptions(option: str, value: object) -> frozenset[str]:
    """Assumptions, of one text or several; commas may stand between them.

    Raises:
        MetricError: there is no such assumption.

    Example:
        >>> sorted(read_assumptions("assume", "unique,not-null"))
        ['not-null', 'unique-recs', 'unique-truth']
    """
    texts = [value] if isinstance(value, str) else [*value] if isinstance(value, (list, tuple, set, frozenset)) else []
    words = [word.strip() for text in texts for word in str(text).split(",")]
    for word in words:
        if word not in ASSUMPTIONS and word not in SEVERAL:
            known = [*SEVERAL, *ASSUMPTIONS]
            raise MetricError(f"{option} must be of {names(known)}: {word!r} is not.{did_you_mean(word, known)}")
    return frozenset(one for word in words for one in SEVERAL.get(word, (word,)))


def keys_of(assumed: frozenset[str], layout: Layout) -> dict[str, frozenset[str]]:
    """The columns of an input of which no two rows have the same values, for each input that has such columns."""
    return {name: _ids(layout, name) for name in ("recs", "truth") if f"unique-{name}" in assumed}


def not_null_columns(assumed: frozenset[str], layout: Layout) -> dict[str, frozenset[str]]:
    """The columns of an input that are never NULL, for each input that has such columns."""
    return {name: _ids(layout, name) for name in ("recs", "truth")} if "not-null" in assumed else {}


def _ids(layout: Layout, name: str) -> frozenset[str]:
    side = layout.side(name)
    return frozenset([*side.list_columns, str(side.roles.item)])
