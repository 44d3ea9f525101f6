"""The logger `rankmetrics`: silent by default, and what it says at INFO and DEBUG."""

from __future__ import annotations

import logging

import duckdb
import polars as pl
import pytest

import rankmetrics as rm

RECS = pl.DataFrame({"user": [1], "item": [7], "rank": [1]})
TRUTH = pl.DataFrame({"user": [1], "item": [7]})


def test_nothing_is_printed_unless_logging_is_configured(capsys: pytest.CaptureFixture[str]) -> None:
    assert any(isinstance(handler, logging.NullHandler) for handler in logging.getLogger("rankmetrics").handlers)
    rm.evaluate(RECS, TRUTH, "rr").collect()
    assert capsys.readouterr() == ("", "")


def test_info_has_a_line_for_what_is_read_and_a_line_for_what_is_measured(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "rankmetrics")
    result = rm.evaluate(RECS, TRUTH, ["rr", "hit@1"])
    assert [line.rpartition(" in ")[0] for line in caplog.messages] == [
        "Polars looked at recs (DataFrame), truth (DataFrame)"
    ]
    caplog.clear()
    result.collect()
    assert [line.rpartition(" in ")[0] for line in caplog.messages] == ["Polars measured and checked rr, hit@1"]


def test_debug_logs_each_query_and_the_profile_of_duckdb_if_it_keeps_one(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "rankmetrics")
    with duckdb.connect() as connection:
        for name, frame in (("recs", RECS), ("truth", TRUTH)):
            connection.from_arrow(frame.to_arrow()).create(name)
        rm.evaluate("recs", "truth", "rr", connection=connection).collect()
        assert any(line.startswith("query for DuckDB:\nWITH ") for line in caplog.messages)
        assert not any(line.startswith("DuckDB's time") for line in caplog.messages)
        connection.execute("SET enable_profiling = 'no_output'")
        rm.evaluate("recs", "truth", "rr", connection=connection).collect()
    assert any(line.startswith("DuckDB's time, summed over its threads: ") for line in caplog.messages)
