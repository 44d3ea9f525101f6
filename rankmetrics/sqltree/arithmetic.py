"""Computes expressions over whole numbers in Python, as a database would: conditions on counts, and what they count."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from sqlglot import exp

OPERATORS: Mapping[type[exp.Expr], Callable[[int, int], int]] = {
    exp.Add: operator.add,
    exp.Sub: operator.sub,
    exp.Mul: operator.mul,
    exp.EQ: operator.eq,
    exp.NEQ: operator.ne,
    exp.LT: operator.lt,
    exp.LTE: operator.le,
    exp.GT: operator.gt,
    exp.GTE: operator.ge,
    exp.And: operator.and_,
    exp.Or: operator.or_,
}


def compute(expression: exp.Expr, values: Mapping[str, int]) -> int:
    """The value of an expression, given the values of its columns; a condition is 1 or 0.

    Raises:
        ValueError: the expression has an operation that is not known here.

    >>> from sqlglot import parse_one
    >>> compute(parse_one("LEAST(a, b) - 2 > 0 AND b < 9"), {"a": 3, "b": 8})
    True
    """
    if isinstance(expression, exp.Column):
        return values[expression.name]
    if isinstance(expression, exp.Literal):
        return int(expression.name)
    if isinstance(expression, exp.Paren):
        return compute(expression.this, values)
    if isinstance(expression, exp.Least):
        return min(compute(operand, values) for operand in (expression.this, *expression.expressions))
    if isinstance(expression, exp.Binary) and type(expression) in OPERATORS:
        return OPERATORS[type(expression)](compute(expression.left, values), compute(expression.right, values))
    raise ValueError(f"{expression.sql()} is no arithmetic of whole numbers.")
