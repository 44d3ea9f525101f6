"""Every engine against the plain-Python twin, and against each other, over random problems."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

import polars as pl
from hypothesis import given

import rankmetrics as rm
from rankmetrics.metrics.catalog import catalog
from tests.support import twin
from tests.support.drawing import examples
from tests.support.engines import LOCAL
from tests.support.problems import METRICS, TOLERANCE, World, assert_same, ends, rows, worlds

if TYPE_CHECKING:
    from collections.abc import Mapping

    Row = dict[str, Any]
    Table = dict[twin.Key, Mapping[str, Any]]


@cache
def claims() -> dict[str, str]:
    """The range that the header of each metric claims."""
    return dict(rm.list_metrics().select("metric", "range").iter_rows())


def assert_in_range(world: World, lists: pl.DataFrame) -> None:
    """Assert that every value of a list is in the range that its metric claims."""
    for metric in world.metrics:
        low, high = ends(claims()[metric.name])
        for value in lists[metric.label].drop_nulls():
            assert low - TOLERANCE <= value <= high + TOLERANCE, f"{metric} is {value}"


@examples(100, shrunk=True)
@given(worlds())
def test_every_engine_agrees_with_the_twin_and_with_every_other(world: World) -> None:
    found: dict[str, Table] = {}
    for engine in LOCAL:
        result = world.evaluate(engine)
        lists = engine.read(result.per_list())
        found[engine.name] = rows(lists, world.called(world.lists))
        assert_same(found[engine.name], world.expected(), f"per_list of {engine}")
        assert_in_range(world, lists)
        means = rows(engine.read(result.summary()), world.called(world.by))
        assert_same(means, world.expected_summary(), f"summary of {engine}")
    for one, other in combinations(found, 2):
        assert_same(found[one], found[other], f"{one} against {other}")


def test_what_is_drawn_of_a_metric_is_a_parameter_or_a_choice_of_it() -> None:
    for name, drawn in METRICS.items():  # that all are drawn here or beside, test_agreement_beyond says
        known = catalog().own_parameters(name)
        assert drawn.keys() <= known.keys() - {"k"}, name
        choices = {one: {*parameter.choices} for one, parameter in known.items() if parameter.choices}
        assert all({*drawn[one]} <= choices[one] for one in drawn.keys() & choices.keys()), name
