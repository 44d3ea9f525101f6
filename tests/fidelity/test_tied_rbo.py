"""Extrapolated rank-biased overlap by the code of Corsi and Urbano, on drawn pairs of lists."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.fidelity.tables import GOLDEN
from tests.support.engines import Engine, each_engine

PAIRS: list[dict[str, Any]] = json.loads((GOLDEN / "tied_rbo.json").read_text(encoding="utf-8"))["pairs"]
TIED = {"w": "equal", "a": "averaged", "b": "corrected"}
TRUTH = pl.DataFrame({"user": [0], "item": ["i0"]})


def given(engine: Engine, position: int, pairs: list[dict[str, Any]]) -> Any:
    """The first or the second list of each pair."""
    rows = [(user, *row) for user, pair in enumerate(pairs) for row in pair["lists"][position].items()]
    return engine.give(pl.DataFrame(rows, schema=["user", "item", "score"], orient="row"))


@each_engine
def test_the_extrapolated_overlap_is_theirs(engine: Engine) -> None:
    recs, baseline = (given(engine, position, PAIRS) for position in (0, 1))
    calls = {(ties, p): f"rbo(beyond=extrapolated, tied={TIED[ties]}, p={p})@20" for ties, p, _ in PAIRS[0]["values"]}
    result = rm.evaluate(recs, engine.give(TRUTH), [*calls.values()], baseline=baseline, by=[], missing="listed")
    rows = {row["user"]: row for row in engine.read(result.per_list()).rows(named=True)}
    for user, pair in enumerate(PAIRS):
        for ties, p, value in pair["values"]:
            assert rows[user][rm.parse(calls[ties, p]).label] == pytest.approx(value, rel=1e-12, abs=1e-12), (pair, p)


@each_engine
def test_lists_without_ties_have_one_overlap(engine: Engine) -> None:
    untied = [pair for pair in PAIRS if all(len({*scores.values()}) == len(scores) for scores in pair["lists"])]
    assert len(untied) >= 10
    recs, baseline = (given(engine, position, untied) for position in (0, 1))
    calls = [f"rbo(beyond=extrapolated, tied={tied})@4" for tied in ("ranked", *TIED.values())]
    result = rm.evaluate(recs, engine.give(TRUTH), calls, baseline=baseline, by=[], missing="listed")
    for row in engine.read(result.per_list()).drop("user").rows():
        assert row == pytest.approx([row[0]] * 4, rel=1e-12)
