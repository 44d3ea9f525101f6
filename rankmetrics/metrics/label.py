"""The syntax of a metric's text: `name(setting=value, ...)@cutoffs` from its parts, and its parts from the text.

Nothing here knows which metrics and parameters exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import nan
from numbers import Real

from rankmetrics.errors import MetricError

Setting = str | float | int
Settings = Mapping[str, Setting | None]


@dataclass(frozen=True)
class Label:
    """The parts of a metric's text.

    Attributes:
        text: the whole text.
        spelling: the name, as it is written.
        settings: names and values of the settings, in the order of the text; a name may stand twice.
        cutoffs: the text after the `@`; None for a text without an `@`.
    """

    text: str
    spelling: str
    settings: tuple[tuple[str, Setting], ...]
    cutoffs: str | None

    def read_cutoffs(self) -> Iterator[int | None]:
        """The cutoffs: `5,10`, all of `1..20`, None for `None` and for a text without an `@`.

        Raises:
            MetricError: a cutoff is no whole number from 1, or `20..1` runs backwards.
        """
        for part in ("None",) if self.cutoffs is None else self.cutoffs.split(","):
            first, dots, last = part.strip().partition("..")
            if dots:
                start, end = check_cutoff(self.spelling, first), check_cutoff(self.spelling, last)
                if end < start:
                    raise MetricError(
                        f"The cutoffs {part.strip()} of {self.spelling} run backwards: write {end}..{start}."
                    )
                yield from range(start, end + 1)
            else:
                yield None if first == "None" else check_cutoff(self.spelling, first)


def read_label(text: str) -> Label:
    """The parts of a metric's text.

    Raises:
        MetricError: the text is not written as a metric is.

    >>> read_label("P(rel=4, discount=geometric(p=0.9))@5").settings
    (('rel', 4), ('discount', 'geometric(p=0.9)'))
    """
    head = next(iter(split(text, "@")), "")
    at, cutoffs = text[len(head) : len(head) + 1], text[len(head) + 1 :]
    match = re.fullmatch(r"\s*(\d*[A-Za-z_][\w\-]*)\s*(?:\((.*)\))?\s*", head, re.DOTALL)
    if not match:
        raise MetricError(
            f"{text!r} is no metric. A metric is a name, parameters in brackets and cutoffs after an @, "
            "as in 'ndcg(gain=linear)@5,10'."
        )
    return Label(text, match[1], tuple(_read_settings(match[2] or "", text)), cutoffs if at else None)


def _read_settings(inside: str, text: str) -> Iterator[tuple[str, Setting]]:
    for part in split(inside):
        name, equals, value = part.partition("=")
        if not equals or not name.strip():
            raise MetricError(f"{part.strip()!r} in {text!r} is no setting: write name=value, as in gain=linear.")
        yield name.strip(), read_value(value)


def split(text: str, separator: str = ",") -> list[str]:
    """The parts of a text between separators; a separator within brackets does not count.

    >>> split("rel=4, discount=geometric(p=0.9, q=1)")
    ['rel=4', ' discount=geometric(p=0.9, q=1)']
    """
    depth, parts = 0, [""]
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part.strip()]


def read_value(text: str) -> Setting:
    """The value that a text stands for: a whole number, another number, or the text itself."""
    for number in (int, float):
        try:
            return number(text.strip())
        except ValueError:
            continue
    return text.strip()


def check_cutoff(metric: str, k: object) -> int:
    """A cutoff as a number.

    Raises:
        MetricError: it is no whole number from 1.
    """
    try:
        number = float(k) if isinstance(k, (Real, str)) and not isinstance(k, bool) else nan
    except (ValueError, OverflowError):
        number = nan
    if not (number >= 1 and number.is_integer()):
        raise MetricError(f"The cutoff of {metric} must be a whole number from 1: {k!r} is not.")
    return int(number)


def spell(name: str, settings: Settings, k: int | None) -> str:
    """A metric as text, from its parts.

    >>> spell("ndcg", {"gain": "linear", "rel": 4}, 10)
    'ndcg(gain=linear, rel=4)@10'
    """
    inside = ", ".join(f"{key}={_spell_value(value)}" for key, value in settings.items())
    return f"{name}{f'({inside})' if inside else ''}{f'@{k}' if k is not None else ''}"


def _spell_value(value: Setting | None) -> str:
    return str(value) if isinstance(value, (str, int)) or value is None else repr(value)
