"""The account: every count as its twin counts it in generated problems, and the rules that the counts follow."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankmetrics as rm
from rankmetrics.planner import Diagnostics, shared_policies
from tests.support import problems, twin_account
from tests.support.drawing import examples
from tests.support.engines import LOCAL, Engine, means
from tests.support.faults import LONG, LONG_TRUE
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


@examples(40)
@given(data=st.data())
def test_every_count_is_as_the_twin_counts(data: st.DataObject) -> None:
    family = data.draw(st.sampled_from([*FAMILIES.values(), METRICS]))
    world = data.draw(problems.worlds([*family]))
    for engine in LOCAL:
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


@pytest.mark.parametrize(
    ("items", "ties", "missing", "k"),
    [
        ([True, True, False, True], "item", "zero", 1),
        ([7, 7, 8, 7], "item_desc", "zero", 1),
        ([7, 7, 8, 7], "item", "listed", 4),
        (["a", "a", "b", "a"], "item_desc", "listed", 1),
    ],
)
def test_what_is_repeated_is_counted_of_all_rows_whatever_the_cutoff_and_the_ties(
    engine: Engine, items: list[Any], ties: Any, missing: Any, k: int
) -> None:
    recs = {"user": [1] * 4 + [2, 2], "item": [*items, items[0], items[2]], "score": [1.0] * 6}
    truth = {"user": [1], "item": [items[2]]}
    found = counted(engine, recs, truth, rm.ndcg @ k, ties=ties, missing=missing)
    assert found["recs_repeated"] == 2
    assert (found["items_recommended"], found["items_unjudged"]) == (2, 1)


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


def test_pairs_that_nobody_compared_are_counted_in_the_order_of_the_metrics(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1, 1, 1], "item": [1, 2, 3], "score": [0.5, 0.5, 0.5]})
    similarity = engine.give(pl.DataFrame({"item": [1], "other": [2], "similarity": [1.0]}))
    truth = pl.DataFrame({"user": [1], "item": [1]})
    for ties, n in (("item", 0), ("item_desc", 1)):
        found = counted(engine, recs, truth, "list_diversity@2", ties=ties, similarity=similarity)
        assert found["pairs_unknown"] == n


# --- rows that are counted and never refused --------------------------------------------------------------------------


def counts_of(engine: Engine, result: rm.Result) -> dict[str, int]:
    """The account by name, summed over systems, of a result that is not refused."""
    result.check()
    found: dict[str, int] = {}
    for row in engine.read(result.account()).to_dicts():
        found[row["account"]] = found.get(row["account"], 0) + row["n"]
    return found


def with_row(frame: pl.DataFrame, **row: object) -> pl.DataFrame:
    return pl.concat([frame, pl.DataFrame(row, schema=frame.schema)])


def test_the_account_has_the_columns_of_by_the_name_and_the_count(engine: Engine) -> None:
    recs = pl.concat(RECS.with_columns(algorithm=pl.lit(name), day=1) for name in ("a", "b"))
    result = rm.evaluate(engine.give(recs), engine.give(TRUTH), "hit@1", by=["day", "algorithm"])
    account = engine.read(result.account())
    assert account.columns == ["day", "algorithm", "account", "n"]
    of_systems = account.filter(pl.col("account") == "lists_scored").drop("account").sort("algorithm")
    assert of_systems.rows() == [(1, "a", 2), (1, "b", 2)]
    of_truth = account.filter(pl.col("account") == "truth_lists").drop("account")
    assert of_truth.rows() == [(None, None, 2)]


def test_the_account_of_one_system_has_a_name_and_a_count(engine: Engine) -> None:
    account = engine.read(rm.evaluate(engine.give(RECS), engine.give(TRUTH), "hit@1").account())
    assert account.columns == ["account", "n"]


@pytest.mark.parametrize(
    ("row", "n"),
    [({"user": [None], "item": [7], "rank": [3]}, 1), ({"user": [2], "item": [None], "rank": [3]}, 1)],
    ids=["list", "item"],
)
def test_recommendations_with_a_null_id_are_left_out_and_counted(engine: Engine, row: dict[str, Any], n: int) -> None:
    result = rm.evaluate(engine.give(with_row(RECS, **row)), engine.give(TRUTH), ["hit@2", "n_recommended"])
    assert counts_of(engine, result)["recs_with_null_id"] == n
    assert means(result).to_dicts() == [{"n_lists": 2, "hit@2": 1.0, "n_recommended": 2.0}]


def test_recommendations_with_a_null_in_a_system_column_are_left_out_and_counted(engine: Engine) -> None:
    recs = pl.concat(RECS.with_columns(algorithm=pl.lit(name, pl.String)) for name in ("a", None))
    result = rm.evaluate(engine.give(recs), engine.give(TRUTH), "hit@2")
    assert counts_of(engine, result)["recs_with_null_id"] == RECS.height
    assert means(result).to_dicts() == [{"algorithm": "a", "n_lists": 2, "hit@2": 1.0}]


def test_a_recommendation_whose_every_id_is_null_is_counted_once(engine: Engine) -> None:
    recs = with_row(RECS, user=[None], item=[None], rank=[1])
    assert counts_of(engine, rm.evaluate(engine.give(recs), engine.give(TRUTH), "hit@2"))["recs_with_null_id"] == 1


@pytest.mark.parametrize("row", [{"user": [None], "item": [7]}, {"user": [3], "item": [None]}], ids=["list", "item"])
def test_rows_of_the_truth_with_a_null_id_are_left_out_and_counted(engine: Engine, row: dict[str, Any]) -> None:
    result = rm.evaluate(engine.give(RECS), engine.give(with_row(TRUTH, **row)), ["hit@2", "n_relevant"])
    assert counts_of(engine, result)["truth_with_null_id"] == 1
    assert means(result).to_dicts() == [{"n_lists": 2, "hit@2": 1.0, "n_relevant": 1.0}]


def test_null_and_nan_scores_are_counted_and_rank_last(engine: Engine) -> None:
    nan = float("nan")
    recs = pl.DataFrame({"user": [1, 1, 1, 2, 2], "item": [1, 2, 3, 1, 3], "score": [None, nan, -9.0, nan, -9.0]})
    truth = pl.DataFrame({"user": [1, 2], "item": [3, 3]})
    result = rm.evaluate(engine.give(recs), engine.give(truth), "rr")
    assert counts_of(engine, result)["recs_without_score"] == 3
    assert result.collect()["rr"].item() == 1.0


def test_null_and_nan_scores_are_alike(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1, 1, 2, 2], "item": [1, 2, 1, 2], "score": [None, float("nan"), float("nan"), None]})
    truth = pl.DataFrame({"user": [1, 2], "item": [1, 1]})
    result = rm.evaluate(engine.give(recs), engine.give(truth), "rr")
    assert result.collect()["rr"].item() == 1.0  # the lower item stands first, whichever it has
    assert counts_of(engine, result)["lists_tied"] == 2


def test_infinite_scores_rank_as_they_are(engine: Engine) -> None:
    inf = float("inf")
    # the k-th best item is the relevant one of user k; a missing score is less than minus infinity
    recs = pl.DataFrame(
        {
            "user": [user for user in range(1, 5) for _ in range(4)],
            "item": [4, 1, 3, 2] * 4,
            "score": [None, inf, -inf, 1e300] * 4,
        }
    )
    truth = pl.DataFrame({"user": range(1, 5), "item": range(1, 5)})
    result = rm.evaluate(engine.give(recs), engine.give(truth), "rr")
    per_list = result.collect(per_list=True).sort("user")
    assert per_list["rr"].to_list() == [1 / 1, 1 / 2, 1 / 3, 1 / 4]
    assert counts_of(engine, result)["recs_without_score"] == 4
    assert counts_of(engine, result)["lists_tied"] == 0


@pytest.mark.parametrize(("ties", "rr"), [("item", 1.0), ("item_desc", 1 / 3)])
def test_lists_whose_scores_are_all_equal_are_counted_as_tied(engine: Engine, ties: Any, rr: float) -> None:
    recs = LONG.drop("rank").with_columns(score=pl.lit(0.5))
    result = rm.evaluate(engine.give(recs), engine.give(LONG_TRUE[:5]), "rr", ties=ties)
    assert counts_of(engine, result)["lists_tied"] == 5
    assert result.collect()["rr"].item() == pytest.approx(rr)


def test_a_tie_across_the_cutoff_is_counted_and_one_below_it_is_not(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1, 1, 1, 1], "item": [1, 2, 3, 4], "score": [0.9, 0.8, 0.7, 0.7]})
    truth = pl.DataFrame({"user": [1], "item": [1]})
    tied = {
        k: counts_of(engine, rm.evaluate(engine.give(recs), engine.give(truth), f"hit@{k}"))["lists_tied"]
        for k in (1, 2, 3, 4)
    }
    assert tied == {1: 0, 2: 0, 3: 1, 4: 1}


def test_a_system_without_lists_beyond_the_truth_counts_none() -> None:
    recs = pl.DataFrame({"system": ["a", "a", "b"], "user": [1, 2, 1], "item": [7, 7, 7], "rank": [1, 1, 1]})
    truth = pl.DataFrame({"user": [1], "item": [7]})
    account = rm.evaluate(recs, truth, "hit@1", lists=["system", "user"]).account().collect()
    counts = account.filter(pl.col("account") == "lists_without_truth").sort("system")
    assert counts.select("system", "n").rows() == [("a", 1), ("b", 0)]
