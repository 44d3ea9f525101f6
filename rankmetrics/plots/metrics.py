"""Which metrics a chart measures: those that were asked for, or others under the same convention and policies."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from rankmetrics.errors import MetricError
from rankmetrics.metrics.metric import Metric, read_metrics
from rankmetrics.metrics.summaries import Aggregate
from rankmetrics.queries import Queries

# The cutoffs of a curve, if the caller names none.
CUTOFFS = (1, 2, 3, 5, 10, 20, 50, 100)

# If the evaluation asked for a metric at so many cutoffs, these are the curve.
ENOUGH_CUTOFFS = 3


def find_metric(given: str | Metric, queries: Queries) -> Metric:
    """A metric of the evaluation by its label, or another metric under the same convention and policies.

    Raises:
        MetricError: the text names no metric, or several; or the evaluation estimates its metrics from a sample.
    """
    for metric in queries.metrics:
        if str(given) == metric.label:
            return metric
    found = read_metrics(given, *_shared_settings(queries))
    if len(found) > 1:
        raise MetricError(f"{given!r} is {len(found)} metrics: name one, as in {found[0].label!r}.")
    equal = [metric for metric in queries.metrics if metric == found[0]]
    return equal[0] if equal else _like_others(found[0], queries)


def metrics_of_curve(given: str | Metric | None, ks: Iterable[int] | None, queries: Queries) -> list[Metric]:
    """A metric at several cutoffs, in ascending order.

    If the caller names no cutoffs: those of the evaluation, if it asked for three or more of the metric; otherwise
    1, 2, 3, 5, 10, 20, 50, 100 up to the longest list, and those of the evaluation. `ndcg@20` is a curve up to 20.

    Args:
        given: the metric, with or without a cutoff; None for the first metric of the evaluation that has a cutoff.
        ks: the cutoffs.
        queries: the queries of the evaluation.

    Raises:
        MetricError: the metric takes no cutoff, or a cutoff is no whole number from 1.
    """
    metric, last = _metric_and_last_cutoff(given, queries)
    asked = {one.k: one for one in queries.metrics if one.k is not None and one @ 1 == metric}
    wanted = _usual_cutoffs(asked, last, queries) if ks is None else _cutoffs(ks)
    at = {k: asked.get(k) or _like_others(metric @ k, queries) for k in wanted}
    return [at[k] for k in sorted(at)]


def is_lower_better(metric: Metric) -> bool:
    """Whether a lower value of the metric is better, by its file."""
    return metric.definition.fields.get("better") == "lower"


def first_metrics(queries: Queries, n: int, option: str) -> list[Metric]:
    """The first metrics of the evaluation, for a chart for which the caller names none.

    Raises:
        MetricError: the evaluation has fewer.
    """
    if len(queries.metrics) < n:
        raise MetricError(f"The evaluation has {len(queries.metrics)} metric, and the chart shows {n}: name {option}.")
    return [*queries.metrics[:n]]


# --- settings of the evaluation ---------------------------------------------------------------------------------------


def _shared_settings(queries: Queries) -> tuple[str | None, Mapping[str, Any]]:
    """The convention and the policies of the evaluation, by its first metric without a convention of its own."""
    for metric in queries.metrics:
        if "convention" not in metric.settings:
            policies = {name: metric.decided[name] for name in ("missing", "ties") if name in metric.decided}
            return metric.convention or None, policies
    return None, {}


def _like_others(metric: Metric, queries: Queries) -> Metric:
    """A metric of the same candidates as the metrics of the evaluation."""
    if any(one.estimates for one in queries.metrics):
        raise MetricError(
            f"The evaluation estimates its metrics from a sample, and {metric.text} is not among them: ask "
            "evaluate for it."
        )
    return replace(metric, among=queries.metrics[0].among)


# --- cutoffs ----------------------------------------------------------------------------------------------------------


def _metric_and_last_cutoff(given: str | Metric | None, queries: Queries) -> tuple[Metric, int | None]:
    """The metric at cutoff 1, and the cutoff at which the curve ends, if the caller wrote one."""
    if given is None:
        with_cutoff = [metric for metric in queries.metrics if metric.k is not None]
        if not with_cutoff:
            raise MetricError('No metric of the evaluation has a cutoff: name one, as in curve("ndcg").')
        return with_cutoff[0] @ 1, None
    text = str(given)
    if not isinstance(given, Metric) and "@" not in text and text not in [one.label for one in queries.metrics]:
        text = f"{text}@1"  # a convention may refuse the metric without a cutoff
        return find_metric(text, queries) @ 1, None
    metric = find_metric(given, queries)
    return metric @ 1, metric.k


def _usual_cutoffs(asked: Collection[int], last: int | None, queries: Queries) -> set[int]:
    if last is None and len(asked) >= ENOUGH_CUTOFFS:
        return {*asked}
    longest = last or _longest_list(queries)
    return {1} | {k for k in CUTOFFS if k <= longest} | {k for k in asked if not last or k <= last} | {last or 1}


def _cutoffs(ks: Iterable[int]) -> list[int]:
    wanted = [*ks] if isinstance(ks, Iterable) and not isinstance(ks, str) else []
    if not wanted:
        raise MetricError(f"ks is a list of cutoffs, such as [1, 5, 10]: {ks!r} is none.")
    return wanted


def _longest_list(queries: Queries) -> int:
    """The length of the longest list, up to the last of the usual cutoffs."""
    last = CUTOFFS[-1]
    if queries.layout.recs.roles.get("pool"):
        return last  # rankings of all candidates, of which only some rows are there
    metric = Metric("n_recommended", k=last, among=queries.metrics[0].among)
    found = queries.engine.collect(queries.summary([metric], [Aggregate("maximum")]))
    longest: Any = found[:, -1].max()
    return int(longest or 1)
