"""The tests of a comparison: for each, the step of its sums and how p-values follow from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rankmetrics.comparisons.pairs import Key, Pair, p_of_t

if TYPE_CHECKING:
    import polars as pl

PValues = Mapping[Key, "float | None"]

# Computes a step of the query.
Compute = Callable[[str], "pl.DataFrame"]


@dataclass(frozen=True)
class Test:
    """A test of a comparison.

    Attributes:
        called: what a note calls it.
        p_values: the p-value of each pair, from the pairs and what computes further steps.
    """

    __test__ = False  # pytest is not to take it for a test

    called: str
    p_values: Callable[[Sequence[Pair], Compute], PValues]


def _paired_t(pairs: Sequence[Pair], _compute: Compute) -> PValues:
    return {one.key: p_of_t(one) for one in pairs}


TESTS: Mapping[str, Test] = {
    "t": Test("paired t-test", _paired_t),
}
