"""Curves: the mean of each metric over its cutoffs."""

from __future__ import annotations

from functools import partial

from rankmetrics.metrics.metric import Metric
from rankmetrics.reports import charts
from rankmetrics.reports.blocks import Gallery, LeftOut, Section
from rankmetrics.reports.facts import Facts

TITLE = "Curves"

# Charts of the first metrics only: each is a query of its own.
MOST_CHARTS = 4


def curves(facts: Facts) -> Section | LeftOut:
    """A chart for each metric with a cutoff, whatever its cutoffs."""
    cut: dict[tuple[str, str], Metric] = {}
    for metric in facts.metrics:
        if metric.k is not None and not metric.is_uncut:
            cut[metric.name, str(metric.settings)] = metric  # the last one: usually the deepest
    if not cut:
        return LeftOut(TITLE, "no metric was requested with a cutoff.")
    plot = facts.with_intervals.plot
    figures = [charts.figure(partial(plot.curve, metric), _caption(metric)) for metric in [*cut.values()][:MOST_CHARTS]]
    return Section("curves", TITLE, [Gallery(figures)])


def _caption(metric: Metric) -> str:
    """What a curve shows: means with their intervals, or numbers of systems."""
    if metric.is_run:
        return f"The {metric.spelling} at each cutoff."
    return f"The mean of {metric.spelling} at each cutoff, with its 95% confidence interval."
