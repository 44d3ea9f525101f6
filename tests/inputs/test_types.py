"""Ids and numbers of every type: measured as plain data is, or refused, alike on every engine."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from itertools import product
from typing import Any

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from tests.support import flat
from tests.support.engines import LOCAL, Engine, each_engine, summarized
from tests.support.outcomes import METRICS, PLAIN, SEED, TRUE, drawn, outcome

# --- types of ids -----------------------------------------------------------------------------------------------------

DAY = datetime(2024, 1, 1)


# What makes the ids 1, 2, 3 and 4 of a type, by what the type is for.
IDS: Mapping[str, Mapping[str, Callable[[pl.Series], pl.Series]]] = {
    "whole numbers": {
        **{
            str(kind): lambda ids, kind=kind: ids.cast(kind)  # type: ignore[misc]
            for kind in (pl.Int8, pl.Int32, pl.Int64, pl.Int128, pl.UInt8, pl.UInt32, pl.UInt64, pl.UInt128)
        },
        "Decimal(9, 0)": lambda ids: ids.cast(pl.Decimal(9, 0)),
        "Decimal(38, 0)": lambda ids: ids.cast(pl.Decimal(38, 0)),
    },
    "texts": {
        "String": lambda ids: ids.cast(pl.String),
        "Categorical": lambda ids: ids.cast(pl.String).cast(pl.Categorical),
        "Enum": lambda ids: ids.cast(pl.String).cast(pl.Enum(["4", "1", "3", "2"])),
    },
    "days": {"Date": lambda ids: _of(ids, lambda n: date(2024, 1, n))},
    "times": {
        unit: lambda ids, unit=unit: _of(ids, lambda n: DAY + timedelta(n)).cast(pl.Datetime(unit))  # type: ignore[misc]
        for unit in ("ms", "us", "ns")
    },
    "times with a zone": {
        "UTC": lambda ids: _of(ids, lambda n: (DAY + timedelta(n)).replace(tzinfo=UTC)),
        "Oslo": lambda ids: IDS["times with a zone"]["UTC"](ids).dt.convert_time_zone("Europe/Oslo"),
    },
}
NO_IDS: Mapping[str, Callable[[pl.Series], pl.Series]] = {
    "Float32": lambda ids: ids.cast(pl.Float32),
    "Float64": lambda ids: ids.cast(pl.Float64),
    "Decimal(9, 2)": lambda ids: ids.cast(pl.Decimal(9, 2)),
    "Null": lambda ids: pl.Series(ids.name, [None] * len(ids)),
    "Binary": lambda ids: _of(ids, lambda n: bytes([n])),
    "Time": lambda ids: _of(ids, time),
    "Duration": lambda ids: _of(ids, timedelta),
    "List": lambda ids: _of(ids, lambda n: [n]),
    "Struct": lambda ids: _of(ids, lambda n: {"id": n}),
}
ALL_IDS: Mapping[str, tuple[str, Callable[[pl.Series], pl.Series]]] = {
    **{name: (group, make) for group, kinds in IDS.items() for name, make in kinds.items()},
    **{name: (f"no ids ({name})", make) for name, make in NO_IDS.items()},
}


@pytest.mark.parametrize("unit", ["ms", "us", "ns"])
def test_times_stay_apart_whatever_unit_other_times_have(engine: Engine, unit: Any) -> None:
    """Two items are a nanosecond apart. The truth has a time in another unit: its item, or a column nobody reads."""
    recs = pl.DataFrame({"user": [1, 1], "item": [1_000_001, 1_000_000], "rank": [1, 2]})
    recs = recs.with_columns(pl.col("item").cast(pl.Datetime("ns")))
    truth = recs.filter(rank=2).drop("rank")
    for judged in (
        truth.with_columns(pl.col("item").dt.cast_time_unit(unit)),
        truth.with_columns(timestamp=pl.lit(0).cast(pl.Datetime(unit))),
    ):
        result = flat.evaluate(engine.give(recs), engine.give(judged), "rr", **engine.options)
        assert summarized(result)["rr"].to_list() == [0.5], judged.schema


def _of(ids: pl.Series, make: Callable[[int], Any]) -> pl.Series:
    return pl.Series(ids.name, [make(one) for one in ids])


def measured(engine: Engine, recs: pl.DataFrame, truth: pl.DataFrame, **asked: Any) -> list[tuple[Any, ...]]:
    result = flat.evaluate(engine.give(recs), engine.give(truth), METRICS, **asked, **engine.options)
    return summarized(result).rows()


@pytest.mark.parametrize("column", ["user", "item"])
def test_ids_match_where_their_types_are_of_one_kind_and_are_refused_elsewhere(column: str) -> None:
    connection = duckdb.connect()
    ids = [one for one in ALL_IDS if (column, one) != ("item", "List")]  # items in a list are a shape of input
    for left, right in drawn([*product(ids, repeat=2)], 60):
        (group, make), (other, make_other) = ALL_IDS[left], ALL_IDS[right]
        recs, truth = PLAIN.with_columns(make(PLAIN[column])), TRUE.with_columns(make_other(TRUE[column]))
        expected = "right" if group == other and "no ids" not in group else "ColumnError"
        for given in (recs.lazy(), _in_duckdb(connection, recs)):
            found = outcome(lambda: summarized(rm.evaluate(given, truth, METRICS)).rows())  # noqa: B023
            assert (left, right, type(given), found) == (left, right, type(given), expected)


def _in_duckdb(connection: duckdb.DuckDBPyConnection, frame: pl.DataFrame) -> Any:
    """A frame as a relation, as far as Arrow has its types."""
    wide = [name for name, kind in frame.schema.items() if kind in (pl.Int128, pl.UInt128)]
    relation = connection.from_arrow(frame.cast(dict.fromkeys(wide, pl.Decimal(38, 0))).to_arrow())
    return relation.select(", ".join(f'"{n}"::HUGEINT AS "{n}"' if n in wide else f'"{n}"' for n in frame.columns))


# --- types of numbers -------------------------------------------------------------------------------------------------

NEGATIVE_NAN = struct.unpack("<d", struct.pack("<Q", 0xFFF8000000000000))[0]
NUMBERS: list[Any] = [
    pl.Int8, pl.Int64, pl.Int128, pl.UInt8, pl.UInt64, pl.Float16, pl.Float32, pl.Float64, pl.Decimal(9, 0),
    pl.Decimal(9, 2),
]  # fmt: skip


@each_engine
def test_ranks_scores_and_ratings_of_any_type_of_number_are_as_those_of_64_bits(engine: Engine) -> None:
    ranks = pl.DataFrame({"user": [1, 1, 1, 2, 2], "item": [1, 2, 3, 1, 2], "rank": [3, 1, 2, 2, 1]})
    scores = ranks.select("user", "item", score=4 - pl.col("rank"))
    truth = pl.DataFrame({"user": [1, 1, 2], "item": [1, 3, 2], "rating": [5, 1, 3]})
    asked = ["ndcg(gain=linear)@3", "rr"]
    for recs, column in ((ranks, "rank"), (scores, "score")):
        plain = rm.evaluate(recs, truth, asked).summary().collect().rows()
        for kind in NUMBERS:
            given, judged = recs.cast({column: kind}), truth.cast({"rating": kind})
            of = engine if _arrow_has(kind) else LOCAL[1]
            found = of.read(rm.evaluate(of.give(given), judged, asked).summary()).rows()
            assert found == plain, (column, kind)


def _arrow_has(kind: Any) -> bool:
    return kind not in (pl.Int128, pl.Float16)


@pytest.mark.parametrize("kind", [pl.Float32, pl.Float64], ids=str)
@each_engine
def test_a_nan_of_either_sign_ranks_last(engine: Engine, kind: Any) -> None:
    scores = [NEGATIVE_NAN, float("nan"), -9.0, float("-inf"), None]
    places = [*range(5)]
    random.Random(SEED).shuffle(places)
    recs = pl.DataFrame({"user": 1, "item": places, "score": [scores[one] for one in places]}, strict=False)
    recs = recs.cast({"user": pl.Int64, "score": kind})
    for item, place in ((2, 1), (3, 2)):
        truth = pl.DataFrame({"user": [1], "item": [item]})
        for given in (engine.give(recs), recs.lazy()):
            assert summarized(rm.evaluate(given, truth, "rr"))["rr"].item() == 1 / place
