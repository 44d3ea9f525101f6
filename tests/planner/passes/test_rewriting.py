"""Passes that rewrite a query: small queries before and after, and queries that stay as they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import duckdb
import pytest

import rankmetrics as rm
from rankmetrics.inputs.columns import Columns, ColumnType, Layout
from rankmetrics.planner import Cte, Query, Question, Stage, StageKey
from rankmetrics.planner.passes.drop_implied import drop_implied
from rankmetrics.planner.passes.join_once import join_once
from rankmetrics.planner.passes.merge_steps import merge_steps
from rankmetrics.planner.passes.shared_groups import share_groups
from rankmetrics.planner.passes.use_keys import use_keys
from rankmetrics.planner.stages import Stages
from rankmetrics.sqltree import tree

WHOLE = ColumnType("integer", "BIGINT")
LAYOUT = Layout(
    lists=("system", "user"),
    truth_lists=("user",),
    by=("system",),
    recs=Columns(item="item", rank="rank"),
    truth=Columns(item="item"),
    recs_types=dict.fromkeys(("system", "user", "item", "rank"), WHOLE),
    truth_types=dict.fromkeys(("user", "item"), WHOLE),
)
QUESTION = Question((rm.parse("hit@2"),), LAYOUT, {"recs": tree.table("recs"), "truth": tree.table("truth")})


def query_of(text: str, *assumed: str) -> Query:
    """A text of DuckDB's SQL as a query over the tables `db.recs` and `db.truth`; all names in it are quoted."""
    select = tree.parse(text, "a test")
    tree.quote(select)
    return Query(select, replace(QUESTION, assumed=frozenset(assumed)))


def rewritten(change: Callable[[Query], object], text: str, *assumed: str) -> str:
    """The text after a pass."""
    query = query_of(text, *assumed)
    change(query)
    return query.select.sql("duckdb")


def quoted(text: str) -> str:
    """A text in one line, with all of its names quoted."""
    return query_of(text).select.sql("duckdb")


# Each case: what it shows, the query before, and after → the query afterwards; a kept one stays as it is.
MERGE_STEPS = """
-- rows that are filtered
WITH top AS (SELECT user, item FROM db.recs WHERE rank <= 2) SELECT user, COUNT(*) AS n FROM top GROUP BY user
→ SELECT user, COUNT(*) AS n FROM db.recs WHERE rank <= 2 GROUP BY user
-- both conditions hold, each once
WITH a AS (SELECT user, rank FROM db.recs WHERE rank <= 2 AND user > 0) SELECT user FROM a WHERE rank <= 2
→ SELECT user FROM db.recs WHERE rank <= 2 AND user > 0
-- one condition or another, in brackets beside a third
WITH a AS (SELECT user, rank FROM db.recs WHERE user > 0 OR item > 5) SELECT user FROM a WHERE rank <= 2
→ SELECT user FROM db.recs WHERE (user > 0 OR item > 5) AND rank <= 2
-- both sides of a join
WITH a AS (SELECT user, item FROM db.recs WHERE rank <= 2), b AS (SELECT user, item FROM db.truth) SELECT a.user FROM
    a JOIN b ON a.user = b.user AND a.item = b.item
→ SELECT recs.user FROM db.recs JOIN db.truth ON recs.user = truth.user AND recs.item = truth.item WHERE recs.rank <=
    2
-- a step that joins, into a reader of nothing else
WITH a AS (SELECT recs.user, recs.rank AS place FROM db.recs JOIN db.truth ON recs.item = truth.item) SELECT user,
    MIN(place) AS first FROM a GROUP BY user
→ SELECT recs.user, MIN(recs.rank) AS first FROM db.recs JOIN db.truth ON recs.item = truth.item GROUP BY recs.user
-- a column of another name keeps the name that the reader gives
WITH a AS (SELECT item AS other FROM db.recs) SELECT other FROM a
→ SELECT item AS other FROM db.recs
-- an expression, in brackets
WITH a AS (SELECT user, rank + 1 AS r FROM db.recs) SELECT user, r * 2 AS twice FROM a
→ SELECT user, (rank + 1) * 2 AS twice FROM db.recs
-- picked columns beside rows without a partner
WITH a AS (SELECT user, COUNT(*) AS n FROM db.truth GROUP BY user), b AS (SELECT user, n FROM a) SELECT recs.user, b.n
    FROM db.recs LEFT JOIN b ON recs.user = b.user
→ WITH a AS (SELECT user, COUNT(*) AS n FROM db.truth GROUP BY user) SELECT recs.user, a.n FROM db.recs LEFT JOIN a ON
    recs.user = a.user
-- an input that is filtered
SELECT recs.user FROM (SELECT * FROM db.recs WHERE rank = 1) AS recs JOIN db.truth ON recs.user = truth.user
→ SELECT recs.user FROM db.recs JOIN db.truth ON recs.user = truth.user WHERE recs.rank = 1
-- a table that the reader reads already gets the name of the step
WITH n AS (SELECT user, COUNT(*) AS n FROM db.truth GROUP BY user), lists AS (SELECT n.user FROM n) SELECT lists.user,
    n.n FROM lists LEFT JOIN n ON lists.user = n.user
→ WITH n AS (SELECT user, COUNT(*) AS n FROM db.truth GROUP BY user) SELECT lists.user, n.n FROM n AS lists LEFT JOIN
    n ON lists.user = n.user
-- kept: groups
WITH a AS (SELECT user, COUNT(*) AS n FROM db.recs GROUP BY user) SELECT n FROM a WHERE n > 1
-- kept: different rows
WITH a AS (SELECT DISTINCT user FROM db.recs) SELECT COUNT(*) AS n FROM a
-- kept: a window
WITH a AS (SELECT user, ROW_NUMBER() OVER (PARTITION BY user) AS r FROM db.recs) SELECT user FROM a
-- kept: the first rows
WITH a AS (SELECT user FROM db.recs LIMIT 2) SELECT COUNT(*) AS n FROM a
-- kept: what is kept for its readers
WITH a AS MATERIALIZED (SELECT user FROM db.recs) SELECT user FROM a
-- kept: what would be computed twice
WITH a AS (SELECT LN(rank) AS l FROM db.recs) SELECT l * l AS square FROM a
-- kept: all columns, whatever they are
WITH a AS (SELECT user FROM db.recs) SELECT * FROM a
-- kept: a condition beside rows without a partner
WITH a AS (SELECT user FROM db.truth WHERE item > 1) SELECT recs.user, a.user AS u FROM db.recs LEFT JOIN a ON
    recs.user = a.user
-- kept: an expression beside rows without a partner
WITH a AS (SELECT user, 1 AS one FROM db.truth) SELECT recs.user, a.one FROM db.recs LEFT JOIN a ON recs.user = a.user
-- kept: a join within a join
WITH a AS (SELECT recs.user FROM db.recs JOIN db.truth ON recs.item = truth.item) SELECT other.user FROM db.other JOIN
    a ON other.user = a.user
-- kept: a join that two steps read
WITH a AS (SELECT recs.user FROM db.recs JOIN db.truth ON recs.item = truth.item), b AS (SELECT COUNT(*) AS n FROM a)
    SELECT COUNT(*) AS m, MAX(b.n) AS n FROM a CROSS JOIN b
-- kept: a condition on a step that is read twice
WITH g AS (SELECT user, COUNT(*) AS n FROM db.recs GROUP BY user), a AS (SELECT user FROM g WHERE n > 1) SELECT x.user
    FROM a AS x JOIN a AS y ON x.user = y.user
-- kept: an arm of a union
WITH a AS (SELECT user FROM db.recs UNION ALL SELECT user FROM db.truth) SELECT COUNT(*) AS n FROM a
"""

USE_KEYS = """
-- hits
SELECT recs.system, recs.user, MIN(recs.rank) AS rank, COUNT(DISTINCT recs.rank) AS times FROM db.recs JOIN db.truth
    ON recs.user = truth.user AND recs.item = truth.item GROUP BY recs.system, recs.user, recs.item
→ SELECT recs.system, recs.user, recs.rank AS rank, CASE WHEN recs.rank IS NULL THEN 0 ELSE 1 END AS times FROM
    db.recs JOIN db.truth ON recs.user = truth.user AND recs.item = truth.item
-- by way of a step
WITH a AS (SELECT user, item FROM db.truth WHERE user > 0) SELECT user, item, COUNT(*) AS n FROM a GROUP BY user, item
→ WITH a AS (SELECT user, item FROM db.truth WHERE user > 0) SELECT user, item, 1 AS n FROM a
-- items of a list
SELECT user, COUNT(DISTINCT item) AS n FROM db.truth GROUP BY user
→ SELECT user, COUNT(item) AS n FROM db.truth GROUP BY user
-- different rows
SELECT DISTINCT user, item FROM db.truth
→ SELECT user, item FROM db.truth
-- kept: a part of the key
SELECT user, MIN(rank) AS rank FROM db.recs GROUP BY user
-- kept: users of the truth
SELECT DISTINCT user FROM db.truth
-- kept: a join by a part of the key
SELECT recs.system, recs.user, recs.item, MIN(recs.rank) AS rank FROM db.recs JOIN db.truth ON recs.user = truth.user
    GROUP BY recs.system, recs.user, recs.item
-- kept: a join with a table of which no key is known
SELECT truth.user, truth.item, COUNT(*) AS n FROM db.truth JOIN db.history ON truth.user = history.user GROUP BY
    truth.user, truth.item
-- kept: items of all lists
SELECT COUNT(DISTINCT item) AS n FROM db.truth
-- kept: an aggregate that is not known
SELECT user, item, STDDEV(user) AS s FROM db.truth GROUP BY user, item
"""

DROP_IMPLIED = """
-- an id that a join compares
SELECT recs.user FROM db.recs JOIN db.truth ON recs.user = truth.user WHERE recs.user IS NOT NULL AND truth.user IS
    NOT NULL AND recs.item IS NOT NULL
→ SELECT recs.user FROM db.recs JOIN db.truth ON recs.user = truth.user WHERE recs.item IS NOT NULL
-- a column that is compared with a number
SELECT user FROM db.recs WHERE day = 3 AND day IS NOT NULL AND rank <= 2 AND rank IS NOT NULL
→ SELECT user FROM db.recs WHERE day = 3 AND rank <= 2
-- a condition on numbers
SELECT COUNT(DISTINCT item) FILTER (WHERE CAST(1 AS DOUBLE) > 0) AS n FROM db.truth WHERE CAST(1 AS DOUBLE) > 0
→ SELECT COUNT(DISTINCT item) AS n FROM db.truth
-- a cutoff that no row goes beyond
WITH top AS (SELECT user, rank FROM db.recs WHERE rank <= 5) SELECT user, SUM(rank) FILTER (WHERE rank <= 5) AS a,
    COUNT(*) FILTER (WHERE rank <= 4) AS b FROM top GROUP BY user
→ WITH top AS (SELECT user, rank FROM db.recs WHERE rank <= 5) SELECT user, SUM(rank) AS a, COUNT(*) FILTER (WHERE
    rank <= 4) AS b FROM top GROUP BY user
-- a cutoff beyond rows that are written out
SELECT CASE WHEN p.r <= 3 THEN p.r END AS x FROM (VALUES (1), (3)) AS p(r)
→ SELECT p.r AS x FROM (VALUES (1), (3)) AS p(r)
-- a cutoff that the step before has
WITH top AS (SELECT user, rank FROM db.recs WHERE rank <= 5) SELECT user FROM top WHERE rank <= 7 AND rank <= 3
→ WITH top AS (SELECT user, rank FROM db.recs WHERE rank <= 5) SELECT user FROM top WHERE rank <= 3
-- a column that is the same number in every row
WITH j AS (SELECT user, CAST(1 AS DOUBLE) AS rating FROM db.truth) SELECT user FROM j WHERE rating > 0
→ WITH j AS (SELECT user, CAST(1 AS DOUBLE) AS rating FROM db.truth) SELECT user FROM j
-- kept: an id that nothing compares
SELECT user FROM db.recs WHERE user IS NOT NULL
-- kept: a cutoff beside rows without a partner
WITH top AS (SELECT user, rank FROM db.recs WHERE rank <= 5) SELECT COUNT(*) FILTER (WHERE top.rank <= 5) AS n FROM
    db.truth LEFT JOIN top ON truth.user = top.user
-- kept: an id of rows without a partner
SELECT truth.user FROM db.truth LEFT JOIN db.recs ON truth.user = recs.user WHERE recs.user IS NOT NULL
-- kept: a number beside rows without a partner
WITH j AS (SELECT user, 1 AS one FROM db.truth) SELECT COUNT(*) FILTER (WHERE j.one > 0) AS n FROM db.recs LEFT JOIN j
    ON recs.user = j.user
-- kept: a condition on numbers that never holds
SELECT user FROM db.truth WHERE 1 > 2
-- kept: a number of another type
SELECT CAST(1 AS DOUBLE) * rank AS a, rank - CAST(0 AS DOUBLE) AS b FROM db.recs
-- kept: brackets around what belongs together
SELECT rank * (rank + 1) AS a FROM db.recs WHERE (user > 1 OR item > 1) AND rank > 1
-- kept: a minimum over rows that may be none
WITH m AS (SELECT MIN(rank) AS m FROM db.recs WHERE rank <= 5) SELECT COUNT(*) FILTER (WHERE m <= 5) AS n FROM m
"""

JOIN_ONCE = """
-- as it is
WITH n AS (SELECT user, COUNT(*) AS n FROM db.truth GROUP BY user) SELECT lists.user, n.n FROM n AS lists LEFT JOIN n
    ON lists.user = n.user
→ WITH n AS (SELECT user, COUNT(*) AS n FROM db.truth GROUP BY user) SELECT n.user, n.n FROM n
-- beside another table
WITH n AS (SELECT user, COUNT(*) AS n FROM db.truth GROUP BY user) SELECT s.system, n.n FROM n AS lists CROSS JOIN
    db.s LEFT JOIN n ON lists.user = n.user
→ WITH n AS (SELECT user, COUNT(*) AS n FROM db.truth GROUP BY user) SELECT s.system, n.n FROM n CROSS JOIN db.s
-- by way of a third table
WITH n AS (SELECT user, COUNT(*) AS n FROM db.truth GROUP BY user) SELECT r.user, n.n FROM db.r JOIN n AS lists ON
    r.user = lists.user LEFT JOIN n ON r.user = n.user
→ WITH n AS (SELECT user, COUNT(*) AS n FROM db.truth GROUP BY user) SELECT r.user, n.n FROM db.r JOIN n ON r.user =
    n.user
-- kept: by another column than the key
WITH n AS (SELECT user, COUNT(*) AS n FROM db.truth GROUP BY user) SELECT l.user, n.n FROM n AS l LEFT JOIN n ON l.n =
    n.n
-- kept: by the key and more
WITH n AS (SELECT user, COUNT(*) AS n FROM db.truth GROUP BY user) SELECT l.user FROM n AS l LEFT JOIN n ON l.user =
    n.user AND l.n > n.n
-- kept: by the key of another table
WITH n AS (SELECT user, COUNT(*) AS n FROM db.truth GROUP BY user) SELECT l.n, n.n AS m FROM db.r JOIN n AS l ON r.a =
    l.user LEFT JOIN n ON r.b = n.user
-- kept: a step without groups
WITH n AS (SELECT user FROM db.truth) SELECT l.user FROM n AS l JOIN n ON l.user = n.user
-- kept: a key that is not returned
WITH n AS (SELECT COUNT(*) AS n FROM db.truth GROUP BY user) SELECT l.n FROM n AS l JOIN n ON l.n = n.n
"""

PASSES: Mapping[str, tuple[Callable[[Query], object], str, tuple[str, ...]]] = {
    "steps that only pick rows and columns are merged into their readers": (merge_steps, MERGE_STEPS, ()),
    "groups of one row by declared keys are left out": (use_keys, USE_KEYS, ("unique-recs", "unique-truth")),
    "conditions that hold of every row are left out": (drop_implied, DROP_IMPLIED, ()),
    "a second join of a step by its key is left out": (join_once, JOIN_ONCE, ()),
}


def cases(text: str) -> Iterator[tuple[str, str, str]]:
    """The name of each case, the query before, and the query afterwards."""
    for case in text.strip().split("-- ")[1:]:
        name, _, queries = case.partition("\n")
        before, _, after = re.sub(r"\s+", " ", queries).strip().partition(" → ")
        yield name, before, after or before


@pytest.mark.parametrize("what", PASSES)
def test_a_pass_changes_the_queries_that_it_is_for_and_no_others(what: str) -> None:
    change, text, assumed = PASSES[what]
    for name, before, after in cases(text):
        assert name.startswith("kept: ") == (before == after), name
        assert rewritten(change, before, *assumed) == quoted(after), name


def test_merged_steps_return_the_same_rows() -> None:
    """Over tables with a repeated row, a NULL, and a user whom the truth does not have."""
    with duckdb.connect() as connection:
        connection.execute("CREATE SCHEMA db")
        connection.execute(
            "CREATE TABLE db.recs AS FROM (VALUES (1, 5, 1), (1, 6, 2), (2, 5, 1), (2, 5, 3), "
            "(3, NULL, 1)) t(user, item, rank)"
        )
        connection.execute("CREATE TABLE db.truth AS FROM (VALUES (1, 5), (2, 5), (2, 6), (NULL, 5)) t(user, item)")
        for name, before, after in cases(MERGE_STEPS):
            if before != after:
                rows = [sorted(connection.execute(query).fetchall(), key=repr) for query in (before, after)]
                assert rows[0] == rows[1], name


def test_hits_may_repeat_unless_both_inputs_are_said_to_be_unique() -> None:
    grouped = next(before for name, before, _ in cases(USE_KEYS) if name == "hits")
    for assumed in ((), ("not-null",), ("unique-recs",), ("unique-truth",)):
        assert rewritten(use_keys, grouped, *assumed) == quoted(grouped), assumed


def test_no_id_is_compared_with_null_where_the_user_says_that_none_is() -> None:
    text = "SELECT user FROM db.recs WHERE user IS NOT NULL AND item IS NOT NULL AND score IS NOT NULL"
    assert rewritten(drop_implied, text, "not-null") == quoted("SELECT user FROM db.recs WHERE score IS NOT NULL")


def test_only_distinct_rows_are_read_from_a_step_that_groups_the_same_rows() -> None:
    texts = {
        "counts": "SELECT user, COUNT(*) AS n FROM db.truth GROUP BY user",
        "users": "SELECT DISTINCT user FROM db.truth",
        "rows": "SELECT user FROM db.truth",
    }
    stages = {
        key: Stage(key, step=Cte(key.stage, tree.parse(texts[key.stage], "a test"))) for key in map(StageKey, texts)
    }
    shared = share_groups(Stages(QUESTION, stages)).by_step
    assert [shared[name].step.reads for name in texts] == [(), ("counts",), ()]
