"""What is asked of a result after its numbers: a comparison of systems, segments, one list, the worst lists, charts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rankmetrics.metrics.metric import Metric
from rankmetrics.results.tables import ResultTables

if TYPE_CHECKING:
    import polars as pl

    from rankmetrics.comparisons.comparison import Comparison
    from rankmetrics.comparisons.options import Baseline
    from rankmetrics.plots.plots import Plots
    from rankmetrics.segments.segments import Segments
    from rankmetrics.traces.trace import Trace
    from rankmetrics.traces.worst_lists import System


class ResultAnalysis(ResultTables):
    """The part of a Result that explains and compares its numbers; each method checks as `collect` does."""

    @abstractmethod
    def check(self) -> None:
        """Refuse what collect refuses, without returning anything."""

    def compare(
        self,
        baseline: Baseline | None = None,
        metrics: str | Sequence[str] | None = None,
        tests: str | Sequence[str] = ("t",),
        correction: str | None = "holm",
        *,
        by: str | Sequence[str] | None = None,
        confidence: float = 0.95,
        replicates: int = 1000,
        seed: int = 0,
        cluster: str | Sequence[str] | None = None,
    ) -> Comparison:
        """Paired statistics of all systems against a baseline, or of all pairs of systems; docs/comparing.md.

        `tests` are t, wilcoxon, randomization, bootstrap and tukey, `correction` is holm, bonferroni,
        benjamini_hochberg or none. `by` names list columns whose values stay apart, `cluster` those whose lists belong
        together, such as the user. `rm.Comparison` says what is returned, `rm.compare_files` what each option means.

        Raises:
            InputError: no column names a system, an option is out of its range, or SciPy is not installed.
            MetricError: a metric was not measured, or has no value per list.
            ColumnError: `by` or `cluster` names no list column.
        """
        from rankmetrics.comparisons.compare import Choices, compare_systems

        given = Choices(baseline, metrics, tests, correction, by, confidence, replicates, seed, cluster)
        return compare_systems(self._queries, self.check, given)

    def segments(self, segments: object) -> Segments:
        """The metrics in each segment of lists or items, and systems whose order differs between segments.

        Args:
            segments: by name, a table with one column beside list columns or items, `(table, "column")`,
                `rm.buckets("n_history", 5)`, or a word: `activity`, `popularity`, `cold`. docs/segments.md has them.

        Raises:
            InputError, ColumnError, MetricError: a segmentation cannot be read, or every metric is of systems.
        """
        from rankmetrics.segments.segments import Segments

        return Segments(self._queries, segments, self.check)

    def trace(self, lists: Mapping[str, Any] | None = None, /, **more: Any) -> Trace:
        """One list in detail: a row for each rank, and each metric as a formula with the values of the list.

        Args:
            lists: values of list columns whose names are not valid in Python: `{"user id": 17}`.
            more: values of list columns: `user=17, algorithm="ItemKNN"`. Columns may be left out if one list is named.

        Raises:
            InputError: no scored list has these values, or several have.
            DataError: as collect does.
        """
        from rankmetrics.traces.trace import trace_list

        self.check()
        return trace_list(self._queries, {**(lists or {}), **more})

    def worst(
        self, metric: str | Metric, baseline: System | None = None, n: int = 20, *, system: System | None = None
    ) -> pl.DataFrame:
        """The worst lists of each system: the lists with the worst values, or with the largest loss against a baseline.

        Args:
            metric: a metric of the evaluation, or its label.
            baseline: the system to compare with: its name, or a mapping from the columns that name a system.
            n: how many lists of each system.
            system: the only system to show.

        Returns:
            A frame: the list columns and the metric under its label; with a baseline, the baseline's value under
            `ndcg@10 baseline` and `loss`, above 0. Lists for which a value is undefined are left out.

        Raises:
            MetricError: the evaluation has no such metric of lists, or no value of it is better.
            InputError: there is no such system.
            DataError: as collect does.
        """
        from rankmetrics.traces.worst_lists import worst_lists

        self.check()
        return worst_lists(self._queries, metric, baseline, n, system)

    @property
    def plot(self) -> Plots:
        """The charts of the result: `curve`, `leaderboard`, `tradeoff`, `distribution` and `compare`; docs/plots.md."""
        from rankmetrics.plots.plots import Plots

        return Plots(self._queries, self._checked.check)
