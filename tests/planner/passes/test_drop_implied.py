"""Conditions that hold of every row are left out, and those that may not hold stay."""

from __future__ import annotations

import pytest

from rankmetrics.planner.passes.drop_implied import drop_implied
from tests.support.queries import query_of, quoted

TOP = "WITH top AS (SELECT user, rank FROM db.recs WHERE rank <= 5)"

CHANGED = {
    "an id that a join compares": (
        (
            "SELECT recs.user FROM db.recs JOIN db.truth ON recs.user = truth.user "
            "WHERE recs.user IS NOT NULL AND truth.user IS NOT NULL AND recs.item IS NOT NULL"
        ),
        "SELECT recs.user FROM db.recs JOIN db.truth ON recs.user = truth.user WHERE recs.item IS NOT NULL",
    ),
    "a column that is compared with a number": (
        "SELECT user FROM db.recs WHERE day = 3 AND day IS NOT NULL AND rank <= 2 AND rank IS NOT NULL",
        "SELECT user FROM db.recs WHERE day = 3 AND rank <= 2",
    ),
    "a condition on numbers": (
        (
            "SELECT COUNT(DISTINCT item) FILTER (WHERE CAST(1 AS DOUBLE) > 0) AS n FROM db.truth "
            "WHERE CAST(1 AS DOUBLE) > 0"
        ),
        ("SELECT COUNT(DISTINCT item) AS n FROM db.truth"),
    ),
    "a cutoff that no row goes beyond": (
        (
            f"{TOP} SELECT user, SUM(rank) FILTER (WHERE rank <= 5) AS a, COUNT(*) FILTER (WHERE "
            "rank <= 4) AS b FROM top GROUP BY user"
        ),
        f"{TOP} SELECT user, SUM(rank) AS a, COUNT(*) FILTER (WHERE rank <= 4) AS b FROM top GROUP BY user",
    ),
    "a cutoff beyond rows that are written out": (
        "SELECT CASE WHEN p.r <= 3 THEN p.r END AS x FROM (VALUES (1), (3)) AS p(r)",
        "SELECT p.r AS x FROM (VALUES (1), (3)) AS p(r)",
    ),
    "a cutoff that the step before has": (
        f"{TOP} SELECT user FROM top WHERE rank <= 7 AND rank <= 3",
        f"{TOP} SELECT user FROM top WHERE rank <= 3",
    ),
    "a column that is the same number in every row": (
        "WITH j AS (SELECT user, CAST(1 AS DOUBLE) AS rating FROM db.truth) SELECT user FROM j WHERE rating > 0",
        "WITH j AS (SELECT user, CAST(1 AS DOUBLE) AS rating FROM db.truth) SELECT user FROM j",
    ),
}

KEPT = {
    "an id that nothing compares": "SELECT user FROM db.recs WHERE user IS NOT NULL",
    "a cutoff beside rows without a partner": (
        f"{TOP} SELECT COUNT(*) FILTER (WHERE top.rank <= 5) AS n FROM db.truth LEFT JOIN top ON truth.user = top.user"
    ),
    "an id of rows without a partner": (
        "SELECT truth.user FROM db.truth LEFT JOIN db.recs ON truth.user = recs.user WHERE recs.user IS NOT NULL"
    ),
    "a number beside rows without a partner": (
        "WITH j AS (SELECT user, 1 AS one FROM db.truth) "
        "SELECT COUNT(*) FILTER (WHERE j.one > 0) AS n FROM db.recs LEFT JOIN j ON recs.user = j.user"
    ),
    "a condition on numbers that never holds": "SELECT user FROM db.truth WHERE 1 > 2",
    "a number of another type": "SELECT CAST(1 AS DOUBLE) * rank AS a, rank - CAST(0 AS DOUBLE) AS b FROM db.recs",
    "brackets around what belongs together": (
        "SELECT rank * (rank + 1) AS a FROM db.recs WHERE (user > 1 OR item > 1) AND rank > 1"
    ),
    "a minimum over rows that may be none": (
        "WITH m AS (SELECT MIN(rank) AS m FROM db.recs WHERE rank <= 5) "
        "SELECT COUNT(*) FILTER (WHERE m <= 5) AS n FROM m"
    ),
}


@pytest.mark.parametrize(("before", "after"), CHANGED.values(), ids=CHANGED)
def test_what_holds_of_every_row_is_left_out(before: str, after: str) -> None:
    query = query_of(before)
    drop_implied(query)
    assert query.select.sql("duckdb") == quoted(after)


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_what_may_not_hold_stays(text: str) -> None:
    query = query_of(text)
    drop_implied(query)
    assert query.select.sql("duckdb") == quoted(text)


def test_no_id_is_compared_with_null_where_the_user_says_that_none_is() -> None:
    text = "SELECT user FROM db.recs WHERE user IS NOT NULL AND item IS NOT NULL AND score IS NOT NULL"
    query = query_of(text, "not-null")
    drop_implied(query)
    assert query.select.sql("duckdb") == quoted("SELECT user FROM db.recs WHERE score IS NOT NULL")
