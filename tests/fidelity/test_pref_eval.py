"""pref_eval's preferences, on drawn pairs of rankings."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.fidelity.tables import GOLDEN
from tests.support.engines import Engine

PROBLEMS: list[dict[str, Any]] = json.loads((GOLDEN / "pref_eval.json").read_text(encoding="utf-8"))["problems"]


def test_the_preferences_are_theirs(engine: Engine) -> None:
    recs, baseline = (
        pl.DataFrame(
            [
                (user, item, rank)
                for user, problem in enumerate(PROBLEMS)
                for rank, item in enumerate(problem["lists"][side], start=1)
            ],
            schema=["user", "item", "rank"],
            orient="row",
        )
        for side in (0, 1)
    )
    rated = [(user, item, rating) for user, problem in enumerate(PROBLEMS) for item, rating in problem["truth"]]
    truth = pl.DataFrame(rated, schema=["user", "item", "rating"], orient="row")
    calls = [*PROBLEMS[0]["values"]]
    result = rm.evaluate(engine.give(recs), engine.give(truth), calls, baseline=engine.give(baseline))
    rows = engine.read(result.per_list()).sort("user").to_dicts()
    for row, problem in zip(rows, PROBLEMS, strict=True):
        for call, value in problem["values"].items():
            assert row[rm.parse(call).label] == pytest.approx(value, rel=1e-9, abs=1e-12), (row["user"], call)
