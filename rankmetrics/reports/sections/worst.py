"""The worst lists: where the best system has its lowest values, and where it loses most against another."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rankmetrics.reports.blocks import Block, Cell, Folded, LeftOut, Paragraph, Section, Table, sentence
from rankmetrics.reports.facts import Facts
from rankmetrics.tables import shown_value

TITLE = "Worst lists"

# How many lists are shown.
N = 10


def worst(facts: Facts) -> Section | LeftOut:
    """A table of losses against another system, and a table of low values."""
    board = facts.leaderboard
    label = next((metric.label for metric in facts.metrics if not metric.is_run), None)
    if label is None:
        return LeftOut(TITLE, "every metric is one number for each system, and has no values of lists.")
    if label not in board.best_of:
        return LeftOut(TITLE, f"no value of {label} is better than another.")
    if tuple(board.systems) != facts.layout.systems:
        return LeftOut(TITLE, "the summary takes several systems together.")
    return Section("worst", TITLE, [*_tables(facts, label)])


def _tables(facts: Facts, label: str) -> Iterator[Block]:
    board = facts.leaderboard
    ranked = board.ranked(label, board.standings)
    if not ranked:
        yield Paragraph(sentence(f"{label} is undefined for every list."), "note")
        return
    best, find = ranked[0], facts.with_intervals.worst
    system = dict(zip(board.systems, best.system, strict=True)) if board.systems else None
    called = best.name or "the recommendations"
    others = [row for row in ranked if row.system != best.system]
    if others:
        other = next((row for row in others if row.name == facts.pairs.baseline), others[0])
        against = dict(zip(board.systems, other.system, strict=True))
        lost = find(label, against, N, system=system)
        caption = f"The lists on which {called} loses most against {other.name}, by {label}."
        yield (
            _table(caption, lost)
            if lost.height
            else Paragraph(sentence(f"{called} loses against {other.name} on no list, by {label}."))
        )
    table = _table(f"The lists with the worst {label} of {called}.", find(label, None, N, system=system))
    yield Folded(f"The lists with the worst values of {called}", [table]) if others else table
    yield Paragraph(sentence("rankmetrics trace shows one list, position by position."), "note")


def _table(caption: str, frame: pl.DataFrame) -> Table:
    numbers = {name for name, kind in frame.schema.items() if kind.is_float()}
    rows = [
        [Cell(shown_value(value), is_number=name in numbers) for name, value in zip(frame.columns, row, strict=True)]
        for row in frame.iter_rows()
    ]
    return Table(caption, frame.columns, rows)
