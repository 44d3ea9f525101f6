"""The catalogue: every definition by name, the inputs and parameters that each metric needs, and the user's metrics.

A metric's parameters are found by parsing, and declared nowhere: they are the parameters that its SELECT reads, and
those of the metrics, stages and choices that the SELECT is made of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property

from rankmetrics.errors import MetricError
from rankmetrics.inputs.sources import EMBEDDINGS, EXTRAS, NEEDED
from rankmetrics.metrics.definition import Definition, Kind
from rankmetrics.metrics.definition_checks import N_LISTS as N_LISTS
from rankmetrics.metrics.definition_checks import check_name, check_no_circle, check_select, find_kind
from rankmetrics.metrics.definitions import LISTS as LISTS
from rankmetrics.metrics.definitions import METRICS as METRICS
from rankmetrics.metrics.definitions import RUNS as RUNS
from rankmetrics.metrics.definitions import Definitions
from rankmetrics.metrics.parameter import Parameter
from rankmetrics.metrics.renamed import with_present_names
from rankmetrics.metrics.sql_files import builtin
from rankmetrics.sqltree import tree

# The planner sets these parameters, a caller cannot. They are the deepest rank that a stage reads, the score of the
# item one rank above, the number of negatives that are drawn for a list, and the seed of the draw.
PLANNED = frozenset({"deepest", "score_above", "n_sampled", "seed"})

# The policies that bear on every metric of a list; whether another policy bears on a metric is found by parsing.
POLICIES_OF_LISTS = ("missing", "undefined", "enough")


class Catalog(Definitions):
    """Every definition, and for each metric what it is made of."""

    def __init__(self, definitions: Mapping[tuple[Kind, str], Definition]) -> None:
        super().__init__(definitions)
        self._parameters_of: dict[str, dict[str, Parameter]] = {}
        self._accepted: dict[tuple[str, str], dict[str, Parameter]] = {}
        self._stage_parameters: dict[str, set[str]] = {}
        self.edition = 0  # counts the user's definitions: a plan made before the last of them may be wrong now

    # --- the metrics that a metric is made of -------------------------------------------------------------------------

    def numbers_read(self, definition: Definition, *, by_default: bool = False) -> set[str]:
        """The other metrics and parts that a metric is made of.

        Args:
            definition: the metric.
            by_default: only those that the defaults of its parameters read; otherwise those of every choice.
        """
        if definition.reads not in (METRICS, RUNS):
            return set()
        read, queue = tree.columns_read(definition.select), sorted(definition.placeholders)
        for name in queue:
            parameter = self.parameter(definition.name, name)
            expressions = parameter.expressions if parameter and not parameter.policy else {}
            for choice, expression in expressions.items():
                if not by_default or parameter is None or choice == parameter.default:
                    read |= tree.columns_read(expression)
                    queue += sorted(tree.placeholders(expression) - {*queue})
        return read

    def is_of_lists(self, run: str) -> bool:
        """Whether a metric of a system aggregates metrics of its lists, directly or through other metrics."""
        definition = self.run_column(run)
        if definition is None or definition.reads == METRICS:
            return definition is not None
        return any(self.is_of_lists(name) for name in self.numbers_read(definition))

    # --- the inputs that a metric needs -------------------------------------------------------------------------------

    def needs(self, metric: str) -> list[str]:
        """The inputs beside recommendations and truth that a metric needs, each with the column that it needs there.

        `history or items: popularity` means that either input is enough.
        """
        waiting, seen, stages = [self.column(metric) or self.run_column(metric)], set(), set()
        while waiting:
            definition = waiting.pop()
            assert definition is not None, metric
            if definition.name in seen:
                continue
            seen.add(definition.name)
            if definition.reads not in (METRICS, RUNS):
                stages.add(definition.reads)
            read = sorted(self.numbers_read(definition, by_default=True))
            waiting += [child for name in read if (child := self.child(definition.reads, name)) is not None]
        return sorted(set().union(*(self._inputs_of(stage) for stage in stages)))

    def _inputs_of(self, stage: str) -> set[str]:
        """The inputs that a stage and the stages below it need."""
        files: Mapping[str, Definition] = self.variants(stage)
        policy = self.policy_of(stage)
        if policy is not None and "" not in files:
            files = {"": files[str(self.shared(policy).default)]}
        alternatives, below = [], set()
        for name, file in files.items():
            if any(condition.form == "candidates" for condition in file.when):
                continue  # what a sample needs, no metric needs without one
            tables = tree.tables_read(file.select)
            roles = sorted(tree.columns_read(file.select) & NEEDED)
            direct = [
                f"{table}{f': {roles[0]}' if roles and table == 'items' else ''}" for table in tables if table in EXTRAS
            ]
            direct += [f"items: {roles[0]}" for table in tables if table == EMBEDDINGS]
            stages = [table for table in tables if self.is_stage(table) and table != stage]
            indirect = set().union(*(self._inputs_of(table) for table in stages))
            if len(files) > 1 and ("" not in files or name in EXTRAS or any(variant in EXTRAS for variant in files)):
                alternatives += [*direct, *sorted(indirect)]
            else:
                below |= {*direct, *indirect}
        return below | ({" or ".join(dict.fromkeys(alternatives))} if alternatives else set())

    # --- the parameters of a metric -----------------------------------------------------------------------------------

    def parameters(self, metric: str) -> dict[str, Parameter]:
        """Every parameter that changes a metric's value, with those of the metrics that it is made of; `k` last."""
        if metric not in self._parameters_of:
            definition = self.column(metric) or self.run_column(metric)
            assert definition is not None, metric
            found = dict(self._find_parameters(definition))
            in_order = sorted(found, key=lambda name: (name == "k", name))
            self._parameters_of[metric] = {name: found[name] for name in in_order}
        return self._parameters_of[metric]

    def own_parameters(self, metric: str) -> dict[str, Parameter]:
        """The parameters of a metric without the policies, which all metrics have."""
        return {name: parameter for name, parameter in self.parameters(metric).items() if not parameter.policy}

    def accepted(self, metric: str, enough: str = "any") -> dict[str, Parameter]:
        """Every parameter that a caller may set: the metric's own, and those of the policies of its lists.

        Args:
            metric: the metric's name.
            enough: the setting of the policy `enough`, whose parameters are accepted as well.
        """
        if (metric, enough) not in self._accepted:
            self._accepted[metric, enough] = self._find_accepted(metric, enough)
        return self._accepted[metric, enough]

    def stage_parameters(self, stage: str) -> set[str]:
        """The parameters that a stage and the stages below it read, without those that the planner sets."""
        if stage not in self._stage_parameters:
            self._stage_parameters[stage] = self._find_stage_parameters(stage) if self.is_stage(stage) else set()
        return self._stage_parameters[stage]

    @cached_property
    def optional(self) -> frozenset[str]:
        """The parameters that need no value."""
        # Only a file with a NULL can be such a parameter, so the other files need no parsing.
        shared = (file for file in self.all("parameter") if "." not in file.name and "NULL" in file.text)
        return frozenset({"deepest", *(file.name for file in shared if self.shared(file.name).default is None)})

    def _find_parameters(self, definition: Definition) -> Iterator[tuple[str, Parameter]]:
        queue = sorted(definition.placeholders)
        for name in queue:
            parameter = self.parameter(definition.name, name)
            if parameter is None:
                raise MetricError(
                    f"Metric {definition.name!r} reads ${name}, and no file of sql/parameters defines it."
                )
            yield name, parameter
            for read in parameter.placeholders.values():
                queue += sorted(read - {*queue})
        for column in sorted(self.numbers_read(definition)):
            if child := self.child(definition.reads, column):
                yield from ((name, parameter) for name, parameter in self._find_parameters(child) if not parameter.own)
        if definition.reads not in (METRICS, RUNS):
            yield from ((name, self.shared(name)) for name in sorted(self.stage_parameters(definition.reads)))

    def _find_accepted(self, metric: str, enough: str) -> dict[str, Parameter]:
        known = {**self._parameters_of_lists, **self.parameters(metric)}
        if self.column(metric) is None:  # a metric of a system is undefined for no single list
            return {name: parameter for name, parameter in known.items() if name not in self._parameters_of_enough}
        condition = self.shared("enough").expressions.get(enough)
        columns = sorted(tree.columns_read(condition)) if condition is not None else []
        of_condition = {name: parameter for column in columns for name, parameter in self.parameters(column).items()}
        return {**{name: parameter for name, parameter in of_condition.items() if name not in {*known, "k"}}, **known}

    @cached_property
    def _parameters_of_enough(self) -> set[str]:
        """The policy `enough`, which lists must fulfil to be measured, and the parameters that it reads."""
        expressions = self.shared("enough").expressions.values()
        return {"enough"}.union(*(tree.placeholders(expression) - {"k"} for expression in expressions))

    @cached_property
    def _parameters_of_lists(self) -> dict[str, Parameter]:
        """The policies that bear on every metric of a list, and the parameters that they read."""
        found: dict[str, Parameter] = {}
        queue = list(POLICIES_OF_LISTS)
        for name in queue:
            found[name] = self.shared(name)
            for expression in found[name].expressions.values():
                queue += sorted(tree.placeholders(expression) - {"k", *queue})
        return found

    def _find_stage_parameters(self, stage: str) -> set[str]:
        found: set[str] = set()
        if stage == LISTS:
            return found
        for file in self.variants(stage).values():
            read = file.placeholders - PLANNED
            for name in read:
                for expression in self.shared(name).expressions.values():
                    found |= tree.placeholders(expression)
            tables = (table for table in tree.tables_read(file.select) if table != stage)
            found |= read.union(*(self.stage_parameters(table) for table in tables))
        policy = self.policy_of(stage)
        return found | ({policy} if policy else set())

    # --- the user's metrics -------------------------------------------------------------------------------------------

    def define(self, definition: Definition) -> Definition:
        """Add a metric of the user; it replaces an earlier metric of the user with the same name.

        Raises:
            MetricError: it is not one SELECT of one named expression from a stage or from `metrics`, it reads a column
                that does not exist, or its name is taken.
        """
        definition = with_present_names(definition, self)
        check_select(definition, self)
        definition = replace(definition, kind=find_kind(definition))
        check_name(definition, self)
        name, before = definition.name, (dict(self._definitions), dict(self._spellings))
        self._spellings = {spelling: owner for spelling, owner in self._spellings.items() if owner != name}
        self._definitions.pop(("run" if definition.kind == "metric" else "metric", name), None)
        self._definitions[definition.kind, name] = definition
        self._add_spellings(definition)
        self._parameters_of.clear()
        self._accepted.clear()
        self._parameters.clear()
        try:
            check_no_circle(definition, self)
            self.parameters(name)
        except MetricError:
            self._definitions, self._spellings = before
            raise
        self.edition += 1
        return definition


@cache
def catalog() -> Catalog:
    """The catalogue: the files of sql/, read when first used, and the metrics that the user has defined since."""
    return Catalog(builtin())
