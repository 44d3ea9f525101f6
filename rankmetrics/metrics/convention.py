"""How another library measures, as a value: one file of sql/conventions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from rankmetrics.errors import MetricError, did_you_mean, plain


@dataclass(frozen=True)
class Convention:
    """How another library measures: its names of metrics, and the settings that give its numbers.

    Attributes:
        name: as in `convention="replay"`; the name of the file.
        library: the library and its releases.
        source: the release that the numbers were checked against, or the document that they are taken from.
        policies: the settings that all metrics of the library share.
        spellings: the library's name of each metric -> the metric of rankmetrics that gives its number.
        notes: where the library departs from its own documentation, and where rankmetrics departs from the library.
        aliases: other names of the convention.
        refused: metrics of the library that rankmetrics does not measure -> a sentence on what to use instead, or "".
        no_cutoff: metrics that always measure the whole list; a cutoff is refused.
        needs_cutoff: metrics that always have a cutoff; a missing cutoff is refused.
        patterns: regular expressions for how the library writes parameters -> how rankmetrics writes them.
    """

    name: str
    library: str
    source: str = ""
    policies: Mapping[str, str | float] = field(default_factory=dict)
    spellings: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    refused: Mapping[str, str] = field(default_factory=dict)
    no_cutoff: frozenset[str] = frozenset()
    needs_cutoff: frozenset[str] = frozenset()
    patterns: Mapping[str, str] = field(default_factory=dict)

    @property
    def what(self) -> str:
        """The library with its source, as in `ranx 0.3 (checked against 0.3.21)`."""
        return f"{self.library} ({self.source})" if self.source else self.library

    @property
    def origin(self) -> str:
        """The name of the file, for errors."""
        return f"{self.name}.toml"

    def find(self, name: str) -> tuple[str, str] | None:
        """The library's name of a metric, in any case, with the metric of rankmetrics that gives its number."""
        return next((pair for pair in self.spellings.items() if plain(pair[0]) == plain(name)), None)

    def rewrite(self, text: str) -> str:
        """A metric written as in the library, rewritten as in rankmetrics: ranx's `ndcg@10-l2` is `ndcg(rel=2)@10`.

        Raises:
            MetricError: rankmetrics does not measure this metric of the library.
        """
        self.refuse(re.split(r"[(@]", text.strip())[0])
        for pattern, ours in self.patterns.items():
            if match := re.fullmatch(pattern, text.strip()):
                return match.expand(ours)
        return text

    def refuse(self, name: str) -> None:
        """Refuse a metric of the library that rankmetrics does not measure.

        Raises:
            MetricError: `name` is such a metric.
        """
        for theirs, instead in self.refused.items():
            if re.fullmatch(rf"{plain(theirs)}\d*", plain(name)):  # with or without a parameter, as in Rprec_mult_0.20
                raise MetricError(f"rankmetrics does not measure {theirs} of {self.library}. {instead}".strip())

    def unknown_metric(self, name: str, ours: str | None) -> MetricError:
        """The error for a name that the library does not have.

        Args:
            name: the name.
            ours: the metric of rankmetrics with this name; None if there is no such metric.
        """
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
