"""Notes on systems whose order hangs on equal scores: their best and worst values overlap."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from rankmetrics.errors import MetricError, Option
from rankmetrics.inputs.columns import name_of_system
from rankmetrics.metrics.metric import Metric
from rankmetrics.metrics.summaries import MEAN
from rankmetrics.planner.formulas import settled
from rankmetrics.planner.tie_orders import covers_all_orders
from rankmetrics.queries import Queries

# How many pairs of systems the notes name, and by how much two values differ that are not equal.
MOST_PAIRS, DIFFERENT = 3, 1e-9


@dataclass(frozen=True)
class Range:
    """The values of a system over all orders of equal scores.

    Attributes:
        system: the system, by the values of the columns of `by`.
        low: the value if hits come after the other items with the same score.
        high: the value if hits come before them.
    """

    system: tuple[Hashable, ...]
    low: float
    high: float

    @property
    def name(self) -> str:
        """The system as a text."""
        return name_of_system(self.system)


def ranges_of(queries: Queries, shown: Sequence[Mapping[str, Any]]) -> list[Range]:
    """The values of the first metric over all orders of equal scores, for each system in the order of a leaderboard.

    It runs a query. There are no ranges if the metric has no such values, or takes equal scores in no one order.

    Args:
        queries: the queries of the evaluation.
        shown: the rows of the summary, in the order of the leaderboard.
    """
    metric, layout = queries.metrics[0], queries.layout
    if metric.is_run or metric.estimates or queries.columns[0] != MEAN.label(metric.label):
        return []
    if layout.recs.rank is not None or _takes_all_orders(metric, queries):
        return []
    try:
        bounds = queries.summary([metric(ties="worst"), metric(ties="best")], [MEAN])
    except MetricError:
        return []
    rows = queries.engine.rows(bounds)
    n_by = len(layout.by)
    found = {tuple(row[:n_by]): Range(tuple(row[:n_by]), *row[n_by + 1 :]) for row in rows if None not in row[n_by:]}
    systems = [tuple(row[name] for name in layout.by) for row in shown]
    return [found[one] for one in systems if one in found]


def _takes_all_orders(metric: Metric, queries: Queries) -> bool:
    values = settled(metric, queries.layout)
    return covers_all_orders(values) or values.get("tied") == "averaged"


def notes_of_ranges(ranges: Sequence[Range], column: str, spell: Callable[[Option], str]) -> Iterator[str]:
    """A sentence for each two neighbours of a leaderboard whose order another order of equal scores may turn around.

    Args:
        ranges: the values of each system, in the order of the leaderboard.
        column: the metric.
        spell: writes the option that a sentence tells to set.
    """
    pairs = [pair for pair in pairwise(ranges) if pair[1].high - pair[0].low > DIFFERENT and _differ(*pair)]
    for first, second in pairs[:MOST_PAIRS]:
        yield (
            f"the order of {first.name} and {second.name} depends on equal scores: {column} of {first.name} lies "
            f"between {first.low:.4f} and {first.high:.4f}, of {second.name} between {second.low:.4f} and "
            f"{second.high:.4f}; {spell(Option('ties', 'expected'))} takes the mean over all orders of equal scores"
        )
    if len(pairs) > MOST_PAIRS:
        yield f"the order of {len(pairs) - MOST_PAIRS:,} more pairs of neighbours depends on equal scores"


def _differ(*ranges: Range) -> bool:
    return any(one.high - one.low > DIFFERENT for one in ranges)
