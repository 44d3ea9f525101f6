"""Where the user declares keys, nothing looks for repeats; where the user does not, everything does."""

from __future__ import annotations

import pytest

from rankmetrics.planner.passes.use_keys import use_keys
from tests.support.queries import query_of, quoted

HITS = "FROM db.recs JOIN db.truth ON recs.user = truth.user AND recs.item = truth.item"
GROUPED = (
    "SELECT recs.system, recs.user, MIN(recs.rank) AS rank, COUNT(DISTINCT recs.rank) AS "
    f"times {HITS} GROUP BY recs.system, recs.user, recs.item"
)

CHANGED = {
    "hits": (
        GROUPED,
        "SELECT recs.system, recs.user, recs.rank AS rank, CASE WHEN recs.rank IS NULL THEN 0 ELSE 1 END AS times "
        + HITS,
    ),
    "by way of a step": (
        (
            "WITH a AS (SELECT user, item FROM db.truth WHERE user > 0) SELECT user, item, COUNT(*) "
            "AS n FROM a GROUP BY user, item"
        ),
        "WITH a AS (SELECT user, item FROM db.truth WHERE user > 0) SELECT user, item, 1 AS n FROM a",
    ),
    "items of a list": (
        "SELECT user, COUNT(DISTINCT item) AS n FROM db.truth GROUP BY user",
        "SELECT user, COUNT(item) AS n FROM db.truth GROUP BY user",
    ),
    "different rows": ("SELECT DISTINCT user, item FROM db.truth", "SELECT user, item FROM db.truth"),
}

KEPT = {
    "a part of the key": "SELECT user, MIN(rank) AS rank FROM db.recs GROUP BY user",
    "users of the truth": "SELECT DISTINCT user FROM db.truth",
    "a join by a part of the key": (
        "SELECT recs.system, recs.user, recs.item, MIN(recs.rank) AS rank FROM db.recs "
        "JOIN db.truth ON recs.user = truth.user GROUP BY recs.system, recs.user, recs.item"
    ),
    "a join with a table of which no key is known": (
        "SELECT truth.user, truth.item, COUNT(*) AS n FROM db.truth JOIN db.history ON truth.user = history.user "
        "GROUP BY truth.user, truth.item"
    ),
    "items of all lists": "SELECT COUNT(DISTINCT item) AS n FROM db.truth",
    "an aggregate that is not known": "SELECT user, item, STDDEV(user) AS s FROM db.truth GROUP BY user, item",
}


@pytest.mark.parametrize(("before", "after"), CHANGED.values(), ids=CHANGED)
def test_groups_of_one_row_are_left_out(before: str, after: str) -> None:
    query = query_of(before, "unique-recs", "unique-truth")
    use_keys(query)
    assert query.select.sql("duckdb") == quoted(after)


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_groups_that_may_have_several_rows_stay(text: str) -> None:
    query = query_of(text, "unique-recs", "unique-truth")
    use_keys(query)
    assert query.select.sql("duckdb") == quoted(text)


@pytest.mark.parametrize("assumed", [(), ("not-null",), ("unique-recs",), ("unique-truth",)])
def test_hits_may_repeat_unless_both_inputs_are_said_to_be_unique(assumed: tuple[str, ...]) -> None:
    query = query_of(GROUPED, *assumed)
    use_keys(query)
    assert query.select.sql("duckdb") == quoted(GROUPED)
