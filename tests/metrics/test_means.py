"""Lists, systems, their means, and the order of a list."""

from __future__ import annotations

from math import inf, nan
from statistics import mean

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from tests.support.by_hand import RECS, TRUTH, about, assert_values, found_at, per_list, ranked, rated, scored, summary
from tests.support.engines import Engine, each_engine, means
from tests.support.problems import PLAIN


def two_systems() -> tuple[pl.DataFrame, pl.DataFrame]:
    """A finds user 1's item first and user 2's first; B finds user 1's second and has no list for user 2."""
    a = pl.concat([ranked("xy", user=1), ranked("z", user=2)]).with_columns(algorithm=pl.lit("A"))
    b = ranked("yx", user=1).with_columns(algorithm=pl.lit("B"))
    return pl.concat([a, b]), pl.concat([rated({"x": 1}, user=1), rated({"z": 1}, user=2)])


def test_every_list_of_the_truth_counts_for_every_system(engine: Engine) -> None:
    found = per_list(engine, *two_systems(), ["rr"], lists=["algorithm", "user"])
    assert found.rows() == [("A", 1, 1), ("A", 2, 1), ("B", 1, 1 / 2), ("B", 2, 0)]
    found = per_list(engine, *two_systems(), ["rr"], lists=["algorithm", "user"], missing="skip")
    assert found.rows() == [("A", 1, 1), ("A", 2, 1), ("B", 1, 1 / 2)]


def test_the_summary_has_one_row_per_system(engine: Engine) -> None:
    assert summary(engine, *two_systems(), ["rr"]) == [
        {"algorithm": "A", "n_lists": 2, "rr": 1},
        {"algorithm": "B", "n_lists": 2, "rr": (1 / 2 + 0) / 2},
    ]


def test_the_summary_may_be_one_row(engine: Engine) -> None:
    assert summary(engine, *two_systems(), ["rr"], by=[]) == [{"n_lists": 4, "rr": (1 + 1 + 1 / 2 + 0) / 4}]


def test_the_summary_may_have_one_row_per_user(engine: Engine) -> None:
    expected = [{"user": 1, "n_lists": 2, "rr": (1 + 1 / 2) / 2}, {"user": 2, "n_lists": 2, "rr": (1 + 0) / 2}]
    for by in ("user", ["user"]):
        assert summary(engine, *two_systems(), ["rr"], by=by) == expected


def test_the_summary_may_have_one_row_per_list(engine: Engine) -> None:
    found = summary(engine, *two_systems(), ["rr"], by=["user", "algorithm"])
    assert [[*row] for row in found] == [["user", "algorithm", "n_lists", "rr"]] * 4
    assert [(*row.values(),) for row in found] == [
        (1, "A", 1, 1),
        (1, "B", 1, 1 / 2),
        (2, "A", 1, 1),
        (2, "B", 1, 0),
    ]


def test_truth_by_country_and_user_serves_lists_by_country_algorithm_and_user(engine: Engine) -> None:
    parts = [("NL", "A", "ab"), ("NL", "B", "ba"), ("DE", "A", "ba")]
    recs = pl.concat([ranked(of).with_columns(country=pl.lit(land), algorithm=pl.lit(by)) for land, by, of in parts])
    truth = pl.concat([rated({"b": 1}).with_columns(country=pl.lit(land)) for land in ("NL", "DE")])
    by_list = per_list(engine, recs, truth, ["rr"], lists=["country", "algorithm", "user"])
    assert by_list.rows() == [("DE", "A", 1, 1), ("DE", "B", 1, 0), ("NL", "A", 1, 1 / 2), ("NL", "B", 1, 1)]
    assert summary(engine, recs, truth, ["rr"]) == [
        {"algorithm": "A", "n_lists": 2, "rr": (1 + 1 / 2) / 2},
        {"algorithm": "B", "n_lists": 2, "rr": (0 + 1) / 2},
    ]
    assert summary(engine, recs, truth, ["rr"], by="country") == [
        {"country": "DE", "n_lists": 1, "rr": 1},  # B has no list in DE: it is not compared there
        {"country": "NL", "n_lists": 2, "rr": (1 / 2 + 1) / 2},
    ]


@pytest.mark.parametrize("by", [None, [], ["user"], ["algorithm", "user"]], ids=str)
def test_the_summary_is_the_mean_of_the_lists_where_a_metric_is_defined(engine: Engine, by: list[str] | None) -> None:
    recs, truth = two_systems()
    truth = pl.concat([truth, rated({"x": 0}, user=3)])  # where most metrics are undefined
    metrics = [*PLAIN, "precision@1", "ndcg@1"]
    result = rm.evaluate(engine.give(recs), engine.give(truth), metrics, by=by)
    lists, means = engine.read(result.per_list()), engine.read(result.summary())
    keys = ["algorithm"] if by is None else by
    for row in means.to_dicts():
        mine = lists.filter([pl.col(key) == row[key] for key in keys]) if keys else lists
        assert row["n_lists"] == mine.height
        for metric in metrics:
            defined = mine[metric].drop_nulls().to_list()
            assert row[metric] == about(mean(defined) if defined else None), metric
    assert means["n_lists"].sum() == lists.height == 6


@each_engine
def test_what_is_collected_is_what_the_lazy_tables_hold(engine: Engine) -> None:
    recs, truth = two_systems()
    result = rm.evaluate(engine.give(recs), engine.give(truth), ["rr", "ndcg@1"])
    assert means(result).rows() == engine.read(result.summary()).rows()
    assert sorted(result.collect(per_list=True).rows()) == sorted(engine.read(result.per_list()).rows())


@each_engine
def test_the_higher_score_stands_first(engine: Engine) -> None:
    assert found_at(engine, scored({"a": 0.1, "b": 0.3, "c": -1, "d": 0.2}), "abcd") == [3, 1, 4, 2]


@each_engine
def test_a_rank_column_stands_as_it_is(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1] * 3, "item": ["a", "b", "c"], "rank": [5, 1, 3], "score": [0.9, 0.5, 0.1]})
    assert found_at(engine, recs, "abc") == [5, 1, 3]
    assert_values(engine, {"n_recommended@3": 2, "precision": 1 / 3}, recs=recs)


@each_engine
def test_null_and_nan_scores_are_ranked_last(engine: Engine) -> None:
    assert found_at(engine, scored({"a": None, "b": -9, "c": nan, "d": 1, "e": -inf}), "abcde") == [4, 2, 5, 1, 3]


@each_engine
def test_infinite_scores_are_ranked_as_they_are(engine: Engine) -> None:
    assert found_at(engine, scored({"a": -inf, "b": 0, "c": inf, "d": 1}), "abcd") == [4, 3, 1, 2]


@each_engine
def test_of_equal_scores_the_lower_item_stands_first(engine: Engine) -> None:
    tied = {"c": 1, "a": 1, "d": 2, "b": 1}
    for options in ({}, {"ties": "item"}):
        assert found_at(engine, scored(tied), "abcd", **options) == [2, 3, 4, 1]
    assert found_at(engine, scored({10: 1, 9: 1}), [9, 10]) == [1, 2]
    assert found_at(engine, scored({"10": 1, "9": 1, "a": 1, "B": 1}), ["10", "9", "B", "a"]) == [1, 2, 3, 4]


@each_engine
def test_of_equal_scores_the_higher_item_may_stand_first(engine: Engine) -> None:
    assert found_at(engine, scored({"c": 1, "a": 1, "d": 2, "b": 1}), "abcd", ties="item_desc") == [4, 3, 2, 1]
    assert found_at(engine, scored({"c": None, "a": nan, "d": 2, "b": None}), "abcd", ties="item_desc") == [4, 3, 2, 1]


@each_engine
def test_of_equal_scores_the_item_may_stand_first_that_is_higher_as_text(engine: Engine) -> None:
    for items in ({100: 1, 99: 1, 9: 1, 20: 2}, {"100": 1, "99": 1, "9": 1, "20": 2}):
        assert found_at(engine, scored(items), [*items], ties="text_desc") == [4, 2, 3, 1]
    assert found_at(engine, scored({"b": 1, "B": 1, "é": 1, "z": 1}), "zébB", ties="text_desc") == [2, 1, 3, 4]


@each_engine
def test_scores_may_be_compared_in_32_bits(engine: Engine) -> None:
    near = {"a": 5 + 2e-9, "b": 5 + 1e-9, "c": 5 + 1e-6}
    assert found_at(engine, scored(near), "abc", ties="text_desc") == [3, 2, 1]
    assert found_at(engine, scored(near), "abc") == [2, 3, 1]
    wide = {"a": 2**40 + 1, "b": 2**40, "c": -(2**40)}
    assert found_at(engine, scored(wide), "abc", ties="text_desc") == [2, 1, 3]


@each_engine
def test_of_equal_scores_the_earlier_row_may_stand_first(engine: Engine) -> None:
    recs = scored({"c": 1, "a": 1, "d": 2, "b": 1, "e": None})
    assert found_at(engine, recs, "abcde", ties="input") == [3, 4, 2, 1, 5]


@each_engine
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
