"""The order of a list: by rank, by score, and among equal scores."""

from __future__ import annotations

from math import inf, nan
from typing import TYPE_CHECKING

import duckdb
import polars as pl

import rankmetrics as rm
from tests.support.by_hand import RECS, TRUTH, about, assert_values, found_at, per_list, ranked, scored
from tests.support.problems import PLAIN

if TYPE_CHECKING:
    from tests.support.engines import Engine


def test_the_higher_score_stands_first(engine: Engine) -> None:
    assert found_at(engine, scored({"a": 0.1, "b": 0.3, "c": -1, "d": 0.2}), "abcd") == [3, 1, 4, 2]


def test_a_rank_column_stands_as_it_is(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1] * 3, "item": ["a", "b", "c"], "rank": [5, 1, 3], "score": [0.9, 0.5, 0.1]})
    assert found_at(engine, recs, "abc") == [5, 1, 3]
    assert_values(engine, {"n_recommended@3": 2, "precision": 1 / 3}, recs=recs)


def test_null_and_nan_scores_are_ranked_last(engine: Engine) -> None:
    assert found_at(engine, scored({"a": None, "b": -9, "c": nan, "d": 1, "e": -inf}), "abcde") == [4, 2, 5, 1, 3]


def test_infinite_scores_are_ranked_as_they_are(engine: Engine) -> None:
    assert found_at(engine, scored({"a": -inf, "b": 0, "c": inf, "d": 1}), "abcd") == [4, 3, 1, 2]


def test_of_equal_scores_the_lower_item_stands_first(engine: Engine) -> None:
    tied = {"c": 1, "a": 1, "d": 2, "b": 1}
    for options in ({}, {"ties": "item"}):
        assert found_at(engine, scored(tied), "abcd", **options) == [2, 3, 4, 1]
    assert found_at(engine, scored({10: 1, 9: 1}), [9, 10]) == [1, 2]
    assert found_at(engine, scored({"10": 1, "9": 1, "a": 1, "B": 1}), ["10", "9", "B", "a"]) == [1, 2, 3, 4]


def test_of_equal_scores_the_higher_item_may_stand_first(engine: Engine) -> None:
    assert found_at(engine, scored({"c": 1, "a": 1, "d": 2, "b": 1}), "abcd", ties="item_desc") == [4, 3, 2, 1]
    assert found_at(engine, scored({"c": None, "a": nan, "d": 2, "b": None}), "abcd", ties="item_desc") == [4, 3, 2, 1]


def test_of_equal_scores_the_item_may_stand_first_that_is_higher_as_text(engine: Engine) -> None:
    for items in ({100: 1, 99: 1, 9: 1, 20: 2}, {"100": 1, "99": 1, "9": 1, "20": 2}):
        assert found_at(engine, scored(items), [*items], ties="text_desc") == [4, 2, 3, 1]
    assert found_at(engine, scored({"b": 1, "B": 1, "é": 1, "z": 1}), "zébB", ties="text_desc") == [2, 1, 3, 4]


def test_scores_may_be_compared_in_32_bits(engine: Engine) -> None:
    near = {"a": 5 + 2e-9, "b": 5 + 1e-9, "c": 5 + 1e-6}
    assert found_at(engine, scored(near), "abc", ties="text_desc") == [3, 2, 1]
    assert found_at(engine, scored(near), "abc") == [2, 3, 1]
    wide = {"a": 2**40 + 1, "b": 2**40, "c": -(2**40)}
    assert found_at(engine, scored(wide), "abc", ties="text_desc") == [2, 1, 3]


def test_of_equal_scores_the_earlier_row_may_stand_first(engine: Engine) -> None:
    recs = scored({"c": 1, "a": 1, "d": 2, "b": 1, "e": None})
    assert found_at(engine, recs, "abcde", ties="input") == [3, 4, 2, 1, 5]


def test_rows_without_rank_and_score_may_be_ranked_as_they_come(engine: Engine) -> None:
    assert found_at(engine, ranked("cab").drop("rank"), "abc", ties="input") == [2, 3, 1]


def test_ties_among_enum_items_go_by_their_text_in_a_duckdb_table_too() -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE recs AS SELECT 1 AS user, UNNEST(['b', 'a'])::ENUM('b', 'a') AS item, 1 AS score")
    connection.execute("CREATE TABLE truth AS SELECT 1 AS user, 'a' AS item")
    result = rm.evaluate("recs", "truth", ["rr"], connection=connection)
    assert result.summary().fetchall() == [(1, 1)]


def test_several_cutoffs_at_once_are_each_as_alone(engine: Engine) -> None:
    known = rm.list_metrics().filter(pl.col("metric").is_in([*PLAIN]))
    cut = [name for name, known in known.select("metric", "parameters").iter_rows() if "k=None" in known]
    together = per_list(engine, RECS, TRUTH, [*cut, *(f"{name}@1,2,3,4,9" for name in cut)])
    for k in ("", "@1", "@2", "@3", "@4", "@9"):
        alone = per_list(engine, RECS, TRUTH, [f"{name}{k}" for name in cut])
        for label in alone.columns:
            assert together[label].to_list() == [about(value) for value in alone[label]]
