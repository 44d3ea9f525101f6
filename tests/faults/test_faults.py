"""The faults of the data as a query and as a guard: the same faults that evaluate refuses, on every engine."""

from __future__ import annotations

from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS
from rankmetrics.faults.data import MESSAGES
from rankmetrics.faults.fault_query import HEADINGS
from rankmetrics.faults.faults import faults_of, required_of
from rankmetrics.inputs.assumptions import ASSUMPTIONS
from rankmetrics.metrics.catalog import catalog
from tests.support.engines import LOCAL, OTHERS, Engine, need
from tests.support.faults import FAULTY, ONE_EACH, SOUND, Faulty, faults, numbers
from tests.support.refusals import RECS, TRUTH, refusal

DUCKDB = LOCAL[0]
ENGINES = [
    pytest.param(one, marks=[pytest.mark.long] * (one.name == "spark"), id=one.name) for one in (*LOCAL, *OTHERS)
]
GUARDS = [one for one in ENGINES if DIALECTS[{"mariadb": "mysql"}.get(str(one.id), str(one.id))].raise_error]

# Metrics that an engine may lack, of the inputs with faults.
EMBEDDINGS = "embedding_diversity"


def test_every_fault_has_an_error_and_an_input_of_the_tests() -> None:
    assumed = {"recommendations_with_null_id", "truth_with_null_id"}  # faults only where the user says so
    names = {one.name for one in catalog().all("fault")} - assumed
    assert names == {*MESSAGES} == {*ONE_EACH}


def test_a_fault_reads_counts_that_there_are_and_shows_stages_that_there_are() -> None:
    counts = {one.name for one in catalog().all("account")}
    for one in faults_of(SOUND.result(DUCKDB).layout, ASSUMPTIONS):
        assert one.counts <= counts, one.name
        assert all(catalog().is_stage(stage) for _, stage in one.samples), one.name


# --- the check --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FAULTY)
def test_the_check_returns_the_faults_for_which_evaluate_refuses_the_data(engine: Engine, name: str) -> None:
    faulty = FAULTY[name]
    result = faulty.result(engine)
    with pytest.raises(rm.DataError):
        result.collect()
    found = {row["fault"]: row for row in faults(result)}
    assert faulty.fault in found
    assert faulty.sample in found[faulty.fault]["sample"]
    assert found[faulty.fault]["what"] == catalog().definition("fault", faulty.fault).summary
    if faulty.fault != "ranks_not_whole":  # the account cannot count such ranks, since they have no whole number
        totals = dict(engine.read(result.account()).group_by("account").agg(pl.col("n").sum()).iter_rows())
        possible = faults_of(result.layout, required_of(result.metrics, result._checked.duplicates))
        assert {*found} == {one.name for one in possible if one.is_in(totals)}


@pytest.mark.parametrize("fault", ONE_EACH)
@pytest.mark.parametrize("on", ENGINES[2:])
def test_the_check_finds_each_fault_on_every_engine(on: Engine, fault: str) -> None:
    need(on)
    faulty = ONE_EACH[fault]
    _need_kind(on, faulty)
    found = {row["fault"]: row for row in faults(faulty.result(on))}
    expected = {row["fault"]: row for row in faults(faulty.result(DUCKDB))}
    assert {name: row["n"] for name, row in found.items()} == {name: row["n"] for name, row in expected.items()}
    assert faulty.sample in found[fault]["sample"]


def _need_kind(on: Engine, faulty: Faulty) -> None:
    """Skip a test of a fault that an engine cannot have."""
    if EMBEDDINGS in str(faulty.metrics) and EMBEDDINGS in on.lacks:
        pytest.skip(on.lacks[EMBEDDINGS])
    if on.name == "mariadb" and faulty.fault == "ratings_infinite":
        pytest.skip("MariaDB has no infinite numbers")


@pytest.mark.parametrize("on", ENGINES)
def test_the_check_of_sound_data_returns_no_rows(on: Engine) -> None:
    need(on)
    assert faults(SOUND.result(on)) == []


@pytest.mark.parametrize("name", FAULTY)
def test_the_check_of_tables_that_nobody_looks_at_returns_the_same_faults(name: str) -> None:
    faulty = FAULTY[name]
    inputs = {one: frame for one, frame in faulty.options.items() if isinstance(frame, pl.DataFrame)}
    if "embedding" in inputs.get("items", pl.DataFrame()).columns:
        pytest.skip("a text over tables that nobody looks at has no embeddings")
    found = _faults_of_text(faulty, inputs)
    expected = [row["fault"] for row in faults(faulty.result(DUCKDB))]
    assert [row[0] for row in found] == expected
    samples = [row[2].replace(".0", "") for row in found if row[0] == faulty.fault]  # its ranks may have fractions
    assert [one for one in samples if faulty.sample in one]


def _faults_of_text(faulty: Faulty, inputs: dict[str, pl.DataFrame]) -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        for table, frame in {"recs": faulty.recs, "truth": faulty.truth, **inputs}.items():
            connection.from_arrow(frame.to_arrow()).create(table)
        options: dict[str, Any] = {name: name for name in inputs}
        options["truth_columns"] = rm.Columns(rating="rating" if "rating" in faulty.truth.columns else None)
        options["duplicates"] = faulty.options.get("duplicates", "count")
        roles: dict[str, Any] = {
            one: one for one in ("category", "popularity") if one in inputs.get("items", pl.DataFrame()).columns
        }
        if roles:
            options["extra_columns"] = {"items": rm.Columns(**roles)}
        text = rm.to_sql("recs", "truth", faulty.metrics, lists="user", dialect="duckdb", form="check", **options)
        return connection.execute(text).fetchall()


def test_a_rank_beyond_all_whole_numbers_is_a_row_of_the_check_and_no_error() -> None:
    recs = RECS.with_columns(rank=pl.Series([1.0, 1e300, 1.0, float("nan")]))
    (broken,) = [row for row in faults(rm.evaluate(recs, TRUTH, "hit@1")) if row["fault"] == "ranks_not_whole"]
    assert broken["n"] == 2
    assert broken["sample"].startswith("user = 1, item = 8, rank = 1e")


def test_ranks_from_0_are_sound_where_they_are_said_to_start_there() -> None:
    recs = RECS.with_columns(rank=pl.col("rank") - 1)
    assert faults(rm.evaluate(recs, TRUTH, "hit@1", rank_from=0)) == []
    repeated = recs.with_columns(rank=pl.Series([0, 0, 0, 1]))
    (row,) = faults(rm.evaluate(repeated, TRUTH, "hit@1", rank_from=0))
    assert (row["fault"], row["n"], row["sample"]) == ("ranks_repeated", 1, "user = 1, rank = 0")


def test_a_check_of_a_partition_reads_that_partition_alone() -> None:
    days = pl.DataFrame({"day": [1, 2]})
    recs = days.join(RECS, how="cross").with_columns(rank=pl.col("rank") - (pl.col("day") - 1))
    with duckdb.connect() as connection:
        connection.from_arrow(recs.to_arrow()).create("recs")
        connection.from_arrow(days.join(TRUTH, how="cross").to_arrow()).create("truth")
        options: dict[str, Any] = {"lists": ["day", "user"], "dialect": "duckdb", "form": "check"}
        texts = [rm.to_sql("recs", "truth", "hit@1", where={"day": day}, **options) for day in (1, 2)]
        of_day = [connection.execute(text).fetchall() for text in texts]
    assert [[row[:3] for row in rows] for rows in of_day] == [
        [],
        [("ranks_not_from_1", 2, "day = 2, user = 1; day = 2, user = 2")],
    ]


def test_a_list_column_may_be_called_as_a_column_of_the_check() -> None:
    names = {"user": "fault"}
    recs = RECS.with_columns(rank=pl.col("rank") + 1).rename(names)
    (row,) = faults(rm.evaluate(recs, TRUTH.rename(names), "hit@1", lists=["fault"]))
    assert (row["fault"], row["n"], row["sample"]) == ("ranks_not_from_1", 2, "fault = 1; fault = 2")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_writes_a_check(dialect: str) -> None:
    text = rm.to_sql("recs", "truth", "hit@1", lists="user", dialect=dialect, form="check", truth_columns=rm.Columns())
    assert all(heading in text.lower() for heading in HEADINGS)
    assert all(f"'{one}'" in text for one in ("ranks_repeated", "no_truth", "no_list_in_common"))


# --- the guard --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("per_list", [False, True], ids=["summary", "per list"])
@pytest.mark.parametrize("name", FAULTY)
def test_a_guarded_query_raises_an_error_that_names_the_fault(name: str, per_list: bool) -> None:
    _raises(DUCKDB, FAULTY[name], per_list=per_list)


@pytest.mark.parametrize("fault", ONE_EACH)
@pytest.mark.parametrize("on", [one for one in GUARDS if one.id != "duckdb"])
def test_a_guarded_query_raises_for_each_fault_on_every_engine(on: Engine, fault: str) -> None:
    need(on)
    faulty = ONE_EACH[fault]
    _need_kind(on, faulty)
    _raises(on, faulty, per_list=fault != "no_item_in_catalog")


def _raises(on: Engine, faulty: Faulty, *, per_list: bool) -> None:
    result = faulty.result(on)
    if per_list and not result._queries.question.of_lists:
        pytest.skip("the metric is a number of a system")
    named = {row["fault"] for row in faults(result)}
    if on.name == "spark" and faulty.fault == "no_truth":  # Spark drops the condition of a query that has no rows
        assert numbers(result, is_guarded=True, per_list=per_list).is_empty()
        return
    with pytest.raises(rm.EngineError) as caught:
        numbers(result, is_guarded=True, per_list=per_list)
    said = f"{caught.value.reason} {caught.value.__cause__}"  # Spark gives its reason further down
    assert [one for one in named if f"rankmetrics: {one}: " in said], said


@pytest.mark.parametrize("per_list", [False, True], ids=["summary", "per list"])
@pytest.mark.parametrize("on", GUARDS)
def test_a_guarded_query_of_sound_data_returns_what_the_query_returns(on: Engine, per_list: bool) -> None:
    need(on)
    result = SOUND.result(on)
    guarded, plain = (numbers(result, is_guarded=one, per_list=per_list) for one in (True, False))
    assert_frame_equal(guarded, plain, check_row_order=False)


@pytest.mark.parametrize("form", ["table", "incremental"])
def test_a_guarded_statement_writes_nothing_on_a_bad_day(form: Any) -> None:
    options: dict[str, Any] = {"lists": ["day", "user"], "by": ["day"], "dialect": "duckdb", "name": "board"}
    recs, truth = (one.with_columns(day=pl.lit(1, pl.Int64)) for one in (RECS, TRUTH))
    with duckdb.connect() as connection:
        connection.from_arrow(recs.to_arrow()).create("recs")
        connection.from_arrow(truth.to_arrow()).create("truth")
        if form == "incremental":
            options["where"] = {"day": 1}
            connection.execute('CREATE TABLE board (day BIGINT, n_lists BIGINT, "hit@1" DOUBLE)')
        text = rm.to_sql("recs", "truth", "hit@1", form=form, guarded=True, truth_columns=rm.Columns(), **options)
        connection.execute("UPDATE recs SET rank = rank - 1")
        with pytest.raises(duckdb.Error, match="rankmetrics: ranks_not_from_1: The ranks of some lists"):
            connection.execute(text)
        if form == "incremental":  # a transaction, which its caller rolls back
            connection.execute("ROLLBACK")
        found = connection.execute("SELECT COUNT(*) FROM duckdb_tables() WHERE table_name = 'board'").fetchone()
        assert found == (int(form == "incremental"),)
        connection.execute("UPDATE recs SET rank = rank + 1")
        connection.execute(text)
        assert connection.execute("FROM board").fetchall() == [(1, 2, 0.5)]


@pytest.mark.parametrize("dialect", ["mysql", "sqlite", "polars"])
def test_a_guard_is_refused_where_no_query_can_raise_an_error(dialect: str) -> None:
    with refusal(rm.DialectError, "guarded=True", dialect, 'form="check"', "'postgres'"):
        rm.to_sql("recs", "truth", "hit@1", lists="user", dialect=dialect, guarded=True)


def test_a_check_that_is_guarded_and_repeats_that_nothing_looks_for_are_refused() -> None:
    with refusal(rm.InputError, "guarded=True", 'form="check"'):
        rm.to_sql("recs", "truth", "hit@1", lists="user", dialect="duckdb", form="check", guarded=True)
    with refusal(rm.InputError, 'duplicates="error"', "guarded=True", 'form="check"'):
        rm.to_sql("recs", "truth", "hit@1", lists="user", dialect="duckdb", duplicates="error")
