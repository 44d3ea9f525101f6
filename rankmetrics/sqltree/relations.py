"""The tables that a SELECT reads, and the conditions that hold of its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from sqlglot import exp

from rankmetrics.sqltree.tree import IDS, find, table

Source = TypeVar("Source", bound=exp.Expr)


@dataclass(frozen=True)
class TablesRead:
    """The tables that a SELECT reads, and their columns; the SELECT is never edited."""

    select: exp.Select

    @cached_property
    def by_alias(self) -> Mapping[str, str]:
        """The tables by the names under which they are read."""
        return {table.alias_or_name: table.name for table in find(self.select, exp.Table)}

    @cached_property
    def only(self) -> str:
        """The only table; empty where there are several."""
        return next(iter(self.by_alias.values())) if len(self.by_alias) == 1 else ""

    @cached_property
    def columns(self) -> list[tuple[str, str]]:
        """The columns that are read, each once and behind its table; no ids."""
        columns = [column for column in find(self.select, exp.Column) if column.name not in IDS]
        return list(dict.fromkeys((self.table_of(column), column.name) for column in columns))

    def table_of(self, column: exp.Column) -> str:
        """The table of a column of the SELECT, or of a copy; empty where it belongs to none, or to any of several."""
        return self.by_alias.get(column.table, "") if column.table else self.only


def joins(select: exp.Query) -> list[exp.Join]:
    """The joins of a SELECT; an empty list where there are none."""
    return select.args.get("joins") or []


def conjuncts(condition: exp.Expr | None) -> list[exp.Expr]:
    """The conditions that AND connects, without brackets; a single one alone; none without a condition."""
    if condition is None:
        return []
    return [*condition.flatten()] if isinstance(condition, exp.And) else [condition]


def set_conditions(select: exp.Select, conditions: Sequence[exp.Expr]) -> None:
    """Let these conditions, and no others, hold of the rows of a SELECT, in place."""
    select.set("where", exp.Where(this=exp.and_(*conditions, copy=False)) if conditions else None)


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
