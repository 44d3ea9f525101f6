"""PyTerrier's Experiment over data frames: the measures of ir_measures, by its names and by those of trec_eval."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

from tests.fidelity.jobs.ir_measures import CUTOFFS, LEVELS, measures
from tests.fidelity.tables import Row, gathered, jobs_in_processes, nested, save, whole

# trec_eval's names, which parse_trec_measure reads; with a cutoff and without.
NAMED = ("map", "recip_rank", "set_recall", "set_map", "num_rel_ret")
NAMED_AT_K = ("map_cut", "ndcg_cut")

TREC_NAMES = "names of trec_eval"


def asked(level: int, *, first: bool) -> Iterator[tuple[str, str, int | None, Any]]:
    """Setting, name and cutoff of each measure in the golden file, and the measure as it is given."""
    import ir_measures

    for setting, metric, k, text in measures(level, first=first):
        yield setting, metric, k, ir_measures.parse_measure(text)
    if first:
        yield from ((TREC_NAMES, name, None, name) for name in NAMED)
        yield from ((TREC_NAMES, name, k, f"{name}_{k}") for name in NAMED_AT_K for k in CUTOFFS)


def measured(problem: str, recs: list[Row], truth: list[Row]) -> Iterator[tuple[Any, ...]]:
    """What it returns for a problem."""
    import pandas as pd
    import pyterrier as pt

    warnings.simplefilter("ignore")  # of topics that the qrels have not
    nested(recs, "score")
    nested(truth, "rating")  # refuse what repeats, as for ir_measures
    run = pd.DataFrame([row for row in recs if row["item"] is not None])
    run = run.rename(columns={"user": "qid", "item": "docno"})[["qid", "docno", "score"]]
    run = run.sort_values("qid", kind="stable")  # cwl_eval takes each block of rows of a query for a query of its own
    run["rank"] = run.groupby("qid")["score"].rank(ascending=False, method="first").astype(int) - 1
    qrels = pd.DataFrame(whole(truth)).rename(columns={"user": "qid", "item": "docno", "rating": "label"})
    qrels = qrels[["qid", "docno", "label"]]
    users = {row["user"] for row in [*recs, *truth]}
    topics = pd.DataFrame({"qid": sorted(users), "query": "q"})
    levels = LEVELS.get(problem, LEVELS[None])
    for level in levels:
        every = [*asked(level, first=level == levels[0])]
        crashing = [[one] for one in every if one[1] == "Accuracy"]  # alone, for it stops the others
        by_name = [one for one in every if one[0] == TREC_NAMES]  # apart, for each hides the same measure of the others
        others = [one for one in every if one not in by_name and [one] not in crashing]
        for together in filter(None, (others, by_name, *crashing)):
            named = {str(measure): (problem, setting, metric, k) for setting, metric, k, measure in together}
            metrics = [one[-1] for one in together]
            try:
                found = pt.Experiment([run], topics, qrels, metrics, names=["run"], perquery="both")
            except ZeroDivisionError:
                continue  # Accuracy of a list of nothing but relevant documents
            means = found[0].iloc[0]
            if len(together) > 1 and means.isna().any():  # of a topic without a value; not so without perquery
                means = pt.Experiment([run], topics, qrels, metrics, names=["run"]).iloc[0]
            yield from ((*key, None, float(means[name])) for name, key in named.items() if means[name] == means[name])
            per_query = zip(found[1]["measure"], found[1]["qid"], found[1]["value"], strict=True)
            yield from ((*named[name], user, float(value)) for name, user, value in per_query if value == value)


def main() -> None:
    """Measure each problem in a process of its own: what crashes it is refused."""
    values, refused = gathered(jobs_in_processes(measured))
    packages = ["python-terrier", "pyterrier", "ir_measures", "cwl-eval", "pytrec_eval-terrier", "pandas", "numpy"]
    save("pyterrier", packages, values, refused)


if __name__ == "__main__":
    main()
