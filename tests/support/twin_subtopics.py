"""A plain-Python twin of the metrics of subtopics: slow, short, to be read next to the headers of sql/metrics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.support.twin_inputs import Case, Item, MetricValue, discount_of, mean, ratio, total


def hits_of(case: Case, items: set[Item]) -> list[int]:
    """The ranks of the hits of a subtopic within the cutoff."""
    return [rank for rank, item, _ in case.hit_items if item in items]


def novelties(case: Case, redundancy: float) -> Iterator[tuple[int, float]]:
    """The rank of each hit of each subtopic, and what its novelty is worth."""
    for items in case.subtopics.values():
        yield from ((rank, (1 - redundancy) ** earlier) for earlier, rank in enumerate(hits_of(case, items)))


def ideal_novelties(case: Case, redundancy: float) -> Iterator[tuple[int, float]]:
    """The same of the greedy ideal list: at each rank the item that adds most; of several, the last by name."""
    worth = dict.fromkeys(case.subtopics, 1.0)
    left = set[Any]().union(*case.subtopics.values())

    def adds(item: Any) -> float:
        return total(worth[subtopic] for subtopic, items in case.subtopics.items() if item in items)

    for rank in range(1, min(case.k or 0, len(left)) + 1):
        best = max(left, key=lambda item: (round(adds(item), 9), item))
        left.remove(best)
        yield rank, adds(best)
        worth |= {one: worth[one] * (1 - redundancy) for one, items in case.subtopics.items() if best in items}


def alpha_ndcg(case: Case, redundancy: float = 0.5, discount: str = "log2", p: float = 0.85) -> MetricValue:
    """Novelty by discount, over that of the greedy ideal list; None without subtopics."""
    found, ideal = (
        total(worth * discount_of(discount, rank, p) for rank, worth in of)
        for of in (novelties(case, redundancy), ideal_novelties(case, redundancy))
    )
    return ratio(found, ideal)


def alpha_dcg(
    case: Case, of: str = "perfect", redundancy: float = 0.5, discount: str = "log2", p: float = 0.85
) -> MetricValue:
    """Novelty by discount, over that of k items relevant to all subtopics (one: 1); None without subtopics."""
    assert case.k is not None
    found = total(worth * discount_of(discount, rank, p) for rank, worth in novelties(case, redundancy))
    if of == "one":
        return found if case.subtopics else None
    ranks = range(1, case.k + 1)
    perfect = total((1 - redundancy) ** (rank - 1) * discount_of(discount, rank, p) for rank in ranks)
    return ratio(found, len(case.subtopics) * perfect)


def err_ia(case: Case, of: str = "perfect", redundancy: float = 0.5) -> MetricValue:
    """alpha_dcg (perfect) or alpha_ndcg (ideal) with discounts of 1 / rank.

    subtopics: the mean over subtopics of the chance to stop, by 1 / rank.
    """
    if of == "ideal":
        return alpha_ndcg(case, redundancy, "reciprocal")
    if of == "perfect":
        return alpha_dcg(case, redundancy=redundancy, discount="reciprocal")
    found = total(worth * redundancy / rank for rank, worth in novelties(case, redundancy))
    return ratio(found, len(case.subtopics))


def nrbp(case: Case, of: str = "perfect", p: float = 0.85, redundancy: float = 0.5) -> MetricValue:
    """Novelty by p**(rank - 1), over that of an endless list of items relevant to all subtopics.

    of=ideal: alpha_ndcg with discounts of p**(rank - 1).
    """
    if of == "ideal":
        return alpha_ndcg(case, redundancy, "geometric", p)
    found = total(worth * p ** (rank - 1) for rank, worth in novelties(case, redundancy))
    return ratio(found * (1 - (1 - redundancy) * p), len(case.subtopics))


def subtopic_recall(case: Case) -> MetricValue:
    """Subtopics with a hit, over subtopics."""
    return mean([float(bool(hits_of(case, items))) for items in case.subtopics.values()])


def precision_ia(case: Case) -> MetricValue:
    """The mean over subtopics of hits over k (no cutoff: n)."""
    return mean([len(hits_of(case, items)) / case.k_or_n for items in case.subtopics.values()]) if case.k_or_n else None


def ap_ia(case: Case) -> MetricValue:
    """The mean over subtopics of the sum of precisions at hits, over min(k, relevant items of the subtopic)."""
    values = []
    for items in case.subtopics.values():
        most = len(items) if case.k is None else min(case.k, len(items))
        values.append(total(n / rank / most for n, rank in enumerate(hits_of(case, items), start=1)))
    return mean(values)


OF_LISTS = {one.__name__: one for one in (alpha_dcg, alpha_ndcg, err_ia, nrbp, subtopic_recall, precision_ia, ap_ia)}
