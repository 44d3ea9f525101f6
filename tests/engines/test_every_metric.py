"""Spark and the databases: every metric and sample as DuckDB has it, random problems as the twin has them.

Spark takes seconds for what the others take milliseconds: its short test is one query with a metric of each input.
"""

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
from tests.support import flat, matrix, problems
from tests.support.drawing import examples, share
from tests.support.engines import LOCAL, OTHERS, SPARK, Engine, need, restored
from tests.support.problems import assert_same, rows
from tests.support.twin_inputs import Row

# The number of random problems of an engine that is slower than the others: of all metrics, and of each family.
N_PROBLEMS = {"spark": 6}
N_OF_FAMILY = {"spark": 1, "clickhouse": 4}

# The number of steps that MariaDB takes in one WITH.
MARIADB_STEPS = 64

# A metric of lists for each kind of stage and each input, and metrics of systems.
HANDFUL = ["ndcg", "ap", "auc", "surprisal", "unexpectedness", "category_diversity", "embedding_diversity"]
HANDFUL += ["list_diversity", "coverage", "gini"]


@pytest.fixture(
    params=[LOCAL[1], *(pytest.param(other, marks=[pytest.mark.long] * (other is SPARK)) for other in OTHERS)], ids=repr
)
def engine(request: pytest.FixtureRequest) -> Engine:
    """An engine other than DuckDB, if this machine has it."""
    need(request.param)
    other: Engine = request.param
    return other


# --- the whole catalogue ----------------------------------------------------------------------------------------------


@cache
def of_duckdb(metrics: tuple[rm.Metric, ...], whole: bool, means: bool) -> dict[str, dict[object, object]]:
    """DuckDB's values, computed once for all engines that are compared with it."""
    return matrix.answers(LOCAL[0], metrics, whole=whole, means=means)


def assert_equal(engine: Engine, metrics: Sequence[rm.Metric], *, whole: bool, means: bool = True) -> None:
    """Assert that an engine returns what DuckDB does, to 1e-12, for several metrics in one query."""
    expected = of_duckdb(tuple(metrics), whole, means)
    answers = matrix.answers(engine, metrics, whole=whole, means=means)
    for label, values in expected.items():
        assert answers[label].keys() == values.keys(), label
        wrong = [
            f"{label} of {key} is {answers[label][key]}, DuckDB has {value}"
            for key, value in values.items()
            if not _same(answers[label][key], value)
        ]
        assert not wrong, "\n".join(wrong[:10])


def _same(left: object, right: object) -> bool:
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return isclose(left, right, rel_tol=matrix.TOLERANCE, abs_tol=matrix.TOLERANCE)
    return left is right


def test_spark_has_a_metric_of_each_input_as_duckdb_has_it() -> None:
    need(SPARK)
    assert_table_equal(
        SPARK, "summary", [matrix.variants()[name][0] for name in HANDFUL], ["mean", "median"], whole=True
    )


def test_every_metric_is_as_duckdb_has_it(engine: Engine) -> None:
    """Each once: a metric of lists in the table per list, a metric of systems in the summary; the means are long."""
    metrics = [variants[0] for name, variants in matrix.variants().items() if name not in engine.lacks]
    whole = "embedding_diversity" not in engine.lacks
    assert_equal(engine, [metric for metric in metrics if not metric.is_run], whole=whole, means=False)
    assert_equal(engine, [metric for metric in metrics if metric.is_run], whole=whole)


@pytest.mark.long
def test_every_metric_under_every_choice_and_policy_is_as_duckdb_has_it(engine: Engine) -> None:
    variants = [variants for name, variants in matrix.variants().items() if name not in engine.lacks]
    choices = [*dict.fromkeys(metric for metrics in variants for metric in metrics)]
    for metrics, whole in ((choices, "embedding_diversity" not in engine.lacks), (matrix.policies(), False)):
        left = iter(share(metrics))
        while chunk := [*islice(left, matrix.AT_ONCE)]:
            assert_equal(engine, chunk, whole=whole)


@pytest.mark.long
@pytest.mark.parametrize("items", [[9, 20, 99, 100, 8], ["9", "20", "99", "é", "Z"]], ids=["numbers", "texts"])
def test_scores_of_32_bits_and_ids_as_text_are_ranked_as_duckdb_ranks_them(engine: Engine, items: list[Any]) -> None:
    near: list[float | None] = [0.3, 0.3 + 1e-10, 0.1 + 0.2, -0.3, None]
    nearer: list[float | None] = [5.0, 5 + 1e-9, 5 - 1e-9, 5 + 1e-6, 0.1]
    recs = pl.DataFrame(
        [(user, *pair) for user, scores in enumerate([near, nearer]) for pair in zip(items, scores, strict=True)],
        schema=["user", "item", "score"],
        orient="row",
    )
    truth = recs.select("user", "item", rating=pl.int_range(5, 0, -1).over("user").cast(pl.Float64))
    # the rank of the first of the items that are rated so high
    metrics = [f"rr(ties=text_desc, rel={rating})" for rating in range(1, 6)]

    ours, theirs = (
        of.read(flat.evaluate(of.give(recs), of.give(truth), metrics, **of.options).per_list()).sort("user").rows()
        for of in (engine, LOCAL[0])
    )
    assert ours == theirs


def assert_table_equal(
    engine: Engine, table: str, metrics: Sequence[rm.Metric], aggregates: Sequence[str], *, whole: bool = False
) -> None:
    """Assert that a table of a result (the summary or the account) is as DuckDB has it."""
    ours, theirs = (
        rows(of.read(getattr(result, table)()), [*result.layout.by, *["account"] * (table == "account")])
        for of in (engine, LOCAL[0])
        for result in [matrix.evaluate(of, metrics, aggregates, whole=whole)]
    )
    assert_same(ours, theirs, f"{table} of {engine}")


@pytest.mark.long
@pytest.mark.parametrize("table", ["summary", "account"])
def test_every_aggregate_and_the_account_are_as_duckdb_has_them(engine: Engine, table: str) -> None:
    aggregates = [name for name in matrix.AGGREGATES if name not in engine.lacks]
    assert_table_equal(engine, table, [rm.Metric("ndcg"), rm.hit @ 5], aggregates)


@pytest.mark.long
def test_a_query_of_more_steps_than_one_with_may_hold_is_as_duckdb_has_it(engine: Engine) -> None:
    """MariaDB takes 64 in one WITH; each threshold has steps of its own."""
    metrics = read_metrics([f"{name}(rel={half / 2})@5" for name in ("ndcg", "ap") for half in range(2, 11)])
    plan = matrix.evaluate(LOCAL[0], metrics)._queries.plan()
    steps = plan.summary_query().select.args["with_"].expressions
    assert len(steps) > MARIADB_STEPS
    assert_equal(engine, metrics, whole="embedding_diversity" not in engine.lacks)


@pytest.mark.parametrize("engine", [engine for engine in OTHERS if engine.lacks], ids=repr, indirect=True)
def test_what_an_engine_lacks_is_refused_in_words(engine: Engine) -> None:
    for name in engine.lacks:
        metric, aggregate = (rm.Metric(name, {}, 5), "mean") if name in matrix.variants() else (rm.ndcg @ 5, name)
        with pytest.raises(RankMetricsError) as refused:
            matrix.evaluate(engine, [metric], [aggregate], whole=False).summary()
        assert str(refused.value), name


# --- random problems --------------------------------------------------------------------------------------------------


def assert_as_twin(engine: Engine, world: problems.World) -> None:
    result, types = world.evaluate(engine), dict(world.frame("recs").schema)
    means = restored(engine.read(result.summary()), types)
    assert_same(rows(means, world.called(world.by)), world.expected_summary(), f"summary of {engine}")
    if world.has_lists:
        lists = restored(engine.read(result.per_list()), types)
        assert_same(rows(lists, world.called(world.lists)), world.expected(), f"per_list of {engine}")


@pytest.mark.long
def test_an_engine_agrees_with_the_twin_over_odd_worlds(engine: Engine) -> None:
    @examples(N_PROBLEMS.get(engine.name, 40))
    @given(problems.odd_worlds())
    def every(world: problems.World) -> None:
        world = world.without_order()  # the rows of a table have no order
        if engine.name == "mariadb":
            world = replace(world, inputs=replace(world.inputs, recs=[*map(finite, world.inputs.recs)]))
        assert_as_twin(engine, world)

    every()


@pytest.mark.long
@pytest.mark.parametrize("family", problems.FAMILIES)
def test_an_engine_agrees_with_the_twin(engine: Engine, family: str) -> None:
    metrics = [name for name in problems.FAMILIES[family] if name not in engine.lacks]

    @examples(N_OF_FAMILY.get(engine.name, 8))
    @given(problems.worlds(metrics))
    def every(world: problems.World) -> None:
        assert_as_twin(engine, world)

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
        {"algorithm": algorithm, "user": user, "item": item, "rank": (item * step + offset) % 12 + 1}
        for algorithm, step in (("als", 5), ("knn", 7))
        for offset, user in enumerate(USERS)
        for item in ITEMS
    ]
)
TRUTH = pl.DataFrame({"user": ["anna", "anna", "Bo", "çelik"], "item": [3, 4, 7, 11]})
HISTORY = pl.DataFrame({"user": ["anna", "Bo", "Bo", "çelik", "çelik"], "item": [0, 1, 2, 2, 5]})
MORE = {"history": HISTORY, "items": pl.DataFrame({"item": ITEMS, "popularity": [item + 1 for item in ITEMS]})}
MORE["catalog"] = MORE["items"].select("item")

SAMPLES = [rm.Negatives(4, by="popularity", seed=5), rm.Negatives(4, seed=5, estimate="bias_variance", n_items=9)]


# A part of the message with which an engine refuses a sample that it cannot draw.
REFUSALS: dict[Any, str] = {
    "sqlite": "has no MD5",
    ("datafusion", "popularity"): "its planner fails at the order of the draws",
}


def measured(engine: Engine, sample: rm.Negatives) -> tuple[list[Any], list[Any]]:
    """The negatives, and the metrics of each list."""
    more = {name: engine.give(frame) for name, frame in MORE.items()}
    result = flat.evaluate(
        engine.give(RECS), engine.give(TRUTH), ["ndcg@3", "rr", "auc"], sample=sample, **more, **engine.options
    )
    negatives = engine.read(result.stage("negatives")).select("user", "item").rows()
    return sorted(negatives), sorted(engine.read(result.per_list()).rows())


@cache
def measured_by_duckdb(sample: rm.Negatives) -> tuple[list[Any], list[Any]]:
    return measured(LOCAL[0], sample)


@pytest.mark.long
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.label)
def test_an_engine_draws_and_measures_as_duckdb_does(engine: Engine, sample: rm.Negatives) -> None:
    if reason := REFUSALS.get(engine.name) or REFUSALS.get((engine.name, sample.by)):
        with pytest.raises(rm.DialectError, match=reason):
            measured(engine, sample)
        return
    negatives, values = measured(engine, sample)
    expected_negatives, expected = measured_by_duckdb(sample)
    assert negatives == expected_negatives
    assert len(negatives) == 12
    for row, expected_row in zip(values, expected, strict=True):
        assert row[:2] == expected_row[:2]
        assert row[2:] == pytest.approx(expected_row[2:], abs=1e-12)
