"""The systems of a report in pairs: how far they differ, and whether the difference is significant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rankmetrics.comparisons.comparison import Comparison
from rankmetrics.comparisons.refusals import system_name
from rankmetrics.errors import DataError
from rankmetrics.reports.leaderboard import Leaderboard, Standing
from rankmetrics.results.result import Result
from rankmetrics.tables import shown_value

if TYPE_CHECKING:
    import polars as pl

# The test and the correction that a report uses, and from which p-value on a difference is not significant.
TEST, CORRECTION, LEVEL = "t", "holm", 0.05
IN_WORDS = "paired t-test, p-values corrected by Holm's method"

# All pairs of more systems are not compared: the corrected p-values would hide every difference.
MOST_SYSTEMS = 20

# Nor are the systems of a leaderboard with more rows, such as a row for each user.
MOST_STANDINGS = 200

# The columns of a row of a comparison whose sign turns with the pair, and those that change places.
SIGNED = ("difference", "effect_size")
SWAPPED = (("baseline", "system"), ("baseline_mean", "system_mean"), ("wins", "losses"))


@dataclass(frozen=True)
class Difference:
    """A row of a comparison: a system minus another, by one metric.

    Attributes:
        row: the columns of `rm.Comparison`.
        is_better: whether the system is better than the other; None where they are equal.
    """

    row: Mapping[str, Any]
    is_better: bool | None

    @property
    def p(self) -> float | None:
        """The corrected p-value; None where it cannot be computed."""
        value: float | None = self.row[f"p_{TEST}_adjusted"]
        return value

    @property
    def is_significant(self) -> bool:
        """Whether the corrected p-value is below the level."""
        return self.p is not None and self.p < LEVEL

    @property
    def p_in_words(self) -> str:
        """The corrected p-value, as in `p = 0.0123` and `p < 0.0001`."""
        if self.p is None:
            return "no p-value"
        return "p < 0.0001" if self.p < 0.0001 else f"p = {shown_value(self.p)}"


@dataclass(frozen=True)
class Pairs:
    """The differences of pairs of systems.

    Attributes:
        comparison: the comparison that they are from; None where nothing was compared.
        differences: the rows of the comparison.
        baseline: the system that all others are compared with, in words; empty where all pairs are compared.
        reason: why nothing was compared; empty where something was.
        by: the columns that stay apart.
    """

    comparison: Comparison | None = None
    differences: Sequence[Difference] = ()
    baseline: str = ""
    reason: str = ""
    by: Sequence[str] = ()

    def frame(self) -> pl.DataFrame:
        """The differences as `rm.Comparison` returns them."""
        import polars as pl

        schema = self.comparison.collect().schema if self.comparison else None
        return pl.DataFrame([dict(difference.row) for difference in self.differences], schema=schema)

    def find(self, label: str, system: Standing, other: Standing) -> Difference | None:
        """The difference between two systems in a partition by a metric; None if they were not compared."""
        for difference in self.differences:
            row = difference.row
            if row["metric"] == label and tuple(row[name] for name in self.by) == system.partition:
                pair = str(row["system"]), str(row["baseline"])
                if pair == (system.name, other.name):
                    return difference
                if pair == (other.name, system.name):
                    return _turned(difference)
        return None

    def reference(self, board: Leaderboard, rows: Sequence[Standing]) -> Standing | None:
        """The system that others in a partition are compared with: the baseline, or the best by the first metric."""
        if self.baseline:
            return next((row for row in rows if row.name == self.baseline), None)
        return next(iter(board.best(board.metrics[0], rows)), None)


def compared(result: Result, board: Leaderboard, baseline: Any) -> Pairs:
    """The differences of all pairs, or of all systems against a baseline.

    Raises:
        InputError: there is no system with the name of the baseline.
    """
    n_systems = len({row.system for row in board.standings})
    if not board.systems or not board.compares:
        return Pairs(reason="there is only one system.")
    if all(metric.is_run for metric in result.metrics):
        return Pairs(reason="every metric is one number for each system, and a test needs a value for each list.")
    if baseline is None and n_systems > MOST_SYSTEMS:
        return Pairs(reason=f"there are {n_systems:,} systems, too many to compare all pairs. Name a baseline.")
    if len(board.standings) > MOST_STANDINGS:
        return Pairs(reason=f"the leaderboard has {len(board.standings):,} rows, too many to compare.")
    comparison = result.compare(baseline, tests=TEST, correction=CORRECTION)
    try:
        rows = comparison.collect().to_dicts()
    except DataError as error:
        return Pairs(reason=str(error))
    lower, plan = comparison.lower_is_better, comparison.plan
    found = [Difference(row, _is_better(row["difference"], row["metric"] in lower)) for row in rows]
    if baseline is None:
        found = [_turned(one) if one.is_better is False else one for one in found]  # the better system first
    name = "" if plan.baseline is None else str(system_name(plan.baseline))
    return Pairs(comparison, found, name, by=plan.by)


def _is_better(difference: float | None, is_lower_better: bool) -> bool | None:
    return None if not difference else (difference < 0) == is_lower_better


def _turned(one: Difference) -> Difference:
    """The difference of the same pair the other way round."""
    row = dict(one.row)
    for name in SIGNED:
        row[name] = None if row[name] is None else -row[name]
    for first, second in SWAPPED:
        row[first], row[second] = row[second], row[first]
    low, high = row["ci_low"], row["ci_high"]
    row["ci_low"], row["ci_high"] = (None if end is None else -end for end in (high, low))
    mean = row["baseline_mean"]
    row["relative_difference"] = row["difference"] / abs(mean) if mean else None
    return Difference(row, None if one.is_better is None else not one.is_better)
