"""WarpRec's metrics over scores of all items, as its evaluator computes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np
import torch
from scipy.sparse import csr_matrix

from peers.job import CUTOFFS, Problem, Values, empty_packages, matrix_of
from peers.problems import EXAMPLE, unequal_profiles

# Its packages import models.
empty_packages("warprec", "utils", "evaluation")
import_module("warprec.evaluation.metrics")
from warprec.evaluation.metrics.base_metric import BaseMetric  # noqa: E402  # after the packages above
from warprec.utils.registry import metric_registry  # noqa: E402

CUT = (
    *"Precision Recall HitRate MRR MAP F1 nDCG nDCGRendle2020 LAUC NumRetrieved ARP APLT ACLT EFD EPC".split(),
    *"ItemCoverage Gini ShannonEntropy PopREO PopRSP REO RSP ItemMADRanking IPSRecall SNIPSRecall IPSDCG".split(),
)
WHOLE = ("AUC", "GAUC")
SETTINGS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "beta=2": ("F1", {"beta": 2.0}),
    "relevance=discounted": ("EPC", {"relevance": "discounted"}),
    "pop_ratio=0.5": ("APLT", {"pop_ratio": 0.5}),
    "category=1": ("BiasDisparityBS", {"category": 1}),
    "category=2": ("BiasDisparityBR", {"category": 2}),
    "category=3": ("BiasDisparityBD", {"category": 3}),
}

HISTORY = unequal_profiles()
ITEMS = sorted({row["item"] for row in HISTORY})
USERS = sorted({row["user"] for row in HISTORY})
TRAIN = matrix_of([[ITEMS.index(row["item"]) for row in HISTORY if row["user"] == user] for user in USERS], len(ITEMS))
# The cluster of each item, by its name; 0 is no cluster.
CLUSTER = torch.tensor([1 + sum(item.encode()) % 3 for item in ITEMS])
PROPENSITY = torch.tensor([1 / (1 + sum(item.encode()) % 7) for item in ITEMS])


def measure(
    name: str, k: int, scores: Any, target: Any, users: Sequence[int], train: csr_matrix, **settings: Any
) -> Any:
    """A metric over the rows of scores and of ratings, each of a user of the training data; `category` is a cluster.

    The users are a cluster, and all others another.
    """
    category = settings.pop("category", None)
    clusters = torch.tensor([1 if user in users else 2 for user in range(train.shape[0])])
    metric = metric_registry.get(
        name,
        k=k,
        num_users=train.shape[0],
        num_items=train.shape[1],
        item_interactions=torch.tensor(train.getnnz(axis=0)).float(),
        train_matrix=train,
        **{"propensity": PROPENSITY, "item_cluster": CLUSTER, "user_cluster": clusters, **settings},
    )
    values, indices = torch.topk(scores, k, dim=1)
    relevant, discounted = BaseMetric.binary_relevance(target), BaseMetric.discounted_relevance(target)
    metric.update(
        scores,
        user_indices=torch.tensor(users),
        ground=target,
        binary_relevance=relevant,
        discounted_relevance=discounted,
        valid_users=BaseMetric.valid_users(target),
        item_indices=None,
        **{
            f"top_{k}_values": values,
            f"top_{k}_indices": indices,
            f"top_{k}_binary_relevance": BaseMetric.top_k_relevance_from_indices(relevant, indices),
            f"top_{k}_discounted_relevance": BaseMetric.top_k_relevance_from_indices(discounted, indices),
        },
    )
    return metric.compute()[metric.name if category is None else f"{metric.name}_UC1_IC{category}"]


def of(
    name: str, k: int, scores: Sequence[Sequence[float]], target: Sequence[Sequence[float]], **settings: Any
) -> float:
    """A metric over users who all have all items in training."""
    train = csr_matrix(np.ones((len(scores), len(scores[0]))))
    rows = torch.tensor(scores, dtype=torch.float64), torch.tensor(target, dtype=torch.float64)
    value = measure(name, k, *rows, range(len(scores)), train, **settings)
    return float(value.nanmean() if isinstance(value, torch.Tensor) else value)


def example(by_user: Mapping[str, Mapping[str, float]], ratings: Mapping[str, Mapping[str, float]]) -> Iterator[Values]:
    """Two metrics of the first 3 items that no order of equal scores changes."""
    items = sorted({item for scores in by_user.values() for item in scores})
    scores = torch.tensor([[of_user[item] for item in items] for of_user in by_user.values()])
    target = torch.tensor([[ratings[user].get(item, 0.0) for item in items] for user in by_user])
    train = csr_matrix((len(by_user), len(items)))
    for name in ("Precision", "HitRate"):
        found = measure(name, 3, scores, target, range(len(by_user)), train)
        yield "", name, 3, {None: found.nanmean().item(), **dict(zip(by_user, found.tolist(), strict=True))}


def measured(problem: Problem) -> Iterator[Values]:
    by_user, ratings = problem.scores, problem.ratings
    if problem.name == EXAMPLE:  # with equal scores within the first 3, and no training data
        yield from example(by_user, ratings)
        return
    users = [user for user in USERS if by_user.get(user) and user in ratings]
    lists = [by_user[user] for user in users]
    if not users:
        raise ValueError("No user has training data.")
    if any(len({*scores.values()}) < len(scores) for scores in lists):
        raise ValueError("Equal scores are in a random order.")
    if any({*scores, *ratings[user]} - {*ITEMS} for user, scores in zip(users, lists, strict=True)):
        raise ValueError("Each item has a column, and these are the items of the training data.")
    # A model scores all items: here, those that a list lacks are lower. What a user has in training has no score.
    rows = [[of_user.get(item, -1e9 - at) for at, item in enumerate(ITEMS)] for of_user in lists]
    scores = torch.tensor(rows, dtype=torch.float64)
    target = torch.tensor([[ratings[user].get(item, 0.0) for item in ITEMS] for user in users])
    numbers = [USERS.index(user) for user in users]
    scores[torch.tensor(TRAIN[numbers].toarray() > 0)] = -torch.inf

    def values(name: str, k: int, **settings: Any) -> dict[str | None, Any]:
        found = measure(name, k, scores, target, numbers, TRAIN, **settings)
        if not isinstance(found, torch.Tensor):
            return {None: found}
        return {None: found.nanmean().item(), **{user: found[USERS.index(user)].item() for user in users}}

    for k in CUTOFFS:
        if k <= min(map(len, lists)):
            for name in CUT:
                yield "", name, k, values(name, k)
            for setting, (name, given) in SETTINGS.items():
                yield setting, name, k, values(name, k, **given)
    for name in WHOLE:
        if all(ratings[user].keys() <= of_user.keys() for user, of_user in zip(users, lists, strict=True)):
            yield "", name, None, values(name, 1)


# What the calls of its page name.
NAMES = {"of": of}
