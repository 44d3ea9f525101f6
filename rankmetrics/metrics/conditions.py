"""The conditions under which a stage is built from a variant: the `when:` line of the variant's header."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from rankmetrics.errors import MetricError

Form = Literal[
    "setting",
    "query",
    "input",
    "no input",
    "required",
    "sorted",
    "columns",
    "max_k",
    "no diagnostics",
    "candidates",
    "sample",
]

# How each condition is written, as a regular expression; its groups are the condition's words.
FORMS: Mapping[Form, str] = {
    "setting": r"(\w+) = (\w+)",  # the stage has this setting: `duplicates = each`
    "query": r"query (\w+) in \((\w+(?:, \w+)*)\)",  # every metric of the query has one of these settings
    "input": r"input (\w+)",  # the input is given, with the columns that the variant reads
    "no input": r"not input (\w+)",
    "required": r"required (\w+)",  # the query needs this stage anyway
    "sorted": r"sorted (\w+)",  # the engine sorts this input to rank it
    "columns": r"columns suffice",  # the variant returns every column that other stages and metrics read
    "max_k": r"max_k <= (\d+)",  # no metric reads the stage beyond this rank
    "no diagnostics": r"not diagnostics",  # the query does not count what was left out
    "candidates": r"ranked among candidates",  # lists are ranked among candidates: those of an input, or a sample
    "sample": r"sample by (\w+)",  # the negatives of the lists are drawn in this way
}


@dataclass(frozen=True)
class Condition:
    """A condition of a variant.

    Attributes:
        form: which kind of condition it is.
        words: the names in it: a setting and its choices, an input, a stage, a number.
    """

    form: Form
    words: tuple[str, ...]


def read_conditions(text: str, origin: str) -> tuple[Condition, ...]:
    """The conditions of a `when:` line, all of which must hold.

    Raises:
        MetricError: a condition is written in no known form.

    >>> read_conditions("query missing in (skip, listed) and not diagnostics", "a.sql")[0].words
    ('missing', 'skip', 'listed')
    """
    return tuple(_read_condition(condition, origin) for condition in text.split(" and "))


def _read_condition(text: str, origin: str) -> Condition:
    for form, pattern in FORMS.items():
        if found := re.fullmatch(pattern, text):
            return Condition(form, tuple(word for group in found.groups() for word in group.split(", ")))
    known = ", ".join(form.replace("(?:, \\w+)*", ", …") for form in FORMS.values())
    known = re.sub(r"\((\\[wd]\+(?:, …)?)\)", r"\1", known)
    known = re.sub(r"\\[wd]\+", "…", known).replace("\\", "")
    raise MetricError(f"{origin}: `when: {text}` is no condition. Conditions are written as: {known}.")
