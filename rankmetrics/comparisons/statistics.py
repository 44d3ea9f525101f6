"""The statistics of a comparison from sums over lists: paired t-test, further tests, intervals, corrections.

The distributions are of `scipy.special`, on which `scipy.stats` is built: to import that takes half a second more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, sqrt
from typing import Any

import polars as pl

from rankmetrics._rounding import ROUNDING, exceeds
from rankmetrics.options import Limit

# The key of a pair: the values of `by`, the metric, the baseline and the system.
Key = tuple[Any, ...]
Interval = tuple[float | None, float | None]
PValues = Mapping[Key, "float | None"]

# The columns of the step `moments` that hold counts of lists, and means and sums.
COUNT_COLUMNS = ("n_lists", "n_undefined", "n_higher", "n_equal", "n_lower")
MEAN_COLUMNS = ("baseline_mean", "system_mean", "difference", "sum_of_squares")

# The power of the test for which a number of lists is advised, and the relative difference that it should see.
POWER, RELATIVE_DIFFERENCE = 0.8, 0.01

# Beyond this number of lists, the t distribution is as good as normal.
MANY_LISTS = 100_000

# For a smaller effect, or one above its inverse, no number of lists is advised.
SMALLEST_EFFECT = 1e-6

# Beyond this shift, the noncentral t distribution is as good as a fixed number over a varying deviation.
LARGE_SHIFT = 30

# Beyond this number of lists, Wilcoxon's test finds differences of means too often (Ihemelandu and Ekstrand 2023,
# Inference at Scale, arXiv 2305.02461): over so many, it sees that the differences are not symmetric.
MANY_LISTS_OF_RANKS = 5_000

# Up to this number of lists, Wilcoxon's distribution is computed exactly, unless there are ties.
EXACT_LISTS = 50


def is_significant(p_value: float | None, level: float) -> bool:
    """True if a p-value is below a level, by more than rounding: 1 - 0.95 is greater than 0.05.

    >>> is_significant(0.05, 1 - 0.95), is_significant(0.0499, 1 - 0.95), is_significant(None, 0.05)
    (False, True, False)
    """
    return p_value is not None and exceeds(level, p_value)


# --- a pair of systems ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pair:
    """The sums of a metric over the lists that a system and its baseline share; without lists, they are None."""

    key: Key
    by: tuple[Any, ...]  # the values of the columns that stay apart
    metric: str
    baseline: tuple[Any, ...]  # the values of the columns that name it, as of `system`
    system: tuple[Any, ...]
    n_lists: int  # with a value of both
    n_undefined: int  # without the value of at least one of them
    baseline_mean: float | None
    system_mean: float | None
    difference: float | None  # the mean of the system minus that of the baseline
    sum_of_squares: float | None  # of the deviations of the differences from their mean
    n_higher: int  # lists for which the system's value is higher
    n_equal: int
    n_lower: int
    n_clusters: int  # independent clusters of lists; as many as lists if each is independent
    squares_between: float | None  # the sum of the squared deviations of the clusters
    is_turned: bool = False  # True if the steps of the query have the system as the baseline

    def turned(self) -> Pair:
        """The pair with the baseline as the system, and the system as the baseline."""
        return replace(
            self,
            baseline=self.system,
            system=self.baseline,
            baseline_mean=self.system_mean,
            system_mean=self.baseline_mean,
            difference=None if self.difference is None else -self.difference,
            n_higher=self.n_lower,
            n_lower=self.n_higher,
            is_turned=not self.is_turned,
        )

    def clustered(self, kinds: Sequence[tuple[Any, ...]]) -> Pair:
        """The pair with its lists in clusters: of each kind of clusters, their number and their squared deviations.

        Two kinds, such as users and days, become one: its squared deviations give the variance of both. That variance
        is the one of `statsmodels`' OLS on a constant with `cov_type="cluster"` and two groups: the variances by each
        kind, less that of single lists. Where that is not above 0, it is the greater of the first two. The degrees of
        freedom are those of the kind with fewer clusters.

        Source: Cameron, Gelbach, Miller (2011), Robust inference with multiway clustering. doi:10.1198/jbes.2010.07136
        """
        if not kinds:
            return self
        n_clusters, between = min(int(n) for n, _ in kinds), float(kinds[0][1])
        if len(kinds) > 1 and n_clusters > 1 and self.sum_of_squares is not None:
            one_way = [int(n) / (int(n) - 1) * float(squares) for n, squares in kinds]
            variance = sum(one_way) - self.n_lists / (self.n_lists - 1) * self.sum_of_squares
            between = (variance if variance > 0 else max(one_way)) * (n_clusters - 1) / n_clusters
        return replace(self, n_clusters=n_clusters, squares_between=between)

    @cached_property
    def deviation(self) -> float | None:
        """The standard deviation of the differences; None with fewer than two lists."""
        if self.n_lists < 2 or self.sum_of_squares is None:
            return None
        return sqrt(self.sum_of_squares / (self.n_lists - 1))

    @cached_property
    def standard_error(self) -> float | None:
        """The standard error of the mean difference, between clusters; None with fewer than two of them.

        The variance is that of `statsmodels`' OLS on a constant with `cov_type="cluster"` and `use_correction=True`:
        G / (G - 1) times the sum of the squared deviations of G clusters, over the square of the number of lists.
        """
        if self.n_clusters < 2 or self.squares_between is None:
            return None
        return sqrt(self.n_clusters / (self.n_clusters - 1) * self.squares_between) / self.n_lists

    @property
    def relative_difference(self) -> float | None:
        """The mean difference as a share of the baseline's mean; None where that is 0."""
        return self.difference / abs(self.baseline_mean) if self.difference is not None and self.baseline_mean else None

    @property
    def effect_size(self) -> float | None:
        """Cohen's d of the paired differences: their mean over their standard deviation; None where that is 0."""
        return self.difference / self.deviation if self.difference is not None and self.deviation else None

    def interval(self, confidence: float) -> Interval:
        """The confidence interval of the mean difference, by the t distribution; Nones with fewer than two lists."""
        from scipy import special

        if self.difference is None or self.standard_error is None:
            return None, None
        half = float(special.stdtrit(self.n_clusters - 1, (1 + confidence) / 2)) * self.standard_error
        return self.difference - half, self.difference + half

    def p_within(self, margin: float | None) -> tuple[float | None, float | None]:
        """The one-sided p-values that the mean difference is above -margin, and below the margin.

        The greater of the two is that of TOST, as in `statsmodels.stats.weightstats.ttost_paired`.
        """
        from scipy import special

        if margin is None or self.difference is None or self.standard_error is None:
            return None, None
        if not self.standard_error:
            return float(self.difference <= -margin), float(self.difference >= margin)
        shifts = (self.difference + margin) / self.standard_error, (margin - self.difference) / self.standard_error
        above, below = (float(special.stdtr(self.n_clusters - 1, -shift)) for shift in shifts)
        return above, below

    def lists_for_1_percent(self, confidence: float) -> int | None:
        """The lists that a paired t-test needs to see a difference of 1 % of the baseline's mean with a power of 0.8.

        The lists count as independent. None where the differences or the mean of the baseline are all 0, or one of
        them is negligible compared with the other.
        """
        if not self.deviation or not self.baseline_mean:
            return None
        effect = RELATIVE_DIFFERENCE * abs(self.baseline_mean) / self.deviation
        return lists_for_effect(effect, 1 - confidence) if SMALLEST_EFFECT < effect < 1 / SMALLEST_EFFECT else None


def pair_of(row: Mapping[str, Any], columns: Mapping[str, list[str]]) -> Pair:
    """A pair of independent lists from a row of the step `moments`, by the columns of each id."""
    by, baseline, system = (tuple(row[name] for name in columns[f"{kind}_id"]) for kind in ("by", "baseline", "system"))
    counts: dict[str, Any] = {name: int(row[name]) for name in COUNT_COLUMNS}
    means: dict[str, Any] = {name: None if row[name] is None else float(row[name]) for name in MEAN_COLUMNS}
    key = (*by, row["metric"], *baseline, *system)
    n_clusters, between = counts["n_lists"], means["sum_of_squares"]
    return Pair(
        key, by, row["metric"], baseline, system, **counts, **means, n_clusters=n_clusters, squares_between=between
    )


def lists_for_effect(effect: float, level: float) -> int:
    """The smallest number of lists with which a two-sided paired t-test sees an effect with a power of 0.8."""
    from scipy import special

    quantile = float(special.ndtri(1 - level / 2))
    about = ((quantile + float(special.ndtri(POWER))) / effect) ** 2 + quantile**2 / 2
    if about > MANY_LISTS:
        return ceil(about)

    def has_power(n: int) -> bool:
        bound, shift = special.stdtrit(n - 1, 1 - level / 2), effect * sqrt(n)
        if shift > LARGE_SHIFT:  # where SciPy's series do not converge; only the deviation varies
            return bool(special.chdtr(n - 1, (n - 1) * (shift / bound) ** 2) >= POWER)
        return bool(1 - special.nctdtr(n - 1, shift, bound) + special.nctdtr(n - 1, shift, -bound) >= POWER)

    n = max(2, ceil(about))  # a few lists off at most, and more only for large effects
    while not has_power(n):
        n += 1
    while n > 2 and has_power(n - 1):
        n -= 1
    return n


@dataclass(frozen=True)
class Statistics:
    """The statistics that are computed."""

    tests: tuple[str, ...]  # their names
    correction: str  # its name
    confidence: float  # the probability of the confidence intervals
    replicates: int  # that the tests by simulation draw
    margin: Limit | None = None  # the difference that does not matter; a share of the mean of the baseline


# --- the tests --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TestSums:
    """Computes the sums of the tests."""

    __test__ = False  # not a test of pytest

    compute: Callable[[str], pl.DataFrame]  # a step of the query
    ids: Mapping[str, list[str]]  # the columns of each id in the result of a step
    statistics: Statistics

    def by_pair(self, rows: pl.DataFrame) -> dict[Key, tuple[Any, ...]]:
        """The columns of one row per pair, by the key of the pair."""
        keys = self.ids["pair_id"]
        values = [name for name in rows.columns if name not in keys]
        return {row[: len(keys)]: row[len(keys) :] for row in rows.select(*keys, *values).rows()}

    def replicated(self, step: str) -> pl.DataFrame:
        """The rows of a step with one row per pair and replicate."""
        return self.compute(step).filter(pl.col("replicate") <= self.statistics.replicates)

    def shares(self, pairs: Sequence[Pair], replicates: pl.DataFrame, is_as_far: pl.Expr) -> PValues:
        """For each pair, the share of replicates that are as far from the mean, the data themselves among them."""
        n_as_far = self.by_pair(replicates.group_by(self.ids["pair_id"]).agg(is_as_far.sum()))
        return {
            pair.key: (1 + int(n_as_far[pair.key][0])) / (self.statistics.replicates + 1)
            if pair.n_clusters > 1 and pair.key in n_as_far
            else None
            for pair in pairs
        }


@dataclass(frozen=True)
class Test:
    """A test of a comparison."""

    __test__ = False  # not a test of pytest

    name: str  # in a note
    p_values: Callable[[Sequence[Pair], TestSums], PValues]
    intervals: Callable[[TestSums], Mapping[Key, Interval]] | None = None  # None for those of the t distribution
    takes_clusters: bool = True  # can take the lists of a cluster together
    is_of_all_pairs: bool = False  # compares all pairs at once, and so corrects its p-values itself


def _paired_t(pairs: Sequence[Pair], _sums: TestSums) -> PValues:
    """The two-sided p-values of the paired t-test, with the degrees of freedom of the clusters, as in SciPy."""
    from scipy import special

    def p_value(pair: Pair) -> float | None:
        if pair.difference is None or pair.standard_error is None:
            return None
        if not pair.standard_error:
            return 0.0 if pair.difference else None
        return float(2 * special.stdtr(pair.n_clusters - 1, -abs(pair.difference / pair.standard_error)))

    return {pair.key: p_value(pair) for pair in pairs}


def _wilcoxon(pairs: Sequence[Pair], sums: TestSums) -> PValues:
    columns = ("n", "n_zero", "rank_sum_higher", "rank_sum_lower", "tied")
    rows = sums.by_pair(sums.compute("signed_rank_sums").select(*sums.ids["pair_id"], *columns))
    return {pair.key: wilcoxon_p(*rows[pair.key]) if pair.key in rows else None for pair in pairs}


def wilcoxon_p(n: float, n_zero: float, higher: float, lower: float, tied: float) -> float | None:
    """The two-sided p-value of Wilcoxon's signed-rank test, as SciPy's with `zero_method="pratt"`.

    It is exact for up to 50 lists if no differences are 0 and no absolute differences are equal, and else by the normal
    distribution, without continuity correction. None with fewer than two lists, or if all differences are 0.

    Args:
        n: the number of lists.
        n_zero: the number of lists without a difference.
        higher: the sum of the ranks of the lists with a higher value of the system.
        lower: the same for lower values.
        tied: the sum of t³ - t over groups of t lists with the same absolute difference.

    >>> wilcoxon_p(3, 0, 6, 0, 0)
    0.25
    """
    from scipy import special

    if n < 2 or n_zero == n:
        return None
    least = min(higher, lower)
    if n <= EXACT_LISTS and not n_zero and not tied:
        return min(1.0, 2 * _share_of_rank_sums(int(n), int(least)))
    mean = n * (n + 1) / 4 - n_zero * (n_zero + 1) / 4
    squares = n * (n + 1) * (2 * n + 1) - n_zero * (n_zero + 1) * (2 * n_zero + 1) - tied / 2
    return float(2 * special.ndtr(-abs(least - mean) / sqrt(squares / 24)))


def _share_of_rank_sums(n: int, bound: int) -> float:
    """The share of all choices of ranks from 1 to n whose sum is at most a bound."""
    n_choices = [1] + [0] * bound  # by the sum
    for rank in range(1, n + 1):
        for total in range(bound, rank - 1, -1):
            n_choices[total] += n_choices[total - rank]
    return float(sum(n_choices) / 2**n)


def _tukey(pairs: Sequence[Pair], sums: TestSums) -> PValues:
    """Tukey's test of all pairs, as `scipy.stats.tukey_hsd` over the values of each system: lists are not paired."""
    from scipy import stats

    by, system = sums.ids["by_id"], sums.ids["system_id"]
    columns = [*by, "metric", *system, "n_lists", "mean_value", "sum_of_squares"]
    groups: dict[Key, dict[Key, tuple[Any, ...]]] = {}
    for row in sums.compute("system_moments").select(columns).rows():
        groups.setdefault(row[: len(by) + 1], {})[row[len(by) + 1 : -3]] = row[-3:]
    p_values: dict[Key, float | None] = {}
    for pair in pairs:
        systems = groups.get((*pair.by, pair.metric), {})
        freedom = sum(n for n, _, _ in systems.values()) - len(systems)
        spread = sum(squares for _, _, squares in systems.values())
        if freedom < 1 or not spread or not {pair.baseline, pair.system} <= {*systems}:
            p_values[pair.key] = None
            continue
        (n_first, first, _), (n_second, second, _) = systems[pair.baseline], systems[pair.system]
        error = sqrt(spread / freedom / 2 * (1 / n_first + 1 / n_second))
        p_values[pair.key] = float(stats.studentized_range.sf(abs(first - second) / error, len(systems), freedom))
    return p_values


def _randomization(pairs: Sequence[Pair], sums: TestSums) -> PValues:
    """Fisher's randomization test: the share of random signs whose sum is as far from 0."""
    is_as_far = pl.col("total").abs() >= pl.col("observed").abs() - ROUNDING * pl.col("spread")
    return sums.shares(pairs, sums.replicated("randomized_sums"), is_as_far)


def _bootstrap(pairs: Sequence[Pair], sums: TestSums) -> PValues:
    """The bootstrap test: the share of replicates whose mean is as far from the mean as that is from 0."""
    means, keys = sums.replicated("bootstrap_means"), sums.ids["pair_id"]
    schema: dict[str, Any] = {**{name: means.schema[name] for name in keys}, "difference": pl.Float64}
    differences = pl.DataFrame([(*pair.key, pair.difference) for pair in pairs], schema=schema, orient="row")
    distance = (pl.col("mean_difference") - pl.col("difference")).abs()
    is_as_far = distance >= pl.col("difference").abs() * (1 - ROUNDING)
    return sums.shares(pairs, means.join(differences, on=keys, nulls_equal=True), is_as_far)


def _bootstrap_intervals(sums: TestSums) -> Mapping[Key, Interval]:
    """The percentile interval of the bootstrap."""
    mean, outside = pl.col("mean_difference"), (1 - sums.statistics.confidence) / 2
    ends = [mean.quantile(share, "linear").alias(str(share)) for share in (outside, 1 - outside)]
    rows = sums.by_pair(sums.replicated("bootstrap_means").group_by(sums.ids["pair_id"]).agg(ends))
    return {key: (low, high) for key, (low, high) in rows.items()}


TESTS: Mapping[str, Test] = {
    "t": Test("paired t-test", _paired_t),
    "wilcoxon": Test("Wilcoxon's signed-rank test", _wilcoxon, takes_clusters=False),
    "randomization": Test("Fisher's randomization test", _randomization),
    "bootstrap": Test("bootstrap test", _bootstrap, _bootstrap_intervals),
    "tukey": Test("Tukey's test of all pairs", _tukey, takes_clusters=False, is_of_all_pairs=True),
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
