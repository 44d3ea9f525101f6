"""A plain-Python twin of the metrics that look beyond the truth: at histories, baselines, items, whole systems.

It goes on from tests/twin.py: slow, short, written to be read beside the headers of sql/metrics and sql/runs.
A value of None means "undefined"; it is never 0 and never NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, product
from typing import Any, TypeAlias, cast

from tests import twin
from tests.twin import Judged, Key, Ranked, Row, Value, ratio

Item: TypeAlias = Hashable
Settings: TypeAlias = Mapping[str, Any]
Places: TypeAlias = list[Item]  # the items of the first k places, in order

POLICIES: Settings = {
    "duplicates": "once",
    "enough": "any",
    "min_pool": 2,
    "min_relevant": 1,
    "missing": "zero",
    "relevance": "rated",
    "ties": "item",
    "undefined": "null",
    "rel": None,
}


@dataclass(frozen=True)
class Asked:
    """A metric that was asked for: its name, its cutoff, its parameters, and the policies it is under."""

    name: str
    k: int | None = None
    settings: Settings = field(default_factory=dict)

    def policy(self, name: str) -> Any:
        """What a policy, or a number that policies read, is set to."""
        return self.settings.get(name, POLICIES[name])

    @property
    def parameters(self) -> dict[str, Any]:
        """What the metric itself is given."""
        return {name: value for name, value in self.settings.items() if name not in POLICIES}


# ---- the inputs ------------------------------------------------------------------------


@dataclass(frozen=True)
class Inputs:
    """What evaluate is given, as rows; rows with a NULL id say nothing.

    `columns` names, for each of recs, truth, history and baseline, the columns that identify its lists.
    """

    recs: Sequence[Row]
    truth: Sequence[Row]
    columns: Mapping[str, Sequence[str]]
    history: Sequence[Row] = ()
    baseline: Sequence[Row] = ()
    items: Sequence[Row] = ()
    similarity: Sequence[Row] = ()
    catalog: Sequence[Row] | None = None

    # -- who has what

    @cached_property
    def by_list(self) -> dict[Key, list[Row]]:
        """The recommendations of each list; one whose every row lacks an item is there."""
        return twin.group(self.recs, self.columns["recs"])

    @cached_property
    def truths(self) -> dict[Key, Judged]:
        """What was judged of each list that has a truth."""
        rows = [row for row in self.truth if row["item"] is not None]
        return {key: twin.judge(of) for key, of in twin.group(rows, self.columns["truth"]).items()}

    @cached_property
    def histories(self) -> dict[Key, set[Item]]:
        """What each owner of a list knew before."""
        rows = [row for row in self.history if row["item"] is not None]
        groups = twin.group(rows, self.columns.get("history", ()))
        return {key: {row["item"] for row in of} for key, of in groups.items()}

    @cached_property
    def baselines(self) -> dict[Key, list[Row]]:
        """The recommendations of each list to compare with."""
        rows = [row for row in self.baseline if row["item"] is not None]
        return twin.group(rows, self.columns.get("baseline", ()))

    @cached_property
    def systems(self) -> list[Key]:
        """Each value of the list columns that the truth has not; one, where it has all of them."""
        columns = [one for one in self.columns["recs"] if one not in self.columns["truth"]]
        if not columns:
            return [()]
        return list(twin.group([row for of in self.by_list.values() for row in of], columns))

    def part(self, key: Key, name: str) -> Key:
        """What an input knows a list as: the values of the list columns that it has."""
        named = dict(zip(self.columns["recs"], key, strict=True))
        return tuple(named[column] for column in self.columns.get(name, ()))

    def lists(self, missing: str) -> set[Key]:
        """The lists that a mean is taken over.

        zero, history, baseline: every list of the truth (of that input), for every system; listed: every list of the
        recommendations; skip: those of them that have a truth.
        """
        if missing == "listed":
            return {*self.by_list}
        if missing == "skip":
            return {key for key in self.by_list if self.part(key, "truth") in self.truths}
        name, owners = self._owners(missing)
        columns = self.columns["recs"]
        own = [one for one in columns if one not in self.columns["truth"]]
        found = set()
        for owner, system in product(owners, self.systems):
            named = dict(zip([*self.columns[name], *own], [*owner, *system], strict=True))
            found.add(tuple(named[column] for column in columns))
        return found

    def shown(self, missing: str) -> set[Key]:
        """The lists that a system is judged by: of those recommended, the ones that a mean may be taken over."""
        if missing == "listed":
            return {*self.by_list}
        name, owners = self._owners("zero" if missing == "skip" else missing)
        return {key for key in self.by_list if self.part(key, name) in owners}

    def _owners(self, missing: str) -> tuple[str, Iterable[Key]]:
        """The input that says whose lists count, and whose do."""
        return {
            "zero": ("truth", self.truths.keys()),
            "history": ("history", self.histories.keys()),
            "baseline": ("baseline", self.baselines.keys()),
        }[missing]

    # -- folds

    @cached_property
    def folds(self) -> list[str]:
        """The columns that recommendations and truth share beside the user."""
        shared = self.columns["truth"]
        return [one for one in shared if one != "user"] if "user" in shared else []

    def of_fold(self, key: Key, columns: Sequence[str] | None = None) -> Inputs:
        """What is known in the fold of a list; its fold is told by the columns of lists, or by these."""
        named = dict(zip(self.columns["recs"] if columns is None else columns, key, strict=True))
        fold = {name: value for name, value in named.items() if name in self.folds}

        def within(rows: Sequence[Row] | None) -> Sequence[Row] | None:
            return rows and [row for row in rows if all(row.get(name, value) == value for name, value in fold.items())]

        if not fold:
            return self
        return self._of_folds.setdefault(
            tuple(fold.items()),
            replace(
                self,
                history=within(self.history) or (),
                items=within(self.items) or (),
                catalog=within(self.catalog),
            ),
        )

    @cached_property
    def _of_folds(self) -> dict[Hashable, Inputs]:
        return {}

    # -- what is known of the items

    @cached_property
    def popularity(self) -> dict[Item, float]:
        """How many users know each item: as the items say, else by the history; one known to nobody is left out."""
        found: dict[Item, float] = {}
        if any("popularity" in row for row in self.items):
            for row in self.items:
                told = twin.number(row["popularity"])
                if row["item"] is not None and told is not None and told > 0:
                    found[row["item"]] = max(told, found.get(row["item"], 0))
            return found
        for known in self.histories.values():
            for item in known:
                found[item] = found.get(item, 0) + 1
        return found

    @cached_property
    def n_users(self) -> int:
        """How many owners of lists the history knows."""
        return len(self.histories)

    @cached_property
    def known(self) -> set[Item]:
        """The items that could be recommended: those of the catalogue, else of the history, else of the items."""
        source = self.history if "history" in self.columns else self.items
        source = source if self.catalog is None else self.catalog
        return {row["item"] for row in source if row["item"] is not None}

    @cached_property
    def categories(self) -> dict[Item, set[Hashable]]:
        """The categories of each item that has one."""
        found: dict[Item, set[Hashable]] = {}
        for row in self.items:
            told = row.get("category")
            for one in told if isinstance(told, list) else [told]:
                if row["item"] is not None and one is not None:
                    found.setdefault(row["item"], set()).add(one)
        return found

    @cached_property
    def directions(self) -> dict[Item, list[float]]:
        """The embedding of each item at length 1, of several rows the highest numbers; one of length 0 says nothing."""
        told: dict[Item, list[list[float]]] = {}
        for row in self.items:
            numbers = cast("list[float] | None", row.get("embedding"))
            if row["item"] is not None and numbers is not None:
                told.setdefault(row["item"], []).append(numbers)
        highest = {item: [max(numbers) for numbers in zip(*of, strict=True)] for item, of in told.items()}
        lengths = {item: math.sqrt(sum(one * one for one in numbers)) for item, numbers in highest.items()}
        return {item: [one / lengths[item] for one in of] for item, of in highest.items() if lengths[item] > 0}

    @cached_property
    def similarities(self) -> dict[tuple[Item, Item], float]:
        """The similarity of each ordered pair that is given; where it is given twice, the mean."""
        told: dict[tuple[Item, Item], list[float]] = {}
        for row in self.similarity:
            value = twin.number(row["similarity"])
            if row["item"] is not None and row["other"] is not None and value is not None:
                told.setdefault((row["item"], row["other"]), []).append(value)
        return {pair: sum(values) / len(values) for pair, values in told.items()}

    def tail(self, head: float) -> dict[Item, bool]:
        """Whether each known item is in the long tail.

        It is not if it is among the most popular items that have `head` of all interactions, the one that crosses that
        share among them; of equally popular items the lower comes first.
        """
        total, before = sum(self.popularity.values()), 0.0
        found: dict[Item, bool] = {}
        for item in sorted(cast("Iterable[Any]", self.popularity), key=lambda one: (-self.popularity[one], one)):
            found[item] = before >= head * total
            before += self.popularity[item]
        return found


# ---- one list at one cutoff ------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """What every metric of a list is computed from."""

    inputs: Inputs
    k: int | None
    ranked: Ranked  # the first k places
    judged: Judged  # every item that the list's truth mentions
    rel: float | None
    plain: twin.Case  # the same as tests/twin.py has it
    hit_items: list[tuple[int, Item, float]]  # (rank, item, rating) of what is credited, in order
    hits_of_all: list[tuple[int, float]]  # (rank, rating) of what is credited in the whole list
    levels: Mapping[int, Sequence[int]]  # for each rank, those of the same score, itself among them
    relevant: set[Item]
    history: set[Item]
    baseline: Ranked  # the whole baseline of the list, each item at its best rank
    candidates: Sequence[Row]  # the rows of the whole list, in order
    pool: int | None  # how many candidates the list was ranked from: as it says, else its last rank
    is_pooled: bool  # whether the recommendations say so of their lists

    @property
    def places(self) -> Places:
        """The items of the first k places."""
        return [item for _, item in self.ranked]

    @property
    def n(self) -> int:
        """How many places are filled."""
        return len(self.ranked)

    @property
    def expected(self) -> set[Item]:
        """The items of the first k places of the baseline."""
        return {item for rank, item in self.baseline if self.k is None or rank <= self.k}

    def group(self, head: float, *, is_tail: bool) -> set[Item]:
        """The items of the long tail, or the other known items."""
        return {item for item, found in self.inputs.tail(head).items() if found == is_tail}

    def over(self, divisor: str) -> int:
        """list: the places that are filled; k: the cutoff, without one the list's length."""
        return self.n if divisor == "list" or self.k is None else self.k

    @property
    def discerns(self) -> bool:
        """Whether the list holds less than all candidates, or not all of one score; so it is where there is none."""
        scores = {twin.number(row["score"]) for row in self.candidates if "score" in row}
        differ = not scores or (None not in scores and len(scores) > 1)
        return self.pool is not None and (self.pool > len(self.candidates) or differ)


def first_rows(rows: Iterable[Row]) -> list[Row]:
    """Each item at its first place only."""
    found: dict[Item, Row] = {}
    for row in rows:
        found.setdefault(row["item"], row)
    return [*found.values()]


def levels_of(rows: Sequence[Row], ranked: Ranked) -> dict[int, list[int]]:
    """For each rank of a list, the ranks that have its score; where ranks are given, none but itself."""
    ranks = [rank for rank, _ in ranked]
    if any("rank" in row or "score" not in row for row in rows):
        return {rank: [rank] for rank in ranks}
    scores = [twin.number(row["score"]) for row in rows]
    return {
        rank: [other for other, of in zip(ranks, scores, strict=True) if of == score]
        for rank, score in zip(ranks, scores, strict=True)
    }


def best_ranks(ranked: Ranked) -> Ranked:
    """Each item once, at its best rank; no other rank changes."""
    best: dict[Item, int] = {}
    for rank, item in ranked:
        best.setdefault(item, rank)
    return [(rank, item) for item, rank in best.items()]


def make_case(inputs: Inputs, key: Key, asked: Asked) -> Case:
    """A list under the policies of a metric, cut at its k."""
    ties, k = asked.policy("ties"), asked.k
    rows = candidates = twin.in_order(inputs.by_list.get(key, []), ties)
    ranked = twin.rank_rows(rows, ties)
    if asked.policy("duplicates") == "first":
        rows = first_rows(rows)
        ranked = [*enumerate((row["item"] for row in rows), start=1)]
    told = [number for row in candidates if (number := twin.number(row.get("pool"))) is not None]
    judged = inputs.truths.get(inputs.part(key, "truth"), {})
    rel = -math.inf if asked.policy("relevance") == "any" else asked.policy("rel")
    within = [(rank, item) for rank, item in ranked if k is None or rank <= k]
    relevant = {item for item, rating in judged.items() if (rating > 0 if rel is None else rating >= rel)}
    each = asked.policy("duplicates") == "each"
    credited = [
        (rank, item, judged[item]) for rank, item in (ranked if each else best_ranks(ranked)) if item in relevant
    ]
    hits = [hit for hit in credited if k is None or hit[0] <= k]
    plain = twin.make_case(k, ranked, judged, rel)
    if each:
        plain = twin.Case(**{**vars(plain), "hits": [(rank, rating) for rank, _, rating in hits], "h": len(hits)})
    baseline = twin.rank_rows(inputs.baselines.get(inputs.part(key, "baseline"), []), ties)
    return Case(
        inputs=inputs.of_fold(key),
        k=k,
        ranked=within,
        judged=judged,
        rel=asked.policy("rel"),
        plain=plain,
        hit_items=hits,
        hits_of_all=[(rank, rating) for rank, _, rating in credited],
        levels=levels_of(rows, ranked),
        relevant=relevant,
        history=inputs.histories.get(inputs.part(key, "history"), set()),
        baseline=best_ranks(baseline),
        candidates=candidates,
        pool=int(max(told, default=len(candidates))) if candidates else None,
        is_pooled=any("pool" in row for row in inputs.recs),
    )


def mean(values: Sequence[float]) -> float | None:
    """The mean; None of nothing."""
    return ratio(math.fsum(values), len(values))


def total(values: Iterable[float]) -> float:
    """The sum."""
    return math.fsum(values)


def discount_of(discount: str, rank: int, p: float) -> float:
    """What a place is worth: tests/twin.py has it, and takes p along with its name."""
    return twin.discount_of((discount, p), rank)


def weight_of(weight: str, rank: int, p: float) -> float:
    """uniform: 1; geometric: p**(rank - 1); log2: 1 / log2(rank + 1)."""
    return 1.0 if weight == "uniform" else discount_of(weight, rank, p)


def gain_of(gain: str, rating: float, rel: float | None) -> float:
    """binary, linear, exponential as tests/twin.py has it; positive: the rating, 0 at least.

    excess: 2**(rating - rel + 1) - 1, rel 0 if it is None.
    """
    if gain == "positive":
        return max(rating, 0)
    return twin.gain_of("exponential", rating - (rel or 0) + 1) if gain == "excess" else twin.gain_of(gain, rating)


# ---- metrics of the truth --------------------------------------------------------------


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
    """Share of (hit, miss) pairs with the hit first; credited: 1 for nothing but hits, 0 for no hit.

    The misses are the places that hold no hit, to the last rank; to min(k, pool) where lists say their pool.
    """
    last = max(case.plain.ranks, default=0)
    if case.is_pooled and case.pool is not None:
        last = case.pool if case.k is None else min(case.k, case.pool)
    hits = [rank for rank, _ in case.plain.hits]
    misses = [rank for rank in range(1, last + 1) if rank not in hits]
    if hits and misses:
        return sum(1 for hit, miss in product(hits, misses) if hit < miss) / (len(hits) * len(misses))
    return None if alone == "undefined" else float(bool(hits))


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


def partial_auc(case: Case, positives: str = "all") -> Value:
    """Pairs of a relevant item and one of the first k irrelevant places, the item first, over all such; None if R = 0.

    first: of the first k hits only. Places that the list does not hold are irrelevant ones behind what it holds.
    """
    assert case.k is not None
    ranks = sorted(rank for rank, _ in case.hits_of_all)
    won = [max(0, case.k - (rank - number)) for number, rank in enumerate(ranks, start=1)]
    if positives == "first":
        return ratio(sum(won[: case.k]), case.k * min(case.k, case.plain.R))
    return ratio(sum(won), case.k * case.plain.R)


def f_beta(case: Case, beta: float = 1, metric_0: str = "precision", metric_1: str = "recall") -> Value:
    """(1 + b^2) P R / (b^2 P + R) of any two metrics P and R; 0 if both are 0, None if one is None."""
    p, r = (inner(case, one) for one in (metric_0, metric_1))
    if p is None or r is None:
        return None
    return 0.0 if p == 0 and r == 0 else (1 + beta**2) * p * r / (beta**2 * p + r)


def inner(case: Case, text: str) -> Value:
    """A metric of the same list, from a text such as `precision(divisor=list)`."""
    name, _, inside = text.removesuffix(")").partition("(")
    settings = dict(one.strip().split("=") for one in inside.split(",") if one)
    return OF_LISTS[name](case, **settings)


def plainly(metric: Callable[..., Value]) -> Callable[..., Value]:
    """A metric of tests/twin.py as one of a Case here."""
    return lambda case, **settings: metric(case.plain, **settings)


# ---- metrics of the history and of a baseline --------------------------------------------


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

    normalized: by log2(users), an unknown item 1, None if there is one user only; bits: as it is, an unknown item 0;
    capped_bits: an unknown item as if one user knew it.
    Of no place the sum is 0, whatever is known.
    """
    users, known = case.inputs.n_users, case.inputs.popularity
    if not case.places:
        return ratio(0.0, case.over(divisor))
    if users == 0 or (surprise == "normalized" and users == 1):
        return None
    if surprise == "capped_bits":
        values = [-math.log2(known.get(item, 1) / users) for item in case.places]
    elif surprise == "bits":
        values = [-math.log2(known[item] / users) if item in known else 0.0 for item in case.places]
    else:
        values = [-math.log2(known[item] / users) / math.log2(users) if item in known else 1.0 for item in case.places]
    return ratio(total(values), case.over(divisor))


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


def popularity(case: Case) -> Value:
    """Mean over places of how many users know the item, 0 of an unknown one; None of an empty list."""
    return mean([case.inputs.popularity.get(item, 0) for item in case.places])


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


# ---- metrics of the items ----------------------------------------------------------------


def categorical_diversity(case: Case, divisor: str = "list") -> Value:
    """Different categories of the first k places over the divisor; None if that is 0."""
    found = {one for item in case.places for one in case.inputs.categories.get(item, ())}
    return ratio(len(found), case.over(divisor))


def category_entropy(case: Case, weight: str = "uniform", p: float = 0.85, smoothing: str = "none") -> Value:
    """-sum of s log2(s) over categories, s being a category's share of the weights of its places; None without any.

    smoothing=lenskit: 0.000001 is added to the weights of every category that there is.
    """
    masses: dict[Hashable, float] = {}
    for rank, item in case.ranked:
        for one in case.inputs.categories.get(item, ()):
            masses[one] = masses.get(one, 0) + weight_of(weight, rank, p)
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


def category_diversity(case: Case, likeness: str = "jaccard") -> Value:
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


def list_diversity(case: Case) -> Value:
    """1 - mean similarity of all pairs of places; None without a pair.

    A pair given both ways round has the mean of the two; given neither way 0, and 1 for an item with itself.
    """
    told = case.inputs.similarities

    def alike(a: Item, b: Item) -> float:
        both = mean([told[pair] for pair in ((a, b), (b, a)) if pair in told])
        return float(a == b) if both is None else both

    found = mean([alike(a, b) for a, b in combinations(case.places, 2)])
    return None if found is None else 1 - found


def embedding_diversity(case: Case) -> Value:
    """1 - mean cosine of all pairs of places whose items have an embedding; None without a pair."""
    told = [case.inputs.directions[item] for item in case.places if item in case.inputs.directions]
    found = mean([total(x * y for x, y in zip(a, b, strict=True)) for a, b in combinations(told, 2)])
    return None if found is None else 1 - found


def profile(items: Iterable[Item], categories: Mapping[Item, set[Hashable]]) -> dict[Hashable, float]:
    """The shares of the categories of some items, each item divided among its own."""
    masses: dict[Hashable, float] = {}
    tagged = [categories[item] for item in items if item in categories]
    for of in tagged:
        for one in of:
            masses[one] = masses.get(one, 0) + 1 / len(of)
    return {one: mass / len(tagged) for one, mass in masses.items()}


def miscalibration(case: Case, divergence: str = "kl", alpha: float = 0.01) -> Value:
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


def divergence_of(p: Mapping[Hashable, float], q: Mapping[Hashable, float]) -> float:
    """Sum of p ln(p / q)."""
    return total(share * math.log(share / q[one]) for one, share in p.items())


OF_LISTS: Mapping[str, Callable[..., Value]] = {
    "accuracy": accuracy,
    "ap": ap,
    "auc": auc,
    "bpref": bpref,
    "categorical_diversity": categorical_diversity,
    "category_diversity": category_diversity,
    "category_entropy": category_entropy,
    "dcg": dcg,
    "efd": efd,
    "embedding_diversity": embedding_diversity,
    "epc": epc,
    "f_beta": f_beta,
    "gauc": gauc,
    "ideal_dcg": ideal_dcg,
    "least_item_promoted": least_item_promoted,
    "list_diversity": list_diversity,
    "long_tail": long_tail,
    "mcc": mcc,
    "mean_recall": mean_recall,
    "miscalibration": miscalibration,
    "n_long_tail": n_long_tail,
    "ndcg": ndcg,
    "partial_auc": partial_auc,
    "popularity": popularity,
    "popularity_rank": popularity_rank,
    "rbo": rbo,
    "rbp": rbp,
    "serendipity": serendipity,
    "surprisal": surprisal,
    "unexpectedness": unexpectedness,
    "unjudged": unjudged,
    "unseen": unseen,
    "weighted_precision": weighted_precision,
    "err": plainly(twin.err),
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
OVER_LISTS = frozenset({"exposure_entropy", "pooled_auc", "pop_reo", "pop_rsp", "user_coverage"})


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
    """A value; undefined=zero: 0 where it is undefined."""
    return 0 if value is None and asked.policy("undefined") == "zero" else value


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


# ---- metrics of a system -------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """What a number of a system is computed from: the lists it is shown by, and those a mean is taken over."""

    inputs: Inputs
    k: int | None
    shown: Sequence[Case]
    cases: Sequence[Case]

    @property
    def places(self) -> Iterator[tuple[int, Item]]:
        """The first k places of all lists that are shown."""
        return (place for case in self.shown for place in case.ranked)

    @property
    def known_places(self) -> Iterator[tuple[int, Item]]:
        """Those of them whose item could be recommended in the fold of the list."""
        return (place for case in self.shown for place in case.ranked if place[1] in case.inputs.known)

    @property
    def filled(self) -> list[Case]:
        """The lists that hold an item."""
        return [case for case in self.shown if case.n]


def coverage(run: Run, counted: str = "known", unit: str = "share") -> Value:
    """Different items of all places (known: that could be recommended), over all that could; None if there is none."""
    number = len({item for _, item in (run.known_places if counted == "known" else run.places)})
    if unit == "count":
        return number
    share = ratio(number, len(run.inputs.known))
    return share if share is None or unit == "share" else math.floor(10000 * share + 0.5) / 100


def user_coverage(run: Run, least: str = "one", unit: str = "share") -> Value:
    """Lists with one place filled, or k of them, over all that the mean is taken over."""
    needed = run.k if least == "k" and run.k is not None else 1
    number = sum(1 for case in run.cases if case.n >= needed)
    return number if unit == "count" else ratio(number, len(run.cases))


def gini(run: Run, among: str = "catalog", form: str = "inequality", weight: str = "uniform", p: float = 0.85) -> Value:
    """Sum over i of (2i - n - 1) x_i / (n sum x), x being n exposures, lowest first; None of no exposure.

    catalog: of all items that could be recommended, and no others; recommended: of those that are; any: of those that
    are, at the last of as many places as items could be recommended. equality: 1 - n / (n - 1) times it.
    """
    masses: dict[Item, float] = {}
    for rank, item in run.known_places if among == "catalog" else run.places:
        masses[item] = masses.get(item, 0) + weight_of(weight, rank, p)
    n, x = len(masses) if among == "recommended" else len(run.inputs.known), sorted(masses.values())
    above = total((2 * i - n - 1) * one for i, one in enumerate(x, start=1 + n - len(x)))
    if form == "inequality":
        return ratio(above, n * sum(x))
    unequal = ratio(above, (n - 1) * sum(x))
    return None if unequal is None else 1 - unequal


def exposure_entropy(run: Run, over: str = "places") -> Value:
    """Mean over places of -log2(s), s being the item's share of all places; None of no place.

    over=lists: of each list the mean over its places, 0 of an empty one; of these the mean over all lists scored.
    """
    every = [item for _, item in run.places]
    if not every:
        return None
    information = {item: -math.log2(every.count(item) / len(every)) for item in every}
    if over == "places":
        return mean([information[item] for item in every])
    return ratio(total(mean([information[item] for item in case.places]) or 0 for case in run.filled), len(run.cases))


def personalization(run: Run, lengths: str = "any") -> Value:
    """1 - mean likeness of all pairs of lists that hold an item; None without a pair, or if lengths must be equal.

    The likeness is the cosine where no list repeats an item; else a list may be more than 1 alike to itself, and what
    it is more counts among the pairs.
    """
    lists = [case.places for case in run.filled]
    if lengths == "equal" and len({len(one) for one in lists}) > 1:
        return None

    def alike(a: Places, b: Places) -> float:
        return sum(a.count(item) * b.count(item) for item in {*a}) / math.sqrt(len(a) * len(b))

    above = 2 * total(alike(a, b) for a, b in combinations(lists, 2)) + total(alike(a, a) - 1 for a in lists)
    found = ratio(above, len(lists) * (len(lists) - 1))
    return None if found is None else 1 - found


def pooled_auc(run: Run) -> Value:
    """Mean over the hits of all lists of the share of irrelevant items that stand below; None without a hit."""
    return mean([share for case in run.cases for share in shares_above(case) or ()])


def unevenness(tail: float | None, head: float | None) -> Value:
    """Standard deviation over mean of two shares: |a - b| / (a + b); None if one is, or both are 0."""
    return None if tail is None or head is None else ratio(abs(tail - head), tail + head)


def pop_rsp(run: Run, head: float = 0.8) -> Value:
    """unevenness of the shares recommended, of the items of tail and head that the lists' owners did not know."""

    def share(group: bool) -> float | None:
        found = sum(len(case.group(head, is_tail=group) & {*case.places}) for case in run.cases)
        return ratio(found, sum(len(case.group(head, is_tail=group) - case.history) for case in run.cases))

    return unevenness(share(True), share(False))


def pop_reo(run: Run, head: float = 0.8) -> Value:
    """unevenness of the shares found, of the relevant items of tail and head."""

    def share(group: bool) -> float | None:
        members = [(case, case.group(head, is_tail=group)) for case in run.cases]
        found = sum(1 for case, of in members for _, item, _ in case.hit_items if item in of)
        return ratio(found, sum(len(of & case.relevant) for case, of in members))

    return unevenness(share(True), share(False))


OF_RUNS: Mapping[str, Callable[..., Value]] = {
    "coverage": coverage,
    "exposure_entropy": exposure_entropy,
    "gini": gini,
    "personalization": personalization,
    "pooled_auc": pooled_auc,
    "pop_reo": pop_reo,
    "pop_rsp": pop_rsp,
    "user_coverage": user_coverage,
}


def summary(inputs: Inputs, metrics: Mapping[str, Asked], by: Sequence[str]) -> dict[Key, dict[str, Value]]:
    """Per value of the `by` columns, `n_lists`, the mean of each metric of a list, and each metric of a system.

    Without `by` there is one row, be it of no list.
    """
    values, keys = per_list(inputs, metrics), scored(inputs, metrics)
    where = [inputs.columns["recs"].index(column) for column in by]

    def group(key: Key) -> Key:
        return tuple(key[place] for place in where)

    answer: dict[Key, dict[str, Value]] = {}
    for of in {group(key) for key in keys} | (set() if by else {()}):
        row: dict[str, Value] = {"n_lists": sum(1 for key in keys if group(key) == of)}
        for label, asked in metrics.items():
            if asked.name in OF_LISTS:
                defined = [value for key in values if group(key) == of if (value := values[key][label]) is not None]
                row[label] = mean(defined)
            else:
                shown, cases = (
                    [make_case(inputs, key, asked) for key in which if group(key) == of]
                    for which in (inputs.shown(asked.policy("missing")), inputs.lists(asked.policy("missing")))
                )
                value = OF_RUNS[asked.name](Run(inputs.of_fold(of, by), asked.k, shown, cases), **asked.parameters)
                row[label] = filled(value, asked)
        answer[of] = row
    return answer
