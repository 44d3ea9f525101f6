"""The aggregates of a stage as one SELECT: what several of them take of a row is computed once for the row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name


def summed(stage: exp.Table, groups: Sequence[str], columns: Mapping[str, exp.Expr], depth: int | None) -> exp.Select:
    """Aggregates over the rows of a stage, which ends at a rank, each under its name.

    A discount that is summed up to six cutoffs is one logarithm of a row and not six: engines do not see through the
    cases or filters that the cutoffs are.
    """
    columns = {name: one.copy() for name, one in columns.items()}
    once = _once(columns, depth)
    ids = [tree.column(one) for one in groups]
    select = exp.select(*ids, *(tree.named(one, name) for name, one in columns.items()))
    if not once:
        return select.from_(stage, copy=False)
    read = [one.name for column in columns.values() for one in tree.find(column, exp.Column)]
    kept = [tree.column(one) for one in dict.fromkeys([*groups, *read]) if one not in once]
    values = [tree.named(one, name) for name, one in once.items()]
    return select.from_(exp.select(*kept, *values).from_(stage, copy=False).subquery(stage.name), copy=False)


def _once(columns: Mapping[str, exp.Expr], depth: int | None) -> dict[str, exp.Expr]:
    """What several aggregates take of a row, under names that they now read instead."""
    takers: dict[exp.Expr, list[str]] = {}
    for name, one in columns.items():
        taken = tree.unfiltered(one).this
        if isinstance(taken, (exp.Func, exp.Binary)) and (tree.filter_of(one) is None or _cutoff(one)):
            takers.setdefault(taken, []).append(name)
    once: dict[str, exp.Expr] = {}
    for taken, names in takers.items():
        if len(names) > 1:
            called = free_name(f"each {names[0].partition('@')[0]}".lower(), once)
            once[called] = _down_to_deepest(taken, [columns[one] for one in names], depth)
            for name in names:
                tree.unfiltered(columns[name]).set("this", tree.column(called))
    return once


def _down_to_deepest(taken: exp.Expr, takers: Sequence[exp.Expr], depth: int | None) -> exp.Expr:
    """What aggregates take of a row, where any of them takes it: computed beyond their cutoffs, it might fail."""
    deepest = max(takers, key=lambda one: _cutoff(one) or float("inf"))
    where = tree.filter_of(deepest)
    return taken.copy() if where is None or _cutoff(deepest) == depth else exp.Case().when(where.copy(), taken.copy())


def _cutoff(column: exp.Expr) -> int | None:
    """The rank that an aggregate goes down to, where that is all that it is filtered by."""
    where = tree.filter_of(column)
    return tree.limit_of(where) if isinstance(where, exp.LTE) else None
