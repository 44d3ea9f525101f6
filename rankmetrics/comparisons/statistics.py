"""The statistics of a comparison from sums over lists: t-tests, further tests, intervals, corrections.

The distributions are of `scipy.special`, on which `scipy.stats` is built: to import that takes half a second more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp, expm1, hypot, inf, isinf, isnan, log, sqrt
from typing import Any

import polars as pl

from rankmetrics._rounding import ROUNDING, exceeds, same
from rankmetrics.comparisons.plan import ComparisonPlan, Key
from rankmetrics.errors import DataError
from rankmetrics.metrics.intervals import least_lists

Interval = tuple[float, float]

# By the key of a pair: the values of `by`, the metric, the baseline and the system.
PValues = Mapping[Key, "float | None"]
Intervals = Mapping[Key, Interval]

# The columns of the step `cluster_moments` for a kind of clusters, such as users: their number, the sums of their
# squared deviations (as they are, and adjusted to their sizes), and the degrees of freedom.
Kind = tuple[int, float, float, float]

# The limits of values that have none.
UNLIMITED: Interval = (-inf, inf)

# The power with which a difference is detectable.
POWER = 0.8

# Beyond this number of lists, the t distribution is as good as normal.
MANY_LISTS = 100_000

# Intervals for every look are narrowest at this level, for the number of clusters that they are tuned to.
LEVEL_TUNED = 0.05

# A smaller p-value that has no formula is not computed.
SMALLEST = 1e-300

# The tests of a margin: the system is not worse by it, and does not differ by it.
NOT_WORSE, EQUIVALENT = "not_worse", "equivalent"

# Beyond this number of lists, Wilcoxon's test finds differences of means too often (Ihemelandu and Ekstrand 2023,
# Inference at Scale, arXiv 2305.02461): over so many, it sees that the differences are not symmetric.
MANY_LISTS_OF_RANKS = 5_000

# The fewest lists (or clusters) of some tests; others need as many as a sign test. From fewer, the bootstrap has no
# p-value: for skewed differences of users with 1 to 9 lists, it rejects too many true nulls. And fewer prove no margin:
# if a few lists lose much, 20 lists miss these losses, and a t-test calls up to 18 % of the differences that equal the
# margin smaller. tests/comparisons/test_error_rates.py draws the numbers.
LEAST_DRAWN, LEAST_PROVING = 50, 100
LEAST_LISTS = {"bootstrap": LEAST_DRAWN, NOT_WORSE: LEAST_PROVING, EQUIVALENT: LEAST_PROVING}

# Up to this number of lists, Wilcoxon's distribution is computed exactly.
EXACT_LISTS = 50


def is_significant(p_value: float | None, level: float) -> bool:
    """True if a p-value is below a level, by more than rounding: 1 - 0.95 is greater than 0.05.

    >>> is_significant(0.05, 1 - 0.95), is_significant(0.0499, 1 - 0.95), is_significant(None, 0.05)
    (False, True, False)
    """
    return p_value is not None and exceeds(level, p_value)


def lists_for_verdict(test: str, level: float) -> int:
    """The fewest independent lists (or clusters) with which a test can show something.

    >>> lists_for_verdict("t", 0.05), lists_for_verdict(NOT_WORSE, 0.05), lists_for_verdict("bootstrap", 0.05)
    (6, 100, 50)
    """
    return max(least_lists(1 - level), LEAST_LISTS.get(test, 0))


# --- a pair of systems ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sample:
    """The sums over independent lists, or clusters of them: of paired differences, or of the values of a system."""

    n_lists: int
    mean: float | None  # None without lists, as the sums
    sum_of_squares: float | None  # of the deviations of the lists from the mean; 0 where it is rounding
    n_clusters: int  # as many as lists if each is independent
    variance: float | None = None  # of the mean, between clusters; None with fewer than two of them
    freedom: float = 0  # the degrees of freedom of that variance
    squares_between: float = 0  # the sum of the squared deviations of the clusters

    @classmethod
    def of(cls, n_lists: int, mean: float | None, squares: float | None, size: float, kinds: Sequence[Kind]) -> Sample:
        """The sample of some lists whose values have a `size`, and of each kind of clusters the sums.

        The variance and the degrees of freedom are those of `lm_robust(se_type="CR2")` of R's estimatr for a regression
        on a constant. If all clusters have one size, they are those of `statsmodels`' OLS with `cov_type="cluster"`.
        Two kinds, such as users and days, become one: its variance is the sum of the variances by each kind, less that
        of single lists; or, where that is not above 0, the greater of the first two. The degrees of freedom are those
        of the kind that has fewer.

        Source: Bell, McCaffrey (2002), Bias reduction in standard errors for linear regression with multi-stage
        samples. Survey Methodology 28(2). Cameron, Gelbach, Miller (2011), Robust inference with multiway clustering.
        doi:10.1198/jbes.2010.07136
        """
        n_clusters = min((int(kind[0]) for kind in kinds), default=n_lists)
        if squares is not None and sqrt(squares / n_lists) <= ROUNDING * size:
            squares = 0.0
        if squares is None or n_clusters < 2:
            return cls(n_lists, mean, squares, n_clusters)
        of_lists = n_lists, squares, n_lists / (n_lists - 1) * squares, n_lists - 1
        kinds = kinds or [of_lists]
        one_way = [float(adjusted) for _, _, adjusted, _ in kinds]
        between = sum(one_way) - of_lists[2] * (len(kinds) - 1)
        between = between if between > 0 else max(one_way)
        variance = between / n_lists**2 if squares and sqrt(between) > ROUNDING * size * n_lists else 0.0
        freedom = min(float(freedom) for *_, freedom in kinds)
        return cls(n_lists, mean, squares, n_clusters, variance, freedom, float(kinds[0][1]))

    @property
    def is_binary(self) -> bool:
        """True if the values can only be 0 and 1: their sum is that of their squares."""
        total = self.n_lists * (self.mean or 0)
        return same((self.sum_of_squares or 0) + total * (self.mean or 0), total)

    def ends(self, tail: float, limits: Interval, *, is_binary: bool) -> Interval | None:
        """The interval of the mean that leaves out this probability on each side.

        It is Wilson's for values that are 0 or 1, with the number of lists that would be as precise if they were
        independent, and with t for lists in clusters. Otherwise it is that of the t distribution; or, where all values
        are equal, the exact interval of values within their limits.
        """
        from scipy import special

        if self.mean is None or self.variance is None:
            return None
        if is_binary:
            independent = (self.sum_of_squares or 0) / (self.n_lists - 1) / self.n_lists
            n = self.n_lists * min(1, independent / self.variance) if self.variance else self.n_clusters
            is_clustered = self.n_clusters < self.n_lists
            square = float(special.stdtrit(self.freedom, tail) if is_clustered else special.ndtri(tail)) ** 2 / n
            half = sqrt(square * (self.mean * (1 - self.mean) + square / 4))
            return (self.mean + square / 2 - half) / (1 + square), (self.mean + square / 2 + half) / (1 + square)
        if not self.variance:
            return constant_ends(self.mean, self.n_clusters, tail, limits)
        half = float(special.stdtrit(self.freedom, 1 - tail)) * sqrt(self.variance)
        return self.mean - half, self.mean + half


def constant_ends(value: float, n: int, tail: float, limits: Interval) -> Interval | None:
    """The interval of a mean of which n independent values are all equal; None without limits of the values.

    If more than a share 1 - tail^(1/n) had other values, n equal values would have a probability below `tail`. The
    others may be as low or as high as the limits.

    >>> [round(end, 3) for end in constant_ends(0.0, 100, 0.025, (-1.0, 1.0)) or ()]
    [-0.036, 0.036]
    """
    low, high = limits
    if isinf(low) or isinf(high):
        return None
    share = -expm1(log(tail) / n)
    return value - share * (value - low), value + share * (high - value)


@dataclass(frozen=True)
class Pair:
    """The sums of a metric over the lists of a system and its baseline; without lists, they are None."""

    key: Key
    by: tuple[Any, ...]  # the values of the columns that stay apart
    metric: str
    baseline: tuple[Any, ...]  # the values of the columns that name it, as of `system`
    system: tuple[Any, ...]
    n_lists: int  # with a value of both; of systems that are not paired, the lists of both together
    n_undefined: int  # without the value of at least one of them
    n_of: tuple[int, int]  # lists of the baseline and of the system, with recommendations
    n_common: int | None  # lists for which both have recommendations; None if systems are not paired
    baseline_mean: float | None
    system_mean: float | None
    samples: tuple[Sample, ...]  # of the differences; if systems are not paired, of the baseline and of the system
    common_difference: float | None = None  # the mean difference over the common lists, where others are compared, too
    outcomes: tuple[int | None, ...] = (None, None, None)  # lists with a lower, an equal and a higher value
    limits: Interval = UNLIMITED  # of the values of a list
    is_binary: bool = False  # True if values are 0 or 1
    tuned_to: int | None = None  # clusters, for which an interval that holds at every look is narrowest
    is_turned: bool = False  # True if the steps of the query have the system as the baseline
    n_shared: int = 0  # clusters that have lists of both arms, if systems are not paired
    products: float = 0.0  # of the adjusted deviations of these clusters in both arms, summed

    def turned(self) -> Pair:
        """The pair with the baseline as the system, and the system as the baseline."""
        samples = self.samples[::-1]
        if self.is_paired:
            samples = tuple(replace(sample, mean=_negative(sample.mean)) for sample in samples)
        return replace(
            self,
            baseline=self.system,
            system=self.baseline,
            n_of=self.n_of[::-1],
            baseline_mean=self.system_mean,
            system_mean=self.baseline_mean,
            samples=samples,
            common_difference=_negative(self.common_difference),
            outcomes=self.outcomes[::-1],
            is_turned=not self.is_turned,
        )

    @property
    def is_paired(self) -> bool:
        """True if the lists of both systems are the same."""
        return len(self.samples) == 1

    @cached_property
    def difference(self) -> float | None:
        """The mean of the system less that of the baseline."""
        if self.is_paired:
            return self.samples[0].mean
        baseline, system = self.baseline_mean, self.system_mean
        return None if baseline is None or system is None else system - baseline

    @property
    def n_only(self) -> int:
        """The number of lists for which only one of the two has recommendations."""
        return 0 if self.n_common is None else sum(self.n_of) - 2 * self.n_common

    @property
    def n_independent(self) -> int:
        """The number of independent lists or clusters; of systems that are not paired, the smaller one."""
        return min(sample.n_clusters for sample in self.samples)

    @cached_property
    def standard_error(self) -> float | None:
        """The standard error of the difference; None with fewer than two clusters.

        If users are in both arms, it is that of a regression on the arm with CR2: the variances of both means, less
        twice their covariance.
        """
        variances = [sample.variance for sample in self.samples]
        if None in variances:
            return None
        total = sum(variance or 0 for variance in variances)
        if self.n_shared:
            baseline, system = self.samples
            rest = total - 2 * self.products / (baseline.n_lists * system.n_lists)
            total = rest if exceeds(rest, ROUNDING * total) else 0.0
        return sqrt(total)

    @property
    def freedom(self) -> float:
        """The degrees of freedom of the t distribution: of two samples, those of Welch and Satterthwaite.

        If users are in both arms, they are those of the arm that has fewer.
        """
        if self.n_shared:
            return min(sample.freedom for sample in self.samples)
        shares = [(sample.variance or 0) ** 2 / sample.freedom for sample in self.samples]
        return (self.standard_error or 0) ** 4 / sum(shares)

    @property
    def relative_difference(self) -> float | None:
        """The difference as a share of the baseline's mean; None where that is 0."""
        return self.difference / abs(self.baseline_mean) if self.difference is not None and self.baseline_mean else None

    @property
    def effect_size(self) -> float | None:
        """Cohen's d: the difference over the deviation of the differences, or of values; None where that is 0."""
        squares = [sample.sum_of_squares for sample in self.samples]
        freedom = sum(sample.n_lists - 1 for sample in self.samples)
        if self.difference is None or None in squares or not any(squares) or freedom < 1:
            return None
        return self.difference / sqrt(sum(square or 0 for square in squares) / freedom)

    def interval(self, confidence: float) -> Interval | None:
        """The confidence interval of the difference, within the limits of the metric; None where there is none."""
        ends = self._ends((1 - confidence) / 2)
        return ends and self._within(*ends)

    def around(self, half: float) -> Interval | None:
        """The interval of the difference with half of a width, within the limits of the metric."""
        low, high = self._within((self.difference or 0) - half, (self.difference or 0) + half)
        return None if isinf(low) else (low, high)

    def _within(self, low: float, high: float) -> Interval:
        least, most = self._limits
        return max(low, least), min(high, most)

    @property
    def _limits(self) -> Interval:
        """The limits of the difference of two values."""
        low, high = self.limits
        return low - high, high - low

    @property
    def _has_t(self) -> bool:
        """True if the difference over its standard error is taken as t: the values of each sample vary."""
        return not self.tuned_to and bool(self.standard_error) and all(sample.variance for sample in self.samples)

    def _ends(self, tail: float) -> Interval | None:
        """The interval of the difference that leaves out this probability on each side.

        For two samples of values that are 0 or 1, it is Newcombe's hybrid score interval. It also takes the interval of
        a sample whose values are all equal.

        Source: Newcombe (1998), Interval estimation for the difference between independent proportions.
        doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I
        """
        from scipy import special

        difference, error = self.difference, self.standard_error
        if difference is None or error is None or (self.tuned_to and not error):
            return None
        if self.tuned_to:
            half = self._half_at_every_look(tail)
            return difference - half, difference + half
        if self.is_paired:
            return self.samples[0].ends(tail, self._limits, is_binary=False)
        if self._has_t and (self.n_shared or not self.is_binary):
            half = float(special.stdtrit(self.freedom, 1 - tail)) * error
            return difference - half, difference + half
        of_baseline, of_system = (sample.ends(tail, self.limits, is_binary=self.is_binary) for sample in self.samples)
        if of_baseline is None or of_system is None:
            return None
        baseline, system = self.baseline_mean or 0.0, self.system_mean or 0.0
        below = hypot(system - of_system[0], of_baseline[1] - baseline)
        above = hypot(of_system[1] - system, baseline - of_baseline[0])
        return difference - below, difference + above

    def _half_at_every_look(self, tail: float) -> float:
        """Half the width of an interval that holds at every look at growing data: an asymptotic confidence sequence.

        Source: Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas (2024), Time-uniform central limit theory and asymptotic
        confidence sequences. doi:10.1214/24-AOS2408
        """
        n, logs = sum(sample.n_clusters for sample in self.samples), -2 * log(LEVEL_TUNED)
        mixed = n * (logs + log(logs + 1)) / (self.tuned_to or n)  # n times the squared parameter of the mixture
        return (self.standard_error or 0) * sqrt(2 * (mixed + 1) / mixed * (log(mixed + 1) / 2 - log(2 * tail)))

    def p_above(self, bound: float) -> float | None:
        """The one-sided p-value that the difference is above a bound."""
        from scipy import special

        if self._has_t and self.difference is not None and self.standard_error:
            return float(special.stdtr(self.freedom, (bound - self.difference) / self.standard_error))
        if self.difference is None or self._ends(0.25) is None:
            return None
        if self.difference <= bound:
            return 1.0
        if self.is_paired and not self.tuned_to:  # with a lower mean, n equal differences are no more probable
            least = self._limits[0]
            return float(max(0.0, (bound - least) / (self.difference - least)) ** self.n_independent)
        low, high = log(SMALLEST), log(0.5)  # the tail whose interval begins at the bound is between them
        for _ in range(100):
            middle = (low + high) / 2
            ends = self._ends(exp(middle))
            low, high = (middle, high) if ends and ends[0] < bound else (low, middle)
        return min(1.0, 2 * exp(high)) if self.tuned_to else exp(high)

    @cached_property
    def p_value(self) -> float | None:
        """The two-sided p-value of the t-test, with the degrees of freedom of the clusters, as in SciPy.

        Where values do not vary, it belongs to the exact interval; at every look, to the confidence sequence.
        """
        above, below = self.p_within(0.0)
        if above is None or below is None:
            return None
        return min(1.0, min(above, below) * (1 if self.tuned_to else 2))

    def p_within(self, margin: float | None) -> tuple[float | None, float | None]:
        """The one-sided p-values that the difference is above -margin, and below the margin.

        The greater of the two is that of TOST, as in `statsmodels.stats.weightstats.ttost_paired` and `ttost_ind`.
        """
        if margin is None:
            return None, None
        return self.p_above(-margin), self.turned().p_above(-margin)

    def detectable_difference(self, confidence: float) -> float | None:
        """The smallest difference that a test of these lists would show with a power of 0.8; None where nothing varies.

        The power of the t-test is that of the noncentral t distribution.
        """
        from scipy import special

        if not self.standard_error or not (self._has_t or self.tuned_to):
            return None
        if self.tuned_to:
            return self._half_at_every_look((1 - confidence) / 2) + float(special.ndtri(POWER)) * self.standard_error
        return shift_seen(self.freedom, 1 - confidence, POWER) * self.standard_error


def _negative(value: float | None) -> float | None:
    return None if value is None else -value


def shift_seen(freedom: float, level: float, power: float) -> float:
    """The difference, in standard errors, that a two-sided t-test sees with this power.

    >>> round(shift_seen(9, 0.05, 0.8), 4)
    3.1496
    """
    from scipy import special

    bound = float(special.stdtrit(freedom, 1 - level / 2))
    if freedom > MANY_LISTS:
        return bound + float(special.ndtri(power))
    shift = float(special.nctdtrinc(freedom, 1 - power, bound))  # of one side, to six digits

    def power_of(shift: float) -> float:
        return float(1 - special.nctdtr(freedom, shift, bound) + special.nctdtr(freedom, shift, -bound))

    for _ in range(2):  # Newton's method; for very few degrees of freedom, SciPy has no value
        step = 1e-3 * (power - power_of(shift)) / (power_of(shift + 1e-3) - power_of(shift))
        shift += 0 if isnan(step) else step
    return shift


# --- the tests --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Test:
    """A test of a comparison."""

    __test__ = False  # not a test of pytest

    name: str  # in a note
    # the p-values, and the intervals; None for those of the t distribution
    compute: Callable[[Sequence[Pair], ComparisonPlan], tuple[PValues, Intervals | None]]
    takes_clusters: bool = True  # can take the lists of a cluster together
    of_arms: str = ""  # the name, if it can take systems that were measured over different lists
    is_of_all_pairs: bool = False  # compares all pairs at once, and so corrects its p-values itself


def _mcnemar(pairs: Sequence[Pair], _plan: ComparisonPlan) -> tuple[PValues, None]:
    """The exact two-sided binomial test over the lists with other values, as in `statsmodels.stats.contingency_tables`.

    Source: McNemar (1947), Note on the sampling error of the difference between correlated proportions or percentages.
    doi:10.1007/BF02295996
    """
    from scipy import special

    p_values: dict[Key, float | None] = {}
    for pair in pairs:
        lower, _, higher = (n or 0 for n in pair.outcomes)
        (sample,) = pair.samples
        squares = (sample.sum_of_squares or 0) + sample.n_lists * (sample.mean or 0) ** 2
        if not same(squares, lower + higher):
            raise DataError(f"{pair.metric} has values other than 0 and 1, and McNemar's test compares proportions.")
        p_value = min(1.0, 2 * float(special.bdtr(min(lower, higher), lower + higher, 0.5)))
        p_values[pair.key] = p_value if sample.n_lists > 1 else None
    return p_values, None


def _wilcoxon(pairs: Sequence[Pair], plan: ComparisonPlan) -> tuple[PValues, None]:
    columns = ("n", "n_zero", "rank_sum_higher", "rank_sum_lower", "tied")
    rows = plan.keyed(plan.computed("signed_rank_sums"), "pair_id", *columns)
    ranks: dict[Key, list[tuple[int, float]]] = {}
    if any(row[0] <= EXACT_LISTS for row in rows.values()):
        magnitudes = plan.computed("ranked_magnitudes").filter(pl.col("magnitude") > 0)
        for row in magnitudes.select(*plan.ids["pair_id"], "n", "mean_rank").rows():
            ranks.setdefault(row[:-2], []).append((int(row[-2]), row[-1]))
    p_values = {
        pair.key: wilcoxon_p(ranks.get(pair.key, ()), *rows[pair.key]) if pair.key in rows else None for pair in pairs
    }
    return p_values, None


def wilcoxon_p(
    ranks: Sequence[tuple[int, float]], n: float, n_zero: float, higher: float, lower: float, tied: float
) -> float | None:
    """The two-sided p-value of Wilcoxon's signed-rank test, as SciPy's with `zero_method="pratt"`.

    It is exact for up to 50 lists, over all signs of the differences, and else by the normal distribution, without
    continuity correction. None with fewer than two lists, or if all differences are 0.

    Args:
        ranks: for up to 50 lists, the number of lists of each absolute difference above 0, and their mean rank.
        n: the number of lists.
        n_zero: the number of lists without a difference.
        higher: the sum of the ranks of the lists with a higher value of the system.
        lower: the same for lower values.
        tied: the sum of t³ - t over groups of t lists with the same absolute difference.

    >>> wilcoxon_p([(1, 1.0), (1, 2.0), (1, 3.0)], 3, 0, 6, 0, 0)
    0.25
    """
    from scipy import special

    if n < 2 or n_zero == n:
        return None
    least = min(higher, lower)
    if n <= EXACT_LISTS:
        return min(1.0, 2 * _share_of_rank_sums([rank for number, rank in ranks for _ in range(number)], least))
    mean = n * (n + 1) / 4 - n_zero * (n_zero + 1) / 4
    squares = n * (n + 1) * (2 * n + 1) - n_zero * (n_zero + 1) * (2 * n_zero + 1) - tied / 2
    return float(2 * special.ndtr(-abs(least - mean) / sqrt(squares / 24)))


def _share_of_rank_sums(ranks: Sequence[float], bound: float) -> float:
    """The share of all choices of some ranks whose sum is at most a bound; mean ranks are whole or half numbers."""
    limit = round(2 * bound)
    n_choices = [1] + [0] * limit  # by twice the sum
    for rank in ranks:
        for total in range(limit, round(2 * rank) - 1, -1):
            n_choices[total] += n_choices[total - round(2 * rank)]
    return float(sum(n_choices) / 2 ** len(ranks))


def _tukey(pairs: Sequence[Pair], plan: ComparisonPlan) -> tuple[PValues, None]:
    """Tukey's test of all pairs, as `scipy.stats.tukey_hsd` over the values of each system: lists are not paired."""
    from scipy import stats

    groups = plan.by_arm(plan.computed("system_moments"), "n_lists", "mean_value", "sum_of_squares")
    p_values: dict[Key, float | None] = {}
    for pair in pairs:
        systems = {name: row for name, row in groups.get((pair.by, pair.metric), {}).items() if row[0]}
        freedom = sum(n for n, _, _ in systems.values()) - len(systems)
        spread = sum(squares for _, _, squares in systems.values())
        if freedom < 1 or not spread or not {pair.baseline, pair.system} <= {*systems}:
            p_values[pair.key] = None
            continue
        (n_first, first, _), (n_second, second, _) = systems[pair.baseline], systems[pair.system]
        error = sqrt(spread / freedom / 2 * (1 / n_first + 1 / n_second))
        p_values[pair.key] = float(stats.studentized_range.sf(abs(first - second) / error, len(systems), freedom))
    return p_values, None


def _replicated(plan: ComparisonPlan, step: str) -> pl.DataFrame:
    """The rows of a step with one row per pair and replicate."""
    return plan.computed(step).filter(pl.col("replicate") <= plan.options.replicates)


def _shares(pairs: Sequence[Pair], plan: ComparisonPlan, replicates: pl.DataFrame, is_as_far: pl.Expr) -> PValues:
    """For each pair, the share of replicates that are as far from the mean, the data themselves among them."""
    n_as_far = plan.keyed(replicates.group_by(plan.ids["pair_id"]).agg(is_as_far.sum()), "pair_id")
    return {
        pair.key: (1 + int(n_as_far[pair.key][0])) / (plan.options.replicates + 1)
        if pair.n_independent > 1 and pair.key in n_as_far
        else None
        for pair in pairs
    }


def _randomization(pairs: Sequence[Pair], plan: ComparisonPlan) -> tuple[PValues, None]:
    """Fisher's randomization test: the share of random signs whose sum is as far from 0."""
    is_as_far = pl.col("total").abs() >= pl.col("observed").abs() - ROUNDING * pl.col("spread")
    return _shares(pairs, plan, _replicated(plan, "randomized_sums"), is_as_far), None


def _bootstrap_t(pairs: Sequence[Pair], plan: ComparisonPlan) -> pl.DataFrame:
    """|t| of each replicate of the bootstrap, next to the `difference`, its `error` and the `bound` |t| of the data.

    Replicates draw clusters, and t is the mean less that of the data, over its standard error in the replicate. Errors
    are not corrected for few clusters (CR0). Pairs that do not vary, and pairs of few clusters, have no rows.

    Source: Cameron, Gelbach, Miller (2008), Bootstrap-based improvements for inference with clustered errors (pairs
    cluster bootstrap-t). doi:10.1162/rest.90.3.414. Hall (1988), On symmetric bootstrap confidence intervals.
    doi:10.1111/j.2517-6161.1988.tb01707.x
    """
    keys, is_paired = plan.ids["pair_id"], all(pair.is_paired for pair in pairs)
    replicates = _replicated(plan, "bootstrap_means" if is_paired else "system_bootstrap_means")
    baseline, system = plan.ids["baseline_id"], plan.ids["system_id"]
    types = {**replicates.schema, **{name: replicates.schema[of] for name, of in zip(baseline, system, strict=True)}}
    numbers = ["difference", "error"]
    rows = [
        (*pair.key, pair.difference, sqrt(sum(sample.squares_between / sample.n_lists**2 for sample in pair.samples)))
        for pair in pairs
        if pair.standard_error and pair.n_independent >= LEAST_DRAWN and not pair.n_shared
    ]
    schema: dict[str, Any] = {**{name: types[name] for name in keys}, **dict.fromkeys(numbers, pl.Float64)}
    varying = pl.DataFrame(rows, schema=schema, orient="row")
    mean = pl.col("deviation") / pl.col("n")
    squares = pl.col("squares") - 2 * mean * pl.col("products") + mean**2 * pl.col("squared_sizes")
    is_rounding = squares <= ROUNDING * pl.col("squares")  # all clusters of the replicate are equal
    variance = pl.when(is_rounding).then(0.0).otherwise(squares / pl.col("n") ** 2)
    means = replicates.filter(pl.col("n") > 0).select(
        pl.exclude("n", "deviation", "squares", "products", "squared_sizes"), mean=mean, variance=variance
    )
    shift, squared_error = pl.col("mean"), pl.col("variance")
    if is_paired:
        both = varying.join(means, on=keys, nulls_equal=True)
    else:
        own = [*plan.ids["by_id"], "metric"]
        of_baseline = means.rename(dict(zip(system, baseline, strict=True)))
        both = varying.join(of_baseline, on=[*own, *baseline], nulls_equal=True)
        both = both.join(means, on=[*own, *system, "replicate"], suffix="_system", nulls_equal=True)
        shift = pl.col("mean_system") - shift
        squared_error += pl.col("variance_system")
    t = pl.when(shift.abs() <= ROUNDING * pl.col("error")).then(0.0).otherwise(shift.abs() / squared_error.sqrt())
    return both.select(*keys, "difference", "error", t=t, bound=pl.col("difference").abs() / pl.col("error"))


def _bootstrap(pairs: Sequence[Pair], plan: ComparisonPlan) -> tuple[PValues, Intervals]:
    """The share of replicates whose |t| is as great as that of the data, and the symmetric interval."""
    replicates = _bootstrap_t(pairs, plan)
    half = pl.col("error").first() * pl.col("t").quantile(plan.options.confidence, "linear")
    halves = plan.keyed(replicates.group_by(plan.ids["pair_id"]).agg(half.alias("half")), "pair_id")
    ends = {pair.key: pair.around(*halves[pair.key]) for pair in pairs if pair.key in halves}
    intervals = {key: interval for key, interval in ends.items() if interval}
    return _shares(pairs, plan, replicates, pl.col("t") >= pl.col("bound") * (1 - ROUNDING)), intervals


TESTS: Mapping[str, Test] = {
    "t": Test(
        "paired t-test", lambda pairs, _: ({pair.key: pair.p_value for pair in pairs}, None), of_arms="Welch's t-test"
    ),
    "wilcoxon": Test("Wilcoxon's signed-rank test", _wilcoxon, takes_clusters=False),
    "randomization": Test("Fisher's randomization test", _randomization),
    "bootstrap": Test("bootstrap test", _bootstrap, of_arms="bootstrap test"),
    "mcnemar": Test("McNemar's exact test", _mcnemar, takes_clusters=False),
    "tukey": Test("Tukey's test of all pairs", _tukey, False, "Tukey's test of all pairs", is_of_all_pairs=True),
}


# --- corrections for several tests ------------------------------------------------------------------------------------


def bonferroni(p_values: Sequence[float]) -> list[float]:
    """Each p-value times the number of tests.

    Source: Dunn (1961), Multiple comparisons among means. doi:10.1080/01621459.1961.10482090
    """
    return [min(1.0, len(p_values) * p_value) for p_value in p_values]


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction: it holds the chance of any false finding, and finds more than Bonferroni's.

    Source: Holm (1979), A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6
    """
    adjusted, highest = [0.0] * len(p_values), 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=lambda index: p_values[index])):
        highest = max(highest, (len(p_values) - place) * p_values[index])
        adjusted[index] = min(1.0, highest)
    return adjusted


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Benjamini and Hochberg's step-up correction: it holds the expected share of false findings among all findings.

    Source: Benjamini, Hochberg (1995), Controlling the false discovery rate. doi:10.1111/j.2517-6161.1995.tb02031.x
    """
    from scipy import stats

    return [float(p_value) for p_value in stats.false_discovery_control(p_values)] if p_values else []


# Each correction, with its name in a note.
CORRECTIONS: Mapping[str, tuple[Callable[[Sequence[float]], list[float]], str]] = {
    "holm": (holm, "Holm"),
    "bonferroni": (bonferroni, "Bonferroni"),
    "benjamini_hochberg": (benjamini_hochberg, "Benjamini and Hochberg"),
    "none": (list, "no correction"),
}


def corrected(p_values: Sequence[float | None], correction: str) -> list[float | None]:
    """The corrected p-values; NULLs stay, and do not count as tests."""
    known = [p_value for p_value in p_values if p_value is not None]
    correct, _ = CORRECTIONS[correction]
    adjusted = iter(correct(known))
    return [None if p_value is None else next(adjusted) for p_value in p_values]
