"""The definition of each metric: in words, with its parameters, its source and its SQL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rankmetrics.explanations.metric import explain_sql, shown_parameters
from rankmetrics.metrics.conventions import find
from rankmetrics.metrics.metric import Metric
from rankmetrics.reports.blocks import (
    Block,
    Cell,
    Code,
    Folded,
    Heading,
    Paragraph,
    Section,
    Sentence,
    Table,
    Terms,
    sentence,
    with_links,
    with_quotes,
)
from rankmetrics.reports.facts import Facts

# The lines of a header that are told, and what they are called here.
FIELDS = {"undefined": "undefined if", "range": "range", "better": "better is", "source": "source"}


def definitions(facts: Facts) -> Section:
    """Each metric once, whatever its cutoffs."""
    blocks: list[Block] = []
    for metrics in _alike(facts.metrics):
        blocks += [Heading(", ".join(metric.label for metric in metrics)), *_definition(metrics)]
    return Section("definitions", "Definitions", blocks)


def _alike(metrics: Sequence[Metric]) -> list[list[Metric]]:
    """The metrics in groups that differ only in their cutoff."""
    groups: dict[object, list[Metric]] = {}
    for metric in metrics:
        settings = {name: value for name, value in metric.active.items() if name != "k"}
        groups.setdefault((metric.name, metric.convention, metric.k is None, str(settings)), []).append(metric)
    return [*groups.values()]


def _definition(metrics: Sequence[Metric]) -> Iterator[Block]:
    metric = metrics[0]
    definition = metric.definition
    yield Paragraph(sentence(f"{definition.name}: {with_quotes(definition.summary)}"))
    if definition.notes:
        yield Paragraph(sentence(with_quotes(definition.notes)), "note")
    pairs: list[tuple[str, Sentence]] = []
    if metric.label != metric.text:
        pairs.append(("requested as", sentence(metric.text)))
    if metric.convention:
        pairs.append(("convention", sentence(f"{metric.convention}: {find(metric.convention).what}")))
    fields = {key: definition.fields[key] for key in FIELDS if key in definition.fields}
    pairs += [(FIELDS[key], with_links(with_quotes(text))) for key, text in fields.items()]
    if pairs:
        yield Terms(pairs)
    if parameters := [*_parameters(metrics)]:
        yield Table(f"The parameters of {metric.text}.", ["parameter", "value", "meaning"], parameters)
    yield Folded(f"The SQL of {definition.name}, with the steps that it reads", [Code(explain_sql(metric))])


def _parameters(metrics: Sequence[Metric]) -> Iterator[list[Cell]]:
    """The parameters that change the result, with their values; the cutoffs of all metrics of a group together."""
    metric = metrics[0]
    for parameter, value in shown_parameters(metric):
        if parameter.name not in metric.active or value is None:
            continue
        chosen = parameter.choices.get(str(value), "")
        meaning = with_quotes(f"{chosen}; {parameter.summary}" if chosen else parameter.summary)
        values = ", ".join(str(each.k) for each in metrics) if parameter.name == "k" else str(value)
        yield [Cell(parameter.name), Cell(values), Cell(meaning)]
