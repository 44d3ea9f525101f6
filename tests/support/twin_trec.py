"""A plain-Python twin of metrics of trec_eval that twin_beyond.py lacks, written to be read beside sql/metrics.

A value of None means "undefined"; it is never 0 and never NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from tests.support.twin import Value, ratio
from tests.support.twin_inputs import Case, best_ranks, total


def interpolated_precision(case: Case, at_recall: float = 0) -> Value:
    """Highest precision at a hit, of the hits from number floor(at_recall * R + 0.9) on; None if R = 0."""
    least = math.floor(float(at_recall) * case.plain.R + 0.9)
    hits = [number / rank for number, (rank, _) in enumerate(case.plain.hits, start=1) if number >= least]
    return max(hits, default=0.0) if case.plain.R else None


def eleven_point_precision(case: Case) -> Value:
    """Mean of it at the recall levels 0, 0.1, ..., 1; None if R = 0."""
    values = [interpolated_precision(case, at_recall=level / 10) for level in range(11)]
    return None if case.plain.R == 0 else total(value for value in values if value is not None) / 11


def r_precision_multiple(case: Case, multiple: float = 1) -> Value:
    """Hits down to rank floor(multiple * R + 0.9), or k if that is less, over this rank; None if it is 0."""
    last = math.floor(float(multiple) * case.plain.R + 0.9)
    last = last if case.k is None else min(last, case.k)
    return ratio(sum(1 for rank, _ in case.plain.hits if rank <= last), last)


def set_ap(case: Case) -> Value:
    """h * h / (n * R)."""
    return ratio(case.plain.h**2, case.n * case.plain.R)


def utility(case: Case, per_hit: float = 1, per_miss: float = -1, per_unfound: float = 0) -> Value:
    """A worth of each hit, of each other place, and of each relevant item that was not found."""
    hits = case.plain.h
    return per_hit * hits + per_miss * (case.n - hits) + per_unfound * (case.plain.R - hits)


def is_judged(rating: float, judged: str) -> bool:
    """Whether an item of the truth counts as judged."""
    return judged == "any" or rating >= 0


def n_judged_misses(case: Case, judged: str = "any") -> Value:
    """Items of the list that the truth has, that are not relevant, and that count as judged."""
    found = [item for _, item in best_ranks(case.ranked) if item in case.judged and item not in case.relevant]
    return sum(is_judged(case.judged[item], judged) for item in found)


def inferred_ap(case: Case, judged: str = "any") -> Value:
    """1/R times the sum over hits of (1 + pool above * (relevant above + e) / (judged above + 2e)) / rank.

    None if R = 0.
    """
    found, e = 0.0, 0.00001
    pool = relevant = irrelevant = 0
    for rank, item in best_ranks(case.ranked):
        if item not in case.judged:
            continue
        if item in case.relevant:
            found += (1 + pool * (relevant + e) / (relevant + irrelevant + 2 * e)) / rank
            relevant += 1
        elif is_judged(case.judged[item], judged):
            irrelevant += 1
        pool += 1
    return ratio(found, case.plain.R)


def binary_g(case: Case) -> Value:
    """1/R times the sum over hits of 1 / log2(2 + the ranks above that hold no hit); None if R = 0."""
    discounts = [1 / math.log2(2 + rank - number) for number, (rank, _) in enumerate(case.plain.hits, start=1)]
    return ratio(total(discounts), case.plain.R)


TREC: Mapping[str, Callable[..., Value]] = {
    "binary_g": binary_g,
    "eleven_point_precision": eleven_point_precision,
    "inferred_ap": inferred_ap,
    "interpolated_precision": interpolated_precision,
    "n_judged_misses": n_judged_misses,
    "r_precision_multiple": r_precision_multiple,
    "set_ap": set_ap,
    "utility": utility,
}
