"""The fairness of single items, alone and to relevance, by the code of Rampisela et al. (2024), on drawn rankings."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.fidelity.tables import GOLDEN
from tests.support import flat
from tests.support.engines import Engine

PROBLEMS: list[dict[str, Any]] = [
    problem
    for name in ("item_fairness", "joint_fairness")
    for problem in json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["problems"]
]


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_fairness_of_items_is_theirs(engine: Engine, problem: dict[str, Any]) -> None:
    rows = [(user, item, rank) for user, of in enumerate(problem["rankings"]) for rank, item in enumerate(of, start=1)]
    recs = pl.DataFrame(rows, schema=["user", "item", "rank"], orient="row")
    relevant = [(user, item) for user, of in enumerate(problem.get("truths", ())) for item in of]
    truth = pl.DataFrame(relevant, schema=["user", "item"], orient="row")
    catalog = pl.DataFrame({"item": range(1, problem["items"] + 1)})
    inputs = {"truth": engine.give(truth)} if relevant else {}
    result = flat.evaluate(engine.give(recs), metrics=[*problem["values"]], catalog=engine.give(catalog), **inputs)
    (row,) = engine.read(result.summary()).rows(named=True)
    for call, value in problem["values"].items():
        assert row[rm.parse(call).label] == pytest.approx(value, rel=1e-9, abs=1e-12), call
