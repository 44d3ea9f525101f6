"""Writes a query as text: the passes that gain something in a dialect, then the dialect itself."""

from __future__ import annotations

from rankmetrics.dialects import base as dialects
from rankmetrics.dialects.model import NamesOfJob
from rankmetrics.planner.model import Query, Question
from rankmetrics.planner.passes.registry import QUERY_PASSES


def write(query: Query, dialect: str, question: Question, job: NamesOfJob | None = None) -> str:
    """A query as text; the query is used up. `job` is how the text of a job spells names.

    Raises:
        DialectError: the dialect is unknown, or cannot say what the query says.
    """
    for one in QUERY_PASSES:
        if one.is_on(question, dialect):
            one.change(query)
    return dialects.text(query.select, dialect, copy=False, job=job)
