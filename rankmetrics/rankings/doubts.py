"""Warnings on rankings of all candidates: relevant items low in their lists, and matrices that may be transposed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rankmetrics.errors import RankMetricsWarning
from rankmetrics.rankings.inputs import ItemsByUser, pairs_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Relevant items stand low (or high) if their mean place is so far from the middle, and by so many standard deviations.
# tests/rankings/test_doubts.py draws sound data of many kinds.
FROM_MIDDLE, DEVIATIONS = 0.05, 4

# Fewer relevant items than these give no warning.
FEW = 10


@dataclass(frozen=True)
class Standing:
    """Where the relevant items stand."""

    items: NDArray[np.int64]  # the relevant items that are candidates, an entry for each pair of user and item
    places: NDArray[np.float64]  # the share of the user's other candidates above each: 0 is the first place, 1 the last

    @classmethod
    def of(cls, parts: Sequence[Standing]) -> Standing:
        """Where the relevant items of several blocks stand."""
        items = np.concatenate([np.empty(0, np.int64), *(part.items for part in parts)])
        return cls(items, np.concatenate([np.empty(0), *(part.places for part in parts)]))

    @property
    def mean(self) -> float:
        """The mean place, from 0 to 1."""
        return float(self.places.mean()) if len(self.places) else 0.5

    def is_off(self, sign: int) -> bool:
        """True if the relevant items stand lower (sign 1) or higher (-1) than by chance: if their mean place is off.

        Users may all have the same ranking, and many of them the same relevant item: only items are independent of each
        other. The items count by their users, or alike.
        """
        if len(self.items) < FEW or sign * (self.mean - 0.5) < FROM_MIDDLE:
            return False
        sums, counts = np.bincount(self.items, self.places - 0.5), np.bincount(self.items)
        means = sums[counts > 0] / counts[counts > 0]
        return any(sign * parts.sum() > DEVIATIONS * np.sqrt((parts**2).sum()) for parts in (sums, means))


def exchanged(truth: ItemsByUser, order: NDArray[Any]) -> ItemsByUser:
    """The truth with users and items exchanged, where both are numbered alike; `order` is that of the items."""
    users = np.repeat(np.arange(len(order)), np.diff(truth.starts))
    positions = np.empty(len(order), np.int64)
    positions[order] = np.arange(len(order))
    return pairs_of(order[truth.items], positions[users], len(order))


def doubts(
    standing: Standing, system: str, stand_exchanged: Callable[[], Standing | None]
) -> Iterator[RankMetricsWarning]:
    """The warnings on the rankings of one system; `system` names it, as in ` of 'als'`, and is empty if it is alone.

    `stand_exchanged` computes where items would stand with users and items exchanged; None if no matrix is square.
    """
    above = f"on average, {standing.mean:.0%} of the other candidates are above them"
    if standing.is_off(1):
        yield RankMetricsWarning(
            f"Relevant items{system} stand lower in their lists than by chance: {above}. A higher score must be "
            "better: negate scores of which the lowest is the best.",
            page="warnings/#hits-low-in-their-lists",
        )
    if not standing.is_off(-1) and (other := stand_exchanged()) is not None and other.is_off(-1):
        yield RankMetricsWarning(
            f"Relevant items{system} fit the scores only with users and items exchanged: {above}, and {other.mean:.0%} "
            "in the transposed matrix. There are as many users as items: a row of each matrix must be a user, and a "
            "column an item.",
            page="warnings/#a-transposed-matrix",
        )
