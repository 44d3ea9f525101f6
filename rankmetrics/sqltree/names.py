"""Names of columns inside a query: no name of ours is one of the user's, whatever the user's columns are called.

List columns are the only columns of the user's that go through the query: steps that read an input give all others
names of ours. So a list column has a mark in front of its name until the query is whole; then it gets the user's, or,
where a column of ours has that name, another. With aliases instead, no reader would find the column in the text, and a
prefix that inputs may not have would be in every text. What is added to a query later takes a name that is not in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, count

from sqlglot import exp

from rankmetrics.sqltree import tree

# How the name of a list column begins inside a query that is not whole.
UNNAMED = "\0"


def free_heading(name: str, names: Iterable[str]) -> str:
    """A name for a column of a result that no other has, in whatever case: as it is, or with a `_` more."""
    lower = {other.lower() for other in names}
    while name.lower() in lower:
        name += "_"
    return name


def free_name(name: str, names: Iterable[str], joint: str = " ") -> str:
    """A name that is not taken, in whatever case, made from one: `dcg@5 2`."""
    lower = {other.lower() for other in names}
    return next(
        candidate
        for candidate in chain([name], (f"{name}{joint}{n}" for n in count(2)))
        if candidate.lower() not in lower
    )


def _is_column(name: exp.Identifier) -> bool:
    """True if an identifier names a column, and not a table or a step."""
    of_table = isinstance(name.parent, exp.TableAlias) and name.arg_key == "columns"
    return of_table or (isinstance(name.parent, (exp.Column, exp.Alias)) and name.arg_key in ("this", "alias"))


def unnamed(column_of_lists: str) -> str:
    """The name of a list column inside a query, until all other names of the query are known."""
    return UNNAMED + column_of_lists


def name_lists(query: exp.Expr) -> None:
    """Give the list columns their names, in place: the user's, behind `list_` where another column has that name.

    Names that differ in case alone count as the same, because most engines read them so. The columns of the inputs
    do not count: a step that reads an input reads nothing else under a bare name.
    """
    columns = [identifier for identifier in tree.find(query, exp.Identifier) if _is_column(identifier)]
    waiting = dict.fromkeys(column.name for column in columns if column.name.startswith(UNNAMED))
    names_in_use = {column.name.lower() for column in columns if column.name not in waiting and not _is_given(column)}
    new_names = {}
    for name in sorted(waiting, key=lambda name: name.removeprefix(UNNAMED).lower() in names_in_use):
        bare = name.removeprefix(UNNAMED)
        while bare.lower() in names_in_use:
            bare = f"list_{bare}"
        names_in_use.add(bare.lower())
        new_names[name] = bare
    for column in columns:
        if column.name in new_names:
            column.set("this", new_names[column.name])


def _is_given(name: exp.Identifier) -> bool:
    """True if a name is that of a column of an input."""
    return bool(name.meta_get(tree.IS_GIVEN) or (name.parent and name.parent.meta_get(tree.IS_GIVEN)))


def headed(select: exp.Select, names: Sequence[str]) -> exp.Select:
    """A SELECT, itself, whose columns have these names, in order: names for the user, not for other steps."""
    columns = [
        tree.aliased(expression.unalias(), name) for expression, name in zip(select.expressions, names, strict=True)
    ]
    for column in columns:
        column.meta[tree.IS_GIVEN] = isinstance(column, exp.Alias)
    select.set("expressions", columns)
    return select
