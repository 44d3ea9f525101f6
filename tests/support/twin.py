"""A plain-Python twin of the metrics of lists: slow, short, written to be read next to the headers of sql/metrics.

A value of None means "undefined"; it is never 0 and never NaN. k, n, R and h are those of twin_inputs.py.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations, product
from typing import Any

from rankmetrics.metrics.catalog import catalog
from tests.support import twin_log, twin_subtopics
from tests.support.twin_inputs import (
    Asked,
    Case,
    Inputs,
    Item,
    ListKey,
    MetricValue,
    best_ranks,
    discount_of,
    gain_of,
    make_case,
    mean,
    ratio,
    total,
)

# --- hits and places --------------------------------------------------------------------------------------------------


def n_recommended(case: Case) -> MetricValue:
    """n."""
    return case.n


def n_relevant(case: Case) -> MetricValue:
    """R."""
    return case.R


def n_hits(case: Case) -> MetricValue:
    """Sum of the weights of the hits: h, if each weighs 1."""
    return total(weight for *_, weight in case.weighted)


def n_ideal_hits(case: Case) -> float:
    """Sum of the min(k, R) highest weights of relevant items: min(k, R), if each weighs 1."""
    return total(sorted(map(case.weight, case.relevant), reverse=True)[: case.k])


def hit(case: Case) -> MetricValue:
    """The weight of the first hit (1 without weights), 0 without a hit; None if R = 0."""
    return next((weight for *_, weight in case.weighted), 0.0) if case.R else None


def all_relevant(case: Case) -> MetricValue:
    """1 if every relevant item has a rank of 1 to k, else 0; None if R = 0."""
    return float(case.relevant <= {item for _, item, _ in case.hit_items}) if case.R else None


def precision(case: Case, divisor: str = "k") -> MetricValue:
    """n_hits / k (no cutoff: n), / n ("list"), / min(k, R) ("relevant") or / min(n, R) ("achievable"); None of 0."""
    below = {"k": case.k_or_n, "list": case.n, "relevant": case.capped, "achievable": min(case.n, case.R)}[divisor]
    return ratio(n_hits(case) or 0, below)


def recall(case: Case, divisor: str = "relevant") -> MetricValue:
    """n_hits / R, or n_hits / min(k, R) ("capped"); None if R = 0."""
    return ratio(n_hits(case) or 0, {"relevant": case.R, "capped": case.capped}[divisor])


def rr(case: Case) -> MetricValue:
    """Weight / rank of the first hit, 0 without one; None if R = 0."""
    return next((weight / rank for rank, _, weight in case.weighted), 0.0) if case.R else None


def clicks(case: Case, page_size: float = 10) -> MetricValue:
    """Whole pages of page_size items above the first hit; k / page_size + 1 without one; None if R = 0."""
    if case.R == 0 or case.k is None:
        return None
    return next(((rank - 1) // page_size for rank, _ in case.hits), case.k / page_size + 1)


def r_precision(case: Case, divisor: str = "capped", hitless: str = "zero") -> MetricValue:
    """Sum of the weights of the hits with rank <= c, over c = min(k, R), or over R if divisor=relevant; None if R = 0.

    hitless=undefined: None, too, if there is no such hit.
    """
    hits = total(weight for rank, _, weight in case.weighted if rank <= case.capped)
    if hits == 0 and hitless == "undefined":
        return None
    return ratio(hits, {"capped": case.capped, "relevant": case.R}[divisor])


def err(
    case: Case, stop: str = "binary", max_rating: float = 5, decay: str = "reciprocal", p: float = 0.85
) -> MetricValue:
    """Sum over hits of decay * stop * product of (1 - earlier stops); None if R = 0.

    stop is 0.5, or (2**rating - 1) / 2**max_rating if graded, or the rating; None if a hit is rated above max_rating,
    or above 1. decay is 1 / rank, or p**(rank - 1).
    """
    highest = {"binary": math.inf, "graded": max_rating, "rating": 1}[stop]
    if case.R == 0 or any(rating > highest for _, rating in case.hits):
        return None
    found, still_reading = 0.0, 1.0
    for rank, rating in case.hits:
        stops = {"binary": 0.5, "graded": (2**rating - 1) / 2**max_rating, "rating": rating}
        found += (1 / rank if decay == "reciprocal" else p ** (rank - 1)) * stops[stop] * still_reading
        still_reading *= 1 - stops[stop]
    return found


def ap(case: Case, at: str = "hits", divisor: str = "capped", cap: int = 10) -> MetricValue:
    """Sum of precisions over the divisor; None if R or the divisor is 0.

    The precision at a hit is its weight times (1 + the weights of the hits above) / rank.
    at=places: of h(r) / r at every r of 1..k, hit or not, h(r) being the hits among the first r places.
    divisor=fixed: min(cap, R).
    """
    if case.R == 0:
        return None
    if at == "places":
        assert case.k is not None
        ranks = [rank for rank, _ in case.hits]
        above = total(sum(1 for rank in ranks if rank <= r) / r for r in range(1, case.k + 1))
    else:
        so_far = accumulate((weight for *_, weight in case.weighted), initial=0.0)
        above = total(
            weight * (1 + found) / rank for (rank, _, weight), found in zip(case.weighted, so_far, strict=False)
        )
    below = {
        "capped": case.capped,
        "relevant": case.R,
        "k": case.k_or_n,
        "list": min(case.n, case.R),
        "hits": max(case.h, 1),
        "fixed": min(cap, case.R),
    }[divisor]
    return ratio(above, below)


def auc(case: Case, alone: str = "undefined") -> MetricValue:
    """Share of (hit, miss) pairs with the hit first; credited: 1 for nothing but hits, 0 for no hit; zero: 0 for both.

    The misses are the places that hold no hit, to the last rank; to min(k, pool) where lists say their pool.
    """
    last = case.last_place
    if case.is_pooled and case.pool is not None:
        last = case.pool if case.k is None else min(case.k, case.pool)
    hits = [rank for rank, _ in case.hits]
    misses = [rank for rank in range(1, last + 1) if rank not in hits]
    if hits and misses:
        return sum(1 for hit, miss in product(hits, misses) if hit < miss) / (len(hits) * len(misses))
    return {"undefined": None, "zero": 0.0, "credited": float(bool(hits))}[alone]


def shares_above(case: Case) -> list[float] | None:
    """Of each hit, the share of irrelevant items of the catalogue that stand below it: none of those above is a hit.

    Their number is counted, not looked up: all, less the owner's, less the relevant ones, and one more, as Elliot does;
    None if that leaves none.
    """
    n = len(case.inputs.known) - len(case.history) - case.R + 1
    if n <= 0:
        return None
    return [1 - (rank - number) / n for number, (rank, _) in enumerate(case.hits, start=1)]


def gauc(case: Case, divisor: str = "relevant") -> MetricValue:
    """Sum of these shares over R, or over min(k, R) if capped: an item not found adds 0; None if R = 0, or without."""
    shares = shares_above(case)
    if shares is None:
        return None
    return ratio(total(shares), {"relevant": case.R, "capped": case.capped}[divisor])


def fall_out(case: Case) -> MetricValue:
    """Places without a hit over the candidates less R; None without a place, or if that is 0."""
    return None if case.pool is None else ratio(case.n - case.h, case.pool - case.R)


def catalog_auc(case: Case) -> MetricValue:
    """Expected share of (relevant, irrelevant) pairs of the catalogue in order; beyond the first k all is drawn."""
    assert case.k is not None
    hits = [rank for rank, _ in case.hits]
    misses = [rank for rank in range(1, case.k + 1) if rank not in hits]
    n_irrelevant = len(case.inputs.known) - case.R
    won = sum(1 for hit, miss in product(hits, misses) if hit < miss)
    below = (len(hits) + case.R) / 2 * (n_irrelevant - len(misses))  # a hit wins, any other wins half the time
    return ratio(won + below, case.R * n_irrelevant)


def ips_hits(case: Case) -> MetricValue:
    """Sum over hits of all interactions over those with the item, 10000 at most, 0 if unknown; None if R = 0."""
    known = case.inputs.popularity
    weights = [min(sum(known.values()) / known[item], 10_000) for _, item, _ in case.hit_items if item in known]
    return total(weights) if case.R else None


def fill_rate(case: Case, per: str = "position") -> MetricValue:
    """Places over k; list: whether they are k."""
    assert case.k is not None
    return case.n / case.k if per == "position" else float(case.n == case.k)


def unrepeated(case: Case, per: str = "item") -> MetricValue:
    """Items over places; list: whether there are as many; None of an empty list."""
    share = ratio(len({*case.places}), case.n)
    return share if per == "item" or share is None else float(share == 1)


def mean_recall(case: Case) -> MetricValue:
    """Mean of h(r) / R over r = 1..k (without a cutoff, to the last rank); None if R = 0 or there is no place."""
    if case.R == 0:
        return None
    last = case.last_place if case.k is None else case.k
    return mean([total(w for rank, _, w in case.weighted if rank <= r) / case.R for r in range(1, last + 1)])


def weighted_precision(case: Case, discount: str = "log2", p: float = 0.85) -> MetricValue:
    """Discounts of the hits over discounts of the places; None if R = 0 or the list is empty."""
    if case.R == 0:
        return None
    above = total(weight * discount_of(discount, rank, p) for rank, _, weight in case.weighted)
    return ratio(above, total(discount_of(discount, rank, p) for rank, _ in case.ranked))


def weighted_recall(case: Case, discount: str = "log2", p: float = 0.85) -> MetricValue:
    """Discounts of the hits over R; None if R = 0."""
    return ratio(total(weight * discount_of(discount, rank, p) for rank, _, weight in case.weighted), case.R)


def bpref(case: Case, judged: str = "any", alone: str = "credited") -> MetricValue:
    """1/R times the sum over hits, each once, of 1 - min(a, R) / min(N, R), as trec_eval has it; None if R = 0.

    N items were judged irrelevant (from_zero: those of them that are not rated below 0), a of them stand above the hit.
    Where N = 0 a hit is worth 1; alone=undefined: then the list is undefined.
    """
    irrelevant = {
        item for item, rating in case.judged.items() if item not in case.relevant and (judged == "any" or rating >= 0)
    }
    r, bound = case.R, min(len(irrelevant), case.R)
    shares = []
    for rank, item in best_ranks(case.ranked):
        if item not in case.relevant:
            continue
        above = len({item for other, item in case.ranked if other < rank} & irrelevant)
        shares.append(1 - min(above, r) / bound if bound else 1.0)
    return None if shares and not bound and alone == "undefined" else ratio(total(shares), r)


def unjudged(case: Case) -> MetricValue:
    """Places whose item the truth does not mention, over n; None of an empty list."""
    return ratio(sum(1 for item in case.places if item not in case.judged), case.n)


def judged_share(case: Case) -> MetricValue:
    """Places whose item the truth mentions, over n; None of an empty list."""
    return ratio(sum(1 for item in case.places if item in case.judged), case.n)


def rbp(case: Case, of: str = "endless", p: float = 0.85, gain: str = "binary") -> MetricValue:
    """(1 - p) times the sum over hits of gain times p**(rank - 1); of=best: over that of min(n, R) hits on top."""
    if case.R == 0:
        return None
    found = total(weight * gain_of(gain, rating, case.rel) * p ** (rank - 1) for rank, rating, weight in case.weighted)
    if of == "endless":
        return (1 - p) * found
    return ratio(found, total(p**place for place in range(min(case.n, case.R))))


def rbp_residual(case: Case, p: float = 0.85, judged: str = "any") -> MetricValue:
    """1 less (1 - p) times the sum over judged items, each at its best rank, of p**(rank - 1); None if R = 0."""
    return 1 - (1 - p) * total(p ** (rank - 1) for rank in judged_ranks(case, judged)) if case.R else None


def compat(case: Case, of: str = "ideal", p: float = 0.85) -> MetricValue:
    """Sum over depths d to min(k, max(n, R)) of p**(d - 1) / d times the items that both lists have down to d.

    Over the same of the ideal list with itself (ideal), or of two equal lists (identical); None if R = 0, 0 if n = 0.
    """
    if case.R == 0:
        return None
    place = {item: rank for rank, item in best_ranks(case.ranked)}
    ideal = sorted(case.relevant, key=lambda item: (-case.judged[item], place.get(item, math.inf)))
    assert case.k is not None
    depths = range(1, min(case.k, max(case.last_place, case.R)) + 1) if case.n else range(0)
    shared, own, equal = (
        total(p ** (depth - 1) / depth * count(depth) for depth in depths)
        for count in (
            lambda depth: sum(place.get(item, math.inf) <= depth for item in ideal[:depth]),
            lambda depth: len(ideal[:depth]),
            lambda depth: depth,
        )
    )
    return ratio(shared, own if of == "ideal" else equal) or 0.0


def judged_ranks(case: Case, judged: str) -> list[int]:
    """The best ranks of the recommended items that are judged."""
    known = {item for item, rating in case.judged.items() if judged == "any" or rating >= 0}
    return [rank for rank, item in best_ranks(case.ranked) if item in known]


def precision_residual(case: Case, judged: str = "any") -> MetricValue:
    """1 - judged items / k."""
    return 1 - len(judged_ranks(case, judged)) / case.k_or_n


def hit_residual(case: Case, judged: str = "any") -> MetricValue:
    """1 without a hit among the first k, if fewer than k items are judged, else 0; None if R = 0."""
    return float(not case.hits and len(judged_ranks(case, judged)) < case.k_or_n) if case.R else None


def dcg_residual(case: Case, discount: str = "log2", p: float = 0.85, judged: str = "any") -> MetricValue:
    """Sum over the ranks to k of the discount, less that over judged items."""
    every, known = range(1, case.k_or_n + 1), judged_ranks(case, judged)
    every_discount, of_judged = (total(discount_of(discount, rank, p) for rank in ranks) for ranks in (every, known))
    return every_discount - of_judged


def dcg(case: Case, gain: str = "binary", discount: str = "log2", p: float = 0.85, tied: str = "ranked") -> float:
    """Sum over hits of gain times discount.

    averaged: the mean discount, over all orders of equal scores, of the rank of the hit, 0 beyond k; hits below k are
    among them. Of n ranks with the score, m of them of the hit's item, rank j + 1 is the first of its ranks in
    C(n - 1 - j, m - 1) / C(n, m) of the orders.
    """
    if tied == "ranked":
        return total(
            weight * gain_of(gain, rating, case.rel) * discount_of(discount, rank, p)
            for rank, rating, weight in case.weighted
        )
    credited = Counter(item for _, item, _ in case.credited)

    def worth(rank: int, item: Item) -> float:
        level = sorted(case.levels[rank])
        n, m = len(level), sum(1 for other, of in case.whole if other in level and of == item and credited[item] == 1)
        chances = [math.comb(n - 1 - j, max(m, 1) - 1) / math.comb(n, max(m, 1)) for j in range(n)]
        return total(
            discount_of(discount, one, p) * chance
            for one, chance in zip(level, chances, strict=True)
            if case.k is None or one <= case.k
        )

    return total(gain_of(gain, rating, case.rel) * worth(rank, item) for rank, item, rating in case.credited)


def ideal_dcg(
    case: Case,
    gain: str = "binary",
    discount: str = "log2",
    p: float = 0.85,
    ideal: str = "k",
    negatives: str = "counted",
) -> float:
    """The dcg of all relevant items, highest rating first, cut at k unless ideal=all; left_out: no negative gains.

    With weights: the highest product of weight and gain first; items without a propensity have no place.
    """
    length = {"k": case.capped, "all": case.R}[ideal]
    gains = [gain_of(gain, rating, case.rel) for rating in case.ratings]
    if case.weights is not None:
        products = (weight * gain_of(gain, case.judged[item], case.rel) for item, weight in case.weights.items())
        gains = sorted(products, reverse=True)
    gains = gains[:length]
    if negatives == "left_out":
        gains = [max(one, 0) for one in gains]
    return total(one * discount_of(discount, rank, p) for rank, one in enumerate(gains, start=1))


def ndcg(
    case: Case,
    gain: str = "binary",
    discount: str = "log2",
    p: float = 0.85,
    share: str = "best",
    ideal: str = "k",
    negatives: str = "counted",
    tied: str = "ranked",
) -> MetricValue:
    """dcg / ideal_dcg; share=full: over the discounts of the first k places. None if nothing is relevant.

    share=unweighted: over the ideal_dcg at k without weights.
    """
    if case.R == 0:
        return None
    above = dcg(case, gain, discount, p, tied)
    if share == "best":
        return ratio(above, ideal_dcg(case, gain, discount, p, ideal, negatives))
    if share == "unweighted":
        return ratio(above, _ideal(case, case.k, gain, discount, p))
    assert case.k is not None
    return ratio(above, total(discount_of(discount, rank, p) for rank in range(1, case.k + 1)))


def confusion(case: Case) -> tuple[int, int, int, int]:
    """Of all known items, how many are among k places and relevant, among them only, relevant only, neither."""
    assert case.k is not None
    tp, fp, fn = case.h, case.k - case.h, case.R - case.h
    return tp, fp, fn, len(case.inputs.known) - case.k - fn


def accuracy(case: Case) -> MetricValue:
    """(tp + tn) over the items that could be recommended; None if there is none."""
    tp, _, _, tn = confusion(case)
    return ratio(tp + tn, len(case.inputs.known))


def mcc(case: Case) -> MetricValue:
    """(tp tn - fp fn) over the root of the product of the four sums; 0 if one is 0; None if one would be below 0."""
    tp, fp, fn, tn = confusion(case)
    sums = (tp + fp, tp + fn, tn + fp, tn + fn)
    if min(sums) < 0:
        return None
    return 0.0 if 0 in sums else (tp * tn - fp * fn) / math.sqrt(math.prod(sums))


def partial_auc(case: Case, positives: str = "all", insufficient: str = "counted") -> MetricValue:
    """Pairs of a relevant item and one of the first k irrelevant places, the item first, over all such; None if R = 0.

    first: of the first k hits only. Places that the list does not hold are irrelevant ones behind what it holds.
    insufficient=undefined: None if the list lacks a relevant item and has fewer than k places without a hit.
    """
    assert case.k is not None
    ranks = sorted(rank for rank, _, _ in case.credited)
    is_short = case.last_rank - len(ranks) < case.k and len(ranks) < case.R
    if insufficient == "undefined" and is_short:
        return None
    won = [max(0, case.k - (rank - number)) for number, rank in enumerate(ranks, start=1)]
    if positives == "first":
        return ratio(sum(won[: case.k]), case.k * min(case.k, case.R))
    return ratio(sum(won), case.k * case.R)


def f_beta(
    case: Case, beta: float = 1, metric_0: str = "precision", metric_1: str = "recall", weighting: str = "squared"
) -> MetricValue:
    """(1 + w) P R / (w P + R) of any two metrics P and R, w = b^2 or b; 0 if both are 0, None if one is None."""
    p, r = (inner(case, one) for one in (metric_0, metric_1))
    if p is None or r is None:
        return None
    weight = {"squared": beta**2, "plain": beta}[weighting]
    return 0.0 if p == 0 and r == 0 else (1 + weight) * p * r / (weight * p + r)


def inner(case: Case, text: str) -> MetricValue:
    """A metric of the same list, from a text such as `precision(divisor=list)`."""
    name, _, inside = text.removesuffix(")").partition("(")
    settings = dict(one.strip().split("=") for one in inside.split(",") if one)
    return OF_LISTS[name](case, **settings)


# --- metrics of the history and of a baseline -------------------------------------------------------------------------


def unseen(case: Case, alone: str = "undefined", divisor: str = "list") -> MetricValue:
    """1 - places whose item its owner knew, over the divisor; an empty list: None, or 1 if alone=one."""
    if case.n == 0:
        return None if alone == "undefined" else 1.0
    return 1 - sum(1 for item in case.places if item in case.history) / case.over(divisor)


def unexpectedness(case: Case, alone: str = "undefined", divisor: str = "list") -> MetricValue:
    """1 - places whose item the baseline has, over the divisor; an empty list or baseline: None, or 0 if alone=zero."""
    if case.n == 0 or not case.expected:
        return None if alone == "undefined" else 0.0
    return 1 - sum(1 for item in case.places if item in case.expected) / case.over(divisor)


def serendipity(case: Case, divisor: str = "list") -> MetricValue:
    """Hits that the baseline has not, over the divisor; None if the list has no baseline, or the divisor is 0."""
    if not case.expected:
        return None
    return ratio(sum(1 for _, item, _ in case.hit_items if item not in case.expected), case.over(divisor))


def overlap(case: Case, alone: str = "undefined", baseline_k: int | None = None) -> MetricValue:
    """Share of the places whose item is among the first baseline_k of the baseline; None if the list is empty.

    Without a baseline: None, or 0 if alone=zero.
    """
    if not case.expected:
        return 0.0 if alone == "zero" and case.n else None
    last = baseline_k or case.k
    theirs = {item for rank, item in case.baseline if last is None or rank <= last}
    return mean([float(item in theirs) for item in case.places])


def rbo(case: Case, beyond: str = "scaled", tied: str = "ranked", p: float = 0.85) -> MetricValue:
    """Sum over d = 1..k of p**(d - 1) |A_d & B_d| / d, over the sum of p**(d - 1); None if A or B is empty.

    With beyond=extrapolated, equation 32 of Webber et al. (2010) for the first k of each list.
    """
    assert case.k is not None
    if case.n == 0 or not case.expected:
        return None
    ranked, baseline = ([(rank, item) for rank, item in of if rank <= case.k] for of in (case.ranked, case.baseline))

    def shared(d: int) -> int:
        ours, theirs = ({item for rank, item in of if rank <= d} for of in (ranked, baseline))
        return len(ours & theirs)

    if beyond == "scaled":
        weights = {d: p ** (d - 1) for d in range(1, case.k + 1)}
        return total(weight * shared(d) / d for d, weight in weights.items()) / total(weights.values())
    if tied != "ranked" and not any("rank" in row or "score" not in row for row in case.candidates):
        return tied_rbo(case, tied, p)
    short, long = sorted(max(rank for rank, _ in of) for of in (ranked, baseline))
    seen = total(shared(d) / d * p**d for d in range(1, long + 1))
    unseen = total(shared(short) * (d - short) / (short * d) * p**d for d in range(short + 1, long + 1))
    below = (shared(long) - shared(short)) / long + shared(short) / short
    return (1 - p) / p * (seen + unseen) + below * p**long


def tied_rbo(case: Case, tied: str, p: float) -> float:
    """Extrapolated RBO^w, RBO^a or RBO^b of Corsi and Urbano (2024); ties go on below k, where the lists end."""
    assert case.k is not None
    k, lists = case.k, ((case.whole, case.levels), (case.baseline, case.baseline_levels))
    lengths = [max(rank for rank, _ in of if rank <= k) for of in (case.ranked, case.baseline)]
    short, long = min(lengths), max(lengths)
    longer = 0 if lengths[0] > lengths[1] else 1
    groups = [{item: levels[rank] for rank, item in reversed(of)} for of, levels in lists]

    def share(group: Sequence[int], d: int) -> float:
        part = min(1.0, max(0.0, (d - min(group) + 1) / (max(group) - min(group) + 1)))
        return float(part > 0) if tied == "equal" else part

    def size(levels: Mapping[int, Sequence[int]], d: int) -> float:
        """The sum of the shares (tied=equal), or of their squares, of all items down to d."""
        group = levels.get(d, [d])
        above = min(group) - 1
        return max(group) if tied == "equal" else above + len(group) * share(group, d) ** 2

    def agreement(d: int, at_end: float) -> float:
        pairs = [(share(groups[0][item], d), share(groups[1][item], d)) for item in groups[0].keys() & groups[1].keys()]
        pairs = [pair for pair in pairs if min(pair) > 0]
        met = total(first * second for first, second in pairs)
        if d > short and tied == "equal":
            met += (d - short) * at_end
        elif d > short:
            alone = max(lists[longer][1].get(d, [0])) - len(pairs)
            met += (d - short) * at_end * (d - total(pair[longer] for pair in pairs)) / alone if alone > 0 else 0
        sizes = [size(levels, d) for _, levels in lists]
        return met / {"equal": sum(sizes) / 2, "averaged": d, "corrected": math.sqrt(sizes[0] * sizes[1])}[tied]

    at_end = agreement(short, 0)
    values = [agreement(d, at_end) for d in range(1, long + 1)]
    return (1 - p) * total(p**place * value for place, value in enumerate(values)) + p**long * values[-1]


def least_item_promoted(case: Case) -> MetricValue:
    """How many places lie between the first k of the baseline and the deepest of its items that is among the first k.

    None without a baseline.
    """
    assert case.k is not None
    if not case.baseline:
        return None
    return max([0, *(rank - 1 - case.k for rank, item in case.baseline if item in case.places)])


def preferences(case: Case) -> list[int]:
    """For each number of relevant items: 1 if the list has as many at a higher rank than the baseline, -1 if a lower.

    0 if both have as many at the same rank, or neither has.
    """
    ours = [rank for rank, _, _ in case.hit_items]
    theirs = [rank for rank, item in sorted(case.baseline) if item in case.relevant and (not case.k or rank <= case.k)]
    never = [math.inf] * case.R
    pairs = [*zip([*ours, *never], [*theirs, *never], strict=False)][: case.R]
    return [(first < second) - (first > second) for first, second in pairs]


def rpp(case: Case, level_weight: str = "uniform") -> MetricValue:
    """The weighted mean of the preferences; None without relevant items."""
    levels = range(1, case.R + 1)
    weights_of = {
        "uniform": [1.0 for _ in levels],
        "log2": [1 / math.log2(i + 1) for i in levels],
        "reciprocal": [1 / i for i in levels],
    }
    weights = weights_of[level_weight]
    return ratio(sum(map(operator.mul, weights, preferences(case))), sum(weights))


def lexirecall(case: Case) -> MetricValue:
    """The last preference that is not 0, or 0; None without relevant items."""
    return next((one for one in reversed(preferences(case)) if one), 0) if case.R else None


def lexiprecision(case: Case) -> MetricValue:
    """The first preference that is not 0, or 0; None without relevant items."""
    return next((one for one in preferences(case) if one), 0) if case.R else None


def surprisal(case: Case, surprise: str = "normalized", divisor: str = "list") -> MetricValue:
    """Sum over places of -log2(users of the item / users), over the divisor; None if that is 0, or there is no user.

    The divisor known is the number of places whose item a user has.

    normalized: by log2(users), an unknown item 1, None if there is one user only; bits: as it is, an unknown item 0;
    capped_bits: an unknown item as if one user knew it.
    Of no place the sum is 0, whatever is known.
    """
    users, known = case.inputs.n_users, case.inputs.popularity
    over = sum(1 for item in case.places if item in known) if divisor == "known" else case.over(divisor)
    if not case.places:
        return ratio(0.0, over)
    if users == 0 or (surprise == "normalized" and users == 1):
        return None
    if surprise == "capped_bits":
        values = [-math.log2(known.get(item, 1) / users) for item in case.places]
    elif surprise == "bits":
        values = [-math.log2(known[item] / users) if item in known else 0.0 for item in case.places]
    else:
        values = [-math.log2(known[item] / users) / math.log2(users) if item in known else 1.0 for item in case.places]
    return ratio(total(values), over)


def per_discount(case: Case, values: Mapping[Item, float], gain: str, discount: str, p: float) -> MetricValue:
    """Sum over hits of gain, discount and a value, over the discounts of the places; None if R = 0; of no place, 0."""
    if case.R == 0:
        return None
    above = total(
        gain_of(gain, rating, case.rel) * discount_of(discount, rank, p) * values[item]
        for rank, item, rating in case.hit_items
    )
    return ratio(above, total(discount_of(discount, rank, p) for rank, _ in case.ranked)) or 0.0


def efd(case: Case, gain: str = "binary", discount: str = "log2", p: float = 0.85) -> MetricValue:
    """per_discount of -log2(users of the item / users of all items); an unknown item is as the least popular one."""
    known = case.inputs.popularity
    everything, fewest = sum(known.values()), min(known.values(), default=0)
    values = {item: -math.log2(known.get(item, fewest) / everything) for item in case.relevant} if known else {}
    return per_discount(case, values or dict.fromkeys(case.relevant, 0.0), gain, discount, p)


def epc(case: Case, gain: str = "binary", discount: str = "log2", p: float = 0.85) -> MetricValue:
    """per_discount of the share of users who do not know the item; None if there is no user to know a hit."""
    known = case.inputs.popularity
    if case.inputs.n_users == 0:
        return None if case.hit_items or case.R == 0 else 0.0
    values = {item: 1 - known.get(item, 0) / case.inputs.n_users for item in case.relevant}
    return per_discount(case, values, gain, discount, p)


def popularity(case: Case, unit: str = "count", divisor: str = "list") -> MetricValue:
    """Mean over places of how many users know the item, 0 of an unknown one; None of an empty list.

    share: over the sum of these numbers of all items. known: the mean over known items only.
    """
    known = case.inputs.popularity
    of_places = mean([known.get(item, 0) for item in case.places if divisor == "list" or item in known])
    return of_places if unit == "count" or of_places is None else ratio(of_places, sum(known.values()))


def popularity_serendipity(case: Case) -> MetricValue:
    """Mean over places, 0 of a miss, of how far the item's rank is above its rank by popularity, over all items."""
    known, n_items = case.inputs.popularity, len(case.inputs.known)
    levels = sorted({*known.values()}, reverse=True)
    ranks = {item: levels.index(of) + 1 for item, of in known.items()}
    leads = [max(0, ranks.get(item, n_items + 1) - rank) for rank, item, _ in case.hit_items]
    return ratio(total(leads), case.n * n_items)


def popularity_rank(case: Case) -> MetricValue:
    """Mean over places of the item's place among all known ones, least popular first, over their number.

    Equally popular items share the mean of their places; an unknown item is at 0. None of an empty list.
    """
    known = [*case.inputs.popularity.values()]
    values = []
    for item in case.places:
        users = case.inputs.popularity.get(item)
        if users is None:
            values.append(0.0)
        else:
            fewer, equal = sum(1 for one in known if one < users), known.count(users)
            values.append((fewer + (1 + equal) / 2) / len(known))
    return mean(values)


def n_long_tail(case: Case, head: float = 0.8) -> int:
    """Items of the long tail among the first k places; an item repeated counts once."""
    tail = case.inputs.tail(head)
    return sum(1 for item in {*case.places} if tail.get(item, False))


def long_tail(case: Case, head: float = 0.8) -> MetricValue:
    """n_long_tail / n; None of an empty list."""
    return ratio(n_long_tail(case, head), case.n)


# --- metrics of trec_eval ---------------------------------------------------------------------------------------------


def interpolated_precision(case: Case, at_recall: float = 0) -> MetricValue:
    """Highest precision at a hit, of the hits from number floor(at_recall * R + 0.9) on; None if R = 0."""
    least = math.floor(float(at_recall) * case.R + 0.9)
    hits = [number / rank for number, (rank, _) in enumerate(case.hits, start=1) if number >= least]
    return max(hits, default=0.0) if case.R else None


def eleven_point_precision(case: Case) -> MetricValue:
    """Mean of it at the recall levels 0, 0.1, ..., 1; None if R = 0."""
    values = [interpolated_precision(case, at_recall=level / 10) for level in range(11)]
    return None if case.R == 0 else total(value for value in values if value is not None) / 11


def r_precision_multiple(case: Case, multiple: float = 1) -> MetricValue:
    """Hits down to rank floor(multiple * R + 0.9), or k if that is less, over this rank; None if it is 0."""
    last = math.floor(float(multiple) * case.R + 0.9)
    last = last if case.k is None else min(last, case.k)
    return ratio(sum(1 for rank, _ in case.hits if rank <= last), last)


def set_ap(case: Case) -> MetricValue:
    """h * h / (n * R)."""
    return ratio(case.h**2, case.n * case.R)


def utility(case: Case, per_hit: float = 1, per_miss: float = -1, per_unfound: float = 0) -> MetricValue:
    """A worth of each hit, of each other place, and of each relevant item that was not found."""
    hits = case.h
    return per_hit * hits + per_miss * (case.n - hits) + per_unfound * (case.R - hits)


def is_judged(rating: float, judged: str) -> bool:
    """Whether an item of the truth counts as judged."""
    return judged == "any" or rating >= 0


def n_judged_misses(case: Case, judged: str = "any") -> MetricValue:
    """Items of the list that the truth has, that are not relevant, and that count as judged."""
    found = [item for _, item in best_ranks(case.ranked) if item in case.judged and item not in case.relevant]
    return sum(is_judged(case.judged[item], judged) for item in found)


def inferred_ap(case: Case, judged: str = "any") -> MetricValue:
    """1/R times the sum over hits of (1 + pool above * (relevant above + e) / (judged above + 2e)) / rank.

    None if R = 0.
    """
    found, e = 0.0, 0.00001
    pool = relevant = irrelevant = 0
    for rank, item in best_ranks(case.ranked):
        if item not in case.judged:
            continue
        if item in case.relevant:
            found += (1 + pool * (relevant + e) / (relevant + irrelevant + 2 * e)) / rank
            relevant += 1
        elif is_judged(case.judged[item], judged):
            irrelevant += 1
        pool += 1
    return ratio(found, case.R)


def binary_g(case: Case) -> MetricValue:
    """1/R times the sum over hits of 1 / log2(2 + the ranks above that hold no hit); None if R = 0."""
    discounts = [1 / math.log2(2 + rank - number) for number, (rank, _) in enumerate(case.hits, start=1)]
    return ratio(total(discounts), case.R)


def normalized_gain(case: Case, gain: str = "binary") -> MetricValue:
    """Sum over hits of gain / log2(2 + c - s), over the gains of all relevant items; None if these are 0.

    s: the gains of the list down to the hit. c: those of the ideal list, where each rank counts at least 1. A hit is
    never worth more than its gain.
    """
    ideal = [gain_of(gain, rating, case.rel) for rating in case.ratings]
    s = found = 0.0
    for rank, rating in case.hits:
        own = gain_of(gain, rating, case.rel)
        s += own
        c = total(max(1, one) for one in ideal[:rank]) + max(0, rank - len(ideal))
        found += own / math.log2(max(2, 2 + c - s))
    return ratio(found, total(ideal))


def _ideal(case: Case, cut: int | None, gain: str, discount: str, p: float) -> float:
    """The dcg of the ideal list, cut at a rank."""
    ideal = enumerate(case.ratings[:cut], start=1)
    return total(gain_of(gain, rating, case.rel) * discount_of(discount, rank, p) for rank, rating in ideal)


def _ndcg(case: Case, last: float, cut: int | None, gain: str, discount: str, p: float) -> float:
    """The dcg of the first ranks of a list over that of the ideal list, cut there too; 0 if the latter is 0."""
    hits = [(rank, rating) for rank, rating in case.hits if rank <= last]
    above = total(gain_of(gain, rating, case.rel) * discount_of(discount, rank, p) for rank, rating in hits)
    return ratio(above, _ideal(case, cut, gain, discount, p)) or 0.0


def ndcg_at_relevant(case: Case, gain: str = "binary", discount: str = "log2", p: float = 0.85) -> MetricValue:
    """Mean over the relevant items of the ndcg at their rank, at the end of the list if they are not in it.

    None if R = 0 or the dcg of the ideal list is 0.
    """
    if _ideal(case, case.k, gain, discount, p) == 0:
        return None
    at_hits = [_ndcg(case, rank, rank, gain, discount, p) for rank, _ in case.hits]
    at_end = _ndcg(case, math.inf, case.k, gain, discount, p)
    return (total(at_hits) + (case.R - case.h) * at_end) / case.R


def ndcg_at_levels(case: Case, gain: str = "binary", discount: str = "log2", p: float = 0.85) -> MetricValue:
    """Mean of the ndcg at the last rank of each gain in the ideal list, and at the end of a list longer than R + 1.

    None if R = 0 or the dcg of the ideal list is 0.
    """
    if _ideal(case, case.k, gain, discount, p) == 0:
        return None
    ideal = [gain_of(gain, rating, case.rel) for rating in case.ratings]
    ends = [rank for rank in range(1, len(ideal) + 1) if rank == len(ideal) or ideal[rank] != ideal[rank - 1]]
    values = [_ndcg(case, end, end, gain, discount, p) for end in ends]
    if case.n > len(ideal) + 1:
        values.append(_ndcg(case, math.inf, case.k, gain, discount, p))
    return total(values) / len(values)


# --- categories, similarities and embeddings of items -----------------------------------------------------------------


def categorical_diversity(case: Case, divisor: str = "list") -> MetricValue:
    """Different categories of the first k places over the divisor; None if that is 0."""
    found = {one for item in case.places for one in case.inputs.categories.get(item, ())}
    return ratio(len(found), case.over(divisor))


def category_recall(case: Case) -> MetricValue:
    """Different categories of the hits over those of all items; None if R = 0, or without a category."""
    of_items = case.inputs.categories
    found = {one for _, item, _ in case.hit_items for one in of_items.get(item, ())}
    return ratio(len(found), len(set().union(*of_items.values()))) if case.R else None


def category_entropy(case: Case, weight: str = "uniform", p: float = 0.85, smoothing: str = "none") -> MetricValue:
    """-sum of s log2(s) over categories, s being a category's share of the weights of its places; None without any.

    smoothing=lenskit: 0.000001 is added to the weights of every category that there is.
    """
    masses: dict[Hashable, float] = {}
    for rank, item in case.ranked:
        for one in case.inputs.categories.get(item, ()):
            masses[one] = masses.get(one, 0) + discount_of(weight, rank, p)
    if not masses:
        return None
    if smoothing == "lenskit":
        every = {one for of in case.inputs.categories.values() for one in of}
        masses = {one: masses.get(one, 0) + 1e-6 for one in every}
    return entropy(masses.values())


def entropy(masses: Iterable[float]) -> float:
    """-sum of s log2(s), s being each mass over all of them."""
    kept = [*masses]
    return -total(one / sum(kept) * math.log2(one / sum(kept)) for one in kept)


def category_diversity(case: Case, likeness: str = "jaccard") -> MetricValue:
    """1 - mean likeness of the pairs of places whose items have categories; None without a pair.

    jaccard: |A & B| / |A | B|; cosine: |A & B| / sqrt(|A| |B|).
    """
    tagged = [case.inputs.categories[item] for item in case.places if item in case.inputs.categories]
    alike = mean(
        [
            len(a & b) / (len(a | b) if likeness == "jaccard" else math.sqrt(len(a) * len(b)))
            for a, b in combinations(tagged, 2)
        ]
    )
    return None if alike is None else 1 - alike


def list_diversity(case: Case) -> MetricValue:
    """1 - mean similarity of all pairs of places; None without a pair."""
    found = mean([similarity(case, a, b) for a, b in combinations(case.places, 2)])
    return None if found is None else 1 - found


def profile_distance(case: Case) -> MetricValue:
    """1 - mean similarity of the pairs of a place and an item of the history; None without a pair."""
    found = mean([similarity(case, a, b) for a in case.places for b in case.history])
    return None if found is None else 1 - found


def similarity(case: Case, a: Item, b: Item) -> float:
    """The mean of both ways round of a pair; 0 for a pair given neither way, and 1 for an item with itself."""
    told = case.inputs.similarities
    both = mean([told[pair] for pair in ((a, b), (b, a)) if pair in told])
    return float(a == b) if both is None else both


def embedding_diversity(case: Case, divisor: str = "pairs") -> MetricValue:
    """Mean of 1 - cosine of all pairs of places whose items have an embedding; None without a pair.

    items: the sum over these pairs, over the number of these items.
    """
    told = [case.inputs.directions[item] for item in case.places if item in case.inputs.directions]
    distances = [1 - total(x * y for x, y in zip(a, b, strict=True)) for a, b in combinations(told, 2)]
    return mean(distances) if divisor == "pairs" else ratio(total(distances), len(told))


def profile(items: Iterable[Item], categories: Mapping[Item, set[Hashable]]) -> dict[Hashable, float]:
    """The shares of the categories of some items, each item divided among its own."""
    masses: dict[Hashable, float] = {}
    tagged = [categories[item] for item in items if item in categories]
    for of in tagged:
        for one in of:
            masses[one] = masses.get(one, 0) + 1 / len(of)
    return {one: mass / len(tagged) for one, mass in masses.items()}


def miscalibration(case: Case, divergence: str = "kl", alpha: float = 0.01) -> MetricValue:
    """Divergence of the list's categories q from the history's p; None if either has none.

    kl: sum of p ln(p / ((1 - alpha) q + alpha p)); js: (KL(p, m) + KL(q, m)) / 2 in bits, m = (p + q) / 2.
    """
    p, q = (profile(items, case.inputs.categories) for items in (case.history, case.places))
    if not p or not q:
        return None
    if divergence == "kl":
        return divergence_of(p, {one: (1 - alpha) * q.get(one, 0) + alpha * p[one] for one in p})
    middle = {one: (p.get(one, 0) + q.get(one, 0)) / 2 for one in {*p, *q}}
    return (divergence_of(p, middle) + divergence_of(q, middle)) / (2 * math.log(2))


def attended(case: Case) -> list[tuple[int, set[Hashable]]]:
    """The ranks of catalogue items with categories, with these."""
    tagged = case.inputs.categories
    return [(rank, tagged[item]) for rank, item in case.ranked if item in tagged and item in case.inputs.known]


@dataclass(frozen=True)
class Readers:
    """Who looks at a list: how ranks are discounted, and where a cascade of readers stops."""

    discount: str = "log2"
    p: float = 0.85
    attention: str = "position"
    stop: str = "binary"
    max_rating: float = 5

    def weights(self, ranks: Iterable[int], hits: Iterable[tuple[int, float]]) -> dict[int, float]:
        """The discount of each rank times the share of readers who get there; hits are (rank, rating).

        All of them do, or, of a cascade, those who stopped at no hit above. They stop at a hit as in err; empty if a
        hit is rated above max_rating, or above 1 where the rating is the chance to stop.
        """
        stops = dict.fromkeys(ranks, 0.0)
        if self.attention == "cascade":
            highest = {"binary": math.inf, "graded": self.max_rating, "rating": 1}[self.stop]
            if any(rating > highest for _, rating in hits):
                return {}
            for rank, rating in hits:
                of_rating = {"binary": 0.5, "graded": (2**rating - 1) / 2**self.max_rating, "rating": rating}
                stops[rank] = of_rating[self.stop]
        reached = {rank: math.prod(1 - stops[above] for above in stops if above < rank) for rank in stops}
        return {rank: share * discount_of(self.discount, rank, self.p) for rank, share in reached.items()}

    def of_list(self, case: Case) -> dict[int, float]:
        """The weights of the ranks of a list."""
        return self.weights((rank for rank, _ in case.ranked), case.hits)


def targets(inputs: Inputs, target: str) -> dict[Hashable, float]:
    """The share that each category should have: equal, or of the catalogue items, each divided among its own."""
    shares = profile(inputs.known, inputs.categories)
    return shares if target == "catalog" else {one: 1 / len(shares) for one in shares}


def awrf(case: Case, distance: str = "variation", target: str = "catalog", **readers: Any) -> MetricValue:
    """Distance of the shares of the weights of ranks that categories have from their targets; None without any.

    variation: half the sum of absolute differences; js: (KL(a, m) + KL(t, m)) / 2 in bits, m = (a + t) / 2.
    """
    masses, goal = dict.fromkeys(targets(case.inputs, target), 0.0), targets(case.inputs, target)
    weights = Readers(**readers).of_list(case)
    for rank, of in attended(case):
        for one in of:
            masses[one] += weights.get(rank, 0) / len(of)
    if not sum(masses.values()):
        return None
    shares = {one: mass / sum(masses.values()) for one, mass in masses.items()}
    if distance == "variation":
        return total(abs(shares[one] - goal[one]) for one in goal) / 2
    middle = {one: (shares[one] + goal[one]) / 2 for one in goal}
    shares = {one: share for one, share in shares.items() if share}
    return (divergence_of(shares, middle) + divergence_of(goal, middle)) / (2 * math.log(2))


def ndkl(case: Case, target: str = "catalog", discount: str = "log2", p: float = 0.85) -> MetricValue:
    """Mean over prefixes, by the weight of the last rank, of KL(categories of the prefix, target) in nats."""
    goal, counts = targets(case.inputs, target), dict[Hashable, float]()
    weights, found = list[float](), list[float]()
    for rank, of in attended(case):
        for one in of:
            counts[one] = counts.get(one, 0) + 1 / len(of)
        weights.append(discount_of(discount, rank, p))
        found.append(divergence_of({one: number / len(weights) for one, number in counts.items()}, goal))
    return ratio(total(weight * one for weight, one in zip(weights, found, strict=True)), total(weights))


def divergence_of(p: Mapping[Hashable, float], q: Mapping[Hashable, float]) -> float:
    """Sum of p ln(p / q)."""
    return total(share * math.log(share / q[one]) for one, share in p.items())


# The functions above that have the name of a metric of the catalogue.
OF_LISTS: Mapping[str, Callable[..., MetricValue]] = {
    **twin_log.OF_LISTS,
    **twin_subtopics.OF_LISTS,
    **{metric.name: globals()[metric.name] for metric in catalog().metrics() if metric.name in globals()},
}


# System-level metrics computed from per-list numbers: they are taken over the same lists as a mean.
OVER_LISTS = frozenset(
    "exposure_entropy f_beta_of_means mean_self_information percentile_rank pooled_auc pooled_precision".split()
    + "pop_reo pop_rsp share_of_best user_coverage weighted_auc".split()
    + sorted({*twin_log.OF_RUNS} - {*twin_log.OF_THE_LOG})
)


def scored(inputs: Inputs, metrics: Mapping[str, Asked]) -> set[ListKey]:
    """Every list that a metric of a list, or one made of such, is taken over; where there is none, that any is."""
    whose = [one for one in metrics.values() if one.name in {*OF_LISTS, *OVER_LISTS}] or metrics.values()
    return set().union(*(inputs.lists(one.policy("missing")) for one in whose))


def per_list(inputs: Inputs, metrics: Mapping[str, Asked]) -> dict[ListKey, dict[str, MetricValue]]:
    """Every metric of a list, of every list that is scored; None of a list that it is not taken over."""
    of_lists = {label: asked for label, asked in metrics.items() if asked.name in OF_LISTS}
    taken = {label: inputs.lists(asked.policy("missing")) for label, asked in of_lists.items()}
    return {
        key: {label: value_of(inputs, key, asked) if key in taken[label] else None for label, asked in of_lists.items()}
        for key in scored(inputs, metrics)
    }


def value_of(inputs: Inputs, key: ListKey, asked: Asked) -> MetricValue:
    """A metric of a list, None where the list has not enough for it."""
    case = make_case(inputs, key, asked)
    if asked.parameters.get("gain") in ("exponential", "excess") and max(case.ratings, default=0) > 900:
        return None  # sums of 2^rating may be infinite
    return filled(OF_LISTS[asked.name](case, **asked.parameters) if has_enough(case, asked) else None, asked)


def filled(value: MetricValue, asked: Asked) -> MetricValue:
    """A value; undefined=zero: 0 where it is undefined; undefined=one: 1 there."""
    return {"null": None, "zero": 0, "one": 1}[asked.policy("undefined")] if value is None else value


def has_enough(case: Case, asked: Asked) -> bool:
    """Whether a list has what it must have to be measured.

    relevant: a relevant item; reaches: min_relevant of them, a ranking of k and min_pool candidates at least, and,
    where the list holds all of them, not all of one score; discerns: and an irrelevant one; exceeds: and more than k.
    """
    enough, n = asked.policy("enough"), case.R
    if enough in ("any", "relevant"):
        return enough == "any" or n > 0
    pool, wanted = case.pool or 0, max(asked.k or 0, asked.policy("min_pool"))
    reaches = n >= asked.policy("min_relevant") and pool >= wanted and case.discerns
    return reaches and (enough == "reaches" or pool > n) and (enough != "exceeds" or pool > (asked.k or 0))
