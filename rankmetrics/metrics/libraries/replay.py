"""RePlay's metrics and policies, in four of its releases."""

from __future__ import annotations

from rankmetrics.metrics.libraries.base import Convention

REPLAY = {
    "HitRate": "hit",
    "Precision": "precision",
    "MAP": "ap(duplicates=each)",
    "Recall": "recall",
    "RocAuc": "auc(alone=credited, duplicates=each)",
    "MRR": "rr",
    "NDCG": "ndcg(duplicates=each)",
    "Surprisal": "surprisal(divisor=k, missing=listed)",
    "Unexpectedness": "unexpectedness(divisor=k, alone=zero, missing=listed)",
    "Coverage": "coverage(missing=listed)",
    "Novelty": "unseen(alone=one, missing=history)",
    "CategoricalDiversity": "categorical_diversity(divisor=k, missing=listed)",
}
OLD_REPLAY = {
    "HitRate": "hit",
    "Precision": "precision",
    "MAP": "ap(divisor=k)",
    "Recall": "recall",
    "RocAuc": "auc(alone=credited)",
    "MRR": "rr",
    "NDCG": "ndcg",
    "Surprisal": "surprisal(divisor=k, missing=listed)",
    "Unexpectedness": "unexpectedness(divisor=k, alone=zero, missing=baseline)",
    "Coverage": "coverage(counted=any, missing=listed)",
}

CONVENTIONS = (
    Convention(
        name="replay",
        what="RePlay 0.13 to 0.22 (checked against 0.22.0: pandas, polars, dict and Spark)",
        policies={"missing": "zero", "relevance": "any", "ties": "item_desc"},
        spellings=REPLAY,
        notes="""
            - Users: those of the truth, those of the history for Novelty, those of the recommendations
              for Surprisal, Unexpectedness and CategoricalDiversity; a user without recommendations
              scores 0 (Novelty: 1).
            - Novelty is divided by the length of the list; its documentation says K.
            - RocAuc is taken by place within the first k; its documentation counts pairs of scores. No
              hit is 0, no miss 1.
            - A dict keeps the order of its items where scores are equal (ties=input); data frames put the
              higher item first.
            - Median over Spark is the lower of two middle values: aggregates=median_low.
            - A repeated row of the truth counts again in the divisors of MAP and NDCG there, and once
              here.
        """,
        aliases=("replay-0.22", "replay-0.13"),
    ),
    Convention(
        name="replay-0.12",
        what="RePlay 0.12 and replay.experimental (checked against 0.22.0rc0)",
        policies={"missing": "zero", "relevance": "any", "ties": "item_desc", "duplicates": "first"},
        spellings=OLD_REPLAY,
        notes="""
            - MAP is divided by k. Coverage counts items that the history has not, and may exceed 1.
            - A repeated item is dropped and what follows moves up; there, only what stands before the cut at the
              largest k asked for.
            - Where equal scores stand at the cut, which of them stay is the order of the input.
        """,
        aliases=("replay-experimental",),
    ),
    Convention(
        name="replay-0.11",
        what="RePlay 0.11 (the formulas of 0.12, the order of equal scores of 0.10; from its sources)",
        policies={"missing": "zero", "relevance": "any", "ties": "input", "duplicates": "first"},
        spellings=OLD_REPLAY,
        notes="""
            - As replay-0.12, but equal scores keep the order of the input, as Spark happened to.
        """,
    ),
    Convention(
        name="replay-0.10",
        what="RePlay up to 0.10 (checked against the sources of 0.10.0)",
        policies={"missing": "zero", "relevance": "any", "ties": "input", "duplicates": "first"},
        spellings={**OLD_REPLAY, "Precision": "precision(divisor=list, undefined=zero)", "MAP": "ap"},
        notes="""
            - Precision is divided by the length of the list and MAP by min(k, relevant); its
              documentation says K for both.
            - Equal scores keep the order of the input, as Spark happened to.
        """,
    ),
)
