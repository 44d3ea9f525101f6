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
ENGINES = [
    pytest.param(one, marks=[pytest.mark.long] * (one.name == "spark"), id=one.name) for one in (*LOCAL, *OTHERS)
]


def _rows(on: Engine, counts: tuple[str, ...], columns: list[str], *, is_guarded: bool = False) -> list[dict[str, Any]]:
    """What the text of the summary returns when an engine runs it, under the labels that the result has."""
    result = rm.evaluate(on.give(RECS), on.give(TRUTH), METRICS, **on.options)
    queries = result._queries
    statement = Statement(queries.engine.dialect, counts=counts, guarded=is_guarded)
    text = statement.text(result.metrics, result.layout, queries.tables, result.aggregates)
    found = queries.engine.collect(queries.engine.run(text, columns))
    found.columns = columns  # a text for a job has plain names where its dialect takes no others
    return found.to_dicts()


@pytest.mark.parametrize("is_guarded", [False, True], ids=["plain", "guarded"])
@pytest.mark.parametrize("on", ENGINES)
def test_counts_stand_behind_the_means_on_every_engine(on: Engine, is_guarded: bool) -> None:
    need(on)
    if is_guarded and DIALECTS[{"mariadb": "mysql"}.get(on.name, on.name)].raise_error is None:
        pytest.skip(f"{on.called} cannot raise an error within a query")
    columns = ["algorithm", "n_lists", *METRICS, "n_missing", "n_tied", "n_undefined_recall@2"]
    first, second = _rows(on, COUNTS, columns, is_guarded=is_guarded)
    assert first == {
        "algorithm": "a",
        "n_lists": 3,
        "recall@2": 0.5,
        "personalization@2": pytest.approx(1 - 1 / 2**0.5),
        "n_missing": 1,
        "n_tied": 1,
        "n_undefined_recall@2": 1,
    }
    assert {name: second[name] for name in columns[4:]} == {"n_missing": 2, "n_tied": 0, "n_undefined_recall@2": 1}


@pytest.mark.parametrize("count", COUNTS)
def test_a_count_that_is_asked_for_alone_comes_alone(count: str) -> None:
    result = rm.evaluate(RECS, TRUTH, METRICS)
    with duckdb.connect() as connection:
        connection.from_arrow(RECS.to_arrow()).create("recs")
        connection.from_arrow(TRUTH.to_arrow()).create("truth")
        columns = connection.sql(result.to_sql("duckdb", counts=[count])).columns
    named = {"undefined": "n_undefined_recall@2"}.get(count, f"n_{count}")
    assert columns == ["algorithm", "n_lists", *METRICS, named]


def test_the_counts_are_those_of_the_account() -> None:
    account = rm.evaluate(RECS, TRUTH, METRICS).account().collect()
    counts = {(row["algorithm"], row["account"]): row["n"] for row in account.iter_rows(named=True)}
    names = {
        "n_missing": "lists_missing",
        "n_tied": "lists_tied",
        "n_undefined_recall@2": "undefined recall@2",
    }
    for row in _rows(LOCAL[0], COUNTS, ["algorithm", "n_lists", *METRICS, *names]):
        assert {one: row[one] for one in names} == {one: counts[row["algorithm"], name] for one, name in names.items()}


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
