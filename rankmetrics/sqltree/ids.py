"""Puts the user's columns in place of `list_id` and the other ids that the files of sql/ read."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import cast

from sqlglot import exp

from rankmetrics.sqltree.tree import BY, FOLD, IDS, aliased, find, groups, outputs


def expand_ids(
    tree: exp.Select, read: Callable[[exp.Column], Mapping[str, exp.Expr]], ids: Container[str] = IDS
) -> exp.Select:
    """The SELECT with every id replaced, in place, by the columns that `read` gives for it, by their names."""
    for node in [node for node in find(tree, exp.Column) if node.name in ids and not node.this.quoted]:
        parent = node.parent
        assert parent is not None
        if isinstance(parent, exp.EQ) and node is parent.expression:
            continue  # it was replaced with the left side
        id_columns = read(node)
        expressions = list(id_columns.values())
        if isinstance(parent, exp.Is):
            negated = isinstance(parent.parent, exp.Not)
            whole = parent.parent if negated else parent
            test = exp.Not(this=exp.Null()) if negated else exp.Null()
            tests: list[exp.Expr] = [exp.Is(this=expression, expression=test.copy()) for expression in expressions]
            _replace_by_all(cast(exp.Expr, whole), tests, exp.and_ if negated else exp.or_)
        elif isinstance(parent, exp.EQ):
            other = read(cast(exp.Column, parent.expression))
            assert node.name == FOLD or [*other] == [*id_columns], node.sql()
            shared = [name for name in id_columns if name in other]
            equal: list[exp.Expr] = [exp.EQ(this=id_columns[name], expression=other[name]) for name in shared]
            _replace_by_all(parent, equal, exp.and_)
        elif isinstance(parent, exp.Select):
            returned = {*outputs(parent)} if node.name in (FOLD, BY) else set()  # columns of another id, too
            new = [aliased(column, name) for name, column in id_columns.items() if name not in returned]
            _splice(parent, "expressions", node, new)
        elif isinstance(parent, exp.Ordered):
            order = cast(exp.Order, parent.parent)
            ordered = [
                exp.Ordered(this=expression, nulls_first=parent.args.get("nulls_first")) for expression in expressions
            ]
            _splice(order, "expressions", parent, ordered)
        elif isinstance(parent, exp.Cast):  # an argument of a function: each column is cast
            casts = [exp.Cast(this=expression, to=parent.to.copy()) for expression in expressions]
            _splice(cast(exp.Expr, parent.parent), cast(str, parent.arg_key), parent, casts)
        else:
            _splice(parent, cast(str, node.arg_key), node, expressions)
    grouping = groups(tree)
    if grouping is not None and not grouping.expressions:
        tree.set("group", None)
    return tree


def _replace_by_all(test: exp.Expr, tests: list[exp.Expr], connect: Callable[..., exp.Expr]) -> None:
    """Put several tests in place of one test. Without any test, a join on it becomes a cross join."""
    parent = test.parent
    if tests:
        test.replace(connect(*tests, copy=False))
    elif isinstance(parent, exp.And):
        parent.replace(parent.expression if test is parent.this else parent.this)
    elif isinstance(parent, exp.Join):
        parent.set("on", None)
        parent.set("side", None)
        parent.set("kind", "CROSS")
    else:
        test.replace(exp.true())


def _splice(parent: exp.Expr, key: str, node: exp.Expr, new: Sequence[exp.Expr]) -> None:
    siblings = parent.args[key]
    parent.set(key, [argument for sibling in siblings for argument in (new if sibling is node else [sibling])])
