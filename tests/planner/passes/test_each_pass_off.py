"""A pass changes how a query is computed, and never what comes back: every query with and without each pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.planner import PASSES, switched_off
from tests.support import matrix, problems
from tests.support.drawing import examples
from tests.support.engines import LOCAL, Engine
from tests.support.problems import FAMILIES, METRICS

HERE = [one for one in LOCAL if one.name in ("duckdb", "polars")]
# Passes for tables that are not looked at, with columns of unknown types or declared keys: the tests of each look at
# their text.
OF_WAREHOUSES = {"filter_raw_ranks", "use_keys"}

NAMES = [one.name for one in PASSES]
OFF = [(name,) for name in NAMES if name not in OF_WAREHOUSES] + [tuple(NAMES)]


def with_engines(groups: Sequence[tuple[str, ...]]) -> list[Any]:
    """Each group of passes with each engine whose queries any of them may change."""
    return [
        pytest.param(off, engine, id=f"{off[0] if len(off) == 1 else f'{len(off)} passes'}-{engine}")
        for off in groups
        for engine in HERE
        if any(one.dialects is None or engine.name in one.dialects for one in PASSES if one.name in off)
    ]


# Queries in which every pass has something to do.
QUERIES: dict[str, list[rm.Metric]] = {
    "many cutoffs": [rm.parse(f"{name}@{k}") for name in ("ndcg", "recall", "ap", "rr") for k in range(1, 10)],
    "several conditions": [rm.parse(one) for one in ("bpref@3", "ndcg(rel=3)@5", "unjudged@4", "f_beta@5", "auc")],
    "several lists": [rm.parse(f"hit(missing={one})@5") for one in ("zero", "skip", "listed", "history")],
    "orders of equal scores": [
        *(rm.parse(f"recall(ties=best)@{k}") for k in (1, 3, 5)),
        *(rm.parse(one) for one in ("hit(ties=expected)@5", "ndcg(ties=expected)@3", "ap(ties=worst)@3")),
    ],
    "systems": [rm.parse(one) for one in ("coverage@5", "gini@5", "surprisal@5", "ndcg@5", "dcg@1", "dcg@5")],
}


def frames(engine: Engine, result: rm.Result) -> Iterator[pl.DataFrame]:
    """All that a result returns, in an order of its own."""
    for one in (result.summary(), result.per_list(), result.account()):
        frame = engine.read(one)
        keys = [name for name, kind in frame.schema.items() if not kind.is_float()]
        yield frame.sort(keys, nulls_last=True)
    yield result.collect()


Outcome = list[pl.DataFrame] | str


def outcome(engine: Engine, evaluate: Callable[[], rm.Result], off: Sequence[str]) -> Outcome:
    """All that a result returns without some passes, or the message of the error."""
    with switched_off(*off):
        try:
            return [*frames(engine, evaluate())]
        except rm.RankMetricsError as error:
            return str(error)


@cache
def with_all_passes(name: str, metrics: tuple[rm.Metric, ...]) -> Outcome:
    """What metrics return on the engine of this name with all passes: computed once for the tests of all passes."""
    (engine,) = (engine for engine in HERE if engine.name == name)
    return outcome(engine, partial(matrix.evaluate, engine, metrics), ())


def assert_equal(with_all: Outcome, without: Outcome) -> None:
    """Assert that results are the same, or refused in the same words."""
    if isinstance(with_all, str) or isinstance(without, str):
        assert without == with_all
        return
    for one, other in zip(with_all, without, strict=True):
        assert_frame_equal(one, other, abs_tol=1e-12, rel_tol=1e-12, check_row_order=True)


def assert_neutral(engine: Engine, evaluate: Callable[[], rm.Result], off: Sequence[str]) -> None:
    """Assert that a result is the same with and without some passes."""
    assert_equal(outcome(engine, evaluate, ()), outcome(engine, evaluate, off))


def assert_same_metrics(engine: Engine, metrics: Sequence[rm.Metric], off: Sequence[str]) -> None:
    """Assert that metrics have the same values with and without some passes."""
    without = outcome(engine, partial(matrix.evaluate, engine, metrics), off)
    assert_equal(with_all_passes(engine.name, tuple(metrics)), without)


@pytest.mark.parametrize("engine", HERE, ids=repr)
def test_means_are_the_same_without_any_pass(engine: Engine) -> None:
    metrics = [*QUERIES["many cutoffs"], *QUERIES["several conditions"], *QUERIES["systems"]]

    def summary() -> pl.DataFrame:
        return engine.read(matrix.evaluate(engine, list(dict.fromkeys(metrics))).summary()).sort("algorithm")

    with_all = summary()
    with switched_off(*NAMES):
        assert_frame_equal(with_all, summary(), abs_tol=1e-12, rel_tol=1e-12)


@pytest.mark.long
@pytest.mark.parametrize("engine", HERE, ids=repr)
def test_queries_return_the_same_without_any_pass(engine: Engine) -> None:
    for metrics in QUERIES.values():
        assert_same_metrics(engine, metrics, NAMES)


@pytest.mark.long
@pytest.mark.parametrize(("off", "engine"), with_engines(OFF[:-1]))
def test_queries_return_the_same_without_a_pass(off: tuple[str, ...], engine: Engine) -> None:
    for metrics in QUERIES.values():
        assert_same_metrics(engine, metrics, off)


@pytest.mark.long
@examples(80)
@given(data=st.data(), off=st.sampled_from(OFF))
def test_drawn_problems_give_the_same_without_a_pass(data: st.DataObject, off: tuple[str, ...]) -> None:
    family = data.draw(st.sampled_from([*FAMILIES.values(), METRICS]))
    world = data.draw(problems.odd_worlds() | problems.worlds([*family]))
    for engine in HERE:
        assert_neutral(engine, partial(world.evaluate, engine), off)


@cache
def changed() -> dict[str, set[str]]:
    """The passes that change any of the queries above, each with the engines whose queries it changes."""
    found: dict[str, set[str]] = {name: set() for name in NAMES}
    for engine in HERE:
        for metrics in QUERIES.values():
            *_, last = matrix.evaluate(engine, metrics).explain().splitlines()
            for name in last.removeprefix("passes that change the query: ").split(", "):
                found.get(name, set()).add(engine.name)
    return found


# Passes that change the diagnostics alone: the tests of each look at their text.
OF_DIAGNOSTICS = {"repeats_by_sorting"}


@pytest.mark.long
@pytest.mark.parametrize("name", [one for one in NAMES if one not in OF_DIAGNOSTICS | OF_WAREHOUSES])
def test_what_is_switched_off_in_these_tests_was_on(name: str) -> None:
    dialects = next(one for one in PASSES if one.name == name).dialects
    assert changed()[name]
    assert dialects is None or changed()[name] <= dialects
