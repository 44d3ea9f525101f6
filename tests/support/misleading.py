"""Data whose numbers would mislead, and every way in which a result refuses it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import polars as pl

import rankmetrics as rm

USERS = range(1, 6)
FIVE = pl.DataFrame({"user": USERS, "item": [10, 20, 30, 40, 50], "rank": [1] * 5})
FIVE_TRUE = FIVE.drop("rank")
LONG = pl.DataFrame({"user": [*USERS] * 3, "item": range(15), "rank": [1] * 5 + [2] * 5 + [3] * 5})
LONG_TRUE = LONG.drop("rank")
MANY = pl.DataFrame({"user": range(200), "item": [10] * 200, "rank": [1] * 200})
INFINITE = FIVE_TRUE.with_columns(rating=pl.Series([1.0, 2.0, float("inf"), 1.0, float("-inf")]))
OF_FIVE = r"such as [^.]*\b1, 2, 3\b"


# The recommendations, the truth, what else is asked, and what the message says.
Broken: TypeAlias = tuple[pl.DataFrame, pl.DataFrame, dict[str, Any], tuple[str, ...]]
BROKEN: dict[str, Broken] = {
    "no list in common": (
        FIVE,
        FIVE_TRUE.with_columns(user=pl.col("user") + 100),
        {},
        (
            "No list is in both the recommendations and the truth, which share user",
            r"Recommendations have 1, 2, 3; the truth has 101, 102, 103\.",
        ),
    ),
    "under 1 % of the lists in common": (
        MANY,
        MANY.drop("rank").with_columns(user=pl.col("user") + 199),
        {},
        (
            "Only 1 of 200 lists are in both the recommendations and the truth, which share user",
            r"Recommendations have 0, 1, 2; the truth has 199, 200, 201\.",
        ),
    ),
    "no item in common": (
        FIVE,
        FIVE_TRUE.with_columns(item=pl.col("item") + 1),
        {},
        (
            "No item is in both the recommendations and the truth",
            r"Recommendations have 10, 20, 30; the truth has 11, 21, 31\.",
        ),
    ),
    "ranks from 0": (
        LONG.with_columns(rank=pl.col("rank") - 1),
        LONG_TRUE,
        {},
        ("ranks of 5 lists in column 'rank' do not start at 1", OF_FIVE, r"Ranks count from 1\b"),
    ),
    "ranks from 2": (
        LONG.with_columns(rank=pl.col("rank") + 1),
        LONG_TRUE,
        {},
        ("ranks of 5 lists in column 'rank' do not start at 1", OF_FIVE, r"Ranks count from 1\b"),
    ),
    "a rank repeated": (
        LONG.with_columns(rank=pl.col("rank").clip(upper_bound=2)),
        LONG_TRUE,
        {},
        ("5 ranks in column 'rank' repeat within their list", OF_FIVE, "identified by user"),
    ),
    "a rank repeated after a gap": (
        LONG.with_columns(rank=pl.col("rank").replace({2: 7, 3: 7})),
        LONG_TRUE,
        {},
        ("5 ranks in column 'rank' repeat within their list", OF_FIVE, "identified by user"),
    ),
    "a rank repeated beyond the cutoff": (
        pl.concat([LONG, LONG.with_columns(item=pl.col("item") + 15, rank=pl.col("rank") + 2)]),
        LONG_TRUE,
        {},
        ("5 ranks in column 'rank' repeat within their list", OF_FIVE, "identified by user"),
    ),
    "a rank repeated, another left out, their number and sum right": (
        pl.DataFrame({"user": [1] * 6, "item": range(6), "rank": [1, 2, 2, 5, 5, 6]}),
        LONG_TRUE,
        {},
        ("2 ranks in column 'rank' repeat within their list", r"such as in 1\b", "identified by user"),
    ),
    "ranks repeated, their number, last, sum and sum of squares right": (
        pl.DataFrame({"user": [1] * 8, "item": range(8), "rank": [1, 1, 4, 5, 5, 6, 6, 8]}),
        LONG_TRUE,
        {},
        ("3 ranks in column 'rank' repeat within their list", r"such as in 1\b", "identified by user"),
    ),
    "a NULL rank": (
        LONG.with_columns(rank=pl.when(pl.col("rank") < 3).then("rank")),
        LONG_TRUE,
        {},
        ("5 recommendations have no rank in column 'rank'", OF_FIVE),
    ),
    "lists without any rank": (
        LONG.with_columns(rank=pl.when(pl.col("user") > 2).then("rank")),
        LONG_TRUE,
        {},
        ("6 recommendations have no rank in column 'rank'", r"such as in 1, 2\b"),
    ),
    "an infinite rating": (FIVE, INFINITE, {}, ("2 rows of the truth have an infinite rating",)),
    "no recommendations": (FIVE.clear(), FIVE_TRUE, {}, ("no recommendations", "no row")),
    "no truth": (FIVE, FIVE_TRUE.clear(), {}, ("no truth", "no row")),
    "nothing at all": (FIVE.clear(), FIVE_TRUE.clear(), {}, ("no recommendations", "no row")),
    "recommendations without an id": (
        FIVE.with_columns(user=pl.lit(None, pl.Int64)),
        FIVE_TRUE,
        {},
        ("no recommendations", "NULL id"),
    ),
    "recommendations repeated": (
        pl.concat([FIVE, FIVE.with_columns(rank=pl.lit(2, pl.Int64))]),
        FIVE_TRUE,
        {"duplicates": "error"},
        ('duplicates="error"', "5 recommendations", "0 rows of the truth"),
    ),
    "truth repeated": (
        FIVE,
        pl.concat([FIVE_TRUE, FIVE_TRUE]),
        {"duplicates": "error"},
        ('duplicates="error"', "0 recommendations", "5 rows of the truth"),
    ),
}
ASKING: dict[str, Callable[[rm.Result, Path], object]] = {
    "collect": lambda result, _: result.collect(),
    "collect per list": lambda result, _: result.collect(per_list=True),
    "check": lambda result, _: result.check(),
    "print": lambda result, _: repr(result),
    "show": lambda result, _: result._repr_html_(),
    "write": lambda result, path: result.write(path),
}
