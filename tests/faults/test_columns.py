"""Inputs that were swapped, and columns that describe items: refused once the data is seen."""

from __future__ import annotations

from datetime import datetime

import polars as pl
import pytest

import rankmetrics as rm
from tests.support.engines import Engine
from tests.support.layouts import RECS, TRUTH, evaluate, refusal, value

# --- the two inputs swapped, or two runs ------------------------------------------------------------------------------


def test_a_run_in_the_place_of_the_truth_is_refused_by_its_ranks(engine: Engine) -> None:
    run = RECS.with_columns(rank=pl.Series([1, 2, 1, 2]))
    with refusal(rm.ColumnError, "The truth has a rank column 'rank'", 'truth_columns=rm.Columns(item="item")'):
        evaluate(engine, RECS, run)
    assert value(evaluate(engine, RECS, run, truth_columns=rm.Columns(item="item", rating="score"))) == [1.0]


def test_a_run_in_the_place_of_the_truth_is_refused_by_its_scores(engine: Engine) -> None:
    with refusal(rm.ColumnError, "The truth has a score column 'score'", 'rating="score"'):
        evaluate(engine, RECS, RECS)


def test_a_run_in_the_place_of_the_truth_is_refused_by_what_its_ratings_are(engine: Engine) -> None:
    users = [user for user in range(1, 9) for _ in range(5)]
    run = pl.DataFrame({"user": users, "item": [*range(5)] * 8, "relevance": [1 / (place + 2) for place in range(40)]})
    result = evaluate(engine, run, run.with_columns(relevance=pl.col("relevance") / 3))
    with refusal(rm.DataError, "'relevance' is taken as ratings", "as scores do", 'rm.Columns(rating="relevance")'):
        result.check()
    assert value(evaluate(engine, run, run, columns=rm.Columns(rating="relevance"))) == [1.0]


def test_graded_ratings_called_relevance_are_no_scores(engine: Engine) -> None:
    users = [user for user in range(1, 9) for _ in range(5)]
    truth = pl.DataFrame({"user": users, "item": [*range(5)] * 8, "relevance": [0.5, 1.0, 2.0, 3.5, 4.0] * 8})
    evaluate(engine, truth.rename({"relevance": "score"}), truth).check()


def test_swapped_inputs_are_told(engine: Engine) -> None:
    with refusal(rm.ColumnError, "neither a rank nor a score", "The truth has 'score': were the two inputs swapped?"):
        evaluate(engine, TRUTH, RECS)


# --- columns that describe items --------------------------------------------------------------------------------------

USERS, ITEMS = range(1, 21), range(1, 11)
MANY = pl.DataFrame(
    [
        {"algorithm": algorithm, "user": user, "item": (user + place) % 10, "score": 1 - place / 10}
        for algorithm in ("als", "knn")
        for user in USERS
        for place in range(4)
    ]
)
MANY_TRUE = pl.DataFrame({"user": [*USERS], "item": [user % 10 for user in USERS]})


def test_a_column_that_describes_items_identifies_no_list(engine: Engine) -> None:
    recs = MANY.with_columns(shelf=pl.col("item") % 3)
    with refusal(rm.DataError, "'shelf'", "one value for each item", 'lists=["algorithm", "user"]'):
        evaluate(engine, recs, MANY_TRUE).check()
    assert value(evaluate(engine, recs, MANY_TRUE, lists=["algorithm", "user"])) == [1.0, 1.0]


def test_a_column_that_describes_items_may_be_named_to_identify_lists(engine: Engine) -> None:
    recs = MANY.with_columns(shelf=pl.col("item") % 3)
    evaluate(engine, recs, MANY_TRUE, lists=["algorithm", "user", "shelf"]).check()


@pytest.mark.parametrize("name", ["genre", "timestamp", "price"])
def test_a_column_called_as_descriptions_are_is_asked_about_at_once(engine: Engine, name: str) -> None:
    with refusal(rm.ColumnError, f"'{name}'", "would identify a list", 'lists=["algorithm", "user"]'):
        evaluate(engine, MANY.with_columns(pl.lit(3).alias(name)), MANY_TRUE)


def test_a_moment_is_asked_about_at_once(engine: Engine) -> None:
    with refusal(rm.ColumnError, "'shown'", "datetime", "would identify a list"):
        evaluate(engine, MANY.with_columns(shown=pl.lit(datetime(2026, 1, 1))), MANY_TRUE)


def test_a_column_that_makes_every_list_one_row_is_asked_about(engine: Engine) -> None:
    recs = MANY.with_row_index("event")
    with refusal(rm.DataError, "Most of the 160 lists hold one recommendation", "'event'", "40 lists are left"):
        evaluate(engine, recs, MANY_TRUE).check()


def test_systems_are_no_descriptions_of_items(engine: Engine) -> None:
    evaluate(engine, MANY, MANY_TRUE).check()
    evaluate(engine, MANY.filter(algorithm="als"), MANY_TRUE).check()  # a single system: the same for each item


def test_lists_of_one_item_with_a_rank_are_lists(engine: Engine) -> None:
    recs = MANY.filter(pl.col("score") == 1).with_columns(rank=1).drop("score")
    assert value(evaluate(engine, recs, MANY_TRUE)) == [1.0, 1.0]
