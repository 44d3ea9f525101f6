"""Composes one query of files of sql/: each SELECT of a file becomes a step (a CTE) under a name of its own.

WITH sizes AS (SELECT ... FROM rows) SELECT ... FROM sizes     -- a file that is added as `rows`, after a step `rows`
→  rows AS (...), sizes AS (SELECT ... FROM rows), rows_2 AS (SELECT ... FROM sizes)
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from sqlglot import exp

from rankmetrics.sqltree.ids import expand_ids
from rankmetrics.sqltree.names import free_name, headed
from rankmetrics.sqltree.parameters import bind
from rankmetrics.sqltree.tree import (
    Value,
    column,
    find,
    outputs,
    quote,
    read_by_name,
    tables_read,
    union_all,
    write_out_series,
)

# The columns inside a query that each id of the files represents; `table.id` is the id where that table is read.
Ids = Mapping[str, Sequence[str]]

# Queries that no file has, each with its comment, by the names under which files read them.
Rows = Mapping[str, tuple[exp.Query, str]]


class File(Protocol):
    """A file of sql/."""

    @property
    def select(self) -> exp.Select:
        """Its SELECT."""

    @property
    def summary(self) -> str:
        """What it returns, in a sentence."""


def selects_of(
    file: exp.Select, values: Mapping[str, Value], optional: Container[str] = ()
) -> Iterator[tuple[str, exp.Select]]:
    """The SELECTs of a file with values for its parameters, in reading order; the last has no name."""
    last = bind(file, values, optional)
    assert isinstance(last, exp.Select)
    for cte in take_ctes(last):
        yield cte.alias, cte.this
    yield "", last


def take_ctes(query: exp.Query) -> list[exp.CTE]:
    """The steps of a query, which loses them."""
    with_ = query.args.get("with_")
    query.set("with_", None)
    return [*with_.expressions] if with_ else []


def read_steps(select: exp.Select, names: Mapping[str, str]) -> exp.Select:
    """A SELECT, itself, that reads each step under its name in the query, with the name that the file uses as alias."""
    for table in find(select, exp.Table):
        if names.get(table.name, table.name) != table.name:
            table.set("alias", exp.TableAlias(this=exp.to_identifier(table.alias_or_name)))
            table.set("this", exp.to_identifier(names[table.name]))
    return select


def rows_of(rows: Iterable[Mapping[str, exp.Expr]]) -> exp.Query:
    """Rows of literals: SELECTs that UNION ALL connects."""
    return union_all([exp.select(*(exp.alias_(value, name) for name, value in row.items())) for row in rows])


def numbered(kind: str, n: int) -> list[str]:
    """The names of some columns of a kind inside a query: `list_1`, `list_2`."""
    return [f"{kind}_{place}" for place in range(1, n + 1)]


class Steps:
    """The steps of one query, in reading order. By default, `edit` puts columns in place of the ids of the files.

    Attributes:
        names: the step that files read under a name of theirs: the last that was added as it.
        outputs: the columns that this step returns.
        taken: the names that no further step gets.
        keeps_aliases: True if a renamed step is read under its name in the file: `FROM rows_2 AS rows`.
    """

    keeps_aliases = True

    def __init__(self, taken: Iterable[str], sources: Iterable[exp.Expr] = (), ids: Ids = MappingProxyType({})) -> None:
        """No step has a name that is taken, or that of a table of the sources, which steps will read."""
        self.names: dict[str, str] = {}
        self.outputs: dict[str, list[str]] = {}
        self.taken = {*taken, *(table.name for source in sources for table in find(source, exp.Table))}
        self._ctes: list[exp.CTE] = []
        self._ids = ids

    def edit(self, select: exp.Select, *, is_last: bool) -> exp.Select:
        """A SELECT of a file, itself, over the user's columns; it reads steps under their names in the files."""
        del is_last

        def columns_of(node: exp.Column) -> dict[str, exp.Expr]:
            table, names = node.table or None, self._ids[node.name]
            own = self._ids.get(f"{node.table}.{node.name}", names)
            return {name: column(own_name, table) for name, own_name in zip(names, own, strict=True)}

        return expand_ids(write_out_series(select), columns_of, self._ids)

    def add(self, name: str, query: exp.Query, comment: str = "") -> None:
        """Add a step that later files read as `name`, after the steps that its query has."""
        ctes = take_ctes(query)
        self._ctes += ctes
        self.taken |= {cte.alias for cte in ctes}
        first = comment_select(query, comment and f"{name}: {comment}")
        self.names[name] = free_name(name, self.taken, "_")
        self.outputs[name] = outputs(first)
        self.taken.add(self.names[name])
        self._ctes.append(exp.CTE(this=query, alias=exp.to_identifier(self.names[name], quoted=True)))

    def add_file(self, name: str, file: File, values: Mapping[str, Value], optional: Container[str] = ()) -> None:
        """Add the SELECTs of a file; later files read the last of them as `name`."""
        self.add(name, self._last_select(file.select, values, optional), file.summary)

    def add_read(
        self, file: File, files: Mapping[str, File], values: Mapping[str, Value], rows: Rows = MappingProxyType({})
    ) -> None:
        """Add the rows and files that a file reads and that are not there yet, each after what it reads itself."""
        for name in tables_read(file.select):
            if name in self.names:
                continue
            if name in rows:
                self.add(name, *rows[name])
            elif name in files:
                self.add_read(files[name], files, values, rows)
                self.add_file(name, files[name], values)

    def query(
        self, file: exp.Select, values: Mapping[str, Value], headings: Sequence[str], comment: str = ""
    ) -> exp.Select:
        """The query whose last SELECT is that of a file, with these names of columns."""
        last = headed(self._last_select(file, values, ()), headings)
        comment_select(last, comment)
        last.set("with_", exp.With(expressions=self._ctes))
        quote(last)
        return last

    def _last_select(self, file: exp.Select, values: Mapping[str, Value], optional: Container[str]) -> exp.Select:
        """The last SELECT of a file, after its other SELECTs have become steps."""
        for name, each in selects_of(file, values, optional):
            select = read_steps(self.edit(each, is_last=not name), self.names)
            if not self.keeps_aliases:
                read_by_name(select)
            if name:
                self.add(name, select)
        return select


def comment_select(query: exp.Query, comment: str) -> exp.Query:
    """The first SELECT of a query, with a comment if there is one."""
    while isinstance(query, exp.SetOperation):
        query = query.this
    if comment:
        query.comments = [f" {without_semicolons(comment)}"]
    return query


def without_semicolons(comment: str) -> str:
    """A comment that ends no statement: what runs a script may split it at every semicolon."""
    return comment.replace(";", ",")
