"""A plain-Python twin of the metrics of lists that look beyond the truth: at histories, baselines and items.

It goes on from twin.py: slow, short, written to be read beside the headers of sql/metrics.
A value of None means "undefined"; it is never 0 and never NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import product

from tests.support import twin
from tests.support.twin import Key, Value, ratio
from tests.support.twin_inputs import (
    Asked,
    Case,
    Inputs,
    Item,
    best_ranks,
    discount_of,
    gain_of,
    make_case,
    mean,
    total,
)
from tests.support.twin_items import (
    categorical_diversity,
    category_diversity,
    category_entropy,
    embedding_diversity,
    list_diversity,
    miscalibration,
    profile_distance,
)
from tests.support.twin_trec import TREC

# --- metrics of the truth ---------------------------------------------------------------------------------------------


def ap(case: Case, at: str = "hits", divisor: str = "capped", cap: int = 10) -> Value:
    """Sum of precisions over the divisor; None if R or the divisor is 0.

    at=places: of h(r) / r at every r of 1..k, hit or not, h(r) being the hits among the first r places.
    divisor=fixed: min(cap, R).
    """
    if case.plain.R == 0:
        return None
    if at == "places":
        assert case.k is not None
        ranks = [rank for rank, _ in case.plain.hits]
        above = total(sum(1 for one in ranks if one <= r) / r for r in range(1, case.k + 1))
    else:
        above = total(number / rank for number, (rank, _) in enumerate(case.plain.hits, start=1))
    below = {
        "capped": case.plain.capped,
        "relevant": case.plain.R,
        "k": case.plain.k_or_n,
        "list": min(case.n, case.plain.R),
        "hits": max(case.plain.h, 1),
        "fixed": min(cap, case.plain.R),
    }[divisor]
    return ratio(above, below)


def auc(case: Case, alone: str = "undefined") -> Value:
    """Share of (hit, miss) pairs with the hit first; credited: 1 for nothing but hits, 0 for no hit; zero: 0 for both.

    The misses are the places that hold no hit, to the last rank; to min(k, pool) where lists say their pool.
    """
    last = max(case.plain.ranks, default=0)
    if case.is_pooled and case.pool is not None:
        last = case.pool if case.k is None else min(case.k, case.pool)
    hits = [rank for rank, _ in case.plain.hits]
    misses = [rank for rank in range(1, last + 1) if rank not in hits]
    if hits and misses:
        return sum(1 for hit, miss in product(hits, misses) if hit < miss) / (len(hits) * len(misses))
    return {"undefined": None, "zero": 0.0, "credited": float(bool(hits))}[alone]


def shares_above(case: Case) -> list[float] | None:
    """Of each hit, the share of irrelevant items of the catalogue that stand below it: none of those above is a hit.

    Their number is counted, not looked up: all, less the owner's, less the relevant ones, and one more, as Elliot does;
    None if that leaves none.
    """
    n = len(case.inputs.known) - len(case.history) - case.plain.R + 1
    if n <= 0:
        return None
    return [1 - (rank - number) / n for number, (rank, _) in enumerate(case.plain.hits, start=1)]


def gauc(case: Case, divisor: str = "relevant") -> Value:
    """Sum of these shares over R, or over min(k, R) if capped: an item not found adds 0; None if R = 0, or without."""
    shares = shares_above(case)
    if shares is None:
        return None
    return ratio(total(shares), {"relevant": case.plain.R, "capped": case.plain.capped}[divisor])


def fall_out(case: Case) -> Value:
    """Places without a hit over the candidates less R; None without a place, or if that is 0."""
    return None if case.pool is None else ratio(case.n - case.plain.h, case.pool - case.plain.R)


def catalog_auc(case: Case) -> Value:
    """Expected share of (relevant, irrelevant) pairs of the catalogue in order; beyond the first k all is drawn."""
    assert case.k is not None
    hits = [rank for rank, _ in case.plain.hits]
    misses = [rank for rank in range(1, case.k + 1) if rank not in hits]
    n_irrelevant = len(case.inputs.known) - case.plain.R
    won = sum(1 for hit, miss in product(hits, misses) if hit < miss)
    below = (len(hits) + case.plain.R) / 2 * (n_irrelevant - len(misses))  # a hit wins, any other wins half the time
    return ratio(won + below, case.plain.R * n_irrelevant)


def ips_hits(case: Case) -> Value:
    """Sum over hits of all interactions over those with the item, 10000 at most, 0 if unknown; None if R = 0."""
    known = case.inputs.popularity
    weights = [min(sum(known.values()) / known[item], 10_000) for _, item, _ in case.hit_items if item in known]
    return total(weights) if case.plain.R else None


def fill_rate(case: Case, per: str = "position") -> Value:
    """Places over k; list: whether they are k."""
    assert case.k is not None
    return case.n / case.k if per == "position" else float(case.n == case.k)


def unrepeated(case: Case, per: str = "item") -> Value:
    """Items over places; list: whether there are as many; None of an empty list."""
    share = ratio(len({*case.places}), case.n)
    return share if per == "item" or share is None else float(share == 1)


def mean_recall(case: Case) -> Value:
    """Mean of h(r) / R over r = 1..k (without a cutoff, to the last rank); None if R = 0 or there is no place."""
    if case.plain.R == 0:
        return None
    ranks = [rank for rank, _ in case.plain.hits]
    last = max(case.plain.ranks, default=0) if case.k is None else case.k
    return mean([sum(1 for one in ranks if one <= r) / case.plain.R for r in range(1, last + 1)])


def weighted_precision(case: Case, discount: str = "log2", p: float = 0.85) -> Value:
    """Discounts of the hits over discounts of the places; None if R = 0 or the list is empty."""
    if case.plain.R == 0:
        return None
    above = total(discount_of(discount, rank, p) for rank, _ in case.plain.hits)
    return ratio(above, total(discount_of(discount, rank, p) for rank, _ in case.ranked))


def bpref(case: Case, judged: str = "any", alone: str = "credited") -> Value:
    """1/R times the sum over hits, each once, of 1 - min(a, R) / min(N, R), as trec_eval has it; None if R = 0.

    N items were judged irrelevant (from_zero: those of them that are not rated below 0), a of them stand above the hit.
    Where N = 0 a hit is worth 1; alone=undefined: then the list is undefined.
    """
    irrelevant = {
        item for item, rating in case.judged.items() if item not in case.relevant and (judged == "any" or rating >= 0)
    }
    r, bound = case.plain.R, min(len(irrelevant), case.plain.R)
    shares = []
    for rank, item in best_ranks(case.ranked):
        if item not in case.relevant:
            continue
        above = len({item for other, item in case.ranked if other < rank} & irrelevant)
        shares.append(1 - min(above, r) / bound if bound else 1.0)
    return None if shares and not bound and alone == "undefined" else ratio(total(shares), r)


def unjudged(case: Case) -> Value:
    """Places whose item the truth does not mention, over n; None of an empty list."""
    return ratio(sum(1 for item in case.places if item not in case.judged), case.n)


def judged_share(case: Case) -> Value:
    """Places whose item the truth mentions, over n; None of an empty list."""
    return ratio(sum(1 for item in case.places if item in case.judged), case.n)


def rbp(case: Case, of: str = "endless", p: float = 0.85, gain: str = "binary") -> Value:
    """(1 - p) times the sum over hits of gain times p**(rank - 1); of=best: over that of min(n, R) hits on top."""
    if case.plain.R == 0:
        return None
    found = total(gain_of(gain, rating, case.rel) * p ** (rank - 1) for rank, rating in case.plain.hits)
    if of == "endless":
        return (1 - p) * found
    return ratio(found, total(p**place for place in range(min(case.n, case.plain.R))))


def dcg(case: Case, gain: str = "binary", discount: str = "log2", p: float = 0.85, tied: str = "ranked") -> float:
    """Sum over hits of gain times discount.

    averaged: the mean discount over the ranks that have the hit's score, 0 beyond k; hits below k are among them.
    """

    def worth(rank: int) -> float:
        if tied == "ranked":
            return discount_of(discount, rank, p)
        level = case.levels[rank]
        return total(discount_of(discount, one, p) for one in level if case.k is None or one <= case.k) / len(level)

    hits = case.plain.hits if tied == "ranked" else case.hits_of_all
    return total(gain_of(gain, rating, case.rel) * worth(rank) for rank, rating in hits)


def ideal_dcg(
    case: Case,
    gain: str = "binary",
    discount: str = "log2",
    p: float = 0.85,
    ideal: str = "k",
    negatives: str = "counted",
) -> float:
    """The dcg of all relevant items, highest rating first, cut at k unless ideal=all; left_out: no negative gains."""
    length = {"k": case.plain.capped, "all": case.plain.R}[ideal]
    gains = [gain_of(gain, rating, case.rel) for rating in case.plain.relevant[:length]]
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
) -> Value:
    """dcg / ideal_dcg; share=full: over the discounts of the first k places. None if nothing is relevant."""
    if case.plain.R == 0:
        return None
    above = dcg(case, gain, discount, p, tied)
    if share == "best":
        return ratio(above, ideal_dcg(case, gain, discount, p, ideal, negatives))
    assert case.k is not None
    return ratio(above, total(discount_of(discount, rank, p) for rank in range(1, case.k + 1)))


def confusion(case: Case) -> tuple[int, int, int, int]:
    """Of all known items, how many are among k places and relevant, among them only, relevant only, neither."""
    assert case.k is not None
    tp, fp, fn = case.plain.h, case.k - case.plain.h, case.plain.R - case.plain.h
    return tp, fp, fn, len(case.inputs.known) - case.k - fn


def accuracy(case: Case) -> Value:
    """(tp + tn) over the items that could be recommended; None if there is none."""
    tp, _, _, tn = confusion(case)
    return ratio(tp + tn, len(case.inputs.known))


def mcc(case: Case) -> Value:
    """(tp tn - fp fn) over the root of the product of the four sums; 0 if one is 0; None if one would be below 0."""
    tp, fp, fn, tn = confusion(case)
    sums = (tp + fp, tp + fn, tn + fp, tn + fn)
    if min(sums) < 0:
        return None
    return 0.0 if 0 in sums else (tp * tn - fp * fn) / math.sqrt(math.prod(sums))


def partial_auc(case: Case, positives: str = "all", insufficient: str = "counted") -> Value:
    """Pairs of a relevant item and one of the first k irrelevant places, the item first, over all such; None if R = 0.

    first: of the first k hits only. Places that the list does not hold are irrelevant ones behind what it holds.
    insufficient=undefined: None if the list lacks a relevant item and has fewer than k places without a hit.
    """
    assert case.k is not None
    ranks = sorted(rank for rank, _ in case.hits_of_all)
    is_short = case.last_rank - len(ranks) < case.k and len(ranks) < case.plain.R
    if insufficient == "undefined" and is_short:
        return None
    won = [max(0, case.k - (rank - number)) for number, rank in enumerate(ranks, start=1)]
    if positives == "first":
        return ratio(sum(won[: case.k]), case.k * min(case.k, case.plain.R))
    return ratio(sum(won), case.k * case.plain.R)


def f_beta(
    case: Case, beta: float = 1, metric_0: str = "precision", metric_1: str = "recall", weighting: str = "squared"
) -> Value:
    """(1 + w) P R / (w P + R) of any two metrics P and R, w = b^2 or b; 0 if both are 0, None if one is None."""
    p, r = (inner(case, one) for one in (metric_0, metric_1))
    if p is None or r is None:
        return None
    weight = {"squared": beta**2, "plain": beta}[weighting]
    return 0.0 if p == 0 and r == 0 else (1 + weight) * p * r / (weight * p + r)


def inner(case: Case, text: str) -> Value:
    """A metric of the same list, from a text such as `precision(divisor=list)`."""
    name, _, inside = text.removesuffix(")").partition("(")
    settings = dict(one.strip().split("=") for one in inside.split(",") if one)
    return OF_LISTS[name](case, **settings)


def plainly(metric: Callable[..., Value]) -> Callable[..., Value]:
    """A metric of twin.py as one of a Case here."""
    return lambda case, **settings: metric(case.plain, **settings)


def err(case: Case, stop: str = "binary", max_rating: float = 5) -> Value:
    """That of twin.py, which takes the highest rating together with the name."""
    return twin.err(case.plain, ("graded", max_rating) if stop == "graded" else stop)


# --- metrics of the history and of a baseline -------------------------------------------------------------------------


def unseen(case: Case, alone: str = "undefined", divisor: str = "list") -> Value:
    """1 - places whose item its owner knew, over the divisor; an empty list: None, or 1 if alone=one."""
    if case.n == 0:
        return None if alone == "undefined" else 1.0
    return 1 - sum(1 for item in case.places if item in case.history) / case.over(divisor)


def unexpectedness(case: Case, alone: str = "undefined", divisor: str = "list") -> Value:
    """1 - places whose item the baseline has, over the divisor; an empty list or baseline: None, or 0 if alone=zero."""
    if case.n == 0 or not case.expected:
        return None if alone == "undefined" else 0.0
    return 1 - sum(1 for item in case.places if item in case.expected) / case.over(divisor)


def serendipity(case: Case, divisor: str = "list") -> Value:
    """Hits that the baseline has not, over the divisor; None if the list has no baseline, or the divisor is 0."""
    if not case.expected:
        return None
    return ratio(sum(1 for _, item, _ in case.hit_items if item not in case.expected), case.over(divisor))


def overlap(case: Case, alone: str = "undefined", baseline_k: int | None = None) -> Value:
    """Share of the places whose item is among the first baseline_k of the baseline; None if the list is empty.

    Without a baseline: None, or 0 if alone=zero.
    """
    if not case.expected:
        return 0.0 if alone == "zero" and case.n else None
    last = baseline_k or case.k
    theirs = {item for rank, item in case.baseline if last is None or rank <= last}
    return mean([float(item in theirs) for item in case.places])


def rbo(case: Case, p: float = 0.85) -> Value:
    """Sum over d = 1..k of p**(d - 1) |A_d & B_d| / d, over the sum of p**(d - 1); None if A or B is empty."""
    assert case.k is not None
    if case.n == 0 or not case.expected:
        return None
    above = below = 0.0
    for d in range(1, case.k + 1):
        ours = {item for rank, item in case.ranked if rank <= d}
        theirs = {item for rank, item in case.baseline if rank <= d}
        above += p ** (d - 1) * len(ours & theirs) / d
        below += p ** (d - 1)
    return above / below


def least_item_promoted(case: Case) -> Value:
    """How many places lie between the first k of the baseline and the deepest of its items that is among the first k.

    None without a baseline.
    """
    assert case.k is not None
    if not case.baseline:
        return None
    return max([0, *(rank - 1 - case.k for rank, item in case.baseline if item in case.places)])


def surprisal(case: Case, surprise: str = "normalized", divisor: str = "list") -> Value:
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


def per_discount(case: Case, values: Mapping[Item, float], gain: str, discount: str, p: float) -> Value:
    """Sum over hits of gain, discount and a value, over the discounts of the places; None if R = 0; of no place, 0."""
    if case.plain.R == 0:
        return None
    above = total(
        gain_of(gain, rating, case.rel) * discount_of(discount, rank, p) * values[item]
        for rank, item, rating in case.hit_items
    )
    return ratio(above, total(discount_of(discount, rank, p) for rank, _ in case.ranked)) or 0.0


def efd(case: Case, gain: str = "binary", discount: str = "log2", p: float = 0.85) -> Value:
    """per_discount of -log2(users of the item / users of all items); an unknown item is as the least popular one."""
    known = case.inputs.popularity
    everything, fewest = sum(known.values()), min(known.values(), default=0)
    values = {item: -math.log2(known.get(item, fewest) / everything) for item in case.relevant} if known else {}
    return per_discount(case, values or dict.fromkeys(case.relevant, 0.0), gain, discount, p)


def epc(case: Case, gain: str = "binary", discount: str = "log2", p: float = 0.85) -> Value:
    """per_discount of the share of users who do not know the item; None if there is no user to know a hit."""
    known = case.inputs.popularity
    if case.inputs.n_users == 0:
        return None if case.hit_items or case.plain.R == 0 else 0.0
    values = {item: 1 - known.get(item, 0) / case.inputs.n_users for item in case.relevant}
    return per_discount(case, values, gain, discount, p)


def popularity(case: Case, unit: str = "count", divisor: str = "list") -> Value:
    """Mean over places of how many users know the item, 0 of an unknown one; None of an empty list.

    share: over the sum of these numbers of all items. known: the mean over known items only.
    """
    known = case.inputs.popularity
    of_places = mean([known.get(item, 0) for item in case.places if divisor == "list" or item in known])
    return of_places if unit == "count" or of_places is None else ratio(of_places, sum(known.values()))


def popularity_serendipity(case: Case) -> Value:
    """Mean over places, 0 of a miss, of how far the item's rank is above its rank by popularity, over all items."""
    known, n_items = case.inputs.popularity, len(case.inputs.known)
    levels = sorted({*known.values()}, reverse=True)
    ranks = {item: levels.index(of) + 1 for item, of in known.items()}
    leads = [max(0, ranks.get(item, n_items + 1) - rank) for rank, item, _ in case.hit_items]
    return ratio(total(leads), case.n * n_items)


def popularity_rank(case: Case) -> Value:
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


def long_tail(case: Case, head: float = 0.8) -> Value:
    """n_long_tail / n; None of an empty list."""
    return ratio(n_long_tail(case, head), case.n)


OF_LISTS: Mapping[str, Callable[..., Value]] = {
    **TREC,
    "accuracy": accuracy,
    "ap": ap,
    "auc": auc,
    "bpref": bpref,
    "categorical_diversity": categorical_diversity,
    "category_diversity": category_diversity,
    "catalog_auc": catalog_auc,
    "category_entropy": category_entropy,
    "dcg": dcg,
    "efd": efd,
    "embedding_diversity": embedding_diversity,
    "epc": epc,
    "f_beta": f_beta,
    "fall_out": fall_out,
    "fill_rate": fill_rate,
    "gauc": gauc,
    "ideal_dcg": ideal_dcg,
    "ips_hits": ips_hits,
    "judged_share": judged_share,
    "least_item_promoted": least_item_promoted,
    "list_diversity": list_diversity,
    "long_tail": long_tail,
    "mcc": mcc,
    "mean_recall": mean_recall,
    "miscalibration": miscalibration,
    "n_long_tail": n_long_tail,
    "ndcg": ndcg,
    "overlap": overlap,
    "partial_auc": partial_auc,
    "popularity": popularity,
    "popularity_rank": popularity_rank,
    "popularity_serendipity": popularity_serendipity,
    "profile_distance": profile_distance,
    "rbo": rbo,
    "rbp": rbp,
    "serendipity": serendipity,
    "surprisal": surprisal,
    "unexpectedness": unexpectedness,
    "unjudged": unjudged,
    "unrepeated": unrepeated,
    "unseen": unseen,
    "weighted_precision": weighted_precision,
    "err": err,
    "hit": plainly(twin.hit),
    "n_hits": plainly(twin.n_hits),
    "n_recommended": plainly(twin.n_recommended),
    "n_relevant": plainly(twin.n_relevant),
    "precision": plainly(twin.precision),
    "r_precision": plainly(twin.r_precision),
    "recall": plainly(twin.recall),
    "rr": plainly(twin.rr),
}


# Numbers of a system that are made of numbers of its lists: these lists are those that a mean is taken over, too.
OVER_LISTS = frozenset(
    "exposure_entropy f_beta_of_means mean_self_information percentile_rank pooled_auc pooled_precision".split()
    + "pop_reo pop_rsp user_coverage weighted_auc".split()
)


def scored(inputs: Inputs, metrics: Mapping[str, Asked]) -> set[Key]:
    """Every list that a metric of a list, or one made of such, is taken over; where there is none, that any is."""
    whose = [one for one in metrics.values() if one.name in {*OF_LISTS, *OVER_LISTS}] or metrics.values()
    return set().union(*(inputs.lists(one.policy("missing")) for one in whose))


def per_list(inputs: Inputs, metrics: Mapping[str, Asked]) -> dict[Key, dict[str, Value]]:
    """Every metric of a list, of every list that is scored; None of a list that it is not taken over."""
    of_lists = {label: asked for label, asked in metrics.items() if asked.name in OF_LISTS}
    taken = {label: inputs.lists(asked.policy("missing")) for label, asked in of_lists.items()}
    return {
        key: {label: value_of(inputs, key, asked) if key in taken[label] else None for label, asked in of_lists.items()}
        for key in scored(inputs, metrics)
    }


def value_of(inputs: Inputs, key: Key, asked: Asked) -> Value:
    """A metric of a list, None where the list has not enough for it."""
    case = make_case(inputs, key, asked)
    return filled(OF_LISTS[asked.name](case, **asked.parameters) if has_enough(case, asked) else None, asked)


def filled(value: Value, asked: Asked) -> Value:
    """A value; undefined=zero: 0 where it is undefined; undefined=one: 1 there."""
    return {"null": None, "zero": 0, "one": 1}[asked.policy("undefined")] if value is None else value


def has_enough(case: Case, asked: Asked) -> bool:
    """Whether a list has what it must have to be measured.

    relevant: a relevant item; reaches: min_relevant of them, a ranking of k and min_pool candidates at least, and,
    where the list holds all of them, not all of one score; discerns: and an irrelevant one; exceeds: and more than k.
    """
    enough, n = asked.policy("enough"), case.plain.R
    if enough in ("any", "relevant"):
        return enough == "any" or n > 0
    pool, wanted = case.pool or 0, max(asked.k or 0, asked.policy("min_pool"))
    reaches = n >= asked.policy("min_relevant") and pool >= wanted and case.discerns
    return reaches and (enough == "reaches" or pool > n) and (enough != "exceeds" or pool > (asked.k or 0))
