"""Numbers that are equal but for rounding: nothing that rankmetrics decides depends on the last bits of a number.

Engines add in different orders, and one engine in another order each time, so that the same mean has other last bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from math import isclose
from typing import TypeVar

# Two numbers whose difference is at most this share of the greater are equal.
ROUNDING = 1e-9

Ranked = TypeVar("Ranked")


def same(a: float, b: float, *, scale: float = 0) -> bool:
    """True if two numbers are equal but for rounding; `scale` is the size of what differences are made of."""
    return isclose(a, b, rel_tol=ROUNDING, abs_tol=ROUNDING * scale)


def exceeds(a: float, b: float) -> bool:
    """True if a number is greater than another by more than rounding."""
    return a > b and not same(a, b)


def ranked(rows: Iterable[Ranked], value: Callable[[Ranked], float], *, descending: bool) -> list[Ranked]:
    """Rows in the order of their values; rows whose values are the same but for rounding keep their order."""
    groups: list[list[tuple[int, Ranked]]] = []
    for place, row in sorted(enumerate(rows), key=lambda item: value(item[1]), reverse=descending):
        if groups and same(value(groups[-1][0][1]), value(row)):
            groups[-1].append((place, row))
        else:
            groups.append([(place, row)])
    return [row for _, row in chain.from_iterable(sorted(group, key=lambda item: item[0]) for group in groups)]
