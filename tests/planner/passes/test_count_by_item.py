"""DuckDB counts different items by one grouping, and gives what COUNT(DISTINCT) gives."""

from __future__ import annotations

import duckdb
import polars as pl
import pytest
import sqlglot
from hypothesis import given
from hypothesis import strategies as st

import rankmetrics as rm
from rankmetrics.planner.model import Query
from rankmetrics.planner.passes.count_by_item import count_by_item
from tests.support.drawing import examples
from tests.support.queries import QUESTION
from tests.support.small_lists import RECS, SIX, TRUTH


def test_duckdb_counts_different_items_by_one_grouping_where_several_counts_are_asked() -> None:
    result = rm.evaluate(RECS.to_arrow(), TRUTH.to_arrow(), SIX)
    assert 'COUNT(DISTINCT "item"' not in result.account().sql_query()
    assert result.to_sql().count("COUNT(DISTINCT") == 1, "one count alone is as it is written"


ROWS = st.lists(st.tuples(*[st.none() | st.integers(0, 3)] * 3), max_size=12)


@given(ROWS)
@examples(100, shrunk=True)
def test_counts_by_item_are_what_they_stand_for(rows: list[tuple[int | None, ...]]) -> None:
    written = """
        SELECT g, COUNT(*) AS a, COUNT(DISTINCT i) AS b, COUNT(DISTINCT i) FILTER (WHERE r > 1) AS c,
            COUNT(DISTINCT i) FILTER (WHERE r < 2 AND g > 0) AS d
        FROM drawn AS t WHERE r IS NULL OR r < 3 GROUP BY g ORDER BY g
    """
    query = sqlglot.parse_one(written, read="duckdb")
    count_by_item(Query(query, QUESTION))
    rewritten = query.sql("duckdb")
    assert "DISTINCT" not in rewritten
    drawn = pl.DataFrame(rows, schema=dict.fromkeys("gir", pl.Int64), orient="row")
    with duckdb.connect() as connection:
        connection.register("drawn", drawn)
        assert connection.sql(rewritten).fetchall() == connection.sql(written).fetchall()


@pytest.mark.parametrize(
    "left",
    [
        "SELECT g, COUNT(DISTINCT i) AS a FROM t GROUP BY g",
        "SELECT g, COUNT(DISTINCT i) AS a, COUNT(DISTINCT r) AS b FROM t GROUP BY g",
        "SELECT g, COUNT(DISTINCT i) AS a, COUNT(DISTINCT i) FILTER(WHERE r > 1) AS b, SUM(r) AS c FROM t GROUP BY g",
        "SELECT g, COUNT(DISTINCT i) AS a, COUNT(DISTINCT i) AS b, COUNT(*) FILTER(WHERE r > 1) AS c FROM t GROUP BY g",
        "SELECT COUNT(DISTINCT i) AS a, COUNT(DISTINCT i) FILTER(WHERE r > 1) AS b FROM t",
        "SELECT t.g, COUNT(DISTINCT i) AS a, COUNT(DISTINCT i) AS b FROM t JOIN u ON t.g = u.g GROUP BY t.g",
        "SELECT g, COUNT(*) AS n FROM (SELECT COUNT(DISTINCT i) AS g, COUNT(DISTINCT i) AS b FROM t) AS s GROUP BY g",
    ],
)
def test_what_is_more_than_counts_of_one_thing_is_left_as_it_is(left: str) -> None:
    query = sqlglot.parse_one(left, read="duckdb")
    count_by_item(Query(query, QUESTION))
    assert query.sql("duckdb") == left
