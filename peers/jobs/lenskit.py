"""LensKit's metrics of lists and runs over item lists, without PyTorch."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any
from unittest.mock import MagicMock

from peers.job import CUTOFFS, Problem, Values
from peers.tables import Row, read

torch = MagicMock()
torch.Tensor = type("Tensor", (), {})
sys.modules["torch"] = torch

import pandas as pd  # noqa: E402
from lenskit import metrics  # noqa: E402  # after torch
from lenskit.data import Dataset, DatasetBuilder, ItemList, ItemListCollection  # noqa: E402
from lenskit.metrics import ranking  # noqa: E402

# Metrics of a list; none has a cutoff as None.
METRICS = ("NDCG", "DCG", "RBP", "Precision", "Recall", "AveragePrecision", "RecipRank", "Hit")
SETTINGS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "gain=rating": {"NDCG": {"gain": "rating"}, "DCG": {"gain": "rating"}},
    "normalize=True": {"RBP": {"normalize": True}},
    "weight=LogRankWeight(offset=1)": {"NDCG": {"weight": metrics.LogRankWeight(offset=1)}},
    "weight=LogRankWeight()": {"RBP": {"weight": metrics.LogRankWeight()}},
}


def dataset() -> Dataset:
    """The catalogue, with a category for each item, and the history."""
    items = [row["item"] for row in read("catalog")]
    builder = DatasetBuilder()
    builder.add_entities("item", items)
    builder.add_scalar_attribute("item", "genre", items, [category(item) for item in items])
    clicks = pd.DataFrame(read("history")).rename(columns={"user": "user_id", "item": "item_id"})
    builder.add_interactions("click", clicks, entities=["user", "item"], missing="insert", default=True)
    return builder.build()


def category(item: str) -> str:
    return "abc"[sum(item.encode()) % 3]


DATA = dataset()
KNOWN = {row["item"] for row in read("catalog")}


def ranked(rows: Sequence[Row]) -> dict[str, ItemList]:
    """The list of each user, in the order of the ranks."""
    lists: dict[str, list[str]] = {row["user"]: [] for row in rows}
    for row in sorted((row for row in rows if row["item"] is not None), key=lambda row: row["rank"]):
        lists[row["user"]].append(row["item"])
    return {user: ItemList(items, ordered=True) for user, items in lists.items()}


def rated(rows: Sequence[Row]) -> dict[str, ItemList]:
    """The test items of each user, with their ratings."""
    by_user: dict[str, list[Row]] = {}
    for row in rows:
        by_user.setdefault(row["user"], []).append(row)
    return {
        user: ItemList([row["item"] for row in rows], rating=[row["rating"] for row in rows])
        for user, rows in by_user.items()
    }


def of_run(metric: Any, lists: Mapping[str, ItemList], test: Mapping[str, ItemList]) -> dict[str | None, Any]:
    """The value of each list, and of the run; of the run only for metrics without values of lists.

    Lists by whose length it divides by 0 are left out: it measures no run with one of them.
    """
    collector = metrics.MeasurementCollector()
    collector.add_metric(metric, "value")
    lists = {user: recs for user, recs in lists.items() if is_measured(metric, recs, test.get(user, ItemList([])))}
    key = ["user_id"]
    found = collector.measure_run(ItemListCollection.from_dict(lists, key), ItemListCollection.from_dict(test, key))
    by_user = dict(found.list_metrics.get("value", {}))
    return {None: found.summary_metrics.get("value.mean", found.summary_metrics.get("value")), **by_user}


def is_measured(metric: Any, recs: ItemList, test: ItemList) -> bool:
    with suppress(ZeroDivisionError):
        (metric() if isinstance(metric, type) else metric).measure_list(recs, test)
        return True
    return False


def functions(metric: Any, lists: Mapping[str, ItemList]) -> dict[str | None, Any]:
    """A function of a baseline and a list."""
    values: dict[str | None, Any] = {
        user: metric(BASELINE.get(user, ItemList([])), recs) for user, recs in lists.items()
    }
    defined = [value for value in values.values() if not math.isnan(value)]
    return {None: sum(defined) / len(defined) if defined else None, **values}


BASELINE = ranked(read("baseline"))


def measured(problem: Problem) -> Iterator[Values]:
    lists, test = ranked(problem.recs), rated(problem.truth)
    for k in (*CUTOFFS, None):
        for setting, options in {"": {name: {} for name in METRICS}, **SETTINGS}.items():
            for name, given in options.items():
                yield setting, name, k, of_run(getattr(ranking, name)(k, **given), lists, test)
        yield "", "MeanPopRank", k, of_run(ranking.MeanPopRank(DATA, n=k), lists, test)
        if {row["item"] for row in problem.listed} <= KNOWN:
            for name in ("ListGini", "ExposureGini"):
                yield "", name, k, of_run(getattr(ranking, name)(k, items=DATA), lists, test)
            for name, metric in (("entropy", ranking.Entropy), ("rank_biased_entropy", ranking.RankBiasedEntropy)):
                yield "", name, k, of_run(metric(DATA, "genre", k), lists, test)
    for k in CUTOFFS:
        yield "", "rank_biased_overlap", k, functions(lambda *pair, n=k: metrics.rank_biased_overlap(*pair, n=n), lists)
        yield "", "least_item_promoted", k, functions(lambda *pair, n=k: metrics.least_item_promoted(*pair, n=n), lists)
    yield "", "ListLength", None, of_run(metrics.ListLength, lists, test)
    yield "", "TestItemCount", None, of_run(metrics.TestItemCount, lists, test)
    yield "", "UniqueItemCount", None, of_run(metrics.UniqueItemCount, lists, test)


def listed(items: str, **fields: Sequence[float]) -> ItemList:
    """The letters of a text, in order."""
    return ItemList([*items], ordered=True, **fields)


def summary(metric: Any, lists: Sequence[str], test: Sequence[str], statistic: str) -> float:
    """A statistic of a run; a list has the test items at its place, or none."""
    collector = metrics.MeasurementCollector()
    collector.add_metric(metric, "value")
    for recs, items in zip(lists, test, strict=True):
        collector.add_list_measurement(listed(recs), ItemList([*items]))
    return float(collector.summary_metrics()[f"value.{statistic}"])


# What the calls of its page name.
NAMES = {**vars(metrics), **vars(ranking), "ItemList": ItemList, "DATA": DATA, "listed": listed, "summary": summary}
