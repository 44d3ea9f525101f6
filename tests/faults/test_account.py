"""The account: every count as its twin counts it in generated problems, and the rules that the counts follow."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankmetrics as rm
from rankmetrics.planner import Diagnostics
from rankmetrics.planner.formulas import shared_policies
from tests.support import problems, twin_account
from tests.support.drawing import examples
from tests.support.engines import LOCAL, Engine
from tests.support.problems import FAMILIES, METRICS
from tests.support.refusals import RECS, TRUTH


def assert_counts(engine: Engine, result: rm.Result, world: problems.World) -> None:
    """Assert that an engine counts what the twin does, of every system, and beside the means."""
    question = result._queries.planned(counts=True, diagnostics=Diagnostics(counts_idle=True)).plan.question
    expected = twin_account.account(world.inputs, world.asked, world.by, shared_policies(question), question.depth)
    account = engine.read(result.account())
    found = {row[:-1]: row[-1] for row in account.rows() if not row[-2].startswith("columns of the")}
    assert len(found) == account.filter(~pl.col(account.columns[-2]).str.starts_with("columns of the")).height, (
        "a count is there twice"
    )
    # where there is nothing to count there may be no row; nor does the twin know the columns of an input without rows
    pairs = {key: (found.get(key, 0), expected.get(key, 0)) for key in found.keys() | expected.keys()}
    assert {key: pair for key, pair in pairs.items() if pair[0] != pair[1]} == {}, f"found, expected: {engine}"
    try:
        collected = result.collect()
    except rm.DataError:
        return  # some of these worlds are refused
    for row in collected.rows(named=True):
        of = tuple(row[name] for name in collected.columns[: len(world.by)])
        assert row["n_missing"] == expected.get((*of, "lists_missing"), 0)
        undefined = [n for key, n in expected.items() if key[:-1] == of and str(key[-1]).startswith("undefined ")]
        assert row.get("n_undefined", 0) == max(undefined, default=0)


@examples(25)
@given(data=st.data())
def test_every_count_is_as_the_twin_counts(data: st.DataObject) -> None:
    family = data.draw(st.sampled_from([*FAMILIES.values(), METRICS]))
    world = data.draw(problems.worlds([*family]))
    engine = data.draw(st.sampled_from(LOCAL))
    assert_counts(engine, world.evaluate(engine), world)


@pytest.mark.long
@examples(60)
@given(world=problems.odd_worlds())
def test_every_count_is_as_the_twin_counts_whatever_the_ids_and_the_ties(world: problems.World) -> None:
    world = replace(world, metrics=list(dict.fromkeys([*world.metrics, rm.ndcg @ 2])))
    for engine in LOCAL:
        assert_counts(engine, world.evaluate(engine), world)


def counted(engine: Engine, recs: Any, truth: Any, metrics: Any, **options: Any) -> dict[str, int]:
    """The account, summed over systems."""
    result = rm.evaluate(engine.give(pl.DataFrame(recs)), engine.give(pl.DataFrame(truth)), metrics, **options)
    account = engine.read(result.account())
    return dict(account.group_by("account").agg(pl.col("n").sum()).rows())


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
    recs = pl.DataFrame(
        {"system": ["a", "a", "b"], "user": [1, 2, 1], "item": [7, 8, 7], "rank": [1, 1, 1]},
    )
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


def test_a_list_counts_as_undefined_only_for_metrics_that_are_taken_over_it(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1, 2], "item": [7, 8], "rank": [1, 1]})
    truth = pl.DataFrame({"user": [1, 3], "item": [7, 9], "rating": [1, 0]})
    for metrics, n in ((["hit(missing=zero)@1", "hit(missing=skip)@1"], 1), (["hit(missing=skip)@1"], 0)):
        result = rm.evaluate(engine.give(recs), engine.give(truth), metrics)
        frame = result.collect()
        assert (frame["n_undefined"].item() if "n_undefined" in frame.columns else 0) == n


def test_the_counts_have_names_of_their_own_beside_columns_that_are_called_so(engine: Engine) -> None:
    recs = pl.DataFrame({"n_missing": ["a"], "N_undefined": ["b"], "user": [1], "item": [7], "rank": [1]})
    truth = pl.DataFrame({"user": [1, 2], "item": [7, 8], "rating": [1, 0]})
    result = rm.evaluate(engine.give(recs), engine.give(truth), "rr", by=["n_missing", "N_undefined"])
    frame = result.collect()
    assert frame.columns == ["n_missing", "N_undefined", "n_lists", "n_missing_", "n_undefined_", "rr"]
    assert frame.rows() == [("a", "b", 2, 1, 1, 1.0)]


def test_columns_that_are_not_used_are_named(engine: Engine) -> None:
    recs = {"user": [1], "item": [7], "rank": [1], "timestamp": [5], "label": [0]}
    truth = {"user": [1], "item": [7], "comment": ["fine"]}
    found = counted(engine, recs, truth, "hit@1", lists=["user"])
    assert found["columns of the recommendations that are not used: timestamp, label"] == 2
    assert found["columns of the truth that are not used: comment"] == 1


# --- rows that are counted and never refused --------------------------------------------------------------------------


def test_the_account_has_the_columns_of_by_the_name_and_the_count(engine: Engine) -> None:
    recs = pl.concat(RECS.with_columns(algorithm=pl.lit(name), day=1) for name in ("a", "b"))
    result = rm.evaluate(engine.give(recs), engine.give(TRUTH), "hit@1", by=["day", "algorithm"])
    account = engine.read(result.account())
    assert account.columns == ["day", "algorithm", "account", "n"]
    of_systems = account.filter(pl.col("account") == "lists_scored").drop("account").sort("algorithm")
    assert of_systems.rows() == [(1, "a", 2), (1, "b", 2)]
    of_truth = account.filter(pl.col("account") == "truth_lists").drop("account")
    assert of_truth.rows() == [(None, None, 2)]
