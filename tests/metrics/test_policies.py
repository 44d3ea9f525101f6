"""Policies, worked out by hand, and how values of lists are aggregated."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from math import log, sqrt
from statistics import NormalDist, stdev
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.metrics.catalog import catalog
from tests.support.conventions import EXTRAS, RECS, about, lists, means, result
from tests.support.engines import Engine, polars_and_later_duckdb
from tests.support.refusals import Asking, refusal


def test_a_list_may_need_enough_candidates_to_be_measured(engine: Engine) -> None:
    asked = [
        "hit(enough=reaches)@9",
        "hit(enough=reaches)@10",
        "hit(enough=exceeds)@8",
        "hit(enough=exceeds)@9",
        "hit(enough=reaches, min_pool=10)@1",
        "hit(enough=reaches, min_relevant=2)@9",
    ]
    assert lists(engine, asked, missing="skip") == [
        (1, 1.0, None, 1.0, None, None, 1.0),
        (2, 1.0, None, 1.0, None, None, None),
    ]


def test_a_list_may_need_an_irrelevant_candidate_and_scores_that_differ(engine: Engine) -> None:
    recs = pl.DataFrame(
        {"user": [1, 1, 2, 2, 3, 3, 4], "item": ["a", "b"] * 3 + ["a"], "score": [0.9, 0.5, 0.9, 0.5, 0.5, 0.5, 0.5]}
    )
    truth = pl.DataFrame({"user": [1, 2, 2, 3, 4], "item": ["a", "a", "b", "a", "a"]})
    asked = ["hit(enough=reaches)@2", "hit(enough=discerns)@2", "hit(enough=exceeds)@1", "hit(enough=exceeds)@2"]
    assert lists(engine, asked, recs, truth) == [
        (1, 1.0, 1.0, 1.0, None),
        (2, 1.0, None, None, None),
        (3, None, None, None, None),
        (4, None, None, None, None),
    ]


def test_a_policy_is_a_choice_that_has_an_effect(ask: Asking) -> None:
    for metric, parts in {
        "hit(duplicates=twice)": ("duplicates of hit is one of 'once', 'each', 'first' and 'refused'", "'twice'"),
        "hit(undefined=zeros)": ("undefined of hit is one of 'null', 'zero' and 'one'", "Did you mean 'zero'"),
        "precision(relevance=any, rel=4)@5": ("rel=4 has no effect on", "belongs to", "'relevance=rated'"),
        "ndcg(rel=4, relevance=any)@5": ("rel=4 has no effect on", "belongs to", "'relevance=rated'"),
        "hit(min_relevant=5)": ("min_relevant=5 has no effect on hit", "'enough=reaches'"),
        "coverage(enough=relevant)": ("coverage has no parameter 'enough'",),
    }.items():
        with refusal(rm.MetricError, *parts):
            ask(metrics=metric)


# --- How lists' values are aggregated: means, medians, spreads, confidence intervals ----------------------------------


# Reciprocal ranks of three lists: 1, 1/2 and 1/4; of four: 1/5 too.
VALUES = [1.0, 1 / 2, 1 / 4]


def of_ranks(ranks: Sequence[int]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Lists of five whose relevant item stands at these ranks."""
    users = range(len(ranks))
    recs = pl.DataFrame(
        {
            "user": [u for u in users for _ in range(5)],
            "item": [*range(1, 6)] * len(ranks),
            "rank": [*range(1, 6)] * len(ranks),
        }
    )
    return recs, pl.DataFrame({"user": [*users], "item": [*ranks]})


def margin(values: Sequence[float], confidence: float) -> float:
    return NormalDist().inv_cdf((1 + confidence) / 2) * stdev(values) / sqrt(len(values))


MEAN = sum(VALUES) / 3
OF_THREE: Mapping[str, float | None] = {
    "mean": MEAN,
    "geometric_mean": 1 / 2,
    "total": 7 / 4,
    "median": 1 / 2,
    "median_low": 1 / 2,
    "std": stdev(VALUES),
    "minimum": 1 / 4,
    "maximum": 1.0,
    "n": 3,
    "hoeffding": sqrt(log(2 / 0.05) / (2 * 3)),
    "bernstein(0.1)": 1.0,  # the whole range; the bound is wider
    "ci": None,  # three lists are too few
    "normal_ci": margin(VALUES, 0.95),
    "normal_ci(0.9)": margin(VALUES, 0.9),
    "ci_low": None,
    "ci_high(0.999)": None,
    "standard_error": stdev(VALUES) / sqrt(3),
    "gini": (1 / 4 * -2 + 1 / 2 * 0 + 1 * 2) / (3 * 7 / 4),
    "atkinson": 1 - ((sqrt(1 / 4) + sqrt(1 / 2) + 1) / 3) ** 2 / MEAN,
    "atkinson(0.25)": 1 - ((0.25**0.75 + 0.5**0.75 + 1) / 3) ** (4 / 3) / MEAN,
    "gini standard_error": stdev([60 / 49, 58 / 49, 71 / 49]) / sqrt(3),
    "atkinson standard_error": (sum(map(sqrt, VALUES)) / 3) ** 2
    / MEAN
    * stdev(2 * sqrt(value) / (sum(map(sqrt, VALUES)) / 3) - value / MEAN for value in VALUES)
    / sqrt(3),
    "quantile": 1 / 4 + 0.2 * 1 / 4,
    "quantile(0.5) ci_low(0.2)": 1 / 4,  # the first and the last list
    "quantile(0.5) ci_high(0.2)": 1.0,
    "quantile(0.5) standard_error": None,  # three lists are too few for 0.95
    "quantile(0.5) ci(0.2)": 3 / 8,
    "quantile(0.75)": 3 / 4,
    "worst": 1 / 4,
    "worst(0.5)": (1 / 4 + 0.5 * 1 / 2) / 1.5,
    "worst(0.5) standard_error": stdev([1 / 4, 1 / 2, 1 / 2]) / (0.5 * sqrt(3)),
    "worst(0.5) ci_low": 1 / 3 - margin([1 / 4, 1 / 2, 1 / 2], 0.95) / 0.5,
}


def test_every_aggregate_is_here() -> None:
    found = {".".join(each.partition("(")[0] for each in name.split()) for name in OF_THREE}
    assert found >= {one.name for one in catalog().all("aggregate")}


@polars_and_later_duckdb
def test_an_aggregate_of_three_lists(engine: Engine) -> None:
    expected = {"rr" if aggregate == "mean" else f"rr {aggregate}": value for aggregate, value in OF_THREE.items()}
    assert means(engine, "rr", *of_ranks([4, 1, 2]), aggregates=[*OF_THREE]) == about(expected)


@polars_and_later_duckdb
def test_a_geometric_mean_takes_0_for_a_little_and_leaves_out_what_is_undefined(engine: Engine) -> None:
    found = means(engine, ["rr", "precision(divisor=list)@4"], *of_ranks([1, 6]), aggregates="geometric_mean")
    assert found == about({"rr geometric_mean": sqrt(1e-5), "precision(divisor=list)@4 geometric_mean": sqrt(1e-5 / 4)})
    found = means(engine, "precision(divisor=list)@4", aggregates=["geometric_mean", "total"])
    asked = "precision(divisor=list)@4"  # of users 1 and 2 it is 1 / 4 and 1 / 2, of user 3 undefined
    assert found == about({f"{asked} geometric_mean": sqrt(1 / 8), f"{asked} total": 3 / 4})


def test_several_aggregates_stand_in_the_order_asked_for_metric_by_metric(engine: Engine) -> None:
    asked = ["ci(0.9)", "mean", "n"]
    found = means(engine, ["rr", "hit@1"], *of_ranks([4, 1, 2]), aggregates=asked)
    assert [*found] == ["rr ci(0.9)", "rr", "rr n", "hit@1 ci(0.9)", "hit@1", "hit@1 n"]


@polars_and_later_duckdb
def test_one_list_has_no_spread(engine: Engine) -> None:
    asked = ["mean", "median", "median_low", "std", "minimum", "maximum", "n", "ci", "ci_low", "ci_high"]
    found = means(engine, "rr", *of_ranks([2]), aggregates=asked)
    assert [*found.values()] == [1 / 2, 1 / 2, 1 / 2, None, 1 / 2, 1 / 2, 1, None, None, None]


def test_no_list_where_the_metric_is_defined_has_no_aggregate_but_n(engine: Engine) -> None:
    truth = pl.DataFrame({"user": [1, 2], "item": ["a", "a"], "rating": [0.0, 0.0]})
    asked = ["mean", "median", "median_low", "std", "minimum", "maximum", "ci", "n"]
    assert [*means(engine, "rr", RECS, truth, aggregates=asked).values()] == [None] * 7 + [0]


def test_of_two_middle_values_the_median_is_their_mean_and_the_low_one_the_lower(engine: Engine) -> None:
    found = means(engine, "rr", *of_ranks([1, 4, 2, 5]), aggregates=["median", "median_low"])
    assert found == about({"rr median": (1 / 2 + 1 / 4) / 2, "rr median_low": 1 / 4})


def of_share(values: Sequence[float], share: float) -> tuple[float, float]:
    """The quantile of values and the mean of the lowest share of them, list by list."""
    lowest, place = sorted(values), share * (len(values) - 1)
    quantile = lowest[int(place)] + (place % 1) * (lowest[min(int(place) + 1, len(values) - 1)] - lowest[int(place)])
    left, total = share * len(values), 0.0
    for value in lowest:
        total += min(left, 1) * value
        left -= min(left, 1)
    return quantile, total / (share * len(values))


@polars_and_later_duckdb
def test_worst_share_of_lists_is_of_each_system_and_leaves_out_undefined_values(engine: Engine) -> None:
    draw = random.Random(8)
    ranks = {name: [draw.choice([1, 1, 2, 3, 5, 7]) for _ in range(7)] for name in "AB"}
    truth = pl.DataFrame({"user": range(9), "item": [0] * 9, "rating": [1.0] * 7 + [0.0] * 2})
    recs = pl.DataFrame(
        [
            (name, user, 0 if rank == place else rank, rank)
            for name, places in ranks.items()
            for user, place in enumerate(places)
            for rank in range(1, 6)
        ],
        schema=["algorithm", "user", "item", "rank"],
        orient="row",
    )
    asked = [f"{name}({share})" for name in ("quantile", "worst") for share in (0.1, 0.3, 0.95)]
    rows = engine.read(result(engine, "rr", recs, truth, aggregates=asked).summary()).rows(named=True)
    for row in rows:
        values = [1 / rank if rank <= 5 else 0.0 for rank in ranks[row["algorithm"]]]
        for share in (0.1, 0.3, 0.95):
            found = [row[f"rr {name}({share})"] for name in ("quantile", "worst")]
            assert found == pytest.approx(of_share(values, share), rel=1e-12), (row["algorithm"], share)


def test_where_lower_is_better_the_highest_values_are_the_worst(engine: Engine) -> None:
    history = pl.DataFrame({"user": [0, 0, 1, 2], "item": [1, 3, 2, 3]})
    items = pl.DataFrame({"item": [1, 2, 3, 4, 5], "category": ["s", "s", "t", "t", "t"]})
    inputs = {"history": history, "items": items}
    found = lists(engine, "miscalibration", *of_ranks([1, 2, 3]), **inputs)
    row = means(
        engine, "miscalibration", *of_ranks([1, 2, 3]), aggregates=["worst(0.3)", "maximum", "quantile"], **inputs
    )
    highest = pytest.approx(max(one[1] for one in found), rel=1e-12)
    assert row["miscalibration worst(0.3)"] == highest
    assert row["miscalibration quantile"] < row["miscalibration maximum"]


def test_aggregates_leave_the_numbers_of_a_system_as_they_are(engine: Engine) -> None:
    found = means(engine, ["coverage@1", "hit@4"], aggregates=["median", "n"], catalog=EXTRAS["catalog"])
    assert found == about({"coverage@1": 1 / 6, "hit@4 median": 1.0, "hit@4 n": 3})


REFUSED: list[tuple[Any, Sequence[str]]] = [
    ("medain", ("no aggregate 'medain'", "'median', 'median_low'", "Did you mean 'median'")),
    ("Mean", ("no aggregate 'Mean'", "Did you mean 'mean'")),
    *(
        (f"ci({text})", (f"'ci({text})' cannot be", "between 0 and 1"))
        for text in ("2", "95", "0", "1", "-0.5", "0.9.5", "0.9999999999999999")  # the last is 1 but for rounding
    ),
    *((f"worst({text})", (f"'worst({text})' cannot be", "the share must lie between 0 and 1")) for text in "01"),
    ("quantile(1.5)", ("'quantile(1.5)' cannot be", "the share must lie between 0 and 1")),
    ("mean(0.5)", ("'mean(0.5)' cannot be", "mean takes no number")),
    *((text, (f"no aggregate {text!r}",)) for text in ("ci()", "ci(0.9", "ci(high)", "")),
    ([], ("No aggregate was asked for", '"ci(0.95)"')),
    ([None], ("no aggregate None",)),
    (10, ("10",)),
]


def test_what_is_no_aggregate_is_refused(ask: Asking) -> None:
    for aggregate, parts in REFUSED:
        with refusal(rm.MetricError, *parts):
            ask(aggregates=aggregate).summary()


def test_two_confidences_are_two_columns(engine: Engine) -> None:
    asked = ["ci(0.9999999)", "ci(0.99999999)"]
    assert [*means(engine, "rr", *of_ranks([1, 2]), aggregates=asked)] == [f"rr {one}" for one in asked]
