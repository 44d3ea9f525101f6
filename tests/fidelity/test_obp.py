"""Open Bandit Pipeline's estimates, on drawn logs and, where it is installed, on those of its wheel."""

from __future__ import annotations

import json
from collections.abc import Mapping

import polars as pl
import pytest

import rankmetrics as rm
from peers.libraries import data
from peers.tables import GOLDEN
from tests import ROOT
from tests.support.engines import Engine

ESTIMATES: Mapping[str, Mapping[str, float]] = json.loads((GOLDEN / "obp.json").read_text(encoding="utf-8"))[
    "estimates"
]


def assert_estimates(engine: Engine, recs: pl.DataFrame, log: pl.DataFrame, expected: Mapping[str, float]) -> None:
    result = rm.evaluate(engine.give(recs), metrics=[*expected], log=engine.give(log))
    (row,) = result.collect().to_dicts()
    labels = dict(zip(expected, (metric.label for metric in result.metrics), strict=True))
    assert {call: row[labels[call]] for call in expected} == pytest.approx(expected, rel=1e-9, abs=1e-12)


def of(kind: str, name: str) -> pl.DataFrame:
    frame = data(f"obp_{name}").filter(kind=kind).drop("kind")
    return frame.drop(column for column in frame.columns if frame[column].null_count() == frame.height)


@pytest.mark.parametrize("kind", ["single", "slate", "loggers", "balanced"])
def test_every_estimate_from_a_drawn_log_is_theirs(engine: Engine, kind: str) -> None:
    expected = {call: value for call, value in ESTIMATES[kind].items() if call != "replay"}
    assert_estimates(engine, of("loggers" if kind == "balanced" else kind, "policy"), of(kind, "log"), expected)


def test_replay_of_a_policy_that_shows_one_item_is_theirs(engine: Engine) -> None:
    log = of("single", "log")
    certain = of("certain", "policy").drop("probability").rename({"position": "rank"})
    for recs in (certain, of("certain", "policy")):
        assert_estimates(engine, recs, log, {"replay": ESTIMATES["single"]["replay"]})


@pytest.mark.long
@pytest.mark.parametrize("name", ["random", "bts"])
def test_every_estimate_from_a_log_of_their_wheel_is_theirs(engine: Engine, name: str) -> None:
    found = [*ROOT.glob(f".venv-peer-obp/lib/python*/site-packages/obp/dataset/obd/{name}/all/all.csv")]
    if not found:
        pytest.skip("Open Bandit Pipeline is not installed: `make fidelity LIB=obp` installs it")
    rows = pl.read_csv(found[0], columns=["item_id", "position", "click", "propensity_score"]).with_row_index("user")
    log = rows.rename({"item_id": "item", "click": "reward", "propensity_score": "propensity"})
    policy = pl.DataFrame({"item": range(80)}).with_columns(
        probability=(1 + pl.col("item") % 5) / (1 + pl.col("item") % 5).sum(), expected_reward=pl.col("item") / 10000
    )
    recs = log.select("user", "position").join(policy, how="cross")
    assert_estimates(engine, recs, log, ESTIMATES[name])
