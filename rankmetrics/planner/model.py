"""The values that the planner hands from step to step: what is asked, what is read of a stage, a step of the query."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from sqlglot import exp

from rankmetrics.inputs.columns import Layout
from rankmetrics.metrics.catalog import N_LISTS, catalog
from rankmetrics.metrics.metric import Metric, Setting, Settings, spell
from rankmetrics.metrics.summaries import MEAN, Aggregate
from rankmetrics.sqltree.names import free_name, unnamed

# How the column begins that counts the lists for which a metric is undefined.
UNDEFINED = "undefined "

# The counts of the account that a summary may show.
MISSING, TIED = "lists_missing", "lists_tied"


@dataclass(frozen=True)
class Diagnostics:
    """Which rows of diagnostics a query returns.

    Attributes:
        is_thorough: whether everything is counted over all rows; otherwise a sample stands in for an expensive count.
        counts_idle: whether equal scores are counted even where a rank column decides the order.
        names: the counts that are computed; None for all.
        samples: the stages whose rows are returned as samples.
        beside_metrics: whether the metrics are computed, too.
    """

    is_thorough: bool = True
    counts_idle: bool = False
    names: frozenset[str] | None = None
    samples: tuple[str, ...] = ()
    beside_metrics: bool = False


@dataclass(frozen=True)
class Question:
    """What a query is to answer.

    Attributes:
        metrics: what to compute, each under its label.
        layout: what the columns of the inputs are for.
        tables: the inputs, `recs` and `truth` among them, as they stand after FROM.
        aggregates: what the summary computes from the values of the lists.
        taken: names of tables, in lower case, that no step of the query may have.
        counts: whether to count, beside the means, the lists for which each metric is undefined, and the diagnostics
            that are computed from metrics.
        count_kinds: which of these counts: `missing`, `undefined`; all of them if there are none.
        diagnostics: the rows of diagnostics to return; None for none.
        runs_on: the dialect of the engine that is about to run the query; None for a text that runs elsewhere.
        passes_off: the names of the passes that are switched off.
        assumed: what the user says of the inputs beforehand; see `assumptions.py`.
        numbers: parts of metrics that are computed of each list beside the metrics, such as `n_history`.
    """

    metrics: tuple[Metric, ...]
    layout: Layout
    tables: Mapping[str, exp.Expr] = field(repr=False)
    aggregates: tuple[Aggregate, ...] = (MEAN,)
    taken: frozenset[str] = frozenset()
    counts: bool = False
    count_kinds: tuple[str, ...] = ()
    diagnostics: Diagnostics | None = None
    runs_on: str | None = None
    passes_off: frozenset[str] = frozenset()
    assumed: frozenset[str] = frozenset()
    numbers: tuple[str, ...] = ()

    def __str__(self) -> str:
        """What is asked, in lines."""
        roles = {"recs": self.layout.recs, "truth": self.layout.truth}
        roles |= {name: side.roles for name, side in self.layout.extras.items()}
        asked = {
            "metrics": ", ".join(metric.label for metric in self.metrics),
            "lists": ", ".join(self.layout.lists),
            "lists of the truth": ", ".join(self.layout.truth_lists),
            "by": ", ".join(self.layout.by),
            **{f"roles in {name}": str(one) for name, one in roles.items()},
            "aggregates": ", ".join(map(str, self.aggregates)),
            "diagnostics": self.diagnostics or "none",
            "runs on": self.runs_on or "another system",
            "assumed": ", ".join(sorted(self.assumed)) or "nothing",
        }
        return "\n".join(f"{name}: {value}" for name, value in asked.items())

    @property
    def of_lists(self) -> list[Metric]:
        """The metrics that have a number for each list."""
        return [metric for metric in self.metrics if not metric.is_run]

    @property
    def of_systems(self) -> list[Metric]:
        """The metrics that have one number for each system."""
        return [metric for metric in self.metrics if metric.is_run]

    @property
    def measures(self) -> bool:
        """Whether the metrics are computed: diagnostics alone need only know how deep the metrics look."""
        return self.diagnostics is None or self.counts or self.diagnostics.beside_metrics

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """The choices of `missing` that the metrics have; of several, each metric has its own lists."""
        of_lists = [metric for metric in self.metrics if not metric.is_run or catalog().is_of_lists(metric.name)]
        return tuple(dict.fromkeys(str(metric.values["missing"]) for metric in of_lists or self.metrics))

    @cached_property
    def depth(self) -> int | None:
        """The deepest cutoff of the metrics; None where any metric looks at whole lists."""
        cutoffs = {metric.values["k"] for metric in self.metrics if "k" in metric.values}
        return None if None in cutoffs else max((cutoff for cutoff in cutoffs if isinstance(cutoff, int)), default=None)

    @property
    def columns(self) -> list[str]:
        """The columns of the summary that hold metrics."""
        return [
            name
            for metric in self.metrics
            for name in (
                [metric.label] if metric.is_run else [aggregate.label(metric.label) for aggregate in self.aggregates]
            )
        ]

    def headings(self, counts: Iterable[str]) -> list[str]:
        """The columns of the summary after those of `by`; a count is renamed where `by` has a column of its name."""
        return [N_LISTS, *self.columns, *(free_name(count, self.layout.by) for count in counts)]

    def columns_of(self, id_name: str) -> list[str]:
        """The columns that an id of the SQL files stands for, as the user calls them."""
        layout = self.layout
        of: dict[str, Iterable[str]] = {
            "list_id": layout.lists,
            "truth_id": layout.truth_lists,
            "system_id": layout.systems,
            "partition_id": layout.partitions,
            "by_id": layout.by,
            **{f"{name}_id": side.lists for name, side in layout.extras.items()},
        }
        return list(of.get(id_name, ()))

    def inside(self, id_name: str) -> list[str]:
        """The columns that an id stands for, as they are called inside the query."""
        return [unnamed(name) for name in self.columns_of(id_name)]

    def cte(self, name: str) -> str:
        """The name of a step of the query: another where a table of the user's has the name."""
        while name.lower() in self._taken:
            name = f"{name}_"
        return name

    @cached_property
    def _taken(self) -> frozenset[str]:
        tables = (table for table in self.tables.values() if isinstance(table, exp.Table) and table.name)
        return self.taken | {table.name.lower() for table in tables}


@dataclass(frozen=True)
class StageKey:
    """A stage under the settings that it reads: metrics that agree on both share the stage."""

    stage: str
    settings: tuple[tuple[str, Setting | None], ...] = ()

    @property
    def name(self) -> str:
        """The name of its step: `hits`, `hits_rel_4`."""
        label = spell(
            self.stage, {name: value for name, value in self.settings if value != catalog().default(name)}, None
        )
        return re.sub(r"\W+", "_", label.replace("=-", "=minus ")).strip("_")

    @property
    def file(self) -> str:
        """The stage without the variant that `lists.zero` names."""
        return self.stage.partition(".")[0]


def key_of(stage: str, values: Settings) -> StageKey:
    """A stage under those of some settings that it reads, the rest by default."""
    read = sorted(catalog().stage_parameters(stage))
    return StageKey(stage, tuple((name, values[name] if name in values else catalog().default(name)) for name in read))


@dataclass(frozen=True)
class Reading:
    """What is read of a stage.

    Attributes:
        columns: the columns, without ids.
        depth: the deepest rank of the recommendations that any reader needs; None for whole lists.
        within: the rank at which every reader of the stage's own rows stops; None where a reader goes on.
    """

    columns: frozenset[str] = frozenset()
    depth: int | None = 0
    within: int | None = 0

    @property
    def columns_in_words(self) -> str:
        """The columns that are read, as a text."""
        return ", ".join(sorted(self.columns)) or "ids alone"

    @property
    def depth_in_words(self) -> str:
        """How deep the recommendations are read, as a text."""
        return "whole lists" if self.depth is None else f"ranks 1 to {self.depth}"

    def __or__(self, other: Reading) -> Reading:
        return Reading(
            self.columns | other.columns, _deeper(self.depth, other.depth), _deeper(self.within, other.within)
        )


def _deeper(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else max(one, other)


@dataclass(frozen=True)
class Cte:
    """A step of the query: a SELECT under a name.

    Attributes:
        name: the name of the step.
        select: its SELECT. It is never edited: whoever changes it takes a copy.
        reads: the names of the stages that it reads.
        comment: what a reader of the SQL is told.
        kept: whether the engine is to keep the rows for all readers: True, False, or None where the engine decides.
        within: the rank at which every reader stops; None where a reader goes on.
        n_parts: in how many parts the engine sorts the input that the step ranks.
    """

    name: str
    select: exp.Query
    reads: tuple[str, ...] = ()
    comment: str = ""
    kept: bool | None = None
    within: int | None = None
    n_parts: int = 1


@dataclass(frozen=True)
class Steps:
    """The stages of a query as steps.

    Attributes:
        ctes: the steps by their names.
    """

    ctes: Mapping[str, Cte]

    def __str__(self) -> str:
        """A line for each step with the steps that it reads."""
        return "\n".join(f"{name} reads {', '.join(cte.reads) or 'no other step'}" for name, cte in self.ctes.items())

    def down_to(self, name: str) -> list[Cte]:
        """A step after everything that it reads."""
        seen: dict[str, Cte] = {}

        def walk(name: str) -> None:
            if name not in seen and name in self.ctes:
                for read in self.ctes[name].reads:
                    if read not in seen:
                        walk(read)
                seen[name] = self.ctes[name]

        walk(name)
        return list(seen.values())


@dataclass(frozen=True)
class Query:
    """A whole query, or a statement made of one, with what a pass may need to know of it.

    Attributes:
        select: the query or statement.
        question: what the query answers.
        stages: the stages of the plan as steps, by their names.
    """

    select: exp.Expr
    question: Question
    stages: Mapping[str, Cte] = field(default_factory=dict)


def once(ctes: Iterable[Cte]) -> list[Cte]:
    """Each step once, where it comes first."""
    found: dict[str, Cte] = {}
    for cte in ctes:
        found.setdefault(cte.name, cte)
    return list(found.values())
