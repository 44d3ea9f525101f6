"""What trec_eval and ir_measures return on the minimal inputs of docs/migrating, for its tables of surprises."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from tests.fidelity.tables import GOLDEN

Ratings: TypeAlias = dict[str, int]
Scores: TypeAlias = dict[str, float]

TIED: tuple[Ratings, Scores] = ({"100": 0, "99": 3}, {"100": 5.0, "99": 5.0})
PADDED: tuple[Ratings, Scores] = ({"100": 0, "099": 3}, {"100": 5.0, "099": 5.0})
ONE: tuple[Ratings, Scores] = ({"a": 1}, {"a": 1.0})
TWO_OF_THREE: tuple[Ratings, Scores] = ({"a": 1, "b": 1, "c": 1}, {"a": 3.0, "x": 2.0, "b": 1.0})
ONE_OF_FOUR: tuple[Ratings, Scores] = ({"b": 1, "c": 1, "d": 1}, {"a": 2.0, "b": 1.0, "x": 0.0, "y": -1.0})

# A measure as the library takes it, the same as our call, and one query: ratings and scores.
Quirk: TypeAlias = tuple[str, str, tuple[Ratings, Scores]]

TREC_EVAL: Sequence[Quirk] = (
    ("iprec_at_recall.0.70", "iprec_at_recall_0.70", TWO_OF_THREE),
    ("iprec_at_recall.0.80", "iprec_at_recall_0.80", TWO_OF_THREE),
    ("Rprec_mult.0.01", "Rprec_mult_0.01", ONE),
    ("recip_rank", "recip_rank", TIED),
    ("recip_rank", "recip_rank", PADDED),
    ("infAP", "infAP", ({"a": -1, "b": 1}, {"a": 2.0, "b": 1.0})),
    ("set_F.2.0", "set_F.2.0", ONE_OF_FOUR),
    ("Rndcg", "Rndcg", ({"a": 1}, {"x": 2.0, "a": 1.0})),
    ("Rndcg", "Rndcg", ({"a": 1}, {"x": 2.0, "a": 1.0, "y": 0.0})),
)
IR_MEASURES: Sequence[Quirk] = (
    ("RR", "RR", TIED),
    ("RR@10", "RR@10", TIED),
    ("RBP(rel=1)", "RBP(rel=1)", TIED),
    ("P@1", "P@1", TIED),
    ("SetF(beta=2.0)", "SetF(beta=2.0)", ONE_OF_FOUR),
    ("SetF(beta=4.0)", "SetF(beta=4.0)", ONE_OF_FOUR),
)


def save(library: str, quirks: Iterable[Quirk], measure: Callable[[str, Ratings, Scores], float]) -> None:
    """Write what a library returns for each quirk."""
    found: list[dict[str, Any]] = [
        {"measure": theirs, "call": ours, "qrels": qrels, "run": run, "value": measure(theirs, qrels, run)}
        for theirs, ours, (qrels, run) in quirks
    ]
    (GOLDEN / f"{library}_quirks.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def of_trec_eval(theirs: str, qrels: Ratings, run: Scores) -> float:
    """A measure of one query by pytrec_eval."""
    import pytrec_eval

    (value,) = pytrec_eval.RelevanceEvaluator({"1": qrels}, [theirs]).evaluate({"1": run})["1"].values()
    return float(value)


def of_ir_measures(theirs: str, qrels: Ratings, run: Scores) -> float:
    """A measure of one query by ir_measures."""
    import ir_measures

    measure = ir_measures.parse_measure(theirs)
    return float(ir_measures.calc_aggregate([measure], {"1": qrels}, {"1": run})[measure])
