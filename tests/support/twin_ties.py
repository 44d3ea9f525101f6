"""A plain-Python twin of ties=expected, best and worst: every order of the equal scores of a list, written out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, permutations, product
from statistics import fmean
from typing import Any

from tests.support import twin

# What is made of the values of a metric under all orders.
MADE_OF: Mapping[str, Callable[[Sequence[float]], float]] = {"expected": fmean, "best": max, "worst": min}


def orders(rows: Sequence[twin.Row]) -> Iterator[list[twin.Row]]:
    """The rows of ONE list in every order of its equal scores."""
    in_order = twin.in_order(rows)
    tied = [list(of_score) for _, of_score in groupby(in_order, twin.by_score)]
    for arranged in product(*(permutations(one) for one in tied)):
        yield [row for one in arranged for row in one]


def values(name: str, k: int | None, rows: Sequence[twin.Row], judged: twin.Judged, **params: Any) -> list[twin.Value]:
    """A metric of ONE list under every order of its equal scores."""
    return [
        twin.measure(name, k, [(rank, row["item"]) for rank, row in enumerate(order, start=1)], judged, **params)
        for order in orders(rows)
    ]


def value(ties: str, *asked: Any, **params: Any) -> twin.Value:
    """The mean, the highest or the lowest value over all orders; None if the metric is undefined."""
    found = values(*asked, **params)
    if None in found:
        assert set(found) == {None}
        return None
    return MADE_OF[ties]([float(one) for one in found if one is not None])
