"""What is summed over the rows of stages, and how it joins the lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from rankmetrics.metrics.catalog import LISTS
from rankmetrics.planner.formulas import Formulas, Sums
from rankmetrics.planner.hit_histogram.additive import N_RELEVANT
from rankmetrics.planner.model import Built, Key, once
from rankmetrics.planner.stages import Stages
from rankmetrics.planner.sums import summed
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import unnamed


class Joins:
    """The sums of a query, and its lists.

    Args:
        formulas: what is measured of a list, and the sums that it is made of.
        stages: the stages of the query.
        lists: the stage of those lists that the means are taken over.
    """

    def __init__(self, formulas: Formulas, stages: Stages, lists: Key) -> None:
        self.formulas = formulas
        self.stages = stages
        self._lists = stages.cte(lists.name)
        self._sizes = self._want_sizes()

    @property
    def by_size(self) -> list[Key]:
        """The stages that are summed by the number of relevant items."""
        return list(self._sizes)

    def _want_sizes(self) -> dict[Key, exp.Expr]:
        """What is summed by the number of relevant items needs that number of each list, to be joined by."""
        sizes: dict[Key, exp.Expr] = {}
        for key in list(self.formulas.sums):
            if self.groups(key) == [N_RELEVANT]:
                depth = self.stages.wanted(key).depth
                assert depth is not None
                sizes[key] = tree.least(tree.literal(depth), self.formulas.size(dict(key.settings)).copy())
                self.stages.want(key, {N_RELEVANT}, depth)
        return sizes

    def size(self, key: Key) -> exp.Expr:
        """The number of relevant items, as what a stage is summed by the number of has it, of a list."""
        return self._sizes[key].copy()

    def groups(self, key: Key) -> list[str]:
        """The columns that the rows of a stage are summed by for a list.

        Those of a list, or of what it is part of; or the number of relevant items; none, where all lists share a row.
        """
        definition = self.stages.definition(key)
        offered = tree.outputs(definition.select)
        if not {*offered} & {*tree.IDS} and definition.name != key.stage and N_RELEVANT in offered:
            return [N_RELEVANT]
        return self.stages.columns_of(key)

    def system_groups(self, key: Key) -> list[str]:
        """The columns that the rows of a stage are summed by for a system; none, where all systems share a row."""
        offered = tree.outputs(self.stages.definition(key).select)
        if {"by_id", "list_id"} & set(offered):
            return self.stages.inside("by_id")
        folds = self.stages.folds(key) if tree.FOLD in offered else []
        return [unnamed(one) for one in self.stages.columns("by_id") if one in folds]

    def lists(self) -> exp.Table:
        """The rows of the lists, as `lists`."""
        return tree.table(self.stages.resolve(self._lists), LISTS)

    def lists_ctes(self) -> list[Built]:
        """The CTEs of the lists."""
        return list(self.stages.ctes([self._lists]))

    def sums_of(self, measured: Mapping[str, exp.Expr], cut: Key | None = None) -> dict[Key, Sums]:
        """The sums of the stages that some measures are made of; of a stage that is to be cut, only those sums."""
        read: dict[str, set[str]] = {}
        sizes = {self.formulas.sums_name(key): size for key, size in self._sizes.items()}
        waiting = list(measured.values())
        while waiting:
            for one in tree.find(waiting.pop(), exp.Column):
                read.setdefault(one.table, set()).add(one.name)
                waiting += [sizes.pop(one.table)] if one.table in sizes else []
        found: dict[Key, Sums] = {}
        for key, sums in self.formulas.sums.items():
            if columns := read.get(self.formulas.sums_name(key)):
                rest = {name: one for name, one in sums.columns.items() if name in columns}
                found[key] = Sums(key, rest) if key == cut else sums
        return found

    def ctes(self, sums_of: Mapping[Key, Sums], *, of_runs: bool = False) -> list[Built]:
        """The CTEs of sums, each after the stages that it reads."""
        found: list[Built] = []
        for sums in sums_of.values():
            if of_runs or not self._is_of_lists(sums):
                found += [*self.stages.ctes([self.stages.cte(sums.key.name)]), self._sums_cte(sums, of_runs=of_runs)]
        return once(found)

    def _sums_cte(self, sums: Sums, *, of_runs: bool) -> Built:
        key = sums.key
        groups = self.system_groups(key) if of_runs else self.groups(key)
        own = {} if of_runs or not self.stages.is_grouped(key) else _own_values(sums)
        stage = tree.table(self.stages.resolve(self.stages.cte(key.name)))
        per = "system" if of_runs else "number of relevant items" if key in self._sizes else "list"
        comment = f"aggregates of {stage.name}, per {per}" if groups else f"aggregates of {stage.name}"
        select = summed(stage, groups, own or sums.columns, self.stages.wanted(key).depth)
        return Built(
            self.formulas.sums_name(key, of_runs=of_runs),
            select.group_by(*map(tree.column, groups), copy=False) if groups and not own else select,
            [],
            comment,
        )

    def _is_of_lists(self, sums: Sums) -> bool:
        """Whether what is asked of a stage stands in the rows of the lists themselves, which are taken from it."""
        read = self.stages.resolve(self._lists)
        return read == self.stages.resolve(self.stages.cte(sums.key.name)) and bool(_own_values(sums))

    def joins(self, sums_of: Mapping[Key, Sums]) -> list[exp.Join]:
        """The joins of sums to lists; those by the lists' size hang on others, so they come last."""
        keys = [key for key, one in sums_of.items() if not self._is_of_lists(one)]
        return [self._join(key) for key in sorted(keys, key=lambda one: one in self._sizes)]

    def _join(self, key: Key) -> exp.Join:
        """How the sums of a stage join the lists: by the columns that identify a row of theirs."""
        name = self.formulas.sums_name(key)
        if key in self._sizes:
            return left_join(name, [(self.size(key), tree.column(N_RELEVANT, name))])
        return left_join(name, [(tree.column(one, LISTS), tree.column(one, name)) for one in self.groups(key)])

    def with_own(self, select: exp.Select, sums_of: Mapping[Key, Sums]) -> exp.Select:
        """A SELECT, in place, with the lists' own columns in the place of sums that stand in the lists' rows."""
        own = {self.formulas.sums_name(key): _own_values(one) for key, one in sums_of.items() if self._is_of_lists(one)}
        tree.replace_columns(select, lambda one: _of_list(own[one.table][one.name]) if one.table in own else None)
        return select


def _own_values(sums: Sums) -> dict[str, exp.Expr]:
    """What is asked of a stage that has one row per list, as what stands in that row; nothing, if it is not there."""
    own = {name: tree.of_one_row(one) for name, one in sums.columns.items()}
    return {name: one for name, one in own.items() if one is not None} if all(own.values()) else {}


def _of_list(value: exp.Expr) -> exp.Expr:
    """A value of a list's row where the row is called `lists`."""
    return tree.replace_columns(value.copy(), lambda one: tree.column(one.name, LISTS))


def left_join(name: str, pairs: Sequence[tuple[exp.Expr, exp.Expr]]) -> exp.Join:
    """A join of the rows that have these pairs equal, or of the one row there is."""
    if not pairs:
        return exp.Join(this=tree.table(name), kind="CROSS")
    on = exp.and_(*[exp.EQ(this=left, expression=right) for left, right in pairs], copy=False)
    return exp.Join(this=tree.table(name), on=on, side="LEFT")
