"""Plans a query: from the metrics to the stages that it is made of, value by value.

| step                  | from                      | to                                                           |
|-----------------------|---------------------------|--------------------------------------------------------------|
| `write_formulas`      | the metrics               | sums over stages, and what each metric computes from them    |
| `diagnostics_counted` | the requested diagnostics | the counts over each stage                                   |
| passes over means     | the formulas              | the means that are computed without a value per list         |
| `find_stages`         | all of these              | the stages, each with its file, columns, depth and SELECT    |
| passes over stages    | the stages                | the same, fewer                                              |
| `query`               | the plan                  | one query: the summary, one row per list, the diagnostics    |
| passes over the query | the query                 | an equal query that a database runs faster                   |
| the dialect           | the query                 | text                                                         |

Each value is frozen and prints; no step changes what another has made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from rankmetrics.metrics.catalog import LISTS
from rankmetrics.planner.formulas import Formulas, Sums, diagnostics_counted, readings_of, sums_name, write_formulas
from rankmetrics.planner.passes import MEANS_PASSES, STAGES_PASSES
from rankmetrics.planner.passes.base import Means
from rankmetrics.planner.question import Question
from rankmetrics.planner.refusals import (
    refuse_equal_headings,
    refuse_idle_systems,
    refuse_missing_inputs,
    refuse_unknown_lists,
)
from rankmetrics.planner.stages import (
    LISTS_KEY,
    N_RELEVANT,
    Cte,
    Reading,
    StageKey,
    Stages,
    find_stages,
    merge_readings,
    once,
)
from rankmetrics.sqltree import aggregation, tree
from rankmetrics.sqltree.relations import left_join


@dataclass(frozen=True)
class Plan:
    """The parts of a query.

    Attributes:
        question: what the query is to answer.
        formulas: the metrics as formulas over sums.
        counted: the diagnostics that are counted over each stage.
        stages: the stages, and the steps of the query that they become.
        means: the means that a pass computes without a value per list; None if it computes none.
    """

    question: Question
    formulas: Formulas
    counted: Sums
    stages: Stages
    means: Means | None = None

    def step_of(self, key: StageKey) -> str:
        """The name of the step of a stage."""
        return self.question.cte(key.name)

    def ctes_of(self, key: StageKey) -> list[Cte]:
        """The steps that make up a stage, in reading order."""
        return self.stages.down_to(self.step_of(key))

    def lists(self) -> exp.Table:
        """The rows of the lists, as `lists`."""
        return tree.table(self.step_of(LISTS_KEY), LISTS)

    def lists_ctes(self) -> list[Cte]:
        """The steps of the lists."""
        return self.ctes_of(LISTS_KEY)

    # --- sums over stages, joined to lists ----------------------------------------------------------------------------

    def sums_for(self, parts: Mapping[str, exp.Expr]) -> Sums:
        """The sums over stages from which some parts of the formulas of lists are computed.

        Where a pass computes means from a stage, only the sums that are read; elsewhere all sums of a stage.
        """
        columns_of: dict[str, set[str]] = {}
        sizes = {sums_name(self.question, key): size for key, size in self.formulas.sizes.items()}
        waiting = list(parts.values())
        while waiting:
            for column in tree.find(waiting.pop(), exp.Column):
                columns_of.setdefault(column.table, set()).add(column.name)
                waiting += [sizes.pop(column.table)] if column.table in sizes else []
        sums: dict[StageKey, Mapping[str, exp.Expr]] = {}
        for key, aggregates in self.formulas.lists.sums.items():
            if columns := columns_of.get(sums_name(self.question, key)):
                is_trimmed = self.means is not None and key in self.means.readings
                rest = {name: aggregate for name, aggregate in aggregates.items() if name in columns}
                sums[key] = rest if is_trimmed else aggregates
        return sums

    def sums_ctes(self, sums: Sums, *, per_system: bool = False) -> list[Cte]:
        """The steps of sums, each after the steps that it reads."""
        ctes: list[Cte] = []
        for key, aggregates in sums.items():
            ctes += [*self.ctes_of(key), self._sums_cte(key, aggregates, per_system=per_system)]
        return once(ctes)

    def _sums_cte(self, key: StageKey, aggregates: Mapping[str, exp.Expr], *, per_system: bool) -> Cte:
        groups = self.stages.system_groups(key) if per_system else self.stages.list_groups(key)
        own = {} if per_system or not self.stages[key].has_row_per_id else _own_values(aggregates)
        ids = [tree.column(column) for column in groups]
        columns = [tree.named(value.copy(), name) for name, value in (own or aggregates).items()]
        select = exp.select(*ids, *columns).from_(tree.table(self.step_of(key)), copy=False)
        if groups and not own:
            select.group_by(*(column.copy() for column in ids), copy=False)
        name = sums_name(self.question, key, per_system=per_system)
        rows = f"one row per {self._unit(groups, per_system=per_system)}" if groups else "one row"
        return Cte(name, select, (), f"{name}: {rows}, with aggregates that metrics are computed from")

    def _unit(self, groups: list[str], *, per_system: bool) -> str:
        """What the sums over a stage have a row for, if these are their groups."""
        if groups == [N_RELEVANT]:
            return "number of relevant items"
        units = {"by_id": "system"} if per_system else {"list_id": "list", "truth_id": "truth list"}
        names = (unit for id_name, unit in units.items() if groups == self.question.inside(id_name))
        return next(names, "fold" if per_system else "group of lists")

    def sums_joins(self, sums: Sums) -> list[exp.Join]:
        """The joins of sums to lists, each by the columns that the sums are grouped by.

        Those by the number of relevant items of a list read others, so they come last.
        """
        joins = []
        sizes = self.formulas.sizes
        for key in sorted(sums, key=lambda key: key in sizes):
            name = sums_name(self.question, key)
            groups = [
                (tree.column(column, LISTS), tree.column(column, name)) for column in self.stages.list_groups(key)
            ]
            by_size = [(sizes[key].copy(), tree.column(N_RELEVANT, name))] if key in sizes else []
            joins.append(left_join(name, by_size or groups))
        return joins


def _own_values(aggregates: Mapping[str, exp.Expr]) -> dict[str, exp.Expr]:
    """Aggregates as columns of a stage that has one row per list; empty if any of them is not a plain column."""
    own = {name: aggregation.of_one_row(aggregate) for name, aggregate in aggregates.items()}
    return {name: value for name, value in own.items() if value is not None} if all(own.values()) else {}


def plan(question: Question) -> Plan:
    """The plan of a query.

    Raises:
        ColumnError: a metric needs a column that is missing, or a list column has a metric's label.
        InputError: a metric needs an input that was not given.
        MetricError: a metric needs a cutoff and has none.
    """
    refuse_equal_headings(question)
    refuse_unknown_lists(question)
    formulas = write_formulas(question)
    counted = diagnostics_counted(question)
    means, readings = None, [(LISTS_KEY, Reading(depth=None, within=None))]
    if question.measures:
        readings = [*formulas.readings()]
        for means_pass in MEANS_PASSES:
            means = means or (means_pass.find(question, formulas) if means_pass.is_on(question) else None)
    if means is not None:
        readings += means.readings.items()
    roots = merge_readings([*readings, *readings_of(question, counted).items()])
    if question.measures:
        refuse_missing_inputs(question, formulas, roots)
    refuse_idle_systems(question)
    stages = find_stages(question, roots)
    for stages_pass in STAGES_PASSES:
        stages = stages_pass.change(stages) if stages_pass.is_on(question) else stages
    return Plan(question, formulas, counted, stages, means)
