"""Connections: drivers, addresses, and the types that catalogues name."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import adbc_driver_manager.dbapi
import adbc_driver_postgresql.dbapi  # type: ignore[import-untyped]
import duckdb
import polars as pl
import psycopg
import psycopg.rows
import pytest
import sqlalchemy
import sqlalchemy.orm
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.engines.base import type_of
from rankmetrics.engines.connections import opened
from rankmetrics.engines.files import unreadable
from tests.support import flat
from tests.support.commands import said
from tests.support.engines import means
from tests.support.kinds import METRICS, RECS, SUMMARY, TRUTH
from tests.support.refusals import refusal
from tests.support.schemas import NAMED, Shop, ask_everything, assert_same, fill, room_of


def refuse_something(connection: Any, **asked: Any) -> None:
    """A table that there is not, and a query that the database refuses when it runs."""
    with refusal(rm.InputError, "no table 'recz'"):
        flat.evaluate("recz", "truth", METRICS, connection=connection, **asked)
    with pytest.raises(rm.EngineError, match="division by zero") as refused:
        flat.evaluate("broken", "truth", METRICS, connection=connection, **asked).collect()
    assert "WITH " in refused.value.sql


BROKEN_VIEW = 'CREATE VIEW broken AS SELECT algorithm, "user", item, score / (item - item) AS score FROM recs'


def test_a_connection_is_left_idle_or_in_the_transaction_of_the_caller(shop: Shop) -> None:
    shop.room.run(BROKEN_VIEW)
    with closing(shop.connect()) as connection:
        for state in ("IDLE", "INTRANS"):
            if state == "INTRANS":
                connection.execute("CREATE TABLE mine AS SELECT 1 AS x")
            ask_everything(connection)
            refuse_something(connection)
            assert connection.info.transaction_status.name == state
        refuse_something(Unknown(connection), dialect="postgres")  # has no `transaction()`: a savepoint
        ask_everything(connection)
        assert shop.room.run("SELECT to_regclass('mine')").fetchall() == [(None,)]  # not committed yet
        connection.execute("DELETE FROM truth")
        assert rm.evaluate("recs", "truth", METRICS, connection=connection).per_list().collect().height == 0
        connection.rollback()
        assert_same(rm.evaluate("recs", "truth", METRICS, connection=connection))


@pytest.mark.parametrize("row_factory", [psycopg.rows.dict_row, psycopg.rows.namedtuple_row])
def test_rows_are_read_in_whatever_form_the_connection_returns_them(shop: Shop, row_factory: Any) -> None:
    with closing(shop.connect(row_factory=row_factory)) as connection:
        ask_everything(connection)


def as_dict(cursor: sqlite3.Cursor, row: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip([column[0] for column in cursor.description], row, strict=True))


@pytest.mark.parametrize("row_factory", [sqlite3.Row, as_dict])
def test_rows_of_sqlite_are_read_in_whatever_form_the_connection_returns_them(row_factory: Any) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        fill(connection)
        connection.row_factory = row_factory
        ask_everything(connection)


def test_a_statement_that_was_asked_often_is_not_left_prepared(shop: Shop) -> None:
    with closing(shop.connect(autocommit=True)) as connection:
        for _ in range(8):
            assert_same(rm.evaluate("recs", "truth", METRICS, connection=connection))
        assert connection.execute("SELECT count(*) FROM pg_prepared_statements").fetchall() == [(0,)]


@pytest.fixture
def alchemy(shop: Shop) -> Iterator[sqlalchemy.Engine]:
    """An engine of SQLAlchemy that leads to the shop, which has a view that cannot be computed."""
    shop.room.run(BROKEN_VIEW)
    engine = sqlalchemy.create_engine(shop.uri("postgresql+psycopg"))
    yield engine
    engine.dispose()


def test_sqlalchemy_objects_keep_their_transaction_and_get_their_connection_back(
    shop: Shop, alchemy: sqlalchemy.Engine
) -> None:
    ask_everything(alchemy)
    refuse_something(alchemy)
    assert alchemy.pool.checkedout() == 0  # type: ignore[attr-defined]
    with sqlalchemy.orm.Session(alchemy) as session:
        ask_everything(session)
    with alchemy.connect() as connection:
        state = "SELECT state FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name = ''"
        assert "idle in transaction" not in str(connection.exec_driver_sql(state).fetchall())
        connection.exec_driver_sql("CREATE TABLE mine AS SELECT 1 AS x")
        ask_everything(connection)
        refuse_something(connection)
        connection.commit()
    assert shop.room.run("SELECT x FROM mine").fetchall() == [(1,)]


def test_a_server_that_cannot_be_reached_is_refused_in_words() -> None:
    engine = sqlalchemy.create_engine("postgresql+psycopg://nobody@127.0.0.1:1/nothing?connect_timeout=2")
    with refusal(rm.InputError, "asked over this connection", "127.0.0.1"):
        rm.evaluate("recs", "truth", METRICS, connection=engine)


def test_sqlalchemy_over_sqlite_is_sqlite() -> None:
    engine = sqlalchemy.create_engine("sqlite://")
    try:
        with engine.connect() as connection:
            fill(connection.connection.dbapi_connection)  # type: ignore[arg-type]
            ask_everything(connection)
        ask_everything(engine)
    finally:
        engine.dispose()


def test_a_connection_of_adbc_keeps_its_transaction_until_a_query_fails(shop: Shop) -> None:
    shop.room.run(BROKEN_VIEW)
    with adbc_driver_postgresql.dbapi.connect(shop.uri()) as connection:
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE mine AS SELECT 1 AS x")
        ask_everything(connection)
        with refusal(rm.InputError, "no table 'recz'"):
            rm.evaluate("recz", "truth", METRICS, connection=connection)
        connection.commit()
        assert shop.room.run("SELECT x FROM mine").fetchall() == [(1,)]
        refuse_something(connection)
        with refusal(rm.InputError, "asked over this connection", "first rollback"):  # as the driver has it
            rm.evaluate("recs", "truth", METRICS, connection=connection)
        connection.rollback()
        ask_everything(connection)


def test_types_that_adbc_has_no_name_for_come_back_as_those_of_psycopg(shop: Shop) -> None:
    shop.room.run(
        'CREATE VIEW typed AS SELECT md5(algorithm)::uuid AS algorithm, "user"::numeric(9, 0) AS "user", item, score '
        'FROM recs; CREATE VIEW typed_truth AS SELECT "user"::numeric(9, 0) AS "user", item FROM truth'
    )
    metrics = ["popularity", "n_hits@2", "n_long_tail", "rr"]
    found = []
    with closing(shop.connect()) as ours, adbc_driver_postgresql.dbapi.connect(shop.uri()) as theirs:
        for connection in (ours, theirs):
            asked: dict[str, Any] = {"history": "truth_of_numbers", "connection": connection}
            shop.room.run("CREATE OR REPLACE VIEW truth_of_numbers AS SELECT * FROM typed_truth")
            result = flat.evaluate("typed", "typed_truth", metrics, aggregates=["mean", "maximum"], **asked)
            found.append([result.per_list().collect().sort("algorithm", "user"), result.collect()])
            assert result.notes()
            assert found[-1][0]["algorithm"].dtype == pl.String
            assert [one for one in found[-1][0].dtypes[2:] if not one.is_numeric()] == []
    for one, other in zip(*found, strict=True):
        assert_frame_equal(one, other, check_dtypes=False)


def test_a_connection_of_adbc_that_commits_by_itself_is_usable_after_a_refusal(shop: Shop) -> None:
    shop.room.run(BROKEN_VIEW)
    with adbc_driver_postgresql.dbapi.connect(shop.uri(), autocommit=True) as connection:
        ask_everything(connection)
        refuse_something(connection)
        ask_everything(connection)


def test_a_driver_manager_tells_what_is_behind_it(shop: Shop) -> None:
    path = adbc_driver_postgresql._driver_path()
    with adbc_driver_manager.dbapi.connect(driver=path, db_kwargs={"uri": shop.uri()}) as connection:
        ask_everything(connection)


class Unknown:
    """A connection of a driver that rankmetrics does not know."""

    def __init__(self, connection: Any) -> None:
        self.cursor = connection.cursor


def test_a_connection_of_an_unknown_driver_speaks_what_is_said() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        fill(connection)
        ask_everything(Unknown(connection), dialect="sqlite")
        with refusal(
            rm.InputError, "rankmetrics does not know tests.engines.test_drivers.Unknown", 'dialect="postgres"'
        ):
            rm.evaluate("recs", "truth", METRICS, connection=Unknown(connection))
        with refusal(rm.DialectError, "no dialect 'sqlit'", "Did you mean 'sqlite'"):
            rm.evaluate("recs", "truth", METRICS, connection=Unknown(connection), dialect="sqlit")


class NotSupportedError(Exception):
    """What a driver raises that has no Arrow table of this answer."""


class Snowy:
    """A connection like Snowflake's: an Arrow table of a SELECT that has rows, and of nothing else."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.as_arrow = 0

    def cursor(self) -> Any:
        outer, inner = self, self._connection.cursor()

        class Cursor:
            execute, fetchall, close = inner.execute, inner.fetchall, inner.close

            @property
            def description(self) -> Any:
                return inner.description

            def fetch_arrow_all(self) -> Any:
                if inner.description[0][0] == "name":  # it describes a table
                    raise NotSupportedError
                outer.as_arrow += 1
                rows = inner.fetchall()
                names = [column[0] for column in inner.description]
                return pl.DataFrame(rows, names, orient="row").to_arrow() if rows else None

        return Cursor()


def test_an_answer_that_a_driver_has_no_arrow_table_of_is_read_as_rows() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        fill(connection)
        snowy = Snowy(connection)
        ask_everything(snowy, dialect="sqlite")
        assert snowy.as_arrow > 2
        connection.execute("DELETE FROM truth")
        found = rm.evaluate("recs", "truth", METRICS, connection=snowy, dialect="sqlite").per_list().collect()
        assert found.columns == ["algorithm", "user", *METRICS]
        assert found.height == 0


def test_an_address_leads_to_a_database(shop: Shop, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
        fill(connection)
    with duckdb.connect(tmp_path / "shop.duckdb") as connection:
        for name, frame in (("recs", RECS), ("truth", TRUTH)):
            connection.register("given", frame.to_arrow())
            connection.execute(f"CREATE TABLE {name} AS FROM given")
    for address in (shop.uri(), f"sqlite:///{tmp_path}/shop.db", f"duckdb:///{tmp_path}/shop.duckdb"):
        result = rm.evaluate("recs", "truth", METRICS, connection=address)
        assert_frame_equal(means(result), SUMMARY, check_dtypes=False)


@pytest.mark.parametrize(
    ("address", "parts"),
    [
        ("postgresql://me:secret@127.0.0.1:1/shop?connect_timeout=2", ("postgresql://me:***@127.0.0.1:1", "opened")),
        ("duckdb:////nowhere/shop.duckdb", ("There is no database", "/nowhere/shop.duckdb")),
        ("postgres", ("'postgres'", "is not an address of a database", "postgresql://user@host/name")),
        ("nothing://shop", ("nothing://",)),
    ],
)
def test_an_address_that_leads_nowhere_is_refused_without_its_password(address: str, parts: tuple[str, ...]) -> None:
    with pytest.raises(rm.InputError) as refused:
        rm.evaluate("recs", "truth", METRICS, connection=address)
    assert [part for part in parts if part not in str(refused.value)] == []
    assert "secret" not in str(refused.value)


# --- Addresses of files and databases elsewhere: what is missing is named ---------------------------------------------


def test_an_address_says_which_extension_and_secret_it_needs() -> None:
    for scheme, extension in (("s3", "httpfs"), ("gs", "httpfs"), ("abfss", "azure")):
        text = str(unreadable("truth", "no way there", [f"{scheme}://bucket/x.parquet"]))
        assert [word for word in (f"LOAD {extension}", "CREATE SECRET", "storage_options") if word not in text] == []


def test_a_database_that_is_not_there_is_not_made(folder: Path) -> None:
    for address in ("sqlite:///nosuch.db", "duckdb:///nosuch.db", "chdb:///nosuch"):
        with refusal(rm.InputError, "no database", "nosuch"):
            opened(address)
    assert not list(folder.glob("nosuch*"))
    assert "Did you mean 'shop.sqlite'?" in said(
        "evaluate", "recs", "truth", "-m", "rr", "--connection", "sqlite:///shop.sqlit"
    )


def test_a_driver_that_is_not_installed_is_named() -> None:
    with refusal(rm.InputError, "pip install", "snowflake-sqlalchemy"):
        opened("snowflake://me@account/db")


# --- Types of columns are known by the names that databases' catalogues have for them ---------------------------------


# The names of types as the catalogues of databases, Spark and Ibis have them.
FAMILIES = {
    "string": (
        "text | character varying(20) | character(3) | name | citext | varchar(10) | char(2) | longtext | nvarchar | "
        "String | Nullable(String) | LowCardinality(Nullable(String)) | FixedString(4) | Utf8 | LargeUtf8 | Utf8View | "
        "Dictionary(Int32, Utf8) | VARCHAR(16777216) | STRING | enum | enum('date','int') | enum('binary','float') | "
        "Enum8('date' = 1) | Nullable(Enum16('array' = 1, 'bool' = 2)) | uuid | UUID | Nullable(UUID) | "
        "uniqueidentifier"
    ),
    "integer": (
        "bigint | integer | smallint | int unsigned | tinyint(1) | bigint(20) unsigned | INT64 | Int64 | "
        "Nullable(UInt8) | UInt64 | numeric(9,0) | decimal(10) | Decimal(18, 0) | NUMBER(38,0) | BIGINT | INT | serial"
    ),
    "float": (
        "double precision | real | numeric | numeric(10,2) | float | float8 | DOUBLE | Float32 | Nullable(Float64) | "
        "Decimal(18, 4) | Decimal128(10, 4) | NUMBER(10,2) | FLOAT64 | NUMERIC | BIGNUMERIC | decimal(5,2) | money"
    ),
    "date": "date | DATE | Date32 | Nullable(Date) | Date64",
    "datetime": (
        "timestamp without time zone | timestamp(3) without time zone | datetime | datetime(6) | datetime2 | "
        "timestamp_ntz | TIMESTAMP_NTZ(9) | DateTime64(3) | Timestamp(Nanosecond, None) | Timestamp(ns) | timestamp(6)"
    ),
    "zoned datetime": (
        "timestamp with time zone | timestamp(3) with time zone | datetimeoffset | TIMESTAMP_TZ(9) | "
        "TIMESTAMP_LTZ(9) | "
        'timestamptz | Timestamp(Microsecond, Some("UTC")) | Timestamp(µs, "UTC") | timestamp(\'UTC\', 6)'
    ),
    "boolean": "boolean | bool | Bool | Nullable(Bool) | bit | BOOLEAN",
    "nested": (
        "text[] | double precision[] | integer[] | Array(String) | Array(Nullable(Float64)) | array<string> | "
        "ARRAY<INT64> | List(Utf8) | LargeList(Utf8) | FixedSizeList(2 x Float32) | Map(String, Int64) | "
        "map<string,int> | struct<a:int,b:string> | Tuple(Int8, String) | json | jsonb | VARIANT | OBJECT | super | "
        "row(a bigint)"
    ),
    "binary": "bytea | blob | longblob | varbinary(10) | binary | Binary | LargeBinary",
    "time": (
        "time | time(6) | time without time zone | time(3) without time zone | time with time zone | timetz | "
        "Time64(Nanosecond) | Nullable(Time64(3))"
    ),
    "duration": "interval | interval day to second | Duration(Microsecond)",
    "unknown": "void | null | Null | unknown | Nullable(Nothing)",
    "other": "point | geometry | inet",
}


def test_types_are_known_by_the_names_that_databases_have_for_them() -> None:
    expected = {name: family for family, names in FAMILIES.items() for name in names.split(" | ")}
    assert {name: type_of(name).family for name in expected} == expected


@pytest.mark.parametrize(
    ("database", "naive", "zoned"),
    [
        ("postgres", "TIMESTAMP '2026-01-01 00:00:00'", "TIMESTAMPTZ '2026-01-01 00:00:00+00'"),
        (
            "datafusion",
            "arrow_cast(1, 'Timestamp(Microsecond, None)')",
            "arrow_cast(1, 'Timestamp(Microsecond, Some(\"UTC\"))')",
        ),
    ],
)
def test_a_time_with_a_zone_and_one_without_are_two_types(database: str, naive: str, zoned: str) -> None:
    with room_of(NAMED[database]) as room:
        room.select("recs", f'SELECT {zoned} AS "at", 1 AS item, 1 AS rank')
        room.select("truth", f'SELECT {naive} AS "at", 1 AS item')
        with refusal(rm.ColumnError, "'at' is zoned datetime", "in the recommendations", "datetime", "in the truth"):
            room.evaluate("recs", "truth", "rr")
