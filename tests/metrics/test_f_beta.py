"""f_beta over metrics in the place of precision and recall."""

from __future__ import annotations

import pytest

import rankmetrics as rm
from tests.support.conventions import about, harmonic, lists, means
from tests.support.engines import Engine
from tests.support.refusals import Asking, refusal


def test_f_beta_takes_metrics_in_the_place_of_precision_and_recall(engine: Engine) -> None:
    expected = {
        "f_beta(metric_0=precision(divisor=list), metric_1=rr)@4": [harmonic(1 / 4, 1 / 2), harmonic(1 / 2, 1)],
        "f_beta(metric_0=hit)@4": [harmonic(1, 1 / 2), harmonic(1, 1)],
        "f_beta(metric_1=P, metric_0=R)@4": [harmonic(1 / 4, 1 / 2), harmonic(1 / 4, 1)],
        "f_beta(metric_0=recall(divisor=capped), metric_1=recall)@1": [0.0, 1.0],
    }
    found = lists(engine, [*expected], missing="skip")
    assert [[*row[1:]] for row in found] == [
        [pytest.approx(values[place]) for values in expected.values()] for place in (0, 1)
    ]
    assert found == lists(engine, [rm.parse(one) for one in expected], missing="skip")


def test_f_beta_hands_its_threshold_to_its_metrics(engine: Engine) -> None:
    asked = ["f_beta(metric_0=hit, rel=3)@4", "f_beta(metric_0=hit(rel=3), rel=6)@4"]
    assert lists(engine, asked, missing="skip") == [(1, 1.0, None), (2, 1.0, None)]


def test_f_beta_takes_the_spellings_of_its_convention(engine: Engine) -> None:
    asked = "F1(metric_0=MAR, metric_1=HR)@4"
    # user 1 finds two of three, at ranks 2 and 4: the recalls are 0, 1/3, 1/3, 2/3; user 2 finds its item at once
    value = (harmonic(1 / 3, 1) + 1) / 2
    assert means(engine, asked, convention="elliot") == about({asked: value})
    own = "F1(convention=elliot, metric_0=MAR, metric_1=HR)@4"
    assert means(engine, own) == about({own: value})


def test_f_beta_takes_metrics_of_a_convention(engine: Engine) -> None:
    inner = "metric_0=Precision(convention=lenskit), metric_1=Recall(convention=lenskit)"
    asked = f"f_beta(missing=listed, undefined=zero, {inner})@2"
    # divided by what was recommended and by min(k, relevant): of user 1 1/2 and 1/2, of user 2 1/2 and 1, of user 4 0
    assert means(engine, asked) == about({asked: (1 / 2 + harmonic(1 / 2, 1) + 0) / 3})
    with refusal(rm.MetricError, "no metric 'f_beta' under lenskit", "f_beta(convention=rankmetrics)"):
        rm.parse("f_beta@2", convention="lenskit")


def test_f_beta_takes_what_its_convention_says_of_its_metrics(engine: Engine) -> None:
    # set_P is divided by what was recommended: of user 1 1 of 4, of user 2 1 of 2
    asked = "set_F(beta=2)"
    value = (5 * 1 / 4 * 1 / 2 / (4 * 1 / 4 + 1 / 2) + 5 * 1 / 2 * 1 / (4 * 1 / 2 + 1)) / 2
    assert means(engine, asked, convention="trec_eval") == about({asked: value})


@pytest.mark.parametrize("inner", ["recall@5", "coverage", "gini(form=equality)"])
def test_f_beta_refuses_a_cutoff_and_a_number_of_a_system_inside(inner: str) -> None:
    with refusal(rm.MetricError, "metric_0 of f_beta", "without a cutoff of its own", repr(inner)):
        rm.f_beta(metric_0=inner)


@pytest.mark.parametrize("inner", ["coverage", "recall@5"])
def test_f_beta_refuses_them_in_a_text_too(ask: Asking, inner: str) -> None:
    with refusal(rm.MetricError, "metric_0 of f_beta", "without a cutoff of its own", repr(inner)):
        ask(metrics=f"f_beta(metric_0={inner})")


def test_f_beta_refuses_an_unknown_metric_inside_with_the_near_names(ask: Asking) -> None:
    with refusal(rm.MetricError, "no metric 'recal'", "Did you mean 'recall'"):
        ask(metrics="f_beta(metric_0=recal)")
    with refusal(rm.MetricError, "no metric 'TAP'"):
        ask(metrics="f_beta(metric_0=TAP)")


def test_a_metric_inside_may_have_settings_whose_choices_have_their_own(engine: Engine) -> None:
    inner = "ndcg(discount=geometric(p=0.5), gain=linear)"
    asked = f"f_beta(metric_0={inner}, metric_1={inner})@2"
    assert lists(engine, [asked], missing="skip") == [(1, pytest.approx(5 * 0.5 / (5 + 2 * 0.5))), (2, 1.0)]


def test_a_metric_inside_may_have_them_in_any_order() -> None:
    inner = "ndcg(gain=linear, discount=geometric(p=0.5))"
    assert rm.parse(f"f_beta(metric_0={inner}, metric_1=recall)@2").settings["metric_0"] == inner
