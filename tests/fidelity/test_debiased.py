"""RecTools removes interactions at random under a `debias_config`: on those that are left, its metrics are ours."""

from __future__ import annotations

import json

import polars as pl
import pytest

import rankmetrics as rm
from tests.fidelity.library import data
from tests.fidelity.tables import GOLDEN
from tests.support.engines import Engine


def test_a_debiased_metric_is_the_metric_of_the_interactions_that_are_left(engine: Engine) -> None:
    document = json.loads((GOLDEN / "rectools_debiased.json").read_text(encoding="utf-8"))
    recs, truth = (data(name).filter(problem=document["problem"]) for name in ("recs", "truth"))
    left = pl.DataFrame(document["left"], schema=["user", "item"], orient="row")
    assert 0 < len(left) < len(truth)
    result = rm.evaluate(
        engine.give(recs.select("user", "item", "rank")),
        engine.give(left),
        [f"{name}@{document['k']}" for name in document["means"]],
        catalog=engine.give(data("catalog")),
        convention="rectools",
    )
    (row,) = engine.read(result.summary()).to_dicts()
    means = {name: row[f"{name}@{document['k']}"] for name in document["means"]}
    assert means == pytest.approx(document["means"], abs=1e-9)
