"""Which lists are compared: arms of an experiment, systems that lack lists, users with several lists; verdicts."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.power import TTestIndPower, TTestPower
from statsmodels.stats.proportion import confint_proportions_2indep
from statsmodels.stats.weightstats import ttost_ind

import rankmetrics as rm
from rankmetrics.comparisons.power import lists_for
from tests.support.commands import printed
from tests.support.engines import LOCAL, Engine
from tests.support.refusals import refusal
from tests.support.twin_intervals import regression

ENGINES = pytest.mark.parametrize("engine", LOCAL, ids=str)


def experiment(n: int, share: float, *, seed: int = 0) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Recommendations of one model, shown to users of two arms, and the truth of all users."""
    random = np.random.default_rng(seed)
    users = np.arange(n)
    arms = np.where(random.random(n) < share, "control", "treatment")
    items = random.permuted(np.tile(np.arange(10), (n, 1)), axis=1)[:, :3]
    recs = pl.DataFrame(
        {"arm": arms.repeat(3), "user": users.repeat(3), "item": items.ravel(), "rank": np.tile([1, 2, 3], n)}
    )
    return recs, pl.DataFrame({"user": users, "item": random.integers(0, 10, n)})


def values_of(n: int, metric: str = "ndcg@10", *, seed: int = 0, first: int = 0) -> pl.DataFrame:
    """Values per list of one system; of hits, 0 and 1."""
    random = np.random.default_rng(seed)
    values = random.random(n) < 0.4 if metric.startswith("hit") else random.beta(1, 3, n)
    return pl.DataFrame({"user": range(first, first + n), metric: values.astype(float)})


def compared(tables: Iterable[Any], **options: Any) -> rm.Comparison:
    """The comparison of two tables of values per list."""
    first, second = tables
    return rm.compare_files(first, second, **options)


def row_of(comparison: rm.Comparison) -> dict[str, Any]:
    (row,) = comparison.collect().to_dicts()
    return row


# --- arms -------------------------------------------------------------------------------------------------------------


@ENGINES
def test_systems_shown_to_different_users_are_refused_and_compared_as_arms(engine: Engine) -> None:
    recs, truth = experiment(600, 0.3)
    n_control = recs.filter(arm="control")["user"].n_unique()
    for missing in ("zero", "skip"):
        result = rm.evaluate(engine.give(recs), engine.give(truth), ["ndcg@3", "hit@3"], missing=missing)
        words = f"control has {n_control} lists, treatment {600 - n_control}, and 0 are of both: this looks like an exp"
        with refusal(rm.DataError, words, "paired=False", case=missing):
            result.compare("control").collect()
        rows = result.compare("control", paired=False, tests=("t", "bootstrap")).collect().to_dicts()
        values = rm.evaluate(recs, truth, ["ndcg@3", "hit@3"], missing="skip").collect(per_list=True)
        for row in rows:
            control, treatment = (values.filter(arm=arm)[row["metric"]].to_numpy() for arm in ("control", "treatment"))
            welch = stats.ttest_ind(treatment, control, equal_var=False)
            assert row["p_t"] == pytest.approx(welch.pvalue, rel=1e-9)
            assert row["difference"] == pytest.approx(treatment.mean() - control.mean(), abs=1e-12)
            assert row["p_bootstrap"] == pytest.approx(welch.pvalue, abs=0.07)
            ends: Any = welch.confidence_interval(0.95)
            if row["metric"] == "hit@3":
                counts = (treatment.sum(), len(treatment), control.sum(), len(control))
                ends = confint_proportions_2indep(*counts, method="newcomb")
            assert [row["ci_low"], row["ci_high"]] == pytest.approx([*ends], abs=1e-9)
            assert [row["n_baseline_lists"], row["n_system_lists"]] == [n_control, 600 - n_control]
            assert [row[name] for name in ("wins", "ties", "losses", "n_common_lists")] == [None] * 4


def test_the_shares_of_arms_are_checked_or_stated() -> None:
    result = rm.evaluate(*experiment(600, 0.3), "hit@3")
    stated = result.compare(paired=False).notes()[-1]
    assert stated.startswith("lists of the arms: control 1")
    assert "shares=" in stated
    shares = {"control": 0.3, "treatment": 0.7}
    assert "these are their shares, but for chance (p = " in result.compare(paired=False, shares=shares).notes()[-1]
    with pytest.warns(rm.RankMetricsWarning, match="The arms do not have their shares of users"):
        result.compare(paired=False, shares={"control": 1, "treatment": 1}).collect()
    with refusal(rm.InputError, "shares are those of the arms", "paired=False"):
        result.compare(shares=shares)
    with refusal(rm.InputError, "shares= has 'a third'"):
        result.compare(paired=False, shares={"control": "a third"})  # type: ignore[dict-item]
    with refusal(rm.InputError, "Wilcoxon's signed-rank test compares two values of each list", "'bootstrap'"):
        result.compare(paired=False, tests="wilcoxon")


def test_arms_with_several_lists_of_a_user_have_the_errors_of_cr2() -> None:
    random, frames, variances = np.random.default_rng(1), [], []
    for first, n_users in ((0, 40), (1000, 25)):
        users = np.repeat(np.arange(first, first + n_users), random.integers(1, 6, n_users))
        values = (
            np.repeat(random.random(n_users), np.unique(users, return_counts=True)[1]) / 2
            + random.random(len(users)) / 2
        )
        frames.append(pl.DataFrame({"user": users, "day": range(len(users)), "ndcg@10": values}))
        (mean,), (error,), (freedom,) = regression(np.ones((len(values), 1)), values, users)
        variances.append((mean, error**2, freedom))
    row = row_of(compared(frames, paired=False))
    (mean, variance, freedom), (other, other_variance, other_freedom) = variances
    error = np.sqrt(variance + other_variance)
    together = error**4 / (variance**2 / freedom + other_variance**2 / other_freedom)
    assert row["p_t"] == pytest.approx(2 * stats.t.sf(abs(other - mean) / error, together), rel=1e-9)
    half = stats.t.ppf(0.975, together) * error
    assert [row["ci_low"], row["ci_high"]] == pytest.approx([other - mean - half, other - mean + half], abs=1e-9)


@ENGINES
@pytest.mark.parametrize("metric", ["ndcg@10", "hit@10"])
def test_users_in_both_arms_are_clusters_of_both_as_in_cr2(engine: Engine, metric: str) -> None:
    random, n_users = np.random.default_rng(5), 90
    users = np.repeat(np.arange(n_users), random.integers(2, 6, n_users))
    arms = np.where(random.random(len(users)) < 0.4, "a", "b")
    values = (random.random(n_users)[users] + random.random(len(users))) / 2
    values = np.where(values > 0.6, 1.0, 0.0) if metric == "hit@10" else values
    frame = pl.DataFrame({"user": users, "day": range(len(users)), metric: values, "system": arms})
    tables = [engine.give(frame.filter(system=arm)) for arm in "ab"]
    comparison = compared(tables, paired=False, tests=("t", "bootstrap"), **engine.options)
    columns = np.column_stack([np.ones(len(users)), arms == "b"])
    _, (_, error), _ = regression(columns, values, users)
    freedom = min(regression(columns[arms == arm, :1], values[arms == arm], users[arms == arm])[2][0] for arm in "ab")
    row = row_of(comparison)
    assert row["p_t"] == pytest.approx(2 * stats.t.sf(abs(row["difference"]) / error, freedom), rel=1e-9)
    ends = stats.t.interval(0.95, freedom, row["difference"], error)
    assert [row["ci_low"], row["ci_high"]] == pytest.approx([*ends], abs=1e-9)
    assert row["p_bootstrap"] is None
    n_shared = len({*users[arms == "a"]} & {*users[arms == "b"]})
    assert f"{n_shared} values of user are in both arms, a and b, so" in "\n".join(comparison.notes())


def test_lists_in_both_arms_are_counted_and_pair_as_in_a_paired_test() -> None:
    before, after = values_of(60), values_of(60, seed=1)
    comparison = compared((before, after), paired=False)
    assert row_of(comparison)["p_t"] == pytest.approx(row_of(compared((before, after)))["p_t"], rel=1e-9)
    (note,) = (note for note in comparison.notes() if "both arms" in note)
    assert note.startswith("60 values of user are in both arms, a and b, so standard errors have their covariance")
    apart = compared((before, after.with_columns(pl.col("user") + 60)), paired=False)
    assert not [note for note in apart.notes() if "both arms" in note]


def test_lists_that_repeat_the_hits_of_a_user_count_as_one_list_of_each_user() -> None:
    tables = [values_of(n, "hit@10", seed=seed, first=900 * seed) for n, seed in ((120, 0), (90, 1))]
    repeated = [pl.concat(frame.with_columns(day=pl.lit(day)) for day in range(4)) for frame in tables]
    alone, together = (row_of(compared(both, paired=False)) for both in (tables, repeated))
    for end in ("ci_low", "ci_high"):  # of users with several lists, by t instead of the normal distribution
        assert together[end] == pytest.approx(alone[end], abs=0.004)
    independent = row_of(compared(repeated, paired=False, cluster=[]))
    assert independent["ci_high"] - independent["ci_low"] < 0.6 * (together["ci_high"] - together["ci_low"])


def test_equivalence_of_arms_is_that_of_statsmodels() -> None:
    before, after = values_of(300), values_of(200, seed=1, first=1000)
    row = row_of(compared((before, after), margin=0.02, paired=False))
    expected = ttost_ind(after["ndcg@10"].to_numpy(), before["ndcg@10"].to_numpy(), -0.02, 0.02, usevar="unequal")
    assert row["p_equivalent"] == pytest.approx(expected[0], rel=1e-9)


# --- lists that one system lacks --------------------------------------------------------------------------------------


def test_a_run_that_was_cut_short_warns_with_the_difference_over_common_lists() -> None:
    recs, truth = experiment(400, 0.5)
    whole = recs.with_columns(arm=pl.lit("a"))
    cut = whole.filter(pl.col("user") < 160).with_columns(arm=pl.lit("b"))
    result = rm.evaluate(pl.concat([whole, cut]), truth, "hit@3")
    comparison = result.compare("a")
    with pytest.warns(
        rm.RankMetricsWarning, match="a has 400 lists, b 160, and 160 are of both. Over all lists, which"
    ):
        row = row_of(comparison)
    assert (row["n_common_lists"], row["common_difference"]) == (160, 0)
    assert row["difference"] < -0.1
    assert "over the 160 lists of both it is +0.0000" in comparison.notes()[-1]
    assert "a has 400 lists, b 160, and 160 are of both" in comparison.notes()
    skipped = rm.evaluate(pl.concat([whole, cut]), truth, "hit@3", missing="skip").compare("a")
    with pytest.warns(rm.RankMetricsWarning, match="Over the lists of both, the difference in hit@3 is"):
        row = row_of(skipped)
    assert (row["n_lists"], row["difference"], row["common_difference"]) == (160, 0, None)


def test_files_that_lack_a_few_lists_have_a_note_and_no_warning(recwarn: pytest.WarningsRecorder) -> None:
    comparison = compared((values_of(400), values_of(395, seed=1)))
    assert row_of(comparison)["n_system_lists"] == 395
    assert "a has 400 lists, b 395, and 395 are of both" in comparison.notes()
    assert not recwarn.list


def test_one_of_three_systems_with_other_lists_is_refused() -> None:
    values = [
        values_of(50, seed=n, first=first).with_columns(system=pl.lit(name))
        for n, first, name in ((0, 0, "a"), (1, 0, "b"), (2, 900, "c"))
    ]
    with refusal(rm.DataError, "a has 50 lists, c 50, and 0 are of both"):
        compared((values[0], pl.concat(values[1:]))).collect()


# --- several lists of a user ------------------------------------------------------------------------------------------


def test_lists_of_a_user_are_a_cluster_by_default() -> None:
    random = np.random.default_rng(2)
    keys = {"user_id": np.arange(60).repeat(3), "fold": np.tile([1, 2, 3], 60)}
    tables = [pl.DataFrame({**keys, "ndcg@10": random.random(60).repeat(3) / 2 + random.random(180) / 2}) for _ in "ab"]
    comparison = compared(tables)
    assert "lists of the same user_id are a cluster (cluster=[] turns it off)" in comparison.notes()
    assert row_of(comparison)["p_t"] == pytest.approx(row_of(compared(tables, cluster="user_id"))["p_t"])
    alone = compared(tables, cluster=[])
    assert row_of(alone)["p_t"] != row_of(comparison)["p_t"]
    assert not [note for note in alone.notes() if "cluster" in note]
    ranks = compared(tables, tests=("t", "wilcoxon"))
    assert "lists are taken as independent by Wilcoxon's signed-rank test" in ranks.notes()
    assert row_of(ranks)["p_wilcoxon"] == row_of(compared(tables, tests="wilcoxon", cluster=[]))["p_wilcoxon"]
    apart = compared(tables, by="fold").notes()  # then each user has one list
    assert not [note for note in apart if "cluster" in note]


# --- verdicts ---------------------------------------------------------------------------------------------------------


def equal_differences(n: int, metric: str = "rr") -> tuple[pl.DataFrame, pl.DataFrame]:
    first, second = (pl.DataFrame({"user": range(n), metric: [value] * n}) for value in (0.0, 1.0))
    return first, second


def test_two_lists_show_no_difference_and_six_do() -> None:
    two = compared(equal_differences(2))
    assert row_of(two)["p_t"] == 0.5
    unseen = "2 lists cannot show a difference at p < 0.05: 6 are needed"
    assert two.sentences() == [f"b is better than a in rr by 1.0000, which chance may explain; {unseen}"]
    assert two.sentences()[0] in two.notes()
    assert "ᵃ" not in repr(two)
    five, six = (compared(equal_differences(n)) for n in (5, 6))
    assert "cannot show" in five.sentences()[0]
    assert six.sentences() == ["b is better than a in rr by 1.0000"]
    assert "ᵃ" in repr(six)


def test_two_equal_lists_prove_no_equality_and_20000_do() -> None:
    for n, ending in (
        (2, "; 2 lists cannot rule out a loss larger than your margin of 0.01: 100 are needed"),
        (200, "; a loss larger than your margin of 0.01 cannot be ruled out"),
        (20_000, "your margin of 0.01 asks"),
    ):
        same = pl.DataFrame({"user": range(n), "rr": [0.5] * n})
        comparison = compared((same, same), margin=0.01)
        assert comparison.sentences()[0].endswith(ending)
        assert row_of(comparison)["p_equivalent"] == pytest.approx(0.99**n, rel=1e-9)


def test_differences_of_a_metric_without_limits_that_never_vary_have_no_p_value() -> None:
    row = row_of(compared(equal_differences(9, "dcg@10"), tests=("t", "randomization", "bootstrap")))
    assert [row[name] for name in ("p_t", "ci_low", "ci_high", "p_bootstrap", "ci_low_bootstrap")] == [None] * 5
    assert row["p_randomization"] < 0.05


def test_a_margin_beyond_the_range_of_a_metric_is_refused() -> None:
    with refusal(rm.InputError, "margin=5.0 is no smaller than the range of ndcg@10, [0, 1]", 'margin="5%"'):
        compared((values_of(9), values_of(9)), margin=5)


def test_what_could_have_been_seen_has_the_power_of_statsmodels() -> None:
    before, after = values_of(90), values_of(90, seed=1)
    comparison = compared((before, after))
    seen = row_of(comparison)["detectable_difference"]
    deviation = (after["ndcg@10"] - before["ndcg@10"]).to_numpy().std(ddof=1)
    assert TTestPower().power(seen / deviation, 90, 0.05) == pytest.approx(0.8, abs=1e-5)
    assert comparison.sentences()[0].endswith(
        f"; these 90 lists would show a difference of {seen:.4f} with a power of 0.8"
    )
    arms = row_of(compared((before, after.with_columns(pl.col("user") + 900)), paired=False))
    assert arms["detectable_difference"] > seen / 2


# --- metrics whose values are 0 or 1 ----------------------------------------------------------------------------------


def test_mcnemars_test_is_that_of_statsmodels_for_metrics_with_values_0_or_1() -> None:
    before, after = values_of(80, "hit@10"), values_of(80, "hit@10", seed=1)
    row = row_of(compared((before, after), tests="mcnemar"))
    counts = [[0, row["wins"]], [row["losses"], 0]]
    assert row["p_mcnemar"] == pytest.approx(mcnemar(counts, exact=True).pvalue, rel=1e-9)
    both = (frame.with_columns(values_of(80)["ndcg@10"]) for frame in (before, after))
    with refusal(rm.MetricError, "the values of ndcg@10 are not only 0 and 1", 'metrics=["hit@10"]'):
        compared(both, tests="mcnemar")
    recs, truth = experiment(30, 0.5)
    tied = rm.evaluate(recs.drop("rank").with_columns(score=1.0), truth, "hit@1", ties="expected", missing="skip")
    with refusal(rm.MetricError, "the values of hit@1 are not only 0 and 1"):  # but probabilities of a hit
        tied.compare(tests="mcnemar")
    halves = after.with_columns(pl.col("hit@10") / 2)
    with refusal(rm.DataError, "hit@10 has values other than 0 and 1"):
        compared((before, halves), tests="mcnemar").collect()


# --- the winner -------------------------------------------------------------------------------------------------------


@ENGINES
def test_the_winner_is_compared_with_the_second_whatever_the_baseline(engine: Engine) -> None:
    values = [
        values_of(300, seed=n).with_columns(pl.col("ndcg@10") + n / 20, system=pl.lit(name))
        for n, name in enumerate("abc")
    ]
    tables = engine.give(values[0]), engine.give(pl.concat(values[1:]))
    for baseline in (None, "a", "c"):
        comparison = compared(tables, baseline=baseline, correction=None)
        (winner, *_) = comparison.sentences()
        p_value = stats.ttest_rel(values[2]["ndcg@10"], values[1]["ndcg@10"]).pvalue
        assert winner.startswith("c is best by ndcg@10; it is significantly better than the second, b: difference +0.0")
        assert winner.endswith(f"p = {p_value:.4f}" if p_value >= 0.0001 else "p < 0.0001")
        assert comparison.notes()[0] == winner


# --- power and looks --------------------------------------------------------------------------------------------------


def test_the_number_of_lists_needed_is_that_of_statsmodels() -> None:
    for effect in (0.9, 0.3, 0.05, 0.012):
        for level in (0.05, 0.01):
            n = TTestPower().solve_power(effect_size=effect, alpha=level, power=0.8)
            assert lists_for(effect, level, 0.8, 1) == np.ceil(n), (effect, level)
            n = TTestIndPower().solve_power(effect_size=effect, alpha=level, power=0.9)
            assert lists_for(effect, level, 0.9, 2) == np.ceil(n), (effect, level)
    assert [lists_for(effect, 0.05, 0.8, 1) for effect in (10, 25, 1e3, 1e5)] == [3, 2, 2, 2]


def test_the_power_of_a_pilot_follows_from_its_differences_or_its_values(tmp_path: Any) -> None:
    before, after = values_of(200), values_of(200, seed=1)
    comparison = compared((before, after))
    (paired,) = rm.power(comparison, 0.01).to_dicts()
    deviation = (after["ndcg@10"] - before["ndcg@10"]).to_numpy().std(ddof=1)
    assert paired["lists_needed"] == np.ceil(TTestPower().solve_power(0.01 / deviation, power=0.8, alpha=0.05))
    (arms,) = rm.power(comparison, "5%", paired=False).to_dicts()
    variances = [frame["ndcg@10"].to_numpy().var(ddof=1) for frame in (before, after)]
    effect = 0.05 * before["ndcg@10"].to_numpy().mean() / np.sqrt(np.mean(variances))
    assert arms["lists_needed"] == np.ceil(TTestIndPower().solve_power(effect, power=0.8, alpha=0.05))
    before.write_parquet(tmp_path / "pilot.parquet")
    (alone,) = rm.power(tmp_path / "pilot.parquet", 0.01).to_dicts()
    assert (alone["baseline"], alone["n_lists"]) == (None, 200)
    out = printed("power", tmp_path / "pilot.parquet", "--difference", "0.01")
    assert f"{alone['lists_needed']}" in out.replace(",", "")
    named = pl.concat(frame.with_columns(algorithm=pl.lit(name)) for name, frame in (("a", before), ("b", after)))
    assert rm.power(named, 0.01, system="algorithm")["lists_needed"].item() == paired["lists_needed"]
    recs, truth = experiment(100, 0.5)
    of_result = rm.power(rm.evaluate(recs, truth, "hit@3"), "10%", paired=False)
    assert of_result.select("baseline", "system").rows() == [("control", "treatment")]
    for difference in (0, 5, "much"):
        with refusal(rm.InputError, "difference"):
            rm.power(before, difference)


def test_the_command_compares_arms_and_looks(tmp_path: Any) -> None:
    for name, frame in (("control", values_of(300)), ("treatment", values_of(700, seed=1, first=1000))):
        frame.write_parquet(tmp_path / f"{name}.parquet")
    files = ("compare", "--per-list", tmp_path / "control.parquet", tmp_path / "treatment.parquet")
    shares = ("--share", "control=0.3", "--share", "treatment=0.7")
    out = printed(*files, "--unpaired", *shares, "--sequential", "1000")
    assert "Welch's t-test" in out
    assert "control 300 (30.0%), treatment 700 (70.0%); these are their shares, but for chance (p = 1)" in out
    assert "intervals and p-values hold at every look at the data (tuned to 1,000 lists)" in out
    with refusal(rm.InputError, "Fisher's randomization test holds for one look at the data"):
        compared((values_of(9), values_of(9)), tests="randomization", sequential=True)
    with refusal(rm.InputError, "sequential is the number of lists"):
        compared((values_of(9), values_of(9)), sequential=0.5)


# --- options in notes -------------------------------------------------------------------------------------------------


def test_notes_write_options_in_python_and_on_the_command_line(tmp_path: Path) -> None:
    frames = [
        values_of(60, seed=seed).with_columns(day=pl.col("user") % 2, user=pl.col("user") // 2) for seed in (0, 1)
    ]
    comparison = compared(frames)
    assert "lists of the same user are a cluster (cluster=[] turns it off)" in comparison.notes()
    paths = [tmp_path / f"{name}.parquet" for name in "ab"]
    for frame, path in zip(frames, paths, strict=True):
        frame.write_parquet(path)
    out = printed("compare", "--per-list", *paths)
    assert "lists of the same user are a cluster (--cluster '' turns it off)" in out
    out = printed("compare", "--per-list", *paths, "--unpaired")
    assert "as in --share a=0.5 --share b=0.5" in out
    assert 'as in shares={"a": 0.5, "b": 0.5}' in compared(frames, paired=False).notes()[-1]


def test_a_gate_writes_options_in_python_and_on_the_command_line(tmp_path: Path) -> None:
    recs = pl.DataFrame({"day": [1] * 20 + [2] * 20, "user": [*range(20)] * 2, "item": 1, "rank": 1})
    truth = recs.select("day", "user", "item").unique()
    result = rm.evaluate(recs, truth, "hit@1")
    for name, write in (("recs", recs.write_parquet), ("truth", truth.write_parquet)):
        write(tmp_path / f"{name}.parquet")
    result.write(tmp_path / "before.parquet", per_list=True)
    note, _ = rm.gate(result, max_drop={"hit@1": 0.1}, against=tmp_path / "before.parquet").notes()
    assert note.endswith("(cluster=[] turns it off).")
    paths = tmp_path / "recs.parquet", tmp_path / "truth.parquet"
    out = printed("gate", *paths, "--max-drop", "hit@1=0.1", "--against", tmp_path / "before.parquet")
    assert "(--cluster '' turns it off)." in out
