"""Every ranking metric and parameter on lists so small that the value can be worked out by hand; their means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from math import inf, log, log2, nan
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.support.by_hand import RECS, TRUTH, about, assert_values, found_at, per_list, ranked, rated, scored, summary
from tests.support.engines import Engine, each_engine, polars_and_later_duckdb, summarized

Values = Mapping[str, float | None]
Ratings = Mapping[str, float | None]

# A list, as its items in order or as scores; the ratings of the relevant items; the values of metrics.
Example = tuple[Any, Ratings, Values]

BEST = 1 / log2(2) + 1 / log2(3) + 1 / log2(4)  # the dcg of a list with three hits at the top, for binary gains
LINEAR, EXPONENTIAL = 3 + 2 / log2(3) + 1 / log2(4), 7 + 3 / log2(3) + 1 / log2(4)

# The list a, b, c, d, e. Relevant are b (rated 3), x (2) and d (1): two of three are found, at ranks 2 and 4.
OF_THE_LIST: Sequence[Values] = [
    {"n_recommended": 5, "n_recommended@3": 3, "n_recommended@9": 5},
    {"n_relevant": 3, "n_relevant(rel=2)": 2, "n_relevant(rel=4)": 0},
    {"n_hits": 2, "n_hits@4": 2, "n_hits@3": 1, "n_hits@1": 0, "n_hits(rel=2)": 1},
    {"all_relevant": 0, "all_relevant(rel=3)@2": 1, "all_relevant(rel=3)@1": 0},
    {"hit": 1, "hit@2": 1, "hit@1": 0, "hit(rel=2)@4": 1, "hit(rel=2)@1": 0},
    {"precision": 2 / 5, "precision@3": 1 / 3, "precision@10": 2 / 10, "precision(rel=2)": 1 / 5},
    {"precision(divisor=k)": 2 / 5, "precision(divisor=k)@10": 2 / 10},
    {"precision(divisor=list)": 2 / 5, "precision(divisor=list)@3": 1 / 3, "precision(divisor=list)@10": 2 / 5},
    {"precision(divisor=relevant)": 2 / 3, "precision(divisor=relevant)@2": 1 / 2},
    {"precision(divisor=achievable)": 2 / 3, "precision(divisor=achievable)@2": 1 / 2},
    {"recall": 2 / 3, "recall@2": 1 / 3, "recall@1": 0, "recall(rel=2)": 1 / 2, "recall(divisor=relevant)@2": 1 / 3},
    {"recall(divisor=capped)@2": 1 / 2, "recall(divisor=capped)@4": 2 / 3, "recall(divisor=capped)": 2 / 3},
    {"f_beta": 2 / (5 / 2 + 3 / 2), "f_beta(beta=1)": 1 / 2, "f_beta@1": 0, "f_beta(beta=2)": 5 / (5 / 2 + 4 * 3 / 2)},
    {"f_beta(beta=0.5)": 1.25 / (5 / 2 + 0.25 * 3 / 2), "f_beta(beta=2, rel=2)@2": 5 / (2 + 4 * 2)},
    {"f_beta(beta=4, weighting=plain)": 5 * (2 / 5) * (2 / 3) / (4 * 2 / 5 + 2 / 3)},
    {"rr": 1 / 2, "rr@2": 1 / 2, "rr@1": 0, "rr(rel=4)": None},
    {"weighted_recall": (1 / log2(3) + 1 / log2(5)) / 3, "weighted_recall(discount=reciprocal)@3": (1 / 2) / 3},
    {"clicks@3": 0, "clicks(page_size=1)@9": 1, "clicks@1": 1.1, "clicks(page_size=1)@1": 2, "clicks(rel=4)@9": None},
    {"ap": (1 / 2 + 2 / 4) / 3, "ap@4": (1 / 2 + 2 / 4) / 3, "ap@2": (1 / 2) / 2, "ap@1": 0, "ap(rel=2)": (1 / 2) / 2},
    {"ap(divisor=capped)@2": (1 / 2) / 2, "ap(divisor=relevant)": 1 / 3, "ap(divisor=relevant)@2": (1 / 2) / 3},
    {"ap(divisor=k)@2": (1 / 2) / 2, "ap(divisor=k)@10": (1 / 2 + 2 / 4) / 10, "ap(divisor=k)": (1 / 2 + 2 / 4) / 5},
    {"ap(divisor=list)": (1 / 2 + 2 / 4) / 3, "ap(divisor=list)@2": (1 / 2) / 2},
    {"ap(divisor=hits)": (1 / 2 + 2 / 4) / 2, "ap(divisor=hits)@3": 1 / 2, "ap(divisor=hits)@1": 0},
    {"dcg": 1 / log2(3) + 1 / log2(5), "dcg@3": 1 / log2(3), "dcg@1": 0, "dcg(rel=2)": 1 / log2(3)},
    {"dcg(gain=linear)": 3 / log2(3) + 1 / log2(5), "dcg(gain=exponential)": (2**3 - 1) / log2(3) + 1 / log2(5)},
    {"dcg(discount=lenskit)": 1 + 1 / log2(4), "dcg(discount=lenskit)@2": 1},
    {"dcg(discount=geometric)": 0.85 + 0.85**3, "dcg(discount=geometric(p=0.5), gain=linear)": 3 * 0.5 + 0.5**3},
    {"ideal_dcg": BEST, "ideal_dcg@2": 1 / log2(2) + 1 / log2(3), "ideal_dcg@9": BEST, "ideal_dcg(rel=3)": 1},
    {"ideal_dcg(ideal=k)@1": 1, "ideal_dcg(ideal=all)@1": BEST, "ideal_dcg(gain=linear)@1": 3},
    {"ideal_dcg(gain=linear)": LINEAR, "ideal_dcg(gain=exponential)": EXPONENTIAL},
    {"ideal_dcg(discount=lenskit)": 1 + 1 + 1 / log2(3), "ideal_dcg(discount=geometric)": 1 + 0.85 + 0.85**2},
    {"ideal_dcg(discount=geometric(p=0.5), gain=linear, rel=2)": 3 + 2 * 0.5},
    dict.fromkeys(("ideal_dcg@200", "ideal_dcg@201", "ideal_dcg@100000"), BEST),  # from 201 on, it is sorted
    {"ndcg": (1 / log2(3) + 1 / log2(5)) / BEST, "ndcg@1": 0, "ndcg(rel=3)": 1 / log2(3)},
    {"ndcg@2": (1 / log2(3)) / (1 / log2(2) + 1 / log2(3)), "ndcg(ideal=all)@2": 1 / log2(3) / BEST},
    {"ndcg(gain=linear)": (3 / log2(3) + 1 / log2(5)) / LINEAR},
    {"ndcg(gain=linear)@2": (3 / log2(3)) / (3 + 2 / log2(3))},
    {"ndcg(gain=exponential)": (7 / log2(3) + 1 / log2(5)) / EXPONENTIAL},
    {"ndcg(gain=exponential, ideal=all)@2": (7 / log2(3)) / EXPONENTIAL},
    {"ndcg(discount=lenskit)": (1 + 1 / log2(4)) / (1 + 1 + 1 / log2(3))},
    {"ndcg(discount=geometric(p=0.5))": (0.5 + 0.5**3) / (1 + 0.5 + 0.5**2)},
    {"ndcg(discount=geometric)@2": 0.85 / (1 + 0.85)},
    {"r_precision": 1 / 3, "r_precision@9": 1 / 3, "r_precision@2": 1 / 2, "r_precision@1": 0},
    {"r_precision(divisor=relevant)@2": 1 / 3, "r_precision(divisor=relevant)": 1 / 3, "r_precision(rel=2)": 1 / 2},
    {"r_precision(hitless=undefined)@1": None, "r_precision(hitless=undefined)@2": 1 / 2},
    {"r_precision_multiple": 1 / 3, "r_precision_multiple(multiple=0.6)": 1 / 2},
    {"r_precision_multiple(multiple=2)": 2 / 6, "r_precision_multiple(multiple=2)@4": 2 / 4},
    {"rbp": 0.15 * (0.85 + 0.85**3), "rbp@2": 0.15 * 0.85, "rbp@1": 0, "rbp(rel=2)": 0.15 * 0.85},
    {"rbp(p=0.5)": 0.5 * (0.5 + 0.5**3), "rbp(gain=linear)": 0.15 * (3 * 0.85 + 0.85**3)},
    {"rbp(gain=linear, p=0.5)@3": 0.5 * 3 * 0.5},
    {"err": 0.5 / 2 + 0.5 * 0.5 / 4, "err@3": 0.5 / 2, "err@1": 0, "err(rel=2)": 0.5 / 2},
    {"err(stop=binary)": 0.5 / 2 + 0.5 * 0.5 / 4, "err(stop=graded)@3": 7 / 32 / 2},
    {"err(stop=graded)": 7 / 32 / 2 + (1 - 7 / 32) * (1 / 32) / 4},
    {"err(stop=graded(max_rating=3))": 7 / 8 / 2 + (1 - 7 / 8) * (1 / 8) / 4},
    {"err(stop=graded(max_rating=2))": None, "err(stop=graded(max_rating=2))@1": 0},  # b is rated above the scale
    # of the pairs (2, 1) (2, 3) (2, 5) (4, 1) (4, 3) (4, 5) of a hit and a miss, three have the hit first
    {"auc": 3 / 6, "auc@4": 1 / 4, "auc@2": 0, "auc@3": 1 / 2, "auc(rel=2)": 3 / 4, "auc@1": None, "auc(rel=4)": None},
    # a stands above b, a and c above d; x is not found: of the first two irrelevant ranks b beats one, d none
    {"partial_auc@2": 1 / (2 * 3), "partial_auc@3": (2 + 1) / (3 * 3), "partial_auc@1": 0},
    {"partial_auc(positives=first)@1": 0, "partial_auc(positives=first)@2": 1 / (2 * 2)},
    {"bpref": 2 / 3, "bpref(alone=undefined)": None, "bpref(alone=undefined)@1": 0},
    {"interpolated_precision": 1 / 2, "interpolated_precision(at_recall=0.6)": 1 / 2},
    {"interpolated_precision(at_recall=0.8)": 0, "interpolated_precision(at_recall=0.6)@3": 0},
    {"set_ap": 2 / 5 * 2 / 3, "set_ap@2": 1 / 2 * 1 / 3, "utility": 2 - 3, "utility@2": 1 - 1},
    {"utility(per_hit=3, per_miss=-0.5, per_unfound=-2)": 3 * 2 - 0.5 * 3 - 2 * 1},
    {"binary_g": (1 / log2(3) + 1 / log2(4)) / 3, "binary_g@2": 1 / log2(3) / 3},
    {"normalized_gain": (1 / log2(3) + 1 / log2(4)) / 3},  # as binary_g
    # down to rank 2 the ideal list has the gains 3 and 2, down to rank 4 all three; rank 4 costs 1
    {"normalized_gain(gain=linear)": (3 / log2(2 + 5 - 3) + 1 / log2(2 + 7 - 4)) / 6},
    {"normalized_gain(gain=linear)@2": 3 / log2(2 + 5 - 3) / 6},
    # of eight items a, b, c are the first three, and b, x, d relevant: one is both, three are neither
    {"accuracy@3": 4 / 8, "mcc@3": (1 * 3 - 2 * 2) / (3 * 3 * 5 * 5) ** 0.5},
    {"accuracy@8": 1 / 8, "mcc@8": 0, "mcc@9": None, "mcc(rel=9)@3": 0},
    # at 2, a stands above b, which is above four others; d and x have half of their pairs with these four
    {"catalog_auc@2": (4 + 4) / 15, "catalog_auc@1": 6 / 15},
]
CATALOG = pl.DataFrame({"item": [*"abcdefgx"]})

# The dcg of the list and of the ideal list for linear gains: down to ranks 2 and 4, and to ranks 2 and 3.
AT_2, AT_4, IDEAL_2, IDEAL_3 = 3 / log2(3), 3 / log2(3) + 1 / log2(5), 3 + 2 / log2(3), 3 + 2 / log2(3) + 1 / 2
LEVELS: Values = {
    "ndcg_at_relevant(gain=linear)": (AT_2 / IDEAL_2 + 2 * AT_4 / IDEAL_3) / 3,
    "ndcg_at_relevant(gain=linear)@2": AT_2 / IDEAL_2,
    "ndcg_at_levels(gain=linear)": (0 + AT_2 / IDEAL_2 + AT_2 / IDEAL_3 + AT_4 / IDEAL_3) / 4,
    "ndcg_at_levels(gain=linear)@4": (0 + AT_2 / IDEAL_2 + AT_2 / IDEAL_3) / 3,
}

# b, d and x are relevant; a is judged irrelevant, c is in the pool without a judgment. Above b is a: one item of the
# pool, judged irrelevant. Above d are a, b and c, of which a and b are judged.
POOL = {"b": 3, "x": 2, "d": 1, "a": 0, "c": -1}
E = 0.00001
AT_B = (1 + 1 * E / (1 + 2 * E)) / 2
OF_THE_POOL: Values = {
    "n_judged_misses": 2,
    "n_judged_misses(judged=from_zero)": 1,
    "n_judged_misses@1": 1,
    "inferred_ap": (AT_B + (1 + 3 * (1 + E) / (3 + 2 * E)) / 4) / 3,
    "inferred_ap(judged=from_zero)": (AT_B + (1 + 3 * (1 + E) / (2 + 2 * E)) / 4) / 3,
    "judged_share": 4 / 5,
    "judged_share@5": 1 - 1 / 5,
    "judged_share@1": 1,
    "rbp_residual(p=0.5)": 0.5**5 + 0.5 * 0.5**4,
    "rbp_residual(p=0.5)@2": 0.5**2,
    "rbp_residual(p=0.5, judged=from_zero)@4": 0.5**4 + 0.5 * 0.5**2,
    "rbp_residual(rel=4)": None,
    "precision_residual@5": 1 / 5,
    "precision_residual@8": 4 / 8,
    "precision_residual(judged=from_zero)@4": 1 / 4,
    "hit_residual@1": 0,
    "hit_residual(rel=2)@9": 0,
    "hit_residual(judged=from_zero, rel=3)@1": 0,
    "dcg_residual@6": 1 / log2(6) + 1 / log2(7),
    "dcg_residual(judged=from_zero)@3": 1 / log2(4),
    "n_recommended(unjudged=removed)": 4,
    "n_recommended(unjudged=removed_negative)": 3,
    "ap(unjudged=removed_negative)": (1 / 2 + 2 / 3) / 3,
}

# c and e are not judged, so a, b and d are at the ranks 1 to 3; of b, which the list repeats, one row or all stay.
CONDENSED: Values = {
    "n_recommended(unjudged=removed)": 4,
    "n_recommended(unjudged=removed, duplicates=first)": 3,
    "n_recommended(unjudged=removed)@2": 2,
    "judged_share(unjudged=removed)": 1,
    "precision(unjudged=removed)@3": 1 / 3,
    "precision(unjudged=removed, duplicates=first)@3": 2 / 3,
    "ap(unjudged=removed)": (1 / 2 + 2 / 4) / 3,
    "ap(unjudged=removed, duplicates=first)": (1 / 2 + 2 / 3) / 3,
    "rr(unjudged=removed)": 1 / 2,
    "rr": 1 / 3,
    # a and the repeat of b are misses; b is above the repeat alone, d above none
    "auc(unjudged=removed)": 1 / 4,
}

# A list that is missing or empty.
ZERO_OF_NOTHING = "hit recall rr ap ndcg r_precision rbp err dcg n_hits precision@5 f_beta@5 ap(divisor=k)@5"
UNDEFINED_OF_NOTHING = "precision precision(divisor=list)@5 ap(divisor=list) f_beta auc"
OF_NOTHING: Values = {
    **dict.fromkeys([*ZERO_OF_NOTHING.split(), "n_recommended", "ndcg@5"], 0),
    **dict.fromkeys(UNDEFINED_OF_NOTHING.split(), None),
    "n_relevant": 3,
}

# A list of five items, of which none is relevant.
UNDEFINED_OF_MISSES = "hit recall rr ap ndcg r_precision rbp err err(stop=graded) f_beta auc".split()
OF_MISSES: Values = {
    **dict.fromkeys([*UNDEFINED_OF_MISSES, *(f"{name}@3" for name in UNDEFINED_OF_MISSES)], None),
    **dict.fromkeys(("precision", "precision@3", "n_hits", "n_relevant", "dcg", "ideal_dcg"), 0),
    "ideal_dcg(ideal=all)@3": 0,
    "precision(divisor=relevant)": None,
    "n_recommended": 5,
    "recall(undefined=one)": 1,
}

TWO = {"b": 1, "d": 1}
TRUTH_OF_ALL = {"b": 3, "x": 2, "d": 1}
NEGATIVE = {"a": -2, "b": 3, "c": 0}
FRACTIONS = {"a": 0, "b": 1.5, "c": -2, "d": 5}
UNRATED = {"b": None, "d": nan, "x": 3}
EXAMPLES: Sequence[Example] = [
    *(("abcde", TRUTH_OF_ALL, values) for values in (*OF_THE_LIST, LEVELS)),
    ("abcde", POOL, OF_THE_POOL),
    # the ideal list is b, d, c, as the list has b before d; down to the ranks 1, 2 and 3 both have 0, 1 and 2 of them
    ("abdec", {"d": 2, "b": 2, "c": 1}, {"compat(p=0.5)@3": (0.5 * 1 / 2 + 0.25 * 2 / 3) / (1 + 0.5 + 0.25)}),
    ("abdec", {"d": 2, "b": 2, "c": 1}, {"compat(p=0.5, of=identical)@2": (0.5 * 1 / 2) / (1 + 0.5)}),
    # below rank 3 the ideal list has no more items
    (
        "abdec",
        {"d": 2, "b": 2, "c": 1},
        {"compat(p=0.5)@9": (1 / 4 + 1 / 6 + 1 / 16 + 3 / 80) / (7 / 4 + 3 / 32 + 3 / 80)},
    ),
    ("db", {"d": 2, "b": 2, "c": 1}, {"compat(p=0.5)@9": (1 + 0.5 + 1 / 6) / (7 / 4), "compat@2": 1}),
    ("bd", {"d": 1, "b": 2}, {"compat@1": 1, "compat@9": 1}),
    ("", {"d": 1}, {"compat@9": 0}),
    ("bd", {"d": 0}, {"compat@9": None}),
    ("ab", {"b": 0, "x": 1}, {"hit_residual@1": 1, "hit_residual@2": 1, "precision_residual@3": 2 / 3}),
    ("ab", {"a": 0, "b": 0, "x": 1}, {"hit_residual@2": 0, "hit_residual@3": 1}),
    ("acbbde", {"a": 0, "b": 3, "d": 1, "x": 2}, CONDENSED),
    ("abc", {"x": 1}, {"n_recommended(unjudged=removed)": 0, "hit(unjudged=removed)@1": 0}),
    ("", TRUTH_OF_ALL, OF_NOTHING),
    ([None], TRUTH_OF_ALL, OF_NOTHING),
    ("abcde", {"b": 0, "d": -1}, OF_MISSES),
    ("abcde", {"b": 0.5, "d": 1}, {"rr(rel=1)": 1 / 4}),
    ("ab", TRUTH_OF_ALL, {"ap(divisor=list)@9": (1 / 2) / 2, "ap@9": (1 / 2) / 3}),
    ("abcde", {"b": 0.5}, {"dcg(gain=exponential)": (2**0.5 - 1) / log2(3)}),
    ("abcde", dict.fromkeys("abc", 1), {"dcg(discount=lenskit)": 1 + 1 + 1 / log2(3)}),
    ("bxd", TRUTH_OF_ALL, {"ndcg": 1, "ndcg(gain=linear)@2": 1, "ndcg@1000": 1, "err": 1 / 2 + 1 / 8 + 1 / 24}),
    ("bda", TRUTH_OF_ALL, {"auc@2": None, "auc": 1, "partial_auc(positives=first)@2": 1, "partial_auc@2": 4 / 6}),
    ("bda", TRUTH_OF_ALL, {f"partial_auc(insufficient=undefined)@{k}": value for k, value in ((1, 2 / 3), (2, None))}),
    ("bda", TWO, {"partial_auc(insufficient=undefined)@2": 1}),
    ("bda", TRUTH_OF_ALL, {"fill_rate@2": 1, "fill_rate@4": 3 / 4, "fill_rate(per=list)@3": 1}),
    ("bda", TRUTH_OF_ALL, {"fill_rate(per=list)@4": 0}),
    ("bba", TRUTH_OF_ALL, {"unrepeated@1": 1, "unrepeated": 2 / 3, "unrepeated(per=list)@1": 1}),
    ("bba", TRUTH_OF_ALL, {"unrepeated(per=list)": 0}),
    ("bad", TRUTH_OF_ALL, {"interpolated_precision(at_recall=0.3)": 1, "interpolated_precision(at_recall=0.6)": 2 / 3}),
    # one hit is enough at the recall levels 0 to 0.3, two at 0.4 to 0.7; three were not found
    ("bad", TRUTH_OF_ALL, {"eleven_point_precision": (4 * 1 + 4 * 2 / 3 + 3 * 0) / 11}),
    # the ideal list costs 5, 6 and 7 down to the three ranks; the gains of the list are 5, 10 and 15
    ("bbb", {"b": 5}, {"normalized_gain(gain=linear, duplicates=each)": 1 + 1 + 1}),
    *(
        ("abcde", {"b": n, "d": n}, {f"err(stop=graded(max_rating={n}))": stop / 2 + (1 - stop) * stop / 4})
        for n, stop in ((n, 1 - 2.0**-n) for n in (10, 53, 54, 100))
    ),
    # a reader finds b with 0.5 at rank 2, else d with 1 at rank 4
    ("abcde", {"b": 0.5, "d": 1}, {"err(stop=rating)": 0.5 / 2 + 0.5 * 1 / 4}),
    ("abcde", {"b": 0.5, "d": 1}, {"err(decay=geometric, stop=rating)": 0.85 * 0.5 + 0.85**3 * 0.5 * 1}),
    ("abcde", {"b": 0.5, "d": 2}, {"err(stop=rating)": None, "err(stop=rating)@3": 0.5 / 2}),
    ("abcde", NEGATIVE, {"dcg(gain=positive, rel=-5)": 3 / log2(3), "ideal_dcg(gain=positive, rel=-5)": 3}),
    ("abcde", NEGATIVE, {"dcg(gain=linear, rel=-5)": -2 + 3 / log2(3)}),
    # above b stands a; above d stand a and c; R is 2, N is 2, or 1 of those that are not rated below 0
    ("abcde", {"a": -1, "b": 1, "c": 0, "d": 1}, {"bpref": (1 - 1 / 2 + 1 - 2 / 2) / 2}),
    ("abcde", {"a": -1, "b": 1, "c": 0, "d": 1}, {"bpref(judged=from_zero)": (1 + 1 - 1) / 2}),
    ("abcde", {"b": 1, "x": 1, "c": 0}, {"bpref(alone=undefined)": 1 / 2}),
    ("abcde", TWO, {"fall_out@1": 1 / 3, "fall_out@2": 1 / 3, "fall_out@3": 2 / 3, "fall_out": 1.0}),
    ("abcde", TWO, {"auc(alone=zero)@1": 0}),
    ("abcde", TWO, {"ndcg(discount=reciprocal)@4": (1 / 2 + 1 / 4) / (1 + 1 / 2), "auc(alone=zero)": 3 / 6}),
    ("abcde", TWO, {"ips_hits@2": 4 / 1, "ips_hits": 4 / 1}),  # b has one of four interactions
    ("bd", TWO, {"fall_out": None, "fall_out(undefined=one)": 1.0}),
    # repeated items are credited once, at their best rank
    ("abb", {"b": 3}, {"n_hits": 1, "n_recommended": 3, "precision@3": 1 / 3, "recall": 1, "rr": 1 / 2, "ap": 1 / 2}),
    ("abb", {"b": 3}, {"ndcg": 1 / log2(3), "rbp(p=0.5)": 0.5 * 0.5, "err": 0.5 / 2, "n_hits@1": 0, "auc": 1 / 2}),
    ("bab", {"b": 3}, {"rr": 1, "n_hits": 1, "precision": 1 / 3, "rr(duplicates=first)": 1}),
    # at each of its ranks, or at its first rank alone, where later items move up
    ("abbcd", TWO, {"n_hits(duplicates=each)@3": 2, "n_hits(duplicates=each)": 3, "recall(duplicates=each)": 3 / 2}),
    ("abbcd", TWO, {"n_hits(duplicates=first)@4": 2, "n_hits@4": 1, "n_recommended(duplicates=first)": 4}),
    ("abbcd", TWO, {"ap(duplicates=each)": (1 / 2 + 2 / 3 + 3 / 5) / 2, "ap(duplicates=first)": (1 / 2 + 2 / 4) / 2}),
    # relevant is what is rated above 0, or from `rel` on; a missing rating counts as 1
    ("abcde", {"a": 0, "b": 0.25, "c": -2, "d": 5}, {"n_relevant": 2, "rr": 1 / 2, "recall@2": 1 / 2}),
    ("abcd", {"a": -1, "b": 0, "c": None, "x": 2}, {"n_relevant(relevance=any)": 4, "n_hits(relevance=any)@2": 2}),
    ("abcd", {"a": -1, "b": 0, "c": None, "x": 2}, {"n_relevant(relevance=rated)": 2, "n_hits@2": 0}),
    ("abcde", FRACTIONS, {"n_relevant(rel=1.5)": 2, "n_relevant(rel=2)": 1, "rr(rel=2)": 1 / 4, "rr(rel=1.5)": 1 / 2}),
    ("abcde", FRACTIONS, {"n_relevant(rel=0)": 3, "n_relevant(rel=-3)": 4, "rr(rel=0)": 1}),
    ("abcde", {"a": -1, "b": 1, "c": -2, "d": 2}, {"rr(rel=1)": 1 / 2, "rr(rel=-1)": 1, "rr": 1 / 2, "ap(rel=1)@1": 0}),
    ("abcde", {"a": -1, "b": 1, "c": -2, "d": 2}, {"recall(rel=1)@2": 1 / 2, "recall(rel=-1)@2": 2 / 3}),
    ("abcde", {"a": -1, "b": 1, "c": -2, "d": 2}, {"dcg(gain=linear, rel=-1)@2": -1 + 1 / log2(3)}),
    ("abcde", UNRATED, {"n_relevant": 3, "n_relevant(rel=1)": 3, "n_relevant(rel=2)": 1}),
    ("abcde", UNRATED, {"dcg(gain=linear)": 1 / log2(3) + 1 / log2(5), "ideal_dcg(gain=linear)@1": 3}),
]

# c stands first, and a, b and d, of one score, share the ranks 2 to 4; e is last.
TIED = {"a": 5, "b": 5, "c": 7, "d": 5, "e": 1}
SHARE = (1 / log2(3) + 1 / log2(4) + 1 / log2(5)) / 3
OF_SCORES: Sequence[Example] = [
    (TIED, TRUTH_OF_ALL, {"dcg(tied=averaged)": 2 * SHARE, "ndcg(tied=averaged)": 2 * SHARE / BEST}),
    (TIED, TRUTH_OF_ALL, {"dcg(tied=averaged, gain=linear)": (3 + 1) * SHARE, "dcg": 1 / log2(4) + 1 / log2(5)}),
    # of the three ranks, two are within the first three; within the first, there is none
    (TIED, TRUTH_OF_ALL, {"dcg(tied=averaged)@3": 2 * (1 / log2(3) + 1 / log2(4)) / 3, "dcg(tied=averaged)@1": 0}),
    *(  # two scores in 64 bits are one in 32
        ({"a": 5 + 1e-9, "b": 5, "c": 5 + 1e-9}, {"b": 1}, {f"dcg(tied=averaged, ties={ties})": 1 / log2(4)})
        for ties in ("item", "item_desc", "text_desc")
    ),
    (TIED, {"a": 0, "d": 2}, {"rr(unjudged=removed, ties=expected)": (1 + 1 / 2) / 2, "rr(unjudged=removed)": 1 / 2}),
    ({"a": 1, "b": None, "c": nan}, {"b": 1}, {"dcg(tied=averaged)": (1 / log2(3) + 1 / log2(4)) / 2}),
]


def assert_examples(engine: Engine, make: Any, examples: Sequence[Example], **inputs: Any) -> None:
    """One query measures all metrics of all lists, each the list of its own user."""
    recs = pl.concat([make(items, user=user) for user, (items, *_) in enumerate(examples)], how="vertical_relaxed")
    truth = pl.concat([rated(ratings, user=user) for user, (_, ratings, _) in enumerate(examples)])
    labels = {text: rm.parse(text).label for *_, values in examples for text in values}
    rows = per_list(engine, recs, truth, [*labels], **inputs).to_dicts()
    assert len(rows) == len(examples)
    wrong = [
        (items, ratings, metric, value, row[labels[metric]])
        for (items, ratings, values), row in zip(examples, rows, strict=True)
        for metric, value in values.items()
        if row[labels[metric]] != about(value)
    ]
    assert wrong == []


@polars_and_later_duckdb
def test_metrics_have_the_values_worked_out(engine: Engine) -> None:
    history = pl.DataFrame({"user": [-1, -1, -2, -3], "item": [*"abcc"]})
    assert_examples(engine, ranked, EXAMPLES, catalog=engine.give(CATALOG), history=engine.give(history))


# The first list has a rating that is too high, though not of its hit; the second has the highest that works.
TOO_HIGH = pl.concat([rated({"z": 1500, "a": 1}), rated({"a": 900}, user=2)])
POWERS = ["dcg(gain=exponential)", "ndcg(gain=exponential)@1", "ideal_dcg(gain=excess)"]


def test_a_list_with_a_rating_that_is_too_high_for_a_power_has_no_value(any_engine: Engine) -> None:
    recs, metrics = pl.concat([RECS, ranked("abcde", user=2)]), [*POWERS, "dcg(gain=linear)"]
    first, second = per_list(any_engine, recs, TOO_HIGH, metrics, **any_engine.options).select(metrics).rows()
    assert first == (None, None, None, 1)
    assert second == pytest.approx((2.0**900, 1, 2.0**901, 900))


@polars_and_later_duckdb
def test_equal_scores_share_their_ranks_where_a_metric_averages_them(engine: Engine) -> None:
    assert_examples(engine, scored, OF_SCORES)
    recs = RECS.with_columns(score=pl.lit(0.5))  # ranks that are given are not shared
    assert_values(engine, {"dcg(tied=averaged)": 1 / log2(3) + 1 / log2(5)}, recs)
    repeated = pl.DataFrame({"user": [1] * 5, "item": ["a", "a", "b", "c", "d"], "score": [9, 9, 5, 5, 1]})
    expected = {
        "dcg(tied=averaged, duplicates=first)": (1 / log2(3) + 1 / log2(4)) / 2,
        "dcg(tied=averaged)": (1 / log2(4) + 1 / log2(5)) / 2,
    }
    assert_values(engine, expected, repeated, rated({"c": 1}))


LISTS = pl.concat([RECS, ranked("ab", user=2)])
TRUTHS = pl.concat([rated(TWO), rated({"a": 1, "x": 1}, user=2)])
OF_SYSTEMS: Values = {
    "pooled_precision@2": (1 + 1) / (2 + 2),
    "pooled_precision@3": (1 + 1) / (3 + 3),
    "pooled_precision(divisor=list)@3": (1 + 1) / (3 + 2),
    "pooled_precision(divisor=relevant)@1": (0 + 1) / (1 + 1),
    "f_beta_of_means@1": 2 * (1 / 2) * (1 / 4) / (1 / 2 + 1 / 4),
    "f_beta_of_means(beta=2, divisor=list)@3": 5 * (5 / 12) * (1 / 2) / (4 * 5 / 12 + 1 / 2),
    "weighted_auc": (2 * 3 / 6 + 2 * 1) / (2 + 2),
    "percentile_rank": 100 * (1 / 8 + 3 / 8 + 0 + (1 / 8 + 1) / 2) / 4,
    "exposure_entropy(over=items)@1": 0.0,
    "exposure_entropy(over=items)@2": 1 / 2,
    "exposure_entropy(over=items, unit=nats)@2": log(2) / 2,
}


@polars_and_later_duckdb
def test_metrics_of_a_system_have_the_values_worked_out(engine: Engine) -> None:
    (row,) = summary(engine, LISTS, TRUTHS, [*OF_SYSTEMS], catalog=engine.give(CATALOG))
    assert row == {"n_lists": 2} | {label: about(value) for label, value in OF_SYSTEMS.items()}


@polars_and_later_duckdb
def test_the_exposure_of_items_is_compared_with_what_lists_of_this_length_can_have(engine: Engine) -> None:
    recs = pl.concat([ranked(items, user=user) for user, items in enumerate(("ab", "ac", "da", "ab"))])
    # a has 4 recommendations, b 2, c and d 1; 2 each are as even as can be, and 4 of two items are as uneven
    expected = {
        "jain": 64 / (4 * 22),
        "jain(form=corrected)": (64 / 88 - 1 / 2) / (1 - 1 / 2),
        "gini(form=corrected)": (10 / 32 - 0) / (1 / 2 - 0),
        "exposure_entropy(unit=nats)": 7 / 4 * log(2),
        "exposure_entropy(unit=share)": 7 / 4 / 2,
        "exposure_entropy(unit=corrected)": (7 / 4 - 1) / (2 - 1),
        "coverage_disparity": ((1 - 2 / 4) + 2 * (1 - 1 / 4) + 2 * (1 - 1 / 2)) / 6,
        "satisfied_items": 2 / 4,
        "satisfied_items(form=corrected)": 0.0,
        # the first is a three times and d once, which are both satisfied
        "satisfied_items(form=corrected)@1": (2 / 4 - 1 / 4) / (1 - 1 / 4),
        "coverage_disparity@1": 1 - 1 / 3,
        "coverage(unit=corrected)@1": (2 - 1) / (4 - 1),
        "jain(form=corrected)@1": (16 / 40 - 1 / 4) / (1 - 1 / 4),
        "jain(form=corrected, weight=log2)@1": (16 / 40 - 1 / 4) / (1 - 1 / 4),
    }
    (row,) = summary(
        engine, recs, TRUTH, [*expected], catalog=engine.give(pl.DataFrame({"item": [*"abcd"]})), missing="listed"
    )
    assert row == {"n_lists": 4} | {label: about(value) for label, value in expected.items()}


# --- repeated rows and NULL ids ---------------------------------------------------------------------------------------


@polars_and_later_duckdb
def test_no_share_of_items_is_satisfied_where_no_list_was_scored(engine: Engine) -> None:
    metrics, of_others = ["satisfied_items", "satisfied_items(form=corrected)"], rated({"a": 1}, user=3)
    (row,) = summary(engine, LISTS, of_others, metrics, catalog=engine.give(CATALOG), missing="skip")
    assert row == {"n_lists": 0, **dict.fromkeys(metrics)}


def test_rbp_with_its_residual_is_rbp_with_every_unjudged_item_relevant(engine: Engine) -> None:
    known = {"a": 0, "b": 3, "x": 2}
    (bounds,) = per_list(engine, RECS, rated(known), ["rbp", "rbp_residual"]).drop("user").rows()
    (highest,) = per_list(engine, RECS, rated({**known, "c": 1, "d": 1, "e": 1}), ["rbp"])["rbp"]
    below_the_list = 0.85**5
    assert sum(bounds) == about(highest + below_the_list)


def test_other_metrics_with_residuals_are_those_of_lists_of_relevant_items(engine: Engine) -> None:
    for known in ({"a": 0, "b": 3, "x": 2}, {"a": 0, "x": 2}):
        truth, all_relevant = (
            rated(known),
            rated({**known, **dict.fromkeys("cde", 1), **({} if "b" in known else {"b": 1})}),
        )
        for metric in ("precision@4", "hit@1", "hit@3", "dcg@5", "dcg(discount=reciprocal)@4"):
            residual = metric.replace("(", "_residual(") if "(" in metric else metric.replace("@", "_residual@")
            (bounds,) = per_list(engine, RECS, truth, [metric, residual]).drop("user").rows()
            (highest,) = per_list(engine, RECS, all_relevant, [metric])[metric]
            assert sum(bounds) == about(highest), metric


def test_compat_is_the_greatest_overlap_with_any_ideal_list(engine: Engine) -> None:
    ratings = {"b": 2, "d": 2, "e": 1, "a": 1, "x": 1}
    (found,) = per_list(engine, RECS, rated(ratings), ["compat(p=0.8, of=identical)@9"]).drop("user").row(0)
    overlaps = [
        sum(0.8 ** (depth - 1) * len({*"abcde"[:depth]} & {*ideal[:depth]}) / depth for depth in range(1, 6))
        for ideal in permutations(ratings)
        if [ratings[item] for item in ideal] == sorted(ratings.values(), reverse=True)
    ]
    assert len(overlaps) == 2 * 6
    assert found == about(max(overlaps) / sum(0.8 ** (depth - 1) for depth in range(1, 6)))


def test_of_repeats_in_the_truth_the_highest_rating_is_taken(engine: Engine) -> None:
    truth = pl.concat([rated({"b": 1, "d": 2}), rated({"b": 3, "d": 0}), rated({"b": 2})])
    expected = {"n_relevant": 2, "recall": 1, "dcg(gain=linear)": 3 / log2(3) + 2 / log2(5), "n_relevant(rel=3)": 1}
    assert_values(engine, expected, truth=truth)
    unrated = pl.concat([rated({"b": None, "d": nan}), rated({"b": 0, "d": 0.5})])
    assert_values(engine, {"dcg(gain=linear)": 1 / log2(3) + 1 / log2(5)}, truth=unrated)


def test_without_a_rating_column_every_row_of_the_truth_is_relevant(engine: Engine) -> None:
    assert_values(engine, {"n_relevant": 3, "recall": 2 / 3, "ndcg@1": 0}, truth=TRUTH.drop("rating"))


# --- Lists, systems, their means, and the order of a list -------------------------------------------------------------


def two_systems() -> tuple[pl.DataFrame, pl.DataFrame]:
    """A finds user 1's item first and user 2's first; B finds user 1's second and has no list for user 2."""
    a = pl.concat([ranked("xy", user=1), ranked("z", user=2)]).with_columns(algorithm=pl.lit("A"))
    b = ranked("yx", user=1).with_columns(algorithm=pl.lit("B"))
    return pl.concat([a, b]), pl.concat([rated({"x": 1}, user=1), rated({"z": 1}, user=2)])


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
        {"country": "DE", "n_lists": 1, "rr": 1},  # B has no list in DE: it is not compared there
        {"country": "NL", "n_lists": 2, "rr": (1 / 2 + 1) / 2},
    ]


# Scores of items, the policy `ties`, and the rank of each item.
ORDERS: Sequence[tuple[Mapping[Any, float | None], str | None, Sequence[int]]] = [
    ({"a": 0.1, "b": 0.3, "c": -1, "d": 0.2}, None, [3, 1, 4, 2]),
    ({"a": None, "b": -9, "c": nan, "d": 1, "e": -inf}, None, [4, 2, 5, 1, 3]),
    ({"a": -inf, "b": 0, "c": inf, "d": 1}, None, [4, 3, 1, 2]),
    # of equal scores, the lower item is first
    *(({"c": 1, "a": 1, "d": 2, "b": 1}, ties, [4, 2, 1, 3]) for ties in (None, "item")),
    ({10: 1, 9: 1}, None, [2, 1]),
    ({"10": 1, "9": 1, "a": 1, "B": 1}, None, [1, 2, 4, 3]),
    # the higher item
    ({"c": 1, "a": 1, "d": 2, "b": 1}, "item_desc", [2, 4, 1, 3]),
    ({"c": None, "a": nan, "d": 2, "b": None}, "item_desc", [2, 4, 1, 3]),
    # the item that is higher as text, and scores are equal if they are in 32 bits
    ({100: 1, 99: 1, 9: 1, 20: 2}, "text_desc", [4, 2, 3, 1]),
    ({"100": 1, "99": 1, "9": 1, "20": 2}, "text_desc", [4, 2, 3, 1]),
    ({"b": 1, "B": 1, "é": 1, "z": 1}, "text_desc", [3, 4, 1, 2]),
    ({"a": 5 + 2e-9, "b": 5 + 1e-9, "c": 5 + 1e-6}, "text_desc", [3, 2, 1]),
    ({"a": 5 + 2e-9, "b": 5 + 1e-9, "c": 5 + 1e-6}, None, [2, 3, 1]),
    ({"a": 2**40 + 1, "b": 2**40, "c": -(2**40)}, "text_desc", [2, 1, 3]),
    # the earlier row
    ({"c": 1, "a": 1, "d": 2, "b": 1, "e": None}, "input", [2, 3, 1, 4, 5]),
]


@polars_and_later_duckdb
def test_higher_scores_are_first_and_equal_ones_in_the_order_of_the_policy(engine: Engine) -> None:
    for scores, ties, ranks in ORDERS:
        options = {"ties": ties} if ties else {}
        assert found_at(engine, scored(scores), [*scores], **options) == ranks, (scores, ties)


@polars_and_later_duckdb
def test_a_rank_column_stands_as_it_is(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1] * 3, "item": ["a", "b", "c"], "rank": [5, 1, 3], "score": [0.9, 0.5, 0.1]})
    assert found_at(engine, recs, "abc") == [5, 1, 3]
    assert_values(engine, {"n_recommended@3": 2, "precision": 1 / 3}, recs=recs)


@polars_and_later_duckdb
def test_rows_without_rank_and_score_may_be_ranked_as_they_come(engine: Engine) -> None:
    assert found_at(engine, ranked("cab").drop("rank"), "abc", ties="input") == [2, 3, 1]


def test_the_mean_over_orders_counts_a_repeated_item_at_its_first_rank(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1, 1, 1], "item": [*"aba"], "score": [0.5] * 3})
    truth = pl.DataFrame({"user": [1], "item": ["a"]})
    metric = "dcg(tied=averaged, duplicates=once, discount=geometric(p=0.3))"
    result = rm.evaluate(engine.give(recs), engine.give(truth), metric)
    # two of the three orders begin with a, the third with b
    assert engine.read(result.summary())[rm.parse(metric).label].item() == pytest.approx(2 / 3 * 1 + 1 / 3 * 0.3)


# --- predicted ratings ------------------------------------------------------------------------------------------------

# User 1: errors -1 and 2; c has no score, d no rating. User 2: error 2, as the higher score of a repeated item counts.
PREDICTED = pl.DataFrame({"user": [1, 1, 1, 1, 2, 2], "item": [*"abcdaa"], "score": [4.0, 3.0, nan, 2.0, 2.0, 1.0]})
RATED = pl.DataFrame({"user": [1, 1, 1, 2, 3], "item": [*"abcae"], "rating": [5.0, 1.0, 2.0, 0.0, 1.0]})
ERRORS = {"mae": 5 / 3, "mse": 9 / 3, "rmse": 3**0.5, "mae@1": 3 / 2, "rmse@1": (5 / 2) ** 0.5}


@each_engine
def test_errors_of_predictions_are_over_all_pairs_with_a_score_and_a_rating(engine: Engine) -> None:
    recs, truth = engine.give(PREDICTED), engine.give(RATED)
    for convention, names in ((None, ERRORS), ("elliot", {"MAE": 5 / 3, "RMSE": 3**0.5})):
        result = rm.evaluate(recs, truth, [*names], convention=convention, ties="item", **engine.options)
        assert summarized(result).row(0)[1:] == pytest.approx((*names.values(),))


def test_errors_of_predictions_are_undefined_without_scores() -> None:
    recs = PREDICTED.select("user", "item", rank=pl.int_range(1, 7))
    assert summarized(rm.evaluate(recs, RATED, ["mae", "mse", "rmse"])).row(0)[1:] == (None, None, None)
