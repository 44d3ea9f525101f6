"""RecTools over pandas frames: every metric that we have, per user where it returns that, and over all."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from typing import Any

from tests.fidelity.tables import Row, by_problem, read, save

CUTOFFS = (1, 3, 5, 10, 20)


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
        "PAP": of.PAP(k=k),
        "MeanInvUserFreq": of.MeanInvUserFreq(k=k),
        "AvgRecPopularity": of.AvgRecPopularity(k=k),
        "IntraListDiversity": of.IntraListDiversity(k=k, distance_calculator=Distances()),
        "CatalogCoverage": of.CatalogCoverage(k=k),
        "CatalogCoverage(normalize=True)": of.CatalogCoverage(k=k, normalize=True),
        "SufficientReco": of.SufficientReco(k=k),
        "CoveredUsers": of.CoveredUsers(k=k),
    }


# What each is given, in order, beside the recommendations.
GIVEN = {
    **dict.fromkeys(("Accuracy", "MCC"), ("interactions", "catalog")),
    **dict.fromkeys(("MeanInvUserFreq", "AvgRecPopularity"), ("prev_interactions",)),
    **dict.fromkeys(("IntraListDiversity", "SufficientReco"), ()),
    **dict.fromkeys(("CatalogCoverage", "CatalogCoverage(normalize=True)"), ("catalog",)),
}
OF_SYSTEM = ("CatalogCoverage", "CatalogCoverage(normalize=True)", "SufficientReco", "CoveredUsers")


def measured(problem: str, recs: list[Row], given: dict[str, Any], similarity: list[Row]) -> Iterator[tuple[Any, ...]]:
    """What it returns for a problem."""
    reco = _frame([row for row in recs if row["item"] is not None], "rank")
    for k in CUTOFFS:
        for name, metric in metrics(k, similarity).items():
            inputs = {one: given[one] for one in GIVEN.get(name, ("interactions",))}
            yield problem, "", name, k, None, _number(metric.calc(reco, **inputs))
            if name not in OF_SYSTEM:
                of_users = metric.calc_per_user(reco, **inputs).to_dict()
                yield from ((problem, "", name, k, user, _number(value)) for user, value in of_users.items())


def _frame(rows: list[Row], *columns: str) -> Any:
    import pandas as pd

    frame = pd.DataFrame(rows)[["user", "item", *columns]].rename(columns={"user": "user_id", "item": "item_id"})
    return frame.astype({"rank": int}) if "rank" in columns else frame


def _number(value: Any) -> float | None:
    return None if math.isnan(value) else float(value)


def main() -> None:
    """Measure each problem."""
    warnings.simplefilter("ignore")  # pandas', of what it will do otherwise
    recs, truth, similarity = by_problem(read("recs")), by_problem(read("truth")), read("similarity")
    shared = {"prev_interactions": _frame(read("history")), "catalog": [row["item"] for row in read("catalog")]}
    values: list[tuple[Any, ...]] = []
    for problem in recs:
        values += measured(problem, recs[problem], {**shared, "interactions": _frame(truth[problem])}, similarity)
    save("rectools", ["RecTools", "pandas", "numpy"], values, {})


if __name__ == "__main__":
    main()
