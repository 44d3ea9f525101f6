"""Bad segments are refused, and the error says what to do."""

from __future__ import annotations

from typing import Any

import polars as pl

import rankmetrics as rm
from rankmetrics.errors import ColumnError, DataError, DialectError, InputError, MetricError
from tests.segments.examples import ITEMS, RECS, TRUTH, USERS
from tests.support.refusals import refusal


def _segments(segments: object, metrics: str = "hit@1", **options: Any) -> rm.Segments:
    return rm.evaluate(RECS, TRUTH, metrics, **options).segments(segments)


GENDERS = USERS.select("user", "gender")


SCHEMAS: list[tuple[Any, type[rm.RankMetricsError], str]] = [
    ({}, InputError, "Segments are given by their names"),
    (7, InputError, "There was 7."),
    ({3: GENDERS}, InputError, "Segments are given by their names"),
    (GENDERS, InputError, "There was a DataFrame."),
    ("activty", InputError, "no segments called 'activty'.*Did you mean 'activity'"),
    ("gender", InputError, "give the table, too: result.segments({'gender': (table, 'gender')})"),
    ("n_history", InputError, "put it into buckets, as in rm.buckets('n_history', 5)"),
    ("activity", InputError, "computed from the history, and none was given: evaluate with history="),
    ({"p": rm.buckets("popularity")}, InputError, "computed from the history"),
    ({"g": "nothere.parquet"}, InputError, "'nothere.parquet'"),
    ({"g": 7}, InputError, "No engine reads the kind of the segments_g: builtins.int"),
    ({"g": USERS}, ColumnError, "It has 'gender' and 'age' beside 'user'. Name it: {'g': (table, \"column\")}"),
    ({"g": (USERS, "gendr")}, ColumnError, "no column 'gendr'.*Did you mean 'gender'"),
    ({"g": USERS.select("user")}, ColumnError, "It has 'user'."),
    ({"g": USERS.select("gender", "age")}, ColumnError, "g"),
    ({"g": GENDERS.cast({"user": pl.String})}, ColumnError, "nothing would match"),
    ({"g": ITEMS.cast({"item": pl.Categorical}).with_columns(item=1)}, ColumnError, "nothing would match"),
    ({"g": GENDERS.with_columns(gender=pl.concat_list("gender"))}, ColumnError, "cannot be of the column 'gender'"),
    ({"g": rm.buckets(GENDERS)}, ColumnError, "need a column of numbers, and 'gender' is string"),
    ({"g": rm.buckets(ITEMS.with_columns(genre=1))}, ColumnError, "buckets are for lists"),
]


def test_what_schemas_tell_is_refused_at_once() -> None:
    result = rm.evaluate(RECS, TRUTH, "hit@1")
    for segments, error, message in SCHEMAS:
        with refusal(error, *message.split(".*"), case=segments):
            result.segments(segments)


def test_buckets_are_counted_by_a_whole_number_and_made_of_a_known_number() -> None:
    for n in (1, 0, -3, 1001, 2.5, True):
        with refusal(InputError, "whole number from 2 to 1000", case=n):
            rm.buckets("n_history", n=n)  # type: ignore[arg-type]  # the mistake is meant
    for n in (2.5, float("inf")):
        with refusal(InputError, "whole number from 2 to 1000", case=n):
            rm.buckets("n_history", n)  # type: ignore[arg-type]
    with refusal(InputError, "'n_histori' of a list: ", "Did you mean 'n_history'", "name its column"):
        rm.buckets("n_histori", 5)


def test_evaluations_that_have_no_such_segments_are_refused() -> None:
    with refusal(InputError, "each list is ranked among candidates"):
        _segments({"g": ITEMS}, sample=2, catalog=ITEMS)
    with refusal(MetricError, "is a number of a system"):
        _segments({"g": GENDERS}, "coverage@1", catalog=ITEMS)
    scored = RECS.with_columns(score=-pl.col("rank")).drop("rank")
    segments = rm.evaluate(scored, TRUTH, "hit@1", ties="input").segments({"g": GENDERS})
    with refusal(DialectError, "order of the rows"):
        segments.to_sql("snowflake")
    segments = rm.evaluate(RECS, TRUTH.with_columns(item=pl.lit("q")), "hit@1").segments({"g": GENDERS})
    with refusal(DataError, "No item is in both"):
        segments.collect()


def test_two_rows_for_a_list_are_refused_with_samples_and_rows_without_a_key_are_not() -> None:
    segments = _segments({"g": pl.concat([GENDERS, GENDERS.head(2)])})
    for compute in (segments.collect, segments.__repr__):
        with refusal(DataError, "several rows for the same user, such as 1 (2 rows) and 2 (2 rows)"):
            compute()
    table = pl.concat([GENDERS, GENDERS.head(2).with_columns(user=pl.lit(None, pl.Int64))])
    assert _segments({"g": table}).collect().height == 6


def test_a_table_that_puts_nothing_into_a_segment_is_refused() -> None:
    for table, message in (
        (GENDERS.with_columns(user=pl.col("user") + 100), "'g' hold no list: its values are all NULL, or no id"),
        (GENDERS.with_columns(gender=pl.lit(None, pl.String)), "'g' hold no list"),
        (GENDERS.clear(), "'g' hold no list"),
        (ITEMS.with_columns(item=pl.lit("v")), "'g' hold no relevant item"),
    ):
        with refusal(DataError, message):
            _segments({"g": table}).collect()


def test_a_name_with_quotes_stays_a_text() -> None:
    name = """O'Neil"; DROP TABLE x --"""
    assert _segments({name: GENDERS}).collect()["segmentation"].unique().to_list() == [name]
