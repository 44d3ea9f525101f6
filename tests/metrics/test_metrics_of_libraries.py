"""Metrics and choices that other libraries have, with values worked out by hand."""

from __future__ import annotations

import math

import polars as pl
import pytest

import rankmetrics as rm
from tests.support.by_hand import RECS, about, assert_values, ranked, rated
from tests.support.engines import Engine

FOUND = rated({"b": 1, "d": 1})  # at ranks 2 and 4 of five
LISTS = pl.concat([RECS, ranked("ab", user=2)])
TRUTHS = pl.concat([FOUND, rated({"a": 1, "x": 1}, user=2)])
CATALOG = pl.DataFrame({"item": [*"abcdexy"]})
HISTORY = pl.DataFrame({"user": [1, 1, 2, 3], "item": [*"abcc"]})


def of_system(engine: Engine, metric: str) -> float | None:
    """A metric of the two lists together."""
    given = {"catalog": engine.give(CATALOG)} if metric.startswith("percentile_rank") else {}
    result = rm.evaluate(engine.give(LISTS), engine.give(TRUTHS), metric, **given)
    value: float | None = engine.read(result.summary())[metric].item()
    return value


def test_fall_out_is_the_share_of_irrelevant_items_that_are_listed(engine: Engine) -> None:
    expected = {"fall_out@1": 1 / 3, "fall_out@2": 1 / 3, "fall_out@3": 2 / 3, "fall_out": 1.0}
    assert_values(engine, expected, truth=FOUND)
    assert_values(engine, {"fall_out": None, "fall_out(undefined=one)": 1.0}, ranked("bd"), FOUND)


def test_a_hit_of_the_catalogue_auc_wins_half_of_the_pairs_beyond_the_cutoff(engine: Engine) -> None:
    catalog = engine.give(CATALOG)
    # At 2, a stands above b; of the 6 pairs with b, d and x in the items below, b wins 3, d and x half of 6.
    assert_values(engine, {"catalog_auc@2": (0 + 3 + 3) / 12, "catalog_auc@1": (0 + 4.5) / 12}, catalog=catalog)


def test_a_hit_is_weighted_by_the_inverse_of_its_share_of_interactions(engine: Engine) -> None:
    assert_values(engine, {"ips_hits@2": 4 / 1, "ips_hits": 4 / 1}, truth=FOUND, history=engine.give(HISTORY))


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        ("pooled_precision@2", (1 + 1) / (2 + 2)),
        ("pooled_precision@3", (1 + 1) / (3 + 3)),
        ("pooled_precision(divisor=list)@3", (1 + 1) / (3 + 2)),
        ("pooled_precision(divisor=relevant)@1", (0 + 1) / (1 + 1)),
        ("f_beta_of_means@1", 2 * (1 / 2) * (1 / 4) / (1 / 2 + 1 / 4)),
        ("f_beta_of_means(beta=2, divisor=list)@3", 5 * (5 / 12) * (1 / 2) / (4 * 5 / 12 + 1 / 2)),
        ("weighted_auc", (2 * 3 / 6 + 2 * 1) / (2 + 2)),
        ("percentile_rank", 100 * (1 / 7 + 3 / 7 + 0 + (1 / 7 + 1) / 2) / 4),
        ("exposure_entropy(over=items)@1", 0.0),
        ("exposure_entropy(over=items)@2", math.log(2) / 2),
    ],
)
def test_a_metric_of_a_system_has_the_value_worked_out(engine: Engine, metric: str, value: float) -> None:
    assert of_system(engine, metric) == about(value)


def test_the_choices_that_other_libraries_make_have_the_values_worked_out(engine: Engine) -> None:
    expected = {
        "ndcg(discount=reciprocal)@4": (1 / 2 + 1 / 4) / (1 + 1 / 2),
        "auc(alone=zero)@1": 0.0,
        "auc(alone=zero)": 3 / 6,
    }
    assert_values(engine, expected, truth=FOUND)
    assert_values(engine, {"recall": None, "recall(undefined=one)": 1.0}, truth=rated({"b": 0}))
