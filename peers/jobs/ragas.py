"""Ragas' metrics of retrieved contexts that ask no model: by ids, and by texts that are equal."""

from __future__ import annotations

import asyncio
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

from peers.job import Problem, Values, empty_packages


class Prompt:
    """Stands for the base of the prompts, which no metric here sends."""

    def __class_getitem__(cls, _: object) -> type[Prompt]:
        return cls


# Packages and modules that import models.
empty_packages("ragas", "metrics")
base, prompt = ModuleType("ragas.metrics.base"), ModuleType("ragas.prompt")
vars(base).update(MetricType=MagicMock(), MetricOutputType=MagicMock(), ensembler=MagicMock())
vars(base).update({name: type(name, (), {}) for name in ("SingleTurnMetric", "MetricWithLLM", "MetricWithEmbeddings")})
vars(prompt).update(PydanticPrompt=Prompt)
sys.modules |= {"ragas.metrics.base": base, "ragas.prompt": prompt}
sys.modules |= {name: MagicMock() for name in ("ragas.dataset_schema", "ragas.run_config")}
sys.modules |= {name: MagicMock() for name in ("langchain_core", "langchain_core.callbacks")}

from ragas.metrics import _context_precision, _context_recall, _string  # noqa: E402  # after the modules above

vars(_context_precision)["SingleTurnSample"] = vars(_context_recall)["SingleTurnSample"] = SimpleNamespace


class Same(_string.ExactMatch):  # type: ignore[misc]
    """Texts are alike if they are equal."""

    async def single_turn_ascore(self, sample: Any, callbacks: Any) -> float:
        return float(await self._single_turn_ascore(sample, callbacks))


METRICS: Mapping[str, Callable[[], Any]] = {
    "id_based_context_precision": _context_precision.IDBasedContextPrecision,
    "id_based_context_recall": _context_recall.IDBasedContextRecall,
    "non_llm_context_precision_with_reference": lambda: _context_precision.NonLLMContextPrecisionWithReference(
        distance_measure=Same()
    ),
    "non_llm_context_recall": lambda: _context_recall.NonLLMContextRecall(_distance_measure=Same()),
}


def value(name: str, retrieved: Sequence[str], reference: Sequence[str]) -> float:
    """A metric of retrieved and reference contexts, by their ids or by their texts."""
    sample = SimpleNamespace(
        retrieved_contexts=[*retrieved],
        reference_contexts=[*reference],
        retrieved_context_ids=[*retrieved],
        reference_context_ids=[*reference],
    )
    return float(asyncio.run(METRICS[name]()._single_turn_ascore(sample, None)))


def measured(problem: Problem) -> Iterator[Values]:
    references: dict[str, list[str]] = {row["user"]: [] for row in problem.truth}
    for row in problem.truth:
        if row["rating"] > 0:
            references[row["user"]].append(row["item"])
    lists = {user: items for user, items in problem.lists.items() if items}
    for name in METRICS:
        needs_reference = name.startswith("non_llm")  # without one, it fails
        queries = [query for query in lists if references[query] or not needs_reference]
        values = {query: value(name, lists[query], references[query]) for query in queries}
        defined = [one for one in values.values() if not math.isnan(one)]
        yield "", name, None, {None: sum(defined) / len(defined) if defined else None, **values}


# What the calls of its page name.
NAMES = {"value": value}
