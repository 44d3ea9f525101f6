"""A query of one's own as the passes take it."""

from __future__ import annotations

from dataclasses import replace

import rankmetrics as rm
from rankmetrics.inputs.columns import Columns, ColumnType, Layout
from rankmetrics.planner import Query, Question
from rankmetrics.sqltree import tree

WHOLE = ColumnType("integer", "BIGINT")
LAYOUT = Layout(
    lists=("system", "user"),
    truth_lists=("user",),
    by=("system",),
    recs=Columns(item="item", rank="rank"),
    truth=Columns(item="item"),
    recs_types=dict.fromkeys(("system", "user", "item", "rank"), WHOLE),
    truth_types=dict.fromkeys(("user", "item"), WHOLE),
)
QUESTION = Question((rm.parse("hit@2"),), LAYOUT, {"recs": tree.table("recs"), "truth": tree.table("truth")})


def query_of(text: str, *assumed: str) -> Query:
    """A text of DuckDB's SQL as a query over the tables `db.recs` and `db.truth`; all names in it are quoted."""
    select = tree.parse(text, "a test")
    tree.quote(select)
    return Query(select, replace(QUESTION, assumed=frozenset(assumed)))


def quoted(text: str) -> str:
    """A text in one line, with all of its names quoted."""
    return query_of(text).select.sql("duckdb")
