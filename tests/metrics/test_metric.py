"""The Metric value: spelled, compared, called, cut off, and refused where it is none."""

from __future__ import annotations

from typing import Any

import pytest

import rankmetrics as rm
from rankmetrics.metrics.metric import read_metrics
from tests.support.engines import Engine
from tests.support.two_systems import RECS, TRUTH

SPELLINGS = [
    "ndcg",
    "ndcg@10",
    "nDCG@10",
    "P(rel=4)@5",
    "ndcg(gain=exponential, rel=3.5)@10",
    "dcg(discount=geometric, p=0.9)",
    "err(stop=graded, max_rating=4)@20",
    "MRR",
]


@pytest.mark.parametrize("text", SPELLINGS)
def test_a_metric_prints_as_it_is_read(text: str) -> None:
    metric = rm.parse(text)
    assert repr(metric) == str(metric) == metric.label == text
    assert rm.parse(repr(metric)) == metric
    assert hash(rm.parse(repr(metric))) == hash(metric)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("MRR@5", "reciprocal_rank@5"),
        ("nDCG@10", "ndcg@10"),
        ("P@5", "precision@5"),
        ("ndcg(gain=binary)", "ndcg"),
        ("ndcg(discount=log2, gain=linear)", "ndcg(gain=linear)"),
        ("ndcg(gain=linear, rel=4)@5", " nDCG( rel=4.0 ,gain=linear ) @ 5 "),
        ("dcg(discount=geometric(p=0.85))", "dcg(discount=geometric)"),
        ("R-Precision", "r_precision"),
    ],
)
def test_metrics_that_mean_the_same_are_equal(left: str, right: str) -> None:
    assert rm.parse(left) == rm.parse(right)
    assert len({rm.parse(left), rm.parse(right)}) == 1


@pytest.mark.parametrize(
    ("left", "right"),
    [("ndcg@5", "ndcg@10"), ("ndcg", "ndcg@10"), ("ndcg", "dcg"), ("P(rel=4)@5", "P@5"), ("rbp(p=0.8)", "rbp(p=0.9)")],
)
def test_metrics_that_mean_something_else_are_not_equal(left: str, right: str) -> None:
    assert rm.parse(left) != rm.parse(right)
    assert rm.parse(left) != left


def test_the_label_keeps_the_spelling() -> None:
    collected = rm.evaluate(RECS, TRUTH, ["MRR", "P@1", "precision(rel=4)@1", rm.recall @ 1]).collect()
    assert collected.columns == ["algorithm", "n_lists", "n_missing", "MRR", "P@1", "precision(rel=4)@1", "recall@1"]


def test_a_metric_is_called_with_parameters_and_cut_off_with_an_at() -> None:
    assert repr(rm.ndcg(gain="linear") @ 10) == "ndcg(gain=linear)@10"
    assert rm.ndcg(gain="linear") @ 10 == rm.parse("ndcg(gain=linear)@10")
    assert rm.ndcg(gain="linear")(rel=4) == rm.parse("ndcg(gain=linear, rel=4)")
    assert rm.dcg(discount="geometric", p=0.9) == rm.parse("dcg(discount=geometric(p=0.9))")
    assert repr(rm.Metric("ndcg", {"gain": "linear"}, 10)) == "ndcg(gain=linear)@10"


def test_several_cutoffs_are_several_metrics() -> None:
    assert repr(rm.ndcg @ [5, 10]) == "[ndcg@5, ndcg@10]"
    assert rm.ndcg @ (5, 10) == rm.ndcg @ [5, 10]
    assert read_metrics(["recall@5, 10", rm.ndcg @ [5, 10], "recall@5"]) == [
        rm.recall @ 5,
        rm.recall @ 10,
        rm.ndcg @ 5,
        rm.ndcg @ 10,
    ]
    assert rm.evaluate(RECS, TRUTH, rm.hit @ [1, 2]).collect().columns[3:] == ["hit@1", "hit@2"]
    with pytest.raises(rm.MetricError, match="is 2 metrics"):
        rm.parse("ndcg@5,10")


def test_metrics_that_are_one_but_for_the_case_keep_their_columns_apart(engine: Engine) -> None:
    summary = rm.evaluate(engine.give(RECS), engine.give(TRUTH), ["ndcg@1", "nDCG@1"]).summary()
    assert set(engine.read(summary).columns[2:]) <= {"ndcg@1", "nDCG@1"}


def test_numbers_of_numpy_are_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    assert rm.ndcg(rel=numpy.int64(4)) @ numpy.int64(5) == rm.ndcg(rel=4) @ 5
    assert rm.ndcg(rel=numpy.float32(4)) @ list(numpy.array([5])) == [rm.ndcg(rel=4) @ 5]


@pytest.mark.parametrize("k", [0, -1, 2.5, float("inf"), float("nan"), True, None, "ten"])
def test_a_cutoff_is_a_whole_number_from_1(k: Any) -> None:
    with pytest.raises(rm.MetricError, match="must be a whole number from 1"):
        rm.ndcg @ k


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is no metric"),
        ("@10", "is no metric"),
        ("ndcg)(", "is no metric"),
        ("ndcg(linear)", "is no setting"),
        ("ndcg(gain=)", "is one of"),
        ("ndcg(gain=linear, gain=binary)", "sets gain twice"),
        ("ndcg(k=10)", "goes after the @: ndcg@10"),
        ("ndcg(p=0.5)", "has no effect on ndcg here: it belongs to 'discount=geometric'"),
        ("rbp(p=1)", "must be a number above 0 below 1"),
        ("rbp(p=half)", "must be a number above 0 below 1"),
        ("P(rel=nan)", "must be a number"),
        ("hit(beta=2)", "has no parameter 'beta'"),
    ],
)
def test_a_text_that_is_no_metric_is_refused_with_the_reason(text: str, words: str) -> None:
    with pytest.raises(rm.MetricError) as caught:
        rm.parse(text)
    assert words in str(caught.value)


def test_no_metric_is_refused() -> None:
    with pytest.raises(rm.MetricError, match="No metric was asked for"):
        rm.evaluate(RECS, TRUTH, [])


def test_the_only_parameter_of_a_choice_need_not_be_named() -> None:
    assert rm.parse("ndcg(discount=geometric(0.9))@5") == rm.parse("ndcg(discount=geometric(p=0.9))@5")
    assert rm.parse("err(stop=graded(4))") == rm.err(stop="graded", max_rating=4)
    with pytest.raises(rm.MetricError, match="is no setting"):
        rm.parse("ndcg(discount=log2(3))")
