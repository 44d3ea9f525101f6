"""One problem in every shape that recommendations and truths come in, and what it gives."""

from __future__ import annotations

import polars as pl

import rankmetrics as rm
from tests.support.engines import summarized

RECS = pl.DataFrame(
    {
        "algorithm": ["als"] * 5 + ["pop"] * 3,
        "user": [1, 1, 1, 2, 2, 1, 1, 3],
        "item": [11, 12, 13, 11, 14, 12, 11, 13],
        "rank": [1, 2, 3, 1, 2, 1, 2, 1],
        "score": [0.9, 0.8, 0.1, 0.7, 0.2, 0.9, 0.3, 0.6],
    }
)
TRUTH = pl.DataFrame({"user": [1, 1, 2, 3, 4], "item": [12, 13, 14, 12, 11], "rating": [5.0, 3.0, 4.0, 1.0, 2.0]})
METRICS = ["ndcg@3", "recall@2", "rr"]
RATED = ["ndcg(gain=linear)@3", *METRICS]

BY_LIST = ("algorithm", "user")


def _listed(*columns: pl.Expr) -> pl.DataFrame:
    return RECS.group_by(BY_LIST, maintain_order=True).agg(*columns)


def _wide(*values: str) -> pl.DataFrame:
    found = RECS.pivot("rank", index=BY_LIST, values=values)
    return found if len(values) > 1 else found.rename({str(n): f"{values[0]}_{n}" for n in (1, 2, 3)})


# The recommendations in shapes whose cells, or columns, hold several items, by the name of the shape.
NESTED = {
    "a list of items": _listed(pl.col("item").alias("recommendations")),
    "a list of items beside a list of scores": _listed(pl.col("item").alias("items"), pl.col("score").alias("scores")),
    "a list of structs": _listed(pl.struct(item_id="item", score="score").alias("items")),
    "a list of structs as Spark's ALS": _listed(pl.struct(movieId="item", rating="score").alias("recommendations")),
    "a list of structs with ranks": _listed(pl.struct("item", "rank").sort_by("score").alias("items")),
}
WIDE = {
    "a column for each position": _wide("item"),
    "two columns for each position": _wide("item", "score"),
    "columns from 0": _wide("item").rename({f"item_{n}": f"rec{n - 1}" for n in (1, 2, 3)}),
}
LISTED_TRUTH = TRUTH.group_by("user", maintain_order=True).agg(pl.col("item").alias("relevant"))
RATED_TRUTH = TRUTH.group_by("user", maintain_order=True).agg("item", ratings="rating")


def summary_of(metrics: list[str] = METRICS) -> pl.DataFrame:
    return summarized(rm.evaluate(RECS.drop("score"), TRUTH, metrics)).sort("algorithm")
