"""Metric functions as people write them, each with a definition of its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence

import numpy as np

Ids = Sequence[str]


def _dcg(gains: Sequence[float], first: int = 2) -> float:
    return sum(gain / math.log2(place + first) for place, gain in enumerate(gains))


def ndcg_at_k(recommended: Ids, relevant: Collection[str], k: int) -> float:
    hits = [float(item in relevant) for item in [*dict.fromkeys(recommended)][:k]]
    best = _dcg([1.0] * min(k, len(relevant)))
    return _dcg(hits) / best if best else 0.0


def ndcg_with_a_late_discount(recommended: Ids, relevant: Collection[str], k: int) -> float:
    hits = [float(item in relevant) for item in recommended[:k]]
    best = _dcg([1.0] * min(k, len(relevant)), first=3)
    return _dcg(hits, first=3) / best if best else 0.0


def ndcg_of_retrieved(relevances: Sequence[float], k: int) -> float:
    """The well-known gist, which returns 1 if nothing is relevant."""
    rels = np.asarray(relevances)
    best = np.sort(rels)[::-1][:k]

    def dcg(values: np.ndarray) -> float:
        return float(np.sum((2**values - 1) / np.log2(np.arange(2, values.size + 2))))

    return dcg(rels[:k]) / dcg(best) if dcg(best) else 1.0


def ndcg_of_the_first_k(relevances: Sequence[float], k: int) -> float:
    best = _dcg(sorted(relevances[:k], reverse=True))
    return _dcg(relevances[:k]) / best if best else 0.0


def recall_at_k(relevant: Collection[str], recommended: Ids, k: int) -> float:
    """A hit, and called recall."""
    return float(bool({*recommended[:k]} & {*relevant}))


def precision_at_k(actual: Collection[str], predicted: Ids, k: int = 10) -> float:
    """Cut off one item late, and divided by the length of the list."""
    first = predicted[: k + 1]
    return len({*first} & {*actual}) / len(first) if first else 0.0


def average_precision(y_true: Sequence[float], y_score: Sequence[float]) -> float:
    """Divided by the hits; of equal scores, the row that comes first."""
    order = sorted(range(len(y_true)), key=lambda row: -y_score[row])
    hits = [rank for rank, row in enumerate(order[:10], 1) if y_true[row] > 0]
    return sum(n / rank for n, rank in enumerate(hits, 1)) / len(hits) if hits else 0.0


def mrr(qrels: dict[str, dict[str, float]], run: dict[str, dict[str, float]]) -> dict[str, float]:
    """Of equal scores, the lower id."""
    return {
        query: next(
            (
                1 / rank
                for rank, item in enumerate(sorted(run[query], key=lambda item: (-run[query][item], item)), 1)
                if qrels[query].get(item, 0) > 0
            ),
            0.0,
        )
        for query in qrels
    }


def hit_rate_at_5(recommended: Ids, relevant: Collection[str]) -> float | None:
    return float(any(item in relevant for item in recommended[:5])) if relevant else None


def f1(recommended: Ids, relevant: Collection[str], cutoff: int) -> float:
    n = len({*recommended[:cutoff]} & {*relevant})
    return 2 * n / (cutoff + len(relevant)) if relevant else 0.0


def novelty_of_lengths(recommended: Ids, relevant: Collection[str], k: int) -> float:
    """What no metric is."""
    weight = math.sqrt(len(relevant))
    return sum(weight * (place + 3.3) for place, item in enumerate(recommended[:k]) if item in relevant)


# Each function with its definition, and the truth that it knows of.
KNOWN: Sequence[tuple[Callable[..., object], str, str]] = (
    (ndcg_at_k, "ndcg(duplicates=first, undefined=zero)@3", "all"),
    (ndcg_with_a_late_discount, "ndcg(discount=late, duplicates=each, undefined=zero)@3", "all"),
    (ndcg_of_retrieved, "ndcg(gain=exponential, relevance=any, undefined=one)@3", "all"),
    (ndcg_of_the_first_k, "ndcg(gain=linear, relevance=any, undefined=zero)@3", "retrieved in the first k"),
    (recall_at_k, "hit(undefined=zero)@3", "all"),
    (precision_at_k, "precision(divisor=list, undefined=zero)@4", "all"),
    (average_precision, "ap(divisor=hits, undefined=zero)@10", "all"),
    (mrr, "rr(undefined=zero)", "all"),
    (hit_rate_at_5, "hit@5", "all"),
    (f1, "f_beta(undefined=zero)@3", "all"),
)
