"""Every metric, parameter and rule on lists so small that the value can be worked out by hand; on every engine.

Unless a test says otherwise, one list holds a, b, c, d, e in this order, and relevant to it are b (rated 3), x (2) and
d (1): two of three are found, at ranks 2 and 4.
"""

from __future__ import annotations

from datetime import date, datetime
from math import inf, log2, nan
from statistics import mean
from typing import TYPE_CHECKING, Any

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from tests.engines import means
from tests.test_agreement import METRICS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tests.conftest import Engine

    Values = Mapping[str, float | None]


def ranked(items: Iterable[object], user: object = 1) -> pl.DataFrame:
    """One list of recommendations, in order."""
    found = [*items]
    return pl.DataFrame({"user": [user] * len(found), "item": found, "rank": range(1, len(found) + 1)})


def scored(scores: Mapping[Any, float | None], user: object = 1) -> pl.DataFrame:
    """One list of recommendations, in no order."""
    return pl.DataFrame({"user": [user] * len(scores), "item": [*scores], "score": [*scores.values()]}, strict=False)


def rated(ratings: Mapping[Any, float | None], user: object = 1) -> pl.DataFrame:
    """What is relevant to one list."""
    about = {"user": [user] * len(ratings), "item": [*ratings], "rating": [*ratings.values()]}
    return pl.DataFrame(about, schema_overrides={"rating": pl.Float64})


RECS = ranked("abcde")
TRUTH = rated({"b": 3, "x": 2, "d": 1})


def per_list(
    engine: Engine, recs: pl.DataFrame, truth: pl.DataFrame, metrics: Sequence[str], **options: Any
) -> pl.DataFrame:
    """One row per list, in order of the list columns. Relations have no order of rows: for that DuckDB takes Arrow."""
    give = pl.DataFrame.to_arrow if options.get("ties") == "input" and engine.name == "duckdb" else engine.give
    result = rm.evaluate(give(recs), give(truth), metrics, **options)
    return engine.read(result.per_list()).sort(result.layout.lists)


def summary(
    engine: Engine, recs: pl.DataFrame, truth: pl.DataFrame, metrics: Sequence[str], **options: Any
) -> list[dict[str, Any]]:
    return engine.read(rm.evaluate(engine.give(recs), engine.give(truth), metrics, **options).summary()).to_dicts()


def assert_values(
    engine: Engine,
    expected: Values,
    recs: pl.DataFrame = RECS,
    truth: pl.DataFrame = TRUTH,
    **options: Any,
) -> None:
    """The values of one list."""
    (row,) = per_list(engine, recs, truth, [*expected], **options).rows()
    found = dict(zip(expected, row[-len(expected) :], strict=True))
    assert found == {label: about(value) for label, value in expected.items()}


def about(value: float | None) -> object:
    """What equals a value up to rounding; NULL equals nothing but NULL."""
    return None if value is None else pytest.approx(value, rel=1e-12, abs=1e-12)


# --- the metrics ----------------------------------------------------------------------------------------------------


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


# --- what is defined, and what is not -------------------------------------------------------------------------------

ZERO_WHERE_NOTHING_IS_FOUND = ("hit", "recall", "rr", "ap", "ndcg", "r_precision", "rbp", "err", "dcg", "n_hits")
UNDEFINED_WHERE_NOTHING_IS_RECOMMENDED = ("precision", "precision(divisor=list)@5", "ap(divisor=list)", "f_beta", "auc")


def expected_of_nothing() -> Values:
    zero = [*ZERO_WHERE_NOTHING_IS_FOUND, "precision@5", "f_beta@5", "ap(divisor=k)@5", "n_recommended", "ndcg@5"]
    return dict.fromkeys(zero, 0) | dict.fromkeys(UNDEFINED_WHERE_NOTHING_IS_RECOMMENDED) | {"n_relevant": 3}


def test_a_missing_list_scores_0_where_a_metric_is_defined(engine: Engine) -> None:
    expected = expected_of_nothing()
    found = per_list(engine, ranked("bd", user=2), pl.concat([TRUTH, rated({"b": 1}, user=2)]), [*expected])
    assert found["user"].to_list() == [1, 2]
    assert found.select(*expected).to_dicts()[0] == expected


def test_an_empty_list_scores_as_a_missing_one_does(engine: Engine) -> None:
    assert_values(engine, expected_of_nothing(), recs=ranked([None]).cast({"item": pl.String}))


def test_a_list_with_nothing_relevant_has_a_precision_of_0_and_little_else(engine: Engine) -> None:
    undefined = ("hit", "recall", "rr", "ap", "ndcg", "r_precision", "rbp", "err", "err(stop=graded)", "f_beta", "auc")
    cut = [f"{one}@3" for one in undefined]
    zero = ("precision", "precision@3", "n_hits", "n_relevant", "dcg", "ideal_dcg", "ideal_dcg(ideal=all)@3")
    expected = dict.fromkeys([*undefined, *cut, "precision(divisor=relevant)"]) | dict.fromkeys(zero, 0)
    assert_values(engine, expected | {"n_recommended": 5}, truth=rated({"b": 0, "d": -1}))


def test_a_list_of_the_truth_without_any_rated_above_0_counts_as_a_list(engine: Engine) -> None:
    truth = pl.concat([TRUTH, rated({"b": 0}, user=2)])
    recs = pl.concat([RECS, ranked("ab", user=2)])
    assert summary(engine, recs, truth, ["recall", "precision"]) == [
        {"n_lists": 2, "recall": 2 / 3, "precision": mean([2 / 5, 0])}
    ]


def test_skip_leaves_a_missing_list_out_and_keeps_an_empty_one(engine: Engine) -> None:
    recs = pl.concat([RECS, ranked([None], user=2).cast({"item": pl.String})])
    truth = pl.concat([rated({"b": 1}, user=user) for user in (1, 2, 3)])
    kept = per_list(engine, recs, truth, ["rr"], missing="skip")
    assert kept.to_dict(as_series=False) == {"user": [1, 2], "rr": [1 / 2, 0]}
    counted = per_list(engine, recs, truth, ["rr"], missing="zero")
    assert counted.to_dict(as_series=False) == {"user": [1, 2, 3], "rr": [1 / 2, 0, 0]}


def test_a_list_without_a_truth_is_left_out(engine: Engine) -> None:
    recs = pl.concat([RECS, ranked("bd", user=2)])
    for missing in ("zero", "skip"):
        assert per_list(engine, recs, TRUTH, ["rr"], missing=missing).to_dicts() == [{"user": 1, "rr": 1 / 2}]


# --- repeats, NULLs and ratings -------------------------------------------------------------------------------------


def test_an_item_recommended_again_is_credited_once_at_its_best_rank(engine: Engine) -> None:
    expected = {"n_hits": 1, "n_recommended": 3, "precision@3": 1 / 3, "recall": 1, "rr": 1 / 2, "ap": 1 / 2}
    expected |= {"ndcg": 1 / log2(3), "rbp(p=0.5)": 0.5 * 0.5, "err": 0.5 / 2, "n_hits@1": 0, "auc": 1 / 2}
    assert_values(engine, expected, recs=ranked("abb"), truth=rated({"b": 3}))
    assert_values(engine, {"rr": 1, "n_hits": 1, "precision": 1 / 3}, recs=ranked("bab"), truth=rated({"b": 3}))


def test_an_item_scored_twice_takes_two_places(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1] * 4, "item": ["b", "a", "b", "c"], "score": [0.1, 0.5, 0.9, 0.2]})  # b, a, c, b
    expected = {"rr": 1, "n_hits": 2, "n_recommended": 4, "ap": (1 / 1 + 2 / 3) / 2, "precision": 2 / 4}
    assert_values(engine, expected, recs=recs, truth=rated({"b": 1, "c": 1}))


def test_of_repeats_in_the_truth_the_highest_rating_stands(engine: Engine) -> None:
    truth = pl.concat([rated({"b": 1, "d": 2}), rated({"b": 3, "d": 0}), rated({"b": 2})])
    expected = {"n_relevant": 2, "recall": 1, "dcg(gain=linear)": 3 / log2(3) + 2 / log2(5), "n_relevant(rel=3)": 1}
    assert_values(engine, expected, truth=truth)


def test_rows_with_a_null_id_are_left_out(engine: Engine) -> None:
    nobody = pl.Series([None], dtype=pl.Int64)
    nothing = pl.Series([None], dtype=pl.String)
    recs = pl.concat([RECS, ranked("b").with_columns(user=nobody), ranked("b").with_columns(item=nothing)])
    truth = pl.concat([TRUTH, rated({"z": 1}).with_columns(user=nobody), rated({"z": 1}).with_columns(item=nothing)])
    assert_values(engine, {"n_recommended": 5, "n_relevant": 3, "recall": 2 / 3, "rr": 1 / 2}, recs, truth)
    assert summary(engine, recs, truth, ["recall"]) == [{"n_lists": 1, "recall": 2 / 3}]


def test_null_does_not_match_null(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1, 1], "item": [None, "b"], "rank": [1, 2]})
    truth = pl.DataFrame({"user": [1, 1], "item": [None, "c"]})
    assert_values(engine, {"n_hits": 0, "n_recommended": 1, "n_relevant": 1}, recs=recs, truth=truth)


def test_a_system_whose_every_row_has_a_null_id_was_not_measured(engine: Engine) -> None:
    recs = pl.DataFrame({"algorithm": ["A", "B"], "user": [1, None], "item": [7, 7], "rank": [1, 1]})
    truth = pl.DataFrame({"user": [1], "item": [7]})
    assert summary(engine, recs, truth, ["hit"]) == [{"algorithm": "A", "n_lists": 1, "hit": 1}]


def test_a_missing_rating_counts_as_1(engine: Engine) -> None:
    truth = rated({"b": None, "d": nan, "x": 3})
    expected = {"n_relevant": 3, "dcg(gain=linear)": 1 / log2(3) + 1 / log2(5), "n_relevant(rel=1)": 3}
    assert_values(engine, expected | {"n_relevant(rel=2)": 1, "ideal_dcg(gain=linear)@1": 3}, truth=truth)
    twice = pl.concat([rated({"b": None, "d": nan}), rated({"b": 0, "d": 0.5})])
    assert_values(engine, {"dcg(gain=linear)": 1 / log2(3) + 1 / log2(5)}, truth=twice)


def test_without_a_rating_column_every_row_of_the_truth_is_relevant(engine: Engine) -> None:
    assert_values(engine, {"n_relevant": 3, "recall": 2 / 3, "ndcg@1": 0}, truth=TRUTH.drop("rating"))


def test_relevant_is_what_is_rated_above_0(engine: Engine) -> None:
    truth = rated({"a": 0, "b": 0.25, "c": -2, "d": 5})
    assert_values(engine, {"n_relevant": 2, "rr": 1 / 2, "recall@2": 1 / 2}, truth=truth)


def test_rel_is_the_lowest_rating_that_counts_as_relevant(engine: Engine) -> None:
    truth = rated({"a": 0, "b": 1.5, "c": -2, "d": 5})
    expected = {"n_relevant(rel=1.5)": 2, "n_relevant(rel=2)": 1, "n_relevant(rel=0)": 3, "n_relevant(rel=-3)": 4}
    assert_values(engine, expected | {"rr(rel=0)": 1, "rr(rel=1.5)": 1 / 2, "rr(rel=2)": 1 / 4}, truth=truth)


def test_thresholds_that_differ_only_in_their_sign_do_not_meet(engine: Engine) -> None:
    truth = rated({"a": -1, "b": 1, "c": -2, "d": 2})
    expected = {"rr(rel=1)": 1 / 2, "rr(rel=-1)": 1, "recall(rel=1)@2": 1 / 2, "recall(rel=-1)@2": 2 / 3, "rr": 1 / 2}
    assert_values(engine, expected | {"dcg(gain=linear, rel=-1)@2": -1 + 1 / log2(3), "ap(rel=1)@1": 0}, truth=truth)


# --- the order of a list --------------------------------------------------------------------------------------------


def found_at(engine: Engine, recs: pl.DataFrame, items: Iterable[object], **options: Any) -> list[int]:
    """The rank of each item, found by being relevant alone: one list of truth per item, one copy of the list for it."""
    copies = pl.concat([recs.with_columns(user=pl.lit(number)) for number, _ in enumerate(items)])
    truth = pl.concat([rated({item: 1}, user=number) for number, item in enumerate(items)])
    truth = truth.cast({"user": pl.Int32}).cast({"item": copies.schema["item"]})
    return [round(1 / rr) for rr in per_list(engine, copies, truth, ["rr"], **options)["rr"]]


def test_the_higher_score_stands_first(engine: Engine) -> None:
    assert found_at(engine, scored({"a": 0.1, "b": 0.3, "c": -1, "d": 0.2}), "abcd") == [3, 1, 4, 2]


def test_a_rank_column_stands_as_it_is(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1] * 3, "item": ["a", "b", "c"], "rank": [5, 1, 3], "score": [0.9, 0.5, 0.1]})
    assert found_at(engine, recs, "abc") == [5, 1, 3]
    assert_values(engine, {"n_recommended@3": 2, "precision": 1 / 3}, recs=recs)


def test_null_and_nan_scores_are_ranked_last(engine: Engine) -> None:
    assert found_at(engine, scored({"a": None, "b": -9, "c": nan, "d": 1, "e": -inf}), "abcde") == [4, 2, 5, 1, 3]


def test_infinite_scores_are_ranked_as_they_are(engine: Engine) -> None:
    assert found_at(engine, scored({"a": -inf, "b": 0, "c": inf, "d": 1}), "abcd") == [4, 3, 1, 2]


def test_of_equal_scores_the_lower_item_stands_first(engine: Engine) -> None:
    tied = {"c": 1, "a": 1, "d": 2, "b": 1}
    for options in ({}, {"ties": "item"}):
        assert found_at(engine, scored(tied), "abcd", **options) == [2, 3, 4, 1]
    assert found_at(engine, scored({10: 1, 9: 1}), [9, 10]) == [1, 2]
    assert found_at(engine, scored({"10": 1, "9": 1, "a": 1, "B": 1}), ["10", "9", "B", "a"]) == [1, 2, 3, 4]


def test_of_equal_scores_the_higher_item_may_stand_first(engine: Engine) -> None:
    assert found_at(engine, scored({"c": 1, "a": 1, "d": 2, "b": 1}), "abcd", ties="item_desc") == [4, 3, 2, 1]
    assert found_at(engine, scored({"c": None, "a": nan, "d": 2, "b": None}), "abcd", ties="item_desc") == [4, 3, 2, 1]


def test_of_equal_scores_the_item_may_stand_first_that_is_higher_as_text(engine: Engine) -> None:
    for items in ({100: 1, 99: 1, 9: 1, 20: 2}, {"100": 1, "99": 1, "9": 1, "20": 2}):
        assert found_at(engine, scored(items), [*items], ties="text_desc") == [4, 2, 3, 1]
    assert found_at(engine, scored({"b": 1, "B": 1, "é": 1, "z": 1}), "zébB", ties="text_desc") == [2, 1, 3, 4]


def test_scores_may_be_compared_in_32_bits(engine: Engine) -> None:
    near = {"a": 5 + 2e-9, "b": 5 + 1e-9, "c": 5 + 1e-6}
    assert found_at(engine, scored(near), "abc", ties="text_desc") == [3, 2, 1]
    assert found_at(engine, scored(near), "abc") == [2, 3, 1]
    wide = {"a": 2**40 + 1, "b": 2**40, "c": -(2**40)}
    assert found_at(engine, scored(wide), "abc", ties="text_desc") == [2, 1, 3]


def test_of_equal_scores_the_earlier_row_may_stand_first(engine: Engine) -> None:
    recs = scored({"c": 1, "a": 1, "d": 2, "b": 1, "e": None})
    assert found_at(engine, recs, "abcde", ties="input") == [3, 4, 2, 1, 5]


def test_rows_without_rank_and_score_may_be_ranked_as_they_come(engine: Engine) -> None:
    assert found_at(engine, ranked("cab").drop("rank"), "abc", ties="input") == [2, 3, 1]


def test_ties_among_enum_items_go_by_their_text_in_a_duckdb_table_too() -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE recs AS SELECT 1 AS user, UNNEST(['b', 'a'])::ENUM('b', 'a') AS item, 1 AS score")
    connection.execute("CREATE TABLE truth AS SELECT 1 AS user, 'a' AS item")
    result = rm.evaluate("recs", "truth", ["rr"], connection=connection)
    assert result.summary().fetchall() == [(1, 1)]


def test_several_cutoffs_at_once_are_each_as_alone(engine: Engine) -> None:
    known = rm.list_metrics().filter(pl.col("metric").is_in([*METRICS]))
    cut = [name for name, known in known.select("metric", "parameters").iter_rows() if "k=None" in known]
    together = per_list(engine, RECS, TRUTH, [*cut, *(f"{name}@1,2,3,4,9" for name in cut)])
    for k in ("", "@1", "@2", "@3", "@4", "@9"):
        alone = per_list(engine, RECS, TRUTH, [f"{name}{k}" for name in cut])
        for label in alone.columns:
            assert together[label].to_list() == [about(value) for value in alone[label]]


# --- the columns ----------------------------------------------------------------------------------------------------

NAMES = ("rank", "item_id", "rating", "score", "hits", "user", "order", "lists", "measured", "list_id", "truth_id")
ODD_NAMES = ("n_hits", "n_relevant", "per_list", "select", "my col", 'q"uote', "it's", "Ünï", "a.b", "recs", "1")


@pytest.mark.parametrize("name", [*NAMES, *ODD_NAMES])
def test_a_list_column_may_be_called_anything(engine: Engine, name: str) -> None:
    recs = pl.DataFrame({name: [1, 1, 2], "algorithm": ["A"] * 3, "sku": [7, 8, 8], "points": [0.2, 0.1, 0.3]})
    truth = pl.DataFrame({name: [1, 1, 2], "sku": [8, 9, 8], "grade": [2, 1, 3]})
    roles = rm.Columns(item="sku", score="points", rating="grade")
    result = rm.evaluate(
        engine.give(recs), engine.give(truth), ["rr", "recall@2"], lists=[name, "algorithm"], columns=roles, by=name
    )
    lists = engine.read(result.per_list()).sort(name)
    assert lists.to_dict(as_series=False) == {
        name: [1, 2],
        "algorithm": ["A"] * 2,
        "rr": [1 / 2, 1],
        "recall@2": [1 / 2, 1],
    }
    assert engine.read(result.summary())[name].to_list() == [1, 2]


@pytest.mark.parametrize("name", [*NAMES, *ODD_NAMES])
def test_the_item_and_its_rank_may_be_called_anything(engine: Engine, name: str) -> None:
    recs = pl.DataFrame({"reader": [1, 1], name: [7, 8], "place": [2, 1]})
    truth = pl.DataFrame({"reader": [1, 1], "thing": [7, 9], name: [3, 1]})  # in the truth, the name means the rating
    roles = {"columns": rm.Columns(item=name, rank="place"), "truth_columns": rm.Columns(item="thing", rating=name)}
    expected = {"rr": 1 / 2, "recall": 1 / 2, "dcg(gain=linear)": 3 / log2(3)}
    assert_values(engine, expected, recs, truth, lists=["reader"], **roles)


def test_columns_without_a_role_may_stand_beside_the_lists(engine: Engine) -> None:
    recs = RECS.with_columns(note=pl.lit("x"), price=pl.lit(0.5))
    truth = TRUTH.with_columns(note=pl.lit("y"))
    assert_values(engine, {"recall": 2 / 3}, recs, truth, lists=["user"])


def test_a_column_of_both_inputs_may_be_a_system_all_the_same(engine: Engine) -> None:
    recs = RECS.with_columns(day=pl.lit(2))
    truth = TRUTH.with_columns(day=pl.lit(1))
    (row,) = summary(engine, recs, truth, ["recall"], lists=["day", "user"], truth_lists=["user"])
    assert row == {"day": 2, "n_lists": 1, "recall": 2 / 3}


TEXTS = pl.Enum(["y", "x"])
TYPES: Mapping[str, tuple[tuple[Any, Any], Any, Any]] = {
    "integer": ((1, 2), pl.Int64, pl.Int64),
    "short integer": ((1, 2), pl.Int16, pl.Int16),
    "integers of two widths": ((1, 2), pl.Int32, pl.UInt64),
    "string": (("x", "y"), pl.String, pl.String),
    "categorical": (("x", "y"), pl.Categorical, pl.Categorical),
    "enum": (("x", "y"), TEXTS, TEXTS),
    "categorical and string": (("x", "y"), pl.Categorical, pl.String),
    "string and categorical": (("x", "y"), pl.String, pl.Categorical),
    "enum and string": (("x", "y"), TEXTS, pl.String),
    "categorical and enum": (("x", "y"), pl.Categorical, TEXTS),
    "two enums": (("x", "y"), TEXTS, pl.Enum(["x", "y", "z"])),
    "date": ((date(2024, 2, 29), date(2024, 3, 1)), pl.Date, pl.Date),
    "date and time": ((datetime(2024, 1, 1, 12), datetime(2024, 1, 2)), pl.Datetime("us"), pl.Datetime("us")),
    "dates and times of two units": (
        (datetime(2024, 1, 1), datetime(2024, 1, 2)),
        pl.Datetime("ms"),
        pl.Datetime("us"),
    ),
    "boolean": ((False, True), pl.Boolean, pl.Boolean),
}


@pytest.mark.parametrize(("values", "of_recs", "of_truth"), TYPES.values(), ids=TYPES)
def test_lists_are_told_apart_by_columns_of_any_type(
    engine: Engine, values: tuple[Any, Any], of_recs: Any, of_truth: Any
) -> None:
    one, other = values
    recs = pl.concat([ranked("ab", user=one), ranked("ba", user=other)]).cast({"user": of_recs})
    truth = pl.concat([rated({"b": 1}, user=one), rated({"b": 1}, user=other)]).cast({"user": of_truth})
    found = per_list(engine, recs, truth, ["rr"])
    assert dict(found.iter_rows()) == {one: 1 / 2, other: 1}
    assert summary(engine, recs, truth, ["rr"], by="user") == [
        {"user": one, "n_lists": 1, "rr": 1 / 2},
        {"user": other, "n_lists": 1, "rr": 1},
    ]


@pytest.mark.parametrize(("values", "of_recs", "of_truth"), TYPES.values(), ids=TYPES)
def test_items_may_be_of_any_type(engine: Engine, values: tuple[Any, Any], of_recs: Any, of_truth: Any) -> None:
    one, other = values
    recs = pl.concat([ranked([other, one], user=1), ranked([one], user=2)]).cast({"item": of_recs})
    truth = pl.concat([rated({one: 1}, user=1), rated({one: 1, other: 1}, user=2)]).cast({"item": of_truth})
    found = per_list(engine, recs, truth, ["rr", "recall"])
    assert found.to_dict(as_series=False) == {"user": [1, 2], "rr": [1 / 2, 1], "recall": [1, 1 / 2]}


@pytest.mark.parametrize("kind", ["integer", "short integer", "string", "date", "date and time", "boolean"])
def test_list_columns_come_back_under_their_names_and_types(engine: Engine, kind: str) -> None:
    (one, other), dtype, _ = TYPES[kind]
    recs = ranked("ab").with_columns(Group=pl.lit(one, dtype), algorithm=pl.lit(other, dtype))
    truth = TRUTH.with_columns(Group=pl.lit(one, dtype))
    found = per_list(engine, recs, truth, ["rr", "n_hits"], lists=["user", "Group", "algorithm"])
    assert found.schema == {"user": pl.Int64, "Group": dtype, "algorithm": dtype, "rr": pl.Float64, "n_hits": pl.Int64}
    assert found.row(0) == (1, one, other, 1 / 2, 1)


@pytest.mark.parametrize("dtype", [pl.UInt8, pl.Int16, pl.UInt32, pl.UInt64, pl.Float64, pl.Float32])
def test_ranks_and_ratings_may_be_numbers_of_any_type(engine: Engine, dtype: Any) -> None:
    expected = {"rr": 1 / 2, "ap": (1 / 2 + 2 / 4) / 3, "dcg(gain=linear)": 3 / log2(3) + 1 / log2(5), "auc": 1 / 2}
    expected |= {"dcg(gain=exponential, rel=2)": 7 / log2(3), "err(stop=graded, rel=2)": 7 / 32 / 2}
    assert_values(engine, expected, RECS.cast({"rank": dtype}), TRUTH.cast({"rating": dtype}))


@pytest.mark.parametrize("dtype", [pl.Int8, pl.Int64, pl.Float32])
def test_scores_may_be_numbers_of_any_type(engine: Engine, dtype: Any) -> None:
    recs = scored({"a": 3, "b": None, "c": -2, "d": 3}).cast({"score": dtype})
    assert found_at(engine, recs, "abcd") == [1, 4, 3, 2]


def test_large_ids_that_a_float_would_confuse_are_kept_apart(engine: Engine) -> None:
    recs = ranked([2**53, 2**53 + 1]).cast({"item": pl.UInt64})
    assert_values(engine, {"rr": 1 / 2, "n_hits": 1}, recs=recs, truth=rated({2**53 + 1: 1}))


# --- lists, systems and their means ---------------------------------------------------------------------------------


def two_systems() -> tuple[pl.DataFrame, pl.DataFrame]:
    """A finds user 1's item first and user 2's first; B finds user 1's second and has no list for user 2."""
    a = pl.concat([ranked("xy", user=1), ranked("z", user=2)]).with_columns(algorithm=pl.lit("A"))
    b = ranked("yx", user=1).with_columns(algorithm=pl.lit("B"))
    return pl.concat([a, b]), pl.concat([rated({"x": 1}, user=1), rated({"z": 1}, user=2)])


def test_every_list_of_the_truth_counts_for_every_system(engine: Engine) -> None:
    found = per_list(engine, *two_systems(), ["rr"], lists=["algorithm", "user"])
    assert found.rows() == [("A", 1, 1), ("A", 2, 1), ("B", 1, 1 / 2), ("B", 2, 0)]
    found = per_list(engine, *two_systems(), ["rr"], lists=["algorithm", "user"], missing="skip")
    assert found.rows() == [("A", 1, 1), ("A", 2, 1), ("B", 1, 1 / 2)]


def test_the_summary_has_one_row_per_system(engine: Engine) -> None:
    assert summary(engine, *two_systems(), ["rr"]) == [
        {"algorithm": "A", "n_lists": 2, "rr": 1},
        {"algorithm": "B", "n_lists": 2, "rr": (1 / 2 + 0) / 2},
    ]


def test_the_summary_may_be_one_row(engine: Engine) -> None:
    assert summary(engine, *two_systems(), ["rr"], by=[]) == [{"n_lists": 4, "rr": (1 + 1 + 1 / 2 + 0) / 4}]


def test_the_summary_may_have_one_row_per_user(engine: Engine) -> None:
    expected = [{"user": 1, "n_lists": 2, "rr": (1 + 1 / 2) / 2}, {"user": 2, "n_lists": 2, "rr": (1 + 0) / 2}]
    for by in ("user", ["user"]):
        assert summary(engine, *two_systems(), ["rr"], by=by) == expected


def test_the_summary_may_have_one_row_per_list(engine: Engine) -> None:
    found = summary(engine, *two_systems(), ["rr"], by=["user", "algorithm"])
    assert [[*row] for row in found] == [["user", "algorithm", "n_lists", "rr"]] * 4
    assert [(*row.values(),) for row in found] == [
        (1, "A", 1, 1),
        (1, "B", 1, 1 / 2),
        (2, "A", 1, 1),
        (2, "B", 1, 0),
    ]


def test_truth_by_country_and_user_serves_lists_by_country_algorithm_and_user(engine: Engine) -> None:
    parts = [("NL", "A", "ab"), ("NL", "B", "ba"), ("DE", "A", "ba")]
    recs = pl.concat([ranked(of).with_columns(country=pl.lit(land), algorithm=pl.lit(by)) for land, by, of in parts])
    truth = pl.concat([rated({"b": 1}).with_columns(country=pl.lit(land)) for land in ("NL", "DE")])
    by_list = per_list(engine, recs, truth, ["rr"], lists=["country", "algorithm", "user"])
    assert by_list.rows() == [("DE", "A", 1, 1), ("DE", "B", 1, 0), ("NL", "A", 1, 1 / 2), ("NL", "B", 1, 1)]
    assert summary(engine, recs, truth, ["rr"]) == [
        {"algorithm": "A", "n_lists": 2, "rr": (1 + 1 / 2) / 2},
        {"algorithm": "B", "n_lists": 2, "rr": (0 + 1) / 2},
    ]
    assert summary(engine, recs, truth, ["rr"], by="country") == [
        {"country": "DE", "n_lists": 2, "rr": (1 + 0) / 2},
        {"country": "NL", "n_lists": 2, "rr": (1 / 2 + 1) / 2},
    ]


@pytest.mark.parametrize("by", [None, [], ["user"], ["algorithm", "user"]], ids=str)
def test_the_summary_is_the_mean_of_the_lists_where_a_metric_is_defined(engine: Engine, by: list[str] | None) -> None:
    recs, truth = two_systems()
    truth = pl.concat([truth, rated({"x": 0}, user=3)])  # where most metrics are undefined
    metrics = [*METRICS, "precision@1", "ndcg@1"]
    result = rm.evaluate(engine.give(recs), engine.give(truth), metrics, by=by)
    lists, means = engine.read(result.per_list()), engine.read(result.summary())
    keys = ["algorithm"] if by is None else by
    for row in means.to_dicts():
        mine = lists.filter([pl.col(key) == row[key] for key in keys]) if keys else lists
        assert row["n_lists"] == mine.height
        for metric in metrics:
            defined = mine[metric].drop_nulls().to_list()
            assert row[metric] == about(mean(defined) if defined else None), metric
    assert means["n_lists"].sum() == lists.height == 6


def test_what_is_collected_is_what_the_lazy_tables_hold(engine: Engine) -> None:
    recs, truth = two_systems()
    result = rm.evaluate(engine.give(recs), engine.give(truth), ["rr", "ndcg@1"])
    assert means(result).rows() == engine.read(result.summary()).rows()
    assert sorted(result.collect(per_list=True).rows()) == sorted(engine.read(result.per_list()).rows())
