"""f_beta over metrics instead of precision and recall."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import rankmetrics as rm
from tests.support.conventions import about, harmonic, lists, means
from tests.support.engines import Engine
from tests.support.refusals import Asking, refusal


def test_f_beta_takes_metrics_instead_of_precision_and_recall(engine: Engine) -> None:
    expected: dict[str, Sequence[float | None]] = {
        "f_beta(metric_0=precision(divisor=list), metric_1=rr)@4": [harmonic(1 / 4, 1 / 2), harmonic(1 / 2, 1)],
        "f_beta(metric_0=hit)@4": [harmonic(1, 1 / 2), harmonic(1, 1)],
        "f_beta(metric_1=P, metric_0=R)@4": [harmonic(1 / 4, 1 / 2), harmonic(1 / 4, 1)],
        "f_beta(metric_0=recall(divisor=capped), metric_1=recall)@1": [0.0, 1.0],
        "f_beta(metric_0=hit, rel=3)@4": [1.0, 1.0],  # it hands its threshold to its metrics
        "f_beta(metric_0=hit(rel=3), rel=6)@4": [None, None],
    }
    inner = "ndcg(discount=geometric(p=0.5), gain=linear)"  # whose choices have settings of their own
    expected[f"f_beta(metric_0={inner}, metric_1={inner})@2"] = [5 * 0.5 / (5 + 2 * 0.5), 1.0]
    found = lists(engine, [*expected], missing="skip")
    for place in (0, 1):
        values = {metric: of_users[place] for metric, of_users in expected.items()}
        assert dict(zip(expected, found[place][1:], strict=True)) == about(values)
    swapped = "ndcg(gain=linear, discount=geometric(p=0.5))"
    assert rm.parse(f"f_beta(metric_0={swapped}, metric_1=recall)@2").settings["metric_0"] == swapped


def test_f_beta_takes_the_spellings_and_settings_of_a_convention(engine: Engine) -> None:
    # user 1 finds two of three, at ranks 2 and 4: the recalls are 0, 1/3, 1/3, 2/3; user 2 finds its item at once
    value = (harmonic(1 / 3, 1) + 1) / 2
    asked, own = "F1(metric_0=MAR, metric_1=HR)@4", "F1(convention=elliot, metric_0=MAR, metric_1=HR)@4"
    assert means(engine, asked, convention="elliot") == about({asked: value})
    inner = "metric_0=Precision(convention=lenskit), metric_1=Recall(convention=lenskit)"
    other = f"f_beta(missing=listed, undefined=zero, {inner})@2"
    # divided by what was recommended and by min(k, relevant): of user 1 1/2 and 1/2, of user 2 1/2 and 1, of user 4 0
    assert means(engine, [own, other]) == about({own: value, other: (1 / 2 + harmonic(1 / 2, 1) + 0) / 3})
    # set_P is divided by what was recommended: of user 1 1 of 4, of user 2 1 of 2
    value = (5 * 1 / 4 * 1 / 2 / (4 * 1 / 4 + 1 / 2) + 5 * 1 / 2 * 1 / (4 * 1 / 2 + 1)) / 2
    assert means(engine, "set_F(beta=2)", convention="trec_eval") == about({"set_F(beta=2)": value})
    with refusal(rm.MetricError, "no metric 'f_beta' under lenskit", "f_beta(convention=rankmetrics)"):
        rm.parse("f_beta@2", convention="lenskit")


@pytest.mark.parametrize(
    ("inner", "parts"),
    [
        ("recall@5", ("metric_0 of f_beta", "without a cutoff of its own", "'recall@5'")),
        ("coverage", ("metric_0 of f_beta", "without a cutoff of its own", "'coverage'")),
        ("gini(form=equality)", ("metric_0 of f_beta", "without a cutoff of its own", "'gini(form=equality)'")),
        ("recal", ("no metric 'recal'", "Did you mean 'recall'")),
        ("TAP", ("no metric 'TAP'",)),
    ],
)
def test_f_beta_refuses_what_is_no_metric_of_a_list_without_cutoff(ask: Asking, inner: str, parts: list[str]) -> None:
    with refusal(rm.MetricError, *parts):
        ask(metrics=f"f_beta(metric_0={inner})")
    with refusal(rm.MetricError, *parts):
        rm.f_beta(metric_0=inner)
