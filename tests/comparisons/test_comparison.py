"""Comparisons of evaluations and of files: what is paired, how it prints, what is refused; margins."""

from __future__ import annotations

import html
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from scipy import stats
from statsmodels.stats.weightstats import DescrStatsW, ttost_paired

import rankmetrics as rm
from rankmetrics.comparisons.comparison import letters
from tests.comparisons.test_statistics import values_per_list
from tests.support.commands import printed
from tests.support.engines import LOCAL, Engine
from tests.support.refusals import refusal
from tests.support.two_systems import RECS_PATH, TRUTH_PATH

ENGINES = pytest.mark.parametrize("engine", LOCAL, ids=str)

RECS = pl.DataFrame(
    {
        "model": ["als"] * 4 + ["knn"] * 3 + ["pop"] * 4,
        "user": [1, 1, 2, 3, 1, 2, 2, 1, 2, 3, 3],
        "item": [7, 8, 8, 9, 7, 7, 9, 8, 8, 8, 9],
        "rank": [1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 2],
    }
)
TRUTH = pl.DataFrame({"user": [1, 2, 3, 4], "item": [7, 9, 9, 7]})
ALS = RECS.filter(pl.col("model") == "als")

VALUES = values_per_list(seed=1)


def _compared(values: pl.DataFrame = VALUES, **options: Any) -> rm.Comparison:
    """The systems of values per list, from two tables that each have all of them."""
    return rm.compare_files(values[:7], values[7:], **options)


# --- evaluations ------------------------------------------------------------------------------------------------------


@ENGINES
def test_compare_pairs_systems_or_takes_a_baseline_over_all_lists_of_the_truth(engine: Engine) -> None:
    result = rm.evaluate(engine.give(RECS), engine.give(TRUTH), ["hit@1", "rr", "personalization@2"])
    columns = ["metric", "baseline", "system", "n_lists", "baseline_mean", "system_mean", "wins", "ties", "losses"]
    assert result.compare("als", ["hit@1"]).collect().select(columns).rows() == [
        ("hit@1", "als", "knn", 4, 0.5, 0.25, 0, 3, 1),
        ("hit@1", "als", "pop", 4, 0.5, 0.0, 0, 2, 2),
    ]
    pairs = [("als", "knn"), ("als", "pop"), ("knn", "pop")]
    assert result.compare().collect().select("metric", "baseline", "system").rows() == [
        (metric, *pair) for metric in ("hit@1", "rr") for pair in pairs
    ]


@ENGINES
def test_differences_are_preferences_if_the_baseline_is_that_of_the_evaluation(engine: Engine) -> None:
    result = rm.evaluate(engine.give(RECS), engine.give(TRUTH), ["rpp", "lexirecall@2"], baseline={"model": "pop"})
    comparison = result.compare("pop", tests=("t", "randomization"))
    columns = ["metric", "system", "baseline_mean", "difference", "wins", "ties", "losses"]
    # pop finds 9 of user 3 at rank 2; als finds it at rank 1, and 7 of user 1; knn finds 7 of user 1 and 9 of user 2
    assert comparison.collect().select(columns).rows() == [
        (metric, *row)
        for metric in ("rpp", "lexirecall@2")
        for row in [("als", 0, 1 / 2, 2, 2, 0), ("knn", 0, 1 / 4, 2, 1, 1)]
    ]
    of_two = (
        "rpp, lexirecall@2: if neither system is the baseline of the evaluation, the difference is of two preferences"
    )
    assert of_two not in comparison.notes()
    assert of_two in result.compare().notes()


def test_the_sample_gives_what_scipy_gives_over_its_values_per_list() -> None:
    result = rm.evaluate(RECS_PATH, TRUTH_PATH, ["ndcg@10"], by=["algorithm", "partition"])
    rows = result.compare("popular").collect().to_dicts()
    assert [row["partition"] for row in rows] == [1, 1, 2, 2]
    values = result.collect(per_list=True).pivot("algorithm", index=["partition", "user"], values="ndcg@10")
    for row in rows:
        of_row = values.filter(pl.col("partition") == row["partition"])
        assert row["p_t"] == pytest.approx(stats.ttest_rel(of_row[row["system"]], of_row["popular"]).pvalue, abs=1e-9)
    pooled = result.compare("popular", by=[]).collect()
    assert pooled.height == 2
    assert "partition" not in pooled.columns


@pytest.mark.parametrize(
    ("paired", "reason"), [(True, "no list has a value for both"), (False, "one has no list with a value")]
)
def test_systems_without_values_in_common_are_not_called_equal(paired: bool, reason: str) -> None:
    values = pl.DataFrame({"system": ["a", "a", "b", "b"], "user": [1, 2, 1, 2], "rr": [1.0, 0.5, None, None]})
    notes = rm.compare_files(values, values.clear(), paired=paired).notes()
    assert f"b and a cannot be compared in rr: {reason}" in notes
    assert not [note for note in notes if "equal" in note]


def test_a_baseline_is_named_by_one_text_a_mapping_or_values() -> None:
    """The columns are called as columns of the query."""
    recs = RECS.with_columns(size=pl.when(pl.col("model") == "pop").then(1).otherwise(64))
    recs = recs.rename({"model": "difference", "user": "metric"})
    truth = TRUTH.rename({"user": "metric"})
    result = rm.evaluate(recs, truth, "hit@1", by=["difference", "size"])
    baselines: list[Any] = ["als, 64", {"difference": "als", "size": 64}, ("als", "64")]
    for baseline in baselines:
        rows = result.compare(baseline).collect().select("baseline", "system", "n_lists").rows()
        assert rows == [("als, 64", "knn, 64", 4), ("als, 64", "pop, 1", 4)], baseline
    numbered = RECS.with_columns(pl.col("model").replace_strict({"als": 10, "knn": 20, "pop": 3}))
    frame = rm.evaluate(numbered, TRUTH, "hit@1").compare("10").collect()
    assert frame.select("baseline", "system").rows() == [(10, 3), (10, 20)]


# --- files ------------------------------------------------------------------------------------------------------------


def test_two_files_that_write_saved_are_compared_under_their_names(tmp_path: Path) -> None:
    result = rm.evaluate(RECS, TRUTH, ["hit@1", "rr"])
    # a file does not say which of its lists have recommendations
    of_lists = ["p_t_adjusted", "n_baseline_lists", "n_system_lists", "n_common_lists", "common_difference"]
    pairs = result.compare("knn").collect().filter(pl.col("system") == "als").drop(of_lists)
    for ending in ("parquet", "csv"):
        baseline, other = (tmp_path / f"{model}.{ending}" for model in ("knn", "als"))
        for path in (baseline, other):
            recs = RECS.filter(pl.col("model") == path.stem).drop("model")
            rm.evaluate(recs, TRUTH, ["hit@1", "rr"]).write(path, per_list=True)
        assert_frame_equal(rm.compare_files(baseline, other).collect().drop(of_lists), pairs)


def test_a_column_may_name_the_systems_of_two_files() -> None:
    values = VALUES.rename({"system": "algorithm"})
    comparison = _compared(values, system="algorithm", baseline="als", metrics="ndcg@10")
    assert comparison.collect()["system"].to_list() == ["knn", "pop"]


def test_wins_are_lists_with_a_lower_value_where_lower_is_better() -> None:
    before, after = (
        pl.DataFrame({"user": [1, 2, 3], "unjudged@5": values}) for values in ([3.0, 2.0, 4.0], [1.0, 2.0, 3.0])
    )
    (row,) = rm.compare_files(before, after, metrics="unjudged@5").collect().to_dicts()
    assert [row[name] for name in ("difference", "wins", "ties", "losses")] == [-1.0, 2, 1, 0]


def test_pairs_are_in_the_order_of_python_whatever_the_order_of_the_database() -> None:
    expected, comparison = _compared().collect(), _compared()
    pairs = [replace(pair.turned(), is_turned=False) for pair in comparison._given_pairs]
    vars(comparison)["_given_pairs"] = pairs
    assert_frame_equal(comparison.collect(), expected)


# --- printing ---------------------------------------------------------------------------------------------------------


def test_a_letter_is_for_each_system_that_is_significantly_worse() -> None:
    comparison = _compared(metrics="ndcg@10")
    frame, text, page = comparison.collect(), repr(comparison), comparison._repr_html_()
    assert frame.filter(pl.col("p_t_adjusted") < 0.05).select("baseline", "system").rows() == [
        ("als", "knn"),
        ("als", "pop"),
        ("knn", "pop"),
    ]
    als, knn, pop = text.splitlines()[2:5]
    assert als.split()[:3:2] == ["a", "als"]
    assert knn.endswith("ᵃ")
    assert pop.endswith("ᵃᵇ")
    assert "<sup>a b</sup>" in page
    assert comparison.notes() == [
        "pop is best by ndcg@10; it is significantly better than the second, knn: difference +0.0594, p = 0.0190",
        "a letter: significantly better than the system of this letter (paired t-test, p < 0.05)",
        "p-values are corrected for the 3 tests of a metric: Holm",
        "lists of the same user are a cluster (cluster=[] turns it off)",
    ]
    assert all(note in text and f"<li>{html.escape(note)}</li>" in page for note in comparison.notes())
    pair = frame.row(0, named=True)
    for words in (f"{pair['ci_low']:+.4f} to {pair['ci_high']:+.4f}", f"{pair['difference']:+.4f}"):
        assert words in text
        assert words in page
    assert "ᵃ" not in repr(_compared(metrics="ndcg@10", confidence=1 - 1e-12))
    assert letters(28)[24:] == ["y", "z", "aa", "ab"]


def test_the_notes_count_what_is_left_out() -> None:
    comparison = _compared(VALUES.filter((pl.col("system") != "als") | (pl.col("user") > 9)), correction="none")
    assert "als has 50 lists, knn 60, and 50 are of both" in comparison.notes()
    assert "p-values are not corrected for several tests" in comparison.notes()
    n_undefined = max(comparison.collect()["n_undefined"])
    assert (
        f"up to {n_undefined} lists of a pair skipped: recall@5 is undefined for one of the two systems"
        in comparison.notes()
    )


def test_names_are_escaped_in_latex_and_html() -> None:
    comparison = _compared(VALUES.with_columns(pl.col("system").replace({"als": "als_64 & <b>"})), metrics="ndcg@10")
    assert "a & als\\_64 \\& $<$b> & " in comparison.to_latex()
    assert "\\begin{tabular}{llr}" in comparison.to_latex()
    assert "als_64 &amp; &lt;b&gt;" in comparison._repr_html_()


@ENGINES
def test_the_table_is_of_the_callers_kind(engine: Engine) -> None:
    tables = engine.give(VALUES[:7]), engine.give(VALUES[7:])
    comparison = rm.compare_files(*tables)
    table = comparison.table()
    assert type(table) is type(tables[0])
    assert_frame_equal(engine.read(table), comparison.collect())


# --- refusals ---------------------------------------------------------------------------------------------------------

REFUSED: list[tuple[dict[str, Any], type[rm.RankMetricsError], str]] = [
    ({"baseline": "asl"}, rm.InputError, "is 'asl', and the systems are 'als', 'knn' and 'pop'. Did you mean 'als'"),
    ({"baseline": {"algorithm": "als"}}, rm.InputError, "baseline names 'algorithm', and a system is named by 'model'"),
    ({"metrics": "ndcg@10"}, rm.MetricError, "'ndcg@10' was not measured: there are 'hit@1' and 'rr'"),
    ({"metrics": "personalization@2"}, rm.MetricError, "personalization@2 is one number for each system"),
    ({"tests": "z"}, rm.InputError, "tests has no 'z'"),
    ({"correction": "hol"}, rm.InputError, "correction has no 'hol'"),
    ({"confidence": 95}, rm.InputError, "confidence must be between 0 and 1, as in 0.95, and is 95"),
    ({"replicates": 0}, rm.InputError, "replicates must be a whole number from 1"),
    ({"by": "model"}, rm.ColumnError, "by names 'model', which is none of the columns that all systems share: 'user'"),
    ({"cluster": "users"}, rm.ColumnError, "Did you mean 'user'"),
    ({"baseline": "als", "tests": "tukey"}, rm.InputError, "all pairs of systems: leave out baseline"),
    ({"cluster": "user", "tests": "wilcoxon"}, rm.InputError, "every list as independent: with cluster, take 't'"),
]


def test_a_comparison_that_cannot_be_meant_is_refused() -> None:
    result = rm.evaluate(RECS, TRUTH, ["hit@1", "rr", "personalization@2"])
    for options, error, words in REFUSED:
        with refusal(error, words, case=options):
            result.compare(**options).collect()
    left_out = "not compared, because a paired test needs values per list: personalization@2"
    assert left_out in result.compare().notes()
    assert left_out not in result.compare(metrics="rr").notes()
    with refusal(rm.MetricError, "one number for each system"):
        rm.evaluate(RECS, TRUTH, "personalization@2").compare()
    with refusal(rm.InputError, "nothing to compare: the only system is 'als'"):
        rm.evaluate(ALS, TRUTH, "hit@1").compare().collect()
    with refusal(rm.InputError, "nothing to compare: no column names a system"):
        rm.evaluate(ALS.drop("model"), TRUTH, "rr").compare()
    with refusal(rm.DataError, "No list is in both"):
        rm.evaluate(RECS, TRUTH.with_columns(pl.col("user") + 100), "rr").compare().collect()


def test_tables_that_do_not_fit_are_refused() -> None:
    table = pl.DataFrame({"user": [1, 2], "ndcg@10": [0.5, 0.25]})
    others: list[tuple[pl.DataFrame, dict[str, Any], type[rm.RankMetricsError], str]] = [
        (table.rename({"user": "session"}), {}, rm.ColumnError, "same list columns: a has 'user', b has 'session'"),
        (table.rename({"ndcg@10": "x"}), {}, rm.MetricError, "no metric in common: a has 'user' and 'ndcg@10'"),
        (table, {"metrics": "rr"}, rm.MetricError, "table a has no column 'rr'"),
        (table.cast({"ndcg@10": pl.String}), {"metrics": "ndcg@10"}, rm.MetricError, "of the table b has no numbers"),
        (table, {"system": "model"}, rm.ColumnError, "system names 'model', and the list columns are 'user'"),
        (table.with_columns(pl.col("user") + 7), {}, rm.DataError, "names the system, say so with system="),
        (pl.concat([table, table[1:]]), {}, rm.DataError, "1 have more: user = 2, system = 'b' has 2"),
        (table.with_columns(pl.Series("ndcg@10", [0.5, float("nan")])), {}, rm.DataError, "are not finite numbers"),
        (table.with_columns(pl.Series("ndcg@10", [0.5, float("inf")])), {}, rm.DataError, "are not finite numbers"),
    ]
    for other, options, error, words in others:
        with refusal(error, words, case=words):
            rm.compare_files(table, other, **options).collect()
    by_fold = rm.evaluate(ALS.with_columns(fold=1), TRUTH.with_columns(fold=1), "rr", by=["model", "fold"]).collect()
    for first, second, which in ((by_fold, by_fold, "a"), (table.rename({"ndcg@10": "rr"}), by_fold, "b")):
        with refusal(rm.InputError, f"The table {which} is a summary", "a column 'n_lists'", "--per-list -o"):
            rm.compare_files(first, second)
    with refusal(rm.ColumnError, "no column that identifies a list"):
        rm.compare_files(table.drop("user"), table.drop("user"))


# --- Margins: non-inferiority and equivalence, as statsmodels tests them; sentences; warnings of tests of ranks -------


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
    for metric, is_better in (("ndcg@10", False), ("unjudged@10", True)):
        (p_value,) = rm.compare_files(*tables(-0.02, metric=metric), metric, margin=0.01).collect()["p_not_worse"]
        assert p_value < 0.01 if is_better else p_value > 0.9, metric


def test_sentences_say_what_the_margin_calls_a_difference() -> None:
    words = {
        (0.007, "2%"): "b is better than a in ndcg@10 by 0.8 %, which your margin of 2 % calls no difference",
        (0.6, "2%"): "b is better than a in ndcg@10 by 111 %; it is not worse by your margin of 2 %",
        (0.03, "2%"): "b is better than a in ndcg@10 by 5.1 %; it is not worse by your margin of 2 %",
        (
            -0.03,
            "2%",
        ): "b is worse than a in ndcg@10 by 6.1 %; a loss larger than your margin of 2 % cannot be ruled out",
    }
    for (shift, margin), sentence in words.items():
        comparison = rm.compare_files(*tables(shift), margin=margin)
        assert comparison.sentences()[0].startswith(sentence), comparison.sentences()
        assert comparison.notes()[0] == comparison.sentences()[0]
    same = rm.compare_files(tables(0, 2000)[0], tables(0, 2000)[0], margin="1%")
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
        assert ("cannot be ruled out" in report.collect()["reason"][0]) is not passed
    wide = rm.compare_files(before.collect(per_list=True), now.collect(per_list=True), margin="10%").collect()
    assert wide["p_equivalent"].item() < 0.05
    with refusal(rm.InputError, "strict=True leaves the interval out"):
        rm.gate(now, max_drop={"hit@1": "1%"}, against=tmp_path / "before.parquet", prove="same", strict=True)
    before.write(tmp_path / "summary.parquet")
    with refusal(rm.InputError, 'prove="same" needs the lists'):
        rm.gate(now, max_drop={"hit@1": "1%"}, against=tmp_path / "summary.parquet", prove="same")
