"""Relations and tables of the user's DuckDB: evaluated where they are, and nothing is left behind."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.engines.duckdb import DuckDB
from tests.support.kinds import (
    ACCOUNT,
    HANDFUL,
    HOLED_RECS,
    HOLED_TRUTH,
    KINDS,
    METRICS,
    RECS,
    SUMMARY,
    TRUTH,
    Desk,
    assert_same,
)
from tests.support.refusals import refusal
from tests.support.two_systems import RECS_PATH, TRUTH_PATH


def test_a_relation_is_evaluated_on_its_own_connection(desk: Desk) -> None:
    desk.connection.execute("CREATE TEMP TABLE labels AS SELECT 'als' AS algorithm, 'ALS' AS label")
    result = rm.evaluate(desk.relation("recs", RECS), desk.relation("truth", TRUTH), METRICS)
    labelled = result.summary().query("summary", "SELECT label FROM summary JOIN labels USING (algorithm)")
    assert labelled.fetchall() == [("ALS",)]


def test_a_relation_that_reads_python_objects_and_queries_is_evaluated(desk: Desk) -> None:
    given = RECS.to_arrow()
    recs = desk.connection.sql("SELECT * FROM (SELECT * FROM given) WHERE score >= 0")
    truth = desk.connection.from_arrow(TRUTH.to_arrow()).filter("rating > 0")
    assert given is not None
    assert_same(rm.evaluate(recs, truth, METRICS))


def test_relations_of_the_default_connection_are_evaluated() -> None:
    assert_same(rm.evaluate(duckdb.from_arrow(RECS.to_arrow()), duckdb.from_arrow(TRUTH.to_arrow()), METRICS))


def test_relations_of_two_databases_are_refused_in_words(desk: Desk) -> None:
    other = duckdb.connect().from_arrow(TRUTH.to_arrow())
    with pytest.raises(rm.InputError, match="truth cannot be read"):
        rm.evaluate(desk.relation("recs", RECS), other, METRICS)


@pytest.mark.parametrize("kind", HANDFUL)
def test_relations_and_tables_go_with_every_kind_of_input_and_leave_nothing(desk: Desk, kind: str) -> None:
    desk.table("recs", RECS)
    desk.table("truth", TRUTH)
    recs, truth = KINDS[kind](desk, "other_recs", RECS), KINDS[kind](desk, "other_truth", TRUTH)
    before = desk.objects()
    assert_same(rm.evaluate(desk.connection.table("recs"), truth, METRICS))
    assert_same(rm.evaluate(recs, "truth", METRICS, connection=desk.connection))
    result = rm.evaluate("recs", truth, METRICS, connection=desk.connection)
    for lazy in (result.summary(), result.per_list(), result.account()):
        lazy.fetchall()
    result.write(desk.folder / "summary.parquet")
    assert_frame_equal(pl.read_parquet(desk.folder / "summary.parquet").drop("n_missing"), SUMMARY)
    assert desk.objects() == before


def test_tables_and_views_are_found_by_name_in_any_schema(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.table("all_recs", RECS)
    desk.table("all_truth", TRUTH)
    desk.connection.execute("CREATE VIEW recs AS FROM all_recs; CREATE TEMP VIEW truth AS FROM all_truth")
    for recs, truth in (("all_recs", "all_truth"), ("recs", "truth")):
        assert_same(rm.evaluate(recs, truth, METRICS, connection=desk.connection))
    for schema in ("shop", '"my shop"', "memory.store"):
        desk.connection.execute(f"CREATE SCHEMA {schema}")
        desk.table(f"{schema}.recs", RECS)
        desk.table(f"{schema}.truth", TRUTH)
        assert_same(rm.evaluate(f"{schema}.recs", f"{schema}.truth", METRICS, connection=desk.connection))
    (desk.folder / "recs").mkdir()
    monkeypatch.chdir(desk.folder)  # a table called as a folder is the table
    assert_same(rm.evaluate("recs", TRUTH, METRICS, connection=desk.connection))


def test_tables_and_relations_may_be_called_as_parts_of_the_query_are(desk: Desk) -> None:
    for recs, truth in (("hits", "lists"), ("truth", "recs")):
        relations = desk.relation(recs, HOLED_RECS), desk.relation(truth, HOLED_TRUTH)
        assert_same(rm.evaluate(recs, truth, METRICS, connection=desk.connection))
        result = rm.evaluate(*relations, METRICS)
        assert_same(result)
        assert_frame_equal(result.account().pl(), ACCOUNT)


def test_other_tables_of_the_database_are_not_taken_for_parts_of_the_query(desk: Desk) -> None:
    for name in ("hits", "lists", "ranked", "per_list", "recs", "truth"):
        desk.connection.execute(f"CREATE TABLE {name} (user INTEGER, item INTEGER, rank INTEGER, score DOUBLE)")
    desk.table("my_recs", RECS)
    assert_same(rm.evaluate("my_recs", TRUTH, METRICS, connection=desk.connection))
    assert_same(rm.evaluate(desk.connection.table("my_recs"), TRUTH, METRICS))


@pytest.mark.parametrize("temporary", ["", "TEMP"])
def test_tables_called_as_our_own_names_do_not_replace_the_inputs(desk: Desk, temporary: str) -> None:
    for name in ("rankmetrics_recs", "rankmetrics_truth", "rankmetrics_result"):
        desk.connection.execute(
            f"CREATE {temporary} TABLE {name} AS SELECT 'wrong' AS algorithm, 1 AS user, 12 AS item, 0.5 AS score"
        )
    for kind in ("DuckDB relation", "Polars LazyFrame", "pandas"):
        recs, truth = KINDS["DuckDB relation"](desk, "recs", RECS), KINDS[kind](desk, "truth", TRUTH)
        result = rm.evaluate(recs, truth, METRICS, connection=desk.connection)
        assert_same(result)
        result.write(desk.folder / "summary.csv")
    assert_same(rm.evaluate(RECS.to_pandas(), TRUTH.to_pandas(), METRICS, connection=desk.connection))
    assert desk.connection.execute("SELECT algorithm FROM rankmetrics_recs").fetchall() == [("wrong",)]


def test_a_database_that_can_only_be_read_is_evaluated(tmp_path: Path) -> None:
    with duckdb.connect(tmp_path / "shop.duckdb") as writing:
        desk = Desk(tmp_path, writing)
        desk.table("recs", RECS)
        desk.table("truth", TRUTH)
    with duckdb.connect(tmp_path / "shop.duckdb", read_only=True) as reading:
        assert_same(rm.evaluate("recs", "truth", METRICS, connection=reading))
        assert_same(rm.evaluate(reading.table("recs"), reading.table("truth"), METRICS))
        assert_same(rm.evaluate(reading.table("recs"), TRUTH.lazy(), METRICS))
        rm.evaluate("recs", "truth", METRICS, connection=reading).write(tmp_path / "summary.csv")
    assert pl.read_csv(tmp_path / "summary.csv").drop("n_missing").columns == SUMMARY.columns


def test_list_columns_with_a_time_zone_are_read_without_pytz() -> None:
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE r AS SELECT '2024-01-01 00:00:00+00'::TIMESTAMPTZ AS day, 1 AS item, 1 AS rank"
        )
        result = rm.evaluate("r", "SELECT day, item FROM r", "rr", connection=connection, by="day")
        ((day, *_, value),) = result.collect().rows()
        assert (day.timestamp(), value) == (1704067200, 1.0)
        assert "2024-01-01" in str(result)


def test_versions_that_do_not_go_together_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """NumPy 1.26 next to a pyarrow that wants NumPy 2: DuckDB imports pyarrow once it makes a frame."""

    def fail(*_: object) -> None:
        raise ImportError("pyarrow requires NumPy 2.0 or newer, found 1.26.4")

    result = rm.evaluate(RECS_PATH, TRUTH_PATH, "rr")
    versions = f"numpy {np.__version__}", f"pyarrow {pa.__version__}"
    with refusal(rm.InputError, "found 1.26.4", *versions, "pip install --upgrade numpy pyarrow"):
        monkeypatch.setattr(pl.DataFrame, "to_pandas", fail)
        result.to_pandas()
    with refusal(rm.InputError, "found 1.26.4", *versions, "pip install --upgrade numpy pyarrow"):
        monkeypatch.setattr(DuckDB, "_collect", fail)
        result.collect()
