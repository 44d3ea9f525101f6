"""The columns of counts beside the means: lists missing, tied, and undefined for a metric."""

from __future__ import annotations

from typing import Any

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS
from rankmetrics.export.statements import Statement
from tests.support.engines import LOCAL, OTHERS, Engine, need
from tests.support.refusals import RECS as RANKED
from tests.support.refusals import refusal

RECS = pl.DataFrame(
    {"algorithm": ["a", "a", "a", "b"], "user": [1, 1, 2, 1], "item": [1, 2, 1, 2], "score": [0.5, 0.5, 0.1, 0.3]}
)
TRUTH = pl.DataFrame({"user": [1, 2, 3], "item": [2, 3, 1], "rating": [1.0, 0.0, 1.0]})
METRICS = ["recall@2", "personalization@2"]
COUNTS = ("missing", "tied", "undefined")
ENGINES = [pytest.param(on, marks=[pytest.mark.long] * (on.name == "spark"), id=on.name) for on in (*LOCAL, *OTHERS)]


@pytest.mark.parametrize("on", ENGINES)
def test_counts_stand_behind_the_means_on_every_engine(on: Engine) -> None:
    need(on)
    result = rm.evaluate(on.give(RECS), on.give(TRUTH), METRICS, **on.options)
    queries = result._queries
    columns = ["algorithm", "n_lists", *METRICS, "n_missing", "n_tied", "n_undefined_recall@2"]
    for is_guarded in (False, True):
        if is_guarded and DIALECTS[on.dialect].raise_error is None:
            continue
        statement = Statement(queries.engine.dialect, counts=COUNTS, guarded=is_guarded)
        text = statement.text(result.metrics, result.layout, queries.tables, result.aggregates)
        rows = queries.engine.collect(queries.engine.run(text, columns)).rows()
        assert rows == [("a", 3, 0.5, pytest.approx(1 - 1 / 2**0.5), 1, 1, 1), ("b", 3, 0.5, None, 2, 0, 1)], is_guarded


def test_a_count_that_is_asked_for_alone_comes_alone_for_systems_without_lists_too() -> None:
    result = rm.evaluate(RECS, TRUTH, METRICS, systems=["a", "b", "new"])
    values = {"missing": [1, 2, 3], "tied": [1, 0, 0], "undefined": [1, 1, 1]}
    with duckdb.connect() as connection:
        connection.from_arrow(RECS.to_arrow()).create("recs")
        connection.from_arrow(TRUTH.to_arrow()).create("truth")
        for count in COUNTS:
            name = {"undefined": "n_undefined_recall@2"}.get(count, f"n_{count}")
            table = connection.sql(result.to_sql("duckdb", counts=[count])).pl()
            assert table.columns == ["algorithm", "n_lists", *METRICS, name]
            assert table[name].to_list() == values[count]


def test_a_column_of_counts_has_another_name_where_a_list_column_has_its_name() -> None:
    text = rm.evaluate(RECS.rename({"algorithm": "n_missing"}), TRUTH, "recall@2").to_sql("polars", counts=["missing"])
    context = pl.SQLContext(recs=RECS.rename({"algorithm": "n_missing"}), truth=TRUTH)
    assert context.execute(text, eager=True).columns == ["n_missing", "n_lists", "recall@2", "n_missing 2"]


def test_counts_that_mean_nothing_are_refused() -> None:
    options: dict[str, Any] = {"lists": "user", "dialect": "duckdb"}
    with refusal(rm.MetricError, "counts must be one of 'missing', 'tied' and 'undefined': 'lost' is not"):
        rm.to_sql("recs", "truth", "hit@1", counts="lost", **options)
    with refusal(rm.InputError, 'counts=["missing"]', "per_list=True"):
        rm.to_sql("recs", "truth", "hit@1", counts="missing", per_list=True, **options)
    with refusal(rm.ColumnError, 'counts=["tied"]', "equal scores", "ranks"):
        rm.evaluate(RANKED, TRUTH.drop("rating"), "hit@1").to_sql(counts=["tied"])
