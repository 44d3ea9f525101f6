"""RecTools' metrics and policies."""

from __future__ import annotations

from rankmetrics.metrics.libraries.base import Convention

RECTOOLS = {
    "Precision": "precision",
    "Recall": "recall",
    "HitRate": "hit",
    "F1Beta": "f_beta",
    "Accuracy": "accuracy",
    "MCC": "mcc",
    "MAP": "ap(divisor=relevant)",
    "NDCG": "ndcg(share=full)",
    "MRR": "rr",
    "PartialAUC": "partial_auc",
    "PAP": "partial_auc(positives=first)",
    "MeanInvUserFreq": "surprisal(surprise=capped_bits, missing=listed, duplicates=once)",
    "AvgRecPopularity": "popularity(missing=listed, duplicates=once)",
    "IntraListDiversity": "list_diversity(missing=listed, undefined=zero, duplicates=once)",
    "CatalogCoverage": "coverage(unit=count, counted=any, missing=listed, duplicates=once)",
    "CoveredUsers": "user_coverage(duplicates=once)",
    "SufficientReco": "user_coverage(least=k, missing=listed, duplicates=once)",
}

CONVENTIONS = (
    Convention(
        name="rectools",
        what="RecTools 0.19 (checked against 0.19.0)",
        policies={"missing": "zero", "relevance": "any", "duplicates": "refused"},
        spellings=RECTOOLS,
        notes="""
            - Users: those of the truth; those of the recommendations for MeanInvUserFreq, AvgRecPopularity,
              IntraListDiversity, CatalogCoverage and SufficientReco. All rows of the truth are relevant.
            - An item that the truth or a list repeats counts there as further hits and as further relevant items, so
              that a precision may be 2. Repeated items are refused here. Drop the repeats on both sides, or count each
              item once with duplicates=once.
            - Precision(r_precision=True) is Precision(divisor=relevant); MAP(divide_by_k=True) is MAP(divisor=k);
              NDCG(divide_by_achievable=True) is NDCG(share=best), and its log_base changes nothing.
            - CatalogCoverage is a count, of whatever items; CatalogCoverage(normalize=True) is
              CatalogCoverage(unit=share).
            - PartialAUC and PAP take items below rank k, too; insufficient_handling is always ignore.
            - AvgRecPopularity counts the rows of prev_interactions; here it is the users of the history: drop what the
              history repeats. An item that nobody knows counts 0 there, and in MeanInvUserFreq as if one user knew it.
            - IntraListDiversity takes similarity=: 1 less its distance, which may be negative.
            - SufficientReco and CoveredUsers are shares of users; SufficientReco(deep=True) is not here.
            - debias_config and AvgRecPopularity(normalize=True) are not here.
        """,
        refused={
            "Serendipity": "Its formula is not that of rankmetrics, which is serendipity(convention=rankmetrics).",
            "Intersection": "It is 1 less unexpectedness(convention=rankmetrics) where each list has a baseline.",
            "UnrepeatedReco": "The account counts what repeats.",
        },
        cut=frozenset(RECTOOLS),
    ),
)
