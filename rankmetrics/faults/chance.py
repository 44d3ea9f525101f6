"""Tests of counts against chance: each warning that is a test has the error rate LEVEL over all rows of a summary.

Hits are compared with those by chance: a list is compared with the truth of every list of the sample. The mean of these
numbers of hits is what chance gives if the users are numbered again, whatever the popularity of the items. The hits of
a sound system are more: its lists differ because its users do, so the more they differ, the better they fit. A
popularity baseline without the items of the history already has 1 / overlap times the hits of chance, where `overlap`
is the share of a list that another list has, too; 2 - overlap is less than that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import ceil, exp, floor, lgamma, log, sqrt
from statistics import NormalDist
from typing import TypeVar

Row = TypeVar("Row", bound=Hashable)

# The probability that a kind of warning names any row of a summary whose rows are all sound.
LEVEL = 0.005
# Fewer rows or lists than these give no warning.
FEW = 10
# A weak system has this many times the hits of chance. Hits are near chance if they are at most a quarter more, and are
# more than by chance if they are a tenth and three standard deviations more.
WEAK, NEAR, BY_CHANCE, DEVIATIONS = 1.75, 1.25, 1.1, 3
# Lists may be reversed if their lower halves have a fifth more hits than their upper halves.
LOWER = 1.2
# Lists with a greater overlap hardly depend on the user. Lists with this overlap follow the popularity of items.
SAME, ALIKE = 0.9, 0.5
# Lists are drawn at random if they overlap at most this much more than random lists do.
AT_RANDOM = 1.3
# Fewer items or hits than these do not show whether a system follows popularity.
ENOUGH = 100
# The most hits, compared with chance, for which the numbers of the items are doubted.
FAR_FROM_CHANCE = 3
# Importance weights are off if their mean differs from 1 by this share. Weights that did not occur may be this many
# times as great as those that did: of 6,000 generated logs with right propensities, 0.4% are warned of.
OFF, UNSEEN = 0.1, 5
# Numbers from which on counts are as good as normal.
LARGE = 10_000


def significant(p_values: Mapping[Row, float]) -> list[Row]:
    """The rows whose p-values are significant by Benjamini and Hochberg's correction for all rows.

    If all rows are sound, any is named with a probability of LEVEL at most; if others are not, a share of LEVEL of the
    named rows is sound. Holm's correction would name fewer of many rows with the same fault.
    """
    ranked = sorted(p_values, key=p_values.__getitem__)
    limits = {row: LEVEL * n / len(ranked) for n, row in enumerate(ranked, 1)}
    n_significant = max((n for n, row in enumerate(ranked, 1) if p_values[row] <= limits[row]), default=0)
    rows = {*ranked[:n_significant]}
    return [row for row in p_values if row in rows]


def at_least(n_low: float, n: float, share: float = 0.5) -> float:
    """The probability of at least `n_low` of `n` hits in lower halves, which have each with probability `share`."""
    if n > LARGE:
        return normal(n * share - n_low, sqrt(n * share * (1 - share)))
    numbers = [n_low + more for more in range(floor(n - n_low) + 1)]
    chances = (i * log(share) + (n - i) * log(1 - share) - lgamma(i + 1) - lgamma(n - i + 1) for i in numbers)
    return min(1.0, sum(exp(lgamma(n + 1) + chance) for chance in chances))


def at_most(n: float, expected: float) -> float:
    """The probability of at most `n` where `expected` are expected, of independent and rare events (Poisson)."""
    if not 0 < expected < LARGE:
        return normal(n - expected, sqrt(expected))
    return min(1.0, sum(exp(i * log(expected) - expected - lgamma(i + 1)) for i in range(floor(n) + 1)))


def normal(difference: float, deviation: float) -> float:
    """The probability of a normal number that is at most as far above its mean as `difference`."""
    return NormalDist().cdf(difference / deviation) if deviation > 0 else 1.0


def p_low(row: Counter[str], lists: str = "hits", share: float = 0.5) -> float:
    """The probability of so many hits in lower halves, if these have each with probability `share`; 1 if hardly more.

    Hits of the same item are often in the same half of many lists. They count as fewer, by their design effect, and no
    probability is below that of as many items as there are, all in lower halves. `lists` may be `bunched`: some lists.

    Source: Korn, Graubard (1998), Confidence intervals for proportions with small expected number of positive counts.
    """
    low, high = row[f"sampled_{lists}_low"], row[f"sampled_{lists}_high"]
    if low <= LOWER * high:
        return 1.0
    n_low, n = row["sampled_hits_low"], row["sampled_hits_low"] + row["sampled_hits_high"]
    pairs = [row[f"sampled_hits_{name}"] for name in ("low_pairs", "high_pairs", "apart")]
    n_items = n**2 / max(pairs[0] + pairs[1] + 2 * pairs[2], 1)  # of equal numbers of hits
    # the sum over items of (hits in lower halves - mean * hits) squared, compared with that of independent hits
    mean = n_low / n
    squares = pairs[0] * (1 - mean) ** 2 + pairs[1] * mean**2 - 2 * pairs[2] * mean * (1 - mean)
    effect = max(1.0, squares / (n * mean * (1 - mean))) if n_low < n else 1.0
    return max(at_least(low / effect, (low + high) / effect, share), exp(n_items * log(share)))


def p_low_in_bunched(row: Counter[str]) -> float:
    """The same for lists whose scores bunch at the high end, if they are half as well ordered as the other lists.

    They may also be in a random order by nature: then so many hits must be in lower halves in 1 of 20 runs at most.
    """
    low, high = row["sampled_bunched_low"], row["sampled_bunched_high"]
    if low < FEW or p_low(row, "bunched") > 0.05:
        return 1.0
    n_others = row["sampled_hits_low"] + row["sampled_hits_high"] - low - high + 2
    mean = (row["sampled_hits_low"] - low + 1) / n_others
    others = min(0.5, mean + sqrt(mean * (1 - mean) / n_others))  # a standard deviation worse than they seem
    return p_low(row, "bunched", (0.5 + others) / 2)


def p_importance(row: Counter[str]) -> float:
    """The probability of a mean of importance weights so far from 1, either way; 1 if it is near.

    The actions that the policy takes are counted, each with the weight of most of the sum. If they are too few, some
    may have a greater weight that did not occur yet.
    """
    n, weights, squares = (row[f"log_{name}"] for name in ("actions", "importance", "squared_importance"))
    if not weights or abs(weights - n) <= OFF * n:
        return 1.0
    squares = max(squares, 1)  # the sums are rounded: that of small weights squared is 0
    n_taken, expected = weights**2 / squares, n * weights / squares
    if weights < n:
        return 2 * at_most(n_taken / UNSEEN, expected / UNSEEN)
    return 2 * (1 - at_most(ceil(n_taken) - 1, expected))


@dataclass(frozen=True)
class Fit:
    """The fit of a row of the summary to the truth of its lists, and of other lists, over the sampled lists."""

    row: Counter[str]  # the counts of the row of the summary
    totals: Counter[str]  # the counts over all rows

    @property
    def hits(self) -> int:
        """The hits in the truth of the own list."""
        return self.row["sampled_hits"]

    @property
    def chance(self) -> float:
        """The hits in the truth of any list of the sample, on average, were it as long as that of an own list."""
        return self.row["sampled_hits_of_any"] * self.relevant / max(self.totals["sampled_relevant"], 1)

    @property
    def relevant(self) -> float:
        """The mean number of relevant items of the lists of this row: a group of users may have few."""
        return self.row["sampled_relevant_of_lists"] / max(self.row["sampled_lists_recommended"], 1)

    @cached_property
    def overlap(self) -> float:
        """The share of a list that another list of the same row has, too, on average."""
        return _overlap(self.row["sampled_pairs"], self.row["sampled_counted"], self.row["sampled_lists_recommended"])

    @property
    def by_chance(self) -> float:
        """The hits by chance: in the truth of any list, or of random items, if these are more.

        Lists that are alike may leave out relevant items: those who like popular items have them in their history.
        """
        return max(self.chance, self.of_random_items if self.overlap < ALIKE else 0.0)

    @property
    def of_random_items(self) -> float:
        """The expected hits if the items were drawn at random from those of both inputs."""
        return self.row["sampled_counted"] * self.relevant / max(self.n_items, 1)

    @property
    def is_sound(self) -> bool:
        """True if the hits are more than by chance."""
        return _is_more(self.hits, self.chance)

    @property
    def expected(self) -> float:
        """The expected hits of the weakest sound system with this overlap, or of random items, if these are more.

        A system cannot fit its own truth much better than the truth of other lists if these are the same.
        """
        relevant, pairs = self.totals["sampled_relevant"], self.totals["sampled_relevant_pairs"]
        overlap = max(self.overlap, _overlap(pairs, relevant, self.totals["sampled_lists"]))
        return max(min(WEAK, 2 - overlap) * self.chance, self.by_chance)

    @property
    def is_random(self) -> bool:
        """True if lists overlap as little as if their items were drawn at random."""
        length = self.row["sampled_counted"] / max(self.row["sampled_lists_recommended"], 1)
        return self.overlap <= AT_RANDOM * length / max(self.totals["items_recommended"], 1)

    @property
    def deviation(self) -> float:
        """The standard deviation of `sampled_hits_of_any` if the items were drawn at random, for all lists alike."""
        n_items = max(self.n_items, 2)
        of_recs = self.row["sampled_pairs"] - self.row["sampled_counted"] ** 2 / n_items
        of_truth = self.totals["sampled_relevant_pairs"] - self.totals["sampled_relevant"] ** 2 / n_items
        return sqrt(max(of_recs * of_truth, 0) / (n_items - 1))

    @property
    def p_unpopular(self) -> float:
        """The probability of such unpopular items if they are chosen by their popularity in the truth; 1 if not alike.

        The numbers of lists that recommend an item and for which it is relevant are compared over the items: their
        covariance differs from what it should be as that of random numbers does.
        """
        rows, relevant, n_items = self.row["sampled_counted"], self.totals["sampled_relevant"], self.n_items
        if self.is_sound or self.overlap < ALIKE or n_items < ENOUGH or self.of_random_items < ENOUGH:
            return 1.0
        spread_of_truth = self.totals["sampled_relevant_pairs"] - relevant - relevant**2 / n_items
        pairs, by_chance = self.row["sampled_hits_of_any"], rows * relevant / n_items
        if spread_of_truth * 2 * n_items < relevant**2 or pairs - by_chance >= DEVIATIONS * self.deviation:
            return 1.0  # popular items are hardly more relevant than others, or the items are popular
        return normal(pairs - by_chance - rows * spread_of_truth / relevant, self.deviation)

    @property
    def n_items(self) -> int:
        """The distinct items of both inputs, or at least those of the sample, where all items are not counted."""
        n_items = self.totals["items_judged"] + self.totals["items_unjudged"]
        return n_items or max(self.row["sampled_items"], self.totals["sampled_items_judged"])

    @property
    def is_settled(self) -> bool:
        """True if there is no doubt of the hits, however many items there are outside of the sample.

        More items make fewer hits of random items, and less of a difference between numbers that are not related.
        """
        by_chance = self.row["sampled_counted"] * self.totals["sampled_relevant"] / max(self.n_items, 1)
        pairs = self.row["sampled_pairs"] * self.totals["sampled_relevant_pairs"]
        is_popular = self.row["sampled_hits_of_any"] - by_chance >= DEVIATIONS * sqrt(pairs / max(self.n_items - 1, 1))
        return self.is_sound or (self.overlap >= SAME and p_by_chance([self]) > LEVEL and is_popular)


def _overlap(n_pairs: int, n_rows: int, n_lists: int) -> float:
    """The share of the items of a list that another list has, too; 1 where there is one list."""
    return max(0.0, min(1.0, (n_pairs - n_rows) / (n_rows * (n_lists - 1)))) if n_rows and n_lists > 1 else 1.0


def _is_more(hits: int, by_chance: float) -> bool:
    return hits > BY_CHANCE * by_chance + DEVIATIONS * sqrt(by_chance)


def p_by_chance(fits: Collection[Fit]) -> float:
    """The probability that the weakest sound systems have so few hits together; 1 if these are not near chance."""
    hits, chance = sum(fit.hits for fit in fits), sum(fit.by_chance for fit in fits)
    return at_most(hits, sum(fit.expected for fit in fits)) if hits <= NEAR * chance else 1.0


def are_too_few(fits: Collection[Fit], totals: Counter[str]) -> bool:
    """True if no count of all items could raise a doubt: of so few hits and items, none would be surprising.

    More items make fewer hits of random items, so the number that is expected here is the greatest.
    """
    return at_most(0, sum(fit.expected for fit in fits)) > LEVEL and totals["recs_counted"] < ENOUGH


def by_chance(fits: Mapping[tuple[object, ...], Fit]) -> dict[tuple[object, ...], Fit]:
    """The rows whose hits are no more than by chance.

    Without such a row, all rows if they are so together. Random lists raise no doubt if another system is sound, or
    knows which items are popular.
    """
    baselines = _baselines(fits)
    is_out = {row: fit.is_sound or row in baselines for row, fit in fits.items()}
    doubtful = significant({row: 1.0 if is_out[row] else p_by_chance([fit]) for row, fit in fits.items()})
    if doubtful or any(fit.is_sound for fit in fits.values()):
        return {row: fits[row] for row in doubtful}
    tested = {row: fit for row, fit in fits.items() if fit.overlap < SAME and row not in baselines}
    return tested if p_by_chance(tested.values()) <= LEVEL else {}


def is_undecided(fits: Mapping[tuple[object, ...], Fit]) -> bool:
    """True if more lists could show that the hits of a row are no more than by chance."""
    decided = {*by_chance(fits), *_baselines(fits)}
    undecided = (fit for row, fit in fits.items() if row not in decided and not fit.is_sound and fit.overlap < SAME)
    return any(fit.row["sampled_lists_recommended"] > 0 for fit in undecided)


def _baselines(fits: Mapping[tuple[object, ...], Fit]) -> set[tuple[object, ...]]:
    """The rows whose lists are drawn at random, if another row shows that the ids are those of the truth."""
    known = [row for row, fit in fits.items() if fit.is_sound or _is_more(fit.hits, fit.of_random_items)]
    return {row for row, fit in fits.items() if fit.is_random and any(other != row for other in known)}


def are_far_from_chance(fits: Mapping[tuple[object, ...], Fit]) -> bool:
    """True if a row, or all together, have so many hits that the numbers of the items are not doubted."""
    hits, chance = sum(fit.hits for fit in fits.values()), sum(fit.chance for fit in fits.values())
    return hits >= FAR_FROM_CHANCE * chance or any(
        fit.is_sound and fit.hits >= FAR_FROM_CHANCE * fit.chance for fit in fits.values()
    )


def numbered_apart(fits: Mapping[tuple[object, ...], Fit], totals: Counter[str]) -> bool:
    """True if both inputs number different numbers of items without a gap, and the hits are not far from chance."""
    n_recommended, n_judged = totals["items_recommended"], totals["items_judged"]
    is_gapless = totals["items_recommended_gapless"] and totals["items_judged_gapless"]
    is_doubtful = is_gapless and n_recommended != n_judged and min(n_recommended, n_judged) >= ENOUGH
    return bool(is_doubtful) and not are_far_from_chance(fits)
