"""A parameter of metrics, as a value: one file of sql/parameters or sql/policies."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from numbers import Real
from typing import TYPE_CHECKING

from rankmetrics.errors import MetricError, did_you_mean, names
from rankmetrics.metrics.definition import RANGE, Definition
from rankmetrics.sqltree import tree

if TYPE_CHECKING:
    from sqlglot import exp

# A value of a parameter: the name of a choice or of a metric, or a number.
Setting = str | float | int


@dataclass(frozen=True)
class Parameter:
    """A parameter of a metric: a choice between named expressions, a number, or another metric.

    Attributes:
        name: as in `ndcg(gain=linear)`.
        summary: what it decides.
        choices: name -> meaning; empty for a number and for a metric.
        default: a choice, a number, a metric, or None for a number that may be left out.
        lower, upper: the ends of a number's range; `open_ends` says which of the two ends are excluded.
        whole: True if a number must be whole.
        own: True if it belongs to one metric, and is not handed on to the metrics that this metric is made of.
        is_metric: True if its value is another metric.
        policy: True for a parameter of all metrics, such as `missing`.
        expressions: the SQL expression of each choice.
    """

    name: str
    summary: str
    choices: Mapping[str, str]
    default: Setting | None
    lower: float = -math.inf
    upper: float = math.inf
    open_ends: tuple[bool, bool] = (True, True)
    whole: bool = False
    own: bool = False
    is_metric: bool = False
    policy: bool = False
    expressions: Mapping[str, exp.Expr] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def placeholders(self) -> Mapping[str, frozenset[str]]:
        """The parameters that each choice reads."""
        return {choice: frozenset(tree.placeholders(expression)) for choice, expression in self.expressions.items()}

    @cached_property
    def _parameters_by_choice(self) -> Mapping[str, frozenset[str]]:
        if self.is_metric:
            return {}
        return {choice: read - {"k"} for choice, read in self.placeholders.items()}

    def parameters_of(self, choice: Setting | None = None) -> frozenset[str]:
        """The parameters that a choice reads, as `discount=geometric` reads `p`; of all choices if None is given."""
        if choice is None:
            return frozenset().union(*self._parameters_by_choice.values())
        return self._parameters_by_choice.get(str(choice), frozenset())

    def meaning(self, value: object) -> str:
        """A value in words: the meaning of the choice, or what the parameter decides."""
        return self.choices.get(str(value), self.summary.rstrip("."))

    def check(self, metric: str, value: object) -> Setting:
        """A value for this parameter, checked: one of its choices, or a number in its range.

        Args:
            metric: the metric that has the parameter, for the error.
            value: the value, of any type.
        """
        if self.choices:
            if value not in self.choices:
                raise MetricError(
                    f"{self.name} of {metric} is one of {names(self.choices)}: {value!r} is not."
                    f"{did_you_mean(str(value), self.choices)}"
                )
            return str(value)
        try:
            number = float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan
        except OverflowError:
            number = math.nan
        if not self._contains(number):
            raise MetricError(f"{self.name} of {metric} must be {self.range}: {value!r} is not.")
        return int(number) if number.is_integer() else number

    def _contains(self, number: float) -> bool:
        above = number > self.lower if self.open_ends[0] else number >= self.lower
        below = number < self.upper if self.open_ends[1] else number <= self.upper
        return above and below and (not self.whole or number.is_integer())

    @property
    def range(self) -> str:
        """The range in words, as in `a whole number from 1`."""
        ends = []
        if math.isfinite(self.lower):
            ends.append(f"{'above' if self.open_ends[0] else 'from'} {self.lower:g}")
        if math.isfinite(self.upper):
            ends.append(f"{'below' if self.open_ends[1] else 'to'} {self.upper:g}")
        return " ".join([f"a {'whole ' if self.whole else ''}number", *ends])


def read_parameter(definition: Definition, name: str, *, own: bool = False) -> Parameter:
    """The parameter that a file defines.

    A file that selects several columns is a choice, with the first column as the default. A file that selects one
    column is a number, or the metric that the column names.
    """
    columns = definition.select.expressions
    parameter = partial(Parameter, name, definition.summary, own=own, policy=definition.kind == "policy")
    if len(columns) > 1:
        choices = {column.alias_or_name: " ".join(column.comments or []).strip() for column in columns}
        expressions = {column.alias_or_name: column.unalias() for column in columns}
        return parameter(choices, columns[0].alias_or_name, expressions=expressions)
    value = columns[0].unalias()
    if tree.columns_read(value):
        return parameter({}, value.name, is_metric=True, expressions={value.name: value})
    interval = RANGE.fullmatch(definition.fields.get("range", "(-inf, inf)"))
    if interval is None:
        raise MetricError(f"{definition.origin}: `range:` of a parameter is an interval alone, such as [0, 1).")
    number = value.to_py()
    return parameter(
        {},
        number if number is None or isinstance(number, int) else float(number),
        lower=float(interval["lower"]),
        upper=float(interval["upper"]),
        open_ends=(interval["left"] == "(", interval["right"] == ")"),
        whole=bool(interval["whole"]),
    )
