"""What is never refused, but counted: rows without an id, scores without a value, ties."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.support.engines import Engine, means
from tests.support.misleading import LONG, LONG_TRUE
from tests.support.refusals import RECS, TRUTH


def counted(engine: Engine, result: rm.Result) -> dict[str, int]:
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
    assert counted(engine, result)["recs_with_null_id"] == n
    assert means(result).to_dicts() == [{"n_lists": 2, "hit@2": 1.0, "n_recommended": 2.0}]


def test_recommendations_with_a_null_in_a_system_column_are_left_out_and_counted(engine: Engine) -> None:
    recs = pl.concat(RECS.with_columns(algorithm=pl.lit(name, pl.String)) for name in ("a", None))
    result = rm.evaluate(engine.give(recs), engine.give(TRUTH), "hit@2")
    assert counted(engine, result)["recs_with_null_id"] == RECS.height
    assert means(result).to_dicts() == [{"algorithm": "a", "n_lists": 2, "hit@2": 1.0}]


def test_a_recommendation_whose_every_id_is_null_is_counted_once(engine: Engine) -> None:
    recs = with_row(RECS, user=[None], item=[None], rank=[1])
    assert counted(engine, rm.evaluate(engine.give(recs), engine.give(TRUTH), "hit@2"))["recs_with_null_id"] == 1


@pytest.mark.parametrize("row", [{"user": [None], "item": [7]}, {"user": [3], "item": [None]}], ids=["list", "item"])
def test_rows_of_the_truth_with_a_null_id_are_left_out_and_counted(engine: Engine, row: dict[str, Any]) -> None:
    result = rm.evaluate(engine.give(RECS), engine.give(with_row(TRUTH, **row)), ["hit@2", "n_relevant"])
    assert counted(engine, result)["truth_with_null_id"] == 1
    assert means(result).to_dicts() == [{"n_lists": 2, "hit@2": 1.0, "n_relevant": 1.0}]


def test_null_and_nan_scores_are_counted_and_rank_last(engine: Engine) -> None:
    nan = float("nan")
    recs = pl.DataFrame({"user": [1, 1, 1, 2, 2], "item": [1, 2, 3, 1, 3], "score": [None, nan, -9.0, nan, -9.0]})
    truth = pl.DataFrame({"user": [1, 2], "item": [3, 3]})
    result = rm.evaluate(engine.give(recs), engine.give(truth), "rr")
    assert counted(engine, result)["recs_without_score"] == 3
    assert result.collect()["rr"].item() == 1.0


def test_null_and_nan_scores_are_alike(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1, 1, 2, 2], "item": [1, 2, 1, 2], "score": [None, float("nan"), float("nan"), None]})
    truth = pl.DataFrame({"user": [1, 2], "item": [1, 1]})
    result = rm.evaluate(engine.give(recs), engine.give(truth), "rr")
    assert result.collect()["rr"].item() == 1.0  # the lower item stands first, whichever it has
    assert counted(engine, result)["lists_tied"] == 2


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
    assert counted(engine, result)["recs_without_score"] == 4
    assert counted(engine, result)["lists_tied"] == 0


@pytest.mark.parametrize(("ties", "rr"), [("item", 1.0), ("item_desc", 1 / 3)])
def test_lists_whose_scores_are_all_equal_are_counted_as_tied(engine: Engine, ties: Any, rr: float) -> None:
    recs = LONG.drop("rank").with_columns(score=pl.lit(0.5))
    result = rm.evaluate(engine.give(recs), engine.give(LONG_TRUE[:5]), "rr", ties=ties)
    assert counted(engine, result)["lists_tied"] == 5
    assert result.collect()["rr"].item() == pytest.approx(rr)


def test_a_tie_across_the_cutoff_is_counted_and_one_below_it_is_not(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1, 1, 1, 1], "item": [1, 2, 3, 4], "score": [0.9, 0.8, 0.7, 0.7]})
    truth = pl.DataFrame({"user": [1], "item": [1]})
    tied = {
        k: counted(engine, rm.evaluate(engine.give(recs), engine.give(truth), f"hit@{k}"))["lists_tied"]
        for k in (1, 2, 3, 4)
    }
    assert tied == {1: 0, 2: 0, 3: 1, 4: 1}
