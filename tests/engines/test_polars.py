"""Polars computes a query over small inputs step by step, and a query over large ones as one plan."""

from __future__ import annotations

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.engines import polars
from rankmetrics.engines.polars import steps_of
from tests.support.two_systems import RECS, TRUTH

ODD = {"user": 'a "b", (c', "item": "WITH x AS ("}


def plans(monkeypatch: pytest.MonkeyPatch) -> list[pl.LazyFrame]:
    """The frames that Polars collects from now on."""
    found: list[pl.LazyFrame] = []
    collect = pl.LazyFrame.collect

    def noted(self: pl.LazyFrame, **options: object) -> object:
        found.append(self)
        return collect(self, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(pl.LazyFrame, "collect", noted)
    return found


def test_steps_of_takes_brackets_and_commas_in_names_and_texts_as_such() -> None:
    first, second = "SELECT '), \"x\" AS (' AS t, (1 + 2) AS n", "SELECT 1"
    steps = [('a "b", (c', first), ("b", second), ("", "SELECT (2)")]
    assert steps_of(f'WITH "a ""b"", (c" AS ({first}), "b" AS ({second}) SELECT (2)') == steps


@pytest.mark.parametrize("metrics", [["ndcg@2", "rr", "auc"], ["personalization@1", "hit@1,2"]])
def test_small_inputs_give_the_numbers_of_large_ones(metrics: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    recs, truth = RECS.rename(ODD), TRUTH.rename(ODD)

    def collected() -> pl.DataFrame:
        columns = rm.Columns(item=ODD["item"])
        inputs = rm.Input(recs, columns=columns), rm.Input(truth, columns=columns)
        return rm.evaluate(inputs[0], inputs[1], metrics, by=["algorithm"]).collect()

    small = collected()
    monkeypatch.setattr(polars, "SMALL", 0)
    assert_frame_equal(small, collected(), abs_tol=1e-12)


@pytest.mark.parametrize("n_rows", [polars.SMALL, polars.SMALL + 1])
def test_up_to_500_000_rows_each_step_is_computed_once(n_rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    recs = pl.DataFrame({"user": 1, "item": range(n_rows - 1)}).with_columns(rank=pl.col("item") + 1)
    result = rm.evaluate(recs, pl.DataFrame({"user": [1], "item": [0]}), "rr")
    found = plans(monkeypatch)
    assert result.collect()["rr"].to_list() == [1]
    assert (len(found) > 10) == (n_rows <= polars.SMALL)


def test_rows_that_polars_must_compute_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    result = rm.evaluate(RECS.lazy().filter(pl.col("rank") > 0), TRUTH, "rr")
    found = plans(monkeypatch)
    result.collect()
    assert len(found) < 5
