"""Sentence Transformers' InformationRetrievalEvaluator over lists of scored documents, without a model."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

from peers.job import CUTOFFS, Problem, Values, empty_packages

empty_packages("sentence_transformers", "sentence_transformer", "sentence_transformer.evaluation")
evaluators = ModuleType("sentence_transformers.base.evaluation.evaluator")
evaluators.BaseEvaluator = object  # type: ignore[attr-defined]
sys.modules[evaluators.__name__] = evaluators
for absent in ("torch", "sentence_transformers.base", "sentence_transformers.base.evaluation"):
    sys.modules[absent] = MagicMock()
sys.modules["sentence_transformers.util"] = MagicMock()
sys.modules["sentence_transformers.util.similarity"] = MagicMock()

from sentence_transformers.sentence_transformer.evaluation.information_retrieval import (  # noqa: E402  # after them
    InformationRetrievalEvaluator,
)


def values(relevant: Mapping[str, set[str]], scores: Mapping[str, Mapping[str, float]]) -> dict[str, Any]:
    """Each metric at each cutoff over the queries that have relevant documents."""
    names = ("mrr", "ndcg", "accuracy", "precision_recall", "map")
    cutoffs = {f"{name}_at_k": [*CUTOFFS] for name in names}
    evaluator = InformationRetrievalEvaluator(dict.fromkeys(relevant, ""), {}, relevant, **cutoffs)
    lists = [scores.get(query, {}).items() for query in evaluator.queries_ids]
    found: dict[str, Any] = evaluator.compute_metrics(
        [[{"corpus_id": document, "score": score} for document, score in one] for one in lists]
    )
    return found


def measured(problem: Problem) -> Iterator[Values]:
    relevant: dict[str, set[str]] = {row["user"]: set() for row in problem.truth}
    for row in problem.truth:
        if row["rating"] > 0:
            relevant[row["user"]].add(row["item"])
    relevant = {user: documents for user, documents in relevant.items() if documents}
    scores = problem.scores
    by_user = {user: values({user: documents}, scores) for user, documents in relevant.items()}
    of_all = values(relevant, scores) if relevant else {}
    for metric, at in of_all.items():
        for k in CUTOFFS:
            yield (
                "",
                metric.removesuffix("@k"),
                k,
                {None: at[k], **{user: of[metric][k] for user, of in by_user.items()}},
            )
    if not relevant:
        raise ValueError("No query has a relevant document: the mean is that of an empty list.")


# What the calls of its page name.
NAMES = {"values": values}
