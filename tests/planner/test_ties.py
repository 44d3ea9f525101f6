"""ties=expected, best and worst: the mean, the highest and the lowest value over all orders of equal scores."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
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
from tests.support import flat, matrix, twin
from tests.support.by_hand import about, assert_values, per_list, rated, scored
from tests.support.drawing import examples
from tests.support.engines import LOCAL, Engine, every_engine, need
from tests.support.refusals import refusal
from tests.support.twin_inputs import Asked, Inputs, MetricValue, Row, by_score, in_order

# What is made of the values of a metric under all orders.
OVER_ORDERS: Mapping[str, Callable[[Sequence[float]], float]] = {"expected": fmean, "best": max, "worst": min}

# Metrics that the twin measures under every order.
ASKED = [
    "f_beta@2",
    *(f"{name}{k}" for name in "hit precision recall ap rr r_precision n_hits".split() for k in ("", "@1", "@2", "@5")),
    *("auc", "precision(divisor=list)@4", "ap(divisor=hits)", "ap(rel=2)@3", "rbp(p=0.5)@3", "dcg(gain=linear)@3"),
    *("ndcg(gain=exponential)@2", "ndcg(discount=lenskit)", "ndcg(gain=linear, rel=2)@4"),
]
BOUNDED = [*ASKED, "err(stop=graded, max_rating=3)@3"]


def orders(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """The rows of ONE list in every order of its equal scores."""
    tied = [list(rows_of_score) for _, rows_of_score in groupby(in_order(rows), by_score)]
    for arranged in product(*map(permutations, tied)):
        yield [row for rows_of_score in arranged for row in rows_of_score]


def over_orders(
    ties: str, labels: Sequence[str], rows: Sequence[Row], judged: Mapping[Any, float]
) -> dict[str, MetricValue]:
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


# A user's list as items with scores, and the ratings of a to f and of g; an item without a rating is not in the truth.
ITEMS = "abcdef"
SCORES = st.sampled_from([2.0, 1.0, 0.0, -0.0, None, math.nan])
UNREPEATED = st.lists(SCORES, min_size=1, max_size=6).map(lambda scores: [*zip(ITEMS, scores, strict=False)])
REPEATED = st.lists(st.tuples(st.sampled_from("abcd"), SCORES), min_size=1, max_size=6)
RATINGS = st.lists(st.sampled_from([None, 0.0, 1.0, 2.0, 3.0]), min_size=7, max_size=7)

# Metrics of ratings, whose worst value is a bound that no order may reach where relevant items are repeated.
GRADED = {"dcg(gain=linear)@3", "ndcg(gain=exponential)@2", "ndcg(gain=linear, rel=2)@4"}
GRADED |= {"err(stop=graded, max_rating=3)@3"}


# The engine of the examples; generated problems are run on all that are here.
ENGINE = LOCAL[0]


@pytest.mark.parametrize("ties", OVER_ORDERS)
@given(st.lists(st.tuples(UNREPEATED | REPEATED, RATINGS), min_size=1, max_size=4), st.sampled_from(LOCAL))
@examples(20)
def test_all_orders_of_equal_scores_are_taken_into_account(
    ties: str, drawn: list[tuple[Any, Any]], engine: Engine
) -> None:
    """One item more than those of the lists, g, is relevant and never recommended."""
    labels = ASKED if ties == "expected" else BOUNDED
    lists = {user: [{"item": item, "score": score} for item, score in rows] for user, (rows, _) in enumerate(drawn)}
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
            found = dict(zip(labels, values, strict=True))
            expected = over_orders(ties, labels, lists[user], ratings[user])
            if ties == "worst" and len({row["item"] for row in lists[user]}) < len(lists[user]):
                for label in GRADED:
                    lowest = expected.pop(label)
                    value = found.pop(label)
                    assert value == lowest or (lowest is not None and value <= lowest + 1e-12), label
            assert found == {label: about(value) for label, value in expected.items()}


# A list with repeated items among equal scores. c and d are relevant, and so is f, which is rated higher.
REPEATS = pl.DataFrame({"user": [1] * 8, "item": [*"abccdffc"], "score": [5.0, 3, 3, 3, 3, 2, 2, 2]})
RATINGS_OF_REPEATS = {"c": 1.0, "d": 2.0, "f": 3.0, "x": 1.0}

# Metrics that read each of the stages: of chances, hit numbers, gains, first hits.
ASKED_OF_REPEATS = ("rr", "hit@2", "ap", "ndcg(gain=linear)@4", "auc", "rbp(p=0.5)", "r_precision")


@cache
def of_repeats(ties: str) -> dict[str, MetricValue]:
    """The values of the list, computed once for all engines."""
    return over_orders(ties, ASKED_OF_REPEATS, REPEATS.to_dicts(), RATINGS_OF_REPEATS)


@every_engine
def test_repeated_items_on_every_engine(engine: Engine) -> None:
    need(engine)
    truth = rated(RATINGS_OF_REPEATS)
    for ties in OVER_ORDERS:
        assert_values(engine, of_repeats(ties), REPEATS, truth, ties=ties, **engine.options)


# Metrics that the twin of ranking metrics has not, under every order of the list as our own metric has it.
LIST = {"a": 5, "b": 3, "c": 3, "d": 3, "e": 3, "f": 1, "g": 1}
RELEVANT = {"c": 1, "d": 3, "f": 2, "x": 1}
ONLY_BOUNDED = ["all_relevant@5", "partial_auc@2", "err@4", "binary_g@3", "set_ap@3"]
FEWER_ARE_BETTER = ["clicks(page_size=2)@4"]
LOWER_IS_BETTER = ["fall_out@3"]  # the best order of the hits has the lowest value
OTHERS = [
    *("mean_recall@3", "weighted_precision@4", "accuracy@3", "mcc@4", "gauc", "gauc@4", "mean_recall", "n_hits@6"),
    *("weighted_recall@4", "utility@3", "f_beta@3", "f_beta(beta=2)@2", "f_beta(beta=0.5, weighting=plain)@4"),
]


@pytest.mark.parametrize("ties", OVER_ORDERS)
def test_metrics_of_hits_are_those_of_all_orders_written_out(ties: str) -> None:
    recs = pl.concat([scored(LIST), pl.DataFrame({"user": [2] * 6, "item": [*"dcadce"], "score": [3, 3, 3, 3, 1, 1]})])
    written = [
        {"order": order, "user": user, "item": row["item"], "rank": rank}
        for user in (1, 2)
        for order, arranged in enumerate(orders(recs.filter(user=user).to_dicts()))
        for rank, row in enumerate(arranged, start=1)
    ]
    more: dict[str, Any] = {
        "catalog": ENGINE.give(pl.DataFrame({"item": [*LIST, "x", "y"]})),
        "history": ENGINE.give(pl.DataFrame({"user": [1, 2], "item": ["y", "y"]})),
    }
    truth = pl.concat([rated(RELEVANT), rated(RELEVANT, user=2)])
    asked = [*OTHERS, *((*ONLY_BOUNDED, *FEWER_ARE_BETTER) if ties != "expected" else LOWER_IS_BETTER)]
    bounds = dict.fromkeys(asked, OVER_ORDERS[ties])
    bounds |= dict.fromkeys(FEWER_ARE_BETTER, max if ties == "worst" else min)
    of_orders = per_list(ENGINE, pl.DataFrame(written), truth, asked, **more)
    assert len(of_orders) == 2 * 24 + 2 * 24
    for user, *values in per_list(ENGINE, recs, truth, asked, ties=ties, **more).rows():
        expected = {label: bounds[label](of_orders.filter(user=user)[label].to_list()) for label in asked}
        assert dict(zip(asked, values, strict=True)) == {label: about(value) for label, value in expected.items()}


@pytest.mark.parametrize("ties", OVER_ORDERS)
@every_engine
def test_numbers_of_a_system_are_those_of_all_orders_of_all_its_lists(engine: Engine, ties: str) -> None:
    """Each pair of an order of one list and an order of the other is written out as a system."""
    need(engine)
    recs = pl.DataFrame({"user": [1] * 4 + [2] * 5, "item": [*"abcdabcab"], "score": [2.0, 1, 1, 1, 3, 2, 2, 2, 1]})
    orders_of = [list(orders(recs.filter(user=user).to_dicts())) for user in (1, 2)]
    written = [
        {"order": order, "user": row["user"], "item": row["item"], "rank": rank}
        for order, pair in enumerate(product(*orders_of))
        for arranged in pair
        for rank, row in enumerate(arranged, start=1)
    ]
    truth = pl.concat([rated({"c": 1, "d": 2, "x": 1}), rated({"a": 3, "b": 1, "y": 2}, user=2)])
    more: dict[str, Any] = {"catalog": engine.give(pl.DataFrame({"item": [*"abcdxyz"]})), **engine.options}
    asked = [
        *("pooled_precision@2", "pooled_precision(divisor=list)@3", "pooled_precision(divisor=relevant)@2"),
        *("share_of_best@2", "share_of_best(of=dcg, gain=linear)@2", "share_of_best(of=ndcg)@3"),
        "share_of_best(of=recall)@3",
        *(["percentile_rank@2", "percentile_rank@3"] if ties == "expected" else []),
    ]
    given = engine.give(truth)
    of_orders = engine.read(flat.evaluate(engine.give(pl.DataFrame(written)), given, asked, **more).summary())
    (values,) = engine.read(flat.evaluate(engine.give(recs), given, asked, ties=ties, **more).summary()).to_dicts()
    assert len(of_orders) == 36
    expected = {label: about(OVER_ORDERS[ties](of_orders[label].to_list())) for label in asked}
    assert {label: values[label] for label in asked} == expected


def test_long_runs_of_equal_scores_are_exact() -> None:
    """One of 3,000 equal scores is in the first ten in a fraction of the orders; of two, at least one is."""
    recs = scored({f"i{number:04}": 1 for number in range(3000)})
    assert_values(ENGINE, {"hit@10": 10 / 3000}, recs, rated({"i2999": 1}), ties="expected")
    both = 1 - (2990 * 2989) / (3000 * 2999)
    assert_values(ENGINE, {"hit@10": both}, recs, rated({"i2999": 1, "i0007": 1}), ties="expected")


def test_the_worst_value_of_gains_is_a_bound_where_rows_and_ratings_disagree() -> None:
    """The hits may be at ranks 2 and 4, or at 2 and 3; only b, which is rated lower, may be the one at rank 4."""
    recs, ratings = pl.DataFrame({"user": [1] * 4, "item": [*"aabz"], "score": [1.0] * 4}), {"a": 3.0, "b": 1.0}
    at_2, at_3, at_4 = (math.log(2) / math.log(rank + 1) for rank in (2, 3, 4))
    lowest = over_orders("worst", ["dcg(gain=linear)"], recs.to_dicts(), ratings)
    assert lowest == {"dcg(gain=linear)": pytest.approx(at_2 + 3 * at_3)}
    assert_values(ENGINE, {"dcg(gain=linear)": at_2 + 3 * at_4, "dcg": at_2 + at_4}, recs, rated(ratings), ties="worst")


def test_long_runs_of_repeated_items_are_exact() -> None:
    """Of 2,000 equal scores, one item has 900: its first row is at place j with chance C(n-j-1, c-1) / C(n, c)."""
    n, c = 2000, 900
    rows = ["r"] * c + [f"i{number}" for number in range(n - c)]
    recs = pl.DataFrame({"user": [1] * n, "item": rows, "score": [1.0] * n})
    chances = [Fraction(math.comb(n - place - 1, c - 1), math.comb(n, c)) for place in range(n - c + 1)]
    values: dict[str, Any] = {
        "hit@7": sum(chances[:7]),
        "rr": sum(chance / rank for rank, chance in enumerate(chances, start=1)),
    }
    for engine in LOCAL:
        assert_values(engine, {**values, "ap": values["rr"]}, recs, rated({"r": 1}), ties="expected")


def test_queries_look_for_repeats_only_where_they_matter() -> None:
    for settings, assume in (("duplicates=each", []), ("duplicates=first", []), ("rel=2", "unique"), ("rel=2", [])):
        for ties in ("expected", "worst"):
            asked = [f"{metric}({settings}, ties={ties})@3" for metric in ("ap", "rr", "ndcg")]
            columns: dict[str, Any] = {
                "columns": rm.Columns(score="score"),
                "truth_columns": rm.Columns(rating="rating"),
            }
            text = flat.to_sql("recs", "truth", asked, lists=["user"], dialect="duckdb", assume=assume, **columns)
            is_free = "with_repeats" not in text and "worst_rank" not in text
            assert is_free == (settings != "rel=2" or bool(assume)), (settings, assume, ties)


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
    for asked in (
        "set_ap@3",
        "f_beta(metric_0=rr)@3",
        "auc@3",
        "ap(divisor=hits)@3",
        "err",
        "bpref",
        "coverage@2",
        "rbo@2",
        "f_beta_of_means@2",
    ):
        words = (f'ties="expected" does not work for {asked}', "no exact formula for its mean", "ndcg")
        with refusal(rm.MetricError, *words, case=asked):
            _evaluate(asked, "expected")
    for asked in ("auc@3", "ap(divisor=hits)@3", "bpref", "gini@2", "epc@2", "serendipity@2", "percentile_rank@2"):
        refused = f'ties="best" does not work for {asked}: rankmetrics knows no such bound'
        with refusal(rm.MetricError, refused, "(ties=item)", case=asked):
            _evaluate(asked, "best")


@pytest.mark.parametrize(("ties", "named"), [("expected", WITH_EXPECTED), ("worst", WITH_BOUNDS)])
def test_the_metrics_that_a_refusal_names_are_those_that_are_measured(ties: str, named: tuple[str, ...]) -> None:
    """And metrics that read no order, such as the number of relevant items."""
    measured = set()
    for one in catalog().metrics():
        for k in (3, None):
            try:
                _evaluate(str(rm.Metric(one.name, {}, k)), ties)
            except rm.MetricError:
                continue
            measured.add(one.name)
            break
    assert measured >= {*named}
    # the same number of items, or of hits in whole lists, in every order
    whole = {"all_relevant", "fill_rate", "n_recommended", "set_ap", "user_coverage", "f_beta_of_means"}
    unnamed = {one for one in measured - {*named} if "ties" in catalog().parameters(one)} - whole
    assert not unnamed, (
        f"{unnamed}: ties={ties} is measured. Name them in planner/ties.py and test them here, or refuse."
    )


@pytest.mark.parametrize("aggregate", ["MAX(rank)", "SUM(rank)", "COUNT(CASE WHEN rank > 1 THEN 1 END)"])
def test_a_number_of_the_users_over_hits_has_no_bounds(aggregate: str) -> None:
    """The deepest hit down to rank 2 is at 2 if two hits are first, at 1 or nowhere otherwise: no order bounds it."""
    rm.define(f"SELECT {aggregate} AS own_depth FROM hits WHERE rank <= $k")
    for ties in ("best", "worst"):
        with refusal(rm.MetricError, "does not work for own_depth@2: rankmetrics knows no such bound", case=ties):
            _evaluate("own_depth@2", ties)
    rm.define("SELECT ranks_of_hits / 10.0 AS own_ranks FROM metrics")
    with refusal(rm.MetricError, "does not work for own_ranks@2: rankmetrics knows no such bound"):
        _evaluate("own_ranks@2", "worst")
    rm.define("SELECT 1 - recall AS own_loss FROM metrics")
    assert _evaluate("own_loss@2", "worst").collect().height


@pytest.mark.parametrize("ties", OVER_ORDERS)
def test_unknown_pairs_are_counted_in_one_order_where_metrics_cover_all(ties: str) -> None:
    """With similarities, every collect() counts the pairs among the first items."""
    result = _evaluate("recall@2", ties)
    assert result.collect().drop("n_missing").sort("algorithm").equals(result.summary().collect().sort("algorithm"))


def _evaluate(asked: str, ties: Any) -> rm.Result:
    frames: dict[str, Any] = {name: frame.lazy() for name, frame in matrix.world().items()}
    return flat.evaluate(frames.pop("recs"), frames.pop("truth"), asked, ties=ties, **frames)
