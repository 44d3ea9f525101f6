"""The comparison: the difference of each pair of systems, with its interval and its significance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rankmetrics.reports import charts
from rankmetrics.reports.blocks import Block, Cell, Folded, LeftOut, Paragraph, Section, Table, sentence
from rankmetrics.reports.facts import Facts
from rankmetrics.reports.pairs import IN_WORDS, LEVEL, Difference, Pairs
from rankmetrics.tables import shown_value

TITLE = "Comparison"

# A table of more rows is folded, and of more than these the rest is left out.
OPEN_ROWS, MOST_ROWS = 30, 500


def comparison(facts: Facts) -> Section | LeftOut:
    """A forest chart and a table of the differences."""
    pairs = facts.pairs
    if pairs.comparison is None:
        return LeftOut(TITLE, pairs.reason)
    frame, plot = pairs.frame(), facts.with_intervals.plot
    blocks: list[Block] = [Paragraph(sentence(_begin(pairs)))]
    if frame["difference"].null_count() < frame.height:
        blocks.append(
            charts.figure(
                lambda: plot.compare(frame), "The differences of the means, with their 95% confidence intervals."
            )
        )
    rows = [[*_cells(difference, pairs.by)] for difference in pairs.differences[:MOST_ROWS]]
    headings = [*pairs.by, "metric", "difference", "relative", "p", "better / equal / worse", "effect size"]
    table = Table("The differences of pairs of systems, over the lists of both.", ["pair", *headings], rows)
    blocks.append(table if len(rows) <= OPEN_ROWS else Folded(f"The differences in {len(rows):,} rows", [table]))
    if len(pairs.differences) > MOST_ROWS:
        blocks.append(
            Paragraph(sentence(f"{len(pairs.differences) - MOST_ROWS:,} more rows are left out here."), "note")
        )
    note = (
        f"p: {IN_WORDS}; below {LEVEL} it stands out. Better / equal / worse: for how many lists the first system is "
        "better, equal and worse. Effect size: Cohen's d of the paired differences. Intervals are not corrected."
    )
    return Section("comparison", TITLE, [*blocks, Paragraph(sentence(note), "note")])


def _begin(pairs: Pairs) -> str:
    """What is compared, in a sentence."""
    of = f"Each system is compared with the baseline, {pairs.baseline}" if pairs.baseline else "All pairs are compared"
    return f"{of}, list by list: {IN_WORDS}."


def _cells(one: Difference, by: Sequence[str]) -> Iterator[Cell]:
    row = one.row
    yield Cell(f"{row['system']} − {row['baseline']}")
    yield from (Cell(shown_value(row[name])) for name in by)
    yield Cell(row["metric"])
    yield Cell(_signed(row["difference"]), _interval(row), is_number=True)
    relative = row["relative_difference"]
    yield Cell("–" if relative is None else f"{relative:+.1%}", is_number=True)
    significant = "significant" if one.is_significant else ""
    yield Cell(one.p_in_words.removeprefix("p ").removeprefix("= "), mark=significant, is_number=True)
    yield Cell(f"{row['wins']:,} / {row['ties']:,} / {row['losses']:,}", f"{row['n_lists']:,} lists", is_number=True)
    yield Cell(_signed(row["effect_size"]), is_number=True)


def _signed(value: float | None) -> str:
    return shown_value(None) if value is None else f"{value:+.4f}"


def _interval(row: Any) -> str:
    return "" if row["ci_low"] is None else f"{_signed(row['ci_low'])} to {_signed(row['ci_high'])}"
