"""The agreement of two orders of the systems, by two metrics or in two runs: Kendall's tau-b and tau_AP.

ndcg@10: a 0.5, b 0.4, c 0.3; rr: a 0.6, b 0.7, c 0.2  →  kendall_tau 1/3, tau_ap 0: only the systems above c are right
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankmetrics._rounding import exceeds
from rankmetrics.engines.polars import Polars
from rankmetrics.errors import ColumnError, InputError, MetricError, Option, names
from rankmetrics.messages import said

if TYPE_CHECKING:
    import polars as pl

    from rankmetrics.queries import Queries

# The values of each metric by system; a higher value is better.
Scores = Mapping[str, Mapping[tuple[Any, ...], float]]


def agreement(queries: Queries, summary: pl.DataFrame, other: pl.DataFrame | str | Path | None) -> pl.DataFrame:
    """The agreements of `Result.agreement`, from the summary of the queries and that of another run."""
    import polars as pl

    if not queries.compares:
        raise said(InputError, "no_order_of_systems", columns=[*queries.layout.by])
    ours = _scores(summary, queries)
    if other is None:
        if len(ours) < 2:
            raise said(MetricError, "one_metric", found=[*ours], other=Option("other", "last_month.parquet"))
        pairs = [(one, another, ours[one], ours[another]) for one, another in permutations(ours, 2)]
    else:
        theirs = _scores(_read(other), queries)
        pairs = [(label, label, ours[label], theirs[label]) for label in ours if label in theirs]
        if not any(values.keys() & others.keys() for *_, values, others in pairs):
            raise said(InputError, "no_common_system", found=[*ours])
    rows = [(*labels, *correlations(values, others)) for *labels, values, others in pairs]
    columns = {"metric": pl.String, "other_metric": pl.String, "n_systems": pl.Int64}
    return pl.DataFrame(rows, {**columns, "kendall_tau": pl.Float64, "tau_ap": pl.Float64}, orient="row")


def _read(summary: pl.DataFrame | str | Path) -> pl.DataFrame:
    """A summary that `Result.write` wrote, or a frame as it is."""
    if not isinstance(summary, (str, Path)):
        return summary
    engine = Polars({"other": Path(summary)}, None)
    return engine.collect(engine.frame("other"))


def _scores(summary: pl.DataFrame, queries: Queries) -> Scores:
    """The values of the metrics of a summary that say which system is better."""
    by = [*queries.layout.by]
    if missing := [column for column in by if column not in summary.columns]:
        raise ColumnError(f"The other run lacks {names(missing)}: its columns are {names(summary.columns)}.")
    labels = [label for label in queries.best_of if label in summary.columns]
    return {
        label: {
            tuple(system): -value if queries.best_of[label] is min else value
            for *system, value in summary.select(*by, label).rows()
            if value is not None and not queries.layout.is_total(system)
        }
        for label in labels
    }


def correlations(scores: Mapping[Any, float], others: Mapping[Any, float]) -> tuple[int, float | None, float | None]:
    """The number of systems that have both values, Kendall's tau-b, and tau_AP by the ranks of the first."""
    systems = [system for system in scores if system in others]
    first, second = (signs([values[system] for system in systems]) for values in (scores, others))
    tau = kendall_tau(first, second)
    return len(systems), tau, None if tau is None else tau_ap(first, second)


def signs(values: Sequence[float]) -> list[list[int]]:
    """For each two values, 1 if the first is greater, -1 if it is less, 0 if they are equal but for rounding."""
    return [[exceeds(value, other) - exceeds(other, value) for other in values] for value in values]


def kendall_tau(first: Sequence[Sequence[int]], second: Sequence[Sequence[int]]) -> float | None:
    """Kendall's tau-b of the signs of all pairs, as SciPy's but for rounding; None if an order ties all systems."""
    pairs = [(first[i][j], second[i][j]) for i, j in combinations(range(len(first)), 2)]
    n_untied = sum(map(abs, (a for a, _ in pairs))) * sum(map(abs, (b for _, b in pairs)))
    return sum(a * b for a, b in pairs) / sqrt(n_untied) if n_untied else None


def tau_ap(first: Sequence[Sequence[int]], second: Sequence[Sequence[int]]) -> float:
    """The AP correlation of the signs of all pairs.

    For each system that has others above it in the first order, the share of these that are above it in the second,
    too; of all shares the mean, times 2, less 1.
    """
    systems, shares = range(len(first)), list[float]()
    for system in systems:
        if above := [other for other in systems if first[other][system] > 0]:
            shares.append(sum(second[other][system] > 0 for other in above) / len(above))
    return 2 * sum(shares) / len(shares) - 1
