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
from tests.comparisons.problems import differences, values_per_list
from tests.support.engines import LOCAL, Engine

METRICS = ("ndcg@10", "recall@5")
ENGINES = pytest.mark.parametrize("engine", LOCAL, ids=str)


def _rows(engine: Engine, values: pl.DataFrame, **options: Any) -> list[dict[str, Any]]:
    """The rows of a comparison of values per list, split into two tables."""
    half = values.height // 2
    given = engine.give(values[:half]), engine.give(values[half:])
    return rm.compare_files(*given, **options).collect().to_dicts()


@ENGINES
def test_means_interval_and_p_value_are_those_of_scipy(engine: Engine) -> None:
    values = values_per_list()
    rows = _rows(engine, values)
    wanted = [(metric, *pair) for metric in METRICS for pair in combinations(("als", "knn", "pop"), 2)]
    assert [(row["metric"], row["baseline"], row["system"]) for row in rows] == wanted
    for row in rows:
        found = differences(values, row["metric"], row["baseline"], row["system"])
        of_scipy = stats.ttest_1samp(found, 0)
        ends = of_scipy.confidence_interval(0.95)
        assert row["n_lists"] == len(found)
        assert row["n_lists"] + row["n_undefined"] == 60
        assert (row["wins"], row["ties"], row["losses"]) == tuple(
            int((np.sign(found) == one).sum()) for one in (1, 0, -1)
        )
        numbers = [row[name] for name in ("difference", "ci_low", "ci_high", "effect_size", "p_t")]
        assert numbers == pytest.approx(
            [found.mean(), *ends, found.mean() / found.std(ddof=1), of_scipy.pvalue], abs=1e-9
        )
        assert row["difference"] == pytest.approx(row["system_mean"] - row["baseline_mean"], abs=1e-12)
        assert row["relative_difference"] == pytest.approx(row["difference"] / row["baseline_mean"], abs=1e-12)


@ENGINES
@pytest.mark.parametrize(
    ("correction", "of_statsmodels"),
    [("holm", "holm"), ("bonferroni", "bonferroni"), ("benjamini_hochberg", "fdr_bh")],
)
def test_corrected_p_values_are_those_of_statsmodels(engine: Engine, correction: str, of_statsmodels: str) -> None:
    rows = _rows(engine, values_per_list(), correction=correction, metrics="ndcg@10")
    wanted = multipletests([row["p_t"] for row in rows], method=of_statsmodels)[1]
    assert [row["p_t_adjusted"] for row in rows] == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize(
    ("correction", "of_statsmodels"),
    [("holm", "holm"), ("bonferroni", "bonferroni"), ("benjamini_hochberg", "fdr_bh")],
)
def test_corrections_of_random_p_values_are_those_of_statsmodels(correction: str, of_statsmodels: str) -> None:
    random = np.random.default_rng(0)
    for n in (1, 2, 7, 30):
        p_values = (random.random(n) ** 3).round(2).tolist()
        wanted = multipletests(p_values, method=of_statsmodels)[1]
        assert CORRECTIONS[correction].correct(p_values) == pytest.approx(wanted, abs=1e-9)


@ENGINES
def test_clustered_statistics_are_those_of_statsmodels(engine: Engine) -> None:
    values = values_per_list(n_users=30, n_days=4)
    (row,) = _rows(engine, values, metrics="ndcg@10", baseline="als", cluster="user", system="system")[:1]
    both = values.pivot("system", index=["user", "day"], values="ndcg@10")
    fitted = sm.OLS((both["knn"] - both["als"]).to_numpy(), np.ones(both.height)).fit(
        cov_type="cluster", cov_kwds={"groups": both["user"].to_numpy()}, use_t=True
    )
    assert row["p_t"] == pytest.approx(fitted.pvalues[0], abs=1e-9)
    assert [row["ci_low"], row["ci_high"]] == pytest.approx(fitted.conf_int()[0].tolist(), abs=1e-9)


@pytest.mark.parametrize("effect", [0.9, 0.3, 0.05, 0.012])
@pytest.mark.parametrize("level", [0.05, 0.01])
def test_the_number_of_lists_is_that_of_statsmodels(effect: float, level: float) -> None:
    wanted = TTestPower().solve_power(effect_size=effect, alpha=level, power=0.8)
    assert lists_for_effect(effect, level) == int(np.ceil(wanted))


def test_few_lists_show_a_very_large_effect() -> None:
    assert [lists_for_effect(effect, 0.05) for effect in (10, 25, 1e3, 1e5)] == [3, 2, 2, 2]


def test_no_number_of_lists_is_told_of_differences_that_hardly_vary() -> None:
    pair = pl.DataFrame({"system": ["a", "a", "b", "b"], "user": [1, 2, 1, 2], "ndcg@10": [0.5, 0.5, 0.6, 0.6 + 1e-15]})
    first, second = pair.partition_by("system")
    (row,) = rm.compare_files(first, second, baseline="a", tests="t").collect().rows(named=True)
    assert row["lists_for_1_percent"] is None


def test_the_number_of_lists_beyond_many_follows_the_normal_distribution() -> None:
    assert lists_for_effect(0.005, 0.05) == pytest.approx(
        TTestPower().solve_power(0.005, power=0.8, alpha=0.05), rel=1e-5
    )


@ENGINES
def test_what_cannot_be_computed_is_null(engine: Engine) -> None:
    one = pl.DataFrame({"system": ["a", "b"], "user": [1, 1], "ndcg@10": [0.0, 0.5]})
    (row,) = _rows(engine, one)
    assert [row[name] for name in ("n_lists", "difference", "wins")] == [1, 0.5, 1]
    unknown = ("relative_difference", "ci_low", "ci_high", "effect_size", "p_t", "p_t_adjusted", "lists_for_1_percent")
    assert [row[name] for name in unknown] == [None] * len(unknown)


@ENGINES
def test_equal_systems_have_no_p_value_as_in_scipy(engine: Engine) -> None:
    same = pl.DataFrame({"system": ["a"] * 3 + ["b"] * 3, "user": [1, 2, 3] * 2, "ndcg@10": [0.5, 0.25, 1.0] * 2})
    (row,) = _rows(engine, same)
    assert np.isnan(stats.ttest_rel([0.5, 0.25, 1.0], [0.5, 0.25, 1.0]).pvalue)
    assert [row[name] for name in ("difference", "ties", "p_t", "effect_size")] == [0.0, 3, None, None]


@ENGINES
def test_lists_without_any_value_have_no_statistics(engine: Engine) -> None:
    nothing = pl.DataFrame(
        {"system": ["a", "a", "b", "b"], "user": [1, 2, 1, 2], "ndcg@10": [None, None, 0.5, 1.0]},
        schema_overrides={"ndcg@10": pl.Float64},
    )
    (row,) = _rows(engine, nothing)
    assert [row[name] for name in ("n_lists", "n_undefined", "difference", "baseline_mean", "p_t")] == [
        0,
        2,
        None,
        None,
        None,
    ]


# --- ranks ------------------------------------------------------------------------------------------------------------


@ENGINES
def test_signed_ranks_with_ties_and_zeros_are_those_of_scipy(engine: Engine) -> None:
    values = values_per_list()
    for row in _rows(engine, values, tests="wilcoxon"):
        found = differences(values, row["metric"], row["baseline"], row["system"])
        wanted = stats.wilcoxon(found, zero_method="pratt", method="asymptotic", correction=False)
        assert row["p_wilcoxon"] == pytest.approx(wanted.pvalue, abs=1e-9)


@pytest.mark.parametrize("n", [2, 5, 6, 20, 50, 51, 200])
def test_signed_ranks_without_ties_are_those_of_scipy(n: int) -> None:
    random = np.random.default_rng(n)
    found = random.permutation(np.arange(1, n + 1)) * random.choice([-1, 1, 1], n) / 1024
    before, after = (pl.DataFrame({"user": range(n), "rr": one}) for one in (np.zeros(n), found))
    (row,) = rm.compare_files(before, after, tests="wilcoxon").collect().to_dicts()
    assert row["p_wilcoxon"] == pytest.approx(stats.wilcoxon(found, zero_method="pratt").pvalue, abs=1e-9)


@ENGINES
def test_all_pairs_by_tukey_are_those_of_scipy(engine: Engine) -> None:
    values = values_per_list()
    rows = _rows(engine, values, tests="tukey")
    for metric in METRICS:
        systems = ["als", "knn", "pop"]
        samples = [values.filter(system=one)[metric].drop_nulls().to_numpy() for one in systems]
        wanted = stats.tukey_hsd(*samples).pvalue
        for row in (one for one in rows if one["metric"] == metric):
            place = systems.index(row["baseline"]), systems.index(row["system"])
            assert row["p_tukey"] == pytest.approx(wanted[place], abs=1e-9)
            assert row["p_tukey_adjusted"] == row["p_tukey"]


# --- simulations ------------------------------------------------------------------------------------------------------


@ENGINES
def test_random_signs_are_within_simulation_error_of_scipy(engine: Engine) -> None:
    values = values_per_list(n_users=15)
    values = values.with_columns(pl.col("ndcg@10") + 0.25 * (pl.col("system") == "als") - 0.125)
    for row in _rows(engine, values, tests="randomization", metrics="ndcg@10", replicates=2000):
        found = differences(values, "ndcg@10", row["baseline"], row["system"])
        signs = (np.arange(2**15)[:, None] >> np.arange(15) & 1) * 2 - 1  # all of them
        exact = (np.abs(signs @ found) >= abs(found.sum()) - 1e-9).mean()
        assert row["p_randomization"] == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 2000) + 1e-3)


@ENGINES
def test_the_bootstrap_is_within_simulation_error_of_the_normal_distribution(engine: Engine) -> None:
    values = values_per_list(n_users=200)
    for row in _rows(engine, values, tests="bootstrap", metrics="ndcg@10", replicates=2000):
        found = differences(values, "ndcg@10", row["baseline"], row["system"])
        error = found.std() / np.sqrt(len(found))
        ends = found.mean() - 1.96 * error, found.mean() + 1.96 * error
        assert [row["ci_low_bootstrap"], row["ci_high_bootstrap"]] == pytest.approx(ends, abs=0.25 * error)
        wanted = 2 * stats.norm.sf(abs(found.mean()) / error)
        assert row["p_bootstrap"] == pytest.approx(wanted, abs=4 * np.sqrt(wanted / 2000) + 2e-3)


def test_simulations_are_the_same_on_every_engine_and_follow_the_seed() -> None:
    values = values_per_list(n_users=30)
    rows = [
        _rows(engine, values, tests=("randomization", "bootstrap"), seed=seed) for engine in LOCAL for seed in (0, 1)
    ]
    assert len(rows) == 4
    for first, second in zip(rows[0], rows[2], strict=True):
        assert first == pytest.approx(second, abs=1e-12)
    assert [one["p_bootstrap"] for one in rows[0]] != [one["p_bootstrap"] for one in rows[1]]


def test_signs_of_a_cluster_change_together() -> None:
    values = values_per_list(n_users=8, n_days=6)
    rows = _rows(LOCAL[0], values, tests="randomization", metrics="ndcg@10", cluster="user", replicates=5000)
    for row in rows:
        both = values.pivot("system", index=["user", "day"], values="ndcg@10")
        totals = both.group_by("user").agg((pl.col(row["system"]) - pl.col(row["baseline"])).sum())
        signs = (np.arange(2**8)[:, None] >> np.arange(8) & 1) * 2 - 1
        exact = (np.abs(signs @ totals[row["system"]].to_numpy()) >= abs(totals[row["system"]].sum()) - 1e-9).mean()
        assert row["p_randomization"] == pytest.approx(exact, abs=0.03)
