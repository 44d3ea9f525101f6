"""Metrics of subtopics: by hand, on every engine; and what becomes of a truth with a column of subtopics."""

from __future__ import annotations

from collections.abc import Mapping
from math import log2
from typing import Any

import polars as pl
import pytest
from sqlglot import exp

import rankmetrics as rm
from rankmetrics.sqltree import tree
from tests.support.engines import DATABASES, LOCAL, SPARK, Engine, need
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
BY_HAND: Mapping[str, float] = {
    "alpha_dcg(of=one)@3": 2 + 0.5 / log2(3),
    "alpha_dcg@3": (2 + 0.5 / log2(3)) / (3 * (1 + 0.5 / log2(3) + 0.25 / 2)),
    "alpha_dcg(redundancy=0)@2": (2 + 1 / log2(3)) / (3 * (1 + 1 / log2(3))),
    "alpha_dcg@1": 2 / 3,
    "err_ia@4": (2 + 0.5 / 2 + 1 / 4) / (3 * (1 + 0.5 / 2 + 0.25 / 3 + 0.125 / 4)),
    "err_ia(of=subtopics)@4": (0.5 + 0.5 * 0.5 / 2 + 0.5 + 0.5 / 4) / 3,
    # the ideal list: a; then b, d and f add least, most and most, and f is the last by name; then d and b add 0.5 each
    "alpha_ndcg@2": (2 + 0.5 / log2(3)) / (2 + 1 / log2(3)),
    "alpha_ndcg@4": (2 + 0.5 / log2(3) + 1 / log2(5)) / (2 + 1 / log2(3) + 0.5 / 2 + 0.5 / log2(5)),
    "alpha_ndcg@9": (2 + 0.5 / log2(3) + 1 / log2(5)) / (2 + 1 / log2(3) + 0.5 / 2 + 0.5 / log2(5)),
    "err_ia(of=ideal)@2": (2 + 0.5 / 2) / (2 + 1 / 2),
    "nrbp(p=0.5)": (1 - 0.5 * 0.5) / 3 * (2 + 0.5 * 0.5 + 0.125),
    "nrbp@1": (1 - 0.5 * 0.85) / 3 * 2,
    "subtopic_recall@2": 2 / 3,
    "subtopic_recall": 1,
    "precision_ia@4": (2 / 4 + 1 / 4 + 1 / 4) / 3,
    "precision_ia": (2 / 5 + 1 / 5 + 1 / 5) / 3,
    "ap_ia": ((1 + 1) / 2 + 1 + (1 / 4) / 2) / 3,
    "ap_ia@1": (1 + 1 + 0) / 3,
}


@pytest.mark.parametrize("engine", [*LOCAL, *DATABASES, pytest.param(SPARK, marks=pytest.mark.long)], ids=repr)
def test_every_metric_of_subtopics_is_as_worked_by_hand(engine: Engine) -> None:
    need(engine)
    result = rm.evaluate(engine.give(RECS), engine.give(TRUTH), [*BY_HAND], **engine.options)
    row = engine.read(result.summary()).row(0, named=True)
    values = {call: row[metric.label] for call, metric in zip(BY_HAND, result.metrics, strict=True)}
    assert values == pytest.approx(BY_HAND, rel=1e-12)


def collected(metrics: Any, truth: pl.DataFrame = TRUTH, **options: Any) -> dict[str, Any]:
    return rm.evaluate(RECS, truth, metrics, **options).collect().row(0, named=True)


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
        rm.ColumnError, "nrbp needs a column of the role 'subtopic' in the truth", 'columns=rm.Columns(subtopic="...")'
    ):
        rm.evaluate(RECS, TRUTH.drop("subtopic"), "nrbp").collect()
    with refusal(rm.ColumnError, "The subtopic column 'subtopic' of the truth is float", "cast it to"):
        rm.evaluate(RECS, TRUTH.with_columns(subtopic=pl.lit(0.5)), "nrbp")


def test_the_text_for_a_warehouse_reads_the_named_subtopic() -> None:
    columns = rm.Columns(rank="rank", rating="rating", subtopic="aspect")
    text = rm.to_sql("db.recs", "db.truth", ["nrbp@10"], lists=["user"], columns=columns, dialect="snowflake")
    assert '"ASPECT" AS "SUBTOPIC"' in text


def test_a_trace_puts_no_gains_of_the_greedy_list_beside_the_ideal_order_by_rating() -> None:
    trace = rm.evaluate(RECS, TRUTH, ["alpha_ndcg@3"]).trace(user=1)
    assert "novel_gains@3" in trace.places().columns
    assert "ideal_novel_gains@3" not in trace.places().columns


def test_the_greedy_list_has_steps_to_the_largest_cutoff_once_and_none_is_read_twice() -> None:
    plan = rm.evaluate(RECS, TRUTH, ["alpha_ndcg@2,4", "err_ia(of=ideal)@3"])._queries.planned().plan
    steps = [cte for cte in plan.per_list_ctes() if cte.name.startswith("greedy_order")]
    assert len(steps) == 1 + 3 * 4
    read = [table.name for cte in plan.per_list_ctes() for table in tree.find(cte.select, exp.Table)]
    assert all(read.count(cte.name) == 1 for cte in steps)


def test_a_metric_of_the_greedy_list_without_a_cutoff_is_refused() -> None:
    rm.define("SELECT COUNT(*) AS n_placed FROM ideal_novelty")
    with refusal(rm.MetricError, "has a step for each rank: give the metric a cutoff"):
        rm.evaluate(RECS, TRUTH, "n_placed")
