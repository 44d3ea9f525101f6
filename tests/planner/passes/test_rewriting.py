"""Passes that rewrite a query: small queries before and after, and queries that stay as they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

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
from tests.support.engines import means
from tests.support.small_lists import RECS, SIX, TRUTH, asked, many, ranked

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

CASES: Mapping[str, tuple[Callable[[Query], object], str, tuple[str, ...]]] = {
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


@pytest.mark.parametrize("what", CASES)
def test_a_pass_changes_the_queries_that_it_is_for_and_no_others(what: str) -> None:
    change, text, assumed = CASES[what]
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


# --- A text for a warehouse compares the rank column itself with the cutoff -------------------------------------------


WAREHOUSE = {"recs": "db.recs", "truth": "db.truth", "lists": ["user"], "truth_columns": rm.Columns(item="item")}


def written(dialect: str, rank_from: int = 1) -> str:
    return rm.to_sql(**WAREHOUSE, metrics="ndcg@10", by=[], dialect=dialect, rank_from=rank_from)  # type: ignore[arg-type]


def test_the_rank_column_is_compared_as_it_is() -> None:
    for dialect in ("trino", "duckdb"):
        assert '"recs"."rank" <= 10' in written(dialect), dialect
    assert '"recs"."rank" <= 9' in written("postgres", rank_from=0)


def test_sqlite_compares_a_number_since_a_rank_may_be_text_there() -> None:
    assert 'CAST("recs"."rank" AS INTEGER) <= 10' in written("sqlite")


# --- The truth is grouped and joined once where several metrics read it -----------------------------------------------


def test_the_truth_is_grouped_once_for_its_lists_and_their_sizes() -> None:
    sql = rm.evaluate(RECS, TRUTH, SIX).to_sql("duckdb")
    assert sql.count('"truth"\n') + sql.count('JOIN "truth"') == 2, "once to be joined, once to be grouped"
    assert "truth_lists" not in sql


def test_no_truth_is_grouped_of_lists_that_the_mean_leaves_out() -> None:
    result = rm.evaluate(RECS, TRUTH, SIX, missing="listed")
    assert 'JOIN "recommended_truth_lists"' in result.to_sql("duckdb")
    assert 'JOIN "recommended_truth_lists"' not in rm.evaluate(RECS, TRUTH, SIX).to_sql("duckdb")
    counts = dict(result.account().select("account", "n").collect().rows())
    assert (counts["truth_lists"], counts["truth_repeated"]) == (3, 1), "the account is of all of the truth"


def test_the_truth_is_joined_once_where_a_metric_asks_for_all_that_it_mentions() -> None:
    for metrics in (["recall@2", "bpref@2"], ["unjudged@2", "ap@2"]):
        sql = rm.evaluate(RECS, TRUTH, metrics).to_sql("duckdb")
        assert len(re.findall(r'FROM "(ranked|recommended)"\n  JOIN ', sql)) == 1, metrics


# --- DuckDB ranks by one sort, with the same result as by windows -----------------------------------------------------


@pytest.mark.parametrize(("cutoff", "ordered"), [(1, "true"), (20, "false"), (1200, "false")])
def test_duckdb_ranks_by_one_sort_as_the_long_way_does(cutoff: int, ordered: str, tmp_path: Path) -> None:
    recs, truth = many(3, 1500)
    recs.write_parquet(tmp_path / "recs.parquet", row_group_size=500)
    connection = duckdb.connect()
    connection.execute(f"SET preserve_insertion_order = {ordered}")
    metrics = [f"{name.split('@')[0]}@{cutoff}" for name in SIX]
    result = rm.evaluate(tmp_path / "recs.parquet", truth, metrics, connection=connection)
    assert "PARTITION BY" not in result.to_sql().split('"matches" AS')[0]
    expected = means(rm.evaluate(ranked(recs), truth, metrics)).rows()
    assert means(result).rows() == [pytest.approx(row, abs=1e-12) for row in expected]


@pytest.mark.long
def test_duckdb_sorts_what_does_not_fit_into_memory_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recs, truth = many(20, 150)
    recs.write_parquet(tmp_path / "recs.parquet")
    connection = duckdb.connect(config={"memory_limit": "100MB"})
    connection.execute(f"CREATE TABLE stored AS FROM '{tmp_path}/recs.parquet'")
    expected = rm.evaluate(recs, truth, SIX).per_list().collect().sort("user", "day")
    whole = means(rm.evaluate(recs.to_arrow(), truth, SIX))
    monkeypatch.setattr("rankmetrics.engines.duckdb.MEMORIES_A_PART", recs.height * 58 / 100e6 / 4.5)
    for recs_given in (tmp_path / "recs.parquet", "stored", connection.table("stored")):
        result = rm.evaluate(recs_given, truth, SIX, connection=connection)
        text = result.per_list().sql_query()
        assert text.upper().count("HASH(") == 5, "four and a half memories are five parts"
        assert "HASH(" not in result.to_sql(), "text is for anywhere"
        assert_frame_equal(result.per_list().pl().sort("user", "day"), expected, abs_tol=1e-12)
        assert_frame_equal(means(result), whole, abs_tol=1e-12)


def test_what_would_be_computed_anew_is_sorted_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rankmetrics.engines.duckdb.MEMORIES_A_PART", 1e-9)
    RECS.write_csv(tmp_path / "recs.csv")
    connection = duckdb.connect()
    joined = connection.sql(
        f"FROM '{tmp_path}/recs.csv' JOIN (SELECT DISTINCT item FROM '{tmp_path}/recs.csv') USING (item)"
    )
    ranks = RECS.with_columns(rank=pl.int_range(1, pl.len() + 1).over("user"))
    ranks.write_parquet(tmp_path / "ranks.parquet")
    for recs_given in (tmp_path / "recs.csv", joined, tmp_path / "ranks.parquet", RECS.to_arrow()):
        assert "HASH(" not in rm.evaluate(recs_given, TRUTH, SIX).summary().sql_query()


def test_what_is_read_beyond_the_cutoff_is_not_dropped() -> None:
    recs = pl.DataFrame({"user": [1, 1], "item": [40, 10], "score": [0.9, 0.8]})
    baseline = pl.DataFrame({"user": [1] * 4, "item": [10, 20, 30, 40], "score": [0.9, 0.8, 0.7, 0.6]})
    truth = pl.DataFrame({"user": [1], "item": [40]})
    for frames in ((recs, truth, baseline), (recs.to_arrow(), truth.to_arrow(), baseline.to_arrow())):
        result = rm.evaluate(frames[0], frames[1], ["least_item_promoted@1"], baseline=frames[2])
        assert means(result).rows() == [(1, 2.0)], "40 comes from place 4 of the baseline: 2 lay between"


def test_a_list_column_may_be_called_as_a_column_that_the_sort_reads() -> None:
    recs = pl.DataFrame({"item": ["a", "a", "b"], "sku": [3, 1, 2], "user": [0.1, 0.9, 0.5]})
    truth = pl.DataFrame({"item": ["a", "b"], "sku": [1, 2]})
    columns = rm.Columns(item="sku", score="user")
    for recs_given in (recs, recs.to_arrow()):
        assert asked(
            recs_given, truth, ["rr"], lists="item", columns=columns, truth_columns=rm.Columns(item="sku")
        ) == [(2, 1.0)]
