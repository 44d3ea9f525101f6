"""A plain-Python twin of metrics of trec_eval that twin_beyond.py lacks, written to be read beside sql/metrics.

A value of None means "undefined"; it is never 0 and never NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from tests.support.twin import Value, ratio
from tests.support.twin_inputs import Case, best_ranks, discount_of, gain_of, total


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


def normalized_gain(case: Case, gain: str = "binary") -> Value:
    """Sum over hits of gain / log2(2 + c - s), over the gains of all relevant items; None if these are 0.

    s: the gains of the list down to the hit. c: those of the ideal list, where each rank counts at least 1. A hit is
    never worth more than its gain.
    """
    ideal = [gain_of(gain, rating, case.rel) for rating in case.plain.relevant]
    s = found = 0.0
    for rank, rating in case.plain.hits:
        own = gain_of(gain, rating, case.rel)
        s += own
        c = total(max(1, one) for one in ideal[:rank]) + max(0, rank - len(ideal))
        found += own / math.log2(max(2, 2 + c - s))
    return ratio(found, total(ideal))


def _ndcg(case: Case, rank: float, cut: int | None, gain: str, discount: str, p: float) -> float:
    """The dcg of the first ranks of a list over that of the ideal list, cut there too; 0 if the latter is 0."""
    gains = [(one, gain_of(gain, rating, case.rel)) for one, rating in case.plain.hits if one <= rank]
    ideal = [gain_of(gain, rating, case.rel) for rating in case.plain.relevant[:cut]]
    above = total(own * discount_of(discount, one, p) for one, own in gains)
    below = total(own * discount_of(discount, one, p) for one, own in enumerate(ideal, start=1))
    return ratio(above, below) or 0.0


def ndcg_at_relevant(case: Case, gain: str = "binary", discount: str = "log2", p: float = 0.85) -> Value:
    """Mean over the relevant items of the ndcg at their rank, at the end of the list if they are not in it.

    None if R = 0 or the dcg of the ideal list is 0.
    """
    if not _has_ideal(case, gain, discount, p):
        return None
    at_hits = [_ndcg(case, rank, rank, gain, discount, p) for rank, _ in case.plain.hits]
    at_end = _ndcg(case, math.inf, case.k, gain, discount, p)
    return (total(at_hits) + (case.plain.R - case.plain.h) * at_end) / case.plain.R


def ndcg_at_levels(case: Case, gain: str = "binary", discount: str = "log2", p: float = 0.85) -> Value:
    """Mean of the ndcg at the last rank of each gain in the ideal list, and at the end of a list longer than R + 1.

    None if R = 0 or the dcg of the ideal list is 0.
    """
    if not _has_ideal(case, gain, discount, p):
        return None
    ideal = [gain_of(gain, rating, case.rel) for rating in case.plain.relevant]
    ends = [rank for rank in range(1, len(ideal) + 1) if rank == len(ideal) or ideal[rank] != ideal[rank - 1]]
    values = [_ndcg(case, end, end, gain, discount, p) for end in ends]
    if case.n > len(ideal) + 1:
        values.append(_ndcg(case, math.inf, case.k, gain, discount, p))
    return total(values) / len(values)


def _has_ideal(case: Case, gain: str, discount: str, p: float) -> bool:
    """Whether the dcg of the first k items of the ideal list is not 0."""
    ideal = [gain_of(gain, rating, case.rel) for rating in case.plain.relevant[: case.k]]
    return total(own * discount_of(discount, one, p) for one, own in enumerate(ideal, start=1)) != 0


TREC: Mapping[str, Callable[..., Value]] = {
    "binary_g": binary_g,
    "eleven_point_precision": eleven_point_precision,
    "inferred_ap": inferred_ap,
    "interpolated_precision": interpolated_precision,
    "n_judged_misses": n_judged_misses,
    "ndcg_at_levels": ndcg_at_levels,
    "ndcg_at_relevant": ndcg_at_relevant,
    "normalized_gain": normalized_gain,
    "r_precision_multiple": r_precision_multiple,
    "set_ap": set_ap,
    "utility": utility,
}
