"""What a query is made of: stages with their parameters, what is wanted of each, and what each is built as."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from sqlglot import exp

from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.label import Setting, spell


@dataclass(frozen=True)
class Key:
    """A stage with its parameters: what two metrics share if they agree on both."""

    stage: str
    settings: tuple[tuple[str, Setting | None], ...] = ()

    @property
    def name(self) -> str:
        """The name of its CTE: `hits`, `hits_rel_4`."""
        label = spell(
            self.stage, {name: value for name, value in self.settings if value != catalog().default(name)}, None
        )
        return re.sub(r"\W+", "_", label.replace("=-", "=minus ")).strip("_")


@dataclass
class Wanted:
    """What is read of a stage: its columns, how deep the recommendations are read for it, and its own rows.

    `within` is the rank that every reader stops at; None where one reads on.
    """

    columns: set[str] = field(default_factory=set)
    depth: int | None = 0
    within: int | None = 0

    def deepen(self, depth: int | None, within: int | None) -> None:
        """Read it down to a rank; None is all of it."""
        self.depth = None if depth is None or self.depth is None else max(self.depth, depth)
        self.within = None if within is None or self.within is None else max(self.within, within)


@dataclass
class Built:
    """A stage as a CTE.

    `shared` says that other queries of the plan have the tree, too: each takes a copy, since dialects edit queries.
    `kept` says whether its rows are to be kept for whoever reads them: True where nothing is to be pushed through it,
    False where reading the input again costs less than keeping it, None where the engine decides.
    """

    name: str
    select: exp.Query
    reads: list[str]
    comment: str
    kept: bool | None = None
    shared: bool = False


def once(ctes: Iterable[Built]) -> list[Built]:
    """Each CTE once, where it comes first."""
    found: dict[str, Built] = {}
    for one in ctes:
        found.setdefault(one.name, one)
    return list(found.values())
