"""A metric's definition in words and in SQL, from the files of sql/."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rankmetrics.inputs.columns import BY_LIST, ROLES, Columns, ColumnType, Layout, Side
from rankmetrics.inputs.sources import EMBEDDINGS
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.conventions import find
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.metric import Metric, Setting, parse
from rankmetrics.metrics.parameter import Parameter
from rankmetrics.planner import Question, find_stages, write_formulas
from rankmetrics.sqltree import tree


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
    if needs := catalog().needs(metric.name):
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
    question = Question((cut,), layout, {name: tree.table(name) for name in layout.names()})
    formulas = write_formulas(question)
    needed = find_stages(question, formulas.stages())
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
    for need in catalog().needs(metric.name):
        name, _, role = need.partition(" or ")[0].partition(": ")
        role = role if role in ROLES else "item"
        roles.setdefault(name, {})[role] = role
        if role == "embedding":
            roles[EMBEDDINGS] = {"embedding": "embedding"}
    for policy in {str(metric.values["missing"])} & {*BY_LIST}:
        roles.setdefault(policy, {})
    if "similarity" in roles:
        roles["similarity"] = {"other": "other", "similarity": "similarity"}
    for name in {"baseline"} & roles.keys():
        roles[name]["rank"] = "rank"
    lists = {name: ("user",) if name in BY_LIST else () for name in roles}
    own = [column.name for _, column in catalog().own_columns(metric.name)]
    kinds = dict.fromkeys(("system", "user", *ROLES, *own), ColumnType("other", ""))
    return Layout(
        lists=("system", "user"),
        truth_lists=("user",),
        by=("system",),
        recs=Columns(item="item", rank="rank", score="score"),
        truth=Columns(item="item", rating="rating"),
        recs_types=kinds,
        truth_types=kinds,
        extras={name: Side(replace(Columns(item="item"), **of), lists[name], kinds) for name, of in roles.items()},
    )
