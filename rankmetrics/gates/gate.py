"""rm.gate: the limits that the numbers of a result must keep, and the checks of each system."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import inf, isfinite, isnan
from pathlib import Path
from typing import Any, TypeGuard
from xml.etree import ElementTree as ET

import polars as pl

from rankmetrics._files import new_file
from rankmetrics._rounding import exceeds, same
from rankmetrics.arms import own_lists_only
from rankmetrics.comparisons.comparison import LISTS_OF_ONE, SHARE_OF_ONE, Comparison, compare_files, is_label
from rankmetrics.comparisons.statistics import EQUIVALENT, NOT_WORSE, Pair
from rankmetrics.engines.polars import Polars
from rankmetrics.errors import (
    InputError,
    MetricError,
    Option,
    RankMetricsWarning,
    choices_for,
    counted,
    names,
    warn_once,
)
from rankmetrics.gates.options import Gate
from rankmetrics.inputs.columns import Layout, name_of_system
from rankmetrics.messages import said
from rankmetrics.metrics.catalog import N_LISTS
from rankmetrics.metrics.metric import Metric, Named, parse, read_metrics
from rankmetrics.metrics.summaries import Aggregate, Interval, aggregates_of, interval_of
from rankmetrics.options import Limit, arguments_of, with_options
from rankmetrics.planner import no_truth
from rankmetrics.results.result import Result
from rankmetrics.sqltree.names import free_name
from rankmetrics.tables import TextTable, Verdict, signed

UNDEFINED = "It is undefined: no list has a value."

# Limits of values: for each option, the sign with which a value is at most its limit, and words for a value that keeps
# it and for a value that does not.
BOUNDS = {"minimum": (-1, "at least", "below"), "maximum": (1, "at most", "above")}


@with_options(Gate, "gate", "GateReport")
def gate(result: Result, **settings: Any) -> GateReport:  # noqa: D417  # with_options says how they are called
    """Check the numbers of a result against limits, which every row of the summary (every system) must keep.

    A check fails if the value is undefined.

    Args:
        result: what `evaluate` returned.
        minimum: the lowest value of each metric, as in `{"ndcg@10": 0.25}`. A metric is written in any spelling; the
            name of a column of the summary, such as `"ndcg@10 median"`, works, too.
        maximum: the highest value of each metric.
        max_drop: how much worse each metric may be than in an earlier run: a share of the earlier mean, as in
            `{"ndcg@10": "1%"}`, or a difference, as in `{"ndcg@10": 0.005}`. Where lower values are better, a rise is
            a drop. A drop beyond the limit fails if it is significant, or if the lists are too few to tell.
        against: the earlier run: a file that `result.write(path, per_list=True)` wrote, a Polars frame with one row per
            list, or a Result. Lists are paired, and both means are over the lists that have a value in both runs. A
            summary, as `result.write(path)` writes it, has no interval: every drop beyond the limit fails.
        max_missing: how many lists may have no recommendations: a number, or a share of the lists, as in `"1%"`.
        strict: whether each drop beyond the limit fails, significant or not.
        prove: `not_worse` to pass only if the lists rule out a drop of the limit or more (non-inferiority), `same` if
            they rule out a rise of it, too (equivalence).
        confidence: the confidence of the interval. A drop is significant, and a proof holds, at the level
            1 - confidence.
        test: the test of a drop: `t` or `bootstrap`.
        paired: False if the runs are over different users, as the arms of an experiment: each over its own lists.
        sequential: True for an interval that holds however often the gate is run, as in a daily job, narrowest for
            5,000 lists, or for another number.
        system: the systems to check; by default all of them.

    Returns:
        A GateReport: `passed`, and `collect` returns the checks as a frame. It prints as a table.

    Raises:
        InputError: there is no limit, a limit is not a number, or the earlier run cannot be compared with.
        MetricError: a metric that has a limit was not measured.
        DataError: the runs have hardly a list in common; or as Result.collect does.

    Source:
        The statistics are those of Result.compare, with the clusters of the evaluation.

    Example:
        >>> import polars as pl
        >>> import rankmetrics as rm
        >>> recs = pl.DataFrame({"user": [1, 2, 3], "item": [7, 8, 9], "rank": [1, 1, 1]})
        >>> truth = pl.DataFrame({"user": [1, 2, 3], "item": [7, 8, 8]})
        >>> report = rm.gate(rm.evaluate(recs, truth, "hit@1"), minimum={"hit@1": 0.5}, max_missing="1%")
        >>> report.passed, report.collect()["value"].to_list()
        (True, [0.6666666666666666, 0.0])
    """
    arguments = arguments_of(gate, result, **settings)
    del arguments["result"]
    options = Gate(**arguments)
    columns, layout = columns_of(result.metrics, result.aggregates), result.layout
    limited = {metric: column_of(metric, columns) for metric in options.metrics}
    intervals = {column: interval_of(*measured) for column, measured in columns.items()}
    limits = {limited[metric]: limit for metric, limit in options.max_drop.items()}
    lower_is_better = {column for column in limits if columns[column][0].better == "lower"}
    if directionless := [column for column in limits if columns[column][0].better == "neither"]:
        raise said(MetricError, "no_direction", metric=directionless[0])
    certain = {column: interval for column, interval in intervals.items() if interval.is_certain}
    refuse_idle_limits(options, limited, certain, lower_is_better)
    if layout.totals:
        raise InputError(f"A gate checks every row by itself, and no totals: leave out {Option('rollup')}.")
    summary = result.collect()
    rows = checked_rows(summary.rows(named=True), layout, options.system)
    lists: list[tuple[int, int | None]] = [(0, None)] * len(rows)
    if options.max_missing is not None:
        lists = missing_lists(result, rows, summary.columns)
        most = max((n for n, _ in lists), default=0)
        if not options.max_missing.is_percentage and 0 < most <= options.max_missing.value:
            limit_of_lists = Option("max_missing", options.max_missing.written)
            raise said(InputError, "idle_count", limit=limit_of_lists, most=counted(most, "list", "lists"))
    checks = []
    for row, (n_lists, n_missing) in zip(rows, lists, strict=True):
        system = name_of_system(row[name] for name in layout.by) if layout.by else None
        for name in BOUNDS:
            for metric, limit in getattr(options, name).items():
                checks.append(check_value(name, limited[metric], system, row[limited[metric]], limit))
        if options.max_missing is not None:
            checks.append(check_missing(system, n_missing, n_lists, options.max_missing))
    changes = Changes({})
    if limits:
        earlier = read_earlier(options.against, layout.lists, layout.by)
        if option := None if earlier.is_per_list else options.option_of_lists:
            raise said(InputError, "needs_lists_of_earlier", option=option)
        counts_missing = any(metric.values.get("missing") == "zero" for metric in result.metrics)
        if not options.paired and counts_missing and any(n for _, n in missing_lists(result, rows, summary.columns)):
            raise own_lists_only()
        if earlier.is_per_list:
            changes = changes_of_lists(result, earlier, {column: columns[column] for column in limits}, limits, options)
        else:
            changes = changes_of_summaries(summary, earlier, layout.by, [*limits])
        warn_once(changes.doubts, *map(str, changes.doubts))
    values = {column: [row[column] for row in rows if is_number(row[column])] for column in columns}
    for (column, _), both in changes.by_column.items():
        values[column] += filter(is_number, (both.before, both.now))
    # a condition of an interval may not hold: then values are outside
    holding = {
        column: interval
        for column, interval in intervals.items()
        if interval.is_certain or all(value in interval for value in values[column])
    }
    refuse_idle_limits(options, limited, holding, lower_is_better)
    keys = [tuple(row[name] for name in layout.by) for row in rows]
    for key in [*keys, *(() if options.system else changes.gone)]:
        system = name_of_system(key) if key else None
        for column, limit in limits.items():
            if change := changes.by_column.get((column, key)):
                is_lower = column in lower_is_better
                check = check_drop(
                    column, system, change, limit, lower_is_better=is_lower, strict=options.strict, prove=options.prove
                )
            else:
                is_gone = key in changes.gone
                reason = f"{'Only the earlier run has' if is_gone else 'The earlier run does not have'} this system."
                check = Check("max_drop", column, system, None, limit, passed=False, reason=reason)
            checks.append(check)
    return GateReport(tuple(checks), changes.notes)


# --- columns and rows of the summary ----------------------------------------------------------------------------------


# A column of a summary: its metric, and the aggregate of the values of lists.
Measured = tuple[Metric, Aggregate]


def columns_of(metrics: Sequence[Metric], aggregates: Sequence[Aggregate]) -> dict[str, Measured]:
    """The columns of a summary that hold metrics."""
    return {
        aggregate.label(metric.label): (metric, aggregate)
        for metric in metrics
        for aggregate in aggregates_of(metric, aggregates)
    }


def find_column(text: str, columns: Mapping[str, Measured]) -> str | None:
    """The column that a person means by a metric in any spelling, or by the name of a column; None without one."""
    if text in columns:
        return text
    lower = text.strip().lower()
    means = {column: metric for column, (metric, _) in columns.items() if metric.label == column}
    same_names = (column for column in columns if column.lower() == lower)
    same_texts = (column for column, metric in means.items() if metric.text.lower() == lower)
    if column := next(chain(same_names, same_texts), None):
        return column
    try:
        parsed = parse(text)
    except MetricError:
        return None
    return next((column for column, metric in means.items() if metric == parsed), None)


def column_of(text: str, columns: Mapping[str, Measured]) -> str:
    """The same as `find_column`, and a MetricError instead of None."""
    column = find_column(text, columns)
    if column is None:
        raise said(MetricError, "limit_not_measured", metric=text, choices=choices_for(text, columns))
    return column


def with_limited(
    metrics: Sequence[str | Metric | Named],
    limited: Sequence[str],
    aggregates: Sequence[Aggregate],
    convention: str | None,
) -> list[str | Metric | Named]:
    """The metrics of an evaluation, and those with a limit (in any spelling, or as columns) that it lacks."""
    measured = [*metrics]
    ends = [end for aggregate in aggregates if (end := aggregate.label(""))]  # such as ` median` and ` worst ci_low`
    ends.sort(key=len, reverse=True)
    for text in limited:
        columns = columns_of(read_metrics(measured, convention), aggregates) if measured else {}
        if find_column(text, columns) is None:
            measured.append(next((text.removesuffix(end) for end in ends if text.endswith(end)), text))
    return measured


def checked_rows(rows: Sequence[Mapping[str, Any]], layout: Layout, systems: Sequence[str]) -> list[Mapping[str, Any]]:
    """The rows in which a column that names systems has one of these values; all rows, if no system is named."""
    columns = [name for name in layout.by if name in layout.systems] or list(layout.by)
    known = {str(row[name]) for row in rows for name in columns}
    for name in systems:
        if str(name) not in known:
            raise InputError(f"{Option('system')} names {name!r}: the systems are {choices_for(name, sorted(known))}")
    return [row for row in rows if not systems or {str(row[name]) for name in columns} & {*map(str, systems)}]


def refuse_idle_limits(
    gate: Gate, columns: Mapping[str, str], intervals: Mapping[str, Interval], lower_is_better: Container[str]
) -> None:
    """Refuse a limit that all values of a metric keep, or none, by the intervals of the columns."""
    for option in ("minimum", "maximum", "max_drop"):
        for metric, limit in getattr(gate, option).items():
            interval = intervals.get(columns[metric], Interval())
            idle = _idle(option, limit, interval, falls=columns[metric] not in lower_is_better)
            if idle is None:
                continue
            verb, reason = idle
            advice = "Write a limit within the range, or leave it out."
            least = 0 if verb == "cannot fail" else 2  # 1.1 is hardly meant as 1.1%
            if not limit.is_percentage and least < limit.value < 100 * interval.upper:
                advice = f"If a percentage was meant, write {Option(option, {metric: f'{limit.value:.12g}%'})}."
            words = {"metric": columns[metric], "verb": verb, "reason": reason, "advice": advice}
            written = Option(option, {metric: limit.written})
            raise said(InputError, "idle_limit", limit=written, range=interval.text, **words)


def _idle(option: str, limit: Limit, interval: Interval, *, falls: bool) -> tuple[str, str] | None:
    """`cannot pass` or `cannot fail`, and the reason, if no value of an interval keeps a limit, or if all do."""
    low, high, value, is_share = interval.lower, interval.upper, limit.value, limit.is_percentage
    never_below, never_above = f"is never below {low:g}", f"is never above {high:g}"
    never_changes = f"never changes by more than {high - low:g}"
    rules = {
        "minimum": [
            (exceeds(value, high), "cannot pass", never_above),
            (low > -inf and value <= low, "cannot fail", never_below),
        ],
        "maximum": [
            (exceeds(low, value), "cannot pass", never_below),
            (high < inf and value >= high, "cannot fail", never_above),
        ],
        "max_drop": [
            (not is_share and inf > high - low <= value, "cannot fail", never_changes),
            (is_share and value >= 1 and falls and low >= 0, "cannot fail", "never drops by more than 100%"),
        ],
    }
    return next(((verb, reason) for holds, verb, reason in rules[option] if holds), None)


# --- checks -----------------------------------------------------------------------------------------------------------


def is_number(value: float | None) -> TypeGuard[float]:
    """True if a value is a number that can be compared: not NULL, NaN or infinite."""
    return value is not None and isfinite(value)


def in_words(value: float | None) -> str:
    """The reason why a value that is not a number keeps no limit."""
    return UNDEFINED if value is None or isnan(value) else f"It is {value}, which is not a number to compare."


def missing_lists(
    result: Result, rows: Sequence[Mapping[str, Any]], headings: Sequence[str]
) -> list[tuple[int, int | None]]:
    """For each row, the number of lists, and of those without recommendations."""
    by, queries = result.layout.by, result._queries
    if not {*queries.question.missing} <= {"skip", "listed"}:
        n_lists, n_missing = headings[len(by) : len(by) + 2]  # as Result.collect has them
        return [(row[n_lists], row[n_missing]) for row in rows]
    if not result.layout.has_truth:
        raise no_truth("max_missing")
    of_truth = queries.missing_lists()
    return [of_truth.get(tuple(row[name] for name in by), (0, None)) for row in rows]


def check_value(option: str, metric: str, system: str | None, value: float | None, limit: Limit) -> Check:
    """The check that a value is at least its limit (`minimum`), or at most (`maximum`)."""
    sign, at_most, beyond = BOUNDS[option]
    if not is_number(value):
        return Check(option, metric, system, None, limit, passed=False, reason=in_words(value))
    passed = not exceeds(sign * value, sign * limit.value)
    return Check(option, metric, system, value, limit, passed, f"It is {at_most if passed else beyond} {limit}.")


def check_missing(system: str | None, n_missing: int | None, n_lists: int, limit: Limit) -> Check:
    """The check of the lists without recommendations: a number of lists, or a share of the lists."""
    if n_missing is None or (limit.is_percentage and not n_lists):
        return Check("max_missing", "n_missing", system, None, limit, passed=False, reason=UNDEFINED)
    value = n_missing / n_lists if limit.is_percentage else float(n_missing)
    passed = not exceeds(value, limit.value)
    lists, than = counted(n_lists, "list has", "lists have"), "at most" if passed else "more than"
    reason = f"{n_missing:,} of {lists} no recommendations, which is {than} {limit}."
    return Check("max_missing", "n_missing", system, value, limit, passed, reason)


def check_drop(
    metric: str,
    system: str | None,
    change: Change,
    limit: Limit,
    *,
    lower_is_better: bool,
    strict: bool,
    prove: str | None = None,
) -> Check:
    """The check that a metric fell by no more than the limit: a share of the earlier mean, or a difference.

    A drop beyond it fails if it is significant, if the gate is strict, or if no interval says whether it is chance. A
    proof is the one-sided test of a margin, or two of them (TOST).
    """
    before, now = change.before, change.now
    if not (is_number(before) and is_number(now)):
        reason = f"In the earlier run, it{in_words(before)[2:]}" if is_number(now) else in_words(now)
        return Check("max_drop", metric, system, None, limit, passed=False, reason=reason)
    drop = now - before if lower_is_better else before - now
    value = drop if not limit.is_percentage else drop / abs(before) if before else None
    reason = f"It {'fell' if now < before else 'rose'} from {before:.4f} to {now:.4f}{change.lists}."
    if same(now, before):
        reason = f"It stayed at {now:.4f}{change.lists}."
    if prove is not None:
        test, kind = (NOT_WORSE, "loss") if prove == "not_worse" else (EQUIVALENT, "difference")
        is_shown, why = change.shows(test, "rule it out")
        reason += f" A {kind} of {limit} or more {'is' if is_shown else 'cannot be'} ruled out: {why}."
        return Check("max_drop", metric, system, value, limit, bool(is_shown), reason)
    allowed = limit.value * abs(before) if limit.is_percentage else limit.value
    passed = drop <= allowed or same(drop, allowed, scale=max(abs(before), abs(now)))
    if not passed:
        is_zero = "The earlier mean is 0, which has no percentage"
        reason += f" {is_zero if value is None else f'That is worse by more than {limit}'}, "
        is_shown, why = (None, "strict counts every drop") if strict else change.shows("", "tell whether it is chance")
        passed = is_shown is False
        verdict = "" if is_shown is None else f"the drop is {'not ' if passed else ''}significant: "
        reason += f"{'but' if passed else 'and'} {verdict}{why}."
    return Check("max_drop", metric, system, value, limit, passed, reason)


# --- the earlier run, and the changes since ---------------------------------------------------------------------------


Key = tuple[Any, ...]


@dataclass(frozen=True)
class Earlier:
    """The rows of an earlier run: one per list, or those of a summary."""

    frame: pl.DataFrame
    name: str  # in messages
    is_per_list: bool

    def aligned(self, schema: Mapping[str, pl.DataType], keys: Sequence[str], metrics: Sequence[str]) -> pl.DataFrame:
        """The columns of a result: keys in its types, since text files have none, and metrics, in whatever case."""
        columns = [pl.col(key).cast(schema[key]) for key in keys]
        for metric in metrics:
            there = self.frame.columns
            spelled = [name for name in there if name.lower() == metric.lower()]
            if not spelled:
                choices = choices_for(metric, there)
                raise said(InputError, "no_earlier_column", earlier=self.name, name=metric, choices=choices)
            columns.append(pl.col(metric if metric in spelled else spelled[0]).cast(pl.Float64).alias(metric))
        try:
            return self.frame.select(columns)
        except pl.exceptions.PolarsError as error:
            raise InputError(f"{self.name} has other values in {names(keys)} than the result: {error}") from error


def read_earlier(earlier: Any, lists: Sequence[str], by: Sequence[str]) -> Earlier:
    """An earlier run, of lists or a summary: a file that `result.write` wrote, a Polars frame, or a Result."""
    if isinstance(earlier, Result):
        frame, name = earlier.collect(per_list=True), "The earlier result"
    elif isinstance(earlier, (pl.DataFrame, pl.LazyFrame)):
        frame, name = earlier.lazy().collect(), "The earlier frame"
    elif isinstance(earlier, (str, Path)):
        what = f"earlier file {str(earlier)!r}"
        engine = Polars({what: Path(earlier)}, None)
        frame, name = engine.collect(engine.frame(what)), f"The {what}"
    else:
        raise said(InputError, "no_earlier_run", type=type(earlier).__name__)
    is_per_list = N_LISTS not in frame.columns or N_LISTS in lists
    needed = lists if is_per_list else by
    if missing := [column for column in needed if column not in frame.columns]:
        kind = "one row per list, so that it needs the list columns" if is_per_list else "a summary, so that it needs"
        columns = {"needed": [*needed], "missing": missing, "found": frame.columns}
        raise said(InputError, "incomplete_earlier", earlier=name, kind=kind, **columns)
    if frame.select(needed).is_duplicated().any() if needed else frame.height != 1:
        raise InputError(f"{name} has several rows with the same {names(needed)}: the earlier value is ambiguous.")
    return Earlier(frame, name, is_per_list)


@dataclass(frozen=True)
class Change:
    """The mean of a metric in an earlier run and now."""

    before: float | None  # None if no list has a value in both runs, as is `now`
    now: float | None
    pair: Pair | None = None  # the lists of both runs; None for values of summaries
    comparison: Comparison | None = None  # that tests the pair

    @property
    def lists(self) -> str:
        """The lists of both means, in words."""
        if self.pair is None:
            return ""
        earlier, *now = (sample.n_lists for sample in self.pair.samples)
        return f", over {counted(earlier, 'list', 'lists')}" + (
            f" before and {now[0]:,} now" if now else " that both runs have"
        )

    def shows(self, test: str, what: str) -> tuple[bool | None, str]:
        """True if the lists show the claim of a test, by default of a drop, None if there is no interval; and why."""
        pair, comparison = self.pair, self.comparison
        if pair is None or comparison is None:
            return None, "there is no interval"
        confidence = comparison.options.confidence
        if few := comparison.too_few(pair, test or comparison.options.tests[0], what):
            return None, few
        # the end of this interval is what a one-sided test at the level compares with its margin
        confidence = 2 * confidence - 1 if test else confidence
        interval = pair.interval(confidence)
        if interval is None:
            return None, "there is no interval"
        is_shown = comparison.is_significant(pair, test)
        ends = " to ".join(map(signed, interval))
        why = f"the {100 * confidence:g}% confidence interval of the difference is {ends}"
        return is_shown, why if is_shown or test else f"{why}{comparison.unseen(pair)}"


@dataclass(frozen=True)
class Changes:
    """All changes since an earlier run; a system is its values of `by`."""

    by_column: Mapping[tuple[str, Key], Change]  # by column and system, of the systems that both runs have
    gone: tuple[Key, ...] = ()  # systems that only the earlier run has
    doubts: tuple[RankMetricsWarning, ...] = ()  # that the runs have the same lists
    notes: tuple[str, ...] = ()  # on what was compared, and what was left out


# Both runs in messages, as the systems of a comparison.
EARLIER, NOW = "The earlier run", "this run"


def changes_of_lists(
    result: Result, earlier: Earlier, metrics: Mapping[str, Measured], limits: Mapping[str, Limit], gate: Gate
) -> Changes:
    """The changes of means, with the pairs of both runs that test them."""
    for column, (metric, _) in metrics.items():
        if metric.is_run or column != metric.label:
            name = f"{earlier.name[0].lower()}{earlier.name[1:]}"
            raise said(InputError, "no_value_per_list", name=column, earlier=name)
    now, layout = result.collect(per_list=True), result.layout
    lists, by = layout.lists, layout.by
    # a list column that is called as a metric gets another name
    keys = {name: f"list_{place}" if is_label(name) else name for place, name in enumerate(lists)}
    run, by_keys = free_name("run", [*keys.values(), *metrics]), [keys[name] for name in by]
    frames = (
        earlier.aligned(now.schema, lists, [*metrics]),
        now.select(*lists, pl.col(*metrics).cast(pl.Float64)),
    )
    before, after = (
        frame.rename(keys).with_columns(pl.lit(name).alias(run))
        for frame, name in zip(frames, (EARLIER, NOW), strict=True)
    )
    n_shared = after.join(before, on=[*keys.values()], how="semi", nulls_equal=True).height
    if not n_shared and gate.paired:
        raise said(InputError, "no_earlier_list", earlier=earlier.name, columns=[*lists])
    cluster = None if layout.cluster is None else [keys[name] for name in layout.clusters]
    whole = compare_files(
        before,
        after,
        [*metrics],
        gate.test,
        "none",
        baseline=EARLIER,
        system=run,
        by=by_keys,
        confidence=gate.confidence,
        cluster=cluster,
        paired=gate.paired,
        sequential=gate.sequential,
    )
    whole, changes = replace(whole, measured={name: metric for name, (metric, _) in metrics.items()}), {}
    for column, limit in limits.items():
        comparison = whole
        if gate.prove:
            with_margin = replace(whole.options, margin=limit)
            comparison = replace(whole, plan=replace(whole.plan, options=with_margin, metrics=(column,)))
        for pair in comparison.pairs:
            if pair.metric == column:
                changes[column, pair.by] = Change(pair.baseline_mean, pair.system_mean, pair, comparison)
    systems = [frame.select(by_keys).unique(maintain_order=True) for frame in (before, after)]
    gone = systems[0].join(systems[1], on=by_keys, how="anti", nulls_equal=True).rows() if by else ()
    notes = [] if gate.paired else ["Each run is measured over its own lists."]
    if gate.paired and (n_added := after.height - n_shared):
        notes.append(f"{counted(n_added, 'list is', 'lists are')} not in the earlier run, and not compared.")
    if gate.paired and (n_gone := before.height - n_shared):
        of_earlier = counted(n_gone, "list of the earlier run is", "lists of the earlier run are")
        notes.append(f"{of_earlier} gone, and not compared.")
    notes += [f"{note[0].upper()}{note[1:]}." for note in whole.notes_on_clusters()]
    return Changes(changes, tuple(gone), tuple(whole.doubts()), tuple(notes))


def changes_of_summaries(now: pl.DataFrame, earlier: Earlier, by: Sequence[str], metrics: Sequence[str]) -> Changes:
    """The changes of the values of two summaries, which have no interval."""
    columns = [N_LISTS, *metrics]
    before, after = (
        {row[: len(by)]: row[len(by) :] for row in frame.iter_rows()}
        for frame in (earlier.aligned(now.schema, by, columns), now.select(*by, *columns))
    )
    numbers = {(int(before[key][0]), after[key][0]) for key in after if key in before}
    changes = {
        (metric, key): Change(*values)
        for key in after
        if key in before
        for metric, *values in zip(metrics, before[key][1:], after[key][1:], strict=True)
    }
    if not changes:
        systems = sorted({str(value) for key in before for value in key})
        raise said(InputError, "no_earlier_system", earlier=earlier.name, columns=[*by], systems=systems)
    n_before, n_now = max(numbers, key=lambda both: abs(both[0] - both[1]))
    notes = [f"{earlier.name} is a summary, which has no intervals: every drop beyond its limit fails."]
    doubts = list[RankMetricsWarning]()
    if difference := abs(n_before - n_now):
        notes.append(f"The earlier summary is over {counted(n_before, 'list', 'lists')}, and this run over {n_now:,}.")
    if difference >= max(LISTS_OF_ONE, SHARE_OF_ONE * max(n_before, n_now)):
        advice = f"To compare the lists of both, name a file of values per list: {Option('against')}."
        doubts.append(RankMetricsWarning(f"{notes[1]} {advice}"))
    return Changes(changes, tuple(key for key in before if key not in after), doubts=tuple(doubts), notes=tuple(notes))


# The columns of GateReport.collect.
COLUMNS = ("check", "metric", "system", "value", "limit", "passed", "reason")


@dataclass(frozen=True)
class Check:
    """A number of one system, and its limit."""

    check: str  # minimum, maximum, max_drop or max_missing
    metric: str  # the column of the result
    system: str | None  # None where the summary has one row for all lists
    value: float | None  # in the unit of the limit; None if it is undefined
    limit: Limit
    passed: bool
    reason: str  # why it passed or failed, as a sentence

    @property
    def title(self) -> str:
        """The check in a few words, such as `minimum ndcg@10 of als`."""
        return f"{self.check} {self.metric}" + (f" of {self.system}" if self.system is not None else "")


@dataclass(frozen=True, repr=False)
class GateReport(Verdict):
    """The checks of `rm.gate`, with a verdict; it is true if all checks passed: `assert rm.gate(...)`.

    Attributes:
        results: the checks, as values.

    Example:
        >>> import polars as pl
        >>> import rankmetrics as rm
        >>> recs = pl.DataFrame({"system": ["a", "a", "b"], "user": [1, 2, 1], "item": [7, 8, 9], "rank": [1, 1, 1]})
        >>> truth = pl.DataFrame({"user": [1, 2], "item": [7, 8]})
        >>> report = rm.gate(rm.evaluate(recs, truth, "hit@1"), minimum={"hit@1": 0.5})
        >>> report.passed
        False
        >>> print(report)
        check   ┃ metric ┃ system ┃ value  ┃ limit ┃ passed ┃ reason
        ━━━━━━━━╇━━━━━━━━╇━━━━━━━━╇━━━━━━━━╇━━━━━━━╇━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━
        minimum │ hit@1  │ a      │ 1.0000 │ 0.5   │ yes    │ It is at least 0.5.
        minimum │ hit@1  │ b      │ 0.0000 │ 0.5   │ NO     │ It is below 0.5.
        <BLANKLINE>
        The gate failed: 1 of 2 checks.
    """

    results: tuple[Check, ...]
    remarks: tuple[str, ...] = ()  # on what the checks left out

    @property
    def passed(self) -> bool:
        """True if every check passed."""
        return all(check.passed for check in self.results)

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that failed."""
        return tuple(check for check in self.results if not check.passed)

    def collect(self) -> pl.DataFrame:
        """The checks, one row each.

        Returns:
            A frame with `check` (minimum, maximum, max_drop or max_missing), `metric` (a column of the result),
            `system` (NULL where there is one row for all lists), `value` and `limit` (of a percentage, shares: 0.01 for
            1%), `passed`, and `reason`.
        """
        types = (pl.String, pl.String, pl.String, pl.Float64, pl.Float64, pl.Boolean, pl.String)
        rows = [{**vars(check), "limit": check.limit.value} for check in self.results]
        return pl.DataFrame(rows, schema=dict(zip(COLUMNS, types, strict=True)))

    def to_junit(self, path: str | Path | None = None) -> str:
        """The checks as a JUnit file, which CI systems show: one test case for each check.

        Args:
            path: the file to write; None writes none. The file is there whole or not at all.

        Returns:
            The XML as text.

        Raises:
            InputError: the file cannot be written.
        """
        n_checks, n_failed = str(len(self.results)), str(len(self.failed))
        counts = {"name": NAME, "tests": n_checks, "failures": n_failed, "errors": "0", "skipped": "0"}
        suites = ET.Element("testsuites", counts)
        suite = ET.SubElement(suites, "testsuite", counts)
        for check in self.results:
            system = "" if check.system is None else f".{check.system}"
            title, classname, reason = (
                NOT_IN_XML.sub("\ufffd", text) for text in (check.title, f"{NAME}{system}", check.reason)
            )
            case = ET.SubElement(suite, "testcase", {"classname": classname, "name": title})
            if not check.passed:
                ET.SubElement(case, "failure", {"message": reason, "type": check.check}).text = reason
        ET.indent(suites)
        text = f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(suites, encoding="unicode")}\n'
        if path is not None:
            with new_file(path) as temporary:
                temporary.write_text(text, encoding="utf-8")
        return text

    def annotations(self) -> list[str]:
        """The failed checks as lines that GitHub Actions shows next to a commit: `::error title=...::...`.

        A workflow that prints such a line gets an annotation.
        """
        titles = [f"rankmetrics gate: {check.title}" for check in self.failed]
        return [
            f"::error title={title.translate(IN_PROPERTIES)}::{check.reason.translate(IN_MESSAGES)}"
            for title, check in zip(titles, self.failed, strict=True)
        ]

    @property
    def verdict(self) -> str:
        """One sentence: whether the gate passed, and how many checks did."""
        checks = counted(len(self.results), "check", "checks")
        return f"The gate passed: {checks}." if self.passed else f"The gate failed: {len(self.failed)} of {checks}."

    def _notes(self) -> Sequence[str]:
        return self.remarks

    def _tables(self) -> list[TextTable]:
        rows = [
            (
                check.check,
                check.metric,
                "–" if check.system is None else check.system,
                "–" if check.value is None else check.limit.shown(check.value),
                str(check.limit),
                "yes" if check.passed else "NO",
                check.reason,
            )
            for check in self.results
        ]
        return [TextTable.of_texts(COLUMNS, rows)]


# The signs that GitHub decodes in the message of a workflow command, and in its properties.
# https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
IN_MESSAGES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
IN_PROPERTIES = IN_MESSAGES | str.maketrans({":": "%3A", ",": "%2C"})

# The name of the suite of tests, and the start of the class names.
NAME = "rankmetrics.gate"

# Characters that XML 1.0 cannot hold.
NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
