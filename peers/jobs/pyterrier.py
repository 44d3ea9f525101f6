"""PyTerrier's Experiment over data frames: the measures of ir_measures, by its names and by those of trec_eval."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import ir_measures
import pandas as pd
import pyterrier as pt

from peers.job import CUTOFFS, Problem, Values
from peers.jobs.ir_measures import LEVELS, measures

# trec_eval's names, which parse_trec_measure reads; with a cutoff and without.
NAMED = ("map", "recip_rank", "set_recall", "set_map", "num_rel_ret")
NAMED_AT_K = ("map_cut", "ndcg_cut")

TREC_NAMES = "names of trec_eval"


def requested(level: int, *, first: bool) -> Iterator[tuple[str, str, int | None, Any]]:
    """Setting, name and cutoff of each measure in the golden file, and the measure as it is given."""
    for setting, metric, k, text in measures(level, first=first):
        if metric != "IPrec(judged_only=True)@0.5":  # NaN of a query without a judged document, which has no value here
            yield setting, metric, k, ir_measures.parse_measure(text)
    if first:
        yield from ((TREC_NAMES, name, None, name) for name in NAMED)
        yield from ((TREC_NAMES, name, k, f"{name}_{k}") for name in NAMED_AT_K for k in CUTOFFS)


def measured(problem: Problem) -> Iterator[Values]:
    warnings.simplefilter("ignore")  # of topics that the qrels have not
    _ = problem.scores, problem.ratings  # refuse what repeats, as for ir_measures
    frame = pd.DataFrame(problem.listed)
    frame = frame.rename(columns={"user": "qid", "item": "docno"})[["qid", "docno", "score"]]
    frame = frame.sort_values("qid", kind="stable")  # cwl_eval takes each block of rows of a query for a query
    frame["rank"] = frame.groupby("qid")["score"].rank(ascending=False, method="first").astype(int) - 1
    qrels = pd.DataFrame(problem.whole_truth).rename(columns={"user": "qid", "item": "docno", "rating": "label"})
    qrels = qrels[["qid", "docno", "label"]]
    users = {row["user"] for row in [*problem.recs, *problem.truth]}
    topics = pd.DataFrame({"qid": sorted(users), "query": "q"})
    levels = LEVELS.get(problem.name, LEVELS[None])
    for level in levels:
        every = [*requested(level, first=level == levels[0])]
        crashing = [[one] for one in every if one[1] == "Accuracy"]  # alone, for it stops the others
        by_name = [one for one in every if one[0] == TREC_NAMES]  # apart, for each hides the same measure of the others
        judged = [one for one in every if "judged_only" in one[1]]  # apart: NumRet next to them counts judged documents
        others = [one for one in every if one not in (*by_name, *judged) and [one] not in crashing]
        for together in filter(None, (others, by_name, judged, *crashing)):
            metrics = [one[-1] for one in together]
            try:
                found = pt.Experiment([frame], topics, qrels, metrics, names=["run"], perquery="both")
            except ZeroDivisionError:
                continue  # Accuracy of a list of nothing but relevant documents
            means = found[0].iloc[0]
            if len(together) > 1 and means.isna().any():  # of a topic without a value; not so without perquery
                means = pt.Experiment([frame], topics, qrels, metrics, names=["run"]).iloc[0]
            named = {str(one[-1]): one[:-1] for one in together}  # of equal measures, the last
            values = {name: {None: means[name]} for name in named}
            for name, user, value in zip(found[1]["measure"], found[1]["qid"], found[1]["value"], strict=True):
                values[name][user] = value
            for name, key in named.items():
                yield *key, {user: value for user, value in values[name].items() if value == value}
