"""Intervals cover the true difference, and tests reject equal systems, as often as they should: by simulation."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import rankmetrics as rm

N_PROBLEMS = 2000

pytestmark = pytest.mark.long


def _problems(n_lists: int, difference: float, seed: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Values per list of two systems in many problems, whose true means differ by this much."""
    random = np.random.default_rng(seed)
    of_list = random.gamma(2, 0.1, (N_PROBLEMS, n_lists))
    noise = random.uniform(-0.2, 0.2, (N_PROBLEMS, n_lists)) + random.normal(0, 0.05, (N_PROBLEMS, n_lists))
    ids = {"problem": np.repeat(np.arange(N_PROBLEMS), n_lists), "user": np.tile(np.arange(n_lists), N_PROBLEMS)}
    before, after = (pl.DataFrame({**ids, "rr": one.ravel()}) for one in (of_list, of_list + noise + difference))
    return before, after


def _covered(found: pl.DataFrame, low: str, high: str, difference: float) -> float:
    return float(found.select(((pl.col(low) <= difference) & (pl.col(high) >= difference)).mean()).item())


@pytest.mark.parametrize("confidence", [0.95, 0.9])
def test_intervals_of_the_t_distribution_cover_the_true_difference(confidence: float) -> None:
    found = rm.compare_files(*_problems(40, 0.02, seed=1), by="problem", confidence=confidence).collect()
    assert found.height == N_PROBLEMS
    assert _covered(found, "ci_low", "ci_high", 0.02) == pytest.approx(confidence, abs=0.01)


def test_intervals_of_the_bootstrap_cover_the_true_difference() -> None:
    problems = _problems(60, 0.02, seed=2)
    found = rm.compare_files(*problems, tests="bootstrap", by="problem", replicates=400).collect()
    covered = _covered(found, "ci_low_bootstrap", "ci_high_bootstrap", 0.02)
    assert covered == pytest.approx(0.95, abs=0.02)  # percentiles of 60 lists are a little narrow


@pytest.mark.parametrize("test", ["t", "wilcoxon", "randomization"])
def test_equal_systems_are_rejected_as_often_as_the_level_says(test: str) -> None:
    problems = _problems(30, 0.0, seed=3)
    found = rm.compare_files(*problems, tests=test, by="problem", replicates=399, correction="none").collect()
    assert (found[f"p_{test}"] <= 0.05).mean() == pytest.approx(0.05, abs=0.011)
