"""The statistics of a comparison are those of SciPy and statsmodels."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower

import rankmetrics as rm
from rankmetrics.comparisons.statistics import CORRECTIONS, lists_for_effect
from tests.comparisons.problems import values_per_list

SYSTEMS = ("als", "knn", "pop")


def _differences(values: pl.DataFrame, metric: str, baseline: str, system: str) -> np.ndarray:
    """The differences of two systems, over the lists that have a value of both."""
    both = values.pivot("system", index=["user", "day"], values=metric).drop_nulls([baseline, system])
    return (both[system] - both[baseline]).to_numpy()


def _rows(values: pl.DataFrame, **options: Any) -> list[dict[str, Any]]:
    """The rows of a comparison of values per list, split into two tables."""
    half = values.height // 2
    return rm.compare_files(values[:half], values[half:], **options).collect().to_dicts()


def test_numbers_of_all_pairs_are_those_of_scipy() -> None:
    values = values_per_list()
    rows = _rows(values, tests=("t", "wilcoxon", "tukey"))
    pairs = [(metric, *pair) for metric in ("ndcg@10", "recall@5") for pair in combinations(SYSTEMS, 2)]
    assert [(row["metric"], row["baseline"], row["system"]) for row in rows] == pairs
    for row in rows:
        of_pair = _differences(values, row["metric"], row["baseline"], row["system"])
        t = stats.ttest_1samp(of_pair, 0)
        signed = stats.wilcoxon(of_pair, zero_method="pratt", method="asymptotic", correction=False)
        assert row["n_lists"] == len(of_pair)
        assert row["n_lists"] + row["n_undefined"] == 60
        assert [row[name] for name in ("wins", "ties", "losses")] == [(np.sign(of_pair) == s).sum() for s in (1, 0, -1)]
        names = ("difference", "ci_low", "ci_high", "effect_size", "p_t", "p_wilcoxon")
        assert [row[name] for name in names] == pytest.approx(
            [
                of_pair.mean(),
                *t.confidence_interval(0.95),
                of_pair.mean() / of_pair.std(ddof=1),
                t.pvalue,
                signed.pvalue,
            ],
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


def test_the_number_of_lists_for_an_effect_is_that_of_statsmodels() -> None:
    power = TTestPower()
    for effect in (0.9, 0.3, 0.05, 0.012):
        for level in (0.05, 0.01):
            n = power.solve_power(effect_size=effect, alpha=level, power=0.8)
            assert lists_for_effect(effect, level) == int(np.ceil(n)), (effect, level)
    many = power.solve_power(0.005, power=0.8, alpha=0.05)  # where the normal distribution is as good
    assert lists_for_effect(0.005, 0.05) == pytest.approx(many, rel=1e-5)
    assert [lists_for_effect(effect, 0.05) for effect in (10, 25, 1e3, 1e5)] == [3, 2, 2, 2]


def test_a_statistic_that_cannot_be_computed_is_null() -> None:
    statistics = ("ci_low", "ci_high", "effect_size", "p_t", "p_t_adjusted", "lists_for_1_percent")
    cases: list[tuple[list[float | None], list[float | None], dict[str, Any]]] = [
        ([0.0], [0.5], {"n_lists": 1, "difference": 0.5, "wins": 1, **dict.fromkeys(statistics)}),
        # SciPy has no p-value of equal samples either
        ([0.5, 0.25, 1.0], [0.5, 0.25, 1.0], {"difference": 0.0, "ties": 3, "p_t": None, "effect_size": None}),
        ([None, None], [0.5, 1.0], {"n_lists": 0, "n_undefined": 2, **dict.fromkeys(("difference", *statistics))}),
        # differences that hardly vary
        ([0.5, 0.5], [0.6, 0.6 + 1e-15], {"n_lists": 2, "lists_for_1_percent": None}),
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


def test_the_bootstrap_is_within_simulation_error_of_the_normal_distribution() -> None:
    values = values_per_list(n_users=200)
    for row in _rows(values, tests="bootstrap", metrics="ndcg@10", replicates=2000):
        of_pair = _differences(values, "ndcg@10", row["baseline"], row["system"])
        error = of_pair.std() / np.sqrt(len(of_pair))
        ends = of_pair.mean() - 1.96 * error, of_pair.mean() + 1.96 * error
        assert [row["ci_low_bootstrap"], row["ci_high_bootstrap"]] == pytest.approx(ends, abs=0.25 * error)
        p_value = 2 * stats.norm.sf(abs(of_pair.mean()) / error)
        assert row["p_bootstrap"] == pytest.approx(p_value, abs=4 * np.sqrt(p_value / 2000) + 2e-3)


def test_simulations_follow_the_seed() -> None:
    values = values_per_list(n_users=12, systems=("als", "knn"))
    first, second = (_rows(values, tests=("randomization", "bootstrap"), seed=seed, replicates=200) for seed in (0, 1))
    for test in ("p_randomization", "p_bootstrap"):
        assert [row[test] for row in first] != [row[test] for row in second], test
