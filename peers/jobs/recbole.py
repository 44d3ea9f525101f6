"""RecBole's collector and metrics over the scores of a model: of each user alone, and of all.

The scores fall with the rank; items that a list does not hold have none, and neither has the padding item, which
RecBole puts first. A problem is measured at the cutoffs that its shortest list reaches, as the lists of RecBole are
never shorter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from recbole.config import Config
from recbole.evaluator import Collector, Evaluator

from peers.job import CUTOFFS, Problem, Values
from peers.tables import read

OF_LISTS = ("Hit", "MRR", "MAP", "Recall", "NDCG", "Precision", "AveragePopularity")
OF_SYSTEM = ("ItemCoverage", "ShannonEntropy", "GiniIndex")


class Settings(dict[str, Any]):
    """A configuration of RecBole: a setting that is not given is None."""

    def __missing__(self, key: str) -> None:
        return None


def results(
    metrics: Sequence[str], scores: Any, positive: Sequence[tuple[int, int]], counts: Counter[int], **settings: Any
) -> dict[str, float]:
    """What RecBole returns for a matrix of scores, the padding item first, and the positive pairs of user and item."""
    fixed = {"metrics": metrics, "eval_args": {"mode": "full"}, "device": "cpu", "metric_decimal_place": 12}
    config = Settings(fixed | settings)
    collector = Collector(config)
    users, items = (torch.tensor([pair[one] for pair in positive]) for one in (0, 1))
    collector.eval_batch_collect(scores, None, users, items)
    collector.data_struct.set("data.num_items", scores.shape[1])
    collector.data_struct.set("data.count_items", counts)
    return {name: float(value) for name, value in Evaluator(config).evaluate(collector.data_struct).items()}


def of_scores(metric: str, scores: Sequence[Sequence[float]], positive: Sequence[Sequence[int]], **given: Any) -> float:
    """A metric of a few users, each with the scores of the items 1, 2, 3 and its positive items."""
    padded = torch.tensor([[-torch.inf, *of] for of in scores])
    pairs = [(user, item) for user, items in enumerate(positive) for item in items]
    (value,) = results([metric], padded, pairs, Counter(), **{"topk": [given.pop("k", 1)], **given}).values()
    return value


def measured(problem: Problem) -> Iterator[Values]:
    rated = problem.ratings
    ranks = {user: of for user, of in problem.ranks.items() if of and user in rated}
    numbers = {item: n for n, item in enumerate(problem.items, start=1)}
    scores = torch.full((len(ranks), len(read("catalog")) + 1), -torch.inf)
    for row, of in enumerate(ranks.values()):
        for item, rank in of.items():
            scores[row, numbers[item]] = 100.0 - rank
    counts = Counter(numbers[row["item"]] for row in read("history") if row["item"] in numbers)
    positive = [(row, numbers[item]) for row, user in enumerate(ranks) for item in rated[user]]
    topk = [k for k in CUTOFFS if k <= min(map(len, ranks.values()))]
    is_dense = all(len(of) == len(numbers) for of in ranks.values())
    whole = [*OF_LISTS, *OF_SYSTEM, *(["GAUC"] if is_dense else [])]
    for name, value in results(whole, scores, positive, counts, topk=topk).items():
        yield "", *_named(name), {None: value}
    for row, user in enumerate(ranks):
        of_user = [(0, item) for number, item in positive if number == row]
        for name, value in results(OF_LISTS, scores[row : row + 1], of_user, counts, topk=topk).items():
            yield "", *_named(name), {user: value}


def _named(name: str) -> tuple[str, int | None]:
    """A name of its results as the metric's name, and the cutoff."""
    metric, _, k = name.partition("@")
    return next(one for one in (*OF_LISTS, *OF_SYSTEM, "GAUC") if one.lower() == metric), int(k) if k else None


# What the calls of its page name.
Config.compatibility_settings(None)
NAMES = {"recbole": of_scores}
