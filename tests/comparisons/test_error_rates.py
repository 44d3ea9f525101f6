"""Simulations of equal systems: how often each test and each interval says that they differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

import rankmetrics as rm
from rankmetrics.comparisons.statistics import LEAST_DRAWN, LEAST_PROVING, Pair, Sample
from tests.support.twin_intervals import regression

LEVEL = 0.05

# Values per list of some runs: a row per run, a column per list.
Values = np.ndarray


def normal(random: np.random.Generator, shape: tuple[int, int]) -> Values:
    return random.normal(0.5, 0.15, shape)


def skewed(random: np.random.Generator, shape: tuple[int, int]) -> Values:
    """Values such as nDCG: most lists have no hit."""
    return np.where(random.random(shape) < 0.6, 0, random.beta(0.7, 1.6, shape))


def binary(random: np.random.Generator, shape: tuple[int, int]) -> Values:
    return (random.random(shape) < 0.3).astype(float)


def clustered(random: np.random.Generator, shape: tuple[int, int]) -> Values:
    """Four lists of each user, whose values are alike."""
    of_users = random.normal(0.5, 0.1, (shape[0], shape[1] // 4)).repeat(4, axis=1)
    return of_users + random.normal(0, 0.1, shape)


def unequal(random: np.random.Generator, shape: tuple[int, int]) -> Values:
    """One to nine lists of each user, whose values are alike."""
    users = users_of(unequal, shape[1])
    return random.normal(0.5, 0.1, shape)[:, users] + random.normal(0, 0.1, shape)


def users_of(draw: Callable[..., Values], n: int) -> np.ndarray:
    """The user of each list."""
    sizes = {clustered: [4], unequal: [1, 1, 2, 3, 9]}.get(draw, [1])
    return np.arange(n).repeat(np.resize(sizes, n))[:n]


ALL = ("t", "wilcoxon", "randomization", "bootstrap")
TOGETHER = ("t", "randomization", "bootstrap")

# How values are drawn, lists of the two systems, whether they are paired, and the tests.
CASES: list[tuple[Callable[..., Values], int, int, bool, Sequence[str]]] = [
    (normal, 30, 30, True, ALL[:3]),
    (skewed, 150, 150, True, ALL),
    (binary, 2000, 2000, True, ("t", "mcnemar")),
    (clustered, 400, 400, True, TOGETHER),
    (clustered, 200, 200, True, TOGETHER),
    (unequal, 160, 160, True, TOGETHER),
    (unequal, 320, 160, False, ("t", "bootstrap")),
    (normal, 60, 60, False, ("t", "bootstrap", "tukey")),
    (skewed, 300, 150, False, ("t", "bootstrap")),
    (binary, 1500, 600, False, ("t",)),
    (clustered, 480, 320, False, ("t", "bootstrap")),
]


def table(values: Values, users: np.ndarray, metric: str, *, first_user: int = 0) -> pl.DataFrame:
    """Values per list, with the user and, of several lists of a user, the day."""
    n_runs, n = values.shape
    days = np.arange(n) * (len({*users}) < n)
    keys = {
        "run": np.arange(n_runs).repeat(n),
        "user": np.tile(users + first_user, n_runs),
        "day": np.tile(days, n_runs),
    }
    return pl.DataFrame({**keys, metric: values.ravel()})


def rates(n_runs: int, case: tuple[Callable[..., Values], int, int, bool, Sequence[str]]) -> dict[str, float]:
    """The share of comparisons of equal systems that each test, and the interval, calls different."""
    draw, n, n_other, is_paired, tests = case
    random = np.random.default_rng([n, n_other])
    metric, first = "hit@10" if draw is binary else "ndcg@10", 0 if is_paired else 10**6
    before = table(draw(random, (n_runs, n)), users_of(draw, n), metric)
    after = table(draw(random, (n_runs, n_other)), users_of(draw, n_other), metric, first_user=first)
    baseline = None if "tukey" in tests else "a"
    before, after = before.with_columns(system=pl.lit("a")), after.with_columns(system=pl.lit("b"))
    comparison = rm.compare_files(
        before,
        after,
        tests=tests,
        by="run",
        baseline=baseline,
        correction=None,
        replicates=1000 if n_runs >= 1000 else 300,
        paired=is_paired,
    )
    frame = comparison.collect()
    shares = {test: frame.filter(pl.col(f"p_{test}") < LEVEL).height / n_runs for test in tests}
    if "t" not in tests:
        return shares
    is_outside = (pl.col("ci_low") > 0) | (pl.col("ci_high") < 0)
    return {**shares, "interval": frame.filter(is_outside).height / n_runs}


def assert_near_level(shares: dict[str, float], n_runs: int, about: object) -> None:
    """Assert that shares are 5 %, but for chance: of 1,000 runs, from 3.5 to 6.5 %."""
    tolerance = max(0.015, 3 * sqrt(LEVEL * (1 - LEVEL) / n_runs)) if n_runs < 1000 else 0.015
    assert all(abs(share - LEVEL) <= tolerance for share in shares.values()), (about, shares)


def test_few_comparisons_of_equal_systems_are_called_significant() -> None:
    for case in CASES:
        assert_near_level(rates(100, case), 100, case)


@pytest.mark.long
def test_one_of_20_comparisons_of_equal_systems_is_called_significant() -> None:
    for case in CASES:
        assert_near_level(rates(1000, case), 1000, case)


# --- statistics alone, without a query --------------------------------------------------------------------------------


def pair(*values: Values, **options: Any) -> Pair:
    """The pair of some differences, or of the values of two arms; no values are in clusters."""
    samples = tuple(Sample.of(len(of), of.mean(), float(((of - of.mean()) ** 2).sum()), 1.0, ()) for of in values)
    n = sum(map(len, values))
    return Pair(
        *((), (), "ndcg@10", ("a",), ("b",)),
        n_lists=n, n_undefined=0, n_of=(n, n), n_common=n,
        baseline_mean=values[0].mean() if len(values) > 1 else 0.0,
        system_mean=values[-1].mean(),
        samples=samples, **options,
    )  # fmt: skip


def rates_of_margins(n_runs: int) -> dict[str, float]:
    """The share of proofs where the true difference is the margin."""
    random, margin, shares = np.random.default_rng(1), 0.05, {"not worse": 0.0, "equal": 0.0, "arms": 0.0}
    for _ in range(n_runs):
        lists = random.normal(0, 0.15, 200)
        not_worse, _below = pair(lists - margin).p_within(margin)
        equal = max(p or 0 for p in pair(lists + margin).p_within(margin))
        arms = max(p or 0 for p in pair(random.normal(0, 0.1, 150), lists + margin).p_within(margin))
        for name, p_value in (("not worse", not_worse), ("equal", equal), ("arms", arms)):
            shares[name] += ((p_value or 0) < LEVEL) / n_runs
    return shares


def test_a_difference_as_large_as_the_margin_is_called_smaller_in_one_of_20_runs() -> None:
    assert_near_level(rates_of_margins(4000), 4000, "margins")


def losses_of_some(random: np.random.Generator, shape: tuple[int, int]) -> Values:
    """A fifth of the lists lose much: the worst case of a proof, since few lists may miss the losses."""
    return -np.where(random.random(shape) < 0.8, 0, random.beta(0.7, 1.6, shape)) + 0.2 * 0.7 / 2.3


def losses_and_gains(random: np.random.Generator, shape: tuple[int, int]) -> Values:
    """Half of the lists change, and losses are larger than gains."""
    gains, losses, kind = random.beta(0.7, 1.6, shape), random.beta(1.2, 1.6, shape), random.random(shape)
    change = np.where(kind < 0.5, 0, np.where(kind < 0.75, gains, -losses))
    return change - 0.25 * (0.7 / 2.3 - 1.2 / 2.8)


def share_of_proofs(draw: Callable[..., Values], n: int, n_runs: int = 20_000) -> float:
    """The share of runs whose true difference is the margin, which a t-test calls smaller; of any number of lists."""
    values = draw(np.random.default_rng(n), (n_runs, n))
    errors = values.std(axis=1, ddof=1) / np.sqrt(n)
    return float(
        (stats.t.sf(values.mean(axis=1) / np.maximum(errors, 1e-12), n - 1)[errors > 1e-12] < LEVEL).sum() / n_runs
    )


def test_fewer_lists_than_are_needed_would_prove_what_is_not_true() -> None:
    assert share_of_proofs(losses_and_gains, 10) > 0.07
    assert share_of_proofs(losses_of_some, 20) > 0.15
    assert share_of_proofs(losses_and_gains, LEAST_PROVING) < 0.06
    assert share_of_proofs(losses_of_some, LEAST_PROVING) < 0.1
    assert share_of_proofs(losses_of_some, 1000) < 0.065


def test_fewer_lists_than_are_needed_prove_nothing() -> None:
    values = np.linspace(-0.001, 0.001, LEAST_PROVING)
    for n, ending in (
        (LEAST_PROVING - 1, f"{LEAST_PROVING} are needed"),
        (LEAST_PROVING, "as your margin of 0.01 asks"),
    ):
        before = pl.DataFrame({"user": range(n), "ndcg@10": [0.5] * n})
        comparison = rm.compare_files(before, before.with_columns(pl.col("ndcg@10") + values[:n]), margin=0.01)
        assert comparison.sentences()[0].endswith(ending)


def share_of_alarms(n_runs: int, tuned_to: int | None) -> float:
    """The share of runs of equal systems in which any of 30 looks at growing data finds a difference."""
    random, alarms = np.random.default_rng(2), 0
    for run in range(n_runs):
        values = skewed(random, (2, 3000))
        for n in range(100, 3001, 100):
            looked_at = pair(values[1, :n] - values[0, :n], tuned_to=tuned_to)
            if run % 2:  # arms, of different sizes
                looked_at = pair(values[0, : n // 2], values[1, :n], tuned_to=tuned_to)
            interval = looked_at.interval(0.95)
            if interval and not interval[0] <= 0 <= interval[1]:
                alarms += 1
                break
    return alarms / n_runs


def test_thirty_looks_at_equal_systems_find_no_difference_in_19_of_20_runs() -> None:
    assert share_of_alarms(300, 5000) <= LEVEL
    assert share_of_alarms(100, None) > 2 * LEVEL  # the interval for one look does not hold for 30


@pytest.mark.long
def test_thirty_looks_of_1000_runs_find_no_difference_in_19_of_20_runs() -> None:
    assert share_of_alarms(1000, 5000) <= LEVEL
    assert share_of_alarms(1000, 1000) <= LEVEL


def test_an_interval_that_holds_at_every_look_is_that_of_the_paper() -> None:
    values = np.random.default_rng(3).normal(0.1, 1, 400)
    looked = pair(values, tuned_to=5000)
    squared = (-2 * np.log(0.05) + np.log(-2 * np.log(0.05) + 1)) / 5000
    n, deviation, mean = 400, values.std(ddof=1), values.mean()
    mixed = n * squared
    half = deviation * sqrt(2 * (mixed + 1) / (n**2 * squared) * np.log(sqrt(mixed + 1) / 0.05))
    exponent = -(n**2) * squared * mean**2 / (2 * deviation**2 * (mixed + 1))
    assert looked.interval(0.95) == pytest.approx((mean - half, mean + half), rel=1e-12)
    assert looked.p_value == pytest.approx(min(1, sqrt(mixed + 1) * np.exp(exponent)), rel=1e-9)


def test_equal_differences_of_all_lists_have_the_bound_of_the_sign_test() -> None:
    for n in (2, 6, 50):
        of_n = pair(np.ones(n), limits=(0.0, 1.0))
        assert of_n.p_value == pytest.approx(2 * 0.5**n)  # as of n wins and no losses
        assert of_n.p_value == pytest.approx(stats.binomtest(n, n).pvalue)
        assert of_n.interval(0.95) == pytest.approx((1 - 2 * (1 - 0.025 ** (1 / n)), 1))
    not_worse, not_better = pair(np.zeros(20_000), limits=(0.0, 1.0)).p_within(0.01)
    assert not_worse == not_better == pytest.approx(0.99**20_000)
    assert pair(np.zeros(2), limits=(0.0, 1.0)).p_within(0.01)[0] == pytest.approx(0.99**2)
    assert pair(np.full(9, 0.25)).p_value is None  # values without limits
    assert pair(np.full(9, 0.25)).interval(0.95) is None


def test_the_interval_of_a_difference_stays_within_the_metric() -> None:
    interval = pair(np.array([1.0, 1.0, 1.0, 0.9]), limits=(0.0, 1.0)).interval(0.99)
    assert interval is not None
    assert interval[1] == 1
    assert interval[0] < 0.975


def test_an_arm_whose_values_are_all_equal_proves_no_more_than_its_number_of_lists() -> None:
    random = np.random.default_rng(4)
    hits = (random.random(20_000) < 0.15).astype(float)
    options = {"limits": (0.0, 1.0), "is_binary": True}
    few, many = pair(np.zeros(6), hits, **options), pair(np.zeros(5_000), hits, **options)
    assert few.p_value is not None
    assert few.p_value > LEVEL
    assert many.p_value is not None
    assert many.p_value < 1e-9


# --- few users with several lists: what the bootstrap would do, computed with NumPy -----------------------------------

# How the differences of users, and of their lists around them, are drawn.
DIFFERENCES: dict[str, Callable[..., Values]] = {
    "normal": lambda random, shape: random.normal(size=shape),
    "skewed": lambda random, shape: random.exponential(1, shape) - 1,
    "0 and 1": lambda random, shape: random.beta(1, 3, shape),
}


def rates_of_few_users(n_runs: int, kind: str, n_users: int, sizes: Sequence[int]) -> dict[str, float]:
    """The share of true nulls that tests reject; the percentile bootstrap compares means of replicates, and not t."""
    random, n_replicates = np.random.default_rng([n_users, len(sizes), n_runs]), 1000
    n_lists = np.resize(sizes, n_users)
    users, n = np.arange(n_users).repeat(n_lists), n_lists.sum()
    of_users = DIFFERENCES[kind](random, (n_runs, n_users))[:, users]
    if kind == "0 and 1":
        hits = random.random((2, n_runs, n)) < of_users
        differences = hits[0].astype(float) - hits[1]
    else:
        differences = of_users + DIFFERENCES[kind](random, (n_runs, n))
    sums = np.add.reduceat(differences, np.cumsum(n_lists) - n_lists, axis=1)
    _, _, (freedom,) = regression(np.ones((n, 1)), differences[0], users)
    shares = dict.fromkeys(("percentile", "bootstrap", "t", "randomization"), 0.0)
    for total in sums:
        mean, deviations = total.sum() / n, total - total.sum() / n * n_lists
        if not (error := sqrt((deviations**2).sum()) / n):
            continue
        weights = random.poisson(1, (n_replicates, n_users)).astype(float)
        drawn = weights @ n_lists
        shift = weights @ deviations / drawn
        squares = weights @ deviations**2 - 2 * shift * (weights @ (deviations * n_lists))
        squares += shift**2 * (weights @ n_lists**2)
        is_as_far = np.abs(shift) * error >= abs(mean) * np.sqrt(squares.clip(0)) / drawn * (1 - 1e-9)
        signs = random.integers(0, 2, (n_replicates, n_users)) * 2.0 - 1
        p_values = {
            "percentile": (1 + (np.abs(shift) >= abs(mean) * (1 - 1e-9)).sum()) / (1 + n_replicates),
            "bootstrap": (1 + is_as_far.sum()) / (1 + n_replicates),
            "t": 2 * stats.t.sf(n * abs(mean) / sqrt((deviations**2 / (1 - n_lists / n)).sum()), freedom),
            "randomization": (1 + (np.abs(signs @ total) >= abs(total.sum()) - 1e-9).sum()) / (1 + n_replicates),
        }
        for name, p_value in p_values.items():
            shares[name] += (p_value < LEVEL) / n_runs
    return shares


def test_a_bootstrap_of_means_finds_too_much_for_20_users_and_that_of_t_does_not() -> None:
    shares = rates_of_few_users(1000, "normal", 20, [1, 1, 2, 3, 9])
    assert shares["percentile"] > 0.075
    assert_near_level({"bootstrap": shares["bootstrap"]}, 1000, "20 users")


@pytest.mark.long
def test_the_bootstrap_rejects_at_most_65_of_1000_true_nulls_from_50_users_on() -> None:
    for kind in DIFFERENCES:
        for sizes in ([4], [1, 1, 2, 3, 9]):
            share = rates_of_few_users(16_000, kind, LEAST_DRAWN, sizes)["bootstrap"]
            assert round(share, 3) <= 0.065, (kind, sizes)
    assert rates_of_few_users(16_000, "skewed", 20, [1, 1, 2, 3, 9])["bootstrap"] > 0.065


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")  # a replicate of the bootstrap may draw no user
def test_the_t_test_of_10_and_20_users_with_1_to_9_lists_rejects_at_most_65_of_1000_true_nulls() -> None:
    for n_users in (10, 20):
        assert round(rates_of_few_users(16_000, "normal", n_users, [1, 1, 2, 3, 9])["t"], 3) <= 0.065, n_users
