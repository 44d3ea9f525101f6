"""trec_eval by pytrec_eval: every measure that we have, per query and over all, at several relevance levels."""

from __future__ import annotations

from collections.abc import Iterator

from tests.fidelity.jobs import trec_quirks
from tests.fidelity.tables import Row, gathered, jobs_in_processes, nested, save, whole

CUTOFFS = (1, 3, 5, 10, 20)
CUT = ("P", "recall", "map_cut", "ndcg_cut", "relative_P", "success")
WHOLE = (
    "map",
    "recip_rank",
    "ndcg",
    "Rprec",
    "bpref",
    "set_P",
    "set_recall",
    "set_F",
    "num_ret",
    "num_rel",
    "num_rel_ret",
    "num_nonrel_judged_ret",
    "set_map",
    "set_relative_P",
    "utility",
    "infAP",
    "binG",
    "G",
    "ndcg_rel",
    "Rndcg",
    "11pt_avg",
    "iprec_at_recall",
    "Rprec_mult",
)
GEOMETRIC = ("gm_map", "gm_bpref")  # of a query they are logarithms: only their means are of use
LEVELS = {None: (1, 2), "negative ratings": (1, 2, 3, 5)}

Value = tuple[str, str, str, "int | None", "str | None", float]


def measured(problem: str, recs: list[Row], truth: list[Row]) -> Iterator[Value]:
    """What it returns for a problem."""
    import pytrec_eval

    asked = [f"{name}.{','.join(map(str, CUTOFFS))}" for name in CUT]
    qrels, run = nested(whole(truth), "rating"), nested(recs, "score")
    for level in LEVELS.get(problem, LEVELS[None]):
        found = pytrec_eval.RelevanceEvaluator(qrels, [*asked, *WHOLE, *GEOMETRIC], level).evaluate(run)
        squared = pytrec_eval.RelevanceEvaluator(qrels, ["set_F.4.0"], level).evaluate(run)
        yield from _values(problem, f"level={level}", found)
        yield from _values(problem, f"level={level}, x=4", squared)


def _values(problem: str, setting: str, found: dict[str, dict[str, float]]) -> Iterator[Value]:
    import pytrec_eval

    for measure in next(iter(found.values())):
        name, _, tail = measure.rpartition("_")
        metric, k = (name, int(tail)) if name in CUT else (measure, None)
        if metric not in GEOMETRIC:
            yield from ((problem, setting, metric, k, user, values[measure]) for user, values in found.items())
        of_all = pytrec_eval.compute_aggregated_measure(measure, [values[measure] for values in found.values()])
        yield problem, setting, metric, k, None, of_all


def main() -> None:
    """Measure each problem in a process of its own: what crashes it is refused."""
    values, refused = gathered(jobs_in_processes(measured))
    save("pytrec_eval", ["pytrec_eval-terrier", "numpy"], values, refused)
    trec_quirks.save("pytrec_eval", trec_quirks.TREC_EVAL, trec_quirks.of_trec_eval)


if __name__ == "__main__":
    main()
