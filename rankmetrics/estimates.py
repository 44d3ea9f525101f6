"""Estimates of a metric of the full ranking from the rank of a relevant item among sampled negatives.

A relevant item of rank r among n items has, among m uniformly sampled negatives, the rank 1 + j with the probability of
a hypergeometric draw: C(r - 1, j) C(n - r, m - j) / C(n - 1, m). An estimate replaces the metric's value f by other
values g, one for each rank among the negatives, so that the mean of g over these draws comes near f(r).

Source: Krichene, Rendle (2020), On sampled metrics for item recommendation. doi:10.1145/3394486.3403226
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import comb, inf, isclose, nan
from typing import TYPE_CHECKING, Any

from rankmetrics.errors import MetricError, RankMetricsError, RankMetricsWarning, importing
from rankmetrics.inputs.columns import Columns
from rankmetrics.inputs.layout import layout
from rankmetrics.inputs.negatives import Negatives
from rankmetrics.messages import said
from rankmetrics.metrics.metric import Metric

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

# How many ranks of the full ranking are computed at once, so that memory does not grow with the catalogue.
CHUNK = 20_000

# The weight of the variance in the estimate of least bias. Without it, a metric between 0 and 1 would get values beyond
# a million, for a bias that is hardly less.
LEAST_GAMMA = 1e-6


def with_estimates(metrics: Sequence[Metric], negatives: Negatives | None) -> list[Metric]:
    """The metrics, each with the values that the estimate of a sample takes instead of its own."""
    if negatives is None or negatives.estimate == "as_is":
        return [*metrics]
    return [replace(metric, estimates=estimates_of(metric, negatives)) for metric in metrics]


def estimates_of(metric: Metric, negatives: Negatives) -> tuple[float, ...]:
    """The estimate of a metric for each rank of a relevant item among its negatives, from rank 1 to n + 1."""
    with importing("An estimate from a sample is computed with numpy", "estimates"):
        import numpy as np
    assert negatives.n_items is not None
    _refuse_other_than_ranks(metric, negatives.n_items)
    values = np.array(_values_by_rank(metric, negatives.n_items, rating=1))
    if negatives.estimate == "simple":  # the metric at the rank 1 + (n_items - 1) * j / n, rounded down
        estimates = values[(len(values) - 1) * np.arange(negatives.n + 1) // negatives.n]
    else:  # the values of the least sum of mean squared bias, over all ranks alike, and `gamma` times the variance
        gamma = LEAST_GAMMA if negatives.estimate == "unbiased" else negatives.gamma
        squares, chances, products = _moments(values, negatives.n)
        estimates = np.linalg.solve((1 - gamma) * squares + gamma * np.diag(chances), products)
    return tuple(map(float, estimates))


# --- estimates that are far from the metric ---------------------------------------------------------------------------

# How many times greater or smaller an estimate may be than the metric, on average, where all relevant items are first,
# or anywhere in the first ten ranks.
FACTOR, FIRST_RANKS = 1.5, 10


def doubt_estimates(
    metrics: Sequence[Metric], negatives: Negatives | None, deviations: Mapping[str, float]
) -> Iterator[RankMetricsWarning]:
    """The warnings for estimates that are far from the metric, by their standard deviations between lists."""
    if negatives is None or negatives.n_items is None:
        return
    for metric in (metric for metric in metrics if metric.estimates):
        n, n_items = negatives.n, negatives.n_items
        values = _values_by_rank(metric, n_items, rating=1)
        remedy = "Draw more negatives, rank all items, or measure a metric that a sample estimates well, such as auc."
        ratios = [
            sum(_mean_estimate(metric.estimates, rank, n_items) for rank in ranks) / total
            for ranks in (range(1, 2), range(1, min(FIRST_RANKS, n_items) + 1))
            if (total := sum(values[rank - 1] for rank in ranks))
        ]
        ratio = max(ratios, key=lambda each: max(each, 1 / each if each > 0 else inf), default=1.0)
        if not 1 / FACTOR <= ratio <= FACTOR:
            counts = {"n": n, "n_items": n_items, "ratio": ratio}
            yield said(RankMetricsWarning, "biased_estimate", metric=metric.label, remedy=remedy, **counts)
        most = (max(values) - min(0.0, *values)) / 2  # no full ranking has a greater deviation between lists
        if (deviation := deviations.get(metric.label, 0.0)) > FACTOR * most:
            spread = {"deviation": deviation, "most": most}
            yield said(RankMetricsWarning, "spread_estimate", metric=metric.label, remedy=remedy, **spread)


def _mean_estimate(estimates: Sequence[float], rank: int, n_items: int) -> float:
    """The mean of the estimates of a relevant item of this rank among all items, over all samples."""
    n, ranks_above = len(estimates) - 1, range(min(rank, len(estimates)))
    ways = (comb(rank - 1, above) * comb(n_items - rank, n - above) for above in ranks_above)
    n_samples = comb(n_items - 1, n)
    return sum(estimates[above] * (number / n_samples) for above, number in enumerate(ways))


def _moments(values: Vector, n: int) -> tuple[Vector, Vector, Vector]:
    """With P the chances of each rank among the negatives: the means over all ranks of P'P, of P and of P'f."""
    import numpy as np

    n_items, size = len(values), n + 1
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n_items)))])  # of factorials

    def log_choices(whole: Any, part: Any) -> Any:
        of_whole, of_part, of_rest = (logs[np.clip(count, 0, n_items - 1)] for count in (whole, part, whole - part))
        return of_whole - of_part - of_rest

    squares, sums, products = np.zeros((size, size)), np.zeros(size), np.zeros(size)
    drawn = np.arange(size)[None, :]
    for first in range(0, n_items, CHUNK):
        above = np.arange(first, min(first + CHUNK, n_items))[:, None]
        below = n_items - 1 - above
        is_possible = (drawn <= above) & (n - drawn <= below)
        logs_of = log_choices(above, drawn) + log_choices(below, n - drawn) - log_choices(np.array(n_items - 1), n)
        chances = np.where(is_possible, np.exp(logs_of), 0.0)
        squares += chances.T @ chances
        sums += chances.sum(0)
        products += chances.T @ values[first : first + CHUNK]
    return squares / n_items, sums / n_items, products / n_items


# --- a metric as a function of the rank -------------------------------------------------------------------------------


def _refuse_other_than_ranks(metric: Metric, n_items: int) -> None:
    """Refuse a metric whose value for a list with one relevant item depends on more than the rank of this item."""
    if metric.is_run:
        raise said(MetricError, "estimate_of_system", metric=metric.text)
    fewer = min(n_items, max(20, 2 * (metric.k or 0)))
    other = said(MetricError, "estimate_beyond_ranks", metric=metric.text)
    try:
        alone = _values_by_rank(metric, fewer, rating=1)
        rated = _values_by_rank(metric, fewer, rating=2)
        complete = _values_by_rank(metric, fewer, rating=1, is_complete=True)
    except RankMetricsError as error:  # it needs a further input
        raise other from error
    pairs = [pair for others in (rated, complete) for pair in zip(alone, others, strict=True)]
    if not all(isclose(value, other_value, rel_tol=0, abs_tol=1e-9) for value, other_value in pairs):
        raise other


def _values_by_rank(metric: Metric, n_items: int, *, rating: int, is_complete: bool = False) -> list[float]:
    """The value of a metric for a list with one relevant item, for each rank of this item from 1; NaN if undefined.

    The metric's own query computes it in DuckDB. Complete lists have all items; others only say how many there were.
    """
    import duckdb

    from rankmetrics.engines.duckdb import DuckDB
    from rankmetrics.metrics.summaries import read_aggregates
    from rankmetrics.queries import Queries

    lowest = metric.values.get("rel")
    stars = rating if lowest is None else float(lowest) + rating - 1
    items = f"RANGE(1, {n_items + 1})"
    condition = "TRUE" if is_complete else "lists.range = items.range"
    connection = duckdb.connect()
    recs = connection.sql(
        f"SELECT lists.range AS list, items.range AS item, items.range AS rank, {n_items} AS pool "
        f"FROM {items} AS lists JOIN {items} AS items ON {condition}"
    )
    truth = connection.sql(f"SELECT range AS list, range AS item, CAST({stars} AS DOUBLE) AS rating FROM {items}")
    engine = DuckDB({"recs": recs, "truth": truth}, connection)
    schemas = {name: table.schema for name, table in engine.inputs.items()}
    columns = layout(schemas["recs"], schemas["truth"], columns=Columns(pool="pool", rating="rating"), lists=["list"])
    plain = replace(metric, column="value", among="", estimates=())
    rows = engine.rows(Queries(engine, [plain], columns, read_aggregates("mean")).per_list())
    return [nan if value is None else value for _, value in sorted(rows)]
