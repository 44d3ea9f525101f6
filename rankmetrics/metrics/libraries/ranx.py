"""ranx's metrics and policies."""

from __future__ import annotations

from rankmetrics.metrics.libraries.base import Convention

RANX = {
    "precision": "precision",
    "recall": "recall",
    "hits": "n_hits",
    "hit_rate": "hit",
    "f1": "f_beta",
    "map": "ap(divisor=relevant)",
    "mrr": "rr",
    "dcg": "dcg(gain=linear)",
    "dcg_burges": "dcg(gain=exponential)",
    "ndcg": "ndcg(gain=linear)",
    "ndcg_burges": "ndcg(gain=exponential)",
    "r-precision": "r_precision@None",
    "bpref": "bpref(alone=undefined, undefined=null)@None",
    "rbp": "rbp(gain=linear)",
}

CONVENTIONS = (
    Convention(
        name="ranx",
        what="ranx 0.3 (checked against 0.3.21)",
        policies={"missing": "zero", "undefined": "zero", "relevance": "rated", "rel": 1, "ties": "input"},
        spellings=RANX,
        notes="""
            - Queries: those of the truth; one without recommendations, or without a relevant item, counts 0, as with
              make_comparable=True. Without that, ranx wants the same queries on both sides.
            - Equal scores keep the order of the input in a Run of up to 15 documents a query; the order that it has
              beyond is no rule, and plain dicts are in the reverse one.
            - dcg and ndcg take the rating as the gain, dcg_burges and ndcg_burges 2^rating - 1; rbp multiplies by the
              rating, too.
            - bpref is NaN where the truth of a query has no irrelevant item and a relevant item was found, and so is
              its mean over all queries; here such a query is undefined, and not in the mean. So is a query without a
              relevant item: there, bpref stops at it in silence, and leaves 0 for the queries behind it.
            - A Qrels cuts ratings to whole numbers; here they count as they are.
            - r-precision and bpref are of the whole list, whatever the cutoff.
            - A relevance level is rel: ndcg@10-l2 is read as ndcg(rel=2)@10, and rbp.95 as rbp(p=0.95); so the columns
              are called.
        """,
        uncut=frozenset({"rbp"}),
        forms={
            r"rbp[.@](\d+)": r"rbp(p=0.\1)",
            r"rbp[.@](\d+)-l(-?\d+)": r"rbp(p=0.\1, rel=\2)",
            r"([\w-]+?)@(\d+)-l(-?\d+)": r"\1(rel=\3)@\2",
            r"([\w-]+?)-l(-?\d+)": r"\1(rel=\2)",
        },
    ),
)
