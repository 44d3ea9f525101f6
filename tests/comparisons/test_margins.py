"""Margins: non-inferiority and equivalence, as statsmodels tests them; sentences; warnings of tests of ranks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from statsmodels.stats.weightstats import DescrStatsW, ttost_paired

import rankmetrics as rm
from tests.support.commands import printed
from tests.support.refusals import refusal


def tables(shift: float, n: int = 200, metric: str = "ndcg@10") -> tuple[pl.DataFrame, pl.DataFrame]:
    """Values per list of two systems whose means differ by about a shift."""
    random = np.random.default_rng(0)
    before = random.random(n)
    after = before + random.normal(shift, 0.03, n)
    first, second = (pl.DataFrame({"user": range(n), metric: values}) for values in (before, after))
    return first, second


def test_p_values_of_a_margin_are_those_of_statsmodels() -> None:
    for shift in (-0.02, 0.0, 0.004, 0.02):
        before, after = tables(shift)
        for margin in ("2%", 0.01):
            (row,) = rm.compare_files(before, after, margin=margin).collect().to_dicts()
            width = 0.02 * before["ndcg@10"].mean() if margin == "2%" else 0.01  # type: ignore[operator]
            first, second = before["ndcg@10"].to_numpy(), after["ndcg@10"].to_numpy()
            expected = [
                width,
                DescrStatsW(second - first).ttest_mean(-width, alternative="larger")[1],
                ttost_paired(second, first, -width, width)[0],
            ]
            assert [row[name] for name in ("margin", "p_not_worse", "p_equivalent")] == pytest.approx(
                expected, rel=1e-9
            )


def test_lower_values_are_not_worse_where_lower_is_better() -> None:
    before, after = tables(-0.02, metric="gini")
    assert not rm.compare_files(before, after, ["gini"], margin=0.01).lower_is_better
    before, after = tables(-0.02, metric="mean_rank_of_hits")
    lower = rm.compare_files(before, after, ["mean_rank_of_hits"], margin=0.01)
    better = replace(lower, lower_is_better=frozenset({"mean_rank_of_hits"}))
    assert lower.collect()["p_not_worse"].item() > 0.9
    assert better.collect()["p_not_worse"].item() < 0.01


def test_sentences_say_what_the_margin_calls_a_difference() -> None:
    words = {
        (0.007, "2%"): "b is better than a in ndcg@10 by 0.8 %, which your margin of 2 % calls no difference",
        (0.6, "2%"): "b is better than a in ndcg@10 by 111 %; it is not worse by your margin of 2 %",
        (0.03, "2%"): "b is better than a in ndcg@10 by 5.1 %; it is not worse by your margin of 2 %",
        (
            -0.03,
            "2%",
        ): "b is worse than a in ndcg@10 by 6.1 %; the lists do not prove that it is not worse by your margin",
    }
    for (shift, margin), sentence in words.items():
        comparison = rm.compare_files(*tables(shift), margin=margin)
        assert comparison.sentences()[0].startswith(sentence), comparison.sentences()
        assert comparison.notes()[0] == comparison.sentences()[0]
    same = rm.compare_files(tables(0)[0], tables(0)[0], margin="1%")
    assert same.sentences() == ["b and a are equal in ndcg@10, as your margin of 1 % asks"]


def test_a_margin_is_above_0_and_a_flag(tmp_path: Path) -> None:
    for margin in (0, "0%", -1, "two"):
        with refusal(rm.InputError, "margin"):
            rm.compare_files(*tables(0), margin=margin)
    for name, frame in zip("ab", tables(0.007), strict=True):
        frame.write_parquet(tmp_path / f"{name}.parquet")
    out = printed("compare", "--per-list", tmp_path / "a.parquet", tmp_path / "b.parquet", "--margin", "2%")
    assert "calls no difference" in out


def test_wilcoxons_test_over_many_lists_warns() -> None:
    comparison = rm.compare_files(*tables(0.01, 5_001), tests="wilcoxon")
    with pytest.warns(rm.RankMetricsWarning, match="Wilcoxon's test over 5,001 lists calls too many"):
        comparison.collect()
    assert "Wilcoxon's test over 5,001 lists" in comparison.notes()[-1]


def test_wilcoxons_test_over_few_lists_and_the_t_test_do_not_warn(recwarn: pytest.WarningsRecorder) -> None:
    rm.compare_files(*tables(0.01, 5_000), tests="wilcoxon").collect()
    rm.compare_files(*tables(0.01, 5_001)).collect()
    assert not recwarn.list


def test_a_gate_passes_only_what_the_lists_prove(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    truth = pl.DataFrame({"user": range(400), "item": [1] * 400})
    items = (random.random(400) < 0.5).astype(int)
    recs = pl.DataFrame({"user": range(400), "item": items, "rank": [1] * 400})
    other = recs.with_columns(item=pl.when(pl.col("user") < 8).then(1 - pl.col("item")).otherwise("item"))
    before, now = rm.evaluate(recs, truth, "hit@1"), rm.evaluate(other, truth, "hit@1")
    before.write(tmp_path / "before.parquet", per_list=True)
    for limit, proof, passed in (
        ("10%", "not_worse", True),
        ("10%", "same", True),
        ("0.1%", "not_worse", False),
        ("0.1%", "same", False),
    ):
        report = rm.gate(now, max_drop={"hit@1": limit}, against=tmp_path / "before.parquet", prove=proof)  # type: ignore[arg-type]
        assert report.passed is passed, (limit, proof, report)
        assert ("do not prove" in report.checks["reason"][0]) is not passed
    wide = rm.compare_files(before.collect(per_list=True), now.collect(per_list=True), margin="10%").collect()
    assert wide["p_equivalent"].item() < 0.05
    with refusal(rm.InputError, "strict=True leaves the interval out"):
        rm.gate(now, max_drop={"hit@1": "1%"}, against=tmp_path / "before.parquet", prove="same", strict=True)
    before.write(tmp_path / "summary.parquet")
    with refusal(rm.InputError, 'prove="same" needs the lists'):
        rm.gate(now, max_drop={"hit@1": "1%"}, against=tmp_path / "summary.parquet", prove="same")
