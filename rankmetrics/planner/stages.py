"""Builds one SELECT for each stage that the query needs: the file's SELECT over the user's tables and columns."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from rankmetrics.inputs.sources import SOURCES
from rankmetrics.metrics.catalog import LISTS
from rankmetrics.metrics.definition import Definition
from rankmetrics.planner.formulas import member_of
from rankmetrics.planner.input_columns import role_column, typed
from rankmetrics.planner.model import Cte, Question, Steps
from rankmetrics.planner.requirements import LISTS_KEY, Requirement, Requirements
from rankmetrics.sqltree import ids, tree
from rankmetrics.sqltree.names import unnamed
from rankmetrics.sqltree.relations import call


def build_stages(question: Question, requirements: Requirements) -> Steps:
    """The stages as steps of the query, by their names, readers first."""
    found: dict[str, Cte] = {}
    for key, requirement in requirements.stages.items():
        is_union = key == LISTS_KEY and len(question.missing) > 1
        build = _union_of_lists if is_union else _stage
        found[question.cte(key.name)] = build(question, requirements, requirement)
    return Steps(found)


def _union_of_lists(question: Question, _: Requirements, requirement: Requirement) -> Cte:
    """The lists of several choices of `missing`, with a column for each choice that says whether it has the list."""
    columns = [tree.column(column) for column in question.inside("list_id")]
    arms = []
    for mine, key in zip(question.missing, requirement.reads.values(), strict=True):
        flags = [tree.named(tree.literal(int(choice == mine)), member_of(choice)) for choice in question.missing]
        arms.append(exp.select(*columns, *flags).from_(tree.table(question.cte(key.name))))
    every = exp.union(*arms, distinct=False, copy=False).subquery("every_list")
    flags = [tree.named(exp.Max(this=tree.column(member_of(choice))), member_of(choice)) for choice in question.missing]
    select = exp.select(*columns, *flags).from_(every).group_by(*columns)
    comment = f"{question.cte(LISTS)}: one row per list of any choice of `missing`, with a flag for each choice"
    reads = tuple(question.cte(one.name) for one in requirement.reads.values())
    return Cte(question.cte(LISTS), select, reads, comment)


def _stage(question: Question, requirements: Requirements, requirement: Requirement) -> Cte:
    select, key = requirement.select.copy(), requirement.key
    aliases = {table.alias_or_name: table.name for table in tree.find(select, exp.Table)}
    single = next(iter(aliases)) if len(aliases) == 1 else ""
    select = _Columns(question, requirements, requirement, aliases, single).expanded(select)
    for node in tree.find(select, exp.Table):
        if node.name in requirement.reads:
            node.replace(tree.table(question.cte(requirement.reads[node.name].name), node.alias_or_name))
        elif node.name in SOURCES:
            node.replace(input_table(question, node.name))
    return Cte(
        name=question.cte(key.name),
        select=tree.write_out_series(select),
        reads=tuple(question.cte(one.name) for one in requirement.reads.values()),
        comment=f"{question.cte(key.name)}: {requirement.definition.summary}",
        kept=_is_kept(requirement.definition, is_plain=tree.is_plain(select) and not requirement.reads),
        within=requirement.reading.within,
        n_parts=max(1, question.layout.parts.get(aliases[single], 1)) if single else 1,
    )


class _Columns:
    """Puts columns in the place of ids and roles: the user's own where an input is read, ours elsewhere."""

    def __init__(
        self,
        question: Question,
        requirements: Requirements,
        requirement: Requirement,
        aliases: Mapping[str, str],
        single: str,
    ) -> None:
        self.question, self.layout = question, question.layout
        self.requirements, self.requirement = requirements, requirement
        self._aliases, self._single = aliases, single

    def expanded(self, select: exp.Select) -> exp.Select:
        """The SELECT, in place, over columns alone."""
        for node in select.expressions:  # `rank` becomes `"place" AS rank`: the name must outlive the column
            if isinstance(node, exp.Column) and node.name not in tree.IDS and self._table(node) in SOURCES:
                node.replace(exp.alias_(node.copy(), node.name))
        over_roles = tree.replace_columns(select, self._role)
        assert isinstance(over_roles, exp.Select)
        return ids.expand_ids(tree.drop_nulls(over_roles), self._id)

    def _table(self, column: exp.Column) -> str:
        return self._aliases.get(column.table or self._single, "")

    def _role(self, column: exp.Column) -> exp.Expr | None:
        table = self._table(column)
        is_role = table in SOURCES and column.name not in tree.IDS
        return role_column(self.layout.side(table), column) if is_role else None

    def _id(self, column: exp.Column) -> dict[str, exp.Expr]:
        """The columns that an id stands for where it is read, each by the name that it is returned under."""
        table, of, is_fold = self._table(column), column.table or None, column.name == tree.FOLD
        if table not in SOURCES:
            reads = self.requirement.reads  # without the systems, where there is one system and nothing to cross
            of_fold = self.requirements.folds(reads[table]) if is_fold and table in reads else []
            found = of_fold if is_fold else self.question.columns_of(column.name)
            return {unnamed(name): tree.column(unnamed(name), of) for name in found}
        side = self.layout.side(table)
        found = self.question.columns_of(column.name) if table == "recs" else [*side.lists]
        if is_fold:
            found = [one for one in self.layout.folds if one in side.lists]
        own = {name: side.own(name) for name in found}
        return {unnamed(name): typed("id", tree.given(one, of), side.types, one) for name, one in own.items()}


def input_table(question: Question, name: str) -> exp.Expr:
    """An input as it stands after FROM, under its name."""
    table = question.tables[name].copy()
    tree.mark_names(table)
    if table.alias_or_name != name:
        call(table, name)
    return table


def _is_kept(definition: Definition, *, is_plain: bool) -> bool | None:
    """Whether the rows of a stage are kept for its readers: as its header says, else not where reading anew is less."""
    if "materialized" in definition.fields:
        return True
    return False if is_plain else None
