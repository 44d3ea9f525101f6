"""Explanations in words: the definition of a metric, from the files of sql/; the stages of a query, and its passes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rankmetrics import planner
from rankmetrics.errors import refuse_kind
from rankmetrics.inputs.columns import BY_LIST, ROLES, Columns, ColumnType, Layout, Side
from rankmetrics.inputs.roles import NEEDED, USUAL
from rankmetrics.inputs.sources import EMBEDDINGS
from rankmetrics.metrics.catalog import LISTS, catalog
from rankmetrics.metrics.conventions import find
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.metric import Metric, Setting, parse
from rankmetrics.metrics.parameter import Parameter
from rankmetrics.sqltree import tree

# --- a metric ---------------------------------------------------------------------------------------------------------


class Text(str):
    """A text that a session shows as it prints: with line breaks, without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def explain(metric: str | Metric) -> Text:
    """The definition of a metric: its summary, its parameters, when it is undefined, its source, its SQL and stages.

    Args:
        metric: a metric, or its text, such as `"ndcg(gain=exponential)@10"`.

    Raises:
        MetricError: there is no such metric, or it takes no such parameter.

    Example:
        >>> print(explain("recall@10").split(chr(10))[0])
        recall@10: share of the relevant items that are among the first k.
    """
    refuse_kind("metric", metric, (str, Metric), "rm.explain('ndcg@10')")
    parsed = parse(metric) if isinstance(metric, str) else metric
    return Text("\n".join(_write_lines(parsed)).rstrip())


def _write_lines(metric: Metric) -> Iterator[str]:
    definition = metric.definition
    yield f"{metric.text}: {definition.summary}"
    if definition.notes:
        yield definition.notes
    yield ""
    if metric.convention:
        yield f"convention = {metric.convention}: {find(metric.convention).what}"
    for parameter, value in shown_parameters(metric):
        yield from _write_parameter(parameter, value)
    for field in ("undefined", "range", "source"):
        if field in definition.fields:
            yield f"{field}: {definition.fields[field]}"
    if needs := catalog().needs(metric.name, metric.values):
        yield f"needs: {'; '.join(needs)}"
    if definition.aliases:
        yield f"also called: {', '.join(definition.aliases)}"
    yield ""
    yield explain_sql(metric)


def explain_sql(metric: Metric) -> str:
    """The SQL of a metric and of the stages that it reads, each below a comment with its summary."""
    parts = find_definitions(metric)
    return "\n\n".join(f"-- {part.name}: {part.summary}\n{write_select(part)}" for part in parts)


def shown_parameters(metric: Metric) -> Iterator[tuple[Parameter, Setting | None]]:
    """The parameters of a metric with their values: its own, and the policies that differ from their default."""
    own = catalog().own_parameters(metric.name)
    for name, parameter in catalog().accepted(metric.name, metric.enough).items():
        if name in own or (name in metric.active and metric.values[name] != parameter.default):
            yield parameter, metric.values[name]


def _write_parameter(parameter: Parameter, value: Setting | None) -> Iterator[str]:
    if parameter.choices:
        yield f"{parameter.name} = {value}: {parameter.summary}"
        for choice, meaning in parameter.choices.items():
            yield f"    {'*' if choice == value else ' '} {choice}: {meaning}"
    else:
        setting = "not given" if value is None else value
        yield f"{parameter.name} = {setting}: {parameter.summary}"


def write_select(definition: Definition) -> str:
    """The SELECT of a definition's file, without its header."""
    lines = definition.text.splitlines()
    return "\n".join(line for line in lines if not line.startswith("--"))


def find_definitions(metric: Metric) -> list[Definition]:
    """The definitions that compute a metric, metrics before stages, readers before what they read.

    Those that run over recommendations with ranks, a truth with ratings, and the further inputs that the metric needs.
    """
    cut = metric @ 10 if "cutoff" in metric.definition.fields and metric.k is None else metric
    layout = _typical_layout(metric)
    question = planner.Question((cut,), layout, {name: tree.table(name) for name in layout.names()})
    formulas = planner.write_formulas(question)
    needed = planner.find_stages(question, formulas.stages())
    of_metric = {*formulas.lists.sums, *formulas.systems.sums}
    stages = []
    for key, stage in needed.by_key.items():  # readers first; the lists of the mean define no metric
        if key in of_metric:
            of_metric |= {*stage.reads.values()}
            stages.append(stage.definition)
    every = [metric.definition, *formulas.definitions, *stages]
    return list({(definition.kind, definition.name): definition for definition in every}.values())


def _typical_layout(metric: Metric) -> Layout:
    """A layout that suffices for a metric."""
    roles: dict[str, dict[str, Any]] = {}
    for need in catalog().needs(metric.name, metric.values):
        name, _, role = need.partition(" or ")[0].partition(": ")
        role = role if role in ROLES else "item"
        roles.setdefault(name, {})[role] = role
        if role == "embedding":
            roles[EMBEDDINGS] = {"embedding": "embedding"}
    for policy in {str(metric.values["missing"])} & {*BY_LIST}:
        roles.setdefault(policy, {})
    for name in {"log", "similarity"} & roles.keys():
        roles[name] = {role: role for role in USUAL[name] if role in NEEDED}
    for name in {"baseline"} & roles.keys():
        roles[name]["rank"] = "rank"
    lists = {name: ("user",) if name in BY_LIST else () for name in roles}
    own = [column.name for _, column in catalog().own_columns(metric.name)]
    kinds = dict.fromkeys(("system", "user", *ROLES, *own), ColumnType("other", ""))
    return Layout(
        lists=("system", "user"),
        truth_lists=("user",),
        by=("system",),
        recs=Columns(item="item", rank="rank", score="score", expected_reward="expected_reward"),
        truth=Columns(item="item", rating="rating", subtopic="subtopic"),
        recs_types=kinds,
        truth_types=kinds,
        extras={name: Side(replace(Columns(item="item"), **of), lists[name], kinds) for name, of in roles.items()},
    )


# --- a query ----------------------------------------------------------------------------------------------------------

DIAGNOSTICS = "the diagnostics"


def explain_plan(question: planner.Question, dialect: str) -> str:
    """The plan for a question in words: a paragraph for each stage, in the order of the query, then the passes."""
    query_plan = planner.plan(question)
    needed_for = _needed_for(query_plan)
    in_reading_order = [*query_plan.stages.by_key.values()][::-1]
    paragraphs = ["\n".join(_stage(query_plan, step, needed_for[step.key])) for step in in_reading_order]
    return "\n\n".join([*paragraphs, "\n".join(_passes(question, dialect))])


def _stage(query_plan: planner.Plan, stage: planner.Stage, needed_for: list[str]) -> Iterator[str]:
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


def _needed_for(query_plan: planner.Plan) -> dict[planner.StageKey, list[str]]:
    """The metrics that need each stage, by way of whatever reads it; the lists are needed for all of them."""
    of: dict[planner.StageKey, dict[str, None]] = {key: {} for key in query_plan.stages.by_key}
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


def _passes(question: planner.Question, dialect: str) -> Iterator[str]:
    """The passes without which the query would be another, and those that are switched off."""
    written = _written(question, dialect)
    on = [each_pass.name for each_pass in planner.PASSES if each_pass.name not in question.passes_off]
    without = {name: replace(question, passes_off=question.passes_off | {name}) for name in on}
    changing = [name for name, other in without.items() if _written(other, dialect) != written]
    yield f"passes that change the query: {', '.join(changing) or 'none'}"
    if question.passes_off:
        yield f"passes that are switched off: {', '.join(sorted(question.passes_off))}"


def _written(question: planner.Question, dialect: str) -> str:
    return planner.write(planner.plan(question).summary_query(), dialect)
