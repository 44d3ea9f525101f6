"""Average ranks of systems over many data sets: Friedman's test, and Nemenyi's critical difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from math import inf, sqrt
from typing import TYPE_CHECKING

from rankmetrics.comparisons.statistics import is_significant
from rankmetrics.errors import InputError, Option, counted, names
from rankmetrics.inputs.columns import name_of_system
from rankmetrics.tables import Cell, Printed, TextTable, shown_value

if TYPE_CHECKING:
    import polars as pl

# Means that are equal to this number of decimals have the same rank: engines add in different orders.
DECIMALS = 12


@dataclass(frozen=True, repr=False)
class Ranks(Printed):
    """The average ranks of systems over data sets; `result.compare(by="data_set").ranks()` returns it.

    On each data set, the system with the best mean has rank 1; equal means share their average rank. Friedman's test
    says whether the systems differ at all. Two systems differ if their average ranks are further apart than Nemenyi's
    critical difference (Demšar 2006, Statistical comparisons of classifiers over multiple data sets).

    Attributes:
        metric: the label of the metric.
        means: the mean of each system on each data set.
        lower_is_better: whether rank 1 is the lowest mean.
        confidence: 1 less the level of significance.
    """

    metric: str
    means: Mapping[str, Sequence[float]]
    lower_is_better: bool
    confidence: float

    @property
    def n_sets(self) -> int:
        """The number of data sets."""
        return len(next(iter(self.means.values())))

    @cached_property
    def average_ranks(self) -> dict[str, float]:
        """The average rank of each system, the best first."""
        from scipy.stats import rankdata

        sign = 1 if self.lower_is_better else -1
        rows = [[sign * round(mean, DECIMALS) for mean in means] for means in zip(*self.means.values(), strict=True)]
        averages = rankdata(rows, axis=1).mean(axis=0).tolist()
        return dict(sorted(zip(self.means, averages, strict=True), key=lambda pair: (pair[1], pair[0])))

    @cached_property
    def p_value(self) -> float | None:
        """The p-value of Friedman's test that all systems have the same rank; None if all means are equal."""
        from scipy.stats import friedmanchisquare

        columns = [[round(mean, DECIMALS) for mean in means] for means in self.means.values()]
        if all(len({*means}) == 1 for means in zip(*columns, strict=True)):
            return None
        return float(friedmanchisquare(*columns).pvalue)

    @property
    def _error(self) -> float:
        n_systems = len(self.means)
        return sqrt(n_systems * (n_systems + 1) / (6 * self.n_sets))

    @cached_property
    def critical_difference(self) -> float:
        """The difference of average ranks from which on two systems differ."""
        from scipy.stats import studentized_range

        return float(studentized_range.ppf(self.confidence, len(self.means), inf)) / sqrt(2) * self._error

    def p_between(self, system: str, other: str) -> float:
        """The p-value of Nemenyi's test of two systems, which corrects for all pairs."""
        from scipy.stats import studentized_range

        distance = abs(self.average_ranks[system] - self.average_ranks[other])
        return float(studentized_range.sf(distance / self._error * sqrt(2), len(self.means), inf))

    @cached_property
    def groups(self) -> list[list[str]]:
        """The largest groups of systems, by rank, of which no two differ."""
        systems, ranks = [*self.average_ranks], [*self.average_ranks.values()]
        ends = [max(n for n, rank in enumerate(ranks) if rank - first < self.critical_difference) for first in ranks]
        starts = [0, *(place for place, (before, end) in enumerate(pairwise(ends), start=1) if end > before)]
        return [systems[start : ends[start] + 1] for start in starts if ends[start] > start]

    def collect(self) -> pl.DataFrame:
        """A row per pair of systems: `system`, `other`, their average ranks, the difference, and `p_nemenyi`."""
        import polars as pl

        rows = [
            (system, other, rank, other_rank, other_rank - rank, self.p_between(system, other))
            for (system, rank), (other, other_rank) in combinations(self.average_ranks.items(), 2)
        ]
        columns = ["system", "other", "average_rank", "other_average_rank", "difference", "p_nemenyi"]
        return pl.DataFrame(rows, schema=columns, orient="row")

    def notes(self) -> list[str]:
        """Friedman's test, the critical difference and the groups, in sentences."""
        level, p_value = round(1 - self.confidence, 6), self.p_value
        differ = "differ" if is_significant(p_value, 1 - self.confidence) else "do not differ significantly"
        sets, distance = counted(self.n_sets, "data set", "data sets"), f"{self.critical_difference:.2f}"
        friedman = f"over {sets}, the systems {differ} (Friedman's test, p = {shown_value(p_value)})"
        nemenyi = f"two systems differ if their average ranks are {distance} apart (Nemenyi, p < {level})"
        return [friedman, nemenyi, *(f"no difference: {', '.join(group)}" for group in self.groups)]

    def _tables(self) -> list[TextTable]:
        means = {system: sum(values) / len(values) for system, values in self.means.items()}
        rows = [
            [Cell(system), Cell(f"{rank:.2f}", is_number=True), Cell.of(means[system])]
            for system, rank in self.average_ranks.items()
        ]
        return [TextTable(["system", "average rank", f"mean {self.metric}"], rows, 1)]


def ranks_of(
    means: Mapping[str, Mapping[tuple[object, ...], float | None]],
    metric: str,
    confidence: float,
    *,
    lower_is_better: bool,
) -> Ranks:
    """The ranks of systems from their mean on each data set; refuses fewer than three systems or two data sets."""
    sets = list(dict.fromkeys(name for of_system in means.values() for name in of_system))
    if len(means) < 3 or len(sets) < 2:
        raise InputError(
            "Average ranks need three systems or more, and two data sets or more: the comparison has "
            f"{counted(len(means), 'system', 'systems')} and {counted(len(sets), 'data set', 'data sets')}. Name the "
            "column of the data sets: ",
            Option("by", ["data_set"]),
            ".",
        )
    for system, of_system in means.items():
        if lacking := [name for name in sets if of_system.get(name) is None]:
            raise InputError(
                f"{system} has no mean of {metric} on {names(map(name_of_system, lacking))}: ranks compare systems "
                "on the same data sets."
            )
    values = {system: [float(of_system[name] or 0) for name in sets] for system, of_system in means.items()}
    return Ranks(metric, values, lower_is_better, confidence)
