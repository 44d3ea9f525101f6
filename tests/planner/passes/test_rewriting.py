"""Passes that rewrite a query: small queries before and after, and queries that stay as they are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.inputs.columns import Columns, ColumnType, Layout
from rankmetrics.planner import Cte, Plan, Question, Stage, StageKey, text_of
from rankmetrics.planner.passes.shared_groups import share_groups
from rankmetrics.planner.stages import Stages
from rankmetrics.sqltree import tree
from tests.support import flat
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


def test_hits_are_not_grouped_where_no_item_is_repeated() -> None:
    """Both inputs must be unique for hits; for counts and items of the truth, the truth alone."""
    grouped, distinct = r'FROM "matches\w*"\s+GROUP BY', 'COUNT(DISTINCT "item"'
    for assumed in ((), ("not-null",), ("unique-recs",), ("unique-truth",), ("unique",)):
        text = written("duckdb", assume=assumed)
        assert bool(re.search(grouped, text)) == (assumed != ("unique",)), assumed
        assert (distinct in text) == (assumed not in (("unique-truth",), ("unique",))), assumed
    by_rank = flat.to_sql(**WAREHOUSE, metrics="ndcg(duplicates=each)@10", by=[], dialect="duckdb", assume="unique")
    assert re.search(grouped, by_rank), "the setting counts an item at each rank"


def test_no_id_is_compared_with_null_where_the_user_says_that_none_is() -> None:
    assert "IS NOT NULL" in written("duckdb")
    assert "IS NOT NULL" not in written("duckdb", assume="not-null")


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


def written(dialect: str, **options: Any) -> str:
    return flat.to_sql(**WAREHOUSE, metrics="ndcg@10", by=[], dialect=dialect, **options)


def test_the_rank_column_is_compared_as_it_is() -> None:
    for dialect in ("trino", "duckdb"):
        assert re.search(r'FROM "db"."recs"\s+WHERE[^)]*"rank" <= 10', written(dialect)), dialect
    assert re.search(r'FROM "db"."recs"\s+WHERE[^)]*"rank" <= 9', written("postgres", rank_from=0))


def test_sqlite_compares_a_number_since_a_rank_may_be_text_there() -> None:
    assert not re.search(r'FROM "db"."recs"\s+WHERE[^)]*"rank" <= 10', written("sqlite"))


# --- The truth is grouped and joined once where several metrics read it -----------------------------------------------


def test_the_lists_return_the_counts_of_the_truth_that_they_are_made_of() -> None:
    sql = rm.evaluate(RECS, TRUTH, SIX).to_sql("duckdb")
    assert '"lists"."n_relevant"' in sql
    assert '"relevant_counts_per_list"' not in sql, "a join would group the truth again"


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
    run, _ = text_of(result._queries.plan(), Plan.summary_query, "duckdb")
    assert "PARTITION BY" not in run.split('"matches" AS')[0]
    assert "PARTITION BY" in result.to_sql(), "no standard promises the order of the rows of a subquery"
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
