"""A history, a baseline, items, similarities and a catalogue beside two lists, and what is measured by them.

User 1 is given a, b, c and user 2 a, d; relevant are b to user 1, a to user 2, and d to user 3, who is given nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import polars as pl
import pytest

import rankmetrics as rm
from tests.support import flat
from tests.support.engines import LOCAL, Engine

RECS = pl.DataFrame({"user": [1, 1, 1, 2, 2], "item": ["a", "b", "c", "a", "d"], "rank": [1, 2, 3, 1, 2]})
TRUTH = pl.DataFrame({"user": [1, 2, 3], "item": ["b", "a", "d"]})


# a is known to 1, 2 and 4; b to 4; e to 1: of d and c nobody knows.
HISTORY = pl.DataFrame({"user": [1, 1, 2, 4, 4], "item": ["a", "e", "a", "b", "a"]})
BASELINE = pl.DataFrame({"user": [1, 1, 1, 2], "item": ["c", "e", "a", "d"], "rank": [1, 2, 3, 1]})
ITEMS = pl.DataFrame({"item": ["a", "b", "c", "d", "e"], "category": ["s", "s", "t", "t", "t"]})
SIMILARITY = pl.DataFrame({"item": ["a", "a", "b"], "other": ["b", "c", "c"], "similarity": [0.5, 0.25, 1.0]})
CATALOG = pl.DataFrame({"item": ["a", "b", "c", "d", "e", "f"]})
# To user 1, a and b were shown at once, to user 2 c; user 3 has no recommendations.
LOG = pl.DataFrame(
    {
        "user": [1, 1, 2, 3],
        "position": [1, 2, 1, 1],
        "item": ["a", "b", "c", "d"],
        "reward": [1.0, 0.0, 1.0, 1.0],
        "propensity": [0.5, 0.8, 0.5, 0.5],
    }
)
EMBEDDINGS = pl.DataFrame(
    {"item": ["a", "b", "c", "d"], "embedding": [[1.0, 0.0], [0.0, 2.0], [3.0, 3.0], [-1.0, 0.0]]}
)
POPULARITY = pl.DataFrame({"item": ["a", "b", "c"], "popularity": [8, 4, 4]})


def result(
    engine: Engine, metrics: Any, recs: pl.DataFrame = RECS, truth: pl.DataFrame = TRUTH, **options: Any
) -> rm.Result:
    given = {name: engine.give(one) if isinstance(one, pl.DataFrame) else one for name, one in options.items()}
    return flat.evaluate(engine.give(recs), engine.give(truth), metrics, **given)


def lists(engine: Engine, metrics: Any, **options: Any) -> list[tuple[Any, ...]]:
    """One row per list of a result that is not refused, by user; the values only, up to rounding."""
    found = result(engine, metrics, **options)
    found.check()
    return [about(row[1:]) for row in engine.read(found.per_list()).sort("user").rows()]


def systems(engine: Engine, metrics: Any, **options: Any) -> dict[str, Any]:
    """The one row of a summary that is not refused, without the number of lists."""
    found = result(engine, metrics, **options)
    found.check()
    (row,) = engine.read(found.summary()).to_dicts()
    del row["n_lists"]
    return row


def about(values: Sequence[float | None]) -> tuple[Any, ...]:
    return tuple(None if one is None else pytest.approx(one, rel=1e-9, abs=1e-12) for one in values)


def counted(engine: Engine, metrics: Any, **options: Any) -> dict[str, int]:
    """The account by name of a result that is not refused."""
    found = result(engine, metrics, **options)
    found.check()
    return dict(engine.read(found.account()).select("account", "n").iter_rows())


Given: TypeAlias = Callable[[pl.DataFrame, Path], Any]
KINDS: Mapping[str, Given] = {
    "path": lambda frame, path: frame.write_parquet(path) or path,
    "path as text": lambda frame, path: frame.write_parquet(path) or str(path),
    "relation": lambda frame, _: LOCAL[0].give(frame),
    "frame": lambda frame, _: frame,
    "lazy frame": lambda frame, _: frame.lazy(),
    "pandas": lambda frame, _: frame.to_pandas(),
    "Arrow": lambda frame, _: frame.to_arrow(),
    "Arrow reader": lambda frame, _: frame.to_arrow().to_reader(),
}
OF_ALL = ["unseen@2", "rbo@2", "categorical_diversity@2", "list_diversity@2", "coverage@2", "popularity@2"]
ALL: Mapping[str, Any] = {
    "history": HISTORY,
    "baseline": BASELINE,
    "items": ITEMS,
    "similarity": SIMILARITY,
    "catalog": CATALOG,
}
