"""What other systems returned on the shared inputs, and the call of ours that must return the same, as data.

Each Call is one setting of one system: how its inputs are prepared from the shared files, under which convention it is
carried over, and what each of its metrics is called there. `EXCEPTIONS` lists what is left out, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

# Numbers that may not be redistributed, beside the checkout.
SHARED = Path(__file__).parents[2] / "shared"
GOLDEN = SHARED / "golden"
CUTOFFS = (1, 3, 5, 10, 20)
ALL = (None, *CUTOFFS)  # and the whole list

Inputs = dict[str, pl.DataFrame]


@cache
def data(name: str) -> pl.DataFrame:
    return pl.read_parquet(GOLDEN / "data" / f"{name}.parquet")


@dataclass(frozen=True)
class Call:
    """One setting of a system on one of its algorithms.

    Attributes:
        system, setting: as the golden files name them.
        algorithm: whose lists they are.
        convention: ours.
        metrics: their metric -> what it is called in a call of ours, with `{k}` for the cutoff.
        inputs: what evaluate is given, by argument.
        aggregates: their aggregate -> ours, where the golden file has some.
        tolerance: how near the values must be.
        cutoffs: at which they are compared.
    """

    system: str
    setting: str
    algorithm: str
    convention: str
    metrics: Mapping[str, str]
    inputs: Callable[[], Inputs]
    aggregates: Mapping[str, str] = field(default_factory=lambda: {"mean": "mean"})
    tolerance: float = 1e-9
    cutoffs: Sequence[int | None] = CUTOFFS

    def __repr__(self) -> str:
        return "-".join(re.sub(r"[^\w.]+", "_", one) for one in (self.system, self.setting, self.algorithm) if one)


# --- inputs -----------------------------------------------------------------------------------------------------------


def of(algorithm: str, name: str = "recs_notie", *, empty: bool = False) -> pl.DataFrame:
    """The lists of an algorithm; with `empty`, the requested lists that hold nothing as rows without an item."""
    recs = data(name).filter(algorithm=algorithm)
    if empty:
        asked = data("rec_users").filter(algorithm=algorithm).join(recs, on="user", how="anti")
        recs = pl.concat([recs, asked], how="diagonal")
    return recs


def other(algorithm: str) -> pl.DataFrame:
    """The lists of the other algorithm, as a baseline."""
    return of({"A": "B", "B": "A"}[algorithm]).drop("algorithm", "score")


def beyond(algorithm: str, *, by_score: bool) -> Inputs:
    """RePlay's inputs: history, baseline, items."""
    recs = of(algorithm)
    return {
        "recs": recs.drop("rank" if by_score else "score"),
        "truth": data("truth"),
        "history": data("history").drop("rating"),
        "baseline": other(algorithm),
        "items": data("item_category"),
    }


def elliot(algorithm: str, *, binary: bool, cleaned: bool) -> Inputs:
    """Elliot's inputs: users of the history only; cleaned of what it knows and what is in no catalogue."""
    history = data("history").drop("rating")
    recs = of(algorithm, "recs_full" if algorithm == "F" else "recs_notie", empty=not cleaned)
    if cleaned:
        recs = recs.join(history, on=["user", "item"], how="anti").join(history, on="item", how="semi")
        recs = recs.with_columns(rank=pl.col("rank").rank("ordinal").over("user").cast(pl.Int64))
    truth = data("truth").with_columns(rating=pl.lit(1.0)) if binary else data("truth")
    return {
        "recs": recs.drop("score").join(history, on="user", how="semi"),
        "truth": truth.join(history, on="user", how="semi"),
        "history": history,
    }


def factors(setting: str) -> Inputs:
    """Recometrics' inputs: every candidate of every user with its score."""
    train = data("rc_train")
    scores = (
        data("rc_A")
        .join(data("rc_B"), on="factor", suffix="_of_item")
        .group_by("user", "item")
        .agg(score=(pl.col("value") * pl.col("value_of_item")).sum())
    )
    if setting != "X_train=None":
        scores = scores.join(train, on=["user", "item"], how="anti")
    if setting == "consider_cold_start=False":
        scores = scores.join(train, on="user", how="semi")
    return {"recs": scores, "truth": data("rc_test")}


def capri(algorithm: str) -> Inputs:
    """CAPRI's inputs: lists in rank order, popularity by the history, a matrix of similarities."""
    matrix = np.load(GOLDEN / "data" / "item_similarity.npy")
    left, right = (one.ravel() for one in np.indices(matrix.shape))
    return {
        "recs": of(algorithm, "recs", empty=True).drop("score"),
        "truth": data("truth"),
        "history": data("history").drop("rating"),
        "similarity": pl.DataFrame({"item": left, "other": right, "similarity": matrix.ravel()}),
    }


# --- the calls --------------------------------------------------------------------------------------------------------


def at_k(*names: str, **others: str) -> dict[str, str]:
    """Metrics that a call of ours names as theirs does, at a cutoff; and others."""
    return {**{name: f"{name}@{{k}}" for name in names}, **others}


def under(settings: str, metrics: Mapping[str, str]) -> dict[str, str]:
    """Metrics with a setting more."""
    return {
        theirs: ours.replace("(", f"({settings}, ", 1) if "(" in ours else ours.replace("@", f"({settings})@")
        for theirs, ours in metrics.items()
    }


REPLAY = at_k(
    *"HitRate Precision MAP Recall RocAuc MRR NDCG".split(),
    *"Surprisal Unexpectedness Novelty CategoricalDiversity Coverage".split(),
)
OLD_REPLAY = {name: ours for name, ours in REPLAY.items() if name not in ("Novelty", "CategoricalDiversity")}

# Elliot's metrics of users that have a relevant item, for which its threshold is `rel`; and those of all users.
ELLIOT = {
    **at_k(*"Precision Recall HR MRR MAP MAR F1 nDCG nDCGRendle2020 GAUC LAUC".split()),
    **at_k(*"NumRetrieved EFD EPC AUC PopREO".split()),
    "DSC[beta=1]": "DSC(beta=1)@{k}",
    "DSC[beta=2]": "DSC(beta=2)@{k}",
    "DSC[beta=0.5,metric_0=HR,metric_1=MRR]": "DSC(beta=0.5, metric_0=HR, metric_1=MRR)@{k}",
    "ExtendedF1_m0:Precision-m1:Recall[metric_0=Precision,metric_1=Recall]": (
        "ExtendedF1(metric_0=Precision, metric_1=Recall)@{k}"
    ),
    "ExtendedF1_m0:nDCG-m1:Recall[metric_0=nDCG,metric_1=Recall]": "ExtendedF1(metric_0=nDCG, metric_1=Recall)@{k}",
}
ELLIOT_OF_ALL = at_k(*"ARP APLT ACLT ItemCoverage UserCoverage UserCoverageAtN Gini SEntropy PopRSP".split())

RECOMETRICS = {
    **{f"{name}@K": f"{name}@{{k}}" for name in "P TP R AP TAP NDCG Hit RR".split()},
    **at_k("ROC_AUC", "PR_AUC"),
}
RECOMETRICS_SETTINGS = {"min_items_pool=60": "min_pool=60", "min_pos_test=5": "min_relevant=5"}

CAPRI = at_k(
    *"precisionk recallk novelty listDiversity catalogCoverage".split(),
    **{"mapk(k=10 default)": "mapk@{k}", "mapk(k=topK)": "mapk(divisor=capped)@{k}"},
)
CAPRI_NDCG = {
    "ndcgk": "ndcgk@{k}",
    "ndcgk(at=k,full list)": "ndcgk@{k}",
    "ndcgk(relevance=rating)": "ndcgk(gain=exponential)@{k}",
}

LENSKIT_014 = at_k(*"precision recall hit recip_rank ndcg dcg nrecs".split())
LENSKIT = at_k(
    *"AveragePrecision DCG Hit MeanPopRank NDCG Precision RBP Recall RecipRank".split(),
    **{
        "N": "ListLength@{k}",
        "DCG-rating": "DCG(gain=linear)@{k}",
        "NDCG-rating": "NDCG(gain=linear)@{k}",
        "NDCG-geometric0.85": "NDCG(discount=geometric(p=0.85))@{k}",
        "NDCG-offset1": "NDCG(discount=log2)@{k}",
        "NDCG-offset1-rating": "NDCG(discount=log2, gain=linear)@{k}",
        "RBP-logweight": "RBP-LogRankWeight@{k}",
        "RBP-normalized": "RBP(of=best)@{k}",
        "RBP-patience0.5": "RBP(p=0.5)@{k}",
    },
)
RAISE_WITHOUT_TRUTH = ("AveragePrecision", "DCG-rating")
RAISE_EMPTY = ("RBP-normalized", "RBP-logweight")


def calls() -> Iterator[Call]:
    for algorithm in "AB":
        yield from _replay(algorithm)
        yield from _lenskit_014(algorithm)
        yield from _lenskit(algorithm)
        yield from _capri(algorithm)
    for algorithm in "ABF":
        yield from _elliot(algorithm)
    for setting in ("", "X_train=None", "consider_cold_start=False", "min_items_pool=60", "min_pos_test=5"):
        more = RECOMETRICS_SETTINGS.get(setting)
        metrics = under(more, RECOMETRICS) if more else RECOMETRICS
        yield Call(
            "recometrics-0.1.6", setting, "R", "recometrics", metrics, _bound(factors, setting), {"nanmean": "mean"}
        )


def _bound(make: Callable[..., Inputs], *args: Any, **named: Any) -> Callable[[], Inputs]:
    return lambda: make(*args, **named)


def _replay(algorithm: str) -> Iterator[Call]:
    modes = {"Mean": "mean", "Median": "median", "ConfidenceInterval0.95": "normal_ci(0.95)"}
    for setting in ("pandas", "polars", "dict", "spark"):
        over = {**modes, "Median": "median_low"} if setting == "spark" else modes
        near = 1e-6 if setting == "spark" else 1e-9  # Spark casts deviations to 32 bits
        yield Call(
            "replay-0.22", setting, algorithm, "replay", REPLAY, _bound(beyond, algorithm, by_score=True), over, near
        )
    over = {"mean": "mean", "median": "median_low", "conf_interval0.95": "normal_ci(0.95)"}
    for release in ("0.12", "0.10"):
        inputs = _bound(beyond, algorithm, by_score=False)
        yield Call(f"replay-{release}", "spark", algorithm, f"replay-{release}", OLD_REPLAY, inputs, over, 1e-6)


def _elliot(algorithm: str) -> Iterator[Call]:
    for name, binary, threshold in (("binarized", True, 1), ("graded", False, 0), ("graded", False, 4)):
        for kind, cleaned in (("as_given", False), ("proxy_cleaned_nonempty", True)):
            metrics = {**under(f"rel={threshold}", ELLIOT), **ELLIOT_OF_ALL}
            inputs = _bound(elliot, algorithm, binary=binary, cleaned=cleaned)
            yield Call("elliot-0.3.1", f"{name}.{kind} threshold={threshold}", algorithm, "elliot", metrics, inputs)


def _lenskit_014(algorithm: str) -> Iterator[Call]:
    for path, convention in (("bulk_rank_col", "lenskit-0.14"), ("individual_no_rank_col", "lenskit-0.14-lists")):
        for rating in ("rating", "norating"):
            truth = data("truth") if rating == "rating" else data("truth").drop("rating")
            inputs = _bound(dict, recs=of(algorithm).drop("score"), truth=truth)
            yield Call(
                "lenskit-0.14", f"{path}.{rating}.listed_only", algorithm, convention, LENSKIT_014, inputs, cutoffs=ALL
            )
            # include_missing adds the lists of the truth, of which it says how long they and their truth are
            metrics = {**LENSKIT_014, "nrecs": "nrecs(missing=zero)@{k}", "ntruth": "ntruth(missing=zero)"}
            yield Call(
                "lenskit-0.14", f"{path}.{rating}.include_missing", algorithm, convention, metrics, inputs, cutoffs=ALL
            )


def _lenskit(algorithm: str) -> Iterator[Call]:
    for lists in ("listed_only", "with_empty"):
        recs = of(algorithm, empty=lists == "with_empty").drop("score")
        # what raises there for lists without truth, or for empty ones, is given the others
        given = {
            "": (recs, [name for name in LENSKIT if name not in (*RAISE_WITHOUT_TRUTH, *RAISE_EMPTY)]),
            "with truth": (recs.join(data("truth"), on="user", how="semi"), RAISE_WITHOUT_TRUTH),
            "not empty": (recs.filter(pl.col("item").is_not_null()), RAISE_EMPTY),
        }
        for some, names in given.values():
            inputs = _bound(dict, recs=some, truth=data("truth"), history=data("history").drop("rating"))
            metrics = {name: LENSKIT[name] for name in names}
            over = {"mean": "mean", "median": "median", "std": "std"}
            yield Call("lenskit-2025", f"{lists} filled", algorithm, "lenskit", metrics, inputs, over, cutoffs=ALL)
            unfilled = under("undefined=null", metrics)
            yield Call("lenskit-2025", lists, algorithm, "lenskit", unfilled, inputs, cutoffs=ALL)
    # its matrix of items and categories has a column 0, for a category that no item has
    items = pl.concat([data("item_category"), pl.DataFrame({"item": [-1], "category": [0]})])
    extra = under("undefined=null", at_k("entropy", "rank_biased_entropy"))
    inputs = _bound(dict, recs=of(algorithm).drop("score"), truth=data("truth"), items=items)
    yield Call("lenskit-2025", "extra", algorithm, "lenskit", extra, inputs, cutoffs=ALL)
    if algorithm == "B":
        extra = under("undefined=null", at_k("rank_biased_overlap", "least_item_promoted"))
        recs = of("B").drop("score").with_columns(algorithm=pl.lit("A_vs_B"))
        inputs = _bound(dict, recs=recs, truth=data("truth"), baseline=other("B"))
        yield Call("lenskit-2025", "extra", "A_vs_B", "lenskit", extra, inputs)


def _capri(algorithm: str) -> Iterator[Call]:
    yield Call("capri", "", algorithm, "capri", CAPRI, _bound(capri, algorithm))
    yield Call("capri", "", algorithm, "capri", CAPRI_NDCG, _bound(capri, algorithm), tolerance=5.5e-5)
    for k in CUTOFFS:  # it was given the lists that hold k items
        full = of(algorithm, "recs").filter(pl.col("rank").max().over("user") >= k).drop("score")
        inputs = _bound(dict, recs=full, truth=data("truth"))
        yield Call("capri", "", algorithm, "capri", at_k("personalization"), inputs, cutoffs=[k])


# --- what is left out -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LeftOut:
    """Values that are not reproduced, and why."""

    system: str
    metrics: Sequence[str]
    reason: str
    setting: str = ""
    k: Sequence[int | None] = ()
    lists: str = ""
    where: Callable[[Mapping[str, Any]], bool] = lambda row: True

    def holds(self, row: Mapping[str, Any]) -> bool:
        return (
            row["system"].startswith(self.system)
            and (not self.metrics or row["metric"] in self.metrics)
            and bool(re.search(self.setting, row["setting"]))
            and (not self.k or row["k"] in self.k)
            and self.where(row)
        )


def _is_null(row: Mapping[str, Any]) -> bool:
    return row["value"] is None or row["value"] != row["value"]


@cache
def _with_few_positives() -> frozenset[int]:
    counts = data("rc_test").group_by("user").len()
    users = pl.concat([data("rc_A"), data("rc_test")], how="diagonal")["user"].unique()
    enough = counts.filter(pl.col("len") >= 5)["user"]
    return frozenset(users.to_list()) - frozenset(enough.to_list())


TRUTH_USERS = frozenset([*range(1, 51), 56, 57])

EXCEPTIONS: Sequence[LeftOut] = (
    LeftOut(
        "lenskit-2025",
        RAISE_WITHOUT_TRUTH,
        "It returned nothing: it raises for a list without truth. Here it is undefined, or 0 where filled.",
        lists="lists without truth",
        where=lambda row: False,
    ),
    LeftOut(
        "lenskit-2025",
        RAISE_EMPTY,
        "It returned nothing: it raises for an empty list. Here it is undefined, or 0 where filled.",
        setting="with_empty",
        lists="empty lists",
        where=lambda row: False,
    ),
    LeftOut(
        "lenskit-0.14",
        ["nrecs", "ntruth"],
        "include_missing has the lists of the recommendations and of the truth in one table; `missing` names one.",
        setting="include_missing",
        lists="lists without truth",
        where=lambda row: int(row["user"]) not in TRUTH_USERS if "user" in row else True,
    ),
    LeftOut(
        "recometrics",
        [],
        "min_pos_test has no effect above 1 there; here it works as it is documented.",
        setting="min_pos_test",
        lists="lists with fewer relevant items",
        where=lambda row: int(row["user"]) in _with_few_positives(),
    ),
    LeftOut(
        "recometrics",
        ["NDCG@K"],
        "Where all candidates are relevant, it looks at the first k scores only to tell whether all are equal: with "
        "k = 1 they are.",
        lists="the list of user 60, and the means that it is in",
        where=lambda row: row.get("user", "60") == "60",
    ),
    LeftOut(
        "capri",
        ["personalization"],
        "It returned nothing: for lists of one item it raises, or for lists that differ in length.",
        where=_is_null,
    ),
)
