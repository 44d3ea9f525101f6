"""ir_measures by its default pipeline of providers: every measure that we have, per query and over all.

And the residuals of cwl_eval, one of these providers, which ir_measures does not return.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import mean

import ir_measures
from cwl.ruler.measures.cwl_dcg import NDCGCWLMetric
from cwl.ruler.measures.cwl_metrics import CWLMetric
from cwl.ruler.measures.cwl_precision import PrecisionCWLMetric
from cwl.ruler.measures.cwl_rbp import RBPCWLMetric
from cwl.ruler.ranking import Ranking

from peers.job import CUTOFFS, Problem, Values, measure_quirks

LEVELS = {None: (1, 2), "negative ratings": (1, 3)}

# The measures as ir_measures reads them; {k} is a cutoff, {l} a level.
AT_K = [f"{name}(rel={{l}})@{{k}}" for name in "P R AP Success RR Accuracy".split()]
AT_K += [f"{name}(rel={{l}}, judged_only=True)@{{k}}" for name in "P R AP Success".split()]
AT_K_ANY = ("nDCG@{k}", "nDCG(judged_only=True)@{k}", "nDCG(dcg='exp-log2')@{k}", "ERR@{k}", "Judged@{k}")
WHOLE = (
    *(f"{name}(rel={{l}})" for name in "AP RR Rprec Bpref infAP SetP SetR SetF SetAP RBP NumRet Accuracy".split()),
    "SetP(rel={l}, relative=True)",
    "SetF(rel={l}, beta=4.0)",
    "RBP(rel={l}, p=0.5)",
    "IPrec(rel={l})@0.1",
    "IPrec(rel={l})@0.5",
    *(f"{name}(rel={{l}}, judged_only=True)" for name in "AP RR Rprec SetP SetF SetAP".split()),
    "SetP(rel={l}, relative=True, judged_only=True)",
    "IPrec(rel={l}, judged_only=True)@0.5",
)
WHOLE_ANY = (
    "nDCG",
    "nDCG(judged_only=True)",
    "Compat",
    "Compat(p=0.5)",
    "Compat(p=0.8, normalize=False)",
    "Judged",
    "NumRet",
    "NumRel",
    "NumRelRet",
)


def measures(level: int, *, first: bool) -> Iterator[tuple[str, str, int | None, str]]:
    """Setting, name and cutoff of each measure in the golden file, and the measure as it is written."""
    setting = f"level={level}"
    for text in AT_K:
        name = text.partition("@")[0].replace("rel={l}, ", "").replace("(rel={l})", "")
        yield from ((setting, name, k, text.format(k=k, l=level)) for k in CUTOFFS)
    for text in WHOLE:
        yield setting, text.replace("rel={l}, ", "").replace("(rel={l})", ""), None, text.format(l=level)
    if first:
        for text in AT_K_ANY:
            yield from (("", text.partition("@")[0], k, text.format(k=k)) for k in CUTOFFS)
        yield from (("", text, None, text) for text in WHOLE_ANY)


def measured(problem: Problem) -> Iterator[Values]:
    qrels, scores = problem.whole_ratings, problem.scores
    levels = LEVELS.get(problem.name, LEVELS[None])
    for level in levels:
        for setting, metric, k, text in measures(level, first=level == levels[0]):
            measure = ir_measures.parse_measure(text)
            try:
                found = ir_measures.calc([measure], qrels, scores)
            except ZeroDivisionError:
                continue  # Accuracy of a list of nothing but relevant documents, Judged of an empty list
            by_query = {one.query_id: one.value for one in found.per_query if one.query_id in qrels}
            yield setting, metric, k, {None: found.aggregated[measure], **by_query}
    yield from residuals(problem)


def residuals(problem: Problem) -> Iterator[Values]:
    """How much a measure of cwl_eval rises if every document without a rating has the highest gain; DCG is unscaled."""
    measures: list[tuple[str, int | None, CWLMetric, float]] = [("RBP", None, RBPCWLMetric(0.8), 1.0)]
    for k in CUTOFFS:
        discounts = sum(1 / math.log2(rank + 1) for rank in range(1, k + 1))
        measures += [("P", k, PrecisionCWLMetric(k), 1.0), ("DCG", k, NDCGCWLMetric(k), discounts)]
    for name, cutoff, measure, unit in measures:
        measure.residuals = True
        found = {}
        for query, ratings in problem.whole_ratings.items():
            if name == "RBP" and max(ratings.values()) <= 0:
                continue  # there is no RBP to bound
            run = problem.scores.get(query, {})
            listed = sorted(run, key=run.__getitem__, reverse=True)
            gains = [float(ratings[item] > 0) if item in ratings else math.nan for item in listed]
            measure.measure(Ranking(query, gains, [1.0] * len(gains)))
            found[query] = float(measure.residual_expected_utility) * unit
        if found:
            yield "", f"{name} residual", cutoff, {None: mean(found.values()), **found}


def of_query(theirs: str, qrels: dict[str, int], scores: dict[str, float]) -> float:
    """A measure of one query."""
    measure = ir_measures.parse_measure(theirs)
    return float(ir_measures.calc_aggregate([measure], {"1": qrels}, {"1": scores})[measure])


def after() -> None:
    """Write what its tests read in addition."""
    measure_quirks("ir_measures", of_query)
