"""Columns that are missing, of the wrong type or ambiguous are refused, with those that there are."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.support.engines import Engine
from tests.support.refusals import RECS, SCORED, TRUTH, Asking, refusal

# --- columns that are not there ---------------------------------------------------------------------------------------


def test_a_named_column_that_is_missing_is_refused_with_those_that_are_there(ask: Asking) -> None:
    with refusal(rm.ColumnError, "'itm'", "recommendations", "'user', 'item' and 'rank'", "Did you mean 'item'?"):
        ask(columns=rm.Columns(item="itm"))


def test_a_named_column_that_is_missing_in_the_truth_is_refused(ask: Asking) -> None:
    with refusal(rm.ColumnError, "'itm'", "truth", "'user' and 'item'", "Did you mean 'item'?"):
        ask(truth_columns=rm.Columns(item="itm"))


@pytest.mark.parametrize("role", ["rank", "score"])
def test_a_role_column_that_is_missing_is_refused(ask: Asking, role: str) -> None:
    with refusal(rm.ColumnError, "'ranking'", role, "'user', 'item' and 'rank'", "Did you mean 'rank'?"):
        named: dict[str, Any] = {role: "ranking"}
        ask(columns=rm.Columns(**named))


def test_a_rating_column_that_is_missing_is_refused(ask: Asking) -> None:
    truth = TRUTH.with_columns(ratings=1.0)
    with refusal(rm.ColumnError, "'rating'", "truth", "'user', 'item' and 'ratings'", "Did you mean 'ratings'?"):
        ask(truth=truth, columns=rm.Columns(rating="rating"))


@pytest.mark.parametrize(("table", "option"), [("recommendations", "columns"), ("truth", "truth_columns")])
def test_no_item_column_is_refused_with_the_one_that_looks_like_it(ask: Asking, table: str, option: str) -> None:
    recs, truth = (
        frame.rename({"item": "items"}) if table == name else frame
        for name, frame in (("recommendations", RECS), ("truth", TRUTH))
    )
    named = f' {option}=rm.Columns(item="items")'
    with refusal(rm.ColumnError, "item", table, "there were 'user'", "'items' looks like one", named):
        ask(recs, truth)


def test_the_option_that_an_error_names_for_the_item_of_the_truth_leaves_the_recommendations_alone(ask: Asking) -> None:
    truth = TRUTH.rename({"item": "product"})
    with refusal(rm.ColumnError, "'product' looks like one", 'truth_columns=rm.Columns(item="product")'):
        ask(truth=truth)
    assert ask(truth=truth, truth_columns=rm.Columns(item="product")).layout.truth.item == "product"


def test_a_column_of_systems_does_not_look_like_items_beside_a_column_of_products(ask: Asking) -> None:
    recs = RECS.rename({"item": "sku"}).with_columns(system=pl.lit("als"))
    with refusal(rm.ColumnError, "'sku' looks like one", 'columns=rm.Columns(item="sku")'):
        ask(recs)


def test_no_list_column_is_refused(ask: Asking) -> None:
    with refusal(rm.ColumnError, "no column that identifies a list", "'item' and 'rank'"):
        ask(RECS.drop("user"))


def test_no_shared_list_column_is_refused_with_the_near_names(ask: Asking) -> None:
    with refusal(
        rm.ColumnError, "share no list column", "'user' looks like its column 'users'", 'lists={"user": "users"}'
    ):
        ask(truth=TRUTH.rename({"user": "users"}))


def test_no_shared_list_column_is_refused_where_no_name_is_near(ask: Asking) -> None:
    with refusal(rm.ColumnError, "share no list column", "no column 'user'", "the truth has 'session' instead"):
        ask(truth=TRUTH.rename({"user": "session"}))


def test_neither_rank_nor_score_is_refused(ask: Asking) -> None:
    with refusal(rm.ColumnError, "neither a rank nor a score", "'user' and 'item'", 'score="..."', 'ties="input"'):
        ask(RECS.drop("rank"))


@pytest.mark.parametrize(
    "metric", ["ndcg(gain=linear)@5", "dcg(gain=exponential)", "precision(rel=4)@5", "err(stop=graded)@5"]
)
def test_a_metric_that_needs_ratings_is_refused_where_there_are_none(ask: Asking, metric: str) -> None:
    with refusal(rm.ColumnError, "rating", "'user' and 'item'", "rm.Columns(rating="):
        ask(metrics=metric)


# --- columns of the wrong type ----------------------------------------------------------------------------------------


def test_items_of_two_types_are_refused_with_both(ask: Asking) -> None:
    truth = TRUTH.cast({"item": pl.String})
    with refusal(rm.ColumnError, "item is integer", "in the recommendations", "string", "in the truth", "Cast one"):
        ask(truth=truth)


def test_a_list_column_of_two_types_is_refused_with_both(ask: Asking) -> None:
    recs = RECS.cast({"user": pl.String})
    with refusal(rm.ColumnError, "'user' is string", "in the recommendations", "integer", "in the truth", "Cast one"):
        ask(recs)


@pytest.mark.parametrize(
    ("other", "shown"),
    [(pl.lit("2026-01-01"), "string"), (pl.lit(datetime(2026, 1, 1)), "datetime")],
)
def test_a_date_on_one_side_only_is_refused(ask: Asking, other: pl.Expr, shown: str) -> None:
    recs, truth = RECS.with_columns(day=pl.lit(date(2026, 1, 1))), TRUTH.with_columns(day=other)
    with refusal(rm.ColumnError, "'day' is date in the recommendations", f"{shown}", "in the truth", "Cast one"):
        ask(recs, truth)


@pytest.mark.parametrize(
    ("role", "value", "shown"),
    [
        ("rank", pl.lit("first"), "string"),
        ("rank", pl.lit(True), "boolean"),
        ("score", pl.lit("first"), "string"),
        ("score", pl.lit(True), "boolean"),
        ("rating", pl.lit("first"), "string"),
    ],
)
def test_a_role_that_is_no_number_is_refused(ask: Asking, role: str, value: pl.Expr, shown: str) -> None:
    recs = RECS if role == "rating" else RECS.drop("rank").with_columns(value.alias(role))
    truth = TRUTH.with_columns(value.alias(role)) if role == "rating" else TRUTH
    with refusal(rm.ColumnError, f"The {role} column '{role}'", "not a number", shown):
        ask(recs, truth)


@pytest.mark.parametrize("name", ["item", "user"])
def test_ids_that_are_floats_are_refused(ask: Asking, name: str) -> None:
    with refusal(rm.ColumnError, name, "float", "cast it to integer or string"):
        ask(RECS.cast({name: pl.Float64}), TRUTH.cast({name: pl.Float64}))


def test_a_float_column_is_not_taken_to_identify_lists(ask: Asking) -> None:
    with refusal(rm.ColumnError, "'affinity'", "float", "lists=[...]"):
        ask(RECS.with_columns(affinity=0.5))


def test_a_nested_column_is_not_taken_to_identify_lists(ask: Asking) -> None:
    with refusal(rm.ColumnError, "'tags'", "nested", "lists=[...]"):
        ask(RECS.with_columns(tags=pl.Series([["new"]] * 4)))


# --- columns that could be meant --------------------------------------------------------------------------------------


def test_two_columns_that_could_be_the_item_are_refused_by_name(ask: Asking) -> None:
    with refusal(rm.ColumnError, "recommendations", "item", "'item' and 'item_id'", "rm.Columns(item=", "lists=[...]"):
        ask(RECS.with_columns(item_id=pl.col("item")))


def test_two_columns_of_the_truth_that_could_be_the_item_are_refused_by_name(ask: Asking) -> None:
    with refusal(rm.ColumnError, "truth", "item", "'item' and 'movieId'", "rm.Columns(item="):
        ask(truth=TRUTH.with_columns(movieId=pl.col("item")))


def test_two_columns_that_could_be_the_score_are_refused_by_name(ask: Asking) -> None:
    with refusal(rm.ColumnError, "score", "'score' and 'prediction'", "rm.Columns(score="):
        ask(SCORED.with_columns(prediction=0.5))


# --- lists, truth_lists and by ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", [{"lists": ["usr"]}, {"truth_lists": ["usr"]}])
def test_list_columns_that_are_missing_are_refused(ask: Asking, asked: dict[str, Any]) -> None:
    with refusal(rm.ColumnError, "'usr'", "recommendations", *asked, "'user'", "Did you mean 'user'?"):
        ask(**asked)


def test_by_a_column_that_identifies_no_list_is_refused(ask: Asking) -> None:
    with refusal(rm.ColumnError, "'usr'", "lists are identified by 'user'", "Did you mean 'user'?"):
        ask(by="usr")


@pytest.mark.parametrize("name", ["lists", "truth_lists", "by"])
def test_a_list_column_named_twice_is_refused(ask: Asking, name: str) -> None:
    asked: dict[str, Any] = {name: ["user", "user"]}
    with refusal(rm.ColumnError, f"{name} names 'user' more than once"):
        ask(**asked)


@pytest.mark.parametrize("role", ["item", "rank"])
def test_a_role_that_is_named_in_lists_too_is_refused(ask: Asking, role: str) -> None:
    with refusal(rm.ColumnError, f"'{role}' is named in lists", f"the {role} column"):
        named: dict[str, Any] = {role: role}
        ask(lists=["user", role], columns=rm.Columns(**named))


def test_a_truth_list_that_identifies_no_list_is_refused(ask: Asking) -> None:
    with refusal(rm.ColumnError, "'day'", "truth_lists", "identified by 'user'"):
        ask(truth=TRUTH.with_columns(day=1), lists=["user"], truth_lists=["user", "day"])


def test_no_truth_list_is_refused(ask: Asking) -> None:
    with refusal(rm.ColumnError, "truth_lists is empty", "at least one list column"):
        ask(truth_lists=[])


@pytest.mark.parametrize("name", ["hit@1", "HIT@1"])
def test_a_list_column_that_has_the_label_of_a_metric_is_refused(ask: Asking, name: str) -> None:
    with refusal(rm.ColumnError, f"two columns called '{name}'", "rename"):
        ask(RECS.rename({"user": name}), TRUTH.rename({"user": name}))


def test_n_lists_as_a_column_of_by_is_refused(ask: Asking) -> None:
    with refusal(rm.ColumnError, "two columns called 'n_lists'", "rename"):
        ask(RECS.with_columns(n_lists=1), by="n_lists")


# --- what is never refused, but counted -------------------------------------------------------------------------------


def test_a_time_with_a_zone_and_one_without_are_two_types(engine: Engine) -> None:
    recs = pl.DataFrame({"at": [datetime(2020, 1, 1)], "item": [1], "rank": [1]})
    zoned = recs.with_columns(pl.col("at").dt.replace_time_zone("UTC"))
    with pytest.raises(rm.ColumnError, match=r"zoned datetime .* in the recommendations and datetime"):
        rm.evaluate(engine.give(zoned), engine.give(recs.drop("rank")), "hit")
