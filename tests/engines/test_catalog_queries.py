"""Types of columns are known by the names that databases' catalogues have for them."""

from __future__ import annotations

import pytest

import rankmetrics as rm
from rankmetrics.engines.base import type_of
from tests.support.refusals import refusal
from tests.support.schemas import NAMED, room_of

# The names of types as the catalogues of databases, Spark and Ibis have them.
FAMILIES = {
    "string": (
        "text | character varying(20) | character(3) | name | citext | varchar(10) | char(2) | longtext | nvarchar | "
        "String | Nullable(String) | LowCardinality(Nullable(String)) | FixedString(4) | Utf8 | LargeUtf8 | Utf8View | "
        "Dictionary(Int32, Utf8) | VARCHAR(16777216) | STRING | enum | enum('date','int') | enum('binary','float') | "
        "Enum8('date' = 1) | Nullable(Enum16('array' = 1, 'bool' = 2)) | uuid | UUID | Nullable(UUID) | "
        "uniqueidentifier"
    ),
    "integer": (
        "bigint | integer | smallint | int unsigned | tinyint(1) | bigint(20) unsigned | INT64 | Int64 | "
        "Nullable(UInt8) | UInt64 | numeric(9,0) | decimal(10) | Decimal(18, 0) | NUMBER(38,0) | BIGINT | INT | serial"
    ),
    "float": (
        "double precision | real | numeric | numeric(10,2) | float | float8 | DOUBLE | Float32 | Nullable(Float64) | "
        "Decimal(18, 4) | Decimal128(10, 4) | NUMBER(10,2) | FLOAT64 | NUMERIC | BIGNUMERIC | decimal(5,2) | money"
    ),
    "date": "date | DATE | Date32 | Nullable(Date) | Date64",
    "datetime": (
        "timestamp without time zone | timestamp(3) without time zone | datetime | datetime(6) | datetime2 | "
        "timestamp_ntz | TIMESTAMP_NTZ(9) | DateTime64(3) | Timestamp(Nanosecond, None) | Timestamp(ns) | timestamp(6)"
    ),
    "zoned datetime": (
        "timestamp with time zone | timestamp(3) with time zone | datetimeoffset | TIMESTAMP_TZ(9) | "
        "TIMESTAMP_LTZ(9) | "
        'timestamptz | Timestamp(Microsecond, Some("UTC")) | Timestamp(µs, "UTC") | timestamp(\'UTC\', 6)'
    ),
    "boolean": "boolean | bool | Bool | Nullable(Bool) | bit | BOOLEAN",
    "nested": (
        "text[] | double precision[] | integer[] | Array(String) | Array(Nullable(Float64)) | array<string> | "
        "ARRAY<INT64> | List(Utf8) | LargeList(Utf8) | FixedSizeList(2 x Float32) | Map(String, Int64) | "
        "map<string,int> | struct<a:int,b:string> | Tuple(Int8, String) | json | jsonb | VARIANT | OBJECT | super | "
        "row(a bigint)"
    ),
    "binary": "bytea | blob | longblob | varbinary(10) | binary | Binary | LargeBinary",
    "time": (
        "time | time(6) | time without time zone | time(3) without time zone | time with time zone | timetz | "
        "Time64(Nanosecond) | Nullable(Time64(3))"
    ),
    "duration": "interval | interval day to second | Duration(Microsecond)",
    "unknown": "void | null | Null | unknown | Nullable(Nothing)",
    "other": "point | geometry | inet",
}


@pytest.mark.parametrize("family", FAMILIES)
def test_types_are_known_by_the_names_that_databases_have_for_them(family: str) -> None:
    apart = FAMILIES[family].split(" | ")
    assert {name: type_of(name).family for name in apart} == dict.fromkeys(apart, family)


@pytest.mark.parametrize(
    ("database", "naive", "zoned"),
    [
        ("postgres", "TIMESTAMP '2026-01-01 00:00:00'", "TIMESTAMPTZ '2026-01-01 00:00:00+00'"),
        (
            "datafusion",
            "arrow_cast(1, 'Timestamp(Microsecond, None)')",
            "arrow_cast(1, 'Timestamp(Microsecond, Some(\"UTC\"))')",
        ),
    ],
)
def test_a_time_with_a_zone_and_one_without_are_two_types(database: str, naive: str, zoned: str) -> None:
    with room_of(NAMED[database]) as room:
        room.select("recs", f'SELECT {zoned} AS "at", 1 AS item, 1 AS rank')
        room.select("truth", f'SELECT {naive} AS "at", 1 AS item')
        with refusal(rm.ColumnError, "'at' is zoned datetime", "in the recommendations", "datetime", "in the truth"):
            room.evaluate("recs", "truth", "rr")
