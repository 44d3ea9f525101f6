"""Small lists, six metrics, and their numbers whatever computes them."""

from __future__ import annotations

import random
from typing import Any

import polars as pl

from tests.support import flat
from tests.support.engines import means

SIX = ["ndcg@2", "recall@2", "precision@2", "ap@2", "rr@2", "hit@2"]
RECS = pl.DataFrame(
    {"user": [1, 1, 1, 2, 2, 3], "item": [10, 20, 30, 10, 40, 50], "score": [0.9, 0.5, 0.5, 0.1, 0.2, 1]}
)
TRUTH = pl.DataFrame({"user": [1, 1, 1, 2, 4], "item": [20, 30, 30, 40, 10]})


def asked(recs: object, truth: object, metrics: Any = SIX, **more: Any) -> list[tuple[Any, ...]]:
    result = flat.evaluate(recs, truth, metrics, **more)
    return means(result).rows()


def ranked(scored: pl.DataFrame) -> pl.DataFrame:
    """The same lists with ranks in place of scores, found the long way."""
    order = scored.sort("score", "item", descending=[True, False])
    return order.with_columns(rank=pl.int_range(1, pl.len() + 1).over("user", "day")).drop("score")


def many(lists: int, length: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Lists by two columns in random order, with ties, and a truth."""
    draw = random.Random(7)
    rows = [
        (user, day, item, draw.randrange(length // 2))
        for user in range(lists)
        for day in "ab"
        for item in draw.sample(range(length * 2), length)
    ]
    draw.shuffle(rows)
    recs = pl.DataFrame(rows, schema=["user", "day", "item", "score"], orient="row").cast({"score": pl.Float64})
    return recs, recs.select("user", "item").unique().filter(pl.col("item") % 7 == 0).sort("user", "item")
