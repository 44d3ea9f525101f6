"""A small problem whose columns have unusual names, and how it is measured."""

from __future__ import annotations

from typing import Any

import polars as pl

import rankmetrics as rm
from tests.support import flat
from tests.support.engines import Engine, summarized

RECS = pl.DataFrame({"user": [1, 1, 2, 2], "item": [7, 8, 7, 9], "score": [0.9, 0.5, 0.8, 0.1]})
TRUTH = pl.DataFrame({"user": [1, 2], "item": [8, 7]})


def evaluate(engine: Engine, recs: pl.DataFrame, truth: pl.DataFrame, metrics: Any = "rr", **options: Any) -> rm.Result:
    return flat.evaluate(engine.give(recs), engine.give(truth), metrics, **options, **engine.options)


def value(result: rm.Result, label: str = "rr") -> Any:
    return summarized(result)[label].to_list()
