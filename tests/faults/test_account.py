"""The account: every count as its twin counts it in generated problems, and the rules that the counts follow."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankmetrics as rm
from rankmetrics.metrics.catalog import UNDEFINED, catalog
from rankmetrics.planner import Diagnostics
from rankmetrics.planner.formulas import shared_policies
from tests.support import flat, problems, twin
from tests.support.drawing import examples
from tests.support.engines import LOCAL, Engine
from tests.support.problems import FAMILIES, METRICS, OF_LOG, World
from tests.support.twin_account import Counts, counts_of_rows, twin_account
from tests.support.twin_inputs import Asked, Inputs


def assert_counts(engine: Engine, result: rm.Result, world: World) -> None:
    """Assert that an engine counts what the twin does, of every system, and beside the means."""
    question = result._queries.plan(counts=True, diagnostics=Diagnostics(counts_idle=True)).question
    expected = twin_account(world.inputs, world.asked, world.by, shared_policies(question), question.depth)
    assert_same_counts(engine, result, expected)
    try:
        collected = result.collect()
    except rm.DataError:
        return  # some of these worlds are refused
    for row in collected.rows(named=True):
        of = tuple(row[name] for name in collected.columns[: len(world.by)])
        if None in of:
            continue  # a total
        assert row["n_missing"] == expected.get((*of, "lists_missing"), 0)
        undefined = [n for key, n in expected.items() if key[:-1] == of and str(key[-1]).startswith("undefined ")]
        assert row.get("n_undefined", 0) == max(undefined, default=0)


def assert_same_counts(engine: Engine, result: rm.Result, expected: Counts, unknown: str = "") -> None:
    """Assert that the account has the expected counts, and none beside them but those of a pattern."""
    account = engine.read(result.account())
    rows = [row for row in account.rows() if not re.match("columns of the" + unknown, row[-2])]
    found = {row[:-1]: row[-1] for row in rows}
    assert len(found) == len(rows), "a count is there twice"
    # where there is nothing to count there may be no row; nor does the twin know the columns of an input without rows
    pairs = {key: (found.get(key, 0), expected.get(key, 0)) for key in found.keys() | expected.keys()}
    assert {key: pair for key, pair in pairs.items() if pair[0] != pair[1]} == {}, f"found, expected: {engine}"


def test_every_count_has_a_twin() -> None:
    """A count whose file is new has no twin yet: write it, or list the count here with the reason."""
    not_recounted = dict.fromkeys(["labels_alike", "labels_known"], "of what was shown: inputs/test_impressions.py")
    row: dict[str, Any] = {"user": 1, "item": 1, "other": 2, "rank": 1.0, "score": 1.0, "rating": 1.0, "category": "x"}
    row |= {"reward": 1.0, "expected_reward": 1.0, "propensity": 0.5, "probability": 0.5, "popularity": 1.0}
    row |= {"embedding": [1.0], "similarity": 1.0}
    names = ("recs", "truth", "history", "baseline", "log", "items", "similarity", "catalog", "candidates")
    given: dict[str, Any] = {name: [{**row, "score": score} for score in (0.0, 1.0, 1.0)] for name in names}
    inputs = Inputs(**given, columns={name: ["user"] for name in names})
    labels = ("hit", "ndcg(gain=binary,rel=1)", "hit(weights=ips)", "precision(unjudged=removed)@1")
    asked = {label: Asked(metric.name, metric.k, metric.settings) for label in labels for metric in [rm.parse(label)]}
    counts = [*twin_account(inputs, asked, [], {}, None), *counts_of_rows(inputs, asked, [], {}, None, "given")]
    known = {str(name) for (name,) in counts if not str(name).startswith(UNDEFINED)}
    assert known | {*not_recounted} == {count.name for count in catalog().all("account")}
    assert not known & {*not_recounted}


@st.composite
def with_systems(draw: st.DrawFn, world: World) -> World:
    """A world that names systems, with recommendations or without, and has totals, where this is possible."""
    inputs, own, more = world.inputs, world.inputs.own, dict[str, Any]()
    if (
        len(own) == 1
        and {*own} <= {*world.by}
        and not {*missing_of(world)} <= {"skip", "listed"}
        and draw(st.booleans())
    ):
        named = draw(st.lists(st.integers(1, 4), min_size=1, max_size=2, unique=True))
        more["systems"], inputs = named, replace(inputs, named=[(one,) for one in named])
    if world.by and all(one.name in twin.OF_LISTS for one in world.metrics):
        more["rollup"] = draw(st.booleans())
    return replace(world, inputs=inputs, more=more)


def missing_of(world: World) -> Sequence[str]:
    return [asked.policy("missing") for asked in world.asked.values()]


@examples(25)
@given(data=st.data())
def test_every_count_is_as_the_twin_counts(data: st.DataObject) -> None:
    family = data.draw(st.sampled_from([*FAMILIES.values(), METRICS]))
    world = data.draw(with_systems(data.draw(problems.worlds([*family]))))
    engine = data.draw(st.sampled_from(LOCAL))
    assert_counts(engine, world.evaluate(engine), world)


@pytest.mark.long
@examples(60)
@given(world=problems.odd_worlds())
def test_every_count_is_as_the_twin_counts_whatever_the_ids_and_the_ties(world: World) -> None:
    world = replace(world, metrics=list(dict.fromkeys([*world.metrics, rm.ndcg @ 2])))
    for engine in LOCAL:
        assert_counts(engine, world.evaluate(engine), world)


# Values that `worlds` does not draw, by input and column.
WRONG: Mapping[str, Mapping[str, Sequence[Any]]] = {
    "recs": {
        "rank": (None, 0.0, -1.0, 3.0, 1.25, 2.0**53 + 2),  # engines make different whole numbers of 1.5
        "probability": (None, math.nan, -0.5, 1.5),
        "expected_reward": (None, math.nan, -math.inf),
    },
    "truth": {"rating": (math.inf, -math.inf)},
    "log": {"reward": (None, math.nan, math.inf), "propensity": (None, math.nan, 0.0, 1.5)},
    "items": {"embedding": ([1.0], [1.0, 0.5])},
}


@st.composite
def faulty_worlds(draw: st.DrawFn) -> World:
    """Worlds with wrong values, repeated rows and candidates, most of which are refused."""
    family = draw(st.sampled_from([*FAMILIES.values(), [*OF_LOG]]))
    world = draw(problems.worlds([*family]))
    changed: dict[str, Any] = {}
    for name, wrong in WRONG.items():
        rows = [dict(row) for row in getattr(world.inputs, name)]
        for row in rows:
            for column in row.keys() & wrong.keys():
                if draw(st.integers(0, 3)) == 3:
                    row[column] = draw(st.sampled_from(wrong[column]))
        repeated = draw(st.lists(st.sampled_from(rows), max_size=2)) if rows and name in ("recs", "log") else []
        changed[name] = [*rows, *repeated]
    types, columns = {name: {**of} for name, of in world.types.items()}, {**world.inputs.columns}
    if "rank" in types["recs"]:
        types["recs"]["rank"] = pl.Float64
        changed["recs"] = [{**row, "rank": row["rank"] and float(row["rank"])} for row in changed["recs"]]
    if draw(st.booleans()):
        columns["candidates"] = draw(st.sampled_from([columns["truth"], columns["truth"][:1]]))
        values = {**dict.fromkeys(columns["candidates"], st.sampled_from([1, 2, 3, None]))}
        item = st.sampled_from([row["item"] for row in world.inputs.truth] + [row["item"] for row in world.inputs.recs])
        changed["candidates"] = draw(st.lists(st.fixed_dictionaries({**values, "item": item}), min_size=1, max_size=9))
        types["candidates"] = {one: types["truth"][one] for one in [*columns["candidates"], "item"]}
    more = {"ranks": draw(st.sampled_from(["checked", "given"]))} if "rank" in types["recs"] else {}
    return replace(world, inputs=replace(world.inputs, **changed, columns=columns), types=types, more=more)


# Counts of lists in the means, and of weights, which are not those of the twin where values are wrong.
OF_VALUES = "|lists_(scored|missing|empty)|undefined |log_actions|log_(squared_)?importance|pairs_unknown"
OF_VALUES += "|propensities_invalid|relevant_weighted|weights_limited"


@examples(25)
@given(world=faulty_worlds(), engine=st.sampled_from(LOCAL))
def test_every_count_of_faulty_rows_is_as_the_twin_counts(world: World, engine: Engine) -> None:
    result = world.evaluate(engine)
    question = result._queries.plan(counts=True, diagnostics=Diagnostics(counts_idle=True)).question
    policies, ranks = shared_policies(question), world.more.get("ranks", "checked")
    expected = counts_of_rows(world.inputs, world.asked, world.by, policies, question.depth, ranks)
    assert_same_counts(engine, result, expected, OF_VALUES)


def counted(engine: Engine, recs: Any, truth: Any, metrics: Any, **options: Any) -> dict[str, int]:
    """The account, summed over systems."""
    result = flat.evaluate(engine.give(pl.DataFrame(recs)), engine.give(pl.DataFrame(truth)), metrics, **options)
    account = engine.read(result.account())
    return dict(account.group_by("account").agg(pl.col("n").sum()).rows())


def test_a_log_that_has_none_of_the_lists_has_no_importance(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [4], "item": [7], "rank": [1]})
    log = pl.DataFrame({"user": [2], "item": [7], "reward": [1.0], "propensity": [0.5]})
    account = rm.evaluate(engine.give(recs), log=engine.give(log), metrics="snips", missing="listed").account()
    counts = dict(engine.read(account).select("account", "n").rows())
    assert {counts.get(name, 0) for name in ("log_importance", "log_squared_importance")} == {0}


def test_a_repeat_of_an_item_that_is_not_relevant_is_refused_where_repeats_are(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1, 1, 1], "item": [7, 8, 8], "rank": [1, 2, 3]})
    truth = pl.DataFrame({"user": [1], "item": [7]})
    result = rm.evaluate(engine.give(recs), engine.give(truth), "hit@1", duplicates="error")
    with pytest.raises(
        rm.DataError, match=r"1 recommendations of an item that their list has already.*\(1, 8\)|such as"
    ):
        result.collect()
    assert rm.evaluate(engine.give(recs), engine.give(truth), "hit@1").collect()["hit@1"].item() == 1.0


def test_the_rows_say_how_many_lists_are_missing_and_undefined_of_each(engine: Engine) -> None:
    recs = pl.DataFrame({"system": ["a", "a", "b"], "user": [1, 2, 1], "item": [7, 8, 7], "rank": [1, 1, 1]})
    truth = pl.DataFrame({"user": [1, 2, 3], "item": [7, 8, 9], "rating": [1, 1, 0]})
    result = rm.evaluate(engine.give(recs), engine.give(truth), ["hit@1", "rr"])
    for _ in range(2):  # the second time without the account
        frame = result.collect().sort("system")
        assert frame.columns == ["system", "n_lists", "n_missing", "n_undefined", "hit@1", "rr"]
        assert frame["n_missing"].to_list() == [1, 2]
        assert frame["n_undefined"].to_list() == [1, 1]
    without = rm.evaluate(engine.give(recs), engine.give(truth), "n_recommended").collect()
    assert without.columns == ["system", "n_lists", "n_missing", "n_recommended"]
    assert engine.read(result.summary()).columns == ["system", "n_lists", "hit@1", "rr"]


def test_the_counts_have_names_of_their_own_beside_columns_that_are_called_so(engine: Engine) -> None:
    recs = pl.DataFrame({"n_missing": ["a"], "N_undefined": ["b"], "user": [1], "item": [7], "rank": [1]})
    truth = pl.DataFrame({"user": [1, 2], "item": [7, 8], "rating": [1, 0]})
    result = rm.evaluate(engine.give(recs), engine.give(truth), "rr", by=["n_missing", "N_undefined"])
    frame = result.collect()
    assert frame.columns == ["n_missing", "N_undefined", "n_lists", "n_missing_", "n_undefined_", "rr"]
    assert frame.rows() == [("a", "b", 2, 1, 1, 1.0)]
