"""trec_eval by pytrec_eval: every measure that we have, per query and over all, at several relevance levels."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from tests.fidelity.jobs import trec_quirks
from tests.fidelity.tables import Row, by_problem, nested, read, save, whole

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
    "11pt_avg",
    "iprec_at_recall",
    "Rprec_mult",
)
GEOMETRIC = ("gm_map", "gm_bpref")  # of a query they are logarithms: only their means are of use
LEVELS = {None: (1, 2), "negative ratings": (1, 2, 3, 5)}

Value = tuple[str, str, str, "int | None", "str | None", float]


def measured(problem: str, level: int, recs: list[Row], truth: list[Row]) -> list[Value]:
    """What it returns for a problem."""
    import pytrec_eval

    asked = [f"{name}.{','.join(map(str, CUTOFFS))}" for name in CUT]
    evaluator = pytrec_eval.RelevanceEvaluator(nested(truth, "rating"), [*asked, *WHOLE, *GEOMETRIC], level)
    found = evaluator.evaluate(nested(recs, "score"))
    squared = pytrec_eval.RelevanceEvaluator(nested(truth, "rating"), ["set_F.4.0"], level).evaluate(
        nested(recs, "score")
    )
    return [*_values(problem, f"level={level}", found), *_values(problem, f"level={level}, x=4", squared)]


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
    recs, truth = by_problem(read("recs")), by_problem(whole(read("truth")))
    values: list[Any] = []
    refused: dict[str, str] = {}
    for problem in recs:
        for level in LEVELS.get(problem, LEVELS[None]):
            with ProcessPoolExecutor(1) as alone:
                try:
                    values += alone.submit(measured, problem, level, recs[problem], truth[problem]).result()
                except BrokenProcessPool:
                    refused[problem] = "It crashes."
                except (TypeError, ValueError) as error:
                    refused[problem] = str(error)
    save("pytrec_eval", ["pytrec_eval-terrier", "numpy"], values, refused)
    trec_quirks.save("pytrec_eval", trec_quirks.TREC_EVAL, trec_quirks.of_trec_eval)


if __name__ == "__main__":
    main()
