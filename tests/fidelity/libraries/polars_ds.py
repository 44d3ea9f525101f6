"""polars-ds over rows of scores."""

from __future__ import annotations

import math

from tests.fidelity.library import LeftOut, Library, rated_if_listed

TIED = ("example", "ties", "ties of digits", "ties of letters", "near scores", "long ties", "dense ties")
DENSE_TIED = ("dense negative ratings", "dense halves", "dense one label")


def _polars_ds(metric: str, setting: str, k: int | None) -> str:
    """An expression of polars-ds."""
    return f"{metric}{'(tied=ranked)' if setting == 'ignore_ties=True' else ''}{f'@{k}' if k else ''}"


LIBRARY = Library(
    "polars_ds",
    "polars-ds",
    "polars_ds",
    _polars_ds,
    of_rows=True,
    left_out=(
        LeftOut(
            "Which of equal scores comes first is left to a sort of Polars that keeps no order.",
            problems=[*TIED, *DENSE_TIED],
            settings=["ignore_ties=True"],
        ),
        LeftOut("It counts each repeat of an item once more, in the list and in the ideal list.", ["repeated items"]),
        LeftOut(
            "It divides by the ideal list of a gain of 0, and returns an infinite number.",
            problems=["negative ratings"],
            metrics=["query_ndcg_score"],
            lists="lists with negative ratings only, and their means",
            where=lambda row: math.isinf(row["value"]),
        ),
    ),
    prepare=rated_if_listed,
)
