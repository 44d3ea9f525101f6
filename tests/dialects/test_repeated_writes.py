"""A job that runs again writes the same rows: tables are replaced, and so are the rows of a partition."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from datetime import date
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import duckdb
import polars as pl
import psycopg
import pytest
from sqlglot import exp

import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS
from tests.support import engines
from tests.support.engines import DATABASES, SPARK, Engine, means
from tests.support.partitions import DAYS, INPUTS, asked, evaluated, parsed, statements

ROWS = "SELECT COUNT(*), SUM({q}n_lists{q}), COUNT(DISTINCT {q}partition{q}), SUM({q}{hit}{q}) FROM {table}"
DROP = "DROP TABLE {}"
RUN: dict[str, Callable[[str], Any]] = {
    **engines.RUN,
    "sqlite": lambda text: engines.sqlite().execute(text).fetchall(),  # texts have transactions of their own
    "clickhouse": lambda text: engines.clickhouse().query(text, "CSV"),
    "spark": lambda text: engines.spark().sql(text).collect(),
}
REPEATS = engines.long_but_for(["postgres", "sqlite"], (*DATABASES, SPARK))


def run(engine: Engine, text: str) -> None:
    """Run the statements of a text one after the other, as jobs do."""
    for statement in text.removesuffix(";").split(";\n\n"):
        RUN[engine.name](statement)


def counts(engine: Engine, table: str) -> Sequence[float]:
    """How many rows a table has, and sums over them."""
    quote = "`" if engine.name in ("spark", "mariadb") else '"'
    hit = "hit@10" if engine.name == "sqlite" else "hit_at_10"  # its texts keep the labels
    answer = RUN[engine.name](ROWS.format(q=quote, hit=hit, table=table))
    if engine.name == "clickhouse":
        return [*map(float, str(answer).strip().split(","))]
    if engine.name == "datafusion":
        return [*map(float, answer[0].to_pylist()[0].values())]
    return [*map(float, answer.fetchone() if engine.name == "postgres" else answer[0])]


@pytest.fixture(params=REPEATS)
def database(request: pytest.FixtureRequest) -> Engine:
    engine: Engine = request.param
    engines.need(engine)
    return engine


def written(engine: Engine, form: str, tables: dict[str, str], name: str, **options: Any) -> str:
    return asked(engine.dialect, form, name=name, tables=tables, **options)


def given(engine: Engine) -> dict[str, str]:
    """The inputs as tables of a database."""
    tables = {name: engine.give(frame) for name, frame in INPUTS.items()}
    if engine.name == "spark":
        for name, frame in tables.items():
            frame.createOrReplaceTempView(f"repeated_{name}")
        return {name: f"repeated_{name}" for name in tables}
    engines.sqlite().commit()  # Python has opened a transaction for the rows
    return tables


def expected() -> list[float]:
    frame = means(evaluated())
    totals = frame.select(pl.sum("n_lists"), pl.n_unique("partition"), pl.sum("hit@10"))
    return [frame.height, *totals.row(0)]


def test_a_table_is_replaced_and_a_table_of_ddl_is_filled_partition_by_partition(
    database: Engine, tmp_path: Path
) -> None:
    tables, name = given(database), f"board_{database.name}"
    if database.name == "spark":  # its tables are folders
        run(database, f"CREATE DATABASE IF NOT EXISTS boards LOCATION '{tmp_path}'")
        name = "boards.board"
    for _ in range(2):
        run(database, written(database, "table", tables, name))
        assert counts(database, name) == pytest.approx(expected())
    run(database, DROP.format(name))
    run(database, written(database, "ddl", tables, name, text="algorithm", dates="day"))
    for partition in (1, 2, 2):
        run(database, written(database, "incremental", tables, name, where={"partition": partition}))
    if database.name == "datafusion":
        assert counts(database, name)[0] > expected()[0]  # as the note above the statement says
    else:
        assert counts(database, name) == pytest.approx(expected())


@pytest.mark.parametrize("database", [SPARK, *(on for on in DATABASES if on.name == "mariadb")], ids=repr)
@pytest.mark.long
@pytest.mark.parametrize("form", ["table", "script"])
def test_a_table_stays_if_its_new_rows_cannot_be_computed(database: Engine, form: str, tmp_path: Path) -> None:
    engines.need(database)
    tables, name = given(database), f"kept_{form}"
    if database.name == "spark":
        run(database, f"CREATE DATABASE IF NOT EXISTS kept_{form} LOCATION '{tmp_path}'")
        name = f"kept_{form}.board"
    for _ in range(2):  # what a failed run has left is not an obstacle
        run(database, written(database, form, tables, name))
        with pytest.raises(Exception, match=r"(?i)no_such_table"):
            run(database, written(database, form, {**tables, "recs": "no_such_table"}, name))
        assert counts(database, name) == pytest.approx(expected())


def _run(cursor: Any, statement: str) -> Any:
    cursor.execute(statement)
    return cursor


@pytest.fixture
def sessions(engine: str, tmp_path: Path) -> Iterator[list[Callable[[str], Any]]]:
    """Three sessions of one database, each as a function that runs a statement."""
    if engine == "mariadb":
        engines.need(next(on for on in DATABASES if on.name == engine))
    file = duckdb.connect(str(tmp_path / "duck.db"))
    connect: dict[str, Callable[[], Any]] = {
        "duckdb": file.cursor,
        "sqlite": lambda: sqlite3.connect(tmp_path / "lite.db", isolation_level=None, check_same_thread=False),
        "postgres": lambda: psycopg.connect(engines.postgres_server().get_uri(), autocommit=True),
        "mariadb": engines.mariadb.__wrapped__,
    }
    with ExitStack() as stack:
        cursors = [stack.enter_context(closing(connect[engine]())).cursor() for _ in range(3)]
        yield [partial(_run, cursor) for cursor in cursors]
    file.close()


def parts(engine: str, form: str, **options: Any) -> list[str]:
    """The statements of a text over the tables of `test_of_two_jobs_at_once_the_second_waits_or_fails`."""
    tables = {name: f"jobs_{name}" for name in INPUTS}
    dialect = next((on.dialect for on in DATABASES if on.name == engine), engine)
    return asked(dialect, form, name="jobs_lb", tables=tables, **options).removesuffix(";").split(";\n\n")


@pytest.mark.parametrize("engine", ["duckdb", "sqlite", "postgres", "mariadb"])
def test_of_two_jobs_at_once_the_second_waits_or_fails(engine: str, sessions: list[Callable[[str], Any]]) -> None:
    run, first, second = sessions
    mark, types = "`" if engine == "mariadb" else '"', {pl.String: "VARCHAR(9)", pl.Date: "DATE", pl.Int64: "INTEGER"}
    for name, frame in INPUTS.items():
        columns = ", ".join(f"{mark}{column}{mark} {types[type(kind)]}" for column, kind in frame.schema.items())
        run(f"DROP TABLE IF EXISTS jobs_{name}")
        run(f"CREATE TABLE jobs_{name} ({columns})")
        for row in frame.rows():
            values = [exp.convert(str(value) if isinstance(value, date) else value).sql() for value in row]
            run(f"INSERT INTO jobs_{name} VALUES ({', '.join(values)})")
    run("DROP TABLE IF EXISTS jobs_lb")
    for part in parts(engine, "table"):
        run(part)
    everything = f"SELECT * FROM jobs_lb ORDER BY {mark}partition{mark}, algorithm"
    full = run(everything).fetchall()
    job = parts(engine, "incremental")
    at_commit, failed = job.index("COMMIT"), list[Exception]()

    def run_second() -> None:
        try:
            for part in job:
                second(part)
        except duckdb.TransactionException as error:
            failed.append(error)
            second("ROLLBACK")

    partition = f"{mark}partition{mark}"
    first_run, later_run = (
        f"DELETE FROM jobs_lb WHERE {partition} = 2",
        f"INSERT INTO jobs_lb ({partition}) VALUES (2)",  # NULL in all other list columns
    )
    for before in (first_run, later_run):
        run(before)
        thread = Thread(target=run_second)
        for part in job[:at_commit]:
            first(part)
        thread.start()
        thread.join(0.3)
        for part in job[at_commit:]:
            first(part)
        thread.join(30)
        assert run(everything).fetchall() == full, before
    assert len(failed) == 2 * (engine == "duckdb")
    run_second()
    assert run(everything).fetchall() == full


def test_a_failed_job_leaves_the_rows_of_the_run_before() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for name, frame in INPUTS.items():
        connection.execute(f"CREATE TABLE {name} ({', '.join(frame.columns)})")
        marks = ", ".join("?" * frame.width)
        connection.executemany(f"INSERT INTO {name} VALUES ({marks})", frame.cast({"day": str}).rows())
    connection.executescript(asked("sqlite", "table"))
    before = connection.execute("SELECT * FROM lb ORDER BY 1, 2, 3").fetchall()
    connection.execute("ALTER TABLE truth RENAME TO gone")
    with pytest.raises(sqlite3.OperationalError):
        connection.executescript(asked("sqlite", "incremental"))
    connection.rollback()
    assert connection.execute("SELECT * FROM lb ORDER BY 1, 2, 3").fetchall() == before


@pytest.mark.parametrize("name", ["clickhouse", "postgres"])
def test_a_refused_partition_keeps_the_rows_of_the_run_before(name: str) -> None:
    engine = next(on for on in DATABASES if on.name == name)  # ClickHouse has no transactions
    engines.need(engine)
    sound, board = given(engine), f"guarded_board_{name}"
    repeated = pl.concat([INPUTS["recs"], INPUTS["recs"].tail(1).with_columns(item=pl.lit(99, pl.Int64))])
    faulty = {**sound, "recs": engine.give(repeated)}
    run(engine, written(engine, "table", sound, board))
    before = counts(engine, board)
    for _ in range(2):
        with pytest.raises(Exception, match="ranks_repeated"):
            run(engine, written(engine, "incremental", faulty, board, where={"partition": 2}, guarded=True))
        if name == "postgres":
            RUN[name]("ROLLBACK")
        assert counts(engine, board) == before


def test_where_each_statement_is_for_good_a_guard_stands_before_the_first_write() -> None:
    able = [name for name, on in DIALECTS.items() if on.raise_error and "incremental" in on.forms]
    for dialect in able:
        writes = DIALECTS[dialect].writes
        parts = statements(asked(dialect, "incremental", guarded=True), dialect)
        first = next(place for place, part in enumerate(parts) if isinstance(part, (exp.Delete, exp.Insert)))
        has_guard = ["is_sound" in part.sql().lower() for part in parts]
        is_atomic = bool(writes.commit or writes.lock) or isinstance(parts[first], exp.Insert)
        assert any(has_guard), dialect
        assert any(has_guard[:first]) is not is_atomic, dialect


def test_a_range_of_days_is_replaced(warehouse: duckdb.DuckDBPyConnection) -> None:
    ranges: list[Any] = [{"day": (DAYS[0], DAYS[1])}, {"day": [*DAYS]}]
    ranges += ["day >= DATE '2024-01-01'", "day < DATE '2024-01-03'"]
    warehouse.execute(asked(form="table"))
    full = warehouse.execute("FROM lb ORDER BY ALL").fetchall()
    for where in ranges:
        warehouse.execute("INSERT INTO lb SELECT * REPLACE ('gone' AS algorithm) FROM lb")
        warehouse.execute(evaluated().to_sql("duckdb", form="incremental", name="lb", where=where))
        assert warehouse.execute("FROM lb ORDER BY ALL").fetchall() == full, where


# A partition by a parameter: its text, and how a driver fills it in.
BOUND: dict[str, tuple[str, Any]] = {
    "duckdb": ("day = $day", {"day": DAYS[1]}),
    "postgres": ("day = %(day)s", {"day": DAYS[1]}),
    "sqlite": ("day = :day", {"day": DAYS[1].isoformat()}),
}


@pytest.mark.parametrize("name", BOUND)
def test_a_driver_fills_in_the_partition(name: str, warehouse: duckdb.DuckDBPyConnection) -> None:
    where, values = BOUND[name]
    if name == "postgres":
        tables, cursor = given(next(on for on in DATABASES if on.name == name)), engines.postgres().cursor()
    else:
        tables = {name: name for name in INPUTS}
        lite = sqlite3.connect(":memory:", isolation_level=None)
        for table, frame in INPUTS.items():
            lite.execute(f"CREATE TABLE {table} ({', '.join(frame.columns)})")
            rows = frame.with_columns(day=pl.col("day").cast(pl.String)).rows()
            lite.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * frame.width)})", rows)
        cursor = lite.cursor() if name == "sqlite" else warehouse
    for part in asked(name, "table", name="bound", tables=tables).removesuffix(";").split(";\n\n"):
        cursor.execute(part)
    everything = "SELECT * FROM bound ORDER BY 1, 2, 3"
    full = cursor.execute(everything).fetchall()
    cursor.execute("UPDATE bound SET n_lists = 0")
    options = {} if name == "sqlite" else {"dates": "day"}  # its days are texts
    job = asked(name, "incremental", name="bound", tables=tables, where=where, **options)
    bound = where.removeprefix("day = ")
    assert f"-- The job fills in {bound}.\n" in job
    for part in re.sub("^--.*\n", "", job, flags=re.MULTILINE).removesuffix(";").split(";\n\n"):
        cursor.execute(part, values) if bound in part else cursor.execute(part)
    assert [row for row in cursor.execute(everything).fetchall() if row[3]] == [row for row in full if row[0] == 2]


def test_each_form_of_a_parameter_stays_as_it_is_and_is_named_above_the_text() -> None:
    for where, named in {
        "day = :day": ":day",
        "day = @run_date": "@run_date",
        "day = $1": "$1",
        "day = ${DAY}": "${DAY}",
        "day >= %(first)s AND day < %(last)s": "%(first)s, %(last)s",
        "day = {{ var('day') }}": "'{{ var('day') }}'",
        "day = '{{ var('day') }}'": "'{{ var('day') }}'",
    }.items():
        for dialect in ("bigquery", "databricks", "postgres", "snowflake", "trino", "tsql"):
            text = asked(dialect, "incremental", where=where, dates="day")
            head, _, body = text.partition(f"-- The job fills in {named}.\n")
            assert body, (dialect, head)
            assert all(body.count(one) >= 3 for one in named.split(", ")), (dialect, where)  # the delete, two inputs
    text = asked("duckdb", "incremental", where="day = ?", dates="day")
    n = text.partition("fills in ")[2].partition("\n")[2].count("?")
    assert f"The job fills in ? ({n} times)." in text


def test_a_partition_may_follow_from_the_current_date_and_from_nothing_else_that_changes() -> None:
    today = "day = CURRENT_DATE - INTERVAL 1 DAY"
    assert asked("duckdb", "incremental", where=today, dates="day").count("CURRENT_DATE - INTERVAL '1' DAY") >= 3
    for where in ("day = RANDOM()", "day = (SELECT MAX(day) FROM truth)", "day = other_day + 1"):
        with pytest.raises(rm.InputError, match="is not a whole number, text, date or parameter"):
            asked("duckdb", "incremental", where=where)


def test_lookback_writes_the_days_before_again(warehouse: duckdb.DuckDBPyConnection) -> None:
    warehouse.execute(asked(form="table"))
    warehouse.execute("INSERT INTO truth VALUES (1, DATE '2024-01-01', 2, 11)")  # late
    warehouse.execute(asked(form="table", name="expected"))
    full = warehouse.execute("FROM expected ORDER BY ALL").fetchall()
    for where in ({"day": DAYS[1]}, {"day": "2024-01-02"}):
        warehouse.execute("UPDATE lb SET n_lists = 0")
        warehouse.execute(evaluated().to_sql("duckdb", form="incremental", name="lb", where=where, lookback=1))
        assert warehouse.execute("FROM lb ORDER BY ALL").fetchall() == full


def test_ddl_has_the_columns_of_the_rows_that_fill_it() -> None:
    options: dict[str, Any] = {"metrics": ["precision(rel=4)@5"], "history": None}
    options |= {"truth_columns": rm.Columns(item="item", rating="rating")}
    cases = [(name, False) for name, dialect in DIALECTS.items() if "ddl" in dialect.forms]
    for dialect, per_list in [*cases, ("snowflake", True)]:
        table = statements(asked(dialect, "ddl", name="lb", per_list=per_list, **options), dialect)[0]
        select = parsed(asked(dialect, "incremental", per_list=per_list, **options), dialect).expression
        columns = [column.name for column in table.find_all(exp.ColumnDef)]
        assert columns == select.named_selects, (dialect, per_list)


def test_ddl_comments_each_column_and_types_it(warehouse: duckdb.DuckDBPyConnection) -> None:
    warehouse.execute(evaluated().to_sql("duckdb", form="ddl", name="db.lb"))
    query = "SELECT column_name, data_type, is_nullable, comment FROM duckdb_columns() WHERE table_name = 'lb'"
    assert warehouse.execute(query).fetchall()[1:5] == [
        ("day", "DATE", False, "a column of the partition"),
        ("algorithm", "VARCHAR", False, "the system"),
        ("n_lists", "BIGINT", False, "the number of lists that the means are taken over"),
        ("hit@10", "DOUBLE", True, f"hit@10: {rm.hit.definition.summary}"),
    ]
