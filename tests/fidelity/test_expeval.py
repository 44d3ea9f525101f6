"""expeval's expected exposure, on drawn rankings."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.fidelity.tables import GOLDEN
from tests.support.engines import Engine

PROBLEMS: list[dict[str, Any]] = json.loads((GOLDEN / "expeval.json").read_text(encoding="utf-8"))["problems"]


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_expected_exposure_is_theirs(engine: Engine, problem: dict[str, Any]) -> None:
    rows = [
        (user, draw, item, rank)
        for user, lists in enumerate(problem["rankings"])
        for draw, of in enumerate(lists)
        for rank, item in enumerate(of, start=1)
    ]
    rated = [(user, item, rating) for user, of in enumerate(problem["truths"]) for item, rating in of]
    recs = pl.DataFrame(rows, schema=["user", "draw", "item", "rank"], orient="row")
    truth = pl.DataFrame(rated, schema=["user", "item", "rating"], orient="row")
    result = rm.evaluate(engine.give(recs), engine.give(truth), [*problem["values"]], by=[])
    (row,) = engine.read(result.summary()).rows(named=True)
    for call, value in problem["values"].items():
        assert row[rm.parse(call).label] == pytest.approx(value, rel=1e-9, abs=1e-12), call
