"""scikit-learn's ranking metrics and policies."""

from __future__ import annotations

from rankmetrics.metrics.libraries.base import Convention

SKLEARN = {
    "ndcg_score": "ndcg(gain=linear, tied=averaged)",
    "dcg_score": "dcg(gain=linear, tied=averaged)",
    "top_k_accuracy_score": "hit(ties=item_desc)",
}

CONVENTIONS = (
    Convention(
        name="sklearn",
        what="scikit-learn's ranking metrics (checked against 1.9.1)",
        policies={"missing": "listed", "undefined": "zero", "relevance": "any"},
        spellings=SKLEARN,
        notes="""
            - Samples: the lists of the recommendations. Each should score every label that the truth rates, as a row of
              y_score does.
            - dcg_score keeps negative gains. ndcg_score refuses them there.
            - Both take the mean over all orders of equal scores. ignore_ties=True is ndcg_score(tied=ranked): which of
              equal scores comes first is then left to NumPy there, and decided by ties here.
            - dcg_score(log_base=b) is dcg_score times ln(b) / ln(2).
            - top_k_accuracy_score is that of several classes, with one row of the truth to each list; of two classes it
              compares scores with a threshold.
        """,
        aliases=("scikit-learn",),
        refused={
            "label_ranking_average_precision_score": (
                "Without equal scores it is ap(convention=rankmetrics, divisor=relevant), and 1 where all labels or "
                "none are relevant."
            ),
            "coverage_error": "",
            "label_ranking_loss": (
                "Without equal scores it is 1 less auc(convention=rankmetrics), and 0 where all labels or none are "
                "relevant."
            ),
            "average_precision_score": "ap(convention=rankmetrics, divisor=relevant) is that of a list.",
            "roc_auc_score": "auc(convention=rankmetrics) is that of a list.",
        },
        cut=frozenset({"top_k_accuracy_score"}),
    ),
)
