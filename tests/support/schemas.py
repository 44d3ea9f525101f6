"""A schema of a database for each test, and the tables that the tests of databases read."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

import polars as pl
import psycopg
import psycopg.rows
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from tests.support import engines, flat
from tests.support.engines import DATABASES, RUN, Engine, means, need
from tests.support.kinds import METRICS, RECS, SUMMARY, TRUTH

# --- a schema of a database for each test -----------------------------------------------------------------------------


# Where the tests' tables are made; what enters a schema, in which names are then looked up.
HOMES = {"sqlite": "main", "postgres": "public", "clickhouse": "default", "datafusion": "public", "mariadb": "test"}
ENTERS = {
    "sqlite": "SELECT '{}'",  # it looks up names everywhere
    "postgres": "SET search_path = {}",
    "clickhouse": "USE {}",
    "datafusion": "SET datafusion.catalog.default_schema = '{}'",
    "mariadb": "USE {}",
}
MAKES = {
    "sqlite": "ATTACH ':memory:' AS {}",
    "clickhouse": "CREATE DATABASE {}",
    "mariadb": "CREATE DATABASE {} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci",
}
DROPS = {"sqlite": "DETACH {}", "clickhouse": "DROP DATABASE {}", "mariadb": "DROP DATABASE {}"}
MARIADB: Mapping[Any, str] = {
    pl.Int64: "BIGINT",
    pl.Int32: "INT",
    pl.UInt32: "INT",
    pl.Float64: "DOUBLE",
    pl.String: "VARCHAR(50)",
}


@dataclass(frozen=True)
class Room:
    """A schema of a database for one test, in which the database looks up its names."""

    engine: Engine
    name: str = f"room_{os.getpid()}"

    def run(self, sql: str) -> Any:
        return RUN[self.engine.name](sql.replace('"', self.mark))

    def enter(self) -> None:
        self.run(ENTERS[self.engine.name].format(self.name))

    def leave(self) -> None:
        self.run(ENTERS[self.engine.name].format(HOMES[self.engine.name]))

    @property
    def mark(self) -> str:
        """What stands around a name."""
        return "`" if self.engine.name == "mariadb" else '"'

    def quoted(self, name: str) -> str:
        return f"{self.mark}{name}{self.mark}"

    def make(self, table: str, frame: pl.DataFrame, kind: str = "TABLE") -> str:
        """Make a table, or what is like one, anew; its name must be quoted where it has to be."""
        self.run(f"DROP TABLE IF EXISTS {self._inside(table)}")
        if self.engine.name == "mariadb":  # where the tests' own tables may be of Latin letters only
            self._fill(table.replace('"', "`"), frame)
            return table.replace('"', "`")
        self.leave()
        given = self.engine.give(frame)
        self.enter()
        self.select(table, f"SELECT * FROM {HOMES[self.engine.name]}.{given}", kind)
        return table.replace('"', self.mark)

    def _fill(self, table: str, frame: pl.DataFrame) -> None:
        """Make a table of MariaDB, of any letters, whose own order is neither by bytes nor by case."""
        columns = [f'"{name}" {MARIADB[kind.base_type()]}' for name, kind in frame.schema.items()]
        self.run(f"CREATE TABLE {table} ({', '.join(columns)})")
        marks = ", ".join(["%s"] * frame.width)
        engines.mariadb().cursor().executemany(f"INSERT INTO {table} VALUES ({marks})", frame.rows())

    def _inside(self, table: str) -> str:
        return f"{self.name}.{table}" if self.engine.name == "sqlite" else table

    def select(self, table: str, query: str, kind: str = "TABLE") -> None:
        inside = table if "TEMP" in kind else self._inside(table)
        stored = " ENGINE = Memory" if self.engine.name == "clickhouse" and "TABLE" in kind else ""
        self.run(f"CREATE {kind} {inside}{stored} AS {query}")

    def evaluate(self, recs: Any, truth: Any, metrics: Any = METRICS, **asked: Any) -> rm.Result:
        return flat.evaluate(recs, truth, metrics, **self.engine.options, **asked)

    def of(self, recs: pl.DataFrame, truth: pl.DataFrame, metrics: Any = METRICS, **asked: Any) -> rm.Result:
        """An evaluation of frames as tables; further inputs may be frames, too."""
        given = {name: self.make(name, one) if isinstance(one, pl.DataFrame) else one for name, one in asked.items()}
        return self.evaluate(self.make("recs", recs), self.make("truth", truth), metrics, **given)


@contextmanager
def room_of(engine: Engine) -> Iterator[Room]:
    need(engine)
    room = Room(engine)
    room.run(MAKES.get(engine.name, "CREATE SCHEMA {}").format(room.name))
    room.enter()
    try:
        yield room
    finally:
        room.leave()
        room.run(DROPS.get(engine.name, "DROP SCHEMA {} CASCADE").format(room.name))


NAMED = {one.name: one for one in DATABASES}


def few(*names: str) -> list[Any]:
    """Cases that begin with the names of databases, as parameters of a test: long but for those of `ROOMS`."""
    long = [[] if name.startswith(("duckdb", "postgres", "sqlite")) else [pytest.mark.long] for name in names]
    return [pytest.param(name, marks=marks) for name, marks in zip(names, long, strict=True)]


def assert_same(result: rm.Result, expected: pl.DataFrame = SUMMARY, case: str = "") -> None:
    try:
        assert_frame_equal(result.summary().collect(), expected, rel_tol=1e-12, check_dtypes=False)
    except AssertionError as error:
        raise AssertionError(f"{case}: {error}") from error


# --- types of columns -------------------------------------------------------------------------------------------------


def by_polars(recs: pl.DataFrame, truth: pl.DataFrame, metrics: Any, **asked: Any) -> rm.Result:
    """The same evaluation by Polars, whose numbers the other tests know."""
    return flat.evaluate(recs, truth, metrics, **asked)


def assert_as_polars(result: rm.Result, expected: rm.Result) -> None:
    """One row per list and the account are as Polars has them."""
    lists = list(expected.layout.lists)
    for ours, theirs, by in (
        (result.per_list(), expected.per_list(), lists),
        (result.account(), expected.account(), [*expected.layout.by, "account"]),
    ):
        frames = [one.collect().sort(by) for one in (ours, theirs)]
        assert_frame_equal(*frames, rel_tol=1e-12, check_dtypes=False)


TEXTS = ["a", "A", "b", "B", "Z", "z", "ä", "Ä", "ß", "ss", "e", "é", "10", "9", "_", "-", "~", "日", "😀", "ﬀ"]
SPELLED = pl.DataFrame({"user": text, "item": item, "score": 0.5} for text in TEXTS for item in TEXTS)
SPELLED_TRUTH = pl.DataFrame({"user": text, "item": text} for text in TEXTS)


# --- arrays -----------------------------------------------------------------------------------------------------------

LISTED = pl.DataFrame(
    {
        "item": [11, 12, 13, 14, 15],
        "category": [["x", "y"], ["y"], [], None, [None, "z"]],
        "embedding": [[1.0, 0.0], [0.5, -2.0], [3.0, 3.0], [-1.0, 0.25], [0.0, 1.0]],
    }
)
OF_LISTS = ["category_diversity@3", "category_entropy@3", "categorical_diversity@3", "embedding_diversity@3"]


# --- what is asked of a database, and when ----------------------------------------------------------------------------


def fill(connection: sqlite3.Connection) -> None:
    for name, frame in (("recs", RECS), ("truth", TRUTH)):
        connection.execute(f"CREATE TABLE {name} ({', '.join(f'{one} {SQLITE[one]}' for one in frame.columns)})")
        marks = ", ".join("?" * frame.width)
        connection.executemany(f"INSERT INTO {name} VALUES ({marks})", frame.rows())
    connection.commit()


SQLITE = {"algorithm": "TEXT", "user": "INTEGER", "item": "INTEGER", "score": "REAL", "rating": "REAL"}


# --- connections ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shop:
    """The tables of recommendations and truth in PostgreSQL, and how to get there."""

    room: Room

    def uri(self, scheme: str = "postgresql", role: str = "postgres") -> str:
        uri = urlsplit(engines.postgres_server().get_uri())
        options = quote(f"-c search_path={self.room.name}")
        return f"{scheme}://{role}@/postgres?{uri.query}&options={options}"

    def connect(self, **asked: Any) -> psycopg.Connection[Any]:
        return psycopg.connect(self.uri(role=asked.pop("role", "postgres")), **asked)

    def left(self) -> list[Any]:
        """All that there is beside rows: tables, indexes, types, functions."""
        return [
            *self.room.run("SELECT oid::regclass::text FROM pg_class WHERE relpersistence = 't' ORDER BY 1"),
            *self.room.run("SELECT relname, relnamespace FROM pg_class ORDER BY oid"),
            *self.room.run("SELECT proname FROM pg_proc ORDER BY oid"),
        ]


def ask_everything(connection: Any, **asked: Any) -> None:
    """Everything that can be asked of a result, some of it twice."""
    result = flat.evaluate("recs", "truth", METRICS, connection=connection, **asked)
    assert_same(result)
    assert_frame_equal(means(result), SUMMARY, check_dtypes=False)
    assert result.per_list().collect().height == 8
    assert "recall@2" in repr(result)
