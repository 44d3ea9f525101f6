"""The catalogue: every definition of sql/ by name, and the user's own metrics.

What depends on what is found by parsing, never declared: the parameters of a metric are those that its SELECT reads,
those of the metrics and stages that it is made of, and those of their choices.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, cached_property

from rankmetrics import tree
from rankmetrics._files import sql_folder
from rankmetrics.definition import FOLDERS, Definition, Kind, Parameter, parameter_of, read
from rankmetrics.errors import MetricError, did_you_mean, names, plain

# Bound by the plan, not by whoever asks for a metric: how deep a stage must go, and the policies.
PLANNED = frozenset({"deepest", "place"})

# What a summary calls the number of lists: no metric may be called so.
N_LISTS = "n_lists"


class Catalog:
    """Every definition, by kind and name."""

    def __init__(self, definitions: Mapping[tuple[Kind, str], Definition]) -> None:
        self._definitions = dict(definitions)
        self._spellings: dict[str, str] = {}
        for definition in self.metrics():
            self._spell(definition)
        self._parameters: dict[tuple[str, str], Parameter | None] = {}
        self._accepted: dict[str, dict[str, Parameter]] = {}
        self._stage_parameters: dict[str, set[str]] = {}

    def _spell(self, definition: Definition) -> None:
        for spelling in (definition.name, *definition.aliases):
            self._spellings[plain(spelling)] = definition.name

    def metrics(self) -> list[Definition]:
        """The metrics that can be asked for, by name."""
        return [one for (kind, _), one in sorted(self._definitions.items()) if kind == "metric"]

    def all(self, kind: Kind) -> list[Definition]:
        """Every definition of a kind, in the order of the files' names."""
        return [one for (of, _), one in self._definitions.items() if of == kind]

    def metric(self, spelling: str) -> Definition:
        """The metric that is called so, under its name or an alias, whatever the case.

        Raises:
            MetricError: no metric is called so; the nearest names are given.
        """
        name = self._spellings.get(plain(spelling))
        if name is None:
            known = {one for metric in self.metrics() for one in (metric.name, *metric.aliases)}
            raise MetricError(
                f"There is no metric {spelling!r}.{did_you_mean(spelling, known)} "
                "rm.list_metrics() and `rankmetrics metrics` list them all."
            )
        return self._definitions["metric", name]

    def column(self, name: str) -> Definition | None:
        """The metric or part that a column of `metrics` names."""
        return self._definitions.get(("metric", name)) or self._definitions.get(("part", name))

    @cached_property
    def optional(self) -> frozenset[str]:
        """The parameters that may be left unbound."""
        shared = (one for one in self.all("parameter") if "." not in one.name)
        return frozenset({"deepest", *(one.name for one in shared if self.shared(one.name).default is None)})

    def stage(self, name: str) -> Definition | None:
        """A stage, or a variant of it (`lists.zero`)."""
        return self._definitions.get(("stage", name))

    def is_stage(self, name: str) -> bool:
        """Whether a table is a stage, be it one that has variants only."""
        return any(kind == "stage" and one.partition(".")[0] == name for kind, one in self._definitions)

    def policy(self, name: str) -> Parameter:
        """A choice that holds for a whole evaluation."""
        return parameter_of(self._definitions["policy", name], name)

    def parameter(self, metric: str, name: str) -> Parameter | None:
        """A parameter of a metric: its own if it has a file for it, else the one that all share."""
        if (metric, name) not in self._parameters:
            own = self._definitions.get(("parameter", f"{metric}.{name}"))
            shared = self._definitions.get(("parameter", name))
            found = own or shared
            self._parameters[metric, name] = parameter_of(found, name, own=own is not None) if found else None
        return self._parameters[metric, name]

    def parameters(self, metric: str) -> dict[str, Parameter]:
        """Every parameter that a metric takes, those of what it is made of among them; `k` last."""
        if metric not in self._accepted:
            found = dict(self._walk(metric))
            self._accepted[metric] = {name: found[name] for name in sorted(found, key=lambda name: (name == "k", name))}
        return self._accepted[metric]

    def _walk(self, metric: str) -> Iterator[tuple[str, Parameter]]:
        definition = self.column(metric)
        assert definition is not None
        names_read = set(tree.placeholders(definition.select))
        columns = tree.columns_read(definition.select) if definition.reads == "metrics" else set()
        queue, seen = sorted(names_read), set(names_read)
        for name in queue:
            parameter = self.parameter(metric, name)
            if parameter is None:
                raise MetricError(f"Metric {metric!r} reads ${name}, and no file of sql/parameters says what that is.")
            yield name, parameter
            for expression in parameter.expressions.values():
                more = tree.placeholders(expression) - seen
                seen |= more
                queue.extend(sorted(more))
                if definition.reads == "metrics":
                    columns |= tree.columns_read(expression)
        for column in sorted(columns):
            yield from ((name, one) for name, one in self._walk(column) if not one.own)
        if definition.reads != "metrics":
            yield from ((name, self.shared(name)) for name in sorted(self.stage_parameters(definition.reads)))

    def shared(self, name: str) -> Parameter:
        """A parameter that all share."""
        parameter = self.parameter("", name)
        assert parameter is not None, name
        return parameter

    def default(self, name: str) -> str | float | int | None:
        """The value of a shared parameter that nobody gave."""
        return self.shared(name).default

    def stage_parameters(self, stage: str) -> set[str]:
        """The parameters that a stage and the stages below it read, those that the plan binds left out."""
        if stage not in self._stage_parameters:
            self._stage_parameters[stage] = self._read_by(stage)
        return self._stage_parameters[stage]

    def _read_by(self, stage: str) -> set[str]:
        definition = self.stage(stage)
        if definition is None:
            return set()
        below = [self.stage_parameters(table) for table in tree.tables_read(definition.select) if table != stage]
        read = tree.placeholders(definition.select) - PLANNED
        behind = [tree.placeholders(one) for name in read for one in self.shared(name).expressions.values()]
        return read.union(*behind, *below)

    def define(self, definition: Definition) -> Definition:
        """Take in a metric of the user's own, in place of an earlier one of that name.

        Raises:
            MetricError: it is not one SELECT of one named expression from a stage or from `metrics`, it reads
                something that is not there, or its name is taken.
        """
        name = definition.name
        self._check(definition)
        if ("metric", name) in _builtin() or ("part", name) in _builtin():
            raise MetricError(f"{name!r} is a metric of rankmetrics already: give yours another name.")
        for spelling in (name, *definition.aliases):
            owner = self._spellings.get(plain(spelling), name)
            if owner != name and ("metric", owner) in _builtin():
                raise MetricError(f"{spelling!r} is a metric of rankmetrics already: give yours another name.")
            if owner != name:
                raise MetricError(f"{spelling!r} is what {owner!r} is called already: give yours another name.")
        before = dict(self._definitions), dict(self._spellings)
        self._spellings = {one: owner for one, owner in self._spellings.items() if owner != name}
        self._definitions["metric", name] = definition
        self._spell(definition)
        self._accepted.clear()
        self._parameters.clear()
        try:
            self._refuse_circle(definition)
            self.parameters(name)
        except MetricError:
            self._definitions, self._spellings = before
            raise
        return definition

    def _refuse_circle(self, definition: Definition) -> None:
        """Refuse a metric that is made of itself."""
        seen: set[str] = set()
        waiting = [definition]
        while waiting:
            one = waiting.pop()
            read = tree.columns_read(one.select) if one.reads == "metrics" else set()
            if definition.name in read:
                raise MetricError(f"Metric {definition.name!r} is made of itself, by way of {one.name!r}.")
            waiting += [found for name in read - seen if (found := self.column(name)) is not None]
            seen |= read

    def _check(self, definition: Definition) -> None:
        select, name = definition.select, definition.name
        if len(select.expressions) != 1 or not select.expressions[0].alias:
            raise MetricError("A metric is one SELECT of one expression with a name: SELECT ... AS name.")
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
            raise MetricError(f"A metric's name is letters, digits and underscores: {name!r} is not.")
        if name.lower() == N_LISTS:
            raise MetricError(f"A summary has a column {N_LISTS!r} already: give your metric another name.")
        parts = {key for key, value in select.args.items() if value and key not in ("expressions", "from_", "where")}
        if "from_" not in select.args or parts - {"kind", "hint", "operation_modifiers"}:
            raise MetricError(f"Metric {name!r} must be SELECT ... FROM one stage or metrics, with at most a WHERE.")
        if definition.reads == "metrics":
            known = {one.name for one in (*self.all("metric"), *self.all("part"))}
            what = "metrics"
        else:
            stage = self.stage(definition.reads)
            if stage is None:
                stages = {one.name for one in self.all("stage") if _holds_lists(one)}
                raise MetricError(
                    f"Metric {name!r} reads {definition.reads!r}, which is neither metrics nor a stage: those are "
                    f"{names(sorted(stages))}.{did_you_mean(definition.reads, stages)}"
                )
            known, what = set(tree.outputs(stage.select)), f"stage {definition.reads!r}"
            if not _holds_lists(stage):
                raise MetricError(f"Metric {name!r} reads {what}, whose rows belong to no list.")
        loose = tree.columns_read(tree.without_aggregates(definition.expression)) if what != "metrics" else set()
        for column in sorted(loose):
            raise MetricError(
                f"Metric {name!r} must say what it makes of {column!r} of many rows: COUNT, SUM, MIN, MAX."
            )
        for column in sorted(tree.columns_read(select) - known):
            raise MetricError(f"Metric {name!r} reads {column!r}, which is not in {what}.{did_you_mean(column, known)}")


def _holds_lists(stage: Definition) -> bool:
    """Whether a metric may be taken from a stage."""
    return "." not in stage.name and bool(set(tree.outputs(stage.select)) & {"list_id", "truth_id"})


@cache
def catalog() -> Catalog:
    """The catalogue of sql/, read once, and what the user has defined since."""
    return Catalog(_builtin())


@cache
def _builtin() -> dict[tuple[Kind, str], Definition]:
    found: dict[tuple[Kind, str], Definition] = {}
    for kind, folder in FOLDERS.items():
        for path in sorted((sql_folder() / folder).glob("*.sql")):
            found[kind, path.stem] = read(path.read_text(encoding="utf-8"), path.name, kind, path.stem)
    return found
