"""The tables that a SELECT reads, and the conditions that hold of its rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from sqlglot import exp

from rankmetrics.sqltree.tree import table

Source = TypeVar("Source", bound=exp.Expr)


def joins(select: exp.Query) -> list[exp.Join]:
    """The joins of a SELECT; an empty list where there are none."""
    return select.args.get("joins") or []


def sources(select: exp.Query) -> list[exp.Expr]:
    """The tables and queries that a SELECT reads: after FROM, then after each JOIN."""
    return [select.args["from_"].this, *(join.this for join in joins(select))]


def sources_with_rows(select: exp.Query) -> list[exp.Expr]:
    """The sources whose columns are never NULL for want of a row: all but those of a LEFT JOIN."""
    return [select.args["from_"].this, *(join.this for join in joins(select) if not join.side)]


def conjuncts(condition: exp.Expr | None) -> list[exp.Expr]:
    """The conditions that AND connects, without brackets; a single one alone; none without a condition."""
    if condition is None:
        return []
    return [*condition.flatten()] if isinstance(condition, exp.And) else [condition]


def equal_columns(condition: exp.Expr | None) -> list[tuple[exp.Column, exp.Column]]:
    """The pairs of columns that a condition compares for equality."""
    equal = [test for test in conjuncts(condition) if isinstance(test, exp.EQ)]
    pairs = [(comparison.this, comparison.expression) for comparison in equal]
    return [(left, right) for left, right in pairs if isinstance(left, exp.Column) and isinstance(right, exp.Column)]


def call(source: Source, name: str) -> Source:
    """A table or a query after FROM, itself, under a name."""
    source.set("alias", exp.TableAlias(this=exp.to_identifier(name, quoted=True)))
    return source


def after_from(table: exp.Expr, name: str) -> exp.Expr:
    """A copy of a table, or of a SELECT under a name, which some databases require of a SELECT after FROM."""
    copy = table.copy()
    return call(copy, name) if isinstance(copy, exp.Subquery) and not copy.alias else copy


def left_join(name: str, pairs: Sequence[tuple[exp.Expr, exp.Expr]]) -> exp.Join:
    """A join of the rows whose pairs of values are equal, or of the only row."""
    if not pairs:
        return exp.Join(this=table(name), kind="CROSS")
    on = exp.and_(*[exp.EQ(this=left, expression=right) for left, right in pairs], copy=False)
    return exp.Join(this=table(name), on=on, side="LEFT")
