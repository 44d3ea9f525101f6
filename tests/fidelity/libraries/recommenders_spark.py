"""Microsoft's recommenders over Spark frames."""

from __future__ import annotations

from functools import partial

from tests.fidelity.libraries.recommenders import similarity
from tests.fidelity.library import Library, data


def _recommenders(metric: str, setting: str, k: int | None) -> str:  # its settings choose rows
    """A method of SparkRankingEvaluation or SparkDiversityEvaluation."""
    return f"{metric}@{k}" if k else metric


LIBRARY = Library(
    "recommenders_spark",
    "recommenders, Spark",
    "recommenders-spark",
    _recommenders,
    of_rows=True,
    computed={"history": partial(data, "profiles"), "similarity": similarity},
)
