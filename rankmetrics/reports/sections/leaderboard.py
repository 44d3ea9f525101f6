"""The leaderboard: the mean of every metric for every system, with confidence intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rankmetrics.display import shown_value
from rankmetrics.reports.blocks import Block, Cell, Paragraph, Section, Table, sentence
from rankmetrics.reports.facts import Facts
from rankmetrics.reports.leaderboard import Leaderboard, Standing

# Further rows are counted, and not shown.
SHOWN_ROWS = 100

BEST = "best"


def leaderboard(facts: Facts) -> Section:
    """A table for each partition, or one for all of them."""
    board = facts.leaderboard
    blocks: list[Block] = [*_tables(board)]
    if any(standing.means[label].interval for standing in board.standings for label in board.metrics):
        note = "Below each mean: its 95% confidence interval over the lists, by the normal distribution. "
        blocks.append(Paragraph(sentence(note, "A dash says that a metric is undefined."), "note"))
    return Section("leaderboard", "Leaderboard", blocks)


def _tables(board: Leaderboard) -> Iterator[Block]:
    n_missing = ["n_missing"] if any(row.n_missing for row in board.standings) else []
    columns = [*board.metrics, *board.others]
    headings = [*(board.systems or ["systems"]), *board.partitions, "n_lists", *n_missing, *columns]
    rows = []
    for _, standings in board.by_partition():
        best = {label: board.best(label, standings) for label in board.metrics} if len(standings) > 1 else {}
        for row in standings:
            marked = {label for label, rows_of_label in best.items() if row in rows_of_label}
            rows.append([*_keys(row), *_counts(row, n_missing), *_values(board, row, marked)])
    yield Table("The mean of each metric for each system, the best of each metric marked.", headings, rows[:SHOWN_ROWS])
    if len(rows) > SHOWN_ROWS:
        yield Paragraph(sentence(f"{len(rows) - SHOWN_ROWS:,} more rows are left out here."), "note")


def _keys(row: Standing) -> list[Cell]:
    system = row.system or ("all",)
    return [Cell(shown_value(value)) for value in (*system, *row.partition)]


def _counts(row: Standing, n_missing: Sequence[str]) -> list[Cell]:
    counts = [row.n_lists, row.n_missing] if n_missing else [row.n_lists]
    return [Cell(f"{n:,}", is_number=True) for n in counts]


def _values(board: Leaderboard, row: Standing, marked: set[str]) -> Iterator[Cell]:
    for label in board.metrics:
        mean = row.means[label]
        yield Cell(shown_value(mean.value), mean.interval, BEST if label in marked else "", is_number=True)
    for name in board.others:
        yield Cell(shown_value(row.others[name]), is_number=True)
