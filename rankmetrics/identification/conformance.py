"""The problems with the values of definitions, for implementations in other languages: written as JSON, and checked."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rankmetrics.errors import InputError, choices_for
from rankmetrics.identification.calls import Answers, Form
from rankmetrics.identification.identify import Identified, identify_answers
from rankmetrics.identification.problems import CUTOFF, Problem, problems_of
from rankmetrics.identification.search import Definition, Table, alternatives, starts
from rankmetrics.messages import said
from rankmetrics.metrics.metric import Metric, parse

# The metrics of the file if none are named.
METRICS = tuple(f"{name}@{CUTOFF}" for name in ("ndcg", "dcg", "recall", "precision", "ap", "rr", "hit"))


def conformance(metrics: Sequence[str | Metric] = METRICS) -> dict[str, Any]:
    """Small problems, and the values of metrics on them by the definitions of rankmetrics and of other libraries.

    Args:
        metrics: such as `"ndcg@10"`, all with the same cutoff.

    Returns:
        `k`; `problems`: for each name the `items`, the best first, their `scores` and the `ratings` of judged items;
        `values`: for each metric and definition the value of each problem, None where it is undefined.

    Raises:
        MetricError: a metric is unknown.
        InputError: the cutoffs differ, or one is missing.

    Example:
        >>> document = conformance(["recall@3"])
        >>> document["problems"]["one of two retrieved"]
        {'items': ['b', 'a', 'c', 'd'], 'scores': [4, 3, 2, 1], 'ratings': {'a': 1, 'e': 1}}
        >>> document["values"]["recall@3"]["recall@3"]["one of two retrieved"]
        0.5
    """
    parsed = [parse(metric) if isinstance(metric, str) else metric for metric in metrics]
    cutoffs = {metric.k for metric in parsed}
    k = next(iter(cutoffs), None)
    if k is None or len(cutoffs) > 1:
        raise said(InputError, "conformance_cutoffs", metrics=[metric.text for metric in parsed])
    problems = problems_of(k)
    table, values = Table([problems]), dict[str, dict[str, dict[str, float | None]]]()
    for metric in parsed:
        known = [each for each in starts([metric.name], [k]) if (each.name, each.k) == (metric.name, k)]
        definitions = table.measure([metric, *(other for *_, other in alternatives(metric)), *known])
        values[metric.text] = {
            each.text: dict(zip((problem.name for problem in problems), table.values(Definition(each)), strict=True))
            for each in definitions
        }
    return {"k": k, "problems": {each.name: _written(each) for each in problems}, "values": values}


def _written(problem: Problem) -> dict[str, Any]:
    return {"items": [*problem.items], "scores": [*problem.scores], "ratings": dict(problem.ratings)}


def check_answers(answers: Mapping[str, float | None] | str | Path, metric: str | Metric) -> Identified:
    """The definition that answers to the problems follow.

    Args:
        answers: the value for each problem by its name, None (null) where it is undefined; some may be missing. Or the
            path of a JSON file with them.
        metric: the metric and the cutoff of the problems, such as `"ndcg@3"`.

    Raises:
        InputError: the file cannot be read, there are no such problems, or all answers are equal.
        MetricError: the metric is unknown.
    """
    wanted = parse(metric) if isinstance(metric, str) else metric
    wanted = replace(wanted, k=wanted.k or CUTOFF)
    values = _read(answers) if isinstance(answers, (str, Path)) else answers
    problems = {problem.name: problem for problem in problems_of(wanted.k or CUTOFF)}
    if unknown := [name for name in values if name not in problems]:
        raise InputError(f"There is no problem {unknown[0]!r}: there are {choices_for(unknown[0], problems)}")
    told = [problems[name] for name in values]
    if len({*values.values()} - {None}) < 2:
        raise said(InputError, "no_numbers", value=next(iter(values.values()), None))
    ways = [Answers(Form(("problem",)), takes_cutoff=True, problems=told, originals=told, values=[*values.values()])]
    return identify_answers("the function that answered", ways, [wanted.name], wanted.k)


def _read(path: str | Path) -> Mapping[str, float | None]:
    try:
        values = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise said(InputError, "no_answers", path=str(path), error=error) from error
    if not isinstance(values, dict) or not all(
        value is None or isinstance(value, (int, float)) for value in values.values()
    ):
        raise said(InputError, "no_answers", path=str(path), error="it holds something else")
    return {name: None if value is None else float(value) for name, value in values.items()}
