"""Puts values in place of parameters; an optional parameter without a value takes its comparison along."""

from __future__ import annotations

from collections.abc import Container, Mapping

from sqlglot import exp

from rankmetrics.sqltree.tree import Value, find, is_number, literal, put, source


def bind(tree: exp.Expr, values: Mapping[str, Value], optional_names: Container[str] = ()) -> exp.Expr:
    """A copy of a tree with values in place of its parameters.

    A parameter whose value is None is left out, with the comparison or the argument of COALESCE, LEAST or GREATEST
    that it is in. `COALESCE($k, n)` in a file of sql/ means `$k`, or `n` where `$k` has no value.

    Args:
        tree: an expression or a SELECT.
        values: the value of each parameter: a number, an expression, or None.
        optional_names: the parameters that need no value.

    >>> from sqlglot import parse_one
    >>> bind(parse_one("$weight * x - $shift", read="duckdb"), {"weight": 1, "shift": 0}).sql()
    'x'
    """
    tree = tree.copy()
    waiting = find(tree, exp.Placeholder)
    while waiting:
        node = waiting.pop(0)
        value = values[node.name]
        optional = _optional(node)
        if value is None or isinstance(value, exp.Null):
            tree = _leave_out(tree, node, optional)
            waiting = find(tree, exp.Placeholder)  # other parameters may have been left out with it
            continue
        if not isinstance(value, exp.Expr):
            value = literal(value)
        is_part = not isinstance(node.parent, (exp.Where, exp.Alias, exp.Func))
        replacement = exp.Paren(this=value.copy()) if isinstance(value, exp.Binary) and is_part else value.copy()
        is_cast = isinstance(value, exp.Cast) and isinstance(node.parent, exp.Cast) and node.parent.to == value.to
        tree = put(tree, node.parent if node.parent and is_cast else node, replacement)
        if isinstance(optional, exp.Coalesce) and node.name in optional_names:
            tree = put(tree, optional, optional.this)
    return _simplify(tree)


def _optional(node: exp.Expr) -> exp.Expr | None:
    """The COALESCE, LEAST, GREATEST or comparison that is left out with a parameter; None inside an aggregate."""
    while node.parent is not None:
        child, node = node, node.parent
        if isinstance(node, exp.AggFunc):
            return None
        if isinstance(node, (exp.Least, exp.Greatest)) or (isinstance(node, exp.Coalesce) and child is node.this):
            return node
        if isinstance(node, exp.Predicate) and not isinstance(node.parent, exp.Coalesce):
            return node
    return None


def _leave_out(tree: exp.Expr, node: exp.Expr, optional: exp.Expr | None) -> exp.Expr:
    if optional is None:
        return put(tree, node, exp.Null())
    if isinstance(optional, (exp.Coalesce, exp.Least, exp.Greatest)):
        arguments = [
            argument
            for argument in (optional.this, *optional.expressions)
            if not any(descendant is node for descendant in argument.walk())
        ]
        rest = optional.copy()
        rest.set("this", arguments[0].copy())
        rest.set("expressions", [argument.copy() for argument in arguments[1:]])
        return put(tree, optional, rest if len(arguments) > 1 else rest.this)
    return put(tree, optional, exp.true())


# What binding leaves untidy.
UNTIDY = (exp.And, exp.Where, exp.Case, exp.Nullif, exp.Add, exp.Sub, exp.Mul)


def _simplify(tree: exp.Expr) -> exp.Expr:
    """Tidy what binding left: `x AND TRUE`, `WHERE TRUE`, `CASE WHEN TRUE`, `NULLIF(10, 0)`, `10 + 1`, `x - 0`.

    And `1 * x`, where 1 is a whole number or a DOUBLE.
    """
    nodes = find(tree, *UNTIDY)
    for both in [node for node in nodes if isinstance(node, exp.And)][::-1]:
        sides = [side for side in (both.left, both.right) if not _is_true(side)]
        if len(sides) < 2:
            tree = put(tree, both, sides[0] if sides else exp.true())
    for node in nodes[::-1]:  # inner nodes first
        if isinstance(node, exp.Where) and _is_true(node.this):
            if isinstance(node.parent, exp.Filter):
                tree = put(tree, node.parent, node.parent.this)
            else:
                node.pop()
        elif isinstance(node, exp.Case) and node.args["ifs"] and _is_true(node.args["ifs"][0].this):
            tree = put(tree, node, node.args["ifs"][0].args["true"])
        elif isinstance(node, exp.Nullif) and is_number(node.this) and node.this != node.expression:
            tree = put(tree, node, node.this)
        elif isinstance(node, exp.Add) and node.left.is_int and node.right.is_int:
            tree = put(tree, node, literal(int(node.left.name) + int(node.right.name)))
        elif isinstance(node, exp.Mul) and node.left.unnest() == exp.Literal.number(1):
            tree = put(tree, node, node.right)
        elif isinstance(node, exp.Sub) and node.right == exp.Literal.number(0):
            tree = put(tree, node, node.left)
        elif isinstance(node, exp.Mul) and isinstance(node.left, exp.Cast) and node.left.this == exp.Literal.number(1):
            tree = put(tree, node, node.right.unnest())
    return tree


def _is_true(node: exp.Expr) -> bool:
    return isinstance(node, exp.Boolean) and bool(node.this)


def order_by_windows(select: exp.Select) -> None:
    """Sort the rows of a SELECT, in place, in the order of the window that ranks them, and not by the rank.

    `ORDER BY list_id, ROW_NUMBER() OVER (PARTITION BY list_id ORDER BY score DESC)` → `ORDER BY list_id, score DESC`
    """
    order = select.args.get("order")
    if order is None:
        return
    keys: list[exp.Expr] = []
    for key in order.expressions:
        ranking = key.this.args["order"] if isinstance(key.this, exp.Window) else None
        for column in find(ranking, exp.Column) if ranking else ():
            column.set("table", exp.to_identifier(source(select).name))  # and not what is returned under its name
        keys += ranking.expressions if ranking else [key]
    order.set("expressions", keys)


def score_above(rank: exp.Expr) -> exp.Expr:
    """The score of the recommendation one rank above: by the window that ranks, or by a column of ranks."""
    if isinstance(rank, exp.Window):
        window = rank.copy()
        window.set("this", exp.Lag(this=exp.column("score")))
        return window
    order = exp.Order(expressions=[exp.Ordered(this=rank.copy(), nulls_first=True)])
    return exp.Window(this=exp.Lag(this=exp.column("score")), partition_by=[exp.column("list_id")], order=order)
