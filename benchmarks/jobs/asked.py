"""What the hand-written jobs are asked for: nDCG, recall, precision, AP, RR and hit at 5, 10 and 20."""

from math import log2

CUTOFFS = (5, 10, 20)
DEEPEST = 20
METRICS = ("ndcg", "recall", "precision", "ap", "rr", "hit")
LABELS = [f"{metric}@{k}" for metric in METRICS for k in CUTOFFS]
DISCOUNTS = [1 / log2(rank + 1) for rank in range(1, DEEPEST + 1)]


def ideal(n: int, k: int) -> float:
    """The DCG of the best list there is of n relevant items, cut at k."""
    return sum(DISCOUNTS[: min(n, k)])
