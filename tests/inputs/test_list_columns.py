"""List columns that an input calls otherwise: matched under usual names, asked about where several could be meant."""

from __future__ import annotations

import polars as pl
import pytest

import rankmetrics as rm
from tests.support.engines import Engine
from tests.support.layouts import RECS, TRUTH, evaluate, value
from tests.support.refusals import refusal


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("userId", "user_id"), ("user", "customer"), ("qid", "query"), ("Visitor-ID", "user"), ("Fold No", "fold_no")],
)
def test_one_list_column_under_two_usual_names_is_one_column(engine: Engine, ours: str, theirs: str) -> None:
    result = evaluate(engine, RECS.rename({"user": ours}), TRUTH.rename({"user": theirs}))
    assert value(result) == [0.75]
    assert f"list columns of the truth under another name: {theirs} = {ours}" in result.notes()


def test_recs_with_user_id_spelled_otherwise_are_not_matched_on_the_fold_alone(engine: Engine) -> None:
    recs, truth = (frame.with_columns(fold=1) for frame in (RECS, TRUTH))
    result = evaluate(engine, recs.rename({"user": "userId"}), truth.rename({"user": "user_id"}))
    assert result.layout.truth_lists == ("userId", "fold")
    assert value(result) == [0.75]


def test_a_truth_whose_owner_has_an_unusual_name_is_not_matched_on_the_fold_alone(engine: Engine) -> None:
    recs, truth = (frame.with_columns(fold=1) for frame in (RECS, TRUTH))
    truth = truth.rename({"user": "reader"})
    with refusal(rm.ColumnError, "no column 'user'", "matched by 'fold' alone", "'reader'", 'lists={"user": "reader"}'):
        evaluate(engine, recs, truth)
    assert value(evaluate(engine, recs, truth, columns=rm.Columns(lists={"user": "reader"}))) == [0.75]
    assert evaluate(engine, recs, truth, truth_lists=["fold"]).layout.truth_lists == ("fold",)


def test_a_list_column_that_looks_like_another_is_asked_about(engine: Engine) -> None:
    recs, truth = RECS.with_columns(folds=1), TRUTH.with_columns(fold=1)
    with refusal(rm.ColumnError, "'folds' looks like its column 'fold'", 'lists={"folds": "fold"}'):
        evaluate(engine, recs, truth)


def test_two_columns_that_could_be_the_owner_are_asked_about(engine: Engine) -> None:
    truth = TRUTH.rename({"user": "user_id"}).with_columns(customer=1)
    with refusal(rm.ColumnError, "Which column of the truth is 'user'", "'user_id' and 'customer'"):
        evaluate(engine, RECS, truth)
    with refusal(rm.ColumnError, "is 'user' of the recommendations", "The recommendations have 'user' and 'customer'"):
        evaluate(engine, RECS.with_columns(customer=1), TRUTH.rename({"user": "user_id"}))


def test_a_mapping_of_list_columns_is_checked(engine: Engine) -> None:
    with refusal(rm.ColumnError, "'usr' identifies no list", "Did you mean 'user'?"):
        evaluate(engine, RECS, TRUTH, columns=rm.Columns(lists={"usr": "user"}))
    with refusal(rm.ColumnError, "No column 'owner' in the truth"):
        evaluate(engine, RECS, TRUTH, columns=rm.Columns(lists={"user": "owner"}))


def test_a_history_may_call_the_owner_otherwise(engine: Engine) -> None:
    history = pl.DataFrame({"user_id": [1, 2], "item": [7, 9]})
    result = evaluate(engine, RECS, TRUTH, "unseen@2", history=engine.give(history))
    assert value(result, "unseen@2") == [0.5]


def test_lists_that_only_an_absent_column_of_by_tells_apart_are_told(engine: Engine) -> None:
    recs = pl.concat([RECS.with_columns(algorithm=pl.lit(one)) for one in "abcde"])
    notes = evaluate(engine, recs, TRUTH, by=[]).notes()
    told = "Warning: 5 lists are averaged for each list of the truth. They differ in algorithm"
    assert [one for one in notes if one.startswith(told)]
    assert not [one for one in evaluate(engine, recs, TRUTH).notes() if "averaged for each" in one]
