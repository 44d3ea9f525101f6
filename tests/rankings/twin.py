"""Rankings in plain Python, written to be read: every candidate of every user, in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Row = tuple[Any, Any, int, int]

# The order of items with equal scores: by their ids, or by their places among the factors.
ORDERS: Mapping[str, Callable[[Sequence[Any]], list[Any]]] = {
    "item": sorted,
    "item_desc": lambda items: sorted(items, reverse=True),
    "input": list,
}


def in_order(scores: Mapping[Any, float], known: set[Any], ties: str = "item") -> list[Any]:
    """The candidates of a user, best first."""
    candidates = [item for item in ORDERS[ties]([*scores]) if item not in known]
    return sorted(candidates, key=lambda item: -scores[item])


def rows(
    scores: Mapping[Any, Mapping[Any, float]],
    truth: set[tuple[Any, Any]],
    history: set[tuple[Any, Any]],
    *,
    ties: str = "item",
    top: int = 0,
    end: int | None = None,
) -> list[Row]:
    """User, item, rank and pool of the relevant items, of the first and the last item, and of the first `top`."""
    found = []
    for user, of_user in scores.items():
        candidates = in_order(of_user, {item for other, item in history if other == user}, ties)
        for rank, item in enumerate(candidates, start=1):
            is_end = rank in (1, len(candidates))
            if (is_end or rank <= top or (user, item) in truth) and rank <= (end or rank):
                found.append((user, item, rank, len(candidates)))
    return found
