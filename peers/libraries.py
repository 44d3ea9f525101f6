"""The libraries that were run: our call for each of their metrics, and the values that are not compared, and why.

The scripts in `jobs` ran the libraries and wrote the values into `golden`, and into `golden/LIBRARY.json` the problems
that a library refused.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import polars as pl

from peers.problems import subtopics, unequal_profiles
from peers.tables import GOLDEN

Row = Mapping[str, Any]


@cache
def data(name: str) -> pl.DataFrame:
    return pl.read_parquet(GOLDEN / f"{name}.parquet")


@dataclass(frozen=True)
class LeftOut:
    """Values that are not compared, with the reason; `lists` says in words which rows `where` selects."""

    reason: str
    problems: Sequence[str] = ()
    metrics: Sequence[str] = ()
    settings: Sequence[str] = ()
    lists: str = ""
    where: Callable[[Row], bool] = lambda _: True

    def holds(self, row: Row) -> bool:
        return all(
            not listed or row[name] in listed
            for name, listed in (("problem", self.problems), ("metric", self.metrics), ("setting", self.settings))
        ) and self.where(row)


def without_settings(metric: str, setting: str, k: int | None) -> str:
    """Our call for a metric of a library whose metrics have no settings: under its own name."""
    return f"{metric}@{k}" if k else metric


@dataclass(eq=False)
class Library:
    """A library whose values are compared.

    Attributes:
        name: the name of its job, requirements and golden files.
        called: the name that its documentation has.
        call: returns our call for one of its metrics, with a setting and a cutoff (None: the whole list).
        convention: our convention; by default, the name.
        ranked: True if it reads ranks, False if it reads scores.
        of_rows: True if it reads rows, so that it has no lists without items; nor has a library that reads ranks.
        aggregates: our aggregate for each of its metrics whose value over all users is not the mean.
        decimals: the number of decimals of each metric that it rounds.
        decimals_of_means: the number of decimals of each metric whose mean it rounds, and nothing else.
        extras: the inputs that it reads in addition to recommendations and truth.
        computed: inputs that it computes from the others.
        left_out: values that are not compared.
        prepare: changes the problems as its job does before it runs them.
        tolerance: the largest difference between its value and ours.
    """

    name: str
    called: str
    call: Callable[[str, str, int | None], str] = without_settings
    convention: str = ""
    ranked: bool = False
    of_rows: bool = False
    aggregates: Mapping[str, str] = field(default_factory=dict)
    decimals: Mapping[str, int] = field(default_factory=dict)
    decimals_of_means: Mapping[str, int] = field(default_factory=dict)
    extras: Sequence[str] = ()
    computed: Mapping[str, Callable[[], pl.DataFrame]] = field(default_factory=dict)
    left_out: Sequence[LeftOut] = ()
    prepare: Callable[[dict[str, pl.DataFrame]], dict[str, pl.DataFrame]] = dict
    tolerance: float = 1e-9

    def __post_init__(self) -> None:
        self.convention = self.convention or self.name

    def __repr__(self) -> str:
        return self.name

    def inputs(self, without: Sequence[str] = ()) -> dict[str, pl.DataFrame]:
        """The problems that it took, except those in `without`."""
        problems = [problem for problem in data(self.name)["problem"].unique() if problem not in without]
        recs = data("recs").filter(pl.col("problem").is_in(problems)).drop("score" if self.ranked else "rank")
        if self.ranked or self.of_rows:
            recs = recs.filter(pl.col("item").is_not_null())
        truth = data("truth").filter(pl.col("problem").is_in(problems))
        extras = {name: data(name) for name in self.extras} | {name: make() for name, make in self.computed.items()}
        return self.prepare({"recs": recs, "truth": truth, **extras})

    def about(self) -> dict[str, dict[str, str]]:
        """The versions of the library and of what it computes with, and why it did not take some problems."""
        document: dict[str, dict[str, str]] = json.loads((GOLDEN / f"{self.name}.json").read_text(encoding="utf-8"))
        return document

    def returned(self) -> Iterator[Row]:
        """Every value that it returned."""
        return data(self.name).iter_rows(named=True)

    def tolerance_of(self, row: Row) -> float:
        """The largest difference between a value of its and ours: a rounded value is every value that it rounds."""
        decimals = self.decimals.get(row["metric"])
        if row["user"] is None:
            decimals = self.decimals_of_means.get(row["metric"], decimals)
        return self.tolerance + (0 if decimals is None else 0.5 * 10.0**-decimals)

    def compared(self) -> list[Row]:
        """The values that are compared: all but those left out."""
        return [row for row in self.returned() if not any(left_out.holds(row) for left_out in self.left_out)]


def rated_if_listed(inputs: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Problems with a rating for each listed item, 0 if the truth has none, and for no other item."""
    recs = inputs["recs"].filter(pl.col("item").is_not_null())
    keys = ["problem", "user", "item"]
    rated = recs.select(keys).join(inputs["truth"], on=keys, how="left").with_columns(pl.col("rating").fill_null(0.0))
    return {**inputs, "recs": recs, "truth": rated}


# --- The libraries that were run: our call for each of their metrics, and the values that are not compared, and why ---


TIED = ("example", "ties", "ties of digits", "ties of letters", "near scores", "long ties", "dense ties")
DENSE_TIED = ("dense negative ratings", "dense halves", "dense one label")


def _without_identical_ids(inputs: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Problems without recommendations that have the id of their user, which BEIR drops."""
    return {**inputs, "recs": inputs["recs"].filter(pl.col("user").ne_missing(pl.col("item")))}


BEIR = Library(
    "beir",
    "BEIR",
    decimals=dict.fromkeys(("NDCG", "MAP", "Recall", "P", "MRR", "R_cap", "Accuracy"), 5),
    prepare=_without_identical_ids,
)


def _without_empty_lists(inputs: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Problems without empty lists, which no model of Cornac returns."""
    return {**inputs, "recs": inputs["recs"].filter(pl.col("item").is_not_null())}


CORNAC = Library(
    "cornac",
    "Cornac",
    left_out=(
        LeftOut(
            "It ranks relevant items with equal scores all at the last of their positions; no order does.",
            metrics=["MAP"],
            problems=["dense ties", "dense negative ratings", "dense halves"],
        ),
    ),
    prepare=_without_empty_lists,
)


# What each setting is here; NDCG has gains, and min_rel_score takes them away.
EVIDENTLY_SETTINGS = {
    "no_feedback_users=True": ("enough=any", "undefined=zero"),
    "min_rel_score=2": ("rel=2",),
    "beta=2": ("beta=2",),
}


def _evidently(metric: str, setting: str, k: int | None) -> str:
    inside = EVIDENTLY_SETTINGS.get(setting.partition(",")[0], ())
    if metric == "NDCG" and inside == ("rel=2",):
        inside = (*inside, "gain=binary", "relevance=rated")
    if metric == "FBetaTopK" and "enough=any" in inside:
        inside = ("over=all",)
    return f"{metric}({', '.join(inside)})@{k}" if inside else f"{metric}@{k}"


@cache
def _ratings_of_lists(problem: str) -> list[list[float]]:
    """The ratings of each list of a problem, in order; 0 of an item that the truth does not have."""
    recs, truth = (data(name).filter(problem=problem) for name in ("recs", "truth"))
    rated = recs.join(truth, on=["user", "item"], how="left").filter(pl.col("item").is_not_null()).sort("user", "rank")
    return [list(one["rating"].fill_null(0.0)) for _, one in rated.group_by("user")]


def _has_short_list(row: Row) -> bool:
    """Whether a list of the problem has fewer items than the cutoff."""
    return row["user"] is None and any(len(ratings) < row["k"] for ratings in _ratings_of_lists(row["problem"]))


def _has_short_list_with_hit_last(row: Row) -> bool:
    """Whether a list of the problem has fewer items than the cutoff, and its last item is relevant."""
    lists, least = _ratings_of_lists(row["problem"]), 2 if row["setting"].startswith("min_rel_score=2") else 0.01
    return row["user"] is None and any(len(ratings) < row["k"] and ratings[-1] >= least for ratings in lists)


def _embeddings() -> pl.DataFrame:
    """The features of each item as an embedding."""
    return data("features").select("item", embedding=pl.concat_list(pl.col("f0", "f1").cast(pl.Float64)))


EVIDENTLY = Library(
    "evidently",
    "evidently",
    _evidently,
    ranked=True,
    extras=("history",),
    computed={"items": _embeddings},
    left_out=(
        LeftOut(
            "A short list adds its last item again at each later rank up to the cutoff.",
            metrics=["MAP"],
            lists="means over lists, one of which is shorter than the cutoff and ends with a hit",
            where=_has_short_list_with_hit_last,
        ),
        LeftOut(
            "It divides by k, also if lists are shorter.",
            metrics=["Personalization"],
            lists="problems with a list that is shorter than the cutoff",
            where=_has_short_list,
        ),
        LeftOut(
            "It is NaN if precision and recall are 0.",
            metrics=["FBetaTopK"],
            lists="lists and problems without a hit",
            where=lambda row: row["value"] is None,
        ),
        LeftOut(
            "Users without a target above 0 are left out; here users with a negative target count.",
            metrics=["NDCG"],
            problems=["negative ratings"],
            settings=[""],
        ),
        LeftOut(
            "It counts each repeat of an item once more, as a hit and as a relevant item.",
            problems=["repeated items"],
            metrics=["PrecisionTopK", "RecallTopK", "FBetaTopK", "MAP", "NDCG"],
        ),
    ),
    prepare=rated_if_listed,
)


IMPLICIT = Library("implicit", "implicit", ranked=True, extras=("catalog",))


OF_CWL = {
    "P residual": "precision_residual(convention=rankmetrics, ties=input)",
    "DCG residual": "dcg_residual(convention=rankmetrics, ties=input)",
    "RBP residual": "rbp_residual(convention=rankmetrics, ties=input, p=0.8)",
}


def _ir_measures(metric: str, setting: str, k: int | None) -> str:
    """A measure as ir_measures writes it; a setting is a relevance level. Residuals are those of cwl_eval."""
    if metric in OF_CWL:
        return f"{OF_CWL[metric]}{f'@{k}' if k else ''}"
    head, _, at = metric.partition("@")
    name, _, inside = head.removesuffix(")").partition("(")
    settings = ", ".join(one for one in (setting.replace("level", "rel"), inside) if one)
    at = str(k) if k else at
    return f"{name}{f'({settings})' if settings else ''}{f'@{at}' if at else ''}"


@cache
def _users(problem: str, *, are_listed: bool) -> frozenset[str]:
    """The users of a problem that have a list; with `are_listed`, a list with items."""
    recs = data("recs").filter(problem=problem)
    return frozenset((recs.drop_nulls("item") if are_listed else recs)["user"])


OF_COMPAT = LeftOut(
    "Relevant documents of one rating are ideal in the order of their scores, documents outside the run with a "
    "score of 0, and documents of equal scores in the order of the qrels; so the overlap is not the greatest.",
    metrics=["Compat", "Compat(p=0.5)", "Compat(p=0.8, normalize=False)"],
    lists="lists with relevant documents of equal scores or of scores from 0 down, and means over such lists",
    where=lambda row: _is_tied(row) or _is_scored_below_others(row),
)


IR_MEASURES = Library(
    "ir_measures",
    "ir_measures",
    _ir_measures,
    aggregates=dict.fromkeys(("NumRet", "NumRel", "NumRelRet"), "total"),
    decimals={"ERR": 5, "nDCG(dcg='exp-log2')": 5},
    left_out=(
        LeftOut(
            "It is 0 for a query without a list, whatever the qrels have for it; here such a query is left out.",
            metrics=["NumRel"],
            lists="queries without a list",
            where=lambda row: row["user"] is not None and row["user"] not in _users(row["problem"], are_listed=False),
        ),
        OF_COMPAT,
        LeftOut(
            "It is NaN for a query whose documents in the run are all not judged.",
            metrics=["IPrec(judged_only=True)@0.5"],
            lists="queries without a judged document in their list, and means over such queries",
            where=lambda row: row["value"] is None,
        ),
    ),
)


def _users_with_ties() -> set[tuple[str, str]]:
    """Lists with a score that a relevant item shares with another relevant item, in 32 bits."""
    scores = data("recs").with_columns(pl.col("score").cast(pl.Float32))
    relevant = scores.join(data("truth"), on=["problem", "user", "item"], how="semi")
    tied = relevant.filter(pl.len().over("problem", "user", "score") > 1)
    return {*tied.select("problem", "user").iter_rows()}


TIED_USERS = _users_with_ties()
TIED_PROBLEMS = {problem for problem, _ in TIED_USERS}


def _is_tied(row: Row) -> bool:
    return row["problem"] in TIED_PROBLEMS if row["user"] is None else (row["problem"], row["user"]) in TIED_USERS


@cache
def _users_with_scores_from_0_down() -> set[tuple[str, str]]:
    """Lists with a relevant item whose score is 0 or less."""
    low = data("recs").filter(pl.col("score") <= 0)
    relevant = low.join(data("truth").filter(pl.col("rating") > 0), on=["problem", "user", "item"], how="semi")
    return {*relevant.select("problem", "user").iter_rows()}


def _is_scored_below_others(row: Row) -> bool:
    lists = _users_with_scores_from_0_down()
    return any(row["problem"] == problem and row["user"] in (None, user) for problem, user in lists)


def _has_no_gain(row: Row) -> bool:
    """Whether it is the value of a list whose test items have no rating above 0, or the mean of a problem with one."""
    highest = _highest(row["problem"])
    return min(highest.values()) <= 0 if row["user"] is None else highest.get(row["user"], 1) <= 0


# What each setting of a metric is here.
LENSKIT_SETTINGS = {
    "gain=rating": "(gain=positive)",
    "normalize=True": "(of=best)",
    "weight=LogRankWeight(offset=1)": "(discount=log2)",
}


def _lenskit(metric: str, setting: str, k: int | None) -> str:
    weighted = "-LogRankWeight" if setting == "weight=LogRankWeight()" else ""
    return f"{metric}{weighted}{LENSKIT_SETTINGS.get(setting, '')}{f'@{k}' if k else ''}"


def _categories() -> pl.DataFrame:
    """The category of each item of the catalogue, as the job makes it of the item's name."""
    items = data("catalog")["item"]
    return pl.DataFrame({"item": items, "category": ["abc"[sum(item.encode()) % 3] for item in items]})


LENSKIT = Library(
    "lenskit",
    "LensKit",
    _lenskit,
    convention="lenskit-2026",
    extras=("history", "catalog", "baseline"),
    computed={"items": _categories},
    decimals={"entropy": 6},  # computed in 32 bits
    left_out=(
        LeftOut(
            "A repeated test item counts as one more test item. A repeated item of a list counts once in a Gini, and "
            "is no number of items that two lists share.",
            problems=["repeated items"],
            metrics=[
                *"NDCG DCG RBP Recall AveragePrecision TestItemCount".split(),
                *"ListGini ExposureGini rank_biased_overlap".split(),
            ],
        ),
        LeftOut(
            "It is 0 if test items have no gain above 0; here the ideal list of such a list, and so the metric, is "
            "undefined.",
            metrics=["NDCG"],
            settings=["gain=rating"],
            lists="lists with test items of which none has a rating above 0, and means over such lists",
            where=_has_no_gain,
        ),
    ),
)


LIGHTFM = Library(
    "lightfm",
    "LightFM",
    of_rows=True,
    left_out=(
        LeftOut(
            "It ranks relevant items with equal scores all at the last of their positions; no order does.",
            lists="lists with relevant items of equal scores, and the means over them",
            where=_is_tied,
        ),
    ),
    tolerance=1e-6,
)


@cache
def _counts(problem: str) -> dict[str | None, tuple[int, int]]:
    """The recommendations of each user of the truth, and the relevant items; of all, (0, 0)."""
    truth, recs = data("truth").filter(problem=problem), data("recs").filter(pl.col("item").is_not_null())
    listed = Counter(recs.filter(problem=problem)["user"])
    relevant = dict(truth.filter(pl.col("rating") > 0).group_by("user").agg(pl.col("item").n_unique()).rows())
    return {user: (listed[user], relevant.get(user, 0)) for user in truth["user"].unique()}


def _is_short(problem: str, user: str | None, k: int) -> bool:
    """Whether a list, or one of all the lists, holds some items, but neither k nor as many as are relevant."""
    counts = _counts(problem)
    some = counts.values() if user is None else [counts[user]]
    return any(0 < listed < min(k, relevant) for listed, relevant in some)


MLFLOW = Library(
    "mlflow",
    "MLflow",
    ranked=True,
    left_out=(
        LeftOut(
            "Its ideal list is only as long as the list of the query.",
            metrics=["ndcg_at_k"],
            lists="lists that hold neither k items nor as many as are relevant, and means over such lists",
            where=lambda row: _is_short(row["problem"], row["user"], row["k"]),
        ),
        LeftOut(
            "A repeat of a document counts as one more relevant document.",
            problems=["repeated items"],
            metrics=["ndcg_at_k"],
        ),
    ),
)


MTEB = Library(
    "mteb",
    "MTEB",
    decimals_of_means=dict.fromkeys(("ndcg", "map", "recall", "precision", "hit_rate"), 5),
)


def _propensities() -> pl.DataFrame:
    """The propensity of each item, as the job makes it of the item's name."""
    items = pl.concat([data("truth")["item"], data("recs")["item"]]).drop_nulls().unique().sort()
    return pl.DataFrame({"item": items, "propensity": [1 / (1 + sum(item.encode()) % 7) for item in items]})


def _napkinxc(metric: str, setting: str, k: int | None) -> str:
    return f"{metric}{f'({setting})' if setting else ''}@{k}"


NAPKINXC = Library("napkinxc", "napkinXC", _napkinxc, ranked=True, computed={"items": _propensities})


def _tied(metric: str, setting: str, k: int | None) -> str:
    """A function of scikit-learn, or an expression of polars-ds."""
    return f"{metric}{'(tied=ranked)' if setting == 'ignore_ties=True' else ''}{f'@{k}' if k else ''}"


POLARS_DS = Library(
    "polars_ds",
    "polars-ds",
    _tied,
    of_rows=True,
    left_out=(
        LeftOut(
            "Which of equal scores comes first is left to a sort of Polars that keeps no order.",
            problems=[*TIED, *DENSE_TIED],
            settings=["ignore_ties=True"],
        ),
        LeftOut("It counts each repeat of an item once more, in the list and in the ideal list.", ["repeated items"]),
        LeftOut(
            "It divides by the ideal list of a gain of 0, and returns an infinite number.",
            problems=["negative ratings"],
            metrics=["query_ndcg_score"],
            lists="lists with negative ratings only, and their means",
            where=lambda row: math.isinf(row["value"]),
        ),
    ),
    prepare=rated_if_listed,
)


def _pyndeval(metric: str, setting: str, k: int | None) -> str:
    """A measure of ndeval, whose alpha and beta each change some of them."""
    (alpha,), (beta,) = re.findall(r"alpha=([\d.]+)", setting), re.findall(r"beta=([\d.]+)", setting)
    novel = [f"redundancy={alpha}"] if metric in WITH_ALPHA else []
    patient = [f"p={beta}"] if metric in WITH_BETA else []
    k = 40 if metric == "nNRBP" else k  # no list is longer
    inside = ", ".join([*novel, *patient])
    return f"{metric}{f'({inside})' if inside else ''}{f'@{k}' if k else ''}"


WITH_BETA = ("NRBP", "nNRBP")
WITH_ALPHA = ("alpha-DCG", "alpha-nDCG", "ERR-IA", "nERR-IA", *WITH_BETA)


def _by_subtopic(inputs: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Problems whose truth has a row for each subtopic of an item, with its rating."""
    rows = [
        {**row, "subtopic": subtopic, "rating": rating}
        for row in inputs["truth"].iter_rows(named=True)
        for subtopic, rating in subtopics(row["item"], row["rating"])
    ]
    return {**inputs, "truth": pl.DataFrame(rows)}


PYNDEVAL = Library(
    "pyndeval",
    "pyndeval",
    _pyndeval,
    of_rows=True,
    left_out=(
        LeftOut(
            "At the cutoff 1 it leaves out the divisor.",
            metrics=["alpha-DCG", "ERR-IA"],
            lists="at the cutoff 1",
            where=lambda row: row["k"] == 1,
        ),
        LeftOut(
            "It is NaN for a query without a relevant document.",
            metrics=["nNRBP"],
            lists="queries without a relevant document, and means over such queries",
            where=lambda row: row["value"] is None,
        ),
    ),
    prepare=_by_subtopic,
)


def _pyterrier(metric: str, setting: str, k: int | None) -> str:
    metric = metric.replace("num_rel_ret", "NumRelRet")  # the same name but for its underscores
    return IR_MEASURES.call(metric, setting if setting.startswith("level") else "", k)


PYTERRIER = Library(
    "pyterrier",
    "PyTerrier",
    _pyterrier,
    aggregates={"NumRet": "total", "NumRel": "total", "num_rel_ret": "total"},
    decimals=IR_MEASURES.decimals,
    left_out=(
        OF_COMPAT,
        LeftOut(
            "It is 0 for a query without results, whatever the qrels have for it; here such a query is left out.",
            metrics=["NumRel"],
            lists="queries without results",
            where=lambda row: row["user"] is not None and row["user"] not in _users(row["problem"], are_listed=True),
        ),
        LeftOut(
            "A frame of results has no row for an empty list, so that its sum lacks what the qrels have for it.",
            problems=["missing users"],
            metrics=["NumRel"],
            lists="the sum",
            where=lambda row: row["user"] is None,
        ),
        LeftOut(
            "NumRet is a sum and NumRet(rel=1), which is NumRelRet, a mean; NumRelRet is compared in its place.",
            metrics=["NumRet"],
            lists="means at a relevance level",
            where=lambda row: row["user"] is None and row["setting"] != "",
        ),
    ),
)


# These look at every rating above 0, whatever the relevance level.
WITHOUT_LEVEL = ("ndcg", "ndcg_cut", "num_ret", "G", "ndcg_rel", "Rndcg")


def _trec_eval(metric: str, setting: str, k: int | None) -> str:
    """A measure of trec_eval at a relevance level, which is rel, where it looks at that."""
    level, _, squared = re.fullmatch(r"level=(\d+)(, x=(\d))?", setting).groups()  # type: ignore[union-attr]
    if shared := re.fullmatch(r"(iprec_at_recall|Rprec_mult)_(\d\.\d\d)", metric):
        parameter = {"iprec_at_recall": "at_recall", "Rprec_mult": "multiple"}[shared[1]]
        return f"{shared[1]}({parameter}={shared[2]}, rel={level})"
    name = metric.removeprefix("gm_")
    rel = "" if name in WITHOUT_LEVEL else f"rel={level}"
    set_at = ", ".join(one for one in (rel, "beta=2" if name == "set_F" and squared == "4" else "") if one)
    return f"{name}{f'({set_at})' if set_at else ''}{f'@{k}' if k else ''}"


@cache
def _highest(problem: str) -> Mapping[str, float]:
    rows = data("truth").filter(problem=problem).group_by("user").agg(pl.col("rating").max()).rows()
    return dict(rows)


def _has_no_rating_from_the_level(row: Row) -> bool:
    """Whether it is the value of such a query, or the mean of a problem that has one."""
    level = int(row["setting"].partition("level=")[2][0])
    highest = _highest(row["problem"])
    return any(0 < highest[user] < level for user in ([row["user"]] if row["user"] else highest))


PYTREC_EVAL = Library(
    "pytrec_eval",
    "pytrec_eval-terrier",
    _trec_eval,
    convention="trec_eval",
    aggregates={
        **dict.fromkeys(("num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret"), "total"),
        **dict.fromkeys(("gm_map", "gm_bpref"), "geometric_mean"),
    },
    left_out=(
        LeftOut(
            "It is 0 for a query without a rating from the relevance level on. For other queries, the level changes "
            "nothing.",
            metrics=["Rndcg"],
            lists="queries with no rating from the relevance level on, but with a rating above 0",
            where=_has_no_rating_from_the_level,
        ),
    ),
)


RAGAS = Library(
    "ragas",
    "Ragas",
    ranked=True,
    left_out=(
        LeftOut(
            "A repeated reference context counts as one more.",
            problems=["repeated items"],
            metrics=["non_llm_context_recall"],
        ),
    ),
)


def _ranx(metric: str, setting: str, k: int | None) -> str:
    return f"{metric}{f'@{k}' if k else ''}-l{setting.removeprefix('level=')}"


@cache
def _has_nan(problem: str, setting: str, metric: str) -> bool:
    rows = data("ranx").filter(problem=problem, setting=setting, metric=metric)
    return bool(rows.filter(pl.col("user").is_not_null())["value"].is_null().any())


RANX = Library(
    "ranx",
    "ranx",
    _ranx,
    left_out=(
        LeftOut(
            "Beyond 15 documents, which of equal scores comes first is left to a sort that keeps no order.",
            problems=["long ties"],
        ),
        LeftOut(
            "Its Qrels cuts ratings to whole numbers, in silence.",
            problems=["half ratings", "dense halves"],
        ),
        LeftOut(
            "It stops in silence at the first query without a relevant item, and leaves 0 for the queries behind it.",
            metrics=["bpref"],
            lists="problems and levels with such a query",
            where=lambda row: min(_highest(row["problem"]).values()) < int(row["setting"].removeprefix("level=")),
        ),
        LeftOut(
            "Its mean is NaN where a query's value is; ours leaves that query out.",
            metrics=["bpref"],
            lists="means over such queries",
            where=lambda row: row["user"] is None and _has_nan(row["problem"], row["setting"], "bpref"),
        ),
    ),
)


def _with_padding(inputs: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Problems whose catalogue has the padding item, which RecBole counts among the items."""
    padding = pl.DataFrame({"item": ["[PAD]"]})
    return {**inputs, "catalog": pl.concat([inputs["catalog"], padding])}


RECBOLE = Library(
    "recbole",
    "RecBole",
    ranked=True,
    extras=("history", "catalog"),
    prepare=_with_padding,
    tolerance=1e-6,  # GAUC is computed in 32 bits
)


# What each setting of ndcg_at_k is here; discfun_type changes nothing.
RECOMMENDERS_SETTINGS = {"score_type=raw": "(gain=linear)", "score_type=exp": "(gain=exponential)"}


def _recommenders(metric: str, setting: str, k: int | None) -> str:
    return f"{metric}{RECOMMENDERS_SETTINGS.get(setting, '')}{f'@{k}' if k else ''}"


def similarity() -> pl.DataFrame:
    """Of two items, the users who have both, over the root of the product of the users who have each."""
    history = data("profiles")
    users = pl.len().cast(pl.Float64)
    counts = history.group_by("item").agg(users.alias("n"))
    return (
        history.join(history.rename({"item": "other"}), on="user")
        .filter(pl.col("item") < pl.col("other"))
        .group_by("item", "other")
        .agg(users.alias("both"))
        .join(counts, on="item")
        .join(counts.rename({"item": "other", "n": "n_other"}), on="other")
        .select("item", "other", similarity=pl.col("both") / (pl.col("n") * pl.col("n_other")).sqrt())
    )


RECOMMENDERS = Library(
    "recommenders",
    "recommenders",
    _recommenders,
    of_rows=True,
    computed={"history": partial(data, "profiles"), "similarity": similarity},
    left_out=(
        LeftOut(
            "It counts each repeat of an item once more, as a hit and as a relevant item; here repeats are refused.",
            problems=["repeated items"],
            metrics=["precision_at_k", "recall_at_k", "r_precision_at_k", "ndcg_at_k", "map", "map_at_k"],
        ),
        LeftOut(
            "Where no user has a hit it returns 0; here the mean of no user is undefined.",
            metrics=["r_precision_at_k"],
            lists="means over problems without a hit",
            where=lambda row: row["value"] == 0,
        ),
        LeftOut(
            "The same, where every rating is 0 and so is the ideal list.",
            problems=["nothing relevant"],
            metrics=["ndcg_at_k"],
            settings=["score_type=raw", "score_type=exp"],
            where=lambda row: row["value"] == 0,
        ),
    ),
)


RECOMMENDERS_SPARK = Library(
    "recommenders_spark",
    "recommenders, Spark",
    convention="recommenders-spark",
    of_rows=True,
    computed={"history": partial(data, "profiles"), "similarity": similarity},
)


def _stored(inputs: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Problems whose truth has the relevant items only, as a sparse matrix stores them."""
    return {**inputs, "truth": inputs["truth"].filter(pl.col("rating") > 0)}


RECPACK = Library(
    "recpack",
    "RecPack",
    ranked=True,
    extras=("history", "catalog"),
    prepare=_stored,
)


def _rectools(metric: str, setting: str, k: int | None) -> str:  # it has no settings beside those in the metric
    """A metric of RecTools, which our convention reads as RecTools writes it; log_base changes nothing."""
    return f"{metric.replace('(log_base=3)', '')}@{k}"


RECTOOLS = Library(
    "rectools",
    "RecTools",
    _rectools,
    ranked=True,
    extras=("history", "catalog", "similarity", "baseline"),
    left_out=(
        LeftOut(
            "It counts each repeat of an item once more, as a hit and as a relevant item; here repeats are refused.",
            problems=["repeated items"],
            metrics=[
                *"Precision Precision(r_precision=True) Recall HitRate F1Beta F1Beta(beta=2) Accuracy MCC MAP".split(),
                *"MAP(divide_by_k=True) NDCG NDCG(log_base=3) NDCG(divide_by_achievable=True)".split(),
                *"MRR PartialAUC PAP Serendipity".split(),
                *"PartialAUC(insufficient_handling=exclude) PAP(insufficient_handling=exclude)".split(),
            ],
        ),
    ),
)


SENTENCE_TRANSFORMERS = Library("sentence_transformers", "Sentence Transformers", convention="sentence-transformers")


SKLEARN = Library(
    "sklearn",
    "scikit-learn",
    _tied,
    left_out=(
        LeftOut(
            "Which of equal scores comes first is left to a sort of NumPy that keeps no order.",
            problems=["dense ties", "dense negative ratings", "dense halves", "dense one label", "example"],
            settings=["ignore_ties=True"],
        ),
    ),
)


SPARK = Library("spark", "Spark", ranked=True)


def _surprise(metric: str, setting: str, k: int | None) -> str:  # one setting, which is rel
    """A return value of `precision_recall_at_k`."""
    return f"{metric}(rel={setting.removeprefix('threshold=')})@{k}"


THRESHOLD = 1  # of jobs/surprise.py


def _predicted(inputs: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """The rated pairs that have an estimate; as recommendations, those whose estimate reaches the threshold."""
    pair = ["problem", "user", "item"]
    recs, truth = inputs["recs"], inputs["truth"]
    recommended = recs.join(truth, on=pair, how="semi", maintain_order="left").filter(pl.col("score") >= THRESHOLD)
    return {**inputs, "recs": recommended, "truth": truth.join(recs, on=pair, how="semi", maintain_order="left")}


SURPRISE = Library("surprise", "Surprise", _surprise, of_rows=True, prepare=_predicted)


# What each setting of torchmetrics is here.
TORCHMETRICS_SETTINGS = {
    "": "",
    "adaptive_k=True": "divisor=list",
    "empty_target_action=skip": "undefined=null",
    "empty_target_action=pos": "undefined=one",
}
AGGREGATES = {"median": "median_low", "min": "minimum", "max": "maximum"}
OF_POSITIONS = tuple(f"Retrieval{name}" for name in "MAP MRR Precision Recall FallOut HitRate RPrecision".split())
OF_MEANS = tuple(f"{name}(aggregation={way})" for name in OF_POSITIONS for way in AGGREGATES)
AUROCS = ("RetrievalAUROC", *(f"RetrievalAUROC(aggregation={way})" for way in AGGREGATES))
NDCGS = ("RetrievalNormalizedDCG", *(f"RetrievalNormalizedDCG(aggregation={way})" for way in AGGREGATES))


def _torchmetrics(metric: str, setting: str, k: int | None) -> str:
    name = metric.partition("(")[0]
    counts_half = "ties=expected" if name == "RetrievalAUROC" and k is None else ""
    inside = ", ".join(one for one in (TORCHMETRICS_SETTINGS[setting], counts_half) if one)
    return f"{name}{f'({inside})' if inside else ''}{f'@{k}' if k else ''}"


TORCHMETRICS = Library(
    "torchmetrics",
    "torchmetrics",
    _torchmetrics,
    aggregates={
        f"Retrieval{name}(aggregation={way})": ours
        for name in "MAP MRR Precision Recall FallOut HitRate RPrecision AUROC NormalizedDCG".split()
        for way, ours in AGGREGATES.items()
    },
    left_out=(
        LeftOut(
            "Which of equal scores comes first is left to a sort that keeps no order; scores are of 32 bits.",
            metrics=[*OF_POSITIONS, *OF_MEANS],
            problems=[*TIED, *DENSE_TIED],
        ),
        LeftOut(
            "Scores that differ in 64 bits only are equal there.",
            metrics=[*NDCGS, *AUROCS],
            problems=["near scores"],
        ),
        LeftOut(
            "It counts targets below 0 as negative gains, and a query whose targets add up to 0 as empty.",
            metrics=NDCGS,
            problems=["negative ratings", "dense negative ratings", "only negative ratings"],
        ),
        LeftOut(
            "Which of equal scores are among the first top_k is left to a sort that keeps no order.",
            metrics=AUROCS,
            problems=[*TIED, *DENSE_TIED],
            lists="with top_k",
            where=lambda row: row["k"] is not None,
        ),
    ),
    prepare=rated_if_listed,
    tolerance=1e-6,
)


TRULENS = Library(
    "trulens",
    "TruLens",
    ranked=True,
    left_out=(
        LeftOut(
            "Without k, its ideal list is only as long as the list of the query.",
            metrics=["ndcg_at_k"],
            lists="without a cutoff",
            where=lambda row: row["k"] is None,
        ),
        LeftOut(
            "An expected score below 0 is a negative gain of the ideal list; a sum of 0 or less makes it NaN.",
            problems=["negative ratings", "dense negative ratings", "only negative ratings"],
            metrics=["ndcg_at_k"],
        ),
    ),
)


# What each setting of a metric is here.
WARPREC_SETTINGS = {"relevance=discounted": "gain=excess", "pop_ratio=0.5": "head=0.5"}


def _warprec(metric: str, setting: str, k: int | None) -> str:
    inside = WARPREC_SETTINGS.get(setting, setting)
    return f"{metric}{f'({inside})' if inside else ''}{f'@{k}' if k else ''}"


@cache
def _training() -> pl.DataFrame:
    return pl.DataFrame(unequal_profiles())


def _of_users_in_training(inputs: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Problems with propensities, without users that have no history; of the example, which needs none, all users."""
    known = pl.col("user").is_in(_training()["user"].unique().to_list()) | (pl.col("problem") == "example")
    truth = inputs["truth"].join(_propensities(), on="item", how="left")
    return {**inputs, "recs": inputs["recs"].filter(known), "truth": truth.filter(known)}


@cache
def _clusters() -> pl.DataFrame:
    return (
        _training()
        .select("item")
        .unique()
        .with_columns(
            category=pl.col("item").map_elements(lambda item: 1 + sum(item.encode()) % 3, return_dtype=pl.Int64)
        )
    )


WARPREC = Library(
    "warprec",
    "WarpRec",
    _warprec,
    of_rows=True,
    computed={
        "history": _training,
        "catalog": lambda: _training().select("item").unique(),
        "items": _clusters,
    },
    left_out=(
        LeftOut(
            "A rating below 0 is a negative gain of an item that is not relevant.",
            problems=["negative ratings"],
            lists="nDCG, ItemMADRanking, and EPC with graded relevance",
            where=lambda row: row["metric"] in ("nDCG", "ItemMADRanking") or row["setting"] == "relevance=discounted",
        ),
        LeftOut(
            "Of one cluster, ItemMADRanking is 0 and REO is undefined there; here, it is the other way round.",
            metrics=["ItemMADRanking", "REO"],
            lists="lists with one cluster",
            where=lambda row: row["value"] == {"ItemMADRanking": 0.0, "REO": None}[row["metric"]],
        ),
        LeftOut("RSP is undefined there if no user has a relevant item.", ["nothing relevant"], ["RSP"]),
    ),
    prepare=_of_users_in_training,
    tolerance=2e-6,  # computed in 32 bits
)


LIBRARIES = tuple(value for value in [*globals().values()] if isinstance(value, Library))
