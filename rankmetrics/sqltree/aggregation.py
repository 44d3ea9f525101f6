"""Aggregates in SQL trees: computed elsewhere, filtered, and what they are over a single row."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from rankmetrics.sqltree.relations import conjuncts
from rankmetrics.sqltree.tree import find, is_number, put


def split_aggregates(expression: exp.Expr, place: Callable[[exp.Expr], exp.Column]) -> exp.Expr:
    """An expression, in place, with columns in place of its aggregates, which another step computes.

    `place` is given each aggregate and returns the column that will hold it. A group without rows has no row there:
    its counts are 0, as they would be over no rows; all else is NULL, as it would be.
    """
    for node in find(expression, exp.AggFunc):
        placed: exp.Expr = place(node.copy())
        if isinstance(node, exp.Count):
            placed = exp.Coalesce(this=placed, expressions=[exp.Literal.number(0)])
        expression = put(expression, node, placed)
    return expression


def filtered(aggregate: exp.Expr, where: exp.Expr | None) -> exp.Expr:
    """An aggregate over the rows that meet a condition."""
    if where is None:
        return aggregate
    return exp.Filter(this=aggregate, expression=exp.Where(this=where.copy()))


def filter_of(aggregate: exp.Expr) -> exp.Expr | None:
    """The condition that an aggregate is filtered by; None where it goes through all rows."""
    return aggregate.expression.this if isinstance(aggregate, exp.Filter) else None


def unfiltered(aggregate: exp.Expr) -> exp.Expr:
    """An aggregate without the condition that it is filtered by."""
    return aggregate.this if isinstance(aggregate, exp.Filter) else aggregate


def of_one_row(aggregate: exp.Expr) -> exp.Expr | None:
    """The value of an aggregate over a single row, if it is a column of the row, as for a maximum; else None."""
    return aggregate.this if isinstance(aggregate, exp.Max) else None


def without_aggregates(expression: exp.Expr) -> exp.Expr:
    """A copy of an expression with NULL in place of its aggregates."""
    expression = expression.copy()
    for node in find(expression, exp.AggFunc):
        expression = put(expression, node, exp.Null())
    return expression


def filter_aggregates(expression: exp.Expr, where: exp.Expr | None) -> exp.Expr:
    """A copy of an expression whose aggregates are over the rows that meet a condition."""
    expression = expression.copy()
    for node in find(expression, exp.AggFunc):
        expression = put(expression, node, filtered(node.copy(), where))
    return expression


def limit_of(where: exp.Expr | None, name: str = "rank") -> int | None:
    """The n of `rank <= n`, where a condition demands it."""
    for test in conjuncts(where):
        if isinstance(test, exp.LTE) and test.this.name == name and is_number(test.expression):
            return int(test.expression.name)
    return None
