"""Metrics that read a history, a baseline, items, similarities or a catalogue; numbers of systems; folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log, log2, sqrt
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.errors import ColumnError
from rankmetrics.metrics.catalog import catalog
from rankmetrics.planner import PASSES, switched_off
from tests.support import flat
from tests.support.engines import Engine, polars_and_later_duckdb
from tests.support.extra_inputs import (
    BASELINE,
    CATALOG,
    EMBEDDINGS,
    HISTORY,
    ITEMS,
    RECS,
    SIMILARITY,
    TRUTH,
    about,
    counted,
    lists,
    result,
    systems,
)
from tests.support.refusals import Asking, refusal, unread

KL = 0.5 * log(0.5 / (0.99 * 2 / 3 + 0.01 * 0.5)) + 0.5 * log(0.5 / (0.99 / 3 + 0.01 * 0.5))

# The divergence of all attention for s from the target of 2/5 s and 3/5 t, in bits.
JS_OF_S = (log2(1 / 0.7) + 0.4 * log2(0.4 / 0.7) + 0.6) / 2
# The values of users 1 and 2, and, where it is defined, of user 3, who has no recommendations.
VALUES: Mapping[str, Sequence[float | None]] = {
    "unseen": [2 / 3, 1 / 2],
    "unseen@1": [0, 0],
    "unseen(divisor=k)@4": [3 / 4, 3 / 4],
    "unseen(alone=one)@1": [0, 0, 1],
    # three users have a history, and all of them know a, one knows b; what nobody knows is as surprising as can be
    "surprisal": [(0 + 1 + 1) / 3, (0 + 1) / 2],
    "surprisal@1": [0, 0],
    "surprisal(surprise=bits)@2": [log2(3) / 2, 0],
    "surprisal(divisor=k)@6": [2 / 6, 1 / 6, 0],
    "surprisal(surprise=capped_bits)": [(0 + log2(3) + log2(3)) / 3, (0 + log2(3)) / 2],
    "surprisal(surprise=bits, divisor=known)": [(0 + log2(3)) / 2, 0 / 1],
    "popularity": [(3 + 1) / 3, 3 / 2],
    "popularity@2": [(3 + 1) / 2, 3 / 2],
    "popularity(divisor=known)": [(3 + 1) / 2, 3 / 1],
    "popularity(unit=share)": [4 / 3 / 5, 3 / 2 / 5],
    "popularity(unit=share)@1": [3 / 5, 3 / 5],
    "popularity_rank": [(1 + 1.5 / 3) / 3, 1 / 2],  # a stands third of three, b and e share the first two ranks
    # of five interactions a has three, b the fourth, by its name, and e the last
    "long_tail": [0, 0],
    "long_tail(head=0.6)": [1 / 3, 0],
    "n_long_tail(head=0.6)@2": [1, 0, 0],
    "long_tail(head=0.5)@2": [1 / 2, 0],
    "unexpectedness@2": [1, 1 / 2],
    "unexpectedness": [1 / 3, 1 / 2],
    "unexpectedness(divisor=k)@4": [1 - 2 / 4, 1 - 1 / 4],
    "unexpectedness(alone=zero)@1": [1, 1, 0],
    "serendipity@2": [1 / 2, 1 / 2],
    "serendipity": [1 / 3, 1 / 2],
    "serendipity(divisor=k)@4": [1 / 4, 1 / 4],
    "overlap@2": [0, 1 / 2],
    "overlap(baseline_k=3)@2": [1 / 2, 1 / 2],
    "overlap(alone=zero)@2": [0, 1 / 2],
    # of user 1 they share nothing at depths 1 and 2, and a and c at depth 3; of user 2, d at depth 2
    "rbo(p=0.5)@3": [0.25 * 2 / 3 / (1 + 0.5 + 0.25), (0.5 / 2 + 0.25 / 3) / (1 + 0.5 + 0.25)],
    "rbo(p=0.5)@2": [0, 0.5 / 2 / (1 + 0.5)],
    "rbo(p=0.5)@1": [0, 0],
    # below rank 3, the lists of user 1 share two of three; the baseline of user 2 ends at 1, where it shares nothing
    "rbo(p=0.5, beyond=extrapolated)@3": [0.5 * 0.25 * 2 / 3 + 0.125 * 2 / 3, 0.5 * 0.5 / 2 + 0.25 / 2],
    "rbo(p=0.5, beyond=extrapolated)@2": [0, 0.5 * 0.5 / 2 + 0.25 / 2],
    # of user 1, c stands first in the baseline and a third: two places behind 1 is one place between
    "least_item_promoted@1": [1, 0],
    "least_item_promoted@2": [0, 0],
    "least_item_promoted@3": [0, 0],
    # b is relevant to user 1, a to user 2 and d to user 3: the baseline has none of them, and the lists the first two
    "rpp": [1, 1, 0],
    "rpp@1": [0, 1, 0],
    "lexirecall": [1, 1, 0],
    "lexiprecision@1": [0, 1, 0],
    # user 1 knew a (s) and e (t), and is given two of s and one of t; user 2 knew a (s), and is given one of each
    "miscalibration": [KL, log(1 / (0.99 / 2 + 0.01))],
    # of the catalogue, two items are s and three t; user 1 is given s, s and t, user 2 s and t
    "awrf": [(1 + 1 / log2(3)) / (1.5 + 1 / log2(3)) - 2 / 5, 1 / (1 + 1 / log2(3)) - 2 / 5],
    "awrf(target=equal, discount=reciprocal)@2": [1 - 1 / 2, 2 / 3 - 1 / 2],
    "awrf(distance=js)@1": [JS_OF_S, JS_OF_S],
    "awrf(discount=uniform)": [2 / 3 - 2 / 5, 1 / 2 - 2 / 5],
    # half of the readers stop at b, the second item of user 1, and at a, the first of user 2
    "awrf(attention=cascade)": [(1 + 1 / log2(3)) / (1.25 + 1 / log2(3)) - 2 / 5, 1 / (1 + 0.5 / log2(3)) - 2 / 5],
    "awrf(attention=cascade, discount=geometric(p=0.5))": [1.5 / 1.625 - 2 / 5, 1 / 1.25 - 2 / 5],
    "ndkl@1": [log(5 / 2), log(5 / 2)],
    "ndkl": [
        ((1 + 1 / log2(3)) * log(5 / 2) + (2 / 3 * log(5 / 3) + 1 / 3 * log(5 / 9)) / 2) / (1.5 + 1 / log2(3)),
        (log(5 / 2) + (log(5 / 4) + log(5 / 6)) / 2 / log2(3)) / (1 + 1 / log2(3)),
    ],
    "ndkl(target=equal, discount=reciprocal)@2": [log(2), 2 / 3 * log(2)],
    "list_diversity": [1 - 1.75 / 3, 1],
    "list_diversity@2": [1 / 2, 1],
    "list_diversity@1": [None, None],
}
ALL = {"history": HISTORY, "baseline": BASELINE, "items": ITEMS, "similarity": SIMILARITY, "catalog": CATALOG}


# a before b and c, which are equal; in the baseline, a and b are equal, before d
TIED = pl.DataFrame({"user": [1] * 3, "item": ["a", "b", "c"], "score": [2, 1, 1]})
TIED_BASELINE = pl.DataFrame({"user": [1] * 3, "item": ["a", "b", "d"], "score": [2, 2, 1]})


@polars_and_later_duckdb
def test_equal_scores_count_in_an_overlap_as_worked_out(engine: Engine) -> None:
    """To rank 1, the list has a, and the baseline halves of a and b; to 2, a and halves of b and c, and a and b."""
    agreements = {
        "ranked": (1, 1, 2 / 3),
        "equal": (1 / ((1 + 2) / 2), 2 / ((3 + 2) / 2), 2 / 3),
        "averaged": (1 / 2, 3 / 4, 2 / 3),
        "corrected": (1 / 2 / sqrt(2 / 4), 3 / 2 / sqrt((1 + 2 / 4) * 2), 2 / 3),
    }
    metrics = [f"rbo(beyond=extrapolated, tied={tied}, p=0.5)@2,5" for tied in agreements]
    expected = tuple(
        value
        for first, second, third in agreements.values()
        for value in (first / 2 + second / 4 + second / 4, first / 2 + second / 4 + third / 8 + third / 8)
    )
    assert expected == lists(engine, metrics, recs=TIED, baseline=TIED_BASELINE)[0]


# The ranks of the relevant items of a list with six of them, of its baseline, and the values of the metrics beside it.
LEVELS: Sequence[tuple[Sequence[int], Sequence[int], dict[str, float | None]]] = (
    # level 1 is reached at ranks 1 and 2, level 2 at 4 and 3, level 3 at 5 and 5, level 4 by the baseline alone
    ([1, 4, 5], [2, 3, 5, 8], {"rpp": -1 / 6, "rpp@7": 0, "rpp@2": 1 / 6, "lexirecall": -1, "lexirecall@7": -1}),
    ([1, 4, 5], [2, 3, 5, 8], {"lexirecall@2": 1, "lexiprecision": 1, "rpp(level_weight=reciprocal)@3": 1 / 4.9}),
    ([1, 2], [1, 2], {"rpp": 0, "lexirecall": 0, "lexiprecision@1": 0, "rpp(level_weight=log2)": 0}),
    ([3], [], {"rpp": 1 / 6, "lexirecall": 1, "rpp@2": 0, "lexiprecision": 1}),
    ([], [7], {"rpp": -1 / 6, "lexirecall": -1, "lexiprecision@6": 0}),
    ([2, 3], [2, 4, 5], {"rpp": 0, "lexirecall": -1, "lexiprecision": 1, "rpp@4": 1 / 6}),
)


@polars_and_later_duckdb
def test_preferences_compare_the_ranks_at_which_systems_reach_each_recall(engine: Engine) -> None:
    def ranked(side: int) -> pl.DataFrame:
        rows = [(user, item, rank) for user, row in enumerate(LEVELS) for item, rank in enumerate(row[side])]
        rows += [(user, 99, 9) for user in range(len(LEVELS))]  # an item that is not relevant
        return pl.DataFrame(rows, schema=["user", "item", "rank"], orient="row")

    truth = pl.DataFrame({"user": [user for user in range(len(LEVELS)) for _ in range(6)]})
    truth = truth.with_columns(item=pl.Series([*range(6)] * len(LEVELS)))
    asked = sorted({name for *_, values in LEVELS for name in values})
    given: dict[str, Any] = {"recs": ranked(0), "truth": truth, "ranks": "given"}
    found = result(engine, asked, baseline=engine.give(ranked(1)), **given)
    turned = result(engine, asked, baseline=engine.give(ranked(0)), **{**given, "recs": ranked(1)})
    rows, others = (engine.read(one.per_list()).sort("user").to_dicts() for one in (found, turned))
    for (*_, values), row, other in zip(LEVELS, rows, others, strict=True):
        for name, value in values.items():
            label = rm.parse(name).label
            assert (row[label], other[label]) == about([value, -(value or 0)]), (row["user"], name)


@polars_and_later_duckdb
def test_metrics_have_the_values_worked_out(engine: Engine) -> None:
    measured = result(engine, [*VALUES], **ALL)
    measured.check()
    *users, nobody = engine.read(measured.per_list()).sort("user").drop("user").to_dicts()
    for metric, (first, second, *third) in VALUES.items():
        label = rm.parse(metric).label
        assert (users[0][label], users[1][label]) == about([first, second]), metric
        assert nobody[label] == (third[0] if third else None), metric


# --- history ----------------------------------------------------------------------------------------------------------


def test_popularity_serendipity_is_how_far_hits_rank_above_their_popularity(engine: Engine) -> None:
    # a is the first by popularity, b and e share the second rank; c and d, which nobody has, are behind all six items
    truth = pl.DataFrame({"user": [1, 1, 2, 2, 3], "item": ["b", "c", "a", "d", "d"]})
    asked = ["popularity_serendipity", "popularity_serendipity@2"]
    found = lists(engine, asked, truth=truth, history=HISTORY, catalog=CATALOG)
    assert found == [about([(7 - 3) / (3 * 6), 0]), about([(7 - 2) / (2 * 6)] * 2), (None, None)]


def test_the_mean_may_be_taken_over_the_lists_of_the_history_or_of_the_baseline(engine: Engine) -> None:
    found = result(engine, ["unseen(alone=one)", "hit"], history=HISTORY, missing="history")
    rows = engine.read(found.per_list()).sort("user").rows()
    assert rows == [about([1, 2 / 3, 1]), about([2, 1 / 2, 1]), (4, 1, None)]
    asked = ["unexpectedness@2", "hit@1", "user_coverage(unit=count)"]
    assert [*systems(engine, asked, baseline=BASELINE, missing="baseline").values()] == [3 / 4, 1 / 2, 2]


# --- baseline ---------------------------------------------------------------------------------------------------------


@polars_and_later_duckdb
def test_a_system_of_the_recommendations_is_the_baseline_if_its_columns_name_it(engine: Engine) -> None:
    recs = pl.DataFrame(
        [(1, "a", 7, 8, 0.5), (1, "a", 7, 9, 0.4), (1, "b", 7, 9, 0.9), (2, "a", 7, 8, 0.1), (2, "b", 7, 8, 0.1)],
        schema=["day", "model", "owner", "sku", "score"],
        orient="row",
    )
    truth = pl.DataFrame({"day": [1, 1, 2], "user": [7, 7, 7], "sku": [8, 9, 8]})
    columns = rm.Columns(item="sku", lists={"owner": "user"})
    given: dict[str, Any] = {
        "recs": recs,
        "truth": truth,
        "metrics": ["rpp", "overlap@1"],
        "columns": columns,
        "by": ["model", "day"],
    }
    named, table = (
        engine.read(result(engine, **given, baseline=baseline).summary()).sort("model", "day")
        for baseline in ({"model": "b"}, recs.filter(model="b").drop("model"))
    )
    assert_frame_equal(named, table)
    # on day 1, a is alone with two items; b has one of them at rank 1, as a has
    assert tuple(named["rpp"]) == about([1 / 2, 0, 0, 0])
    assert tuple(named["overlap@1"]) == about([0, 1, 1, 1])
    for column, words in {"modle": "identifies no list: .*Did you mean 'model'", "day": "not a value"}.items():
        with pytest.raises(ColumnError, match=words):
            result(engine, **given, baseline={column: "b"})


def test_the_tie_rule_orders_the_baseline_too(engine: Engine) -> None:
    tied = pl.DataFrame({"user": [1, 1], "item": ["z", "a"], "score": [0.5, 0.5]})
    for ties, value in (("item", 0.0), ("item_desc", 1.0)):
        assert lists(engine, "unexpectedness@1", baseline=tied, ties=ties)[0] == (value,)
    give = pl.DataFrame.to_arrow if engine.name == "duckdb" else engine.give
    found = rm.evaluate(give(RECS), give(TRUTH), "unexpectedness@1", baseline=give(tied), ties="input")
    assert engine.read(found.per_list()).sort("user")["unexpectedness@1"].to_list() == [1.0, None, None]


# --- items ------------------------------------------------------------------------------------------------------------


@polars_and_later_duckdb
def test_categories_may_be_rows_or_a_list(engine: Engine) -> None:
    rows = pl.DataFrame({"item": ["a", "a", "b", "c", "d", "a"], "category": ["s", "t", "s", "t", None, "s"]})
    as_list = pl.DataFrame({"item": ["a", "b", "c", "d"], "category": [["s", "t", "s"], ["s"], ["t", None], []]})
    asked = ["categorical_diversity", "category_diversity@2", "category_entropy@2"]
    # of user 1: s and t in three places; a and b share one of two; s twice and t once
    entropy = -(2 / 3 * log2(2 / 3) + 1 / 3 * log2(1 / 3))
    expected = [about([2 / 3, 1 / 2, entropy]), about([2 / 2, None, 1]), (None, None, None)]
    for items in (rows, as_list):
        assert lists(engine, asked, items=items) == expected


@polars_and_later_duckdb
def test_embeddings_may_be_lists_or_arrays_of_any_numbers(engine: Engine) -> None:
    # a, b and c point east, north and north-east, d west
    asked = ["embedding_diversity", "embedding_diversity@2", "embedding_diversity(divisor=items)@2"]
    for kind in (pl.List(pl.Float64), pl.List(pl.Float32), pl.Array(pl.Float64, 2), pl.List(pl.Int32)):
        found = lists(engine, asked, items=EMBEDDINGS.cast({"embedding": kind}))
        assert found == [about([1 - 2 * sqrt(1 / 2) / 3, 1, 1 / 2]), about([2, 2, 2 / 2]), (None, None, None)], kind


# --- catalogue --------------------------------------------------------------------------------------------------------


def test_the_catalogue_is_that_of_the_history_or_the_items_where_none_is_given(engine: Engine) -> None:
    # the history has a, b and e, the items a to e; the catalogue goes before the history, and that before the items
    asked = ["coverage", "coverage(counted=any)", "coverage(unit=percent)@1"]
    for inputs, expected in (
        ({"history": HISTORY}, [2 / 3, 4 / 3, 33.33]),
        ({"items": ITEMS}, [4 / 5, 4 / 5, 20.0]),
        ({"items": ITEMS, "history": HISTORY}, [2 / 3, 4 / 3, 33.33]),
        ({"items": ITEMS, "history": HISTORY, "catalog": CATALOG}, [4 / 6, 4 / 6, 16.67]),
    ):
        assert (*systems(engine, asked, **inputs).values(),) == about(expected), [*inputs]


# --- rows that are counted: the twin counts them, too -----------------------------------------------------------------


def test_inputs_that_are_not_given_are_not_counted(engine: Engine) -> None:
    account = counted(engine, "hit")
    extras = ("history", "baseline", "catalog", "category", "embedding", "similarity", "pairs")
    assert not [name for name in account if any(word in name for word in extras) and not name.startswith("sampled")]


# --- personalization --------------------------------------------------------------------------------------------------


def test_personalization_of_equal_lengths_refuses_lists_of_unequal_length(engine: Engine) -> None:
    for asked in ("personalization(lengths=equal)@3", "personalization(convention=capri)@3"):
        found = result(engine, asked)
        for how in (found.collect, found.check, lambda found=found: repr(found)):
            with refusal(rm.DataError, f"{asked} compares lists of equal length", "lengths=any"):
                how()
        assert engine.read(found.summary())[asked].to_list() == [None]


def test_personalization_measures_lists_of_unequal_length_where_they_may_differ(engine: Engine) -> None:
    # user 1 has three items, user 2 two, and a in common
    asked = [
        "personalization@3",
        "personalization(convention=capri, lengths=any)@3",
        "personalization(lengths=equal)@2",
    ]
    assert [*systems(engine, asked).values()] == [*about([1 - 1 / sqrt(6), 1 - 1 / sqrt(6), 1 / 2])]


def test_personalization_of_one_list_is_undefined_and_not_refused(engine: Engine) -> None:
    found = systems(engine, "personalization(lengths=equal)@3", recs=RECS[:3])
    assert [*found.values()] == [None]


# --- groups of items --------------------------------------------------------------------------------------------------


@polars_and_later_duckdb
def test_reo_and_rsp_compare_categories_by_recall_and_share_of_their_items(engine: Engine) -> None:
    # of the relevant items, a and b are s and hits, and d is t and no hit. Users 1 and 2 know a and user 1 knows e,
    # which leaves 4 of 6 candidates of s and 8 of 9 of t; recommended are a, b and a of s, and c and d of t
    found = systems(engine, ["reo", "rsp", "reo@1"], history=HISTORY, items=ITEMS, catalog=CATALOG)
    s, t = 3 / 4, 2 / 8
    assert [*found.values()] == [*about([1, (s - t) / (s + t), 1])]


def test_head_and_long_tail_as_categories_are_compared_as_by_popularity(engine: Engine) -> None:
    # a has three of five interactions: with head=0.5, it is the head, and b and e are the long tail
    items = pl.DataFrame({"item": ["a", "b", "e"], "category": ["head", "tail", "tail"]})
    asked = ["reo@1", "pop_reo(head=0.5)@1", "rsp", "pop_rsp(head=0.5)"]
    # users 1 and 2 know a, which leaves 1 candidate of the head and 5 of the tail; recommended are a twice and b
    of_tail, of_head = 1 / 5, 2 / 1
    unequal = (of_head - of_tail) / (of_head + of_tail)
    assert [*systems(engine, asked, history=HISTORY, items=items).values()] == [*about([1, 1, unequal, unequal])]


def test_item_mad_is_the_mean_difference_of_gains_between_categories(engine: Engine) -> None:
    # a is a hit in one of its two lists and b in its only one; c and d are no hits
    truth = TRUTH.with_columns(rating=pl.Series([4.0, 2.0, 1.0]))
    asked = ["item_mad", "item_mad(gain=linear)", "item_mad@1"]
    found = systems(engine, asked, truth=truth, items=ITEMS)
    assert [*found.values()] == [*about([(1 / 2 + 1) / 2, (2 / 2 + 4) / 2]), None]
    apart = ITEMS.with_columns(category=pl.Series(["s", "u", "t", "t", "t"]))
    assert (*systems(engine, ["item_mad"], items=apart).values(),) == about([(1 / 2 + 1 / 2 + 1) / 3])


@polars_and_later_duckdb
def test_bias_disparity_compares_a_category_with_the_history_for_each_group(engine: Engine) -> None:
    # user 1 has s and t in the history and is given s, s and t; user 2 has s and is given s and t; two of five items
    # are s
    of_s = [f"bias_disparity(category=s{of})" for of in ("", ", of=recommended", ", of=history")]
    asked = [*of_s, "bias_disparity(category=t)", "bias_disparity", "bias_disparity(category=nothing)"]
    grouped = RECS.with_columns(group=pl.when(pl.col("user") == 1).then(pl.lit("f")).otherwise(pl.lit("m")))
    given = {name: engine.give(frame) for name, frame in (("history", HISTORY), ("items", ITEMS))}
    found = flat.evaluate(engine.give(grouped), engine.give(TRUTH), asked, by=["group"], missing="skip", **given)
    rows = [row[2:] for row in engine.read(found.summary()).select("group", "n_lists", *asked).sort("group").rows()]
    f = [2 / 3 / (1 / 2) - 1, 2 / 3 / (2 / 5), 1 / 2 / (2 / 5), 1 / 3 / (1 / 2) - 1, 0]
    m = [1 / 2 / 1 - 1, 1 / 2 / (2 / 5), 1 / (2 / 5), None, -1 / 2]
    assert rows == [(*about(f), None), (*about(m), None)]
    names: Sequence[Any] = ("a, b", "(a)", "a=b", "a@b", True, None)
    for name in names:
        with refusal(rm.MetricError, "category of bias_disparity is a text without commas", repr(name)):
            rm.Metric("bias_disparity", {"category": name})


# --- expected exposure ------------------------------------------------------------------------------------------------


@polars_and_later_duckdb
def test_expected_exposure_is_of_all_lists_of_a_truth_list(engine: Engine) -> None:
    # half of the times a is first and b second, half of the times b is first: each has (1 + 0.5) / 2, as it should
    recs = pl.DataFrame({"user": [1] * 4, "draw": [1, 1, 2, 2], "item": [*"abba"], "rank": [1, 2, 1, 2]})
    truth = pl.DataFrame(
        {"user": [1, 1, 2], "item": ["a", "b", "z"]}
    )  # user 2, who should see z at rank 1, sees nothing
    settings = ("discount=geometric(p=0.5)", "attention=cascade, discount=geometric(p=0.5)", "discount=uniform")
    metrics = [f"ee_{letter}({one})" for one in (*settings, f"{settings[0]}, missing=skip") for letter in "drl"]
    metrics += [f"ee_l({settings[0]})@1"]
    both, cascade = 2 * 0.75**2, 2 * ((1 + 0.25) / 2) ** 2
    of_all = [both / 2, both / 2, 1 / 2, cascade / 2, cascade / 2, 1 / 2, 2 / 2, 2 / 2, 1 / 2]
    expected = [*of_all, both, both, 0, 1 / 2]
    assert [*systems(engine, metrics, recs=recs, truth=truth, by=[]).values()] == [*about(expected)]
    # by itself, each draw puts one of them 0.25 too high, and the other 0.25 too low
    apart = engine.read(result(engine, ["ee_l(discount=geometric(p=0.5), missing=skip)"], recs, truth).summary())
    assert apart.get_column(apart.columns[-1]).to_list() == [*about([2 * 0.25**2] * 2)]


@polars_and_later_duckdb
def test_exposure_loss_of_items_offsets_too_much_by_too_little_across_lists(engine: Engine) -> None:
    # user 1 should see a first, and sees b first; user 2 should see b first, and sees a first; c is for nobody
    recs = pl.DataFrame({"user": [1, 1, 2, 2], "item": [*"baac"], "rank": [1, 2, 1, 2]})
    truth = pl.DataFrame({"user": [1, 2], "item": [*"ab"]})
    catalog = pl.DataFrame({"item": [*"abcd"]})
    settings = "discount=geometric(p=0.5)"
    expected = {
        f"ee_l({settings})": ((0.5 - 1) ** 2 + 1 + 1 + 1 + 0.5**2) / 2,
        f"ee_l(per=item, {settings})": ((0.5 - 1) ** 2 + 1 + 1 + 1 + 0.5**2) / (2 * 4),
        f"ai_f({settings})": ((0.5 / 2) ** 2 + 0 + (0.5 / 2) ** 2 + 0) / 4,
        f"ai_f({settings})@1": ((-1 + 1) ** 2 + 0) / 4,
        "ai_d(weight=geometric(p=0.5))": (1.5**2 + 1 + 0.5**2) / 4 / 2**2 - (3 / 4 / 2) ** 2,
        "ai_d(among=recommended)@1": 0.0,
    }
    found = systems(engine, [*expected], recs=recs, truth=truth, catalog=catalog)
    assert [*found.values()] == [*about([*expected.values()])]
    # d, which nobody is given, should be seen first by user 2
    unmet = truth.with_columns(item=pl.Series([*"ad"]))
    found = systems(engine, f"ai_f({settings})", recs=recs, truth=unmet, catalog=catalog)
    assert [*found.values()] == [*about([((0.5 / 2) ** 2 + 0.5**2 + 0.25**2 + 0.5**2) / 4])]


@polars_and_later_duckdb
def test_the_variance_of_exposures_is_undefined_without_an_item_down_to_the_cutoff(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1, 1], "item": [7, 8], "rank": [5, 6]})
    truth, catalog = pl.DataFrame({"user": [1], "item": [7]}), pl.DataFrame({"item": [7, 8, 9]})
    metrics = ["exposure_variance@3", "exposure_variance(undefined=one)@3", "exposure_variance(among=recommended)@3"]
    given = [engine.give(table) for table in (recs, truth, catalog)]
    result = rm.evaluate(given[0], given[1], metrics, by=[], catalog=given[2], ranks="given")
    assert engine.read(result.summary()).select(metrics).row(0) == (None, 1.0, None)


@polars_and_later_duckdb
def test_a_metric_of_systems_counts_its_own_lists_beside_metrics_over_others(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1, 1], "item": [*"ab"], "rank": [1, 2]})
    truth = pl.DataFrame({"user": [1, 2], "item": ["a", "z"]})  # user 2 has no recommendations
    metrics = ["ee_l@2", "reo@2"]
    items = pl.DataFrame({"item": [*"abz"], "category": [*"xyz"]})
    alone = systems(engine, metrics, recs=recs, truth=truth, items=items)
    beside = systems(engine, [*metrics, "hit(missing=listed)@2"], recs=recs, truth=truth, items=items)
    assert [*beside.values()][:2] == [*alone.values()]
    assert [*beside.values()] != [*systems(engine, [*metrics, "hit@2"], recs=recs, truth=truth, items=items).values()]


@polars_and_later_duckdb
@pytest.mark.parametrize("passes", [(), [each_pass.name for each_pass in PASSES]], ids=["rewritten", "as planned"])
def test_items_are_counted_by_category_where_a_row_is_all_lists(engine: Engine, passes: Sequence[str]) -> None:
    recs = pl.DataFrame({"user": [1, 1, 2], "item": [*"aba"], "rank": [1, 2, 1]})
    items, truth = pl.DataFrame({"item": [*"abz"], "category": [*"xyy"]}), recs.drop("rank")
    with switched_off(*passes):
        inputs = {"recs": recs, "truth": truth, "items": items, "history": truth}
        found = systems(engine, "bias_disparity(of=recommended, category=x)@2", **inputs, by=[])
    assert (*found.values(),) == about([2.0])  # two of three recommendations, one of three items


# --- lists and systems side by side -----------------------------------------------------------------------------------

SIDE_BY_SIDE = ["hit", "coverage", "user_coverage", "rr"]


def test_numbers_of_systems_are_in_no_table_per_list(engine: Engine) -> None:
    found = result(engine, SIDE_BY_SIDE, catalog=CATALOG)
    assert engine.read(found.per_list()).columns == ["user", "hit", "rr"]
    assert found.collect(per_list=True).columns == ["user", "hit", "rr"]


def test_a_table_per_list_of_nothing_but_numbers_of_systems_is_refused(ask: Asking, engine: Engine) -> None:
    found = ask(metrics=["coverage@2", "gini@2"], catalog=unread(engine, pl.DataFrame({"item": [7]})))
    with refusal(rm.MetricError, "'coverage@2' and 'gini@2' are numbers of a system", "nothing per list"):
        found.per_list()
    with refusal(rm.MetricError, "nothing per list"):
        found.to_sql(per_list=True)


# --- History, catalogue and items are taken per fold: measuring all folds at once equals measuring each alone ---------


FOLDS, USERS, FOLD_ITEMS = (1, 2, 3), range(6), range(9)


def inputs(fold_of: str) -> dict[str, pl.DataFrame]:
    """Three folds of two systems: what was recommended, what was relevant, what was known, all different in each.

    `fold_of` names the inputs beside recommendations and truth that have the column of the fold; the others are the
    same in each fold.
    """

    def rows(name: str, *columns: str) -> pl.DataFrame:
        folds = FOLDS if name in ("recs", "truth", *fold_of.split()) else (0,)
        every = pl.DataFrame({"fold": folds})
        for column in columns:
            every = every.join(
                pl.DataFrame({column: {"user": USERS, "item": FOLD_ITEMS, "system": ["a", "b"]}[column]}), how="cross"
            )
        drawn = every.select(pl.struct(pl.all()).hash(seed=len(name))).to_series()
        kept = every.with_columns(drawn=drawn).filter(pl.col("drawn") % 3 != 0)
        return kept if folds != (0,) else kept.drop("fold")

    number = pl.col("drawn") % 1000 / 1000
    return {
        "recs": rows("recs", "system", "user", "item").with_columns(score=number).drop("drawn"),
        "truth": rows("truth", "user", "item").with_columns(rating=number * 5).drop("drawn"),
        "history": rows("history", "user", "item").drop("drawn"),
        "catalog": rows("catalog", "item").drop("drawn"),
        "items": rows("items", "item")
        .with_columns(category=pl.col("drawn") % 4, popularity=(pl.col("drawn") % 7).cast(pl.Float64))
        .drop("drawn"),
    }


def every_metric() -> list[str]:
    """Every metric that these inputs suffice for."""
    every = (one.name for one in catalog().metrics() if one.name not in LEFT_OUT)
    metrics = [name for name in every if "log" not in catalog().needs(name)]
    return [f"{name}{'@3' if 'k' in catalog().parameters(name) else ''}" for name in metrics]


# Metrics of inputs that have no folds, and those that compare lists of equal length only.
LEFT_OUT = (
    "alpha_dcg alpha_ndcg ap_ia err_ia nrbp precision_ia subtopic_recall "
    "embedding_diversity least_item_promoted lexiprecision lexirecall list_diversity overlap personalization "
    "profile_distance rbo rpp serendipity unexpectedness"
).split()


def values(engine: Engine, frames: dict[str, pl.DataFrame], *, per_list: bool) -> pl.DataFrame:
    """What is measured of frames, all metrics at once."""
    given = {name: engine.give(one) for name, one in frames.items()}
    recs, truth = given.pop("recs"), given.pop("truth")
    result = flat.evaluate(recs, truth, every_metric(), by=["fold", "system"], **given)
    frame = engine.read(result.per_list() if per_list else result.summary())
    return frame.sort(["fold", "system", "user"] if per_list else ["fold", "system"])


FOLD_ALL = "history catalog items"
# The inputs that tell folds apart, and whether the values of the lists are compared or those of the systems.
INPUTS = [(FOLD_ALL, True), *(pytest.param(of, False, marks=pytest.mark.long) for of in (FOLD_ALL, ""))]


@pytest.mark.parametrize(("fold_of", "per_list"), INPUTS)
def test_folds_together_are_measured_as_each_alone(engine: Engine, fold_of: str, per_list: bool) -> None:
    frames = inputs(fold_of)
    together = values(engine, frames, per_list=per_list)
    alone = [
        {name: one.filter(fold=fold) if "fold" in one.columns else one for name, one in frames.items()}
        for fold in FOLDS
    ]
    apart = pl.concat([values(engine, one, per_list=per_list) for one in alone])
    assert together.height == (36 if per_list else 6)
    assert_frame_equal(together, apart, abs_tol=1e-12)


def test_a_coverage_of_several_folds_counts_each_item_once_and_says_so(engine: Engine) -> None:
    recs = pl.DataFrame({"fold": [1, 2, 2], "user": [1, 1, 1], "item": [7, 7, 8], "rank": [1, 1, 2]})
    catalog = pl.DataFrame({"fold": [1, 1, 2, 2, 2], "item": [7, 9, 7, 8, 9]})
    options: dict[str, Any] = {"catalog": engine.give(catalog)}
    given = engine.give(recs), engine.give(recs.drop("rank"))
    pooled = flat.evaluate(*given, "coverage@2", **options)
    assert engine.read(pooled.summary())["coverage@2"].to_list() == [pytest.approx(2 / 3)]
    said = "coverage@2 is over all values of fold, which by= does not name"
    assert said in pooled.notes()
    apart = flat.evaluate(*given, "coverage@2", by=["fold"], **options)
    assert engine.read(apart.summary())["coverage@2"].to_list() == [pytest.approx(1 / 2), pytest.approx(2 / 3)]
    assert "taken per value of fold: catalog" in apart.notes()
    assert said not in apart.notes()


def test_what_is_the_same_for_every_fold_is_said_once_and_truly(engine: Engine) -> None:
    recs = pl.DataFrame({"fold": [1, 2], "user": [1, 1], "item": [7, 7], "rank": [1, 1]})
    items = pl.DataFrame({"fold": [1, 2], "item": [7, 7], "embedding": [[1.0, 0.0]] * 2})
    similarity = pl.DataFrame({"fold": [1, 2], "item": [7, 7], "other": [8, 8], "similarity": [0.5, 0.5]})
    extras = {"items": engine.give(items), "similarity": engine.give(similarity)}
    asked = ["embedding_diversity@1", "list_diversity@1"]
    notes = flat.evaluate(engine.give(recs), engine.give(recs.drop("rank")), asked, by=["fold"], **extras).notes()
    assert "taken together over all values of fold: embeddings" in notes
    (said,) = (one for one in notes if "is not used" in one and "similarity" in one)
    assert said.startswith("Warning: Column 'fold' of the similarity is not used: ")
    assert ": the similarity input is the same for every fold." in said


def test_a_fold_has_its_own_catalogue_where_categories_are_of_all_folds(engine: Engine) -> None:
    """On day 1, the history has a (s) and b (t); on day 2, c (t) and d (s) and again b. The reverse: items by day."""
    asked = ["rsp@2", "exposure_ratio@2", "awrf@2", "ndkl@2"]
    recs = pl.DataFrame(
        [(day, user, item) for day in (1, 2) for user in (1, 2) for item in "bca"],
        ["day", "user", "item"],
        orient="row",
    )
    recs = recs.with_columns(rank=pl.int_range(pl.len()).over("day", "user") + 1)
    truth = recs.filter(item="c").drop("rank")
    history = pl.DataFrame(
        [(1, 3, "a"), (1, 3, "b"), (2, 3, "b"), (2, 3, "c"), (2, 1, "d")], ["day", "user", "item"], orient="row"
    )
    items = pl.DataFrame({"item": [*"abcd"], "category": [*"stts"]})
    by_day = pl.concat([items.with_columns(day=pl.lit(day, pl.Int64)) for day in (1, 2)])
    catalog = pl.DataFrame({"item": [*"abc"]})

    def measured(day: int | None, by: list[str], **extras: pl.DataFrame) -> list[tuple[Any, ...]]:
        frames = {"recs": recs, "truth": truth, "history": history, **extras}
        here = {
            name: engine.give(frame if day is None or "day" not in frame.columns else frame.filter(day=day))
            for name, frame in frames.items()
        }
        return engine.read(flat.evaluate(metrics=asked, by=by, **here).summary()).select(asked).rows()

    for extras in ({"items": items}, {"items": by_day, "catalog": catalog}):
        apart = [measured(day, ["day"], **extras)[0] for day in (1, 2)]
        for alone, together in zip(apart, measured(None, ["day"], **extras), strict=True):
            assert together == about(alone)
