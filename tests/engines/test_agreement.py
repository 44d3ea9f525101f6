"""Every engine against the plain-Python twin and against each other, to 1e-12, over random problems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankmetrics as rm
from rankmetrics.metrics.catalog import catalog
from tests.support.drawing import examples
from tests.support.engines import LOCAL
from tests.support.problems import (
    FAMILIES,
    METRICS,
    NEGATIVES,
    TOLERANCE,
    Table,
    World,
    assert_same,
    ends,
    odd_worlds,
    rows,
    worlds,
)
from tests.support.twin import OF_LISTS
from tests.support.twin_inputs import Asked, Inputs
from tests.support.twin_systems import OF_RUNS


def agrees(world: World) -> None:
    """Assert that every engine returns what the twin does, and what the others do, in the range of each metric."""
    found: dict[str, Table] = {}
    expected_means, expected_lists = world.expected_summary(), world.expected() if world.has_lists else {}
    assert_in_range(world, expected_means, expected_lists)
    for engine in LOCAL:
        result = world.evaluate(engine)
        means = rows(engine.read(result.summary()), world.called(world.by))
        assert_same(means, expected_means, f"summary of {engine}")
        found[engine.name] = {("summary", *key): row for key, row in means.items()}
        if world.has_lists:
            lists = rows(engine.read(result.per_list()), world.called(world.lists))
            assert_same(lists, expected_lists, f"per_list of {engine}")
            found[engine.name] |= lists
    for one, other in combinations(found, 2):
        assert_same(found[one], found[other], f"{one} against {other}")


@examples(30, shrunk=True)
@given(odd_worlds())
def test_metrics_of_lists_agree_whatever_the_names_types_and_ties(world: World) -> None:
    agrees(world)


@pytest.mark.parametrize("family", FAMILIES)
@examples(10)
@given(data=st.data())
def test_every_engine_agrees_with_the_twin_and_with_every_other(family: str, data: st.DataObject) -> None:
    agrees(data.draw(worlds(FAMILIES[family])))


@examples(10)
@given(world=worlds([*METRICS]))
def test_metrics_of_all_kinds_agree_beside_each_other(world: World) -> None:
    agrees(world)


@examples(10)
@given(world=worlds(NEGATIVES, tidy=True))
def test_group_auc_agrees_over_a_whole_catalogue_without_known_items(world: World) -> None:
    agrees(world)


# Where the claim of a header holds under a condition, or is lifted by a policy: which metrics it is asserted of.
CLAIMS: Mapping[str, Callable[[Asked, Inputs], bool]] = {
    "ap": lambda asked, _: asked.settings.get("at") != "places" and asked.settings.get("divisor") != "fixed",
    "categorical_diversity": lambda _, inputs: all(len(of) < 2 for of in inputs.categories.values()),
    "catalog_auc": lambda asked, inputs: fits_catalogue(asked, inputs),
    "coverage": lambda asked, _: asked.settings.get("unit", "share") == "share" and "counted" not in asked.settings,
    "epc": lambda asked, inputs: "gain" not in asked.settings and fits(inputs),
    "efd": lambda asked, _: "gain" not in asked.settings,
    "embedding_diversity": lambda asked, _: asked.settings.get("divisor") != "items",
    "gauc": lambda _, inputs: counts(inputs),
    "exposure_entropy": lambda asked, _: asked.settings.get("unit") != "corrected",
    "gini": lambda asked, _: asked.settings.get("among") != "any" and asked.settings.get("form") != "corrected",
    "item_mad": lambda asked, _: "gain" not in asked.settings,
    "jain": lambda asked, _: asked.settings.get("among") != "any" and asked.settings.get("form") != "corrected",
    "list_diversity": lambda _, inputs: all(0 <= one <= 1 for one in inputs.similarities.values()),
    "mcc": lambda asked, inputs: len(inputs.known) >= (asked.k or 0) + max(map(len, inputs.truths.values()), default=0),
    "ndcg": lambda asked, _: asked.settings.get("gain") in (None, "binary"),
    "percentile_rank": lambda asked, inputs: fits_catalogue(asked, inputs),
    "personalization": lambda asked, inputs: asked.policy("duplicates") == "first" or not repeats(inputs),
    "pooled_auc": lambda _, inputs: counts(inputs),
    "popularity_serendipity": lambda _, inputs: {*inputs.popularity} <= inputs.known,
    "profile_distance": lambda _, inputs: all(0 <= one <= 1 for one in inputs.similarities.values()),
    "rbp": lambda asked, _: asked.settings.get("gain") in (None, "binary"),
    "satisfied_items": lambda asked, _: asked.settings.get("form") != "corrected",
    "surprisal": lambda asked, inputs: (
        asked.settings.get("surprise") not in ("bits", "capped_bits")
        and asked.settings.get("divisor") != "known"
        and fits(inputs)
    ),
    "user_coverage": lambda asked, _: asked.settings.get("unit") != "count",
    "alpha_dcg": lambda asked, _: asked.settings.get("of") != "one",
    "err_ia": lambda asked, _: asked.settings.get("of") != "ideal",
}


def holds(asked: Asked, inputs: Inputs) -> bool:
    """Whether a metric's claim is asserted: an item credited at each of its places, or a weight, may lift any."""
    lifted = CLAIMS.get(asked.name)
    is_lifted = asked.policy("duplicates") == "each" or asked.policy("weights") != "none"
    return not is_lifted and (lifted is None or lifted(asked, inputs))


def fits_catalogue(asked: Asked, inputs: Inputs) -> bool:
    """Whether the catalogue has all items of lists and truths, and no fewer than k and the relevant items of a list."""
    items = {row["item"] for of in inputs.by_list.values() for row in of if row["item"] is not None}
    needed = (asked.k or 0) + max(map(len, inputs.truths.values()), default=0)
    return items.union(*inputs.truths.values()) <= inputs.known and needed <= len(inputs.known) and not repeats(inputs)


def repeats(inputs: Inputs) -> bool:
    items = [[row["item"] for row in of if row["item"] is not None] for of in inputs.by_list.values()]
    return any(len(of) > len({*of}) for of in items)


def fits(inputs: Inputs) -> bool:
    """Whether every known item is known to one user at least and to all at most: what the items say may be anything."""
    return all(1 <= one <= inputs.n_users for one in inputs.popularity.values())


def counts(inputs: Inputs) -> bool:
    """Whether what is known before, and what is relevant or recommended, are different items of the catalogue."""
    for key in {*inputs.by_list, *inputs.lists("zero")}:
        history = inputs.histories.get(inputs.part(key, "history"), set())
        found = {*inputs.truths.get(inputs.part(key, "truth"), {})}
        found |= {row["item"] for row in inputs.by_list.get(key, []) if row["item"] is not None}
        if history & found or not history | found <= inputs.known:
            return False
    return not repeats(inputs)


def is_binary(label: str, asked: Asked) -> bool:
    """Whether the header of a metric says that its values are 0 or 1, under the policies of the evaluation, too."""
    return rm.parse(label).is_binary and asked.policy("ties") != "expected" and asked.policy("weights") == "none"


def assert_in_range(world: World, means: Mapping[Any, Any], lists: Mapping[Any, Any]) -> None:
    """Assert that every value of the twin is in the range that the header of its metric claims."""
    claims = dict(rm.list_metrics().select("metric", "range").iter_rows())
    for label, asked in world.asked.items():
        if holds(asked, world.inputs):
            low, high = ends(claims[asked.name])
            for row in (means if asked.name in OF_RUNS else lists).values():
                value = row[label]
                assert value is None or low - TOLERANCE <= value <= high + TOLERANCE, f"{label} is {value}"
                assert value in (None, 0, 1) or not is_binary(label, asked), f"{label} is {value}"


def test_every_metric_has_a_twin() -> None:
    lacking = {one.name for one in catalog().metrics()} - {*OF_LISTS, *OF_RUNS}
    assert not lacking, "write a second implementation of each: CONTRIBUTING.md, `Add a metric`"
