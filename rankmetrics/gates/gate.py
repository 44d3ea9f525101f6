"""rm.gate: the limits that the numbers of a result must keep."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rankmetrics.errors import InputError, MetricError, Option, counted
from rankmetrics.gates.checks import check_absent, check_drop, check_maximum, check_minimum, check_missing
from rankmetrics.gates.columns import column_of, metrics_by_column
from rankmetrics.gates.drops import Changes, changes_of_lists, changes_of_summaries
from rankmetrics.gates.earlier import Earlier, read_earlier
from rankmetrics.gates.limits import Limit
from rankmetrics.gates.model import Check
from rankmetrics.gates.options import Gate, Limits, read_gate
from rankmetrics.gates.report import GateReport
from rankmetrics.gates.systems import checked_rows, system_name
from rankmetrics.metrics.metric import Metric
from rankmetrics.results.result import Result

if TYPE_CHECKING:
    import polars as pl


def gate(
    result: Result,
    *,
    minimum: Limits | None = None,
    maximum: Limits | None = None,
    max_drop: Limits | None = None,
    against: object | None = None,
    max_missing: float | str | None = None,
    strict: bool = False,
    confidence: float = 0.95,
    system: str | Sequence[str] | None = None,
) -> GateReport:
    """Check the numbers of a result against limits, which every row of the summary (every system) must keep.

    A check fails if the value is undefined.

    Args:
        result: what `evaluate` returned.
        minimum: the lowest value of each metric, as in `{"ndcg@10": 0.25}`. A metric is written in any spelling; the
            name of a column of the summary, such as `"ndcg@10 median"`, works, too.
        maximum: the highest value of each metric.
        max_drop: how much worse each metric may be than in an earlier run: a share of the earlier mean, as in
            `{"ndcg@10": "1%"}`, or a difference, as in `{"ndcg@10": 0.005}`. Where lower values are better, a rise is
            a drop. A drop beyond the limit fails if the confidence interval of the mean difference does not contain 0.
        against: the earlier run: a file that `result.write(path, per_list=True)` wrote, a Polars frame with one row per
            list, or a Result. Lists are paired, and both means are over the lists that have a value in both runs. A
            summary, as `result.write(path)` writes it, has no interval: every drop beyond the limit fails.
        max_missing: how many lists may have no recommendations: a number, or a share of the lists, as in `"1%"`.
        strict: whether each drop beyond the limit fails, whatever its interval.
        confidence: the confidence of the interval.
        system: the systems to check; by default all of them.

    Returns:
        A GateReport: `passed`, and `checks` as a frame. It prints as a table.

    Raises:
        InputError: there is no limit, a limit is no number, or the earlier run cannot be compared with.
        MetricError: a metric that has a limit was not measured.
        DataError: as Result.collect does.

    Source:
        The interval is that of Student's paired t test.

    Example:
        >>> import polars as pl
        >>> import rankmetrics as rm
        >>> recs = pl.DataFrame({"user": [1, 2, 3], "item": [7, 8, 9], "rank": [1, 1, 1]})
        >>> truth = pl.DataFrame({"user": [1, 2, 3], "item": [7, 8, 8]})
        >>> report = rm.gate(rm.evaluate(recs, truth, "hit@1"), minimum={"hit@1": 0.5}, max_missing="1%")
        >>> report.passed, report.checks["value"].to_list()
        (True, [0.6666666666666666, 0.0])
    """
    options = read_gate(
        minimum=minimum,
        maximum=maximum,
        max_drop=max_drop,
        against=against,
        max_missing=max_missing,
        strict=strict,
        confidence=confidence,
        system=system,
    )
    columns = metrics_by_column(result.metrics, result.aggregates)
    for metric in options.metrics:
        column_of(metric, columns)
    summary = result.collect()
    rows = checked_rows(summary.rows(named=True), result.layout, options.systems)
    checks = [*_checks_of_values(options, columns, rows, summary.columns, result.layout.by)]
    if not options.max_drop:
        return GateReport(tuple(checks))
    earlier = read_earlier(against, result.layout.lists, result.layout.by)
    limits = {column_of(metric, columns): limit for metric, limit in options.max_drop.items()}
    of_limits = {column: columns[column] for column in limits}
    lower = {column for column, metric in of_limits.items() if _lower_is_better(column, metric)}
    changes = _changes(result, summary, earlier, of_limits, confidence)
    checks += _checks_of_drops(options, changes, limits, lower, rows, result.layout.by)
    return GateReport(tuple(checks), tuple(_notes(changes, earlier)))


def _changes(
    result: Result, summary: pl.DataFrame, earlier: Earlier, columns: Mapping[str, Metric], confidence: float
) -> Changes:
    """The changes of some columns of the summary since an earlier run."""
    layout = result.layout
    if not earlier.is_per_list:
        return changes_of_summaries(summary, earlier, layout.by, [*columns])
    for column, metric in columns.items():
        _refuse_without_lists(column, metric, earlier)
    now = result.collect(per_list=True)
    return changes_of_lists(now, earlier, layout.lists, layout.by, [*columns], confidence)


def _checks_of_drops(
    options: Gate,
    changes: Changes,
    limits: Mapping[str, Limit],
    lower_is_better: Collection[str],
    rows: Sequence[Mapping[str, Any]],
    by: Sequence[str],
) -> Iterator[Check]:
    """The checks of the drops of each system, those that only the earlier run has last."""
    keys = [tuple(row[name] for name in by) for row in rows]
    for key in [*keys, *(() if options.systems else changes.gone)]:
        system = system_name(key, by)
        for column, limit in limits.items():
            if change := changes.of.get((column, key)):
                is_lower = column in lower_is_better
                yield check_drop(column, system, change, limit, lower_is_better=is_lower, strict=options.strict)
            else:
                yield check_absent(column, system, limit, is_new=key not in changes.gone)


def _checks_of_values(
    options: Gate,
    columns: Mapping[str, Metric],
    rows: Sequence[Mapping[str, Any]],
    headings: Sequence[str],
    by: Sequence[str],
) -> Iterator[Check]:
    """The checks of the values of the summary."""
    n_lists, n_missing = headings[len(by)], headings[len(by) + 1]  # as Result.collect orders them
    for row in rows:
        system = system_name([row[name] for name in by], by)
        for check, of_metrics in ((check_minimum, options.minimum), (check_maximum, options.maximum)):
            for metric, limit in of_metrics.items():
                column = column_of(metric, columns)
                yield check(column, system, row[column], limit)
        if options.max_missing is not None:
            yield check_missing(system, row[n_missing], row[n_lists], options.max_missing)


def _refuse_without_lists(column: str, metric: Metric, earlier: Earlier) -> None:
    """Refuse a column of the summary that is not the mean of values per list."""
    if metric.is_run or column != metric.label:
        raise InputError(
            f"{column!r} has no value per list, so that lists cannot be paired: name a summary, as "
            f"`result.write(path)` writes it, in place of {earlier.called[0].lower()}{earlier.called[1:]}: ",
            Option("against"),
            ".",
        )


def _lower_is_better(column: str, metric: Metric) -> bool:
    """Whether lower values of a metric are better.

    Raises:
        MetricError: neither higher nor lower values are better.
    """
    better = metric.definition.fields.get("better", "higher")
    if better == "neither":
        raise MetricError(
            f"{column} has no better direction, so it cannot drop: limit it by ",
            Option("minimum"),
            " and ",
            Option("maximum"),
            ".",
        )
    return better == "lower"


def _notes(changes: Changes, earlier: Earlier) -> Iterator[str]:
    """What the comparison with the earlier run left out."""
    if not earlier.is_per_list:
        yield f"{earlier.called} is a summary, which has no intervals: every drop beyond its limit fails."
    if changes.n_added:
        yield f"{counted(changes.n_added, 'list is', 'lists are')} not in the earlier run, and not compared."
    if changes.n_gone:
        yield (
            f"{counted(changes.n_gone, 'list of the earlier run is', 'lists of the earlier run are')} gone, and not "
            f"compared."
        )
