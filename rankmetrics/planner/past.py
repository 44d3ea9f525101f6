"""Cuts the history to what lists knew before them: for each day, the rows of earlier days.

The source of the history, what stands after FROM, becomes a query: for each day that the recommendations or the truth
have, the rows of the history whose own day is earlier. A history with `history_until="day"`:

    SELECT days.day, past.user, past.item
    FROM history AS past
    CROSS JOIN (SELECT DISTINCT day FROM recs UNION SELECT DISTINCT day FROM truth) AS days
    WHERE past.day < days.day
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from rankmetrics.inputs.columns import Layout, Side
from rankmetrics.planner.where import Comparison
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.relations import call

Tables = Mapping[str, exp.Expr]


def with_past(tables: Tables, layout: Layout, partition: Sequence[Comparison] = ()) -> Tables:
    """The inputs with the history cut to the rows before each day, where the caller asked for that.

    Of a partition, the latest day bounds the days of the history that are read: a warehouse can skip the later ones.
    """
    until = layout.history_until
    if until is None or "history" not in tables:
        return tables
    side = layout.side("history")
    own = side.own(until)
    days = exp.union(*(_days(tables[name], layout.side(name), until) for name in ("recs", "truth")), copy=False)
    used = dict.fromkeys([*side.roles.roles.values(), *side.list_columns])
    columns: list[exp.Expr] = [tree.named(tree.column(until, "days"), own)]
    columns += [tree.column(one, "past") for one in used if one != own]
    past = exp.select(*columns).from_(_named(tables["history"], "past"))
    past.append("joins", exp.Join(this=_named(exp.Subquery(this=days), "days"), kind="CROSS"))
    tests: list[exp.Expr] = [exp.LT(this=tree.column(own, "past"), expression=tree.column(until, "days"))]
    tests += [
        Comparison(condition.column, "<", condition.values).test(tree.column(own, "past"), layout.recs_types[until])
        for condition in partition
        if condition.column == until and condition.operator in ("=", "<", "<=")
    ]
    return {**tables, "history": exp.Subquery(this=past.where(*tests))}


def _days(table: exp.Expr, side: Side, until: str) -> exp.Select:
    """The different days of an input."""
    found = tree.named(tree.column(side.own(until), "dated"), until)
    return exp.select(found).distinct().from_(_named(table, "dated"))


def _named(table: exp.Expr, name: str) -> exp.Expr:
    """A copy of what stands after FROM, under a name."""
    return call(table.copy(), name)
