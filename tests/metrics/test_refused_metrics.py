"""What is no metric, or no cutoff, is refused with the reason."""

from __future__ import annotations

from typing import Any

import pytest

import rankmetrics as rm
from tests.support.refusals import Asking, refusal


@pytest.mark.parametrize(
    ("metric", "parts"),
    [
        ("ndgc@10", ("no metric 'ndgc'", "Did you mean 'ndcg'?", "rm.list_metrics()")),
        ("usefulness", ("no metric 'usefulness'", "rm.list_metrics()")),
        ("recall(rle=4)", ("recall has no parameter 'rle'", "'divisor' and 'rel'", "Did you mean 'rel'?")),
        ("ndcg(k=10)", ("no parameter 'k'", "ndcg@10")),
        (
            "ndcg(gain=liner)",
            ("gain of ndcg", "'binary', 'linear', 'positive', 'exponential' and 'excess'", "Did you mean 'linear'?"),
        ),
        ("ndcg(gain=3)", ("gain of ndcg", "'binary', 'linear', 'positive', 'exponential' and 'excess'", "3 is not")),
        ("rbp(p=1.5)", ("p of rbp", "a number above 0 below 1", "1.5 is not")),
        ("rbp(p=0)", ("p of rbp", "a number above 0 below 1", "0 is not")),
        ("rbp(p=high)", ("p of rbp", "a number above 0 below 1", "'high' is not")),
        ("f_beta(beta=-1)@5", ("beta of f_beta", "a number above 0", "-1 is not")),
        ("recall(rel=nan)", ("rel of recall", "a number", "nan is not")),
        ("ndcg(p=0.9)@10", ("p=0.9 has no effect on ndcg", "'discount=geometric'")),
        ("ndcg(discount=log2, p=0.9)@10", ("p=0.9 has no effect on ndcg", "'discount=geometric'")),
        ("err(max_rating=4)", ("max_rating=4 has no effect on err", "'stop=graded'")),
        ("ndcg@0", ("cutoff of ndcg", "a whole number from 1", "'0' is not")),
        ("ndcg@-1", ("cutoff of ndcg", "a whole number from 1", "'-1' is not")),
        ("ndcg@ten", ("cutoff of ndcg", "a whole number from 1", "'ten' is not")),
        ("ndcg@2.5", ("cutoff of ndcg", "a whole number from 1", "'2.5' is not")),
        ("ndcg@", ("cutoff of ndcg", "a whole number from 1", "'' is not")),
        ("ndcg@5,0", ("cutoff of ndcg", "a whole number from 1", "'0' is not")),
        ("n_relevant@5", ("n_relevant takes no cutoff",)),
        ("ndcg(gain)", ("'gain'", "name=value")),
        ("ndcg(gain=linear, gain=binary)", ("sets gain twice",)),
        ("nd cg", ("'nd cg' is no metric", "'ndcg(gain=linear)@5,10'")),
        ([], ("No metric was asked for", '"ndcg@10"')),
        (10, ("10 is neither", "'ndcg@10'")),
    ],
)
def test_what_is_no_metric_is_refused(ask: Asking, metric: object, parts: tuple[str, ...]) -> None:
    with refusal(rm.MetricError, *parts):
        ask(metrics=metric)


@pytest.mark.parametrize("k", [0, -1, 2.5, "ten", None, True, float("nan"), float("inf")])
def test_a_cutoff_that_is_no_whole_number_from_1_is_refused(k: Any) -> None:
    with refusal(rm.MetricError, "cutoff of ndcg", "a whole number from 1", f"{k!r} is not"):
        _ = rm.ndcg @ k
