"""How lists' values are aggregated: means, medians, spreads, confidence intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import NormalDist, stdev
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.metrics.catalog import catalog
from tests.support.commands import table
from tests.support.conventions import EXTRAS, RECS, about, means, result
from tests.support.engines import Engine, each_engine
from tests.support.refusals import Asking, refusal

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
OF_THREE: Mapping[str, float] = {
    "mean": MEAN,
    "geometric_mean": 1 / 2,
    "total": 7 / 4,
    "median": 1 / 2,
    "median_low": 1 / 2,
    "std": stdev(VALUES),
    "minimum": 1 / 4,
    "maximum": 1.0,
    "n": 3,
    "ci": margin(VALUES, 0.95),
    "ci(0.9)": margin(VALUES, 0.9),
    "ci_low": MEAN - margin(VALUES, 0.95),
    "ci_low(0.5)": MEAN - margin(VALUES, 0.5),
    "ci_high": MEAN + margin(VALUES, 0.95),
    "ci_high(0.999)": MEAN + margin(VALUES, 0.999),
}


def test_every_aggregate_is_here() -> None:
    assert {one.partition("(")[0] for one in OF_THREE} == {one.name for one in catalog().all("aggregate")}


@each_engine
def test_an_aggregate_of_three_lists(engine: Engine) -> None:
    expected = {"rr" if aggregate == "mean" else f"rr {aggregate}": value for aggregate, value in OF_THREE.items()}
    assert means(engine, "rr", *of_ranks([4, 1, 2]), aggregates=[*OF_THREE]) == about(expected)


@each_engine
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


@each_engine
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


def test_aggregates_leave_out_lists_where_the_metric_is_undefined(engine: Engine) -> None:
    asked = ["mean", "median", "std", "n", "minimum", "ci"]
    found = means(engine, "precision(divisor=list)@4", aggregates=asked)
    spread = [1 / 4, 1 / 2]
    assert [*found.values()] == [
        pytest.approx(one) for one in (3 / 8, 3 / 8, stdev(spread), 2, 1 / 4, margin(spread, 0.95))
    ]


def test_an_aggregate_asked_for_twice_is_one_column(engine: Engine) -> None:
    asked = ["ci(0.9)", "ci(0.90)", " ci( 0.9 ) ", "mean", "mean", "ci(9e-1)"]
    assert [*means(engine, "rr", *of_ranks([1, 2]), aggregates=asked)] == ["rr ci(0.9)", "rr"]


def test_aggregates_are_those_of_each_system(engine: Engine) -> None:
    recs, truth = of_ranks([1, 2, 4])
    first = recs.filter(pl.col("rank") == 1).with_columns(algorithm=pl.lit("B"))
    both = pl.concat([recs.with_columns(algorithm=pl.lit("A")), first])
    rows = engine.read(result(engine, "rr", both, truth, aggregates=["median", "n"]).summary()).rows()
    assert rows == [("A", 3, 1 / 2, 3), ("B", 3, 0.0, 3)]


def test_aggregates_leave_the_numbers_of_a_system_as_they_are(engine: Engine) -> None:
    found = means(engine, ["coverage@1", "hit@4"], aggregates=["median", "n"], catalog=EXTRAS["catalog"])
    assert found == about({"coverage@1": 1 / 6, "hit@4 median": 1.0, "hit@4 n": 3})


def test_a_leaderboard_of_medians_is_printed_best_first(engine: Engine) -> None:
    (first, truth), (second, _) = of_ranks([4, 4, 1]), of_ranks([4, 4, 1])
    second = second.with_columns(rank=6 - pl.col("rank"))  # at 2, 2 and 5
    recs = pl.concat([first.with_columns(algorithm=pl.lit("A")), second.with_columns(algorithm=pl.lit("B"))])
    rows = table(repr(result(engine, "rr", recs, truth, aggregates="median")))
    assert [(row["algorithm"], row["rr median"]) for row in rows] == [("B", "0.5000"), ("A", "0.2500")]


REFUSED: list[tuple[Any, Sequence[str]]] = [
    ("medain", ("no aggregate 'medain'", "'median', 'median_low'", "Did you mean 'median'")),
    ("Mean", ("no aggregate 'Mean'", "Did you mean 'mean'")),
    *(
        (f"ci({text})", (f"'ci({text})' cannot be", "between 0 and 1"))
        for text in ("2", "95", "0", "1", "-0.5", "0.9.5", "0.9999999999999999")  # the last is 1 but for rounding
    ),
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
