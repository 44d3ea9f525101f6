"""`rm.report`: an evaluation as one HTML file.

The sections are in the order of the page. Each writes blocks, macros of templates/blocks.html, from the facts of an
evaluation.
"""

from __future__ import annotations

import platform
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache, cached_property, partial
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

import rankmetrics as rm
from rankmetrics._files import new_file, packaged
from rankmetrics._rounding import ranked, same
from rankmetrics.arms import counted_as_0, own_lists_only
from rankmetrics.comparisons.comparison import Comparison, p_in_words
from rankmetrics.comparisons.statistics import TESTS, Pair
from rankmetrics.dialects.base import DIALECTS
from rankmetrics.errors import (
    WARNING,
    DataError,
    DialectError,
    InputError,
    counted,
    help_on,
    importing,
    visible,
)
from rankmetrics.explanations import explain_sql, shown_parameters
from rankmetrics.faults.checks import checks_of, required_of
from rankmetrics.faults.doubts import Counts, counts_of
from rankmetrics.inputs.columns import name_of_system
from rankmetrics.inputs.sources import CALLED
from rankmetrics.metrics.catalog import N_LISTS, UNDEFINED, catalog
from rankmetrics.metrics.conventions import find
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.metric import Metric
from rankmetrics.metrics.summaries import MEAN, Aggregate
from rankmetrics.plots.files import to_svg
from rankmetrics.plots.plots import with_verdicts
from rankmetrics.results.document import versions_of
from rankmetrics.results.result import Result
from rankmetrics.segments.segments import Segments
from rankmetrics.sqltree.names import free_heading
from rankmetrics.tables import BEST, FEWER_LISTS, Cell, TextTable, shown_value

if TYPE_CHECKING:
    from altair.typing import ChartType
    from jinja2 import Environment
    from markupsafe import Markup

Blocks = Iterator["Markup"]


# --- blocks of HTML, which escape every text: no name or value from the data can become HTML --------------------------

DOI = re.compile(r"(?<=doi:)(10\.\d{4,}/\S*[^\s.,;)])")


@cache
def templates() -> Environment:
    """The templates of the package, which may be in an archive; refuses a Python without Jinja."""
    with importing("A report is written with Jinja", "report"):
        from jinja2 import Environment, FunctionLoader, StrictUndefined
    return Environment(
        loader=FunctionLoader(lambda name: packaged("reports/templates").joinpath(name).read_text(encoding="utf-8")),
        autoescape=True,
        finalize=lambda value: visible(value) if type(value) is str else value,  # markup holds such texts already
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _block(macro: str, *values: Any, **options: Any) -> Markup:
    """The HTML that a macro writes; it escapes all values but other blocks."""
    block: Markup = getattr(templates().get_template("blocks.html").module, macro)(*values, **options)
    return block


# Of the tone "lead" (the answer at the top), "note" (small print) or "warning".
paragraph = partial(_block, "paragraph")
note = partial(_block, "paragraph", tone="note")
bullets = partial(_block, "bullets")
heading = partial(_block, "heading")
chart = partial(_block, "chart")  # its SVG is written as it is: it must be what a writer of charts returned
gallery = partial(_block, "gallery")  # charts next to each other where the page is wide
terms = partial(_block, "terms")
folded = partial(_block, "folded")  # behind a title, which opens it; on paper, it is open
strong = partial(_block, "strong")


def code(text: str) -> Markup:
    """Lines of SQL; comments and statements are distinguished."""
    return _block("code", [(line, line.lstrip().startswith("--")) for line in text.splitlines()])


def table(caption: str, headings: Sequence[str], rows: Iterable[Iterable[object]]) -> Markup:
    """A table of cells, and of values that are shown as texts."""
    cells = [[cell if isinstance(cell, Cell) else Cell(shown_value(cell)) for cell in row] for row in rows]
    return _block("table", caption, TextTable(headings, cells))


def number(value: float | str | None, mark: str = "", note: str = "", *, form: str = "") -> Cell:
    """A cell with a number, which may be a text already, or is written in a format."""
    text = f"{value:{form}}" if form and value is not None else shown_value(value)
    return Cell(text, is_number=True, mark=mark, note=note)


def with_links(text: str) -> Markup:
    """A text whose DOIs are links."""
    from markupsafe import Markup

    parts = DOI.split(text)
    return Markup("").join(_block("doi", part) if place % 2 else part for place, part in enumerate(parts))


def with_quotes(text: str) -> str:
    """A text of a header of sql/ with quotes instead of its backticks."""
    return re.sub(r"`([^`]*)`", r'"\1"', text)


# --- sections ---------------------------------------------------------------------------------------------------------


class LeftOut(Exception):  # noqa: N818  # it is not an error
    """A section that a report does not have, with the reason, which the report tells."""


# Writes the blocks of a section, or raises LeftOut.
Section: TypeAlias = Callable[["ReportFacts"], Blocks]

# The reason without a comparison, curves, or values of lists.
NO_VALUES_OF_LISTS = "every metric is one number for each system, and has no values of lists."


def figure(draw: Callable[[], ChartType], caption: str) -> Markup:
    """A chart with its caption; a sentence where there is nothing to draw, because a metric is undefined."""
    try:
        return chart(to_svg(draw()), caption)
    except DataError as error:
        return note(f"There is no chart here. {error}")


def _more_rows(n_rows: int, n_shown: int) -> Blocks:
    if n_rows > n_shown:
        yield note(f"{n_rows - n_shown:,} more rows are left out here.")


# Of more partitions than these, only the number of partitions in which each system is best is known.
FEW = 4


def summary(facts: ReportFacts) -> Blocks:
    """In words, which system is best, by how much, over how many lists; the warnings; what was left out."""
    yield from _answers(facts)
    notes = facts.with_intervals.notes()
    doubts = facts.differences.comparison.doubts() if facts.differences.comparison else ()
    warnings = [
        *(note for note in notes if note.startswith(WARNING)),
        *(each.note for each in doubts),
    ]
    yield from map(_warning, warnings)
    if counts := [with_quotes(note) for note in notes if not note.startswith(WARNING)]:
        yield heading("What the means are taken over, and what was left out")
        yield bullets(counts)


def _warning(note: str) -> Markup:
    return paragraph(strong(WARNING) + note.removeprefix(WARNING), "warning")


def _answers(facts: ReportFacts) -> Blocks:
    partitions, first = [*facts.by_partition()], facts.labels[0]
    if not partitions:
        yield paragraph("There is nothing to report: no list was scored.", "lead")
    elif not facts.compares:
        for where, (row, *_) in partitions[:FEW]:
            if row[first] is None:
                yield paragraph(f"{f'For {where}: ' if where else ''}{first} is undefined for every list.", "lead")
                continue
            subject = f"{f' of {facts.name(row)}' if facts.systems else ''}{f' for {where}' if where else ''}"
            value = strong(shown_value(row[first])) + _interval(facts, row)
            yield paragraph(
                f"The {facts.named(first)}{subject} is " + value + f", over {_lists(facts, [row])}.", "lead"
            )
    elif len(partitions) > FEW:
        wins: dict[str, int] = {}
        for name in (facts.name(row) for _, rows in partitions for row in facts.best(first, rows)):
            wins[name] = wins.get(name, 0) + 1
        systems = ", ".join(f"{name} in {n:,}" for name, n in sorted(wins.items(), key=lambda item: -item[1]))
        begin = f"Of {len(partitions):,} partitions ({', '.join(facts.partitions)}), best by {first}: "
        yield paragraph(begin + strong(systems) + ".", "lead")
    else:
        for where, rows in partitions:
            yield paragraph((f"For {where}: " if where else "") + _best(facts, rows), "lead")
            labels_of: dict[str, list[str]] = {}
            for label in facts.labels[1:]:
                if best := facts.best(label, rows):
                    labels_of.setdefault(" and ".join(map(facts.name, best)), []).append(label)
            if others := "; ".join(f"{name} by {', '.join(labels)}" for name, labels in labels_of.items()):
                yield paragraph(f"Best by the other metrics: {others}.")


def _best(facts: ReportFacts, rows: Sequence[Row]) -> str:
    first = facts.labels[0]
    ranked, tied = facts.ranked(first, rows), facts.best(first, rows)
    if not ranked:
        return f"{first} is undefined for every list of every system."
    if not tied:
        values = ", ".join(f"{facts.name(row)} {shown_value(row[first])}" for row in ranked)
        return f"no value of {first} is the best. The means are: {values}."
    highest = "highest" if facts.best_of[first] is max else "lowest, which is the best,"
    sentence = strong(facts.name(ranked[0])) + f" has the {highest} {facts.named(first)}: "
    sentence += strong(shown_value(ranked[0][first])) + f"{_interval(facts, ranked[0])}, over {_lists(facts, rows)}. "
    if len(tied) > 1:
        return sentence + " and ".join(map(facts.name, tied[1:])) + " has exactly the same mean."
    return sentence + _distance(facts, first, ranked)


def _distance(facts: ReportFacts, label: str, ranked: Sequence[Row]) -> str:
    """The distance of the best from the baseline, or else from the second, and whether it is significant."""
    best, *others = ranked
    if not others:
        return ""
    baseline = facts.differences.baseline
    other = next((row for row in others if facts.name(row) == baseline), others[0])
    difference, base = best[label] - other[label], abs(other[label])
    share = f" ({abs(difference) / base:.1%})" if base else ""
    distance = strong(f"{shown_value(abs(difference))}{share} {'more' if difference >= 0 else 'less'}")
    role = ", the baseline" if facts.name(other) == baseline else ""
    sentence = "That is " + distance + " than " + strong(facts.name(other)) + f"{role}. "
    sentence += _verdict(facts, label, best, other)
    if other is not others[0]:
        second = strong(facts.name(others[0])) + f" ({shown_value(others[0][label])}). "
        sentence += " The second is " + second + _verdict(facts, label, best, others[0])
    return sentence


def _verdict(facts: ReportFacts, label: str, row: Row, other: Row) -> str:
    """Say if the difference of two systems is significant, or what its lists would show."""
    whole, pair = facts.differences.comparison, None
    if whole is not None and label in facts.of_lists:
        by, system, other_system = facts.keys(row, other)
        comparison, pair = whole.of_two(by, label, system, other_system)
    if pair is None:
        reason = facts.differences.reason
        because = f": {reason}" if reason else "."
        return f"Whether the difference is significant was not tested{because}"
    is_significant, p_value = (
        comparison.is_significant(pair),
        comparison.adjusted[comparison.options.tests[0]][pair.key],
    )
    verdict = strong("is significant" if is_significant else "is not significant")
    unseen = "" if is_significant else comparison.unseen(pair)
    lists = counted(pair.n_lists, "list", "lists")
    return "The difference " + verdict + f" ({facts.differences.in_words}, {lists}: {p_in_words(p_value)}){unseen}."


def _interval(facts: ReportFacts, row: Row) -> str:
    interval = facts.interval(row, facts.labels[0])
    return f" (95% confidence interval {interval})" if interval else ""


def _lists(facts: ReportFacts, rows: Sequence[Row]) -> str:
    """The lists for which the first metric is defined."""
    undefined, by = f"{UNDEFINED}{facts.labels[0]}", facts.layout.by
    counts = facts.with_intervals._checked.counts().scored
    numbers = [row[N_LISTS] - counts.get(tuple(row[name] for name in by), Counter())[undefined] for row in rows]
    low, high = min(numbers), max(numbers)
    lists = counted(low, "list", "lists") if low == high else f"{low:,} to {high:,} lists"
    return f"{lists} of each system" if len(rows) > 1 else lists


# Further rows are counted, and not shown; the chart has a panel for each of the first metrics.
SHOWN_ROWS, MOST_PANELS = 100, 6

BETTER, WORSE = "▲", "▼"


def leaderboard(facts: ReportFacts) -> Blocks:
    """A table of the mean of every metric for every system, with confidence intervals, and a chart."""
    differences, result, rows = facts.differences, facts.with_intervals, facts.rows
    counts = [N_LISTS, *([facts.n_missing] if any(row[facts.n_missing] for row in rows) else [])]
    columns = [*facts.systems, *facts.partitions, *facts.labels, *facts.others, *counts]
    cells = [
        line for _, of_partition in facts.by_partition() for line in _leaderboard_rows(facts, columns, of_partition)
    ]
    cells += TextTable.of_rows(columns, result._totals(), note_of=facts.interval).rows
    headings = [*map(result._marked_heading, columns)]
    if not facts.systems:
        headings, cells = ["systems", *headings], [[Cell("all"), *line] for line in cells]
    yield table(
        "The mean of each metric for each system, the best of each metric marked.", headings, cells[:SHOWN_ROWS]
    )
    yield from _more_rows(len(cells), SHOWN_ROWS)
    if result._marked:
        yield note(
            f"{FEWER_LISTS.strip()}: the mean leaves out lists that other means have: the metric is undefined there."
        )
    if any(facts.interval(row, label) for row in rows for label in facts.labels):
        yield note(
            "Below each mean: the 95% confidence interval of the mean. A dash says that a metric is undefined. "
            f"How intervals are computed: {help_on('intervals/')}"
        )
    elif facts.of_lists and LOW in facts.with_intervals.aggregates:
        yield note(f"There are no confidence intervals, as of too few lists: {help_on('intervals/')}")
    elif LOW not in facts.with_intervals.aggregates:
        yield note(f"There are no confidence intervals: {facts.engine.name} has no standard deviation.")
    if differences.comparison is not None:
        other = f"the baseline, {differences.baseline}" if differences.baseline else f"the best by {facts.labels[0]}"
        yield note(
            f"{BETTER} and {WORSE}: significantly better and worse than {other} ({differences.in_words}, p < {LEVEL})."
        )
    if facts.compares:
        draw = partial(facts.with_intervals.plot.leaderboard, facts.labels[:MOST_PANELS])
        yield figure(draw, "The mean of each metric for each system.")


def _leaderboard_rows(facts: ReportFacts, columns: Sequence[str], rows: Sequence[Row]) -> Sequence[Sequence[Cell]]:
    """The cells of a partition; a sign marks a mean that differs significantly from the reference."""
    reference, comparison = facts.reference(rows), facts.differences.comparison
    cells = TextTable.of_rows(columns, rows, best_of=facts.best_of, note_of=facts.interval).rows
    if reference is None or comparison is None:
        return cells

    def signed(row: Row, label: str, cell: Cell) -> Cell:
        by, system, other = facts.keys(row, reference)
        if other in comparison.worse[by, label, system]:
            return replace(cell, sign=BETTER, meaning=f"significantly better than {facts.name(reference)}")
        if system in comparison.worse[by, label, other]:
            return replace(cell, sign=WORSE, meaning=f"significantly worse than {facts.name(reference)}")
        return cell

    return [[*map(partial(signed, row), columns, line)] for row, line in zip(rows, cells, strict=True)]


# A table of more rows is folded, and of more than these the rest is left out.
OPEN_PAIRS, MOST_PAIRS = 30, 500


def comparison(facts: ReportFacts) -> Blocks:
    """A forest chart and a table of the differences of each pair, with their intervals and significance."""
    differences, whole = facts.differences, facts.differences.comparison
    if whole is None:
        raise LeftOut(differences.reason)
    baseline = differences.baseline
    which = f"Each system is compared with the baseline, {baseline}" if baseline else "All pairs are compared"
    yield paragraph(
        f"{which}, {'list by list' if differences.are_paired else 'each over its own lists'}: {differences.in_words}."
    )
    if any(pair.difference is not None for pair in differences.pairs):
        caption = "The differences of the means, with their 95% confidence intervals."
        frame = with_verdicts(whole.frame_of(differences.pairs), whole, differences.pairs)
        yield figure(partial(facts.with_intervals.plot.compare, frame), caption)
    pairs, lists = differences.pairs[:MOST_PAIRS], "both" if differences.are_paired else "each"
    caption = f"The differences of pairs of systems, over the lists of {lists}."
    rows = _block("table", caption, whole.pairs_table(pairs, are_numbers=True))
    yield rows if len(pairs) <= OPEN_PAIRS else folded(f"The differences in {len(pairs):,} rows", [rows])
    yield from _more_rows(len(differences.pairs), MOST_PAIRS)
    if sentences := [*whole.doubtful_sentences(), *whole.notes_on_lists()]:
        yield bullets(sentences)
    yield note(
        f"p: {differences.in_words}; below {LEVEL} it stands out. Wins/ties/losses: for how many lists the system is "
        "better than the baseline, equal and worse. Effect size: Cohen's d. Intervals are not corrected."
    )


# Charts of the first metrics only: each is a query of its own.
MOST_CURVES, MOST_DISTRIBUTIONS = 4, 2


def curves(facts: ReportFacts) -> Blocks:
    """The mean of each metric over its cutoffs."""
    cut = {  # of the metrics that differ in their cutoff only, the last: usually the deepest
        (metric.name, str(metric.settings)): metric
        for metric in facts.metrics
        if metric.k is not None and not metric.is_uncut
    }
    if not cut:
        raise LeftOut("no metric was requested with a cutoff.")
    captions = {
        metric: f"The {metric.spelling} at each cutoff."
        if metric.is_run
        else f"The mean of {metric.spelling} at each cutoff."
        for metric in [*cut.values()][:MOST_CURVES]
    }
    plot = facts.with_intervals.plot
    yield gallery([figure(partial(plot.curve, metric), caption) for metric, caption in captions.items()])


def distributions(facts: ReportFacts) -> Blocks:
    """A histogram of the values of lists for each of the first metrics that have a value per list."""
    if not facts.of_lists:
        raise LeftOut(NO_VALUES_OF_LISTS)
    caption, plot = "The share of the lists by their value of {}; the line is the mean.", facts.with_intervals.plot
    labels = facts.of_lists[:MOST_DISTRIBUTIONS]
    yield gallery([figure(partial(plot.distribution, label), caption.format(label)) for label in labels])


# Without segments of the caller: groups of lists by the length of their history.
BY_ACTIVITY = "activity"

# Further segments and systems are left out, and counted.
MOST_SEGMENTS, MOST_COLUMNS = 100, 12


def segments(facts: ReportFacts) -> Blocks:
    """A table for each segmentation, and the systems whose order changes between segments."""
    requested = facts.segments
    if not facts.of_lists:
        raise LeftOut(NO_VALUES_OF_LISTS)
    if requested is None and "history" not in facts.layout.extras:
        raise LeftOut("no segments were named, and there is no history by which lists are more or less active.")
    measured = facts.with_intervals.segments(requested or BY_ACTIVITY)
    for name, in_rows in zip(measured.names, measured._tables(), strict=True):
        yield heading(name)
        if facts.compares:
            yield _across_systems(facts, name, facts.of_lists[0], measured.printed_rows(name))
        shown = replace(in_rows, rows=in_rows.rows[:MOST_SEGMENTS])
        block = _block("table", f"The mean of each metric in each segment of {name}.", shown)
        yield folded(f"All metrics in the segments of {name}", [block]) if facts.compares else block
        yield from _more_rows(len(in_rows.rows), MOST_SEGMENTS)
    yield from _reversals(facts, measured)


def _across_systems(facts: ReportFacts, name: str, label: str, rows: Sequence[Row]) -> Markup:
    """A metric with a row for each segment, and for each partition in it, and a column for each system."""
    columns = list(dict.fromkeys(map(facts.name, facts.rows)))[:MOST_COLUMNS]
    lines: dict[tuple[object, ...], dict[str, Row]] = {}
    for row in rows:
        key = (row["segment"], *(row[column] for column in facts.partitions))
        lines.setdefault(key, {})[facts.name(row)] = row
    best_of = facts.best_of.get(label)
    cells = []
    for key, systems in [*lines.items()][:MOST_SEGMENTS]:
        values = {system: row[label] for system, row in systems.items() if row[label] is not None}
        best = best_of(values.values()) if best_of and len(values) > 1 else None
        marks = {system: BEST for system, value in values.items() if value == best}
        means = [number(values.get(column), marks.get(column, "")) for column in columns]
        cells.append([*key, *means, number(max(row[N_LISTS] for row in systems.values()), form=",")])
    caption = f"The mean {label} of each system in each segment, the best of each segment marked."
    return table(caption, [name, *facts.partitions, *columns, N_LISTS], cells)


def _reversals(facts: ReportFacts, measured: Segments) -> Blocks:
    """Systems that change their order in a segment, and a warning where most segments contradict the whole."""
    yield from map(_warning, measured.notes())
    if not facts.compares:
        return
    frame = measured.reversals()
    pairs = [
        f"{row['metric']}, {row['segmentation']}: {row['system_a']} and {row['system_b']} change their order in "
        f"{row['n_reversed']} of {row['n_segments']} segments, {row['n_lists_reversed']:,} of {row['n_lists']:,} lists"
        for row in frame.to_dicts()
        if row["n_reversed"]
    ]
    if pairs:
        yield bullets(pairs[:MOST_SEGMENTS])
    elif frame.height:
        yield paragraph("No two systems change their order in any segment.")


N_WORST = 10


def worst(facts: ReportFacts) -> Blocks:
    """The lists on which the best system loses most against another, and those with its lowest values."""
    if not facts.of_lists:
        raise LeftOut(NO_VALUES_OF_LISTS)
    label = facts.of_lists[0]
    if label not in facts.best_of:
        raise LeftOut(f"no value of {label} is better than another.")
    if tuple(facts.systems) != facts.layout.systems:
        raise LeftOut("the summary takes several systems together.")
    ranked = facts.ranked(label, facts.rows)
    if not ranked:
        yield note(f"{label} is undefined for every list.")
        return

    def system(row: Row) -> Mapping[str, Any]:
        return {name: row[name] for name in facts.systems}

    best, worst_lists = ranked[0], facts.with_intervals.worst
    name = facts.name(best) if facts.systems else "the recommendations"
    others = [row for row in ranked if system(row) != system(best) and facts.differences.are_paired]
    if others:
        other = next((row for row in others if facts.name(row) == facts.differences.baseline), others[0])
        losses = worst_lists(label, system(other), N_WORST, system=system(best))
        if losses.collect().height:
            caption = f"The lists on which {name} loses most against {facts.name(other)}, by {label}."
            yield _block("table", caption, *losses._tables())
        else:
            yield paragraph(f"{name} loses against {facts.name(other)} on no list, by {label}.")
    lowest = worst_lists(label, None, N_WORST, system=system(best) or None)
    cells = _block("table", f"The lists with the worst {label} of {name}.", *lowest._tables())
    yield folded(f"The lists with the worst values of {name}", [cells]) if others else cells
    yield note("rankmetrics trace shows one list, position by position.")


# Next to the total, a column for each row of the summary, unless there are more rows than these.
MOST_COUNT_COLUMNS = 8

# The counts of the lists that warnings are based on begin so.
OF_WARNINGS = "sampled_"


def account(facts: ReportFacts) -> Blocks:
    """The counts that are not 0; then, folded, the others; then the faults that the data was checked for."""
    rows = facts.engine.rows(facts.result.account())
    summed, known = counts_of(rows), {name for *_, name, _ in rows}  # without a history, no count is of the history
    counts, totals = [count for count in catalog().all("account") if count.name in known], summed.totals
    first = [count for count in counts if totals[count.name] and not count.name.startswith(OF_WARNINGS)]
    others = [count for count in counts if count not in first]
    faults = checks_of(facts.layout, required_of(facts.metrics, facts.result._checked.duplicates, facts.layout))
    yield _count_table(summed, "The counts of the data that are not 0.", first, facts.labels)
    yield folded("All other counts", [_count_table(summed, "Counts that are 0 or that only warnings read.", others)])
    checks = paragraph("rankmetrics refuses data with any of these faults. This data has none of them.")
    sentences = bullets([with_quotes(fault.what) for fault in faults])
    yield folded("The faults that the data was checked for", [checks, sentences])


def _count_table(summed: Counts, caption: str, counts: Sequence[Definition], labels: Sequence[str] = ()) -> Markup:
    """A table of counts, and of the lists for which each of some metrics is undefined."""
    totals, rows = summed.totals, summed.rows
    columns = [*rows] if 1 < len(rows) <= MOST_COUNT_COLUMNS else []
    meanings = {count.name: with_quotes(count.summary) for count in counts}
    for label in labels:
        if totals.get(f"{UNDEFINED}{label}"):
            meanings[f"{UNDEFINED}{label}"] = f"lists for which {label} is undefined; they are not in its mean"
    cells = [
        [
            Cell(name, note=meaning),
            number(totals[name], form=","),
            *(number("" if (n := rows[row].get(name)) is None else f"{n:,}") for row in columns),
        ]
        for name, meaning in meanings.items()
    ]
    return table(caption, ["count", "total", *(", ".join(map(shown_value, row)) for row in columns)], cells)


# The lines of a header that are shown, and their terms.
FIELDS = {"undefined": "undefined if", "range": "range", "better": "better is", "source": "source"}


def definitions(facts: ReportFacts) -> Blocks:
    """The definition of each metric, whatever its cutoffs: in words, with its parameters, its source and its SQL."""
    groups: dict[object, list[Metric]] = {}  # the metrics that differ only in their cutoff
    for metric in facts.metrics:
        settings = {name: value for name, value in metric.active.items() if name != "k"}
        groups.setdefault((metric.name, metric.convention, metric.k is None, str(settings)), []).append(metric)
    for metrics in groups.values():
        yield heading(", ".join(metric.label for metric in metrics))
        yield from _definition(metrics)


def _definition(metrics: Sequence[Metric]) -> Blocks:
    metric, definition = metrics[0], metrics[0].definition
    yield paragraph(f"{definition.name}: {with_quotes(definition.summary)}")
    if definition.notes:
        yield note(with_quotes(definition.notes))
    pairs = [("requested as", metric.text)] if metric.label != metric.text else []
    if metric.convention:
        pairs.append(("convention", f"{metric.convention}: {find(metric.convention).what}"))
    fields = {key: definition.fields[key] for key in FIELDS if key in definition.fields}
    pairs += [(FIELDS[key], with_links(with_quotes(text))) for key, text in fields.items()]
    if pairs:
        yield terms(pairs)
    parameters = []
    for parameter, value in shown_parameters(metric):
        if parameter.name in metric.active and value is not None:
            choice = parameter.choices.get(str(value), "")
            meaning = with_quotes(f"{choice}; {parameter.summary}" if choice else parameter.summary)
            values = ", ".join(str(each.k) for each in metrics) if parameter.name == "k" else str(value)
            parameters.append([parameter.name, values, meaning])
    if parameters:
        yield table(f"The parameters of {metric.text}.", ["parameter", "value", "meaning"], parameters)
    yield folded(f"The SQL of {definition.name}, with the steps that it reads", [code(explain_sql(metric))])


# The packages whose release may change a number or a text.
PACKAGES = ("duckdb", "polars", "sqlglot", "pyspark", "ibis-framework", "scipy", "altair")


def sql(facts: ReportFacts) -> Blocks:
    """The one query, in the dialect of the engine; left out where the dialect cannot say it as text."""
    try:
        text = facts.result.to_sql()
    except DialectError as error:
        raise LeftOut(error.text) from error
    dialect = DIALECTS[facts.engine.dialect].called
    yield paragraph(
        f"One query computes the means of all metrics. This is its text for {dialect}, without the intervals."
    )
    yield folded(f"{len(text.splitlines()):,} lines of SQL", [code(text)])


def versions(facts: ReportFacts) -> Blocks:
    """The options and the inputs of the evaluation, the releases that ran it, and the date."""
    inputs = []
    for name in facts.layout.names():
        side, files = facts.layout.side(name), facts.engine.files.get(name)
        where = ", ".join(files.paths) if files else f"a table of {facts.engine.name}"
        roles = [f"{role} = {column}" for role, column in side.roles.roles.items()]
        lists = [f"lists by {', '.join(side.list_columns)}"] if side.list_columns else []
        inputs.append([CALLED[name], where, "; ".join([*lists, *roles])])
    yield heading("Inputs")
    yield table("The inputs, and the role of their columns.", ["input", "read from", "columns"], inputs)
    if options := [*facts.result.options.items()]:
        yield heading("Options")
        yield table("The options that were set.", ["option", "value"], options)
    yield heading("Releases")
    releases = {
        "engine": facts.engine.name,
        **versions_of(PACKAGES),
        "Python": f"{platform.python_version()}, {platform.system()}",
        "written": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
    }
    yield terms([*releases.items()])


# The sections in the order of the page, each with its title; its anchor is the name of the function.
SECTIONS: Mapping[Section, str] = {
    summary: "Summary",
    leaderboard: "Leaderboard",
    comparison: "Comparison",
    curves: "Curves",
    distributions: "Distributions",
    segments: "Segments",
    worst: "Worst lists",
    account: "Account and checks",
    definitions: "Definitions",
    sql: "The SQL",
    versions: "Options and versions",
}


# --- the page ---------------------------------------------------------------------------------------------------------


def report(
    result: Result,
    path: str | Path | None = None,
    *,
    baseline: object = None,
    segments: object | None = None,
    title: str | None = None,
    tests: str | Sequence[str] = ("t",),
    margin: float | str | None = None,
    paired: bool = True,
    shares: Mapping[str, float] | None = None,
) -> str:
    """An evaluation as one HTML page that needs no other file and no network.

    The page has a summary in words, the leaderboard with confidence intervals and significance, curves, distributions,
    segments, the account of what was left out, the definitions of the metrics, the SQL, the options and the releases.
    It is readable on a phone and on paper, and light or dark as the reader's system is. Everything is computed when
    this is called.

    Args:
        result: what `evaluate` returned.
        path: the .html file to write; without a path, nothing is written. The file is there whole or not at all.
        baseline: the system that the others are compared with; by default the best by the first metric.
        segments: groups of lists to report on their own, as `Result.segments` takes them; by default by the activity
            of the users, if there is a history.
        title: the heading of the page.
        tests: the tests of differences; the first decides which are called significant. They take the clusters of the
            evaluation.
        margin: the difference that does not matter, as in "1%".
        paired: False if systems are the arms of an experiment. This and `tests` and `margin` are as in Result.compare.
        shares: the share of users that each arm should have.

    Returns:
        The page as text.

    Raises:
        InputError: the extra `report` is not installed, the path does not end in .html, or the file cannot be written.
            There is no system with the name of the baseline. Arms are compared, and the means count their missing
            lists as 0.
        DataError: as `Result.collect` does.

    Example:
        >>> import polars as pl
        >>> import rankmetrics as rm
        >>> recs = pl.LazyFrame({"user": [1, 1, 2, 2], "item": [7, 8, 7, 9], "score": [0.9, 0.5, 0.8, 0.1]})
        >>> truth = pl.LazyFrame({"user": [1, 2], "item": [8, 7]})
        >>> page = rm.report(rm.evaluate(recs, truth, ["rr"]), title="Two users")
        >>> page.splitlines()[0], "<h1>Two users</h1>" in page
        ('<!DOCTYPE html>', True)
    """
    if path is not None and Path(path).suffix.lower() not in (".html", ".htm"):
        raise InputError(f"A report is a page of HTML: end its name in .html, unlike {str(path)!r}.")
    statistics = {"tests": tests or ("t",), "margin": margin, "paired": paired, "shares": shares}
    text = page_of(ReportFacts(result, baseline, segments, statistics), title)
    if path is not None:
        with new_file(path) as temporary:
            temporary.write_text(text, encoding="utf-8")
    return text


def page_of(facts: ReportFacts, title: str | None = None, sections: Iterable[Section] = SECTIONS) -> str:
    """The page that states some facts, without scripts or other files; raises as `report` does."""
    page = templates().get_template("page.html")
    n_metrics = counted(len(facts.labels), "metric", "metrics")
    systems = f"{facts.n_systems:,} systems, " if facts.compares else ""
    shown, left_out = [], []
    for section in sections:
        try:
            shown.append((section.__name__, SECTIONS[section], [*section(facts)]))
        except LeftOut as reason:
            left_out.append((SECTIONS[section], reason))
    return page.render(
        title=title or "Evaluation report",
        subtitle=f"{systems}{n_metrics}: {', '.join(facts.labels)}",
        sections=shown,
        left_out=left_out,
        version=rm.__version__,
    )


CONFIDENCE = 0.95
LOW, HIGH = Aggregate("ci_low", CONFIDENCE), Aggregate("ci_high", CONFIDENCE)

# The correction that a report uses, and from which p-value on a difference is not significant.
CORRECTION, LEVEL = "holm", 0.05

# All pairs of more systems are not compared: the corrected p-values would hide every difference.
MOST_SYSTEMS = 20

# Nor are the systems of a leaderboard with more rows, such as a row for each user.
MOST_ROWS = 200

# A row of the summary, by its columns.
Row: TypeAlias = Mapping[str, Any]


class ReportFacts:
    """The facts of an evaluation that a report states; each is computed at its first use.

    The options are those of `report`; `statistics` are further options of `Result.compare`.
    """

    def __init__(
        self,
        result: Result,
        baseline: Any = None,
        segments: object | None = None,
        statistics: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self.result = result
        self.baseline = baseline
        self.segments = segments
        self.statistics = statistics
        self.layout = result.layout
        self.metrics = result.metrics
        self.engine = result._engine
        self.labels = [metric.label for metric in result.metrics]
        # The labels of the metrics with a value per list; the others are numbers of a system.
        self.of_lists = [metric.label for metric in result.metrics if not metric.is_run]
        # The columns of the summary that the truth has, too, and those that name systems.
        self.partitions = [name for name in self.layout.by if name in self.layout.truth_lists]
        self.systems = [name for name in self.layout.by if name not in self.layout.truth_lists]

    @cached_property
    def with_intervals(self) -> Result:
        """The evaluation with the mean, its confidence interval, and the other aggregates of the request.

        Without the interval where the database cannot compute it: SQLite has no standard deviation.
        """
        if self.layout.over is not None:
            return self.result
        result = self._aggregated(MEAN, LOW, HIGH)
        try:
            result.summary()
        except DialectError:
            return self._aggregated(MEAN)
        return result

    def _aggregated(self, *aggregates: Aggregate) -> Result:
        result, checked = self.result, self.result._checked
        aggregates = tuple(dict.fromkeys([*aggregates, *result.aggregates]))
        by_file = checked.inputs.by_file
        return Result(self.engine, result.metrics, result.layout, checked.duplicates, aggregates, by_file)

    # --- the leaderboard ----------------------------------------------------------------------------------------------

    @cached_property
    def rows(self) -> Sequence[Row]:
        """The means of all systems, computed and checked."""
        return self.with_intervals._leaderboard()

    @cached_property
    def best_of(self) -> Mapping[str, Callable[[Iterable[float]], float]]:
        """For each label that has a best value, `max` or `min`."""
        return self.with_intervals._queries.best_of

    @cached_property
    def others(self) -> list[str]:
        """The columns of the other aggregates of the request."""
        of_means = {aggregate.label(label) for label in self.of_lists for aggregate in (MEAN, LOW, HIGH)}
        return [column for column in self.with_intervals._summaries.columns if column not in {*of_means, *self.labels}]

    @cached_property
    def n_missing(self) -> str:
        """The column with the number of lists without recommendations."""
        return free_heading("n_missing", [*self.layout.by, N_LISTS, *self.with_intervals._summaries.columns])

    @cached_property
    def n_systems(self) -> int:
        """The number of systems: 1 if no column names a system."""
        return len({tuple(row[name] for name in self.systems) for row in self.rows})

    @property
    def compares(self) -> bool:
        """True if there are several systems to compare."""
        return self.n_systems > 1

    def name(self, row: Row) -> str:
        """The system of a row in words."""
        return name_of_system(row[name] for name in self.systems)

    def keys(self, row: Row, other: Row) -> tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]:
        """The values that name the partition of a row, its system, and the system of another row."""
        pairs = ((row, self.partitions), (row, self.systems), (other, self.systems))
        by, system, other_system = (tuple(each[name] for name in names) for each, names in pairs)
        return by, system, other_system

    def interval(self, row: Row, label: str) -> str:
        """The confidence interval of a mean, as in `0.2000 to 0.3000`; empty without an interval."""
        ends = [row.get(aggregate.label(label)) for aggregate in (LOW, HIGH)]
        return "" if None in ends else " to ".join(map(shown_value, ends))

    def named(self, label: str) -> str:
        """A number in words: the mean of a metric, or a number of a system."""
        return f"mean {label}" if label in self.of_lists else label

    def by_partition(self) -> Iterator[tuple[str, list[Row]]]:
        """Each partition in words, such as `day = 1`, and its rows; without partitions, all rows and no words."""

        def partition(row: Row) -> list[str]:
            return [f"{name} = {shown_value(row[name])}" for name in self.partitions]

        for values, rows in groupby(sorted(self.rows, key=partition), key=partition):
            yield ", ".join(values), [*rows]

    def ranked(self, label: str, rows: Sequence[Row]) -> list[Row]:
        """The rows with a value of a metric: the best first, or in their order if no value of it is the best."""
        defined, best = [row for row in rows if row[label] is not None], self.best_of.get(label)
        return ranked(defined, lambda row: row[label], descending=best is max) if best else defined

    def best(self, label: str, rows: Sequence[Row]) -> list[Row]:
        """The rows whose value of a metric is the best, up to rounding; none if no value of it is the best."""
        in_order = self.ranked(label, rows) if label in self.best_of else []
        return [row for row in in_order if same(row[label], in_order[0][label])]

    # --- differences --------------------------------------------------------------------------------------------------

    @cached_property
    def differences(self) -> Differences:
        """The differences of all pairs of systems, or of all systems from the baseline."""
        baseline, reason = self.baseline, ""
        if not self.compares:
            reason = "there is only one system."
        elif not self.of_lists:
            reason = "every metric is one number for each system, and a test needs a value for each list."
        elif baseline is None and self.n_systems > MOST_SYSTEMS:
            reason = f"there are {self.n_systems:,} systems, too many to compare all pairs. Name a baseline."
        elif len(self.rows) > MOST_ROWS:
            reason = f"the leaderboard has {len(self.rows):,} rows, too many to compare."
        if reason:
            return Differences(reason=reason)
        comparison = self.with_intervals.compare(baseline, correction=CORRECTION, **self.statistics)
        counts_missing = any(metric.values.get("missing") == "zero" for metric in self.metrics)
        advice = counted_as_0() if counts_missing and any(row[self.n_missing] for row in self.rows) else ""
        if advice and not comparison.options.paired:
            raise own_lists_only()
        try:
            pairs = comparison.pairs
        except DataError as error:
            reason = f"{error.text} {advice[:1].upper()}{advice[1:]}".rstrip()
            return Differences(reason=reason, are_paired=False)
        if comparison.plan.baseline is not None:
            baseline = name_of_system(comparison.plan.baseline)
            return Differences(comparison, pairs, baseline, are_paired=comparison.options.paired)
        pairs = [pair.turned() if comparison.is_better(pair) is False else pair for pair in pairs]
        return Differences(comparison, pairs, are_paired=comparison.options.paired)

    def reference(self, rows: Sequence[Row]) -> Row | None:
        """The system that others in a partition are compared with: the baseline, or the best by the first metric."""
        if baseline := self.differences.baseline:
            return next((row for row in rows if self.name(row) == baseline), None)
        return next(iter(self.best(self.labels[0], rows)), None)


@dataclass(frozen=True)
class Differences:
    """The differences of pairs of systems."""

    comparison: Comparison | None = None  # None where nothing was compared
    pairs: Sequence[Pair] = ()  # of all pairs, each with the better system first
    baseline: str = ""  # the name of the system that all others are compared with; empty where all pairs are compared
    reason: str = ""  # why nothing was compared; empty where something was
    are_paired: bool = True  # False if systems have lists of their own, as the arms of an experiment

    @property
    def in_words(self) -> str:
        """The test and the correction."""
        if self.comparison is None:
            return ""
        plan, test = self.comparison.plan, TESTS[self.comparison.options.tests[0]]
        cluster = f" clustered by {', '.join(plan.cluster)}" if plan.cluster and test.takes_clusters else ""
        correction = "" if test.is_of_all_pairs else ", p-values corrected by Holm's method"
        return f"{test.name if self.comparison.options.paired else test.of_arms}{cluster}{correction}"
