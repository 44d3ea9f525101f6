"""Spark's RankingMetrics over an RDD of lists and labels."""

from __future__ import annotations

from tests.fidelity.library import Library


def _spark(metric: str, setting: str, k: int | None) -> str:  # relevance values, its one setting, change nothing
    """A method of RankingMetrics or a metric of RankingEvaluator."""
    return f"{metric}{f'@{k}' if k else ''}"


LIBRARY = Library("spark", "Spark", "spark", _spark, ranked=True)
