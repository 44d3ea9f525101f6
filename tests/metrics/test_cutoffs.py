"""Cutoffs: none, several in a row, and where a convention ignores them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import rankmetrics as rm
from tests.support.conventions import EXTRAS, about, lists, means
from tests.support.engines import Engine
from tests.support.refusals import Asking, refusal


def test_a_cutoff_of_none_is_none() -> None:
    assert rm.parse("NDCG@None") == rm.parse("NDCG")
    assert rm.parse("NDCG@None").label == "NDCG"
    assert rm.parse("NDCG@None", convention="replay").k is None


def test_cutoffs_in_a_row_are_a_column_each(engine: Engine) -> None:
    found = means(engine, "precision@1..4", missing="skip")
    assert found == about(dict(zip((f"precision@{k}" for k in range(1, 5)), (1 / 2, 2 / 4, 2 / 6, 2 / 8), strict=True)))
    assert [*means(engine, "Precision@1..2,4,None", convention="replay")] == [
        "Precision@1",
        "Precision@2",
        "Precision@4",
        "Precision",
    ]


@pytest.mark.parametrize(
    ("cutoffs", "parts"),
    [
        ("4..1", ("run backwards", "1..4")),
        ("0..4", ("whole number from 1", "'0' is not")),
        ("1..", ("whole number from 1", "'' is not")),
        ("1..x", ("whole number from 1", "'x' is not")),
        ("none", ("whole number from 1", "'none' is not")),
    ],
)
def test_cutoffs_that_make_no_row_are_refused(ask: Asking, cutoffs: str, parts: Sequence[str]) -> None:
    with refusal(rm.MetricError, "precision", *parts):
        ask(metrics=f"precision@{cutoffs}")


def test_one_metric_cannot_be_several() -> None:
    with refusal(rm.MetricError, "is 4 metrics", "'precision@1'"):
        rm.parse("precision@1..4")


def test_a_metric_that_its_convention_takes_of_the_whole_list_ignores_the_cutoff(engine: Engine) -> None:
    # six items in the catalogue, less what was known and what is relevant, and one more: of user 1, 6 - 1 - 3 + 1 = 3,
    # and b has one miss above, d two; of user 2, 6 - 2 - 1 + 1 = 4, and nothing stands above a
    value = ((1 - 1 / 3 + 1 - 2 / 3) / 3 + 1) / 2
    pooled = (1 - 1 / 3 + 1 - 2 / 3 + 1) / 3
    asked = ["GAUC@1", "GAUC@10", "GAUC", "AUC@1"]
    found = means(engine, asked, convention="elliot", **EXTRAS)
    assert found == about({**dict.fromkeys(asked[:3], value), "AUC@1": pooled})
    assert rm.parse("GAUC@1", convention="elliot") == rm.parse("GAUC", convention="elliot")
    assert rm.parse("LAUC@1", convention="elliot") != rm.parse("LAUC", convention="elliot")
    assert rm.parse("gauc@1") != rm.parse("gauc")


def test_the_cutoff_of_a_metric_of_the_whole_list_still_says_how_many_candidates_there_must_be(engine: Engine) -> None:
    found = lists(engine, ["ROC_AUC@1", "ROC_AUC@9", "ROC_AUC@10"], convention="recometrics")
    # of user 1, ranked from nine, b and d have three misses above among 2 * 7 pairs; of user 2, nothing stands above a
    whole = pytest.approx(1 - (1 + 2) / (2 * 7))
    assert found == [(1, whole, whole, None), (2, 1.0, 1.0, None), (4, None, None, None)]
