"""Lists so small that the value of a metric can be worked out by hand.

Unless a test says otherwise, one list holds a, b, c, d, e in this order, and relevant to it are b (rated 3), x (2) and
d (1): two of three are found, at ranks 2 and 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from tests.support import flat

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tests.support.engines import Engine

    Values = Mapping[str, float | None]


def ranked(items: Iterable[object], user: object = 1) -> pl.DataFrame:
    """One list of recommendations, in order."""
    found = [*items]
    return pl.DataFrame({"user": [user] * len(found), "item": found, "rank": range(1, len(found) + 1)})


def scored(scores: Mapping[Any, float | None], user: object = 1) -> pl.DataFrame:
    """One list of recommendations, in no order."""
    return pl.DataFrame({"user": [user] * len(scores), "item": [*scores], "score": [*scores.values()]}, strict=False)


def rated(ratings: Mapping[Any, float | None], user: object = 1) -> pl.DataFrame:
    """What is relevant to one list."""
    about = {"user": [user] * len(ratings), "item": [*ratings], "rating": [*ratings.values()]}
    return pl.DataFrame(about, schema_overrides={"rating": pl.Float64})


RECS = ranked("abcde")
TRUTH = rated({"b": 3, "x": 2, "d": 1})


def per_list(
    engine: Engine, recs: pl.DataFrame, truth: pl.DataFrame, metrics: Sequence[str], **options: Any
) -> pl.DataFrame:
    """One row per list, in order of the list columns. Relations have no order of rows: for that DuckDB takes Arrow."""
    give = pl.DataFrame.to_arrow if options.get("ties") == "input" and engine.name == "duckdb" else engine.give
    result = flat.evaluate(give(recs), give(truth), metrics, **options)
    return engine.read(result.per_list()).sort(result.layout.lists)


def summary(
    engine: Engine, recs: pl.DataFrame, truth: pl.DataFrame, metrics: Sequence[str], **options: Any
) -> list[dict[str, Any]]:
    return engine.read(flat.evaluate(engine.give(recs), engine.give(truth), metrics, **options).summary()).to_dicts()


def assert_values(
    engine: Engine, expected: Values, recs: pl.DataFrame = RECS, truth: pl.DataFrame = TRUTH, **options: Any
) -> None:
    (row,) = per_list(engine, recs, truth, [*expected], **options).rows()
    found = dict(zip(expected, row[-len(expected) :], strict=True))
    assert found == {label: about(value) for label, value in expected.items()}


def about(value: float | None) -> object:
    """What equals a value up to rounding; NULL equals nothing but NULL."""
    return None if value is None else pytest.approx(value, rel=1e-12, abs=1e-12)


def found_at(engine: Engine, recs: pl.DataFrame, items: Iterable[object], **options: Any) -> list[int]:
    """The rank of each item, found by being relevant alone: one list of truth per item, one copy of the list for it."""
    copies = pl.concat([recs.with_columns(user=pl.lit(number)) for number, _ in enumerate(items)])
    truth = pl.concat([rated({item: 1}, user=number) for number, item in enumerate(items)])
    truth = truth.cast({"user": pl.Int32}).cast({"item": copies.schema["item"]})
    return [round(1 / rr) for rr in per_list(engine, copies, truth, ["rr"], **options)["rr"]]
