"""What `evaluate` refuses before anything is read: policies, orders and dialects that there are not."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest

import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS
from rankmetrics.errors import names
from tests.support.engines import Engine
from tests.support.refusals import SCORED, TRUTH, Asking, refusal


def test_sound_input_is_taken_and_not_read(ask: Asking, engine: Engine) -> None:
    summary = ask().summary()
    with pytest.raises((AssertionError, duckdb.Error), match="the query was run"):
        engine.read(summary)


# --- policies ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("missing", "'zero', 'skip', 'listed', 'history' and 'baseline'"),
        ("ties", "'item', 'item_desc', 'input', 'text_desc', 'expected', 'best' and 'worst'"),
        ("duplicates", "'count' and 'error'"),
    ],
)
def test_a_policy_that_there_is_not_is_refused(ask: Asking, name: str, known: str) -> None:
    asked: dict[str, Any] = {name: "random"}
    with refusal(rm.MetricError, f"{name} must be one of {known}", "'random' is not"):
        ask(**asked)


def test_the_order_of_a_relation_cannot_break_ties() -> None:
    connection = duckdb.connect()
    recs = connection.from_arrow(SCORED.to_arrow())
    with refusal(rm.ColumnError, 'ties="input"', "DuckDB table or relation", "rank"):
        rm.evaluate(recs, TRUTH, "hit@1", ties="input")


def test_the_order_of_a_table_cannot_break_ties() -> None:
    connection = duckdb.connect()
    connection.from_arrow(SCORED.to_arrow()).create("scored")
    with refusal(rm.ColumnError, 'ties="input"', "DuckDB table or relation", "rank"):
        rm.evaluate("scored", TRUTH, "hit@1", ties="input", connection=connection)


# --- the query as text ------------------------------------------------------------------------------------------------


def test_the_query_in_an_unknown_dialect_is_refused() -> None:
    with refusal(rm.DialectError, "'postgress'", names(DIALECTS), "Did you mean 'postgres'?"):
        rm.to_sql("recs", "truth", "hit@1", lists=["user"], dialect="postgress")


def test_the_query_of_a_result_in_an_unknown_dialect_is_refused(ask: Asking) -> None:
    with refusal(rm.DialectError, "'postgress'", names(DIALECTS), "Did you mean 'postgres'?"):
        ask().to_sql("postgress")
