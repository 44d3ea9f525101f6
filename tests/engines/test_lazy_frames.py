"""A lazy truth is not computed before the result is read."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import dask
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from tests.support.engines import Engine
from tests.support.kinds import (
    ACCOUNT,
    HOLED_RECS,
    HOLED_TRUTH,
    KINDS,
    METRICS,
    RECS,
    SUMMARY,
    TRUTH,
    Desk,
    _in_dask,
    assert_same,
)


@pytest.mark.parametrize("recs", ["DuckDB relation", "Parquet file", "pandas", "Polars LazyFrame"])
def test_a_lazy_truth_is_not_collected_before_the_result_is_read(desk: Desk, recs: str) -> None:
    calls: list[int] = []

    def count(frame: pl.DataFrame) -> pl.DataFrame:
        calls.append(frame.height)
        return frame

    truth = TRUTH.lazy().map_batches(count, schema=TRUTH.schema)
    result = rm.evaluate(KINDS[recs](desk, "recs", RECS), truth, METRICS)
    lazy = [result.summary(), result.per_list(), result.account()]
    assert result.to_sql()
    assert not calls
    summary = lazy[0]
    assert_frame_equal(summary.collect() if isinstance(summary, pl.LazyFrame) else summary.pl(), SUMMARY)
    assert calls


class Counted:
    """Counts the parts of a Dask frame that are computed."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.parts: list[int] = []
        self.frame = _in_dask(frame).map_partitions(self, meta=frame.to_pandas().iloc[:0])

    def __call__(self, part: Any) -> Any:
        self.parts.append(len(part))
        return part

    def __dask_tokenize__(self) -> str:
        """What Dask tells two steps apart by: what one has computed is not taken for the other's."""
        return uuid4().hex


@pytest.mark.parametrize("recs", ["DuckDB relation", "Parquet file", "pandas", "Polars LazyFrame", "Dask"])
def test_a_dask_truth_is_not_computed_before_the_result_is_read(desk: Desk, recs: str) -> None:
    with dask.config.set(scheduler="synchronous"):
        truth = Counted(TRUTH)
        result = rm.evaluate(KINDS[recs](desk, "recs", RECS), truth.frame, METRICS)
        lazy = [result.summary(), result.per_list(), result.account()]
        assert result.to_sql()
        assert sum(truth.parts) == 0
        assert_frame_equal(lazy[0].collect() if isinstance(lazy[0], pl.LazyFrame) else lazy[0].pl(), SUMMARY)
        assert sum(truth.parts) >= TRUTH.height


def test_dask_recommendations_are_not_computed_before_the_result_is_read() -> None:
    with dask.config.set(scheduler="synchronous"):
        recs = Counted(RECS)
        result = rm.evaluate(recs.frame, TRUTH, METRICS)
        lazy = [result.summary(), result.per_list(), result.account()]
        assert sum(recs.parts) == 0
        assert_frame_equal(lazy[0].pl(), SUMMARY)
        assert sum(recs.parts) >= RECS.height
        assert max(recs.parts) < RECS.height  # part by part


def test_a_dask_frame_that_cannot_be_computed_is_refused_as_the_engine_refuses_it(desk: Desk) -> None:
    def fail(part: Any) -> Any:
        if len(part):
            raise ValueError("a part is broken")
        return part

    broken = _in_dask(RECS).map_partitions(fail, meta=RECS.to_pandas().iloc[:0])
    with pytest.raises(rm.EngineError, match="a part is broken"):
        rm.evaluate(broken, TRUTH, METRICS).collect()
    with pytest.raises(rm.EngineError, match="a part is broken"):
        rm.evaluate(RECS.lazy(), broken.drop(columns=["algorithm", "score"]), METRICS[1:]).collect()


@pytest.mark.parametrize("kind", ["numpy_nullable", "pyarrow"])
def test_missing_ids_of_dask_are_counted(engine: Engine, kind: Any) -> None:
    recs, truth = (_in_dask(one.to_pandas().convert_dtypes(dtype_backend=kind)) for one in (HOLED_RECS, HOLED_TRUTH))
    result = rm.evaluate(HOLED_RECS.lazy() if engine.name == "polars" else recs, truth, METRICS)
    assert_same(result)
    assert_frame_equal(engine.read(result.account()), ACCOUNT)


@pytest.mark.parametrize("value", [RECS.to_pandas()["score"], _in_dask(RECS)["score"]], ids=["pandas", "Dask"])
def test_a_column_alone_is_no_table(value: Any) -> None:
    with pytest.raises(rm.InputError, match="recommendations"):
        rm.evaluate(value, TRUTH, METRICS)
    with pytest.raises(rm.InputError, match="truth"):
        rm.evaluate(RECS.lazy(), value, METRICS)
