"""`result.plot`: the charts of a result, as methods."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from rankmetrics.comparisons.comparison import Baseline, Choices, Ranks, compare_systems
from rankmetrics.errors import MetricError
from rankmetrics.metrics.metric import Metric
from rankmetrics.metrics.summaries import ALPHA
from rankmetrics.plots.files import require_plots
from rankmetrics.queries import Queries

with suppress(ImportError):  # without Altair, `require_plots` refuses to draw
    from rankmetrics.plots import charts

if TYPE_CHECKING:
    from altair.typing import ChartType


class Plots:
    """The charts of a result, as Altair charts. The engine computes a small table first, and no list comes to Python.

    A metric is a label of the result (`"ndcg@10"`), or any other metric, which is then measured under the convention
    and the policies of the evaluation. `rankmetrics.plots.files.write_chart(chart, "curve.svg")` writes a file that is
    whole or not there; `chart.save` is Altair's own. A chart shows at most 20 systems, the best, and says so.

    Every method computes and checks as `collect` does, and raises InputError if Altair or vl-convert is not installed.
    """

    def __init__(self, queries: Queries, check: Callable[[], None], over: str | None = None) -> None:
        self._queries = queries
        self._check = check
        self._over = over

    def curve(
        self, metric: str | Metric | None = None, ks: Iterable[int] | None = None, *, confidence: float = ALPHA
    ) -> ChartType:
        """A line per system: the mean of a metric over its cutoffs, with the confidence interval as a band.

        Args:
            metric: the metric, as in "ndcg" or, up to cutoff 20, "ndcg@20"; by default, the first with a cutoff.
            ks: the cutoffs. By default those of the evaluation, if it asked for three or more of the metric; otherwise
                1, 2, 3, 5, 10, 20, 50, 100 up to the longest list.
            confidence: of the intervals, between 0 and 1.

        Raises:
            MetricError: the metric is unknown or takes no cutoff, or a cutoff is not a whole number from 1.
            DataError: the metric is undefined for every list; or as collect does.

        Example:
            >>> import polars as pl
            >>> import rankmetrics as rm
            >>> recs = pl.LazyFrame({"user": [1, 1], "item": ["a", "b"], "rank": [1, 2]})
            >>> truth = pl.LazyFrame({"user": [1], "item": ["b"]})
            >>> chart = rm.evaluate(recs, truth, ["recall@2"]).plot.curve("recall")
            >>> [(row["k"], row["value"]) for row in chart.data.values]
            [(1, 0.0), (2, 1.0)]
        """
        self._prepare()
        metrics = charts.metrics_of_curve(metric, ks, self._queries)
        return charts.curve(charts.scores_of(self._queries, metrics, confidence, metrics[-1]))

    def leaderboard(
        self, metrics: Sequence[str | Metric] | str | Metric | None = None, *, confidence: float = ALPHA
    ) -> ChartType:
        """A dot per system with its confidence interval, the best by the first metric on top; a panel per metric.

        Args:
            metrics: the metrics; by default, all of the result. A metric of a system has no interval.
            confidence: of the intervals, between 0 and 1.

        Raises:
            MetricError: a metric is unknown.
            DataError: every metric is undefined for every list; or as collect does.
        """
        self._prepare()
        requested = [metrics] if isinstance(metrics, (str, Metric)) else metrics or self._queries.metrics
        by_label = {metric.label: metric for metric in (charts.find_metric(name, self._queries) for name in requested)}
        measured = list(by_label.values())
        return charts.leaderboard(charts.scores_of(self._queries, measured, confidence, measured[0]))

    def tradeoff(
        self, x: str | Metric | None = None, y: str | Metric | None = None, *, confidence: float = ALPHA
    ) -> ChartType:
        """A point per system: one metric against another, with the confidence intervals of both.

        A dashed line joins the systems that no other system beats in both metrics.

        Args:
            x: the metric of the horizontal axis; by default, the first of the result.
            y: the metric of the vertical axis; by default, the second of the result.
            confidence: of the intervals, between 0 and 1.

        Raises:
            MetricError: a metric is unknown, both are the same, or the result has no second.
            DataError: a metric is undefined for every list; or as collect does.
        """
        self._prepare()
        metrics = self._queries.metrics
        if not y and len(metrics) < 2:
            raise MetricError(f"The evaluation has {len(metrics)} metric, and the chart shows 2: name y.")
        first, second = (charts.find_metric(name or metrics[n], self._queries) for n, name in enumerate((x, y)))
        if first.label == second.label:
            raise MetricError(f"A trade-off is between two metrics, and both are {first.label}: name another.")
        return charts.tradeoff(charts.scores_of(self._queries, [first, second], confidence, first))

    def distribution(self, metric: str | Metric | None = None, *, bins: int = 20) -> ChartType:
        """A histogram per system: the share of its lists by the value of a metric, with a rule at the mean.

        The engine counts. If the metric has few distinct values at even distances, as precision@10 has, each has a bar.

        Args:
            metric: a metric of lists; by default, the first of the result.
            bins: the number of bins, from 2 to 200.

        Raises:
            MetricError: the metric is unknown, or is a number of a system.
            DataError: the metric is undefined for every list; or as collect does.
        """
        self._prepare()
        metrics = self._queries.metrics
        first_of_lists = next((measured for measured in metrics if not measured.is_run), metrics[0])
        return charts.distribution(
            charts.histogram_of(self._queries, charts.find_metric(metric or first_of_lists, self._queries), bins)
        )

    def compare(
        self, comparison: Any = None, *, baseline: Baseline | None = None, confidence: float = ALPHA
    ) -> ChartType:
        """A forest plot: for each system, the difference to the baseline with its confidence interval.

        Args:
            comparison: a Comparison, or the frame that its `collect` returns. By default, the systems of the result
                are compared.
            baseline: the system that the others are compared with; by default, every pair of systems is compared.
            confidence: of the intervals, between 0 and 1; a comparison that is given has its own.

        Raises:
            InputError: the frame lacks columns of a Comparison, or has no rows; no column names a system; or SciPy is
                not installed.
        """
        require_plots()
        if comparison is None:
            choices = Choices(baseline=baseline, confidence=confidence)
            comparison = compare_systems(self._queries, self._check, choices, self._over)
        return charts.forest(comparison.collect() if hasattr(comparison, "collect") else comparison)

    def ranks(self, ranks: Ranks | None = None, *, by: str | Sequence[str] | None = None) -> ChartType:
        """A critical-difference chart: the average rank of each system, and bars over systems that do not differ.

        Args:
            ranks: what `Comparison.ranks` returns. By default, the systems are ranked by the first metric.
            by: the columns of the data sets, as in `compare`.

        Raises:
            InputError: as `Comparison.ranks`; or SciPy is not installed.
        """
        require_plots()
        if ranks is None:
            ranks = compare_systems(self._queries, self._check, Choices(by=by), self._over).ranks()
        return charts.critical_differences(ranks)

    def _prepare(self) -> None:
        """Refuse what `collect` refuses, and a Python without Altair."""
        require_plots()
        self._check()
