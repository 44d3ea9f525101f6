"""Metrics that read a history or a baseline, worked out by hand."""

from __future__ import annotations

from math import log2

import polars as pl
import pytest

import rankmetrics as rm
from tests.support.engines import Engine
from tests.support.extra_inputs import BASELINE, CATALOG, HISTORY, RECS, TRUTH, about, lists, result, systems

# --- history ----------------------------------------------------------------------------------------------------------


def test_unseen_is_the_share_of_places_that_the_owner_did_not_know(engine: Engine) -> None:
    asked = ["unseen", "unseen@1", "unseen(divisor=k)@4", "unseen(alone=one)@1"]
    assert lists(engine, asked, history=HISTORY) == [(2 / 3, 0, 3 / 4, 0), (1 / 2, 0, 3 / 4, 0), (None, None, None, 1)]


def test_surprisal_is_by_how_many_users_know_the_item(engine: Engine) -> None:
    # three users have a history, and all of them know a, one knows b; what nobody knows is as surprising as can be
    asked = ["surprisal", "surprisal@1", "surprisal(surprise=bits)@2", "surprisal(divisor=k)@6"]
    asked += ["surprisal(surprise=capped_bits)", "surprisal(surprise=bits, divisor=known)"]
    assert lists(engine, asked, history=HISTORY) == [
        about([(0 + 1 + 1) / 3, 0, log2(3) / 2, 2 / 6, (0 + log2(3) + log2(3)) / 3, (0 + log2(3)) / 2]),
        about([(0 + 1) / 2, 0, 0, 1 / 6, (0 + log2(3)) / 2, 0 / 1]),
        about([None, None, None, 0, None, None]),
    ]


def test_surprisal_where_one_user_is_known_is_undefined(engine: Engine) -> None:
    alone = HISTORY.filter(pl.col("user") == 1)
    found = lists(engine, ["surprisal@2", "surprisal(surprise=bits)@2"], history=alone)
    assert found == [(None, 0), (None, 0), (None, None)]


def test_mean_self_information_is_over_the_recommendations_of_all_lists(engine: Engine) -> None:
    # of four interactions, a has three and b one; nobody has c
    history = pl.DataFrame({"user": [1, 2, 3, 3], "item": ["a", "a", "a", "b"]})
    recs = pl.DataFrame({"user": [1, 1, 1, 2], "item": ["b", "a", "c", "b"], "rank": [1, 2, 3, 1]})
    truth = pl.DataFrame({"user": [1, 2], "item": ["a", "b"]})
    asked = ["mean_self_information", "mean_self_information@1", "mean_self_information@2"]
    given = {"history": engine.give(history)}
    (row,) = engine.read(rm.evaluate(engine.give(recs), engine.give(truth), asked, **given).summary()).to_dicts()
    assert tuple(row[metric] for metric in asked) == about(
        [(2 + log2(4 / 3) + 0 + 2) / 4, 2, (2 + log2(4 / 3) + 2) / 3]
    )


def test_popularity_is_how_many_users_of_the_history_know_the_item(engine: Engine) -> None:
    twice = pl.concat([HISTORY, HISTORY])
    for history in (HISTORY, twice):
        found = lists(engine, ["popularity", "popularity@2", "popularity(divisor=known)"], history=history)
        assert found == [
            about([(3 + 1) / 3, (3 + 1) / 2, (3 + 1) / 2]),
            about([3 / 2, 3 / 2, 3 / 1]),
            (None, None, None),
        ]


def test_popularity_as_a_share_is_divided_by_all_interactions(engine: Engine) -> None:
    found = lists(engine, ["popularity(unit=share)", "popularity(unit=share)@1"], history=HISTORY)
    assert found == [about([4 / 3 / 5, 3 / 5]), about([3 / 2 / 5, 3 / 5]), (None, None)]


def test_popularity_serendipity_is_how_far_hits_rank_above_their_popularity(engine: Engine) -> None:
    # a is the first by popularity, b and e share the second rank; c and d, which nobody has, are behind all six items
    truth = pl.DataFrame({"user": [1, 1, 2, 2, 3], "item": ["b", "c", "a", "d", "d"]})
    asked = ["popularity_serendipity", "popularity_serendipity@2"]
    found = lists(engine, asked, truth=truth, history=HISTORY, catalog=CATALOG)
    assert found == [about([(7 - 3) / (3 * 6), 0]), about([(7 - 2) / (2 * 6)] * 2), (None, None)]


def test_popularity_ranks_the_known_items(engine: Engine) -> None:
    # a stands third of three, b and e share the first two places
    found = lists(engine, "popularity_rank", history=HISTORY)
    assert found == [about([(1 + 1.5 / 3) / 3]), about([1 / 2]), (None,)]


def test_the_long_tail_is_what_is_not_among_the_most_popular(engine: Engine) -> None:
    # of five interactions a has three, b the fourth, by its name, and e the last
    asked = ["long_tail", "long_tail(head=0.6)", "n_long_tail(head=0.6)@2", "long_tail(head=0.5)@2"]
    assert lists(engine, asked, history=HISTORY) == [about([0, 1 / 3, 1, 1 / 2]), (0, 0, 0, 0), (None, None, 0, None)]


def test_the_long_tail_begins_behind_the_item_that_crosses_the_share(engine: Engine) -> None:
    tail = HISTORY.with_columns(item=pl.col("item").replace({"e": "c"}))
    found = lists(engine, ["long_tail(head=0.8)", "long_tail(head=0.81)", "long_tail(head=0.2)"], history=tail)
    assert found[0] == about([1 / 3, 0, 2 / 3])


def test_the_history_may_say_less_of_a_list_than_the_recommendations(engine: Engine) -> None:
    recs = pl.concat([RECS.with_columns(day=pl.lit(one), algorithm=pl.lit("A")) for one in (1, 2)])
    truth = TRUTH.with_columns(day=1)
    found = result(engine, "unseen", recs, truth, history=HISTORY, by="user")
    assert [row[2] for row in engine.read(found.summary()).rows()] == [*about([2 / 3, 1 / 2]), None]


def test_the_mean_may_be_taken_over_the_lists_of_the_history(engine: Engine) -> None:
    found = result(engine, ["unseen(alone=one)", "hit"], history=HISTORY, missing="history")
    rows = engine.read(found.per_list()).sort("user").rows()
    assert rows == [about([1, 2 / 3, 1]), about([2, 1 / 2, 1]), (4, 1, None)]


# --- baseline ---------------------------------------------------------------------------------------------------------


def test_unexpectedness_is_the_share_of_places_that_the_baseline_has_not(engine: Engine) -> None:
    asked = ["unexpectedness@2", "unexpectedness", "unexpectedness(divisor=k)@4", "unexpectedness(alone=zero)@1"]
    assert lists(engine, asked, baseline=BASELINE) == [
        about([1, 1 / 3, 1 - 2 / 4, 1]),
        about([1 / 2, 1 / 2, 1 - 1 / 4, 1]),
        (None, None, None, 0),
    ]


def test_serendipity_is_the_share_of_places_whose_hit_the_baseline_has_not(engine: Engine) -> None:
    asked = ["serendipity@2", "serendipity", "serendipity(divisor=k)@4"]
    found = [about([1 / 2, 1 / 3, 1 / 4]), about([1 / 2, 1 / 2, 1 / 4]), (None, None, None)]
    assert lists(engine, asked, baseline=BASELINE) == found
    having = BASELINE.with_columns(item=pl.col("item").replace({"e": "b"}))
    assert lists(engine, asked, baseline=having)[0] == (0, 0, 0)


def test_overlap_is_the_share_of_recommendations_that_the_baseline_has(engine: Engine) -> None:
    asked = ["overlap@2", "overlap(baseline_k=3)@2", "overlap(alone=zero)@2"]
    found = [about([0, 1 / 2, 0]), about([1 / 2, 1 / 2, 1 / 2]), (None, None, None)]
    assert lists(engine, asked, baseline=BASELINE) == found
    assert lists(engine, asked, baseline=BASELINE.filter(pl.col("user") == 1))[1] == (None, None, 0)


def test_rank_biased_overlap_is_the_weighted_mean_of_the_overlap_at_each_depth(engine: Engine) -> None:
    # of user 1 they share nothing at depth 1 and 2, and a and c at depth 3; of user 2, d at depth 2
    asked = ["rbo(p=0.5)@3", "rbo(p=0.5)@2", "rbo(p=0.5)@1"]
    whole = {3: 1 + 0.5 + 0.25, 2: 1 + 0.5}
    assert lists(engine, asked, baseline=BASELINE) == [
        about([0.25 * 2 / 3 / whole[3], 0, 0]),
        about([(0.5 / 2 + 0.25 / 3) / whole[3], 0.5 / 2 / whole[2], 0]),
        (None, None, None),
    ]


def test_the_overlap_of_a_list_with_itself_is_whole(engine: Engine) -> None:
    assert lists(engine, ["rbo@2", "unexpectedness@2"], baseline=RECS) == [about([1, 0]), about([1, 0]), (None, None)]


def test_least_item_promoted_is_how_deep_the_deepest_of_the_first_stood(engine: Engine) -> None:
    # of user 1, c stands first in the baseline and a third: two places behind 1 is one place between
    asked = ["least_item_promoted@1", "least_item_promoted@2", "least_item_promoted@3"]
    assert lists(engine, asked, baseline=BASELINE) == [(1, 0, 0), (0, 0, 0), (None, None, None)]


def test_a_baseline_may_be_ranked_by_score(engine: Engine) -> None:
    scored = BASELINE.select("user", "item", score=1 / pl.col("rank")).sample(fraction=1, shuffle=True, seed=1)
    asked = ["unexpectedness@2", "serendipity@2", "rbo@3", "least_item_promoted@1"]
    assert lists(engine, asked, baseline=scored) == lists(engine, asked, baseline=BASELINE)


@pytest.mark.parametrize(("ties", "value"), [("item", 0.0), ("item_desc", 1.0)])
def test_the_tie_rule_orders_the_baseline_too(engine: Engine, ties: str, value: float) -> None:
    tied = pl.DataFrame({"user": [1, 1], "item": ["z", "a"], "score": [0.5, 0.5]})
    assert lists(engine, "unexpectedness@1", baseline=tied, ties=ties)[0] == (value,)


def test_the_order_of_the_rows_may_order_the_baseline(engine: Engine) -> None:
    tied = pl.DataFrame({"user": [1, 1], "item": ["z", "a"], "score": [0.5, 0.5]})
    give = pl.DataFrame.to_arrow if engine.name == "duckdb" else engine.give
    found = rm.evaluate(give(RECS), give(TRUTH), "unexpectedness@1", baseline=give(tied), ties="input")
    assert engine.read(found.per_list()).sort("user")["unexpectedness@1"].to_list() == [1.0, None, None]


def test_the_mean_may_be_taken_over_the_lists_of_the_baseline(engine: Engine) -> None:
    found = systems(
        engine, ["unexpectedness@2", "hit@1", "user_coverage(unit=count)"], baseline=BASELINE, missing="baseline"
    )
    assert [*found.values()] == [3 / 4, 1 / 2, 2]
