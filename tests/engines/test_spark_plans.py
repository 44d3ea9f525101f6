"""How Spark would run the queries: nothing brings all rows into one partition, nothing pairs all rows with all others.

Plans are read with no table small enough to be sent about unasked, as tables are that are too large for it. What may
stand in one partition is what few rows come out of: counts, popularities, exposures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.support import flat, matrix
from tests.support.engines import SPARK, need, spark

pytestmark = pytest.mark.long

ACCURACY = [f"{name}@5,10" for name in ("ndcg", "recall", "precision", "ap", "rr", "hit", "f_beta", "auc", "err")]

# The columns by which few rows are left of many items, and what then reads those few together: popularity_running_sums,
# exposure_level_order, impression_level_totals, the target of a category.
LEVELS = ({"n_users"}, {"exposure"}, {"n_impressions"}, {"category"})


# --- a plan, read -----------------------------------------------------------------------------------------------------


def each(sequence: Any) -> list[Any]:
    """A sequence of the JVM as a list."""
    return [sequence.apply(place) for place in range(sequence.size())]


def kind(step: Any) -> str:
    name: str = step.getClass().getSimpleName()
    return name.removesuffix("Exec")


def inputs(step: Any) -> list[Any]:
    """The steps that a step reads, through what Spark puts around them."""
    if kind(step) == "AdaptiveSparkPlan":
        return [step.executedPlan()]
    if kind(step).endswith("QueryStage"):
        return [step.plan()]
    return [step.child()] if kind(step) == "ReusedExchange" else each(step.children())


def walk(step: Any) -> Iterator[Any]:
    yield step
    for one in [*inputs(step), *each(step.subqueries())]:
        yield from walk(one)


def keys(step: Any) -> set[str] | None:
    """The columns that a step groups by, none for one group of all; None where it does not group."""
    return {one.name() for one in each(step.groupingExpressions())} if kind(step).endswith("Aggregate") else None


def grouped_below(step: Any) -> set[str] | None:
    """What the rows were grouped by that a step reads, if they were grouped and joined with nothing since."""
    below = inputs(step)
    while len(below) == 1:
        if (found := keys(below[0])) is not None:
            return found
        below = inputs(below[0])
    return None


# Steps that return so many rows at most as a query's LIMIT says.
LIMITED = ("TakeOrderedAndProject", "GlobalLimit", "CollectLimit")


def is_few(step: Any, systems: set[str] | None = None) -> bool:
    """Whether the rows of a step are few whatever the data: constants, the first ones, one row, or one per system."""
    found, below = keys(step), inputs(step)
    if kind(step) in LIMITED or (found is not None and found <= (systems or set())):
        return True
    return all(is_few(one, systems) for one in below) if below else kind(step) in ("LocalTableScan", "OneRowRelation")


def faults(frame: Any, systems: set[str]) -> list[str]:
    """What is wrong with the plan of a DataFrame, in sentences."""
    return [
        f"{fault}: {step.simpleString(25)[:300]}" for step in walk(plan_of(frame)) if (fault := fault_of(step, systems))
    ]


def fault_of(step: Any, systems: set[str]) -> str | None:
    gathers = any(one.toString() == "AllTuples" for one in each(step.requiredChildDistribution()))
    if gathers and grouped_below(step) not in (set(), *LEVELS) and not all(map(is_few, inputs(step))):
        return "All rows come into one partition"
    if kind(step) == "BroadcastExchange" and not is_few(step, systems):
        return "Every task is sent rows that may be many"
    # systems are few, but nothing tells Spark so: without a hint it would pair their partitions with those of the lists
    few_systems = set() if kind(step) == "CartesianProduct" else systems
    pairs = kind(step) in ("CartesianProduct", "BroadcastNestedLoopJoin")
    if pairs and not any(is_few(one, few_systems) for one in inputs(step)):
        return "All rows are paired with all others"
    return None


def plan_of(frame: Any) -> Any:
    return frame._jdf.queryExecution().executedPlan()


# --- the data ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The world as Parquet files, since Spark takes what it is given from memory for constants."""
    need(SPARK)
    folder = tmp_path_factory.mktemp("spark")

    def stored(name: str, frame: pl.DataFrame) -> Any:
        frame.write_parquet(folder / f"{name}.parquet")
        return spark().read.parquet(str(folder / f"{name}.parquet"))

    world = matrix.world()
    scored = world["recs"].drop("expected_reward")
    ranked = scored.select("algorithm", "user", "item", rank=pl.int_range(1, pl.len() + 1).over(matrix.LISTS))
    days = pl.DataFrame({"day": ["monday", "tuesday"], "country": ["nl", "nl"]})
    return {
        **{name: stored(name, frame) for name, frame in world.items()},
        "ranked": stored("ranked", ranked),
        "scored": stored("scored", scored),
        "recs_of_days": stored("recs_of_days", scored.join(days, how="cross")),
        "truth_of_days": stored("truth_of_days", world["truth"].join(days.select("day"), how="cross")),
    }


@pytest.fixture(params=["true", "false"], ids=["adaptive", "as_planned"])
def session(request: pytest.FixtureRequest, tables: dict[str, Any]) -> Iterator[Any]:
    """The session that all tests share, replanning as it runs or not, sending nothing about that it is not told to."""
    set_for_now = {
        "spark.sql.adaptive.enabled": request.param,
        "spark.sql.autoBroadcastJoinThreshold": "-1",
        "spark.sql.codegen.wholeStage": "true",
        "spark.sql.codegen.factoryMode": "FALLBACK",
    }
    before = {name: spark().conf.get(name) for name in set_for_now}
    for name, value in set_for_now.items():
        spark().conf.set(name, value)
    yield spark()
    for name, value in before.items():
        spark().conf.set(name, value)


def evaluate(tables: dict[str, Any], metrics: list[rm.Metric], **asked: Any) -> rm.Result:
    extras = {name: tables[name] for name in matrix.world() if name not in ("recs", "truth")}
    return flat.evaluate(tables["recs"], tables["truth"], metrics, **extras, **asked)


# --- the plans --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("recs", "truth", "systems"),
    [
        ("ranked", "truth", {"algorithm"}),
        ("scored", "truth", {"algorithm"}),
        ("recs_of_days", "truth_of_days", {"algorithm", "country"}),
    ],
    ids=["rank", "score", "score_of_four_list_columns"],
)
@pytest.mark.parametrize("by", [None, []], ids=["by_system", "in_one_row"])
def test_accuracy_is_measured_partition_by_partition(
    session: Any, tables: dict[str, Any], recs: str, truth: str, systems: set[str], by: list[str] | None
) -> None:
    asked = [*ACCURACY, "ndcg(gain=exponential)@5", "recall", "ap(divisor=relevant)", "ap(at=places)@5"]
    aggregates = ["mean", "median", "ci(0.95)"]
    # the error of clusters needs the mean of all lists first, so one window has all rows in one partition
    result = rm.evaluate(tables[recs], tables[truth], asked, by=by, aggregates=aggregates, cluster=[])
    assert set(result.layout.systems) == systems
    for frame in (result.summary(), result.per_list(), result.account()):
        assert faults(frame, systems) == []


def test_the_plan_that_was_run_is_no_other(session: Any, tables: dict[str, Any]) -> None:
    for recs in ("ranked", "scored"):
        frame = rm.evaluate(tables[recs], tables["truth"], ["ndcg@5,10", "recall@5", "ap@5"]).summary()
        assert len(frame.collect()) == 3
        assert faults(frame, {"algorithm"}) == []


def test_recommendations_are_read_once_for_ranks_and_once_for_systems(session: Any, tables: dict[str, Any]) -> None:
    frame = rm.evaluate(tables["ranked"], tables["truth"], ["ndcg@5,10", "recall@5", "ap@5", "hit@5"]).summary()
    files = [one.metadata().get("Location").get() for one in walk(plan_of(frame)) if kind(one) == "FileSourceScan"]
    assert sum("ranked.parquet" in one for one in files) == 2


# Not replanned: a plan that has not run yet is the same in both sessions, and the whole catalogue takes long.
@pytest.mark.parametrize("session", ["false"], ids=["as_planned"], indirect=True)
@pytest.mark.parametrize("by", [None, []], ids=["by_system", "in_one_row"])
def test_every_metric_is_measured_partition_by_partition(
    session: Any, tables: dict[str, Any], by: list[str] | None
) -> None:
    by_name = matrix.variants()
    if by == []:
        del by_name["exposure_entropy"]  # below
    left = iter(dict.fromkeys(one for of in by_name.values() for one in of))
    while chunk := [*islice(left, matrix.AT_ONCE)]:
        assert faults(evaluate(tables, chunk, by=by).summary(), {"algorithm"}) == [], chunk


def test_the_account_of_every_input_is_counted_partition_by_partition(session: Any, tables: dict[str, Any]) -> None:
    names = ["surprisal", "unexpectedness", "category_diversity", "embedding_diversity", "list_diversity", "coverage"]
    account = evaluate(tables, [rm.Metric(name, {}, 5) for name in names]).account()
    assert faults(account, {"algorithm"}) == []


def test_the_entropy_of_all_systems_is_measured_partition_by_partition(session: Any, tables: dict[str, Any]) -> None:
    assert faults(evaluate(tables, matrix.variants()["exposure_entropy"], by=[]).summary(), {"algorithm"}) == []


# --- what would be found ----------------------------------------------------------------------------------------------

BAD = {
    "a window over all recommendations": (
        "one partition",
        "SELECT user, item, ROW_NUMBER() OVER (ORDER BY score DESC) AS place FROM {recs}",
    ),
    "lists crossed with systems, without a hint": (
        "paired with all",
        "SELECT * FROM (SELECT DISTINCT user FROM {truth}) CROSS JOIN (SELECT DISTINCT algorithm FROM {recs})",
    ),
    "recommendations sent to every task": (
        "may be many",
        "SELECT /*+ BROADCAST(r) */ t.item FROM {truth} AS t JOIN {recs} AS r ON r.user = t.user AND r.item = t.item",
    ),
}


@pytest.mark.parametrize("what", BAD)
def test_what_does_not_scale_is_found(session: Any, tables: dict[str, Any], what: str) -> None:
    told, sql = BAD[what]
    found = faults(session.sql(sql, recs=tables["recs"], truth=tables["truth"]), {"algorithm"})
    assert any(told in one for one in found), found


@pytest.mark.parametrize(
    ("taken_out", "told"),
    [(r"PARTITION BY `algorithm`, `user`", "one partition"), (r"/\*\+ BROADCAST\(`systems`\) \*/", "paired with all")],
    ids=["a_partition", "a_hint"],
)
def test_the_query_without_what_makes_it_scale_is_found(
    session: Any, tables: dict[str, Any], taken_out: str, told: str
) -> None:
    result = rm.evaluate(tables["scored"], tables["truth"], ACCURACY)
    text = result.to_sql(recs="the_recs", truth="the_truth").replace("{", "{{").replace("}", "}}")
    for name in ("recs", "truth"):
        text = text.replace(f"`the_{name}`", f"{{{name}}}")

    def planned(sql: str) -> list[str]:
        return faults(session.sql(sql, recs=tables["scored"], truth=tables["truth"]), {"algorithm"})

    assert planned(text) == []
    assert re.search(taken_out, text)
    assert any(told in one for one in planned(re.sub(taken_out, "", text)))
