"""What evaluate returns: lazy tables, the account, print, files and SQL; the Metric value; metrics of one's own."""

from __future__ import annotations

import html
import os
import re
from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from rich.console import Console

import rankmetrics as rm
from rankmetrics._files import data_folder
from rankmetrics.dialects.base import DIALECTS
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.metric import metrics as read_metrics
from tests.conftest import Engine
from tests.engines import means

RECS_PATH, TRUTH_PATH = data_folder() / "recs.parquet", data_folder() / "truth.parquet"

# Two systems and three users. a: u1 finds its item at rank 2, u2 at rank 1, u3 is missing; b: u1 at rank 1, u3 nothing.
RECS = pl.DataFrame(
    {
        "algorithm": ["a", "a", "a", "b", "b"],
        "user": [1, 1, 2, 1, 3],
        "item": [7, 8, 7, 8, 7],
        "rank": [1, 2, 1, 1, 1],
    }
)
TRUTH = pl.DataFrame({"user": [1, 2, 3], "item": [8, 7, 9], "rating": [5.0, 3.0, 1.0]})


def by_hand(query: str) -> pl.DataFrame:
    """What DuckDB answers somebody who runs a query by hand."""
    relation = duckdb.sql(query)
    assert relation is not None
    frame: pl.DataFrame = relation.pl()
    return frame


def named(*names: str | None) -> rm.Result:
    """A result of systems called so, one list each, the first of them the best."""
    places = range(1, len(names) + 1)
    recs = pl.DataFrame(
        {
            "algorithm": [name for name, place in zip(names, places, strict=True) for _ in range(place)],
            "user": [1 for place in places for _ in range(place)],
            "item": [8 if rank == place else 7 for place in places for rank in range(1, place + 1)],
            "rank": [rank for place in places for rank in range(1, place + 1)],
        }
    )
    return rm.evaluate(recs, TRUTH.filter(pl.col("user") == 1), ["rr", "hit@1"])


def cells(line: str) -> list[str]:
    """The cells of a printed row."""
    return [one.strip() for one in line.split("│")]


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


def test_the_account_has_a_row_per_count_and_system(engine: Engine) -> None:
    frame = engine.read(rm.evaluate(engine.give(RECS), engine.give(TRUTH), "rr").account())
    assert frame.columns == ["algorithm", "account", "n"]
    assert frame.schema["n"] == pl.Int64
    assert set(frame["algorithm"].to_list()) == {"a", "b", None}
    assert not frame.select("algorithm", "account").is_duplicated().any()


def test_lazy_tables_are_of_the_kind_of_the_recommendations() -> None:
    relation, truth = duckdb.connect().from_arrow(RECS.to_arrow()), TRUTH
    kinds: list[tuple[object, type]] = [
        (RECS, pl.LazyFrame),
        (RECS.lazy(), pl.LazyFrame),
        (RECS.to_arrow(), duckdb.DuckDBPyRelation),
        (relation, duckdb.DuckDBPyRelation),
        (RECS_PATH, duckdb.DuckDBPyRelation),
    ]
    for recs, kind in kinds:
        result = rm.evaluate(recs, TRUTH_PATH if recs is RECS_PATH else truth, "rr")
        assert [type(one) for one in (result.summary(), result.per_list(), result.account())] == [kind] * 3


def test_nothing_is_computed_before_it_is_asked_for() -> None:
    runs = 0

    def count(frame: pl.DataFrame) -> pl.DataFrame:
        nonlocal runs
        runs += 1
        return frame

    result = rm.evaluate(RECS.lazy().map_batches(count), TRUTH.lazy().map_batches(count), ["rr", "hit@1"])
    lazy = [result.summary(), result.per_list(), result.account()]
    assert result.to_sql()
    assert result.to_sql("snowflake", per_list=True)
    assert result.explain()
    assert runs == 0
    for one in lazy:
        before = runs
        one.collect()
        assert runs > before


def test_printing_twice_computes_once(monkeypatch: pytest.MonkeyPatch) -> None:
    result = rm.evaluate(RECS, TRUTH, "rr")
    first = repr(result)
    monkeypatch.setattr(result, "_lazy", lambda *_: pytest.fail("what was computed is computed again"))
    assert repr(result) == first
    assert result._repr_html_()
    assert result.notes()


def test_by_keeps_the_columns_that_are_named(engine: Engine) -> None:
    by_user = rm.evaluate(engine.give(RECS), engine.give(TRUTH), "rr", by="user").summary()
    assert engine.read(by_user).to_dict(as_series=False) == {
        "user": [1, 2, 3],
        "n_lists": [2, 2, 2],
        "rr": [0.75, 0.5, 0.0],
    }
    whole = rm.evaluate(engine.give(RECS), engine.give(TRUTH), "rr", by=[]).summary()
    assert engine.read(whole).to_dict(as_series=False) == {"n_lists": [6], "rr": [pytest.approx(2.5 / 6)]}


def test_collect_is_the_checked_table_as_a_frame(engine: Engine) -> None:
    result = rm.evaluate(engine.give(RECS), engine.give(TRUTH), ["rr", "hit@1"])
    assert_frame_equal(means(result), engine.read(result.summary()))
    assert_frame_equal(result.collect(per_list=True), engine.read(result.per_list()), check_row_order=False)


@pytest.mark.parametrize("given", [RECS, RECS_PATH], ids=["Polars", "DuckDB"])
@pytest.mark.parametrize(
    "compute",
    [rm.Result.collect, repr, rm.Result.notes, lambda result: result.write(Path("summary.csv"))],
    ids=["collect", "repr", "notes", "write"],
)
def test_the_summary_and_the_account_are_one_query_where_both_are_wanted(
    given: object,
    compute: Callable[[rm.Result], object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    truth = TRUTH_PATH.resolve() if isinstance(given, Path) else TRUTH
    result = rm.evaluate(given.resolve() if isinstance(given, Path) else given, truth, ["rr", "hit@1"])
    monkeypatch.chdir(tmp_path)
    asked: list[str] = []
    run = result._engine.run

    def told(sql: str, columns: Sequence[str]) -> object:
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


@pytest.mark.parametrize(
    "ask", [rm.Result.collect, rm.Result.check, rm.Result._repr_html_, repr], ids=["collect", "check", "HTML", "repr"]
)
def test_what_computes_refuses_lists_that_never_meet(ask: Callable[[rm.Result], object]) -> None:
    result = rm.evaluate(RECS, TRUTH.with_columns(pl.col("user") + 10), "rr")
    with pytest.raises(rm.DataError, match="No list is in both"):
        ask(result)


# --- the account ------------------------------------------------------------------------------------------------------

COUNTED_RECS = pl.DataFrame(
    [
        ("a", 1, 1, 0.9),  # found
        ("a", 1, 1, 0.8),  # a duplicate of it
        ("a", 1, 2, 0.7),
        ("a", 2, 1, 0.5),  # nothing is relevant for user 2; a has no list for user 3
        ("a", 4, None, 0.4),  # all there is of this list has no item: it is empty
        ("a", 9, 99, 0.3),  # no truth for user 9, nor of item 99
        ("b", 1, 1, 0.9),
        ("b", 1, 2, 0.5),  # places 2 and 3 tie: which of them is second?
        ("b", 1, 3, 0.5),
        ("b", 2, 1, 0.9),
        ("b", 2, 2, 0.8),
        ("b", 2, 3, 0.7),
        ("b", 2, 4, 0.1),  # places 4 and 5 tie: whatever comes first, nobody looks so deep
        ("b", 2, 5, 0.1),
        ("b", 3, 3, 0.9),  # places 1 and 2 tie
        ("b", 3, 4, 0.9),
        ("b", 4, 4, None),  # ranked last for want of a score
        ("b", None, 4, 0.1),  # nobody's
    ],
    schema={"algorithm": pl.String, "user": pl.Int64, "item": pl.Int64, "score": pl.Float64},
    orient="row",
)
COUNTED_TRUTH = pl.DataFrame(
    [
        (1, 1, 5.0),
        (1, 1, 4.0),  # again
        (1, 2, 3.0),
        (2, 1, 0.0),  # judged, not relevant
        (3, 3, 2.0),
        (4, 4, 1.0),
        (None, 1, 1.0),
        (3, None, 1.0),
    ],
    schema={"user": pl.Int64, "item": pl.Int64, "rating": pl.Float64},
    orient="row",
)


def counts(engine: Engine, metric: str, **options: Any) -> dict[str | None, dict[str, int]]:
    """The account as a dictionary: by system, then by count."""
    result = rm.evaluate(engine.give(COUNTED_RECS), engine.give(COUNTED_TRUTH), metric, **options)
    found: dict[str | None, dict[str, int]] = {}
    for system, name, n in engine.read(result.account()).rows():
        found.setdefault(system, {})[name] = n
    return found


def test_the_account_counts_what_went_in_and_what_was_left_out(engine: Engine) -> None:
    found = counts(engine, "ndcg@2")
    expected: dict[str | None, dict[str, int]] = {
        "a": {
            "lists_scored": 4,
            "lists_recommended": 4,
            "lists_missing": 1,
            "recs_counted": 5,
            "lists_empty": 1,
            "lists_without_truth": 1,
            "lists_tied": 0,
            "recs_repeated": 1,
            "recs_without_score": 0,
            "undefined ndcg@2": 1,
        },
        "b": {
            "lists_scored": 4,
            "lists_recommended": 4,
            "lists_missing": 0,
            "lists_empty": 0,
            "lists_without_truth": 0,
            "lists_tied": 2,
            "recs_repeated": 0,
            "recs_without_score": 1,
            "undefined ndcg@2": 1,
        },
        None: {
            "recs_with_null_id": 2,
            "truth_with_null_id": 2,
            "truth_repeated": 1,
            "truth_lists": 4,
            "truth_lists_asked": 5,
            "truth_lists_met": 4,
            "items_recommended": 6,
            "items_unjudged": 2,
        },
    }
    for system, wanted in expected.items():
        assert {name: found[system].get(name) for name in wanted} == wanted


@pytest.mark.parametrize(("metric", "tied"), [("ndcg@1", 1), ("ndcg@2", 2), ("ndcg@3", 2), ("ndcg@4", 3), ("ndcg", 3)])
def test_a_tie_counts_down_to_the_place_after_the_last_that_is_measured(engine: Engine, metric: str, tied: int) -> None:
    assert counts(engine, metric)["b"]["lists_tied"] == tied


def test_a_missing_list_that_is_skipped_is_neither_scored_nor_missing(engine: Engine) -> None:
    found = counts(engine, "hit@1", missing="skip")
    assert {name: found["a"][name] for name in ("lists_scored", "lists_missing", "lists_empty")} == {
        "lists_scored": 3,
        "lists_missing": 0,
        "lists_empty": 1,
    }
    assert found["b"]["lists_scored"] == 4


def test_a_missing_list_scores_0_unless_it_is_skipped(engine: Engine) -> None:
    recs, truth = engine.give(COUNTED_RECS), engine.give(COUNTED_TRUTH)
    means = {
        missing: engine.read(rm.evaluate(recs, truth, "hit@1", missing=missing).summary())["hit@1"].to_list()
        for missing in ("zero", "skip")
    }
    assert means == {"zero": [pytest.approx(1 / 3), 1.0], "skip": [0.5, 1.0]}


def noted(name: str, count: int) -> str:
    """A count of the account as a note says it."""
    said = next(one.summary for one in catalog().all("account") if one.name == name)
    return re.sub(r"(?=;)|$", f": {count}", said, count=1)


def test_the_notes_sum_the_account_over_all_systems() -> None:
    notes = rm.evaluate(COUNTED_RECS, COUNTED_TRUTH, "ndcg@2").notes()
    expected = {"lists_scored": 8, "lists_missing": 1, "lists_empty": 1, "lists_tied": 2, "truth_repeated": 1}
    assert notes[0] == noted("lists_scored", 8)
    assert {noted(name, n) for name, n in expected.items()} <= set(notes)
    assert notes[-1] == "lists for which ndcg@2 is undefined: 2; not in its mean"
    assert not [one for one in notes if ": 0" in one]


def test_the_notes_are_one_where_nothing_was_left_out() -> None:
    truth = pl.DataFrame({"user": [1, 1], "item": [8, 7]})
    assert rm.evaluate(RECS[:2], truth, "rr").notes() == [noted("lists_scored", 1)]


def test_a_repeat_is_counted_or_refused() -> None:
    assert rm.evaluate(COUNTED_RECS, COUNTED_TRUTH, "rr", duplicates="count").collect().height == 2
    with pytest.raises(rm.DataError, match=r"1 recommendations .* 1 rows of the truth"):
        rm.evaluate(COUNTED_RECS, COUNTED_TRUTH, "rr", duplicates="error").collect()


def test_a_list_column_may_be_called_as_the_account_calls_its_own(engine: Engine) -> None:
    recs = RECS.rename({"algorithm": "account"}).with_columns(n=pl.lit(1))
    result = rm.evaluate(engine.give(recs), engine.give(TRUTH), "rr", by=["account", "n"])
    assert engine.read(result.account()).columns == ["account", "n", "account_", "n_"]
    assert result.collect().columns == ["account", "n", "n_lists", "n_missing", "rr"]


# --- print and HTML ---------------------------------------------------------------------------------------------------


def test_a_result_prints_as_a_table_with_the_account_below() -> None:
    result = rm.evaluate(RECS, TRUTH, ["rr", "hit@1"])
    lines = repr(result).splitlines()
    assert [one.strip() for one in lines[0].split("┃")] == ["algorithm", "n_lists", "n_missing", "rr", "hit@1"]
    shown = [cells(one) for one in lines[2:4]]
    assert shown == [["a", "3", "1", "0.5000", "0.3333"], ["b", "3", "1", "0.3333", "0.3333"]]
    assert lines[4] == ""
    assert lines[5:] == result.notes()


def test_an_undefined_mean_is_a_dash() -> None:
    result = rm.evaluate(RECS, TRUTH.with_columns(rating=0.0), ["rr", "n_hits"])
    assert cells(repr(result).splitlines()[2]) == ["a", "3", "1", "3", "–", "0.0000"]
    assert result.notes()[-1] == "lists for which rr is undefined: 6; not in its mean"
    assert "<td>–</td>" in result._repr_html_()


def test_systems_are_shown_with_the_best_first() -> None:
    result = named("z", "y", "x")
    assert [cells(one)[0] for one in repr(result).splitlines()[2:5]] == ["z", "y", "x"]
    assert result._repr_html_().index("<td>z</td>") < result._repr_html_().index("<td>x</td>")
    assert result.collect()["algorithm"].to_list() == ["x", "y", "z"]


def test_what_is_no_system_keeps_its_order() -> None:
    by_user = rm.evaluate(RECS, TRUTH, "rr", by="user")
    assert [cells(one)[0] for one in repr(by_user).splitlines()[2:5]] == ["1", "2", "3"]
    assert repr(by_user).splitlines()[2:5] == repr(rm.evaluate(RECS, TRUTH, "rr", by=["user"])).splitlines()[2:5]


def test_thirty_rows_are_shown_and_the_rest_is_counted() -> None:
    lines = repr(named(*(f"s{number:02}" for number in range(32)))).splitlines()
    assert [cells(one)[0] for one in lines[2:32]] == [f"s{number:02}" for number in range(30)]
    assert lines[32] == "and 2 more rows"
    assert not [one for one in repr(named(*(f"s{number:02}" for number in range(30)))).splitlines() if "more" in one]


def test_thirty_rows_are_shown_in_a_notebook_and_the_rest_is_counted() -> None:
    page = named(*(f"s{number:02}" for number in range(32)))._repr_html_()
    assert page.count("<tr>") == 31
    assert "2 more rows" in page


@pytest.mark.parametrize("name", ["[red]x", "[/]", "<b>", "a:smile:b", "c\\", "[link=x]y[/link]"])
def test_the_name_of_a_system_is_printed_as_it_is(name: str) -> None:
    assert cells(repr(named(name, "zz")).splitlines()[2])[0] == name


@pytest.mark.parametrize("name", ["[red]x", "a:smile:b"])
def test_the_name_of_a_column_is_printed_as_it_is(name: str) -> None:
    result = rm.evaluate(RECS.rename({"algorithm": name}), TRUTH, "rr")
    assert repr(result).split("┃")[0].strip() == name


@pytest.mark.parametrize("name", ["<b>bold</b>", "a & b", '"quoted"'])
def test_html_shows_the_name_of_a_system_and_does_not_obey_it(name: str) -> None:
    page = named(name, "other")._repr_html_()
    assert f"<td>{html.escape(name)}</td>" in page
    assert "<b>" not in page


def test_html_holds_the_labels_the_numbers_and_the_account() -> None:
    result = rm.evaluate(RECS, TRUTH, ["rr", "hit@1"])
    page = result._repr_html_()
    assert "<th>algorithm</th><th>n_lists</th><th>n_missing</th><th>rr</th><th>hit@1</th>" in page
    assert "<td>a</td><td>3</td><td>1</td><td>0.5000</td><td>0.3333</td>" in page
    assert all(f"<li>{html.escape(one)}</li>" in page for one in result.notes())


def test_the_best_of_each_column_stands_out_on_a_terminal() -> None:
    screen = StringIO()
    Console(file=screen, force_terminal=True, color_system="standard", width=200).print(named("z", "y"))
    rows = screen.getvalue().splitlines()[2:4]
    assert [one.count("\x1b[1;32m") for one in rows] == [2, 0]


def test_a_narrow_console_shows_every_number_whole() -> None:
    screen = StringIO()
    Console(file=screen, width=60).print(rm.evaluate(RECS, TRUTH, ["rr", "recall@5,10,20", "precision@5,10,20"]))
    assert "…" not in screen.getvalue()


# --- files ------------------------------------------------------------------------------------------------------------

READERS: dict[str, Callable[[Path], pl.DataFrame]] = {
    "csv": pl.read_csv,
    "csv.gz": pl.read_csv,
    "json": pl.read_json,
    "jsonl": pl.read_ndjson,
    "ndjson": pl.read_ndjson,
    "parquet": pl.read_parquet,
    "pq": pl.read_parquet,
    "tsv": lambda path: pl.read_csv(path, separator="\t"),
}


@pytest.mark.parametrize("per_list", [False, True])
@pytest.mark.parametrize("end", READERS)
def test_a_file_holds_what_collect_returns(engine: Engine, tmp_path: Path, end: str, per_list: bool) -> None:
    result = rm.evaluate(engine.give(RECS), engine.give(TRUTH), ["rr", "hit@1"])
    path = tmp_path / f"it's out.{end}"
    result.write(path, per_list=per_list)
    assert_frame_equal(READERS[end](path), result.collect(per_list=per_list), check_row_order=False)
    assert os.listdir(tmp_path) == [path.name]  # noqa: PTH208  # hidden files, too


def test_a_file_takes_the_place_of_an_old_one(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_text("old")
    rm.evaluate(engine.give(RECS), engine.give(TRUTH), "rr").write(str(path))
    assert path.read_text().startswith("algorithm,n_lists,n_missing,rr\n")


def test_a_file_may_be_read_by_whoever_may_read_others(tmp_path: Path) -> None:
    (tmp_path / "other.csv").touch()
    rm.evaluate(RECS, TRUTH, "rr").write(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").stat().st_mode == (tmp_path / "other.csv").stat().st_mode


@pytest.mark.parametrize("old", [None, "old"])
def test_a_write_that_fails_midway_leaves_what_was_there(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str | None
) -> None:
    result = rm.evaluate(engine.give(RECS), engine.give(TRUTH), "rr")
    path = tmp_path / "out.csv"
    if old:
        path.write_text(old)

    def fail(_: object, temporary: Path, form: str) -> None:
        temporary.write_text(f"half of a {form}")
        raise rm.EngineError("the engine", "no space left on device", "SELECT 1")

    monkeypatch.setattr(result._engine, "write_frame", fail)
    with pytest.raises(rm.EngineError, match="no space left"):
        result.write(path)
    assert {one.name: one.read_text() for one in tmp_path.iterdir()} == ({"out.csv": old} if old else {})


def test_a_write_that_is_refused_leaves_no_file(tmp_path: Path) -> None:
    result = rm.evaluate(RECS, TRUTH.with_columns(pl.col("user") + 10), "rr")
    with pytest.raises(rm.DataError):
        result.write(tmp_path / "out.csv")
    with pytest.raises(rm.InputError, match=r"'out.xlsx': end it in one of .parquet"):
        result.write("out.xlsx")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["no/folder/out.csv", "folder.csv"])
def test_a_path_that_cannot_be_written_is_refused_as_an_input(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(rm.InputError, match=name):
        rm.evaluate(RECS, TRUTH, "rr").write(tmp_path / name)


# --- SQL --------------------------------------------------------------------------------------------------------------


def test_the_sql_of_files_gives_the_summary_when_run_by_hand() -> None:
    result = rm.evaluate(RECS_PATH, TRUTH_PATH, ["ndcg(gain=linear)@10", "rr", "err@5", "auc"])
    assert_frame_equal(by_hand(result.to_sql()), means(result))
    assert_frame_equal(
        by_hand(result.to_sql("duckdb", per_list=True)), result.collect(per_list=True), check_row_order=False
    )


def test_the_sql_of_files_keeps_their_paths_and_whatever_is_in_them(tmp_path: Path) -> None:
    RECS.write_parquet(tmp_path / "it's.parquet")
    result = rm.evaluate([tmp_path / "it's.parquet"], TRUTH_PATH.parent / "truth.parquet", "rr", truth_lists=["user"])
    assert "it''s.parquet" in result.to_sql()


def test_the_sql_of_frames_names_tables_called_as_the_inputs_are() -> None:
    result = rm.evaluate(RECS, TRUTH, ["rr", "hit@1"])
    by_polars = pl.SQLContext(recs=RECS, truth=TRUTH).execute(result.to_sql()).collect()
    assert_frame_equal(by_polars, means(result))
    with duckdb.connect() as connection:
        connection.register("recs", RECS)
        connection.register("truth", TRUTH)
        rows = connection.execute(result.to_sql("duckdb")).fetchall()
    assert rows == [pytest.approx(row) for row in means(result).rows()]


def test_the_sql_takes_the_names_of_tables() -> None:
    result = rm.evaluate(RECS_PATH, TRUTH_PATH, "hit@5")
    text = result.to_sql(recs="wh.r", truth='"my truth"')
    assert 'FROM "wh"."r" AS "recs"' in text
    assert 'FROM "my truth" AS "truth"' in text
    assert "parquet" not in text.lower()


# What stands around a name, in dialects where it is not ".
QUOTES = {"tsql": "[]", **dict.fromkeys(("bigquery", "databricks", "mysql", "spark"), "``")}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_sql_of_files_is_of_every_dialect(dialect: str) -> None:
    text = rm.evaluate(RECS_PATH, TRUTH_PATH, "ndcg@5").to_sql(dialect, recs="wh.r")
    opening, closing = list(QUOTES.get(dialect, '""'))
    assert f"{opening}wh{closing}.{opening}r{closing}" in text
    assert f"FROM {opening}truth{closing}" in text or dialect == "duckdb"
    assert text.startswith("WITH ")


def test_a_dialect_that_is_none_is_refused() -> None:
    with pytest.raises(rm.DialectError, match="Did you mean 'snowflake'"):
        rm.evaluate(RECS, TRUTH, "rr").to_sql("snowflak")
    with pytest.raises(rm.DialectError, match="cannot be the name of a table"):
        rm.evaluate(RECS, TRUTH, "rr").to_sql("postgres", recs='"wh')


# --- explain and the list of metrics ----------------------------------------------------------------------------------


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


def test_a_result_explains_every_metric_that_was_asked_for() -> None:
    result = rm.evaluate(RECS, TRUTH, ["rr", "hit@1"])
    assert result.explain() == f"{rm.explain('rr')}\n\n{rm.explain('hit@1')}"


def test_explain_refuses_what_is_no_metric() -> None:
    with pytest.raises(rm.MetricError, match="Did you mean 'recall'"):
        rm.explain("recal@5")


def test_the_list_of_metrics_is_a_frame() -> None:
    frame = rm.list_metrics()
    assert frame.schema == {
        "metric": pl.String,
        "of": pl.String,
        "aliases": pl.List(pl.String),
        "parameters": pl.List(pl.String),
        "needs": pl.List(pl.String),
        "summary": pl.String,
        "undefined": pl.String,
        "range": pl.String,
        "source": pl.String,
    }
    recall = frame.row(by_predicate=pl.col("metric") == "recall", named=True)
    assert recall["aliases"] == ["R"]
    assert recall["parameters"] == ["divisor=relevant", "rel=None", "k=None"]
    assert frame["metric"].is_sorted()


# --- metrics of one's own ---------------------------------------------------------------------------------------------


def test_a_metric_of_ones_own_is_measured_next_to_others(engine: Engine) -> None:
    own = rm.define("SELECT 100 * recall AS own_percent FROM metrics")
    result = rm.evaluate(engine.give(RECS), engine.give(TRUTH), ["own_percent@1", own @ 2, "recall@2"])
    assert engine.read(result.summary()).select(pl.exclude("algorithm", "n_lists")).to_dict(as_series=False) == {
        "own_percent@1": [pytest.approx(100 / 3)] * 2,
        "own_percent@2": [pytest.approx(200 / 3), pytest.approx(100 / 3)],
        "recall@2": [pytest.approx(2 / 3), pytest.approx(1 / 3)],
    }


def test_a_metric_of_ones_own_takes_the_cutoff_of_its_stage(engine: Engine) -> None:
    own = rm.define("SELECT SUM(rank) AS own_rank_sum FROM hits WHERE rank <= $k")
    per_list = rm.evaluate(engine.give(RECS), engine.give(TRUTH), own @ [1, 2]).per_list()
    frame = engine.read(per_list).sort("algorithm", "user")
    assert frame["own_rank_sum@1"].to_list() == [None, 1, None, 1, None, None]
    assert frame["own_rank_sum@2"].to_list() == [2, 1, None, 1, None, None]


def test_a_metric_of_ones_own_comes_from_a_file_with_its_documentation(tmp_path: Path) -> None:
    path = tmp_path / "own_share.sql"
    path.write_text(
        "-- own_share: the share of places that hit\n--\n-- A note.\n-- undefined: the list is empty.\n"
        "-- aliases: OwnShare\n"
        "SELECT n_hits / NULLIF(n_recommended, 0) AS own_share FROM metrics\n"
    )
    for given in (path, str(path)):
        assert repr(rm.define(given)) == "own_share"
    assert rm.parse("OwnShare@5") == rm.parse("own_share@5")
    assert rm.explain("own_share").startswith("own_share: the share of places that hit\nA note.\n")
    row = rm.list_metrics().row(by_predicate=pl.col("metric") == "own_share", named=True)
    assert (row["summary"], row["undefined"]) == ("the share of places that hit", "the list is empty.")
    assert rm.evaluate(RECS, TRUTH, "own_share@2").collect()["own_share@2"].to_list() == [0.75, 0.5]


def test_a_metric_of_ones_own_takes_the_parameters_of_what_it_is_made_of() -> None:
    own = rm.define("SELECT 1 - ndcg AS own_loss FROM metrics")
    assert repr(own(gain="exponential") @ 5) == "own_loss(gain=exponential)@5"
    with pytest.raises(rm.MetricError, match="Did you mean 'gain'"):
        own(gian="linear")


def test_a_metric_of_ones_own_may_be_made_of_another() -> None:
    rm.define("SELECT 2 * n_hits AS own_double FROM metrics")
    rm.define("SELECT own_double + 1 AS own_double_1 FROM metrics")
    assert rm.evaluate(RECS, TRUTH, "own_double_1@1", by=[]).collect()["own_double_1@1"].to_list() == [
        pytest.approx(2 * 2 / 6 + 1)
    ]


def test_a_definition_takes_the_place_of_an_earlier_one() -> None:
    rm.define("SELECT 1 * n_hits AS own_again FROM metrics")
    rm.define("SELECT 3 * n_hits AS own_again FROM metrics")
    assert rm.evaluate(RECS, TRUTH, "own_again@1").collect()["own_again@1"].to_list() == [1.0, 1.0]
    assert rm.list_metrics()["metric"].to_list().count("own_again") == 1


def test_a_definition_that_is_refused_leaves_the_earlier_one() -> None:
    rm.define("-- own_kept: kept\n-- aliases: OwnKept\nSELECT n_hits AS own_kept FROM metrics")
    for text in ("SELECT SUM($q) AS own_kept FROM hits", "SELECT n_hist AS own_kept FROM metrics"):
        with pytest.raises(rm.MetricError):
            rm.define(text)
    assert rm.evaluate(RECS, TRUTH, "own_kept@1").collect().height == 2
    assert rm.parse("OwnKept") == rm.parse("own_kept")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("SELECT n_hits AS ndcg FROM metrics", "is a metric of rankmetrics already"),
        ("SELECT n_hits AS nDCG FROM metrics", "is a metric of rankmetrics already"),
        ("SELECT n_hits AS mrr FROM metrics", "is a metric of rankmetrics already"),
        ("-- x: y\n-- aliases: ndcg\nSELECT n_hits AS own_thief FROM metrics", "is a metric of rankmetrics already"),
        ("SELECT n_hist AS own_x FROM metrics", "Did you mean 'n_hits'"),
        ("SELECT COUNT(*) AS own_x FROM hit", "neither metrics nor a stage"),
        ("SELECT SUM($q) AS own_x FROM hits", r"reads \$q"),
        ("SELECT n_hits FROM metrics", None),
        ("SELECT n_hits + 1 FROM metrics", "one expression with a name"),
        ("SELECT n_hits AS own_x, n_hits AS own_y FROM metrics", "one SELECT of one expression"),
        ('SELECT n_hits AS "own x" FROM metrics', "letters, digits and underscores"),
        ("SELECT n_hits AS own_x FROM metrics LIMIT 1", "at most a WHERE"),
        ("SELECT n_hits AS own_x", "FROM one stage or metrics"),
        ("DROP TABLE recs", "one SELECT"),
        ("not SQL at all", "not valid SQL"),
        ("", "one SELECT"),
        ("nowhere.sql", "cannot be read"),
        ("SELECT rank AS own_x FROM hits", "of many rows"),
        ("SELECT COUNT(*) AS own_x FROM systems", None),
        ("SELECT n_hits AS n_lists FROM metrics", None),
    ],
)
def test_a_definition_that_is_none_is_refused_with_the_reason(text: str, reason: str | None) -> None:
    with pytest.raises(rm.MetricError, match=reason):
        rm.define(text)
    assert rm.parse("ndcg").name == "ndcg"


def test_a_definition_that_reads_itself_is_refused() -> None:
    rm.define("SELECT n_hits / 2.0 AS own_round FROM metrics")
    with pytest.raises(rm.MetricError):
        rm.define("SELECT own_round / 2.0 AS own_round FROM metrics")


def test_two_definitions_whose_names_differ_in_underscores_stay_apart() -> None:
    rm.define("SELECT 1.0 * n_hits AS own_ab FROM metrics")
    with pytest.raises(rm.MetricError):
        rm.define("SELECT 2.0 * n_hits AS ownab FROM metrics")
    assert rm.parse("own_ab").name == "own_ab"


# --- the Metric value -------------------------------------------------------------------------------------------------

SPELLINGS = [
    "ndcg",
    "ndcg@10",
    "nDCG@10",
    "P(rel=4)@5",
    "ndcg(gain=exponential, rel=3.5)@10",
    "dcg(discount=geometric, p=0.9)",
    "err(stop=graded, max_rating=4)@20",
    "MRR",
]


@pytest.mark.parametrize("text", SPELLINGS)
def test_a_metric_prints_as_it_is_read(text: str) -> None:
    metric = rm.parse(text)
    assert repr(metric) == str(metric) == metric.label == text
    assert rm.parse(repr(metric)) == metric
    assert hash(rm.parse(repr(metric))) == hash(metric)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("MRR@5", "reciprocal_rank@5"),
        ("nDCG@10", "ndcg@10"),
        ("P@5", "precision@5"),
        ("ndcg(gain=binary)", "ndcg"),
        ("ndcg(discount=log2, gain=linear)", "ndcg(gain=linear)"),
        ("ndcg(gain=linear, rel=4)@5", " nDCG( rel=4.0 ,gain=linear ) @ 5 "),
        ("dcg(discount=geometric(p=0.85))", "dcg(discount=geometric)"),
        ("R-Precision", "r_precision"),
    ],
)
def test_metrics_that_mean_the_same_are_equal(left: str, right: str) -> None:
    assert rm.parse(left) == rm.parse(right)
    assert len({rm.parse(left), rm.parse(right)}) == 1


@pytest.mark.parametrize(
    ("left", "right"),
    [("ndcg@5", "ndcg@10"), ("ndcg", "ndcg@10"), ("ndcg", "dcg"), ("P(rel=4)@5", "P@5"), ("rbp(p=0.8)", "rbp(p=0.9)")],
)
def test_metrics_that_mean_something_else_are_not_equal(left: str, right: str) -> None:
    assert rm.parse(left) != rm.parse(right)
    assert rm.parse(left) != left


def test_the_label_keeps_the_spelling() -> None:
    collected = rm.evaluate(RECS, TRUTH, ["MRR", "P@1", "precision(rel=4)@1", rm.recall @ 1]).collect()
    assert collected.columns == ["algorithm", "n_lists", "n_missing", "MRR", "P@1", "precision(rel=4)@1", "recall@1"]


def test_a_metric_is_called_with_parameters_and_cut_off_with_an_at() -> None:
    assert repr(rm.ndcg(gain="linear") @ 10) == "ndcg(gain=linear)@10"
    assert rm.ndcg(gain="linear") @ 10 == rm.parse("ndcg(gain=linear)@10")
    assert rm.ndcg(gain="linear")(rel=4) == rm.parse("ndcg(gain=linear, rel=4)")
    assert rm.dcg(discount="geometric", p=0.9) == rm.parse("dcg(discount=geometric(p=0.9))")
    assert repr(rm.Metric("ndcg", {"gain": "linear"}, 10)) == "ndcg(gain=linear)@10"


def test_several_cutoffs_are_several_metrics() -> None:
    assert repr(rm.ndcg @ [5, 10]) == "[ndcg@5, ndcg@10]"
    assert rm.ndcg @ (5, 10) == rm.ndcg @ [5, 10]
    assert read_metrics(["recall@5, 10", rm.ndcg @ [5, 10], "recall@5"]) == [
        rm.recall @ 5,
        rm.recall @ 10,
        rm.ndcg @ 5,
        rm.ndcg @ 10,
    ]
    assert rm.evaluate(RECS, TRUTH, rm.hit @ [1, 2]).collect().columns[3:] == ["hit@1", "hit@2"]
    with pytest.raises(rm.MetricError, match="is 2 metrics"):
        rm.parse("ndcg@5,10")


def test_metrics_that_are_one_but_for_the_case_keep_their_columns_apart(engine: Engine) -> None:
    summary = rm.evaluate(engine.give(RECS), engine.give(TRUTH), ["ndcg@1", "nDCG@1"]).summary()
    assert set(engine.read(summary).columns[2:]) <= {"ndcg@1", "nDCG@1"}


def test_numbers_of_numpy_are_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    assert rm.ndcg(rel=numpy.int64(4)) @ numpy.int64(5) == rm.ndcg(rel=4) @ 5
    assert rm.ndcg(rel=numpy.float32(4)) @ list(numpy.array([5])) == [rm.ndcg(rel=4) @ 5]


@pytest.mark.parametrize("k", [0, -1, 2.5, float("inf"), float("nan"), True, None, "ten"])
def test_a_cutoff_is_a_whole_number_from_1(k: Any) -> None:
    with pytest.raises(rm.MetricError, match="must be a whole number from 1"):
        rm.ndcg @ k


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is no metric"),
        ("@10", "is no metric"),
        ("ndcg)(", "is no metric"),
        ("ndcg(linear)", "is no setting"),
        ("ndcg(gain=)", "is one of"),
        ("ndcg(gain=linear, gain=binary)", "sets gain twice"),
        ("ndcg(k=10)", "goes after the @: ndcg@10"),
        ("ndcg(p=0.5)", "has no effect on ndcg here: it belongs to 'discount=geometric'"),
        ("rbp(p=1)", "must be a number above 0 below 1"),
        ("rbp(p=half)", "must be a number above 0 below 1"),
        ("P(rel=nan)", "must be a number"),
        ("hit(beta=2)", "has no parameter 'beta'"),
    ],
)
def test_a_text_that_is_no_metric_is_refused_with_the_reason(text: str, words: str) -> None:
    with pytest.raises(rm.MetricError) as caught:
        rm.parse(text)
    assert words in str(caught.value)


def test_no_metric_is_refused() -> None:
    with pytest.raises(rm.MetricError, match="No metric was asked for"):
        rm.evaluate(RECS, TRUTH, [])


# --- the package ------------------------------------------------------------------------------------------------------


def test_every_metric_and_alias_is_a_name_of_the_package() -> None:
    for name in ("ndcg", "rr", "MRR", "P", "hit_rate"):
        assert getattr(rm, name) == rm.parse(name)


def test_a_name_that_is_none_raises_an_attribute_error_with_what_is_near() -> None:
    with pytest.raises(AttributeError, match=r"rankmetrics has no 'ndgc'.* Did you mean 'ndcg'"):
        _ = rm.ndgc  # type: ignore[attr-defined]
    assert not hasattr(rm, "_ndcg")
    assert not hasattr(rm, "no_such_thing")


def test_dir_lists_the_metrics_and_the_functions() -> None:
    assert {"ndcg", "recall", "evaluate", "Columns"} <= set(dir(rm))
    assert set(rm.__all__) | set(rm.list_metrics()["metric"]) <= set(dir(rm))


def test_the_only_parameter_of_a_choice_need_not_be_named() -> None:
    assert rm.parse("ndcg(discount=geometric(0.9))@5") == rm.parse("ndcg(discount=geometric(p=0.9))@5")
    assert rm.parse("err(stop=graded(4))") == rm.err(stop="graded", max_rating=4)
    with pytest.raises(rm.MetricError, match="is no setting"):
        rm.parse("ndcg(discount=log2(3))")


def test_the_order_of_rows_cannot_be_told_to_a_table(tmp_path: Path) -> None:
    recs = pl.DataFrame({"user": [1, 1], "item": [8, 7], "score": [0.5, 0.5]})
    truth = pl.DataFrame({"user": [1], "item": [8]})
    recs.write_parquet(tmp_path / "recs.parquet")
    of_frames = rm.evaluate(recs, truth, "rr", ties="input")
    of_arrow = rm.evaluate(recs.to_arrow(), truth, "rr", ties="input")
    for result, dialect in ((of_frames, "snowflake"), (of_frames, "polars"), (of_arrow, "duckdb")):
        with pytest.raises(rm.DialectError, match="order of the rows"):
            result.to_sql(dialect)
    of_file = rm.evaluate(tmp_path / "recs.parquet", truth, "rr", ties="input")
    assert "ROW_NUMBER() OVER ()" in of_file.to_sql("duckdb")
