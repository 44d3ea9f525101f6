"""CAPRI's metrics and policies."""

from __future__ import annotations

from rankmetrics.metrics.libraries.base import Convention

CAPRI = {
    "precisionk": "precision(divisor=list)",
    "recallk": "recall",
    "mapk": "ap(divisor=fixed, cap=10)",
    "ndcgk": "ndcg(ideal=all, duplicates=each)",
    "listDiversity": "list_diversity(missing=listed)",
    "novelty": "surprisal(surprise=bits, divisor=k, missing=listed)",
    "catalogCoverage": "coverage(unit=percent, counted=any, missing=listed)",
    "personalization": "personalization(lengths=equal, missing=listed)",
}

CONVENTIONS = (
    Convention(
        name="capri",
        what="CAPRI (checked against commit dbbb506)",
        policies={"missing": "skip", "relevance": "any", "ties": "input"},
        spellings=CAPRI,
        notes="""
            - mapk is divided by min(relevant, 10) whatever the cutoff, since its evaluator leaves k at
              10.
            - ndcgk divides by the best list of all relevant items, not cut at k; with ratings it is
              ndcgk(gain=exponential).
            - ndcgk is rounded to 4 places there, from 32-bit sums.
            - novelty is divided by k even where the list is shorter; an unknown item adds 0.
            - personalization refuses lists of unequal length, as it does there (a lazy summary() has NULL):
              personalization(lengths=any) compares them.
            - novelty takes the number of users from the history, even where the items state their popularity.
        """,
    ),
)
