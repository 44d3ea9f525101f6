"""The Metric value: spelled, compared, called, cut off, listed, and refused with the reason."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.metrics.metric import check_cutoff, read_label, read_metrics, read_value, spell, split
from tests.support.conventions import EXTRAS, about, lists, means
from tests.support.engines import Engine
from tests.support.refusals import Asking, refusal
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


def test_a_metric_prints_as_it_is_read() -> None:
    for text in SPELLINGS:
        metric = rm.parse(text)
        assert repr(metric) == str(metric) == metric.label == text
        assert rm.parse(repr(metric)) == metric
        assert hash(rm.parse(repr(metric))) == hash(metric)


def test_metrics_that_mean_the_same_are_equal_and_others_are_not() -> None:
    same = {
        "MRR@5": "reciprocal_rank@5",
        "nDCG@10": "ndcg@10",
        "P@5": "precision@5",
        "ndcg(gain=binary)": "ndcg",
        "ndcg(discount=log2, gain=linear)": "ndcg(gain=linear)",
        "ndcg(gain=linear, rel=4)@5": " nDCG( rel=4.0 ,gain=linear ) @ 5 ",
        "dcg(discount=geometric(p=0.85))": "dcg(discount=geometric)",
        "R-Precision": "r_precision",
        "ndcg(discount=geometric(0.9))@5": "ndcg(discount=geometric(p=0.9))@5",  # its only parameter need not be named
        "NDCG@None": "NDCG",
    }
    for left, right in same.items():
        assert rm.parse(left) == rm.parse(right)
        assert len({rm.parse(left), rm.parse(right)}) == 1
    others = {"ndcg@5": "ndcg@10", "ndcg": "dcg", "ndcg@10": "ndcg", "P(rel=4)@5": "P@5", "rbp(p=0.8)": "rbp(p=0.9)"}
    for left, right in others.items():
        assert rm.parse(left) != rm.parse(right)
        assert rm.parse(left) != left


def test_the_label_keeps_the_spelling(engine: Engine) -> None:
    collected = rm.evaluate(RECS, TRUTH, ["MRR", "P@1", "precision(rel=4)@1", rm.recall @ 1]).collect()
    assert collected.columns == ["algorithm", "n_lists", "n_missing", "MRR", "P@1", "precision(rel=4)@1", "recall@1"]
    summary = rm.evaluate(engine.give(RECS), engine.give(TRUTH), ["ndcg@1", "nDCG@1"]).summary()
    assert set(engine.read(summary).columns[2:]) <= {"ndcg@1", "nDCG@1"}
    assert (rm.parse("NDCG@None").label, rm.parse("NDCG@None", convention="replay").k) == ("NDCG", None)


def test_a_metric_is_called_with_parameters_and_cut_off_with_an_at() -> None:
    assert repr(rm.ndcg(gain="linear") @ 10) == "ndcg(gain=linear)@10"
    assert rm.ndcg(gain="linear") @ 10 == rm.parse("ndcg(gain=linear)@10")
    assert rm.ndcg(gain="linear")(rel=4) == rm.parse("ndcg(gain=linear, rel=4)")
    assert rm.dcg(discount="geometric", p=0.9) == rm.parse("dcg(discount=geometric(p=0.9))")
    assert rm.err(stop="graded", max_rating=4) == rm.parse("err(stop=graded(4))")
    assert repr(rm.Metric("ndcg", {"gain": "linear"}, 10)) == "ndcg(gain=linear)@10"
    numpy = pytest.importorskip("numpy")
    assert rm.ndcg(rel=numpy.int64(4)) @ numpy.int64(5) == rm.ndcg(rel=4) @ 5
    assert rm.ndcg(rel=numpy.float32(4)) @ list(numpy.array([5])) == [rm.ndcg(rel=4) @ 5]


# --- cutoffs ----------------------------------------------------------------------------------------------------------


def test_several_cutoffs_are_several_metrics() -> None:
    assert repr(rm.ndcg @ [5, 10]) == "[ndcg@5, ndcg@10]"
    assert rm.ndcg @ (5, 10) == rm.ndcg @ [5, 10]
    several = [rm.recall @ 5, rm.recall @ 10, rm.ndcg @ 5, rm.ndcg @ 10]
    assert read_metrics(["recall@5, 10", rm.ndcg @ [5, 10], "recall@5"]) == several
    assert rm.evaluate(RECS, TRUTH, rm.hit @ [1, 2]).collect().columns[3:] == ["hit@1", "hit@2"]
    for text, message in {"ndcg@5,10": "is 2 metrics", "precision@1..4": "is 4 metrics"}.items():
        with refusal(rm.MetricError, message):
            rm.parse(text)


def test_cutoffs_in_a_row_are_a_column_each(engine: Engine) -> None:
    found = means(engine, "precision@1..4", missing="skip")
    assert found == about(dict(zip((f"precision@{k}" for k in range(1, 5)), (1 / 2, 2 / 4, 2 / 6, 2 / 8), strict=True)))
    columns = ["Precision@1", "Precision@2", "Precision@4", "Precision"]
    assert [*means(engine, "Precision@1..2,4,None", convention="replay")] == columns


def test_a_metric_that_its_convention_takes_of_the_whole_list_ignores_the_cutoff(engine: Engine) -> None:
    # Elliot counts the irrelevant items as: catalogue - history - relevant + 1. User 1: 6 - 1 - 3 + 1 = 3, and one of
    # them is ranked above b, two above d. User 2: 6 - 2 - 1 + 1 = 4, and none is ranked above a.
    value = ((1 - 1 / 3 + 1 - 2 / 3) / 3 + 1) / 2
    pooled = (1 - 1 / 3 + 1 - 2 / 3 + 1) / 3
    asked = ["GAUC@1", "GAUC@10", "GAUC", "AUC@1"]
    found = means(engine, asked, convention="elliot", **EXTRAS)
    assert found == about({**dict.fromkeys(asked[:3], value), "AUC@1": pooled})
    assert rm.parse("GAUC@1", convention="elliot") == rm.parse("GAUC", convention="elliot")
    assert rm.parse("LAUC@1", convention="elliot") != rm.parse("LAUC", convention="elliot")
    assert rm.parse("gauc@1") != rm.parse("gauc")


def test_a_cutoff_of_a_whole_list_metric_says_how_many_candidates_are_needed(engine: Engine) -> None:
    found = lists(engine, ["ROC_AUC@1", "ROC_AUC@9", "ROC_AUC@10"], convention="recometrics")
    # of user 1, ranked from nine, b and d have three misses above among 2 * 7 pairs; of user 2, nothing stands above a
    whole = pytest.approx(1 - (1 + 2) / (2 * 7))
    assert found == [(1, whole, whole, None), (2, 1.0, 1.0, None), (4, None, None, None)]


# --- texts ------------------------------------------------------------------------------------------------------------


def test_a_label_is_read_and_written() -> None:
    assert [spell("rr", {}, None), spell("rr", {}, 5), spell("rbp", {"p": 0.5}, None)] == ["rr", "rr@5", "rbp(p=0.5)"]
    cutoffs = {"10": [10], "5,10": [5, 10], " 1..3 , 7": [1, 2, 3, 7], "None": [None], "4..4": [4]}
    assert {text: [*read_label(f"hit@{text}").read_cutoffs()] for text in cutoffs} == cutoffs
    assert check_cutoff("hit", 5.0) == 5
    assert split("a=1, b=c(d=2, e=3),") == ["a=1", " b=c(d=2, e=3)"]
    label = read_label("ndcg(rel=4, discount=geometric(p=0.9))@5")
    assert label.settings == (("rel", 4), ("discount", "geometric(p=0.9)"))
    assert (label.spelling, label.cutoffs) == ("ndcg", "5")
    for text, value in {"4": 4, "0.9": 0.9, "1e3": 1000.0, "linear": "linear", "": ""}.items():
        assert (read_value(text), type(read_value(text))) == (value, type(value))


GAINS = "'binary', 'linear', 'positive', 'exponential' and 'excess'"
REFUSED: list[tuple[Any, tuple[str, ...]]] = [
    ("ndgc@10", ("no metric 'ndgc'", "Did you mean 'ndcg'?", "rm.list_metrics()")),
    ("ndcg10", ("no metric 'ndcg10'", "Did you mean 'ndcg@10'?")),
    ("NDCG_at_10", ("no metric 'NDCG_at_10'", "Did you mean 'NDCG@10'?")),
    ("usefulness", ("no metric 'usefulness'", "rm.list_metrics()")),
    ("recall(rle=4)", ("recall has no parameter 'rle'", "'divisor' and 'rel'", "Did you mean 'rel'?")),
    ("hit(beta=2)", ("has no parameter 'beta'",)),
    ("ndcg(k=10)", ("no parameter 'k'", "goes after the @: ndcg@10")),
    ("ndcg(gain=liner)", ("gain of ndcg", GAINS, "Did you mean 'linear'?")),
    ("ndcg(gain=3)", ("gain of ndcg", GAINS, "3 is not")),
    ("ndcg(gain=)", ("is one of",)),
    ("rbp(p=1.5)", ("p of rbp", "a number above 0 below 1", "1.5 is not")),
    ("rbp(p=0)", ("p of rbp", "a number above 0 below 1", "0 is not")),
    ("rbp(p=high)", ("p of rbp", "a number above 0 below 1", "'high' is not")),
    ("f_beta(beta=-1)@5", ("beta of f_beta", "a number above 0", "-1 is not")),
    ("recall(rel=nan)", ("rel of recall", "a number", "nan is not")),
    ("ndcg(p=0.9)@10", ("p=0.9 has no effect on ndcg", "'discount=geometric'")),
    ("ndcg(discount=log2, p=0.9)@10", ("p=0.9 has no effect on ndcg", "'discount=geometric'")),
    ("ndcg(discount=log2(3))", ("is not a setting",)),
    ("err(max_rating=4)", ("max_rating=4 has no effect on err", "'stop=graded'")),
    *(
        (f"ndcg@{text}", ("cutoff of ndcg", "a whole number from 1", f"{value!r} is not"))
        for text, value in {"0": "0", "-1": "-1", "ten": "ten", "2.5": "2.5", "": "", "5,0": "0", "5,,6": ""}.items()
    ),
    *(
        (f"precision@{text}", ("precision", "whole number from 1", f"{value!r} is not"))
        for text, value in {"0..4": "0", "1..": "", "1..x": "x", "none": "none"}.items()
    ),
    ("precision@4..1", ("run backwards", "1..4")),
    ("n_relevant@5", ("n_relevant takes no cutoff",)),
    ("ndcg(gain)", ("'gain'", "name=value")),
    ("ndcg(linear)", ("is not a setting",)),
    ("ndcg(gain=linear, gain=binary)", ("sets gain twice",)),
    ("nd cg", ("'nd cg' is not a metric", "'ndcg(gain=linear)@5,10'")),
    *((text, ("is not a metric",)) for text in ("", "@10", "ndcg)(")),
    ([], ("No metric was asked for", '"ndcg@10"')),
    (10, ("10 is neither", "'ndcg@10'")),
]


def test_what_is_no_metric_is_refused_with_the_reason(ask: Asking) -> None:
    for metric, parts in REFUSED:
        with refusal(rm.MetricError, *parts):
            ask(metrics=metric)
    wrong: list[Any] = [0, -1, 2.5, "ten", None, True, float("nan"), float("inf")]
    for k in wrong:
        with refusal(rm.MetricError, "cutoff of ndcg", "must be a whole number from 1", f"{k!r} is not"):
            _ = rm.ndcg @ k


# --- the list of metrics ----------------------------------------------------------------------------------------------


def test_the_list_of_metrics_is_a_frame() -> None:
    frame = rm.list_metrics()
    several = ("aliases", "parameters", "needs")
    names = ["metric", "of", "aliases", "parameters", "needs", "summary", "undefined", "range", "source"]
    assert frame.schema == {name: pl.List(pl.String) if name in several else pl.String for name in names}
    recall = frame.row(by_predicate=pl.col("metric") == "recall", named=True)
    assert (recall["aliases"], recall["parameters"]) == (["R"], ["divisor=relevant", "rel=None", "k=None"])
    assert frame["metric"].is_sorted()
