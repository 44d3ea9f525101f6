"""napkinXC's metrics at k over lists of labels: the ranking of each user, and the labels that are rated above 0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from napkinxc import metrics

from peers.job import CUTOFFS, Problem, Values

PLAIN = ("precision_at_k", "recall_at_k", "dcg_at_k", "ndcg_at_k", "abandonment_at_k")
SCORED = ("psprecision_at_k", "psrecall_at_k", "psdcg_at_k", "psndcg_at_k")


def weight(item: str) -> float:
    """The inverse propensity of an item, made of its name, from 1 to 7."""
    return 1.0 + sum(item.encode()) % 7


def measured(problem: Problem) -> Iterator[Values]:
    relevant: dict[str, list[str]] = {user: [] for user in problem.lists}
    for row in problem.truth:
        if row["rating"] > 0 and row["item"] not in relevant[row["user"]]:
            relevant[row["user"]].append(row["item"])
    inv_ps = {item: weight(item) for item in problem.items}

    def values(name: str, *arguments: Any, **options: Any) -> Sequence[float]:
        """The values at the cutoffs 1 to 10 over some users."""
        users, *others = arguments
        lists = [[of[user] for user in users] for of in (relevant, problem.lists)]
        return [float(value) for value in getattr(metrics, name)(*lists, *others, k=max(CUTOFFS), **options)]

    users = [*relevant]
    means: list[tuple[str, str, tuple[Any, ...], dict[str, Any]]] = [(name, "", (), {}) for name in PLAIN]
    means += [(name, "normalize=False", (inv_ps,), {"normalize": False}) for name in SCORED if name != "psdcg_at_k"]
    for name, setting, others, options in means:
        of_users = {user: values(name, [user], *others, **options) for user in users}
        of_all = values(name, users, *others, **options)
        for k in CUTOFFS:
            yield setting, name, k, {None: of_all[k - 1], **{user: found[k - 1] for user, found in of_users.items()}}
    for name in SCORED:
        of_all = values(name, users, inv_ps)
        for k in CUTOFFS:
            yield "", name, k, {None: of_all[k - 1]}


# What the calls of its page name.
NAMES = {name: getattr(metrics, name) for name in (*PLAIN, *SCORED)}
