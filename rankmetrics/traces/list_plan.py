"""Plans the trace of one list: the stages of the query, each by itself, over the rows of the list alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from sqlglot import exp

from rankmetrics.inputs.sources import SYSTEMS
from rankmetrics.metrics.catalog import catalog
from rankmetrics.planner import (
    LISTS_OF,
    PASSES,
    Formulas,
    Plan,
    Question,
    Reading,
    StageKey,
    find_stages,
    key_of,
    measured_ctes,
    merge_readings,
    reading_of,
    settled,
    write_formulas,
)
from rankmetrics.queries import Queries
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import UNNAMED, unnamed
from rankmetrics.sqltree.relations import call
from rankmetrics.traces.list_choice import ListChoice, run

if TYPE_CHECKING:
    import polars as pl

# The stages that every trace shows, with the columns that it shows of them.
SHOWN = {
    "recommended": frozenset({"item", "rank"}),
    "ranked": frozenset({"item", "rank", "score"}),
    "hits": frozenset({"item", "rank", "rating"}),
    "relevant": frozenset({"item", "rating"}),
}


@dataclass(frozen=True)
class ListPlan:
    """The plan of an evaluation over the rows of one list, without the passes that merge its steps.

    Attributes:
        queries: the queries of the evaluation.
        choice: the list.
        plan: the plan over the rows of the list.
    """

    queries: Queries
    choice: ListChoice
    plan: Plan

    @cached_property
    def shown(self) -> dict[str, StageKey]:
        """The stages that every trace shows, under the settings of the first metric."""
        return _shown(self.plan.question)

    def of_stage(self, key: StageKey, columns: dict[str, exp.Expr], *, by: str | None = None) -> pl.DataFrame:
        """Expressions over the rows of a stage that belong to the list, each under its name.

        Args:
            key: the stage, under its settings.
            columns: the expressions; aggregates if the rows are grouped.
            by: the column that the rows are grouped by.
        """
        plan = self.plan
        select = exp.select(*(column.copy() for column in columns.values())).from_(tree.table(plan.step_of(key)))
        groups = self.plan.stages.list_groups(key)
        select = select.where(*(self._test(tree.column(one), key) for one in groups))
        if by is not None:
            select = select.group_by(tree.column(by))
        return run(self.queries, self.plan, plan.ctes_of(key), select, [*columns])

    def of_list(self, columns: dict[str, exp.Expr]) -> dict[str, float | None]:
        """Expressions over what is measured of the list, each under its name."""
        names = [f"column {number}" for number in range(len(columns))]
        select = exp.select(*(column.copy() for column in columns.values()))
        select = select.from_(tree.table(self.plan.question.cte("measured")))
        select = select.where(*(self._test(tree.column(unnamed(column))) for column in self.choice.values))
        found = run(self.queries, self.plan, measured_ctes(self.plan), select, names)
        return dict(zip(columns, found.row(0), strict=True))

    def _test(self, column: exp.Column, key: StageKey | None = None) -> exp.Expr:
        """Whether a column of a stage has the value of the list."""
        if column.name.startswith(UNNAMED):
            return self.choice.test(column, column.name.removeprefix(UNNAMED))
        assert key is not None  # the rows hold for a number of relevant items
        return exp.EQ(this=column, expression=tree.literal(self.sizes[key]))

    @cached_property
    def sizes(self) -> dict[StageKey, int]:
        """The number of relevant items by which the rows of a stage belong to the list."""
        of = {key: self.plan.formulas.lists.values[_size_label(key)] for key in self.plan.formulas.sizes}
        found = self.of_list({key.name: size for key, size in of.items()})
        return {key: int(found[key.name] or 0) for key in of}


def _size_label(key: StageKey) -> str:
    """The name of a value of a list beside its metrics: no metric has it."""
    return f"relevant items by which {key.name} joins"


def _with_sizes(formulas: Formulas) -> Formulas:
    """The formulas with the numbers of relevant items, by which stages join lists, as further values of a list."""
    names = {one: tree.column(name) for name, one in formulas.lists.parts.items()}
    sizes = {}
    for key, size in formulas.sizes.items():
        copy = size.copy()
        for node in [one for one in copy.walk() if one in names]:
            copy = tree.put(copy, node, names[node].copy())
        sizes[_size_label(key)] = copy
    lists = replace(formulas.lists, values={**formulas.lists.values, **sizes})
    return replace(formulas, lists=lists)


def plan_list(queries: Queries, choice: ListChoice) -> ListPlan:
    """The plan of an evaluation over the rows of one list."""
    question = _question(queries, choice)
    formulas = _with_sizes(write_formulas(question))
    shown = _shown(question)
    readings = [*formulas.readings()]
    readings += [(shown[name], Reading(columns, question.depth, question.depth)) for name, columns in SHOWN.items()]
    for key, sums in formulas.lists.sums.items():
        if has_rank(key):
            readings.append((key, replace(reading_of(sums), columns=frozenset({"rank"}))))
    stages = find_stages(question, merge_readings(readings))
    return ListPlan(queries, choice, Plan(question, formulas, {}, stages))


def has_rank(key: StageKey) -> bool:
    """Whether the rows of a stage have ranks, whichever of its files is used."""
    return all("rank" in tree.outputs(variant.select) for variant in catalog().variants(key.file).values())


def _shown(question: Question) -> dict[str, StageKey]:
    values = settled(question.of_lists[0], question.layout)
    return {name: key_of(name, values) for name in SHOWN}


def _question(queries: Queries, choice: ListChoice) -> Question:
    """The question of an evaluation, asked of the recommendations and the truth of one list."""
    question, layout = queries.question, queries.layout
    tables = dict(question.tables)
    for name in ("recs", "truth"):
        rows = exp.select(exp.Star()).from_(call(tables[name].copy(), name))
        tables[name] = exp.Subquery(this=rows.where(*choice.rows(layout.side(name))))
    if layout.systems and {*question.missing} & {*LISTS_OF}:  # a list without recommendations names no system
        tables[SYSTEMS] = exp.Subquery(this=_system(choice, layout.systems))
        layout = replace(layout, named_systems=())
    return replace(
        question,
        metrics=tuple(question.of_lists),
        layout=layout,
        tables=tables,
        passes_off=frozenset(each_pass.name for each_pass in PASSES),
    )


def _system(choice: ListChoice, systems: Sequence[str]) -> exp.Select:
    """The system of the list, as a table of one row."""
    return exp.select(*(tree.named(exp.convert(choice.values[one]), one) for one in systems))
