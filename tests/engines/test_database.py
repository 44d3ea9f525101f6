"""A result over tables of a database: names, questions, answers, errors, and keys that it enforces."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Timer
from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.engines import connections, database
from rankmetrics.engines.files import FORMATS, WRITTEN
from rankmetrics.inputs.assumptions import ASSUMPTIONS
from rankmetrics.inputs.sources import called
from tests.support import flat
from tests.support.engines import means
from tests.support.kinds import EXPECTED, HOLED_RECS, HOLED_TRUTH, METRICS, RECS, SUMMARY, TRUTH
from tests.support.refusals import refusal
from tests.support.schemas import (
    NAMED,
    Room,
    Shop,
    ask_everything,
    assert_same,
    by_polars,
    fill,
    room_of,
)

# --- what is asked of a database, and when ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """What was asked of a database through a connection, and what it answered."""

    questions: list[str]
    answers: list[pl.DataFrame]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    found = Asked([], [])

    def answers(connection: Any, dialect: str, *queries: str) -> list[pl.DataFrame]:
        frames = connections.answers(connection, dialect, *queries)
        found.questions.append(queries[0])
        found.answers.append(frames[0])
        return frames

    monkeypatch.setattr(database, "answers", answers)
    return found


def test_a_database_is_asked_for_columns_at_first_and_then_once_for_each_answer(asked: Asked) -> None:
    with room_of(NAMED["sqlite"]) as room:
        result = room.of(RECS, TRUTH)
        n_columns = len(RECS.columns) + len(TRUTH.columns)  # asked for alone, then beside the keys
        assert sum(answer.height for answer in asked.answers) <= 2 * n_columns
        n_questions = len(asked.questions)
        lazy = {"summary": result.summary(), "per_list": result.per_list(), "account": result.account()}
        assert {*map(type, lazy.values())} == {pl.LazyFrame}
        assert "ndcg" in result.to_sql()
        for number, (name, frame) in enumerate(lazy.items()):
            expected = getattr(EXPECTED, name)().collect()
            assert len(asked.questions) == n_questions + number
            schema = frame.collect_schema()
            assert schema.names() == expected.columns
            assert frame.filter(pl.col("algorithm") == "als").select(pl.last()).collect().height < expected.height
            assert frame.collect().schema == schema
            assert asked.answers[-1].shape == expected.shape
        assert len(asked.questions) == n_questions + len(lazy)


def test_two_results_of_one_query_are_asked_for_one_after_the_other(postgres: Room) -> None:
    result = postgres.of(RECS, TRUTH)
    lazy = result.per_list().join(result.summary(), on="algorithm", how="left", suffix=" mean")
    found = pl.concat([lazy, lazy.filter(pl.col("user") < 3), result.per_list()], how="diagonal").collect()
    assert found.height == 8 + 4 + 8
    theirs = result.per_list().collect().sort("algorithm", "user")
    assert_frame_equal(found.tail(8).select(theirs.columns).sort("algorithm", "user"), theirs)


def test_sqlite_sees_no_statement_before_collect_and_one_transaction_then(tmp_path: Path) -> None:
    seen: list[str] = []
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
        fill(connection)
        connection.set_trace_callback(seen.append)
        result = rm.evaluate("recs", "truth", METRICS, connection=connection)
        assert [one for one in seen if "pragma" not in one.lower()] == []  # columns and keys
        seen.clear()
        lazy = result.summary()
        assert seen == []
        lazy.collect_schema()
        assert_frame_equal(lazy.collect(), SUMMARY, check_dtypes=False)
        statements = [statement.split()[0] for statement in seen if not statement.startswith("--")]
        assert statements == ["SAVEPOINT", "WITH", "SELECT", "RELEASE"]  # the SELECT: columns and keys once more


# --- results ----------------------------------------------------------------------------------------------------------


def rows_of(path: Path) -> pl.DataFrame:
    """What was written into a file."""
    if FORMATS.get(path.suffix) == "arrow":
        return pl.read_ipc(path)
    source = f"read_parquet('{path}')" if path.suffix == ".pq" else f"'{path}'"
    found: pl.DataFrame = duckdb.connect().sql(f"FROM {source}").pl()
    return found


def test_counting_collecting_and_printing_leave_nothing_in_the_database(room: Room) -> None:
    result = room.of(HOLED_RECS, HOLED_TRUTH)
    expected, before = by_polars(HOLED_RECS, HOLED_TRUTH, METRICS), tables_of(room)
    assert_frame_equal(means(result), SUMMARY, check_dtypes=False)
    assert repr(result) == repr(expected)
    assert result.summary().collect_schema() == {**SUMMARY.schema, "n_lists": pl.Int64}
    assert result.per_list().collect_schema() == EXPECTED.per_list().collect_schema()
    assert tables_of(room) == before


def tables_of(room: Room) -> list[tuple[Any, ...]]:
    """The names of all tables and views that the database has here, temporary ones too."""
    if room.engine.name == "sqlite":
        query = "SELECT name FROM sqlite_temp_master UNION ALL SELECT name FROM pragma_table_list ORDER BY 1"
    else:
        query = "SELECT table_schema, table_name FROM information_schema.tables ORDER BY 1, 2"
    found = connections.answers(room.engine.options["connection"], room.engine.dialect, query)[0]
    return [row for row in found.rows() if room.engine.name != "mariadb" or row[0] == room.name]


def test_a_result_is_written_into_files_of_every_format(tmp_path: Path) -> None:
    with room_of(NAMED["sqlite"]) as room:
        result, expected = room.of(RECS, TRUTH), EXPECTED
        for ending in (one for one, form in FORMATS.items() if form in WRITTEN):
            result.write(tmp_path / f"ours{ending}")
            expected.write(tmp_path / f"theirs{ending}")
            ours, theirs = (rows_of(tmp_path / f"{name}{ending}") for name in ("ours", "theirs"))
            assert_frame_equal(ours, theirs, rel_tol=1e-12, check_dtypes=False)
        result.write(tmp_path / "lists.parquet", per_list=True)
        assert pl.read_parquet(tmp_path / "lists.parquet").schema == result.per_list().collect_schema()


def test_the_text_of_a_result_runs_where_the_tables_are_as_it_is(postgres: Room) -> None:
    result, connection = postgres.of(RECS, TRUTH, ["hit@2", "rr"]), postgres.engine.options["connection"]
    assert connections.answers(connection, "postgres", result.to_sql(per_list=True))[0].height == 8
    found = connections.answers(connection, "postgres", result.to_sql())[0]
    assert found.rows() == [pytest.approx(row) for row in means(result).rows()]


def test_the_account_has_systems_that_are_numbers(postgres: Room) -> None:
    found = postgres.of(RECS, TRUTH, by="user").account().collect()
    assert found.schema["user"] == RECS.schema["user"]
    of_polars = rm.evaluate(RECS.lazy(), TRUTH.lazy(), METRICS, by="user").account().collect()
    assert_frame_equal(found, of_polars, check_row_order=False)


def test_an_answer_without_a_row_has_its_columns(room: Room) -> None:
    result = room.of(RECS.clear(), TRUTH.clear())
    for lazy, expected in ((result.summary(), SUMMARY), (result.per_list(), EXPECTED.per_list().collect())):
        found = lazy.collect()
        assert found.height == 0
        assert found.columns == expected.columns


def test_a_number_of_a_system_is_the_same_beside_aggregates_with_windows(room: Room) -> None:
    label = "share_of_best(of=ndcg)@2"
    expected = means(by_polars(RECS, TRUTH, label))[label].to_list()
    for aggregate in ("mean", "worst(0.5)"):
        result = room.of(RECS, TRUTH, ["rr", label], aggregates=[aggregate])
        assert means(result)[label].to_list() == pytest.approx(expected), aggregate


# Labels of more than 63 bytes, where PostgreSQL ends a name, that are told apart by what comes then.
LONG = {f"{'hits among the first places, ' * 3}{k}": f"n_hits@{k}" for k in (1, 2, 3)}


def test_long_labels_come_back_whole_and_apart(room: Room) -> None:
    found, expected = means(room.of(RECS, TRUTH, LONG)), means(by_polars(RECS, TRUTH, LONG))
    assert found.columns[2:] == [*LONG]
    assert_frame_equal(found, expected, rel_tol=1e-12, check_dtypes=False)


def test_columns_as_long_as_a_database_takes_them_are_found(room: Room) -> None:
    most = 61 if room.engine.name == "mariadb" else 61 // len("ä".encode())
    names = [f"{'ä' * most}_1", f"{'ä' * most}_2"]
    recs, truth = RECS.rename({"algorithm": names[0], "user": names[1]}), TRUTH.rename({"user": names[1]})
    result = room.of(recs, truth, ["rr"])
    assert result.collect(per_list=True).columns == [*names, "rr"]
    assert_frame_equal(means(result), means(by_polars(recs, truth, ["rr"])), check_dtypes=False)


# --- Names of tables in databases: found as they are written, in schemas, in quotes, in any case ----------------------


ODD = ["my recs", "Recs", "recs-2026", "select", "it's"]


def test_a_quoted_name_is_taken_as_it_is(room: Room) -> None:
    room.make("truth", TRUTH)
    for name in ODD:
        room.make(f'"{name}"', RECS)
    assert_same(room.evaluate(room.quoted(ODD[0]), "truth"))
    room.leave()
    for name in ODD:
        assert_same(room.evaluate(f"{room.name}.{room.quoted(name)}", f"{room.name}.truth"))


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


def test_tables_and_list_columns_may_be_called_as_parts_of_the_query_are(room: Room) -> None:
    for name in ("ranked", "per_list", "recommended", "recs", "truth"):  # not read
        room.make(name, pl.DataFrame({"user": [1], "item": [1], "rank": [1], "score": [0.5]}))
    asked: dict[str, Any] = {"lists": ["rank", "select"], "truth_lists": ["select"]}
    asked["columns"] = rm.Columns(item="item", score="score")
    recs, truth = HOLED_RECS.rename({"algorithm": "rank", "user": "select"}), HOLED_TRUTH.rename({"user": "select"})
    result = room.evaluate(room.make("hits", recs), room.make("lists", truth), **asked)
    assert_same(result, SUMMARY.rename({"algorithm": "rank"}))
    assert result.collect(per_list=True).columns[:2] == ["rank", "select"]


# What is like a table, in databases that have it.
KINDS = {
    "VIEW": ["sqlite", "postgres", "clickhouse", "datafusion", "mariadb"],
    "MATERIALIZED VIEW": ["postgres"],
    "TEMPORARY TABLE": ["sqlite", "postgres", "mariadb"],
    "TEMPORARY VIEW": ["sqlite", "postgres"],
}


def test_views_and_temporary_tables_are_found_by_name(room: Room) -> None:
    tables = [room.make("recs", RECS), room.make("truth", TRUTH)]
    for statement in [statement for statement, databases in KINDS.items() if room.engine.name in databases]:
        shown = [f"{statement.lower().replace(' ', '_')}_of_{table}" for table in ("recs", "truth")]
        for name, table in zip(shown, tables, strict=True):
            room.select(name, f"SELECT * FROM {table}", statement)
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


def test_what_is_no_name_of_a_table_is_refused(postgres: Room) -> None:
    postgres.of(RECS, TRUTH)
    for name in ("", "DELETE FROM recs", "recs truth", "recs('x')", "a.b.c.d"):
        with pytest.raises((rm.InputError, rm.DialectError), match=re.escape(repr(name))):
            postgres.evaluate(name, "truth")
    for given in (TRUTH, TRUTH.lazy(), TRUTH.to_arrow(), Path("truth.parquet"), ["truth"], 7):
        with refusal(rm.InputError, "truth must be the name of a table", "connection=", "Nothing is written"):
            postgres.evaluate("recs", given)


# --- Databases that refuse, fail or may only be read: each says so in words, and is left as it was --------------------


def test_who_may_only_read_may_evaluate_and_leaves_nothing(shop: Shop) -> None:
    grants = (f"USAGE ON SCHEMA {shop.room.name}", "SELECT ON recs, truth")
    with role(shop, "reader", *grants) as reader:
        shop.room.run("REVOKE TEMPORARY ON DATABASE postgres FROM PUBLIC")
        try:
            before = shop.left()
            with closing(shop.connect(role=reader)) as connection:
                connection.execute("SET default_transaction_read_only = on")
                connection.commit()
                ask_everything(connection)
            assert shop.left() == before
        finally:
            shop.room.run("GRANT TEMPORARY ON DATABASE postgres TO PUBLIC")


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


# --- what goes wrong --------------------------------------------------------------------------------------------------


@contextmanager
def role(shop: Shop, name: str, *grants: str) -> Iterator[str]:
    """A role of PostgreSQL that may only do what is granted."""
    called = f"{shop.room.name}_{name}"
    shop.room.run(f"CREATE ROLE {called} LOGIN")
    try:
        for grant in grants:
            shop.room.run(f"GRANT {grant} TO {called}")
        yield called
    finally:
        shop.room.run(f"DROP OWNED BY {called}")
        shop.room.run(f"DROP ROLE {called}")


def test_an_unreadable_table_or_schema_is_refused_in_words_of_the_database(shop: Shop) -> None:
    schema = shop.room.name
    with role(shop, "nobody") as nobody, closing(shop.connect(role=nobody)) as connection:
        with refusal(rm.InputError, f"no table '{schema}.recs'", "permission denied for schema"):
            rm.evaluate(f"{schema}.recs", "truth", METRICS, connection=connection)
        assert connection.info.transaction_status.name == "IDLE"
    grants = (f"USAGE ON SCHEMA {schema}", "SELECT ON recs")
    with role(shop, "stranger", *grants) as stranger, closing(shop.connect(role=stranger)) as connection:
        result = rm.evaluate("recs", "truth", METRICS, connection=connection)
        for ask in (result.collect, result.check, result.account().collect, lambda: repr(result)):
            with pytest.raises((rm.EngineError, pl.exceptions.PolarsError), match="permission denied for table truth"):
                ask()
        with pytest.raises(rm.EngineError) as refused:
            result.collect()
        assert refused.value.sql.startswith("WITH ")
        assert refused.value.reason.startswith("permission denied")
        assert connection.info.transaction_status.name == "IDLE"
        shop.room.run(f"GRANT SELECT ON truth TO {stranger}")
        assert_frame_equal(means(result), SUMMARY, check_dtypes=False)


def test_only_the_columns_that_are_named_are_read(shop: Shop) -> None:
    order = 'ROW_NUMBER() OVER (PARTITION BY algorithm, "user" ORDER BY score DESC, item) AS rank'
    shop.room.run(f"CREATE TABLE ranked AS SELECT *, {order} FROM recs")
    columns = 'SELECT (algorithm, "user", item, rank) ON ranked'
    grants = (f"USAGE ON SCHEMA {shop.room.name}", columns, "SELECT ON truth")
    with role(shop, "columnist", *grants) as columnist, closing(shop.connect(role=columnist)) as connection:
        result = rm.evaluate(rm.Input("ranked", columns={"rank": "rank"}), "truth", METRICS, connection=connection)
        assert_frame_equal(means(result), SUMMARY, check_dtypes=False)
        result.check()
        connection.execute(result.to_sql(guarded=True))
        # beside a rank that is not named, a score tells whether lists are in the wrong order
        unnamed = rm.evaluate("ranked", "truth", METRICS, connection=connection)
        with pytest.raises(rm.EngineError, match="permission denied for table ranked"):
            unnamed.collect()


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


def test_a_connection_that_was_closed_is_refused(shop: Shop) -> None:
    connection = shop.connect()
    result = rm.evaluate("recs", "truth", METRICS, connection=connection)
    connection.close()
    with pytest.raises(rm.EngineError, match="closed"):
        result.collect()
    of_file = sqlite3.connect(":memory:")
    of_file.close()
    for closed, database_name in ((connection, "PostgreSQL"), (of_file, "SQLite")):
        with refusal(rm.InputError, f"{database_name} cannot be asked over this connection", "closed"):
            rm.evaluate("recs", "truth", METRICS, connection=closed)


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


def test_a_column_that_is_gone_is_named_as_a_change_of_the_table(room: Room) -> None:
    if room.engine.name in ("clickhouse", "datafusion"):
        pytest.skip("tables of this engine lose no columns here")
    room.of(RECS, TRUTH)
    result = room.evaluate("recs", "truth")
    room.run(f"ALTER TABLE {room.name}.truth DROP COLUMN item")
    message = "The table of the truth has changed since evaluate looked at it: it had "
    with refusal(rm.InputError, message, "Evaluate again."):
        result.collect()


def test_a_query_that_the_server_ends_is_refused_in_its_words(shop: Shop) -> None:
    shop.room.run(SLOW_VIEW)
    with closing(shop.connect()) as connection:
        connection.execute("SET statement_timeout = 100")
        connection.commit()
        with pytest.raises(rm.EngineError, match="statement timeout") as refused:
            rm.evaluate("slow", "truth", METRICS, connection=connection, lists=LISTS).collect()
        assert len(str(refused.value)) < 500
        assert len(refused.value.sql) > 10_000
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


# --- Keys that a database enforces: the query does not look for the repeats and NULLs that they rule out --------------


KEY_METRICS = ["ndcg@3", "recall@2,3", "ap@3", "precision@3", "rr", "hit@1", "auc", "coverage@2"]

KEY_RECS = "('a', 1, 5, 1), ('a', 1, 6, 2), ('a', 1, 8, 3), ('a', 2, 7, 1), ('b', 1, 6, 1), ('b', 3, 9, 1)"
KEY_TRUTH = "(1, 6), (1, 7), (2, 7), (3, 5)"
HISTORY = "(1, 4), (2, 5), (3, 9)"


@dataclass(frozen=True)
class Place:
    """A database: how it runs a statement, and what leads to it."""

    run: Callable[[str], Any]
    connection: Any
    own: str = ""

    def make(self, name: str, columns: str, rows: str) -> None:
        self.run(f'DROP TABLE IF EXISTS {self.own}"{name}"')
        self.run(f'CREATE TABLE {self.own}"{name}" ({columns})')
        self.run(f'INSERT INTO {self.own}"{name}" VALUES {rows}')

    def result(self, recs: str, truth: str, **options: Any) -> rm.Result:
        self.make("recs", f"algorithm VARCHAR(9){recs.format(of='algorithm')}", KEY_RECS)
        self.make("truth", f'"user" INTEGER{truth.format(of="user")}', KEY_TRUTH)
        return self.evaluated(**options)

    def evaluated(self, **options: Any) -> rm.Result:
        return flat.evaluate("recs", "truth", KEY_METRICS, catalog="truth", connection=self.connection, **options)


@pytest.fixture(params=["duckdb", "postgres", "sqlite", "mariadb"])
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    """A database that enforces keys, without tables."""
    if request.param == "duckdb":
        with closing(duckdb.connect()) as connection:
            yield Place(connection.execute, connection)
        return
    with room_of(NAMED[request.param]) as room:
        own = f"{room.name}." if request.param == "sqlite" else ""
        yield Place(room.run, room.engine.options["connection"], own)


PLAIN = (', "user" INTEGER, item INTEGER, "rank" INTEGER', ", item INTEGER")
KEYED = (
    ' NOT NULL, "user" INTEGER NOT NULL, item INTEGER NOT NULL, "rank" INTEGER, PRIMARY KEY (algorithm, "user", item)',
    ' NOT NULL, item INTEGER NOT NULL, UNIQUE (item, "user")',
)


OF_RANKS = KEYED[0].replace(', "user", item)', ', "user", "rank")').replace('"rank" INTEGER', '"rank" INTEGER NOT NULL')


def frames(result: rm.Result) -> list[pl.DataFrame]:
    """What the result computes: per list, per system, and its account."""
    computed = [result.collect(per_list=True), result.collect()]
    account = result.account()
    counts = account.pl() if isinstance(account, duckdb.DuckDBPyRelation) else account.collect()
    return [*(one.sort(*result.layout.by, maintain_order=True) for one in computed), counts.sort(counts.columns)]


@pytest.mark.parametrize("place", ["duckdb", "sqlite"], indirect=True)
def test_the_numbers_and_the_counts_are_those_without_keys(place: Place) -> None:
    expected = frames(place.result(*PLAIN))
    for one, other in zip(frames(place.result(*KEYED)), expected, strict=True):
        assert_frame_equal(one, other, rel_tol=1e-12, check_row_order=False)


def test_query_looks_for_repeats_and_nulls_only_for_other_tables_or_a_guard() -> None:
    with closing(duckdb.connect()) as connection:
        place = Place(connection.execute, connection)
        plain = place.result(*PLAIN).to_sql()
        assert "Right only where" not in plain
        result = place.result(*KEYED)
        assert "Right only where no list column" in result.to_sql()
        assert len(result.to_sql().splitlines()) < len(plain.splitlines())
        for text in (result.to_sql(recs="others"), result.to_sql("snowflake"), result.to_sql(form="check")):
            assert "Right only where" not in text
        assert "fault_message" in result.to_sql(guarded=True)


# New columns and rows for one of the tables, which had keys.
CHANGES = {
    "a truth without its key": (
        "truth",
        '"user" INTEGER NOT NULL, item INTEGER NOT NULL',
        f"{KEY_TRUTH}, (1, 6), (2, 7)",
    ),
    "recommendations with another key": ("recs", f"algorithm VARCHAR(9){OF_RANKS}", KEY_RECS),
    "items that may be NULL": ("truth", '"user" INTEGER NOT NULL, item INTEGER, UNIQUE (item, "user")', KEY_TRUTH),
    "ranks of another type": ("recs", f"algorithm VARCHAR(9){KEYED[0]}".replace('k" INTEGER', 'k" REAL'), KEY_RECS),
    "another column": ("recs", f"day INTEGER, algorithm VARCHAR(9){KEYED[0]}", KEY_RECS.replace("(", "(0, ")),
}


def test_a_table_that_changes_between_evaluate_and_the_query_is_refused(place: Place) -> None:
    n_changes = len(CHANGES) if isinstance(place.connection, duckdb.DuckDBPyConnection) else 1
    for name, (table, columns, rows) in [*CHANGES.items()][:n_changes]:
        result = place.result(*KEYED)
        lazy = result.summary()
        place.make(table, columns, rows)
        message = f"The table of the {called(table)} has changed since evaluate looked at it: it had "
        for compute in (result.collect, partial(result.collect, per_list=True)):
            with refusal(rm.InputError, message, "'user' (", "the key (", "Evaluate again.", case=name):
                compute()
        with pytest.raises((duckdb.Error, pl.exceptions.PolarsError, rm.InputError), match=message):
            lazy.pl() if isinstance(lazy, duckdb.DuckDBPyRelation) else lazy.collect()
    result = place.result(*KEYED)
    place.result(*KEYED)  # other tables with the same columns and keys
    assert result.collect()["recall@2"].to_list() == place.evaluated().collect()["recall@2"].to_list()


# The columns of recommendations and truth after the list column, and the assumptions that follow from their keys.
DECLARED = [
    (PLAIN[0], KEYED[1], ["unique-truth"]),
    (KEYED[0], PLAIN[1], ["unique-recs"]),
    (KEYED[0].replace("PRIMARY KEY (algorithm,", "PRIMARY KEY ("), KEYED[1], [*ASSUMPTIONS]),  # a narrower key
    (OF_RANKS, KEYED[1], ["not-null", "unique-truth"]),
    (PLAIN[0], ', item INTEGER, UNIQUE ("user", item)', []),  # columns of NULL
]


def test_only_what_the_keys_say_is_assumed(place: Place) -> None:
    for recs, truth, known in DECLARED:
        place.make("recs", f"algorithm VARCHAR(9){recs}", "('a', 1, 5, 1), ('a', 1, 6, 2)")
        place.make("truth", f'"user" INTEGER{truth}', KEY_TRUTH)
        text = place.evaluated().to_sql()
        assert [one for one, said in ASSUMPTIONS.items() if said in text] == sorted(known, key=[*ASSUMPTIONS].index)


def test_a_view_has_no_keys(place: Place) -> None:
    place.result(*KEYED)
    place.run(f'CREATE VIEW {place.own}"seen" AS SELECT * FROM {place.own}"truth"')
    result = rm.evaluate("recs", "seen", KEY_METRICS, catalog="truth", connection=place.connection)
    assert ASSUMPTIONS["unique-recs"] in result.to_sql()
    assert ASSUMPTIONS["unique-truth"] not in result.to_sql()
    place.run(f'DROP VIEW {place.own}"seen"')


def test_the_key_of_a_row_per_list_is_no_key_of_its_items() -> None:
    with closing(duckdb.connect()) as connection:
        connection.execute('CREATE TABLE recs ("user" INTEGER PRIMARY KEY, item INTEGER[] NOT NULL)')
        connection.execute("INSERT INTO recs VALUES (1, [5, 6, 5])")
        connection.execute('CREATE TABLE truth ("user" INTEGER, item INTEGER, PRIMARY KEY ("user", item))')
        connection.execute("INSERT INTO truth VALUES (1, 5)")
        result = rm.evaluate("recs", "truth", "precision@3", connection=connection)
        assert ASSUMPTIONS["unique-recs"] not in result.to_sql()
        assert result.collect()["precision@3"].to_list() == [pytest.approx(1 / 3)]
