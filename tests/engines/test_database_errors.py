"""Databases that refuse, fail or may only be read: each says so in words, and is left as it was."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Timer
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.engines import connections
from tests.support.engines import means
from tests.support.kinds import METRICS, RECS, SUMMARY, TRUTH
from tests.support.refusals import refusal
from tests.support.schemas import Room, Shop, ask_everything, assert_same, fill

# --- only what is asked for -------------------------------------------------------------------------------------------


def test_who_may_only_read_may_evaluate_and_leaves_nothing(shop: Shop) -> None:
    run = shop.room.run
    run(f"CREATE ROLE {shop.room.name}_reader LOGIN")
    try:
        run(f"GRANT USAGE ON SCHEMA {shop.room.name} TO {shop.room.name}_reader")
        run(f"GRANT SELECT ON recs, truth TO {shop.room.name}_reader")
        run("REVOKE TEMPORARY ON DATABASE postgres FROM PUBLIC")
        before = shop.left()
        with closing(shop.connect(role=f"{shop.room.name}_reader")) as connection:
            connection.execute("SET default_transaction_read_only = on")
            connection.commit()
            ask_everything(connection)
        assert shop.left() == before
    finally:
        run("GRANT TEMPORARY ON DATABASE postgres TO PUBLIC")
        run(f"DROP OWNED BY {shop.room.name}_reader")
        run(f"DROP ROLE {shop.room.name}_reader")


def test_a_file_of_sqlite_that_can_only_be_read_is_evaluated_and_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as writing:
        fill(writing)
    before = path.read_bytes()
    path.chmod(0o444)
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as reading:
        ask_everything(reading)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["shop.db"]


def tables_of(room: Room) -> list[tuple[Any, ...]]:
    """The names of all tables and views that the database has here, temporary ones too."""
    if room.engine.name == "sqlite":
        query = "SELECT name FROM sqlite_temp_master UNION ALL SELECT name FROM pragma_table_list ORDER BY 1"
    else:
        query = "SELECT table_schema, table_name FROM information_schema.tables ORDER BY 1, 2"
    dialect = room.evaluate("recs", "truth")._engine.dialect
    found = connections.ask(room.engine.options["connection"], query, dialect)
    return [row for row in found.rows() if room.engine.name != "mariadb" or row[0] == room.name]


def test_an_evaluation_leaves_nothing_in_the_database(room: Room, tmp_path: Path) -> None:
    room.of(RECS, TRUTH)
    before = tables_of(room)
    result = room.evaluate("recs", "truth")
    result.write(tmp_path / "summary.csv")
    assert result.account().collect().height > 10
    assert "recall@2" in repr(result)
    assert tables_of(room) == before


# --- what goes wrong --------------------------------------------------------------------------------------------------


def test_a_table_that_may_not_be_read_is_refused_in_the_words_of_the_database(shop: Shop) -> None:
    run, role = shop.room.run, f"{shop.room.name}_stranger"
    run(f"CREATE ROLE {role} LOGIN")
    try:
        run(f"GRANT USAGE ON SCHEMA {shop.room.name} TO {role}")
        run(f"GRANT SELECT ON recs TO {role}")
        with closing(shop.connect(role=role)) as connection:
            result = rm.evaluate("recs", "truth", METRICS, connection=connection)
            for ask in (result.collect, result.check, result.account().collect, lambda: repr(result)):
                with pytest.raises(
                    (rm.EngineError, pl.exceptions.PolarsError), match="permission denied for table truth"
                ):
                    ask()
            with pytest.raises(rm.EngineError) as refused:
                result.collect()
            assert refused.value.sql.startswith("WITH ")
            assert refused.value.reason.startswith("permission denied")
            assert connection.info.transaction_status.name == "IDLE"
            run(f"GRANT SELECT ON truth TO {role}")
            assert_frame_equal(means(result), SUMMARY, check_dtypes=False)
    finally:
        run(f"DROP OWNED BY {role}")
        run(f"DROP ROLE {role}")


def test_a_schema_that_may_not_be_looked_into_is_refused_in_the_words_of_the_database(shop: Shop) -> None:
    run, role = shop.room.run, f"{shop.room.name}_stranger"
    run(f"CREATE ROLE {role} LOGIN")
    try:
        with closing(shop.connect(role=role)) as connection:
            with refusal(rm.InputError, f"no table '{shop.room.name}.recs'", "permission denied for schema"):
                rm.evaluate(f"{shop.room.name}.recs", "truth", METRICS, connection=connection)
            assert connection.info.transaction_status.name == "IDLE"
    finally:
        run(f"DROP ROLE {role}")


def test_a_table_that_is_gone_when_a_result_is_collected_is_refused_with_the_query(room: Room) -> None:
    result = room.of(RECS, TRUTH)
    room.run("DROP TABLE truth")
    with pytest.raises(rm.EngineError, match="truth") as refused:
        result.collect()
    assert refused.value.reason in str(refused.value)
    assert "FROM" in refused.value.sql
    with pytest.raises(pl.exceptions.PolarsError, match="truth"):
        result.summary().collect()
    room.make("truth", TRUTH)
    assert_same(result)  # neither the result nor the connection is broken
    assert_frame_equal(means(result), SUMMARY, check_dtypes=False)


def test_a_connection_that_was_closed_before_is_refused(shop: Shop) -> None:
    connection = shop.connect()
    connection.close()
    with refusal(rm.InputError, "PostgreSQL cannot be asked over this connection", "closed"):
        rm.evaluate("recs", "truth", METRICS, connection=connection)
    of_file = sqlite3.connect(":memory:")
    of_file.close()
    with refusal(rm.InputError, "SQLite cannot be asked over this connection", "closed"):
        rm.evaluate("recs", "truth", METRICS, connection=of_file)


def test_a_connection_that_is_closed_before_a_result_is_collected_is_refused(shop: Shop) -> None:
    with closing(shop.connect()) as connection:
        result = rm.evaluate("recs", "truth", METRICS, connection=connection)
    with pytest.raises(rm.EngineError, match="closed"):
        result.collect()


def test_a_connection_that_the_server_ends_is_refused_in_its_words(shop: Shop) -> None:
    with closing(shop.connect()) as connection:
        result = rm.evaluate("recs", "truth", METRICS, connection=connection)
        shop.room.run(f"SELECT pg_terminate_backend({connection.info.backend_pid})")
        with pytest.raises(rm.EngineError, match="terminat"):
            result.collect()
        with refusal(rm.InputError, "PostgreSQL cannot be asked over this connection"):
            rm.evaluate("recs", "truth", METRICS, connection=connection)


LISTS = ["algorithm", "user"]
SLOW_VIEW = "CREATE VIEW slow AS SELECT * FROM recs WHERE pg_sleep(20) IS NOT NULL"


def test_a_connection_that_the_server_ends_during_a_query_is_refused_in_its_words(shop: Shop) -> None:
    shop.room.run(SLOW_VIEW)
    with closing(shop.connect()) as connection:
        result = rm.evaluate("slow", "truth", METRICS, connection=connection, lists=LISTS)
        end = Timer(1, shop.room.run, [f"SELECT pg_terminate_backend({connection.info.backend_pid})"])
        end.start()
        with pytest.raises(rm.EngineError, match="terminat") as refused:
            result.collect()
        assert refused.value.sql.startswith("WITH ")
        end.join()


def test_a_query_that_the_server_ends_is_refused_in_its_words(shop: Shop) -> None:
    shop.room.run(SLOW_VIEW)
    with closing(shop.connect()) as connection:
        connection.execute("SET statement_timeout = 100")
        connection.commit()
        with pytest.raises(rm.EngineError, match="statement timeout"):
            rm.evaluate("slow", "truth", METRICS, connection=connection).collect()
        assert connection.info.transaction_status.name == "IDLE"
        ask_everything(connection)


def test_what_the_database_can_not_compute_is_refused_with_the_query(room: Room) -> None:
    raising = {
        "sqlite": "abs(-9223372036854775807 - item / item)",
        "postgres": "item / (item - item)",
        "clickhouse": "throwIf(item > 0)",
        "datafusion": "item / (item - item)",
        "mariadb": "item * 9223372036854775807",
    }[room.engine.name]
    room.of(RECS, TRUTH)
    room.select("broken", f"SELECT * FROM {room.name}.recs WHERE {raising} > 0", "VIEW")
    for lists, begins in ((LISTS, "WITH "), (None, "SELECT")):  # list columns that nobody named are looked at first
        with pytest.raises(rm.EngineError) as refused:
            room.evaluate("broken", "truth", lists=lists).collect()
        assert refused.value.reason
        assert refused.value.sql.startswith(begins)
    assert_same(room.evaluate("recs", "truth"))
