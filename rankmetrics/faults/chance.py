"""Hits compared with those by chance: systems whose recommendations fit the truth of other lists as well as their own.

A list is compared with the truth of every list of the sample. The mean of these numbers of hits is what chance gives
if the users are numbered again, whatever the popularity of the items. The hits of a sound system are more: its lists
differ because its users do, so the more they differ, the better they fit. A popularity baseline without the items of
the history already has 1 / overlap times the hits of chance, where `overlap` is the share of a list that another list
has, too; 2 - overlap is less than that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from statistics import NormalDist

# The probability of a warning if all systems are as weak as a sound system can be, and hits are independent.
FALSE_ALARM = 1e-3

# Hits are more than by chance if they are a tenth and three standard deviations more.
BY_CHANCE, DEVIATIONS = 1.1, 3

# Lists with a greater overlap hardly depend on the user. Lists with this overlap follow the popularity of items.
SAME, ALIKE = 0.9, 0.5

# Lists are drawn at random if they overlap at most this much more than random lists do.
AT_RANDOM = 1.3

# Fewer items or hits than these do not show whether a system follows popularity.
ENOUGH = 100

# The most hits, compared with chance, for which the numbers of the items are doubted.
FAR_FROM_CHANCE = 3


@dataclass(frozen=True)
class Fit:
    """The fit of a row of the summary to the truth of its lists, and of other lists, over the sampled lists."""

    row: Counter[str]  # the counts of the row of the summary
    totals: Counter[str]  # the counts over all rows
    n_rows: int  # that are tested

    @property
    def hits(self) -> int:
        """The hits in the truth of the own list."""
        return self.row["sampled_hits"]

    @property
    def chance(self) -> float:
        """The hits in the truth of any list of the sample, on average."""
        return self.row["sampled_hits_of_any"] / max(self.totals["sampled_lists"], 1)

    @cached_property
    def overlap(self) -> float:
        """The share of a list that another list of the same row has, too, on average."""
        rows, lists = self.row["sampled_counted"], self.row["sampled_lists_recommended"]
        return min(1.0, (self.row["sampled_pairs"] - rows) / (rows * (lists - 1))) if rows and lists > 1 else 1.0

    @property
    def least(self) -> float:
        """The expected hits of the weakest sound system with this overlap."""
        return (2 - self.overlap) * self.chance

    @property
    def of_random_items(self) -> float:
        """The expected hits if the items were drawn at random from those of both inputs."""
        pairs = self.row["sampled_counted"] * self.totals["sampled_relevant"]
        return pairs / (self.totals["sampled_lists"] * self.n_items) if pairs and self.n_items else 0.0

    @property
    def is_sound(self) -> bool:
        """True if the hits are more than by chance."""
        return _is_more(self.hits, self.chance)

    @property
    def is_by_chance(self) -> bool:
        """True if the hits are no more than by chance, and fewer than those of a sound system, or of random items."""
        return not self.is_sound and are_fewer([self], self.n_rows)

    @property
    def is_random(self) -> bool:
        """True if lists overlap as little as if their items were drawn at random."""
        length = self.row["sampled_counted"] / max(self.row["sampled_lists_recommended"], 1)
        return self.overlap <= AT_RANDOM * length / max(self.totals["items_recommended"], 1)

    @property
    def is_unpopular(self) -> bool:
        """True if the lists are alike, and the popularity of their items differs from that in the truth.

        The numbers of lists that recommend an item and for which it is relevant are compared over the items: their
        correlation is less than three standard deviations of the correlation of random numbers.
        """
        rows, relevant, n_items = self.row["sampled_counted"], self.totals["sampled_relevant"], self.n_items
        if self.is_sound or self.overlap < ALIKE or n_items < ENOUGH:
            return False
        by_chance = self.of_random_items * self.totals["sampled_lists"]
        spread_of_truth = self.totals["sampled_relevant_pairs"] - relevant - relevant**2 / n_items
        if self.of_random_items < ENOUGH or spread_of_truth * 2 * n_items < relevant**2:
            return False  # popular items are hardly more relevant than others
        spreads = (self.row["sampled_pairs"] - rows**2 / n_items) * (spread_of_truth + relevant)
        return self.row["sampled_hits_of_any"] - by_chance < DEVIATIONS * sqrt(max(spreads, 0) / (n_items - 1))

    @property
    def is_undecided(self) -> bool:
        """True if more lists could show that the hits are no more than by chance."""
        is_tested = self.row["sampled_lists_recommended"] > 0 and self.overlap < SAME
        return is_tested and not self.is_sound and not self.is_by_chance

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
        by_chance = self.of_random_items * self.totals["sampled_lists"]
        pairs = self.row["sampled_pairs"] * self.totals["sampled_relevant_pairs"]
        is_popular = self.row["sampled_hits_of_any"] - by_chance >= DEVIATIONS * sqrt(pairs / max(self.n_items - 1, 1))
        return self.is_sound or (self.overlap >= SAME and not self.is_by_chance and is_popular)


def _is_more(hits: int, by_chance: float) -> bool:
    return hits > BY_CHANCE * by_chance + DEVIATIONS * sqrt(by_chance)


def are_fewer(fits: Collection[Fit], n_tests: int) -> bool:
    """True if a corrected, one-sided test finds fewer hits than of the weakest sound systems, and of random items."""
    hits, expected = sum(fit.hits for fit in fits), _expected(fits)
    return hits < expected - _critical(n_tests) * sqrt(expected)


def are_too_few(fits: Collection[Fit], totals: Counter[str]) -> bool:
    """True if no count of all items could raise a doubt: of so few hits and items, none would be surprising.

    More items make fewer hits of random items, so what is expected here is the most.
    """
    return _expected(fits) <= _critical(1) ** 2 and totals["recs_counted"] < ENOUGH


def _expected(fits: Collection[Fit]) -> float:
    return sum(max(fit.least, fit.of_random_items) for fit in fits)


def _critical(n_tests: int) -> float:
    """Number of standard deviations below the expected hits that raises a doubt, corrected for the number of tests."""
    return NormalDist().inv_cdf(1 - FALSE_ALARM / max(n_tests, 1))


def fits_of(rows: Mapping[tuple[object, ...], Counter[str]], totals: Counter[str]) -> dict[tuple[object, ...], Fit]:
    """The fit of each row of the summary."""
    return {row: Fit(counts, totals, len(rows)) for row, counts in rows.items()}


def by_chance(fits: Mapping[tuple[object, ...], Fit]) -> dict[tuple[object, ...], Fit]:
    """The rows whose hits are no more than by chance.

    Without such a row, all rows if they are so together. Random lists raise no doubt if another system is sound, or
    knows which items are popular.
    """
    has_sound = any(fit.is_sound for fit in fits.values())
    doubtful = {row: fit for row, fit in fits.items() if fit.is_by_chance and not _is_baseline(fit, fits)}
    if doubtful or has_sound:
        return doubtful
    tested = {row: fit for row, fit in fits.items() if fit.overlap < SAME and not _is_baseline(fit, fits)}
    return tested if are_fewer(tested.values(), 1) else {}


def is_undecided(fits: Mapping[tuple[object, ...], Fit]) -> bool:
    """True if a row is undecided, and not only because its lists are random while another system is sound."""
    return any(fit.is_undecided and not _is_baseline(fit, fits) for fit in fits.values())


def _is_baseline(fit: Fit, fits: Mapping[tuple[object, ...], Fit]) -> bool:
    """True if lists are drawn at random, and another system shows that the ids are those of the truth."""
    others = [other for other in fits.values() if other is not fit]
    return fit.is_random and any(other.is_sound or _is_more(other.hits, other.of_random_items) for other in others)


def are_far_from_chance(fits: Mapping[tuple[object, ...], Fit]) -> bool:
    """True if a row, or all together, have so many hits that the numbers of the items are not doubted."""
    hits, chance = sum(fit.hits for fit in fits.values()), sum(fit.chance for fit in fits.values())
    return hits >= FAR_FROM_CHANCE * chance or any(
        fit.is_sound and fit.hits >= FAR_FROM_CHANCE * fit.chance for fit in fits.values()
    )


def numbered_apart(fits: Mapping[tuple[object, ...], Fit], totals: Counter[str]) -> bool:
    """True if both inputs number different numbers of items without a gap, and the hits are not far from chance."""
    numbers = totals["items_recommended"], totals["items_judged"]
    is_gapless = totals["items_recommended_gapless"] and totals["items_judged_gapless"]
    if not is_gapless or numbers[0] == numbers[1] or min(numbers) < ENOUGH:
        return False
    return not are_far_from_chance(fits)
