"""Policies and logs over which an estimate does not hold give a warning that says why."""

from __future__ import annotations

import warnings
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.errors import WARNED
from tests.support import flat
from tests.support.engines import Engine, each_engine

# Of two items, the old policy shows a to users 0 to 5 and b to the others; the new one shows a with probability 0.4.
USERS = [*range(12)]
LOG = pl.DataFrame({"user": USERS, "item": ["a"] * 6 + ["b"] * 6, "reward": [1, 0] * 6, "propensity": [0.5] * 12})
POLICY = pl.DataFrame(
    {
        "user": USERS * 2,
        "item": ["a"] * 12 + ["b"] * 12,
        "probability": [0.4] * 12 + [0.6] * 12,
        "expected_reward": [0.3] * 24,
    }
)
IN_PERCENT = POLICY.with_columns(pl.col("expected_reward") * 100)
UNEQUAL = LOG.with_columns(propensity=pl.Series([0.3, 0.7] * 6))
OF_POLICY = LOG.with_columns(propensity=pl.Series([0.4] * 6 + [0.6] * 6))


def tenfold(frame: pl.DataFrame) -> pl.DataFrame:
    return pl.concat([frame.with_columns(pl.col("user") + 100 * n) for n in range(10)])


def warned(engine: Engine, policy: pl.DataFrame, log: pl.DataFrame, *metrics: str) -> list[str]:
    result: Any = flat.evaluate(engine.give(policy), metrics=[*metrics], log=engine.give(log), **engine.options)
    WARNED.clear()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result.collect()
    return [str(warning.message) for warning in caught if warning.category is rm.RankMetricsWarning]


@each_engine
def test_a_policy_that_does_not_fit_its_metric_gives_a_warning(engine: Engine) -> None:
    only_logged = POLICY.join(LOG.select("user", "item"), on=["user", "item"])
    cases = {
        "add up to 1 in 12 of 12 positions of lists: on average, they add up to 0.50": (only_logged, LOG, "dm"),
        "24 of 24 expected rewards are outside of this range, up to 30": (IN_PERCENT, LOG, "dr"),
        "had the same propensity, and they are from 0.3 to 0.7": (POLICY, UNEQUAL, "replay"),
        "weights of 120 logged actions are all nearly 1": (tenfold(POLICY), tenfold(OF_POLICY), "ips"),
    }
    for text, case in cases.items():
        assert text in "\n".join(warned(engine, *case)), text


def test_a_policy_that_fits_its_metrics_gives_no_warning(engine: Engine) -> None:
    assert warned(engine, POLICY, LOG, "dm", "dr", "sndr", "replay", "ips") == []
    only_logged = POLICY.join(LOG.select("user", "item"), on=["user", "item"])
    assert warned(engine, only_logged, LOG, "ips", "snips") == []


@pytest.mark.parametrize("metric", ["dm", "replay"])
def test_fewer_than_ten_rows_give_no_warning(engine: Engine, metric: str) -> None:
    few = POLICY.filter(pl.col("user") < 9, pl.col("item") == "a")
    assert warned(engine, few, UNEQUAL.head(9), metric) == []
