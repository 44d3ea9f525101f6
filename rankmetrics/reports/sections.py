"""The sections of a report in the order of the page: each is a function from the facts of an evaluation to blocks."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from importlib import metadata
from typing import TYPE_CHECKING, Any

from rankmetrics.dialects.base import DIALECTS
from rankmetrics.errors import WARNING, DataError, DialectError, counted
from rankmetrics.explanations.metric import explain_sql, shown_parameters
from rankmetrics.faults.faults import faults_of, required_of
from rankmetrics.inputs.sources import CALLED
from rankmetrics.metrics.catalog import N_LISTS, catalog
from rankmetrics.metrics.conventions import find
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.metric import Metric
from rankmetrics.planner import UNDEFINED
from rankmetrics.plots.files import to_svg
from rankmetrics.reports.blocks import (
    Block,
    Bullets,
    Code,
    Figure,
    Folded,
    Gallery,
    Heading,
    LeftOut,
    Paragraph,
    Section,
    Sentence,
    Terms,
    sentence,
    strong,
    with_links,
    with_quotes,
)
from rankmetrics.reports.facts import (
    IN_WORDS,
    LEVEL,
    LOW,
    Difference,
    Differences,
    ReportFacts,
    Standing,
    Standings,
)
from rankmetrics.segments.segments import NONE, Segments
from rankmetrics.tables import BEST, Cell, TextTable, shown_value

if TYPE_CHECKING:
    import polars as pl
    from altair.typing import ChartType

# The reason without a comparison, curves, or values of lists.
NO_VALUES_OF_LISTS = "every metric is one number for each system, and has no values of lists."


def figure(draw: Callable[[], ChartType], caption: str) -> Figure | Paragraph:
    """A chart with its caption; a sentence where there is nothing to draw, because a metric is undefined."""
    try:
        return Figure(to_svg(draw()), caption)
    except DataError as error:
        return Paragraph.note(f"There is no chart here. {error}")


def _table(caption: str, headings: Sequence[str], rows: Sequence[Sequence[Cell]]) -> TextTable:
    return TextTable(headings, rows, caption=caption)


def _number(text: str, mark: str = "", note: str = "") -> Cell:
    return Cell(text, is_number=True, mark=mark, note=note)


def _more_rows(n_rows: int, shown: int) -> list[Block]:
    """A sentence that counts the rows that are not shown, if there are any."""
    return [Paragraph.note(f"{n_rows - shown:,} more rows are left out here.")] if n_rows > shown else []


# --- summary ----------------------------------------------------------------------------------------------------------

# Of more partitions than these, only the number of partitions in which each system is best is told.
FEW = 4


def summary(facts: ReportFacts) -> Section:
    """In words, which system is best, by how much, over how many lists; the warnings; what was left out."""
    warnings = [note.removeprefix(WARNING) for note in facts.notes if note.startswith(WARNING)]
    counts = [note for note in facts.notes if not note.startswith(WARNING)]
    blocks: list[Block] = [*_answers(facts)]
    blocks += [Paragraph(sentence(strong("Warning: "), text), "warning") for text in warnings]
    if counts:
        blocks.append(Heading("What the means are taken over, and what was left out"))
        blocks.append(Bullets([sentence(with_quotes(note)) for note in counts]))
    return Section("summary", "Summary", blocks)


def _answers(facts: ReportFacts) -> Iterator[Paragraph]:
    standings = facts.standings
    partitions = [*standings.by_partition()]
    if not partitions:
        yield Paragraph(sentence("There is nothing to report: no list was scored."), "lead")
    elif not standings.systems or not standings.compares:
        yield from (_alone(standings, where, rows) for where, rows in partitions[:FEW])
    elif len(partitions) > FEW:
        yield _wins(standings, partitions)
    else:
        for where, rows in partitions:
            yield Paragraph(_best(standings, facts.differences, where, rows), "lead")
            if others := _best_by_others(standings, rows):
                yield Paragraph(others)


def _alone(standings: Standings, where: str, rows: Sequence[Standing]) -> Paragraph:
    """The mean where there is nothing to compare."""
    first, row = standings.metrics[0], rows[0]
    mean = row.means[first]
    begin = f"The {standings.named(first)}{f' of {row.name}' if row.name else ''}{f' for {where}' if where else ''} is "
    value = strong(shown_value(mean.value))
    return Paragraph(sentence(begin, value, f"{_interval(mean.interval)}, over {_lists([row])}."), "lead")


def _best(standings: Standings, differences: Differences, where: str, rows: Sequence[Standing]) -> Sentence:
    """The best system of a partition by the first metric, and its distance to the second."""
    first = standings.metrics[0]
    ranked, tied = standings.ranked(first, rows), standings.best(first, rows)
    begin = f"For {where}: " if where else ""
    if not ranked:
        return sentence(f"{begin}{first} is undefined for every list of every system.")
    if not tied:
        values = ", ".join(f"{row.name} {shown_value(row.means[first].value)}" for row in ranked)
        return sentence(f"{begin}no value of {first} is the best. The means are: {values}.")
    best, mean = ranked[0], ranked[0].means[first]
    highest = "highest" if standings.best_of[first] is max else "lowest, which is the best,"
    parts = sentence(
        begin,
        strong(best.name),
        f" has the {highest} {standings.named(first)}: ",
        strong(shown_value(mean.value)),
        f"{_interval(mean.interval)}, over {_lists(rows)}. ",
    )
    if len(tied) > 1:
        return parts + sentence(f"{_names(tied[1:])} has exactly the same mean.")
    return parts + _distance(differences, first, ranked)


def _distance(differences: Differences, label: str, ranked: Sequence[Standing]) -> Sentence:
    """How far the best is from the baseline, or else from the second, and whether that is significant."""
    best, others = ranked[0], ranked[1:]
    if not others:
        return ()
    other = next((row for row in others if row.name == differences.baseline), others[0])
    low, high = sorted(row.means[label].value or 0.0 for row in (best, other))
    base = abs(other.means[label].value or 0.0)
    share = f" ({(high - low) / base:.1%})" if base else ""
    than = "more" if best.means[label].value == high else "less"
    role = ", the baseline" if other.name == differences.baseline else ""
    parts = sentence(
        "That is ", strong(f"{shown_value(high - low)}{share} {than}"), " than ", strong(other.name), f"{role}. "
    )
    pair = differences.find(label, best, other)
    if pair is None or pair.p is None:
        return parts + sentence("Whether the difference is significant was not tested.")
    verdict = "is significant" if pair.is_significant else "is not significant"
    tested = f" ({IN_WORDS}, {pair.row['n_lists']:,} lists: {pair.p_in_words})."
    return parts + sentence("The difference ", strong(verdict), tested)


def _best_by_others(standings: Standings, rows: Sequence[Standing]) -> Sentence:
    """The systems that are best by each of the other metrics."""
    labels_of: dict[str, list[str]] = {}
    for label in standings.metrics[1:]:
        if best := standings.best(label, rows):
            labels_of.setdefault(_names(best), []).append(label)
    if not labels_of:
        return ()
    systems = "; ".join(f"{name} by {', '.join(labels)}" for name, labels in labels_of.items())
    return sentence(f"Best by the other metrics: {systems}.")


def _wins(standings: Standings, partitions: Sequence[tuple[str, Sequence[Standing]]]) -> Paragraph:
    """In how many partitions each system is best."""
    first, wins = standings.metrics[0], dict[str, int]()
    for _, rows in partitions:
        for row in standings.best(first, rows):
            wins[row.name] = wins.get(row.name, 0) + 1
    systems = ", ".join(f"{name} in {n:,}" for name, n in sorted(wins.items(), key=lambda item: -item[1]))
    begin = f"Of {len(partitions):,} partitions ({', '.join(standings.partitions)}), best by {first}: "
    return Paragraph(sentence(begin, strong(systems), "."), "lead")


def _interval(interval: str) -> str:
    return f" (95% confidence interval {interval})" if interval else ""


def _lists(rows: Sequence[Standing]) -> str:
    """How many lists the means are taken over."""
    counts = sorted({row.n_lists for row in rows})
    each = " of each system" if len(rows) > 1 else ""
    if len(counts) > 1:
        return f"{counts[0]:,} to {counts[-1]:,} lists{each}"
    return f"{counted(counts[0], 'list', 'lists')}{each}"


def _names(rows: Sequence[Standing]) -> str:
    return " and ".join(row.name for row in rows)


# --- leaderboard ------------------------------------------------------------------------------------------------------

# Further rows are counted, and not shown; the chart has a panel for each of the first metrics.
SHOWN_ROWS, MOST_PANELS = 100, 6

BETTER, WORSE = "▲", "▼"

INTERVALS = (
    "Below each mean: its 95% confidence interval over the lists, by the normal distribution. A dash says that a "
    "metric is undefined."
)


def leaderboard(facts: ReportFacts) -> Section:
    """A table of the mean of every metric for every system, with confidence intervals, and a chart."""
    standings, differences = facts.standings, facts.differences
    blocks = [*_leaderboard_table(facts)]
    if any(row.means[label].interval for row in standings.rows for label in standings.metrics):
        blocks.append(Paragraph.note(INTERVALS))
    elif LOW not in facts.with_intervals.aggregates:
        blocks.append(
            Paragraph.note(f"There are no confidence intervals: {facts.engine.name} has no standard deviation.")
        )
    if differences.comparison is not None:
        baseline = differences.baseline
        other = f"the baseline, {baseline}" if baseline else f"the best by {standings.metrics[0]}"
        signs = f"{BETTER} and {WORSE}: significantly better and worse than {other} ({IN_WORDS}, p < {LEVEL})."
        blocks.append(Paragraph.note(signs))
    if standings.compares:
        draw = partial(facts.with_intervals.plot.leaderboard, standings.metrics[:MOST_PANELS])
        blocks.append(figure(draw, "The mean of each metric for each system, with its 95% confidence interval."))
    return Section("leaderboard", "Leaderboard", blocks)


def _leaderboard_table(facts: ReportFacts) -> Iterator[Block]:
    standings, differences = facts.standings, facts.differences
    n_missing = ["n_missing"] if any(row.n_missing for row in standings.rows) else []
    headings = [
        *(standings.systems or ["systems"]),
        *standings.partitions,
        *standings.metrics,
        *standings.others,
        "n_lists",
        *n_missing,
    ]
    table = []
    for _, rows in standings.by_partition():
        best = {label: standings.best(label, rows) for label in standings.metrics} if len(rows) > 1 else {}
        reference = differences.reference(standings, rows)
        for row in rows:
            keys = [Cell(shown_value(value)) for value in (*(row.system or ("all",)), *row.partition)]
            means = []
            for label in standings.metrics:
                mark = BEST if row in best.get(label, ()) else ""
                means.append(_mean_cell(facts, label, row, reference, mark))
            others = [_number(shown_value(row.others[name])) for name in standings.others]
            counts = [row.n_lists, row.n_missing] if n_missing else [row.n_lists]
            table.append([*keys, *means, *others, *(_number(f"{n:,}") for n in counts)])
    yield _table(
        "The mean of each metric for each system, the best of each metric marked.", headings, table[:SHOWN_ROWS]
    )
    yield from _more_rows(len(table), SHOWN_ROWS)


def _mean_cell(facts: ReportFacts, label: str, row: Standing, reference: Standing | None, mark: str) -> Cell:
    """The mean of a metric, with a sign if it differs significantly from the reference."""
    mean, sign, meaning = row.means[label], "", ""
    pair = facts.differences.find(label, row, reference) if reference and label in facts.standings.best_of else None
    if pair and reference and pair.is_significant:
        sign, word = (BETTER, "better") if pair.is_better else (WORSE, "worse")
        meaning = f"significantly {word} than {reference.name}"
    return Cell(shown_value(mean.value), True, mark, mean.interval, sign=sign, meaning=meaning)


# --- comparison -------------------------------------------------------------------------------------------------------

# A table of more rows is folded, and of more than these the rest is left out.
OPEN_PAIRS, MOST_PAIRS = 30, 500


def comparison(facts: ReportFacts) -> Section | LeftOut:
    """A forest chart and a table of the differences of each pair, with their intervals and significance."""
    differences = facts.differences
    if differences.comparison is None:
        return LeftOut("Comparison", differences.reason)
    baseline = differences.baseline
    pairs = f"Each system is compared with the baseline, {baseline}" if baseline else "All pairs are compared"
    blocks: list[Block] = [Paragraph(sentence(f"{pairs}, list by list: {IN_WORDS}."))]
    frame = differences.frame()
    if frame["difference"].null_count() < frame.height:
        caption = "The differences of the means, with their 95% confidence intervals."
        blocks.append(figure(partial(facts.with_intervals.plot.compare, frame), caption))
    rows = [[*_pair_cells(pair, differences.by)] for pair in differences.pairs[:MOST_PAIRS]]
    headings = ["pair", *differences.by, "metric", "difference", "relative", "p", "better / equal / worse"]
    table = _table("The differences of pairs of systems, over the lists of both.", [*headings, "effect size"], rows)
    blocks.append(table if len(rows) <= OPEN_PAIRS else Folded(f"The differences in {len(rows):,} rows", [table]))
    note = (
        f"p: {IN_WORDS}; below {LEVEL} it stands out. Better / equal / worse: for how many lists the first system is "
        "better, equal and worse. Effect size: Cohen's d of the paired differences. Intervals are not corrected."
    )
    blocks += [*_more_rows(len(differences.pairs), MOST_PAIRS), Paragraph.note(note)]
    return Section("comparison", "Comparison", blocks)


def _pair_cells(pair: Difference, by: Sequence[str]) -> Iterator[Cell]:
    row = pair.row
    yield Cell(f"{row['system']} − {row['baseline']}")
    yield from (Cell(shown_value(row[name])) for name in by)
    yield Cell(row["metric"])
    ends = "" if row["ci_low"] is None else f"{_signed(row['ci_low'])} to {_signed(row['ci_high'])}"
    yield _number(_signed(row["difference"]), note=ends)
    relative = row["relative_difference"]
    yield _number("–" if relative is None else f"{relative:+.1%}")
    mark = "significant" if pair.is_significant else ""
    yield _number(pair.p_in_words.removeprefix("p ").removeprefix("= "), mark)
    yield _number(f"{row['wins']:,} / {row['ties']:,} / {row['losses']:,}", note=f"{row['n_lists']:,} lists")
    yield _number(_signed(row["effect_size"]))


def _signed(value: float | None) -> str:
    return shown_value(None) if value is None else f"{value:+.4f}"


# --- curves and distributions -----------------------------------------------------------------------------------------

# Charts of the first metrics only: each is a query of its own.
MOST_CURVES, MOST_DISTRIBUTIONS = 4, 2


def curves(facts: ReportFacts) -> Section | LeftOut:
    """The mean of each metric over its cutoffs."""
    cut: dict[tuple[str, str], Metric] = {}
    for metric in facts.metrics:
        if metric.k is not None and not metric.is_uncut:
            cut[metric.name, str(metric.settings)] = metric  # the last one: usually the deepest
    if not cut:
        return LeftOut("Curves", "no metric was requested with a cutoff.")
    plot, figures = facts.with_intervals.plot, []
    for metric in [*cut.values()][:MOST_CURVES]:
        caption = f"The {metric.spelling} at each cutoff."
        if not metric.is_run:
            caption = f"The mean of {metric.spelling} at each cutoff, with its 95% confidence interval."
        figures.append(figure(partial(plot.curve, metric), caption))
    return Section("curves", "Curves", [Gallery(figures)])


def distributions(facts: ReportFacts) -> Section | LeftOut:
    """A histogram of the values of lists for each of the first metrics that have a value per list."""
    labels = [metric.label for metric in facts.metrics if not metric.is_run]
    if not labels:
        return LeftOut("Distributions", NO_VALUES_OF_LISTS)
    plot, figures = facts.with_intervals.plot, []
    for label in labels[:MOST_DISTRIBUTIONS]:
        caption = f"The share of the lists by their value of {label}; the line is the mean."
        figures.append(figure(partial(plot.distribution, label), caption))
    return Section("distributions", "Distributions", [Gallery(figures)])


# --- segments ---------------------------------------------------------------------------------------------------------

# Without segments of the caller: groups of lists by the length of their history.
BY_ACTIVITY = "activity"

# Further segments and systems are left out, and counted.
MOST_SEGMENTS, MOST_COLUMNS = 100, 12


def segments(facts: ReportFacts) -> Section | LeftOut:
    """A table for each segmentation, and the systems whose order changes between segments."""
    requested = facts.options.segments
    if all(metric.is_run for metric in facts.metrics):
        return LeftOut("Segments", NO_VALUES_OF_LISTS)
    if requested is None and "history" not in facts.layout.extras:
        reason = "no segments were named, and there is no history by which lists are more or less active."
        return LeftOut("Segments", reason)
    found = facts.with_intervals.segments(requested or BY_ACTIVITY)
    rows = found.collect().to_dicts()
    blocks: list[Block] = []
    for name in found.names:
        blocks.append(Heading(name))
        blocks += _segment_tables(facts, name, [row for row in rows if row["segmentation"] == name])
    return Section("segments", "Segments", [*blocks, *_reversals(facts, found)])


def _segment_tables(facts: ReportFacts, name: str, rows: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    """A table of the first metric with a column for each system, then all metrics in rows."""
    standings = facts.standings
    labels = [metric.label for metric in facts.metrics if not metric.is_run]
    by = [*standings.systems, *standings.partitions]
    if standings.systems and standings.compares:
        yield _across_systems(standings, name, labels[0], rows)
    cells = [
        [
            _segment(row),
            *(Cell(shown_value(row[column])) for column in by),
            *(_number(shown_value(row[label])) for label in labels),
            _number(f"{row[N_LISTS]:,}"),
        ]
        for row in rows[:MOST_SEGMENTS]
    ]
    caption = f"The mean of each metric in each segment of {name}."
    table = _table(caption, ["segment", *by, *labels, N_LISTS], cells)
    yield Folded(f"All metrics in the segments of {name}", [table]) if standings.compares else table
    yield from _more_rows(len(rows), MOST_SEGMENTS)


def _across_systems(standings: Standings, name: str, label: str, rows: Sequence[Mapping[str, Any]]) -> TextTable:
    """A metric with a row for each segment, and for each partition in it, and a column for each system."""
    columns = list(dict.fromkeys(row.name for row in standings.rows))[:MOST_COLUMNS]
    lines: dict[tuple[Cell, ...], dict[str, Mapping[str, Any]]] = {}
    for row in rows:
        key = (_segment(row), *(Cell(shown_value(row[column])) for column in standings.partitions))
        lines.setdefault(key, {})[standings.name_of(row)] = row
    best_of = standings.best_of.get(label)
    table = []
    for key, systems in [*lines.items()][:MOST_SEGMENTS]:
        values = {system: row[label] for system, row in systems.items()}
        defined = [value for value in values.values() if value is not None]
        best = best_of(defined) if best_of and len(defined) > 1 else None
        cells = []
        for column in columns:
            value = values.get(column)
            cells.append(_number(shown_value(value), BEST if value is not None and value == best else ""))
        table.append([*key, *cells, _number(f"{max(row[N_LISTS] for row in systems.values()):,}")])
    caption = f"The mean {label} of each system in each segment, the best of each segment marked."
    return _table(caption, [name, *standings.partitions, *columns, N_LISTS], table)


def _segment(row: Mapping[str, Any]) -> Cell:
    return Cell(NONE if row["segment"] is None else str(row["segment"]))


def _reversals(facts: ReportFacts, found: Segments) -> Iterator[Block]:
    """Systems that change their order in a segment, and a warning where most segments contradict the whole."""
    for note in found.notes():
        yield Paragraph(sentence(strong(WARNING), note.removeprefix(WARNING)), "warning")
    if not facts.standings.compares or not facts.standings.systems:
        return
    frame = found.reversals()
    pairs = [
        f"{row['metric']}, {row['segmentation']}: {row['system_a']} and {row['system_b']} change their order in "
        f"{row['n_reversed']} of {row['n_segments']} segments, {row['n_lists_reversed']:,} of {row['n_lists']:,} lists"
        for row in frame.to_dicts()
        if row["n_reversed"]
    ]
    if pairs:
        yield Bullets([sentence(pair) for pair in pairs[:MOST_SEGMENTS]])
    elif frame.height:
        yield Paragraph(sentence("No two systems change their order in any segment."))


# --- worst lists ------------------------------------------------------------------------------------------------------

N_WORST = 10


def worst(facts: ReportFacts) -> Section | LeftOut:
    """The lists on which the best system loses most against another, and those with its lowest values."""
    label = next((metric.label for metric in facts.metrics if not metric.is_run), None)
    reason = ""
    if label is None:
        reason = NO_VALUES_OF_LISTS
    elif label not in facts.standings.best_of:
        reason = f"no value of {label} is better than another."
    elif tuple(facts.standings.systems) != facts.layout.systems:
        reason = "the summary takes several systems together."
    if reason or label is None:
        return LeftOut("Worst lists", reason)
    return Section("worst", "Worst lists", [*_worst_tables(facts, label)])


def _worst_tables(facts: ReportFacts, label: str) -> Iterator[Block]:
    standings = facts.standings
    ranked = standings.ranked(label, standings.rows)
    if not ranked:
        yield Paragraph.note(f"{label} is undefined for every list.")
        return
    best, worst_lists = ranked[0], facts.with_intervals.worst
    system = dict(zip(standings.systems, best.system, strict=True)) if standings.systems else None
    name = best.name or "the recommendations"
    others = [row for row in ranked if row.system != best.system]
    if others:
        other = next((row for row in others if row.name == facts.differences.baseline), others[0])
        losses = worst_lists(label, dict(zip(standings.systems, other.system, strict=True)), N_WORST, system=system)
        if losses.height:
            yield _frame_table(f"The lists on which {name} loses most against {other.name}, by {label}.", losses)
        else:
            yield Paragraph(sentence(f"{name} loses against {other.name} on no list, by {label}."))
    lowest = worst_lists(label, None, N_WORST, system=system)
    table = _frame_table(f"The lists with the worst {label} of {name}.", lowest)
    yield Folded(f"The lists with the worst values of {name}", [table]) if others else table
    yield Paragraph.note("rankmetrics trace shows one list, position by position.")


def _frame_table(caption: str, frame: pl.DataFrame) -> TextTable:
    are_numbers = [kind.is_float() for kind in frame.schema.values()]
    rows = [
        [Cell(shown_value(value), is_number) for value, is_number in zip(row, are_numbers, strict=True)]
        for row in frame.iter_rows()
    ]
    return _table(caption, frame.columns, rows)


# --- account ----------------------------------------------------------------------------------------------------------

# Next to the total, a column for each row of the summary, unless there are more rows than these.
MOST_COUNT_COLUMNS = 8

# The counts of the lists that warnings are based on begin so.
OF_WARNINGS = "sampled_"


def account(facts: ReportFacts) -> Section:
    """The counts that are not 0; then, folded, the others; then the faults that the data was checked for."""
    counts = [count for count in catalog().all("account") if count.name in facts.counted]
    totals = facts.account.totals
    first = [count for count in counts if totals[count.name] and not count.name.startswith(OF_WARNINGS)]
    others = [count for count in counts if count not in first]
    rest = _count_table(facts, "Counts that are 0 or that only warnings read.", others, ())
    faults = faults_of(facts.layout, required_of(facts.metrics, facts.result._checked.duplicates))
    checks: list[Block] = [
        Paragraph(sentence("rankmetrics refuses data with any of these faults. This data has none of them.")),
        Bullets([sentence(with_quotes(fault.what)) for fault in faults]),
    ]
    blocks: list[Block] = [
        _count_table(facts, "The counts of the data that are not 0.", first, facts.metrics),
        Folded("All other counts", [rest]),
        Folded("The faults that the data was checked for", checks),
    ]
    return Section("account", "Account and checks", blocks)


def _count_table(
    facts: ReportFacts, caption: str, definitions: Sequence[Definition], metrics: Sequence[Metric]
) -> TextTable:
    """A table of counts, and of the lists for which each of some metrics is undefined."""
    totals, rows = facts.account.totals, facts.account.rows
    columns = [*rows] if facts.layout.by and 1 < len(rows) <= MOST_COUNT_COLUMNS else []
    meanings = {definition.name: with_quotes(definition.summary) for definition in definitions}
    for metric in metrics:
        if totals.get(name := f"{UNDEFINED}{metric.label}"):
            meanings[name] = f"lists for which {metric.label} is undefined; they are not in its mean"
    cells = []
    for name, meaning in meanings.items():
        counts = [totals[name], *(rows[row].get(name) for row in columns)]
        cells.append([Cell(name, note=meaning), *(_number("" if n is None else f"{n:,}") for n in counts)])
    return _table(caption, ["count", "total", *(", ".join(map(shown_value, row)) for row in columns)], cells)


# --- definitions ------------------------------------------------------------------------------------------------------

# The lines of a header that are shown, and their terms.
FIELDS = {"undefined": "undefined if", "range": "range", "better": "better is", "source": "source"}


def definitions(facts: ReportFacts) -> Section:
    """The definition of each metric, whatever its cutoffs: in words, with its parameters, its source and its SQL."""
    groups: dict[object, list[Metric]] = {}  # the metrics that differ only in their cutoff
    for metric in facts.metrics:
        settings = {name: value for name, value in metric.active.items() if name != "k"}
        groups.setdefault((metric.name, metric.convention, metric.k is None, str(settings)), []).append(metric)
    blocks: list[Block] = []
    for metrics in groups.values():
        blocks += [Heading(", ".join(metric.label for metric in metrics)), *_definition(metrics)]
    return Section("definitions", "Definitions", blocks)


def _definition(metrics: Sequence[Metric]) -> Iterator[Block]:
    metric, definition = metrics[0], metrics[0].definition
    yield Paragraph(sentence(f"{definition.name}: {with_quotes(definition.summary)}"))
    if definition.notes:
        yield Paragraph.note(with_quotes(definition.notes))
    terms: list[tuple[str, Sentence]] = []
    if metric.label != metric.text:
        terms.append(("requested as", sentence(metric.text)))
    if metric.convention:
        terms.append(("convention", sentence(f"{metric.convention}: {find(metric.convention).what}")))
    fields = {key: definition.fields[key] for key in FIELDS if key in definition.fields}
    terms += [(FIELDS[key], with_links(with_quotes(text))) for key, text in fields.items()]
    if terms:
        yield Terms(terms)
    parameters = []
    for parameter, value in shown_parameters(metric):
        if parameter.name in metric.active and value is not None:
            choice = parameter.choices.get(str(value), "")
            meaning = with_quotes(f"{choice}; {parameter.summary}" if choice else parameter.summary)
            values = ", ".join(str(each.k) for each in metrics) if parameter.name == "k" else str(value)
            parameters.append([Cell(parameter.name), Cell(values), Cell(meaning)])
    if parameters:
        yield _table(f"The parameters of {metric.text}.", ["parameter", "value", "meaning"], parameters)
    yield Folded(f"The SQL of {definition.name}, with the steps that it reads", [Code(explain_sql(metric))])


# --- the query, options and versions ----------------------------------------------------------------------------------

# The packages whose release may change a number or a text.
PACKAGES = ("rankmetrics", "duckdb", "polars", "sqlglot", "pyspark", "ibis-framework", "scipy", "altair")


def query(facts: ReportFacts) -> Section | LeftOut:
    """The one query, in the dialect of the engine; left out where the dialect cannot say it as text."""
    try:
        text = facts.result.to_sql()
    except DialectError as error:
        return LeftOut("The SQL", error.written(facts.options.spell))
    dialect = DIALECTS[facts.engine.dialect].called
    said = f"One query computes the means of all metrics. This is its text for {dialect}, without the intervals."
    folded = Folded(f"{len(text.splitlines()):,} lines of SQL", [Code(text)])
    return Section("sql", "The SQL", [Paragraph(sentence(said)), folded])


def versions(facts: ReportFacts) -> Section:
    """The options and the inputs of the evaluation, the releases that ran it, and the date."""
    layout, inputs = facts.layout, []
    for name in layout.names():
        side, files = layout.side(name), facts.engine.files.get(name)
        where = ", ".join(files.paths) if files else f"a table of {facts.engine.name}"
        roles = [f"{role} = {column}" for role, column in side.roles.roles.items()]
        lists = [f"lists by {', '.join(side.list_columns)}"] if side.list_columns else []
        inputs.append([Cell(CALLED[name]), Cell(where), Cell("; ".join([*lists, *roles]))])
    headings = ["input", "read from", "columns"]
    blocks: list[Block] = [Heading("Inputs"), _table("The inputs, and the role of their columns.", headings, inputs)]
    if options := [[Cell(name), Cell(value)] for name, value in facts.result.options.items()]:
        caption = "The options that differ from their default."
        blocks += [Heading("Options"), _table(caption, ["option", "value"], options)]
    releases = {"engine": facts.engine.name}
    for package in PACKAGES:
        try:
            releases[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    releases["Python"] = f"{platform.python_version()}, {platform.system()}"
    releases["written"] = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    blocks += [Heading("Releases"), Terms([(name, sentence(release)) for name, release in releases.items()])]
    return Section("versions", "Options and versions", blocks)


Writer = Callable[[ReportFacts], Section | LeftOut]

SECTIONS: Sequence[Writer] = (
    summary,
    leaderboard,
    comparison,
    curves,
    distributions,
    segments,
    worst,
    account,
    definitions,
    query,
    versions,
)
