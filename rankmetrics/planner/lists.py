"""Joins the sums over stages to the lists: one row per list, with everything that is measured of the list."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from rankmetrics.metrics.catalog import LISTS
from rankmetrics.planner.formulas import N_RELEVANT, Formulas, Sums, sums_name
from rankmetrics.planner.model import Cte, Question, StageKey, Steps, once
from rankmetrics.planner.requirements import LISTS_KEY, Requirements
from rankmetrics.sqltree import aggregation, tree


@dataclass(frozen=True)
class Joins:
    """How the sums over stages join the lists.

    Attributes:
        question: what the query is to answer.
        formulas: what is measured of a list, and the sums that it is computed from.
        requirements: what the query needs of the stages.
        steps: the stages as steps.
    """

    question: Question
    formulas: Formulas
    requirements: Requirements
    steps: Steps

    def step_of(self, key: StageKey) -> str:
        """The name of the step of a stage."""
        return self.question.cte(key.name)

    def ctes_of(self, key: StageKey) -> list[Cte]:
        """The steps that make up a stage, in reading order."""
        return self.steps.down_to(self.step_of(key))

    def lists(self) -> exp.Table:
        """The rows of the lists, as `lists`."""
        return tree.table(self.step_of(LISTS_KEY), LISTS)

    def lists_ctes(self) -> list[Cte]:
        """The steps of the lists."""
        return self.ctes_of(LISTS_KEY)

    def size(self, key: StageKey) -> exp.Expr:
        """The number of relevant items of a list, by which the sums over a stage join the list."""
        return self.formulas.sizes[key].copy()

    def sums_for(self, measured: Mapping[str, exp.Expr], trimmed: Collection[StageKey] = ()) -> dict[StageKey, Sums]:
        """The sums over stages that some measures are computed from.

        Of a stage that is trimmed, only the sums that are read.
        """
        read: dict[str, set[str]] = {}
        sizes = {sums_name(self.question, key): size for key, size in self.formulas.sizes.items()}
        waiting = list(measured.values())
        while waiting:
            for one in tree.find(waiting.pop(), exp.Column):
                read.setdefault(one.table, set()).add(one.name)
                waiting += [sizes.pop(one.table)] if one.table in sizes else []
        found: dict[StageKey, Sums] = {}
        for key, sums in self.formulas.sums.items():
            if columns := read.get(sums_name(self.question, key)):
                rest = {name: one for name, one in sums.columns.items() if name in columns}
                found[key] = Sums(key, rest) if key in trimmed else sums
        return found

    def sums_ctes(self, sums_of: Mapping[StageKey, Sums], *, per_system: bool = False) -> list[Cte]:
        """The steps of sums, each after the steps that it reads."""
        found: list[Cte] = []
        for key, sums in sums_of.items():
            found += [*self.ctes_of(key), self._sums_cte(sums, per_system=per_system)]
        return once(found)

    def _sums_cte(self, sums: Sums, *, per_system: bool) -> Cte:
        key = sums.key
        groups = self.requirements.system_groups(key) if per_system else self.requirements.list_groups(key)
        own = {} if per_system or not self.requirements.is_grouped(key) else _own_values(sums)
        ids = [tree.column(column) for column in groups]
        columns = [tree.named(one.copy(), name) for name, one in (own or sums.columns).items()]
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
        found = (unit for id_name, unit in units.items() if groups == self.question.inside(id_name))
        return next(found, "fold" if per_system else "group of lists")

    def joins(self, sums_of: Mapping[StageKey, Sums]) -> list[exp.Join]:
        """The joins of sums to lists; those by the size of a list read others, so they come last."""
        return [self._join(key) for key in sorted(sums_of, key=lambda key: key in self.formulas.sizes)]

    def _join(self, key: StageKey) -> exp.Join:
        """How the sums over a stage join the lists: by the columns that the sums are grouped by."""
        name = sums_name(self.question, key)
        if key in self.formulas.sizes:
            return left_join(name, [(self.size(key), tree.column(N_RELEVANT, name))])
        groups = self.requirements.list_groups(key)
        return left_join(name, [(tree.column(column, LISTS), tree.column(column, name)) for column in groups])


def _own_values(sums: Sums) -> dict[str, exp.Expr]:
    """The sums as columns of a stage that has one row per list; empty if any of them is no plain column."""
    own = {name: aggregation.of_one_row(one) for name, one in sums.columns.items()}
    return {name: one for name, one in own.items() if one is not None} if all(own.values()) else {}


def left_join(name: str, pairs: Sequence[tuple[exp.Expr, exp.Expr]]) -> exp.Join:
    """A join of the rows whose pairs of values are equal, or of the only row."""
    if not pairs:
        return exp.Join(this=tree.table(name), kind="CROSS")
    on = exp.and_(*[exp.EQ(this=left, expression=right) for left, right in pairs], copy=False)
    return exp.Join(this=tree.table(name), on=on, side="LEFT")
