"""Splits a summary with counts, as an engine returns it, into the columns that a user sees and the counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rankmetrics.faults.doubts import Counts
from rankmetrics.planner.model import UNDEFINED
from rankmetrics.sqltree.names import free_heading

if TYPE_CHECKING:
    import polars as pl

# A summary of more rows is counted as a whole: nobody looks at so many for a row that is doubtful.
MOST_ROWS = 1000

# The columns that stand beside `n_lists`: of the counts that are so called, or whose names begin so, the greatest.
BESIDE = {"n_missing": "lists_missing", "n_undefined": UNDEFINED}


@dataclass(frozen=True)
class Computed:
    """The column names and the rows of a computed summary."""

    columns: Sequence[str]
    rows: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Places:
    """Where the columns stand in a summary that has the counts of metrics behind.

    Attributes:
        by: the columns of `by`, which come first.
        measured: the columns that follow: `n_lists`, then the metrics.
        behind: the counts of metrics, which come last.
    """

    by: Sequence[str]
    measured: Sequence[str]
    behind: Sequence[str]

    def shown(self, counts: Counts) -> dict[str, list[int]]:
        """The columns that are returned, each with the places of its value: of several, the greatest is taken.

        `n_missing` follows `n_lists`; so does `n_undefined` where the mean of any metric leaves out lists.
        """
        first = [*self.by, *self.measured]
        places = {name: [place] for place, name in enumerate(first)}
        n_lists = len(self.by) + 1
        found = {name: places[name] for name in first[:n_lists]}
        for heading, start in BESIDE.items():
            of = [place for place, name in enumerate(self.behind, start=len(first)) if name.startswith(start)]
            if heading == "n_missing" or any(counts.totals[self.behind[place - len(first)]] for place in of):
                found[free_heading(heading, first)] = of
        return {**found, **places}

    def of_frame(self, summary: pl.DataFrame, counts: Counts) -> pl.DataFrame:
        """The summary as a user gets it, as a frame."""
        import polars as pl

        return summary.select(
            pl.max_horizontal(*map(pl.nth, of)).alias(name) if len(of) > 1 else pl.nth(of[0]).alias(name)
            for name, of in self.shown(counts).items()
        )

    def of_rows(self, rows: Sequence[tuple[Any, ...]], counts: Counts) -> Computed:
        """The summary as it is printed."""
        shown = self.shown(counts)
        taken = [
            {name: max(row[one] for one in of) if len(of) > 1 else row[of[0]] for name, of in shown.items()}
            for row in rows
        ]
        return Computed([*shown], taken)

    def counts(self, summary: pl.DataFrame) -> list[tuple[Any, ...]]:
        """The counts of metrics, in rows: the values of `by`, the name of a count, the count."""
        import polars as pl

        counts = summary.select(*summary.columns[: len(self.by)], *map(pl.nth, range(-len(self.behind), 0)))
        counts.columns = [*map(str, range(len(self.by))), *self.behind]
        rows = counts.unpivot(self.behind, index=counts.columns[: len(self.by)], variable_name="name", value_name="n")
        return rows_of(rows, summary.height)

    def counts_of_rows(self, rows: Sequence[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
        """The same of a summary in rows."""
        for row in rows:
            for name, n in zip(self.behind, row[-len(self.behind) :], strict=True):
                yield (*row[: len(self.by)], name, n)


def rows_of(counts: pl.DataFrame, n_rows: int) -> list[tuple[Any, ...]]:
    """Counts as rows: the values of `by`, the name of a count, the count; of a long summary, summed over its rows."""
    import polars as pl

    *by, name, n = counts.columns
    if n_rows <= MOST_ROWS:
        return counts.rows()
    return [(*[None] * len(by), *row) for row in counts.group_by(name).agg(pl.col(n).sum()).rows()]
