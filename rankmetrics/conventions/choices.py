"""Which choice of a convention moves a number: each choice made alone, and those that together give its value."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rankmetrics.errors import MetricError
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.label import Setting
from rankmetrics.metrics.metric import Metric

# Values that differ by less are equal: engines sum in different orders.
TOLERANCE = 1e-12

# The value of a metric for each system, in one order.
Values = tuple[float | None, ...]

# Measures metrics: the values of each, by its label.
Measure = Callable[[Sequence[Metric]], Mapping[str, Values]]

# Whether the inputs have the columns that a metric reads.
IsMeasurable = Callable[[Metric], bool]

# The name of the choice to measure the whole list.
CUTOFF = "k"


@dataclass(frozen=True)
class Choice:
    """A setting of a convention that differs from ours, with settings that only mean something beside it.

    Example:
        >>> print(Choice((("divisor", "fixed"), ("cap", 10))))
        divisor=fixed, cap=10
    """

    settings: tuple[tuple[str, Setting | None], ...]

    def __str__(self) -> str:
        return ", ".join("the whole list" if name == CUTOFF else f"{name}={value}" for name, value in self.settings)

    def meaning(self, metric: Metric) -> str:
        """What the choice means, in the words of its file, for a metric that has made it."""
        accepted = catalog().accepted(metric.name, metric.enough)
        name, value = self.settings[0]
        if name == CUTOFF:
            return "whatever the cutoff"
        return accepted[name].choices.get(str(value), accepted[name].summary.rstrip("."))


def with_choices(metric: Metric, choices: Iterable[Choice]) -> Metric:
    """A metric under further choices.

    Raises:
        MetricError: a setting has no effect without another.
    """
    settings = {name: value for choice in choices for name, value in choice.settings}
    if CUTOFF in settings:  # under a convention that always measures the whole list
        del settings[CUTOFF]
        metric = replace(metric, k=None, column="")
    return metric(**{name: value for name, value in settings.items() if value is not None})


def choices_of(ours: Metric, theirs: Metric) -> list[Choice]:
    """The choices that lead from our metric to that of a convention, each as small as it can be made alone."""
    waiting = [(name, value) for name, value in theirs.active.items() if value != ours.values.get(name)]
    waiting = [one for one in waiting if one[1] is not None or one[0] == CUTOFF]
    found = [one for setting in waiting if _is_possible(ours, one := Choice((setting,)))]
    for setting in (one for one in waiting if not any(one in choice.settings for choice in found)):
        for number, choice in enumerate(found):
            larger = Choice((*choice.settings, setting))
            if _is_possible(ours, larger):
                found[number] = larger
                break
    return found


def _is_possible(metric: Metric, choice: Choice) -> bool:
    try:
        with_choices(metric, [choice])
    except MetricError:
        return False
    return True


@dataclass(frozen=True)
class Group:
    """Conventions whose values are equal for every system.

    Attributes:
        values: the value of each system.
        conventions: their names.
        choices: of each convention, the choices that lead from our value to this one; none if the values are equal.
    """

    values: Values
    conventions: tuple[str, ...]
    choices: Mapping[str, tuple[Choice, ...]]


@dataclass(frozen=True)
class Moves:
    """What each choice does to our value, and which choices lead to the value of each convention.

    Attributes:
        ours: our metric.
        theirs: the metric of each convention, by its name.
        measure: measures metrics.
        is_measurable: whether the inputs have what a metric reads.
    """

    ours: Metric
    theirs: Mapping[str, Metric]
    measure: Measure
    is_measurable: IsMeasurable

    @cached_property
    def of_conventions(self) -> dict[str, list[Choice]]:
        """The choices of each convention."""
        return {name: choices_of(self.ours, metric) for name, metric in self.theirs.items()}

    @cached_property
    def conventions_of(self) -> dict[Choice, list[str]]:
        """The conventions that make each choice; without choices that these inputs cannot measure alone."""
        found: dict[Choice, list[str]] = {}
        for name, choices in self.of_conventions.items():
            for choice in choices:
                found.setdefault(choice, []).append(name)
        return {choice: of for choice, of in found.items() if self.is_measurable(with_choices(self.ours, [choice]))}

    @cached_property
    def _values(self) -> Mapping[str, Values]:
        """The values of our metric, of the conventions' metrics, and of ours with each choice alone."""
        alone = [with_choices(self.ours, [convention]) for convention in self.conventions_of]
        return self.measure([self.ours, *self.theirs.values(), *alone])

    @property
    def our_values(self) -> Values:
        """Our value of each system."""
        return self._values[self.ours.label]

    def alone(self, choice: Choice) -> Values:
        """The value of each system if only this choice is made."""
        return self._values[with_choices(self.ours, [choice]).label]

    @cached_property
    def moving(self) -> list[Choice]:
        """The choices that move the value of a system when they are made alone, the largest move first."""
        found = [
            convention for convention in self.conventions_of if not are_equal(self.alone(convention), self.our_values)
        ]
        return sorted(found, key=lambda one: -_largest(self.changes(one)))

    def changes(self, choice: Choice) -> Values:
        """By how much a choice, made alone, moves the value of each system; NULL where a value is undefined."""
        pairs = zip(self.alone(choice), self.our_values, strict=True)
        return tuple(None if new is None or old is None else new - old for new, old in pairs)

    @cached_property
    def groups(self) -> list[Group]:
        """The conventions by their values; those with our value first."""
        found: list[Group] = []
        for name, metric in {"rankmetrics": self.ours, **self.theirs}.items():
            values = self._values[metric.label]
            choices = {} if name not in self._leading else {name: self._leading[name]}
            at = next((number for number, one in enumerate(found) if are_equal(one.values, values)), None)
            if at is None:
                found.append(Group(values, (name,), choices))
            else:
                known = found[at]
                found[at] = replace(known, conventions=(*known.conventions, name), choices={**known.choices, **choices})
        return found

    @cached_property
    def _leading(self) -> dict[str, tuple[Choice, ...]]:
        """The choices that lead to the value of each convention whose value is not ours.

        These are its choices that move the number alone, if they are enough; otherwise all of its choices, since some
        of them move it only together.
        """
        theirs = {name: self._values[metric.label] for name, metric in self.theirs.items()}
        differing = {name: self.of_conventions[name] for name in theirs if not are_equal(theirs[name], self.our_values)}
        few = {
            name: tuple(choice for choice in choices if choice in self.moving) for name, choices in differing.items()
        }
        reduced = {name: with_choices(self.ours, choices) for name, choices in few.items()}
        measured = self.measure(list(reduced.values())) if reduced else {}
        return {
            name: few[name] if are_equal(measured[metric.label], theirs[name]) else tuple(differing[name])
            for name, metric in reduced.items()
        }


def are_equal(left: Values, right: Values) -> bool:
    """Whether two metrics have the same value for every system."""
    return all(
        one is other if one is None or other is None else math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
        for one, other in zip(left, right, strict=True)
    )


def _largest(changes: Values) -> float:
    return max((abs(change) if change is not None else math.inf for change in changes), default=0)
