"""Distributions: how the values of a metric spread over the lists of each system."""

from __future__ import annotations

from functools import partial

from rankmetrics.reports import charts
from rankmetrics.reports.blocks import Gallery, LeftOut, Section
from rankmetrics.reports.facts import Facts

TITLE = "Distributions"

# Charts of the first metrics only: each is a query of its own.
MOST_CHARTS = 2


def distributions(facts: Facts) -> Section | LeftOut:
    """A histogram for each of the first metrics that have a value per list."""
    labels = [metric.label for metric in facts.metrics if not metric.is_run]
    if not labels:
        return LeftOut(TITLE, "every metric is one number for each system, and has no values of lists.")
    plot = facts.with_intervals.plot
    figures = [
        charts.figure(
            partial(plot.distribution, label),
            f"The share of the lists by their value of {label}; the line is the mean.",
        )
        for label in labels[:MOST_CHARTS]
    ]
    return Section("distributions", TITLE, [Gallery(figures)])
