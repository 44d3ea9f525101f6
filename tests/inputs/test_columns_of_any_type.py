"""List columns, items, ranks and ratings of any name and of any type."""

from __future__ import annotations

from datetime import date, datetime
from math import log2
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.support.by_hand import RECS, TRUTH, assert_values, found_at, per_list, ranked, rated, scored, summary

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.support.engines import Engine

NAMES = ("rank", "item_id", "rating", "score", "hits", "user", "order", "lists", "measured", "list_id", "truth_id")
ODD_NAMES = ("n_hits", "n_relevant", "per_list", "select", "my col", 'q"uote', "it's", "Ünï", "a.b", "recs", "1")


@pytest.mark.parametrize("name", [*NAMES, *ODD_NAMES])
def test_a_list_column_may_be_called_anything(engine: Engine, name: str) -> None:
    recs = pl.DataFrame({name: [1, 1, 2], "algorithm": ["A"] * 3, "sku": [7, 8, 8], "points": [0.2, 0.1, 0.3]})
    truth = pl.DataFrame({name: [1, 1, 2], "sku": [8, 9, 8], "grade": [2, 1, 3]})
    roles = rm.Columns(item="sku", score="points", rating="grade")
    result = rm.evaluate(
        engine.give(recs), engine.give(truth), ["rr", "recall@2"], lists=[name, "algorithm"], columns=roles, by=name
    )
    lists = engine.read(result.per_list()).sort(name)
    assert lists.to_dict(as_series=False) == {
        name: [1, 2],
        "algorithm": ["A"] * 2,
        "rr": [1 / 2, 1],
        "recall@2": [1 / 2, 1],
    }
    assert engine.read(result.summary())[name].to_list() == [1, 2]


@pytest.mark.parametrize("name", [*NAMES, *ODD_NAMES])
def test_the_item_and_its_rank_may_be_called_anything(engine: Engine, name: str) -> None:
    recs = pl.DataFrame({"reader": [1, 1], name: [7, 8], "place": [2, 1]})
    truth = pl.DataFrame({"reader": [1, 1], "thing": [7, 9], name: [3, 1]})  # in the truth, the name means the rating
    roles = {"columns": rm.Columns(item=name, rank="place"), "truth_columns": rm.Columns(item="thing", rating=name)}
    expected = {"rr": 1 / 2, "recall": 1 / 2, "dcg(gain=linear)": 3 / log2(3)}
    assert_values(engine, expected, recs, truth, lists=["reader"], **roles)


def test_columns_without_a_role_may_stand_beside_the_lists(engine: Engine) -> None:
    recs = RECS.with_columns(note=pl.lit("x"), price=pl.lit(0.5))
    truth = TRUTH.with_columns(note=pl.lit("y"))
    assert_values(engine, {"recall": 2 / 3}, recs, truth, lists=["user"])


def test_a_column_of_both_inputs_may_be_a_system_all_the_same(engine: Engine) -> None:
    recs = RECS.with_columns(day=pl.lit(2))
    truth = TRUTH.with_columns(day=pl.lit(1))
    (row,) = summary(engine, recs, truth, ["recall"], lists=["day", "user"], truth_lists=["user"])
    assert row == {"day": 2, "n_lists": 1, "recall": 2 / 3}


TEXTS = pl.Enum(["y", "x"])
TYPES: Mapping[str, tuple[tuple[Any, Any], Any, Any]] = {
    "integer": ((1, 2), pl.Int64, pl.Int64),
    "short integer": ((1, 2), pl.Int16, pl.Int16),
    "integers of two widths": ((1, 2), pl.Int32, pl.UInt64),
    "string": (("x", "y"), pl.String, pl.String),
    "categorical": (("x", "y"), pl.Categorical, pl.Categorical),
    "enum": (("x", "y"), TEXTS, TEXTS),
    "categorical and string": (("x", "y"), pl.Categorical, pl.String),
    "string and categorical": (("x", "y"), pl.String, pl.Categorical),
    "enum and string": (("x", "y"), TEXTS, pl.String),
    "categorical and enum": (("x", "y"), pl.Categorical, TEXTS),
    "two enums": (("x", "y"), TEXTS, pl.Enum(["x", "y", "z"])),
    "date": ((date(2024, 2, 29), date(2024, 3, 1)), pl.Date, pl.Date),
    "date and time": ((datetime(2024, 1, 1, 12), datetime(2024, 1, 2)), pl.Datetime("us"), pl.Datetime("us")),
    "dates and times of two units": (
        (datetime(2024, 1, 1), datetime(2024, 1, 2)),
        pl.Datetime("ms"),
        pl.Datetime("us"),
    ),
    "boolean": ((False, True), pl.Boolean, pl.Boolean),
}


@pytest.mark.parametrize(("values", "of_recs", "of_truth"), TYPES.values(), ids=TYPES)
def test_lists_are_told_apart_by_columns_of_any_type(
    engine: Engine, values: tuple[Any, Any], of_recs: Any, of_truth: Any
) -> None:
    one, other = values
    recs = pl.concat([ranked("ab", user=one), ranked("ba", user=other)]).cast({"user": of_recs})
    truth = pl.concat([rated({"b": 1}, user=one), rated({"b": 1}, user=other)]).cast({"user": of_truth})
    found = per_list(engine, recs, truth, ["rr"])
    assert dict(found.iter_rows()) == {one: 1 / 2, other: 1}
    assert summary(engine, recs, truth, ["rr"], by="user") == [
        {"user": one, "n_lists": 1, "rr": 1 / 2},
        {"user": other, "n_lists": 1, "rr": 1},
    ]


@pytest.mark.parametrize(("values", "of_recs", "of_truth"), TYPES.values(), ids=TYPES)
def test_items_may_be_of_any_type(engine: Engine, values: tuple[Any, Any], of_recs: Any, of_truth: Any) -> None:
    one, other = values
    recs = pl.concat([ranked([other, one], user=1), ranked([one], user=2)]).cast({"item": of_recs})
    truth = pl.concat([rated({one: 1}, user=1), rated({one: 1, other: 1}, user=2)]).cast({"item": of_truth})
    found = per_list(engine, recs, truth, ["rr", "recall"])
    assert found.to_dict(as_series=False) == {"user": [1, 2], "rr": [1 / 2, 1], "recall": [1, 1 / 2]}


@pytest.mark.parametrize("kind", ["integer", "short integer", "string", "date", "date and time", "boolean"])
def test_list_columns_come_back_under_their_names_and_types(engine: Engine, kind: str) -> None:
    (one, other), dtype, _ = TYPES[kind]
    recs = ranked("ab").with_columns(Group=pl.lit(one, dtype), algorithm=pl.lit(other, dtype))
    truth = TRUTH.with_columns(Group=pl.lit(one, dtype))
    found = per_list(engine, recs, truth, ["rr", "n_hits"], lists=["user", "Group", "algorithm"])
    assert found.schema == {"user": pl.Int64, "Group": dtype, "algorithm": dtype, "rr": pl.Float64, "n_hits": pl.Int64}
    assert found.row(0) == (1, one, other, 1 / 2, 1)


@pytest.mark.parametrize("dtype", [pl.UInt8, pl.Int16, pl.UInt32, pl.UInt64, pl.Float64, pl.Float32])
def test_ranks_and_ratings_may_be_numbers_of_any_type(engine: Engine, dtype: Any) -> None:
    expected = {"rr": 1 / 2, "ap": (1 / 2 + 2 / 4) / 3, "dcg(gain=linear)": 3 / log2(3) + 1 / log2(5), "auc": 1 / 2}
    expected |= {"dcg(gain=exponential, rel=2)": 7 / log2(3), "err(stop=graded, rel=2)": 7 / 32 / 2}
    assert_values(engine, expected, RECS.cast({"rank": dtype}), TRUTH.cast({"rating": dtype}))


@pytest.mark.parametrize("dtype", [pl.Int8, pl.Int64, pl.Float32])
def test_scores_may_be_numbers_of_any_type(engine: Engine, dtype: Any) -> None:
    recs = scored({"a": 3, "b": None, "c": -2, "d": 3}).cast({"score": dtype})
    assert found_at(engine, recs, "abcd") == [1, 4, 3, 2]


def test_large_ids_that_a_float_would_confuse_are_kept_apart(engine: Engine) -> None:
    recs = ranked([2**53, 2**53 + 1]).cast({"item": pl.UInt64})
    assert_values(engine, {"rr": 1 / 2, "n_hits": 1}, recs=recs, truth=rated({2**53 + 1: 1}))
