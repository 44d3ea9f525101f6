"""The query as text: of files, of frames and of tables, in every dialect."""

from __future__ import annotations

from pathlib import Path

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS
from rankmetrics.export.statements import without_header
from tests.support.commands import by_hand
from tests.support.engines import means
from tests.support.two_systems import RECS, RECS_PATH, TRUTH, TRUTH_PATH


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


def test_the_sql_of_files_is_of_every_dialect() -> None:
    result = rm.evaluate(RECS_PATH, TRUTH_PATH, "ndcg@5")
    for dialect in DIALECTS:
        text = result.to_sql(dialect, recs="wh.r", quote_names=True)
        opening, closing = list(QUOTES.get(dialect, '""'))
        assert f"{opening}wh{closing}.{opening}r{closing}" in text, dialect
        assert f"FROM {opening}truth{closing}" in text or dialect == "duckdb", dialect
        assert without_header(text).startswith("WITH "), dialect


def test_an_unknown_dialect_and_what_cannot_name_a_table_are_refused() -> None:
    result = rm.evaluate(RECS, TRUTH, "rr")
    with pytest.raises(rm.DialectError, match="Did you mean 'snowflake'"):
        result.to_sql("snowflak")
    with pytest.raises(rm.DialectError, match="cannot be the name of a table"):
        result.to_sql("postgres", recs='"wh')
