"""Numbers that other systems' own code returned: LensKit's on MovieLens 100K, worked examples of five systems."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from peers.reproduction import SHARED
from tests.support import flat
from tests.support.engines import Engine, each_engine
from tests.support.shared import needs_shared

pytestmark = needs_shared

ML100K = SHARED / "data" / "ml100k"

# LensKit 2025's names and what they are here.
LENSKIT = {
    "NDCG": "ndcg(discount=lenskit)",
    "RecipRank": "rr",
    "Precision": "precision(divisor=list)",
    "Recall": "recall(divisor=capped)",
    "Hit": "hit",
    "AveragePrecision": "ap(divisor=list)",
    "RBP": "rbp(p=0.85)",
}


@each_engine
def test_every_list_of_movielens_has_the_values_that_lenskit_gives_it(engine: Engine) -> None:
    recs, truth = (engine.give(pl.read_parquet(ML100K / f"{name}.parquet")) for name in ("recs", "truth"))
    theirs = pl.read_parquet(ML100K / "lenskit_per_list.parquet")
    asked = [f"{name}{cut}" for name in LENSKIT.values() for cut in ("", "@5,10,20")]
    ours = engine.read(rm.evaluate(recs, truth, asked).per_list())
    keys = ["partition", "algorithm", "user"]
    both = theirs.join(ours, on=keys, how="inner", validate="1:1")
    assert ours.height == theirs.height == both.height == 3772
    for their_name, our_name in LENSKIT.items():
        for k in ("5", "10", "20", "None"):
            ours_at_k = both[our_name if k == "None" else f"{our_name}@{k}"]
            difference = (both[f"{their_name}@{k}"].cast(pl.Float64) - ours_at_k).abs()
            assert difference.null_count() == 0, (our_name, k)
            assert difference.max() <= 1e-9, (our_name, k)  # type: ignore[operator]


def test_an_account_of_movielens_finds_nothing_missing(engine: Engine) -> None:
    recs, truth = (engine.give(pl.read_parquet(ML100K / f"{name}.parquet")) for name in ("recs", "truth"))
    account = engine.read(rm.evaluate(recs, truth, "ndcg@10").account())
    totals = dict(account.group_by("account").agg(pl.col("n").sum()).iter_rows())
    assert totals["lists_scored"] == totals["lists_recommended"] == 3772
    recs_read = pl.read_parquet(ML100K / "recs.parquet").filter(pl.col("rank") <= 11)
    keys = ["partition", "algorithm", "user"]
    tied = recs_read.group_by(keys).agg(alike=pl.col("score").n_unique() < pl.len())["alike"].sum()
    assert totals["lists_tied"] == tied > 0
    assert {
        name: totals.get(name, 0) for name in ("lists_missing", "lists_empty", "ranks_not_from_1", "ranks_repeated")
    } == {
        "lists_missing": 0,
        "lists_empty": 0,
        "ranks_not_from_1": 0,
        "ranks_repeated": 0,
    }


# --- the worked examples ----------------------------------------------------------------------------------------------

Case = dict[str, Any]
Inputs = dict[str, pl.DataFrame]

# The convention of ours for each program that an example was run with.
CONVENTIONS = {
    "replay-rec 0.22.0 pandas": "replay",
    "replay-rec 0.22.0 polars": "replay",
    "replay.experimental 0.22.0rc0 spark": "replay-0.12",
    "replay v0.10.0 spark": "replay-0.10",
    "CAPRI dbbb506": "capri",
    "lenskit 0.14.4 function": "lenskit-0.14-lists",
    "lenskit 2025.8.1": "lenskit",
    "recometrics 0.1.6.post13": "recometrics",
}

# Examples of a way to compute that the programs above do not name.
CONVENTION_OF = {"lk014.bulk_ndcg.not_at_top": "lenskit-0.14"}

# What a metric is called in a call of ours, where it is not as the example spells it.
SPELLED = {
    "_dcg": "dcg",
    "NDCG@K": "NDCG",
    "DSC[beta=2]": "DSC(beta=2)",
    "DSC[beta=0.5,metric_0=HR,metric_1=MRR]": "DSC(beta=0.5, metric_0=HR, metric_1=MRR)",
    "ExtendedF1_m0:nDCG-m1:Recall[metric_0=nDCG,metric_1=Recall]": "ExtendedF1(metric_0=nDCG, metric_1=Recall)",
}

# What is set beside the convention, by the beginning of the example's id; `{name}` is a parameter of the example.
SETTINGS = {
    "elliot.": "rel={relevance_threshold}",
    "capri.test_mapk": "cap={k}",  # its k is what the sum is divided by; it cuts nothing
    # a function of single lists scores one without truth 0, where a release leaves the list out
    **{
        f"replay.by_user.{name}.none": "missing=listed, undefined=zero"
        for name in ("HitRate", "MAP", "MRR", "NDCG", "Precision", "Recall", "RocAuc")
    },
    "lk2025.AveragePrecision.empty": "undefined=null",  # the value of a list, before list_metrics() fills it
}
NO_CUTOFF = ("capri.test_mapk",)

# Which equal scores are cut away goes by the order of the input there, as the convention's notes say; cut at 1, this is
# the whole of the order.
IN_ORDER = {("seed.replay.mrr.swapped", "replay-0.12")}

MODES = {"Mean": "mean", "Median": "median", "ConfidenceInterval(0.95)": "normal_ci(0.95)"}

# Examples that state no value but a relation, and one whose weights stand in a column: it is a metric of one's own.
RELATIONS = {
    "recometrics.ndcg.fewer_items_than_k": "equal",
    "recometrics.ndcg.negative.1": "sign",
    "recometrics.ndcg.negative.2": "sign",
}
OWN_WEIGHTS = "lk2025.RBP.weight_field"


def _cases() -> list[Case]:
    if not SHARED.is_dir():
        return []
    every: list[Case] = json.loads((SHARED / "golden" / "cases.json").read_text(encoding="utf-8"))
    return every


def _conventions(case: Case, *, reproduced: bool) -> list[str]:
    """The conventions of the programs that give the value which an example states, or of those that do not."""
    if case["id"] in CONVENTION_OF:
        return [CONVENTION_OF[case["id"]]] if reproduced else []
    runs = case.get("reproduced") or {case["system"]: True}
    return list(dict.fromkeys(CONVENTIONS.get(run, run) for run, found in runs.items() if found is reproduced))


CASES = {case["id"]: case for case in _cases()}
VALUES = [(name, one) for name in CASES for one in _conventions(CASES[name], reproduced=True)]
OTHERS = [(name, one) for name in CASES for one in _conventions(CASES[name], reproduced=False)]
STATED = [(name, one) for name, one in VALUES if name not in (*RELATIONS, OWN_WEIGHTS)]


def test_the_examples_are_all_there() -> None:
    assert len(CASES) == 119
    assert {name for name, _ in STATED} | {*RELATIONS, OWN_WEIGHTS} == set(CASES)
    assert {name for name, case in CASES.items() if isinstance(case["params"].get("relation"), str)} == set(RELATIONS)


@pytest.mark.parametrize(("name", "convention"), STATED)
def test_a_worked_example_has_the_value_it_states(name: str, convention: str) -> None:
    case = CASES[name]
    for ours, theirs in zip(_values(case, convention), _several(case["expected"]), strict=True):
        assert ours == (None if theirs is None else pytest.approx(theirs, rel=0, abs=case["abs_tol"]))


@pytest.mark.parametrize(("name", "convention"), OTHERS)
def test_a_release_that_gives_another_value_is_told_apart(name: str, convention: str) -> None:
    case = CASES[name]
    ours = _values(case, convention)
    assert ours != pytest.approx(_several(case["expected"]), rel=0, abs=case["abs_tol"])
    observed = [values for run, values in case["observed"].items() if CONVENTIONS[run] == convention]
    for values in observed:
        assert ours == pytest.approx(_several(values), rel=0, abs=case["abs_tol"])


@pytest.mark.parametrize("name", RELATIONS)
def test_a_worked_example_has_the_relation_it_states(name: str) -> None:
    case = CASES[name]
    values = _values(case, "recometrics")
    if RELATIONS[name] == "equal":
        assert case["expected"] == "equal"
        assert len(values) == 2
        assert values[0] == pytest.approx(values[1], rel=0, abs=case["abs_tol"])
    else:
        (value,) = values
        assert (value > 0) - (value < 0) == case["expected"]
        assert value == pytest.approx(case["observed_value"], rel=0, abs=case["abs_tol"])


def test_weights_of_a_column_are_a_metric_of_ones_own() -> None:
    case = CASES[OWN_WEIGHTS]
    rm.define("SELECT COALESCE(SUM(rating), 0) AS own_weight_of_hits FROM hits WHERE rank <= $k")
    rm.define("SELECT SUM(n_users) AS own_weight FROM recommended_popularity WHERE rank <= $k")
    own = rm.define("SELECT own_weight_of_hits / NULLIF(own_weight, 0) AS own_weighted FROM metrics")
    inputs: dict[str, Any] = {**_inputs(case)}
    (row,) = flat.evaluate(**inputs, metrics=own, convention="lenskit", by=[]).summary().collect().to_dicts()
    assert row["own_weighted"] == pytest.approx(case["expected"], rel=0, abs=case["abs_tol"])


# --- what is asked ----------------------------------------------------------------------------------------------------


def _values(case: Case, convention: str) -> list[Any]:
    """Our values of an example under a convention, one for each cutoff."""
    metrics = [rm.parse(text, convention=convention) for text in _texts(case)]
    aggregate = MODES[case["params"].get("mode", "Mean")]
    inputs: dict[str, Any] = {**_inputs(case)}
    if (case["id"], convention) in IN_ORDER:
        inputs = {name: _rank_as_given(frame) for name, frame in inputs.items()}
    result = flat.evaluate(**inputs, metrics=metrics, convention=convention, by=[], aggregates=aggregate)
    (row,) = result.summary().collect().to_dicts()
    labels = [one.label if aggregate == "mean" or one.is_run else f"{one.label} {aggregate}" for one in metrics]
    places = case["params"].get("round")
    return [row[label] if places is None else round(row[label], places) for label in labels]


def _several(values: Any) -> list[Any]:
    """The values of an example, which states one or a list of them."""
    return values if isinstance(values, list) else [values]


def _texts(case: Case) -> list[str]:
    """The metric of an example as we are asked for it, at each of its cutoffs."""
    params = case["params"]
    settings = [text for start, text in SETTINGS.items() if case["id"].startswith(start)]
    spelled: str = case["metric"]
    name, _, own = SPELLED.get(spelled, spelled).rstrip(")").partition("(")
    inside = ", ".join(one for one in (own, *settings) if one).format_map(params)
    text = f"{name}({inside})" if inside else name
    cutoffs = [params[one] for one in ("k", "ks", "n", "cutoff") if one in params]
    if not cutoffs or case["id"].startswith(NO_CUTOFF):
        return [text]
    return [f"{text}@{k}" for k in _several(cutoffs[0])]


# --- inputs -----------------------------------------------------------------------------------------------------------

# What an example calls an input, and what it is here.
ARGUMENTS = {
    "recs": "recs",
    "pred": "recs",
    "truth": "truth",
    "ground_truth": "truth",
    "train": "history",
    "base_recs": "baseline",
}


def _inputs(case: Case) -> Inputs:
    """The inputs of an example, whichever way it states them: by the name of one that no other way before it has."""
    given, params = case["inputs"], case["params"]
    ways: Mapping[str, Callable[[], Inputs]] = {
        "A": lambda: _of_factors(given),
        "n_items": lambda: _of_users(given),
        "arg1": lambda: _of_arguments(given, params["arg_order"].split(", ")),
        "recs_with_category": lambda: _of_categories(given),
        "scores": lambda: _of_gains(given["scores"]),
        # A list, and the list before it was ordered again.
        "reranked": lambda: {"recs": _list(given["reranked"]), "baseline": _list(given["reference"])},
        "lists": lambda: {
            "recs": _lists(dict(enumerate(given["lists"], 1))),
            "catalog": pl.DataFrame({"item": given["catalog"]}),
        },
        "popularity": lambda: _of_popularity(given, params["n_users"]),
        "weight": lambda: _of_weights(given),
        "pred": lambda: {"recs": _list(given["pred"]), "truth": _set(given["truth"], given.get("rating"))},
        "recs": lambda: {ARGUMENTS[name]: _frame(columns) for name, columns in given.items()},  # columns of data frames
    }
    inputs = next(make for name, make in ways.items() if name in given)()
    # a truth must be given; where an example has none, its metric reads none
    return {"truth": inputs["recs"].select("user", "item"), **inputs}


def _of_arguments(inputs: Mapping[str, Any], order: list[str]) -> Inputs:
    """Arguments of a function of single lists."""
    given = zip((ARGUMENTS[name] for name in order), (inputs["arg1"], inputs["arg2"]), strict=True)
    return {name: _list(items) if name in ("recs", "baseline") else _set(items) for name, items in given}


def _of_gains(scores: list[float | None]) -> Inputs:
    """Gains place by place: a list of items that are rated so; what has no gain is not in the truth."""
    gains = {place: gain for place, gain in enumerate(scores, 1) if gain is not None}
    return {"recs": _list(list(range(1, len(scores) + 1))), "truth": _set(list(gains), list(gains.values()))}


def _of_popularity(inputs: Mapping[str, Any], n_users: int) -> Inputs:
    """A list, and how many of how many users know each item: a history in which they do, and all know item 0."""
    known = {0: n_users, **{int(item): n for item, n in inputs["popularity"].items()}}
    history = [(user, item) for item, n in known.items() for user in range(1, n + 1)]
    return {"recs": _list(inputs["pred"]), "history": _rows(history, "user", "item")}


def _of_weights(inputs: Mapping[str, Any]) -> Inputs:
    """A list with a weight at each place: what is known of the items there, and what the relevant are worth."""
    weights = dict(zip(inputs["pred"], inputs["weight"], strict=True))
    return {
        "recs": _list(inputs["pred"]),
        "truth": _set(inputs["truth"], [weights[item] for item in inputs["truth"]]),
        "items": pl.DataFrame({"item": list(weights), "popularity": list(weights.values())}),
    }


def _of_categories(inputs: Mapping[str, Any]) -> Inputs:
    """Recommendations that are known by their categories alone: each is an item of its own."""
    recs = _frame(inputs["recs_with_category"]).with_row_index("item")
    return {"recs": recs.drop("category"), "items": recs.select("item", "category")}


def _of_users(inputs: Mapping[str, Any]) -> Inputs:
    """Lists, ratings and history by user; a user 0 that is not measured knows every item from 1."""
    truth = [(int(user), int(item), rating) for user, of in inputs["truth"].items() for item, rating in of.items()]
    train = {**inputs["train"], "0": range(1, inputs["n_items"] + 1)}
    return {
        "recs": _lists({int(user): items for user, items in inputs["recs"].items()}),
        "truth": _rows(truth, "user", "item", "rating"),
        "history": _rows([(int(user), item) for user, of in train.items() for item in of], "user", "item"),
    }


def _of_factors(inputs: Mapping[str, Any]) -> Inputs:
    """Factors of users and items, whose products are the scores; every item is a candidate."""
    assert inputs["X_train"] is None
    scores = [
        (user, item, sum(a * b for a, b in zip(of_user, of_item, strict=True)))
        for user, of_user in enumerate(inputs["A"])
        for item, of_item in enumerate(inputs["B"])
    ]
    return {"recs": _rows(scores, "user", "item", "score"), "truth": _frame(inputs["X_test"])}


def _rows(rows: list[tuple[Any, ...]], *columns: str) -> pl.DataFrame:
    """Rows of whole numbers, and of ratings and scores as floats."""
    kinds = {name: pl.Float64 if name in ("rating", "score") else pl.Int64 for name in columns}
    return pl.DataFrame(rows, schema=kinds, orient="row")


def _lists(lists: Mapping[int, list[Any]]) -> pl.DataFrame:
    return pl.concat(_list(items).with_columns(user=pl.lit(user, pl.Int64)) for user, items in lists.items())


def _list(items: list[Any] | None) -> pl.DataFrame:
    """The list of user 1, in order; an empty one is a row without an item."""
    found = items or [None]
    kind = pl.String if isinstance(found[0], str) else pl.Int64
    ranks = list(range(1, len(found) + 1)) if items else [None]
    schema = {"user": pl.Int64, "item": kind, "rank": pl.Int64}
    return pl.DataFrame({"user": [1] * len(found), "item": found, "rank": ranks}, schema=schema)


def _set(items: list[Any] | None, ratings: list[float] | None = None) -> pl.DataFrame:
    """The truth, or the history, of user 1; where there is none, that of another user."""
    frame = pl.DataFrame({"user": [1] * len(items), "item": items} if items else {"user": [2], "item": [0]})
    return frame if ratings is None else frame.with_columns(rating=pl.Series(ratings, dtype=pl.Float64, strict=False))


def _frame(columns: Mapping[str, list[Any]]) -> pl.DataFrame:
    frame = pl.DataFrame(columns, strict=False).rename({"value": "rating"}, strict=False)
    return frame.with_columns(pl.col("^(score|rating)$").cast(pl.Float64))


def _rank_as_given(frame: pl.DataFrame) -> pl.DataFrame:
    if "score" not in frame.columns:
        return frame
    ordered = frame.sort("score", descending=True, maintain_order=True)
    return ordered.with_columns(rank=pl.int_range(1, pl.len() + 1).over("user")).drop("score")
