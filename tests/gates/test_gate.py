"""rm.gate: the limits, the drops since an earlier run, and what is refused."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t, ttest_rel

import rankmetrics as rm
from rankmetrics.errors import InputError, MetricError
from rankmetrics.gates.earlier import Earlier, changes_of_lists
from rankmetrics.gates.gate import check_drop
from rankmetrics.gates.options import Limit

# Two systems and four users; a finds the item of users 1, 2 and 3 at ranks 1, 2 and 2, b that of user 1 at rank 2.
RECS = pl.DataFrame(
    {
        "system": ["a"] * 6 + ["b"] * 2,
        "user": [1, 1, 2, 2, 3, 3, 1, 1],
        "item": [1, 9, 9, 2, 9, 3, 9, 1],
        "rank": [1, 2] * 4,
    }
)
TRUTH = pl.DataFrame({"user": [1, 2, 3, 4], "item": [1, 2, 3, 4]})
# The reciprocal ranks: a has 1, 0.5, 0.5 and 0, b has 0.5, 0, 0 and 0.
RR = {"a": 0.5, "b": 0.125}


def result(metrics: Any = "rr", recs: pl.DataFrame = RECS, truth: pl.DataFrame = TRUTH, **options: Any) -> rm.Result:
    return rm.evaluate(recs, truth, metrics, **options)


@cache
def measured_once() -> rm.Result:
    return result()


def verdicts(report: rm.GateReport) -> dict[tuple[str | None, str], bool]:
    return {(one.system, one.metric): one.passed for one in report.results}


# --- limits of values -------------------------------------------------------------------------------------------------


def test_every_system_must_have_at_least_the_minimum() -> None:
    report = rm.gate(measured_once(), minimum={"rr": 0.2})
    assert verdicts(report) == {("a", "rr"): True, ("b", "rr"): False}
    assert not report.passed
    assert not report
    assert report.checks.rows() == [
        ("minimum", "rr", "a", 0.5, 0.2, True, "It is at least 0.2."),
        ("minimum", "rr", "b", 0.125, 0.2, False, "It is below 0.2."),
    ]


def test_a_system_that_is_named_is_the_only_one_that_is_checked() -> None:
    assert verdicts(rm.gate(measured_once(), minimum={"rr": 0.2}, system="a")) == {("a", "rr"): True}
    assert not rm.gate(measured_once(), minimum={"rr": 0.2}, system=["a", "b"])


@pytest.mark.parametrize("limit", [0.5, "0.5", "50%", " 50 % ", 0.5000000000001])
def test_a_value_that_equals_its_limit_keeps_it(limit: float | str) -> None:
    report = rm.gate(measured_once(), minimum={"rr": limit}, maximum={"rr": limit}, system="a")
    assert report
    assert report.checks["limit"].to_list() == pytest.approx([0.5, 0.5])


def test_a_value_above_the_maximum_fails() -> None:
    report = rm.gate(measured_once(), maximum={"rr": 0.2})
    assert verdicts(report) == {("a", "rr"): False, ("b", "rr"): True}
    assert report.failed[0].reason == "It is above 0.2."


@pytest.mark.parametrize(("limit", "passed"), [("25%", True), ("24.9%", False), (1, True), (0, False)])
def test_missing_lists_are_limited_as_a_number_or_as_a_share(limit: float | str, passed: bool) -> None:
    report = rm.gate(measured_once(), max_missing=limit, system="a")
    assert report.passed is passed
    assert report.results[0].reason.startswith("1 of 4 lists have no recommendations, which is ")


def test_an_undefined_value_fails() -> None:
    unrated = TRUTH.with_columns(rating=pl.Series([0, 0, 0, 0]))
    report = rm.gate(result("recall@2", truth=unrated, recs=RECS), minimum={"recall@2": 0}, maximum={"recall@2": 1})
    assert not any(one.passed for one in report.results)
    assert {one.reason for one in report.results} == {"It is undefined: no list has a value."}
    assert report.checks["value"].null_count() == 4


def test_a_metric_is_written_in_any_spelling_and_a_column_by_its_name() -> None:
    measured = result([{"accuracy": "hit@1"}, "nDCG@2", "rr"], aggregates=["mean", "median"])
    limits = {"HitRate@1": 0, "ndcg@2": 0, "MRR": 0, "accuracy median": 0, "RR Median": 0}
    report = rm.gate(measured, minimum=limits, system="a")
    assert [one.metric for one in report.results] == ["accuracy", "nDCG@2", "rr", "accuracy median", "rr median"]


def test_a_summary_of_one_row_has_no_system() -> None:
    report = rm.gate(result(by=[]), minimum={"rr": 0.3})
    assert report.checks.rows()[0][:5] == ("minimum", "rr", None, 0.3125, 0.3)


def test_a_row_of_several_columns_is_called_by_all_of_them() -> None:
    recs, truth = (frame.with_columns(day=pl.lit(7)) for frame in (RECS, TRUTH))
    measured = result(recs=recs, truth=truth, by=["system", "day"])
    systems = [one.system for one in rm.gate(measured, minimum={"rr": 0}).results]
    assert systems == ["system=a, day=7", "system=b, day=7"]
    assert len(rm.gate(measured, minimum={"rr": 0}, system="b").results) == 1


def test_a_result_of_duckdb_is_checked_alike() -> None:
    with duckdb.connect() as connection:
        relations = [connection.from_arrow(frame.to_arrow()) for frame in (RECS, TRUTH)]
        measured = rm.evaluate(relations[0], relations[1], "rr")
        earlier = result().per_list().collect()
        limits: dict[str, Any] = {"minimum": {"rr": 0.2}, "max_drop": {"rr": 0}, "against": earlier}
        assert rm.gate(measured, **limits).checks.equals(rm.gate(measured_once(), **limits).checks)


# --- drops ------------------------------------------------------------------------------------------------------------


def per_list(values: Mapping[tuple[str, int], float | None], metric: str = "rr") -> pl.DataFrame:
    """An earlier run: the value of each list."""
    rows = [(system, user, value) for (system, user), value in values.items()]
    return pl.DataFrame(rows, schema={"system": pl.String, "user": pl.Int64, metric: pl.Float64}, orient="row")


OF_B = {("b", 1): 0.5, ("b", 2): 0.0, ("b", 3): 0.0, ("b", 4): 0.0}
NOW = {("a", 1): 1.0, ("a", 2): 0.5, ("a", 3): 0.5, ("a", 4): 0.0, **OF_B}


def drop(earlier: object, limit: float | str, **options: Any) -> rm.GateReport:
    return rm.gate(measured_once(), max_drop={"rr": limit}, against=earlier, **options)


def test_a_run_that_equals_the_earlier_one_has_no_drop() -> None:
    report = drop(per_list(NOW), 0)
    assert report
    assert report.results[0].reason == "It stayed at 0.5000, over 4 lists that both runs have."


def test_a_drop_whose_interval_contains_0_fails_only_if_strict() -> None:
    earlier = per_list({**NOW, ("a", 2): 1.0})  # the differences are 0, 0.5, 0 and 0
    report = drop(earlier, "1%", system="a")
    assert report.passed
    assert report.results[0].value == pytest.approx(0.2)
    assert report.results[0].reason == (
        "It fell from 0.6250 to 0.5000, over 4 lists that both runs have. That is worse by more than 1%, and the "
        "interval of the difference, -0.5228 to +0.2728, contains 0, so it does not count."
    )
    strict = drop(earlier, "1%", system="a", strict=True)
    assert not strict.passed
    assert strict.results[0].reason.endswith("worse by more than 1%, and strict leaves the interval out.")


def test_a_drop_whose_interval_does_not_contain_0_fails_beyond_the_limit_alone() -> None:
    earlier = per_list({**NOW, ("a", 1): 1.1, ("a", 2): 0.61, ("a", 3): 0.6, ("a", 4): 0.11})
    report = drop(earlier, 0.1, system="a")
    assert not report.passed
    assert report.results[0].value == pytest.approx(0.105)
    reason = report.results[0].reason
    assert reason.endswith("and the interval of the difference, -0.1142 to -0.0958, does not contain 0.")
    assert drop(earlier, 0.11, system="a").passed


@pytest.mark.long
def test_a_smaller_confidence_has_a_narrower_interval() -> None:
    earlier = per_list({**NOW, ("a", 2): 1.0})
    assert drop(earlier, 0, system="a", confidence=0.95)
    assert not drop(earlier, 0, system="a", confidence=0.6)


def test_a_rise_of_a_metric_that_is_better_when_lower_is_a_drop() -> None:
    now = result("unjudged@2")
    values = now.collect(per_list=True)
    better, worse = (values.with_columns(pl.col("unjudged@2") + change) for change in (-0.5, 0.5))
    assert not rm.gate(now, max_drop={"unjudged@2": 0.1}, against=better, strict=True)
    assert rm.gate(now, max_drop={"unjudged@2": 0.1}, against=worse, strict=True)


def test_lists_are_paired_and_those_of_one_run_are_left_out_and_counted() -> None:
    earlier = per_list({("a", 1): 1.0, ("a", 2): 0.5, ("a", 8): 1.0, ("a", 9): 1.0, ("b", 1): 0.5})
    report = drop(earlier, 0)
    assert [one.reason for one in report.results] == [
        "It stayed at 0.7500, over 2 lists that both runs have.",
        "It stayed at 0.5000, over 1 list that both runs have.",
    ]
    assert report.notes == (
        "5 lists are not in the earlier run, and not compared.",
        "2 lists of the earlier run are gone, and not compared.",
    )


def test_a_list_without_a_value_in_one_of_the_runs_is_not_compared() -> None:
    report = drop(per_list({**NOW, ("a", 1): None}), 0, system="a")
    assert report.results[0].reason == "It stayed at 0.3333, over 3 lists that both runs have."


def test_a_system_that_only_one_of_the_runs_has_fails() -> None:
    of_a = {key: value for key, value in NOW.items() if key[0] == "a"}
    report = drop(per_list({**of_a, ("c", 1): 0.5}), 0)
    assert verdicts(report) == {("a", "rr"): True, ("b", "rr"): False, ("c", "rr"): False}
    assert [one.reason for one in report.failed] == [
        "The earlier run does not have this system.",
        "Only the earlier run has this system.",
    ]
    assert drop(per_list({**of_a, ("c", 1): 0.5}), 0, system="a").passed


def test_one_shared_list_has_no_interval_so_that_the_drop_fails() -> None:
    report = drop(per_list({("a", 1): 1.5}), "1%", system="a")
    assert not report.passed
    assert report.results[0].reason.endswith("worse by more than 1%, and there is no interval.")


def test_a_percentage_of_an_earlier_mean_of_0_passes_unless_the_metric_is_worse() -> None:
    zeros = per_list(dict.fromkeys(NOW, 0.0))
    report = drop(zeros, "1%", system="a")
    assert (report.passed, report.results[0].value) == (True, None)


def test_the_earlier_run_is_a_file_that_write_wrote(tmp_path: Path) -> None:
    dated = [frame.with_columns(day=pl.date(2024, 1, 31)) for frame in (RECS, TRUTH)]
    measured = rm.evaluate(dated[0], dated[1], ["rr", "hit@1"], by=["system", "day"])
    for name, per_list in (("last.parquet", True), ("last.csv", True), ("last.json", True), ("summary.csv", False)):
        measured.write(tmp_path / name, per_list=per_list)
        report = rm.gate(measured, max_drop={"rr": 0, "hit@1": "1%"}, against=tmp_path / name)
        assert (report.passed, len(report.results)) == (True, 4), name
        is_summary = ["is a summary, which has no intervals" in note for note in report.notes]
        assert is_summary == ([] if per_list else [True])


@pytest.mark.long
def test_a_summary_has_no_interval_so_that_every_drop_beyond_the_limit_fails(tmp_path: Path) -> None:
    measured = result(["rr", "user_coverage"])
    better = measured.collect().with_columns(pl.col("rr") + 0.001, pl.col("user_coverage") + 0.1)
    report = rm.gate(measured, max_drop={"rr": "0.1%", "user_coverage": 0.2}, against=better)
    assert verdicts(report) == {
        ("a", "rr"): False,
        ("a", "user_coverage"): True,
        ("b", "rr"): False,
        ("b", "user_coverage"): True,
    }
    assert report.results[0].reason.endswith("and there is no interval.")


def test_the_earlier_run_is_a_result_or_a_lazy_frame() -> None:
    assert drop(measured_once(), 0)
    assert drop(per_list(NOW).lazy(), 0)


VALUE = st.one_of(st.none(), st.integers(0, 10).map(lambda tenths: tenths / 10))


@given(
    before=st.dictionaries(st.integers(1, 6), VALUE, min_size=1),
    now=st.dictionaries(st.integers(1, 6), VALUE, min_size=1),
    limit=st.integers(0, 3).map(lambda tenths: tenths / 10 + 0.03),
)
@settings(deadline=None, max_examples=25)
def test_drops_are_those_of_a_loop_over_lists(
    before: dict[int, float | None], now: dict[int, float | None], limit: float
) -> None:
    frames = [
        pl.DataFrame({"user": list(of), "m": list(of.values())}, schema={"user": pl.Int64, "m": pl.Float64})
        for of in (now, before)
    ]
    if not {*before} & {*now}:
        with pytest.raises(InputError, match="no list in common"):
            changes_of_lists(frames[0], Earlier(frames[1], "It", is_per_list=True), ["user"], [], ["m"], 0.95)
        return
    found = changes_of_lists(frames[0], Earlier(frames[1], "It", is_per_list=True), ["user"], [], ["m"], 0.95)
    check = check_drop("m", None, found.by_column["m", ()], Limit(limit), lower_is_better=False, strict=False)
    pairs = [(before[user], now[user]) for user in now if before.get(user) is not None and now[user] is not None]
    assert (found.n_added, found.n_gone) == (len({*now} - {*before}), len({*before} - {*now}))
    if not pairs:
        assert (check.passed, check.value) == (False, None)
        return
    differences = [new - old for old, new in pairs]  # type: ignore[operator]
    mean = statistics.fmean(differences)
    assert check.value == pytest.approx(-mean, abs=1e-12)
    fell = -mean > limit
    if len(pairs) > 1:
        half = float(t.ppf(0.975, len(pairs) - 1)) * statistics.stdev(differences) / math.sqrt(len(pairs))
        fell = fell and not mean - half <= 0 <= mean + half
    assert check.passed is not fell


def test_the_interval_is_that_of_the_paired_t_test() -> None:
    now = per_list({("a", user): user % 5 / 5 for user in range(40)})
    before = per_list({("a", user): user % 7 / 7 for user in range(40)})
    change = changes_of_lists(now, Earlier(before, "It", is_per_list=True), ["system", "user"], ["system"], ["rr"], 0.9)
    interval = ttest_rel(now["rr"], before["rr"]).confidence_interval(0.9)
    found = change.by_column["rr", ("a",)]
    assert (found.ci_low, found.ci_high) == pytest.approx((interval.low, interval.high))


# --- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", ["much", "", "1 %%", "0,25", None, True, math.nan, math.inf, "nan", [1], "1e400"])
def test_a_limit_that_is_no_number_is_refused(limit: Any) -> None:
    with pytest.raises(InputError, match=r"as in 0\.25 or 1%: minimum=.* has "):
        rm.gate(measured_once(), minimum={"rr": limit})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "A gate needs a limit"),
        ({"minimum": {}}, "A gate needs a limit"),
        ({"minimum": 0.2}, "Limits are a mapping from metric to limit"),
        ({"minimum": {"rr": 0}, "against": TRUTH}, "against belongs to limits of drops, and there is none"),
        ({"minimum": {"rr": 0}, "strict": True}, "strict belongs to limits of drops"),
        ({"max_drop": {"rr": 0}}, "max_drop compares with an earlier run: name its file, against="),
        ({"max_drop": {"rr": -0.1}, "against": TRUTH}, "This limit cannot be negative: max_drop"),
        ({"max_missing": "-1%"}, "This limit cannot be negative"),
        ({"max_missing": 0.01}, "write 1% in place of 0.01 if it is a share"),
        ({"minimum": {"rr": 0}, "confidence": 95}, "confidence is between 0 and 1"),
        ({"minimum": {"rr": 0}, "system": "aa"}, "system= names 'aa': the systems are 'a' and 'b'. Did you mean 'a'"),
        ({"max_drop": {"rr": 0}, "against": 7}, "against= is a file, a Polars frame or a Result: 'int' is none"),
        ({"max_drop": {"rr": 0}, "against": "no.parquet"}, "There is no file 'no.parquet'"),
        ({"max_drop": {"rr": 0}, "against": TRUTH}, "lacks 'system'"),
        ({"max_drop": {"rr": 0}, "against": per_list({("x", 9): 1.0})}, "no list in common with the result"),
        ({"max_drop": {"rr": 0}, "against": per_list(NOW, "rr2")}, "no column 'rr': .* Did you mean 'rr2'"),
        (
            {"max_drop": {"rr": 0}, "against": pl.concat([per_list(NOW)] * 2)},
            "several rows with the same 'system' and 'user'",
        ),
        (
            {"max_drop": {"rr": 0}, "against": per_list(NOW).with_columns(user=pl.lit("u1"))},
            "several rows with the same|other values in",
        ),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        rm.gate(measured_once(), **options)


def test_a_metric_that_was_not_measured_is_refused_with_those_that_were() -> None:
    with pytest.raises(MetricError, match=r"'recall@5', which was not measured: there are 'rr'\. Measure it"):
        rm.gate(measured_once(), minimum={"recall@5": 0.1})


def test_a_metric_without_a_better_direction_cannot_drop() -> None:
    with pytest.raises(MetricError, match="has no better direction, so it cannot drop"):
        rm.gate(result(["rr", "n_recommended"]), max_drop={"n_recommended": 0}, against=per_list(NOW))


def test_a_number_of_a_system_has_no_lists_to_pair() -> None:
    measured = result(["rr", "user_coverage"])
    with pytest.raises(InputError, match="'user_coverage' has no value per list"):
        rm.gate(measured, max_drop={"user_coverage": 0}, against=per_list(NOW))
