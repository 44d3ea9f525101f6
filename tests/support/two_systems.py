"""Two systems and three users, as frames; results of systems of any names."""

from __future__ import annotations

import duckdb
import polars as pl

import rankmetrics as rm
from rankmetrics._files import data_folder

RECS_PATH, TRUTH_PATH = data_folder() / "recs.parquet", data_folder() / "truth.parquet"


# Two systems and three users. a: u1 finds its item at rank 2, u2 at rank 1, u3 is missing; b: u1 at rank 1, u3 nothing.
RECS = pl.DataFrame(
    {
        "algorithm": ["a", "a", "a", "b", "b"],
        "user": [1, 1, 2, 1, 3],
        "item": [7, 8, 7, 8, 7],
        "rank": [1, 2, 1, 1, 1],
    }
)
TRUTH = pl.DataFrame({"user": [1, 2, 3], "item": [8, 7, 9], "rating": [5.0, 3.0, 1.0]})


def by_hand(query: str) -> pl.DataFrame:
    """What DuckDB answers somebody who runs a query by hand."""
    relation = duckdb.sql(query)
    assert relation is not None
    frame: pl.DataFrame = relation.pl()
    return frame


def named(*names: str | None) -> rm.Result:
    """A result of systems called so, one list each, the first of them the best."""
    places = range(1, len(names) + 1)
    recs = pl.DataFrame(
        {
            "algorithm": [name for name, place in zip(names, places, strict=True) for _ in range(place)],
            "user": [1 for place in places for _ in range(place)],
            "item": [8 if rank == place else 7 for place in places for rank in range(1, place + 1)],
            "rank": [rank for place in places for rank in range(1, place + 1)],
        }
    )
    return rm.evaluate(recs, TRUTH.filter(pl.col("user") == 1), ["rr", "hit@1"])


def cells(line: str) -> list[str]:
    """The cells of a printed row."""
    return [one.strip() for one in line.split("│")]
