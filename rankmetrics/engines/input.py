"""An input as its engine sees it: the table of a query, and its columns by name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rankmetrics.errors import ColumnError, DialectError, InputError, Option, names
from rankmetrics.inputs.assumptions import NO_KEYS, DeclaredKeys
from rankmetrics.inputs.columns import ColumnType, Schema

if TYPE_CHECKING:
    from sqlglot import exp


@dataclass(frozen=True)
class Input:
    """An input as its engine sees it.

    Attributes:
        schema: the columns and their types.
        table: the table or subquery to write after FROM.
        name: the name of the input as a table of a warehouse.
        travels: whether `table` names the same rows outside this process, as a file or a table of a database does.
        is_query: whether the input is a SELECT, and so has no name.
        declared: the keys that the database enforces.
        condition: the condition that all its rows meet, from the option `where`; None without a condition.
    """

    schema: Schema
    table: exp.Expr
    name: str
    travels: bool = False
    is_query: bool = False
    condition: exp.Expr | None = None
    declared: DeclaredKeys = NO_KEYS

    def elsewhere(self, given: str | None, dialect: str, *, fold: bool = False) -> exp.Expr:
        """The input as a table of another database: under the given name, else under its own.

        Args:
            given: the name of the table.
            dialect: the dialect of the other database.
            fold: whether names get the case to which the dialect turns names without quotes.

        Raises:
            DialectError: the input is a SELECT, and no name is given.
        """
        from sqlglot import exp

        from rankmetrics.dialects import base as dialects
        from rankmetrics.sqltree import tree

        if self.is_query and given is None:
            raise DialectError(
                f"An input is a SELECT, which has no name in {dialect}: name the table that holds its rows there, ",
                Option("recs", "db.recs"),
                " or ",
                Option("truth", "db.truth"),
                ".",
            )
        is_named = isinstance(self.table, exp.Table) and isinstance(self.table.this, exp.Identifier)
        if given is None and self.travels and is_named and not self.table.args.get("catalog"):
            table = self.table.copy()  # with its schema
            if fold:
                dialects.fold(table, dialect)
            tree.quote(table)
        else:
            table = dialects.table(given or self.name, dialect, is_folded=fold)
        if self.condition is None:
            return table
        condition = self.condition.copy()
        if fold:
            dialects.fold(condition, dialect)
        return exp.Subquery(this=exp.select("*").from_(table).where(condition))


def refuse_doubled(what: str, columns: Iterable[str]) -> None:
    """Refuse columns with equal names, or with names that differ in case only: only some engines tell these apart.

    Raises:
        ColumnError: there are such columns.

    >>> refuse_doubled("truth", ["user", "item", "Item"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    rankmetrics.errors.ColumnError: The truth has columns whose names differ in case only: 'item' and 'Item'. Rename ...
    """
    by_lower: dict[str, list[str]] = {}
    for column in columns:
        by_lower.setdefault(column.lower(), []).append(column)
    for found in by_lower.values():
        if len(set(found)) > 1:
            raise ColumnError(
                f"The {what} has columns whose names differ in case only: {names(dict.fromkeys(found))}. "
                "Rename or drop all but one."
            )
        if len(found) > 1:
            raise ColumnError(f"The {what} has {len(found)} columns called {found[0]!r}. Rename or drop all but one.")


def schema_of(what: str, columns: Iterable[tuple[str, ColumnType]]) -> Schema:
    """The columns of an input by their names.

    Raises:
        InputError: there is no column.
        ColumnError: two columns have equal names, or names that differ in case only.
    """
    found = list(columns)
    if not found:
        raise InputError(f"There are no columns in the {what}.")
    refuse_doubled(what, [name for name, _ in found])
    return dict(found)
