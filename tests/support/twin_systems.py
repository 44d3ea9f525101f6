"""A plain-Python twin of the metrics of systems: coverage, concentration, personalization, exposure.

Slow, short, written to be read beside the headers of sql/runs.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from rankmetrics.metrics.catalog import catalog
from tests.support import twin_log
from tests.support.twin import (
    OF_LISTS,
    Readers,
    attended,
    auc,
    dcg,
    filled,
    ideal_dcg,
    n_hits,
    n_ideal_hits,
    per_list,
    scored,
    shares_above,
)
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
    number,
    ratio,
    total,
)


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


def coverage(run: Run, counted: str = "known", unit: str = "share") -> MetricValue:
    """Different items of all places (known: that could be recommended), over all that could; None if there is none."""
    number = len({item for _, item in (run.known_places if counted == "known" else run.places)})
    if unit == "count":
        return number
    if unit == "corrected":
        lengths = [case.n for case in run.filled]
        lowest = max(lengths, default=0)
        return ratio(number - lowest, min(sum(lengths), len(run.inputs.known)) - lowest) if lengths else None
    share = ratio(number, len(run.inputs.known))
    return share if share is None or unit == "share" else math.floor(10000 * share + 0.5) / 100


def user_coverage(run: Run, least: str = "one", unit: str = "share") -> MetricValue:
    """Lists with one place filled, or k of them, over all that the mean is taken over."""
    needed = run.k if least == "k" and run.k is not None else 1
    number = sum(1 for case in run.cases if case.n >= needed)
    return number if unit == "count" else ratio(number, len(run.cases))


def exposed(run: Run, among: str, weight: str, p: float) -> tuple[int, list[float], list[tuple[int, float]], int]:
    """The number of items, the exposures, lowest first, the rank and weight of each place, and the lists."""
    masses: dict[Item, float] = {}
    slots = []
    for rank, item in run.known_places if among == "catalog" else run.places:
        slots.append((rank, discount_of(weight, rank, p)))
        masses[item] = masses.get(item, 0) + slots[-1][1]
    n = len(masses) if among == "recommended" else len(run.inputs.known)
    return n, sorted(masses.values()), slots, len(run.filled)


def evenly(n: int, slots: int) -> list[int]:
    """The places of each of n items where they have the same number of them, or one more."""
    return [slots // n + (i >= n - slots % n) for i in range(n)]  # none of no item


def gini(
    run: Run, among: str = "catalog", form: str = "inequality", weight: str = "uniform", p: float = 0.85
) -> MetricValue:
    """Sum over i of (2i - n - 1) x_i / (n sum x), x being n exposures, lowest first; None of no exposure.

    catalog: of all items that could be recommended, and no others; recommended: of those that are; any: of those that
    are, at the last of as many places as items could be recommended. normalized: n / (n - 1) times it; equality: 1 less
    that. corrected: from the sum where lists share nothing, or all items are alike (0 where weights differ), to that
    where all lists are the same.
    """
    n, x, slots, m = exposed(run, among, weight, p)
    above = total((2 * i - n - 1) * one for i, one in enumerate(x, start=1 + n - len(x)))
    if form == "corrected":
        highest = total((n - 2 * rank + 1) * one for rank, one in slots)
        lowest: float | None = 0.0
        if len(slots) <= n:
            lowest = total((n - 2 * rank * m + m) * one for rank, one in slots)
        elif all(one == 1 for _, one in slots):
            lowest = total((2 * i - n - 1) * one for i, one in enumerate(evenly(n, len(slots)), start=1)) if n else None
        return None if lowest is None else ratio(above - lowest, highest - lowest)
    if form == "inequality":
        return ratio(above, n * sum(x))
    unequal = ratio(above, (n - 1) * sum(x))
    return unequal if unequal is None or form == "normalized" else 1 - unequal


def jain(
    run: Run, among: str = "catalog", form: str = "plain", weight: str = "uniform", p: float = 0.85
) -> MetricValue:
    """(sum x)^2 / (n sum x^2), x being the exposures of n items; None of no exposure.

    corrected: from the index where all lists are the same to that where they share nothing, or all items are alike (1
    where weights differ).
    """
    n, x, slots, m = exposed(run, among, weight, p)
    found = ratio(total(x) ** 2, n * total(one**2 for one in x))
    if form == "plain" or found is None:
        return found
    squares = n * total(one**2 for _, one in slots)
    lowest, highest = total(x) ** 2 / (m * squares), total(x) ** 2 / squares
    if len(slots) > n:
        even = evenly(n, len(slots))
        highest = len(slots) ** 2 / (n * total(one**2 for one in even)) if total(x) == len(slots) else 1
    return ratio(found - lowest, highest - lowest)


def coverage_disparity(run: Run) -> MetricValue:
    """Mean over the pairs of recommended items of 1 - the smaller number of places over the larger."""
    counts = Counter(item for _, item in run.places).values()
    return mean([1 - min(pair) / max(pair) for pair in combinations(counts, 2)])


def satisfied_items(run: Run, form: str = "share") -> MetricValue:
    """Items with at least as many places as floor(places / n), over n, the items that could be recommended.

    corrected: from the length of the longest list, over n, to 1.
    """
    every, n = [item for _, item in run.places], len(run.inputs.known)
    if not every or not n:
        return None
    share = len(every) // max(
        (len(case.inputs.known) for case in run.cases), default=n
    )  # of several folds, the largest
    found = 1 if len(every) < n else sum(1 for item in {*every} if every.count(item) >= share) / n
    lowest = max(case.n for case in run.filled) / n
    return found if form == "share" else ratio(found - lowest, 1 - lowest)


def exposure_entropy(run: Run, over: str = "places", unit: str = "bits") -> MetricValue:
    """Mean over places of -log2(s), s being the item's share of all places; None of no place.

    over=items: over the number of different items.
    over=lists: of each list the mean over its places, 0 of an empty one; of these the mean over all lists scored.
    share: over log2(n), n items that could be recommended; corrected: from log2 of the longest list to the entropy
    where all items are alike, or have one place more.
    """
    every, n = [item for _, item in run.places], len(run.inputs.known)
    if not every:
        return None
    information = {item: -math.log2(every.count(item) / len(every)) for item in every}
    if over in ("places", "items"):
        found = (mean([information[item] for item in every]) or 0) / (1 if over == "places" else len(information))
    else:
        found = total(mean([information[item] for item in case.places]) or 0 for case in run.filled) / len(run.cases)
    if unit == "corrected":
        longest = max(case.n for case in run.filled)
        if longest >= min(n, len(every)):
            return None
        lowest = math.log2(longest)
        highest = -total(one / len(every) * math.log2(one / len(every)) for one in evenly(n, len(every)) if one)
        return ratio(found - lowest, highest - lowest)
    return (
        found if unit == "bits" else found * math.log(2) if unit == "nats" else ratio(found, math.log2(n) if n else 0)
    )


def personalization(run: Run, lengths: str = "any") -> MetricValue:
    """1 - mean likeness of all pairs of lists that hold an item; None without a pair, or if lengths must be equal.

    The likeness is the cosine where no list repeats an item; else a list may be more than 1 alike to itself, and what
    it is more counts among the pairs.
    """
    lists = [case.places for case in run.filled]
    if lengths == "equal" and len({len(one) for one in lists}) > 1:
        return None

    def alike(a: list[Item], b: list[Item]) -> float:
        return sum(a.count(item) * b.count(item) for item in {*a}) / math.sqrt(len(a) * len(b))

    above = 2 * total(alike(a, b) for a, b in combinations(lists, 2)) + total(alike(a, a) - 1 for a in lists)
    found = ratio(above, len(lists) * (len(lists) - 1))
    return None if found is None else 1 - found


def pooled_auc(run: Run) -> MetricValue:
    """Mean over the hits of all lists of the share of irrelevant items that stand below; None without a hit."""
    return mean([share for case in run.cases for share in shares_above(case) or ()])


def mean_self_information(run: Run) -> MetricValue:
    """Mean over the places of all lists of -log2(users of the item / users of all items), an unknown item 0."""
    places = [(item, case.inputs.popularity) for case in run.cases for item in case.places]  # of the fold of the list
    return mean([-math.log2(of[item] / sum(of.values())) if item in of else 0.0 for item, of in places])


def pooled_precision(run: Run, divisor: str = "k") -> MetricValue:
    """Hits of all lists, over k of each (its length without k), its length up to k, or min(k, R) ("relevant")."""
    below = {
        "k": [case.k_or_n for case in run.cases],
        "list": [case.n for case in run.cases],
        "relevant": [case.capped for case in run.cases],
    }[divisor]
    return ratio(total(n_hits(case) or 0 for case in run.cases), sum(below))


def errors(run: Run) -> list[float]:
    """Score less rating of each item with both that is among the first k; a repeated item has its highest score."""
    found = []
    for case in run.cases:
        scores: dict[Item, float] = {}
        for row in case.candidates:
            if (score := number(row.get("score"))) is not None:
                scores[row["item"]] = max(score, scores.get(row["item"], score))
        both = (item for _, item in best_ranks(case.ranked) if item in scores and item in case.judged)
        found += [scores[item] - case.judged[item] for item in both]
    return found


def mae(run: Run) -> MetricValue:
    """Mean absolute error of scores as predictions of ratings."""
    return mean([abs(error) for error in errors(run)])


def mse(run: Run) -> MetricValue:
    """Mean squared error of them."""
    return mean([error**2 for error in errors(run)])


def rmse(run: Run) -> MetricValue:
    """Its square root."""
    found = mse(run)
    return None if found is None else math.sqrt(found)


def share_of_best(run: Run, of: str = "precision", **settings: Any) -> MetricValue:
    """Sum of n_hits over the sum of n_ideal_hits; recall: of both over R; pooled_recall: over all relevant items.

    dcg: sum of dcg over the sum of ideal_dcg; ndcg: of both over the ideal_dcg without weights.
    """
    how = {name: value for name, value in settings.items() if name in ("gain", "discount", "p")}
    pairs = []
    for case in run.cases:
        if of == "pooled_recall":
            pair, below = (n_hits(case), total(map(case.weight, case.relevant))), 1.0
        elif of in ("precision", "recall"):
            pair = n_hits(case), n_ideal_hits(case)
            below = 1.0 if of == "precision" else float(case.R)
        else:
            ideal = {name: value for name, value in settings.items() if name != "tied"}
            pair = dcg(case, **how, tied=settings.get("tied", "ranked")), ideal_dcg(case, **ideal)
            below = 1.0 if of == "dcg" else ideal_dcg(replace(case, weights=None), **how)
        pairs += [tuple((value or 0) / below for value in pair)] if below else []
    return ratio(total(found for found, _ in pairs), total(best for _, best in pairs))


def f_beta_of_means(run: Run, beta: float = 1, divisor: str = "k", over: str = "relevant") -> MetricValue:
    """(1 + b^2) P R / (b^2 P + R), P and R being means of precision and recall over the lists with R > 0; None of none.

    over=all: the means are over all lists, and a list with R = 0 counts 0.
    """
    cases = [case for case in run.cases if case.R]
    below = {"k": [one.k_or_n for one in cases], "list": [one.n for one in cases]}[divisor]
    if not cases:
        return None
    n_lists = len(cases) if over == "relevant" else len(run.cases)
    p = total(ratio(n_hits(one) or 0, n) or 0 for one, n in zip(cases, below, strict=True)) / n_lists
    r = total((n_hits(one) or 0) / one.R for one in cases) / n_lists
    return (1 + beta**2) * p * r / (beta**2 * p + r) if p or r else 0.0


def weighted_auc(run: Run) -> MetricValue:
    """Mean of the auc of the lists that have one, weighted by R; None without such a list."""
    pairs = [(found, case.R) for case in run.cases if (found := auc(case)) is not None]
    return ratio(total(found * weight for found, weight in pairs), sum(weight for _, weight in pairs))


def percentile_rank(run: Run) -> MetricValue:
    """100 / (sum of R) times the sum over relevant items of (rank - 1) / N; not found: mean of the last and 1."""
    found = []
    for case in run.cases:
        if n := len(case.inputs.known):
            last = max(case.last_place, 1) - 1
            shares = [(rank - 1) / n for rank, _ in case.hits]
            found.append(total(shares) + (case.R - case.h) * (last / n + 1) / 2)
    return ratio(100 * total(found), sum(case.R for case in run.cases)) if found else None


def unevenness(tail: float | None, head: float | None) -> MetricValue:
    """Standard deviation over mean of two shares: |a - b| / (a + b); None if one is, or both are 0."""
    return None if tail is None or head is None else ratio(abs(tail - head), tail + head)


def pop_rsp(run: Run, head: float = 0.8) -> MetricValue:
    """unevenness of the shares recommended, of the items of tail and head that the lists' owners did not know."""

    def share(group: bool) -> float | None:
        found = sum(len(case.group(head, is_tail=group) & {*case.places}) for case in run.cases)
        return ratio(found, sum(len(case.group(head, is_tail=group) - case.history) for case in run.cases))

    return unevenness(share(True), share(False))


def pop_reo(run: Run, head: float = 0.8) -> MetricValue:
    """unevenness of the shares found, of the relevant items of tail and head."""

    def share(group: bool) -> float | None:
        members = [(case, case.group(head, is_tail=group)) for case in run.cases]
        found = sum(1 for case, of in members for _, item, _ in case.hit_items if item in of)
        return ratio(found, sum(len(of & case.relevant) for case, of in members))

    return unevenness(share(True), share(False))


def spread(pairs: Mapping[Hashable, tuple[int, int]]) -> MetricValue:
    """Standard deviation over mean of the shares of categories; None if all are 0, or there are none."""
    shares = [found / n for found, n in pairs.values() if n]
    middle = mean(shares)
    return ratio(math.sqrt(total((share - middle) ** 2 for share in shares) / len(shares)), middle) if middle else None


def counted(run: Run, members: Callable[[Case], tuple[set[Item], set[Item]]]) -> dict[Hashable, tuple[int, int]]:
    """Of each category the number of items of two sets of each list, over all lists."""
    found: dict[Hashable, tuple[int, int]] = {}
    for case in run.cases:
        above, below = members(case)
        for one in {one for of in case.inputs.categories.values() for one in of}:
            of = {item for item, categories in case.inputs.categories.items() if one in categories}
            sums = found.get(one, (0, 0))
            found[one] = sums[0] + len(above & of), sums[1] + len(below & of)
    return found


def reo(run: Run) -> MetricValue:
    """Spread of the recalls of categories; an item that a list repeats counts at each rank where it is a hit."""
    found: dict[Hashable, tuple[int, int]] = counted(run, lambda case: (set(), case.relevant))
    for case in run.cases:
        for _, item, _ in case.hit_items:
            for one in case.inputs.categories.get(item, ()):
                found[one] = found[one][0] + 1, found[one][1]
    return spread(found)


def rsp(run: Run) -> MetricValue:
    """spread of the shares of catalogue items that are recommended, of those that the lists' owners did not know."""
    return spread(counted(run, lambda case: ({*case.places} & case.inputs.known, case.inputs.known - case.history)))


def item_mad(run: Run, gain: str = "binary") -> MetricValue:
    """Mean over pairs of categories of |q - q'|, q the mean over recommended items of the mean gain of their places."""
    of_items: dict[Hashable, dict[Item, list[float]]] = {}
    for case in run.shown:
        gains = {rank: gain_of(gain, rating, case.rel) for rank, _, rating in case.hit_items}
        for rank, item in case.ranked:
            for one in case.inputs.categories.get(item, ()):
                of_items.setdefault(one, {}).setdefault(item, []).append(gains.get(rank, 0.0))
    qualities = [total(total(of) / len(of) for of in items.values()) / len(items) for items in of_items.values()]
    return mean([abs(a - b) for a, b in combinations(qualities, 2)])


def bias_disparity(run: Run, of: str = "change", category: str | None = None) -> MetricValue:
    """Share of the places over that of the histories, less 1; of one category, or the mean of all.

    recommended, history: these shares over that of the items. An item is of its categories in equal parts.
    """

    def shares(items: Iterable[tuple[Case, Item]]) -> dict[Hashable, float]:
        found: dict[Hashable, float] = {}
        for case, item in items:
            for one in (of_item := case.inputs.categories.get(item, ())):
                found[one] = found.get(one, 0) + 1 / len(of_item)
        every = total(found.values())
        return {one: mass / every for one, mass in found.items()}

    folds = {id(case.inputs.categories): case for case in run.cases}
    items = shares((case, item) for case in folds.values() for item in case.inputs.categories)
    places = shares((case, item) for case in run.shown for item in case.places)
    histories = shares((case, item) for case in run.cases for item in case.history)
    values = []
    for one, share in items.items():
        if category in (None, str(one)):
            recommended, past = places.get(one, 0), histories.get(one, 0)
            pair = {"change": (recommended, past), "recommended": (recommended, share), "history": (past, share)}[of]
            there = (places if of != "history" else True) and (histories if of != "recommended" else True)
            values += [pair[0] / pair[1] - (of == "change")] if there and pair[1] else []
    return mean(values)


def exposure_ratio(run: Run, **readers: Any) -> MetricValue:
    """The lowest over the highest exposure of a mean item of a category; None where none is exposed."""
    every = {one for item in run.inputs.known for one in run.inputs.categories.get(item, ())}
    masses: dict[Hashable, float] = {}
    for case in run.shown:
        known, tagged = case.inputs.known, case.inputs.categories
        weights = Readers(**readers).of_list(case)
        for rank, of in ((rank, of) for rank, of in attended(case) if rank in weights):
            for one in of:
                size = total(1 / len(tagged[item]) for item in known if one in tagged.get(item, ()))
                masses[one] = masses.get(one, 0) + weights[rank] / len(of) / size
    return min(masses.get(one, 0) for one in every) / max(masses.values()) if masses else None


def exposures(run: Run, merit: str = "all", **readers: Any) -> list[tuple[dict[Item, float], dict[Item, float]]]:
    """Of each truth list with relevant items: the mean exposure of items over its lists, and that of relevant items.

    The latter is the mean over the items of a merit of the attention of their ranks in the ideal order, 0 beyond k.
    """
    of_truth: dict[int, list[Case]] = {}
    for case in run.cases:
        of_truth.setdefault(id(case.judged), []).append(case)
    found = []
    for cases in of_truth.values():
        ideal = [*enumerate(cases[0].ratings, start=1)]
        weights = Readers(**readers).weights((rank for rank, _ in ideal), ideal)
        if not weights:
            continue
        worth: dict[float, list[float]] = {}
        for rank, rating in ideal:
            weight = weights[rank] if run.k is None or rank <= run.k else 0.0
            worth.setdefault(rating if merit == "rating" else 1.0, []).append(weight)
        target = {
            item: total(of) / len(of)
            for item in cases[0].relevant
            for of in [worth[cases[0].judged[item] if merit == "rating" else 1.0]]
        }
        exposure: dict[Item, float] = {}
        for case in cases:
            weights = Readers(**readers).of_list(case)
            for rank, item in case.ranked:
                exposure[item] = exposure.get(item, 0) + weights[rank] / len(cases)
        found.append((exposure, target))
    return found


def expected_exposure_disparity(run: Run, **settings: Any) -> MetricValue:
    """Mean over truth lists of the sum of the squares of the exposures."""
    return mean([total(mass**2 for mass in exposure.values()) for exposure, _ in exposures(run, **settings)])


def expected_exposure_relevance(run: Run, **settings: Any) -> MetricValue:
    """Mean over truth lists of the sum of exposure times target."""
    pairs = exposures(run, **settings)
    return mean([total(exposure.get(item, 0) * target[item] for item in target) for exposure, target in pairs])


def expected_exposure_loss(run: Run, per: str = "list", **settings: Any) -> MetricValue:
    """Mean over truth lists of the sum of the squares of exposure less target; per=item: over the items there are."""
    found = mean(
        [total((a.get(item, 0) - b.get(item, 0)) ** 2 for item in {*a, *b}) for a, b in exposures(run, **settings)]
    )
    return found if per == "list" or found is None else ratio(found, len(run.inputs.known))


def item_exposure_loss(run: Run, **settings: Any) -> MetricValue:
    """Mean over items of the square of the mean over truth lists of exposure less target."""
    pairs = exposures(run, **settings)
    gaps = [
        mean([a.get(item, 0) - b.get(item, 0) for a, b in pairs]) or 0
        for item in {item for a, b in pairs for item in {*a, *b}}
    ]
    return ratio(total(gap**2 for gap in gaps), len(run.inputs.known)) if pairs else None


def exposure_variance(run: Run, among: str = "catalog", weight: str = "uniform", p: float = 0.85) -> MetricValue:
    """Variance over n items of x / m, x being the exposures, and m the lists that hold an item."""
    n, x, _, m = exposed(run, among, weight, p)
    if not x or not n:
        return None
    centre = total(x) / n
    return (total((one - centre) ** 2 for one in x) + (n - len(x)) * centre**2) / n / m**2


# The functions of this file that have the name of a metric of the catalogue.
OF_RUNS: Mapping[str, Callable[..., MetricValue]] = twin_log.OF_RUNS | {
    metric.name: globals()[metric.name]
    for metric in catalog().metrics()
    if getattr(globals().get(metric.name), "__module__", "") == __name__
}


def summary(inputs: Inputs, metrics: Mapping[str, Asked], by: Sequence[str]) -> dict[ListKey, dict[str, MetricValue]]:
    """Per value of the `by` columns, `n_lists`, the mean of each metric of a list, and each metric of a system.

    Without `by` there is one row, be it of no list.
    """
    values, keys = per_list(inputs, metrics), scored(inputs, metrics)
    where = [inputs.columns["recs"].index(column) for column in by]

    def group(key: ListKey) -> ListKey:
        return tuple(key[place] for place in where)

    answer: dict[ListKey, dict[str, MetricValue]] = {}
    for of in {group(key) for key in keys} | (set() if by else {()}):
        row: dict[str, MetricValue] = {"n_lists": sum(1 for key in keys if group(key) == of)}
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
