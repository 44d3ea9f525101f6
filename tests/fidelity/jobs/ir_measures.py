"""ir_measures by its default pipeline of providers: every measure that we have, per query and over all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.fidelity.jobs import trec_quirks
from tests.fidelity.tables import Row, gathered, jobs_in_processes, nested, save, whole

CUTOFFS = (1, 3, 5, 10)
LEVELS = {None: (1, 2), "negative ratings": (1, 3)}

# The measures as ir_measures reads them, with what they are called in the golden file; {k} is a cutoff, {l} a level.
AT_K = (
    "P(rel={l})@{k}",
    "R(rel={l})@{k}",
    "AP(rel={l})@{k}",
    "Success(rel={l})@{k}",
    "RR(rel={l})@{k}",
    "Accuracy(rel={l})@{k}",
)
AT_K_ANY = ("nDCG@{k}", "nDCG(dcg='exp-log2')@{k}", "ERR@{k}", "Judged@{k}")
WHOLE = (
    "AP(rel={l})",
    "RR(rel={l})",
    "Rprec(rel={l})",
    "Bpref(rel={l})",
    "infAP(rel={l})",
    "SetP(rel={l})",
    "SetP(rel={l}, relative=True)",
    "SetR(rel={l})",
    "SetF(rel={l})",
    "SetF(rel={l}, beta=4.0)",
    "SetAP(rel={l})",
    "RBP(rel={l})",
    "RBP(rel={l}, p=0.5)",
    "IPrec(rel={l})@0.1",
    "IPrec(rel={l})@0.5",
    "NumRet(rel={l})",
    "Accuracy(rel={l})",
)
WHOLE_ANY = ("nDCG", "Judged", "NumRet", "NumRel", "NumRelRet")


def measures(level: int, *, first: bool) -> Iterator[tuple[str, str, int | None, str]]:
    """Setting, name and cutoff of each measure in the golden file, and the measure as it is written."""
    setting = f"level={level}"
    for text in AT_K:
        yield from ((setting, text.partition("(")[0], k, text.format(k=k, l=level)) for k in CUTOFFS)
    for text in WHOLE:
        yield setting, text.replace("rel={l}, ", "").replace("(rel={l})", ""), None, text.format(l=level)
    if first:
        for text in AT_K_ANY:
            yield from (("", text.partition("@")[0], k, text.format(k=k)) for k in CUTOFFS)
        yield from (("", text, None, text) for text in WHOLE_ANY)


def measured(problem: str, recs: list[Row], truth: list[Row]) -> Iterator[tuple[Any, ...]]:
    """What it returns for a problem."""
    import ir_measures

    qrels, run = nested(whole(truth), "rating"), nested(recs, "score")
    levels = LEVELS.get(problem, LEVELS[None])
    for level in levels:
        for setting, metric, k, text in measures(level, first=level == levels[0]):
            measure = ir_measures.parse_measure(text)
            try:
                found = ir_measures.calc([measure], qrels, run)
            except ZeroDivisionError:
                continue  # Accuracy of a list of nothing but relevant documents, Judged of an empty list
            key = problem, setting, metric, k
            mean = found.aggregated[measure]
            yield *key, None, None if mean != mean else float(mean)
            yield from ((*key, one.query_id, float(one.value)) for one in found.per_query if one.query_id in qrels)


def main() -> None:
    """Measure each problem in a process of its own: what crashes it is refused."""
    values, refused = gathered(jobs_in_processes(measured))  # cwl_eval warns of ratings beyond max_rel
    save("ir_measures", ["ir_measures", "cwl-eval", "pytrec_eval-terrier", "numpy"], values, refused)
    trec_quirks.save("ir_measures", trec_quirks.IR_MEASURES, trec_quirks.of_ir_measures)


if __name__ == "__main__":
    main()
