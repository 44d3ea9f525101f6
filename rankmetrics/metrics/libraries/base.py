"""A library's way to measure, as a value: what every file of this folder fills in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from textwrap import dedent

from rankmetrics.errors import MetricError, did_you_mean, plain


@dataclass(frozen=True)
class Convention:
    """One library's way to measure.

    Attributes:
        name: as in `convention="replay"`.
        what: the library and the releases that the numbers were checked against, or the document it is taken from.
        policies: what is decided for all of its metrics.
        spellings: its own name of each metric -> the metric of ours that gives its number.
        notes: where it departs from its own documentation, or cannot be followed: lines that start with a dash.
        aliases: other names of the convention.
        refused: its metrics that rankmetrics does not measure -> what to do instead, as a sentence, or nothing.
        uncut: its metrics that are always of the whole list: with a cutoff they are refused.
        cut: its metrics that always have a cutoff: without one they are refused.
        forms: how the library writes a metric with its parameters, as a pattern -> the same as rankmetrics writes it.
    """

    name: str
    what: str
    policies: Mapping[str, str | float]
    spellings: Mapping[str, str]
    notes: str = ""
    aliases: tuple[str, ...] = ()
    refused: Mapping[str, str] = field(default_factory=dict)
    uncut: frozenset[str] = frozenset()
    cut: frozenset[str] = frozenset()
    forms: Mapping[str, str] = field(default_factory=dict)

    @property
    def library(self) -> str:
        """The library's name and release, without what was checked."""
        return self.what.partition(" (")[0]

    @property
    def remarks(self) -> list[str]:
        """The notes, one by one."""
        return [" ".join(one.split()) for one in f"\n{dedent(self.notes)}".split("\n- ")[1:]]

    def find(self, name: str) -> tuple[str, str] | None:
        """The library's name of a metric, whatever its case, with the metric of ours that gives its number."""
        return next((pair for pair in self.spellings.items() if plain(pair[0]) == plain(name)), None)

    def rewritten(self, text: str) -> str:
        """A metric as the library writes it, in our way to write metrics: `ndcg@10-l2` of ranx is `ndcg(rel=2)@10`.

        Raises:
            MetricError: it is a metric of the library that rankmetrics does not measure.
        """
        self.refuse(re.split(r"[(@]", text.strip())[0])
        for form, ours in self.forms.items():
            if match := re.fullmatch(form, text.strip()):
                return match.expand(ours)
        return text

    def refuse(self, name: str) -> None:
        """Refuse a metric of the library that rankmetrics does not measure.

        Raises:
            MetricError: it is one.
        """
        for theirs, instead in self.refused.items():
            if re.fullmatch(rf"{plain(theirs)}\d*", plain(name)):  # with or without a parameter, as in Rprec_mult_0.20
                raise MetricError(f"rankmetrics does not measure {theirs} of {self.library}. {instead}".strip())

    def lacking(self, name: str, ours: str | None) -> MetricError:
        """The error for a name that the library does not have; `ours` is our metric of that name, if there is one."""
        known = ", ".join(self.spellings)
        if ours is None:
            return MetricError(
                f"There is no metric {name!r} under {self.name}, nor in rankmetrics."
                f"{did_you_mean(name, self.spellings)} Under {self.name} there are: {known}."
            )
        return MetricError(
            f"There is no metric {name!r} under {self.name}: there are {known}. For the {ours} of rankmetrics, by its "
            f"own definition and over its own lists, write {name}(convention=rankmetrics)."
        )
