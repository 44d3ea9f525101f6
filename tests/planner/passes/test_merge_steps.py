"""Steps that only pick rows and columns are merged into their readers, and no other step is."""

from __future__ import annotations

import duckdb
import pytest

from rankmetrics.planner.passes.merge_steps import merge_steps
from tests.support.queries import query_of, quoted

MERGED = {
    "rows that are filtered": (
        (
            "WITH top AS (SELECT user, item FROM db.recs WHERE rank <= 2) SELECT user, COUNT(*) AS "
            "n FROM top GROUP BY user"
        ),
        "SELECT user, COUNT(*) AS n FROM db.recs WHERE rank <= 2 GROUP BY user",
    ),
    "both conditions hold, each once": (
        "WITH a AS (SELECT user, rank FROM db.recs WHERE rank <= 2 AND user > 0) SELECT user FROM a WHERE rank <= 2",
        "SELECT user FROM db.recs WHERE rank <= 2 AND user > 0",
    ),
    "one condition or another, in brackets beside a third": (
        "WITH a AS (SELECT user, rank FROM db.recs WHERE user > 0 OR item > 5) SELECT user FROM a WHERE rank <= 2",
        "SELECT user FROM db.recs WHERE (user > 0 OR item > 5) AND rank <= 2",
    ),
    "both sides of a join": (
        (
            "WITH a AS (SELECT user, item FROM db.recs WHERE rank <= 2), b AS (SELECT user, item FROM db.truth) "
            "SELECT a.user FROM a JOIN b ON a.user = b.user AND a.item = b.item"
        ),
        (
            "SELECT recs.user FROM db.recs JOIN db.truth ON recs.user = truth.user AND recs.item = truth.item "
            "WHERE recs.rank <= 2"
        ),
    ),
    "a step that joins, into a reader of nothing else": (
        (
            "WITH a AS (SELECT recs.user, recs.rank AS place FROM db.recs JOIN db.truth ON recs.item = truth.item) "
            "SELECT user, MIN(place) AS first FROM a GROUP BY user"
        ),
        (
            "SELECT recs.user, MIN(recs.rank) AS first FROM db.recs JOIN db.truth ON recs.item = truth.item "
            "GROUP BY recs.user"
        ),
    ),
    "a column of another name keeps the name that the reader gives": (
        "WITH a AS (SELECT item AS other FROM db.recs) SELECT other FROM a",
        "SELECT item AS other FROM db.recs",
    ),
    "an expression, in brackets": (
        "WITH a AS (SELECT user, rank + 1 AS r FROM db.recs) SELECT user, r * 2 AS twice FROM a",
        "SELECT user, (rank + 1) * 2 AS twice FROM db.recs",
    ),
    "picked columns beside rows without a partner": (
        (
            "WITH a AS (SELECT user, COUNT(*) AS n FROM db.truth GROUP BY user), b AS (SELECT user, n FROM a) "
            "SELECT recs.user, b.n FROM db.recs LEFT JOIN b ON recs.user = b.user"
        ),
        (
            "WITH a AS (SELECT user, COUNT(*) AS n FROM db.truth GROUP BY user) "
            "SELECT recs.user, a.n FROM db.recs LEFT JOIN a ON recs.user = a.user"
        ),
    ),
    "an input that is filtered": (
        "SELECT recs.user FROM (SELECT * FROM db.recs WHERE rank = 1) AS recs JOIN db.truth ON recs.user = truth.user",
        "SELECT recs.user FROM db.recs JOIN db.truth ON recs.user = truth.user WHERE recs.rank = 1",
    ),
    "a table that the reader reads already gets the name of the step": (
        (
            "WITH n AS (SELECT user, COUNT(*) AS n FROM db.truth GROUP BY user), lists AS (SELECT n.user FROM n) "
            "SELECT lists.user, n.n FROM lists LEFT JOIN n ON lists.user = n.user"
        ),
        (
            "WITH n AS (SELECT user, COUNT(*) AS n FROM db.truth GROUP BY user) "
            "SELECT lists.user, n.n FROM n AS lists LEFT JOIN n ON lists.user = n.user"
        ),
    ),
}

KEPT = {
    "groups": "WITH a AS (SELECT user, COUNT(*) AS n FROM db.recs GROUP BY user) SELECT n FROM a WHERE n > 1",
    "different rows": "WITH a AS (SELECT DISTINCT user FROM db.recs) SELECT COUNT(*) AS n FROM a",
    "a window": "WITH a AS (SELECT user, ROW_NUMBER() OVER (PARTITION BY user) AS r FROM db.recs) SELECT user FROM a",
    "the first rows": "WITH a AS (SELECT user FROM db.recs LIMIT 2) SELECT COUNT(*) AS n FROM a",
    "what is kept for its readers": "WITH a AS MATERIALIZED (SELECT user FROM db.recs) SELECT user FROM a",
    "what would be computed twice": "WITH a AS (SELECT LN(rank) AS l FROM db.recs) SELECT l * l AS square FROM a",
    "all columns, whatever they are": "WITH a AS (SELECT user FROM db.recs) SELECT * FROM a",
    "a condition beside rows without a partner": (
        "WITH a AS (SELECT user FROM db.truth WHERE item > 1) "
        "SELECT recs.user, a.user AS u FROM db.recs LEFT JOIN a ON recs.user = a.user"
    ),
    "an expression beside rows without a partner": (
        "WITH a AS (SELECT user, 1 AS one FROM db.truth) "
        "SELECT recs.user, a.one FROM db.recs LEFT JOIN a ON recs.user = a.user"
    ),
    "a join within a join": (
        "WITH a AS (SELECT recs.user FROM db.recs JOIN db.truth ON recs.item = truth.item) "
        "SELECT other.user FROM db.other JOIN a ON other.user = a.user"
    ),
    "a join that two steps read": (
        "WITH a AS (SELECT recs.user FROM db.recs JOIN db.truth ON recs.item = truth.item), "
        "b AS (SELECT COUNT(*) AS n FROM a) SELECT COUNT(*) AS m, MAX(b.n) AS n FROM a CROSS JOIN b"
    ),
    "an arm of a union": (
        "WITH a AS (SELECT user FROM db.recs UNION ALL SELECT user FROM db.truth) SELECT COUNT(*) AS n FROM a"
    ),
}


@pytest.mark.parametrize(("before", "after"), MERGED.values(), ids=MERGED)
def test_a_step_that_only_picks_is_merged(before: str, after: str) -> None:
    query = query_of(before)
    merge_steps(query)
    assert query.select.sql("duckdb") == quoted(after)
    assert _rows(query.select.sql("duckdb")) == _rows(before)


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_any_other_step_stays(text: str) -> None:
    query = query_of(text)
    merge_steps(query)
    assert query.select.sql("duckdb") == quoted(text)


def _rows(text: str) -> list[tuple[object, ...]]:
    """What a query returns over tables with a repeated row, a NULL, and a user whom the truth does not have."""
    with duckdb.connect() as connection:
        connection.execute("CREATE SCHEMA db")
        connection.execute(
            "CREATE TABLE db.recs AS FROM (VALUES (1, 5, 1), (1, 6, 2), (2, 5, 1), (2, 5, 3), "
            "(3, NULL, 1)) t(user, item, rank)"
        )
        connection.execute("CREATE TABLE db.truth AS FROM (VALUES (1, 5), (2, 5), (2, 6), (NULL, 5)) t(user, item)")
        return sorted(connection.execute(text).fetchall(), key=repr)
