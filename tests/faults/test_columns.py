"""Inputs that were swapped, and columns that describe items: refused once the data is seen."""

from __future__ import annotations

from datetime import datetime

import polars as pl

import rankmetrics as rm
from tests.support.engines import Engine
from tests.support.layouts import RECS, TRUTH, evaluate, value
from tests.support.refusals import refusal

# tests/support/mistakes.py has more of them; here are those that look alike, and what makes them right.

USERS = [user for user in range(1, 9) for _ in range(5)]


def test_a_run_instead_of_the_truth_is_refused_unless_its_score_is_named_as_the_rating(engine: Engine) -> None:
    ranked = RECS.with_columns(rank=pl.Series([1, 2, 1, 2]))
    with refusal(rm.ColumnError, "The truth has a rank column 'rank'", 'truth_columns=rm.Columns(item="item")'):
        evaluate(engine, RECS, ranked)
    assert value(evaluate(engine, RECS, ranked, truth_columns=rm.Columns(item="item", rating="score"))) == [1.0]
    with refusal(rm.ColumnError, "The truth has a score column 'score'", 'rating="score"'):
        evaluate(engine, RECS, RECS)
    with refusal(rm.ColumnError, "neither a rank nor a score", "The truth has 'score': were the two inputs swapped?"):
        evaluate(engine, TRUTH, RECS)


def test_ratings_that_are_as_scores_are_refused_and_grades_are_not(engine: Engine) -> None:
    run = pl.DataFrame({"user": USERS, "item": [*range(5)] * 8, "relevance": [1 / (place + 2) for place in range(40)]})
    with refusal(rm.DataError, "'relevance' is taken as ratings", "as scores do", 'rm.Columns(rating="relevance")'):
        evaluate(engine, run, run.with_columns(relevance=pl.col("relevance") / 3)).check()
    assert value(evaluate(engine, run, run, columns=rm.Columns(rating="relevance"))) == [1.0]
    graded = run.with_columns(relevance=pl.Series([0.5, 1.0, 2.0, 3.5, 4.0] * 8))
    evaluate(engine, graded.rename({"relevance": "score"}), graded).check()


MANY = pl.DataFrame(
    [
        {"algorithm": algorithm, "user": user, "item": (user + place) % 10, "score": 1 - place / 10}
        for algorithm in ("als", "knn")
        for user in range(1, 21)
        for place in range(4)
    ]
)
MANY_TRUE = pl.DataFrame({"user": range(1, 21), "item": [user % 10 for user in range(1, 21)]})


def test_a_column_that_describes_items_identifies_lists_only_if_it_is_named(engine: Engine) -> None:
    recs = MANY.with_columns(shelf=pl.col("item") % 3)
    with refusal(rm.DataError, "'shelf'", "one value for each item", 'lists=["algorithm", "user"]'):
        evaluate(engine, recs, MANY_TRUE).check()
    assert value(evaluate(engine, recs, MANY_TRUE, lists=["algorithm", "user"])) == [1.0, 1.0]
    evaluate(engine, recs, MANY_TRUE, lists=["algorithm", "user", "shelf"]).check()


def test_a_column_called_or_typed_as_descriptions_are_is_asked_about_at_once(engine: Engine) -> None:
    for name in ("genre", "timestamp", "price"):
        with refusal(rm.ColumnError, f"'{name}'", "would identify a list", 'lists=["algorithm", "user"]', case=name):
            evaluate(engine, MANY.with_columns(pl.lit(3).alias(name)), MANY_TRUE)
    with refusal(rm.ColumnError, "'shown'", "datetime", "would identify a list"):
        evaluate(engine, MANY.with_columns(shown=pl.lit(datetime(2026, 1, 1))), MANY_TRUE)


def test_a_column_that_makes_every_list_one_row_is_asked_about_and_lists_of_one_item_are_lists(engine: Engine) -> None:
    with refusal(rm.DataError, "Most of the 160 lists hold one recommendation", "'event'", "40 lists are left"):
        evaluate(engine, MANY.with_row_index("event"), MANY_TRUE).check()
    recs = MANY.filter(pl.col("score") == 1).with_columns(rank=1).drop("score")
    assert value(evaluate(engine, recs, MANY_TRUE)) == [1.0, 1.0]


def test_systems_are_no_descriptions_of_items(engine: Engine) -> None:
    evaluate(engine, MANY, MANY_TRUE).check()
    evaluate(engine, MANY.filter(algorithm="als"), MANY_TRUE).check()  # a single system: the same for each item
