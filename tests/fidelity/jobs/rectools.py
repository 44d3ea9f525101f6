"""RecTools over pandas frames: every metric that we have, per user where it returns that, and over all."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from tests.fidelity import quirks
from tests.fidelity.tables import GOLDEN, Row, by_problem, number, read, save

CUTOFFS = (1, 3, 5, 10)


def metrics(k: int, similarity: list[Row]) -> dict[str, Any]:
    """Each metric at a cutoff, under a name that says how it is set."""
    from rectools import metrics as of

    distances = {(row["item"], row["other"]): 1 - row["similarity"] for row in similarity}

    class Distances(of.PairwiseDistanceCalculator):  # type: ignore[misc]
        def _get_distances_for_item_pairs(self, items_0: Any, items_1: Any) -> Any:
            import numpy as np

            pairs = zip(items_0, items_1, strict=True)
            return np.array(
                [
                    0.0 if one == other else distances.get((min(one, other), max(one, other)), 1.0)
                    for one, other in pairs
                ]
            )

    return {
        "Precision": of.Precision(k=k),
        "Precision(r_precision=True)": of.Precision(k=k, r_precision=True),
        "Recall": of.Recall(k=k),
        "HitRate": of.HitRate(k=k),
        "F1Beta": of.F1Beta(k=k),
        "F1Beta(beta=2)": of.F1Beta(k=k, beta=2),
        "Accuracy": of.Accuracy(k=k),
        "MCC": of.MCC(k=k),
        "MAP": of.MAP(k=k),
        "MAP(divide_by_k=True)": of.MAP(k=k, divide_by_k=True),
        "NDCG": of.NDCG(k=k),
        "NDCG(log_base=3)": of.NDCG(k=k, log_base=3),
        "NDCG(divide_by_achievable=True)": of.NDCG(k=k, divide_by_achievable=True),
        "MRR": of.MRR(k=k),
        "PartialAUC": of.PartialAUC(k=k),
        "PartialAUC(insufficient_handling=exclude)": of.PartialAUC(k=k, insufficient_handling="exclude"),
        "PAP": of.PAP(k=k),
        "PAP(insufficient_handling=exclude)": of.PAP(k=k, insufficient_handling="exclude"),
        "MeanInvUserFreq": of.MeanInvUserFreq(k=k),
        "AvgRecPopularity": of.AvgRecPopularity(k=k),
        "AvgRecPopularity(normalize=True)": of.AvgRecPopularity(k=k, normalize=True),
        "Serendipity": of.Serendipity(k=k),
        "Intersection": of.Intersection(k=k),
        "Intersection(ref_k=5)": of.Intersection(k=k, ref_k=5),
        "IntraListDiversity": of.IntraListDiversity(k=k, distance_calculator=Distances()),
        "CatalogCoverage": of.CatalogCoverage(k=k),
        "CatalogCoverage(normalize=True)": of.CatalogCoverage(k=k, normalize=True),
        "SufficientReco": of.SufficientReco(k=k),
        "SufficientReco(deep=True)": of.SufficientReco(k=k, deep=True),
        "UnrepeatedReco": of.UnrepeatedReco(k=k),
        "UnrepeatedReco(deep=True)": of.UnrepeatedReco(k=k, deep=True),
        "CoveredUsers": of.CoveredUsers(k=k),
    }


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


def measured(problem: str, recs: list[Row], inputs: dict[str, Any], similarity: list[Row]) -> Iterator[tuple[Any, ...]]:
    """What it returns for a problem."""
    reco = _frame([row for row in recs if row["item"] is not None], "rank")
    for k in CUTOFFS:
        for name, metric in metrics(k, similarity).items():
            given = given_to(metric, inputs)
            yield problem, "", name, k, None, number(metric.calc(reco, *given))
            if not name.startswith(("CatalogCoverage", "CoveredUsers")):  # numbers of a system
                of_users = metric.calc_per_user(reco, *given).to_dict()
                yield from ((problem, "", name, k, user, number(value)) for user, value in of_users.items())


def _frame(rows: list[Row], *columns: str) -> Any:
    import pandas as pd

    frame = pd.DataFrame(rows)[["user", "item", *columns]].rename(columns={"user": "user_id", "item": "item_id"})
    return frame.astype({"rank": int}) if "rank" in columns else frame


# Calls that show what its users do not know: `of` is the number of one user.
QUIRKS = (
    "of(Precision(k=3), ['a'], ['a'])",
    "of(Precision(k=1), ['a'], ['a', 'a'])",
    "of(MAP(k=1), ['a'], ['a', 'b'])",
    "of(NDCG(k=3), ['a', 'b', 'c'], ['a'])",
    "of(NDCG(k=3, log_base=10), ['a', 'b', 'c'], ['a'])",
    "of(PartialAUC(k=1), ['a', 'b'], ['a', 'b'])",
    "of(PartialAUC(k=2), ['a'], ['a', 'b'])",
    "of(PartialAUC(k=2, insufficient_handling='exclude'), ['a'], ['a', 'b'])",
    "of(Serendipity(k=1), ['a'], ['a'], known=['b'], catalog=['a', 'b'])",
    "of(Serendipity(k=1), ['a'], ['a'], known=['b', 'b', 'a'], catalog=['a', 'b'])",
    "of(Serendipity(k=1), ['a'], ['a'], known=['b', 'a'], catalog=['a', 'b'])",
    "of(AvgRecPopularity(k=1), ['a'], known=['a', 'a'])",
    "of(IntraListDiversity(k=2, distance_calculator=None), ['a'])",
    "of(CatalogCoverage(k=2, normalize=True), ['a', 'b'], catalog=['a'])",
    "of(UnrepeatedReco(k=4, deep=True), ['a', 'a'])",
    "Intersection(k=2, ref_k=1).calc(reco('a', 'b'), reco('a', 'b'))",
    "same(Intersection(k=2, ref_k=1), reco('a', 'b'))",
    "len(debias_interactions(two_users('a', 'a', 'b', 'c'), DebiasConfig(iqr_coef=1.5)))",
    "len(debias_interactions(two_users('a', 'a', 'b', 'c'), DebiasConfig(iqr_coef=0)))",
)


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


def two_users(*items: str) -> Any:
    """Interactions of two users by turns."""
    return _items(items).assign(user_id=[f"u{place % 2}" for place in range(len(items))])


def _items(items: Sequence[str]) -> Any:
    import pandas as pd

    return pd.DataFrame({"user_id": ["u0"] * len(items), "item_id": pd.Series(list(items), dtype=object)})


# The problem whose truth is down-sampled, and how: every item to the upper quartile of the popularities, at random.
DEBIASED, SEED = "long lists", 32


def debiased(recs: list[Row], truth: list[Row], catalog: list[str]) -> dict[str, Any]:
    """What metrics with a `debias_config` return, and the interactions that are left to them."""
    from rectools import metrics as rectools

    config = rectools.DebiasConfig(iqr_coef=0, random_state=SEED)
    inputs = {"interactions": _frame(truth), "catalog": catalog}
    left = rectools.debias_interactions(inputs["interactions"], config)
    names = [*"Precision Recall F1Beta Accuracy MCC HitRate MAP NDCG MRR PartialAUC PAP".split()]
    debiasable = {name: getattr(rectools, name)(k=5, debias_config=config) for name in names}
    means = {name: metric.calc(_frame(recs, "rank"), *given_to(metric, inputs)) for name, metric in debiasable.items()}
    return {
        "problem": DEBIASED,
        "k": 5,
        "left": sorted(left[["user_id", "item_id"]].itertuples(index=False, name=None)),
        "means": {name: float(value) for name, value in means.items()},
    }


def main() -> None:
    """Measure each problem."""
    from rectools import metrics as rectools

    warnings.simplefilter("ignore")  # pandas', of what it will do otherwise
    recs, truth, similarity = by_problem(read("recs")), by_problem(read("truth")), read("similarity")
    catalog = [row["item"] for row in read("catalog")]
    shared = {
        "prev_interactions": _frame(read("history")),
        "catalog": catalog,
        "ref_reco": _frame(read("baseline"), "rank"),
    }
    values: list[tuple[Any, ...]] = []
    for problem in recs:
        values += measured(problem, recs[problem], {**shared, "interactions": _frame(truth[problem])}, similarity)
    save("rectools", ["RecTools", "pandas", "numpy"], values, {})
    classes = {name: getattr(rectools, name) for name in rectools.__all__}
    helpers = {"of": of, "reco": reco, "same": same, "two_users": two_users}
    quirks.add("rectools", quirks.returned(QUIRKS, {**classes, **helpers}))
    document = debiased(recs[DEBIASED], truth[DEBIASED], catalog)
    (GOLDEN / "rectools_debiased.json").write_text(json.dumps(document) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
