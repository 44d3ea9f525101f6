"""Spark and the databases: every metric and sample as DuckDB has it; see docs/engines.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from math import isclose, isinf
from typing import Any

import polars as pl
import pytest
from hypothesis import given

import rankmetrics as rm
from rankmetrics.errors import RankMetricsError
from rankmetrics.metrics.metric import read_metrics
from tests.support import matrix, problems
from tests.support.drawing import examples, share
from tests.support.engines import LOCAL, OTHERS, Engine, need, restored
from tests.support.problems import assert_same, rows
from tests.support.twin_inputs import Row

# Spark and the databases: every metric as DuckDB has it, random problems as the twin has them; see docs/engines.md.


# Every engine is run on some worlds a time; Spark takes seconds for what the others take milliseconds.
EXAMPLES = {"spark": 6}
BESIDE = {"spark": 1, "clickhouse": 4}


# How many steps MariaDB takes in one WITH.
MARIADB_TAKES = 64


@pytest.fixture(params=[LOCAL[1], *OTHERS], ids=repr)
def engine(request: pytest.FixtureRequest) -> Engine:
    """An engine beside DuckDB, if it can be had here."""
    found: Engine = request.param
    need(found)
    return found


# --- the whole catalogue ----------------------------------------------------------------------------------------------


@cache
def of_duckdb(metrics: tuple[rm.Metric, ...], whole: bool, means: bool) -> dict[str, dict[object, object]]:
    """What DuckDB returns, computed once for all engines that are compared with it."""
    return matrix.answers(LOCAL[0], metrics, whole=whole, means=means)


def assert_equal(engine: Engine, metrics: Sequence[rm.Metric], *, whole: bool, means: bool = True) -> None:
    """Assert that an engine returns what DuckDB does, to 1e-12, for some metrics at once."""
    expected = of_duckdb(tuple(metrics), whole, means)
    found = matrix.answers(engine, metrics, whole=whole, means=means)
    for label, values in expected.items():
        assert found[label].keys() == values.keys(), label
        wrong = [
            f"{label} of {key} is {found[label][key]}, DuckDB has {value}"
            for key, value in values.items()
            if not _same(found[label][key], value)
        ]
        assert not wrong, "\n".join(wrong[:10])


def _same(left: object, right: object) -> bool:
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return isclose(left, right, rel_tol=matrix.TOLERANCE, abs_tol=matrix.TOLERANCE)
    return left is right


def test_every_metric_is_as_duckdb_has_it(engine: Engine) -> None:
    """Each once: a metric of lists in the table per list, one of systems in the summary; the means are long."""
    has = [of[0] for name, of in matrix.variants().items() if name not in engine.lacks]
    whole = "embedding_diversity" not in engine.lacks
    assert_equal(engine, [one for one in has if not one.is_run], whole=whole, means=False)
    assert_equal(engine, [one for one in has if one.is_run], whole=whole)


@pytest.mark.long
def test_every_metric_under_every_choice_is_as_duckdb_has_it(engine: Engine) -> None:
    has = [*dict.fromkeys(one for name, of in matrix.variants().items() if name not in engine.lacks for one in of)]
    left = iter(share(has))
    while chunk := [*islice(left, matrix.AT_ONCE)]:
        assert_equal(engine, chunk, whole="embedding_diversity" not in engine.lacks)


@pytest.mark.long
def test_every_policy_is_as_duckdb_has_it(engine: Engine) -> None:
    left = iter(share(matrix.policies()))
    while chunk := [*islice(left, matrix.AT_ONCE)]:
        assert_equal(engine, chunk, whole=False)


@pytest.mark.parametrize("items", [[9, 20, 99, 100, 8], ["9", "20", "99", "é", "Z"]], ids=["numbers", "texts"])
def test_scores_of_32_bits_and_ids_as_text_are_ranked_as_duckdb_ranks_them(engine: Engine, items: list[Any]) -> None:
    near: list[float | None] = [0.3, 0.3 + 1e-10, 0.1 + 0.2, -0.3, None]
    nearer: list[float | None] = [5.0, 5 + 1e-9, 5 - 1e-9, 5 + 1e-6, 0.1]
    recs = pl.DataFrame(
        [(user, *pair) for user, of in enumerate([near, nearer]) for pair in zip(items, of, strict=True)],
        schema=["user", "item", "score"],
        orient="row",
    )
    asked = [
        f"rr(ties=text_desc, rel={rating})" for rating in range(1, 6)
    ]  # the rank of the first of the items that are rated so high
    truth = recs.select("user", "item", rating=pl.int_range(5, 0, -1).over("user").cast(pl.Float64))

    def ranks(of: Engine) -> list[tuple[Any, ...]]:
        result = rm.evaluate(of.give(recs), of.give(truth), asked, **of.options)
        return of.read(result.per_list()).sort("user").rows()

    assert ranks(engine) == ranks(LOCAL[0])


def test_every_aggregate_and_the_account_are_as_duckdb_has_them(engine: Engine) -> None:
    has = [one for one in matrix.AGGREGATES if one not in engine.lacks]
    asked = [rm.Metric("ndcg"), rm.hit @ 5]
    ours, theirs = (matrix.evaluate(one, asked, has, whole=False) for one in (LOCAL[0], engine))
    by = [*ours.layout.by]
    assert_same(
        rows(engine.read(theirs.summary()), by), rows(LOCAL[0].read(ours.summary()), by), f"aggregates of {engine}"
    )
    keys = [*by, "account"]
    assert_same(
        rows(engine.read(theirs.account()), keys), rows(LOCAL[0].read(ours.account()), keys), f"account of {engine}"
    )


@pytest.mark.long
def test_a_query_of_more_steps_than_one_with_may_hold_is_as_duckdb_has_it(engine: Engine) -> None:
    """MariaDB takes 64 in one WITH; each threshold has steps of its own."""
    labels = [f"{name}(rel={half / 2})@5" for name in ("ndcg", "ap") for half in range(2, 11)]
    asked = read_metrics(labels)
    steps = matrix.evaluate(LOCAL[0], asked)._queries.planned().plan.summary_query().select.args["with_"].expressions
    assert len(steps) > MARIADB_TAKES
    assert_equal(engine, asked, whole="embedding_diversity" not in engine.lacks)


def test_what_an_engine_lacks_is_refused_in_words(engine: Engine) -> None:
    for name in engine.lacks:
        asked, aggregate = (rm.Metric(name, {}, 5), "mean") if name in matrix.variants() else (rm.ndcg @ 5, name)
        with pytest.raises(RankMetricsError) as refused:
            matrix.evaluate(engine, [asked], [aggregate], whole=False).summary()
        assert str(refused.value), name


# --- drawn worlds -----------------------------------------------------------------------------------------------------


def agrees(engine: Engine, world: problems.World) -> None:
    """Assert that an engine returns what the twin does."""
    result, types = world.evaluate(engine), dict(world.frame("recs").schema)
    means = restored(engine.read(result.summary()), types)
    assert_same(rows(means, world.called(world.by)), world.expected_summary(), f"summary of {engine}")
    if world.has_lists:
        lists = restored(engine.read(result.per_list()), types)
        assert_same(rows(lists, world.called(world.lists)), world.expected(), f"per_list of {engine}")


@pytest.mark.long
def test_an_engine_agrees_with_the_twin_over_odd_worlds(engine: Engine) -> None:
    @examples(EXAMPLES.get(engine.name, 40))
    @given(problems.odd_worlds())
    def every(world: problems.World) -> None:
        world = world.without_order()  # the rows of a table have no order
        if engine.name == "mariadb":
            world = replace(world, inputs=replace(world.inputs, recs=[*map(finite, world.inputs.recs)]))
        agrees(engine, world)

    every()


@pytest.mark.long
@pytest.mark.parametrize("family", problems.FAMILIES)
def test_an_engine_agrees_with_the_twin(engine: Engine, family: str) -> None:
    names = [one for one in problems.FAMILIES[family] if one not in engine.lacks]

    @examples(BESIDE.get(engine.name, 8))
    @given(problems.worlds(names))
    def every(world: problems.World) -> None:
        agrees(engine, world)

    every()


def finite(row: Row) -> dict[str, Any]:
    """A row without infinities, which MariaDB cannot hold; their order stays."""
    return {
        name: (1e30 if value > 0 else -1e30) if isinstance(value, float) and isinf(value) else value
        for name, value in row.items()
    }


# --- Spark and the databases draw the negatives that DuckDB draws, and measure the same among them --------------------


USERS, ITEMS = ["anna", "Bo", "çelik"], [*range(12)]
RECS = pl.DataFrame(
    [
        {"algorithm": algorithm, "user": user, "item": item, "rank": (item * step + place) % 12 + 1}
        for algorithm, step in (("als", 5), ("knn", 7))
        for place, user in enumerate(USERS)
        for item in ITEMS
    ]
)
TRUTH = pl.DataFrame({"user": ["anna", "anna", "Bo", "çelik"], "item": [3, 4, 7, 11]})
HISTORY = pl.DataFrame({"user": ["anna", "Bo", "Bo", "çelik", "çelik"], "item": [0, 1, 2, 2, 5]})
MORE = {"history": HISTORY, "items": pl.DataFrame({"item": ITEMS, "popularity": [item + 1 for item in ITEMS]})}
MORE["catalog"] = MORE["items"].select("item")

SAMPLES = [
    rm.Negatives(4, seed=5),
    rm.Negatives(4, by="popularity", seed=5),
    rm.Negatives(4, seed=5, estimate="bias_variance", n_items=9),
]


# What an engine cannot draw, and a part of the message that says so.
LACKS: dict[Any, str] = {
    "sqlite": "has no MD5",
    ("datafusion", "popularity"): "its planner fails at the order of the draws",
}


def measured(engine: Engine, sample: rm.Negatives) -> tuple[list[Any], list[Any]]:
    """The negatives, and the metrics of each list."""
    more = {name: engine.give(one) for name, one in MORE.items()}
    result = rm.evaluate(
        engine.give(RECS), engine.give(TRUTH), ["ndcg@3", "rr", "auc"], sample=sample, **more, **engine.options
    )
    drawn = engine.read(result.stage("negatives")).select("user", "item").rows()
    return sorted(drawn), sorted(engine.read(result.per_list()).rows())


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.label)
@pytest.mark.parametrize("engine", [LOCAL[1], *OTHERS], ids=repr)
def test_an_engine_draws_and_measures_as_duckdb_does(engine: Engine, sample: rm.Negatives) -> None:
    need(engine)
    if lack := LACKS.get(engine.name) or LACKS.get((engine.name, sample.by)):
        with pytest.raises(rm.DialectError, match=lack):
            measured(engine, sample)
        return
    drawn, values = measured(engine, sample)
    expected, of_duckdb = measured(LOCAL[0], sample)
    assert drawn == expected
    assert len(drawn) == 12
    for found, wanted in zip(values, of_duckdb, strict=True):
        assert found[:2] == wanted[:2]
        assert found[2:] == pytest.approx(wanted[2:], abs=1e-12)
