"""The tests of a comparison: for each, the step of its sums and how p-values follow from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

from rankmetrics.comparisons.pairs import Key, Pair, p_of_t

if TYPE_CHECKING:
    import polars as pl

PValues = Mapping[Key, "float | None"]

# Up to this number of lists, Wilcoxon's distribution is computed exactly, unless there are ties.
EXACT_LISTS = 50

# Sums that differ by less than this share of the sum of the absolute differences count as equal.
EQUAL = 1e-12


@dataclass(frozen=True)
class Sums:
    """What computes the sums of the tests.

    Attributes:
        compute: computes a step of the query.
        ids: the columns of each id in the result of a step.
        replicates: how many replicates the tests by simulation draw.
        confidence: the probability of the confidence intervals.
    """

    compute: Callable[[str], pl.DataFrame]
    ids: Mapping[str, list[str]]
    replicates: int
    confidence: float

    def by_pair(self, step: str, columns: Sequence[str]) -> dict[Key, tuple[Any, ...]]:
        """Columns of a step that has one row per pair, by the key of the pair."""
        n_key = len(self.ids["pair_id"])
        rows = self.compute(step).select(*self.ids["pair_id"], *columns).rows()
        return {row[:n_key]: row[n_key:] for row in rows}

    def replicated(self, step: str) -> pl.DataFrame:
        """The rows of a step with one row per pair and replicate."""
        import polars as pl

        return self.compute(step).filter(pl.col("replicate") <= self.replicates)

    def of_groups(self, frame: pl.DataFrame, *values: pl.Expr) -> dict[Key, tuple[Any, ...]]:
        """Aggregates of the replicates of each pair, by the key of the pair."""
        n_key = len(self.ids["pair_id"])
        rows = frame.group_by(self.ids["pair_id"]).agg(*values).rows()
        return {row[:n_key]: row[n_key:] for row in rows}


@dataclass(frozen=True)
class Test:
    """A test of a comparison.

    Attributes:
        called: what a note calls it.
        p_values: the p-value of each pair.
        intervals: the confidence interval that belongs to the test, of each pair; None for that of the t distribution.
        is_simulated: whether it draws replicates by hashes.
        takes_clusters: whether it can take the lists of a cluster together.
        is_of_all_pairs: whether it compares all pairs at once, and so corrects its p-values itself.
    """

    __test__ = False  # it is no test of pytest

    called: str
    p_values: Callable[[Sequence[Pair], Sums], PValues]
    intervals: Callable[[Sums], Mapping[Key, tuple[float | None, float | None]]] | None = None
    is_simulated: bool = False
    takes_clusters: bool = True
    is_of_all_pairs: bool = False


# --- by distributions -------------------------------------------------------------------------------------------------


def _paired_t(pairs: Sequence[Pair], _sums: Sums) -> PValues:
    return {pair.key: p_of_t(pair) for pair in pairs}


def _wilcoxon(pairs: Sequence[Pair], sums: Sums) -> PValues:
    columns = ("n", "n_zero", "rank_sum_higher", "rank_sum_lower", "tied")
    found = sums.by_pair("signed_rank_sums", columns)
    return {pair.key: wilcoxon_p(*found[pair.key]) if pair.key in found else None for pair in pairs}


def wilcoxon_p(n: float, n_zero: float, higher: float, lower: float, tied: float) -> float | None:
    """The two-sided p-value of Wilcoxon's signed-rank test, as SciPy's with `zero_method="pratt"`.

    It is exact for up to 50 lists if no differences are 0 and no absolute differences are equal, and else by the normal
    distribution, without continuity correction.

    Args:
        n: the number of lists.
        n_zero: the number of lists without a difference.
        higher: the sum of the ranks of the lists with a higher value of the system.
        lower: the same for lower values.
        tied: the sum of t³ - t over groups of t lists with the same absolute difference.

    Returns:
        None with fewer than two lists, or if all differences are 0.

    Example:
        >>> wilcoxon_p(3, 0, 6, 0, 0)
        0.25
    """
    from scipy import stats

    if n < 2 or n_zero == n:
        return None
    least = min(higher, lower)
    if n <= EXACT_LISTS and not n_zero and not tied:
        return min(1.0, 2 * _share_of_rank_sums(int(n), int(least)))
    mean = n * (n + 1) / 4 - n_zero * (n_zero + 1) / 4
    squares = n * (n + 1) * (2 * n + 1) - n_zero * (n_zero + 1) * (2 * n_zero + 1) - tied / 2
    return float(2 * stats.norm.sf(abs(least - mean) / sqrt(squares / 24)))


def _share_of_rank_sums(n: int, bound: int) -> float:
    """The share of all choices of ranks from 1 to n whose sum is at most a bound.

    >>> _share_of_rank_sums(2, 1)  # of the sums 0, 1, 2 and 3
    0.5
    """
    n_choices = [1] + [0] * bound  # by the sum
    for rank in range(1, n + 1):
        for total in range(bound, rank - 1, -1):
            n_choices[total] += n_choices[total - rank]
    return float(sum(n_choices) / 2**n)


def _tukey(pairs: Sequence[Pair], sums: Sums) -> PValues:
    """Tukey's test of all pairs, as `scipy.stats.tukey_hsd` over the values of each system: lists are not paired."""
    from scipy import stats

    ids = sums.ids
    columns = [*ids["by_id"], "metric", *ids["system_id"], "n_lists", "mean_value", "sum_of_squares"]
    n_group = len(ids["by_id"]) + 1
    groups: dict[Key, dict[Key, tuple[Any, ...]]] = {}
    for row in sums.compute("system_moments").select(columns).rows():
        groups.setdefault(row[:n_group], {})[row[n_group:-3]] = row[-3:]
    found: dict[Key, float | None] = {}
    for pair in pairs:
        systems = groups.get((*pair.by, pair.metric), {})
        freedom = sum(n for n, _, _ in systems.values()) - len(systems)
        spread = sum(squares for _, _, squares in systems.values())
        if freedom < 1 or not spread or not {pair.baseline, pair.system} <= {*systems}:
            found[pair.key] = None
            continue
        (n_first, first, _), (n_second, second, _) = systems[pair.baseline], systems[pair.system]
        error = sqrt(spread / freedom / 2 * (1 / n_first + 1 / n_second))
        found[pair.key] = float(stats.studentized_range.sf(abs(first - second) / error, len(systems), freedom))
    return found


# --- by simulation ----------------------------------------------------------------------------------------------------


def _randomization(pairs: Sequence[Pair], sums: Sums) -> PValues:
    """Fisher's randomization test: the share of random signs with a sum as far from 0, the sum as it is among them."""
    import polars as pl

    is_as_far = pl.col("total").abs() >= pl.col("observed").abs() - EQUAL * pl.col("spread")
    found = sums.of_groups(sums.replicated("randomized_sums"), is_as_far.sum())
    return {pair.key: _share(found, pair, sums) for pair in pairs}


def _bootstrap(pairs: Sequence[Pair], sums: Sums) -> PValues:
    """The bootstrap test: the share of replicates whose mean is as far from the mean as that is from 0."""
    import polars as pl

    means = sums.replicated("bootstrap_means")
    keys = sums.ids["pair_id"]
    rows = [(*pair.key, pair.difference) for pair in pairs]
    schema: dict[str, Any] = {**{name: means.schema[name] for name in keys}, "difference": pl.Float64}
    known = pl.DataFrame(rows, schema=schema, orient="row")
    joined = means.join(known, on=keys, nulls_equal=True)
    distance = (pl.col("mean_difference") - pl.col("difference")).abs()
    is_as_far = distance >= pl.col("difference").abs() * (1 - EQUAL)
    found = sums.of_groups(joined, is_as_far.sum())
    return {pair.key: _share(found, pair, sums) for pair in pairs}


def _share(found: Mapping[Key, tuple[Any, ...]], pair: Pair, sums: Sums) -> float | None:
    """The share of the replicates that are as far, with the data themselves among them."""
    if pair.n_clusters < 2 or pair.key not in found:
        return None
    return (1 + int(found[pair.key][0])) / (sums.replicates + 1)


def _bootstrap_intervals(sums: Sums) -> Mapping[Key, tuple[float | None, float | None]]:
    """The percentile interval of the bootstrap."""
    import polars as pl

    mean, outside = pl.col("mean_difference"), (1 - sums.confidence) / 2
    ends = [mean.quantile(share, "linear").alias(str(share)) for share in (outside, 1 - outside)]
    found = sums.of_groups(sums.replicated("bootstrap_means"), *ends)
    return {key: (row[0], row[1]) for key, row in found.items()}


TESTS: Mapping[str, Test] = {
    "t": Test("paired t-test", _paired_t),
    "wilcoxon": Test("Wilcoxon's signed-rank test", _wilcoxon, takes_clusters=False),
    "randomization": Test("Fisher's randomization test", _randomization, is_simulated=True),
    "bootstrap": Test("bootstrap test", _bootstrap, _bootstrap_intervals, is_simulated=True),
    "tukey": Test("Tukey's test of all pairs", _tukey, takes_clusters=False, is_of_all_pairs=True),
}
