"""What each column is taken for, by its name and by the data, and what is refused since it could be meant otherwise."""

from __future__ import annotations

import re
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.support import flat
from tests.support.engines import Engine, each_engine, summarized
from tests.support.layouts import RECS, TRUTH, evaluate, value
from tests.support.refusals import refusal

# --- ratings ----------------------------------------------------------------------------------------------------------


def test_usual_names_of_ratings_are_found_and_a_negative_is_not_relevant(engine: Engine) -> None:
    recs = RECS.rename({"score": "prediction"})
    for name in ("label", "clicked", "rel", "target", "weight", "grade", "rating", "relevance", "score"):
        result = evaluate(engine, recs, TRUTH.with_columns(pl.Series(name, [1, 0])), "n_relevant")
        assert result.layout.truth.rating == name
    assert value(result, "n_relevant") == [0.5]


DATA_SETS = """
reviewerID asin overall score
User-ID ISBN Book-Rating score
user_id business_id stars score
srch_id prop_id click_bool score
session aid is_click score
query-id corpus-id score y_score
question product_id reordered probability
"""


@pytest.mark.parametrize("names", DATA_SETS.strip().splitlines())
def test_names_of_data_sets_are_found_and_a_label_of_0_is_not_relevant(engine: Engine, names: str) -> None:
    user, item, rating, score = names.split()
    truth = pl.DataFrame({user: [1, 1, 2, 2], item: [7, 8, 7, 9], rating: [0, 1, 1, 0]})
    result = evaluate(engine, RECS.rename({"user": user, "item": item, "score": score}), truth)
    assert value(result) == [(1 / 2 + 1) / 2]
    assert (result.layout.lists, result.layout.truth.rating) == ((user,), rating)


def test_a_rarer_name_gives_way_to_a_usual_one_and_to_a_type_that_fits(engine: Engine) -> None:
    truth = TRUTH.with_columns(rating=pl.Series([0, 1]), stars=5, liked=pl.lit("very"))
    assert evaluate(engine, RECS, truth).layout.truth.rating == "rating"
    assert evaluate(engine, RECS, TRUTH.with_columns(liked=pl.lit("very"))).layout.truth.rating is None
    with refusal(rm.ColumnError, "Which column of the truth is the rating: 'stars' and 'liked'", '{"rating": "stars"}'):
        evaluate(engine, RECS, TRUTH.with_columns(stars=5, liked=True))
    with refusal(rm.ColumnError, "neither a rank nor a score", 'columns={"score": "rating"}'):
        evaluate(engine, RECS.rename({"score": "rating"}), TRUTH)


TECHNICAL = "__index_level_0__,Unnamed: 0,index,_id,rowid,row_number,_airbyte_ab_id,__null_dask_index__".split(",")


@pytest.mark.parametrize("name", TECHNICAL)
@each_engine
def test_a_column_that_a_tool_added_identifies_no_list(engine: Engine, name: str) -> None:
    recs = RECS.with_columns(pl.Series(name, range(4)))
    result = evaluate(engine, recs, TRUTH.with_columns(pl.Series(name, range(2))))
    assert (value(result), result.layout.lists) == ([0.75], ("user",))
    assert f"columns of the recommendations that are not used: {name}" in result.notes()


def test_an_index_identifies_lists_where_nothing_else_does(engine: Engine) -> None:
    recs, truth = RECS.rename({"user": "index"}), TRUTH.rename({"user": "index"})
    assert evaluate(engine, recs, truth).layout.lists == ("index",)


def test_a_column_with_a_value_for_each_row_is_refused_though_the_truth_has_it(engine: Engine) -> None:
    recs = pl.DataFrame({"user": range(40), "item": 7, "score": 0.5}).select(pl.all().repeat_by(2).explode())
    truth = recs.unique("user", maintain_order=True)
    recs, truth = (frame.with_columns(seq=pl.Series(range(frame.height))) for frame in (recs, truth))
    with refusal(rm.DataError, "Without column 'seq'", 'lists=["user"]', 'lists=["user", "seq"]'):
        evaluate(engine, recs, truth.drop("score")).check()


def test_lists_of_a_mapping_are_those_that_the_other_input_names() -> None:
    judged = TRUTH.rename({"user": "query-id", "item": "corpus-id"})
    of_recs = rm.evaluate({1: {7: 0.9, 8: 0.5}, 2: {7: 0.8, 9: 0.1}}, judged, "rr")
    of_truth = rm.evaluate(RECS.rename({"user": "query"}), {1: [8], 2: [7]}, "rr")
    assert value(of_recs) == value(of_truth) == [0.75]


def test_whole_scores_of_the_truth_are_judgments_beside_scores_that_are_none(engine: Engine) -> None:
    truth = pl.DataFrame({"user": [1, 1, 2], "item": [7, 8, 7], "score": [0, 2, 1]})
    assert value(evaluate(engine, RECS, truth)) == [0.75]
    with refusal(rm.ColumnError, "The truth has a score column 'score'"):
        evaluate(engine, RECS, truth.cast({"score": pl.Float64}))


@pytest.mark.parametrize("names", [("retrieved_context_ids", "reference_context_ids"), ("predicted", "actual")])
@each_engine
def test_one_table_may_hold_recommended_and_relevant_items(engine: Engine, names: tuple[str, str]) -> None:
    table = pl.DataFrame({"question": [1, 2], names[0]: [[7, 8], [7, 9]], names[1]: [[8], [7, 6]]})
    assert value(evaluate(engine, table, table)) == [0.75]


def test_columns_that_are_not_used_are_named(engine: Engine) -> None:
    notes = evaluate(engine, RECS, TRUTH.with_columns(timestamp=5, device=pl.lit("tv"))).notes()
    assert "columns of the truth that are not used: timestamp, device" in notes


def test_a_column_without_a_role_may_be_among_the_lists_or_stand_for_systems(engine: Engine) -> None:
    recs, truth = (frame.with_columns(day=pl.lit(day)) for frame, day in ((RECS, 2), (TRUTH, 1)))
    assert value(evaluate(engine, recs.with_columns(price=pl.lit(0.5)), truth, lists=["user"])) == [0.75]
    of_systems = summarized(evaluate(engine, recs, truth, lists=["day", "user"], truth_lists=["user"]))
    assert of_systems.select("day", "rr").rows() == [(2, 0.75)]


def test_a_text_for_tables_that_reads_no_rating_says_so() -> None:
    with pytest.warns(rm.RankMetricsWarning, match="No rating column is named"):
        text = rm.to_sql("recs", "truth", "hit@10", lists=["user"], dialect="duckdb")
    assert text.startswith("-- No rating column is named, so every row of the truth counts as relevant")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "options",
    [
        {"columns": rm.Columns(rating="rating")},
        {"truth_columns": rm.Columns(item="item")},
        {"convention": "replay", "metrics": "HitRate@10"},
    ],
    ids=["named", "there is none", "the convention reads none"],
)
def test_a_text_for_tables_says_nothing_of_ratings_that_are_settled(options: dict[str, Any]) -> None:
    text = flat.to_sql("recs", "truth", **{"metrics": "hit@10", "lists": ["user"], "dialect": "duckdb", **options})
    assert text.startswith("-- Written by rankmetrics")


# --- distances, ranks from 0, names of columns ------------------------------------------------------------------------


@each_engine
def test_the_least_distance_comes_first(engine: Engine) -> None:
    for kind in (pl.Float32, pl.UInt8, pl.Float64):
        recs = RECS.drop("score").with_columns(distance=pl.Series([9, 1, 0, 3], dtype=kind))
        assert value(evaluate(engine, recs, TRUTH)) == [1.0], kind
    named = recs.rename({"distance": "d"})
    assert value(evaluate(engine, named, TRUTH, columns=rm.Columns(distance="d"))) == [1.0]
    scored = recs.rename({"distance": "score"})
    assert value(evaluate(engine, scored, TRUTH, lower_is_better=True)) == [1.0]
    assert value(evaluate(engine, scored, TRUTH)) == [0.5]


def test_a_distance_that_is_missing_comes_last(engine: Engine) -> None:
    recs = RECS.drop("score").with_columns(distance=pl.Series([float("nan"), 1.0, None, 3.0]))
    assert value(evaluate(engine, recs, TRUTH)) == [0.75]


def test_a_score_and_a_distance_are_asked_about(engine: Engine) -> None:
    with refusal(rm.ColumnError, "the score 'score' or the distance 'distance'"):
        evaluate(engine, RECS.with_columns(distance=1.0), TRUTH)


def test_ranks_may_count_from_0(engine: Engine) -> None:
    recs = RECS.drop("score").with_columns(rank=pl.Series([0, 1, 0, 1]))
    assert value(evaluate(engine, recs, TRUTH, rank_from=0)) == [0.75]
    with refusal(rm.DataError, "do not start at 1", "rm.Input(recs, rank_from=0)"):
        evaluate(engine, recs, TRUTH).check()
    with refusal(rm.DataError, "do not start at 0"):
        evaluate(engine, recs.with_columns(pl.col("rank") + 1), TRUTH, rank_from=0).check()


def test_ranks_that_do_not_start_at_1_count_as_given_or_again(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1, 1, 1, 2, 2], "item": [7, 8, 9, 7, 9], "rank": [6, 2, 9, 3, 5]})
    for options, expected in (
        ({"ranks": "given"}, (1 / 6 + 1 / 3) / 2),
        ({"ranks": "given", "rank_from": 0}, (1 / 7 + 1 / 4) / 2),
        ({"ranks": "again"}, (1 / 2 + 1) / 2),
        ({"ranks": "again", "rank_from": 0, "where": "item <> 8"}, 1),
    ):
        result = evaluate(engine, recs, pl.DataFrame({"user": [1, 2], "item": [7, 7]}), **options)
        assert value(result) == pytest.approx([expected]), options
        result.check()


def test_names_of_columns_may_be_those_of_other_metrics(engine: Engine) -> None:
    result = evaluate(engine, RECS, TRUTH, {"rr": "hit@1", "hit@1": "rr", "n_hits": "precision@1"})
    plain = summarized(evaluate(engine, RECS, TRUTH, ["rr", "hit@1", "precision@1"]))
    assert value(result, "rr") == plain["hit@1"].to_list()
    assert value(result, "hit@1") == plain["rr"].to_list()
    assert value(result, "n_hits") == plain["precision@1"].to_list()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"a": "recall@5,10"}, "is 2 metrics"),
        ({"a": ["rr"]}, "takes one metric"),
        ({1: "rr"}, "1 is not a name"),
        ([{"rr": "hit@1"}, "rr"], "Two metrics would have one column"),
    ],
    ids=str,
)
def test_a_mapping_that_names_no_column_of_a_metric_is_refused(given: Any, words: str) -> None:
    with pytest.raises(rm.MetricError, match=re.escape(words)):
        rm.evaluate(RECS, TRUTH, given)


# --- List columns that an input calls otherwise: matched under usual names, asked about where several could be meant --


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("userId", "user_id"), ("user", "customer"), ("qid", "query"), ("Visitor-ID", "user"), ("Fold No", "fold_no")],
)
def test_one_list_column_under_two_usual_names_is_one_column(engine: Engine, ours: str, theirs: str) -> None:
    result = evaluate(engine, RECS.rename({"user": ours}), TRUTH.rename({"user": theirs}))
    assert value(result) == [0.75]
    assert f"list columns of the truth under another name: {theirs} = {ours}" in result.notes()


def test_a_truth_whose_owner_has_an_unusual_name_is_not_matched_on_the_fold_alone(engine: Engine) -> None:
    recs, truth = (frame.with_columns(fold=1) for frame in (RECS, TRUTH))
    truth = truth.rename({"user": "reader"})
    with refusal(rm.ColumnError, "no column 'user'", "by 'fold' alone", "'reader'", '{"lists": {"user": "reader"}}'):
        evaluate(engine, recs, truth)
    assert value(evaluate(engine, recs, truth, columns=rm.Columns(lists={"user": "reader"}))) == [0.75]
    assert evaluate(engine, recs, truth, truth_lists=["fold"]).layout.truth_lists == ("fold",)


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
