"""The catalogue: every definition by name, the inputs and parameters that each metric needs, and the user's metrics.

A metric's parameters are found by parsing, and declared nowhere: they are the parameters that its SELECT reads, and
those of the metrics, stages and choices that the SELECT is made of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, wraps
from typing import Any, TypeVar, cast

from sqlglot import exp

from rankmetrics.errors import MetricError, did_you_mean, plain
from rankmetrics.inputs.roles import NEEDED, roles_of
from rankmetrics.inputs.sources import EMBEDDINGS, EXTRAS, SOURCES
from rankmetrics.metrics.definition import Definition, Kind, builtin
from rankmetrics.metrics.parameter import Parameter, Setting, read_parameter
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.relations import joins

# The kinds of metrics that a caller may request: a number of each list, and a number of each system.
REQUESTED: tuple[Kind, ...] = ("metric", "run")

# The tables that a metric reads which is an expression over other metrics: of each list, and of each system.
METRICS, RUNS = "metrics", "runs"

# The kinds of the numbers in each of these tables.
KINDS: Mapping[str, tuple[Kind, ...]] = {METRICS: ("metric", "part"), RUNS: ("run", "run part")}

# The stage of the lists over which the requested metrics are averaged; the planner builds it.
LISTS = "lists"

# The column of a summary that counts the lists; no metric may have this name.
N_LISTS = "n_lists"

# How the column of a summary begins that counts the lists for which a metric is undefined.
UNDEFINED = "undefined "

# The counts of the account that a summary may show.
MISSING, TIED = "lists_missing", "lists_tied"

# The planner sets these parameters, a caller cannot. They are the deepest rank that a stage reads, the score of the
# item one rank above, the number of negatives that are drawn for a list, the seed of the draw, the number of parts in
# which an input is sorted, and the number of the part.
PLANNED = frozenset({"deepest", "score_above", "n_sampled", "seed", "n_parts", "part"})

# The stages that a metric of the user alone reads have its name and one of these: its rows, and inputs of items.
ROWS = "rows"
OWN_STAGES = (ROWS, "items", "similarity", "catalog")

# The policy that chooses the lists.
MISSING_LISTS = "missing"

# The policies that bear on every metric of a list; whether another policy bears on a metric is found by parsing.
POLICIES_OF_LISTS = (MISSING_LISTS, "undefined", "enough")

# The policy of how much a hit counts, and its setting by which each hit counts 1.
WEIGHTS, UNWEIGHTED = "weights", "none"


def with_cutoff(name: str) -> str:
    """A name whose number at the end is taken for a cutoff: `ndcg@10` of `ndcg10`, `ndcg_10` or `ndcg_at_10`."""
    return re.sub(r"(?:_at)?_?(\d+)$", r"@\1", name, flags=re.IGNORECASE)


Method = TypeVar("Method", bound=Callable[..., Any])


def _remembered(method: Method) -> Method:
    """A method of the catalogue that computes each answer once, until the user defines a metric."""

    @wraps(method)
    def remembering(self: Catalog, *args: Any) -> Any:
        key = (method.__name__, *args)
        if key not in self._answers:
            self._answers[key] = method(self, *args)
        return self._answers[key]

    return cast("Method", remembering)


class Catalog:
    """Every definition by kind and name, and for each metric what it is made of."""

    def __init__(self, definitions: Mapping[tuple[Kind, str], Definition]) -> None:
        self._index(definitions)
        self.edition = 0  # counts the user's definitions: a plan made before the last of them may be wrong now

    def _index(self, definitions: Mapping[tuple[Kind, str], Definition]) -> None:
        """Hold these definitions."""
        self._definitions = dict(definitions)
        self._of_kind: dict[str, list[Definition]] = {}
        for (kind, _), definition in definitions.items():
            self._of_kind.setdefault(kind, []).append(definition)
        self._variants: dict[str, dict[str, Definition]] = {}
        for definition in self.all("stage"):
            stage, _, variant = definition.name.partition(".")
            self._variants.setdefault(stage, {})[variant] = definition
        self._answers: dict[tuple[Any, ...], Any] = {}

    def all(self, kind: Kind) -> list[Definition]:
        """Every definition of a kind, in the order of the files' names."""
        return [*self._of_kind.get(kind, ())]

    def definition(self, kind: Kind, name: str) -> Definition:
        """The definition with this kind and name."""
        return self._definitions[kind, name]

    # --- metrics ------------------------------------------------------------------------------------------------------

    def metrics(self) -> list[Definition]:
        """The metrics that a caller may request, by name: those of lists and those of systems."""
        return sorted((file for kind in REQUESTED for file in self.all(kind)), key=lambda file: file.name)

    @_remembered
    def _names(self) -> dict[str, str]:
        return {plain(metric.name): metric.name for metric in self.metrics()}

    @_remembered
    def _aliases(self) -> dict[str, str]:
        """The metric of each alias; a file has to be read for its aliases, and not for its name."""
        return {plain(alias): metric.name for metric in self.metrics() for alias in metric.aliases}

    def name(self, spelling: str) -> str | None:
        """The name of the metric with this name or alias, in any case; None if there is no such metric."""
        return self._names().get(plain(spelling)) or self._aliases().get(plain(spelling))

    def metric(self, spelling: str) -> Definition:
        """The metric with this name or alias, in any case."""
        name = self.name(spelling)
        if name is None:
            of_subject = [metric.name for metric in self.metrics() if metric.fields.get("subject") == plain(spelling)]
            if of_subject:
                raise MetricError(
                    f"There is no metric {spelling!r}, but several of this kind: {', '.join(of_subject)}.",
                    page="metrics/",
                )
            known = {spelling for metric in self.metrics() for spelling in (metric.name, *metric.aliases)}
            label = with_cutoff(spelling)
            near = f" Did you mean {label!r}?" if self.name(label.partition("@")[0]) else did_you_mean(spelling, known)
            raise MetricError(
                f"There is no metric {spelling!r}.{near} rm.list_metrics() and `rankmetrics metrics` list them all."
            )
        return self._definitions.get(("metric", name)) or self._definitions["run", name]

    def is_own(self, name: str) -> bool:
        """True if the user has defined this metric."""
        return not any((kind, name) in builtin() for kind in REQUESTED)

    def column(self, name: str) -> Definition | None:
        """The metric or part that a column of `metrics` names."""
        return self.child(METRICS, name)

    def child(self, reads: str, name: str) -> Definition | None:
        """The metric or part that a column of `metrics` or of `runs` names."""
        kinds = KINDS[RUNS if reads == RUNS else METRICS]
        return next(filter(None, (self.find(kind, name) for kind in kinds)), None)

    def number(self, name: str) -> Definition:
        """The metric or part with this name, of lists or of systems."""
        number = self.column(name) or self.child(RUNS, name)
        assert number is not None, name
        return number

    def find(self, kind: Kind, name: str) -> Definition | None:
        """The definition with this kind and name, such as a file of sql/expected or sql/weighted; None without one."""
        return self._definitions.get((kind, name))

    @_remembered
    def bears_weights(self, name: str) -> bool:
        """True if `weights` bears on a metric or part: it has a file of sql/weighted, or sums over relevant hits."""
        definition = self.number(name)
        if self.find("weighted", name) is not None or definition.reads in KINDS:
            return self.find("weighted", name) is not None
        return "relevance" in self.stage_parameters(definition.reads) and self.reads_input(definition.reads, "recs")

    # --- stages -------------------------------------------------------------------------------------------------------

    def is_stage(self, name: str) -> bool:
        """True if a table is a stage; some stages have variants only."""
        return name in self._variants

    def stages(self) -> list[str]:
        """The names of all stages."""
        return list(self._variants)

    def variants(self, stage: str) -> Mapping[str, Definition]:
        """The files of a stage: the stage's own file under "", its variants under their names."""
        return self._variants[stage]

    def _first_file(self, stage: str) -> Definition:
        """The stage's own file; the first of its variants if it has none."""
        return self._variants[stage].get("") or next(iter(self._variants[stage].values()))

    def policy_of(self, stage: str) -> str | None:
        """The policy, or parameter, whose setting chooses between a stage's variants, as their headers say."""
        conditions = (condition for file in self._variants[stage].values() for condition in file.when)
        return next((condition.words[0] for condition in conditions if condition.form == "setting"), None)

    def columns_of(self, table: str) -> set[str]:
        """The columns that a metric may read of `metrics`, `runs` or a stage; none of any other table."""
        if table in KINDS:
            return {definition.name for kind in KINDS[table] for definition in self.all(kind)}
        return self.outputs(table) if self.is_stage(table) else set()

    def outputs(self, stage: str) -> set[str]:
        """The columns that every variant of a stage returns."""
        return set.intersection(*(set(tree.outputs(file.select)) for file in self._variants[stage].values()))

    def id_of(self, stage: str) -> str:
        """The id by which the rows of a stage belong to lists."""
        returned = tree.outputs(self._first_file(stage).select)
        return next(name for name in tree.IDS if name in returned and name != tree.FOLD)

    def own_columns(self, metric: str) -> list[tuple[str, exp.Identifier]]:
        """The columns without a role that a metric of the user reads, each with the name of its input."""
        return [pair for file in self._files_below(metric) for pair in columns_without_role(file)]

    def has_lists(self, stage: str) -> bool:
        """True if the rows of a stage belong to lists, so that a metric may aggregate them."""
        of_systems = {"system_id", "partition_id", tree.FOLD}
        returned = tree.outputs(self._first_file(stage).select)
        return stage != LISTS and bool({*returned} & ({*tree.IDS} - of_systems))

    @_remembered
    def reads_input(self, table: str, name: str) -> bool:
        """True if a table is an input, or a stage whose own file reads this input, itself or by the stages below."""
        if not self.is_stage(table):
            return table == name
        return any(self.reads_input(below, name) for below in self._first_file(table).tables)

    # --- parameters ---------------------------------------------------------------------------------------------------

    @_remembered
    def parameter(self, metric: str, name: str) -> Parameter | None:
        """A parameter of a metric: from the metric's own file if there is one, else the shared parameter or policy."""
        own = self._definitions.get(("parameter", f"{metric}.{name}"))
        file = own or self._definitions.get(("parameter", name)) or self._definitions.get(("policy", name))
        return read_parameter(file, name, own=own is not None) if file else None

    def shared(self, name: str) -> Parameter:
        """A parameter that belongs to no metric alone."""
        parameter = self.parameter("", name)
        assert parameter is not None, name
        return parameter

    def default(self, name: str) -> str | float | int | None:
        """The default value of a shared parameter."""
        return self.shared(name).default

    # --- the metrics that a metric is made of -------------------------------------------------------------------------

    def numbers_read(self, definition: Definition, chosen: Mapping[str, Setting | None] | None = None) -> set[str]:
        """The other metrics and parts that a metric is made of, under every choice, or those chosen and defaults."""
        if definition.reads not in KINDS:
            return set()
        read, queue = tree.columns_read(definition.select), sorted(definition.placeholders)
        for name in queue:
            parameter = self.parameter(definition.name, name)
            expressions = parameter.expressions if parameter and not parameter.policy else {}
            for choice, expression in expressions.items():
                if chosen is None or parameter is None or choice == chosen.get(name, parameter.default):
                    read |= tree.columns_read(expression)
                    queue += sorted(tree.placeholders(expression) - {*queue})
        return read

    def is_of_lists(self, run: str) -> bool:
        """True if a metric of a system aggregates metrics of its lists, directly or through other metrics."""
        definition = self.child(RUNS, run)
        if definition is None or definition.reads == METRICS:
            return definition is not None
        return any(self.is_of_lists(name) for name in self.numbers_read(definition))

    # --- the inputs that a metric needs -------------------------------------------------------------------------------

    def needs(self, metric: str, chosen: Mapping[str, Setting | None] | None = None) -> list[str]:
        """The inputs besides recommendations and truth that a metric needs, each with the column that it needs there.

        `history or items: popularity` means that either input is enough.
        """
        stages = self._stages_of(metric, tuple((chosen or {}).items()))
        return sorted(set().union(*(self._inputs_of(stage) for stage in stages)))

    @_remembered
    def _stages_of(self, metric: str, chosen: tuple[tuple[str, Setting | None], ...] = ()) -> set[str]:
        """The stages that a metric reads, through whatever metrics and parts it is made of."""
        waiting, seen, stages = [self.number(metric)], set[str](), set[str]()
        while waiting:
            definition = waiting.pop()
            if definition.name in seen:
                continue
            seen.add(definition.name)
            if definition.reads not in KINDS:
                stages.add(definition.reads)
            read = sorted(self.numbers_read(definition, dict(chosen)))
            waiting += [child for name in read if (child := self.child(definition.reads, name)) is not None]
        return stages

    @_remembered
    def matches_lists_of(self, metric: str, extra: str) -> bool:
        """True if a metric reads an input for each list: `unseen` reads the history so, `popularity` does not."""
        id_name, stages = f"{extra}_id", self._stages_of(metric)
        files = (file for name in stages for file in self.variants(name).values())
        is_summed = any(id_name in tree.outputs(file.select) for file in files)
        return is_summed or any(self._joins_by(stage, id_name) for stage in stages)

    @_remembered
    def weighs_log(self, metric: str) -> bool:
        """True if a metric compares a log with the recommendations: `ips` does, `examination` reads the log alone."""
        read = self._stages_of(metric)
        return any(all(self.reads_input(stage, name) for name in ("log", "recs")) for stage in read)

    @_remembered
    def reads_subtopics(self, metric: str) -> bool:
        """True if a metric reads the subtopics of the truth, by its own stages or those below."""
        return any(
            "truth" in file.tables and "subtopic" in file.text and "subtopic" in tree.columns_read(file.select)
            for file in self._files_below(metric)
        )

    @_remembered
    def _files_below(self, metric: str) -> list[Definition]:
        """The files of the stages that a metric reads, in every variant, and of the stages below."""
        waiting, files = sorted(filter(self.is_stage, self._stages_of(metric))), list[Definition]()
        for stage in waiting:  # which grows
            for file in self.variants(stage).values():
                files.append(file)
                waiting += [table for table in sorted(file.tables) if self.is_stage(table) and table not in waiting]
        return files

    @_remembered
    def _joins_by(self, stage: str, id_name: str) -> bool:
        """True if a stage, or a stage below it, joins others by an id."""
        selects = [file.select for file in self.variants(stage).values() if not file.when]
        conditions = [join.args["on"] for select in selects for join in joins(select) if "on" in join.args]
        if any(column.name == id_name for condition in conditions for column in tree.find(condition, exp.Column)):
            return True
        below = {table for select in selects for table in tree.tables_read(select) if self.is_stage(table)} - {stage}
        return any(self._joins_by(table, id_name) for table in below)

    @_remembered
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
            roles += [column.name for table, column in columns_without_role(file) if table == "items"]
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

    @_remembered
    def parameters(self, metric: str) -> dict[str, Parameter]:
        """Every parameter that changes a metric's value, with those of the metrics that it is made of; `k` last."""
        parameters = dict(self._find_parameters(self.number(metric)))
        return {name: parameters[name] for name in sorted(parameters, key=lambda name: (name == "k", name))}

    def _find_parameters(self, definition: Definition) -> Iterator[tuple[str, Parameter]]:
        queue = sorted(definition.placeholders)
        for name in queue:
            parameter = self.parameter(definition.name, name)
            assert parameter is not None, name
            yield name, parameter
            for read in parameter.placeholders.values():
                queue += sorted(read - {*queue})
        for column in sorted(self.numbers_read(definition)):
            if child := self.child(definition.reads, column):
                inner = self._find_parameters(child)
                yield from ((name, parameter) for name, parameter in inner if not (parameter.own or name in queue))
        if definition.reads not in KINDS:
            yield from ((name, self.shared(name)) for name in sorted(self.stage_parameters(definition.reads)))
        if self.bears_weights(definition.name):  # the parameters of this policy are policies, too
            of_weights = self.with_inner((WEIGHTS,)).items()
            yield from ((name, replace(inner, policy=True)) for name, inner in of_weights if name not in queue)

    def own_parameters(self, metric: str) -> dict[str, Parameter]:
        """The parameters of a metric without the policies, which all metrics have."""
        return {name: parameter for name, parameter in self.parameters(metric).items() if not parameter.policy}

    @_remembered
    def accepted(self, metric: str, enough: str = "any") -> dict[str, Parameter]:
        """Every parameter that a caller may set: the metric's own, and those of the policies of its lists.

        The parameters of the setting of the policy `enough` are among them.
        """
        known = {**self.with_inner(POLICIES_OF_LISTS), **self.parameters(metric)}
        if self.column(metric) is None:  # a metric of a system is undefined for no single list
            return {name: known[name] for name in known if name not in self.with_inner(("enough",))}
        condition = self.shared("enough").expressions.get(enough)
        columns = sorted(tree.columns_read(condition)) if condition is not None else []
        of_condition = {name: parameter for column in columns for name, parameter in self.parameters(column).items()}
        return {**{name: parameter for name, parameter in of_condition.items() if name not in {*known, "k"}}, **known}

    @_remembered
    def with_inner(self, policies: tuple[str, ...]) -> dict[str, Parameter]:
        """Policies by name, and the parameters that their choices read."""
        queue = list(policies)
        for name in queue:
            for read in self.shared(name).placeholders.values():
                queue += sorted(read - {"k", *queue})
        return {name: self.shared(name) for name in queue}

    @_remembered
    def stage_parameters(self, stage: str) -> set[str]:
        """The parameters that a stage and the stages below it read, without those that the planner sets."""
        if stage == LISTS or not self.is_stage(stage):
            return {MISSING_LISTS} if stage == LISTS else set()
        parameters = {*filter(None, [self.policy_of(stage)])}
        for file in self.variants(stage).values():
            read = file.placeholders - PLANNED
            inner = (placeholders for name in read for placeholders in self.shared(name).placeholders.values())
            below = (self.stage_parameters(table) for table in file.tables - {stage})
            parameters |= read.union(*inner, *below)
        return parameters

    @property
    @_remembered
    def optional(self) -> frozenset[str]:
        """The parameters that need no value."""
        # Only a file with a NULL can be such a parameter, so the other files need no parsing.
        shared = (file for file in self.all("parameter") if "." not in file.name and "NULL" in file.text)
        return frozenset({"deepest", *(file.name for file in shared if self.shared(file.name).default is None)})

    # --- the user's metrics -------------------------------------------------------------------------------------------

    def install(self, name: str, definitions: Iterable[Definition]) -> None:
        """Add a metric of the user, with its parameters and stages, in place of an earlier one of this name."""
        own = {("metric", name), ("run", name), *(("stage", f"{name}_{suffix}") for suffix in OWN_STAGES)}
        others = {
            (kind, other): definition
            for (kind, other), definition in self._definitions.items()
            if (kind, other) not in own and not (kind == "parameter" and other.startswith(f"{name}."))
        }
        self._index({**others, **{(definition.kind, definition.name): definition for definition in definitions}})
        self.edition += 1


def columns_without_role(file: Definition) -> list[tuple[str, exp.Identifier]]:
    """The columns that a stage of the user reads of inputs and that have no role, each with the name of its input."""
    if not file.is_own:
        return []
    tables = {table.alias_or_name: table.name for table in tree.find(file.select, exp.Table)}
    columns = [
        (tables.get(node.table) or tree.source(file.select).name, node) for node in tree.find(file.select, exp.Column)
    ]
    return [
        (table, node.this)
        for table, node in columns
        if table in SOURCES and node.name not in roles_of(table) and node.name not in tree.IDS
    ]


@cache
def catalog() -> Catalog:
    """The catalogue: the files of sql/, read when first used, and the metrics that the user has defined since."""
    return Catalog(builtin())
