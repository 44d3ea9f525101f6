"""A step that is joined twice by its key is joined once."""

from __future__ import annotations

import pytest

from rankmetrics.planner.passes.join_once import join_once
from tests.support.queries import query_of, quoted

COUNTS = "WITH n AS (SELECT user, COUNT(*) AS n FROM db.truth GROUP BY user)"

ONCE = {
    "as it is": (
        f"{COUNTS} SELECT lists.user, n.n FROM n AS lists LEFT JOIN n ON lists.user = n.user",
        f"{COUNTS} SELECT n.user, n.n FROM n",
    ),
    "beside another table": (
        f"{COUNTS} SELECT s.system, n.n FROM n AS lists CROSS JOIN db.s LEFT JOIN n ON lists.user = n.user",
        f"{COUNTS} SELECT s.system, n.n FROM n CROSS JOIN db.s",
    ),
    "by way of a third table": (
        f"{COUNTS} SELECT r.user, n.n FROM db.r JOIN n AS lists ON r.user = lists.user LEFT JOIN n ON r.user = n.user",
        f"{COUNTS} SELECT r.user, n.n FROM db.r JOIN n ON r.user = n.user",
    ),
}

TWICE = {
    "by another column than the key": f"{COUNTS} SELECT l.user, n.n FROM n AS l LEFT JOIN n ON l.n = n.n",
    "by the key and more": f"{COUNTS} SELECT l.user FROM n AS l LEFT JOIN n ON l.user = n.user AND l.n > n.n",
    "by the key of another table": (
        f"{COUNTS} SELECT l.n, n.n AS m FROM db.r JOIN n AS l ON r.a = l.user LEFT JOIN n ON r.b = n.user"
    ),
    "a step without groups": (
        "WITH n AS (SELECT user FROM db.truth) SELECT l.user FROM n AS l JOIN n ON l.user = n.user"
    ),
    "a key that is not returned": (
        "WITH n AS (SELECT COUNT(*) AS n FROM db.truth GROUP BY user) SELECT l.n FROM n AS l JOIN n ON l.n = n.n"
    ),
}


@pytest.mark.parametrize(("before", "after"), ONCE.values(), ids=ONCE)
def test_a_second_join_by_the_key_is_left_out(before: str, after: str) -> None:
    query = query_of(before)
    join_once(query)
    assert query.select.sql("duckdb") == quoted(after)


@pytest.mark.parametrize("text", list(TWICE.values()), ids=TWICE)
def test_any_other_join_stays(text: str) -> None:
    query = query_of(text)
    join_once(query)
    assert query.select.sql("duckdb") == quoted(text)
