"""What `evaluate` returns: lazy tables, a summary, a table per list, and the account."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from tests.support.engines import Engine, means
from tests.support.two_systems import COUNTED_RECS, COUNTED_TRUTH, RECS, RECS_PATH, TRUTH, TRUTH_PATH

# --- lazy tables ------------------------------------------------------------------------------------------------------


def test_the_summary_has_a_row_per_system(engine: Engine) -> None:
    summary = rm.evaluate(engine.give(RECS), engine.give(TRUTH), ["rr", "hit@1"]).summary()
    assert engine.read(summary).to_dict(as_series=False) == {
        "algorithm": ["a", "b"],
        "n_lists": [3, 3],
        "rr": [0.5, pytest.approx(1 / 3)],
        "hit@1": [pytest.approx(1 / 3)] * 2,
    }


def test_the_list_table_has_a_row_per_list(engine: Engine) -> None:
    per_list = rm.evaluate(engine.give(RECS), engine.give(TRUTH), ["rr", "hit(rel=4)@1"]).per_list()
    frame = engine.read(per_list).sort("algorithm", "user")
    assert frame.to_dict(as_series=False) == {
        "algorithm": ["a", "a", "a", "b", "b", "b"],
        "user": [1, 2, 3, 1, 2, 3],
        "rr": [0.5, 1.0, 0.0, 1.0, 0.0, 0.0],
        "hit(rel=4)@1": [0.0, None, None, 1.0, None, None],
    }


def test_every_run_gives_the_same_digits_and_the_same_order_of_lists(tmp_path: Path) -> None:
    inputs = [f"data/{name}.parquet" for name in ("recs", "truth", "history")]
    labels = ["ap(divisor=relevant)@3", "precision@5", "recall@10", "rr", "surprisal@10", "exposure_entropy@10"]
    means, lists = set(), set()
    for read in (pl.scan_parquet, str):
        recs, truth, history = map(read, inputs)
        result = rm.evaluate(recs, truth, labels, history=history)
        for _ in range(4):
            means.add((read is str, *result.collect().select(labels[:4]).rows()))
            lists.add(tuple(result.collect(per_list=True).select(*result.layout.lists, *labels[:4]).rows()))
        result.write(tmp_path / "lists.parquet", per_list=True)
        lists.add(tuple(pl.read_parquet(tmp_path / "lists.parquet").select(*result.layout.lists, *labels[:4]).rows()))
    assert len(means) == 2, "one per engine"
    assert len(lists) == 1
    assert list(next(iter(lists))) == sorted(next(iter(lists)))


def test_a_count_is_divided_once() -> None:
    largest = 20
    users = pl.DataFrame({"user": range(largest + 1)})
    ranks = pl.DataFrame({"rank": range(1, largest + 1)}).with_columns(item="rank")
    truth = users.join(ranks, how="cross").filter(pl.col("rank") <= pl.col("user")).select("user", "item")
    missed = users.with_columns(item=pl.lit(999, pl.Int64))
    labels = [f"precision@{k}" for k in range(1, largest + 1)]
    recs = users.join(ranks, how="cross")
    for kind in (recs, recs.to_arrow()):
        values = rm.evaluate(kind, pl.concat([truth, missed]), labels, truth_lists="user", by=[]).per_list()
        frame = values.collect() if isinstance(values, pl.LazyFrame) else values.pl()
        for user, *row in frame.rows():
            assert row == [min(user, k) / k for k in range(1, largest + 1)], user


def test_lazy_tables_are_of_the_kind_of_the_recommendations() -> None:
    relation = duckdb.connect().from_arrow(RECS.to_arrow())
    for frame in (RECS, RECS.lazy()):
        assert type(rm.evaluate(frame, TRUTH, "rr").summary()) is pl.LazyFrame
    for recs in (RECS.to_arrow(), relation, RECS_PATH):
        truth = TRUTH_PATH if recs is RECS_PATH else TRUTH
        assert type(rm.evaluate(recs, truth, "rr").summary()) is duckdb.DuckDBPyRelation


def test_nothing_is_computed_before_it_is_asked_for() -> None:
    runs = 0

    def count(frame: pl.DataFrame) -> pl.DataFrame:
        nonlocal runs
        runs += 1
        return frame

    result = rm.evaluate(RECS.lazy().map_batches(count), TRUTH.lazy().map_batches(count), ["rr", "hit@1"])
    lazy = [result.summary(), result.per_list(), result.account()]
    assert result.to_sql("snowflake", per_list=True)
    assert result.explain()
    assert runs == 0
    for table in lazy:
        before = runs
        table.collect()
        assert runs > before


def test_printing_twice_computes_once(monkeypatch: pytest.MonkeyPatch) -> None:
    result = rm.evaluate(RECS, TRUTH, "rr")
    first = repr(result)
    monkeypatch.setattr(result._queries, "_lazy", lambda *_: pytest.fail("what was computed is computed again"))
    assert repr(result) == first
    assert result._repr_html_()
    assert result.notes()


def test_by_keeps_the_columns_that_are_named() -> None:
    by_user = rm.evaluate(RECS, TRUTH, "rr", by="user").summary().collect()
    assert by_user.to_dict(as_series=False) == {"user": [1, 2, 3], "n_lists": [2, 2, 2], "rr": [0.75, 0.5, 0.0]}
    whole = rm.evaluate(RECS, TRUTH, "rr", by=[]).summary().collect()
    assert whole.to_dict(as_series=False) == {"n_lists": [6], "rr": [pytest.approx(2.5 / 6)]}


def test_collect_is_the_checked_table_as_a_frame(engine: Engine) -> None:
    result = rm.evaluate(engine.give(RECS), engine.give(TRUTH), ["rr", "hit@1"])
    assert_frame_equal(means(result), engine.read(result.summary()))
    assert_frame_equal(result.collect(per_list=True), engine.read(result.per_list()), check_row_order=False)


def test_a_printed_summary_has_the_best_system_first_and_the_greatest_count_of_undefined_lists() -> None:
    recs = RECS.with_columns(pl.col("algorithm").replace("a", "z"))
    result = rm.evaluate(recs, TRUTH, ["unjudged@2", "hit(rel=4)@1"])  # of unjudged, a lower value is better
    assert result.collect().sort("unjudged@2")["algorithm"].to_list() == ["z", "b"]
    rows = [line.split("|")[1:5] for line in result.to_text("markdown").splitlines()[2:4]]
    assert [[cell.strip() for cell in row] for row in rows] == [["z", "3", "1", "2"], ["b", "3", "1", "2"]]


@pytest.mark.parametrize("given", [RECS, RECS_PATH], ids=["Polars", "DuckDB"])
def test_the_summary_and_the_account_are_one_query_where_both_are_wanted(
    given: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    computing: list[Callable[[rm.Result], object]] = [repr, lambda result: result.write(tmp_path / "summary.csv")]
    for compute in computing:
        truth = TRUTH_PATH if isinstance(given, Path) else TRUTH
        result = rm.evaluate(given, truth, ["rr", "hit@1"])
        asked: list[str] = []
        run = result._engine.run

        def told(sql: str, columns: Sequence[str], run: Any = run, asked: Any = asked) -> object:
            asked.append(sql)
            return run(sql, columns)

        monkeypatch.setattr(result._engine, "run", told)
        compute(result)
        assert len([sql for sql in asked if '"hit@1"' in sql]) == 1


def test_a_metric_may_be_called_as_the_account_calls_its_columns(engine: Engine) -> None:
    for name in ("account", "n"):
        rm.define(f"SELECT n_hits + 1 AS {name} FROM metrics")
    result = rm.evaluate(engine.give(RECS), engine.give(TRUTH), ["account@1", "n@1"], by=[])
    assert_frame_equal(means(result), engine.read(result.summary()))
    assert "account@1" in repr(result)


def test_where_the_engine_fails_over_wrong_data_the_data_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    result = rm.evaluate(RECS, TRUTH.with_columns(rating=pl.lit(float("inf"))), "rr")
    collect = result._engine._collect

    def fail(lazy: pl.LazyFrame) -> pl.DataFrame:
        if "rr" in lazy.collect_schema():
            raise rm.EngineError("the engine", "out of range", "SELECT 1")
        return collect(lazy)

    monkeypatch.setattr(result._engine, "_collect", fail)
    with pytest.raises(rm.DataError, match="infinite rating"):
        repr(result)
    fine = rm.evaluate(RECS, TRUTH, "rr")
    monkeypatch.setattr(fine._engine, "_collect", fail)
    with pytest.raises(rm.EngineError, match="out of range"):
        repr(fine)


def test_where_the_engine_was_stopped_nothing_more_is_asked_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    result = rm.evaluate(RECS.to_arrow(), TRUTH.to_arrow(), "rr")
    asked = []

    def stop(lazy: duckdb.DuckDBPyRelation) -> list[tuple[object, ...]]:
        asked.append(lazy)
        raise rm.EngineError("DuckDB", "no room", "SELECT 1") from duckdb.OutOfMemoryException("no room")

    monkeypatch.setattr(result._engine, "rows", stop)
    with pytest.raises(rm.EngineError, match="no room"):
        repr(result)
    assert len(asked) == 1


# --- the account ------------------------------------------------------------------------------------------------------


def counts(engine: Engine, metric: str, **options: Any) -> dict[str | None, dict[str, int]]:
    """The account as a dictionary: by system, then by count."""
    result = rm.evaluate(engine.give(COUNTED_RECS), engine.give(COUNTED_TRUTH), metric, **options)
    found: dict[str | None, dict[str, int]] = {}
    for system, name, n in engine.read(result.account()).rows():
        found.setdefault(system, {})[name] = n
    return found


EXPECTED: dict[str | None, str] = {
    "a": "lists_scored=4 lists_recommended=4 lists_missing=2 recs_counted=5 lists_empty=1 lists_without_truth=1 "
    "lists_tied=0 recs_repeated=1 recs_without_score=0",
    "b": "lists_scored=4 lists_recommended=4 lists_missing=0 lists_empty=0 lists_without_truth=0 lists_tied=2 "
    "recs_repeated=0 recs_without_score=1",
    None: "recs_with_null_id=2 truth_with_null_id=2 truth_repeated=1 truth_lists=4 truth_lists_asked=5 "
    "truth_lists_met=4 items_recommended=6 items_unjudged=2",
}


def test_the_account_counts_what_went_in_and_what_was_left_out(engine: Engine) -> None:
    found = counts(engine, "ndcg@2")
    for system, text in EXPECTED.items():
        expected = {name: int(n) for name, n in (pair.split("=") for pair in text.split())}
        assert {name: found[system].get(name) for name in expected} == expected
    assert found["a"]["undefined ndcg@2"] == found["b"]["undefined ndcg@2"] == 1


def test_a_missing_list_scores_0_and_is_counted_unless_it_is_skipped(engine: Engine) -> None:
    recs, truth = engine.give(COUNTED_RECS), engine.give(COUNTED_TRUTH)
    metrics = ["hit(missing=zero)@1", "hit(missing=skip)@1"]
    summary = engine.read(rm.evaluate(recs, truth, metrics).summary())
    assert summary[metrics[0]].to_list() == [pytest.approx(1 / 3), 1.0]
    assert summary[metrics[1]].to_list() == [0.5, 1.0]
    found = counts(engine, "hit@1", missing="skip")
    assert [found["a"][name] for name in ("lists_scored", "lists_missing", "lists_empty")] == [3, 1, 1]


def test_a_repeat_is_counted_or_refused() -> None:
    assert rm.evaluate(COUNTED_RECS, COUNTED_TRUTH, "rr", duplicates="count").collect().height == 2
    with pytest.raises(rm.DataError, match=r"1 recommendation .* 1 row of the truth"):
        rm.evaluate(COUNTED_RECS, COUNTED_TRUTH, "rr", duplicates="error").collect()


def test_a_list_column_may_be_called_as_the_account_calls_its_own() -> None:
    recs = RECS.rename({"algorithm": "account"}).with_columns(n=pl.lit(1))
    result = rm.evaluate(recs, TRUTH, "rr", by=["account", "n"])
    assert result.account().collect().columns == ["account", "n", "account_", "n_"]
    assert result.collect().columns == ["account", "n", "n_lists", "n_missing", "rr"]
