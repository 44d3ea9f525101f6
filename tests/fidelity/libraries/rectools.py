"""RecTools over pandas frames."""

from __future__ import annotations

from tests.fidelity.library import LeftOut, Library


def _rectools(metric: str, setting: str, k: int | None) -> str:  # it has no settings beside those in the metric
    """A metric of RecTools, which our convention reads as RecTools writes it; log_base changes nothing."""
    return f"{metric.replace('(log_base=3)', '')}@{k}"


LIBRARY = Library(
    "rectools",
    "RecTools",
    "rectools",
    _rectools,
    ranked=True,
    extras=("history", "catalog", "similarity", "baseline"),
    left_out=(
        LeftOut(
            "It counts each repeat of an item once more, as a hit and as a relevant item; here repeats are refused.",
            problems=["repeated items"],
            metrics=[
                *"Precision Precision(r_precision=True) Recall HitRate F1Beta F1Beta(beta=2) Accuracy MCC MAP".split(),
                *"MAP(divide_by_k=True) NDCG NDCG(log_base=3) NDCG(divide_by_achievable=True)".split(),
                *"MRR PartialAUC PAP Serendipity".split(),
                *"PartialAUC(insufficient_handling=exclude) PAP(insufficient_handling=exclude)".split(),
            ],
        ),
    ),
)
