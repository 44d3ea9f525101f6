"""What becomes of a truth with a column of subtopics, for metrics that read it and for others."""

from __future__ import annotations

from typing import Any

import polars as pl
from sqlglot import exp

import rankmetrics as rm
from rankmetrics.sqltree import tree
from tests.support import flat
from tests.support.refusals import refusal

# The list a, b, c, d, e: a is relevant to x and y, b to x, d to z, and so is f, which is not recommended. e is not
# relevant, and g, which is, has no subtopic.
RECS = pl.DataFrame({"user": [1] * 5, "item": [*"abcde"], "rank": [1, 2, 3, 4, 5]})
TRUTH = pl.DataFrame(
    {
        "user": [1] * 7,
        "item": [*"aabdfeg"],
        "subtopic": ["x", "y", "x", "z", "z", "w", None],
        "rating": [1, 1, 1, 1, 1, 0, 1],
    }
)


def collected(metrics: Any, truth: pl.DataFrame = TRUTH, **options: Any) -> dict[str, Any]:
    return flat.evaluate(RECS, truth, metrics, **options).collect().row(0, named=True)


def test_a_list_whose_relevant_items_have_no_subtopic_is_undefined() -> None:
    without = TRUTH.with_columns(subtopic=pl.lit(None, pl.String))
    metrics = ["alpha_ndcg@3", "alpha_dcg@3", "err_ia@3", "nrbp", "subtopic_recall", "precision_ia", "ap_ia"]
    row = collected([*metrics, "recall"], without)
    assert [row[name] for name in metrics] == [None] * 7
    assert row["recall"] == 3 / 5


def test_other_metrics_count_an_item_of_several_subtopics_once() -> None:
    once = TRUTH.unique(["user", "item"], maintain_order=True).drop("subtopic")
    metrics = ["recall@2", "ndcg@4", "ap"]
    alone = collected(metrics, once)
    assert collected(metrics) == alone
    assert {name: value for name, value in collected([*metrics, "nrbp"]).items() if name != "nrbp"} == alone


def test_a_column_of_subtopics_has_a_role_only_if_a_metric_reads_it() -> None:
    two = TRUTH.with_columns(intent=pl.col("subtopic"))
    assert "not used: subtopic, intent" in str(rm.evaluate(RECS, two, "ndcg"))
    with refusal(rm.ColumnError, "Which column of the truth is the subtopic: 'subtopic' and 'intent'?"):
        rm.evaluate(RECS, two, ["ndcg", "nrbp"])
    named = rm.Columns(subtopic="intent")
    assert collected("nrbp", two, columns=named) == collected("nrbp")
    assert collected("nrbp", two, truth_columns=named) == collected("nrbp")


def test_a_truth_of_subtopics_repeats_no_item() -> None:
    with refusal(rm.DataError, "1 row of the truth"):
        collected("recall", duplicates="error")
    assert collected(["recall", "nrbp"], duplicates="error")["recall"] == 3 / 5
    counts = rm.evaluate(RECS, TRUTH, "nrbp").account().collect()
    assert "truth_repeated" not in counts["account"]


def test_a_truth_without_subtopics_is_refused() -> None:
    with refusal(
        rm.ColumnError,
        "nrbp needs a column of the role 'subtopic' in the truth",
        'rm.Input(recs, columns={"subtopic": "..."})',
    ):
        rm.evaluate(RECS, TRUTH.drop("subtopic"), "nrbp").collect()
    with refusal(rm.ColumnError, "The subtopic column 'subtopic' of the truth is float", "cast it to"):
        rm.evaluate(RECS, TRUTH.with_columns(subtopic=pl.lit(0.5)), "nrbp")


def test_the_text_for_a_warehouse_reads_the_named_subtopic() -> None:
    columns = rm.Columns(rank="rank", rating="rating", subtopic="aspect")
    text = rm.to_sql(rm.Input("db.recs", columns=columns), "db.truth", ["nrbp@10"], lists=["user"], dialect="snowflake")
    assert '"ASPECT" AS "SUBTOPIC"' in text


def test_a_trace_puts_no_gains_of_the_greedy_list_beside_the_ideal_order_by_rating() -> None:
    trace = rm.evaluate(RECS, TRUTH, ["alpha_ndcg@3"]).trace(user=1)
    assert "novel_gains@3" in trace.collect().columns
    assert "ideal_novel_gains@3" not in trace.collect().columns


def test_nrbp_is_also_a_share_of_that_of_the_greedy_list() -> None:
    # the greedy list is a (of x and y), then f and d (of z): f is the last by name, and d and b are worth a half
    ideal = 2 + 0.5 * 1 + 0.25 * 0.5
    found = 2 + 0.5 * 0.5 + 0
    assert collected("nrbp(of=ideal, p=0.5)@3")["nrbp(of=ideal, p=0.5)@3"] == found / ideal
    with refusal(rm.MetricError, "nrbp(of=ideal) needs a cutoff"):
        rm.evaluate(RECS, TRUTH, "nrbp(of=ideal)")


def test_the_greedy_list_has_each_step_to_the_largest_cutoff_once_and_reads_once() -> None:
    plan = rm.evaluate(RECS, TRUTH, ["alpha_ndcg@2,4", "err_ia(of=ideal)@3"])._queries.plan()
    steps = [cte for cte in plan.per_list_ctes() if cte.name.startswith("greedy_order")]
    assert len(steps) == 1 + 3 * 4
    read = [table.name for cte in plan.per_list_ctes() for table in tree.find(cte.select, exp.Table)]
    assert all(read.count(cte.name) == 1 for cte in steps)


def test_a_metric_of_the_greedy_list_without_a_cutoff_is_refused() -> None:
    rm.define("SELECT COUNT(*) AS n_placed FROM ideal_novelty")
    with refusal(rm.MetricError, "has a step for each rank: give the metric a cutoff"):
        rm.evaluate(RECS, TRUTH, "n_placed")
