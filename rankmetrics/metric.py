"""The Metric value: a name, parameters and a cutoff. It prints, parses, compares and labels its own column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from numbers import Real
from typing import overload

from rankmetrics import tree
from rankmetrics.catalog import catalog
from rankmetrics.definition import Definition, Parameter
from rankmetrics.errors import MetricError, did_you_mean, names

Setting = str | float | int
Settings = Mapping[str, Setting | None]


@dataclass(frozen=True, eq=False, repr=False)
class Metric:
    """A metric to ask for, such as `ndcg(gain=exponential)@10`.

    Two metrics are equal when they mean the same, however they are spelled; the label keeps the spelling.

    Attributes:
        name: the metric's name in the catalogue.
        settings: the parameters that were given, by name.
        k: the cutoff; None for the whole list.
        spelling: the name as it was written.

    Raises:
        MetricError: the metric takes no such parameter, or not that value.

    Example:
        >>> import rankmetrics as rm
        >>> metric = rm.ndcg(gain="exponential") @ 10
        >>> metric
        ndcg(gain=exponential)@10
        >>> metric == rm.parse("nDCG(gain=exponential)@10")
        True
    """

    name: str
    settings: Mapping[str, Setting] = field(default_factory=dict)
    k: int | None = None
    spelling: str = ""

    def __post_init__(self) -> None:
        accepted = catalog().parameters(self.name)
        checked = {name: _checked(self.name, name, value, accepted) for name, value in self.settings.items()}
        object.__setattr__(self, "settings", checked)
        object.__setattr__(self, "spelling", self.spelling or self.name)
        if self.k is not None:
            if "k" not in accepted:
                raise MetricError(f"{self.name} takes no cutoff: it is a number of the whole list.")
            object.__setattr__(self, "k", cutoff(self.name, self.k))
        idle = sorted(set(checked) - set(self._active()))
        if idle:
            parameter = idle[0]
            owners = [f"{one}={choice}" for one, choice in _choices_that_read(parameter, accepted)]
            raise MetricError(
                f"{parameter}={checked[parameter]} has no effect on {self.name} here: it belongs to {names(owners)}."
            )

    @property
    def definition(self) -> Definition:
        """The metric's entry in the catalogue."""
        return catalog().metric(self.name)

    @property
    def values(self) -> Settings:
        """Every parameter of the metric with its value, defaults among them."""
        given = {**self.settings, "k": self.k}
        accepted = catalog().parameters(self.name)
        return {name: given.get(name, one.default) for name, one in accepted.items()}

    @property
    def label(self) -> str:
        """The metric as text: what parse reads, and the name of its column."""
        return spell(self.spelling, self.settings, self.k)

    def _active(self) -> dict[str, Setting | None]:
        """The values that bear on the result: those of choices not taken are left out."""
        accepted, values = catalog().parameters(self.name), self.values
        behind = {inner for one in accepted for inner in _inner(accepted[one], None)}
        taken = {inner for one in accepted for inner in _inner(accepted[one], values[one])}
        return {name: value for name, value in values.items() if name not in behind - taken}

    def __call__(self, **settings: Setting) -> Metric:
        """The metric with parameters."""
        spelled = {name: one for key, value in settings.items() for name, one in _opened(key, value)}
        return Metric(self.name, {**self.settings, **spelled}, self.k, self.spelling)

    @overload
    def __matmul__(self, k: int) -> Metric: ...
    @overload
    def __matmul__(self, k: Sequence[int]) -> list[Metric]: ...
    def __matmul__(self, k: int | Sequence[int]) -> Metric | list[Metric]:
        """The metric at a cutoff, or at each of several."""
        if isinstance(k, Sequence) and not isinstance(k, str):
            return [self @ one for one in k]
        return Metric(self.name, self.settings, cutoff(self.name, k), self.spelling)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Metric) and (self.name, self._active()) == (other.name, other._active())

    def __hash__(self) -> int:
        return hash((self.name, tuple(sorted(self._active().items(), key=lambda one: one[0]))))

    def __repr__(self) -> str:
        return self.label


def parse(text: str) -> Metric:
    """A metric from its text.

    Args:
        text: a name, parameters in brackets and a cutoff after `@`; all but the name may be left out.

    Raises:
        MetricError: the text cannot be understood, or names what the metric has not; the nearest names are given.

    Example:
        >>> parse("P(rel=4)@5")
        P(rel=4)@5
        >>> parse("P(rel=4)@5") == parse("precision(rel=4)@5")
        True
    """
    found = list(_read(text))
    if len(found) > 1:
        raise MetricError(
            f"{text!r} is {len(found)} metrics, one for each cutoff: ask for one, as in {found[0].label!r}."
        )
    return found[0]


def metrics(given: str | Metric | Iterable[str | Metric | Iterable[Metric]]) -> list[Metric]:
    """Every metric that was asked for, in order, each label once: `MAP@5` and `map@5` are one column in SQL.

    Raises:
        MetricError: one of them cannot be understood, or none was asked for.

    Example:
        >>> metrics(["recall@5,10", "ndcg"])
        [recall@5, recall@10, ndcg]
    """
    found: dict[str, Metric] = {}
    for metric in _flat(given):
        found.setdefault(metric.label.lower(), metric)
    if not found:
        raise MetricError('No metric was asked for. Ask for some, as in ["ndcg@10", "recall@5,10,20"].')
    return list(found.values())


def _flat(given: str | Metric | Iterable[str | Metric | Iterable[Metric]]) -> Iterator[Metric]:
    if isinstance(given, Metric):
        yield given
    elif isinstance(given, str):
        yield from _read(given)
    elif isinstance(given, Iterable):
        for one in given:
            yield from _flat(one)
    else:
        raise MetricError(f"A metric is a text such as 'ndcg@10' or a Metric: {given!r} is neither.")


def spell(name: str, settings: Settings, k: int | None) -> str:
    """A metric as text, from its parts.

    >>> spell("ndcg", {"gain": "linear", "rel": 4}, 10)
    'ndcg(gain=linear, rel=4)@10'
    """
    inside = ", ".join(f"{key}={_number(value)}" for key, value in settings.items())
    return f"{name}{f'({inside})' if inside else ''}{f'@{k}' if k is not None else ''}"


def _number(value: Setting | None) -> str:
    return str(value) if isinstance(value, (str, int)) or value is None else repr(value)


def cutoff(metric: str, k: object) -> int:
    """A cutoff, checked.

    Raises:
        MetricError: it is not a whole number from 1.
    """
    try:
        number = float(k) if isinstance(k, (Real, str)) and not isinstance(k, bool) else nan
    except (ValueError, OverflowError):
        number = nan
    if not (number >= 1 and number.is_integer()):
        raise MetricError(f"The cutoff of {metric} must be a whole number from 1: {k!r} is not.")
    return int(number)


def _checked(metric: str, name: str, value: object, accepted: Mapping[str, Parameter]) -> Setting:
    """A parameter's value, checked: a choice by its name, a number in its range."""
    if name not in accepted or name == "k":
        known = [one for one in accepted if one != "k"]
        hint = f"The cutoff goes after the @: {metric}@{value}." if name == "k" else did_you_mean(name, known).strip()
        raise MetricError(f"{metric} has no parameter {name!r}: it takes {names(known)}. {hint}".rstrip())
    parameter = accepted[name]
    if parameter.choices:
        if value not in parameter.choices:
            raise MetricError(
                f"{name} of {metric} is one of {names(parameter.choices)}: {value!r} is not."
                f"{did_you_mean(str(value), parameter.choices)}"
            )
        return str(value)
    try:
        number = float(value) if isinstance(value, Real) and not isinstance(value, bool) else nan
    except OverflowError:
        number = nan
    if not parameter.holds(number):
        raise MetricError(f"{name} of {metric} must be {parameter.range}: {value!r} is not.")
    return int(number) if number.is_integer() else number


def _inner(parameter: Parameter, choice: Setting | None) -> set[str]:
    """The parameters that a choice reads, or that any does."""
    expressions = parameter.expressions
    taken = expressions.values() if choice is None else [expressions[str(choice)]] if expressions else []
    return {name for one in taken for name in tree.placeholders(one)} - {"k"}


def _choices_that_read(name: str, accepted: Mapping[str, Parameter]) -> list[tuple[str, str]]:
    return [(key, one) for key, at in accepted.items() for one in at.choices if name in _inner(at, one)]


# --- reading text ---------------------------------------------------------------------------------------------------


def _read(text: str) -> Iterator[Metric]:
    """The metrics of a text: one, or one for each of its cutoffs."""
    head, at, tail = text.partition("@")
    match = re.fullmatch(r"\s*([A-Za-z_][\w\-]*)\s*(?:\((.*)\))?\s*", head, re.DOTALL)
    if not match:
        raise MetricError(
            f"{text!r} is no metric. A metric is a name, parameters in brackets and cutoffs after an @, "
            "as in 'ndcg(gain=linear)@5,10'."
        )
    spelling, inside = match.groups()
    definition = catalog().metric(spelling)
    settings: dict[str, Setting] = {}
    for name, value in _settings(inside or "", text):
        if name in settings:
            raise MetricError(f"{text!r} sets {name} twice.")
        settings[name] = value
    cutoffs = [cutoff(spelling, one.strip()) for one in tail.split(",")] if at else [None]
    for k in cutoffs:
        yield Metric(definition.name, settings, k, spelling)


def _settings(inside: str, text: str) -> Iterator[tuple[str, Setting]]:
    """The settings between brackets: `rel=4, discount=geometric(p=0.9)`."""
    for part in _split(inside):
        name, equals, value = part.partition("=")
        if not equals or not name.strip():
            raise MetricError(f"{part.strip()!r} in {text!r} is no setting: write name=value, as in gain=linear.")
        yield from _opened(name.strip(), _value(value.strip()))


def _opened(name: str, value: Setting) -> Iterator[tuple[str, Setting]]:
    """A setting whose choice brings its own: `discount=geometric(0.9)` is `discount=geometric, p=0.9`."""
    match = re.fullmatch(r"([\w.\-]+)\s*\((.*)\)", value, re.DOTALL) if isinstance(value, str) else None
    if not match:
        yield name, value
        return
    yield name, match.group(1)
    for part in _split(match.group(2)):
        key, equals, inner = part.partition("=")
        if not equals:
            key, inner = _only_parameter(name, match.group(1)), part
        if not key:
            raise MetricError(f"{part.strip()!r} in {name}={value} is no setting: write name=value, as in p=0.9.")
        yield key.strip(), _value(inner.strip())


def _only_parameter(name: str, choice: str) -> str:
    """The one parameter that a choice has, which need not be named; nothing where it has none or several."""
    parameter = catalog().parameter("", name)
    inner = _inner(parameter, choice) if parameter and choice in parameter.choices else set()
    return inner.pop() if len(inner) == 1 else ""


def _split(text: str) -> list[str]:
    """The parts between commas that stand in no bracket."""
    return [part for part in re.split(r",(?![^(]*\))", text) if part.strip()]


def _value(text: str) -> Setting:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text
