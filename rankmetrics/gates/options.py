# ruff: noqa: RUF009  # option returns a field of a dataclass
"""The options of a gate, checked: its limits, and the earlier run that they compare with."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import isfinite
from typing import Any

from rankmetrics.errors import InputError, Option
from rankmetrics.options import GATE, check_options, option

# A number as a limit is written, with a percent sign or without.
WRITTEN = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(%?)\s*")


@dataclass(frozen=True)
class Limit:
    """A limit: a number, or of a percentage the share.

    >>> print(Limit(0.25), Limit(0.015, is_percentage=True))
    0.25 1.5%
    """

    value: float
    is_percentage: bool = False

    def shown(self, value: float) -> str:
        """A value in the unit of the limit: a percentage, or a number with four decimal places.

        >>> Limit(0.01, is_percentage=True).shown(0.0342), Limit(3).shown(12.0), Limit(0.2).shown(0.25)
        ('3.42%', '12.0000', '0.2500')
        """
        return f"{value:.2%}" if self.is_percentage else f"{value:.4f}"

    @property
    def written(self) -> float | str:
        """The limit as a caller writes it."""
        return str(self) if self.is_percentage else int(self.value) if self.value.is_integer() else self.value

    def __str__(self) -> str:
        return f"{self.value * 100:.12g}%" if self.is_percentage else f"{self.value:.12g}"


def read_limit(limit: object, option: Option, *, may_be_negative: bool = False) -> Limit:
    """A limit from a number, or from a text such as `0.25` or `1%`; refuses others.

    >>> read_limit("1%", Option("max_missing")), read_limit(0.25, Option("minimum"))
    (Limit(value=0.01, is_percentage=True), Limit(value=0.25, is_percentage=False))
    """
    match = WRITTEN.fullmatch(limit) if isinstance(limit, str) else None
    if match:
        number = float(match[1]) / (100 if match[2] else 1)
    elif isinstance(limit, (int, float)) and not isinstance(limit, bool):
        number = float(limit)
    else:
        number = float("nan")
    if not isfinite(number):
        raise InputError("A limit is a number or a percentage, as in 0.25 or 1%: ", option, f" has {limit!r}.")
    if number < 0 and not may_be_negative:
        raise InputError("This limit cannot be negative: ", option, f" has {limit!r}.")
    return Limit(number, is_percentage=bool(match and match[2]))


def read_limits(name: str, limits: Mapping[str, object] | None, *, may_be_negative: bool = False) -> dict[str, Limit]:
    """The limit of each metric, from the value of an option; refuses others than mappings from metrics to limits.

    >>> read_limits("minimum", {"ndcg@10": "25%"})
    {'ndcg@10': Limit(value=0.25, is_percentage=True)}
    """
    if limits is None:
        return {}
    if not isinstance(limits, Mapping) or not all(isinstance(metric, str) for metric in limits):
        example = Option(name, {"ndcg@10": 0.25})
        raise InputError("Limits are a mapping from metric to limit, as in ", example, f": {limits!r} is not.")
    return {
        metric: read_limit(limit, Option(name, {metric: ...}), may_be_negative=may_be_negative)
        for metric, limit in limits.items()
    }


# Limits as a caller gives them: numbers, or texts such as `1%`, by metric.
Limits = Mapping[str, float | str]


def _read_missing(option: str, text: float | str | None) -> Limit | None:
    if text is None:
        return None
    limit = read_limit(text, Option(option))
    if not limit.is_percentage and not limit.value.is_integer():
        raise InputError(
            Option("max_missing", is_noun=True),
            f" is a whole number of lists, or a percentage of them: write {limit.value * 100:.12g}% in place of "
            f"{limit.value:.12g} if it is a share.",
        )
    if limit.is_percentage and limit.value >= 1:
        raise InputError(
            Option(option, str(limit)),
            " cannot fail: at most 100% of the lists have no recommendations. Write a lower percentage, as in ",
            Option(option, "1%"),
            ".",
        )
    return limit


def _read_systems(option: str, systems: str | Sequence[str] | None) -> tuple[str, ...]:
    return (systems,) if isinstance(systems, str) else tuple(map(str, systems or ()))


@dataclass(frozen=True, kw_only=True)
class Gate:
    """The options of `rm.gate`; refuses limits that are not numbers, and options that contradict each other."""

    minimum: Mapping[str, Limit] = option(
        "The lowest value, as in ndcg@10=0.25.",
        "limits",
        group=GATE,
        flag="min",
        check=partial(read_limits, may_be_negative=True),
    )
    maximum: Mapping[str, Limit] = option(
        "The highest value.", "limits", group=GATE, flag="max", check=partial(read_limits, may_be_negative=True)
    )
    max_drop: Mapping[str, Limit] = option(
        "The largest drop since --against: a share, as in ndcg@10=1%, or a difference.",
        "limits",
        group=GATE,
        check=read_limits,
    )
    against: Any = option(
        "An earlier run to compare with: a file that `evaluate --per-list -o` wrote.", "file", group=GATE
    )
    max_missing: Limit | None = option(
        "The largest number of lists without recommendations, as in 10, or their share, as in 1%.",
        "limit",
        group=GATE,
        check=_read_missing,
    )
    strict: bool = option(
        "Fail for every drop beyond its limit, even if chance could explain it.", "yes or no", group=GATE
    )
    confidence: float = option("Level of the confidence interval of a drop.", "share", 0.95, group=GATE)
    system: tuple[str, ...] = option(
        "A system to check (default: all).", "texts", group=GATE, flag="only", check=_read_systems
    )

    def __post_init__(self) -> None:
        check_options(self)
        _refuse_contradictions(self)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that have a limit, as they were written."""
        return tuple(dict.fromkeys([*self.minimum, *self.maximum, *self.max_drop]))


def _refuse_contradictions(gate: Gate) -> None:
    """Refuse a gate without limits, and options that do nothing."""
    if not gate.metrics and gate.max_missing is None:
        example = Option("minimum", {"ndcg@10": 0.25})
        others = (Option("maximum"), ", ", Option("max_drop"), " or ", Option("max_missing"))
        raise InputError("A gate needs a limit: ", example, ", ", *others, ".")
    if gate.max_drop and gate.against is None:
        drop, against = Option("max_drop", is_noun=True), Option("against")
        raise InputError(drop, " compares with an earlier run: name its file, ", against, ".")
    idle = "against" if gate.against is not None else "strict" if gate.strict else ""
    if idle and not gate.max_drop:
        example = Option("max_drop", {"ndcg@10": "1%"})
        raise InputError(Option(idle, is_noun=True), " belongs to limits of drops, and there is none: ", example, ".")
    number = gate.confidence
    if isinstance(number, bool) or not isinstance(number, (int, float)) or not 0 < number < 1:
        raise InputError(Option("confidence", is_noun=True), f" is between 0 and 1, as in 0.95: {number!r} is not.")
