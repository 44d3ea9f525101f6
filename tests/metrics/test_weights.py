"""Weights of hits by propensities, worked out by hand, and what is refused."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log, log2
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.metrics.catalog import catalog
from rankmetrics.planner.weights import WITH_WEIGHTS
from tests.support import flat
from tests.support.commands import printed
from tests.support.engines import Engine, each_engine, summarized
from tests.support.extra_inputs import counted, lists, systems
from tests.support.refusals import refusal

RECS = pl.DataFrame({"user": [1, 1, 1, 1, 2, 2], "item": ["a", "b", "c", "d", "a", "d"], "rank": [1, 2, 3, 4, 1, 2]})
# 1 / propensity: b 2, d 4 and z 6 for user 1, with a mean of 4; a 10 for user 2, and x 1 for user 3, who has no list
TRUTH = pl.DataFrame(
    {"user": [1, 1, 1, 2, 3], "item": ["b", "d", "z", "a", "x"], "propensity": [1 / 2, 1 / 4, 1 / 6, 1 / 10, 1]}
)
ITEMS = pl.DataFrame({"item": ["b", "d", "z", "a", "x"], "propensity": [1 / 2, 1 / 4, 1 / 6, 1 / 10, 1]})
# b has 4 users, d 1; nobody has z
HISTORY = pl.DataFrame({"user": [1, 2, 3, 4, 1], "item": ["b", "b", "b", "b", "d"]})

# The first list under ips and under snips: its hits b and d weigh 2 and 4, or 2 / 4 and 4 / 4.
OF_THE_LIST: Mapping[str, tuple[float, float]] = {
    "n_hits": (6, 6 / 4),
    "n_hits@3": (2, 2 / 4),
    "recall": (6 / 3, 6 / 12),
    "recall(divisor=capped)@2": (2 / 2, 2 / 4 / 2),
    "precision@4": (6 / 4, 6 / 4 / 4),
    "dcg": (2 / log2(3) + 4 / log2(5), (2 / log2(3) + 4 / log2(5)) / 4),
    "ndcg": ((2 / log2(3) + 4 / log2(5)) / (6 + 4 / log2(3) + 2 / 2),) * 2,
    "ndcg@2": (2 / log2(3) / (6 + 4 / log2(3)),) * 2,
    "ndcg(share=unweighted)@2": (2 / log2(3) / (1 + 1 / log2(3)), 2 / 4 / log2(3) / (1 + 1 / log2(3))),
    "ap": ((2 * 1 / 2 + 4 * (1 + 2) / 4) / 3, (0.5 * 1 / 2 + 1 * (1 + 0.5) / 4) / 3),
    "rbp(p=0.5)": (0.5 * (2 * 0.5 + 4 * 0.125), 0.5 * (2 * 0.5 + 4 * 0.125) / 4),
    "hit": (2, 2 / 4),
    "hit@1": (0, 0),
    "rr": (2 / 2, 2 / 4 / 2),
    "r_precision": (2 / 3, 2 / 4 / 3),  # of the three ranks that are read, the second is a hit
    "r_precision@2": (2 / 2, 2 / 4 / 2),
    "ideal_dcg@1": (6, 6 / 4),
}


@pytest.mark.parametrize("way", [0, 1], ids=["ips", "snips"])
def test_a_hit_counts_its_weight(engine: Engine, way: int) -> None:
    found = lists(engine, [*OF_THE_LIST], recs=RECS, truth=TRUTH, weights=("ips", "snips")[way])
    assert found[0] == tuple(pytest.approx(values[way], abs=1e-12) for values in OF_THE_LIST.values())
    assert found[2] == (0.0,) * (len(OF_THE_LIST) - 1) + (1.0,)


def test_the_largest_weight_may_be_limited_and_the_limited_ones_are_counted(engine: Engine) -> None:
    asked = ["recall(weights=ips, limit=5)", "recall(weights=snips, limit=5)"]
    assert lists(engine, asked, recs=RECS, truth=TRUTH)[:2] == [(6 / 3, 6 / 11), (5.0, 1.0)]
    account = counted(engine, asked, recs=RECS, truth=TRUTH)
    assert (account["relevant_weighted"], account["weights_limited"], account["propensities_invalid"]) == (5, 2, 0)
    assert "weights_limited" not in counted(engine, "recall", recs=RECS, truth=TRUTH)


def test_propensities_come_from_the_truth_the_items_or_the_history(engine: Engine) -> None:
    c = (log(4) - 1) * 2.5**0.55
    for propensity, options, expected in (
        ("given", {}, 6 / 3),
        ("items", {"items": ITEMS}, 6 / 3),
        ("popularity", {"history": HISTORY}, (1 + 4) / 3),
        ("popularity(gamma=2)", {"history": HISTORY}, (1 + 4**1.5) / 3),
        ("jain", {"history": HISTORY}, (1 + c * 5.5**-0.55 + 1 + c * 2.5**-0.55) / 3),
        ("jain(jain_a=0.5, jain_b=1)", {"history": HISTORY}, (2 + (log(4) - 1) * 2**0.5 * (5**-0.5 + 2**-0.5)) / 3),
    ):
        first, *_ = lists(engine, "recall", recs=RECS, truth=TRUTH, weights=f"ips(propensity={propensity})", **options)
        assert first == (pytest.approx(expected, abs=1e-12),), propensity


def test_the_popularity_of_the_items_gives_propensities_too(engine: Engine) -> None:
    items = pl.DataFrame({"item": ["b", "d", "q"], "popularity": [50, 100, 25]})  # z counts as q, the least popular
    first, *_ = lists(
        engine, "recall", recs=RECS, truth=TRUTH, items=items, weights="snips(propensity=popularity(gamma=1))"
    )
    assert first == (pytest.approx((2 + 1) / (2 + 1 + 4)),)


def test_an_item_that_the_truth_repeats_has_its_highest_propensity(engine: Engine) -> None:
    again = pl.DataFrame({"user": [1, 1], "item": ["b", "b"], "propensity": [1 / 3, None]})
    first, *_ = lists(engine, "n_hits", recs=RECS, truth=pl.concat([again, TRUTH]), weights="ips")
    assert first == (6.0,)


@each_engine
def test_an_item_that_the_truth_repeats_has_the_propensity_of_its_highest_rating(engine: Engine) -> None:
    """The row of rating 2 counts whole, with the lower propensity: neither 2 / 0.9 nor 1 / 0.9."""
    truth = pl.DataFrame({"user": [1] * 3, "item": ["b"] * 3, "rating": [2, 1, 2], "propensity": [0.1, 0.9, 0.05]})
    first, *_ = lists(engine, "dcg(gain=linear)", recs=RECS, truth=truth, weights="ips")
    assert first == (pytest.approx(2 * 10 / log2(3)),)


def test_only_relevant_items_need_a_propensity(engine: Engine) -> None:
    rated = TRUTH.with_columns(rating=pl.Series([1.0, 5, 5, 5, 5]))
    rated = rated.with_columns(propensity=pl.when(pl.col("rating") == 5).then("propensity"))
    assert counted(engine, "recall(rel=4)", recs=RECS, truth=rated, weights="ips")["relevant_weighted"] == 4


def test_a_relevant_item_without_a_propensity_is_refused(engine: Engine) -> None:
    for propensity in (0.0, -0.5, 1.5, None, float("nan")):
        truth = TRUTH.with_columns(propensity=pl.when(item="d").then(pl.lit(propensity)).otherwise("propensity"))
        result = rm.evaluate(engine.give(RECS), engine.give(truth), "recall", weights="ips")
        words = ("1 relevant item has no propensity above 0 and up to 1", "user = 1, item = 'd'", "'propensity'")
        with refusal(rm.DataError, *words, case=propensity):
            result.collect()
    rm.evaluate(engine.give(RECS), engine.give(truth), "recall").check()  # without weights, nobody reads it
    few = ITEMS.filter(pl.col("item") != "z")
    options: dict[str, Any] = {"items": engine.give(few), "weights": "snips(propensity=items)"}
    with refusal(rm.DataError, "1 relevant item has no propensity above 0 and up to 1"):
        flat.evaluate(engine.give(RECS), engine.give(TRUTH), "recall", **options).collect()


def test_metrics_that_are_not_sums_over_hits_refuse_weights_and_name_others() -> None:
    """A metric that reads no hits has no such policy."""
    inputs: dict[str, Any] = {
        "history": HISTORY,
        "baseline": RECS,
        "catalog": ITEMS.select("item"),
        "items": ITEMS.with_columns(category=pl.lit("x"), embedding=pl.Series([[1.0]] * 5)),
        "similarity": pl.DataFrame({"item": ["a"], "other": ["b"], "similarity": [0.5]}),
    }
    takes, without = set(), set()
    for definition in catalog().metrics():
        parameters = catalog().parameters(definition.name)
        metric = rm.Metric(definition.name, {}, 3 if "k" in parameters else None)
        if "weights" not in parameters:
            without.add(metric.name)
            continue
        if metric.name in WITH_WEIGHTS:
            flat.evaluate(RECS, TRUTH, metric(weights="ips"), **inputs)
            takes.add(metric.name)
        else:
            with refusal(rm.MetricError, "is not a sum over hits", ", ".join(WITH_WEIGHTS), case=metric):
                flat.evaluate(RECS, TRUTH, metric(weights="ips"), **inputs)
    assert takes == {*WITH_WEIGHTS}
    assert {"coverage", "unseen", "n_relevant", "n_recommended", "popularity"} <= without
    for text in (
        "ap(divisor=hits)",
        "r_precision(hitless=undefined)",
        "ap(at=places)@3",
        "dcg(tied=averaged)@3",
        "f_beta(metric_0=rr)",
    ):
        with refusal(rm.MetricError, "is not a sum over hits", case=text):
            rm.evaluate(RECS.with_columns(score=-pl.col("rank")).drop("rank"), TRUTH, text, weights="snips")


def test_what_weights_need_is_said_where_it_is_missing() -> None:
    bare, scored = TRUTH.drop("propensity"), RECS.with_columns(score=1.0).drop("rank")
    cases: Sequence[tuple[dict[str, Any], type[rm.RankMetricsError], Sequence[str]]] = (
        ({}, rm.ColumnError, ("the role 'propensity' in the truth", "'user' and 'item'")),
        ({"weights": "ips(propensity=items)"}, rm.InputError, ("recall needs items=",)),
        (
            {"weights": "ips(propensity=items)", "items": HISTORY[["item"]]},
            rm.ColumnError,
            ("'propensity' in the items",),
        ),
        ({"weights": "ips(propensity=jain)"}, rm.InputError, ("recall needs history=",)),
        ({"weights": "isp"}, rm.MetricError, ("'none', 'ips' and 'snips'", "Did you mean 'ips'?")),
        ({"weights": "ips(limit=0)"}, rm.MetricError, ("limit of n_hits must be a number above 0",)),
        ({"weights": "ips(gamma=2)"}, rm.MetricError, ("gamma=2 has no effect", "'propensity=popularity'")),
        ({"weights": "none(limit=2)"}, rm.MetricError, ("limit=2 has no effect", "'weights=ips'")),
    )
    for options, error, parts in cases:
        with refusal(error, *parts, case=options):
            flat.evaluate(RECS, bare, "recall", **{"weights": "ips", **options})
    for ties in ("expected", "best", "worst"):
        with refusal(rm.MetricError, "weights need one order of equal scores", 'ties="item"', case=ties):
            rm.evaluate(scored, TRUTH, "recall", weights="ips", ties=ties)
    with refusal(rm.ColumnError, "The propensity column 'propensity' of the truth is not a number"):
        rm.evaluate(RECS, TRUTH.with_columns(propensity=pl.lit("x")), "recall", weights="ips")


def test_the_settings_of_a_metric_come_before_those_of_the_call(engine: Engine) -> None:
    asked = ["recall(weights=none)", "recall(weights=ips, limit=3)", "recall", "coverage@2"]
    options: dict[str, Any] = {"recs": RECS, "truth": TRUTH, "weights": "ips(limit=5)"}
    first, *_ = lists(engine, asked[:3], **options)
    assert first == (2 / 3, (2 + 3) / 3, 6 / 3)
    catalog_of = ITEMS.select("item")
    assert systems(engine, "coverage@2", **options, catalog=catalog_of)["coverage@2"] == 3 / 5  # reads no hits


def test_propensities_may_have_any_name_and_weights_are_an_option_everywhere(tmp_path: Path) -> None:
    renamed = TRUTH.rename({"propensity": "p"})
    for columns in ({"columns": rm.Columns(propensity="p")}, {"truth_columns": rm.Columns(propensity="p")}):
        options: dict[str, Any] = {"weights": "ips", **columns}
        assert summarized(flat.evaluate(RECS, renamed, "n_hits", **options))["n_hits"].item() == pytest.approx(16 / 3)
        text = flat.to_sql("recs", "truth", "n_hits", lists=["user"], dialect="duckdb", **options)
        with duckdb.connect() as connection:
            connection.register("recs", RECS.to_arrow())
            connection.register("truth", renamed.to_arrow())
            assert connection.sql(text).fetchall() == [(3, pytest.approx(16 / 3))]
    RECS.write_parquet(tmp_path / "recs.parquet")
    renamed.write_parquet(tmp_path / "truth.parquet")
    found = printed("evaluate", str(tmp_path / "recs.parquet"), str(tmp_path / "truth.parquet"), "-m", "n_hits", *FLAGS)
    assert "5.3333" in found
    assert "5 weights of relevant items by their propensities" in found


FLAGS = ("--weights", "ips(limit=20)", "--propensity", "p")


def test_a_metric_of_ones_own_may_read_the_weights(engine: Engine) -> None:
    rm.define("SELECT SUM(weight / (rank + 1)) AS late_hits FROM weighted_hits WHERE rank <= $k")
    first, *_ = lists(engine, "late_hits(weights=ips)", recs=RECS, truth=TRUTH)
    assert first == (pytest.approx(2 / 3 + 4 / 5),)


# --- napkinXC 0.7.2, on the lists above: psprecision_at_k and its like, with k=1..4 -----------------------------------

NORMALIZED = {
    "precision": [0.5882352941176471, 0.5714285714285714, 0.5217391304347826, 0.6956521739130435],
    "recall": [0.7692307692307693, 0.7441860465116278, 0.711111111111111, 0.8],
    "dcg": [0.5882352941176471, 0.5768296244635781, 0.5487241127840395, 0.6326614455400794],
    "ndcg": [0.5882352941176471, 0.6639658666661478, 0.6847225400440528, 0.7369828554938115],
}
NOT_NORMALIZED = {
    "precision": [3.3333333333333335, 2.0, 1.3333333333333333, 1.3333333333333333],
    "recall": [3.3333333333333335, 3.5555555555555554, 3.5555555555555554, 4.0],
    "dcg": [3.3333333333333335, 1.8769765845238193, 1.2513177230158796, 1.0820471449530407],
    "ndcg(share=unweighted)": [3.3333333333333335, 3.5912352048230276, 3.530721273977244, 3.800197735977974],
}


def test_the_propensities_of_napkinxc_follow_from_the_history(engine: Engine) -> None:
    """Jain_et_al_inverse_propensity([[0, 1], [0], [0], [0]], A, B) of b and d."""
    for setting, of_b, of_d in (
        ("jain", 1.2503720781975358, 1.3862943611198906),
        ("jain(jain_a=0.5, jain_b=0.4)", 1.2178994069447446, 1.3862943611198906),
    ):
        options: dict[str, Any] = {"history": HISTORY, "weights": f"ips(propensity={setting})"}
        first, *_ = lists(engine, ["n_hits@2", "n_hits"], recs=RECS, truth=TRUTH, **options)
        assert first == (pytest.approx(of_b, abs=1e-12), pytest.approx(of_b + of_d, abs=1e-12)), setting


def test_the_propensity_scored_metrics_of_napkinxc_are_settings(engine: Engine) -> None:
    asked = [f"share_of_best(of={of})@{k}" for of in NORMALIZED for k in range(1, 5)]
    asked += [f"{metric}@{k}" for metric in NOT_NORMALIZED for k in range(1, 5)]
    found = systems(engine, asked, recs=RECS, truth=TRUTH, weights="ips")
    # napkinXC divides a DCG that is not normalized by k
    values = {
        metric: [found[f"{metric}@{k}"] / (k if metric == "dcg" else 1) for k in range(1, 5)]
        for metric in NOT_NORMALIZED
    }
    values |= {f"of {of}": [found[f"share_of_best(of={of})@{k}"] for k in range(1, 5)] for of in NORMALIZED}
    expected = {**NOT_NORMALIZED, **{f"of {of}": numbers for of, numbers in NORMALIZED.items()}}
    assert values == {metric: pytest.approx(numbers, abs=1e-12) for metric, numbers in expected.items()}


# --- drawn data whose true values are known ---------------------------------------------------------------------------


@pytest.mark.long
def test_weights_come_nearer_to_the_truth_than_the_mean_over_what_was_seen() -> None:
    """As in Table 2 of Yang et al. (2018): recall and DCG of several systems, seen more often for popular items.

    Their truth is a random sample of ratings; here it is all likes. Their propensities are those of the popularity.
    """
    draw, users, items = random.Random(11), range(400), range(60)
    shares = [max(0.03, 0.93**item) for item in items]  # of the users who meet an item
    likes = [(user, item) for user in users for item in items if draw.random() < (0.3 if item % 3 else 0.5)]
    seen = [pair for pair in likes if draw.random() < shares[pair[1]]]
    # with gamma = 1, the propensity of an item is its share of the users of the most popular item
    history = [(user, item) for item in items for user in range(round(1000 * shares[item]))]
    systems: Mapping[str, Callable[[int], Iterable[int]]] = {
        "popular": lambda user: range(20),
        "niche": lambda user: range(59, 39, -1),
        "taste": lambda user: [item for item in items if not item % 3],
        "chance": lambda user: draw.sample(items, 20),
    }
    rows = [
        (name, user, item, rank)
        for name, chosen in systems.items()
        for user in users
        for rank, item in enumerate(chosen(user), start=1)
    ]
    recs = pl.DataFrame(rows, schema=["system", "user", "item", "rank"], orient="row")
    known = pl.DataFrame(history, schema=["user", "item"], orient="row")

    def means(pairs: Sequence[tuple[int, int]], metric: str, **options: Any) -> list[float]:
        truth = pl.DataFrame(pairs, schema=["user", "item"], orient="row")
        options |= {"by": ["system"], "missing": "listed", "history": known, "cold_start": True}
        result = flat.evaluate(recs, truth, {"value": metric}, **options)
        return [row["value"] for row in result.collect().sort("system").to_dicts()]

    # snips divides by an estimate for each list, whose few relevant items leave a part of the bias
    for metric, weights, least in (
        ("recall@20", "snips", 1.5),
        ("share_of_best(of=pooled_recall)@20", "ips", 5),
        ("dcg@20", "ips", 5),
    ):
        true, biased = means(likes, metric), means(seen, metric)
        weighted = means(seen, metric, weights=f"{weights}(propensity=popularity(gamma=1))")
        errors = [
            sum(abs(value - right) for value, right in zip(found, true, strict=True)) for found in (biased, weighted)
        ]
        assert errors[0] > least * errors[1], (metric, true, biased, weighted)
