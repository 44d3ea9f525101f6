"""A metric's definition in words and in SQL, from the files of sql/."""

from __future__ import annotations

from collections.abc import Iterator

from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.conventions import find
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.label import Setting, Settings
from rankmetrics.metrics.metric import Metric, parse
from rankmetrics.metrics.parameter import Parameter
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
    own = catalog().own_parameters(metric.name)
    for name, parameter in catalog().accepted(metric.name, metric.enough).items():
        if name in own or (name in metric.active and metric.values[name] != parameter.default):
            yield from _write_parameter(parameter, metric.values[name])
    for field in ("undefined", "range", "source"):
        if field in definition.fields:
            yield f"{field}: {definition.fields[field]}"
    if needs := catalog().needs(metric.name):
        yield f"needs: {'; '.join(needs)}"
    if definition.aliases:
        yield f"also called: {', '.join(definition.aliases)}"
    yield ""
    for part in find_definitions(definition, metric.values):
        yield f"-- {part.name}: {part.summary}"
        yield _write_select(part)
        yield ""


def _write_parameter(parameter: Parameter, value: Setting | None) -> Iterator[str]:
    if parameter.choices:
        yield f"{parameter.name} = {value}: {parameter.summary}"
        for choice, meaning in parameter.choices.items():
            yield f"    {'*' if choice == value else ' '} {choice}: {meaning}"
    else:
        given = "not given" if value is None else value
        yield f"{parameter.name} = {given}: {parameter.summary}"


def _write_select(definition: Definition) -> str:
    lines = definition.text.splitlines()
    return "\n".join(line for line in lines if not line.startswith("--"))


def find_definitions(definition: Definition, values: Settings | None = None) -> list[Definition]:
    """A metric and every definition that it is made of: metrics first, then stages.

    Args:
        definition: the metric.
        values: the settings that choose between the variants of a stage; by default the defaults.
    """
    found: dict[tuple[str, str], Definition] = {}

    def walk(part: Definition) -> None:
        if (part.kind, part.name) in found:
            return
        found[part.kind, part.name] = part
        for name in sorted(catalog().numbers_read(part)) if part.kind != "stage" else ():
            if child := catalog().child(part.reads, name):
                walk(child)
        for table in tree.tables_read(part.select):
            for stage in _choose_files(table, values or {}):
                walk(stage)

    walk(definition)
    return sorted(found.values(), key=lambda part: part.kind == "stage")


def _choose_files(table: str, values: Settings) -> list[Definition]:
    """The files that a stage may be built from under these settings; none for an input."""
    if not catalog().is_stage(table):
        return []
    files, policy = catalog().variants(table), catalog().policy_of(table)
    if policy is None:
        return list(files.values())
    chosen = str(values.get(policy, catalog().default(policy)))
    return [files[chosen] if chosen in files else files[""]]
