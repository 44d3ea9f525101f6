"""A metric's definition in words and SQL, from its file."""

from __future__ import annotations

from collections.abc import Iterator

from rankmetrics import tree
from rankmetrics.catalog import catalog
from rankmetrics.definition import Definition, Parameter
from rankmetrics.metric import Metric, Setting, parse


class Text(str):
    """A text that shows itself in a session instead of its escapes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def explain(metric: str | Metric) -> Text:
    """The definition of a metric: what it is, what its parameters decide, when it is undefined, its SQL and stages.

    Args:
        metric: a metric, or its text, such as `"ndcg(gain=exponential)@10"`.

    Raises:
        MetricError: there is no such metric, or it has no such parameter.

    Example:
        >>> print(explain("recall@10").split(chr(10))[0])
        recall@10: share of the relevant items that are among the first k.
    """
    asked = parse(metric) if isinstance(metric, str) else metric
    return Text("\n".join(_lines(asked)).rstrip())


def _lines(metric: Metric) -> Iterator[str]:
    definition = metric.definition
    yield f"{metric.label}: {definition.summary}"
    if definition.notes:
        yield definition.notes
    yield ""
    for name, parameter in catalog().parameters(metric.name).items():
        yield from _parameter(parameter, metric.values[name])
    for field in ("undefined", "range", "source"):
        if field in definition.fields:
            yield f"{field}: {definition.fields[field]}"
    if definition.aliases:
        yield f"also called: {', '.join(definition.aliases)}"
    yield ""
    for one in reached(definition):
        yield f"-- {one.name.split('.')[0]}: {one.summary}"
        yield _select(one)
        yield ""


def _parameter(parameter: Parameter, value: Setting | None) -> Iterator[str]:
    if parameter.choices:
        yield f"{parameter.name} = {value}: {parameter.summary}"
        for choice, meaning in parameter.choices.items():
            yield f"    {'*' if choice == value else ' '} {choice}: {meaning}"
    else:
        given = "not given" if value is None else value
        yield f"{parameter.name} = {given}: {parameter.summary}"


def _select(definition: Definition) -> str:
    lines = definition.text.splitlines()
    return "\n".join(line for line in lines if not line.startswith("--"))


def reached(definition: Definition) -> list[Definition]:
    """A metric and everything that it is made of: other metrics first, then the stages, down to the inputs."""
    found: dict[tuple[str, str], Definition] = {}

    def walk(one: Definition) -> None:
        if (one.kind, one.name) in found:
            return
        found[one.kind, one.name] = one
        if one.kind != "stage" and one.reads == "metrics":
            columns = set(tree.columns_read(one.select))
            for name in sorted(tree.placeholders(one.select)):
                parameter = catalog().parameter(one.name, name)
                for expression in parameter.expressions.values() if parameter else ():
                    columns |= tree.columns_read(expression)
            for column in sorted(columns):
                if child := catalog().column(column):
                    walk(child)
        for table in tree.tables_read(one.select):
            if stage := catalog().stage(table):
                walk(stage)

    walk(definition)
    return sorted(found.values(), key=lambda one: one.kind == "stage")
