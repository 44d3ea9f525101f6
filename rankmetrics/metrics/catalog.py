"""The catalogue: every definition of sql/ by name, and the user's own metrics.

What depends on what is found by parsing, never declared: the parameters of a metric are those that its SELECT reads,
those of the metrics and stages that it is made of, and those of their choices.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property

from rankmetrics.errors import MetricError, did_you_mean, names, plain
from rankmetrics.inputs.sources import EMBEDDINGS, EXTRAS, NEEDED
from rankmetrics.metrics.definition import Definition, Kind, Parameter, parameter_of
from rankmetrics.metrics.sql_files import builtin
from rankmetrics.sqltree import tree

# Bound by the plan, not by whoever asks for a metric: how deep a stage must go, the score one rank above.
PLANNED = frozenset({"deepest", "score_above"})

# The kinds of what can be asked for: numbers of a list, and of a system.
ASKED: tuple[Kind, ...] = ("metric", "run")

# Policies that bear on every number of a list, whatever it is made of: the rest are found by parsing.
ON_LISTS = ("missing", "undefined", "enough")

# What a summary calls the number of lists: no metric may be called so.
N_LISTS = "n_lists"

# What a file reads that is made of numbers: those of each list, and those of each system.
METRICS, RUNS = "metrics", "runs"

# The stage of those lists that the metrics asked for are taken over: which, the plan knows.
LISTS = "lists"


class Catalog:
    """Every definition, by kind and name."""

    def __init__(self, definitions: Mapping[tuple[Kind, str], Definition]) -> None:
        self._definitions = dict(definitions)
        self._spellings: dict[str, str] = {}
        for definition in self.metrics():
            self._spell(definition)
        self._parameters: dict[tuple[str, str], Parameter | None] = {}
        self._accepted: dict[str, dict[str, Parameter]] = {}
        self._settable: dict[tuple[str, str], dict[str, Parameter]] = {}
        self._stage_parameters: dict[str, set[str]] = {}
        self.edition = 0  # counts what the user has defined: what was planned before may not hold any more

    def _spell(self, definition: Definition) -> None:
        for spelling in (definition.name, *definition.aliases):
            self._spellings[plain(spelling)] = definition.name

    def metrics(self) -> list[Definition]:
        """The metrics that can be asked for, by name: those of a list and those of a system."""
        return sorted((one for (kind, _), one in self._definitions.items() if kind in ASKED), key=lambda one: one.name)

    def all(self, kind: Kind) -> list[Definition]:
        """Every definition of a kind, in the order of the files' names."""
        return [one for (of, _), one in self._definitions.items() if of == kind]

    def definition(self, kind: Kind, name: str) -> Definition:
        """The definition of a kind that is called so."""
        return self._definitions[kind, name]

    def name(self, spelling: str) -> str | None:
        """The name of the metric that is called so, under its name or an alias, whatever the case; None if none is."""
        return self._spellings.get(plain(spelling))

    def is_own(self, name: str) -> bool:
        """Whether a metric is one that the user has defined."""
        return not any((kind, name) in builtin() for kind in ASKED)

    def metric(self, spelling: str) -> Definition:
        """The metric that is called so, under its name or an alias, whatever the case.

        Raises:
            MetricError: no metric is called so; the nearest names are given.
        """
        name = self.name(spelling)
        if name is None:
            known = {one for metric in self.metrics() for one in (metric.name, *metric.aliases)}
            raise MetricError(
                f"There is no metric {spelling!r}.{did_you_mean(spelling, known)} "
                "rm.list_metrics() and `rankmetrics metrics` list them all."
            )
        return self._definitions.get(("metric", name)) or self._definitions["run", name]

    def column(self, name: str) -> Definition | None:
        """The metric or part that a column of `metrics` names."""
        return self._definitions.get(("metric", name)) or self._definitions.get(("part", name))

    def run_column(self, name: str) -> Definition | None:
        """The number of a system that a column of `runs` names."""
        return self._definitions.get(("run", name)) or self._definitions.get(("run part", name))

    def child(self, reads: str, name: str) -> Definition | None:
        """What a column of `metrics` or of `runs` names."""
        return self.run_column(name) if reads == RUNS else self.column(name)

    @cached_property
    def optional(self) -> frozenset[str]:
        """The parameters that may be left unbound."""
        shared = (one for one in self.all("parameter") if "." not in one.name and "NULL" in one.text)  # few are parsed
        return frozenset({"deepest", *(one.name for one in shared if self.shared(one.name).default is None)})

    def is_stage(self, name: str) -> bool:
        """Whether a table is a stage, be it one that has variants only."""
        return name in self._variants

    def variants(self, stage: str) -> Mapping[str, Definition]:
        """The files of a stage: its own under "", its variants under their names."""
        return self._variants[stage]

    @cached_property
    def _variants(self) -> dict[str, dict[str, Definition]]:
        found: dict[str, dict[str, Definition]] = {}
        for one in self.all("stage"):
            stage, _, variant = one.name.partition(".")
            found.setdefault(stage, {})[variant] = one
        return found

    def policy_of(self, stage: str) -> str | None:
        """The policy, or parameter, that decides between a stage's variants, as their headers say."""
        settings = (
            each.words[0] for one in self._variants[stage].values() for each in one.when if each.form == "setting"
        )
        return next(settings, None)

    def parameter(self, metric: str, name: str) -> Parameter | None:
        """A parameter of a metric: its own if it has a file for it, else the one that all share, be it a policy."""
        if (metric, name) not in self._parameters:
            own = self._definitions.get(("parameter", f"{metric}.{name}"))
            shared = self._definitions.get(("parameter", name)) or self._definitions.get(("policy", name))
            found = own or shared
            self._parameters[metric, name] = parameter_of(found, name, own=own is not None) if found else None
        return self._parameters[metric, name]

    def parameters(self, metric: str) -> dict[str, Parameter]:
        """Every parameter that a number is computed by, those of what it is made of among them; `k` last."""
        if metric not in self._accepted:
            definition = self.column(metric) or self.run_column(metric)
            assert definition is not None, metric
            found = dict(self._walk(definition))
            self._accepted[metric] = {name: found[name] for name in sorted(found, key=lambda name: (name == "k", name))}
        return self._accepted[metric]

    def own_parameters(self, metric: str) -> dict[str, Parameter]:
        """The parameters that are worth a mention for a metric: policies, which all have, left out."""
        return {name: one for name, one in self.parameters(metric).items() if not one.policy}

    def numbers_read(self, definition: Definition, *, by_default: bool = False) -> set[str]:
        """The numbers that another is made of, by whatever choices of its parameters, or by the default ones."""
        if definition.reads not in (METRICS, RUNS):
            return set()
        read, queue = tree.columns_read(definition.select), sorted(tree.placeholders(definition.select))
        for name in queue:
            parameter = self.parameter(definition.name, name)
            expressions = parameter.expressions if parameter and not parameter.policy else {}
            for choice, expression in expressions.items():
                if not by_default or parameter is None or choice == parameter.default:
                    read |= tree.columns_read(expression)
                    queue += sorted(tree.placeholders(expression) - {*queue})
        return read

    def is_of_lists(self, run: str) -> bool:
        """Whether a number of a system is made, by whatever way, of numbers of its lists."""
        definition = self.run_column(run)
        if definition is None or definition.reads == METRICS:
            return definition is not None
        return any(self.is_of_lists(one) for one in self.numbers_read(definition))

    def needs(self, metric: str) -> list[str]:
        """The inputs beside recommendations and truth that a metric needs, each with the column if it needs one.

        `history or items: popularity` means that either does.
        """
        waiting, seen, stages = [self.column(metric) or self.run_column(metric)], set(), set()
        while waiting:
            one = waiting.pop()
            assert one is not None, metric
            if one.name in seen:
                continue
            seen.add(one.name)
            if one.reads not in (METRICS, RUNS):
                stages.add(one.reads)
            read = sorted(self.numbers_read(one, by_default=True))
            waiting += [child for name in read if (child := self.child(one.reads, name)) is not None]
        return sorted(set().union(*(self._needs_of(stage) for stage in stages)))

    def _needs_of(self, stage: str) -> set[str]:
        """What a stage needs, and those below it."""
        files = self._variants[stage]
        policy = self.policy_of(stage)
        if policy is not None and "" not in files:
            files = {"": files[str(self.shared(policy).default)]}
        direct, below = [], set()
        for name, one in files.items():
            tables = tree.tables_read(one.select)
            roles = sorted(tree.columns_read(one.select) & NEEDED)
            found = [f"{one}{f': {roles[0]}' if roles and one == 'items' else ''}" for one in tables if one in EXTRAS]
            found += [f"items: {roles[0]}" for table in tables if table == EMBEDDINGS]
            under = set().union(*(self._needs_of(table) for table in tables if self.is_stage(table) and table != stage))
            if len(files) > 1 and ("" not in files or name in EXTRAS or any(n in EXTRAS for n in files)):
                direct += [*found, *sorted(under)]
            else:
                below |= {*found, *under}
        return below | ({" or ".join(dict.fromkeys(direct))} if direct else set())

    def accepted(self, metric: str, enough: str = "any") -> dict[str, Parameter]:
        """Every parameter that can be set where a metric is asked for.

        Those are its own, what is decided of its lists, and what it takes to tell whether a list has enough.
        """
        if (metric, enough) not in self._settable:
            self._settable[metric, enough] = self._settable_of(metric, enough)
        return self._settable[metric, enough]

    def _settable_of(self, metric: str, enough: str) -> dict[str, Parameter]:
        known = {**self._on_lists, **self.parameters(metric)}
        if self.column(metric) is None:  # a number of a system is not one of lists that have too little
            return {name: one for name, one in known.items() if name not in self._of_enough}
        chosen = self.shared("enough").expressions.get(enough)
        told = [self.parameters(column) for column in sorted(tree.columns_read(chosen))] if chosen is not None else []
        missing = {name: one for parameters in told for name, one in parameters.items() if name not in {*known, "k"}}
        return {**missing, **known}

    @cached_property
    def _of_enough(self) -> set[str]:
        """The policy that tells whether a list has enough, and its own parameters."""
        expressions = self.shared("enough").expressions.values()
        return {"enough"}.union(*(tree.placeholders(one) - {"k"} for one in expressions))

    @cached_property
    def _on_lists(self) -> dict[str, Parameter]:
        found: dict[str, Parameter] = {}
        queue = list(ON_LISTS)
        for name in queue:
            found[name] = self.shared(name)
            for expression in found[name].expressions.values():
                queue += sorted(tree.placeholders(expression) - {"k", *queue})
        return found

    def _walk(self, definition: Definition) -> Iterator[tuple[str, Parameter]]:
        queue = sorted(tree.placeholders(definition.select))
        for name in queue:
            parameter = self.parameter(definition.name, name)
            if parameter is None:
                raise MetricError(
                    f"Metric {definition.name!r} reads ${name}, and no file of sql/parameters says what that is."
                )
            yield name, parameter
            for expression in parameter.expressions.values():
                queue += sorted(tree.placeholders(expression) - {*queue})
        for column in sorted(self.numbers_read(definition)):
            if child := self.child(definition.reads, column):
                yield from ((name, one) for name, one in self._walk(child) if not one.own)
        if definition.reads not in (METRICS, RUNS):
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
            self._stage_parameters[stage] = self._read_by(stage) if self.is_stage(stage) else set()
        return self._stage_parameters[stage]

    def _read_by(self, stage: str) -> set[str]:
        found: set[str] = set()
        if stage == LISTS:
            return found
        for one in self._variants[stage].values():
            read = tree.placeholders(one.select) - PLANNED
            for name in read:
                for expression in self.shared(name).expressions.values():
                    found |= tree.placeholders(expression)
            found |= read.union(
                *(self.stage_parameters(table) for table in tree.tables_read(one.select) if table != stage)
            )
        policy = self.policy_of(stage)
        return found | ({policy} if policy else set())

    def define(self, definition: Definition) -> Definition:
        """Take in a metric of the user's own, in place of an earlier one of that name.

        Raises:
            MetricError: it is not one SELECT of one named expression from a stage or from `metrics`, it reads
                something that is not there, or its name is taken.
        """
        name = definition.name
        self._check(definition)
        definition = replace(definition, kind=_kind(definition))
        if any((kind, name) in builtin() for kind in ("metric", "part", "run", "run part")):
            raise MetricError(f"{name!r} is a metric of rankmetrics already: give yours another name.")
        for spelling in (name, *definition.aliases):
            owner = self._spellings.get(plain(spelling), name)
            if owner != name and any((kind, owner) in builtin() for kind in ASKED):
                raise MetricError(f"{spelling!r} is a metric of rankmetrics already: give yours another name.")
            if owner != name:
                raise MetricError(f"{spelling!r} is what {owner!r} is called already: give yours another name.")
        before = dict(self._definitions), dict(self._spellings)
        self._spellings = {one: owner for one, owner in self._spellings.items() if owner != name}
        self._definitions.pop(("run" if definition.kind == "metric" else "metric", name), None)
        self._definitions[definition.kind, name] = definition
        self._spell(definition)
        self._accepted.clear()
        self._settable.clear()
        self._parameters.clear()
        try:
            self._refuse_circle(definition)
            self.parameters(name)
        except MetricError:
            self._definitions, self._spellings = before
            raise
        self.edition += 1
        return definition

    def _refuse_circle(self, definition: Definition) -> None:
        """Refuse a metric that is made of itself."""
        seen: set[str] = set()
        waiting = [definition]
        while waiting:
            one = waiting.pop()
            read = tree.columns_read(one.select) if one.reads in (METRICS, RUNS) else set()
            if definition.name in read:
                raise MetricError(f"Metric {definition.name!r} is made of itself, by way of {one.name!r}.")
            waiting += [found for name in read - seen if (found := self.child(one.reads, name)) is not None]
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
        what = definition.reads
        if what in (METRICS, RUNS):
            kinds: tuple[Kind, ...] = ("metric", "part") if what == METRICS else ("run", "run part")
            known = {one.name for kind in kinds for one in self.all(kind)}
        else:
            stages = {one: self._variants[one] for one in self._variants if self._holds_lists(one)}
            if what not in self._variants:
                raise MetricError(
                    f"Metric {name!r} reads {what!r}, which is neither metrics nor a stage: those are "
                    f"{names(sorted(stages))}.{did_you_mean(what, stages)}"
                )
            known, what = self.outputs(what), f"stage {what!r}"
            if definition.reads not in stages:
                raise MetricError(f"Metric {name!r} reads {what}, whose rows belong to no list.")
        is_loose = definition.reads not in (METRICS, RUNS) or (
            _kind(definition) == "run" and definition.reads == METRICS
        )
        loose = tree.columns_read(tree.without_aggregates(definition.expression)) if is_loose else set()
        for column in sorted(loose):
            raise MetricError(
                f"Metric {name!r} must say what it makes of {column!r} of many rows: COUNT, SUM, MIN, MAX."
            )
        for column in sorted(tree.columns_read(select) - known):
            raise MetricError(f"Metric {name!r} reads {column!r}, which is not in {what}.{did_you_mean(column, known)}")

    def outputs(self, stage: str) -> set[str]:
        """The columns that every variant of a stage returns."""
        return set.intersection(*(set(tree.outputs(one.select)) for one in self._variants[stage].values()))

    def _holds_lists(self, stage: str) -> bool:
        """Whether a metric may be taken from a stage."""
        own = self._variants[stage].get("") or next(iter(self._variants[stage].values()))
        return stage != LISTS and bool(set(tree.outputs(own.select)) & (set(tree.IDS) - {"system_id", tree.FOLD}))


def _kind(definition: Definition) -> Kind:
    """Whether a definition is of one number per list or of one per system."""
    of_lists = definition.reads == METRICS and tree.has_aggregates(definition.expression)
    return "run" if of_lists or definition.reads == RUNS else "metric"


@cache
def catalog() -> Catalog:
    """The catalogue of sql/, read once, and what the user has defined since."""
    return Catalog(builtin())
