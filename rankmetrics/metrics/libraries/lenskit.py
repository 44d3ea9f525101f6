"""LensKit's metrics and policies, of 0.14 and of 2025."""

from __future__ import annotations

from rankmetrics.metrics.libraries.base import Convention

LENSKIT_014 = {
    "precision": "precision",
    "recall": "recall(divisor=capped)",
    "hit": "hit(undefined=zero)",
    "recip_rank": "rr(undefined=zero)",
    "ndcg": "ndcg(gain=linear, discount=lenskit)",
    "dcg": "dcg(gain=linear, discount=lenskit, enough=relevant)@None",
    "nrecs": "n_recommended",
    "ntruth": "n_relevant",
}
LENSKIT = {
    "Precision": "precision(divisor=list)",
    "Recall": "recall(divisor=capped)",
    "Hit": "hit",
    "RecipRank": "rr",
    "AveragePrecision": "ap(divisor=list)",
    "NDCG": "ndcg(discount=lenskit)",
    "DCG": "dcg(discount=lenskit)",
    "RBP": "rbp",
    "RBP-LogRankWeight": "weighted_precision(discount=lenskit)",
    "MeanPopRank": "popularity_rank",
    "ListGini": "gini",
    "ExposureGini": "gini(weight=geometric)",
    "ListLength": "n_recommended",
    "TestItemCount": "n_relevant",
    "entropy": "category_entropy(smoothing=lenskit)",
    "rank_biased_entropy": "category_entropy(weight=geometric, smoothing=lenskit)",
    "rank_biased_overlap": "rbo",
    "least_item_promoted": "least_item_promoted",
}

CONVENTIONS = (
    Convention(
        name="lenskit-0.14",
        what="LensKit 0.14 with a rank column (checked against 0.14.4)",
        policies={"missing": "listed", "relevance": "any", "ties": "input", "duplicates": "each"},
        spellings=LENSKIT_014,
        notes="""
            - Lists: those of the recommendations. Without a truth, precision, hit and recip_rank are 0,
              recall and ndcg NULL.
            - ndcg takes the ratings as gains; its discount leaves rank 2 whole: 1 / max(1, log2(rank)).
            - recall is divided by min(relevant, k); its documentation prints max.
            - include_missing=True only adds rows of NaN: missing=zero scores the missing lists 0.
        """,
    ),
    Convention(
        name="lenskit-0.14-lists",
        what="LensKit 0.14 without a rank column (checked against 0.14.4)",
        policies={"missing": "skip", "relevance": "any", "ties": "input", "duplicates": "each"},
        spellings={**LENSKIT_014, "precision": "precision(divisor=list)", "hit": "hit", "recip_rank": "rr"},
        notes="""
            - The two ways to compute differ: here precision is divided by the length of the list, and
              nothing is measured of a list without truth.
            - Rows stand in the order of the list there; here scores order them, and equal ones keep the
              order of the rows.
        """,
    ),
    Convention(
        name="lenskit",
        what="LensKit 2025 (checked against 2025.8.1)",
        policies={"missing": "listed", "undefined": "zero", "relevance": "any", "ties": "input", "duplicates": "each"},
        spellings=LENSKIT,
        notes="""
            - Lists: those of the recommendations; what is undefined counts as 0, as list_metrics() fills
              it.
            - NDCG is binary unless gain=linear; discount=log2 is its LogRankWeight(offset=1).
            - AveragePrecision is divided by min(relevant, length of the list).
            - RBP(normalize=True) is RBP(of=best); RBP(weight=LogRankWeight()) is
              RBP-LogRankWeight.
            - MeanPopRank of the least popular item is above 0; its documentation scales from 0.
        """,
        aliases=("lenskit-2025",),
    ),
)
