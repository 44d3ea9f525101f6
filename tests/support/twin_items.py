"""A plain-Python twin of the metrics that read the categories, similarities or embeddings of items."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from itertools import combinations

from tests.support.twin import Value, ratio
from tests.support.twin_inputs import (
    Case,
    Item,
    mean,
    total,
    weight_of,
)


def categorical_diversity(case: Case, divisor: str = "list") -> Value:
    """Different categories of the first k places over the divisor; None if that is 0."""
    found = {one for item in case.places for one in case.inputs.categories.get(item, ())}
    return ratio(len(found), case.over(divisor))


def category_entropy(case: Case, weight: str = "uniform", p: float = 0.85, smoothing: str = "none") -> Value:
    """-sum of s log2(s) over categories, s being a category's share of the weights of its places; None without any.

    smoothing=lenskit: 0.000001 is added to the weights of every category that there is.
    """
    masses: dict[Hashable, float] = {}
    for rank, item in case.ranked:
        for one in case.inputs.categories.get(item, ()):
            masses[one] = masses.get(one, 0) + weight_of(weight, rank, p)
    if not masses:
        return None
    if smoothing == "lenskit":
        every = {one for of in case.inputs.categories.values() for one in of}
        masses = {one: masses.get(one, 0) + 1e-6 for one in every}
    return entropy(masses.values())


def entropy(masses: Iterable[float]) -> float:
    """-sum of s log2(s), s being each mass over all of them."""
    kept = [*masses]
    return -total(one / sum(kept) * math.log2(one / sum(kept)) for one in kept)


def category_diversity(case: Case, likeness: str = "jaccard") -> Value:
    """1 - mean likeness of the pairs of places whose items have categories; None without a pair.

    jaccard: |A & B| / |A | B|; cosine: |A & B| / sqrt(|A| |B|).
    """
    tagged = [case.inputs.categories[item] for item in case.places if item in case.inputs.categories]
    alike = mean(
        [
            len(a & b) / (len(a | b) if likeness == "jaccard" else math.sqrt(len(a) * len(b)))
            for a, b in combinations(tagged, 2)
        ]
    )
    return None if alike is None else 1 - alike


def list_diversity(case: Case) -> Value:
    """1 - mean similarity of all pairs of places; None without a pair."""
    found = mean([similarity(case, a, b) for a, b in combinations(case.places, 2)])
    return None if found is None else 1 - found


def profile_distance(case: Case) -> Value:
    """1 - mean similarity of the pairs of a place and an item of the history; None without a pair."""
    found = mean([similarity(case, a, b) for a in case.places for b in case.history])
    return None if found is None else 1 - found


def similarity(case: Case, a: Item, b: Item) -> float:
    """The mean of both ways round of a pair; 0 for a pair given neither way, and 1 for an item with itself."""
    told = case.inputs.similarities
    both = mean([told[pair] for pair in ((a, b), (b, a)) if pair in told])
    return float(a == b) if both is None else both


def embedding_diversity(case: Case, divisor: str = "pairs") -> Value:
    """Mean of 1 - cosine of all pairs of places whose items have an embedding; None without a pair.

    items: the sum over these pairs, over the number of these items.
    """
    told = [case.inputs.directions[item] for item in case.places if item in case.inputs.directions]
    distances = [1 - total(x * y for x, y in zip(a, b, strict=True)) for a, b in combinations(told, 2)]
    return mean(distances) if divisor == "pairs" else ratio(total(distances), len(told))


def profile(items: Iterable[Item], categories: Mapping[Item, set[Hashable]]) -> dict[Hashable, float]:
    """The shares of the categories of some items, each item divided among its own."""
    masses: dict[Hashable, float] = {}
    tagged = [categories[item] for item in items if item in categories]
    for of in tagged:
        for one in of:
            masses[one] = masses.get(one, 0) + 1 / len(of)
    return {one: mass / len(tagged) for one, mass in masses.items()}


def miscalibration(case: Case, divergence: str = "kl", alpha: float = 0.01) -> Value:
    """Divergence of the list's categories q from the history's p; None if either has none.

    kl: sum of p ln(p / ((1 - alpha) q + alpha p)); js: (KL(p, m) + KL(q, m)) / 2 in bits, m = (p + q) / 2.
    """
    p, q = (profile(items, case.inputs.categories) for items in (case.history, case.places))
    if not p or not q:
        return None
    if divergence == "kl":
        return divergence_of(p, {one: (1 - alpha) * q.get(one, 0) + alpha * p[one] for one in p})
    middle = {one: (p.get(one, 0) + q.get(one, 0)) / 2 for one in {*p, *q}}
    return (divergence_of(p, middle) + divergence_of(q, middle)) / (2 * math.log(2))


def divergence_of(p: Mapping[Hashable, float], q: Mapping[Hashable, float]) -> float:
    """Sum of p ln(p / q)."""
    return total(share * math.log(share / q[one]) for one, share in p.items())
