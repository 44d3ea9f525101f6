"""RecTools over pandas frames: every metric that we have, per user where it returns that, and over all."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from inspect import Parameter, signature
from typing import Any

import numpy as np
import pandas as pd
from rectools import metrics

from peers.job import CUTOFFS, Problem, Values, problems, write_json
from peers.tables import GOLDEN, read

DISTANCES = {(row["item"], row["other"]): 1 - row["similarity"] for row in read("similarity")}


class Distances(metrics.PairwiseDistanceCalculator):  # type: ignore[misc]
    def _get_distances_for_item_pairs(self, items_0: Any, items_1: Any) -> Any:
        pairs = ((min(pair), max(pair)) for pair in zip(items_0, items_1, strict=True))
        return np.array([0.0 if pair[0] == pair[1] else DISTANCES.get(pair, 1.0) for pair in pairs])


# Each metric with its setting; IntraListDiversity takes the distances above.
METRICS = (
    *"Precision Precision(r_precision=True) Recall HitRate F1Beta F1Beta(beta=2) Accuracy MCC".split(),
    *"MAP MAP(divide_by_k=True) NDCG NDCG(log_base=3) NDCG(divide_by_achievable=True) MRR".split(),
    *"PartialAUC PartialAUC(insufficient_handling=exclude) PAP PAP(insufficient_handling=exclude)".split(),
    *"MeanInvUserFreq AvgRecPopularity AvgRecPopularity(normalize=True) Serendipity".split(),
    *"Intersection Intersection(ref_k=5) IntraListDiversity CatalogCoverage CatalogCoverage(normalize=True)".split(),
    *"SufficientReco SufficientReco(deep=True) UnrepeatedReco UnrepeatedReco(deep=True) CoveredUsers".split(),
)
VALUES = {"True": True, "exclude": "exclude"}


def metric_of(name: str, k: int) -> Any:
    """A metric at a cutoff, by its name in the golden file: the class, and a setting in parentheses."""
    of_class, _, setting = name.rstrip(")").partition("(")
    key, _, value = setting.partition("=")
    settings = {key: VALUES[value] if value in VALUES else int(value)} if key else {}
    if of_class == "IntraListDiversity":
        settings = {"distance_calculator": Distances()}
    return getattr(metrics, of_class)(k=k, **settings)


# What each class is given, in order, beside the recommendations.
GIVEN = {
    **dict.fromkeys(("Accuracy", "MCC"), ("interactions", "catalog")),
    **dict.fromkeys(("MeanInvUserFreq", "AvgRecPopularity"), ("prev_interactions",)),
    **dict.fromkeys(("IntraListDiversity", "SufficientReco", "UnrepeatedReco"), ()),
    "CatalogCoverage": ("catalog",),
    "Serendipity": ("interactions", "prev_interactions", "catalog"),
    "Intersection": ("ref_reco",),
}


def given_to(metric: Any, inputs: dict[str, Any]) -> list[Any]:
    """The inputs that a metric takes beside the recommendations."""
    return [inputs[name] for name in GIVEN.get(type(metric).__name__, ("interactions",))]


def _frame(rows: list[dict[str, Any]], *columns: str) -> Any:
    frame = pd.DataFrame(rows)[["user", "item", *columns]].rename(columns={"user": "user_id", "item": "item_id"})
    return frame.astype({"rank": int}) if "rank" in columns else frame


def inputs_of(problem: Problem) -> dict[str, Any]:
    """What metrics are given of a problem."""
    return {
        "reco": _frame(problem.listed, "rank"),
        "interactions": _frame(problem.truth),
        "prev_interactions": _frame(read("history")),
        "catalog": [row["item"] for row in read("catalog")],
        "ref_reco": _frame(read("baseline"), "rank"),
    }


def measured(problem: Problem) -> Iterator[Values]:
    inputs = inputs_of(problem)
    for k in CUTOFFS:
        for name in METRICS:
            metric = metric_of(name, k)
            given = (inputs["reco"], *given_to(metric, inputs))
            is_of_system = name.startswith(("CatalogCoverage", "CoveredUsers"))
            of_users = {} if is_of_system else metric.calc_per_user(*given).to_dict()
            yield "", name, k, {None: metric.calc(*given), **of_users}


# --- the calls of the page --------------------------------------------------------------------------------------------


def of(metric: Any, items: list[str], relevant: Any = (), *, known: Any = (), catalog: Any = ()) -> float:
    """A metric of one user: the recommended items in order, the relevant items, those of the history, the catalogue."""
    inputs = {"interactions": _items(relevant), "prev_interactions": _items(known), "catalog": list(catalog)}
    return float(metric.calc(reco(*items), *given_to(metric, inputs)))


def same(metric: Any, recommendations: Any) -> float:
    """A metric of recommendations and the same table again."""
    return float(metric.calc(recommendations, recommendations))


def reco(*items: str) -> Any:
    """The recommendations of one user, in order."""
    return _items(items).assign(rank=range(1, len(items) + 1))


def hamming(**features: list[int]) -> Any:
    """The distances of items with some features; an item without features has none."""
    return metrics.PairwiseHammingDistanceCalculator(pd.DataFrame(features).T)


def two_users(*items: str) -> Any:
    """Interactions of two users by turns."""
    return _items(items).assign(user_id=[f"u{place % 2}" for place in range(len(items))])


def _items(items: Sequence[str]) -> Any:
    return pd.DataFrame({"user_id": ["u0"] * len(items), "item_id": pd.Series(list(items), dtype=object)})


# --- a truth that is down-sampled -------------------------------------------------------------------------------------

# The problem, and how: every item to the upper quartile of the popularities, at random.
DEBIASED, SEED = "long lists", 32


def debiased(problem: Problem) -> dict[str, Any]:
    """What metrics with a `debias_config` return, and the interactions that are left to them."""
    config = metrics.DebiasConfig(iqr_coef=0, random_state=SEED)
    inputs = inputs_of(problem)
    left = metrics.debias_interactions(inputs["interactions"], config)
    names = "Precision Recall F1Beta Accuracy MCC HitRate MAP NDCG MRR PartialAUC PAP".split()
    debiasable = {name: getattr(metrics, name)(k=5, debias_config=config) for name in names}
    means = {name: metric.calc(inputs["reco"], *given_to(metric, inputs)) for name, metric in debiasable.items()}
    return {
        "problem": DEBIASED,
        "k": 5,
        "left": sorted(left[["user_id", "item_id"]].itertuples(index=False, name=None)),
        "means": {name: float(value) for name, value in means.items()},
    }


def defaults() -> dict[str, dict[str, str]]:
    """The parameters of each metric that have a default, as they would be written."""
    classes = [getattr(metrics, name) for name in metrics.__all__ if hasattr(getattr(metrics, name), "calc")]
    parameters = {each.__name__: signature(each).parameters.values() for each in classes}
    return {
        name: {
            parameter.name: repr(parameter.default) for parameter in each if parameter.default is not Parameter.empty
        }
        for name, each in parameters.items()
    }


# What the calls of its page name.
classes = {name: getattr(metrics, name) for name in metrics.__all__}
helpers = {"hamming": hamming, "of": of, "reco": reco, "same": same, "two_users": two_users}
NAMES = {**classes, **helpers}


def after() -> None:
    """Write what its tests read in addition."""
    write_json("rectools_defaults", defaults())
    (problem,) = (problem for problem in problems() if problem.name == DEBIASED)
    (GOLDEN / "rectools_debiased.json").write_text(json.dumps(debiased(problem)) + "\n", encoding="utf-8")
