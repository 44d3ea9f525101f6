"""RecTools over pandas frames."""

from __future__ import annotations

from tests.fidelity.library import LeftOut, Library

# What each setting of RecTools is here.
RECTOOLS = {
    "r_precision=True": "divisor=relevant",
    "divide_by_k=True": "divisor=k",
    "divide_by_achievable=True": "share=best",
    "normalize=True": "unit=share",
    "log_base=3": "",
}


def _rectools(metric: str, setting: str, k: int | None) -> str:  # it has no settings beside these
    """A metric of RecTools."""
    name, _, inside = metric.removesuffix(")").partition("(")
    ours = RECTOOLS.get(inside, inside)
    return f"{name}{f'({ours})' if ours else ''}@{k}"


LIBRARY = Library(
    "rectools",
    "RecTools",
    "rectools",
    _rectools,
    ranked=True,
    extras=("history", "catalog", "similarity"),
    left_out=(
        LeftOut(
            "It counts each repeat of an item once more, as a hit and as a relevant item; here repeats are refused.",
            problems=["repeated items"],
            metrics=[
                *"Precision Precision(r_precision=True) Recall HitRate F1Beta F1Beta(beta=2) Accuracy MCC MAP".split(),
                *"MAP(divide_by_k=True) NDCG NDCG(log_base=3) NDCG(divide_by_achievable=True)".split(),
                *"MRR PartialAUC PAP".split(),
            ],
        ),
    ),
)
