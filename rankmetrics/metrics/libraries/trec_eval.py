"""trec_eval's metrics and policies, as pytrec_eval returns them."""

from __future__ import annotations

from rankmetrics.metrics.libraries.base import Convention

TREC_EVAL = {
    "P": "precision",
    "recall": "recall",
    "map": "ap(divisor=relevant)",
    "map_cut": "ap(divisor=relevant)",
    "recip_rank": "rr",
    "ndcg": "ndcg(gain=positive, relevance=any)",
    "ndcg_cut": "ndcg(gain=positive, relevance=any)",
    "Rprec": "r_precision",
    "relative_P": "precision(divisor=relevant)",
    "bpref": "bpref(judged=from_zero)",
    "success": "hit",
    "set_P": "precision(divisor=list)",
    "set_recall": "recall",
    "set_F": "f_beta(metric_0=precision(divisor=list))",
    "num_ret": "n_recommended",
    "num_rel": "n_relevant",
    "num_rel_ret": "n_hits",
}

INTERPOLATED = "Precision interpolated at recall levels is not here."

CONVENTIONS = (
    Convention(
        name="trec_eval",
        what="trec_eval (checked against pytrec_eval-terrier 0.5.11)",
        policies={"missing": "skip", "undefined": "zero", "relevance": "rated", "rel": 1, "ties": "text_desc"},
        spellings=TREC_EVAL,
        notes="""
            - Queries: those that both files have. A query without recommendations is left out, unless trec_eval runs
              with -c: missing=zero. A query without a relevant item counts 0.
            - It orders by score in 32 bits and then by document as text, the higher first (99 before 100), and never
              looks at the rank column: leave it out.
            - A document rated below 0 is not judged: bpref passes it over, and it has no gain.
            - ndcg and ndcg_cut take every rating above 0, whatever the relevance level, which is rel: P(rel=2)@10.
            - map and ndcg with a cutoff are map_cut and ndcg_cut. recip_rank, Rprec, bpref, the set metrics and the
              numbers have none.
            - set_F takes the square of beta: set_F.4.0 is set_F(beta=2).
            - Its summary adds up num_ret, num_rel and num_rel_ret: aggregates=total. gm_map is map under
              aggregates=geometric_mean, gm_bpref is bpref under it.
            - A query whose documents are all rated below 0 makes it crash; here it counts 0.
        """,
        aliases=("trec", "pytrec_eval"),
        refused={
            "gm_map": "It is map under aggregates=geometric_mean.",
            "gm_bpref": "It is bpref under aggregates=geometric_mean.",
            "num_q": "It is the column n_lists of the summary.",
            "runid": "",
            "num_nonrel_judged_ret": "",
            "11pt_avg": INTERPOLATED,
            "iprec_at_recall": INTERPOLATED,
            "Rprec_mult": "",
            "infAP": "",
            "set_map": "It is the product of set_P and set_recall.",
            "set_relative_P": "relative_P has a cutoff in the place of the list's length.",
            "utility": "It is num_rel_ret less the rest of num_ret, unless it is given other weights.",
            "relstring": "",
            "ndcg_rel": "",
            "Rndcg": "",
            "G": "",
            "binG": "",
        },
        uncut=frozenset(
            "recip_rank Rprec bpref set_P set_recall set_F num_ret num_rel num_rel_ret".split(),
        ),
        cut=frozenset("P recall map_cut ndcg_cut relative_P success".split()),
        forms={r"([A-Za-z]\w*?)[_.](\d+(?:,\d+)*)": r"\1@\2"},
    ),
)
