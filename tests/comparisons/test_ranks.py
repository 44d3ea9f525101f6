"""Average ranks over data sets: Friedman's test as SciPy has it, Nemenyi's as scikit-posthocs 0.17.1 returned it."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from scipy.stats import friedmanchisquare

import rankmetrics as rm
from rankmetrics.comparisons.ranks import Ranks
from tests.support.engines import Engine
from tests.support.refusals import refusal
from tests.support.two_systems import RECS_PATH, TRUTH_PATH

# Six data sets in rows, the systems a to d in columns; b and a are equal on the fourth.
MEANS = [
    [0.30, 0.28, 0.25, 0.31],
    [0.42, 0.40, 0.41, 0.38],
    [0.51, 0.47, 0.44, 0.50],
    [0.22, 0.22, 0.18, 0.20],
    [0.61, 0.58, 0.55, 0.57],
    [0.35, 0.33, 0.34, 0.30],
]

# What `scikit_posthocs.posthoc_nemenyi_friedman(MEANS)` returned.
NEMENYI = {
    ("a", "b"): 0.278638875395,
    ("a", "c"): 0.026661661141,
    ("a", "d"): 0.145353387654,
    ("b", "c"): 0.745772354369,
    ("b", "d"): 0.987004433944,
    ("c", "d"): 0.908131773901,
}


def values(means: list[list[float]] = MEANS) -> pl.DataFrame:
    """Values of two lists per data set and system, around each mean."""
    rows = [
        (place, system, user, mean + shift)
        for place, of_set in enumerate(means)
        for system, mean in zip("abcd", of_set, strict=False)
        for user, shift in ((1, -0.1), (2, 0.1))
    ]
    return pl.DataFrame(rows, schema=["country", "system", "user", "ndcg@10"], orient="row")


def ranks_of(engine: Engine, frame: pl.DataFrame) -> Ranks:
    half = frame.height // 2
    return rm.compare_files(engine.give(frame[:half]), engine.give(frame[half:]), by="country").ranks()


def test_average_ranks_and_tests_are_those_of_scipy_and_scikit_posthocs(engine: Engine) -> None:
    ranks = ranks_of(engine, values())
    assert ranks.average_ranks == pytest.approx({"a": 1.25, "b": 2 + 3.5 / 6, "d": 2 + 5 / 6, "c": 3 + 1 / 3})
    assert ranks.p_value == pytest.approx(friedmanchisquare(*zip(*MEANS, strict=True)).pvalue, rel=1e-9)
    for (system, other), p_value in NEMENYI.items():
        assert ranks.p_between(system, other) == pytest.approx(p_value, abs=1e-10), (system, other)
    assert {tuple(sorted(row[:2])): row[-1] for row in ranks.collect().rows()} == pytest.approx(NEMENYI, abs=1e-10)
    assert ranks.critical_difference == pytest.approx(2.569032 * (4 * 5 / (6 * 6)) ** 0.5, abs=1e-5)  # Demsar, table 5
    assert ranks.groups == [["a", "b", "d"], ["b", "d", "c"]]
    assert "the systems differ (Friedman's test, p = 0.0336)" in repr(ranks)


def test_the_lowest_mean_has_rank_1_where_lower_is_better() -> None:
    means = {"a": [0.1, 0.2], "b": [0.2, 0.3], "c": [0.3, 0.1]}
    assert Ranks("x", means, lower_is_better=True, confidence=0.95).average_ranks == {"a": 1.5, "c": 2.0, "b": 2.5}
    assert Ranks("x", means, lower_is_better=False, confidence=0.95).average_ranks == {"b": 1.5, "c": 2.0, "a": 2.5}


def test_systems_that_are_equal_everywhere_have_no_p_value(engine: Engine) -> None:
    ranks = ranks_of(engine, values([[0.5] * 4] * 3))
    assert (ranks.p_value, ranks.groups) == (None, [["a", "b", "c", "d"]])


def test_too_few_systems_or_a_data_set_that_one_lacks_is_refused(engine: Engine) -> None:
    with refusal(rm.InputError, "three systems or more, and two data sets or more", "2 systems and 6 data sets"):
        ranks_of(engine, values([row[:2] for row in MEANS]))
    with refusal(rm.InputError, "4 systems and 1 data set", 'by=["data_set"]'):
        ranks_of(engine, values(MEANS[:1]))
    frame = values().filter((pl.col("country") != 2) | (pl.col("system") != "d"))
    with refusal(rm.InputError, "d has no mean of ndcg@10 on '2'"):
        ranks_of(engine, frame)
    comparison = rm.compare_files(values()[:24], values()[24:], by="country")
    with refusal(rm.MetricError, "'rr' is not compared"):
        comparison.ranks("rr")


def test_the_chart_has_a_point_per_system_and_a_bar_per_group() -> None:
    result = rm.evaluate(RECS_PATH, TRUTH_PATH, ["ndcg@10"])
    chart: Any = result.plot.ranks(by="partition")
    points, _, bars = chart.layer
    assert [row["rank"] for row in points.data.values] == [1.0, 2.0, 3.0]
    assert [row["last"] for row in bars.data.values] == [3.0]
    assert "over 2 data sets" in chart.title.text
