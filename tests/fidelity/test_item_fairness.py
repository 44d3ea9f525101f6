"""The fairness of single items by the code of Rampisela et al. (2024), on drawn rankings."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.fidelity.tables import GOLDEN
from tests.support.engines import Engine

PROBLEMS: list[dict[str, Any]] = json.loads((GOLDEN / "item_fairness.json").read_text(encoding="utf-8"))["problems"]


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_fairness_of_items_is_theirs(engine: Engine, problem: dict[str, Any]) -> None:
    rows = [(user, item, rank) for user, of in enumerate(problem["rankings"]) for rank, item in enumerate(of, start=1)]
    recs = pl.DataFrame(rows, schema=["user", "item", "rank"], orient="row")
    catalog = pl.DataFrame({"item": range(1, problem["items"] + 1)})
    result = rm.evaluate(engine.give(recs), metrics=[*problem["values"]], catalog=engine.give(catalog))
    (row,) = engine.read(result.summary()).rows(named=True)
    for call, value in problem["values"].items():
        assert row[rm.parse(call).label] == pytest.approx(value, rel=1e-9, abs=1e-12), call
