"""Writes a query as text: the passes that gain something in a dialect, then the dialect itself."""

from __future__ import annotations

from sqlglot import exp

from rankmetrics.dialects import base as dialects
from rankmetrics.dialects.model import NamesOfJob
from rankmetrics.dialects.rewrites import drop_materialized
from rankmetrics.planner.model import Query
from rankmetrics.planner.passes.registry import QUERY_PASSES


def write(query: Query, dialect: str, job: NamesOfJob | None = None) -> str:
    """A query as text; the query is used up. `job` is how the text of a job spells names.

    Raises:
        DialectError: the dialect is unknown, or cannot say what the query says.
    """
    return dialects.rewritten_text(rewritten(query, dialect, job), dialect)


def rewritten(query: Query, dialect: str, job: NamesOfJob | None = None) -> exp.Expr:
    """The tree of a query after the passes and the dialect's rewrites, the query's own; `job` as in `write`.

    Raises:
        DialectError: the dialect is unknown, or cannot say what the query says.
    """
    dialects.rewrite(optimized(query, dialect), dialect, job)
    return query.select


def optimized(query: Query, dialect: str) -> exp.Expr:
    """The tree of a query, its own, after the passes that gain something in a dialect.

    Raises:
        DialectError: the dialect is unknown.
    """
    if drop_materialized in dialects.known(dialect).rewrites:  # nothing then keeps two steps from being merged
        drop_materialized(query.select)
    for query_pass in QUERY_PASSES:
        if query_pass.is_on(query.question, dialect):
            query_pass.change(query)
    return query.select
