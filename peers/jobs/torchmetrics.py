"""torchmetrics' retrieval metrics over scores and targets of queries: of each query alone, and of all.

A query has a row for each recommended item. Some metrics of torchmetrics take items with a score of 0 or less for
irrelevant, and RetrievalAUROC changes scores beyond 0 and 1. So the scores are brought into that range, in the same
order; the page on torchmetrics shows what it does with others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from torch import cat, tensor
from torchmetrics import retrieval
from torchmetrics.functional import retrieval as functional

from peers.job import Problem, Values

CUTOFFS = (None, 1, 3, 5, 10)
CUT = ("MAP", "MRR", "Precision", "Recall", "FallOut", "HitRate", "NormalizedDCG", "AUROC")
ACTIONS = ("skip", "pos")
OTHERS = ("median", "min", "max")


def _metric(name: str, k: int | None, setting: str) -> Any:
    key, _, value = setting.partition("=")
    given = {key: value == "True" if key == "adaptive_k" else value} if key else {}
    cut = {} if name == "RPrecision" else {"top_k": k}
    return getattr(retrieval, f"Retrieval{name}")(**cut, **given)


def _requested() -> Iterator[tuple[str, str, int | None]]:
    """Settings, metrics and cutoffs."""
    for name in (*CUT, "RPrecision"):
        for k in (None,) if name == "RPrecision" else CUTOFFS:
            yield "", name, k
            if k in (None, 5):
                yield from ((f"empty_target_action={action}", name, k) for action in ACTIONS)
    yield from (("adaptive_k=True", "Precision", k) for k in CUTOFFS[1:])


def measured(problem: Problem) -> Iterator[Values]:
    rated = problem.ratings
    lists = {user: of for user, of in problem.scores.items() if of}
    every = [score for of in lists.values() for score in of.values()]
    lowest, span = min(every), max(every) - min(every) + 1
    rows = {
        user: (
            tensor([(score - lowest + 1) / span for score in of.values()]),
            tensor([rated.get(user, {}).get(item, 0.0) for item in of]),
        )
        for user, of in lists.items()
    }
    for setting, name, k in _requested():
        values: dict[str | None, float | None] = {None: _of_all(name, k, setting, rows)}
        for number, (user, (scores, ratings)) in enumerate(rows.items()):
            metric = _metric(name, k, setting)
            target = ratings if name == "NormalizedDCG" else (ratings > 0).long()
            value = float(metric(scores, target, tensor([number] * len(scores))))
            is_skipped = setting == "empty_target_action=skip" and not bool(_counted(name, target).sum())
            values[user] = None if is_skipped else value
        yield setting, f"Retrieval{name}", k, values
        if setting == "" and k in (None, 3):
            for way in OTHERS:
                of_all = _of_all(name, k, f"aggregation={way}", rows)
                yield "", f"Retrieval{name}(aggregation={way})", k, {None: of_all}


def _counted(name: str, target: Any) -> Any:
    """The rows without which a query is empty."""
    return 1 - target if name == "FallOut" else target


def _of_all(name: str, k: int | None, setting: str, rows: dict[str, tuple[Any, Any]]) -> float | None:
    """The value over all queries; None where all are skipped, for which torchmetrics returns 0."""
    scores, ratings = (cat([pair[one] for pair in rows.values()]) for one in (0, 1))
    target = ratings if name == "NormalizedDCG" else (ratings > 0).long()
    empty = [not bool(_counted(name, (pair[1] > 0).long()).sum()) for pair in rows.values()]
    if setting == "empty_target_action=skip" and all(empty):
        return None
    indexes = tensor([number for number, pair in enumerate(rows.values()) for _ in pair[0]])
    return float(_metric(name, k, setting)(scores, target, indexes))


# What the calls of its page name.
NAMES = {**vars(retrieval), **vars(functional), "tensor": tensor}
