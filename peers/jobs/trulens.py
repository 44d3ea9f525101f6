"""TruLens' metrics of retrieved chunks against expected chunks: GroundTruthAgreement, without a model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from trulens.feedback.groundtruth import GroundTruthAgreement

from peers.job import CUTOFFS, Problem, Values

CUT = ("ndcg_at_k", "precision_at_k", "recall_at_k", "ir_hit_rate")


def value(
    name: str, chunks: Sequence[str], expected: Mapping[str, float], k: int | None = None, **scores: Sequence[float]
) -> float:
    """A metric of the chunks of one query, against the expected chunks with their scores."""
    golden = {"query": "q", "expected_chunks": [{"text": text, "expect_score": one} for text, one in expected.items()]}
    agreement = GroundTruthAgreement.model_construct(ground_truth=[golden], ground_truth_imp=None)
    cutoff = {} if name == "mrr" else {"k": k}
    return float(getattr(agreement, name)("q", [*chunks], **cutoff, **scores))


def measured(problem: Problem) -> Iterator[Values]:
    expected: dict[str, dict[str, float]] = {}
    for row in problem.truth:
        expected.setdefault(row["user"], {})[row["item"]] = row["rating"]
    lists = {user: items for user, items in problem.lists.items() if items}
    for name, k in (*((name, k) for name in CUT for k in (*CUTOFFS, None)), ("mrr", None)):
        values: dict[Any, float] = {user: value(name, items, expected[user], k) for user, items in lists.items()}
        mean = np.nanmean([*values.values()]) if not all(map(np.isnan, values.values())) else None
        yield "", name, k, {None: mean, **values}


# What the calls of its page name.
NAMES = {"value": value}
