"""FairRankTune's fairness of groups of items, on drawn rankings."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.fidelity.tables import GOLDEN
from tests.support.engines import Engine

PROBLEMS: list[dict[str, Any]] = json.loads((GOLDEN / "fairranktune.json").read_text(encoding="utf-8"))["problems"]


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_fairness_of_groups_is_theirs(engine: Engine, problem: dict[str, Any]) -> None:
    items = pl.DataFrame({"item": range(len(problem["groups"])), "category": problem["groups"]})
    rows = [(user, item, rank) for user, of in enumerate(problem["rankings"]) for rank, item in enumerate(of, start=1)]
    recs = pl.DataFrame(rows, schema=["user", "item", "rank"], orient="row")
    values = {call: value for call, value in problem["values"].items() if not call.startswith("ndkl")}
    result = rm.evaluate(engine.give(recs), metrics=[*values], items=engine.give(items))
    lists, (row,) = engine.read(result.per_list()).sort("user"), engine.read(result.summary()).rows(named=True)
    for call, value in values.items():
        label = rm.parse(call).label
        found = lists[label].to_list() if isinstance(value, list) else row[label]
        assert found == pytest.approx(value, rel=1e-9, abs=1e-12), call
    for user, (exact, rounded) in enumerate(zip(*map(problem["values"].get, ("ndkl", "ndkl as it is")), strict=True)):
        own = recs.filter(pl.col("user") == user)  # its target is the whole ranking
        ndkl = rm.evaluate(engine.give(own), metrics="ndkl", items=engine.give(items), catalog=engine.give(own))
        (value,) = engine.read(ndkl.summary())["ndkl"]
        assert value == pytest.approx(exact, rel=1e-9, abs=1e-12), user
        assert value == pytest.approx(rounded, abs=1e-5), user
