"""Reads different values of some columns from a step that groups the same rows by these columns anyway.

`SELECT DISTINCT user FROM judgments` becomes `SELECT user FROM relevant_counts` where that step is `SELECT user,
COUNT(*) FROM judgments GROUP BY user`: the truth is read and grouped once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sqlglot import exp

from rankmetrics.planner.passes.base import StagesPass
from rankmetrics.planner.stages import Cte, Stages
from rankmetrics.sqltree import tree


def share_groups(stages: Stages) -> Stages:
    """The stages, with DISTINCT read from a step that groups the same rows."""
    grouping: dict[tuple[object, ...], str] = {}
    for name, one in stages.ctes.items():
        group = tree.groups(one.select)
        if group and not one.select.args.get("having"):
            grouping.setdefault((*group.expressions, tree.rows_of(one.select)), name)
    shared = {name: _read_from_groups(one, stages.ctes, grouping) for name, one in stages.ctes.items()}
    return replace(stages, ctes=shared)


def _read_from_groups(one: Cte, ctes: Mapping[str, Cte], grouping: dict[tuple[object, ...], str]) -> Cte:
    columns = [column.unalias() for column in one.select.expressions]
    shared = grouping.get((*columns, tree.rows_of(one.select)))
    returned = tree.outputs(one.select)
    if shared is None or not one.select.args.get("distinct"):
        return one
    if not {*returned} <= {*tree.outputs(ctes[shared].select)}:
        return one
    select = exp.select(*map(tree.column, returned)).from_(tree.table(shared))
    return replace(one, select=select, reads=(shared,))


PASS = StagesPass(
    "shared_groups",
    gain="0.88 of the time on DuckDB, nothing in Polars: nDCG and recall over 10 million rows with ranks",
    change=share_groups,
)
