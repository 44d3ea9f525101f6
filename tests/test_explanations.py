"""What `explain` says of a metric, of a result and of a query, and what `result.stage` returns of it."""

from __future__ import annotations

from typing import Any

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.metrics.catalog import catalog
from rankmetrics.planner import switched_off
from tests.support import flat, matrix
from tests.support.engines import LOCAL, Engine
from tests.support.small_lists import RECS, TRUTH


def paragraphs(result: rm.Result) -> dict[str, list[str]]:
    """The lines about each stage by its name, and the last paragraph as `passes`."""
    *stages, last = result.explain().split("\n\n")
    found = {one.partition(":")[0]: one.splitlines()[1:] for one in stages}
    return {**found, "passes": last.splitlines()}


def test_each_stage_says_which_metrics_need_it_and_what_is_read_of_it() -> None:
    found = paragraphs(rm.evaluate(RECS, TRUTH, ["ndcg@10", "recall@5"]))
    assert "  needed for: ndcg@10, recall@5" in found["hits"]
    assert "  columns: rank" in found["hits"]
    assert "  depth: ranks 1 to 10" in found["hits"]
    assert "  needed for: ndcg@10" in found["ideal"]
    assert "  depth: whole lists" in found["relevant_counts"]
    assert "  read by: unnumbered_hits" in found["matches"]


def test_a_variant_is_told_with_the_reason() -> None:
    near, far = (paragraphs(rm.evaluate(RECS, TRUTH, f"ndcg@{k}")) for k in (200, 201))
    assert near["ideal"][0] == "  file: ideal.by_count.sql, since columns suffice and max_k <= 200"
    assert far["ideal"][0] == "  file: ideal.sql"
    assert any(
        "since duplicates = each" in line
        for line in paragraphs(rm.evaluate(RECS, TRUTH, "hit(duplicates=each)@5"))["unnumbered_hits_duplicates_each"]
    )


def test_lists_of_several_choices_are_joined() -> None:
    found = paragraphs(rm.evaluate(RECS, TRUTH, ["hit(missing=skip)@5", "hit@5"]))
    assert found["lists"][0] == "  file: none; it joins lists.skip, lists.zero, since the metrics differ in `missing`"


def test_passes_that_change_the_query_are_told_and_those_that_are_off() -> None:
    on = paragraphs(rm.evaluate(RECS.to_arrow(), TRUTH.to_arrow(), ["dcg@5", "recall@5"]))["passes"]
    assert "shared_groups" in on[0]
    with switched_off("shared_groups"):
        off = paragraphs(rm.evaluate(RECS.to_arrow(), TRUTH.to_arrow(), ["dcg@5", "recall@5"]))["passes"]
    assert "shared_groups" not in off[0]
    assert off[1] == "passes that are switched off: shared_groups"


@pytest.mark.parametrize("engine", [one for one in LOCAL if one.name in ("duckdb", "polars")], ids=repr)
def test_a_stage_is_a_table_of_the_callers_own_kind(engine: Engine) -> None:
    result = flat.evaluate(engine.give(RECS), engine.give(TRUTH), ["rr@2", "ndcg@2"], **engine.options)
    rows: Any = result.stage("matches")
    assert isinstance(rows, pl.LazyFrame | duckdb.DuckDBPyRelation)
    frame = engine.read(rows).sort("user", "rank")
    assert frame.select("user", "item", "rank").rows() == [(1, 20, 2), (2, 40, 1)]


def test_a_stage_that_was_left_out_is_that_which_is_read_instead() -> None:
    result = rm.evaluate(RECS, TRUTH, ["rr@2"])
    frames = [result.stage(name).collect().sort("user") for name in ("hits", "unnumbered_hits")]
    assert frames[0].equals(frames[1])


def test_a_stage_that_is_not_there_is_refused_with_the_near_names() -> None:
    result = rm.evaluate(RECS, TRUTH, ["rr@2"])
    with pytest.raises(rm.InputError, match=r"no stage 'hitz': its stages are .*Did you mean 'hits'"):
        result.stage("hitz")


# --- What `explain` says of a metric and of a result ------------------------------------------------------------------


def test_explain_says_what_a_metric_is_what_decides_and_what_it_is_made_of() -> None:
    text = str(rm.explain("ndcg(gain=exponential)@10"))
    summary = catalog().metric("ndcg").summary
    assert text.startswith(f"ndcg(gain=exponential)@10: {summary}\n\n")
    assert "* exponential: 2^rating - 1" in text
    assert "  binary: 1, whatever the rating" in text
    assert "k = 10: " in text
    assert "rel = not given: " in text
    assert "undefined: the list has no relevant items." in text
    assert "SELECT dcg / NULLIF($share, 0) AS ndcg" in text
    parts = [line.split(":")[0] for line in text.splitlines() if line.startswith("-- ")]
    assert parts[0] == "-- ndcg"
    assert {"-- dcg", "-- ideal_dcg", "-- hits", "-- ideal", "-- distinct_judgments"} <= set(parts)
    assert len(parts) == len(set(parts))


def test_explain_shows_itself_in_a_session() -> None:
    assert repr(rm.explain("rr")) == str(rm.explain("rr"))
    assert "also called: MRR" in rm.explain("rr")
    assert rm.explain(rm.parse("P@5")) == rm.explain("P@5")


def test_every_metric_is_explained_under_another_choice_than_the_defaults() -> None:
    """The pages of the metrics have them under the defaults."""
    for metrics in matrix.variants().values():
        if len(metrics) > 1:
            assert f"-- {metrics[0].name}: " in rm.explain(metrics[-1]), metrics[-1]


def test_only_definitions_that_run_are_shown() -> None:
    as_shares, as_rows = rm.explain("precision@10"), rm.explain("precision(divisor=list)@10")
    assert "-- n_recommended: " not in as_shares
    assert "-- n_recommended: " in as_rows
    first, each = rm.explain("hit(duplicates=first)@5"), rm.explain("hit(duplicates=each)@5")
    assert ("-- unnumbered_hits: " in first, "-- unnumbered_hits.each: " in first) == (True, False)
    assert ("-- unnumbered_hits: " in each, "-- unnumbered_hits.each: " in each) == (False, True)


def test_explain_refuses_what_is_no_metric() -> None:
    with pytest.raises(rm.MetricError, match="Did you mean 'recall'"):
        rm.explain("recal@5")
