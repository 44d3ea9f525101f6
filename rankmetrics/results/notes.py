"""The notes below a summary: how columns were read, the counts of the account, which numbers are doubtful."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, isfinite
from typing import Any

from rankmetrics._rounding import exceeds
from rankmetrics.errors import MetricError, Option, counted, names
from rankmetrics.faults.doubts import Counts
from rankmetrics.inputs.columns import BY_FOLD, Layout, name_of_system, unused_in_words
from rankmetrics.inputs.sources import CALLED, EMBEDDINGS
from rankmetrics.metrics.catalog import N_LISTS, TIED, UNDEFINED, catalog
from rankmetrics.metrics.conventions import find
from rankmetrics.metrics.intervals import LEAST_WITHOUT_RANGE, is_end, least_lists
from rankmetrics.metrics.metric import Metric
from rankmetrics.metrics.summaries import ALPHA, MEAN, Aggregate, interval_of
from rankmetrics.planner import covers_all_orders, settled
from rankmetrics.queries import Queries
from rankmetrics.tables import FEWER_LISTS

# How many pairs of systems the notes on ties name, and by how much two values differ that are not equal.
MOST_PAIRS = 3

# Tied lists, as a share of all lists, that are ranked by themselves: to find them costs half of a sort of all lists.
FEW_TIED = 0.1


def notes_of(counts: Counts, metrics: Sequence[Metric], layout: Layout, depth: int | None) -> Iterator[str]:
    """The account in sentences; `depth` is the highest cutoff, or None."""
    for name in sorted({metric.convention for metric in metrics if "convention" not in metric.settings} - {None, ""}):
        yield f"measured under the convention {name}: the definitions of {find(name).what.partition(' (')[0]}"
    if layout.has_candidates:
        yield (
            "relevant items were ranked among candidates only: not comparable with a ranking of all items (Krichene, "
            "Rendle 2020, doi:10.1145/3394486.3403226)"
        )
    if layout.labels is not None:
        yield (
            f"measured over the items shown, by {names(layout.labels)}: nothing is known of other items, so recall, "
            "MAP and the ideal of nDCG are over what was shown"
        )
        if n := counts.totals["recs_counted"] - counts.totals["labels_known"]:
            removed = Option("unjudged", "removed")
            yield _counted(f"items without a label (NULL): unknown, and counted as not relevant (or {removed})", n)
    yield from (sentence for sentence, _ in layout.readings)
    yield from _columns(layout)
    yield from _folds(metrics, layout)
    is_whole = counts.totals["sampled_lists"] == counts.totals["truth_lists"]
    for count in sorted(catalog().all("account"), key=lambda count: count.fields.get("shown") != "always"):
        n = counts.totals[count.name]
        if count.fields.get("shown") == "always" or ("shown" in count.fields and n):
            if count.name == "lists_scored":
                yield from [_scored(counts, metrics, layout)] if counts.scored else []
            else:
                text = count.summary.replace(" of the sampled lists", "" if is_whole else " of the sampled lists")
                yield _counted(_of_ties(depth, metrics) if count.name == TIED else text, n)
    marked = over_fewer_lists(counts, metrics)
    for metric in metrics:
        if n := counts.totals.get(f"{UNDEFINED}{metric.label}", 0):
            mark = f" ({FEWER_LISTS.strip()})" if metric in marked else ""
            yield _counted(f"lists for which {metric.label} is undefined; not in its mean{mark}", n)
    by_default = [metric for metric in metrics if "gain" not in metric.given]
    binary = ", ".join(metric.label for metric in by_default if metric.values.get("gain") == "binary")
    if binary and counts.totals["ratings_differ"]:
        use = "use" if ", " in binary else "uses"
        yield f"{binary} {use} ratings only as relevant or not; gain=linear weights hits by their rating"


def _scored(counts: Counts, metrics: Sequence[Metric], layout: Layout) -> str:
    """The number of lists over which the means are taken: in each row of the summary, if it has several rows."""
    n, each = counts.totals["lists_scored"], [of["lists_scored"] for of in counts.scored.values()]
    if n and all(not metric.is_run and counts.totals[f"{UNDEFINED}{metric.label}"] == n for metric in metrics):
        metric = metrics[0].label if len(metrics) == 1 else "every metric"
        return _counted(f"lists were scored, and {metric} is undefined for all of them", n)
    if len(each) < 2:
        return _counted("lists in the means", n)
    are_systems = layout.by == layout.systems and not layout.over
    rows = f"{len(each):,} {'systems' if are_systems else 'rows'}"
    if len({*each}) > 1:
        return f"The {rows} are averaged over {min(each):,} to {max(each):,} lists each"
    return f"Each of the {rows} is averaged over {counted(each[0], 'list', 'lists')}"


# Where tied items go, by the choice of the option `ties`.
ORDERS = {
    "item": "ties go to the lower item id",
    "item_desc": "ties go to the higher item id",
    "text_desc": "ties go to the higher item id, compared as text",
    "input": "ties keep the order of the input",
    "expected": "metrics are means over all orders of the ties",
    "best": "ties go to the relevant items",
    "worst": "ties go to the items that are not relevant",
}


def _of_ties(depth: int | None, metrics: Sequence[Metric]) -> str:
    """The lists with tied scores: how deep they were looked for, and which of tied items comes first."""
    choices = {str(metric.values["ties"]) for metric in metrics if "ties" in metric.values}
    order = ORDERS[choices.pop()] if len(choices) == 1 else "each metric orders ties by its own option"
    where = "" if depth is None else f" in their first {depth + 1} items"
    return f"lists have tied scores{where}; {order} ({Option('ties')})"


def notes_of_intervals(
    rows: Sequence[Mapping[str, Any]],
    metrics: Sequence[Metric],
    aggregates: Sequence[Aggregate],
    layout: Layout,
) -> Iterator[str]:
    """The clusters of the intervals of means, and the reason why a mean has no interval."""
    ends = [aggregate for aggregate in aggregates if is_end(aggregate) and layout.over is None]
    of_lists = [metric for metric in metrics if ends and not metric.is_run]
    if of_lists and layout.clusters:
        same = f"lists of the same {', '.join(layout.clusters)} count as one cluster in intervals"
        yield same if layout.cluster else f"{same} ({Option('cluster', [])} turns it off)"
    units = "clusters of lists" if layout.clusters else "lists"
    for metric in of_lists:
        column = ends[0].label(metric.label)
        if n := sum(row[column] is None and row.get(metric.label, 0) is not None for row in rows):
            interval, least = interval_of(metric), least_lists(ends[0].alpha or ALPHA)
            needed = f"at least {least} {units}"
            if not (isfinite(interval.lower) and isfinite(interval.upper)):
                needed = f"at least {LEAST_WITHOUT_RANGE} {units} that differ, since it has no declared range"
            yield f"{metric.label} has no confidence interval in {_in_rows(n)}: it needs {needed}"


def _in_rows(n: int) -> str:
    return "1 row" if n == 1 else f"{n:,} rows"


def over_fewer_lists(counts: Counts, metrics: Sequence[Metric]) -> list[Metric]:
    """The metrics whose means leave out lists that other means of the same row have: each row is over other lists."""
    means = [metric for metric in metrics if not metric.is_run]
    left_out = [[of[f"{UNDEFINED}{metric.label}"] for metric in means] for of in counts.scored.values()]
    unequal = [row for row in left_out if len({*row}) > 1]
    return [metric for place, metric in enumerate(means) if any(row[place] for row in unequal)]


def _columns(layout: Layout) -> Iterator[str]:
    """Notes on list columns that have another name in an input, and on columns that are not used."""
    for name in layout.names():
        side = layout.side(name)
        renamed = [f"{side.own(column)} = {column}" for column in side.lists if side.own(column) != column]
        if renamed:
            yield f"list columns of the {CALLED[name]} under another name: {', '.join(renamed)}"
        if name in layout.unused:
            yield unused_in_words(name, layout.unused[name])


def _folds(metrics: Sequence[Metric], layout: Layout) -> Iterator[str]:
    """Notes on folds: the inputs that differ between folds, the inputs that are shared, the metrics over all folds."""
    by_fold = [name for name in layout.extras if name in (*BY_FOLD, "history")]
    for fold in layout.folds:
        per_fold = [CALLED[name] for name in by_fold if fold in layout.side(name).lists]
        shared = [CALLED[name] for name in by_fold if fold not in layout.side(name).lists]
        if per_fold:
            yield f"taken per value of {fold}: {', '.join(per_fold)}"
        if shared:
            yield f"the same for every value of {fold}: {', '.join(shared)}"
        if EMBEDDINGS in layout.extras and fold in layout.side("items").lists:
            yield f"taken together over all values of {fold}: embeddings"
        pooled = [metric.label for metric in metrics if metric.is_run]
        if pooled and fold not in layout.by:
            are = "is" if len(pooled) == 1 else "are"
            yield f"{', '.join(pooled)} {are} over all values of {fold}, which {Option('by')} does not name"


# The definition of a count is in the plural: from there to the singular.
SINGULAR = (
    (r"^((?:distinct recommended )?\w+?)s\b", r"\1"),
    (r"^(\w+) have\b", r"\1 has"),
    (r"; they score\b", "; it scores"),
    (r"^(\w+) were\b(.*) for all of them", r"\1 was\2 for it"),
    (r"(; .*) them\b", r"\1 it"),
)


def _counted(text: str, count: int) -> str:
    """A count as a note, in the plural of the definition or the singular.

    >>> _counted("rows of the truth with a NULL id; left out", 1)
    '1 row of the truth with a NULL id; left out'
    >>> _counted("lists have no recommendations; they score 0", 1)
    '1 list has no recommendations; it scores 0'
    """
    for plural, singular in SINGULAR if count == 1 else ():
        text = re.sub(plural, singular, text)
    return f"{count:,} {text}"


# --- equal scores -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TieRange:
    """The value of a system if hits come after (`low`) and before (`high`) the other items with the same score."""

    system: str
    low: float
    high: float


def tie_ranges(queries: Queries, leaderboard: Sequence[Mapping[str, Any]], counts: Counts) -> list[TieRange]:
    """The values of the first metric over all orders of equal scores, by system, if these may swap systems."""
    metric, layout = queries.metrics[0], queries.layout
    if metric.is_run or metric.estimates or queries.columns[0] != MEAN.label(metric.label):
        return []
    values = settled(metric, layout)
    if layout.recs.rank is not None or covers_all_orders(values) or values.get("tied") == "averaged":
        return []
    if not _may_swap(queries, leaderboard, counts):
        return []
    bounds, n_by = [metric(ties="worst"), metric(ties="best")], len(layout.by)
    are_few = counts.totals["lists_tied"] < FEW_TIED * counts.totals["lists_recommended"]
    are_few = are_few and queries.computes_once and not layout.over  # a mean over seeds is no mean over lists
    try:
        summary = queries.summary_of_tied_lists([metric, *bounds]) if are_few else queries.summary(bounds, [MEAN])
    except MetricError:
        return []
    found = {row[:n_by]: row[n_by:] for row in map(tuple, queries.engine.rows(summary))}
    ranges = []
    for row in leaderboard:
        system, value = tuple(row[name] for name in layout.by), row[queries.columns[0]]
        _, *ends = found.get(system, (0, None, None))
        if are_few and value is not None:
            ends = _with_tied_lists(value, _n_defined(row, metric, queries, counts), *found.get(system, (0,)))
        if None not in ends:
            ranges.append(TieRange(name_of_system(system), *ends))
    return ranges


def _with_tied_lists(value: float, n: int, n_tied: int, *of_tied: Any) -> list[float | None]:
    """A mean over n lists, with its lists that have equal scores in their worst and in their best order.

    `of_tied` are the means of these lists in the order of the summary, in the worst and in the best order, and for each
    of these the number of lists for which the metric is undefined.
    """
    if not n_tied:
        return [value, value]
    n_defined = [n_tied - n_undefined for n_undefined in of_tied[3:]]
    totals = [(mean or 0.0) * n_lists for mean, n_lists in zip(of_tied[:3], n_defined, strict=True)]
    return [
        (value * n + total - totals[0]) / (n + n_lists - n_defined[0]) if n + n_lists > n_defined[0] else None
        for total, n_lists in zip(totals[1:], n_defined[1:], strict=True)
    ]


def _may_swap(queries: Queries, leaderboard: Sequence[Mapping[str, Any]], counts: Counts) -> bool:
    """True if lists with equal scores, within the metric's interval, can move two neighbours past each other."""
    metric = queries.metrics[0]
    interval = interval_of(metric)
    is_certain = interval.is_certain or metric.values.get("gain", "binary") == "binary"
    width = interval.upper - interval.lower if is_certain else inf
    reaches = []
    for row in leaderboard:
        if (value := row[queries.columns[0]]) is not None:
            of = counts.rows.get(tuple(row[name] for name in queries.layout.by), Counter())
            n_defined = _n_defined(row, metric, queries, counts)
            reaches.append((value, width * of["lists_tied"] / max(n_defined, 1) if of["lists_tied"] else 0.0))
    return any(abs(a - b) <= of_a + of_b and of_a + of_b > 0 for (a, of_a), (b, of_b) in pairwise(reaches))


def _n_defined(row: Mapping[str, Any], metric: Metric, queries: Queries, counts: Counts) -> int:
    """The number of lists of a row of the summary for which a metric is defined."""
    of = counts.rows.get(tuple(row[name] for name in queries.layout.by), Counter())
    return int(row[N_LISTS]) - of[f"{UNDEFINED}{metric.label}"]


def notes_of_ties(ranges: Sequence[TieRange], column: str) -> Iterator[str]:
    """A sentence for each two neighbours of a leaderboard that another order of equal scores may put the other way."""
    pairs = [
        pair
        for pair in pairwise(ranges)
        if exceeds(pair[1].high, pair[0].low) and any(exceeds(system.high, system.low) for system in pair)
    ]
    for first, second in pairs[:MOST_PAIRS]:
        yield (
            f"the order of {first.system} and {second.system} depends on equal scores: {column} of {first.system} lies "
            f"between {first.low:.4f} and {first.high:.4f}, of {second.system} between {second.low:.4f} and "
            f"{second.high:.4f}; {Option('ties', 'expected')} takes the mean over all orders of equal scores"
        )
    if len(pairs) > MOST_PAIRS:
        yield f"the order of {len(pairs) - MOST_PAIRS:,} more pairs of neighbours depends on equal scores"
