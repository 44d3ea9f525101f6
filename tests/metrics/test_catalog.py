"""The list of metrics."""

from __future__ import annotations

import polars as pl

import rankmetrics as rm


def test_the_list_of_metrics_is_a_frame() -> None:
    frame = rm.list_metrics()
    assert frame.schema == {
        "metric": pl.String,
        "of": pl.String,
        "aliases": pl.List(pl.String),
        "parameters": pl.List(pl.String),
        "needs": pl.List(pl.String),
        "summary": pl.String,
        "undefined": pl.String,
        "range": pl.String,
        "source": pl.String,
    }
    recall = frame.row(by_predicate=pl.col("metric") == "recall", named=True)
    assert recall["aliases"] == ["R"]
    assert recall["parameters"] == ["divisor=relevant", "rel=None", "k=None"]
    assert frame["metric"].is_sorted()
