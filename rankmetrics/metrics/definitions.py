"""Every definition of sql/ by name: metrics under all their spellings, stages with their variants, parameters."""

from __future__ import annotations

from collections.abc import Mapping

from rankmetrics.errors import MetricError, did_you_mean, plain
from rankmetrics.metrics.definition import Definition, Kind
from rankmetrics.metrics.parameter import Parameter, read_parameter
from rankmetrics.metrics.sql_files import builtin
from rankmetrics.sqltree import tree

# The kinds of metrics that a caller may request: a number of each list, and a number of each system.
REQUESTED: tuple[Kind, ...] = ("metric", "run")

# The tables that a metric reads which is an expression over other metrics: of each list, and of each system.
METRICS, RUNS = "metrics", "runs"

# The stage of the lists over which the requested metrics are averaged; the planner builds it.
LISTS = "lists"


class Definitions:
    """The definitions, by kind and name."""

    def __init__(self, definitions: Mapping[tuple[Kind, str], Definition]) -> None:
        self._definitions = dict(definitions)
        self._spellings: dict[str, str] = {}
        self._parameters: dict[tuple[str, str], Parameter | None] = {}
        self._variants: dict[str, dict[str, Definition]] = {}
        for definition in self.metrics():
            self._add_spellings(definition)
        for definition in self.all("stage"):
            stage, _, variant = definition.name.partition(".")
            self._variants.setdefault(stage, {})[variant] = definition

    def _add_spellings(self, definition: Definition) -> None:
        for spelling in (definition.name, *definition.aliases):
            self._spellings[plain(spelling)] = definition.name

    def all(self, kind: Kind) -> list[Definition]:
        """Every definition of a kind, in the order of the files' names."""
        return [definition for (of, _), definition in self._definitions.items() if of == kind]

    def definition(self, kind: Kind, name: str) -> Definition:
        """The definition with this kind and name."""
        return self._definitions[kind, name]

    # --- metrics ------------------------------------------------------------------------------------------------------

    def metrics(self) -> list[Definition]:
        """The metrics that a caller may request, by name: those of lists and those of systems."""
        found = (definition for (kind, _), definition in self._definitions.items() if kind in REQUESTED)
        return sorted(found, key=lambda definition: definition.name)

    def name(self, spelling: str) -> str | None:
        """The name of the metric with this name or alias, in any case; None if there is no such metric."""
        return self._spellings.get(plain(spelling))

    def metric(self, spelling: str) -> Definition:
        """The metric with this name or alias, in any case.

        Raises:
            MetricError: there is no such metric; the nearest names are given.
        """
        name = self.name(spelling)
        if name is None:
            known = {spelling for metric in self.metrics() for spelling in (metric.name, *metric.aliases)}
            raise MetricError(
                f"There is no metric {spelling!r}.{did_you_mean(spelling, known)} "
                "rm.list_metrics() and `rankmetrics metrics` list them all."
            )
        return self._definitions.get(("metric", name)) or self._definitions["run", name]

    def is_own(self, name: str) -> bool:
        """Whether the user has defined this metric."""
        return not any((kind, name) in builtin() for kind in REQUESTED)

    def column(self, name: str) -> Definition | None:
        """The metric or part that a column of `metrics` names."""
        return self._definitions.get(("metric", name)) or self._definitions.get(("part", name))

    def run_column(self, name: str) -> Definition | None:
        """The metric or part of a system that a column of `runs` names."""
        return self._definitions.get(("run", name)) or self._definitions.get(("run part", name))

    def child(self, reads: str, name: str) -> Definition | None:
        """The metric or part that a column of `metrics` or of `runs` names."""
        return self.run_column(name) if reads == RUNS else self.column(name)

    def expected(self, name: str) -> Definition | None:
        """The mean of a metric or part over all orders of equal scores: its file of sql/expected, if it has one."""
        return self._definitions.get(("expected", name))

    # --- stages -------------------------------------------------------------------------------------------------------

    def is_stage(self, name: str) -> bool:
        """Whether a table is a stage; some stages have variants only."""
        return name in self._variants

    def stages(self) -> list[str]:
        """The names of all stages."""
        return list(self._variants)

    def variants(self, stage: str) -> Mapping[str, Definition]:
        """The files of a stage: the stage's own file under "", its variants under their names."""
        return self._variants[stage]

    def policy_of(self, stage: str) -> str | None:
        """The policy, or parameter, whose setting chooses between a stage's variants, as their headers say."""
        conditions = (condition for file in self._variants[stage].values() for condition in file.when)
        return next((condition.words[0] for condition in conditions if condition.form == "setting"), None)

    def columns_of(self, table: str) -> set[str]:
        """The columns that a metric may read of `metrics`, `runs` or a stage; none of any other table."""
        kinds: Mapping[str, tuple[Kind, ...]] = {METRICS: ("metric", "part"), RUNS: ("run", "run part")}
        if table in kinds:
            return {definition.name for kind in kinds[table] for definition in self.all(kind)}
        return self.outputs(table) if self.is_stage(table) else set()

    def outputs(self, stage: str) -> set[str]:
        """The columns that every variant of a stage returns."""
        return set.intersection(*(set(tree.outputs(file.select)) for file in self._variants[stage].values()))

    def has_lists(self, stage: str) -> bool:
        """Whether a stage's rows belong to lists, so that a metric may aggregate them."""
        own = self._variants[stage].get("") or next(iter(self._variants[stage].values()))
        of_systems = {"system_id", "partition_id", tree.FOLD}
        return stage != LISTS and bool({*tree.outputs(own.select)} & ({*tree.IDS} - of_systems))

    # --- parameters ---------------------------------------------------------------------------------------------------

    def parameter(self, metric: str, name: str) -> Parameter | None:
        """A parameter of a metric: from the metric's own file if there is one, else the shared parameter or policy."""
        if (metric, name) not in self._parameters:
            own = self._definitions.get(("parameter", f"{metric}.{name}"))
            shared = self._definitions.get(("parameter", name)) or self._definitions.get(("policy", name))
            found = own or shared
            self._parameters[metric, name] = read_parameter(found, name, own=own is not None) if found else None
        return self._parameters[metric, name]

    def shared(self, name: str) -> Parameter:
        """A parameter that belongs to no metric alone."""
        parameter = self.parameter("", name)
        assert parameter is not None, name
        return parameter

    def default(self, name: str) -> str | float | int | None:
        """The default value of a shared parameter."""
        return self.shared(name).default
