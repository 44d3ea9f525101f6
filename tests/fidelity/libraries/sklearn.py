"""scikit-learn's ranking metrics over rows of scores."""

from __future__ import annotations

from tests.fidelity.library import LeftOut, Library


def _sklearn(metric: str, setting: str, k: int | None) -> str:
    """A function of scikit-learn."""
    return f"{metric}{'(tied=ranked)' if setting == 'ignore_ties=True' else ''}{f'@{k}' if k else ''}"


LIBRARY = Library(
    "sklearn",
    "scikit-learn",
    "sklearn",
    _sklearn,
    left_out=(
        LeftOut(
            "Which of equal scores comes first is left to a sort of NumPy that keeps no order.",
            problems=["dense ties", "dense negative ratings", "dense halves", "dense one label", "example"],
            settings=["ignore_ties=True"],
        ),
    ),
)
