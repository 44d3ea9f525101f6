"""Leaves out stages that say nothing that another does not say."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from rankmetrics.planner.model import Built
from rankmetrics.sqltree import tree

# What makes the rows of a query others than those that it reads.
NARROWING = ("where", "joins", "group", "distinct", "limit")


def share_groups(built: Mapping[str, Built]) -> None:
    """Read what differs in some columns of a table from a stage that groups the same rows by them, if any does.

    So the lists of the truth are those of the sizes: the truth is gone through once.

    Args:
        built: the stages by their names; those that can read another are changed.
    """
    grouping: dict[tuple[object, ...], str] = {}
    for name, one in built.items():
        group = tree.groups(one.select)
        if group and not one.select.args.get("having"):
            grouping.setdefault((*group.expressions, tree.rows_of(one.select)), name)
    for one in built.values():
        columns = [column.unalias() for column in one.select.expressions]
        shared = grouping.get((*columns, tree.rows_of(one.select)))
        returned = tree.outputs(one.select)
        if shared is None or not one.select.args.get("distinct"):
            continue
        if {*returned} <= {*tree.outputs(built[shared].select)}:
            one.select = exp.select(*map(tree.column, returned)).from_(tree.table(built[shared].name))
            one.reads = [shared]


def handed_on(built: Built) -> str | None:
    """The name of what a stage only hands on, column by column and row by row; None where it does more."""
    select = built.select
    bare = all(
        isinstance(one.unalias(), exp.Column) and one.alias_or_name == one.unalias().name for one in select.expressions
    )
    if bare and built.reads and not any(select.args.get(part) for part in NARROWING):
        return tree.source(select).name
    return None
