"""What each library computes, as data: which parameters its metrics have, whom it averages over, what it calls them.

A convention holds the library's own spellings, each with the metric of ours that gives its number, and the policies
that hold for all of them: whose mean it is, which of equal scores comes first, what counts as relevant, what a repeated
item does. Nothing here is code for a library: what a convention needs is a parameter that anybody may set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from textwrap import dedent

from rankmetrics.errors import MetricError, did_you_mean, names, plain


@dataclass(frozen=True)
class Convention:
    """One library's way to measure.

    Attributes:
        name: as in `convention="replay"`.
        what: the library and the releases that the numbers were checked against, or the document it is taken from.
        policies: what is decided for all of its metrics.
        spellings: its own name of each metric -> the metric of ours that gives its number.
        notes: where it departs from its own documentation, or cannot be followed: lines that start with a dash.
        aliases: other names of the convention.
    """

    name: str
    what: str
    policies: Mapping[str, str | float]
    spellings: Mapping[str, str]
    notes: str = ""
    aliases: tuple[str, ...] = field(default=())

    @property
    def remarks(self) -> list[str]:
        """The notes, one by one."""
        return [" ".join(one.split()) for one in f"\n{dedent(self.notes)}".split("\n- ")[1:]]

    def spelling(self, name: str) -> str | None:
        """The metric of ours behind a name of theirs, whatever its case."""
        return next((ours for theirs, ours in self.spellings.items() if plain(theirs) == plain(name)), None)


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
TREC_EVAL = {
    "P": "precision",
    "recall": "recall",
    "map": "ap(divisor=relevant)",
    "map_cut": "ap(divisor=relevant)",
    "recip_rank": "rr",
    "ndcg": "ndcg(gain=linear)",
    "ndcg_cut": "ndcg(gain=linear)",
    "Rprec": "r_precision",
    "bpref": "bpref",
    "success": "hit",
    "set_P": "precision(divisor=list)@None",
    "set_recall": "recall@None",
    "num_ret": "n_recommended",
    "num_rel": "n_relevant",
    "num_rel_ret": "n_hits",
}
RANX = {
    "precision": "precision",
    "recall": "recall",
    "hits": "n_hits",
    "hit_rate": "hit",
    "f1": "f_beta",
    "map": "ap(divisor=relevant)",
    "mrr": "rr",
    "ndcg": "ndcg(gain=linear)",
    "ndcg_burges": "ndcg(gain=exponential)",
    "r-precision": "r_precision",
    "bpref": "bpref",
    "rbp": "rbp",
}
RECTOOLS = {
    "Precision": "precision",
    "Recall": "recall",
    "HitRate": "hit",
    "F1Beta": "f_beta",
    "MAP": "ap(divisor=relevant)",
    "NDCG": "ndcg(share=full)",
    "MRR": "rr",
}

CONVENTIONS: tuple[Convention, ...] = (
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
              weighted_precision(discount=lenskit).
            - MeanPopRank of the least popular item is above 0; its documentation scales from 0.
        """,
        aliases=("lenskit-2025",),
    ),
    Convention(
        name="trec_eval",
        what="trec_eval, pytrec_eval (from the published definitions)",
        policies={"missing": "skip", "relevance": "rated", "rel": 1, "ties": "item_desc"},
        spellings=TREC_EVAL,
        notes="""
            - Queries that have no recommendations are left out, unless it runs with -c: missing=zero.
            - It orders by score and then document, the higher first, and never looks at the rank column:
              leave it out.
        """,
        aliases=("trec", "pytrec_eval"),
    ),
    Convention(
        name="ranx",
        what="ranx (from the published definitions)",
        policies={"missing": "zero", "relevance": "rated", "rel": 1},
        spellings=RANX,
        notes="""
            - Its lists of recommendations and of truth must be the same.
            - rbp.95 is rbp(p=0.95); f1-l2 is f1(rel=2).
        """,
    ),
    Convention(
        name="rectools",
        what="RecTools (from the published definitions)",
        policies={"missing": "zero", "relevance": "any"},
        spellings=RECTOOLS,
        notes="""
            - NDCG divides by a list with hits at all k places; NDCG(share=best) is its
              divide_by_achievable=True.
            - MAP is divided by all relevant items; MAP(divisor=k) is its divide_by_k=True.
        """,
    ),
    Convention(
        name="sklearn",
        what="scikit-learn's dcg_score and ndcg_score (from the published definitions)",
        policies={"missing": "zero", "undefined": "zero"},
        spellings={"ndcg_score": "ndcg(gain=linear)", "dcg_score": "dcg(gain=linear)"},
        notes="""
            - It takes the mean over all orders of equal scores; here the tie rule decides, as with
              ignore_ties=True.
        """,
        aliases=("scikit-learn",),
    ),
)


def find(name: str) -> Convention:
    """A convention by its name.

    Raises:
        MetricError: there is none of that name; the nearest are given.
    """
    for one in CONVENTIONS:
        if plain(str(name)) in {plain(known) for known in (one.name, *one.aliases)}:
            return one
    known = [one.name for one in CONVENTIONS]
    raise MetricError(f"There is no convention {name!r}: there are {names(known)}.{did_you_mean(str(name), known)}")
