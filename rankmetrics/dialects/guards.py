"""Expressions that raise an error with a message, unless the message is NULL: then their value is 1.

`Dialect.raise_error` is one of these functions. The message must depend on the data: a database computes a constant
before it runs the query, and would always fail.
"""

from __future__ import annotations

from sqlglot import exp

from rankmetrics.sqltree import tree


def call(function: str, message: exp.Expr) -> exp.Expr:
    """`message` → `CASE WHEN message IS NULL THEN 1 ELSE ERROR(message) END`, by a function that raises an error."""
    raised = exp.Anonymous(this=function, expressions=[message.copy()])
    return exp.Case().when(message.is_(exp.Null()), tree.literal(1)).else_(raised)


def cast_to_number(message: exp.Expr) -> exp.Expr:
    """`message` → `CAST(COALESCE(message, '1') AS BIGINT)`: a text that is no number fails, and the error quotes it."""
    return exp.cast(_or_1(message), exp.DType.BIGINT)


def parse_number(function: str, message: exp.Expr) -> exp.Expr:
    """`message` → `toInt64(COALESCE(message, '1'))`, for ClickHouse, whose CAST returns NULL where it fails."""
    return exp.Anonymous(this=function, expressions=[_or_1(message)])


def _or_1(message: exp.Expr) -> exp.Expr:
    return exp.Coalesce(this=message.copy(), expressions=[exp.Literal.string("1")])
