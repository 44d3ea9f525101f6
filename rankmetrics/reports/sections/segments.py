"""Segments: the first metric for each system in groups of lists, and systems whose order changes between groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rankmetrics.errors import WARNING
from rankmetrics.metrics.catalog import N_LISTS
from rankmetrics.reports.blocks import (
    Block,
    Bullets,
    Cell,
    Folded,
    Heading,
    LeftOut,
    Paragraph,
    Section,
    Table,
    sentence,
    strong,
)
from rankmetrics.reports.facts import Facts
from rankmetrics.segments.segments import NONE, Segments
from rankmetrics.tables import shown_value

TITLE = "Segments"

# Without segments of the caller: groups of lists by the length of their history.
BY_ACTIVITY = "activity"

# Further segments and systems are left out, and counted.
MOST_ROWS, MOST_COLUMNS = 100, 12


def segments(facts: Facts) -> Section | LeftOut:
    """A table for each segmentation, and the reversals."""
    wanted = facts.wishes.segments
    if not [metric for metric in facts.metrics if not metric.is_run]:
        return LeftOut(TITLE, "every metric is one number for each system, and has no values of lists.")
    if wanted is None and "history" not in facts.layout.extras:
        return LeftOut(TITLE, "no segments were named, and there is no history by which lists are more or less active.")
    found = facts.with_intervals.segments(wanted or BY_ACTIVITY)
    rows = found.collect().to_dicts()
    blocks: list[Block] = []
    for name in found.names:
        blocks += [Heading(name), *_tables(facts, name, [row for row in rows if row["segmentation"] == name])]
    return Section("segments", TITLE, [*blocks, *_reversals(facts, found)])


def _tables(facts: Facts, name: str, rows: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    """A table of the first metric with a column for each system, then all metrics in rows."""
    board = facts.leaderboard
    labels = [metric.label for metric in facts.metrics if not metric.is_run]
    first, by = labels[0], [*board.systems, *board.partitions]
    if board.systems and board.compares:
        yield _across(facts, name, first, rows)
    headings = ["segment", *by, *labels, N_LISTS]
    cells = [
        [
            Cell(_segment(row)),
            *(Cell(shown_value(row[column])) for column in by),
            *(Cell(shown_value(row[label]), is_number=True) for label in labels),
            Cell(f"{row[N_LISTS]:,}", is_number=True),
        ]
        for row in rows[:MOST_ROWS]
    ]
    table = Table(f"The mean of each metric in each segment of {name}.", headings, cells)
    yield Folded(f"All metrics in the segments of {name}", [table]) if board.compares else table
    if len(rows) > MOST_ROWS:
        yield Paragraph(sentence(f"{len(rows) - MOST_ROWS:,} more rows are left out here."), "note")


def _across(facts: Facts, name: str, label: str, rows: Sequence[Mapping[str, Any]]) -> Table:
    """A metric with a row for each segment, and for each partition in it, and a column for each system."""
    board = facts.leaderboard
    columns = list(dict.fromkeys(standing.name for standing in board.standings))[:MOST_COLUMNS]
    lines: dict[tuple[str, ...], dict[str, Mapping[str, Any]]] = {}
    for row in rows:
        key = (_segment(row), *(shown_value(row[column]) for column in board.partitions))
        lines.setdefault(key, {})[facts.name_of(row)] = row
    of = board.best_of.get(label)
    table = []
    for key, systems in [*lines.items()][:MOST_ROWS]:
        values = [row[label] for row in systems.values() if row[label] is not None]
        best = of(values) if of and len(values) > 1 else None
        n_lists = max(row[N_LISTS] for row in systems.values())
        cells = (_value(systems.get(column), label, best) for column in columns)
        table.append([*map(Cell, key), *cells, Cell(f"{n_lists:,}", is_number=True)])
    caption = f"The mean {label} of each system in each segment, the best of each segment marked."
    return Table(caption, [name, *board.partitions, *columns, N_LISTS], table)


def _value(row: Mapping[str, Any] | None, label: str, best: float | None) -> Cell:
    value = row[label] if row else None
    return Cell(shown_value(value), mark="best" if value is not None and value == best else "", is_number=True)


def _segment(row: Mapping[str, Any]) -> str:
    return NONE if row["segment"] is None else str(row["segment"])


def _reversals(facts: Facts, found: Segments) -> Iterator[Block]:
    """Which systems change their order in a segment, and a warning where most segments contradict the whole."""
    for note in found.notes():
        yield Paragraph(sentence(strong(WARNING), note.removeprefix(WARNING)), "warning")
    if not facts.leaderboard.compares or not facts.leaderboard.systems:
        return
    frame = found.reversals()
    reversed_pairs = [
        f"{row['metric']}, {row['segmentation']}: {row['system_a']} and {row['system_b']} change their order in "
        f"{row['n_reversed']} of {row['n_segments']} segments, {row['n_lists_reversed']:,} of {row['n_lists']:,} lists"
        for row in frame.to_dicts()
        if row["n_reversed"]
    ]
    if not reversed_pairs:
        if frame.height:
            yield Paragraph(sentence("No two systems change their order in any segment."))
        return
    yield Bullets([sentence(one) for one in reversed_pairs[:MOST_ROWS]])
