"""Categorical and enum columns are texts: for ties, for lists, and beside plain texts."""

from __future__ import annotations

from itertools import product
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.support.engines import Engine
from tests.support.kinds import METRICS, Desk, Kind, Stream, assert_same

FRUIT = pl.Enum(["pear", "fig", "apple"])  # neither in the order of the alphabet nor in that of the truth's categories
NAMED = pl.DataFrame(
    {"user": ["bo", "bo", "bo", "al", "al"], "item": ["pear", "apple", "fig", "fig", "pear"], "score": [0.5] * 5}
)
NAMED_TRUTH = pl.DataFrame({"user": ["al", "bo", "cy"], "item": ["fig", "apple", "fig"]})
BY_USER = rm.evaluate(NAMED, NAMED_TRUTH, METRICS[1:], by="user").summary().collect()


def _as_enum(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.cast({"item": FRUIT, "user": pl.Enum(["cy", "bo", "al"])})


def _as_categorical(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.cast({"item": pl.Categorical, "user": pl.Categorical})


CATEGORICAL: dict[str, Kind] = {
    "Polars Enum": lambda desk, name, frame: _as_enum(frame).lazy(),
    "Polars Categorical": lambda desk, name, frame: _as_categorical(frame).lazy(),
    "pandas category": lambda desk, name, frame: _as_enum(frame).to_pandas(),
    "Arrow dictionary": lambda desk, name, frame: _as_enum(frame).to_arrow(),
    "Arrow stream": lambda desk, name, frame: Stream(_as_categorical(frame).to_arrow()),
    "DuckDB relation": lambda desk, name, frame: desk.connection.from_df(_as_enum(frame).to_pandas()),
    "DuckDB table": lambda desk, name, frame: desk.relation(name, _as_enum(frame)),
    "Parquet file": lambda desk, name, frame: desk.path(name, _as_enum(frame)),
}


@pytest.mark.parametrize("recs", list(CATEGORICAL))
@pytest.mark.parametrize(("ties", "rr"), [("item", 1.0), ("item_desc", (1 / 2 + 1 / 3) / 2)])
def test_ties_of_categorical_items_are_in_the_order_of_their_texts(desk: Desk, recs: str, ties: Any, rr: float) -> None:
    truth = NAMED_TRUTH.filter(pl.col("user") != "cy")
    result = rm.evaluate(CATEGORICAL[recs](desk, "recs", NAMED), truth, "rr", ties=ties)
    assert result.collect()["rr"].item() == pytest.approx(rr)


PAIRED = ["Polars Enum", "Polars Categorical", "pandas category", "DuckDB relation", "Parquet file"]


@pytest.mark.parametrize(("recs", "truth"), list(product(PAIRED, repeat=2)))
def test_categorical_columns_are_strings(desk: Desk, recs: str, truth: str) -> None:
    given = CATEGORICAL[recs](desk, "recs", NAMED), CATEGORICAL[truth](desk, "truth", NAMED_TRUTH)
    assert_same(rm.evaluate(*given, METRICS[1:], by="user"), BY_USER)


@pytest.mark.parametrize("recs", list(CATEGORICAL))
def test_categorical_columns_meet_strings(desk: Desk, recs: str) -> None:
    assert_same(rm.evaluate(CATEGORICAL[recs](desk, "recs", NAMED), NAMED_TRUTH, METRICS[1:], by="user"), BY_USER)


@pytest.mark.parametrize("truth", list(CATEGORICAL))
def test_strings_meet_categorical_columns(desk: Desk, engine: Engine, truth: str) -> None:
    recs = NAMED.lazy() if engine.name == "polars" else desk.relation("named", NAMED)
    assert_same(rm.evaluate(recs, CATEGORICAL[truth](desk, "truth", NAMED_TRUTH), METRICS[1:], by="user"), BY_USER)
