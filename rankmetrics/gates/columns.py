"""Finds the column of a result that a limit is for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rankmetrics.errors import MetricError, did_you_mean, names
from rankmetrics.metrics.metric import Metric, Named, parse, read_metrics
from rankmetrics.metrics.summaries import Aggregate


def metrics_by_column(metrics: Sequence[Metric], aggregates: Sequence[Aggregate]) -> dict[str, Metric]:
    """The columns of a summary that hold metrics, each with its metric."""
    found = {}
    for metric in metrics:
        of_lists = [aggregate.label(metric.label) for aggregate in aggregates]
        found.update(dict.fromkeys([metric.label] if metric.is_run else of_lists, metric))
    return found


def find_column(written: str, columns: Mapping[str, Metric]) -> str | None:
    """The column that a person means by a metric's text; None if no column has it.

    Args:
        written: the name of a column, or a metric in any spelling.
        columns: the columns of a summary that hold metrics, each with its metric.

    >>> from rankmetrics.metrics.summaries import read_aggregates
    >>> metrics = read_metrics([{"accuracy": "hit@5"}, "ndcg@10"])
    >>> columns = metrics_by_column(metrics, read_aggregates(["mean", "median"]))
    >>> [find_column(one, columns) for one in ("accuracy", "nDCG@10", "hit@5", "ndcg@10 median", "rr")]
    ['accuracy', 'ndcg@10', 'accuracy', 'ndcg@10 median', None]
    """
    plain = written.strip().lower()
    own = {column: one for column, one in columns.items() if one.label == column}  # the means, and values of systems
    near = [
        *(column for column in columns if column == written),
        *(column for column in columns if column.lower() == plain),
        *(column for column, one in own.items() if one.text.lower() == plain),
    ]
    if near:
        return near[0]
    try:
        meant = parse(written)
    except MetricError:
        return None
    return next((column for column, one in own.items() if one == meant), None)


def column_of(written: str, columns: Mapping[str, Metric]) -> str:
    """The same as `find_column`, and an error in place of None.

    Raises:
        MetricError: no column has the metric.
    """
    column = find_column(written, columns)
    if column is None:
        raise MetricError(
            f"The gate has a limit for {written!r}, which was not measured: there are {names(columns)}."
            f"{did_you_mean(written, columns)} Measure it, too."
        )
    return column


def with_limited(
    metrics: Sequence[str | Metric | Named],
    limited: Sequence[str],
    aggregates: Sequence[Aggregate],
    convention: str | None,
) -> list[str | Metric | Named]:
    """Metrics of an evaluation, and those that have a limit and are not among them.

    Args:
        metrics: the metrics, as a caller gives them.
        limited: the metrics that have a limit, in any spelling, or names of columns.
        aggregates: the aggregates of the evaluation.
        convention: the convention of the evaluation.

    >>> from rankmetrics.metrics.summaries import MEAN
    >>> with_limited(["ndcg@10"], ["nDCG@10", "hit@5"], [MEAN], None)
    ['ndcg@10', 'hit@5']
    """
    found = [*metrics]
    known = metrics_by_column(read_metrics(found, convention), aggregates) if found else {}
    for written in limited:
        if find_column(written, known) is None:
            bare = next((written.removesuffix(end) for end in _ends(aggregates) if written.endswith(end)), written)
            found.append(bare)
            known = metrics_by_column(read_metrics(found, convention), aggregates)
    return found


def _ends(aggregates: Sequence[Aggregate]) -> list[str]:
    """How the columns of the aggregates end, such as ` median`."""
    return [end for aggregate in aggregates if (end := aggregate.label(""))]
