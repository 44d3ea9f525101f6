"""Tests and intervals, against SciPy, statsmodels and ranx; ranks of systems; every engine computes the same sums."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm
from polars.testing import assert_frame_equal
from scipy import stats
from scipy.stats import friedmanchisquare
from statsmodels.stats.multitest import multipletests

import rankmetrics as rm
from peers.problems import drawn_runs
from peers.tables import GOLDEN
from rankmetrics.comparisons.comparison import Ranks
from rankmetrics.comparisons.statistics import CORRECTIONS
from tests.support.engines import LOCAL, OTHERS, Engine, long_but_for, need
from tests.support.refusals import refusal
from tests.support.twin_intervals import regression
from tests.support.two_systems import RECS_PATH, TRUTH_PATH

# The values of a metric are sixteenths, so that equal differences are equal on every engine.
STEPS = 16


def values_per_list(
    n_users: int = 60, systems: tuple[str, ...] = ("als", "knn", "pop"), *, n_days: int = 1, seed: int = 0
) -> pl.DataFrame:
    """A table of values per list: system, user, day, and two metrics; some values of the second are NULL."""
    random = np.random.default_rng(seed)
    rows = []
    for user in range(n_users):
        of_user = random.normal(0, 2)
        for day in range(n_days):
            for place, system in enumerate(systems):
                sixteenths = round(float(np.clip(8 + of_user + place + random.normal(0, 2), 0, STEPS)))
                second = None if random.random() < 0.1 else random.integers(0, 4) / 4
                rows.append((system, user, day, sixteenths / STEPS, second))
    return pl.DataFrame(rows, schema=["system", "user", "day", "ndcg@10", "recall@5"], orient="row")


# --- The statistics of a comparison are those of SciPy and statsmodels ------------------------------------------------


SYSTEMS = ("als", "knn", "pop")


def _differences(values: pl.DataFrame, metric: str, baseline: str, system: str) -> np.ndarray:
    """The differences of two systems, over the lists that have a value of both."""
    both = values.pivot("system", index=["user", "day"], values=metric).drop_nulls([baseline, system])
    return (both[system] - both[baseline]).to_numpy()


def _rows(values: pl.DataFrame, **options: Any) -> list[dict[str, Any]]:
    """The rows of a comparison of values per list, split into two tables."""
    half = values.height // 2
    return rm.compare_files(values[:half], values[half:], **options).collect().to_dicts()


def _exact_wilcoxon(differences: np.ndarray) -> float:
    """The two-sided p-value over all signs: the sums of ranks, doubled to be whole, as a polynomial."""
    ranks = np.round(2 * stats.rankdata(np.abs(differences))).astype(int)
    chances = np.ones(1)
    for rank in ranks[differences != 0]:
        chances = np.convolve(chances, [0.5, *[0] * (rank - 1), 0.5])
    least = min(ranks[differences > 0].sum(), ranks[differences < 0].sum())
    return float(min(1.0, 2 * chances[: least + 1].sum()))


def test_numbers_of_all_pairs_are_those_of_scipy() -> None:
    values = values_per_list()
    rows = _rows(values, tests=("t", "wilcoxon", "tukey"))
    pairs = [(metric, *pair) for metric in ("ndcg@10", "recall@5") for pair in combinations(SYSTEMS, 2)]
    assert [(row["metric"], row["baseline"], row["system"]) for row in rows] == pairs
    for row in rows:
        of_pair = _differences(values, row["metric"], row["baseline"], row["system"])
        t = stats.ttest_1samp(of_pair, 0)
        signed = _exact_wilcoxon(of_pair)
        if len(of_pair) > 50:
            signed = stats.wilcoxon(of_pair, zero_method="pratt", method="asymptotic", correction=False).pvalue
        assert row["n_lists"] == len(of_pair)
        assert row["n_lists"] + row["n_undefined"] == 60
        assert [row[name] for name in ("wins", "ties", "losses")] == [(np.sign(of_pair) == s).sum() for s in (1, 0, -1)]
        names = ("difference", "ci_low", "ci_high", "effect_size", "p_t", "p_wilcoxon")
        assert [row[name] for name in names] == pytest.approx(
            [of_pair.mean(), *t.confidence_interval(0.95), of_pair.mean() / of_pair.std(ddof=1), t.pvalue, signed],
            abs=1e-9,
        )
        assert row["difference"] == pytest.approx(row["system_mean"] - row["baseline_mean"], abs=1e-12)
        assert row["relative_difference"] == pytest.approx(row["difference"] / row["baseline_mean"], abs=1e-12)
        samples = [values.filter(system=system)[row["metric"]].drop_nulls().to_numpy() for system in SYSTEMS]
        place = SYSTEMS.index(row["baseline"]), SYSTEMS.index(row["system"])
        assert (
            row["p_tukey"]
            == row["p_tukey_adjusted"]
            == pytest.approx(stats.tukey_hsd(*samples).pvalue[place], abs=1e-9)
        )
    for start in (0, 3):  # the tests of a metric are one family
        of_metric = rows[start : start + 3]
        adjusted = multipletests([row["p_t"] for row in of_metric], method="holm")[1]
        assert [row["p_t_adjusted"] for row in of_metric] == pytest.approx(adjusted, abs=1e-9)


def test_corrections_are_those_of_statsmodels() -> None:
    random = np.random.default_rng(0)
    for n in (1, 2, 7, 30):
        p_values = (random.random(n) ** 3).round(2).tolist()
        for name, method in (("holm", "holm"), ("bonferroni", "bonferroni"), ("benjamini_hochberg", "fdr_bh")):
            adjusted = multipletests(p_values, method=method)[1]
            assert CORRECTIONS[name][0](p_values) == pytest.approx(adjusted, abs=1e-9), (name, n)


def test_clustered_statistics_are_those_of_statsmodels() -> None:
    values = values_per_list(n_users=30, n_days=4)
    (row, _) = _rows(values, metrics="ndcg@10", baseline="als", cluster="user")
    both = values.pivot("system", index=["user", "day"], values="ndcg@10")
    fitted = sm.OLS((both["knn"] - both["als"]).to_numpy(), np.ones(both.height)).fit(
        cov_type="cluster", cov_kwds={"groups": both["user"].to_numpy()}, use_t=True
    )
    numbers = [row[name] for name in ("p_t", "ci_low", "ci_high")]
    assert numbers == pytest.approx([fitted.pvalues[0], *fitted.conf_int()[0]], abs=1e-9)


@pytest.mark.parametrize("engine", LOCAL, ids=str)
def test_statistics_of_clusters_of_unequal_sizes_are_those_of_cr2(engine: Engine) -> None:
    values = values_per_list(n_users=30, systems=("als", "knn"), n_days=9)
    values = values.filter(pl.col("day") < pl.col("user") % 5 * 2 + 1)  # users with 1, 3, 5, 7 or 9 lists
    tables = [engine.give(values.filter(system=system)) for system in ("als", "knn")]
    options = {"metrics": "ndcg@10", "cluster": "user", "confidence": 0.9, **engine.options}
    (row,) = rm.compare_files(*tables, **options).collect().to_dicts()
    both = values.pivot("system", index=["user", "day"], values="ndcg@10")
    differences, users = (both["knn"] - both["als"]).to_numpy(), both["user"].to_numpy()
    (mean,), (error,), (freedom,) = regression(np.ones((both.height, 1)), differences, users)
    assert freedom < 25
    expected = [2 * stats.t.sf(abs(mean / error), freedom), *stats.t.interval(0.9, freedom, mean, error)]
    assert [row[name] for name in ("p_t", "ci_low", "ci_high")] == pytest.approx(expected, rel=1e-9)


def test_statistics_of_clusters_are_the_numbers_that_r_returned() -> None:
    """Of `lm_robust(y ~ 1, clusters = u, se_type = "CR2")`, and of `y ~ arm`: estimatr 1.0.0, R 4.2.2.

    clubSandwich 0.5.8 has the same errors, degrees of freedom and p-values.
    """
    users = [*np.repeat(range(1, 11), [1, 1, 2, 3, 9] * 2).tolist()]
    values = [place * 7 % 11 / 10 - 0.3 + user / 20 for place, user in enumerate(users, 1)]
    after = pl.DataFrame({"user": users, "day": range(1, 33), "dcg@10": values})
    (row,) = rm.compare_files(after.with_columns(pl.lit(0.0).alias("dcg@10")), after).collect().to_dicts()
    numbers = [row[name] for name in ("difference", "p_t", "ci_low", "ci_high")]
    assert numbers == pytest.approx([0.546875, 0.0017334842898703794, 0.33044987454957753, 0.7633001254504224])
    assert regression(np.ones((32, 1)), np.array(values), np.array(users))[2] == pytest.approx(4.4152430012162354)
    is_in_arm = pl.col("day") % 3 == 0
    (pair,) = rm.compare_files(after.filter(~is_in_arm), after.filter(is_in_arm), paired=False).pairs
    assert pair.difference == pytest.approx(0.0627272727272728)
    assert pair.standard_error == pytest.approx(0.22147461887159064)


def test_two_clusters_of_very_unequal_sizes_have_one_degree_of_freedom() -> None:
    before = pl.DataFrame({"user": [0] * 1000 + [1], "day": range(1001), "rr": 0.5})
    after = before.with_columns(rr=0.5 + 0.1 * (pl.col("day") % 3) + 0.2 * pl.col("user"))
    (row,) = rm.compare_files(before, after, cluster="user").collect().to_dicts()
    _, (error,), (freedom,) = regression(
        np.ones((1001, 1)), (after["rr"] - before["rr"]).to_numpy(), before["user"].to_numpy()
    )
    assert freedom == pytest.approx(1)
    users = np.arange(20).repeat(np.resize([1, 1, 2, 3, 9], 20))
    assert regression(np.ones((64, 1)), np.arange(64.0), users)[2] == pytest.approx(9.7, abs=0.05)  # as docs say
    assert row["p_t"] == pytest.approx(2 * stats.t.sf(row["difference"] / error, 1), rel=1e-9)


def test_a_statistic_that_cannot_be_computed_is_null() -> None:
    statistics = ("ci_low", "ci_high", "effect_size", "p_t", "p_t_adjusted", "detectable_difference")
    cases: list[tuple[list[float | None], list[float | None], dict[str, Any]]] = [
        ([0.0], [0.5], {"n_lists": 1, "difference": 0.5, "wins": 1, **dict.fromkeys(statistics)}),
        ([0.5, 0.25, 1.0], [0.5, 0.25, 1.0], {"difference": 0.0, "ties": 3, "p_t": 1.0, "effect_size": None}),
        ([None, None], [0.5, 1.0], {"n_lists": 0, "n_undefined": 2, **dict.fromkeys(("difference", *statistics))}),
        # differences that hardly vary
        ([0.5, 0.5], [0.6, 0.6 + 1e-15], {"n_lists": 2, "detectable_difference": None, "effect_size": None}),
    ]
    for before, after, expected in cases:
        first, second = (
            pl.DataFrame({"user": range(len(values)), "rr": pl.Series(values, dtype=pl.Float64)})
            for values in (before, after)
        )
        (row,) = rm.compare_files(first, second).collect().to_dicts()
        assert {name: row[name] for name in expected} == expected, (before, after)
        assert before != [0.0] or row["relative_difference"] is None


def test_signed_ranks_without_ties_are_those_of_scipy() -> None:
    random = np.random.default_rng(0)
    sizes = (2, 5, 6, 20, 50, 51, 200)
    samples = {n: random.permutation(np.arange(1, n + 1)) * random.choice([-1, 1, 1], n) / 1024 for n in sizes}
    after = pl.concat(pl.DataFrame({"n": n, "user": range(n), "rr": sample}) for n, sample in samples.items())
    before = after.with_columns(rr=pl.lit(0.0))
    rows = rm.compare_files(before, after, tests="wilcoxon", by="n", correction="none").collect().to_dicts()
    p_values = {row["n"]: row["p_wilcoxon"] for row in rows}
    expected = {n: stats.wilcoxon(sample, zero_method="pratt").pvalue for n, sample in samples.items()}
    assert p_values == pytest.approx(expected, abs=1e-9)


def test_signed_ranks_with_ties_and_zeros_are_those_of_all_signs() -> None:
    for seed in range(4):
        after = np.random.default_rng(seed).integers(-2, 4, 11) / 8
        first, second = (pl.DataFrame({"user": range(11), "rr": values}) for values in (np.zeros(11), after))
        every_sign = stats.PermutationMethod(n_resamples=np.inf)
        expected = stats.wilcoxon(after, zero_method="pratt", method=every_sign).pvalue
        (row,) = rm.compare_files(first, second, tests="wilcoxon").collect().to_dicts()
        assert row["p_wilcoxon"] == pytest.approx(expected)


# --- simulations ------------------------------------------------------------------------------------------------------


def test_random_signs_are_within_simulation_error_of_all_signs() -> None:
    """The signs of a cluster change together."""
    for n_users, n_days, cluster in ((15, 1, None), (8, 6, "user")):
        values = values_per_list(n_users=n_users, n_days=n_days)
        values = values.with_columns(pl.col("ndcg@10") + 0.25 * (pl.col("system") == "als") - 0.125)
        options = {"tests": "randomization", "metrics": "ndcg@10", "cluster": cluster, "replicates": 2000}
        both = values.pivot("system", index=["user", "day"], values="ndcg@10")
        signs = (np.arange(2**n_users)[:, None] >> np.arange(n_users) & 1) * 2 - 1
        for row in _rows(values, **options):
            of_users = both.group_by("user").agg((pl.col(row["system"]) - pl.col(row["baseline"])).sum())
            totals = of_users[row["system"]].to_numpy()
            exact = (np.abs(signs @ totals) >= abs(totals.sum()) - 1e-9).mean()
            chance = 4 * np.sqrt(exact * (1 - exact) / 2000) + 1e-3
            assert row["p_randomization"] == pytest.approx(exact, abs=chance), (cluster, row["system"])


def _replicates(weights: pl.DataFrame, users: pl.Series, values: np.ndarray) -> tuple[float, float, np.ndarray]:
    """The mean, its squared standard error between users, and the same of each replicate, less the mean."""
    mean = values.mean()
    sums = (
        pl.DataFrame({"cluster": users, "value": values - mean})
        .group_by("cluster")
        .agg(n=pl.len(), sum=pl.sum("value"))
    )
    drawn = weights.join(sums, on="cluster").with_columns(lists=pl.col("weight") * pl.col("n"))
    means = drawn.group_by("replicate").agg(mean=(pl.col("weight") * pl.col("sum")).sum() / pl.sum("lists"))
    around = (pl.col("sum") - pl.col("n") * pl.col("mean")) ** 2 * pl.col("weight")
    variance = around.sum() / pl.col("lists").sum() ** 2
    both = drawn.join(means, on="replicate").group_by("replicate").agg(pl.first("mean"), variance=variance)
    squares = float((sums["sum"].to_numpy() ** 2).sum())
    return mean, squares / len(values) ** 2, both.sort("replicate").drop("replicate").to_numpy()


@pytest.mark.parametrize("is_paired", [True, False])
def test_the_bootstrap_divides_the_mean_of_each_replicate_by_its_error_between_users(*, is_paired: bool) -> None:
    values = values_per_list(n_users=240, n_days=3).sample(fraction=0.8, seed=1)  # users with one to three lists
    if not is_paired:
        arms = {"als": 0, "knn": 1, "pop": 2}
        values = values.filter(pl.col("user") % 3 == pl.col("system").replace_strict(arms))
    half = values.height // 2
    comparison = rm.compare_files(
        values[:half], values[half:], metrics="recall@5", tests="bootstrap", cluster="user", correction=None,
        paired=is_paired,
    )  # fmt: skip
    n_replicates = comparison.options.replicates
    weights = comparison.plan.collect("weights").rename({comparison.plan.ids["cluster_id"][0]: "cluster"})
    weights = weights.filter(pl.col("replicate") <= n_replicates)
    for row in comparison.collect().iter_rows(named=True):
        sides = [row["baseline"], row["system"]]
        of_sides = [values.filter(system=side).drop_nulls().sort("user", "day") for side in sides]
        samples = [(side["user"], side["recall@5"].to_numpy()) for side in of_sides]
        if is_paired:
            both = of_sides[0].join(of_sides[1], on=["user", "day"]).sort("user", "day")
            samples = [(both["user"], (both["recall@5_right"] - both["recall@5"]).to_numpy())]
        drawn = [_replicates(weights, *sample) for sample in samples]
        difference = drawn[-1][0] - (0 if is_paired else drawn[0][0])
        shift = drawn[-1][2][:, 0] - (0 if is_paired else drawn[0][2][:, 0])
        error = np.sqrt(sum(variance for _, variance, _ in drawn))
        t = np.abs(shift) / np.sqrt(sum(of_replicates[:, 1] for *_, of_replicates in drawn))
        n_as_far = (t >= abs(difference) / error * (1 - 1e-9)).sum()
        assert row["p_bootstrap"] == pytest.approx((1 + n_as_far) / (1 + n_replicates), abs=1e-12)
        width = np.quantile(t, 0.95) * error
        ends = [row["ci_low_bootstrap"], row["ci_high_bootstrap"]]
        assert ends == pytest.approx([difference - width, difference + width], abs=1e-9)


def test_the_bootstrap_has_no_p_value_from_few_clusters_and_says_so() -> None:
    values = values_per_list(n_users=49, systems=("als", "knn"), n_days=2)
    half = values.height // 2
    comparison = rm.compare_files(values[:half], values[half:], tests=("bootstrap", "t"), metrics="ndcg@10")
    row = comparison.collect().to_dicts()[0]
    assert [row[name] for name in ("p_bootstrap", "ci_low_bootstrap", "ci_high_bootstrap")] == [None] * 3
    assert row["p_t"] is not None
    assert "no p-value of the bootstrap test from 49 clusters: 50 are needed" in comparison.notes()
    assert "49 clusters cannot show a difference at p < 0.05: 50 are needed" in comparison.sentences()[0]
    more = rm.compare_files(values[:half], values[half:], tests="bootstrap", metrics="ndcg@10", cluster=[])
    assert more.collect()["p_bootstrap"].null_count() == 0
    assert not [note for note in more.notes() if "no p-value" in note]


def test_simulations_follow_the_seed() -> None:
    values = values_per_list(n_users=50, systems=("als", "knn"))
    values = values.with_columns(pl.col("ndcg@10", "recall@5").shuffle(seed=1))
    first, second = (_rows(values, tests=("randomization", "bootstrap"), seed=seed, replicates=200) for seed in (0, 1))
    for test in ("p_randomization", "p_bootstrap"):
        assert [row[test] for row in first] != [row[test] for row in second], test


# --- Average ranks over data sets: Friedman's test as SciPy has it, Nemenyi's as scikit-posthocs 0.17.1 returned it ---


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
    assert f"ranks are by {ranks.metric}" in repr(ranks)


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


# --- Every engine computes the same sums; simulations draw what they should -------------------------------------------


ENGINE_STEPS = (
    "moments",
    "cluster_moments",
    "signed_rank_sums",
    "randomized_sums",
    "bootstrap_means",
    "system_moments",
    "system_means",
    "system_cluster_moments",
    "system_bootstrap_means",
    "shared_clusters",
)


def _sums(comparison: rm.Comparison, step: str) -> pl.DataFrame:
    """The rows of a step, in order, with counts as numbers."""
    frame = comparison.plan.collect(step)
    keys = [name for name in frame.columns if re.fullmatch(r"(by|baseline|system)_\d+|metric|replicate", name)]
    return frame.select(*sorted(keys), pl.exclude(keys).cast(pl.Float64)).sort(sorted(keys))


@pytest.mark.parametrize("engine", long_but_for(["polars", "postgres"], (LOCAL[1], *OTHERS)))
def test_every_engine_computes_the_sums_of_duckdb(engine: Engine) -> None:
    need(engine)
    values = values_per_list(n_users=9, n_days=2)
    halves = values[:13], values[13:]
    options: dict[str, Any] = {"by": "day", "cluster": "user", "tests": "t", "replicates": 130}
    first, second = map(LOCAL[0].give, halves)
    wanted = rm.compare_files(first, second, **options)
    first, second = map(engine.give, halves)
    found = rm.compare_files(first, second, **options, **engine.options)
    for step in ENGINE_STEPS:
        assert_frame_equal(_sums(found, step), _sums(wanted, step), check_dtypes=False, rel_tol=1e-12, abs_tol=1e-12)


def test_random_signs_follow_from_hashes_of_the_seed_the_block_and_the_list() -> None:
    values = pl.DataFrame({"user": range(13), "rr": [user * 7 % 5 / 8 for user in range(13)]})
    comparison = rm.compare_files(values.with_columns(rr=pl.lit(0.0)), values, replicates=130, seed=3)
    totals = dict(comparison.plan.collect("randomized_sums").select("replicate", "total").rows())
    for replicate in (1, 2, 63, 120, 121, 130):
        block, place = divmod(replicate - 1, 120)
        total = 0.0
        for user, difference in values.rows():
            digest = hashlib.md5(f"3:{block + 1}:{user}".encode()).hexdigest()
            total += difference if int(digest[place // 4], 16) >> (place % 4) & 1 else -difference
        assert totals[replicate] == pytest.approx(total, abs=1e-12), replicate


def test_weights_of_the_bootstrap_are_poisson() -> None:
    values = values_per_list(n_users=400, systems=("a", "b"))
    weights = rm.compare_files(values[:9], values[9:], replicates=80).plan.collect("weights")["weight"].to_list()
    counts: dict[float, float] = defaultdict(float, Counter(weights))
    counts[0] = 400 * 80 - len(weights)
    for weight, wanted in enumerate((0.3679, 0.3679, 0.1839, 0.0613, 0.0153)):
        assert counts[weight] / (400 * 80) == pytest.approx(wanted, abs=0.012)
    assert sum(weights) / (400 * 80) == pytest.approx(1, abs=0.02)


# --- The p-values that ranx's compare returned, over the drawn runs of peers/problems.py -------------------------


THEIRS = json.loads((GOLDEN / "ranx_compare.json").read_text(encoding="utf-8"))
METRICS = ["ndcg@10", "map@10", "mrr", "precision@5"]
DRAWN = 10_000  # by both


def _ranx_rows(nested: dict[str, dict[str, float]] | dict[str, dict[str, int]]) -> list[tuple[str, str, float]]:
    return [(query, item, float(value)) for query, items in nested.items() for item, value in items.items()]


def _result() -> rm.Result:
    """All runs, under ranx's convention."""
    ratings, runs = drawn_runs()
    recs = pl.DataFrame(
        [(name, *row) for name, run in runs.items() for row in _ranx_rows(run)],
        schema=["system", "query", "item", "score"],
        orient="row",
    )
    truth = pl.DataFrame(_ranx_rows(ratings), schema=["query", "item", "rating"], orient="row")
    return rm.evaluate(recs, truth, METRICS, convention="ranx")


def test_p_values_of_all_pairs_are_those_of_ranx() -> None:
    """ranx does not count the observed order as one of its draws, so that its p-value can be 0."""
    result = _result()
    exact = _by_pair(result.compare(tests=["t", "tukey"], correction=None), "p_t", "p_tukey")
    random = _by_pair(
        result.compare(metrics=METRICS[0], tests="randomization", correction=None, replicates=DRAWN), "p_randomization"
    )
    n_compared = Counter[str]()
    for name, metric, system, other, p in THEIRS["p_values"]:
        key = (metric, frozenset([system, other]))
        if name == "fisher" and metric == METRICS[0]:
            chance = 4.5 * sqrt(2 * max(p * (1 - p), 1 / DRAWN) / DRAWN) + 1 / DRAWN
            assert random[key] == [pytest.approx(p, abs=chance)], key
        elif name in ("student", "tukey"):
            assert exact[key][name == "tukey"] == pytest.approx(p, rel=1e-6, abs=1e-9), (name, key)
        n_compared[name] += 1
    assert n_compared == {"student": 12, "tukey": 12, "fisher": 12}


def _by_pair(comparison: rm.Comparison, *columns: str) -> dict[tuple[str, frozenset[str]], list[float]]:
    rows = comparison.collect().select("metric", "baseline", "system", *columns).iter_rows()
    return {(metric, frozenset([system, other])): p_values for metric, system, other, *p_values in rows}
