"""Computes once for a row what several aggregates over the rows take of it.

`SUM(LN(2) / LN(rank + 1)) FILTER (WHERE rank <= 5), SUM(LN(2) / LN(rank + 1)) FILTER (WHERE rank <= 10)` reads the
logarithm from a subquery, where it stands once: engines do not see through the filters that the cutoffs are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from rankmetrics.planner.passes.base import Pass
from rankmetrics.sqltree import aggregation, tree
from rankmetrics.sqltree.names import free_name

PASS = Pass("shared_terms", gain="")


def share_terms(select: exp.Select, depth: int | None) -> exp.Select:
    """Aggregates over the rows of a stage that ends at a rank, changed in place.

    Args:
        select: columns of the stage, and aggregates under their names.
        depth: the deepest rank that the stage has; None where it has all.
    """
    columns = {one.alias: one.this for one in select.expressions if isinstance(one, exp.Alias)}
    terms = _terms(columns, depth)
    if not terms:
        return select
    ids = [one.name for one in select.expressions if not isinstance(one, exp.Alias)]
    read = [one.name for column in columns.values() for one in tree.find(column, exp.Column)]
    kept = [tree.column(one) for one in dict.fromkeys([*ids, *read]) if one not in terms]
    values = [tree.named(one, name) for name, one in terms.items()]
    source = tree.source(select)
    rows = exp.select(*kept, *values).from_(source.copy(), copy=False).subquery(source.name)
    select.set("from_", exp.From(this=rows))
    return select


def _terms(columns: Mapping[str, exp.Expr], depth: int | None) -> dict[str, exp.Expr]:
    """What several aggregates take of a row, by the names that they now read."""
    takers: dict[exp.Expr, list[str]] = {}
    for name, one in columns.items():
        term = aggregation.unfiltered(one).this
        if isinstance(term, (exp.Func, exp.Binary)) and (aggregation.filter_of(one) is None or _cutoff(one)):
            takers.setdefault(term, []).append(name)
    terms: dict[str, exp.Expr] = {}
    for term, names in takers.items():
        if len(names) > 1:
            called = free_name(f"each {names[0].partition('@')[0]}".lower(), terms)
            terms[called] = _down_to_deepest(term, [columns[one] for one in names], depth)
            for name in names:
                aggregation.unfiltered(columns[name]).set("this", tree.column(called))
    return terms


def _down_to_deepest(term: exp.Expr, takers: Sequence[exp.Expr], depth: int | None) -> exp.Expr:
    """A term where any aggregate takes it: computed beyond the cutoffs, it might fail."""
    deepest = max(takers, key=lambda one: _cutoff(one) or float("inf"))
    where = aggregation.filter_of(deepest)
    return term.copy() if where is None or _cutoff(deepest) == depth else exp.Case().when(where.copy(), term.copy())


def _cutoff(aggregate: exp.Expr) -> int | None:
    """The rank that an aggregate goes down to, where it is filtered by nothing else."""
    where = aggregation.filter_of(aggregate)
    return aggregation.limit_of(where) if isinstance(where, exp.LTE) else None
