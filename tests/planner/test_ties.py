"""ties=expected, best and worst: the mean, the highest and the lowest value over all orders of equal scores."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import groupby, permutations, product
from statistics import fmean
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankmetrics as rm
from rankmetrics.metrics.catalog import catalog
from rankmetrics.planner.ties import WITH_BOUNDS, WITH_EXPECTED
from tests.support import matrix, twin
from tests.support.by_hand import about, assert_values, per_list, rated, scored
from tests.support.drawing import examples
from tests.support.engines import LOCAL, Engine
from tests.support.refusals import refusal
from tests.support.twin_inputs import Asked, Inputs, Judged, MetricValue, Row, by_score, in_order

# What is made of the values of a metric under all orders.
OVER_ORDERS: Mapping[str, Callable[[Sequence[float]], float]] = {"expected": fmean, "best": max, "worst": min}

# Metrics that the twin measures under every order.
ASKED = [
    *(f"{name}{k}" for name in "hit precision recall ap rr r_precision n_hits".split() for k in ("", "@1", "@2", "@5")),
    *("auc", "precision(divisor=list)@4", "ap(divisor=hits)", "ap(rel=2)@3", "rbp(p=0.5)@3", "dcg(gain=linear)@3"),
    *("ndcg(gain=exponential)@2", "ndcg(discount=lenskit)", "ndcg(gain=linear, rel=2)@4"),
]
BOUNDED = [*ASKED, "err(stop=graded, max_rating=3)@3", "f_beta@2"]


def orders(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """The rows of ONE list in every order of its equal scores."""
    tied = [list(rows_of_score) for _, rows_of_score in groupby(in_order(rows), by_score)]
    for arranged in product(*map(permutations, tied)):
        yield [row for rows_of_score in arranged for row in rows_of_score]


def over_orders(ties: str, labels: Sequence[str], rows: Sequence[Row], judged: Judged) -> dict[str, MetricValue]:
    """The mean, the highest or the lowest value over all orders; None if the metric is undefined."""
    truth = [{"item": item, "rating": rating} for item, rating in judged.items()]
    problems = [
        Inputs(
            [{"item": row["item"], "rank": rank} for rank, row in enumerate(order, 1)], truth, {"recs": (), "truth": ()}
        )
        for order in orders(rows)
    ]
    found: dict[str, MetricValue] = {}
    for label, metric in zip(labels, map(rm.parse, labels), strict=True):
        values = [twin.value_of(one, (), Asked(metric.name, metric.k, metric.settings)) for one in problems]
        assert None not in values or {*values} == {None}
        found[label] = None if None in values else OVER_ORDERS[ties](values)  # type: ignore[arg-type]
    return found


# A user's list as scores of a, b, c …, and the ratings of these items; an item without a rating is not in the truth.
ITEMS = "abcdef"
SCORES = st.lists(st.sampled_from([2.0, 1.0, 0.0, -0.0, None, math.nan]), min_size=1, max_size=6)
RATINGS = st.lists(st.sampled_from([None, 0.0, 1.0, 2.0, 3.0]), min_size=7, max_size=7)


# The engine of the examples; generated problems are run on all that are here.
ENGINE = LOCAL[0]


@pytest.mark.parametrize("ties", OVER_ORDERS)
@given(st.lists(st.tuples(SCORES, RATINGS), min_size=1, max_size=4), st.sampled_from(LOCAL))
@examples(20)
def test_all_orders_of_equal_scores_are_taken_into_account(
    ties: str, drawn: list[tuple[Any, Any]], engine: Engine
) -> None:
    """One item more than those of the lists, g, is relevant and never recommended."""
    labels = ASKED if ties == "expected" else BOUNDED
    lists = {
        user: [{"item": item, "score": score} for item, score in zip(ITEMS, scores, strict=False)]
        for user, (scores, _) in enumerate(drawn)
    }
    ratings: dict[int, dict[Hashable, float]] = {
        user: {item: rating for item, rating in zip(f"{ITEMS}g", of, strict=True) if rating is not None}
        for user, (_, of) in enumerate(drawn)
    }
    recs = pl.DataFrame(
        [(user, row["item"], row["score"]) for user, rows in lists.items() for row in rows],
        schema={"user": pl.Int64, "item": pl.String, "score": pl.Float64},
        orient="row",
    )
    truth = pl.concat([rated({"g": 0}, user=-1), *(rated(of, user) for user, of in ratings.items() if of)])
    for user, *values in per_list(engine, recs, truth.cast({"user": pl.Int64}), labels, ties=ties).rows():
        if user >= 0:
            expected = over_orders(ties, labels, lists[user], ratings[user])
            assert dict(zip(labels, values, strict=True)) == {label: about(value) for label, value in expected.items()}


# Metrics that the twin of ranking metrics has not, under every order of the list as our own metric has it.
LIST = {"a": 5, "b": 3, "c": 3, "d": 3, "e": 3, "f": 1, "g": 1}
RELEVANT = {"c": 1, "d": 3, "f": 2, "x": 1}
ONLY_BOUNDED = ["partial_auc@2", "f_beta@3", "err@4", "binary_g@3", "set_ap@3"]
LOWER_IS_BETTER = ["fall_out@3"]  # the best order of the hits has the lowest value
OTHERS = [
    *("mean_recall@3", "weighted_precision@4", "accuracy@3", "mcc@4", "gauc", "gauc@4", "mean_recall", "n_hits@6"),
    "utility@3",
]


@pytest.mark.parametrize("ties", OVER_ORDERS)
def test_metrics_of_hits_are_those_of_all_orders_written_out(ties: str) -> None:
    rows: list[Row] = [{"item": item, "score": float(score)} for item, score in LIST.items()]
    written = [
        {"order": order, "user": 1, "item": row["item"], "rank": rank}
        for order, arranged in enumerate(orders(rows))
        for rank, row in enumerate(arranged, start=1)
    ]
    more: dict[str, Any] = {
        "catalog": ENGINE.give(pl.DataFrame({"item": [*LIST, "x", "y"]})),
        "history": ENGINE.give(pl.DataFrame({"user": [1], "item": ["y"]})),
    }
    asked = [*OTHERS, *(ONLY_BOUNDED if ties != "expected" else LOWER_IS_BETTER)]
    of_orders = per_list(ENGINE, pl.DataFrame(written), rated(RELEVANT), asked, **more)
    assert len(of_orders) == 2 * 24
    expected = {one: OVER_ORDERS[ties](of_orders[one].to_list()) for one in asked}
    assert_values(ENGINE, expected, scored(LIST), rated(RELEVANT), ties=ties, **more)


def test_a_list_by_hand() -> None:
    """b, c and d share the ranks 2 to 4, and c is relevant: it stands at each of them in a third of the orders."""
    recs, truth = scored({"a": 3, "b": 2, "c": 2, "d": 2}), rated({"c": 1})
    mean = {"hit@2": 1 / 3, "hit@3": 2 / 3, "rr": (1 / 2 + 1 / 3 + 1 / 4) / 3, "precision@3": 2 / 3 / 3, "auc": 1 / 3}
    best = {"hit(ties=best)@2": 1, "rr(ties=best)": 1 / 2, "auc(ties=best)": 2 / 3}
    worst = {"hit(ties=worst)@3": 0, "rr(ties=worst)": 1 / 4, "auc(ties=worst)": 0}
    assert_values(ENGINE, {**mean, **best, **worst, "rr(ties=item)": 1 / 3}, recs, truth, ties="expected")


def test_a_hit_below_the_cutoff_may_stand_above_it() -> None:
    """z is last in the order of items, and first in the best order."""
    ties = {"item": 0, "best": 1, "worst": 0, "expected": 1 / 3}
    values = {f"{name}(ties={order})@1": value for order, value in ties.items() for name in ("hit", "ndcg", "ap")}
    assert_values(ENGINE, values, scored({"a": 1, "b": 1, "z": 1}), rated({"z": 1}))


def test_long_runs_of_equal_scores_are_exact() -> None:
    """One of 3,000 equal scores is in the first ten in a fraction of the orders; of two, at least one is."""
    recs = scored({f"i{number:04}": 1 for number in range(3000)})
    assert_values(ENGINE, {"hit@10": 10 / 3000}, recs, rated({"i2999": 1}), ties="expected")
    both = 1 - (2990 * 2989) / (3000 * 2999)
    assert_values(ENGINE, {"hit@10": both}, recs, rated({"i2999": 1, "i0007": 1}), ties="expected")


def test_a_repeated_item_is_a_hit_once_with_the_mean_of_its_score() -> None:
    """b stands twice: its other row is a row as that of any other item, also among the same scores."""
    recs = pl.DataFrame({"user": [1] * 4, "item": ["a", "b", "b", "c"], "score": [2.0, 2.0, 1.0, 1.0]})
    assert_values(ENGINE, {"rr": (1 + 1 / 2) / 2, "n_hits": 1}, recs, rated({"b": 1}), ties="expected")
    first = {"rr(duplicates=first)": (1 / 3 + 1 / 2) / 2} | {"precision(duplicates=first)@3": 1 / 3}
    again = pl.DataFrame({"user": [1] * 4, "item": ["a", "a", "b", "c"], "score": [3.0, 2.0, 1.0, 1.0]})
    assert_values(ENGINE, first, again, rated({"b": 1}), ties="expected")
    each = {"n_hits(duplicates=each)": 2, "precision(duplicates=each)@3": (1 + 1 / 2) / 3}
    assert_values(ENGINE, each, recs, rated({"b": 1}), ties="expected")


def test_given_ranks_stand() -> None:
    recs = scored({"a": 1, "b": 1}).with_columns(rank=pl.Series([1, 2]))
    values = {
        label: value
        for ties in OVER_ORDERS
        for label, value in ((f"rr(ties={ties})", 1 / 2), (f"hit(ties={ties})@1", 0))
    }
    assert_values(ENGINE, values, recs, rated({"b": 1}))


def test_a_missing_list_scores_0_and_a_list_without_relevant_items_is_undefined() -> None:
    recs = pl.concat([scored({"a": 1, "b": 1}, user=1), scored({"a": 1}, user=3)])
    truth = pl.concat([rated({"a": 1}, user=1), rated({"a": 1}, user=2), rated({"a": 0}, user=3)])
    for missing, rows in {"zero": [(1, 0.5), (2, 0.0), (3, None)], "skip": [(1, 0.5), (3, None)]}.items():
        assert per_list(ENGINE, recs, truth, ["hit@1"], ties="expected", missing=missing).rows() == rows


def test_the_mean_over_orders_of_dcg_is_what_tied_averaged_is() -> None:
    recs, truth = scored(LIST), rated(RELEVANT)
    (row,) = per_list(ENGINE, recs, truth, ["ndcg(tied=averaged)@3", "ndcg(ties=expected)@3"]).rows()
    assert row[1] == row[2]


# --- refusals ---------------------------------------------------------------------------------------------------------


def test_a_metric_without_a_mean_in_closed_form_or_a_bound_is_refused() -> None:
    for asked in ("f_beta@3", "auc@3", "ap(divisor=hits)@3", "err", "bpref", "coverage@2", "rbo@2"):
        words = (f"{asked} has no mean over all orders of equal scores", 'ties="expected"', "ndcg")
        with refusal(rm.MetricError, *words, case=asked):
            _evaluate(asked, "expected")
    for asked in ("auc@3", "ap(divisor=hits)@3", "bpref", "gini@2", "epc@2", "serendipity@2"):
        with refusal(rm.MetricError, f"{asked} has no such bound", 'ties="best"', "(ties=item)", case=asked):
            _evaluate(asked, "best")


@pytest.mark.parametrize(("ties", "named"), [("expected", WITH_EXPECTED), ("worst", WITH_BOUNDS)])
def test_the_metrics_that_a_refusal_names_are_those_that_are_measured(ties: str, named: tuple[str, ...]) -> None:
    """And metrics that read no order, such as the number of relevant items."""
    measured = set()
    for one in catalog().metrics():
        if one.kind == "metric":
            for k in (3, None):
                try:
                    _evaluate(str(rm.Metric(one.name, {}, k)), ties)
                except rm.MetricError:
                    continue
                measured.add(one.name)
                break
    assert measured >= {*named}
    whole = {"f_beta", "fill_rate", "n_recommended", "set_ap"}  # whole lists have the same hits in every order
    assert {one for one in measured - {*named} if "ties" in catalog().parameters(one)} <= whole


def _evaluate(asked: str, ties: Any) -> rm.Result:
    frames: dict[str, Any] = {name: frame.lazy() for name, frame in matrix.world().items()}
    return rm.evaluate(frames.pop("recs"), frames.pop("truth"), asked, ties=ties, **frames)
