"""Two systems and three users, as frames; results of systems of any names."""

from __future__ import annotations

import polars as pl

import rankmetrics as rm
from rankmetrics._files import data_folder

RECS_PATH, TRUTH_PATH = data_folder() / "recs.parquet", data_folder() / "truth.parquet"


# Two systems and three users. a: u1 finds its item at rank 2, u2 at rank 1, u3 is missing; b: u1 at rank 1, u3 nothing.
RECS = pl.DataFrame(
    {"algorithm": ["a", "a", "a", "b", "b"], "user": [1, 1, 2, 1, 3], "item": [7, 8, 7, 8, 7], "rank": [1, 2, 1, 1, 1]}
)
TRUTH = pl.DataFrame({"user": [1, 2, 3], "item": [8, 7, 9], "rating": [5.0, 3.0, 1.0]})


COUNTED_RECS = pl.DataFrame(
    [
        ("a", 1, 1, 0.9),  # found
        ("a", 1, 1, 0.8),  # a duplicate of it
        ("a", 1, 2, 0.7),
        ("a", 2, 1, 0.5),  # nothing is relevant for user 2; a has no list for user 3
        ("a", 4, None, 0.4),  # all there is of this list has no item: it is empty
        ("a", 9, 99, 0.3),  # no truth for user 9, nor of item 99
        ("b", 1, 1, 0.9),
        ("b", 1, 2, 0.5),  # places 2 and 3 tie: which of them is second?
        ("b", 1, 3, 0.5),
        ("b", 2, 1, 0.9),
        ("b", 2, 2, 0.8),
        ("b", 2, 3, 0.7),
        ("b", 2, 4, 0.1),  # places 4 and 5 tie: whatever comes first, nobody looks so deep
        ("b", 2, 5, 0.1),
        ("b", 3, 3, 0.9),  # places 1 and 2 tie
        ("b", 3, 4, 0.9),
        ("b", 4, 4, None),  # ranked last for want of a score
        ("b", None, 4, 0.1),  # nobody's
    ],
    schema={"algorithm": pl.String, "user": pl.Int64, "item": pl.Int64, "score": pl.Float64},
    orient="row",
)
COUNTED_TRUTH = pl.DataFrame(
    [
        (1, 1, 5.0),
        (1, 1, 4.0),  # again
        (1, 2, 3.0),
        (2, 1, 0.0),  # judged, not relevant
        (3, 3, 2.0),
        (4, 4, 1.0),
        (None, 1, 1.0),
        (3, None, 1.0),
    ],
    schema={"user": pl.Int64, "item": pl.Int64, "rating": pl.Float64},
    orient="row",
)


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
    return [one.strip() for one in line.split("│")]
