"""Every ranking metric and parameter on a list so small that the value can be worked out by hand."""

from __future__ import annotations

from math import log2, nan
from typing import TYPE_CHECKING

import polars as pl
import pytest

from tests.support.by_hand import RECS, assert_values, ranked, rated, scored

if TYPE_CHECKING:
    from tests.support.engines import Engine


def test_n_recommended_counts_the_places_that_are_filled(engine: Engine) -> None:
    assert_values(engine, {"n_recommended": 5, "n_recommended@3": 3, "n_recommended@9": 5})


def test_n_relevant_counts_the_relevant_items_found_or_not(engine: Engine) -> None:
    assert_values(engine, {"n_relevant": 3, "n_relevant(rel=2)": 2, "n_relevant(rel=4)": 0})


def test_n_hits_counts_the_relevant_items_found(engine: Engine) -> None:
    assert_values(engine, {"n_hits": 2, "n_hits@4": 2, "n_hits@3": 1, "n_hits@1": 0, "n_hits(rel=2)": 1})


def test_hit_is_1_as_soon_as_a_relevant_item_is_found(engine: Engine) -> None:
    assert_values(engine, {"hit": 1, "hit@2": 1, "hit@1": 0, "hit(rel=2)@4": 1, "hit(rel=2)@1": 0})


def test_precision_is_the_share_of_places_that_hold_a_relevant_item(engine: Engine) -> None:
    assert_values(engine, {"precision": 2 / 5, "precision@3": 1 / 3, "precision@10": 2 / 10, "precision(rel=2)": 1 / 5})
    assert_values(engine, {"precision(divisor=k)": 2 / 5, "precision(divisor=k)@10": 2 / 10})


def test_precision_may_be_a_share_of_what_was_recommended_or_could_be_found(engine: Engine) -> None:
    assert_values(engine, {f"precision(divisor=list){k}": v for k, v in {"": 2 / 5, "@3": 1 / 3, "@10": 2 / 5}.items()})
    assert_values(engine, {"precision(divisor=relevant)": 2 / 3, "precision(divisor=relevant)@2": 1 / 2})


def test_recall_is_the_share_of_relevant_items_found(engine: Engine) -> None:
    assert_values(engine, {"recall": 2 / 3, "recall@2": 1 / 3, "recall@1": 0, "recall(rel=2)": 1 / 2})
    assert_values(engine, {"recall(divisor=relevant)@2": 1 / 3})


def test_recall_may_be_a_share_of_what_could_be_found(engine: Engine) -> None:
    assert_values(engine, {"recall(divisor=capped)@2": 1 / 2, "recall(divisor=capped)@4": 2 / 3})
    assert_values(engine, {"recall(divisor=capped)": 2 / 3})


def test_f_beta_is_the_weighted_harmonic_mean_of_precision_and_recall(engine: Engine) -> None:
    precision, recall = 2 / 5, 2 / 3
    assert_values(engine, {"f_beta": 2 / (1 / precision + 1 / recall), "f_beta(beta=1)": 1 / 2, "f_beta@1": 0})
    assert_values(engine, {"f_beta(beta=2)": 5 / (1 / precision + 4 / recall)})
    assert_values(engine, {"f_beta(beta=0.5)": 1.25 / (1 / precision + 0.25 / recall)})
    assert_values(engine, {"f_beta(beta=2, rel=2)@2": 5 / (1 / (1 / 2) + 4 / (1 / 2))})


def test_rr_is_one_over_the_rank_of_the_first_relevant_item(engine: Engine) -> None:
    assert_values(engine, {"rr": 1 / 2, "rr@2": 1 / 2, "rr@1": 0, "rr(rel=4)": None})
    assert_values(engine, {"rr(rel=1)": 1 / 4}, truth=rated({"b": 0.5, "d": 1}))


def test_ap_is_the_mean_of_the_precision_at_each_relevant_item(engine: Engine) -> None:
    assert_values(engine, {"ap": (1 / 2 + 2 / 4) / 3, "ap@4": (1 / 2 + 2 / 4) / 3, "ap@2": (1 / 2) / 2, "ap@1": 0})
    assert_values(engine, {"ap(rel=2)": (1 / 2) / 2, "ap(divisor=capped)@2": (1 / 2) / 2})


def test_ap_may_divide_by_all_that_is_relevant(engine: Engine) -> None:
    assert_values(engine, {"ap(divisor=relevant)": (1 / 2 + 2 / 4) / 3, "ap(divisor=relevant)@2": (1 / 2) / 3})


def test_ap_may_divide_by_the_cutoff(engine: Engine) -> None:
    assert_values(engine, {"ap(divisor=k)@2": (1 / 2) / 2, "ap(divisor=k)@10": (1 / 2 + 2 / 4) / 10})
    assert_values(engine, {"ap(divisor=k)": (1 / 2 + 2 / 4) / 5})


def test_ap_may_divide_by_what_the_list_had_room_for(engine: Engine) -> None:
    assert_values(engine, {"ap(divisor=list)": (1 / 2 + 2 / 4) / 3, "ap(divisor=list)@2": (1 / 2) / 2})
    assert_values(engine, {"ap(divisor=list)@9": (1 / 2) / 2, "ap@9": (1 / 2) / 3}, recs=ranked("ab"))


def test_ap_may_divide_by_what_was_found(engine: Engine) -> None:
    assert_values(engine, {"ap(divisor=hits)": (1 / 2 + 2 / 4) / 2, "ap(divisor=hits)@3": 1 / 2})
    assert_values(engine, {"ap(divisor=hits)@1": 0})


def test_dcg_sums_gain_times_discount_over_what_was_found(engine: Engine) -> None:
    assert_values(
        engine, {"dcg": 1 / log2(3) + 1 / log2(5), "dcg@3": 1 / log2(3), "dcg@1": 0, "dcg(rel=2)": 1 / log2(3)}
    )
    assert_values(engine, {"dcg(gain=binary)": 1 / log2(3) + 1 / log2(5), "dcg(discount=log2)@2": 1 / log2(3)})


def test_gain_may_be_the_rating_or_exponential_in_it(engine: Engine) -> None:
    assert_values(engine, {"dcg(gain=linear)": 3 / log2(3) + 1 / log2(5)})
    assert_values(engine, {"dcg(gain=exponential)": (2**3 - 1) / log2(3) + (2**1 - 1) / log2(5)})
    assert_values(engine, {"dcg(gain=exponential)": (2**0.5 - 1) / log2(3)}, truth=rated({"b": 0.5}))


def test_the_lenskit_discount_starts_at_rank_3(engine: Engine) -> None:
    assert_values(engine, {"dcg(discount=lenskit)": 1 + 1 / log2(4), "dcg(discount=lenskit)@2": 1})
    assert_values(engine, {"dcg(discount=lenskit)": 1 + 1 + 1 / log2(3)}, truth=rated({"a": 1, "b": 1, "c": 1}))


def test_the_geometric_discount_is_a_power_of_p(engine: Engine) -> None:
    assert_values(engine, {"dcg(discount=geometric)": 0.85 + 0.85**3})
    assert_values(engine, {"dcg(discount=geometric(p=0.5), gain=linear)": 3 * 0.5 + 0.5**3})


def test_ideal_dcg_is_the_dcg_of_the_best_list_there_is(engine: Engine) -> None:
    best = 1 / log2(2) + 1 / log2(3) + 1 / log2(4)
    assert_values(engine, {"ideal_dcg": best, "ideal_dcg@2": 1 / log2(2) + 1 / log2(3), "ideal_dcg@9": best})
    assert_values(engine, {"ideal_dcg(ideal=k)@1": 1, "ideal_dcg(ideal=all)@1": best, "ideal_dcg(rel=3)": 1})
    assert_values(engine, {"ideal_dcg(gain=linear)": 3 + 2 / log2(3) + 1 / log2(4), "ideal_dcg(gain=linear)@1": 3})
    assert_values(engine, {"ideal_dcg(gain=exponential)": 7 + 3 / log2(3) + 1 / log2(4)})
    assert_values(engine, {"ideal_dcg(discount=lenskit)": 1 + 1 + 1 / log2(3)})
    assert_values(engine, {"ideal_dcg(discount=geometric)": 1 + 0.85 + 0.85**2})
    assert_values(engine, {"ideal_dcg(discount=geometric(p=0.5), gain=linear, rel=2)": 3 + 2 * 0.5})


def test_ndcg_is_dcg_as_a_share_of_the_best_there_is(engine: Engine) -> None:
    best = 1 / log2(2) + 1 / log2(3) + 1 / log2(4)
    assert_values(engine, {"ndcg": (1 / log2(3) + 1 / log2(5)) / best, "ndcg@1": 0, "ndcg(rel=3)": 1 / log2(3)})
    assert_values(
        engine, {"ndcg@2": (1 / log2(3)) / (1 / log2(2) + 1 / log2(3)), "ndcg(ideal=all)@2": 1 / log2(3) / best}
    )
    assert_values(engine, {"ndcg": 1, "ndcg(gain=linear)@2": 1, "ndcg@1000": 1}, recs=ranked("bxd"))


def test_ndcg_hands_its_gain_and_discount_to_both_of_its_parts(engine: Engine) -> None:
    linear, exponential = 3 + 2 / log2(3) + 1 / log2(4), 7 + 3 / log2(3) + 1 / log2(4)
    assert_values(engine, {"ndcg(gain=linear)": (3 / log2(3) + 1 / log2(5)) / linear})
    assert_values(engine, {"ndcg(gain=linear)@2": (3 / log2(3)) / (3 + 2 / log2(3))})
    assert_values(engine, {"ndcg(gain=exponential)": (7 / log2(3) + 1 / log2(5)) / exponential})
    assert_values(engine, {"ndcg(gain=exponential, ideal=all)@2": (7 / log2(3)) / exponential})
    assert_values(engine, {"ndcg(discount=lenskit)": (1 + 1 / log2(4)) / (1 + 1 + 1 / log2(3))})
    assert_values(engine, {"ndcg(discount=geometric(p=0.5))": (0.5 + 0.5**3) / (1 + 0.5 + 0.5**2)})
    assert_values(engine, {"ndcg(discount=geometric)@2": 0.85 / (1 + 0.85)})


def test_the_ideal_is_the_same_beyond_the_cutoff_from_which_it_is_computed_by_sorting(engine: Engine) -> None:
    best = 1 / log2(2) + 1 / log2(3) + 1 / log2(4)
    assert_values(engine, dict.fromkeys(("ideal_dcg@200", "ideal_dcg@201", "ideal_dcg@100000"), best))


def test_r_precision_is_the_precision_at_the_number_of_relevant_items(engine: Engine) -> None:
    assert_values(engine, {"r_precision": 1 / 3, "r_precision@9": 1 / 3, "r_precision@2": 1 / 2, "r_precision@1": 0})
    assert_values(engine, {"r_precision(rel=2)": 1 / 2})


def test_r_precision_may_divide_by_all_relevant_items_and_be_undefined_without_a_hit(engine: Engine) -> None:
    assert_values(engine, {"r_precision(divisor=relevant)@2": 1 / 3, "r_precision(divisor=relevant)": 1 / 3})
    assert_values(engine, {"r_precision(hitless=undefined)@1": None, "r_precision(hitless=undefined)@2": 1 / 2})


def test_rbp_is_the_share_of_places_read_that_hold_a_relevant_item(engine: Engine) -> None:
    assert_values(engine, {"rbp": 0.15 * (0.85 + 0.85**3), "rbp@2": 0.15 * 0.85, "rbp@1": 0, "rbp(rel=2)": 0.15 * 0.85})
    assert_values(engine, {"rbp(p=0.5)": 0.5 * (0.5 + 0.5**3)})


def test_err_is_one_over_the_rank_where_a_reader_stops_on_average(engine: Engine) -> None:
    assert_values(engine, {"err": 0.5 / 2 + 0.5 * 0.5 / 4, "err@3": 0.5 / 2, "err@1": 0, "err(rel=2)": 0.5 / 2})
    assert_values(engine, {"err(stop=binary)": 0.5 / 2 + 0.5 * 0.5 / 4})
    assert_values(engine, {"err": 0.5 + 0.5 * 0.5 / 2 + 0.5 * 0.5 * 0.5 / 3}, recs=ranked("bxd"))


def test_the_reader_of_err_may_stop_the_sooner_the_higher_a_rating(engine: Engine) -> None:
    at_b, at_d = (2**3 - 1) / 2**5, (2**1 - 1) / 2**5
    assert_values(engine, {"err(stop=graded)": at_b / 2 + (1 - at_b) * at_d / 4, "err(stop=graded)@3": at_b / 2})
    assert_values(engine, {"err(stop=graded(max_rating=3))": 7 / 8 / 2 + (1 - 7 / 8) * (1 / 8) / 4})


def test_err_is_undefined_where_a_hit_is_rated_above_the_scale(engine: Engine) -> None:
    assert_values(engine, {"err(stop=graded(max_rating=2))": None, "err(stop=graded(max_rating=2))@1": 0})


@pytest.mark.parametrize("highest", [10, 53, 54, 100])
def test_err_takes_a_scale_as_long_as_percent(engine: Engine, highest: int) -> None:
    stop = 1 - 2.0**-highest
    expected = {f"err(stop=graded(max_rating={highest}))": stop / 2 + (1 - stop) * stop / 4}
    assert_values(engine, expected, truth=rated({"b": highest, "d": highest}))


def test_auc_is_the_share_of_hits_and_misses_in_the_right_order(engine: Engine) -> None:
    # of the pairs (2, 1) (2, 3) (2, 5) (4, 1) (4, 3) (4, 5) of a hit and a miss, three have the hit first
    assert_values(engine, {"auc": 3 / 6, "auc@4": 1 / 4, "auc@2": 0, "auc@3": 1 / 2, "auc(rel=2)": 3 / 4})
    assert_values(engine, {"auc": 1}, recs=ranked("bda"))


def test_auc_is_undefined_without_a_hit_or_without_a_miss(engine: Engine) -> None:
    assert_values(engine, {"auc@1": None, "auc(rel=4)": None})
    assert_values(engine, {"auc@2": None, "auc": 1}, recs=ranked("bda"))


def test_a_negative_rating_may_gain_nothing(engine: Engine) -> None:
    truth = rated({"a": -2, "b": 3, "c": 0})
    assert_values(
        engine,
        {
            "dcg(gain=positive, rel=-5)": 3 / log2(3),
            "dcg(gain=linear, rel=-5)": -2 + 3 / log2(3),
            "ideal_dcg(gain=positive, rel=-5)": 3,
        },
        truth=truth,
    )


# c stands first, and a, b and d, of one score, take the places 2 to 4; e is last.
TIED = {"a": 5, "b": 5, "c": 7, "d": 5, "e": 1}


def test_the_hits_among_equal_scores_may_share_their_places(engine: Engine) -> None:
    shared = (1 / log2(3) + 1 / log2(4) + 1 / log2(5)) / 3
    recs, best = scored(TIED), 1 + 1 / log2(3) + 1 / log2(4)
    assert_values(engine, {"dcg(tied=averaged)": 2 * shared, "ndcg(tied=averaged)": 2 * shared / best}, recs)
    assert_values(engine, {"dcg(tied=averaged, gain=linear)": (3 + 1) * shared, "dcg": 1 / log2(4) + 1 / log2(5)}, recs)
    # of three places, two are within the first three; within the first, there is none
    within = (1 / log2(3) + 1 / log2(4)) / 3
    assert_values(engine, {"dcg(tied=averaged)@3": 2 * within, "dcg(tied=averaged)@1": 0}, recs)


def test_no_order_of_equal_scores_changes_what_they_share(engine: Engine) -> None:
    near = {"a": 5 + 1e-9, "b": 5, "c": 5 + 1e-9}  # two scores in 64 bits, one in 32
    expected = {f"dcg(tied=averaged, ties={ties})": 1 / log2(4) for ties in ("item", "item_desc", "text_desc")}
    assert_values(engine, expected, scored(near), rated({"b": 1}))


def test_scores_without_a_value_share_their_places_too(engine: Engine) -> None:
    recs = scored({"a": 1, "b": None, "c": nan})
    assert_values(engine, {"dcg(tied=averaged)": (1 / log2(3) + 1 / log2(4)) / 2}, recs, rated({"b": 1}))


def test_ranks_that_are_given_are_shared_with_nobody(engine: Engine) -> None:
    recs = RECS.with_columns(score=pl.lit(0.5))
    assert_values(engine, {"dcg(tied=averaged)": 1 / log2(3) + 1 / log2(5)}, recs)
    assert_values(engine, {"dcg(tied=averaged)": 1 / log2(3) + 1 / log2(5)})


def test_what_moves_up_shares_the_places_that_it_then_has(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1] * 5, "item": ["a", "a", "b", "c", "d"], "score": [9, 9, 5, 5, 1]})
    both = (1 / log2(3) + 1 / log2(4)) / 2
    assert_values(engine, {"dcg(tied=averaged, duplicates=first)": both}, recs, rated({"c": 1}))
    assert_values(engine, {"dcg(tied=averaged)": (1 / log2(4) + 1 / log2(5)) / 2}, recs, rated({"c": 1}))


def test_rbp_may_take_the_rating_for_what_a_hit_is_worth(engine: Engine) -> None:
    assert_values(engine, {"rbp(gain=linear)": 0.15 * (3 * 0.85 + 0.85**3), "rbp(gain=linear, p=0.5)@3": 0.5 * 3 * 0.5})


def test_bpref_may_pass_over_what_is_rated_below_0(engine: Engine) -> None:
    truth = rated({"a": -1, "b": 1, "c": 0, "d": 1})
    # above b stands a; above d stand a and c; R is 2, N is 2, or 1 of those that are not rated below 0
    assert_values(
        engine, {"bpref": (1 - 1 / 2 + 1 - 2 / 2) / 2, "bpref(judged=from_zero)": (1 + 1 - 1) / 2}, truth=truth
    )


def test_bpref_may_be_undefined_without_a_judged_irrelevant_item(engine: Engine) -> None:
    assert_values(engine, {"bpref": 2 / 3, "bpref(alone=undefined)": None, "bpref(alone=undefined)@1": 0})
    assert_values(engine, {"bpref(alone=undefined)": 1 / 2}, truth=rated({"b": 1, "x": 1, "c": 0}))


def test_accuracy_and_mcc_are_of_all_items_that_could_be_recommended(engine: Engine) -> None:
    catalog = engine.give(pl.DataFrame({"item": [*"abcdefgx"]}))
    # of eight items, a, b, c are the first three and b, x, d relevant: one is both, three are neither
    assert_values(engine, {"accuracy@3": 4 / 8, "mcc@3": (1 * 3 - 2 * 2) / (3 * 3 * 5 * 5) ** 0.5}, catalog=catalog)
    assert_values(engine, {"accuracy@8": 1 / 8, "mcc@8": 0, "mcc@9": None, "mcc(rel=9)@3": 0}, catalog=catalog)


def test_partial_auc_is_of_the_first_irrelevant_places(engine: Engine) -> None:
    # a stands above b, a and c above d; x is not found. Of the first two irrelevant places b beats one, d none.
    assert_values(engine, {"partial_auc@2": 1 / (2 * 3), "partial_auc@3": (2 + 1) / (3 * 3), "partial_auc@1": 0})
    assert_values(engine, {"partial_auc(positives=first)@1": 0, "partial_auc(positives=first)@2": 1 / (2 * 2)})
    # all of the first two relevant items stand above everything; of the third nothing is asked
    assert_values(engine, {"partial_auc(positives=first)@2": 1, "partial_auc@2": 4 / 6}, recs=ranked("bda"))


def test_partial_auc_may_be_undefined_for_lists_that_are_too_short(engine: Engine) -> None:
    # the list has one irrelevant item, and lacks x
    asked = {"partial_auc(insufficient=undefined)@1": 2 / 3, "partial_auc(insufficient=undefined)@2": None}
    assert_values(engine, asked, recs=ranked("bda"))
    assert_values(engine, {"partial_auc(insufficient=undefined)@2": 1}, ranked("bda"), rated({"b": 1, "d": 1}))


def test_the_fill_rate_is_the_share_of_positions_that_are_filled(engine: Engine) -> None:
    asked = {"fill_rate@2": 1, "fill_rate@4": 3 / 4, "fill_rate(per=list)@3": 1, "fill_rate(per=list)@4": 0}
    assert_values(engine, asked, recs=ranked("bda"))


def test_unrepeated_recommendations_are_counted_one_by_one_or_by_list(engine: Engine) -> None:
    asked = {"unrepeated@1": 1, "unrepeated": 2 / 3, "unrepeated(per=list)@1": 1, "unrepeated(per=list)": 0}
    assert_values(engine, asked, recs=ranked("bba"))
