"""The leaderboard: the mean of every metric for every system, with confidence intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from rankmetrics.reports import charts
from rankmetrics.reports.blocks import Block, Cell, Paragraph, Section, Table, sentence
from rankmetrics.reports.facts import LOW, Facts
from rankmetrics.reports.leaderboard import Standing
from rankmetrics.reports.pairs import IN_WORDS, LEVEL
from rankmetrics.tables import shown_value

# Further rows are counted, and not shown.
SHOWN_ROWS = 100

# The chart has a panel for each of the first metrics.
MOST_PANELS = 6

BEST, BETTER, WORSE = "best", "▲", "▼"

INTERVALS = (
    "Below each mean: its 95% confidence interval over the lists, by the normal distribution. A dash says that a "
    "metric is undefined."
)


def leaderboard(facts: Facts) -> Section:
    """A table of all systems, and a chart."""
    board = facts.leaderboard
    blocks: list[Block] = [*_table(facts)]
    if any(standing.means[label].interval for standing in board.standings for label in board.metrics):
        blocks.append(Paragraph(sentence(INTERVALS), "note"))
    elif LOW not in facts.with_intervals.aggregates:
        said = f"There are no confidence intervals: {facts.engine.name} has no standard deviation."
        blocks.append(Paragraph(sentence(said), "note"))
    if facts.pairs.comparison is not None:
        other = f"the baseline, {facts.pairs.baseline}" if facts.pairs.baseline else f"the best by {board.metrics[0]}"
        said = f"{BETTER} and {WORSE}: significantly better and worse than {other} ({IN_WORDS}, p < {LEVEL})."
        blocks.append(Paragraph(sentence(said), "note"))
    if board.compares:
        draw = partial(facts.with_intervals.plot.leaderboard, board.metrics[:MOST_PANELS])
        blocks.append(charts.figure(draw, "The mean of each metric for each system, with its 95% confidence interval."))
    return Section("leaderboard", "Leaderboard", blocks)


def _table(facts: Facts) -> Iterator[Block]:
    board = facts.leaderboard
    n_missing = ["n_missing"] if any(row.n_missing for row in board.standings) else []
    headings = [
        *(board.systems or ["systems"]),
        *board.partitions,
        *board.metrics,
        *board.others,
        "n_lists",
        *n_missing,
    ]
    rows = []
    for _, standings in board.by_partition():
        best = {label: board.best(label, standings) for label in board.metrics} if len(standings) > 1 else {}
        reference = facts.pairs.reference(board, standings)
        for row in standings:
            values = (_mean(facts, label, row, reference, best.get(label, ())) for label in board.metrics)
            others = (Cell(shown_value(row.others[name]), is_number=True) for name in board.others)
            rows.append([*_keys(row), *values, *others, *_counts(row, n_missing)])
    yield Table("The mean of each metric for each system, the best of each metric marked.", headings, rows[:SHOWN_ROWS])
    if len(rows) > SHOWN_ROWS:
        yield Paragraph(sentence(f"{len(rows) - SHOWN_ROWS:,} more rows are left out here."), "note")


def _keys(row: Standing) -> list[Cell]:
    system = row.system or ("all",)
    return [Cell(shown_value(value)) for value in (*system, *row.partition)]


def _counts(row: Standing, n_missing: Sequence[str]) -> list[Cell]:
    counts = [row.n_lists, row.n_missing] if n_missing else [row.n_lists]
    return [Cell(f"{n:,}", is_number=True) for n in counts]


def _mean(facts: Facts, label: str, row: Standing, reference: Standing | None, best: Sequence[Standing]) -> Cell:
    """The mean of a metric: marked if it is the best, with a sign if it differs significantly from the reference."""
    mean, sign, meaning = row.means[label], "", ""
    found = facts.pairs.find(label, row, reference) if reference and label in facts.leaderboard.best_of else None
    if found and reference and found.is_significant:
        sign, word = (BETTER, "better") if found.is_better else (WORSE, "worse")
        meaning = f"significantly {word} than {reference.name}"
    mark = BEST if row in best else ""
    return Cell(shown_value(mean.value), mean.interval, mark, sign, meaning, is_number=True)
