"""The measures of ndeval, of drawn lists over drawn subtopics."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

import rankmetrics as rm
from tests.fidelity.libraries import data
from tests.fidelity.tables import GOLDEN
from tests.support.engines import Engine

VALUES: Mapping[str, Mapping[str, Mapping[str, float]]] = json.loads(
    (GOLDEN / "pyndeval.json").read_text(encoding="utf-8")
)["values"]


@pytest.mark.parametrize("setting", VALUES)
def test_every_value_of_a_list_is_theirs(engine: Engine, setting: str) -> None:
    redundancy, expected = float(setting.partition(",")[0]), VALUES[setting]
    reading = ("alpha_dcg", "err_ia", "nrbp", "alpha_ndcg")
    metrics = [rm.parse(call) for call in expected]
    metrics = [
        rm.Metric(one.name, {**one.settings, **({"redundancy": redundancy} if one.name in reading else {})}, one.k)
        for one in metrics
    ]
    recs, truth = data("pyndeval_recs").drop("score"), data("pyndeval_truth")
    result = rm.evaluate(engine.give(recs), engine.give(truth), metrics)
    found = engine.read(result.per_list())
    for call, metric in zip(expected, result.metrics, strict=True):
        values = dict(zip(found["user"], found[metric.label], strict=True))
        assert values == pytest.approx(expected[call], rel=1e-9, abs=1e-12), call
