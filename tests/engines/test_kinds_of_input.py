"""Every kind of input gives the summary that the Polars frame of the same data gives."""

from __future__ import annotations

from itertools import product
from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from tests.support.engines import Engine, means
from tests.support.kinds import (
    ACCOUNT,
    EXPECTED,
    HANDFUL,
    HOLED_RECS,
    HOLED_TRUTH,
    KINDS,
    METRICS,
    RECS,
    SUMMARY,
    TRUTH,
    Desk,
    Kind,
    assert_same,
)


@pytest.fixture(params=list(KINDS))
def kind(request: pytest.FixtureRequest) -> Kind:
    return KINDS[request.param]


def test_every_kind_of_recommendations_gives_the_same_summary(desk: Desk, kind: Kind) -> None:
    assert_same(rm.evaluate(kind(desk, "recs", RECS), TRUTH, METRICS))


def test_every_kind_of_recommendations_collects_and_counts_the_same(desk: Desk, kind: Kind) -> None:
    result = rm.evaluate(kind(desk, "recs", RECS), TRUTH, METRICS)
    assert_frame_equal(means(result), SUMMARY)
    assert result.notes() == EXPECTED.notes()


def test_every_kind_of_truth_gives_the_same_summary(desk: Desk, engine: Engine, kind: Kind) -> None:
    recs = RECS.lazy() if engine.name == "polars" else desk.relation("recs", RECS)
    assert_same(rm.evaluate(recs, kind(desk, "truth", TRUTH), METRICS))


@pytest.mark.parametrize("named", [False, True], ids=["relation", "table"])
def test_polars_reads_a_truth_of_duckdb_as_often_as_it_needs_it(desk: Desk, named: bool) -> None:
    truth = desk.relation("truth", TRUTH)
    result = rm.evaluate(RECS.lazy(), "truth" if named else truth, METRICS, connection=desk.connection)
    for _ in range(5):  # a query reads the truth several times, side by side
        assert_frame_equal(means(result), SUMMARY)
        assert_frame_equal(result.account().collect(), EXPECTED.account().collect())


@pytest.mark.parametrize(("recs", "truth"), list(product(HANDFUL, repeat=2)))
def test_kinds_mix(desk: Desk, recs: str, truth: str) -> None:
    assert_same(rm.evaluate(KINDS[recs](desk, "recs", RECS), KINDS[truth](desk, "truth", TRUTH), METRICS))


def test_the_result_is_of_the_kind_of_the_recommendations(desk: Desk, kind: Kind) -> None:
    recs = kind(desk, "recs", RECS)
    result = rm.evaluate(recs, TRUTH, METRICS)
    lazy = pl.LazyFrame if isinstance(recs, (pl.LazyFrame, pl.DataFrame)) else duckdb.DuckDBPyRelation
    assert isinstance(result.summary(), lazy)
    assert isinstance(result.per_list(), lazy)
    assert isinstance(result.account(), lazy)


@pytest.mark.parametrize("kind", ["numpy_nullable", "pyarrow"])
def test_missing_ids_of_pandas_are_counted(engine: Engine, kind: Any) -> None:
    recs, truth = (one.to_pandas().convert_dtypes(dtype_backend=kind) for one in (HOLED_RECS, HOLED_TRUTH))
    result = rm.evaluate(HOLED_RECS.lazy() if engine.name == "polars" else recs, truth, METRICS)
    assert_same(result)
    assert_frame_equal(engine.read(result.account()), ACCOUNT)
