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

# A value of a parameter: the name of a choice or of a metric, a number, or a text.
Setting = str | float | int


@dataclass(frozen=True)
class Parameter:
    """A parameter of a metric: a choice between named expressions, a number, another metric, or a text."""

    name: str  # as in `ndcg(gain=linear)`
    summary: str  # what it decides
    choices: Mapping[str, str]  # name -> meaning; empty for a parameter of another kind
    default: Setting | None  # a choice, a number, a metric, or None for a number or a text that may be left out
    lower: float = -math.inf  # the lowest number
    upper: float = math.inf  # the highest number
    open_ends: tuple[bool, bool] = (True, True)  # for each of these two ends, True if it is excluded
    whole: bool = False  # True if a number must be whole
    own: bool = False  # True if it belongs to one metric, and not to the metrics that this metric is made of
    is_metric: bool = False  # True if its value is another metric
    is_text: bool = False  # True if its value is a text, such as the name of a category
    policy: bool = False  # True for a parameter of all metrics, such as `missing`
    expressions: Mapping[str, exp.Expr] = field(default_factory=dict, compare=False, repr=False)  # of the choices

    @cached_property
    def placeholders(self) -> Mapping[str, frozenset[str]]:
        """The parameters that each choice reads."""
        return {choice: frozenset(tree.placeholders(expression)) for choice, expression in self.expressions.items()}

    def parameters_of(self, choice: Setting | None = None) -> frozenset[str]:
        """The parameters that a choice reads, as `discount=geometric` reads `p`; of all choices if None is given."""
        if self.is_metric:
            return frozenset()
        if choice is None:
            return frozenset().union(*self.placeholders.values()) - {"k"}
        return self.placeholders.get(str(choice), frozenset()) - {"k"}

    def meaning(self, value: object) -> str:
        """A value in words: the meaning of the choice, or what the parameter decides."""
        return self.choices.get(str(value), self.summary.rstrip("."))

    def check(self, metric: str, value: object) -> Setting:
        """A value for this parameter of a metric, checked: one of its choices, or a number in its range."""
        if self.choices:
            if value not in self.choices:
                raise MetricError(
                    f"{self.name} of {metric} is one of {names(self.choices)}: {value!r} is not."
                    f"{did_you_mean(str(value), self.choices)}"
                )
            return str(value)
        if self.is_text:
            if isinstance(value, bool) or not isinstance(value, (str, int, float)) or {*str(value)} & {*",()@="}:
                raise MetricError(
                    f"{self.name} of {metric} is a text without commas, brackets, = and @: {value!r} is not. If the "
                    "data has this value, rename it there."
                )
            return str(value)
        try:
            number = float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan
        except OverflowError:
            number = math.nan
        excluded = [end for end, is_open in zip((self.lower, self.upper), self.open_ends, strict=True) if is_open]
        if number in excluded or not self.lower <= number <= self.upper or (self.whole and not number.is_integer()):
            raise MetricError(f"{self.name} of {metric} must be {self.range}: {value!r} is not.")
        return int(number) if number.is_integer() else number

    @property
    def range(self) -> str:
        """The range in words, as in `a whole number from 1`."""
        if self.is_text:
            return "a text"
        ends = []
        if math.isfinite(self.lower):
            ends.append(f"{'above' if self.open_ends[0] else 'from'} {self.lower:g}")
        if math.isfinite(self.upper):
            ends.append(f"{'below' if self.open_ends[1] else 'to'} {self.upper:g}")
        return " ".join([f"a {'whole ' if self.whole else ''}number", *ends])


def read_parameter(definition: Definition, name: str, *, own: bool = False) -> Parameter:
    """The parameter that a file defines.

    A file that selects several columns is a choice, with the first column as the default. A file that selects one
    column is a number, the metric that the column names, or a text if it is `CAST(NULL AS TEXT)`.
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
    if value.is_type("text"):
        return parameter({}, None, is_text=True)
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
