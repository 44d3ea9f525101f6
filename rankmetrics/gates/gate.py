"""rm.gate: the limits that the numbers of a result must keep, and the checks of each system."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rankmetrics.errors import InputError, MetricError, Option, counted, did_you_mean, names
from rankmetrics.gates.earlier import Change, Changes, Earlier, changes_of_lists, changes_of_summaries, read_earlier
from rankmetrics.gates.options import Gate, Limit
from rankmetrics.gates.report import Check, GateReport
from rankmetrics.inputs.columns import Layout
from rankmetrics.metrics.metric import Metric, Named, parse, read_metrics
from rankmetrics.metrics.summaries import Aggregate
from rankmetrics.options import arguments_of, with_options
from rankmetrics.results.result import Result

if TYPE_CHECKING:
    import polars as pl


def metrics_by_column(metrics: Sequence[Metric], aggregates: Sequence[Aggregate]) -> dict[str, Metric]:
    """The columns of a summary that hold metrics, each with its metric."""
    by_column = {}
    for metric in metrics:
        of_lists = [aggregate.label(metric.label) for aggregate in aggregates]
        by_column.update(dict.fromkeys([metric.label] if metric.is_run else of_lists, metric))
    return by_column


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
    own = {
        column: other for column, other in columns.items() if other.label == column
    }  # the means, and values of systems
    near = [
        *(column for column in columns if column == written),
        *(column for column in columns if column.lower() == plain),
        *(column for column, other in own.items() if other.text.lower() == plain),
    ]
    if near:
        return near[0]
    try:
        metric = parse(written)
    except MetricError:
        return None
    return next((column for column, other in own.items() if other == metric), None)


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
    requested = [*metrics]
    known = metrics_by_column(read_metrics(requested, convention), aggregates) if requested else {}
    for written in limited:
        if find_column(written, known) is None:
            bare = next((written.removesuffix(end) for end in _ends(aggregates) if written.endswith(end)), written)
            requested.append(bare)
            known = metrics_by_column(read_metrics(requested, convention), aggregates)
    return requested


def _ends(aggregates: Sequence[Aggregate]) -> list[str]:
    """The ends of the names of the aggregates' columns, such as ` median`."""
    return [end for aggregate in aggregates if (end := aggregate.label(""))]


def system_name(values: Sequence[object], by: Sequence[str]) -> str | None:
    """The name of a row of a summary: its value, or where `by` has several columns, each with its value.

    >>> system_name(["als"], ["algorithm"]), system_name(["als", 1], ["algorithm", "day"]), system_name([], [])
    ('als', 'algorithm=als, day=1', None)
    """
    if not by:
        return None
    if len(by) == 1:
        return str(values[0])
    return ", ".join(f"{name}={value}" for name, value in zip(by, values, strict=True))


def checked_rows(rows: Sequence[Mapping[str, Any]], layout: Layout, systems: Sequence[str]) -> list[Mapping[str, Any]]:
    """The rows of the named systems; of all systems, if none is named.

    A row is of a system if one of the columns that name systems has this value.

    Raises:
        InputError: no row is of a system that was named.
    """
    if not systems:
        return list(rows)
    naming = [name for name in layout.by if name in layout.systems] or list(layout.by)
    there = {str(row[name]) for row in rows for name in naming}
    for name in systems:
        if name not in there:
            near = did_you_mean(name, there)
            raise InputError(Option("system"), f" names {name!r}: the systems are {names(sorted(there))}.{near}")
    return [row for row in rows if {str(row[name]) for name in naming} & {*systems}]


# Two numbers that differ by less are the same: engines add up in different orders.
TOLERANCE = 1e-9


def check_minimum(metric: str, system: str | None, value: float | None, limit: Limit) -> Check:
    """True if a value is at least the limit.

    >>> check_minimum("ndcg@10", "als", 0.2, Limit(0.25)).reason
    'It is below 0.25.'
    """
    if value is None:
        return _undefined("minimum", metric, system, limit)
    passed = value >= limit.value - TOLERANCE
    reason = f"It is {'at least' if passed else 'below'} {limit}."
    return Check("minimum", metric, system, value, limit, passed, reason)


def check_maximum(metric: str, system: str | None, value: float | None, limit: Limit) -> Check:
    """True if a value is at most the limit."""
    if value is None:
        return _undefined("maximum", metric, system, limit)
    passed = value <= limit.value + TOLERANCE
    reason = f"It is {'at most' if passed else 'above'} {limit}."
    return Check("maximum", metric, system, value, limit, passed, reason)


def check_missing(system: str | None, n_missing: int | None, n_lists: int, limit: Limit) -> Check:
    """True if the lists without recommendations are at most the limit: a number of lists, or a share of the lists.

    >>> check_missing("als", 3, 100, Limit(0.01, is_percentage=True)).reason
    '3 of 100 lists have no recommendations, which is more than 1%.'
    """
    if n_missing is None or (limit.is_percentage and not n_lists):
        return _undefined("max_missing", "n_missing", system, limit)
    value = n_missing / n_lists if limit.is_percentage else float(n_missing)
    passed = value <= limit.value + TOLERANCE
    reason = (
        f"{n_missing:,} of {counted(n_lists, 'list has', 'lists have')} no recommendations, which is "
        f"{'at most' if passed else 'more than'} "
        f"{limit}."
    )
    return Check("max_missing", "n_missing", system, value, limit, passed, reason)


def check_drop(
    metric: str, system: str | None, change: Change, limit: Limit, *, lower_is_better: bool, strict: bool
) -> Check:
    """True if a metric fell by no more than the limit since an earlier run.

    A drop beyond the limit fails if the interval of the mean difference does not contain 0. It fails without regard to
    the interval if `strict` says so, or where there is no interval.

    Args:
        metric: the column of the metric.
        system: the name of the system.
        change: the change of the mean.
        limit: the largest drop: a percentage is a share of the earlier mean, a number is a difference.
        lower_is_better: whether the metric is better when it is lower: a rise is then the drop.
        strict: whether the interval is left out.
    """
    if change.before is None or change.now is None:
        return _undefined("max_drop", metric, system, limit)
    drop = change.now - change.before if lower_is_better else change.before - change.now
    value = _in_unit_of(limit, drop, change.before)
    is_beyond = drop > TOLERANCE if value is None else value > limit.value + TOLERANCE
    counts = is_beyond and (strict or not _contains_zero(change))
    why = _why(change, limit, strict=strict, has_share=value is not None) if is_beyond else []
    return Check("max_drop", metric, system, value, limit, not counts, " ".join([_moved(change), *why]))


def check_absent(metric: str, system: str | None, limit: Limit, *, is_new: bool) -> Check:
    """The failed check of a drop for a system that one of the two runs does not have."""
    reason = "The earlier run does not have this system." if is_new else "Only the earlier run has this system."
    return Check("max_drop", metric, system, None, limit, passed=False, reason=reason)


def _undefined(check: str, metric: str, system: str | None, limit: Limit) -> Check:
    reason = "It is undefined: no list has a value."
    return Check(check, metric, system, None, limit, passed=False, reason=reason)


def _in_unit_of(limit: Limit, drop: float, before: float) -> float | None:
    """A drop as a share of the earlier mean, where the limit is a percentage; None for a share of 0."""
    if not limit.is_percentage:
        return drop
    return drop / abs(before) if before else None


def _contains_zero(change: Change) -> bool:
    """True if the interval of the difference contains 0; a change without an interval has none that could."""
    return change.ci_low is not None and change.ci_high is not None and change.ci_low <= 0 <= change.ci_high


def _moved(change: Change) -> str:
    """From which mean to which the metric moved."""
    assert change.before is not None
    assert change.now is not None
    lists = "list" if change.n_lists == 1 else "lists"
    of = "" if change.n_lists is None else f", over {change.n_lists:,} {lists} that both runs have"
    if abs(change.now - change.before) <= TOLERANCE:
        return f"It stayed at {change.now:.4f}{of}."
    moved = "fell" if change.now < change.before else "rose"
    return f"It {moved} from {change.before:.4f} to {change.now:.4f}{of}."


def _why(change: Change, limit: Limit, *, strict: bool, has_share: bool) -> list[str]:
    """A sentence on why a drop beyond the limit passes or fails."""
    beyond = f"That is worse by more than {limit}" if has_share else "The earlier mean is 0, which has no percentage"
    if strict:
        return [f"{beyond}, and strict leaves the interval out."]
    if change.ci_low is None:
        return [f"{beyond}, and there is no interval."]
    interval = f"the interval of the difference, {change.ci_low:+.4f} to {change.ci_high:+.4f},"
    contains = "contains 0, so it does not count" if _contains_zero(change) else "does not contain 0"
    return [f"{beyond}, and {interval} {contains}."]


@with_options(Gate, "gate", "GateReport")
def gate(result: Result, **options: Any) -> GateReport:  # noqa: D417  # with_options says how they are called
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
    arguments = arguments_of(gate, result, **options)
    del arguments["result"]
    return _checked(result, Gate(**arguments))


def _checked(result: Result, options: Gate) -> GateReport:
    columns = metrics_by_column(result.metrics, result.aggregates)
    for metric in options.metrics:
        column_of(metric, columns)
    summary = result.collect()
    rows = checked_rows(summary.rows(named=True), result.layout, options.system)
    checks = [*_checks_of_values(options, columns, rows, summary.columns, result.layout.by)]
    if not options.max_drop:
        return GateReport(tuple(checks))
    earlier = read_earlier(options.against, result.layout.lists, result.layout.by)
    limits = {column_of(metric, columns): limit for metric, limit in options.max_drop.items()}
    of_limits = {column: columns[column] for column in limits}
    lower = {column for column, metric in of_limits.items() if _lower_is_better(column, metric)}
    changes = _changes(result, summary, earlier, of_limits, options.confidence)
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
    for key in [*keys, *(() if options.system else changes.gone)]:
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
    """True if lower values of a metric are better.

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
    """Notes on what the comparison with the earlier run left out."""
    if not earlier.is_per_list:
        yield f"{earlier.called} is a summary, which has no intervals: every drop beyond its limit fails."
    if changes.n_added:
        yield f"{counted(changes.n_added, 'list is', 'lists are')} not in the earlier run, and not compared."
    if changes.n_gone:
        yield (
            f"{counted(changes.n_gone, 'list of the earlier run is', 'lists of the earlier run are')} gone, and not "
            f"compared."
        )
