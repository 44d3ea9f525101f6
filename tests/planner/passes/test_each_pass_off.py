"""A pass changes how a query is computed, and never what comes back: every query with and without each pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial

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

HERE = [engine for engine in LOCAL if engine.name in ("duckdb", "polars")]
# Passes for tables that are not looked at, with columns of unknown types: the tests of each look at their text.
OF_WAREHOUSES = {"filter_raw_ranks"}
OF_SELECTS = {"compute_once"}  # of inputs that are SELECTs; test_compute_once.py has them

NAMES = [each_pass.name for each_pass in PASSES]
OFF = [(name,) for name in NAMES if name not in OF_WAREHOUSES] + [tuple(NAMES)]

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

Outcome = list[pl.DataFrame] | str


def outcome(engine: Engine, evaluate: Callable[[], rm.Result], off: Sequence[str]) -> Outcome:
    """All that a result returns without some passes, in an order of its own, or the message of the error."""
    with switched_off(*off):
        try:
            result = evaluate()
            frames = [engine.read(table) for table in (result.summary(), result.per_list(), result.account())]
            collected = result.collect()
        except rm.RankMetricsError as error:
            return str(error)
    keys = [[name for name, kind in frame.schema.items() if not kind.is_float()] for frame in frames]
    return [*(frame.sort(of, nulls_last=True) for frame, of in zip(frames, keys, strict=True)), collected]


def assert_equal(with_all: Outcome, without: Outcome) -> None:
    """Assert that results are the same, or refused in the same words."""
    if isinstance(with_all, str) or isinstance(without, str):
        assert without == with_all
        return
    for left, right in zip(with_all, without, strict=True):
        assert_frame_equal(left, right, abs_tol=1e-12, rel_tol=1e-12, check_row_order=True)


@cache
def returned(engine_name: str, query: str, off: tuple[str, ...]) -> Outcome:
    """What the metrics of a query return without some passes: with all of them, it is computed once for all tests."""
    (engine,) = (engine for engine in HERE if engine.name == engine_name)
    return outcome(engine, partial(matrix.evaluate, engine, QUERIES[query]), off)


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
@pytest.mark.parametrize("off", OFF, ids=lambda off: off[0] if len(off) == 1 else "all")
def test_queries_return_the_same_without_a_pass(off: tuple[str, ...], engine: Engine) -> None:
    dialects = [each_pass.dialects for each_pass in PASSES if each_pass.name in off]
    if any(names is None or engine.name in names for names in dialects):
        for query in QUERIES:
            assert_equal(returned(engine.name, query, ()), returned(engine.name, query, off))


@pytest.mark.long
@examples(80)
@given(data=st.data(), off=st.sampled_from(OFF))
def test_drawn_problems_give_the_same_without_a_pass(data: st.DataObject, off: tuple[str, ...]) -> None:
    family = data.draw(st.sampled_from([*FAMILIES.values(), METRICS]))
    world = data.draw(problems.odd_worlds() | problems.worlds([*family]))
    for engine in HERE:
        evaluate = partial(world.evaluate, engine)
        assert_equal(outcome(engine, evaluate, ()), outcome(engine, evaluate, off))


@pytest.mark.long
def test_what_is_switched_off_in_these_tests_was_on() -> None:
    changed: dict[str, set[str]] = {name: set() for name in ("none", *NAMES)}
    for engine in HERE:
        for metrics in QUERIES.values():
            *_, last = matrix.evaluate(engine, metrics).explain().splitlines()
            for name in last.removeprefix("passes that change the query: ").split(", "):
                changed[name].add(engine.name)
    for each_pass in PASSES:
        if each_pass.name not in OF_WAREHOUSES | OF_SELECTS:
            engines = changed[each_pass.name]
            assert engines, f"{each_pass.name} changes none of QUERIES: add a query that it changes"
            assert each_pass.dialects is None or engines <= each_pass.dialects, each_pass.name
