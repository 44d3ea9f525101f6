"""Columns that are missing, of the wrong type or ambiguous are refused, with those that there are."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

import polars as pl

import rankmetrics as rm
from tests.support.refusals import RECS, SCORED, TRUTH, Asking, refusal

DAY = RECS.with_columns(day=pl.lit(date(2026, 1, 1)))
UNRANKED = RECS.drop("rank")
NO_NUMBER = "not a number"

# What is given, where it is not sound, and the words of the refusal.
REFUSED: Mapping[str, tuple[Mapping[str, Any], tuple[str, ...]]] = {
    # columns that are not there
    "a named item": (
        {"columns": rm.Columns(item="itm")},
        ("'itm'", "recommendations", "'user', 'item' and 'rank'", "Did you mean 'item'?"),
    ),
    "a named item of the truth": (
        {"truth_columns": rm.Columns(item="itm")},
        ("'itm'", "truth", "'user' and 'item'", "Did you mean 'item'?"),
    ),
    "a named rank": (
        {"columns": rm.Columns(rank="ranking")},
        ("'ranking'", "rank", "'user', 'item' and 'rank'", "Did you mean 'rank'?"),
    ),
    "a named score": (
        {"columns": rm.Columns(score="ranking")},
        ("'ranking'", "score", "'user', 'item' and 'rank'", "Did you mean 'rank'?"),
    ),
    "a named rating": (
        {"truth": TRUTH.with_columns(ratings=1.0), "columns": rm.Columns(rating="rating")},
        ("'rating'", "truth", "'user', 'item' and 'ratings'", "Did you mean 'ratings'?"),
    ),
    "the item of the recommendations": (
        {"recs": RECS.rename({"item": "items"})},
        ("item", "recommendations", "there were 'user'", "'items' looks like one", ' columns=rm.Columns(item="items")'),
    ),
    "the item of the truth": (
        {"truth": TRUTH.rename({"item": "items"})},
        ("item", "truth", "there were 'user'", "'items' looks like one", ' truth_columns=rm.Columns(item="items")'),
    ),
    "the item, next to a column of systems": (
        {"recs": RECS.rename({"item": "sku"}).with_columns(system=pl.lit("als"))},
        ("'sku' looks like one", 'columns=rm.Columns(item="sku")'),
    ),
    "a list column": (
        {"recs": RECS.drop("user")},
        ("no column that identifies a list", "'item' and 'rank'"),
    ),
    "a shared list column with a near name": (
        {"truth": TRUTH.rename({"user": "users"})},
        ("share no list column", "'user' looks like its column 'users'", 'lists={"user": "users"}'),
    ),
    "a shared list column without a near name": (
        {"truth": TRUTH.rename({"user": "session"})},
        ("share no list column", "no column 'user'", "the truth has 'session' instead"),
    ),
    "a rank and a score": (
        {"recs": UNRANKED},
        ("neither a rank nor a score", "'user' and 'item'", 'score="..."', 'ties="input"'),
    ),
    **{
        f"the ratings of {metric}": ({"metrics": metric}, ("rating", "'user' and 'item'", "rm.Columns(rating="))
        for metric in ("ndcg(gain=linear)@5", "dcg(gain=exponential)", "precision(rel=4)@5", "err(stop=graded)@5")
    },
    # columns of the wrong type
    "items of two types": (
        {"truth": TRUTH.cast({"item": pl.String})},
        ("item is integer", "in the recommendations", "string", "in the truth", "Cast one"),
    ),
    "a list column of two types": (
        {"recs": RECS.cast({"user": pl.String})},
        ("'user' is string", "in the recommendations", "integer", "in the truth", "Cast one"),
    ),
    "a date and a text": (
        {"recs": DAY, "truth": TRUTH.with_columns(day=pl.lit("2026-01-01"))},
        ("'day' is date in the recommendations", "string", "in the truth", "Cast one"),
    ),
    "a date and a time": (
        {"recs": DAY, "truth": TRUTH.with_columns(day=pl.lit(datetime(2026, 1, 1)))},
        ("'day' is date in the recommendations", "datetime", "in the truth", "Cast one"),
    ),
    "a time with a zone and one without": (
        {
            "recs": RECS.with_columns(at=pl.lit(datetime(2020, 1, 1)).dt.replace_time_zone("UTC")),
            "truth": TRUTH.with_columns(at=pl.lit(datetime(2020, 1, 1))),
        },
        ("zoned datetime", "in the recommendations and datetime"),
    ),
    "a rank of texts": (
        {"recs": UNRANKED.with_columns(rank=pl.lit("1"))},
        ("The rank column 'rank'", NO_NUMBER, "string"),
    ),
    "a rank of truths": (
        {"recs": UNRANKED.with_columns(rank=True)},
        ("The rank column 'rank'", NO_NUMBER, "boolean"),
    ),
    "a score of texts": (
        {"recs": UNRANKED.with_columns(score=pl.lit("1"))},
        ("The score column 'score'", NO_NUMBER, "string"),
    ),
    "a score of truths": (
        {"recs": UNRANKED.with_columns(score=True)},
        ("The score column 'score'", NO_NUMBER, "boolean"),
    ),
    "a rating of texts": (
        {"truth": TRUTH.with_columns(rating=pl.lit("1"))},
        ("The rating column 'rating'", NO_NUMBER, "string"),
    ),
    **{
        f"{name}s that are floats": (
            {"recs": RECS.cast({name: pl.Float64}), "truth": TRUTH.cast({name: pl.Float64})},
            (name, "float", "cast it to integer or string"),
        )
        for name in ("item", "user")
    },
    "a float that would identify lists": ({"recs": RECS.with_columns(x=0.5)}, ("'x'", "float", "lists=[...]")),
    "a nested column that would identify lists": (
        {"recs": RECS.with_columns(tags=pl.Series([["new"]] * 4))},
        ("'tags'", "nested", "lists=[...]"),
    ),
    # columns that could be meant
    "two columns that could be the item": (
        {"recs": RECS.with_columns(item_id=pl.col("item"))},
        ("recommendations", "item", "'item' and 'item_id'", "rm.Columns(item=", "lists=[...]"),
    ),
    "two columns of the truth that could be the item": (
        {"truth": TRUTH.with_columns(movieId=pl.col("item"))},
        ("truth", "item", "'item' and 'movieId'", "rm.Columns(item="),
    ),
    "two columns that could be the score": (
        {"recs": SCORED.with_columns(prediction=0.5)},
        ("score", "'score' and 'prediction'", "rm.Columns(score="),
    ),
    # lists, truth_lists and by
    **{
        f"{name} that are not there": ({name: ["usr"]}, ("'usr'", "recommendations", name, "Did you mean 'user'?"))
        for name in ("lists", "truth_lists")
    },
    "by a column that identifies no list": (
        {"by": "usr"},
        ("'usr'", "lists are identified by 'user'", "Did you mean 'user'?"),
    ),
    **{
        f"a column twice in {name}": ({name: ["user", "user"]}, (f"{name} names 'user' more than once",))
        for name in ("lists", "truth_lists", "by")
    },
    **{
        f"the {role} among the lists": (
            {"lists": ["user", role], "columns": rm.Columns(**{role: role})},  # type: ignore[arg-type]
            (f"'{role}' is named in lists", f"the {role} column"),
        )
        for role in ("item", "rank")
    },
    "a truth list that identifies no list": (
        {"truth": TRUTH.with_columns(day=1), "lists": ["user"], "truth_lists": ["user", "day"]},
        ("'day'", "truth_lists", "identified by 'user'"),
    ),
    "no truth list": ({"truth_lists": []}, ("truth_lists is empty", "at least one list column")),
    **{
        f"a list column called {name}": (
            {"recs": RECS.rename({"user": name}), "truth": TRUTH.rename({"user": name})},
            (f"two columns called '{name}'", "rename"),
        )
        for name in ("hit@1", "HIT@1")
    },
    "n_lists as a column of by": (
        {"recs": RECS.with_columns(n_lists=1), "by": "n_lists"},
        ("two columns called 'n_lists'", "rename"),
    ),
}


def test_columns_that_cannot_do_are_refused_with_those_that_there_are(ask: Asking) -> None:
    for name, (given, words) in REFUSED.items():
        with refusal(rm.ColumnError, *words, case=name):
            ask(**given)


def test_the_option_that_an_error_names_for_the_item_of_the_truth_leaves_the_recommendations_alone(ask: Asking) -> None:
    truth = TRUTH.rename({"item": "product"})
    with refusal(rm.ColumnError, "'product' looks like one", 'truth_columns=rm.Columns(item="product")'):
        ask(truth=truth)
    assert ask(truth=truth, truth_columns=rm.Columns(item="product")).layout.truth.item == "product"
