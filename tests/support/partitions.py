"""Inputs in two partitions, for the forms of a query: a view, a table, a CTE, an INSERT of one partition, a macro.

Algorithm a finds one of two in partition 1 and all there is in partition 2, b's finds nothing in 1, c is in 2 alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import duckdb
import polars as pl
import sqlglot
from polars.testing import assert_frame_equal
from sqlglot import exp

import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS, grammar
from tests.support import flat

DAYS = [date(2024, 1, 1), date(2024, 1, 2)]
RECS = pl.DataFrame(
    {
        "partition": [1, 1, 1, 2, 2, 2],
        "day": [DAYS[0]] * 3 + [DAYS[1]] * 3,
        "algorithm": ["a", "a", "b's", "a", "c", "c"],
        "user": [1, 2, 1, 1, 1, 2],
        "item": [10, 11, 12, 10, 10, 11],
        "rank": [1, 1, 1, 1, 1, 1],
    }
)
TRUTH = pl.DataFrame(
    {"partition": [1, 1, 2], "day": [DAYS[0], DAYS[0], DAYS[1]], "user": [1, 2, 1], "item": [10, 19, 10]}
)
HISTORY = pl.DataFrame({"partition": [1, 1, 2], "day": [DAYS[0], *DAYS], "user": [1, 1, 2], "item": [12, 10, 12]})
INPUTS = {"recs": RECS, "truth": TRUTH, "history": HISTORY}
METRICS = ["hit@10", "recall@5", "coverage@5"]
BY = ["partition", "day", "algorithm"]
LISTS: dict[str, Any] = {
    "lists": [*BY, "user"],
    "truth_lists": ["partition", "day", "user"],
    "truth_columns": rm.Columns(item="item"),
    "by": BY,
}
KINDS: dict[str, tuple[type[exp.Expr], str | None]] = {
    "query": (exp.Select, None),
    "view": (exp.Create, "VIEW"),
    "table": (exp.Create, "TABLE"),
    "cte": (exp.Select, None),
    "incremental": (exp.Insert, None),
}
NAMES = {"view": "lb", "table": "lb", "incremental": "lb", "ddl": "lb"}
WRITTEN = [(form, one) for form in KINDS for one in DIALECTS if one != "polars" or form in ("query", "table", "cte")]


def evaluated(recs: pl.DataFrame = RECS, truth: pl.DataFrame = TRUTH, **options: Any) -> rm.Result:
    return flat.evaluate(recs, truth, METRICS, **{"by": BY, "history": HISTORY, **options})


def alone(**where: Any) -> rm.Result:
    """What evaluate returns for a partition that there is nothing beside."""
    cut = {
        name: frame.filter(pl.lit(True), *(pl.col(one) == value for one, value in where.items() if one in frame))
        for name, frame in INPUTS.items()
    }
    return evaluated(**cut)


def asked(
    dialect: str = "duckdb", form: Any = "query", *, tables: Mapping[str, str] | None = None, **options: Any
) -> str:
    """The text for tables that nobody looks at."""
    called = {name: name for name in INPUTS} if tables is None else tables
    where = {"partition": 2} if form == "incremental" else None
    given = {"name": NAMES.get(form), "where": where, "history": called["history"], **LISTS, **options}
    metrics = given.pop("metrics", METRICS)
    return flat.to_sql(called["recs"], called["truth"], metrics, dialect=dialect, form=form, **given)


def parsed(text: str, dialect: str) -> exp.Expr:
    """The statement that holds the query, of those that a text holds."""
    (found,) = [one for one in statements(text, dialect) if one.find(exp.With)]
    return found


def statements(text: str, dialect: str) -> list[exp.Expr]:
    """The statements of a text; Athena reads each in its own grammar: DROP as Hive does, SELECT as Trino does."""
    found = [sqlglot.parse(one, read=grammar(dialect)) for one in text.split(";\n\n")]
    return [one for several in found for one in several if one is not None]


def holds(connection: duckdb.DuckDBPyConnection, query: str, expected: pl.DataFrame) -> None:
    """Assert that a query returns these rows, in whatever order."""
    relation = connection.sql(query)
    assert relation is not None
    assert_frame_equal(relation.pl(), expected, check_row_order=False)
