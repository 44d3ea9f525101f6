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


def test_a_choice_that_does_not_exist_is_refused() -> None:
    choices = {
        "missing": "'zero', 'skip', 'listed', 'history' and 'baseline'",
        "ties": "'item', 'item_desc', 'input', 'text_desc', 'expected', 'best' and 'worst'",
        "duplicates": "'count' and 'error'",
    }
    for name, known in choices.items():
        options: dict[str, Any] = {name: "random"}
        with refusal(rm.MetricError, f"{name} must be one of {known}", "'random' is not"):
            rm.evaluate(SCORED, TRUTH, "hit@1", **options)


def test_the_order_of_a_table_or_relation_cannot_break_ties() -> None:
    with duckdb.connect() as connection:
        relation = connection.from_arrow(SCORED.to_arrow())
        relation.create("scored")
        for recs in (relation, "scored"):
            with refusal(rm.ColumnError, 'ties="input"', "DuckDB table or relation", "rank"):
                rm.evaluate(recs, TRUTH, "hit@1", ties="input", connection=connection)


def test_the_query_in_an_unknown_dialect_is_refused() -> None:
    with refusal(rm.DialectError, "'postgress'", names(DIALECTS), "Did you mean 'postgres'?"):
        rm.to_sql("recs", "truth", "hit@1", lists=["user"], dialect="postgress")
    with refusal(rm.DialectError, "'postgress'"):
        rm.evaluate(SCORED, TRUTH, "hit@1").to_sql("postgress")
