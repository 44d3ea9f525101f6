"""recometrics' metrics and policies."""

from __future__ import annotations

from rankmetrics.metrics.libraries.base import Convention

RECOMETRICS = {
    "P": "precision(enough=exceeds)",
    "TP": "precision(divisor=relevant, enough=exceeds)",
    "R": "recall(enough=exceeds)",
    "AP": "ap(divisor=relevant, enough=discerns)",
    "TAP": "ap(enough=discerns)",
    "NDCG": "ndcg(gain=linear, negatives=left_out, enough=reaches)",
    "Hit": "hit(enough=exceeds)",
    "RR": "rr(enough=discerns)",
    "ROC_AUC": "auc(enough=discerns)@None",
    "PR_AUC": "ap(divisor=relevant, enough=discerns)@None",
}

CONVENTIONS = (
    Convention(
        name="recometrics",
        what="recometrics 0.1.6 (checked against 0.1.6.post13, break_ties_with_noise=False)",
        policies={"missing": "listed", "relevance": "any", "ties": "item"},
        spellings=RECOMETRICS,
        notes="""
            - Give the full ranking of each user's candidates, or the hits with their ranks and a pool
              column that says how many candidates there were; candidates are the items without a training
              entry.
            - Its NaN is NULL: no relevant item; fewer candidates than k, min_items_pool or 2; all scores
              equal; nothing but relevant candidates (but for NDCG); P, TP, R and Hit need more candidates
              than k.
            - min_pos_test works here as it is documented: P(min_relevant=5)@10; there, values above 1
              have no effect. min_items_pool is min_pool.
            - cumulative=True is P@1..20; its NDCG beyond the number of relevant items repeats the value
              before, ours does not.
            - Ties are broken by noise there, by item here.
        """,
    ),
)
