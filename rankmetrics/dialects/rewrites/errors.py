"""Expressions that raise an error when they are computed: `Dialect.raise_error` is one of these functions."""

from __future__ import annotations

from sqlglot import exp


def call(function: str, message: exp.Expr) -> exp.Expr:
    """`message` → `ERROR(message)`, for databases that have a function that raises an error."""
    return exp.Anonymous(this=function, expressions=[message])


def cast_to_number(message: exp.Expr) -> exp.Expr:
    """`message` → `CAST(message AS BIGINT)`, which fails with an error that quotes the message.

    The message must depend on the data: a database would compute a constant before it runs the query, and always fail.
    """
    return exp.cast(message, exp.DType.BIGINT)
