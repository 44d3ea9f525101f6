"""The libraries that were run, as libraries.toml describes them, and the functions that it names.

The scripts in `jobs` ran the libraries and wrote the values into `golden`, and into `golden/LIBRARY.json` the problems
that a library refused.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any

import polars as pl

from peers.problems import subtopics, unequal_profiles
from peers.run import libraries
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
    """A library whose values are compared. The head of libraries.toml says what each key means."""

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


def without_identical_ids(inputs: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Problems without recommendations that have the id of their user, which BEIR drops."""
    return {**inputs, "recs": inputs["recs"].filter(pl.col("user").ne_missing(pl.col("item")))}


def without_empty_lists(inputs: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Problems without empty lists, which no model of Cornac returns."""
    return {**inputs, "recs": inputs["recs"].filter(pl.col("item").is_not_null())}


# What each setting is here; NDCG has gains, and min_rel_score takes them away.
EVIDENTLY_SETTINGS = {
    "no_feedback_users=True": ("enough=any", "undefined=zero"),
    "min_rel_score=2": ("rel=2",),
    "beta=2": ("beta=2",),
}


def evidently(metric: str, setting: str, k: int | None) -> str:
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


def has_short_list(row: Row) -> bool:
    """Whether a list of the problem has fewer items than the cutoff."""
    return row["user"] is None and any(len(ratings) < row["k"] for ratings in _ratings_of_lists(row["problem"]))


def has_short_list_with_hit_last(row: Row) -> bool:
    """Whether a list of the problem has fewer items than the cutoff, and its last item is relevant."""
    lists, least = _ratings_of_lists(row["problem"]), 2 if row["setting"].startswith("min_rel_score=2") else 0.01
    return row["user"] is None and any(len(ratings) < row["k"] and ratings[-1] >= least for ratings in lists)


def embeddings() -> pl.DataFrame:
    """The features of each item as an embedding."""
    return data("features").select("item", embedding=pl.concat_list(pl.col("f0", "f1").cast(pl.Float64)))


OF_CWL = {
    "P residual": "precision_residual(convention=rankmetrics, ties=input)",
    "DCG residual": "dcg_residual(convention=rankmetrics, ties=input)",
    "RBP residual": "rbp_residual(convention=rankmetrics, ties=input, p=0.8)",
}


def ir_measures(metric: str, setting: str, k: int | None) -> str:
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


def _users_with_ties() -> set[tuple[str, str]]:
    """Lists with a score that a relevant item shares with another relevant item, in 32 bits."""
    scores = data("recs").with_columns(pl.col("score").cast(pl.Float32))
    relevant = scores.join(data("truth"), on=["problem", "user", "item"], how="semi")
    tied = relevant.filter(pl.len().over("problem", "user", "score") > 1)
    return {*tied.select("problem", "user").iter_rows()}


TIED_USERS = _users_with_ties()
TIED_PROBLEMS = {problem for problem, _ in TIED_USERS}


def is_tied(row: Row) -> bool:
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


def has_no_gain(row: Row) -> bool:
    """Whether it is the value of a list whose test items have no rating above 0, or the mean of a problem with one."""
    highest = _highest(row["problem"])
    return min(highest.values()) <= 0 if row["user"] is None else highest.get(row["user"], 1) <= 0


# What each setting of a metric is here.
LENSKIT_SETTINGS = {
    "gain=rating": "(gain=positive)",
    "normalize=True": "(of=best)",
    "weight=LogRankWeight(offset=1)": "(discount=log2)",
}


def lenskit(metric: str, setting: str, k: int | None) -> str:
    weighted = "-LogRankWeight" if setting == "weight=LogRankWeight()" else ""
    return f"{metric}{weighted}{LENSKIT_SETTINGS.get(setting, '')}{f'@{k}' if k else ''}"


def categories() -> pl.DataFrame:
    """The category of each item of the catalogue, as the job makes it of the item's name."""
    items = data("catalog")["item"]
    return pl.DataFrame({"item": items, "category": ["abc"[sum(item.encode()) % 3] for item in items]})


@cache
def _counts(problem: str) -> dict[str | None, tuple[int, int]]:
    """The recommendations of each user of the truth, and the relevant items; of all, (0, 0)."""
    truth, recs = data("truth").filter(problem=problem), data("recs").filter(pl.col("item").is_not_null())
    listed = Counter(recs.filter(problem=problem)["user"])
    relevant = dict(truth.filter(pl.col("rating") > 0).group_by("user").agg(pl.col("item").n_unique()).rows())
    return {user: (listed[user], relevant.get(user, 0)) for user in truth["user"].unique()}


def is_short(row: Row) -> bool:
    """Whether a list, or one of all the lists, holds some items, but neither k nor as many as are relevant."""
    counts = _counts(row["problem"])
    some = counts.values() if row["user"] is None else [counts[row["user"]]]
    return any(0 < listed < min(row["k"], relevant) for listed, relevant in some)


def propensities() -> pl.DataFrame:
    """The propensity of each item, as the job makes it of the item's name."""
    items = pl.concat([data("truth")["item"], data("recs")["item"]]).drop_nulls().unique().sort()
    return pl.DataFrame({"item": items, "propensity": [1 / (1 + sum(item.encode()) % 7) for item in items]})


def napkinxc(metric: str, setting: str, k: int | None) -> str:
    return f"{metric}{f'({setting})' if setting else ''}@{k}"


def tied(metric: str, setting: str, k: int | None) -> str:
    """A function of scikit-learn, or an expression of polars-ds."""
    return f"{metric}{'(tied=ranked)' if setting == 'ignore_ties=True' else ''}{f'@{k}' if k else ''}"


# What each setting of LightGBM, XGBoost and CatBoost is here.
RANKER_SETTINGS = {
    "label_gain=0,1,2,3,4": "(gain=linear)",
    "ndcg_exp_gain=False": "(gain=linear)",
    "-": "(undefined=zero)",
    "type=Exp": "(gain=exponential)",
    "denominator=Position": "(discount=reciprocal)",
    "type=Exp;denominator=Position": "(gain=exponential, discount=reciprocal)",
    "border=2": "(rel=2.0000002)",
    "decay=0.5": "(p=0.5)",
}


def ranker(metric: str, setting: str, k: int | None) -> str:
    """A metric of LightGBM or CatBoost."""
    return f"{metric}{RANKER_SETTINGS.get(setting, '')}{f'@{k}' if k else ''}"


def xgboost(metric: str, setting: str, k: int | None) -> str:
    """A metric of XGBoost, which takes the first 32 documents if it is not told otherwise."""
    return ranker(metric, setting, k or 32)


def pyndeval(metric: str, setting: str, k: int | None) -> str:
    """A measure of ndeval, whose alpha and beta each change some of them."""
    (alpha,), (beta,) = re.findall(r"alpha=([\d.]+)", setting), re.findall(r"beta=([\d.]+)", setting)
    novel = [f"redundancy={alpha}"] if metric in WITH_ALPHA else []
    patient = [f"p={beta}"] if metric in WITH_BETA else []
    k = 40 if metric == "nNRBP" else k  # no list is longer
    inside = ", ".join([*novel, *patient])
    return f"{metric}{f'({inside})' if inside else ''}{f'@{k}' if k else ''}"


WITH_BETA = ("NRBP", "nNRBP")
WITH_ALPHA = ("alpha-DCG", "alpha-nDCG", "ERR-IA", "nERR-IA", *WITH_BETA)


def by_subtopic(inputs: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Problems whose truth has a row for each subtopic of an item, with its rating."""
    rows = [
        {**row, "subtopic": subtopic, "rating": rating}
        for row in inputs["truth"].iter_rows(named=True)
        for subtopic, rating in subtopics(row["item"], row["rating"])
    ]
    return {**inputs, "truth": pl.DataFrame(rows)}


def pyterrier(metric: str, setting: str, k: int | None) -> str:
    metric = metric.replace("num_rel_ret", "NumRelRet")  # the same name but for its underscores
    return ir_measures(metric, setting if setting.startswith("level") else "", k)


# These look at every rating above 0, whatever the relevance level.
WITHOUT_LEVEL = ("ndcg", "ndcg_cut", "num_ret", "G", "ndcg_rel", "Rndcg")


def trec_eval(metric: str, setting: str, k: int | None) -> str:
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


def has_no_rating_from_the_level(row: Row) -> bool:
    """True if a query of the row has a highest rating below the level: for a mean, any query of the problem."""
    level = int(row["setting"].partition("level=")[2][0])
    highest = _highest(row["problem"])
    return any(0 < highest[user] < level for user in ([row["user"]] if row["user"] else highest))


def ranx(metric: str, setting: str, k: int | None) -> str:
    return f"{metric}{f'@{k}' if k else ''}-l{setting.removeprefix('level=')}"


@cache
def _has_nan(problem: str, setting: str, metric: str) -> bool:
    rows = data("ranx").filter(problem=problem, setting=setting, metric=metric)
    return bool(rows.filter(pl.col("user").is_not_null())["value"].is_null().any())


def with_padding(inputs: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Problems whose catalogue has the padding item, which RecBole counts among the items."""
    padding = pl.DataFrame({"item": ["[PAD]"]})
    return {**inputs, "catalog": pl.concat([inputs["catalog"], padding])}


# What each setting of ndcg_at_k is here; discfun_type changes nothing.
RECOMMENDERS_SETTINGS = {"score_type=raw": "(gain=linear)", "score_type=exp": "(gain=exponential)"}


def recommenders(metric: str, setting: str, k: int | None) -> str:
    return f"{metric}{RECOMMENDERS_SETTINGS.get(setting, '')}{f'@{k}' if k else ''}"


def profiles() -> pl.DataFrame:
    return data("profiles")


def trained_items() -> pl.DataFrame:
    return training().select("item").unique()


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


def stored(inputs: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Problems whose truth has the relevant items only, as a sparse matrix stores them."""
    return {**inputs, "truth": inputs["truth"].filter(pl.col("rating") > 0)}


def rectools(metric: str, setting: str, k: int | None) -> str:  # it has no settings beside those in the metric
    """A metric of RecTools, which our convention reads as RecTools writes it; log_base changes nothing."""
    return f"{metric.replace('(log_base=3)', '')}@{k}"


def surprise(metric: str, setting: str, k: int | None) -> str:  # one setting, which is rel
    """A return value of `precision_recall_at_k`."""
    return f"{metric}(rel={setting.removeprefix('threshold=')})@{k}"


THRESHOLD = 1  # of jobs/surprise.py


def predicted(inputs: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """The rated pairs that have an estimate; as recommendations, those whose estimate reaches the threshold."""
    pair = ["problem", "user", "item"]
    recs, truth = inputs["recs"], inputs["truth"]
    recommended = recs.join(truth, on=pair, how="semi", maintain_order="left").filter(pl.col("score") >= THRESHOLD)
    return {**inputs, "recs": recommended, "truth": truth.join(recs, on=pair, how="semi", maintain_order="left")}


# What each setting of torchmetrics is here.
TORCHMETRICS_SETTINGS = {
    "": "",
    "adaptive_k=True": "divisor=list",
    "empty_target_action=skip": "undefined=null",
    "empty_target_action=pos": "undefined=one",
}


def torchmetrics(metric: str, setting: str, k: int | None) -> str:
    name = metric.partition("(")[0]
    counts_half = "ties=expected" if name == "RetrievalAUROC" and k is None else ""
    inside = ", ".join(one for one in (TORCHMETRICS_SETTINGS[setting], counts_half) if one)
    return f"{name}{f'({inside})' if inside else ''}{f'@{k}' if k else ''}"


# What each setting of a metric is here.
WARPREC_SETTINGS = {"relevance=discounted": "gain=excess", "pop_ratio=0.5": "head=0.5"}


def warprec(metric: str, setting: str, k: int | None) -> str:
    inside = WARPREC_SETTINGS.get(setting, setting)
    return f"{metric}{f'({inside})' if inside else ''}{f'@{k}' if k else ''}"


@cache
def training() -> pl.DataFrame:
    return pl.DataFrame(unequal_profiles())


def of_users_in_training(inputs: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Problems with propensities, without users that have no history; of the example, which needs none, all users."""
    known = pl.col("user").is_in(training()["user"].unique().to_list()) | (pl.col("problem") == "example")
    truth = inputs["truth"].join(propensities(), on="item", how="left")
    return {**inputs, "recs": inputs["recs"].filter(known), "truth": truth.filter(known)}


@cache
def clusters() -> pl.DataFrame:
    return (
        training()
        .select("item")
        .unique()
        .with_columns(
            category=pl.col("item").map_elements(lambda item: 1 + sum(item.encode()) % 3, return_dtype=pl.Int64)
        )
    )


# --- Rows whose values are not compared ------------------------------------------------------------------------------


def is_undefined(row: Row) -> bool:
    return row["value"] is None


def is_tied_or_low(row: Row) -> bool:
    return is_tied(row) or _is_scored_below_others(row)


def is_of_no_list(row: Row) -> bool:
    return row["user"] is not None and row["user"] not in _users(row["problem"], are_listed=False)


def is_infinite(row: Row) -> bool:
    return math.isinf(row["value"])


def is_at_1(row: Row) -> bool:
    return bool(row["k"] == 1)


def is_of_no_item(row: Row) -> bool:
    return row["user"] is not None and row["user"] not in _users(row["problem"], are_listed=True)


def is_mean(row: Row) -> bool:
    return row["user"] is None


def is_mean_at_a_level(row: Row) -> bool:
    return row["user"] is None and row["setting"] != ""


def is_of_a_problem_below_the_level(row: Row) -> bool:
    return min(_highest(row["problem"]).values()) < int(row["setting"].removeprefix("level="))


def is_mean_over_nan(row: Row) -> bool:
    return row["user"] is None and _has_nan(row["problem"], row["setting"], "bpref")


def is_one_or_mean(row: Row) -> bool:
    return row["value"] == 1 or row["user"] is None


def is_zero(row: Row) -> bool:
    return bool(row["value"] == 0)


def is_cut(row: Row) -> bool:
    return row["k"] is not None


def is_whole(row: Row) -> bool:
    return row["k"] is None


def is_graded_by_warprec(row: Row) -> bool:
    return row["metric"] in ("nDCG", "ItemMADRanking") or row["setting"] == "relevance=discounted"


def is_of_one_cluster(row: Row) -> bool:
    return bool(row["value"] == {"ItemMADRanking": 0.0, "REO": None}[row["metric"]])


# --- The table --------------------------------------------------------------------------------------------------------


def _left_out(where: str = "", **values: Any) -> LeftOut:
    return LeftOut(**values, **({"where": globals()[where]} if where else {}))


def _library(name: str, table: Mapping[str, Any]) -> Library:
    """A library from its table, which names functions of this file."""
    keys = {field.name for field in fields(Library)} & table.keys()
    values = {key: globals()[table[key]] if key in ("call", "prepare") else table[key] for key in keys}
    values["computed"] = {key: globals()[function] for key, function in table.get("computed", {}).items()}
    values["left_out"] = tuple(_left_out(**entry) for entry in table.get("left_out", ()))
    return Library(name, **values)


LIBRARIES = tuple(_library(name, table) for name, table in libraries().items() if "called" in table)
