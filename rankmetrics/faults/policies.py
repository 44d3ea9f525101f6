"""Warnings of policies and logs over which an estimate of a policy's reward does not hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rankmetrics.errors import RankMetricsWarning
from rankmetrics.faults.columns import Inputs, not_null, quoted
from rankmetrics.metrics.metric import Metric

# Metrics that read all rows of the policy, with the rewards that a model expects of them at their positions.
MODELLED = frozenset({"dm", "dr", "sndr"})
# The least number of doubtful rows or positions, and their least share; how far from 1 probabilities may add up, how
# far outside of the logged rewards, relative to the range, expected rewards may lie.
FEW, SHARE, OFF = 10, 0.05, 0.1
PAGE = "warnings/#policies-that-do-not-fit-the-metric"


def policy_doubts(inputs: Inputs, metrics: Iterable[Metric]) -> Iterator[RankMetricsWarning]:
    """Warnings for metrics that estimate the reward of a policy from a log."""
    names = {metric.name for metric in metrics}
    recs, log = inputs.layout.recs, inputs.layout.side("log").roles if "log" in inputs.layout.names() else None
    if log is None:
        return
    if recs.probability and names & (MODELLED | {"cascade_dr"}):
        yield from _partial_policies(inputs)
    if recs.expected_reward and log.reward and names & MODELLED:
        yield from _expected_rewards(inputs, quoted(recs.expected_reward), quoted(log.reward))
    if log.propensity and "replay" in names:
        propensity = f"CAST({quoted(log.propensity)} AS DOUBLE)"
        n, low, high = _row(inputs, f"SELECT COUNT(*), MIN({propensity}), MAX({propensity}) FROM log")
        if n >= FEW and high > (1 + OFF) * low:
            yield RankMetricsWarning(
                f"replay is right if every action of the log had the same propensity, and they are from {low:.3g} to "
                f"{high:.3g}. Take ips or snips.",
                page=PAGE,
            )


def _partial_policies(inputs: Inputs) -> Iterator[RankMetricsWarning]:
    recs, lists = inputs.layout.recs, inputs.layout.lists
    keys = quoted(*lists, *filter(None, [recs.position]))
    total = f"SUM(CAST({quoted(str(recs.probability))} AS DOUBLE))"
    sums = f"SELECT {keys}, {total} AS total FROM recs WHERE {not_null(*lists, str(recs.item))} GROUP BY {keys}"
    off = f"COUNT(CASE WHEN ABS(total - 1) > {OFF} THEN 1 END)"
    n, n_off, mean = _row(inputs, f"SELECT COUNT(*), {off}, AVG(total) FROM ({sums}) AS sums")
    if n_off >= max(FEW, SHARE * n):
        yield RankMetricsWarning(
            f"The probabilities of the policy do not add up to 1 in {n_off:,} of {n:,} positions of lists: on average, "
            f"they add up to {mean:.2f}. dm, dr, sndr and cascade_dr need rows for all items that the policy may show, "
            "not only for those of the log; ips and snips need no more than these.",
            page=PAGE,
        )


def _expected_rewards(inputs: Inputs, expected: str, reward: str) -> Iterator[RankMetricsWarning]:
    n_logged, low, high = _row(
        inputs, f"SELECT COUNT(*), MIN(CAST({reward} AS DOUBLE)), MAX(CAST({reward} AS DOUBLE)) FROM log"
    )
    if n_logged < FEW or low is None:
        return
    margin = OFF * (high - low)
    beyond = f"CAST({expected} AS DOUBLE) NOT BETWEEN {low - margin!r} AND {high + margin!r}"
    n, n_beyond, highest = _row(
        inputs, f"SELECT COUNT(*), COUNT(CASE WHEN {beyond} THEN 1 END), MAX(CAST({expected} AS DOUBLE)) FROM recs"
    )
    if high > low and n_beyond >= max(FEW, SHARE * n):
        yield RankMetricsWarning(
            f"The rewards of the log are from {low:.3g} to {high:.3g}, and {n_beyond:,} of {n:,} expected rewards are "
            f"outside of this range, up to {highest:.3g}. Give both in the same unit, such as 0.2 and not 20 percent.",
            page=PAGE,
        )


def _row(inputs: Inputs, sql: str) -> tuple[Any, ...]:
    [row] = inputs.rows(sql)
    return row
