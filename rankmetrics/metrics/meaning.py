"""The meaning of a metric's text under a convention: the metric that it names, and its settings, checked.

A convention changes both: `AUC` of elliot is `pooled_auc` here, and its policies are settings of every metric.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from rankmetrics.errors import MetricError, did_you_mean, names
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.conventions import OURS, Convention, find
from rankmetrics.metrics.label import Label, Setting, Settings, read_label, read_value, split
from rankmetrics.metrics.parameter import Parameter

# How a convention treats the cutoff of a metric:
# free: with or without a cutoff, as rankmetrics does;
# ignored: it measures the whole list, whatever the cutoff;
# refused: it measures the whole list, and a cutoff is an error;
# needed: it always has a cutoff, and a missing cutoff is an error.
CutoffRule = Literal["free", "ignored", "refused", "needed"]


@dataclass(frozen=True)
class Meaning:
    """The metric that a spelling names.

    Attributes:
        name: the metric's name in the catalogue.
        decided: the settings that the convention decides.
        cutoff_rule: how the convention treats a cutoff.
    """

    name: str
    decided: Mapping[str, Setting] = field(default_factory=dict)
    cutoff_rule: CutoffRule = "free"


@dataclass(frozen=True)
class MetricText:
    """A metric's text with its meaning.

    Attributes:
        label: the parts of the text.
        settings: the settings of the text by name, those within a choice beside the others; not yet checked.
        convention: the convention that the text is read under; None for our own definitions.
        meaning: the metric that the text names.
    """

    label: Label
    settings: Mapping[str, Setting]
    convention: str | None
    meaning: Meaning


def read_text(text: str, convention: str | None = None) -> MetricText:
    """A metric's text with its meaning.

    Args:
        text: such as `P(rel=4)@5,10`.
        convention: the convention that the text is read under, unless the text names another.

    Raises:
        MetricError: the text is not written as a metric is, names an unknown metric or convention, or sets a parameter
            twice.
    """
    convention = other_convention(convention)
    if convention and not re.search(r"\bconvention\s*=", text):
        text = find(convention).rewrite(text)
    label = read_label(text)
    named = next((str(value) for name, value in label.settings if name == "convention"), None)
    chosen = named or convention
    meaning = find_meaning(label.spelling, chosen)
    settings: dict[str, Setting] = {}
    for key, value in open_settings(meaning.name, label.settings):
        if key in settings:
            raise MetricError(f"{text!r} sets {key} twice.")
        settings[key] = value
    return MetricText(label, settings, chosen, meaning)


def other_convention(convention: str | None) -> str | None:
    """A convention; None for that of rankmetrics itself.

    Raises:
        MetricError: there is no such convention.
    """
    return None if convention and find(convention) is OURS else convention


def find_meaning(spelling: str, convention: str | None) -> Meaning:
    """The metric that a spelling names under a convention.

    A name of the library comes first. Then a name of rankmetrics stands for the first metric of the convention that has
    this name here. A metric that the user has defined means the same under every convention, over the library's lists.

    Raises:
        MetricError: the library has no such metric, or rankmetrics does not measure it.
    """
    found = find(convention) if convention else OURS
    if found is OURS:
        return Meaning(catalog().metric(spelling).name)
    found.refuse(spelling)
    line = found.find(spelling)
    if line is None:
        name = catalog().name(spelling)
        if name is not None and catalog().is_own(name):
            return Meaning(name, found.policies)
        line = next((pair for pair in found.spellings.items() if name and re.match(rf"{name}\b", pair[1])), None)
        if line is None:
            raise found.unknown_metric(spelling, name)
    target = read_spelling(found, *line)
    decided = {**found.policies, **target.settings}
    return Meaning(target.meaning.name, decided, _find_cutoff_rule(found, line[0], target))


def _find_cutoff_rule(convention: Convention, theirs: str, target: MetricText) -> CutoffRule:
    if theirs in convention.no_cutoff:
        return "refused"
    if theirs in convention.needs_cutoff:
        return "needed"
    return "free" if target.label.cutoffs is None else "ignored"


def read_spelling(convention: Convention, theirs: str, ours: str) -> MetricText:
    """The metric of rankmetrics that gives the number of a library's metric: a line of `[spellings]`.

    Raises:
        MetricError: the line names an unknown metric, parameter or choice, or has a cutoff; the error names the file.
    """
    where = f"{convention.origin}: [spellings] {theirs} = {ours!r}"
    try:
        target = read_text(ours)
        settings = check_settings(target.meaning.name, target.settings, {})[0]
        refuse_unused(target.meaning.name, settings, {})
    except MetricError as error:
        raise MetricError(f"{where}: {error}") from error
    if target.label.cutoffs not in (None, "None"):
        raise MetricError(f"{where} has a cutoff. The caller gives the cutoff.")
    return MetricText(target.label, settings, None, target.meaning)


# --- settings ---------------------------------------------------------------------------------------------------------


def open_settings(metric: str, settings: Iterable[tuple[str, Setting]]) -> Iterator[tuple[str, Setting]]:
    """Settings with those within a choice beside it: `discount=geometric(0.9)` is `discount=geometric, p=0.9`.

    Raises:
        MetricError: the text within a choice is no setting.
    """
    for name, value in settings:
        parameter = catalog().parameter(metric, name)
        match = re.fullmatch(r"([\w.\-]+)\s*\((.*)\)", value, re.DOTALL) if isinstance(value, str) else None
        if not match or (parameter and parameter.is_metric):
            yield name, value
            continue
        yield name, match[1]
        for part in split(match[2]):
            key, equals, inner = part.partition("=")
            if not equals:
                key, inner = _find_only_parameter(parameter, match[1]), part
            if not key:
                raise MetricError(f"{part.strip()!r} in {name}={value} is no setting: write name=value, as in p=0.9.")
            yield key.strip(), read_value(inner)


def _find_only_parameter(parameter: Parameter | None, choice: str) -> str:
    """The parameter that a choice reads, if it reads exactly one, so that its name may be left out; else nothing."""
    read = parameter.parameters_of(choice) if parameter and choice in parameter.choices else frozenset()
    return next(iter(read)) if len(read) == 1 else ""


def accepted_parameters(metric: str, settings: Settings, decided: Settings) -> Mapping[str, Parameter]:
    """The parameters that a metric takes under these settings, by name."""
    return catalog().accepted(metric, str({**decided, **settings}.get("enough", "any")))


def check_settings(
    metric: str, settings: Mapping[str, Setting], decided: Mapping[str, Setting], convention: str = ""
) -> tuple[dict[str, Setting], dict[str, Setting]]:
    """The given and the decided settings, checked; a decided setting that the metric does not take is left out.

    Raises:
        MetricError: the metric takes no such parameter, or not this value.
    """
    accepted = accepted_parameters(metric, settings, decided)
    checked = {name: _check_setting(metric, name, value, accepted, convention) for name, value in settings.items()}
    taken = {name: value for name, value in decided.items() if name in accepted}
    return checked, {name: _check_setting(metric, name, value, accepted, convention) for name, value in taken.items()}


def _check_setting(
    metric: str, name: str, value: object, accepted: Mapping[str, Parameter], convention: str
) -> Setting:
    """A parameter's value, checked: a choice by its name, a number in its range, a metric by reading it."""
    if name not in accepted or name == "k":
        known = [parameter for parameter in catalog().own_parameters(metric) if parameter != "k"]
        near = did_you_mean(name, [*accepted, "convention"]).strip()
        hint = f"The cutoff goes after the @: {metric}@{value}." if name == "k" else near
        raise MetricError(f"{metric} has no parameter {name!r}: it takes {names(known)}. {hint}".rstrip())
    parameter = accepted[name]
    if not parameter.is_metric:
        return parameter.check(metric, value)
    inner = read_text(str(value), convention or None)
    settings = {key: value for key, value in inner.settings.items() if key != "convention"}
    decided = check_settings(inner.meaning.name, settings, inner.meaning.decided, inner.convention or "")[1]
    refuse_unused(inner.meaning.name, settings, decided)
    if [*inner.label.read_cutoffs()] != [None] or catalog().metric(inner.meaning.name).kind == "run":
        raise MetricError(f"{name} of {metric} is a metric of a list without a cutoff of its own: {value!r} is not.")
    return str(value)


def find_active(accepted: Mapping[str, Parameter], values: Settings) -> dict[str, Setting | None]:
    """The values that change the result: those of choices that are not taken are left out."""
    of_choices = {inner for parameter in accepted.values() for inner in parameter.parameters_of()}
    of_chosen = {inner for name, parameter in accepted.items() for inner in parameter.parameters_of(values[name])}
    return {name: value for name, value in values.items() if name not in of_choices - of_chosen}


def refuse_unused(metric: str, settings: Mapping[str, Setting], decided: Mapping[str, Setting]) -> None:
    """Refuse a setting that changes nothing, because it belongs to a choice that is not taken.

    Raises:
        MetricError: there is such a setting.
    """
    accepted = accepted_parameters(metric, settings, decided)
    given = {**decided, **settings}
    active = find_active(accepted, {name: given.get(name, parameter.default) for name, parameter in accepted.items()})
    for name in sorted(settings.keys() - active.keys()):
        owners = [
            f"{key}={choice}"
            for key, parameter in accepted.items()
            for choice in parameter.choices
            if name in parameter.parameters_of(choice)
        ]
        raise MetricError(f"{name}={settings[name]} has no effect on {metric} here: it belongs to {names(owners)}.")
