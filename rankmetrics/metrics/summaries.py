"""What is made of the lists' values in the summary: mean, median, spread, the ends of a confidence interval."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from sqlglot import exp

from rankmetrics.errors import MetricError, did_you_mean, names
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.definition import Definition
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.parameters import bind

# How sure a confidence interval is, where nobody says.
ALPHA = 0.95


@dataclass(frozen=True)
class Aggregate:
    """What is made of the values of many lists, such as `ci(0.9)`; a file of sql/aggregates says how."""

    name: str
    alpha: float | None = None

    @property
    def definition(self) -> Definition:
        """Its file."""
        return catalog().definition("aggregate", self.name)

    @property
    def takes_confidence(self) -> bool:
        """Whether it is more or less sure of what it says."""
        return bool(tree.placeholders(self.definition.select))

    def label(self, metric: str) -> str:
        """The column that holds it for a metric: a mean is called as the metric is."""
        return metric if self == MEAN else f"{metric} {self}"

    def of(self, column: exp.Column) -> exp.Expr:
        """The aggregate of a column: its file, with the column for `value`."""
        return tree.replace_columns(self._bound.copy(), lambda _: column.copy())

    @cached_property
    def _bound(self) -> exp.Expr:
        """What its file says, with its confidence."""
        known = {"deviations": _deviations(self.alpha or ALPHA)} if self.takes_confidence else {}
        return bind(self.definition.expression, known)

    def __str__(self) -> str:
        return self.name if self.alpha is None else f"{self.name}({self.alpha!r})"


def _deviations(confidence: float) -> float:
    """How many standard deviations either side of the mean hold that much of a normal distribution."""
    from statistics import NormalDist  # slow to import, and most ask for means

    return NormalDist().inv_cdf((1 + confidence) / 2)


MEAN = Aggregate("mean")


def aggregates(given: str | Iterable[str]) -> tuple[Aggregate, ...]:
    """Aggregates from their texts.

    Args:
        given: such as `["mean", "median", "ci(0.9)"]`.

    Raises:
        MetricError: there is no such aggregate, or the confidence is not between 0 and 1.
    """
    texts = [given] if isinstance(given, str) else list(given) if isinstance(given, Iterable) else [given]
    if not texts:
        raise MetricError('No aggregate was asked for. Ask for some, as in ["mean", "median", "ci(0.95)"].')
    return tuple(dict.fromkeys(_aggregate(one) for one in texts))


def _aggregate(text: str) -> Aggregate:
    known = [one.name for one in catalog().all("aggregate")]
    match = re.fullmatch(r"\s*(\w+)\s*(?:\(\s*([0-9.eE+-]+)\s*\))?\s*", str(text))
    name, alpha = match.groups() if match else (str(text), None)
    if name not in known:
        raise MetricError(f"There is no aggregate {text!r}: there are {names(known)}.{did_you_mean(name, known)}")
    takes = Aggregate(name).takes_confidence
    if alpha is None:
        return Aggregate(name)
    try:
        sure = float(alpha)
    except ValueError:
        sure = 0.0
    if not takes or not 0 < sure < 1 or (1 + sure) / 2 == 1:
        why = "the confidence must lie between 0 and 1" if takes else f"{name} takes no number"
        raise MetricError(f"The aggregate {text!r} cannot be: {why}.")
    return Aggregate(name, sure)
