"""The p-values that ranx's compare returned, over the drawn runs of tests/fidelity/compared_runs.py."""

from __future__ import annotations

import json
from math import sqrt

import polars as pl
import pytest

import rankmetrics as rm
from tests.fidelity.compared_runs import drawn_runs
from tests.fidelity.tables import GOLDEN

THEIRS = json.loads((GOLDEN / "ranx_compare.json").read_text(encoding="utf-8"))
METRICS = ["ndcg@10", "map@10", "mrr", "precision@5"]
DRAWN = 10_000  # by both


@pytest.fixture(scope="module")
def ours() -> pl.DataFrame:
    """Our comparison of all pairs, under ranx's convention."""
    ratings, runs = drawn_runs()
    recs = pl.DataFrame(
        [(name, *row) for name, run in runs.items() for row in _rows(run)],
        schema=["system", "query", "item", "score"],
        orient="row",
    )
    truth = pl.DataFrame(_rows(ratings), schema=["query", "item", "rating"], orient="row")
    result = rm.evaluate(recs, truth, METRICS, convention="ranx")
    tests = ["t", "tukey", "randomization"]
    return result.compare(tests=tests, correction=None, replicates=DRAWN).collect()


def _rows(nested: dict[str, dict[str, float]] | dict[str, dict[str, int]]) -> list[tuple[str, str, float]]:
    return [(query, item, float(value)) for query, items in nested.items() for item, value in items.items()]


@pytest.mark.parametrize(("test", "column"), [("student", "p_t"), ("tukey", "p_tukey")])
def test_the_exact_tests_return_what_ranx_returns(ours: pl.DataFrame, test: str, column: str) -> None:
    found = _by_pair(ours, column)
    expected = {(m, frozenset([a, b])): p for name, m, a, b, p in THEIRS["p_values"] if name == test}
    assert len(expected) == 12
    assert found == {key: pytest.approx(p, rel=1e-6, abs=1e-9) for key, p in expected.items()}


def test_the_randomization_test_is_that_of_ranx_within_what_chance_allows(ours: pl.DataFrame) -> None:
    """ranx does not count the observed order as one of its draws, so that its p-value can be 0."""
    found = _by_pair(ours, "p_randomization")
    for name, metric, one, other, p in THEIRS["p_values"]:
        if name == "fisher":
            chance = 4.5 * sqrt(2 * max(p * (1 - p), 1 / DRAWN) / DRAWN) + 1 / DRAWN
            assert found[metric, frozenset([one, other])] == pytest.approx(p, abs=chance), metric


def _by_pair(frame: pl.DataFrame, column: str) -> dict[tuple[str, frozenset[str]], float]:
    rows = frame.select("metric", "baseline", "system", column).iter_rows()
    return {(metric, frozenset([one, other])): p for metric, one, other, p in rows}
