"""Explains a plan in words: which stages there are and for what, from which files, and what the passes change."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from sqlglot import exp

from rankmetrics.metrics.catalog import LISTS
from rankmetrics.planner import (
    PASSES,
    Plan,
    Question,
    Stage,
    StageKey,
    plan,
    rewritten,
    write,
)
from rankmetrics.sqltree import tree

DIAGNOSTICS = "the diagnostics"


def explain_plan(question: Question, dialect: str) -> str:
    """The plan for a question in words: a paragraph for each stage, in the order of the query, then the passes."""
    query_plan = plan(question)
    needed_for = _needed_for(query_plan)
    in_reading_order = [*query_plan.stages.by_key.values()][::-1]
    steps = {cte.alias for cte in tree.find(rewritten(query_plan.summary_query(), dialect), exp.CTE)}
    paragraphs = ["\n".join(_stage(query_plan, step, needed_for[step.key], steps)) for step in in_reading_order]
    return "\n\n".join([*paragraphs, "\n".join(_passes(question, dialect))])


def _stage(query_plan: Plan, stage: Stage, needed_for: list[str], steps: Collection[str]) -> Iterator[str]:
    key, definition = stage.key, stage.definition
    name = query_plan.question.cte(key.name)
    yield f"{name}: {definition.summary}"
    if key.stage == LISTS and len(query_plan.question.missing) > 1:
        yield f"  file: none; it joins {', '.join(stage.reads)}, since the metrics differ in `missing`"
    else:
        why = f", since {definition.fields['when']}" if "when" in definition.fields else ""
        yield f"  file: {definition.origin}{why}"
    if stage.readers:
        yield f"  read by: {', '.join(query_plan.question.cte(reader) for reader in stage.readers)}"
    yield f"  needed for: {', '.join(needed_for)}"
    yield f"  columns: {stage.columns_in_words}"
    yield f"  depth: {stage.depth_in_words}"
    if name not in steps:
        yield "  written: within the steps that read it"


def _needed_for(query_plan: Plan) -> dict[StageKey, list[str]]:
    """The metrics that need each stage, by way of whatever reads it; the lists are needed for all of them."""
    of: dict[StageKey, dict[str, None]] = {key: {} for key in query_plan.stages.by_key}
    every = dict.fromkeys(metric.label for metric in query_plan.question.metrics)
    for label in every if query_plan.question.measures else ():
        steps = query_plan.formulas.steps_read(query_plan.question, label)
        for key in of:
            names = {query_plan.question.cte(name) for name in (key.per_list, key.per_system)}
            of[key] |= {label: None} if names & steps else {}
    for key in of:
        of[key] |= every if key.file == LISTS else {}
        of[key] |= {DIAGNOSTICS: None} if key in query_plan.counted else {}
    for key, stage in query_plan.stages.by_key.items():  # readers first
        for child in stage.reads.values():
            of[child] |= of[key]
    return {key: list(metrics) for key, metrics in of.items()}


def _passes(question: Question, dialect: str) -> Iterator[str]:
    """The passes without which the query would be another, and those that are switched off."""
    written = _written(question, dialect)
    on = [each_pass.name for each_pass in PASSES if each_pass.name not in question.passes_off]
    without = {name: replace(question, passes_off=question.passes_off | {name}) for name in on}
    changing = [name for name, other in without.items() if _written(other, dialect) != written]
    yield f"passes that change the query: {', '.join(changing) or 'none'}"
    if question.passes_off:
        yield f"passes that are switched off: {', '.join(sorted(question.passes_off))}"


def _written(question: Question, dialect: str) -> str:
    return write(plan(question).summary_query(), dialect)
