"""Warnings that are tests hold their error rate, on counts and on generated evaluations of sound data."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from scipy import stats

import rankmetrics as rm
from rankmetrics.faults.chance import LEVEL, at_least, at_most, p_importance, p_low, significant
from rankmetrics.faults.doubts import counts_of, doubts
from tests.support.drawing import scaled
from tests.support.sound_runs import Run, sound_run

HALVES = ("sampled_hits_low", "sampled_hits_high")


def warned(run: Run) -> list[str]:
    """The warnings of an evaluation; data that is refused has none."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            run.evaluate().check()
        except rm.DataError:
            return []
    return [str(warning.message) for warning in caught]


def false_alarms(seeds: Iterable[int]) -> dict[int, list[str]]:
    return {seed: texts for seed in seeds if (texts := warned(sound_run(seed)))}


def test_sound_runs_are_hardly_ever_warned_of() -> None:
    alarms = false_alarms(range(scaled(120)))
    assert len(alarms) <= 1, alarms


@pytest.mark.long
def test_one_of_a_hundred_sound_runs_is_warned_of_at_most() -> None:
    n = scaled(1000)
    alarms = false_alarms(range(10_000, 10_000 + n))
    assert len(alarms) <= max(1, stats.binom.ppf(0.99, n, 0.01) if n < 1000 else n // 100), alarms


def test_small_importance_weights_are_far_from_1_though_their_squares_round_to_0() -> None:
    row = Counter(log_actions=943, log_importance=9, log_squared_importance=0)
    assert p_importance(row) < LEVEL


def test_a_training_loop_is_warned_of_untrained_models_once() -> None:
    random = np.random.default_rng(1)
    truth = pl.DataFrame({"user": np.repeat(range(200), 3), "item": random.integers(0, 90, 600)}).unique()
    texts = []
    for _ in range(50):
        lists = np.array([random.permutation(90)[:10] for _ in range(200)])
        recs = pl.DataFrame({"user": np.repeat(range(200), 10), "item": lists.ravel(), "rank": [*range(1, 11)] * 200})
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = rm.evaluate(recs, truth.clone(), "ndcg@10")
            result.collect()
        texts += [str(warning.message) for warning in caught]
    assert len(texts) == 1
    assert "the model is untrained" in texts[0]
    assert "Warning: The recommendations fit their own truth no better" in "\n".join(result.notes())


@pytest.mark.parametrize("n_low", [66, 124])
def test_a_few_more_low_hits_in_one_of_many_groups_are_silent(n_low: int) -> None:
    assert groups({"sampled_hits_low": n_low, "sampled_hits_high": {66: 58, 124: 123}[n_low]}) == []
    bunched = {"sampled_bunched_low": n_low, "sampled_bunched_high": {66: 58, 124: 123}[n_low]}
    assert groups({"sampled_hits_low": 200, "sampled_hits_high": 700, **bunched}) == []


def test_a_reversed_group_of_many_is_named_with_the_number_that_is_expected() -> None:
    [text] = groups({"sampled_hits_low": 86, "sampled_hits_high": 38})
    assert text == (
        "Relevant items rank below chance for week=1, country=FR: 38 of 124 are in the upper half of their lists, and "
        "62 are expected by chance. Rank 1 must be the best."
    )


def groups(counts: dict[str, int]) -> list[str]:
    """The warnings of 96 groups, the first of which has these counts."""
    recs = pl.DataFrame({"week": [1], "country": ["FR"], "user": [1], "item": [1], "rank": [1]})
    layout = rm.evaluate(recs, recs.drop("rank"), "hit@1", by=["week", "country"]).layout
    sound = {"sampled_hits_low": 45, "sampled_hits_high": 80}
    countries = ["FR", *(f"country {n}" for n in range(95))]
    rows = [
        (1, country, name, n)
        for country in countries
        for name, n in ({"lists_recommended": 9, **(counts if country == "FR" else sound)}).items()
    ]
    return [doubt.text for doubt in doubts(counts_of(rows), layout, 10)]


def test_hits_of_one_item_in_many_lists_are_no_evidence() -> None:
    assert p_low(Counter(sampled_hits_low=300, sampled_hits_high=100)) < LEVEL  # of as many items
    of_three = {"sampled_hits_low_pairs": 3 * 100**2, "sampled_hits_high_pairs": 100**2}
    assert p_low(Counter(sampled_hits_low=300, sampled_hits_high=100, **of_three)) > LEVEL


def test_of_many_reversed_systems_three_are_named() -> None:
    recs = pl.DataFrame({"algorithm": ["0"], "user": [1], "item": [1], "rank": [1]})
    layout = rm.evaluate(recs, recs.select("user", "item"), "hit@1").layout
    halves = [(str(row), name, 90 if ("low" in name) == (row < 6) else 30) for row in range(7) for name in HALVES]
    rows = [*halves, *((str(row), "lists_recommended", 9) for row in range(7))]
    [doubt] = doubts(counts_of(rows), layout, 10)
    assert " for algorithm=0; algorithm=1; algorithm=2 and 3 more rows: 180 of 720 are" in str(doubt)


def test_right_propensities_are_hardly_ever_doubted_and_doubled_ones_are() -> None:
    random, n_alarms, n_found = np.random.default_rng(3), 0, 0
    for _ in range(300):
        n, n_items = int(random.integers(20, 2000)), int(random.integers(2, 30))
        propensities = random.dirichlet(np.full(n_items, random.uniform(0.5, 2)), n)
        shown = (propensities.cumsum(axis=1) > random.random((n, 1))).argmax(axis=1)
        liked = (np.log(propensities) * random.uniform(-0.5, 1) + random.normal(size=(n, n_items))).argmax(axis=1)
        weights = (shown == liked) / propensities[np.arange(n), shown]
        n_alarms += p_importance(log_of(weights)) <= LEVEL
        n_found += p_importance(log_of(2 * weights)) <= LEVEL
    assert n_alarms <= 3
    assert n_found >= 150


def log_of(weights: NDArray[np.float64]) -> Counter[str]:
    """The counts of a log with these importance weights."""
    sums = {"importance": weights.sum(), "squared_importance": (weights**2).sum()}
    return Counter(log_actions=len(weights), **{f"log_{name}": round(value) for name, value in sums.items()})


def test_probabilities_are_scipys() -> None:
    for n, low, share in ((10, 10, 0.5), (124, 66, 0.5), (257, 143, 0.45), (5000, 2600, 0.5)):
        assert at_least(low, n, share) == pytest.approx(stats.binom.sf(low - 1, n, share), rel=1e-8)
    for n, expected in ((0, 7.5), (37, 56.25), (9000, 9300)):
        assert at_most(n, expected) == pytest.approx(stats.poisson.cdf(n, expected), rel=1e-8)
    assert at_most(20_000, 20_300) == pytest.approx(stats.poisson.cdf(20_000, 20_300), rel=0.05)
    assert at_most(0, 0) == 1


def test_the_correction_is_scipys_benjamini_hochberg() -> None:
    random = np.random.default_rng(2)
    for n in (1, 5, 60):
        p_values = random.uniform(0, 3 * LEVEL, n).tolist()
        adjusted = stats.false_discovery_control(p_values)
        assert significant(dict(enumerate(p_values))) == [row for row in range(n) if adjusted[row] <= LEVEL]
    assert significant({}) == []
