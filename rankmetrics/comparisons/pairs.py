"""The sums of a metric over the lists of two systems, and what follows from them alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, sqrt
from typing import Any

# The key of a pair: the values of `by`, the metric, the baseline and the system.
Key = tuple[Any, ...]

# The power of the test for which a number of lists is advised, and the relative difference that it should see.
POWER, RELATIVE_DIFFERENCE = 0.8, 0.01

# Beyond this number of lists, the t distribution is as good as normal.
MANY_LISTS = 100_000

# Of a smaller effect, or one above its inverse, no number of lists is worth telling.
SMALLEST_EFFECT = 1e-6

# Beyond this shift, the noncentral t distribution is as good as a fixed number over a varying deviation.
LARGE_SHIFT = 30


@dataclass(frozen=True)
class Pair:
    """The sums of a metric over the lists that a system and its baseline were both scored on.

    Attributes:
        key: what identifies the pair in the steps of the query.
        by: the values of the columns that stay apart.
        metric: the label of the metric.
        baseline: the values of the columns that name the baseline.
        system: the same for the system that is compared with it.
        n_lists: how many lists have a value of both.
        n_undefined: how many lists have none of at least one of them.
        baseline_mean: the mean of the baseline; None without lists, as are the other means and sums.
        system_mean: the mean of the system.
        difference: the mean difference: the system minus the baseline.
        sum_of_squares: the sum of the squared deviations of the differences from their mean.
        n_higher: how many lists have a higher value of the system.
        n_equal: how many lists have equal values.
        n_lower: how many lists have a lower value of the system.
        n_clusters: how many independent clusters the lists are from; the number of lists where each stands alone.
        squares_between: the sum of the squared deviations of the clusters; that of the lists where each stands alone.
        is_turned: whether the steps of the query have the system as the baseline.
    """

    key: Key
    by: tuple[Any, ...]
    metric: str
    baseline: tuple[Any, ...]
    system: tuple[Any, ...]
    n_lists: int
    n_undefined: int
    baseline_mean: float | None
    system_mean: float | None
    difference: float | None
    sum_of_squares: float | None
    n_higher: int
    n_equal: int
    n_lower: int
    n_clusters: int
    squares_between: float | None
    is_turned: bool = False

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


def p_of_t(pair: Pair) -> float | None:
    """The two-sided p-value of the paired t-test, with the degrees of freedom of the clusters.

    Where all differences are equal, it is 0 if they are not 0, and None if they are, as in SciPy.
    """
    from scipy import stats

    if pair.difference is None or pair.standard_error is None:
        return None
    if not pair.standard_error:
        return 0.0 if pair.difference else None
    return float(2 * stats.t.sf(abs(pair.difference / pair.standard_error), pair.n_clusters - 1))


def interval(pair: Pair, confidence: float) -> tuple[float | None, float | None]:
    """The confidence interval of the mean difference, by the t distribution; Nones with fewer than two lists."""
    from scipy import stats

    if pair.difference is None or pair.standard_error is None:
        return None, None
    half = float(stats.t.ppf((1 + confidence) / 2, pair.n_clusters - 1)) * pair.standard_error
    return pair.difference - half, pair.difference + half


def lists_for(pair: Pair, confidence: float) -> int | None:
    """How many lists a paired t-test needs to see a difference of 1 % of the baseline's mean with a power of 0.8.

    The lists are taken as independent. None where the differences or the mean of the baseline are all 0, or as good as
    that beside each other.
    """
    if not pair.deviation or not pair.baseline_mean:
        return None
    effect = RELATIVE_DIFFERENCE * abs(pair.baseline_mean) / pair.deviation
    return lists_for_effect(effect, 1 - confidence) if SMALLEST_EFFECT < effect < 1 / SMALLEST_EFFECT else None


def lists_for_effect(effect: float, level: float) -> int:
    """The smallest number of lists with which a two-sided paired t-test sees an effect with a power of 0.8.

    Args:
        effect: the mean difference over the standard deviation of the differences.
        level: the significance level.

    Example:
        >>> lists_for_effect(0.5, 0.05)
        34
    """
    from scipy import stats

    quantile = float(stats.norm.ppf(1 - level / 2))
    about = ((quantile + float(stats.norm.ppf(POWER))) / effect) ** 2 + quantile**2 / 2
    if about > MANY_LISTS:
        return ceil(about)

    def has_power(n: int) -> bool:
        bound, shift = stats.t.ppf(1 - level / 2, n - 1), effect * sqrt(n)
        if shift > LARGE_SHIFT:  # where SciPy's series do not converge; what varies is the deviation alone
            return bool(stats.chi2.cdf((n - 1) * (shift / bound) ** 2, n - 1) >= POWER)
        return bool(stats.nct.sf(bound, n - 1, shift) + stats.nct.cdf(-bound, n - 1, shift) >= POWER)

    n = max(2, ceil(about))  # a few lists off at most, and more only for large effects
    while not has_power(n):
        n += 1
    while n > 2 and has_power(n - 1):
        n -= 1
    return n


def pair_of(
    row: Mapping[str, Any], columns: Mapping[str, list[str]], clusters: Mapping[Key, tuple[int, float]]
) -> Pair:
    """A pair from a row of the step `moments`.

    Args:
        row: the row.
        columns: the columns of each id.
        clusters: the number of clusters and their squared deviations, by the key of the pair; empty without clusters.
    """
    by, baseline, system = (tuple(row[one] for one in columns[f"{name}_id"]) for name in ("by", "baseline", "system"))
    key, n_lists, squares = (
        (*by, row["metric"], *baseline, *system),
        int(row["n_lists"]),
        _number(row["sum_of_squares"]),
    )
    n_clusters, between = clusters.get(key, (n_lists, squares))
    means = {name: _number(row[name]) for name in ("baseline_mean", "system_mean", "difference")}
    counts = {name: int(row[name]) for name in ("n_lists", "n_undefined", "n_higher", "n_equal", "n_lower")}
    return Pair(
        key=key,
        by=by,
        metric=row["metric"],
        baseline=baseline,
        system=system,
        sum_of_squares=squares,
        n_clusters=n_clusters,
        squares_between=between,
        **means,  # type: ignore[arg-type]  # one mapping is of means, the other of counts
        **counts,  # type: ignore[arg-type]
    )


def _number(value: Any) -> float | None:
    return None if value is None else float(value)
