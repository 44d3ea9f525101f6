"""trec_eval by pytrec_eval: every measure that we have, per query and over all, at several relevance levels."""

from __future__ import annotations

from collections.abc import Iterator

import pytrec_eval

from peers.job import Problem, Values, measure_quirks

CUTOFFS = (1, 3, 5, 10, 20)
CUT = ("P", "recall", "map_cut", "ndcg_cut", "relative_P", "success")
WHOLE = (
    *"map recip_rank ndcg Rprec bpref set_P set_recall set_F num_ret num_rel num_rel_ret num_nonrel_judged_ret".split(),
    *"set_map set_relative_P utility infAP binG G ndcg_rel Rndcg 11pt_avg iprec_at_recall Rprec_mult".split(),
)
GEOMETRIC = ("gm_map", "gm_bpref")  # of a query they are logarithms: only their means are of use
LEVELS = {None: (1, 2), "negative ratings": (1, 2, 3, 5)}


def measured(problem: Problem) -> Iterator[Values]:
    requested = [f"{name}.{','.join(map(str, CUTOFFS))}" for name in CUT]
    qrels, scores = problem.whole_ratings, problem.scores
    for level in LEVELS.get(problem.name, LEVELS[None]):
        for setting, measures in (("", [*requested, *WHOLE, *GEOMETRIC]), (", x=4", ["set_F.4.0"])):
            found = pytrec_eval.RelevanceEvaluator(qrels, measures, level).evaluate(scores)
            for measure in next(iter(found.values())):
                name, _, tail = measure.rpartition("_")
                metric, k = (name, int(tail)) if name in CUT else (measure, None)
                by_user = {user: values[measure] for user, values in found.items()}
                of_all = pytrec_eval.compute_aggregated_measure(measure, [*by_user.values()])
                yield f"level={level}{setting}", metric, k, {None: of_all, **({} if metric in GEOMETRIC else by_user)}


def of_query(theirs: str, qrels: dict[str, int], scores: dict[str, float]) -> float:
    """A measure of one query."""
    (value,) = pytrec_eval.RelevanceEvaluator({"1": qrels}, [theirs]).evaluate({"1": scores})["1"].values()
    return float(value)


def after() -> None:
    """Write what its tests read in addition."""
    measure_quirks("pytrec_eval", of_query)
