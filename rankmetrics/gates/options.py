"""The options of a gate, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rankmetrics.errors import InputError, Option
from rankmetrics.gates.limits import Limit, read_limit, read_limits

# Limits as a caller gives them: numbers, or texts such as `1%`, by metric.
Limits = Mapping[str, float | str]


@dataclass(frozen=True)
class Gate:
    """The options of `rm.gate`, checked.

    Attributes:
        minimum: the lowest value of each metric.
        maximum: the highest value of each metric.
        max_drop: how much each metric may fall since an earlier run.
        against: the earlier run.
        max_missing: how many lists may have no recommendations.
        strict: whether each drop beyond its limit fails, whatever its interval.
        confidence: the confidence of the interval.
        systems: the systems to check; empty for all.
    """

    minimum: Mapping[str, Limit]
    maximum: Mapping[str, Limit]
    max_drop: Mapping[str, Limit]
    against: object | None
    max_missing: Limit | None
    strict: bool
    confidence: float
    systems: tuple[str, ...]

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that have a limit, as they were written."""
        return tuple(dict.fromkeys([*self.minimum, *self.maximum, *self.max_drop]))


def read_gate(
    *,
    minimum: Limits | None = None,
    maximum: Limits | None = None,
    max_drop: Limits | None = None,
    against: object | None = None,
    max_missing: float | str | None = None,
    strict: bool = False,
    confidence: float = 0.95,
    system: str | Sequence[str] | None = None,
) -> Gate:
    """The options of `rm.gate` as values.

    Raises:
        InputError: there is no limit, a limit is no number, or options contradict each other.
    """
    gate = Gate(
        read_limits("minimum", minimum, may_be_negative=True),
        read_limits("maximum", maximum, may_be_negative=True),
        read_limits("max_drop", max_drop),
        against,
        None if max_missing is None else _read_missing(max_missing),
        strict,
        confidence,
        (system,) if isinstance(system, str) else tuple(map(str, system or ())),
    )
    _refuse_contradictions(gate)
    return gate


def _read_missing(given: float | str) -> Limit:
    limit = read_limit(given, Option("max_missing"))
    if not limit.is_percentage and not limit.value.is_integer():
        raise InputError(
            Option("max_missing", is_noun=True),
            f" is a whole number of lists, or a percentage of them: write {limit.value * 100:.12g}% in place of "
            f"{limit.value:.12g} if it is a share.",
        )
    return limit


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
