"""Surprise's example of precision and recall at k."""

from __future__ import annotations

import polars as pl

from tests.fidelity.jobs.surprise import THRESHOLD
from tests.fidelity.library import Library


def _surprise(metric: str, setting: str, k: int | None) -> str:  # one setting, which is rel
    """A return value of `precision_recall_at_k`."""
    return f"{metric}(rel={setting.removeprefix('threshold=')})@{k}"


def _predicted(inputs: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """The rated pairs that have an estimate; as recommendations, those whose estimate reaches the threshold."""
    pair = ["problem", "user", "item"]
    recs, truth = inputs["recs"], inputs["truth"]
    recommended = recs.join(truth, on=pair, how="semi", maintain_order="left").filter(pl.col("score") >= THRESHOLD)
    return {**inputs, "recs": recommended, "truth": truth.join(recs, on=pair, how="semi", maintain_order="left")}


LIBRARY = Library("surprise", "Surprise", "surprise", _surprise, of_rows=True, prepare=_predicted)
