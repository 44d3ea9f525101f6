"""A small problem, and what comes of measuring it: its numbers, or the error."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.support.drawing import scaled

SEED = 15 if "CI" in os.environ else None
METRICS = ["rr", "recall@2", "ndcg@3"]
PLAIN = pl.DataFrame({"user": [1, 1, 2, 3], "item": [1, 2, 3, 1], "score": [0.9, 0.5, 0.8, 0.1]})
TRUE = pl.DataFrame({"user": [1, 2, 3], "item": [2, 3, 4]})
EXPECTED = rm.evaluate(PLAIN, TRUE, METRICS).summary().collect().rows()


def drawn(cases: list[Any], most: int) -> list[Any]:
    dice = random.Random(SEED)
    return cases if len(cases) <= scaled(most) else dice.sample(cases, scaled(most))


def outcome(ask: Callable[[], Any]) -> str:
    """`right` for the numbers of the plain data, the name of an error of ours otherwise."""
    try:
        found = ask()
    except rm.RankMetricsError as error:
        return type(error).__name__ if str(error).strip() else "an error without a word"
    assert [pytest.approx(row) for row in found] == EXPECTED
    return "right"
