"""Intervals of aggregates of lists' values, against SciPy and against influence functions by numerical derivatives."""

from __future__ import annotations

from collections.abc import Callable
from statistics import NormalDist
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

import rankmetrics as rm
from tests.support.refusals import refusal

Values = np.ndarray


def measured(values: Values, *aggregates: str) -> list[Any]:
    """Aggregates of lists that have these values: the rating of their only item, found first."""
    recs = pl.DataFrame({"user": range(len(values)), "item": ["a"] * len(values), "rank": [1] * len(values)})
    truth = recs.select("user", "item", rating=pl.Series(values))
    frame = rm.evaluate(recs, truth, {"gain": "dcg(gain=linear)"}, aggregates=[*aggregates]).collect()
    return [frame[f"gain {aggregate}"][0] for aggregate in aggregates]


def gini(values: Values, weights: Values) -> float:
    """The mean difference of two values, by its definition, divided by twice the mean."""
    differences = np.abs(values[:, None] - values[None, :])
    return float(weights @ differences @ weights / (2 * weights.sum() * (weights @ values)))


def atkinson(values: Values, weights: Values) -> float:
    share = weights / weights.sum()
    return float(1 - (share @ values**0.75) ** (1 / 0.75) / (share @ values))


def worst(values: Values, weights: Values) -> float:
    """The mean over the lowest quarter of the weight."""
    order = np.argsort(values)
    ends = np.minimum(np.cumsum(weights[order]) / weights.sum(), 0.25)
    return float(np.diff(ends, prepend=0) @ values[order] / 0.25)


STATISTICS: dict[str, Callable[[Values, Values], float]] = {
    "gini": gini,
    "atkinson(0.25)": atkinson,
    "worst(0.25)": worst,
}


@pytest.mark.parametrize("name", STATISTICS)
def test_a_standard_error_is_that_of_the_numerical_influence_of_each_list(name: str) -> None:
    statistic, step = STATISTICS[name], 1e-6
    values = np.round(np.random.default_rng(3).gamma(2, size=43), 1)  # some are equal
    weights = np.ones(len(values))
    influences = [
        (statistic(values, weights + step * row) - statistic(values, weights - step * row)) / (2 * step)
        for row in np.eye(len(values))
    ]
    value, error, low, half = measured(values, name, f"{name} standard_error", f"{name} ci_low(0.9)", f"{name} ci")
    assert value == pytest.approx(statistic(values, weights))
    assert error == pytest.approx(np.std(influences, ddof=1) * np.sqrt(len(values)), rel=1e-6)
    assert low == pytest.approx(value - NormalDist().inv_cdf(0.95) * error)
    assert half == pytest.approx(NormalDist().inv_cdf(0.975) * error)


def test_the_interval_of_a_quantile_is_that_of_scipy() -> None:
    """The places of the lists come from an expansion of the binomial quantile, and may be one off; here none is."""
    draw = np.random.default_rng(5)
    for n, share, confidence in [(60, 0.1, 0.95), (60, 0.5, 0.9), (137, 0.25, 0.99), (200, 0.1, 0.8), (31, 0.9, 0.8)]:
        values = draw.gamma(2, size=n)
        ends = measured(values, *(f"quantile({share}) {end}({confidence})" for end in ("ci_low", "ci_high")))
        theirs = stats.quantile_test(values, p=share).confidence_interval(confidence)
        assert ends == pytest.approx([theirs.low, theirs.high]), (n, share, confidence)
    assert measured(values[:20], "quantile ci_low", "quantile standard_error") == [None, None]  # nor has SciPy
    assert np.isnan(stats.quantile_test(values[:20], p=0.1).confidence_interval().low)


def test_equal_values_have_no_error_and_one_list_has_no_interval() -> None:
    errors = [f"{name} standard_error" for name in STATISTICS]
    assert measured(np.full(50, 0.3), *errors) == pytest.approx([0, 0, 0], abs=1e-15)
    assert measured(np.array([0.3]), *errors) == [None] * 3
    assert measured(np.zeros(9), *errors) == [None, None, pytest.approx(0)]


def test_the_highest_values_are_the_worst_where_lower_is_better() -> None:
    judged = pl.DataFrame(
        [(user, item) for user in range(9) for item in range(1 + user % 4)], ["user", "item"], orient="row"
    )
    recs = pl.DataFrame(
        [(user, item, item + 1) for user in range(9) for item in range(5)], ["user", "item", "rank"], orient="row"
    )
    asked = ["worst(0.3)", "worst(0.3) standard_error"]
    frame = rm.evaluate(recs, judged, {"unjudged": "unjudged@5"}, aggregates=asked).collect()
    values = np.sort([1 - (1 + user % 4) / 5 for user in range(9)])[::-1]  # of 9 lists, 0.3 are 2.7
    assert frame["unjudged worst(0.3)"][0] == pytest.approx((values[0] + values[1] + 0.7 * values[2]) / 2.7)
    error = np.std(np.maximum(values, values[2]), ddof=1) / 0.3 / 3
    assert frame["unjudged worst(0.3) standard_error"][0] == pytest.approx(error)


def test_an_interval_is_of_an_aggregate_that_has_one() -> None:
    for text, *parts in [
        ("median ci", "median has no interval", "'atkinson', 'gini', 'mean', 'quantile' and 'worst' have one"),
        ("worst(0.2) median", "'worst(0.2) median'", "median is not an interval, as ci, ci_low and ci_high are"),
        ("worst(2) ci", "the share must lie between 0 and 1"),
        ("worst ci(95)", "the confidence must lie between 0 and 1"),
    ]:
        with refusal(rm.MetricError, *parts):
            measured(np.arange(3.0), text)
