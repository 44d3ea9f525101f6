"""The steps of a split's query: files of sql/splits over the user's columns, one CTE for each SELECT."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlglot import exp

from rankmetrics.metrics.definition import Definition
from rankmetrics.planner import without_semicolons
from rankmetrics.splits.roles import Roles
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name, headed
from rankmetrics.sqltree.parameters import bind
from rankmetrics.sqltree.relations import after_from

# The column of a fold or window inside a query.
FOLD = "fold"

# The name of the input in the files.
INTERACTIONS = "interactions"

# The parameters that need no value: what they stand in is left out without one.
OPTIONAL = ("max_test_users", "items_test_fraction", "train_from")


class Steps:
    """The steps of a query, in reading order.

    Args:
        roles: the columns of the interactions.
        source: the table or subquery of the interactions.
        taken: names that no step may have: of tables that the input reads.
    """

    def __init__(self, roles: Roles, source: exp.Expr, taken: Iterable[str]) -> None:
        self._roles = roles
        self._source = after_from(source, "given")
        tree.mark_given(self._source)
        self._taken = {*taken, *(table.name for table in tree.find(self._source, exp.Table))}
        self._names: dict[str, str] = {}  # the step that stands for a name of the files, such as kept_rows
        self._outputs: dict[str, list[str]] = {INTERACTIONS: [*roles.schema]}
        self._ctes: list[tuple[str, exp.Query]] = []

    def add(self, file: Definition, called: str, values: Mapping[str, Any]) -> None:
        """Add the SELECTs of a file; the last is the step that later files read as `called`."""
        for name, select in self._selects(file, values):
            self._put(name or called, select, file.summary if not name else "")

    def add_rows(self, called: str, rows: exp.Query, comment: str) -> None:
        """Add a step of rows that no file has: their columns are named as ours."""
        for one in tree.find(rows, exp.Alias):
            one.set("alias", exp.to_identifier(self._own(one.alias), quoted=True))
        self._put(called, rows, comment)

    def finished(self, file: Definition, columns: Sequence[str]) -> exp.Select:
        """The query whose last SELECT is that of a file, with these names of columns."""
        last = exp.Select()
        for name, select in self._selects(file, {}):
            last = select
            if name:
                self._put(name, select, "")
        headed(last, columns)
        for name, query in self._ctes:
            last = last.with_(exp.to_identifier(name, quoted=True), as_=query, copy=False)
        tree.quote(last)
        return last

    def _selects(self, file: Definition, values: Mapping[str, Any]) -> Iterable[tuple[str, exp.Select]]:
        """The SELECTs of a file over the user's columns, each with its name in the file; the last has none."""
        last = bind(file.select, values, OPTIONAL)
        assert isinstance(last, exp.Select)
        with_ = last.args.get("with_")
        last.set("with_", None)
        for cte in with_.expressions if with_ else ():
            yield cte.alias, self._over_columns(cte.this, is_last=False)
        yield "", self._over_columns(last, is_last=True)

    def _put(self, called: str, query: exp.Query, comment: str) -> None:
        name = free_name(called, {*self._taken, *self._outputs}, "_")
        first: Any = query
        while isinstance(first, exp.SetOperation):
            first = first.this  # the first SELECT of a UNION names the columns
        if comment:
            first.comments = [f" {called}: {without_semicolons(comment)}"]
        self._ctes.append((name, query))
        self._names[called] = name
        self._outputs[name] = tree.outputs(first)

    def _over_columns(self, select: exp.Select, *, is_last: bool) -> exp.Select:
        """A SELECT of a file, itself, that reads the user's columns and the steps that there are."""
        self._name_tables(select)
        if not self._has_folds(select):
            _drop_folds(select)
        for one in tree.find(select, exp.Alias):
            one.set("alias", exp.to_identifier(self._own(one.alias), quoted=True))
        select = tree.replace_columns(select, self._column)  # type: ignore[assignment]  # a SELECT stays one
        self._expand_stars(select, is_last=is_last)
        tree.drop_nulls(select)
        _drop_repeated_orders(select)
        return select

    def _name_tables(self, select: exp.Select) -> None:
        """Put the names of the steps, and the input itself, in the place of the names of the file."""
        for table in tree.find(select, exp.Table):
            is_input = table.name == INTERACTIONS
            table.replace(self._source.copy() if is_input else tree.table(self._names[table.name]))
        for column in tree.find(select, exp.Column):
            if column.table in self._names:
                column.set("table", exp.to_identifier(self._names[column.table], quoted=True))

    def _has_folds(self, select: exp.Select) -> bool:
        return any(self._own(FOLD) in self._outputs.get(name, ()) for name in tree.tables_read(select))

    def _own(self, name: str) -> str:
        """The name of a column of ours that no column of the user has."""
        return free_name(name, self._roles.schema, "_")

    def _column(self, column: exp.Column) -> exp.Expr | None:
        """The user's column of a role, or a column of ours under its free name."""
        if isinstance(column.this, exp.Star):
            return None
        table = column.table or None
        if column.name not in self._roles.columns:
            return tree.column(self._own(column.name), table)
        name = self._roles.columns[column.name]
        if name is None:
            return exp.Null()
        found, kind = tree.given(name, table), self._roles.schema[name]
        if kind.family == "string" and not re.search("ENUM|UUID|UNIQUEIDENTIFIER", kind.name.upper()):
            found.type = exp.DataType(this=exp.DType.TEXT)
        return found

    def _expand_stars(self, select: exp.Select, *, is_last: bool) -> None:
        """Write out `*`: all columns of the step that is read; in the last SELECT of a file, those of the input."""
        expanded: list[exp.Expr] = []
        for expression in select.expressions:
            is_qualified = isinstance(expression, exp.Column) and isinstance(expression.this, exp.Star)
            if not is_qualified and not isinstance(expression, exp.Star):
                expanded.append(expression)
                continue
            source = expression.table if is_qualified else tree.source(select).name
            known, fold = self._outputs.get(source, [*self._roles.schema]), self._own(FOLD)
            if is_last:
                kept = {fold, *self._roles.schema}
                known = [name for name in known if name in kept]
            columns = sorted(known, key=lambda name: name != fold) if is_last else known
            expanded += [self._carried(name, expression.table if is_qualified else None) for name in columns]
        select.set("expressions", expanded)

    def _carried(self, name: str, table: str | None) -> exp.Column:
        return tree.given(name, table) if name in self._roles.schema else tree.column(name, table)


def _drop_folds(select: exp.Select) -> None:
    """Leave out the column of folds, in place, where a method has none."""
    for column in tree.find(select, exp.Column):
        parent = column.parent
        if column.name == FOLD and parent is not None:
            key = str(column.arg_key)
            parent.set(key, [one for one in parent.args[key] if one is not column])


def _drop_repeated_orders(select: exp.Select) -> None:
    """`ORDER BY row_hash DESC, row_hash` → `ORDER BY row_hash DESC`: SQL Server refuses a column named twice."""
    for order in tree.find(select, exp.Order):
        seen: list[exp.Expr] = []
        kept = []
        for expression in order.expressions:
            if expression.this not in seen:
                seen.append(expression.this)
                kept.append(expression)
        order.set("expressions", kept)
