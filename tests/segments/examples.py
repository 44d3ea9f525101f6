"""Small inputs of segments, with numbers worked out by hand."""

from __future__ import annotations

import polars as pl

# System a finds the items of users 1, 2 and 5; system b those of users 3 and 4, and recommends nothing to user 6.
RECS = pl.DataFrame(
    {
        "system": ["a"] * 6 + ["b"] * 5,
        "user": [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5],
        "item": ["x", "x", "y", "y", "z", "x", "y", "y", "x", "z", "x"],
        "rank": [1] * 11,
    }
)
TRUTH = pl.DataFrame({"user": [1, 2, 3, 4, 5, 6], "item": ["x", "x", "x", "z", "z", "y"]})
HISTORY = pl.DataFrame(
    {
        "user": [1, 2, 2, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5],
        "item": ["y", "y", "z", "y", "z", "x", "y", "v", "w", "x", "y", "v", "w"],
    }
)
USERS = pl.DataFrame(
    {"user": [1, 2, 3, 4, 9], "gender": ["m", "f", "f", "m", "f"], "age": [30.5, 20.0, 20.0, None, 70.0]}
)
ITEMS = pl.DataFrame({"item": ["x", "y", "z", "z"], "genre": ["drama", "comedy", "comedy", "drama"]})
