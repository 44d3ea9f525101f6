"""How a metric is written: its text from its parts, and the parts of a text, whatever they mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import nan
from numbers import Real

from rankmetrics.errors import MetricError

Setting = str | float | int
Settings = Mapping[str, Setting | None]


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


def cutoffs(metric: str, tail: str) -> Iterator[int | None]:
    """The cutoffs after the @: `5,10`, all of `1..20`, or `None` for none."""
    for one in tail.split(","):
        first, dots, last = one.strip().partition("..")
        if dots:
            start, end = cutoff(metric, first), cutoff(metric, last)
            if end < start:
                raise MetricError(f"The cutoffs {one.strip()} of {metric} run backwards: write {end}..{start}.")
            yield from range(start, end + 1)
        else:
            yield None if first == "None" else cutoff(metric, first)


def written(inside: str, text: str) -> Iterator[tuple[str, Setting]]:
    """The settings between brackets, as they are written: `rel=4, discount=geometric(p=0.9)`."""
    for part in split(inside):
        name, equals, value = part.partition("=")
        if not equals or not name.strip():
            raise MetricError(f"{part.strip()!r} in {text!r} is no setting: write name=value, as in gain=linear.")
        yield name.strip(), value_of(value.strip())


def split(text: str, sign: str = ",") -> list[str]:
    """The parts between signs that stand in no bracket."""
    depth, parts = 0, [""]
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == sign and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part.strip()]


def value_of(text: str) -> Setting:
    """What a text says: a whole number, a number, or itself."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text
