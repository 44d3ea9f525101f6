"""When a stage is built from a variant: the `when:` line of the variant's header, as conditions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from rankmetrics.errors import MetricError

Form = Literal["setting", "query", "input", "no input", "required", "sorted", "columns", "max_k", "no diagnostics"]

# How each condition is written. `(\w+)` are the words of a condition; the last may be several, in brackets.
FORMS: Mapping[Form, str] = {
    "setting": r"(\w+) = (\w+)",  # the stage has this setting: `duplicates = each`
    "query": r"query (\w+) in \((\w+(?:, \w+)*)\)",  # every metric of the query has one of these settings
    "input": r"input (\w+)",  # the input is given, with the columns that the variant reads
    "no input": r"not input (\w+)",
    "required": r"required (\w+)",  # another stage, which the query needs anyway
    "sorted": r"sorted (\w+)",  # the engine sorts this input to rank it
    "columns": r"columns suffice",  # the variant has every column that is read of the stage
    "max_k": r"max_k <= (\d+)",  # no metric reads the stage beyond this rank
    "no diagnostics": r"not diagnostics",  # the query does not count what was left out
}


@dataclass(frozen=True)
class Condition:
    """A condition of a variant.

    Attributes:
        form: which kind of condition it is.
        words: what it names: a setting and its choices, an input, a stage, a number.
    """

    form: Form
    words: tuple[str, ...]


def conditions(text: str, origin: str) -> tuple[Condition, ...]:
    """The conditions of a `when:` line, all of which must hold.

    Raises:
        MetricError: a condition has no known form.

    >>> conditions("query missing in (skip, listed) and not diagnostics", "a.sql")[0].words
    ('missing', 'skip', 'listed')
    """
    return tuple(_condition(one, origin) for one in text.split(" and "))


def _condition(text: str, origin: str) -> Condition:
    for form, pattern in FORMS.items():
        if found := re.fullmatch(pattern, text):
            return Condition(form, tuple(word for group in found.groups() for word in group.split(", ")))
    known = ", ".join(one.replace("(?:, \\w+)*", ", …") for one in FORMS.values())
    known = re.sub(r"\((\\[wd]\+(?:, …)?)\)", r"\1", known)
    known = re.sub(r"\\[wd]\+", "…", known).replace("\\", "")
    raise MetricError(f"{origin}: `when: {text}` is no condition. Conditions are written as: {known}.")
