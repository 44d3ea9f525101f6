"""The Metric value: a name, parameters and a cutoff. It prints, parses, compares and labels its own column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import overload

from rankmetrics.errors import MetricError, did_you_mean, names
from rankmetrics.metrics import conventions
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.conventions import Convention
from rankmetrics.metrics.definition import Definition, Parameter
from rankmetrics.metrics.label import Setting, Settings, cutoff, cutoffs, spell, split, value_of, written

# What is decided of a metric whose convention measures the whole list, whatever the cutoff: `GAUC@10` is GAUC there.
UNCUT = "whole list"

# What is decided of a metric that has no cutoff in its convention, or always has one: anything else is refused.
NO_CUTOFF, CUTOFF = "no cutoff", "cutoff"

MARKS = (UNCUT, NO_CUTOFF, CUTOFF)


@dataclass(frozen=True, eq=False, repr=False)
class Metric:
    """A metric to ask for, such as `ndcg(gain=exponential)@10`.

    Two metrics are equal when they mean the same, however they are spelled; the label keeps the spelling.

    Attributes:
        name: the metric's name in the catalogue.
        settings: the parameters that were given, by name; `convention` may be one of them.
        k: the cutoff; None for the whole list.
        spelling: the name as it was written.
        convention: whose convention fills in what was not given.
        decided: what the convention and the evaluation say of the parameters.
        column: what its column is called, where that is not the metric as it is written.

    Raises:
        MetricError: the metric takes no such parameter, or not that value.

    Example:
        >>> import rankmetrics as rm
        >>> metric = rm.ndcg(gain="exponential") @ 10
        >>> metric
        ndcg(gain=exponential)@10
        >>> metric == rm.parse("nDCG(gain=exponential)@10")
        True
        >>> rm.ap(convention="elliot") @ 10
        ap(convention=elliot)@10
    """

    name: str
    settings: Mapping[str, Setting] = field(default_factory=dict)
    k: int | None = None
    spelling: str = ""
    convention: str = ""
    decided: Mapping[str, Setting] = field(default_factory=dict)
    column: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "spelling", self.spelling or self.name)
        given = dict(self.settings)
        named = str(given.pop("convention", ""))
        if named:
            object.__setattr__(self, "convention", conventions.find(named).name)
            name, settled = _under(self.spelling, named)
            if name != self.name:
                raise MetricError(f"{self.spelling} under {named} is {name}, and not {self.name}.")
            object.__setattr__(self, "decided", {**settled, **self.decided})
        accepted = self._accepted
        checked = {name: _checked(self, name, value, accepted) for name, value in given.items()}
        decided = {name: value for name, value in self.decided.items() if name in accepted}
        marks = {one: True for one in MARKS if one in self.decided}
        object.__setattr__(
            self, "settings", {one: named if one == "convention" else checked[one] for one in self.settings}
        )
        object.__setattr__(
            self, "decided", {**{one: _checked(self, one, value, accepted) for one, value in decided.items()}, **marks}
        )
        if self.k is not None:
            if "k" not in accepted:
                raise MetricError(f"{self.name} takes no cutoff: it is a number of the whole list.")
            object.__setattr__(self, "k", cutoff(self.name, self.k))
            if NO_CUTOFF in self.decided:
                raise MetricError(
                    f"{self.spelling} has no cutoff under {self.convention}: it is always of the whole list. For "
                    f"rankmetrics' own, write {spell(self.name, {'convention': conventions.OURS.name}, self.k)}."
                )
        idle = sorted(set(checked) - set(self.active))
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
    def enough(self) -> str:
        """What a list must have to be measured: the policy's choice, `any` of a number of a system."""
        return str({**self.decided, **self.settings}.get("enough", "any"))

    @property
    def _accepted(self) -> Mapping[str, Parameter]:
        """The parameters that can be set, by name."""
        return catalog().accepted(self.name, self.enough)

    @property
    def values(self) -> Settings:
        """Every parameter of the metric with its value, defaults among them."""
        given = {**self.decided, **self.settings, "k": None if self.is_uncut else self.k}
        accepted = self._accepted
        return {name: given.get(name, one.default) for name, one in accepted.items()}

    @property
    def is_uncut(self) -> bool:
        """Whether its convention measures the whole list, whatever the cutoff."""
        return UNCUT in self.decided

    @property
    def given(self) -> Mapping[str, Setting]:
        """The values that are not as they are by default: what was given, or what a convention says."""
        given = {**self.decided, **self.settings}
        return {one: value for one, value in given.items() if one not in ("convention", *MARKS)}

    def under(self, convention: str | None = None, decided: Mapping[str, Setting] | None = None) -> Metric:
        """The metric as a convention measures it, unless it names one itself, and as an evaluation decides.

        Raises:
            MetricError: there is no such convention.
        """
        if not decided and (self.convention or not convention):
            return self
        name, settled = self.name, dict(self.decided)
        if convention and not self.convention:
            name, settled = _under(self.spelling, convention)
        whose = self.convention or (conventions.find(convention).name if convention else "")
        return Metric(name, self.settings, self.k, self.spelling, whose, {**settled, **(decided or {})}, self.column)

    def refuse_uncut(self) -> None:
        """Refuse a metric without a cutoff whose convention always has one.

        Raises:
            MetricError: it is one.
        """
        if CUTOFF in self.decided and self.k is None:
            raise MetricError(
                f"{self.spelling} always has a cutoff under {self.convention}, as in {self.spelling}@10. For "
                f"rankmetrics' own of the whole list, write {self.name}(convention={conventions.OURS.name})."
            )

    @property
    def is_run(self) -> bool:
        """Whether it is one number of a system, and not of each list."""
        return self.definition.kind == "run"

    @property
    def text(self) -> str:
        """The metric as text: what parse reads."""
        return spell(self.spelling, self.settings, self.k)

    @property
    def label(self) -> str:
        """What its column is called: the name that was asked for, or the metric as text."""
        return self.column or self.text

    @property
    def active(self) -> dict[str, Setting | None]:
        """The values that bear on the result: those of choices not taken are left out."""
        accepted, values = self._accepted, self.values
        behind = {inner for one in accepted for inner in accepted[one].brought(None)}
        taken = {inner for one in accepted for inner in accepted[one].brought(values[one])}
        return {name: value for name, value in values.items() if name not in behind - taken}

    def __call__(self, **settings: Setting) -> Metric:
        """The metric with parameters."""
        spelled = {name: one for key, value in settings.items() for name, one in _opened(self.name, key, value)}
        return Metric(self.name, {**self.settings, **spelled}, self.k, self.spelling, self.convention, self.decided)

    @overload
    def __matmul__(self, k: int) -> Metric: ...
    @overload
    def __matmul__(self, k: Sequence[int]) -> list[Metric]: ...
    def __matmul__(self, k: int | Sequence[int]) -> Metric | list[Metric]:
        """The metric at a cutoff, or at each of several."""
        if isinstance(k, Sequence) and not isinstance(k, str):
            return [self @ one for one in k]
        return Metric(self.name, self.settings, cutoff(self.name, k), self.spelling, self.convention, self.decided)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Metric) and (self.name, self.active) == (other.name, other.active)

    def __hash__(self) -> int:
        return hash((self.name, tuple(sorted(self.active.items(), key=lambda one: one[0]))))

    def __repr__(self) -> str:
        return self.text


# What metrics are asked for as: a text, a Metric, several of them, or a mapping from the column's name to each.
Named = Mapping[str, str | Metric]
Asked = str | Metric | Named | Iterable[str | Metric | Named | Iterable[Metric]]


def parse(text: str, convention: str | None = None) -> Metric:
    """A metric from its text.

    Args:
        text: a name, parameters in brackets and a cutoff after `@`; all but the name may be left out.
        convention: whose spelling and definition it is, where the text does not say so itself.

    Raises:
        MetricError: the text cannot be understood, or names what the metric has not; the nearest names are given.

    Example:
        >>> parse("P(rel=4)@5")
        P(rel=4)@5
        >>> parse("P(rel=4)@5") == parse("precision(rel=4)@5")
        True
        >>> parse("TAP@20", convention="recometrics") == parse("TAP(convention=recometrics)@20")
        True
    """
    found = list(_read(text, convention))
    if len(found) > 1:
        raise MetricError(
            f"{text!r} is {len(found)} metrics, one for each cutoff: ask for one, as in {found[0].label!r}."
        )
    return found[0]


def metrics(
    given: Asked,
    convention: str | None = None,
    decided: Mapping[str, Setting] | None = None,
) -> list[Metric]:
    """Every metric that was asked for, in order, each label once: `MAP@5` and `map@5` are one column in SQL.

    Args:
        given: metrics, or a mapping from the name of a column to the metric that it holds.
        convention: the convention under which their spellings are read.
        decided: the policies that hold for all of them.

    Raises:
        MetricError: a metric cannot be understood, two have one column, or none was asked for.

    Example:
        >>> metrics(["recall@5,10", "ndcg", "precision@1..3"])
        [recall@5, recall@10, ndcg, precision@1, precision@2, precision@3]
        >>> [(one.label, one) for one in metrics({"accuracy": "ndcg@10"})]
        [('accuracy', ndcg@10)]
    """
    found: dict[str, Metric] = {}
    convention = _of_library(convention)
    for metric in _flat(given, convention):
        known = found.setdefault(metric.label.lower(), metric.under(convention, decided))
        if (metric.column or known.column) and known.text != metric.text:
            raise MetricError(f"Two metrics would have one column {metric.label!r}: {known.text} and {metric.text}.")
    if not found:
        raise MetricError('No metric was asked for. Ask for some, as in ["ndcg@10", "recall@5,10,20"].')
    for metric in found.values():
        metric.refuse_uncut()
    return list(found.values())


def _flat(given: Asked, convention: str | None) -> Iterator[Metric]:
    if isinstance(given, Mapping):
        yield from (_named(name, one, convention) for name, one in given.items())
    elif isinstance(given, Metric):
        yield given
    elif isinstance(given, str):
        yield from _read(given, convention)
    elif isinstance(given, Iterable):
        for one in given:
            yield from _flat(one, convention)
    else:
        raise MetricError(f"A metric is a text such as 'ndcg@10' or a Metric: {given!r} is neither.")


def _named(name: str, given: str | Metric, convention: str | None) -> Metric:
    """A metric whose column has a name of its own."""
    if not isinstance(name, str) or not name.strip():
        raise MetricError(f"A mapping of metrics goes from the name of a column to a metric: {name!r} is no name.")
    if not isinstance(given, (str, Metric)):
        raise MetricError(f"The column {name!r} takes one metric, such as 'ndcg@10': {given!r} is none.")
    return replace(parse(given, convention) if isinstance(given, str) else given, column=name)


def _of_library(convention: str | None) -> str | None:
    """A convention but for that of rankmetrics itself, which is none."""
    return None if convention and conventions.find(convention) is conventions.OURS else convention


def _under(spelling: str, convention: str) -> tuple[str, dict[str, Setting]]:
    """A metric under a convention: its name here, and what the convention says of its parameters.

    A name of the library comes first; then a name of ours stands for the library's metric of that kind, the first that
    the convention lists. A metric that the user has defined is what it is, over the library's lists.

    Raises:
        MetricError: the library has no such metric, or rankmetrics does not measure it.
    """
    found = conventions.find(convention)
    if found is conventions.OURS:
        return catalog().metric(spelling).name, {}
    found.refuse(spelling)
    theirs = found.find(spelling)
    if theirs is None:
        name = catalog().name(spelling)
        if name is not None and catalog().is_own(name):
            return name, dict(found.policies)
        of_a_kind = (pair for pair in found.spellings.items() if name and re.match(rf"{name}(\W|$)", pair[1]))
        theirs = next(of_a_kind, None)
        if theirs is None:
            raise found.unknown_metric(spelling, name)
    target = target_of(found, *theirs)
    marks = {
        UNCUT: theirs[1].endswith("@None"),
        NO_CUTOFF: theirs[0] in found.no_cutoff,
        CUTOFF: theirs[0] in found.needs_cutoff,
    }
    return target.name, {**found.policies, **target.settings, **{one: True for one, holds in marks.items() if holds}}


def target_of(convention: Convention, theirs: str, ours: str) -> Metric:
    """The metric of rankmetrics that gives the number of a library's metric, as a line of `[spellings]` says.

    Raises:
        MetricError: the line names an unknown metric or parameter, or has a cutoff; the error names the file.
    """
    where = f"{convention.origin}: [spellings] {theirs} = {ours!r}"
    try:
        target = parse(ours)
    except MetricError as error:
        raise MetricError(f"{where}: {error}") from error
    if target.k is not None:
        raise MetricError(f"{where} has a cutoff. The caller gives the cutoff.")
    return target


def _checked(asked: Metric, name: str, value: object, accepted: Mapping[str, Parameter]) -> Setting:
    """A parameter's value, checked: a choice by its name, a number in its range, a metric by parsing it."""
    metric = asked.name
    if name not in accepted or name == "k":
        known = [one for one in catalog().own_parameters(metric) if one != "k"]
        near = did_you_mean(name, [*accepted, "convention"]).strip()
        hint = f"The cutoff goes after the @: {metric}@{value}." if name == "k" else near
        raise MetricError(f"{metric} has no parameter {name!r}: it takes {names(known)}. {hint}".rstrip())
    parameter = accepted[name]
    if parameter.is_metric:
        inner = parse(str(value), asked.convention or None)
        if inner.k is not None or inner.is_run:
            raise MetricError(
                f"{name} of {metric} is a metric of a list without a cutoff of its own: {value!r} is not."
            )
        return str(value)
    return parameter.checked(metric, value)


def _choices_that_read(name: str, accepted: Mapping[str, Parameter]) -> list[tuple[str, str]]:
    return [(key, one) for key, at in accepted.items() for one in at.choices if name in at.brought(one)]


def _read(text: str, convention: str | None = None) -> Iterator[Metric]:
    """The metrics of a text: one, or one for each of its cutoffs."""
    convention = _of_library(convention)
    if convention and not re.search(r"\bconvention\s*=", text):
        text = conventions.find(convention).rewrite(text)
    head = next(iter(split(text, "@")), "")
    at, tail = text[len(head) : len(head) + 1], text[len(head) + 1 :]
    match = re.fullmatch(r"\s*([A-Za-z_][\w\-]*)\s*(?:\((.*)\))?\s*", head, re.DOTALL)
    if not match:
        raise MetricError(
            f"{text!r} is no metric. A metric is a name, parameters in brackets and cutoffs after an @, "
            "as in 'ndcg(gain=linear)@5,10'."
        )
    spelling, inside = match.groups()
    pairs = list(written(inside or "", text))
    own = next((str(value) for name, value in pairs if name == "convention"), None)
    whose = own or convention
    name, settled = _under(spelling, whose) if whose else (catalog().metric(spelling).name, {})
    settings: dict[str, Setting] = {}
    for key, value in (one for pair in pairs for one in _opened(name, *pair)):
        if key in settings:
            raise MetricError(f"{text!r} sets {key} twice.")
        settings[key] = value
    decided = {} if own else settled  # where the text names a convention, the metric asks it itself
    known_as = conventions.find(whose).name if whose else ""
    for k in cutoffs(spelling, tail) if at else [None]:
        yield Metric(name, settings, k, spelling, known_as, decided)


def _opened(metric: str, name: str, value: Setting) -> Iterator[tuple[str, Setting]]:
    """A setting whose choice brings its own: `discount=geometric(0.9)` is `discount=geometric, p=0.9`."""
    parameter = catalog().parameter(metric, name)
    match = re.fullmatch(r"([\w.\-]+)\s*\((.*)\)", value, re.DOTALL) if isinstance(value, str) else None
    if not match or (parameter and parameter.is_metric):
        yield name, value
        return
    yield name, match.group(1)
    for part in split(match.group(2)):
        key, equals, inner = part.partition("=")
        if not equals:
            key, inner = _only_parameter(metric, name, match.group(1)), part
        if not key:
            raise MetricError(f"{part.strip()!r} in {name}={value} is no setting: write name=value, as in p=0.9.")
        yield key.strip(), value_of(inner.strip())


def _only_parameter(metric: str, name: str, choice: str) -> str:
    """The one parameter that a choice has, which need not be named; nothing where it has none or several."""
    parameter = catalog().parameter(metric, name)
    inner = parameter.brought(choice) if parameter and choice in parameter.choices else frozenset()
    return next(iter(inner)) if len(inner) == 1 else ""
