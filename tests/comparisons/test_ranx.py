"""The p-values that ranx's compare returned, over the drawn runs of tests/fidelity/compared_runs.py."""

from __future__ import annotations

import json
from collections import Counter
from math import sqrt

import polars as pl
import pytest

import rankmetrics as rm
from tests.fidelity.compared_runs import drawn_runs
from tests.fidelity.tables import GOLDEN

THEIRS = json.loads((GOLDEN / "ranx_compare.json").read_text(encoding="utf-8"))
METRICS = ["ndcg@10", "map@10", "mrr", "precision@5"]
DRAWN = 10_000  # by both


def _rows(nested: dict[str, dict[str, float]] | dict[str, dict[str, int]]) -> list[tuple[str, str, float]]:
    return [(query, item, float(value)) for query, items in nested.items() for item, value in items.items()]


def _result() -> rm.Result:
    """All runs, under ranx's convention."""
    ratings, runs = drawn_runs()
    recs = pl.DataFrame(
        [(name, *row) for name, run in runs.items() for row in _rows(run)],
        schema=["system", "query", "item", "score"],
        orient="row",
    )
    truth = pl.DataFrame(_rows(ratings), schema=["query", "item", "rating"], orient="row")
    return rm.evaluate(recs, truth, METRICS, convention="ranx")


def test_p_values_of_all_pairs_are_those_of_ranx() -> None:
    """ranx does not count the observed order as one of its draws, so that its p-value can be 0."""
    result = _result()
    exact = _by_pair(result.compare(tests=["t", "tukey"], correction=None), "p_t", "p_tukey")
    random = _by_pair(
        result.compare(metrics=METRICS[0], tests="randomization", correction=None, replicates=DRAWN), "p_randomization"
    )
    n_compared = Counter[str]()
    for name, metric, system, other, p in THEIRS["p_values"]:
        key = (metric, frozenset([system, other]))
        if name == "fisher" and metric == METRICS[0]:
            chance = 4.5 * sqrt(2 * max(p * (1 - p), 1 / DRAWN) / DRAWN) + 1 / DRAWN
            assert random[key] == [pytest.approx(p, abs=chance)], key
        elif name in ("student", "tukey"):
            assert exact[key][name == "tukey"] == pytest.approx(p, rel=1e-6, abs=1e-9), (name, key)
        n_compared[name] += 1
    assert n_compared == {"student": 12, "tukey": 12, "fisher": 12}


def _by_pair(comparison: rm.Comparison, *columns: str) -> dict[tuple[str, frozenset[str]], list[float]]:
    rows = comparison.collect().select("metric", "baseline", "system", *columns).iter_rows()
    return {(metric, frozenset([system, other])): p_values for metric, system, other, *p_values in rows}
