"""Spark and the databases draw the negatives that DuckDB draws, and measure the same among them."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.support.engines import LOCAL, OTHERS, Engine, need

USERS, ITEMS = ["anna", "Bo", "çelik"], [*range(12)]
RECS = pl.DataFrame(
    [
        {"algorithm": algorithm, "user": user, "item": item, "rank": (item * step + place) % 12 + 1}
        for algorithm, step in (("als", 5), ("knn", 7))
        for place, user in enumerate(USERS)
        for item in ITEMS
    ]
)
TRUTH = pl.DataFrame({"user": ["anna", "anna", "Bo", "çelik"], "item": [3, 4, 7, 11]})
HISTORY = pl.DataFrame({"user": ["anna", "Bo", "Bo", "çelik", "çelik"], "item": [0, 1, 2, 2, 5]})
MORE = {"history": HISTORY, "items": pl.DataFrame({"item": ITEMS, "popularity": [item + 1 for item in ITEMS]})}
MORE["catalog"] = MORE["items"].select("item")

SAMPLES = [
    rm.Negatives(4, seed=5),
    rm.Negatives(4, by="popularity", seed=5),
    rm.Negatives(4, seed=5, estimate="bias_variance", n_items=9),
]


# What an engine cannot draw, and a part of the message that says so.
LACKS: dict[Any, str] = {
    "sqlite": "has no MD5",
    ("datafusion", "popularity"): "its planner fails at the order of the draws",
}


def measured(engine: Engine, sample: rm.Negatives) -> tuple[list[Any], list[Any]]:
    """The negatives, and the metrics of each list."""
    more = {name: engine.give(one) for name, one in MORE.items()}
    result = rm.evaluate(
        engine.give(RECS), engine.give(TRUTH), ["ndcg@3", "rr", "auc"], sample=sample, **more, **engine.options
    )
    drawn = engine.read(result.stage("negatives")).select("user", "item").rows()
    return sorted(drawn), sorted(engine.read(result.per_list()).rows())


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.label)
@pytest.mark.parametrize("engine", [LOCAL[1], *OTHERS], ids=repr)
def test_an_engine_draws_and_measures_as_duckdb_does(engine: Engine, sample: rm.Negatives) -> None:
    need(engine)
    if lack := LACKS.get(engine.name) or LACKS.get((engine.name, sample.by)):
        with pytest.raises(rm.DialectError, match=lack):
            measured(engine, sample)
        return
    drawn, values = measured(engine, sample)
    expected, of_duckdb = measured(LOCAL[0], sample)
    assert drawn == expected
    assert len(drawn) == 12
    for found, wanted in zip(values, of_duckdb, strict=True):
        assert found[:2] == wanted[:2]
        assert found[2:] == pytest.approx(wanted[2:], abs=1e-12)
