"""Elliot's metrics and policies."""

from __future__ import annotations

from rankmetrics.metrics.libraries.base import Convention

ELLIOT = {
    "Precision": "precision",
    "Recall": "recall",
    "HR": "hit",
    "MRR": "rr",
    "MAP": "ap(at=places, divisor=k)",
    "MAR": "mean_recall",
    "F1": "f_beta",
    "DSC": "f_beta",
    "ExtendedF1": "f_beta",
    "nDCG": "ndcg(gain=excess)",
    "nDCGRendle2020": "ndcg",
    "AUC": "pooled_auc@None",
    "GAUC": "gauc@None",
    "LAUC": "gauc(divisor=capped)",
    "NumRetrieved": "n_recommended",
    "ItemCoverage": "coverage(unit=count, counted=any)",
    "UserCoverage": "user_coverage(unit=count)",
    "UserCoverageAtN": "user_coverage(unit=count, least=k)",
    "Gini": "gini(form=equality, among=any)",
    "SEntropy": "exposure_entropy(over=lists)",
    "EFD": "efd",
    "EPC": "epc",
    "ARP": "popularity(enough=any)",
    "APLT": "long_tail(enough=any)",
    "ACLT": "n_long_tail(enough=any)",
    "PopREO": "pop_reo",
    "PopRSP": "pop_rsp",
}

CONVENTIONS = (
    Convention(
        name="elliot",
        what="Elliot 0.3.1 (checked against its own classes)",
        policies={"missing": "skip", "enough": "relevant", "rel": 0, "ties": "input", "duplicates": "each"},
        spellings=ELLIOT,
        notes="""
            - Users: those of the recommendations that have a relevant item; a user of the truth without
              recommendations is left out in silence.
            - MAP is the mean of the precision at each of the first k places, hit or not; its
              documentation prints average precision.
            - HR is 1 or 0 per user; its documentation divides hits by the truth.
            - nDCG is graded, 2^(rating - threshold + 1) - 1; nDCGRendle2020 is binary, as the
              documentation prints of both.
            - AUC, GAUC and LAUC compare with one irrelevant item more than there is: N + 1.
            - Its reader of files removes what the user had in training and what the catalogue has not;
              give the recommendations after that.
            - Gini is 1 less the coefficient: 1 is uniform.
            - relevance_threshold is rel: nDCG(rel=4)@10.
        """,
        aliases=("elliot-0.3",),
    ),
)
