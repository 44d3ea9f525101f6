"""What evaluate returns: lazy tables, a summary, a table per list, the account, and notes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.engines.polars import Polars
from rankmetrics.faults.doubts import counts_of
from rankmetrics.metrics.catalog import catalog
from rankmetrics.results.checked import MOST_ROWS, _count_rows
from tests.support import flat
from tests.support.engines import Engine, means
from tests.support.two_systems import COUNTED_RECS, COUNTED_TRUTH, RECS, RECS_PATH, TRUTH, TRUTH_PATH

# --- lazy tables ------------------------------------------------------------------------------------------------------


@pytest.mark.long
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
        values = rm.evaluate(kind, rm.Input(pl.concat([truth, missed]), lists="user"), labels, by=[]).per_list()
        frame = values.collect() if isinstance(values, pl.LazyFrame) else values.pl()
        for user, *row in frame.rows():
            assert row == [min(user, k) / k for k in range(1, largest + 1)], user


def test_printing_twice_computes_once(monkeypatch: pytest.MonkeyPatch) -> None:
    result = rm.evaluate(RECS, TRUTH, "rr")
    first = repr(result)
    monkeypatch.setattr(result._queries, "_lazy", lambda *_: pytest.fail("what was computed is computed again"))
    assert repr(result) == first
    assert result._repr_html_()
    assert result.notes()


def test_collect_is_the_checked_table_as_a_frame(engine: Engine) -> None:
    result = rm.evaluate(engine.give(RECS), engine.give(TRUTH), ["rr", "hit@1"])
    assert_frame_equal(means(result), engine.read(result.summary()))
    assert_frame_equal(result.collect(per_list=True), engine.read(result.per_list()), check_row_order=False)


def test_a_printed_summary_begins_with_the_best_system_and_counts_undefined_lists() -> None:
    recs = RECS.with_columns(pl.col("algorithm").replace("a", "z"))
    result = rm.evaluate(recs, TRUTH, ["unjudged@2", "hit(rel=4)@1"])  # of unjudged, a lower value is better
    assert result.collect().sort("unjudged@2")["algorithm"].to_list() == ["z", "b"]
    rows = [line.split("|")[1:5] for line in result.to_text("markdown").splitlines()[2:4]]
    assert [[cell.strip() for cell in row] for row in rows] == [["z", "3", "1", "2"], ["b", "3", "1", "2"]]


@pytest.mark.parametrize("given", [RECS, RECS_PATH], ids=["Polars", "DuckDB"])
def test_the_summary_and_the_account_are_one_query_where_both_are_wanted(
    given: object, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "rankmetrics")
    computing: list[Callable[[rm.Result], object]] = [repr, lambda result: result.write(tmp_path / "summary.csv")]
    for compute in computing:
        result = rm.evaluate(given, TRUTH_PATH if isinstance(given, Path) else TRUTH, ["rr", "hit@1"])
        caplog.clear()
        compute(result)
        assert len([line for line in caplog.messages if line.startswith("query for ") and '"hit@1"' in line]) == 1


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
    result = flat.evaluate(engine.give(COUNTED_RECS), engine.give(COUNTED_TRUTH), metric, **options)
    found: dict[str | None, dict[str, int]] = {}
    for system, name, n in engine.read(result.account()).rows():
        found.setdefault(system, {})[name] = n
    return found


def test_a_list_column_may_be_called_as_the_account_calls_its_own() -> None:
    recs = RECS.rename({"algorithm": "account"}).with_columns(n=pl.lit(1))
    result = rm.evaluate(recs, TRUTH, "rr", by=["account", "n"])
    assert result.account().collect().columns == ["account", "n", "account_", "n_"]
    assert result.collect().columns == ["account", "n", "n_lists", "n_missing", "rr"]


# --- The notes below a summary: the counts of all systems, and systems whose order hangs on equal scores --------------


def test_the_notes_sum_the_account_over_all_systems() -> None:
    notes = rm.evaluate(COUNTED_RECS, COUNTED_TRUTH, "ndcg@2").notes()
    assert notes[0] == "Each of the 2 systems is averaged over 4 lists"
    assert {
        "2 lists have no recommendations; they score 0 where the metric is defined",
        "1 list has only rows without an item; counted among the lists without recommendations",
        "2 lists have tied scores in their first 3 items; ties go to the lower item id (ties=)",
        "1 row of the truth with an item that their list has already; the highest rating counts",
    } <= {*notes}
    assert notes[-2:] == [
        "2 lists for which ndcg@2 is undefined; not in its mean",
        "ndcg@2 uses ratings only as relevant or not; gain=linear weights hits by their rating",
    ]
    for metric in ("ndcg(gain=linear)@2", "ndcg(gain=binary)@2", "recall@2"):  # with gains, a choice, no gains
        assert "ratings only" not in rm.evaluate(COUNTED_RECS, COUNTED_TRUTH, metric).notes()[-1], metric
    assert not [note for note in notes if note.startswith("0 ")]
    nothing_left_out = rm.evaluate(RECS[:2], pl.DataFrame({"user": [1, 1], "item": [8, 7]}), "rr")
    assert nothing_left_out.notes() == ["1 list in the means"]


# --- equal scores -----------------------------------------------------------------------------------------------------

NOTE_TRUTH = pl.DataFrame({"user": [1], "item": ["b"]})


def scored(**systems: Sequence[float]) -> pl.DataFrame:
    """The scores of the items a, b and c, by system."""
    rows = [(name, 1, *pair) for name, scores in systems.items() for pair in zip("abc", scores, strict=True)]
    return pl.DataFrame(rows, schema=["system", "user", "item", "score"], orient="row")


def tie_notes(recs: pl.DataFrame, metrics: Any = "rr", **options: Any) -> list[str]:
    notes = flat.evaluate(recs.lazy(), NOTE_TRUTH.lazy(), metrics, **options).notes()
    return [note for note in notes if "depends on equal scores" in note]


# b is second of x, and first or second of y; of z, it is last.
TIED = scored(x=[3.0, 2.0, 1.0], y=[2.0, 2.0, 1.0], z=[3.0, 1.0, 2.0])


def test_two_systems_whose_order_hangs_on_equal_scores_are_named() -> None:
    (note,) = tie_notes(TIED)
    assert note == (
        "the order of x and y depends on equal scores: rr of x lies between 0.5000 and 0.5000, of y between 0.5000 "
        'and 1.0000; ties="expected" takes the mean over all orders of equal scores'
    )
    result = rm.evaluate(TIED.lazy(), NOTE_TRUTH.lazy(), {"found": "rr"})  # a column keeps its own name
    assert "found of x lies between 0.5000 and 0.5000" in repr(result)
    assert "depends on equal scores" in result._repr_html_()


def test_of_many_pairs_three_are_named() -> None:
    notes = tie_notes(scored(**{f"s{number}": [1.0, 1.0, 0.0] for number in range(6)}))
    assert len(notes) == 4
    assert notes[-1] == "the order of 2 more pairs of neighbours depends on equal scores"


def test_no_query_asks_for_orders_of_scores_tied_in_too_few_lists_to_matter() -> None:
    users = range(10)
    recs = pl.concat([TIED.with_columns(pl.lit(user).alias("user")) for user in users])
    recs = recs.with_columns(
        pl.when(pl.col("user") > 0).then(pl.col("score") * 2 - (pl.col("item") == "a")).otherwise("score")
    )
    truth = pl.concat([NOTE_TRUTH.with_columns(pl.lit(user).alias("user")) for user in users])
    far = recs.filter(pl.col("system") != "x")  # y finds b first in nine lists, z finds it last
    assert rm.evaluate(far.lazy(), truth.lazy(), "rr")._tie_ranges == []
    assert [each.system for each in rm.evaluate(TIED.lazy(), NOTE_TRUTH.lazy(), "rr")._tie_ranges] == ["x", "y", "z"]


@pytest.mark.parametrize(
    "metric", ["ndcg@3", "rr", "r_precision(hitless=undefined)@2", "ndcg(missing=skip)@3", "recall@1"]
)
def test_a_few_tied_lists_by_themselves_lead_to_the_ranges_of_all_lists(
    metric: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    random, n = np.random.default_rng(4), 40
    keys = [(system, user, item) for system in "xyz" for user in range(n) for item in "abcde"]
    recs = pl.DataFrame(keys, schema=["system", "user", "item"], orient="row")
    scores = pl.Series(random.permutation(recs.height), dtype=pl.Float64)
    is_tied = (pl.col("user") % 20 == 0) & (pl.col("system") != "z")
    recs = recs.with_columns(score=pl.when(is_tied).then(pl.lit(scores % 2)).otherwise(pl.lit(scores)))
    odd = {
        "system": ["x", "x"],
        "user": [1, 1],
        "item": ["f", "g"],
        "score": [float("nan"), None],
    }  # tied with each other
    recs = pl.concat([recs, pl.DataFrame(odd, schema=recs.schema)])
    truth = pl.DataFrame({"user": [*range(n)] * 2, "item": random.choice([*"abcdefg"], 2 * n).tolist()})
    monkeypatch.setattr("rankmetrics.results.notes._may_swap", lambda *_: True)
    of_all = rm.evaluate(recs.lazy(), truth.lazy(), metric)._tie_ranges
    connection = duckdb.connect()
    first, second = (connection.from_arrow(table.to_arrow()) for table in (recs, truth))
    of_few = rm.evaluate(first, second, metric, connection=connection)
    summary = of_few._queries.engine.rows(of_few._queries.summary_of_tied_lists([rm.parse("hit(missing=skip)@1")]))
    assert [(system, n_lists) for system, n_lists, *_ in summary] == [("x", 3), ("y", 2)]
    assert [range_.system for range_ in of_few._tie_ranges] == [range_.system for range_ in of_all]
    for range_, expected in zip(of_few._tie_ranges, of_all, strict=True):
        assert (range_.low, range_.high) == pytest.approx((expected.low, expected.high), abs=1e-12), range_.system
    assert any(range_.high > range_.low for range_ in of_all)


def test_systems_that_keep_their_order_in_all_orders_of_ties_are_not_named() -> None:
    assert tie_notes(scored(x=[1.0, 2.0, 0.0], y=[2.0, 1.0, 1.0])) == []
    assert tie_notes(scored(x=[2.0, 1.0, 0.0], y=[2.0, 1.0, 0.0])) == []


def test_metrics_without_a_best_and_a_worst_order_have_no_note() -> None:
    assert tie_notes(TIED, by=[]) == []
    for metric in ("rr(ties=expected)", "ndcg(tied=averaged)", "bpref", "user_coverage"):
        assert tie_notes(TIED, metric) == [], metric
    assert tie_notes(TIED, aggregates=["median", "mean"]) == []


def test_the_note_costs_a_query_only_where_scores_are_equal_and_only_to_print(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[Any] = []
    run = Polars.rows

    def rows(self: Polars, lazy: Any) -> list[tuple[Any, ...]]:
        ran.append(lazy)
        return run(self, lazy)

    monkeypatch.setattr(Polars, "rows", rows)

    def n_queries(recs: pl.DataFrame) -> tuple[int, int]:
        """The queries of `collect`, and those of printing."""
        ran.clear()
        result = rm.evaluate(recs.lazy(), NOTE_TRUTH.lazy(), "rr")
        result.collect()
        collected = len(ran)
        repr(result)
        return collected, len(ran) - collected

    collected, printed = n_queries(scored(x=[3.0, 2.0, 1.0], y=[1.0, 2.0, 3.0]))
    assert n_queries(TIED) == (collected, printed + 1)


def test_counts_of_a_long_summary_are_combined_as_the_headers_of_their_files_say() -> None:
    names = [count.name for count in catalog().all("account")]
    rows = [(system, name, n) for system, n in (("a", 2), ("b", 3), ("c", 1)) for name in names]
    long = _count_rows(pl.DataFrame(rows, ["system", "account", "n"], orient="row"), MOST_ROWS + 1)
    expected = {"sum": 6, "maximum": 3, "minimum": 1}
    combined = {count.name: expected[count.fields.get("combined", "sum")] for count in catalog().all("account")}
    assert {name: n for _, name, n in long} == combined == counts_of(rows).totals
