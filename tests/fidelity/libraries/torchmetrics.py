"""torchmetrics' retrieval metrics over the rows of queries."""

from __future__ import annotations

from tests.fidelity.library import LeftOut, Library, rated_if_listed

# What each setting of torchmetrics is here.
SETTINGS = {
    "": "",
    "adaptive_k=True": "divisor=list",
    "empty_target_action=skip": "undefined=null",
    "empty_target_action=pos": "undefined=one",
}
AGGREGATES = {"median": "median_low", "min": "minimum", "max": "maximum"}
OF_POSITIONS = tuple(f"Retrieval{name}" for name in "MAP MRR Precision Recall FallOut HitRate RPrecision".split())
OF_MEANS = tuple(f"{name}(aggregation={way})" for name in OF_POSITIONS for way in AGGREGATES)
TIED = ("example", "ties", "ties of digits", "ties of letters", "near scores", "long ties", "dense ties")
DENSE_TIED = ("dense negative ratings", "dense halves", "dense one label")
AUROCS = ("RetrievalAUROC", *(f"RetrievalAUROC(aggregation={way})" for way in AGGREGATES))
NDCGS = ("RetrievalNormalizedDCG", *(f"RetrievalNormalizedDCG(aggregation={way})" for way in AGGREGATES))


def _torchmetrics(metric: str, setting: str, k: int | None) -> str:
    """A metric of torchmetrics."""
    name = metric.partition("(")[0]
    counts_half = "ties=expected" if name == "RetrievalAUROC" and k is None else ""
    inside = ", ".join(one for one in (SETTINGS[setting], counts_half) if one)
    return f"{name}{f'({inside})' if inside else ''}{f'@{k}' if k else ''}"


LIBRARY = Library(
    "torchmetrics",
    "torchmetrics",
    "torchmetrics",
    _torchmetrics,
    aggregates={
        f"Retrieval{name}(aggregation={way})": ours
        for name in "MAP MRR Precision Recall FallOut HitRate RPrecision AUROC NormalizedDCG".split()
        for way, ours in AGGREGATES.items()
    },
    left_out=(
        LeftOut(
            "Which of equal scores comes first is left to a sort that keeps no order; scores are of 32 bits.",
            metrics=[*OF_POSITIONS, *OF_MEANS],
            problems=[*TIED, *DENSE_TIED],
        ),
        LeftOut(
            "Scores that differ in 64 bits only are equal there.",
            metrics=[*NDCGS, *AUROCS],
            problems=["near scores"],
        ),
        LeftOut(
            "It counts targets below 0 as negative gains, and a query whose targets add up to 0 as empty.",
            metrics=NDCGS,
            problems=["negative ratings", "dense negative ratings", "only negative ratings"],
        ),
        LeftOut(
            "Which of equal scores are among the first top_k is left to a sort that keeps no order.",
            metrics=AUROCS,
            problems=[*TIED, *DENSE_TIED],
            lists="with top_k",
            where=lambda row: row["k"] is not None,
        ),
    ),
    prepare=rated_if_listed,
    tolerance=1e-6,
)
