"""The measures of ndeval, TREC's program for diversity, by pyndeval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pyndeval

from peers.job import CUTOFFS, Problem, Values
from peers.problems import subtopics

CUT = ("alpha-DCG", "alpha-nDCG", "ERR-IA", "nERR-IA", "P-IA", "strec")
MEASURES = (*(f"{name}@{k}" for name in CUT for k in (*CUTOFFS, 20)), "NRBP", "nNRBP", "MAP-IA")
SETTINGS = ((0.5, 0.5), (0.3, 0.8))


def values(qrels: Any, results: Mapping[str, Mapping[str, float]], **settings: float) -> dict[str, dict[str, float]]:
    """Each measure of each query."""
    scored = [(query, document, score) for query, of in results.items() for document, score in of.items()]
    found: dict[str, dict[str, float]] = pyndeval.ndeval(qrels, scored, [*MEASURES], **settings)
    return found


def measured(problem: Problem) -> Iterator[Values]:
    results, judged = problem.scores, problem.whole_ratings
    qrels = [
        (query, subtopic, document, rating)
        for query, ratings in judged.items()
        for document, of_document in ratings.items()
        for subtopic, rating in subtopics(document, of_document)
    ]
    for alpha, beta in SETTINGS:
        by_query = values(qrels, results, alpha=alpha, beta=beta)
        for measure in MEASURES:
            name, _, k = measure.partition("@")
            by_user = {query: of_query[measure] for query, of_query in by_query.items()}
            mean = sum(by_user.values()) / len(by_user)
            yield f"alpha={alpha},beta={beta}", name, int(k) if k else None, {None: mean, **by_user}


# What the calls of its page name.
NAMES = {"values": values}
