"""What the tests of refusals share: sound inputs that nobody may read, and an assertion on the error's words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import polars as pl

import rankmetrics as rm
from tests.support import flat
from tests.support.engines import Engine

RECS = pl.DataFrame({"user": [1, 1, 2, 2], "item": [7, 8, 7, 9], "rank": [1, 2, 1, 2]})
TRUTH = pl.DataFrame({"user": [1, 2], "item": [8, 7]})
SCORED = RECS.drop("rank").with_columns(score=pl.lit(0.5))


@contextmanager
def refusal(error: type[rm.RankMetricsError], *parts: str, case: object = "") -> Iterator[None]:
    """What is run inside is refused with exactly this error, whose message has all these parts."""
    caught = None
    try:
        yield
    except rm.RankMetricsError as refused:
        caught = refused
    assert type(caught) is error, (case or parts, caught)
    message = str(caught)
    assert not [part for part in parts if part not in message], (case, message)


def _run(_: pl.DataFrame) -> pl.DataFrame:
    raise AssertionError("the query was run")


def unread(engine: Engine, frame: pl.DataFrame) -> Any:
    """A frame as the engine takes it, which raises as soon as somebody reads a row of it."""
    given = engine.give(frame)
    if isinstance(given, pl.LazyFrame):
        return given.map_batches(_run, schema=frame.schema)
    return given.filter("error('the query was run') IS NULL")


class Asking:
    """Evaluates inputs that nobody may read; what is not said otherwise is sound."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def __call__(
        self, recs: pl.DataFrame = RECS, truth: pl.DataFrame = TRUTH, metrics: Any = "hit@1", **asked: Any
    ) -> rm.Result:
        return flat.evaluate(unread(self.engine, recs), unread(self.engine, truth), metrics, **asked)
