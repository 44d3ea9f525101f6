"""Plans are kept, and made anew where anything differs; planning pauses Python's garbage collector."""

from __future__ import annotations

import gc
import random

import pytest

import rankmetrics as rm
from rankmetrics.dialects import base as dialect
from rankmetrics.planner import Plan, planning
from tests.support.small_lists import RECS, SIX, TRUTH

QUERIES = (Plan.summary_query, Plan.per_list_query)


def test_a_repeated_call_plans_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = rm.evaluate(RECS, TRUTH, SIX).summary().collect()
    monkeypatch.setattr(planning, "_new_plan", lambda *_, **__: pytest.fail("what was planned is planned again"))
    monkeypatch.setattr(dialect, "text", lambda *_, **__: pytest.fail("what was written is written again"))
    assert rm.evaluate(RECS.head(6), TRUTH, SIX).summary().collect().equals(first)


def test_a_query_is_the_same_whatever_was_written_of_its_plan_before() -> None:
    metrics = ["ndcg@1..9", "recall@1..9", "ap@1..9", "bpref@2", "auc", "personalization@2"]
    cases = [(query, name) for name in ("duckdb", "polars", "bigquery", "tsql") for query in QUERIES]

    def texts(order: int) -> list[tuple[str, list[str]]]:
        planning._kept.clear()
        plan = rm.evaluate(RECS.to_arrow(), TRUTH.to_arrow(), metrics)._queries.plan()
        return [planning.text_of(plan, *case) for case in cases[::order]][::order]

    assert texts(1) == texts(-1)


def test_what_differs_in_a_label_a_column_or_a_choice_is_planned_anew() -> None:
    assert rm.evaluate(RECS, TRUTH, ["mrr"]).summary().collect_schema().names() == ["n_lists", "mrr"]
    assert rm.evaluate(RECS, TRUTH, ["rr"]).summary().collect_schema().names() == ["n_lists", "rr"]
    renamed = rm.evaluate(RECS.rename({"user": "who"}), TRUTH.rename({"user": "who"}), ["rr"]).per_list()
    assert renamed.collect_schema().names() == ["who", "rr"]
    skipped = rm.evaluate(RECS, TRUTH, ["rr"], missing="skip").summary().collect()
    assert skipped["n_lists"].item() == 2


def test_a_metric_that_is_defined_anew_is_planned_anew() -> None:
    rm.define("SELECT n_hits * 2 AS hits_twice_or_thrice FROM metrics")
    before = rm.evaluate(RECS, TRUTH, ["hits_twice_or_thrice"]).summary().collect()
    rm.define("SELECT n_hits * 3 AS hits_twice_or_thrice FROM metrics")
    after = rm.evaluate(RECS, TRUTH, ["hits_twice_or_thrice"]).summary().collect()
    assert after["hits_twice_or_thrice"].item() == 1.5 * before["hits_twice_or_thrice"].item()


def test_only_so_many_plans_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "KEPT", 3)
    for k in range(1, planning.KEPT + 5):
        rm.evaluate(RECS, TRUTH, [f"hit@{k}"]).summary()
    assert len(planning._kept) == planning.KEPT


# --- Planning pauses Python's garbage collector, and leaves it as it was ----------------------------------------------


def test_planning_leaves_the_collection_of_garbage_as_it_was() -> None:
    was_on = gc.isenabled()
    try:
        for set_state, enabled in ((gc.enable, True), (gc.disable, False)):
            set_state()
            rm.evaluate(RECS, TRUTH, [f"hit@{random.randrange(10**6)}"]).summary()  # not planned before
            assert gc.isenabled() == enabled
            with pytest.raises(rm.MetricError):
                rm.evaluate(RECS, TRUTH, ["no metric"])
            assert gc.isenabled() == enabled
    finally:
        gc.enable() if was_on else gc.disable()
