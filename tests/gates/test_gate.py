"""rm.gate: the limits, the drops since an earlier run, what is refused, and what a gate is written as."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.errors import InputError
from rankmetrics.gates.gate import Change, Check, check_drop, check_value
from rankmetrics.options import Limit
from tests.support.refusals import refusal

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

# The reciprocal ranks.
OF_A = {("a", 1): 1.0, ("a", 2): 0.5, ("a", 3): 0.5, ("a", 4): 0.0}
NOW = {**OF_A, ("b", 1): 0.5, ("b", 2): 0.0, ("b", 3): 0.0, ("b", 4): 0.0}

METRICS: list[Any] = ["rr", {"accuracy": "hit@1"}, "unjudged@2", "n_recommended", "user_coverage"]


@cache
def measured() -> rm.Result:
    return rm.evaluate(RECS, TRUTH, "rr")


@cache
def measured_by_all() -> rm.Result:
    return rm.evaluate(RECS, TRUTH, METRICS, aggregates=["mean", "median"])


def per_list(values: Mapping[tuple[str, int], float | None], metric: str = "rr") -> pl.DataFrame:
    """An earlier run: the value of each list."""
    rows = [(system, user, value) for (system, user), value in values.items()]
    return pl.DataFrame(rows, schema={"system": pl.String, "user": pl.Int64, metric: pl.Float64}, orient="row")


def drop(earlier: object, limit: float | str, **options: Any) -> rm.GateReport:
    return rm.gate(measured(), max_drop={"rr": limit}, against=earlier, **options)


# --- limits of values -------------------------------------------------------------------------------------------------


def test_every_system_must_keep_the_limits_of_values() -> None:
    report = rm.gate(measured(), minimum={"rr": 0.2}, maximum={"rr": "20%"}, max_missing="25%")
    missing = "of 4 lists have no recommendations, which is"
    assert report.collect().rows() == [
        ("minimum", "rr", "a", 0.5, 0.2, True, "It is at least 0.2."),
        ("maximum", "rr", "a", 0.5, 0.2, False, "It is above 20%."),
        ("max_missing", "n_missing", "a", 0.25, 0.25, True, f"1 {missing} at most 25%."),
        ("minimum", "rr", "b", 0.125, 0.2, False, "It is below 0.2."),
        ("maximum", "rr", "b", 0.125, 0.2, True, "It is at most 20%."),
        ("max_missing", "n_missing", "b", 0.75, 0.25, False, f"3 {missing} more than 25%."),
    ]
    assert not report.passed
    assert not report
    assert [check.system for check in report.failed] == ["a", "b", "b"]
    cases: list[tuple[dict[str, Any], bool]] = [
        ({"minimum": {"rr": 0.2}, "system": "a"}, True),
        ({"minimum": {"rr": 0.2}, "system": ["a", "b"]}, False),
        *(({"minimum": {"rr": limit}, "maximum": {"rr": limit}, "system": "a"}, True) for limit in (0.5, " 50 % ")),
        ({"minimum": {"rr": 0.5000000000001}, "system": "a"}, True),
        ({"minimum": {"rr": "0.51"}, "system": "a"}, False),
        ({"max_missing": 1, "system": "a"}, True),
        ({"max_missing": 0, "system": "a"}, False),
    ]
    for options, passed in cases:
        assert rm.gate(measured(), **options).passed is passed, options


def test_an_undefined_value_fails() -> None:
    result = rm.evaluate(RECS, TRUTH.with_columns(rating=0), "recall@2")
    report = rm.gate(result, minimum={"recall@2": 0.1}, maximum={"recall@2": 0.9})
    assert [check.reason for check in report.failed] == ["It is undefined: no list has a value."] * 4
    assert report.collect()["value"].null_count() == 4


def test_lists_without_recommendations_count_even_if_the_means_leave_them_out() -> None:
    for missing in ("skip", "listed"):
        result = rm.evaluate(RECS, TRUTH, ["hit@1", "n_recommended"], missing=missing)
        found = [(check.system, check.value, check.passed) for check in rm.gate(result, max_missing="25%").results]
        assert found == [("a", 0.25, True), ("b", 0.75, False)], missing


def test_a_metric_is_written_in_any_spelling_and_a_column_by_its_name() -> None:
    limits = dict.fromkeys(["HitRate@1", "MRR", "accuracy median", "RR Median"], 0.1)
    report = rm.gate(measured_by_all(), minimum=limits, system="a")
    assert [check.metric for check in report.results] == ["accuracy", "rr", "accuracy median", "rr median"]


def test_a_system_is_named_by_the_columns_of_the_summary() -> None:
    recs, truth = (frame.with_columns(day=7) for frame in (RECS, TRUTH))
    result = rm.evaluate(recs, truth, "rr", by=["system", "day"])
    report = rm.gate(result, minimum={"rr": 0.1})
    assert [check.system for check in report.results] == ["a, 7", "b, 7"]
    assert len(rm.gate(result, minimum={"rr": 0.1}, system="b").results) == 1
    report = rm.gate(rm.evaluate(RECS, TRUTH, "rr", by=[]), minimum={"rr": 0.3})
    assert report.collect().rows()[0][:5] == ("minimum", "rr", None, 0.3125, 0.3)


# --- drops ------------------------------------------------------------------------------------------------------------

ONE_FELL = {("a", 2): 1.0}  # the differences are 0, 0.5, 0 and 0
ALL_FELL = {("a", 1): 1.1, ("a", 2): 0.61, ("a", 3): 0.6, ("a", 4): 0.11}
FELL = "It fell from 0.6250 to 0.5000, over 4 lists that both runs have. That is worse by more than 1%, and "
FEW = "4 lists cannot tell whether it is chance: 6 are needed."

# Changed values of an earlier run, the limit, options, whether the gate passes, the drop, the end of the reason.
DROPS: list[tuple[Mapping[Any, float | None], float | str, dict[str, Any], bool, float | None, str]] = [
    ({}, 0, {}, True, 0, "It stayed at 0.5000, over 4 lists that both runs have."),
    (ONE_FELL, "1%", {}, False, 0.2, f"{FELL}{FEW}"),
    (ONE_FELL, "1%", {"strict": True}, False, 0.2, f"{FELL}strict counts every drop."),
    (
        ONE_FELL,
        0,
        {"confidence": 0.6},
        False,
        0.125,
        "significant: the 60% confidence interval of the difference is -0.2473 to -0.0027.",
    ),
    (ALL_FELL, 0.11, {}, True, 0.105, "It fell from 0.6050 to 0.5000, over 4 lists that both runs have."),
    ({("a", 1): None}, 0, {}, True, 0, "It stayed at 0.3333, over 3 lists that both runs have."),
    (dict.fromkeys(OF_A), 0, {}, False, None, "It is undefined: no list has a value."),
    (
        dict.fromkeys(OF_A, 0.0),
        "1%",
        {},
        True,
        None,
        "It rose from 0.0000 to 0.5000, over 4 lists that both runs have.",
    ),
]


def test_a_drop_beyond_its_limit_fails_unless_chance_could_explain_it() -> None:
    for changed, limit, options, passed, value, reason in DROPS:
        report = drop(per_list({**NOW, **changed}), limit, system="a", **options)
        (check,) = report.results
        assert (check.passed, report.passed) == (passed, passed), (changed, limit, options)
        assert check.value == (None if value is None else pytest.approx(value, abs=1e-12)), (changed, limit)
        assert check.reason.endswith(reason), (changed, limit, options)
    (check,) = drop(per_list({("a", 1): 1.5}), "1%", system="a").results  # one list has no interval
    assert not check.passed
    assert check.reason.endswith("worse by more than 1%, and 1 list cannot tell whether it is chance: 6 are needed.")
    assert drop(measured(), 0)
    assert drop(per_list(NOW).lazy(), 0)


def _halves(n: int, cluster: list[str] | None = None, *, first: int = 0, **days: Any) -> rm.Result:
    """A result in which each of n users has a reciprocal rank of 0.5."""
    truth = pl.DataFrame({"user": range(first, first + n)}).with_columns(item="user")
    truth = truth.join(pl.DataFrame(days), how="cross") if days else truth
    recs = pl.concat([truth.with_columns(rank=rank, item=pl.col("user") + (rank - 2) * 9999) for rank in (1, 2, 3, 4)])
    return rm.evaluate(recs, truth, "rr", lists=["user", *days], cluster=cluster)


def _before(*differences: float, **columns: Any) -> pl.DataFrame:
    """An earlier run whose values differ from 0.5."""
    values = {"user": range(len(differences)), "rr": [0.5 + difference for difference in differences]}
    return pl.DataFrame({**values, **columns})


# The differences of earlier values, the limit, options, whether the gate passes, a part of the reason.
VERDICTS: list[tuple[list[float], float | str, dict[str, Any], bool, str]] = [
    ([0.1, 0.11, 0.12] * 3, "1%", {}, False, "and the drop is significant: the 95% confidence interval of"),
    ([0.1, 0.11, 0.12] * 17, "1%", {"test": "bootstrap"}, False, "and the drop is significant"),
    ([0.1, 0.11, 0.12] * 3, "1%", {"test": "bootstrap"}, False, "9 lists cannot tell whether it is chance: 50 are"),
    ([0.4, -0.2] * 4, "1%", {}, True, "but the drop is not significant: the 95% confidence interval of the difference"),
    ([0.4, -0.2] * 4, "1%", {}, True, "; these 8 lists would show a difference of 0.3708 with a power of 0.8."),
    ([0.4, 0.1] * 4, "1%", {}, False, "and the drop is significant"),
    ([0.4, 0.1] * 4, "1%", {"sequential": True}, True, "but the drop is not significant"),
    (
        [0.0] * 2,
        "1%",
        {"prove": "not_worse"},
        False,
        "cannot be ruled out: 2 lists cannot rule it out: 100 are needed.",
    ),
    (
        [0.0] * 100,
        0.01,
        {"prove": "not_worse"},
        False,
        "A loss of 0.01 or more cannot be ruled out: the 90% confidence",
    ),
    ([0.0] * 400, 0.01, {"prove": "not_worse"}, True, "A loss of 0.01 or more is ruled out: the 90% confidence"),
    ([0.0] * 400, 0.01, {"prove": "same"}, True, "A difference of 0.01 or more is ruled out"),
    ([-0.02, -0.03] * 50, 0.01, {"prove": "not_worse"}, True, "A loss of 0.01 or more is ruled out"),
    ([-0.02, -0.03] * 50, 0.01, {"prove": "same"}, False, "A difference of 0.01 or more cannot be ruled out"),
    ([0.3, -0.3] * 50, 0.01, {"prove": "not_worse"}, False, "A loss of 0.01 or more cannot be ruled out: the 90%"),
]


def test_a_verdict_needs_lists_that_show_it() -> None:
    for differences, limit, options, passed, words in VERDICTS:
        (check,) = rm.gate(
            _halves(len(differences)), max_drop={"rr": limit}, against=_before(*differences), **options
        ).results
        assert check.passed is passed, (differences, options, check.reason)
        assert words in check.reason, (differences, options, check.reason)


def test_runs_over_other_lists_warn_with_the_numbers_of_both() -> None:
    before = _before(*[0.0] * 200)
    with pytest.warns(rm.RankMetricsWarning, match="The earlier run has 200 lists, this run 50, and 50 are of both"):
        report = rm.gate(_halves(50), max_drop={"rr": "1%"}, against=before)
    assert report.notes()[:-1] == ["150 lists of the earlier run are gone, and not compared."]
    summary = pl.DataFrame({"n_lists": [20000], "rr": [0.5]})
    with pytest.warns(rm.RankMetricsWarning, match="is over 20,000 lists, and this run over 50. To compare the lists"):
        report = rm.gate(_halves(50), max_drop={"rr": "1%"}, against=summary)
    assert report.notes()[1:-1] == ["The earlier summary is over 20,000 lists, and this run over 50."]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rm.gate(_halves(50), max_drop={"rr": "1%"}, against=_before(*[0.0] * 52))
        rm.gate(_halves(50), max_drop={"rr": "1%"}, against=pl.DataFrame({"n_lists": [52], "rr": [0.5]}))


def test_runs_over_different_users_are_compared_as_arms() -> None:
    before, limit = _before(*[0.1, 0.2, 0.3] * 10), {"rr": "1%"}
    with refusal(rm.InputError, "no list in common", "compare each over its own lists: paired=False."):
        rm.gate(_halves(70, first=1000), max_drop=limit, against=before)
    with refusal(rm.DataError, "has 30 lists, this run 70, and 1 is of both", "Compare each system over its own lists"):
        rm.gate(_halves(70, first=29), max_drop=limit, against=before)
    with refusal(rm.InputError, "Arms are compared over their own lists", 'evaluate with missing="skip"'):
        rm.gate(measured(), max_drop=limit, against=per_list(NOW), paired=False)
    report = rm.gate(_halves(70, first=1000), max_drop=limit, against=before, paired=False)
    assert report.notes()[:-1] == ["Each run is measured over its own lists."]
    (check,) = report.results
    assert check.reason.startswith("It fell from 0.7000 to 0.5000, over 30 lists before and 70 now. That is worse by")


def test_lists_of_a_user_are_a_cluster() -> None:
    result = _halves(4, day=range(9))
    before = result.collect(per_list=True).with_columns(rr=0.5 + 0.1 * pl.col("user") + 0.01 * pl.col("day"))
    (check,) = (report := rm.gate(result, max_drop={"rr": 0.01}, against=before)).results
    assert check.reason.endswith("and 4 clusters cannot tell whether it is chance: 6 are needed.")
    assert report.notes()[:-1] == ["Lists of the same user are a cluster (cluster=[] turns it off)."]
    (check,) = rm.gate(_halves(4, [], day=range(9)), max_drop={"rr": 0.01}, against=before).results
    assert "and the drop is significant" in check.reason


def test_a_rise_of_a_metric_that_is_better_when_lower_is_a_drop() -> None:
    values = measured_by_all().collect(per_list=True)
    better, worse = (values.with_columns(pl.col("unjudged@2") + change) for change in (-0.5, 0.5))
    limits: dict[str, Any] = {"max_drop": {"unjudged@2": 0.1}, "strict": True}
    assert not rm.gate(measured_by_all(), against=better, **limits)
    assert rm.gate(measured_by_all(), against=worse, **limits)


def test_lists_and_systems_of_one_run_are_left_out_and_counted() -> None:
    report = drop(per_list({("a", 1): 1.0, ("a", 2): 0.5, ("a", 8): 1.0, ("a", 9): 1.0, ("b", 1): 0.5}), 0)
    assert [check.reason for check in report.results] == [
        "It stayed at 0.7500, over 2 lists that both runs have.",
        "It stayed at 0.5000, over 1 list that both runs have.",
    ]
    assert report.notes() == [
        "5 lists are not in the earlier run, and not compared.",
        "2 lists of the earlier run are gone, and not compared.",
        report.verdict,
    ]
    earlier = per_list({**OF_A, ("c", 1): 0.5})
    assert [(check.system, check.reason) for check in drop(earlier, 0).failed] == [
        ("b", "The earlier run does not have this system."),
        ("c", "Only the earlier run has this system."),
    ]
    assert drop(earlier, 0, system="a").passed


def test_the_earlier_run_is_a_file_that_write_wrote(tmp_path: Path) -> None:
    recs, truth = (frame.with_columns(day=pl.date(2024, 1, 31)) for frame in (RECS, TRUTH))
    result = rm.evaluate(recs, truth, ["rr", "hit@1"], by=["system", "day"])
    for name in ("lists.parquet", "lists.csv", "lists.json", "summary.csv"):
        result.write(tmp_path / name, per_list=name.startswith("lists"))
        report = rm.gate(result, max_drop={"RR": 0, "hit@1": "1%"}, against=tmp_path / name)
        assert (report.passed, len(report.results)) == (True, 4), name
        is_summary = ["is a summary, which has no intervals" in note for note in report.notes()[:-1]]
        assert is_summary == ([True] if name == "summary.csv" else []), name


def test_a_summary_has_no_interval_so_that_every_drop_beyond_the_limit_fails() -> None:
    of_a = measured_by_all().collect()[:1].with_columns(pl.col("rr") + 0.001, pl.col("user_coverage") + 0.1)
    before = pl.concat([of_a, of_a.with_columns(system=pl.lit("c"))])
    limits: dict[str, float | str] = {"rr": "0.1%", "user_coverage": 0.2}
    report = rm.gate(measured_by_all(), max_drop=limits, against=before)
    assert [(check.system, check.metric, check.passed) for check in report.results] == [
        ("a", "rr", False),
        ("a", "user_coverage", True),
        *((system, metric, False) for system in ("b", "c") for metric in limits),
    ]
    assert report.results[0].reason.endswith("worse by more than 0.1%, and there is no interval.")


def test_a_value_that_is_no_number_keeps_no_limit() -> None:
    summary, undefined = measured().collect(), "it is undefined: no list has a value."
    limit = Limit(0.01, is_percentage=True)
    for value, words in ((None, undefined), (math.nan, undefined), (math.inf, "it is inf, which is not a number")):
        before = summary.with_columns(rr=pl.lit(value, pl.Float64))
        for change, words_before in ((0.01, "In the earlier run, "), ("1%", "In the earlier run, ")):
            checks = rm.gate(measured(), max_drop={"rr": change}, against=before).results
            assert [check.passed for check in checks] == [False, False], value
            assert words_before + words in checks[0].reason, value
        now = check_drop("rr", "a", Change(0.1, value), limit, lower_is_better=False, strict=True)
        assert (now.passed, now.reason.startswith(f"I{words[1:]}")) == (False, True), value
        found = check_value("minimum", "rr", "a", value, limit), check_value("maximum", "rr", "a", value, limit)
        assert [check.passed for check in found] == [False, False], value


# --- what is refused --------------------------------------------------------------------------------------------------

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({}, "A gate needs a limit"),
    ({"minimum": {}}, "A gate needs a limit"),
    ({"minimum": 0.2}, "Limits are a mapping from metric to limit"),
    ({"minimum": {"rr": 0.1}, "against": TRUTH}, "against belongs to limits of drops, and there is none"),
    ({"minimum": {"rr": 0.1}, "strict": True}, "strict belongs to limits of drops"),
    ({"minimum": {"rr": 0.1}, "paired": False}, "paired belongs to limits of drops"),
    ({"max_drop": {"rr": 0}, "against": TRUTH, "test": "wilcoxon"}, "test must be one of 't' and 'bootstrap'"),
    ({"max_drop": {"rr": 0}, "against": TRUTH, "prove": "same", "test": "bootstrap"}, "takes the t-test"),
    (
        {
            "max_drop": {"rr": 0},
            "against": pl.DataFrame({"n_lists": [4], "system": ["a"], "rr": [0.5]}),
            "paired": False,
        },
        "paired=False needs the lists of the earlier run",
    ),
    ({"max_drop": {"rr": 0}}, "max_drop compares with an earlier run: name its file, against="),
    ({"max_drop": {"rr": -0.1}, "against": TRUTH}, "This limit cannot be negative: max_drop"),
    ({"max_missing": "-1%"}, "This limit cannot be negative"),
    *(({"max_missing": limit}, "cannot fail: at most 100% of the lists") for limit in ("100%", "150%")),
    ({"max_missing": 4}, "max_missing=4 cannot fail: no system has more than 4 lists."),
    ({"minimum": {"rr": 0}}, 'minimum={"rr": 0} cannot fail: rr is never below 0'),
    ({"minimum": {"rr": "-100%"}}, "never below 0 (its range: [0, 1]). Write a limit within the range, or leave it"),
    (
        {"maximum": {"MRR": 50}},
        'rr is never above 1 (its range: [0, 1]). If a percentage was meant, write maximum={"MRR": "50%"}',
    ),
    ({"maximum": {"rr": "100%"}}, 'maximum={"rr": "100%"} cannot fail: rr is never above 1'),
    (
        {"minimum": {"rr": 1.1}},
        'minimum={"rr": 1.1} cannot pass: rr is never above 1 (its range: [0, 1]). Write a limit',
    ),
    (
        {"minimum": {"rr": 50}},
        'never above 1 (its range: [0, 1]). If a percentage was meant, write minimum={"rr": "50%"}',
    ),
    ({"maximum": {"rr": -0.1}}, 'maximum={"rr": -0.1} cannot pass: rr is never below 0 (its range: [0, 1])'),
    ({"max_drop": {"rr": 1}, "against": TRUTH}, 'If a percentage was meant, write max_drop={"rr": "1%"}'),
    ({"max_drop": {"rr": "100%"}, "against": TRUTH}, "rr never drops by more than 100%"),
    ({"max_missing": 0.01}, "write 1% in place of 0.01 if it is a share"),
    ({"minimum": {"rr": 0.1}, "confidence": 95}, "confidence must be between 0 and 1"),
    ({"minimum": {"rr": 0.1}, "system": "aa"}, "system= names 'aa': the systems are 'a' and 'b'. Did you mean 'a'"),
    ({"max_drop": {"rr": 0}, "against": 7}, "against= is a file, a Polars frame or a Result: 'int' is not"),
    ({"max_drop": {"rr": 0}, "against": "no.parquet"}, "There is no file 'no.parquet'"),
    ({"max_drop": {"rr": 0}, "against": TRUTH}, "lacks 'system'"),
    ({"max_drop": {"rr": 0}, "against": per_list({("x", 9): 1.0})}, "no list in common with the result"),
    ({"max_drop": {"rr": 0}, "against": per_list(NOW, "rr2")}, "Did you mean 'rr2'"),
    (
        {"max_drop": {"rr": 0}, "against": pl.concat([per_list(NOW)] * 2)},
        "several rows with the same 'system' and 'user'",
    ),
    (
        {"max_drop": {"rr": 0}, "against": per_list(OF_A).with_columns(user=pl.format("u{}", "user"))},
        "has other values in 'system' and 'user' than the result",
    ),
    *(
        ({"minimum": {"rr": limit}}, "as in 0.25 or 1%: minimum=")
        for limit in ("much", "", "1 %%", "0,25", None, True, math.nan, math.inf, "nan", [1], "1e400")
    ),
]


def test_options_that_cannot_be_are_refused() -> None:
    for options, words in REFUSED:
        with refusal(rm.InputError, words, case=options):
            rm.gate(measured(), **options)
    result = rm.evaluate(RECS, TRUTH.with_columns(rating=-1.0 + pl.col("user")), ["ndcg(gain=linear)@2", "unjudged@2"])
    with refusal(rm.InputError, "ndcg(gain=linear)@2 is never above 1 (its range: [0, 1] if no gain is negative)"):
        rm.gate(result, maximum={"ndcg(gain=linear)@2": 50})
    earlier = result.collect().with_columns(pl.lit(1.5).alias("ndcg(gain=linear)@2"))  # so that some gain was negative
    assert not rm.gate(result, max_drop={"ndcg(gain=linear)@2": 1, "unjudged@2": "150%"}, against=earlier)
    with refusal(rm.MetricError, "'recall@5', which was not measured: there are 'rr'. Measure it"):
        rm.gate(measured(), minimum={"recall@5": 0.1})
    with refusal(rm.MetricError, "has no better direction, so it cannot drop"):
        rm.gate(measured_by_all(), max_drop={"n_recommended": 0}, against=per_list(NOW))
    for column in ("user_coverage", "rr median"):
        with refusal(rm.InputError, f"{column!r} has no value per list", case=column):
            rm.gate(measured_by_all(), max_drop={column: 0}, against=per_list(NOW))
    summary = measured_by_all().collect().with_columns(pl.col("system") + "x")
    with refusal(rm.InputError, "has no system in common with the result", "'ax' and 'bx'"):
        rm.gate(measured_by_all(), max_drop={"rr": 0}, against=summary)


# --- What a gate is written as: a JUnit file, annotations of GitHub, text and HTML ------------------------------------


# A check that passed, and a check that failed, whose texts hold characters that XML and GitHub must escape.
PASSED = Check("minimum", "ndcg@10", "als", 0.3, Limit(0.25), passed=True, reason="It is at least 0.25.")
FAILED = Check(
    "max_drop",
    "P(rel=4)@5",
    'a<b>&"c", d:e\x0b',
    -0.5,
    Limit(0.01, is_percentage=True),
    False,
    "It fell by 50%,\nor <more>.",
)
REPORT = rm.GateReport((PASSED, FAILED), remarks=("2 lists are gone.",))


def test_a_junit_file_has_a_case_for_each_check_and_a_failure_for_each_failed(tmp_path: Path) -> None:
    text = REPORT.to_junit(tmp_path / "gate.xml")
    assert (tmp_path / "gate.xml").read_text(encoding="utf-8") == text == REPORT.to_junit()
    suites = ET.parse(tmp_path / "gate.xml").getroot()
    (suite,) = suites
    counts = {"tests": "2", "failures": "1", "errors": "0", "skipped": "0"}
    assert (suites.tag, suite.tag) == ("testsuites", "testsuite")
    assert suites.attrib == suite.attrib == {"name": "rankmetrics.gate", **counts}
    passed, failed = suite
    assert (passed.tag, passed.attrib, len(passed)) == (
        "testcase",
        {"classname": "rankmetrics.gate.als", "name": "minimum ndcg@10 of als"},
        0,
    )
    (failure,) = failed
    assert failed.get("name") == 'max_drop P(rel=4)@5 of a<b>&"c", d:e\ufffd'
    assert (failure.tag, failure.get("type"), failure.get("message")) == ("failure", "max_drop", FAILED.reason)
    assert failure.text == FAILED.reason
    with pytest.raises(InputError, match=r"Cannot write .*gate\.xml"):
        REPORT.to_junit(tmp_path / "nowhere" / "gate.xml")


def test_a_failed_check_is_an_annotation_of_one_line_whose_signs_github_decodes() -> None:
    (line,) = REPORT.annotations()
    assert line == (
        '::error title=rankmetrics gate%3A max_drop P(rel=4)@5 of a<b>&"c"%2C d%3Ae\x0b::It fell by 50%25,%0Aor <more>.'
    )


def test_a_report_prints_its_checks_its_notes_and_the_verdict() -> None:
    lines = repr(REPORT).splitlines()
    assert lines[2].split("│")[3:6] == [" 0.3000  ", " 0.25  ", " yes    "]
    assert lines[-2:] == ["2 lists are gone.", "The gate failed: 1 of 2 checks."]
    assert "-50.00%" in repr(REPORT)
    assert repr(rm.GateReport((PASSED,))).endswith("The gate passed: 1 check.")
    page = REPORT._repr_html_()
    assert "<td>a&lt;b&gt;&amp;" in page
    assert "<li>The gate failed: 1 of 2 checks.</li>" in page
