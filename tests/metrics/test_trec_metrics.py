"""The metrics that trec_eval has beside the usual, on lists small enough to work out by hand."""

from __future__ import annotations

from math import log2

from tests.support.by_hand import assert_values, ranked, rated
from tests.support.engines import Engine

# What stands in the list a, b, c, d, e is judged, or not: b and d are relevant, x is too; a is irrelevant, c is in the
# pool without a judgment.
POOL = rated({"b": 3, "x": 2, "d": 1, "a": 0, "c": -1})


def test_interpolated_precision_is_the_highest_from_a_recall_level_on(engine: Engine) -> None:
    assert_values(
        engine,
        {
            "interpolated_precision": 1 / 2,
            "interpolated_precision(at_recall=0.6)": 1 / 2,
            "interpolated_precision(at_recall=0.8)": 0,
            "interpolated_precision(at_recall=0.6)@3": 0,
        },
    )
    assert_values(
        engine,
        {"interpolated_precision(at_recall=0.3)": 1, "interpolated_precision(at_recall=0.6)": 2 / 3},
        recs=ranked("bad"),
    )


def test_eleven_point_precision_is_the_mean_over_the_recall_levels(engine: Engine) -> None:
    # One hit is enough at the levels 0 to 0.3, two at 0.4 to 0.7; three were not found.
    assert_values(engine, {"eleven_point_precision": (4 * 1 + 4 * 2 / 3 + 3 * 0) / 11}, recs=ranked("bad"))


def test_r_precision_may_be_taken_at_a_multiple_of_r(engine: Engine) -> None:
    assert_values(
        engine,
        {
            "r_precision_multiple": 1 / 3,
            "r_precision_multiple(multiple=0.6)": 1 / 2,
            "r_precision_multiple(multiple=2)": 2 / 6,
            "r_precision_multiple(multiple=2)@4": 2 / 4,
        },
    )


def test_set_ap_is_precision_times_recall(engine: Engine) -> None:
    assert_values(engine, {"set_ap": 2 / 5 * 2 / 3, "set_ap@2": 1 / 2 * 1 / 3})


def test_utility_weighs_hits_misses_and_what_was_not_found(engine: Engine) -> None:
    assert_values(
        engine,
        {
            "utility": 2 - 3,
            "utility(per_hit=3, per_miss=-0.5, per_unfound=-2)": 3 * 2 - 0.5 * 3 - 2 * 1,
            "utility@2": 1 - 1,
        },
    )


def test_judged_misses_are_in_the_truth_and_irrelevant(engine: Engine) -> None:
    assert_values(
        engine,
        {"n_judged_misses": 2, "n_judged_misses(judged=from_zero)": 1, "n_judged_misses@1": 1},
        truth=POOL,
    )


def test_inferred_ap_estimates_precision_from_the_judged_items_above(engine: Engine) -> None:
    e = 0.00001
    # Above b is a: one item of the pool, judged irrelevant. Above d are a, b and c, of which a and b are judged.
    at_b = (1 + 1 * e / (1 + 2 * e)) / 2
    at_d = (1 + 3 * (1 + e) / (2 + 2 * e)) / 4
    assert_values(engine, {"inferred_ap(judged=from_zero)": (at_b + at_d) / 3}, truth=POOL)
    assert_values(engine, {"inferred_ap": (at_b + (1 + 3 * (1 + e) / (3 + 2 * e)) / 4) / 3}, truth=POOL)


def test_binary_g_discounts_by_the_misses_above(engine: Engine) -> None:
    assert_values(engine, {"binary_g": (1 / log2(3) + 1 / log2(4)) / 3, "binary_g@2": 1 / log2(3) / 3})


# The dcg of the list and of the ideal list for linear gains: down to ranks 2 and 4, and to ranks 2 and 3.
AT_2, AT_4 = 3 / log2(3), 3 / log2(3) + 1 / log2(5)
IDEAL_2, IDEAL_3 = 3 + 2 / log2(3), 3 + 2 / log2(3) + 1 / 2


def test_normalized_gain_discounts_by_the_gains_that_the_ideal_list_is_ahead(engine: Engine) -> None:
    # Down to rank 2, the ideal list has the gains 3 and 2. Down to rank 4, it has all three; rank 4 costs 1.
    at_b, at_d = 3 / log2(2 + 5 - 3), 1 / log2(2 + 7 - 4)
    assert_values(
        engine, {"normalized_gain(gain=linear)": (at_b + at_d) / 6, "normalized_gain(gain=linear)@2": at_b / 6}
    )
    assert_values(engine, {"normalized_gain": (1 / log2(3) + 1 / log2(4)) / 3})  # as binary_g


def test_a_repeated_hit_is_worth_no_more_than_its_gain(engine: Engine) -> None:
    # The ideal list costs 5, 6 and 7 down to the three ranks. The gains of the list are 5, 10 and 15.
    assert_values(
        engine,
        {"normalized_gain(gain=linear, duplicates=each)": 1 + 1 + 1},
        recs=ranked("bbb"),
        truth=rated({"b": 5}),
    )


def test_ndcg_at_relevant_is_the_mean_of_ndcg_at_the_ranks_of_the_relevant_items(engine: Engine) -> None:
    assert_values(
        engine,
        {
            "ndcg_at_relevant(gain=linear)": (AT_2 / IDEAL_2 + 2 * AT_4 / IDEAL_3) / 3,
            "ndcg_at_relevant(gain=linear)@2": AT_2 / IDEAL_2,
        },
    )


def test_ndcg_at_levels_is_the_mean_of_ndcg_where_the_ideal_list_changes_its_gain(engine: Engine) -> None:
    at_changes = 0 + AT_2 / IDEAL_2 + AT_2 / IDEAL_3
    assert_values(
        engine,
        {
            "ndcg_at_levels(gain=linear)": (at_changes + AT_4 / IDEAL_3) / 4,
            "ndcg_at_levels(gain=linear)@4": at_changes / 3,
        },
    )


def test_f_beta_may_take_beta_without_its_square(engine: Engine) -> None:
    assert_values(engine, {"f_beta(beta=4, weighting=plain)": 5 * (2 / 5) * (2 / 3) / (4 * 2 / 5 + 2 / 3)})


def test_precision_may_be_a_share_of_what_a_list_of_this_length_can_reach(engine: Engine) -> None:
    assert_values(engine, {"precision(divisor=achievable)": 2 / 3, "precision(divisor=achievable)@2": 1 / 2})


def test_the_judged_share_counts_what_the_truth_has(engine: Engine) -> None:
    assert_values(engine, {"judged_share": 4 / 5, "judged_share@5": 1 - 1 / 5, "judged_share@1": 1}, truth=POOL)
