"""Sampled evaluation in plain Python, written to be read: draw negatives, rank the candidates again, measure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from hashlib import md5
from math import log, log2

import rankmetrics as rm

Truth = Mapping[object, Collection[object]]


def draw(
    sample: rm.Negatives,
    truth: Truth,
    catalog: Collection[object],
    history: Truth,
    popularity: Mapping[object, float] | None = None,
) -> dict[object, set[object]]:
    """The negatives of each user: the items with the lowest keys among those that the user does not know."""
    return {
        user: {
            item
            for _, item in sorted(
                (_key(sample, user, item, popularity), item)
                for item in catalog
                if item not in relevant and item not in history.get(user, ())
                if popularity is None or item in popularity
            )[: sample.n]
        }
        for user, relevant in truth.items()
    }


def _key(sample: rm.Negatives, user: object, item: object, popularity: Mapping[object, float] | None) -> str | float:
    digits = md5(f"{sample.seed}:{user}:{item}".encode()).hexdigest()
    if popularity is None:
        return digits
    u = (int(digits[:12], 16) + 0.5) / 16**12
    return log(1 / u) / popularity[item]


def hits(ranked: Sequence[object], relevant: Collection[object], negatives: Collection[object]) -> list[int]:
    """The ranks of the relevant items among the candidates of a list."""
    kept = [item for item in ranked if item in relevant or item in negatives]
    return [rank for rank, item in enumerate(kept, start=1) if item in relevant]


def measures(ranks: Sequence[int], n_relevant: int, k: int) -> dict[str, float]:
    """Three metrics of a list, from the ranks of its relevant items."""
    found = [rank for rank in ranks if rank <= k]
    ideal = sum(1 / log2(rank + 1) for rank in range(1, min(k, n_relevant) + 1))
    return {
        "ndcg": sum(1 / log2(rank + 1) for rank in found) / ideal,
        "recall": len(found) / n_relevant,
        "rr": 1 / found[0] if found else 0.0,
    }
